"""Notes as they grow old: what is at risk, what is put away, and whether memory is still a briefing."""
