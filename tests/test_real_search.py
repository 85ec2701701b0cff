"""From notes to an answer with a packaged model, and no network at all."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from clawvault.api import Vault, open_vault

NOTES = {
    "ui.md": "# 界面\n\n用户喜欢深色主题，晚上眼睛不会痛。\n",
    "ssh.md": "# Servers\n\nLog in to the machine over SSH on port 2222.\n",
    "coffee.md": "# Kitchen\n\nMorning coffee is at nine, two cups.\n",
    "memory/2026-03-09.md": "The project uses PostgreSQL as its database.\n",
}


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Vault]:
    folder = tmp_path_factory.mktemp("real")
    root = folder / "vault"
    (root / ".clawvault").mkdir(parents=True)
    for path, text in NOTES.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    environment = {"CLAWVAULT_STATE_DIR": str(folder / "state")}
    with (
        pytest.MonkeyPatch.context() as patch,
        open_vault(root, environment=environment, embedding__provider="use-multilingual") as made,
    ):
        patch.setattr(socket.socket, "connect", _refuse)
        made.index()
        yield made


def _refuse(*_: object) -> None:
    raise AssertionError("a connection was opened")


def first(vault: Vault, question: str) -> Path:
    return Path(vault.search(question).hits[0].path)


@pytest.mark.model
def test_an_exact_question_finds_its_note(vault: Vault) -> None:
    """IW-101, TC-24."""
    hit = vault.search("SSH port").hits[0]
    assert (hit.path, hit.is_hybrid_match) == ("ssh.md", True)


@pytest.mark.model
def test_an_english_question_finds_a_chinese_note(vault: Vault) -> None:
    """IW-102, TC-15, TC-25."""
    assert first(vault, "dark theme preference") == Path("ui.md")


@pytest.mark.model
def test_other_words_for_the_same_thing_find_the_note(vault: Vault) -> None:
    """IW-50."""
    assert first(vault, "how do I connect to the server") == Path("ssh.md")


@pytest.mark.model
def test_monday_is_remembered_on_wednesday(vault: Vault) -> None:
    """IW-02."""
    assert first(vault, "which database do we use") == Path("memory/2026-03-09.md")


@pytest.mark.model
def test_a_question_that_no_note_answers_is_told_apart(vault: Vault) -> None:
    """L20, I25."""
    assert vault.search("zxqv wvut").no_confident_match
    assert not vault.search("SSH port").no_confident_match
