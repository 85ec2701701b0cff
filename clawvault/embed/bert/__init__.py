"""BERT models in NumPy: a question is embedded before a model library would have been imported."""
