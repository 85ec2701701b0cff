"""Which note a tool means, and whether tools may write it."""

from __future__ import annotations

import os

from clawvault.errors import UsageError
from clawvault.guard.identity import is_prompt_file
from clawvault.keeping.means import Means, check_name
from clawvault.vault.archived import is_archived
from clawvault.vault.dating import DAILY_FOLDERS, note_date
from clawvault.vault.note_file import Skip, find_note, match_folders, note_extensions
from clawvault.vault.paths import hidden_sign, parse_note_path, path_problem, visible
from clawvault.vault.prompt_files import HEARTBEAT

ALIASES = ("memory", "daily_log", "heartbeat", "bootstrap")
# The writer itself says what is wrong with these, or they are no reason against writing.
LEFT_TO_WRITER = frozenset({"symlink", "not-a-file", "too-large", "unreadable", "not-downloaded", "folder"})


def resolve_target(means: Means, asked: str) -> str:
    """Return the note that a path or an alias stands for.

    Args:
        means: What to work with.
        asked: A vault path, or ``memory``, ``daily_log`` or ``heartbeat``.

    Returns:
        A vault path in NFC. Whether it is an identity file, the writer says.

    Raises:
        UsageError: It is no path inside the vault, has no ending of a note, would never be found again, or holds a
            secret or an order.

    Source: MN-38, MN-56..58, IW-78, T01, T07.
    """
    if asked == "bootstrap":
        raise UsageError(
            '"bootstrap" is not written by tools: it is what an agent does when it first wakes.',
            'Edit "BOOTSTRAP.md" yourself, or write to memory, daily_log or heartbeat.',
        )
    named = _named(means, asked)
    if path_problem(named) or not os.path.lexists(means.root / named):
        # Before any message shows the path. What is there is named already.
        check_name(means, named, what="The path")
    path = match_folders(means.root, parse_note_path(named))
    name = path.rpartition("/")[2]
    endings = note_extensions(means.config)
    if "." not in name.lstrip("."):
        raise UsageError(f'"{visible(path)}" is not the name of a note.', f'Call it "{visible(path)}.md".')
    if name.rpartition(".")[2].lower() not in endings:
        known = ", ".join(f".{ending}" for ending in sorted(endings))
        raise UsageError(f'"{visible(path)}" is not the name of a note.', f"Only Markdown notes are written ({known}).")
    rules = means.ignore_rules()
    found = find_note(means.root, path, rules, means.config)
    if isinstance(found, Skip) and found.reason not in LEFT_TO_WRITER:
        from clawvault.vault.lookup import describe

        raise UsageError(
            f'"{visible(path)}" would not be found again: {describe(found)}.', "Choose another place for the note."
        )
    if found is None and (sign := hidden_sign(path)):
        raise UsageError(
            f'"{visible(path)}" cannot be the name of a new note: it holds {sign}, which is not seen.',
            "Leave that character out.",
        )
    if found is None and is_archived(path):
        raise UsageError(
            f'"{visible(path)}" would be found in the archive alone.', "Write to the note it would come from."
        )
    if why := rules.reason(path, False):
        raise UsageError(f'"{visible(path)}" would not be found again: {why}.', "Choose another place for the note.")
    return path


def check_prompt_file(path: str, *, by_person: bool) -> tuple[str, ...]:
    """Refuse a tool that would write what some agent takes its orders from; a person is told.

    Args:
        path: As ``resolve_target`` gives it.
        by_person: A person writes, in words of their own.

    Raises:
        UsageError: A tool would.

    Source: IW-79, T05, T06.
    """
    if not is_prompt_file(path):
        return ()
    if not by_person:
        raise UsageError(
            f'"{visible(path)}" is not written by tools: agents take orders from files of that name.',
            "Choose another name for the note, or ask the person to write it.",
        )
    return (f'Agents take orders from files named "{visible(path.rpartition("/")[2])}", in whatever folder they are.',)


def daily_note(means: Means) -> str:
    """Return the path of today's note."""
    return f"{DAILY_FOLDERS[0]}/{means.now().date().isoformat()}.md"


def far_day_warning(means: Means, path: str) -> tuple[str, ...]:
    """Warn when a note belongs to another day than yesterday, today or tomorrow: a model may have guessed (B141)."""
    day, today = note_date(path), means.now().date()
    if day is None or abs((day - today).days) <= 1:
        return ()
    return (f'"{path}" is the note of another day; today is {today.isoformat()}.',)


def _named(means: Means, asked: str) -> str:
    named = {"memory": means.config.memory_file, "heartbeat": HEARTBEAT, "daily_log": daily_note(means)}
    return named.get(asked, asked)
