"""What deserves to stay: recalls of dated notes are counted, and what keeps being useful moves to long-term memory."""
