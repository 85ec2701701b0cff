"""What search returned of notes that fade, counted by statement."""
