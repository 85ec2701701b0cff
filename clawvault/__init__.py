"""clawvault: the memory a person and their agents share, as plain Markdown files."""

__version__ = "0.1.0"
