"""What is kept: every operation that changes notes, on top of the one writer."""
