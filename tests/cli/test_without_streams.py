"""A process may be started without standard input, as a job or a service is."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from clawvault.cli.group import run


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["append", "x.md"], "There is nothing to append"),
        (["write", "x.md"], "There is nothing to write"),
        (["log"], "There is nothing to log."),
        (["remember"], "There is no text."),
        (["forget"], "There is nothing to forget in that text."),
        (["forget", "listens on port 5433"], "Nobody is there to agree."),
        (["record", "--thread", "a", "--run", "b"], "The messages are not JSON"),
        (["connect", "claude-code"], "Nothing is changed without a yes."),
    ],
)
def test_a_command_without_standard_input_says_what_is_missing(
    vault: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    said: str,
) -> None:
    monkeypatch.setattr(sys, "argv", ["clawvault", "--vault", str(vault), *arguments])
    monkeypatch.setattr(sys, "stdin", None)
    assert run() == 2
    sys.stdin.close()
    assert said in capsys.readouterr().err


def test_a_text_that_is_given_needs_no_standard_input(
    vault: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["clawvault", "--vault", str(vault), "log", "Deployed."])
    monkeypatch.setattr(sys, "stdin", None)
    assert run() == 0
    sys.stdin.close()
    assert capsys.readouterr().out.startswith("Made memory/")
