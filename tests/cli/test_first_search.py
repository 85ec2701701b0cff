"""The first questions of a vault that nobody has indexed: what they say while and after a person waits."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_types import Run
from fakes import HashEmbedder

from clawvault.cli import asking, progress

LOADS = (
    'Loading all-MiniLM-L6-v2 takes a few seconds; "clawvault watch" keeps it ready, and --mode fts does without it.\n'
)
WORDS_ALONE = "Passages without a vector are found by their words alone. Give them one with: clawvault index\n"


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = HashEmbedder()
    monkeypatch.setattr("clawvault.opened.open_embedder", lambda *_: embedder)


@pytest.fixture
def slow_model(embedder: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clawvault.embed.opening.has_quick_form", lambda *_: False)


def write_many(vault: Path) -> None:
    for number in range(100):
        (vault / f"note-{number}.md").write_text(f"# Note {number}\n\nAbout harbour {number}.\n")


def test_a_first_search_of_many_notes_answers_by_words_and_says_what_to_do(
    embedder: None, run: Run, vault: Path
) -> None:
    write_many(vault)
    result = run("search", "harbour", "-n", "1")
    assert result.stdout.startswith("1  note-")
    assert "Degraded: 104 passages have no vector yet\n" in result.stderr
    assert result.stderr.startswith(WORDS_ALONE)


def test_a_search_by_words_speaks_of_no_vectors(embedder: None, run: Run, vault: Path) -> None:
    write_many(vault)
    assert run("search", "harbour", "--mode", "fts").stderr == ""


def test_a_search_of_few_notes_gives_them_their_vectors(embedder: None, run: Run) -> None:
    result = run("search", "port")
    assert result.stderr == ""
    assert "[both]" in result.stdout


def test_who_waits_for_a_slow_model_is_told_each_time_it_is_loaded(slow_model: None, run: Run) -> None:
    assert run("search", "port").stderr == LOADS
    assert run("search", "port").stderr == LOADS


def test_a_search_by_words_waits_for_no_model(slow_model: None, run: Run) -> None:
    assert run("search", "port", "--mode", "fts").stderr == ""


def test_nobody_is_told_of_a_model_that_is_not_loaded(slow_model: None, run: Run, vault: Path) -> None:
    write_many(vault)
    assert LOADS not in run("search", "harbour").stderr


def test_a_person_sees_how_far_the_first_index_is(run: Run, vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_many(vault)
    monkeypatch.setattr(asking, "PROGRESS_AFTER_S", 0.0)
    monkeypatch.setattr(progress, "is_terminal", lambda _: True)
    monkeypatch.setattr(progress, "DRAW_EVERY_S", 0.0)
    result = run("search", "harbour", "-n", "1", "--mode", "fts")
    assert "Reading notes" in result.stderr
    assert "50/104" in result.stderr
    assert result.stderr.endswith(" \r")
    assert result.stdout.startswith("1  note-")
