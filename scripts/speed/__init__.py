"""The parts of ``measure_speed.py``: vaults to measure on, clocks, and one module for each group of rows."""
