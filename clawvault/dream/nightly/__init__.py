"""The dream of each night, and what became of it."""
