"""What may be written where a model reads it: texts that steer it, secrets, and notes that people alone change."""
