"""Checks of the notes: what no search can reach, doubled memory files, identity files, languages nobody reads."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

from clawvault.config import Config
from clawvault.doctor.findings import FAIL, OK, WARN, Finding
from clawvault.errors import ClawvaultError
from clawvault.search.lanes.shipped import NAMES, is_shipped
from clawvault.vault.identity_baseline import notice_edits
from clawvault.vault.listing import Listing
from clawvault.vault.lookup import describe
from clawvault.vault.note_file import Skip
from clawvault.vault.notes import read_note
from clawvault.vault.paths import NoteUnreadableError, open_inside
from clawvault.vault.script_sample import sample_of

SAMPLED_NOTES = 200
# No template is longer.
MAX_SHIPPED_BYTES = 100_000
# Models that know English alone; any other is taken to know what its owner chose it for.
ENGLISH_ONLY = re.compile(r"all-MiniLM|english|-en(?![a-z])")
MEMORY_PLACES = ("MEMORY.md", "memory/MEMORY.md")


def check_vault(listing: Listing) -> Finding:
    """Say whether the vault is there and is one."""
    if not listing.healthy:
        return Finding("vault", FAIL, listing.problem, "Put the folder back, or run clawvault init there.")
    return Finding("vault", OK, f"{len(listing.files)} notes.")


def check_reach(root: Path, listing: Listing) -> Finding:
    """List every Markdown file that no search can find, and why (limits L13)."""
    skips = [*listing.skips, *_find_unreadable(root, listing)]
    as_shipped = _find_as_shipped(root, listing)
    details = tuple(f"{skip.path or '.'}: {describe(skip)}" for skip in skips)
    details += listing.warnings + tuple(f"{path}: as the template made it" for path in as_shipped)
    chosen = sum(skip.reason == "ignored" for skip in skips)
    n_lost, n_odd = len(skips) - chosen, len(listing.warnings)
    said = [f"{n_lost} {'file' if n_lost == 1 else 'files'} cannot be found by any search"] if n_lost else []
    said += [f"{n_odd} {'thing' if n_odd == 1 else 'things'} to look at"] if n_odd else []
    left_out = f"; {chosen} left out by your rules" if chosen else ""
    if as_shipped:
        left_out += f"; {len(as_shipped)} as the template made {'it' if len(as_shipped) == 1 else 'them'}, "
        left_out += "not searched until somebody edits them"
    if not said:
        every = "Every other note" if as_shipped else "Every note"
        return Finding("reach", OK, f"{every} can be found{left_out}.", details=details)
    hint = "Each line says why; what is meant to be left out needs nothing."
    return Finding("reach", WARN, f"{', '.join(said)}{left_out}.", hint, details)


def _find_unreadable(root: Path, listing: Listing) -> Iterator[Skip]:
    """Find notes that may not be read; opening each one takes longer than asking."""
    for path, file in listing.files.items():
        if not os.access(root / file.disk_path, os.R_OK):
            try:
                open_inside(root, file.disk_path).close()
            except NoteUnreadableError as error:
                yield Skip(path, error.reason, error.message.removesuffix("."))
            except ClawvaultError:
                continue  # it went away meanwhile


def _find_as_shipped(root: Path, listing: Listing) -> list[str]:
    """Return the notes that are still as the template made them: no search shows those."""
    found = []
    for path in NAMES:
        if path in listing.files:
            with suppress(ClawvaultError, OSError), open_inside(root, path) as note:
                found += [path] * is_shipped(path, note.read(MAX_SHIPPED_BYTES))
    return found


def check_memory_files(listing: Listing, config: Config) -> Finding:
    """Say whether there are two long-term memory notes (decisions, "Truth, place, names")."""
    found = [path for path in MEMORY_PLACES if path in listing.files]
    if len(found) > 1:
        return Finding(
            "memory file",
            WARN,
            f"Both {found[0]} and {found[1]} exist; both are searched, {config.memory_file} is written to.",
            "Bring them together, or set memory_file to the one you keep.",
        )
    return Finding("memory file", OK, found[0] if found else "None yet.")


def check_identity(root: Path, state: Path) -> Finding:
    """Name identity files that were changed outside clawvault and that nobody has said to have seen (T05)."""
    edits = notice_edits(root, state)
    if not edits:
        return Finding("identity", OK, "No identity file was changed unseen.")
    noun = "identity file was" if len(edits) == 1 else "identity files were"
    return Finding(
        "identity",
        WARN,
        f"{len(edits)} {noun} changed outside clawvault.",
        "Look at each; agents do not take it for your word until you run: clawvault accept PATH",
        tuple(f"{edit.path}: {edit.change}, noticed {edit.noticed_at}" for edit in edits),
    )


def check_language(root: Path, listing: Listing, config: Config) -> Finding:
    """Warn when an English-only model meets notes in another language (limits L27)."""
    embedding = config.embedding
    local = embedding.provider == "sentence-transformers"
    english_only = local and ENGLISH_ONLY.search(Path(embedding.model).name) is not None
    sample = sample_of(_texts(root, listing, config.index.max_note_bytes))
    if not english_only or not sample.needs_multilingual:
        return Finding("language", OK, "The model knows the language of the notes, as far as can be told.")
    return Finding(
        "language",
        WARN,
        f'The model "{embedding.model}" knows English alone, and not all notes are in English ({sample.describe()}).',
        "Run: clawvault model use use-multilingual",
    )


def _texts(root: Path, listing: Listing, max_bytes: int) -> Iterator[str]:
    step = max(1, len(listing.files) // SAMPLED_NOTES)
    for file in islice(listing.files.values(), 0, None, step):
        try:
            yield read_note(root, file, max_bytes=max_bytes).text
        except ClawvaultError:
            continue  # check_reach and the index name it
