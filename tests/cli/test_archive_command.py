"""``archive``, and ``search --archive``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_types import Run

OLD, PUT_AWAY = "memory/2024-03-01.md", "archive/2024/memory/2024-03-01.md"


@pytest.fixture
def old(vault: Path) -> Path:
    (vault / OLD).write_text("the kingfisher of long ago\n")
    (vault / "memory/2024-03-02.md").write_text("---\nimportance: 3\n---\nkept, see [then](2024-03-01.md)\n")
    return vault


def test_it_is_shown_first_and_nothing_is_moved(run: Run, old: Path) -> None:
    result = run("archive", "--older-than", "2025-01-01", "--linked")
    assert result.exit_code == 0
    assert result.stdout == f"{OLD} -> {PUT_AWAY}  27 bytes\n    linked from memory/2024-03-02.md:4\n"
    assert result.stderr == (
        "Stays: memory/2024-03-02.md (importance: 3)\n"
        f"Link to mend: memory/2024-03-02.md:4, 2024-03-01.md -> {PUT_AWAY}\n"
        "1 note, 27 bytes, would be moved; --apply does it.\n"
    )
    assert (old / OLD).exists()


def test_what_is_put_away_is_found_where_it_is_asked_for(run: Run, old: Path) -> None:
    assert run("archive", "--older-than", "2025-01-01", "--linked", "--apply").stdout == f"{OLD} -> {PUT_AWAY}\n"
    found = [json.loads(run("search", "kingfisher", *more, "--json").stdout)["hits"] for more in ((), ("--archive",))]
    assert [[hit["path"] for hit in hits] for hits in found] == [[], [PUT_AWAY]]
    assert run("archive", "--undo").stdout == f"{PUT_AWAY} -> {OLD}\n"
    assert (old / OLD).read_text() == "the kingfisher of long ago\n"
    assert run("archive", "--undo").exit_code == 3


def test_a_note_that_a_lasting_one_links_to_stays(run: Run, old: Path) -> None:
    said = json.loads(run("archive", "--older-than", "2025-01-01", "--apply", "--json").stdout)
    assert (said["notes"], said["applied"], said["moved"]["notes"]) == ([], True, [])
    assert said["staying"][0] == {
        "path": OLD,
        "reason": "memory/2024-03-02.md:4 links to it, which never fades",
    }


def test_one_note_is_brought_back(run: Run, old: Path) -> None:
    run("archive", "--older-than", "2025-01-01", "--linked", "--apply")
    assert run("archive", "--restore", OLD).exit_code == 0
    assert (old / OLD).exists()
    assert run("archive", "--restore", OLD).exit_code == 3


@pytest.mark.parametrize(
    "arguments", [(), ("--older-than", "x"), ("--undo", "--older-than", "3"), ("--undo", "--restore", "a.md")]
)
def test_exactly_one_thing_is_asked_for(run: Run, old: Path, arguments: tuple[str, ...]) -> None:
    assert run("archive", *arguments).exit_code == 2
