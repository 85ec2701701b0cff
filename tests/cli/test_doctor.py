"""``clawvault doctor``: what it finds and what it mends."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cli_types import Run
from fakes import HashEmbedder

from clawvault.cli.place import Invocation
from clawvault.config import load_config
from clawvault.daemon.listening import Listener
from clawvault.doctor.findings import Finding
from clawvault.doctor.machine import check_watches
from clawvault.vault.template_texts import template_folder


def levels(run: Run, *options: str) -> dict[str, str]:
    findings = json.loads(run("doctor", "--json", *options).stdout)["findings"]
    return {finding["check"]: finding["level"] for finding in findings}


def finding(run: Run, check: str) -> dict[str, object]:
    findings = json.loads(run("doctor", "--json").stdout)["findings"]
    return next(found for found in findings if found["check"] == check)


def test_a_sound_vault_is_ok_everywhere(run: Run) -> None:
    run("index")
    assert levels(run) == {
        "python": "ok",
        "sqlite": "ok",
        "vectors": "ok",
        "vault": "ok",
        "reach": "ok",
        "memory file": "ok",
        "identity": "ok",
        "model": "ok",
        "language": "ok",
        "index": "ok",
        "passages": "ok",
        "privacy": "ok",
        "leftovers": "ok",
        "set aside": "ok",
        "other vaults": "ok",
        "watches": "ok",
    }
    assert run("doctor").exit_code == 0


def test_each_line_says_what_and_what_to_do(run: Run) -> None:
    lines = run("doctor").stdout.splitlines()
    assert "ok    model        None; search is by words alone." in lines
    position = lines.index("warn  index        There is no index yet.")
    assert lines[position + 1] == "                   → Run: clawvault index"


def test_every_file_that_no_search_reaches_is_listed_with_its_reason(run: Run, vault: Path) -> None:
    """L13."""
    (vault / "old.md").symlink_to(vault / "missing.md")
    (vault / ".clawvaultignore").write_text("projects/README.md\n")
    found = finding(run, "reach")
    assert (found["level"], found["message"]) == (
        "warn",
        "1 file cannot be found by any search; 1 left out by your rules.",
    )
    assert found["details"] == [
        "old.md: symlink (links are not followed)",
        "projects/README.md: ignored (a rule of .clawvaultignore)",
    ]


def test_what_a_person_excluded_is_counted_and_no_warning(run: Run, vault: Path) -> None:
    (vault / ".clawvaultignore").write_text("projects/README.md\n")
    (vault / ".obsidian").mkdir()
    (vault / ".obsidian/app.json").write_text('{"userIgnoreFilters": ["memory/"]}')
    found = finding(run, "reach")
    assert (found["level"], found["message"]) == ("ok", "Every note can be found; 2 left out by your rules.")
    assert found["details"] == [
        "memory: ignored (a rule of Obsidian's excluded files)",
        "projects/README.md: ignored (a rule of .clawvaultignore)",
    ]


def test_two_memory_files_are_pointed_out(run: Run, vault: Path) -> None:
    (vault / "MEMORY.md").write_text("x")
    (vault / "memory/MEMORY.md").write_text("y")
    found = finding(run, "memory file")
    assert (found["level"], found["message"]) == (
        "warn",
        "Both MEMORY.md and memory/MEMORY.md exist; both are searched, MEMORY.md is written to.",
    )


def test_an_english_model_with_chinese_notes_is_pointed_out(
    run: Run, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """L27."""
    monkeypatch.setenv("CLAWVAULT_EMBEDDING_PROVIDER", "sentence-transformers")
    monkeypatch.setattr("clawvault.doctor.examining.check_model", lambda opened: Finding("model", "ok", ""))
    (vault / "zh.md").write_text("数据库监听端口，每天备份。" * 20, "utf-8")
    found = finding(run, "language")
    assert found["level"] == "warn"
    assert found["hint"] == "Run: clawvault model use use-multilingual"


@pytest.mark.parametrize(
    ("model", "level"), [("bge-small-en-v1.5", "warn"), ("some-english", "warn"), ("multilingual-encoder", "ok")]
)
def test_a_model_is_taken_for_english_by_its_name(
    run: Run, vault: Path, monkeypatch: pytest.MonkeyPatch, model: str, level: str
) -> None:
    """L27."""
    monkeypatch.setenv("CLAWVAULT_EMBEDDING_PROVIDER", "sentence-transformers")
    monkeypatch.setenv("CLAWVAULT_EMBEDDING_MODEL", model)
    (vault / "zh.md").write_text("数据库监听端口，每天备份。" * 20, "utf-8")
    assert finding(run, "language")["level"] == level


@pytest.mark.parametrize(("n_words", "level"), [(100, "warn"), (1000, "ok")])
def test_a_tenth_of_the_words_in_chinese_is_enough_to_point_it_out(
    run: Run, vault: Path, monkeypatch: pytest.MonkeyPatch, n_words: int, level: str
) -> None:
    """L27."""
    monkeypatch.setenv("CLAWVAULT_EMBEDDING_PROVIDER", "sentence-transformers")
    monkeypatch.setattr("clawvault.doctor.examining.check_model", lambda opened: Finding("model", "ok", ""))
    (vault / "projects/中文.md").unlink()
    for number in range(10):
        (vault / f"en-{number}.md").write_text("the lamp " * n_words)
    (vault / "mixed.md").write_text("the lamp " * n_words + "数据库监听端口" * 40, "utf-8")
    assert finding(run, "language")["level"] == level


def test_a_model_that_is_not_here_fails(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAWVAULT_EMBEDDING_PROVIDER", "sentence-transformers")
    monkeypatch.setenv("CLAWVAULT_EMBEDDING_MODEL", "no-such-model")
    result = run("doctor")
    assert result.exit_code == 1
    assert 'fail  model        The model "no-such-model" is not on this machine.' in result.stdout


def test_a_damaged_index_is_found_set_aside_and_built_again(run: Run) -> None:
    """I20."""
    run("index")
    state = Invocation().locate().state
    (state / "index.sqlite3").write_bytes(b"not a database, but long enough to be taken for one" * 100)
    assert levels(run)["index"] == "fail"
    result = run("doctor", "--fix")
    assert result.exit_code == 0
    assert "Set the damaged index aside and built it again." in result.stderr
    assert len(list(state.glob("index.sqlite3.damaged-*"))) == 1
    assert run("search", "5434", "--mode", "fts").stdout.startswith("1  databases.md")


def test_damaged_indexes_are_listed_and_removed_after_a_day(run: Run) -> None:
    run("index")
    state = Invocation().locate().state
    old, fresh = state / "index.sqlite3.damaged-20260101T000000", state / "index.sqlite3.damaged-20260309T000000"
    for path in (old, fresh):
        path.write_text("x")
        path.chmod(0o600)
    os.utime(old, (time.time() - 90_000, time.time() - 90_000))
    found = finding(run, "set aside")
    assert (found["level"], found["details"]) == ("warn", [str(old), str(fresh)])
    assert "Removed 1 damaged index of earlier days." in run("doctor", "--fix").stderr
    assert (old.exists(), fresh.exists()) == (False, True)


def test_the_state_of_a_vault_that_was_here_before_is_named(run: Run, vault: Path) -> None:
    """I41: also of the same notes, where two machines gave them two ids."""
    (vault / ".clawvault/id").write_text(f"{'1' * 32}\n")
    state = Invocation().locate().state
    (vault / ".clawvault/id").write_text(f"{'2' * 32}\n")
    found = finding(run, "other vaults")
    assert (found["level"], found["details"]) == ("warn", [f"{state}.aside-{'1' * 32}"])
    assert str(found["message"]).startswith("The state of 1 other vault")


def test_an_index_open_to_others_is_found_and_closed(run: Run) -> None:
    """T10."""
    run("index")
    state = Invocation().locate().state
    (state / "index.sqlite3").chmod(0o644)
    assert levels(run)["privacy"] == "fail"
    assert levels(run, "--fix")["privacy"] == "ok"
    assert (state / "index.sqlite3").stat().st_mode & 0o777 == 0o600


def test_old_temporary_files_are_removed_and_fresh_ones_left(run: Run, vault: Path) -> None:
    names = (".clawvault-00112233445566aa.tmp", ".clawvault-00112233445566bb.tmp", ".clawvault-of-mine.tmp")
    old, fresh, foreign = (vault / "memory" / name for name in names)
    for path in (old, fresh, foreign):
        path.write_text("x")
    for path in (old, foreign):
        os.utime(path, (time.time() - 7200, time.time() - 7200))
    assert levels(run)["leftovers"] == "warn"
    assert levels(run, "--fix")["leftovers"] == "ok"
    assert [path.exists() for path in (old, fresh, foreign)] == [False, True, True]


def test_too_few_watches_are_pointed_out(vault: Path, tmp_path: Path) -> None:
    """B015, B017."""
    limit = tmp_path / "max_user_watches"
    limit.write_text("5\n")
    found = check_watches(vault, load_config(vault, environment={}), limit)
    assert found.level == "warn"
    assert found.message == "The vault has 4 folders and the system allows 5 watches."


def test_a_vault_that_is_polled_needs_no_watches(vault: Path, tmp_path: Path) -> None:
    """B015."""
    limit = tmp_path / "max_user_watches"
    limit.write_text("5\n")
    polled = load_config(vault, environment={}, flags={"watch.mode": "polling"})
    assert check_watches(vault, polled, limit).level == "ok"


def test_an_index_made_for_another_model_is_pointed_out(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run("index")
    monkeypatch.setenv("CLAWVAULT_EMBEDDING_PROVIDER", "sentence-transformers")
    monkeypatch.setattr("clawvault.doctor.examining.check_model", lambda opened: Finding("model", "ok", ""))
    found = finding(run, "passages")
    assert (found["level"], found["message"]) == ("warn", "The index was made for another model.")


def test_passages_longer_than_the_model_reads_are_counted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """L26."""
    embedder = HashEmbedder(max_tokens=10_000)
    monkeypatch.setattr("clawvault.opened.open_embedder", lambda config, environment: embedder)
    run("index")
    assert levels(run)["passages"] == "ok"
    embedder.space = replace(embedder.space, max_tokens=5)
    found = finding(run, "passages")
    assert (found["level"], found["message"]) == ("warn", "4 passages are longer than the 5 tokens the model reads.")
    assert found["details"] == [
        "databases.md:1",
        "memory/2026-03-09.md:1",
        "projects/README.md:1",
        "projects/中文.md:1",
    ]


def test_damaged_vectors_are_found_set_aside_and_made_again(run: Run) -> None:
    """I20: without a new index."""
    run("index")
    state = Invocation().locate().state
    (state / "embeddings.sqlite3").write_bytes(b"not a database, but long enough to be taken for one" * 100)
    assert run("doctor").exit_code == 1
    run("doctor", "--fix")
    assert [path.name[:26] for path in state.glob("*.damaged-*")] == ["embeddings.sqlite3.damaged"]
    assert "1 damaged index was set aside" in run("doctor").stdout


@pytest.fixture
def silent_daemon(vault: Path) -> Iterator[Path]:
    """Have something listen that never answers; return the state folder."""
    state = Invocation().locate().state
    listener = Listener(state)
    yield state
    listener.close()


def test_an_index_that_is_missing_under_a_daemon_is_a_fault(run: Run, silent_daemon: Path) -> None:
    found = finding(run, "index")
    assert (found["level"], found["message"]) == ("fail", "The index is missing while a daemon runs.")


def test_status_says_that_the_index_is_missing_under_a_daemon(run: Run, silent_daemon: Path) -> None:
    shown = run("status").stdout
    assert "the index is missing, and the daemon does not answer: restart it" in shown
    assert "Daemon      running; The daemon of" in shown


def test_what_a_silent_daemon_cannot_mend_is_said(run: Run, silent_daemon: Path) -> None:
    assert "Not done: The daemon of" in run("doctor", "--fix").output


def test_a_note_that_cannot_be_read_is_among_those_not_found(
    run: Run, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    look, enter = os.access, os.open

    def access(path: Any, mode: int, **options: Any) -> bool:
        return not str(path).endswith("databases.md") and look(path, mode, **options)

    def refuse(path: Any, flags: int, *rest: Any, **options: Any) -> int:
        if str(path).endswith("databases.md"):
            raise PermissionError(13, "Permission denied", str(path))
        return enter(path, flags, *rest, **options)

    monkeypatch.setattr(os, "access", access)
    monkeypatch.setattr(os, "open", refuse)
    found = finding(run, "reach")
    assert (found["level"], found["message"]) == ("warn", "1 file cannot be found by any search.")
    assert found["details"] == ['databases.md: unreadable (Cannot read "databases.md": Permission denied)']


def test_notes_as_the_template_made_them_are_said_to_be_found_by_none(run: Run, vault: Path) -> None:
    for name in ("SOUL.md", "USER.md"):
        (vault / name).write_bytes((template_folder() / "en" / name).read_bytes())
    found = finding(run, "reach")
    assert (found["level"], found["message"]) == (
        "ok",
        "Every other note can be found; 2 as the template made them, not searched until somebody edits them.",
    )
    assert found["details"] == ["SOUL.md: as the template made it", "USER.md: as the template made it"]
    (vault / "USER.md").write_text("My name is Anna.\n")
    assert "1 as the template made it," in finding(run, "reach")["message"]
