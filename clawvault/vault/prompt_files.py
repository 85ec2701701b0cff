"""Files that agents load by themselves, wherever they are: named to the person, never given to a model (T06)."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import date
from pathlib import Path

from clawvault.config import Config
from clawvault.guard.prompt_names import fold_name, imitated_name, is_disguised
from clawvault.vault.private_file import write_private_file

# What agents are given here, in this order (IW-76). People write these, tools do not.
HEARTBEAT = "HEARTBEAT.md"
IDENTITY_FILES = ("AGENTS.md", "SOUL.md", "USER.md", "IDENTITY.md")
# Agents look there for folders with a file of orders each.
SKILLS = "skills"
SEEN_NAME = "prompt-files.json"
# Nobody is shown more of them at once.
MOST = 50


def list_prompt_files(root: Path, config: Config) -> tuple[str, ...]:
    """Return files with a name that agents load by themselves, other than those that this vault gives them.

    Args:
        root: The vault.
        config: Its ``memory_file`` is given.

    Returns:
        At most 50 vault paths in order, of the top folder, of those in it, and of each skill. A name that differs in
        case is another, and so is one that only looks like it.

    Cost: One listing of each folder at the top.
    Source: T06, T20.
    """
    given = {*IDENTITY_FILES, HEARTBEAT, config.memory_file}
    found = {path for path in _near(root) if imitated_name(path.rpartition("/")[2])}
    return tuple(sorted(found - given)[:MOST])


def describe_prompt_file(path: str) -> tuple[str, str]:
    """Return why a file that ``list_prompt_files`` found is told, and its name in plain letters where it deceives.

    Source: T20.
    """
    name = path.rpartition("/")[2]
    if not is_disguised(name):
        return "an agent that finds it may obey it", ""
    return f"suspicious, its name looks like {imitated_name(name)}", name.encode("ascii", "backslashreplace").decode()


def note_first_sights(state: Path, found: Iterable[str], day: date) -> tuple[str, ...]:
    """Return those of some files that were never seen before, and remember them.

    Args:
        state: The state folder of the vault.
        found: Vault paths.
        day: Today.
    """
    seen = _read_seen(state)
    new = tuple(path for path in found if path not in seen)
    if new:
        # Told once more is better than not at all, so a state folder that cannot be written ends nothing.
        with suppress(OSError):
            known = {**seen, **dict.fromkeys(new, day.isoformat())}
            write_private_file(state / SEEN_NAME, json.dumps(known, ensure_ascii=True, indent=1).encode())
    return new


def _near(root: Path) -> Iterator[str]:
    with suppress(OSError), os.scandir(root) as entries:
        for entry in entries:
            if not _is_folder(entry):
                yield entry.name
            elif not entry.name.startswith(".") or entry.name in {".github", ".cursor"}:
                inside = _names(entry.path)
                yield from (f"{entry.name}/{name}" for name in inside)
                if fold_name(entry.name) == SKILLS:
                    yield from (f"{entry.name}/{skill}/{name}" for skill in inside for name in _skill(entry, skill))


def _skill(folder: os.DirEntry[str], skill: str) -> list[str]:
    # A name with a point is that of a note, and no skill.
    return [] if "." in skill else _names(f"{folder.path}/{skill}")


def _is_folder(entry: os.DirEntry[str]) -> bool:
    with suppress(OSError):
        return entry.is_dir(follow_symlinks=False)
    return False


def _names(folder: str) -> list[str]:
    with suppress(OSError):
        return os.listdir(folder)
    return []


def _read_seen(state: Path) -> dict[str, str]:
    with suppress(OSError, ValueError, RecursionError):
        seen = json.loads((state / SEEN_NAME).read_text("utf-8"))
        if isinstance(seen, dict):
            return seen
    return {}
