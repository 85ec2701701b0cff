"""Which clawvault this is: below every room, so that each can say it."""

__version__ = "0.1.0"
