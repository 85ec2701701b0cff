"""From a question to hits, with the reason of every step."""
