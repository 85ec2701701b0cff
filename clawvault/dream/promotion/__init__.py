"""What deserves to stay is written into long-term memory, written down, and taken back."""
