"""What passages state, and what a later one replaces."""
