"""The notes that may say a fact already are read in order, each folder reached once, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest
from kept_vault import Kept

from clawvault.keeping.known_notes import read_known_notes
from clawvault.vault.writing.folder import Folder


@pytest.fixture
def vault(kept: Kept) -> Kept:
    kept.put("MEMORY.md", "memory")
    kept.put("topics/a.md", "a")
    kept.put("topics/inner/b.md", "b")
    kept.put("topics/inner/c.md", "c")
    kept.put("elsewhere/d.md", "d")
    return kept


def _read(vault: Kept) -> list[tuple[str, str]]:
    return list(read_known_notes(vault.keeper().means, "MEMORY.md"))


def test_the_memory_note_comes_first_then_the_topic_notes_in_order(vault: Kept) -> None:
    assert _read(vault) == [
        ("MEMORY.md", "memory"),
        ("topics/a.md", "a"),
        ("topics/inner/b.md", "b"),
        ("topics/inner/c.md", "c"),
    ]


def test_without_either_there_is_nothing_to_read(kept: Kept) -> None:
    assert _read(kept) == []


def test_each_folder_is_reached_once(vault: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    reached: list[list[str]] = []
    reach = Folder.reach

    def watched(root: Path, parts: list[str], *, make: bool = True) -> Folder:
        reached.append(parts)
        return reach(root, parts, make=make)

    monkeypatch.setattr(Folder, "reach", watched)
    _read(vault)
    assert reached == [["topics"], ["topics", "inner"]]


def test_a_note_in_another_encoding_is_read_as_a_search_reads_it(vault: Kept) -> None:
    """B051."""
    (vault.root / "topics" / "a.md").write_bytes("caf\u00e9".encode("cp1252"))
    assert _read(vault)[1] == ("topics/a.md", "caf\u00e9")


def test_a_note_that_vanishes_or_grows_too_large_is_passed_over(vault: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    """I06: between the listing and the reading."""
    reach = Folder.reach

    def late(root: Path, parts: list[str], *, make: bool = True) -> Folder:
        (vault.root / "topics" / "a.md").unlink(missing_ok=True)
        (vault.root / "topics" / "inner" / "b.md").write_bytes(b"x" * 5_000_001)
        return reach(root, parts, make=make)

    monkeypatch.setattr(Folder, "reach", late)
    assert [path for path, _ in _read(vault)] == ["MEMORY.md", "topics/inner/c.md"]


def test_a_note_or_folder_that_becomes_a_link_is_passed_over(
    vault: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T02."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "b.md").write_text("outside")
    reach = Folder.reach

    def swapped(root: Path, parts: list[str], *, make: bool = True) -> Folder:
        note, folder = vault.root / "topics" / "a.md", vault.root / "topics" / "inner"
        if not note.is_symlink():
            note.unlink()
            note.symlink_to(tmp_path / "outside" / "b.md")
            folder.rename(tmp_path / "moved")
            folder.symlink_to(tmp_path / "outside", target_is_directory=True)
        return reach(root, parts, make=make)

    monkeypatch.setattr(Folder, "reach", swapped)
    assert [path for path, _ in _read(vault)] == ["MEMORY.md"]
