"""Run every check of this project, the tests last, so that their summary is what is seen."""

from __future__ import annotations

import os
import subprocess
import sys

import environment

# Several workers load a model each; more than four would want more memory than many machines have.
MAX_WORKERS = 4


def main(arguments: list[str]) -> int:
    """Run the checks; arguments go to pytest; returns the exit code."""
    try:
        environment.prepare(dev=True)
    except environment.SetUpError as error:
        return environment.report(error)
    workers = str(max(2, min(MAX_WORKERS, os.cpu_count() or 2)))
    failed = [
        name
        for name, command in (
            ("formatter", ["ruff", "format", "--check", "."]),
            ("linter", ["ruff", "check", "."]),
            ("types", ["mypy"]),
            ("import contracts", ["lint-imports"]),
            ("tests", ["pytest", "-n", workers, "--dist", "loadgroup", *arguments]),
        )
        if not passes(name, command)
    ]
    if failed:
        environment.say(f"Failed: {', '.join(failed)}")
    return int(bool(failed))


def passes(name: str, command: list[str]) -> bool:
    """Run one check and say whether it passed."""
    environment.say(f"== {name}: {' '.join(command)}")
    program, *rest = command
    # The settings of the person who runs this must not decide what the tests see.
    clean = environment.clean_environment()
    done = subprocess.run([str(environment.BIN / program), *rest], check=False, cwd=environment.ROOT, env=clean)
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
