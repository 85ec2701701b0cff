"""Which recalled statements deserve to stay: their score, their gates and what their notes say now."""
