"""From a fresh clone to a vault that answers: install, seed or adopt, index, search once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import environment

DEFAULT_VAULT = "my-vault"
DEFAULT_QUESTION = "what should be saved and what should not"
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
    title = newest_title(vault)
    question = title or DEFAULT_QUESTION
    # Notes that are still as the template made them are searched only where a path names them.
    where = () if title else ("--path", "*.md")
    begin = typed(vault)
    shown = "" if title else '--path "*.md" '
    print(f'\n$ {begin} search -n 3 {shown}"{question}"', flush=True)
    code = clawvault("--vault", str(vault), "search", "-n", "3", *where, question)
    if code:
        return code
    print("\nTry next:")
    print(f'  {begin} search "a question of yours"')
    print(f"  {begin} watch        keeps the index true while you write, and makes search fast")
    print(f"  {begin} doctor       looks everything over")
    return 0


def clawvault(*arguments: str) -> int:
    """Run one command of the installed program; returns its exit code."""
    return subprocess.run([str(environment.BIN / "clawvault"), *arguments], check=False).returncode


def newest_title(vault: Path) -> str:
    """Return the title of the person's note that changed last: a question the vault can answer; empty without one."""
    command = [str(environment.BIN / "clawvault"), "--vault", str(vault), "tree", "--depth", "100", "--json"]
    done = subprocess.run(command, check=False, capture_output=True)
    entries = json.loads(done.stdout)["entries"] if done.returncode == 0 else []
    seeded = {path.name for path in (environment.ROOT / "vault_template" / "en").glob("*.md")}
    titled = [entry for entry in entries if entry["description"] and not entry["path"].endswith("/")]
    own = [entry for entry in titled if entry["path"] not in seeded]
    newest = max(own, key=lambda entry: (entry["modified_at"], entry["path"]), default={"description": ""})
    return " ".join(str(newest["description"]).replace('"', " ").split())


def typed(vault: Path) -> str:
    """Return the beginning of a command about this vault as it can be typed here."""
    here = Path.cwd()
    words = [environment.BIN / "clawvault", vault]
    program, folder = (os.path.relpath(word, here) if word.is_relative_to(here) else str(word) for word in words)
    return f'{program} --vault "{folder}"' if " " in folder else f"{program} --vault {folder}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
