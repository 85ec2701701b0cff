"""Markdown files: where they are, what they say, and the only hand that writes them."""
