"""One score for each candidate: of both lanes, of a list of days, or of a model that reads it."""
