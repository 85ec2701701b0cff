"""From a fresh clone to a vault that answers: install, seed or adopt, index, search once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import environment

DEFAULT_VAULT = "my-vault"
# 1 is an index run that left notes out, which it has listed.
FINE = {0, 1}


def main(arguments: list[str]) -> int:
    """Run the tour; returns the exit code."""
    if len(arguments) > 1 or arguments[:1] in (["-h"], ["--help"]):
        print("Usage: scripts/start [DIR]   (default: my-vault in this checkout)")
        return 0 if len(arguments) == 1 else 2
    vault = Path(arguments[0]).expanduser().absolute() if arguments else environment.ROOT / DEFAULT_VAULT
    try:
        environment.prepare()
    except environment.SetUpError as error:
        return environment.report(error)
    if not (vault / ".clawvault" / "config.toml").exists():
        code = clawvault("init", str(vault))
        if code:
            return code
    code = clawvault("--vault", str(vault), "index")
    if code not in FINE:
        return code
    question = newest_title(vault)
    print(f'\n$ clawvault search "{question}"', flush=True)
    code = clawvault("--vault", str(vault), "search", "-n", "3", question)
    if code:
        return code
    say_what_next(vault)
    return 0


def clawvault(*arguments: str) -> int:
    """Run one command of the installed program; returns its exit code."""
    return subprocess.run([str(environment.BIN / "clawvault"), *arguments], check=False).returncode


def newest_title(vault: Path) -> str:
    """Return the title of the note that changed last: a question the vault can answer."""
    command = [str(environment.BIN / "clawvault"), "--vault", str(vault), "tree", "--depth", "100", "--json"]
    done = subprocess.run(command, check=False, capture_output=True)
    entries = json.loads(done.stdout)["entries"] if done.returncode == 0 else []
    titled = [entry for entry in entries if entry["description"] and not entry["path"].endswith("/")]
    newest = max(titled, key=lambda entry: (entry["modified_at"], entry["path"]), default={"description": "memory"})
    return " ".join(str(newest["description"]).replace('"', " ").split())


def say_what_next(vault: Path) -> None:
    """Print three commands to try next, as they can be typed here."""
    program, shown = environment.BIN / "clawvault", vault
    here = Path.cwd()
    program_text = os.path.relpath(program, here) if program.is_relative_to(here) else str(program)
    vault_text = os.path.relpath(shown, here) if shown.is_relative_to(here) else str(shown)
    begin = f'{program_text} --vault "{vault_text}"' if " " in vault_text else f"{program_text} --vault {vault_text}"
    print("\nTry next:")
    print(f'  {begin} search "a question of yours"')
    print(f"  {begin} watch        keeps the index true while you write, and makes search fast")
    print(f"  {begin} doctor       looks everything over")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
