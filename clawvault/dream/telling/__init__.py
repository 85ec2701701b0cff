"""What a dream found, and what people read of it."""
