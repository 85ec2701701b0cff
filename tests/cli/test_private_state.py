"""Nothing in the state folder can be read by anybody else, whichever command wrote it (T10)."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from cli_types import Run

TOUR = (
    ("index",),
    ("search", "port"),
    ("read", "databases.md"),
    ("append", "databases.md", "A line."),
    ("remember", "Ada likes green tea."),
    ("log", "Talked of tea."),
    ("pin", "databases.md:1"),
    ("recalls",),
    ("dream",),
    ("dream", "--apply"),
    ("archive",),
    ("lint",),
    ("undo",),
    ("undo", "--last"),
    ("profile", "set", "name", "Ada"),
    ("context", "--query", "port"),
    ("heartbeat",),
    ("connect", "cursor", "--yes"),
    ("accept", "--all"),
    ("status",),
    ("doctor",),
    ("index", "--rebuild"),
)


@pytest.mark.skipif(os.name == "nt", reason="modes are of POSIX")
def test_after_a_tour_of_all_commands_every_file_of_the_state_folder_is_the_owners_alone(
    run: Run, vault: Path, tmp_path: Path
) -> None:
    before = os.umask(0o022)
    try:
        (vault / "GEMINI.md").write_text("x\n")
        for arguments in TOUR:
            run(*arguments)
    finally:
        os.umask(before)
    found = {path.relative_to(tmp_path / "state").as_posix(): path for path in (tmp_path / "state").rglob("*")}
    assert any(name.endswith("/prompt-files.json") for name in found)
    open_to_all = {
        name: oct(stat.S_IMODE(path.stat().st_mode)) for name, path in found.items() if path.stat().st_mode & 0o77
    }
    assert open_to_all == {}
