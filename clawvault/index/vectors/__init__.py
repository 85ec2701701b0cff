"""Find the vectors nearest to that of a question, exactly."""
