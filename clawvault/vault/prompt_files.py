"""Files that agents load by themselves, wherever they are: named to the person, never given to a model (T06)."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import date
from pathlib import Path

from clawvault.guard.identity import fold_name

# What one program or another takes its orders from when it finds it in a folder.
PROMPT_NAMES = frozenset(
    fold_name(name)
    for name in (
        "AGENT.md",
        "AGENTS.md",
        "AGENTS.override.md",
        "BOOTSTRAP.md",
        "CLAUDE.local.md",
        "CLAUDE.md",
        "CODEX.md",
        "CONVENTIONS.md",
        "copilot-instructions.md",
        "GEMINI.md",
        "IDENTITY.md",
        "QWEN.md",
        "SOUL.md",
        "TOOLS.md",
        "USER.md",
        ".clinerules",
        ".cursorrules",
        ".goosehints",
        ".windsurfrules",
    )
)
SEEN_NAME = "prompt-files.json"
# Nobody is shown more of them at once.
MOST = 50


def find_prompt_files(root: Path, loaded: Iterable[str], known: Iterable[str] = ()) -> tuple[str, ...]:
    """Find files with a name that agents load by themselves, other than those that are loaded here.

    Args:
        root: The vault.
        loaded: Vault paths, in their very case, of what is given to agents.
        known: More paths to look at, such as those of all notes.

    Returns:
        At most 50 vault paths in order: of the top folder, of those in it, and of ``known``.

    Cost: One listing of each folder at the top.
    Source: T06.
    """
    meant = frozenset(loaded)
    found = {path for path in (*_near(root), *known) if fold_name(path.rpartition("/")[2]) in PROMPT_NAMES}
    return tuple(sorted(found - meant)[:MOST])


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
            _write_seen(state, {**seen, **dict.fromkeys(new, day.isoformat())})
    return new


def _near(root: Path) -> Iterator[str]:
    with suppress(OSError), os.scandir(root) as entries:
        for entry in entries:
            if not _is_folder(entry):
                yield entry.name
            elif not entry.name.startswith(".") or entry.name in {".github", ".cursor"}:
                yield from (f"{entry.name}/{name}" for name in _names(entry.path))


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


def _write_seen(state: Path, seen: dict[str, str]) -> None:
    temporary = state / f"{SEEN_NAME}.{secrets.token_hex(4)}"
    try:
        temporary.write_text(json.dumps(seen, ensure_ascii=True, indent=1), "utf-8")
        temporary.replace(state / SEEN_NAME)
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()
