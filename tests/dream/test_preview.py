"""A preview tells of the best, and looks no more of what it does not show through for what speaks against it."""

from __future__ import annotations

from pathlib import Path

import pytest
from dreaming import Dreaming

import clawvault.dream.scoring.sources as sources
import clawvault.keeping.known_notes as known_notes
from clawvault.vault.notes import decode_note

FACT = "The staging database listens on port 5433."


@pytest.fixture
def vault(tmp_path: Path) -> Dreaming:
    """Make one statement that passes, and twelve of as many notes that were found once."""
    made = Dreaming(tmp_path / "vault", tmp_path / "state")
    made.put("memory/2026-02-01.md", f"- {FACT}\n")
    made.make_memorable("memory/2026-02-01.md", FACT)
    for day in range(2, 14):
        path, said = f"memory/2026-02-{day:02}.md", f"The lamp in room {day} of the old house is broken."
        made.put(path, f"- {said}\n")
        made.recall(path, said, f"what is with room {day}", score=0.5 + day / 100)
    return made


def test_those_that_fail_a_gate_are_as_many_as_were_asked_for_and_the_others_are_counted(vault: Dreaming) -> None:
    every = vault.dreamer().look()
    few = vault.dreamer().preview(most_failing=5)
    assert [len(every.candidates), every.n_more] == [13, 0]
    assert [len(few.candidates), few.n_more] == [6, 7]
    assert few.candidates == every.candidates[:6]
    assert [item.text for item in few.passing] == [FACT]


def test_notes_of_what_is_not_shown_are_not_scanned(vault: Dreaming, monkeypatch: pytest.MonkeyPatch) -> None:
    scanned: list[str] = []

    def scan(text: str) -> tuple[()]:
        scanned.append(text)
        return ()

    monkeypatch.setattr(sources, "scan", scan)
    vault.dreamer().preview(most_failing=5)
    assert len(scanned) == 6


def test_what_is_written_tells_of_all(vault: Dreaming) -> None:
    vault.dreamer().preview(most_failing=5)
    vault.pass_days(1)
    dream = vault.dreamer().preview(most_failing=5)
    assert [len(dream.candidates), dream.n_more] == [13, 0]


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Collect what is read of topic notes."""
    found: list[bytes] = []

    def decode(data: bytes) -> tuple[str, str, bool]:
        found.append(data)
        return decode_note(data)

    monkeypatch.setattr(known_notes, "decode_note", decode)
    return found


def test_no_topic_note_is_read_where_nothing_would_be_kept(tmp_path: Path, decoded: list[bytes]) -> None:
    made = Dreaming(tmp_path / "vault", tmp_path / "state")
    made.put("topics/lamps.md", "- The lamp is red.\n")
    made.put("memory/2026-02-02.md", "- The lamp in room 2 of the old house is broken.\n")
    made.recall("memory/2026-02-02.md", "The lamp in room 2 of the old house is broken.", "what is with room 2")
    assert [item.passes for item in made.dreamer().preview().candidates] == [False]
    assert decoded == []


def test_each_topic_note_is_read_once_however_many_statements_would_be_kept(
    vault: Dreaming, decoded: list[bytes]
) -> None:
    vault.put("topics/lamps.md", "- The lamp is red.\n")
    other = "The garden gate of the old house is painted green."
    vault.put("memory/2026-02-20.md", f"- {other}\n")
    vault.make_memorable("memory/2026-02-20.md", other)
    assert {item.text for item in vault.dreamer().look().passing} == {FACT, other}
    assert decoded == [b"- The lamp is red.\n"]


def test_what_a_person_moved_into_a_topic_note_is_there_also_when_the_ledger_is_lost(vault: Dreaming) -> None:
    """I36."""
    vault.dreamer().apply()
    vault.put("topics/databases.md", vault.text("MEMORY.md"))
    vault.put("MEMORY.md", "# Memory\n")
    (vault.root / "memory" / ".dreams" / "promoted.json").unlink()
    assert [item.reasons for item in vault.dreamer().look().candidates if item.text == FACT] == [("already_there",)]
