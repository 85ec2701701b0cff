"""What is asked, and what the question meets."""
