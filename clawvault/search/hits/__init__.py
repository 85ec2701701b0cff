"""What is shown of a passage, and why it stands where it does."""
