"""One module for each program that ``compare_peers.py`` measures, and what they share."""
