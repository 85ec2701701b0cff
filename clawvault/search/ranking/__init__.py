"""The order of the candidates, by score, age and the time asked for."""
