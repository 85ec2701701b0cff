"""What each lane finds, and how far it can be trusted."""
