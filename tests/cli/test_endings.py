"""Exit codes and the two lines of an error (design, section 4)."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from cli_types import Run, Start

from clawvault.cli.commands import tree
from clawvault.keeping.keeper import Keeper


def test_no_vault_is_exit_3_with_an_error_and_a_hint(start: Start, tmp_path: Path) -> None:
    done = start("--vault", str(tmp_path), "status")
    assert done.returncode == 3
    assert done.stdout == ""
    assert done.stderr == (
        f'Error: No vault found at "{tmp_path}".\nHint: Run "clawvault init {tmp_path}", or pass --vault.\n'
    )


@pytest.mark.parametrize("place", ["/", "home", "parent"])
def test_nobody_is_told_to_adopt_everything_they_have(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    home = tmp_path / "people" / "mira"
    home.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    folder = {"/": Path("/"), "home": home, "parent": home.parent}[place]
    result = run("--vault", str(folder), "status")
    assert result.exit_code == 3
    assert result.stderr.splitlines()[1] == 'Hint: Run "clawvault init DIR", or pass --vault.'


def test_an_unknown_option_is_exit_2(start: Start) -> None:
    done = start("search", "--nonsense", "x")
    assert done.returncode == 2
    assert "No such option" in done.stderr


def test_a_value_out_of_range_is_exit_2(start: Start) -> None:
    done = start("search", "port", "-n", "0")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Error: The limit is 0.\nHint: Ask for 1 to 1000 hits.\n"


def test_a_day_that_is_none_is_exit_2(run: Run) -> None:
    result = run("search", "port", "--since", "2026-02-30")
    assert result.exit_code == 2
    assert '"2026-02-30" is not a day for --since.' in result.stderr


def test_a_note_that_is_not_there_is_exit_3(run: Run) -> None:
    result = run("read", "nowhere.md")
    assert result.exit_code == 3
    assert result.stderr.startswith('Error: There is no note "nowhere.md".\nHint: ')


@pytest.mark.parametrize("path", ["../secret.md", "/etc/passwd", "a\\b.md", "C:/x.md"])
def test_a_path_that_leaves_the_vault_is_exit_2(run: Run, path: str) -> None:
    """T01, B037."""
    assert run("read", path).exit_code == 2


def test_a_setting_without_a_usable_value_is_exit_5(start: Start) -> None:
    done = start("status", CLAWVAULT_SEARCH_LIMIT="many")
    assert done.returncode == 5
    assert 'CLAWVAULT_SEARCH_LIMIT is "many", not a int.' in done.stderr


def test_search_by_meaning_without_a_model_is_exit_7(run: Run) -> None:
    result = run("search", "port", "--mode", "vector")
    assert result.exit_code == 7
    assert result.stdout == ""


def test_an_index_that_another_process_writes_is_exit_8(run: Run, vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from clawvault.cli.commands import index
    from clawvault.cli.place import Invocation
    from clawvault.daemon.lock import WriterLock

    monkeypatch.setattr(index, "PATIENCE_S", 0.0)
    with WriterLock(Invocation().locate().state, kind="index"):
        result = run("index")
    assert result.exit_code == 8
    assert "holds its lock" in result.stderr


def test_a_fault_of_the_program_is_exit_70_in_one_line_and_keeps_its_traceback(
    run: Run, vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree, "_render", _fail)
    result = run("tree")
    (kept,) = (tmp_path / "state").glob("vaults/*/last-bug.txt")
    assert result.exit_code == 70
    assert result.stdout == ""
    assert result.stderr == (
        f'Bug: ZeroDivisionError: division by zero\nHint: please report this; the traceback is in "{kept}".\n'
    )
    assert "Traceback (most recent call last)" in kept.read_text("utf-8")
    assert kept.stat().st_mode & 0o777 == 0o600


def test_debug_shows_the_traceback(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "_render", _fail)
    assert "Traceback (most recent call last)" in run("--debug", "tree").stderr


def test_ctrl_c_is_exit_130_without_a_traceback(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "_render", _interrupt)
    result = run("tree")
    assert (result.exit_code, result.stdout, result.stderr) == (130, "", "Interrupted.\n")


RESTING = """
import signal, sys, threading
from clawvault.cli.main import main
from clawvault.index.store import Store
# Whoever runs the tests in the background of a shell passes on that Ctrl-C is to be ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
write = Store.replace_note
def write_and_rest(self, *arguments, **options):
    write(self, *arguments, **options)
    threading.Event().wait(600)
Store.replace_note = write_and_rest
sys.argv[1:] = ["index"]
main()
"""


def test_ctrl_c_ends_an_index_run_and_the_next_one_goes_on(run: Run, vault: Path) -> None:
    """The run is at its first note for as long as it takes to end it."""
    for number in range(20):
        (vault / f"note-{number}.md").write_text(f"# Note {number}\n\nBody {number}.\n")
    process = subprocess.Popen(
        [sys.executable, "-c", RESTING], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ
    )
    _await_first_note(vault)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=240)
    assert process.returncode == 130
    assert errors.endswith(b"Interrupted.\n")
    assert b"Traceback" not in errors
    assert run("index").exit_code == 0
    assert '"notes": 24' in run("status", "--json").stdout


def test_a_reader_that_has_enough_ends_the_command_quietly(vault: Path, start: Start) -> None:
    (vault / "long.md").write_text("word\n" * 200_000)
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "clawvault", "read", "long.md"], stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_help_into_a_closed_pipe_ends_quietly(start: Start) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "clawvault", "--help"], stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_console_without_a_character_does_not_end_the_command(start: Start) -> None:
    done = start("read", "projects/中文.md", PYTHONUTF8="0", PYTHONIOENCODING="cp1252")
    assert done.returncode == 0
    done = start("search", "数据库", PYTHONUTF8="0", PYTHONIOENCODING="cp1252")
    assert done.returncode == 0
    assert "?" in done.stdout


def test_json_keeps_every_character_on_a_console_without_them(start: Start) -> None:
    done = start("search", "数据库", "--json", PYTHONUTF8="0", PYTHONIOENCODING="cp1252")
    assert "projects/\\u4e2d\\u6587.md" in done.stdout


def _fail(*_: object) -> str:
    return str(1 / 0)


def _interrupt(*_: object) -> str:
    raise KeyboardInterrupt


def _await_first_note(vault: Path) -> None:
    """Wait until the index run has begun to write notes."""
    import time

    from clawvault.cli.place import Invocation
    from clawvault.errors import IndexFaultError
    from clawvault.index.connection import INDEX_NAME
    from clawvault.index.store import Store

    state = Invocation(vault=str(vault)).locate().state
    deadline = time.monotonic() + 240
    while time.monotonic() < deadline:
        try:
            store = Store(state / INDEX_NAME, writer=False)
        except IndexFaultError:
            time.sleep(0.01)
            continue
        n_notes = len(store.known_notes())
        store.close()
        if n_notes:
            return
        time.sleep(0.01)
    raise TimeoutError


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("command", [["tree"], ["tree", "--json"]])
def test_a_full_disk_behind_the_output_is_no_bug(vault: Path, command: list[str]) -> None:
    """F05."""
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "clawvault", "--vault", str(vault), *command],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr.splitlines()) == (
        1,
        ["Error: The answer could not be printed: there is no room where it goes.", "Hint: Send it elsewhere."],
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_behind_what_changes_notes_says_how_to_see_whether_it_did(vault: Path) -> None:
    """F05."""
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "clawvault", "--vault", str(vault), "forget", "listens on port 5433", "--yes"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        'Hint: Send it elsewhere. Whether anything was written before is seen with "clawvault undo".'
    )


def test_a_closed_output_is_no_bug(vault: Path) -> None:
    """F36."""
    line = f'"{sys.executable}" -m clawvault --vault "{vault}" tree >&-'
    assert subprocess.run(line, shell=True, capture_output=True, check=False).returncode == 0  # noqa: S602


@pytest.mark.parametrize("arguments", [("--on", "2026-02-30"), ("--on", "today")])
def test_a_day_that_is_none_is_named_with_the_option_it_was_given_with(run: Run, arguments: tuple[str, ...]) -> None:
    result = run("search", "port", *arguments)
    assert result.exit_code == 2
    assert f'"{arguments[1]}" is not a day for --on.' in result.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has a device that is always full")
@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_a_full_output_is_told_from_a_full_disk_of_the_notes(vault: Path, as_json: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "clawvault", "append", "databases.md", "A line.", *as_json],
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.startswith(
        "Error: Written, but the answer could not be printed: there is no room where it goes.\n"
    )
    assert "A line." in (vault / "databases.md").read_text("utf-8")


def test_a_full_disk_of_the_notes_loses_what_was_to_be_written(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Keeper, "append", _fill)
    result = run("append", "databases.md", "A line.")
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: The disk is full: what was to be written is lost.\n")


def _fill(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


# Stands for Ctrl-C while the program itself is still being imported.
EARLY = """
import sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupting())
from clawvault.cli.main import main
sys.argv[1:] = ["tree"]
main()
"""


@pytest.mark.parametrize("name", ["click", "clawvault.cli.group", "clawvault.cli.terminal"])
def test_ctrl_c_while_the_program_is_imported_ends_it_quietly(vault: Path, name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", EARLY.format(name=name)], capture_output=True, encoding="utf-8", check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_what_a_console_script_imports_first_is_next_to_nothing(vault: Path) -> None:
    code = "import sys; before = set(sys.modules); import clawvault.cli.main; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert {name for name in done.stdout.split() if name.startswith("clawvault")} == {
        "clawvault",
        "clawvault.cli",
        "clawvault.cli.main",
        "clawvault.version",
    }
    assert "click" not in done.stdout.split()
