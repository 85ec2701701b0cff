"""What an agent is given: one table of tools, a guide how to use them, and the doors they are reached through."""
