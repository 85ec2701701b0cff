"""The process that keeps an index true while people edit."""
