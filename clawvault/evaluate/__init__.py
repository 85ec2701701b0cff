"""How well questions with known answers are answered: metrics, data sets, the runner and the built-in memory suite."""
