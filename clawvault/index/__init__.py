"""What is derived from the notes and may be thrown away."""
