"""Run the command line with ``python -m clawvault``."""

from clawvault.cli.main import main

main()
