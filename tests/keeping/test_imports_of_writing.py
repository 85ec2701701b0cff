"""A command that writes imports what writes: agents run many such processes at once (F24)."""

from __future__ import annotations

import subprocess
import sys

import pytest
from kept_vault import Kept

WRITING = """
import sys
from pathlib import Path
from clawvault.api import open_vault
root, state, call, *arguments = sys.argv[1:]
with open_vault(root, environment={"CLAWVAULT_STATE_DIR": state}) as vault:
    getattr(vault, call)(*arguments)
print(" ".join(sys.modules))
"""
# What parses, lists, reads or searches notes, or keeps tables that a line of plain text does not need.
NOT_NEEDED = {
    *("apsw", "html", "markdown_it", "socket", "yaml"),
    *("clawvault.index.connection", "clawvault.search.searcher", "clawvault.dream.dreamer", "clawvault.freshening"),
    *("clawvault.vault.listing", "clawvault.vault.markdown", "clawvault.vault.note_lines", "clawvault.vault.tree"),
    *("clawvault.vault.lookup", "clawvault.vault.writing.moving", "clawvault.keeping.remembering"),
}

# Whether a missing note was known is asked of the index.
ASKED_FOR_A_NEW_NOTE = {"apsw", "clawvault.index.connection"}


def _imported_by(kept: Kept, *arguments: str) -> set[str]:
    command = [sys.executable, "-c", WRITING, str(kept.root), str(kept.state), *arguments]
    return set(subprocess.run(command, capture_output=True, encoding="utf-8", check=True, timeout=240).stdout.split())


@pytest.mark.parametrize(
    "arguments",
    [
        ("append", "boats.md", "The heron came at noon."),
        ("write", "new.md", "# Herons\n\nOne came at noon.\n"),
        ("patch", "boats.md", "blue", "green"),
        ("log", "The heron came at noon."),
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_line_is_written_without_what_reads_lists_or_searches(kept: Kept, arguments: tuple[str, ...]) -> None:
    """Also where the line goes below those of the day."""
    kept.put("boats.md", "The boat is blue.\n")
    kept.keeper(now=None).log("The boat left.")
    assert _imported_by(kept, *arguments) & NOT_NEEDED == set()


def test_the_first_entry_of_a_day_needs_no_parser(kept: Kept) -> None:
    assert _imported_by(kept, "log", "The heron came at noon.") & (NOT_NEEDED - ASKED_FOR_A_NEW_NOTE) == set()


def test_whether_a_missing_note_was_known_is_asked_with_no_more_of_the_index_than_opens_it(kept: Kept) -> None:
    """B011."""
    found = _imported_by(kept, "append", "new.md", "The heron came at noon.")
    assert found & {"clawvault.index.store", "clawvault.index.indexer", "clawvault.search.searcher"} == set()


def test_a_dream_that_writes_nothing_imports_nothing_that_writes_of_it(kept: Kept) -> None:
    found = _imported_by(kept, "dream")
    writing = {"clawvault.dream.promotion.promoting", "clawvault.dream.telling.publishing", "socket"}
    listing = {"clawvault.vault.listing", "clawvault.dream.promotion.promotion_records"}
    assert found & {*writing, *listing, "clawvault.keeping.remembering"} == set()
