"""Words of time in a question, read as stretches of days."""
