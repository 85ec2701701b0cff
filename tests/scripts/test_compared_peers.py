"""The comparison with other programs: its questions, its table, and that no program sees the person's own home."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

NOTES = {
    "git/rebase.md": "# Rebase\n\nMove a commit with `git rebase` onto another branch of the repository.\n\n"
    "```bash\ngit rebase one two three four five six seven eight\n```\n",
    "tea.md": "# Tea\n\nThe old kettle whistles long before the oolong leaves are dry. Move it onto another branch.\n",
    "short.md": "# Short\n\nToo short.\n",
}


def test_a_question_is_the_rarest_sentence_of_prose_of_a_note() -> None:
    from peers.questions import make_questions

    found = {question.path: question.text for question in make_questions(NOTES, 10, 1)}
    assert found == {
        "git/rebase.md": "Move commit with git rebase onto another branch of the repository",
        "tea.md": "The old kettle whistles long before the oolong leaves are dry",
    }


def test_the_same_seed_asks_the_same_questions() -> None:
    from peers.questions import make_questions

    assert make_questions(NOTES, 1, 7) == make_questions(dict(reversed(NOTES.items())), 1, 7)


def test_a_program_has_a_home_of_its_own_and_no_settings_of_the_person(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from peers.protocol import Room

    monkeypatch.setenv("CLAWVAULT_VAULT", "/somewhere")
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    environment = Room(tmp_path / "peer", tmp_path / "peer/notes", tmp_path).environment
    own = ("HOME", "USERPROFILE", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")
    assert all(Path(environment[name]).is_relative_to(tmp_path / "peer/home") for name in own)
    assert environment["HF_HUB_OFFLINE"] == "1"
    assert not environment.keys() & {"CLAWVAULT_VAULT", "PYTHONPATH"}


def test_a_program_that_needs_a_newer_python_is_skipped_with_the_reason() -> None:
    from peers.protocol import SkippedError, find_python

    with pytest.raises(SkippedError, match=r"it needs Python 3\.99 or newer"):
        find_python((3, 99))


def test_an_interpreter_that_will_do_is_found() -> None:
    from peers.protocol import find_python

    python, _ = find_python((3, 11), [sys.executable])
    assert os.access(python, os.X_OK)


def test_a_long_lived_process_is_asked_over_its_pipes(tmp_path: Path) -> None:
    from peers.long_lived import LineServer

    code = "print('loading')\ndef paths_of(question):\n    return [question + '.md']\n"
    server = LineServer(sys.executable, code, [], os.environ, tmp_path)
    try:
        assert server.ask("one") == ["one.md"]
        assert server.timed("two")[1] == ["two.md"]
    finally:
        server.stop()


def test_the_table_has_a_dash_for_what_was_not_measured_and_the_reason_below() -> None:
    from compare_peers import render

    results: list[dict[str, Any]] = [
        {"name": "one", "index_s": 12.34, "hit_at_5": 0.9, "remarks": ["keywords alone"]},
        {"name": "other", "skipped": "it needs Python 3.99", "remarks": []},
    ]
    _, first, second, *below = render(results).splitlines()
    assert first.split() == ["one", "12.3", *["-"] * 10, "0.90"]
    assert second.split() == ["other", *["-"] * 12]
    assert below == ["one: keywords alone", "other skipped: it needs Python 3.99"]
