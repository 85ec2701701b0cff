"""Run the command line with ``python -m clawvault``."""

from clawvault.cli.main import main

if __name__ == "__main__":
    main()
