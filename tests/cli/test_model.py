"""``clawvault model``."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from cli_types import Run

MULTILINGUAL = "universal-sentence-encoder-multilingual-3"


@pytest.fixture(autouse=True)
def _settings_decide(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLAWVAULT_EMBEDDING_PROVIDER")


def test_list_marks_the_model_in_use(run: Run) -> None:
    lines = run("model", "list").stdout.splitlines()
    assert lines[0].split()[:4] == ["*", "all-MiniLM-L6-v2", "sentence-transformers", "packaged"]
    assert lines[1].split()[:3] == [MULTILINGUAL, "use-multilingual", "packaged"]


def test_use_writes_the_choice_and_keeps_the_rest_of_the_settings(run: Run, vault: Path) -> None:
    (vault / ".clawvault/config.toml").write_text("# mine\n[search]\nlimit = 3 # three\n")
    result = run("model", "use", "use-multilingual")
    assert result.exit_code == 0
    assert result.stdout == f"Model: {MULTILINGUAL} (use-multilingual).\n"
    text = (vault / ".clawvault/config.toml").read_text()
    assert text.startswith("# mine\n[search]\nlimit = 3 # three\n")
    assert 'provider = "use-multilingual"' in text


def test_a_model_that_is_not_here_is_exit_7_and_changes_nothing(run: Run, vault: Path) -> None:
    """B109."""
    (vault / ".clawvault/config.toml").write_text("[search]\nlimit = 3\n")
    result = run("model", "use", "no-such-model")
    assert result.exit_code == 7
    assert (vault / ".clawvault/config.toml").read_text() == "[search]\nlimit = 3\n"


def test_no_model_can_be_chosen(run: Run) -> None:
    assert run("model", "use", "none").stdout == "Model: none; search is by words alone.\n"
    assert json.loads(run("status", "--json").stdout)["model"] is None


@pytest.mark.model
def test_a_running_daemon_builds_the_index_of_the_chosen_model(
    vault: Path, run: Run, request: pytest.FixtureRequest
) -> None:
    """B109."""
    (vault / ".clawvault/config.toml").write_text('[embedding]\nprovider = "none"\n')
    process = request.getfixturevalue("daemon")
    result = run("model", "use", "use-multilingual")
    assert result.stderr.splitlines()[-1] == "The running daemon builds it now; see clawvault status."
    assert run("index").exit_code == 0
    assert _await_status(run, MULTILINGUAL)["daemon"]["pid"] == process.pid


@pytest.mark.model
def test_info_measures_the_model(run: Run) -> None:
    facts = json.loads(run("model", "info", "use-multilingual", "--json").stdout)
    assert (facts["model"], facts["dims"]) == (MULTILINGUAL, 512)
    assert facts["found_first"]["zh"] >= 0.5


def _await_status(run: Run, model: str) -> dict[str, Any]:
    """Wait until the daemon answers with this model and every passage has its vector."""
    deadline = time.monotonic() + 240
    while time.monotonic() < deadline:
        status: dict[str, Any] = json.loads(run("status", "--json").stdout)
        if status["daemon"]["running"] and status["indexed_model"] == model and not status["pending"]:
            return status
        threading.Event().wait(0.1)
    raise TimeoutError


@pytest.mark.model
def test_search_index_and_status_agree_on_which_model_answers_when_the_chosen_one_is_missing(
    run: Run, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAWVAULT_EMBEDDING_PROVIDER", "sentence-transformers")
    run("index")
    monkeypatch.setenv("CLAWVAULT_EMBEDDING_MODEL", "nosuch")
    missing = 'Degraded: embedder: The model "nosuch" is not on this machine.'
    assert missing in run("search", "port").stderr
    indexed = run("index").stderr
    assert missing in indexed
    assert "all-MiniLM-L6-v2, that the index was made with, answers." in indexed
    status = run("status").stdout
    assert "Model       none to be used; all-MiniLM-L6-v2, that the index was made with, answers\n" in status
    assert "Vectors by  off" not in status
