"""What each command may import: most of the time of a short command is what it imports."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from cli_types import Start

REPORT = """
import json, sys
from clawvault.cli.main import cli
code = cli.main({arguments!r}, standalone_mode=False)
print(json.dumps([code, sorted(sys.modules)]), file=sys.stderr)
"""
# Parts of the standard library that take longer than a short command may.
SLOW = {"asyncio", "concurrent", "ctypes", "email", "http", "logging", "multiprocessing", "shutil", "ssl", "traceback"}
# What asks a daemon needs none of these: hashlib loads OpenSSL, tomllib is for settings that somebody gave.
SPARED = {"hashlib", "_hashlib", "random", "tempfile", "tomllib", "unittest", "zoneinfo"}
# Python imports these by itself before anything else, where whoever set up the machine put them.
OF_THE_MACHINE = {"sitecustomize", "usercustomize"}
# platformdirs is asked where a user's state belongs, unless settings or environment say so, or Linux does.
CLICK = {"click", "platformdirs"}
# pathspec reads ignore rules where there are any, typing_extensions comes with it.
NOTES = {*CLICK, "pathspec", "typing_extensions"}
INDEX = {*NOTES, "apsw"}
SEARCH = {*INDEX, "filelock"}
# The packaged English model is read by NumPy.
MEANING = {*SEARCH, "numpy", "threadpoolctl", "tokenizers"}
ASKING = {"cli", "config", "daemon", "errors", "sections", "vault", "version"}
READING = {"api", "cli", "config", "errors", "sections", "vault", "version"}
# What a vault offers is declared beside each room, which is imported when one of its calls is made.
OFFERED = {
    *("context", "context.offered", "dream", "dream.offered", "dream.retaining"),
    *("keeping", "keeping.arguments", "keeping.keeper"),
}
ANSWERING = {*READING, "daemon", "dream", "embed", "freshening", "guard", "index", "opened", "patterns", "search"}


class Imported(NamedTuple):
    """Modules by where they are from: ``packages`` others wrote, ``rooms`` of this project, ``modules`` all."""

    packages: set[str]
    rooms: set[str]
    modules: set[str]


def imported_by(*arguments: str) -> Imported:
    done = subprocess.run(
        [sys.executable, "-c", REPORT.format(arguments=list(arguments))],
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=240,
        env=os.environ,
    )
    code, names = json.loads(done.stderr.splitlines()[-1])
    assert code == 0, done.stderr
    tops = {name.partition(".")[0] for name in names if not name.startswith("_")} - OF_THE_MACHINE
    own = {name.removeprefix("clawvault.") for name in names if name.startswith("clawvault.")}
    rooms = {name.partition(".")[0] for name in own - OFFERED}
    return Imported(tops - sys.stdlib_module_names - {"clawvault"}, rooms, set(names))


@pytest.fixture
def indexed(vault: Path, start: Start) -> Path:
    assert start("index").returncode == 0
    return vault


@pytest.mark.parametrize("arguments", [("--version",), ("--help",), ("search", "--help"), ("eval", "--help")])
def test_version_and_help_import_the_command_line_alone(vault: Path, arguments: tuple[str, ...]) -> None:
    found = imported_by(*arguments)
    assert found.packages == {"click"}
    assert found.rooms == {"cli", "errors", "version"}
    # Click asks how wide the terminal is.
    assert found.modules & SLOW <= {"shutil"}


def test_the_version_imports_no_command(vault: Path) -> None:
    assert not [name for name in imported_by("--version").modules if name.startswith("clawvault.cli.commands")]


def test_a_search_that_asks_a_daemon_imports_what_asks_alone(daemon: object) -> None:
    found = imported_by("search", "port", "--explain", "--full")
    assert found.packages == {"click"}
    assert found.rooms == ASKING
    assert found.modules & (SLOW | SPARED) == set()
    assert {name for name in found.modules if name.startswith(("clawvault.daemon.", "clawvault.vault."))} == {
        "clawvault.daemon.transport",
        "clawvault.vault.locating",
        "clawvault.vault.paths",
        "clawvault.vault.state_place",
    }
    assert {name for name in found.modules if name.startswith("clawvault.cli.")} == {
        f"clawvault.cli.{name}"
        for name in ("main", "group", "endings", "place", "terminal", "asking", "timings", "hits", "reasons")
    } | {"clawvault.cli.commands", "clawvault.cli.commands.search"}


def test_a_status_that_asks_a_daemon_imports_what_asks_alone(daemon: object) -> None:
    found = imported_by("status", "--json")
    assert found.packages == {"click"}
    assert found.rooms == ASKING
    assert found.modules & (SLOW | SPARED) == set()


def test_settings_that_somebody_gave_cost_their_parser_alone(daemon: object, vault: Path) -> None:
    (vault / ".clawvault" / "config.toml").write_text("[search]\nlimit = 3\n", encoding="utf-8")
    assert imported_by("status").modules & (SLOW | SPARED) == {"tomllib"}


def test_the_usual_state_folder_of_linux_is_found_without_the_library_that_names_it(
    vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CLAWVAULT_STATE_DIR")
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    found = imported_by("read", "databases.md")
    assert found.packages == {"click"}
    assert [path.name for path in tmp_path.glob(".local/state/clawvault/vaults/*")]


def test_to_read_a_note_no_index_is_imported(indexed: Path) -> None:
    found = imported_by("read", "databases.md")
    assert found.packages <= CLICK
    assert found.rooms == READING
    assert found.modules & SLOW == set()


def test_a_tree_imports_the_index_for_its_titles_alone(indexed: Path) -> None:
    found = imported_by("tree")
    assert found.packages <= INDEX
    assert found.rooms == {*READING, "index", "patterns"}
    assert found.modules & SLOW == set()


def test_an_entry_at_the_end_of_a_note_is_written_without_parser_and_index(indexed: Path) -> None:
    """F24: agents and scripts append all day long, each time in a process of its own."""
    found = imported_by("append", "databases.md", "The port of the test database is 5435.")
    assert found.packages == {"click", "filelock"}
    assert found.rooms == {*READING, "guard", "keeping", "patterns"}
    assert found.modules & {"asyncio", "email", "http", "multiprocessing", "ssl", "zoneinfo"} == set()


def test_a_dream_opens_no_index_computes_with_no_vectors_and_needs_no_parser(indexed: Path) -> None:
    slow = {"apsw", "concurrent", "filelock", "logging", "markdown_it", "numpy", "random", "subprocess", "yaml"}
    assert imported_by("dream").modules & {*slow, "clawvault.opened"} == set()


@pytest.mark.parametrize("arguments", [("search", "port", "--mode", "fts"), ("status",), ("index",)])
def test_without_changes_nothing_is_imported_that_cuts_or_embeds_notes(
    indexed: Path, arguments: tuple[str, ...]
) -> None:
    found = imported_by(*arguments)
    assert found.packages <= SEARCH
    assert found.rooms <= ANSWERING
    assert found.modules & {"clawvault.index.chunking", "clawvault.vault.markdown", "markdown_it", "yaml"} == set()
    assert found.modules & {"asyncio", "email", "http", "multiprocessing", "ssl"} == set()


@pytest.mark.model
@pytest.mark.parametrize("arguments", [("search", "port", "--mode", "fts"), ("status",), ("index",)])
def test_who_asks_a_model_nothing_computes_with_no_vectors(
    vault: Path, start: Start, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.setenv("CLAWVAULT_EMBEDDING_PROVIDER", "sentence-transformers")
    assert start("index").returncode == 0
    assert imported_by(*arguments).packages <= SEARCH


@pytest.mark.model
def test_a_search_by_meaning_imports_no_model_library(
    vault: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAWVAULT_EMBEDDING_PROVIDER", "sentence-transformers")
    assert start("index").returncode == 0
    found = imported_by("search", "which port does the database use")
    assert found.packages <= MEANING
    assert found.modules & {"torch", "transformers", "sentence_transformers"} == set()
