"""A note is named as a person names it, wherever they stand, and a text may begin with a dash."""

from __future__ import annotations

import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from cli_types import Run

DAY = "memory/2026-11-30.md"


@pytest.fixture
def below(vault: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in a folder of the vault that has a note."""
    (vault / "memory").mkdir(exist_ok=True)
    (vault / DAY).write_text("one\n")
    monkeypatch.chdir(vault / "memory")
    return vault


@pytest.mark.parametrize("words", [("append", "x"), ("write", "x"), ("patch", "--old", "one", "--new", "x"), ("pin",)])
def test_a_name_of_the_folder_one_stands_in_makes_no_note_at_the_top(
    run: Run, below: Path, words: tuple[str, ...]
) -> None:
    command, *rest = words
    answer = run(command, "2026-11-30.md", *rest)
    assert (answer.exit_code, f"Did you mean {DAY}?" in answer.output) == (3, True)
    assert not (below / "2026-11-30.md").exists()


def test_a_name_that_is_elsewhere_makes_no_second_note(run: Run, below: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(below)
    assert f"Did you mean {DAY}?" in run("append", "2026-11-30.md", "x").output
    assert run("append", "./2026-11-30.md", "x").exit_code == 0
    assert (below / "2026-11-30.md").read_text() == "x\n"


def test_a_note_is_read_by_the_name_one_sees(run: Run, below: Path) -> None:
    assert run("read", "./2026-11-30.md").output == "one\n"
    asked = run("read", "2026-11-30.md")
    assert (asked.exit_code, f"Did you mean {DAY}?" in asked.output) == (3, True)


@pytest.mark.parametrize("form", ["./2026-11-30.md", "../memory/2026-11-30.md", "{root}/memory/2026-11-30.md", DAY])
def test_every_way_to_a_note_is_taken(run: Run, below: Path, form: str) -> None:
    assert run("append", form.format(root=below), "two").exit_code == 0
    assert (below / DAY).read_text() == "one\ntwo\n"


@pytest.mark.parametrize("form", ["../../out.md", "/out.md"])
def test_a_way_out_of_the_vault_is_refused(run: Run, below: Path, form: str) -> None:
    assert run("append", form, "two").exit_code == 2


def test_a_text_that_begins_with_a_dash_and_a_space_is_a_text(run: Run, vault: Path) -> None:
    assert run("append", "heartbeat", "- [ ] check").exit_code == 0
    assert (vault / "HEARTBEAT.md").read_text().endswith("- [ ] check\n")
    assert run("remember", "- Anna likes tea").exit_code == 0
    assert "- Anna likes tea\n" in (vault / "MEMORY.md").read_text()


def test_what_is_piped_beside_a_text_is_said_to_be_left(vault: Path) -> None:
    (vault / "in.txt").write_text("piped")
    with (vault / "in.txt").open() as piped:
        done = subprocess.run(
            [sys.executable, "-m", "clawvault", "append", "a.md", "given"],
            stdin=piped,
            capture_output=True,
            text=True,
            check=False,
        )
    assert (done.returncode, "Standard input was not read" in done.stderr) == (0, True)
    assert (vault / "a.md").read_text() == "given\n"


def test_what_is_no_markdown_is_said_to_be_none(run: Run) -> None:
    assert "Only Markdown notes are written" in run("append", "a.txt", "x").output


COMPOSED = "Übung.md"
DECOMPOSED = unicodedata.normalize("NFD", COMPOSED)


@pytest.fixture
def decomposed(vault: Path) -> Path:
    """Have a note, and one in a folder, whose names are decomposed on disk, as macOS writes them."""
    for path in (DECOMPOSED, unicodedata.normalize("NFD", "Größe/Maß für.md")):
        (vault / path).parent.mkdir(exist_ok=True)
        (vault / path).write_text("one\n", encoding="utf-8")
    return vault


def names_of(folder: Path) -> list[str]:
    return sorted(unicodedata.normalize("NFC", path.name) for path in folder.rglob("*.md"))


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("path", ["Übung.md", "Größe/Maß für.md", "./Übung.md", "{root}/Größe/Maß für.md"])
def test_a_note_is_read_under_either_form_of_its_name(run: Run, decomposed: Path, path: str, form: str) -> None:
    """B029: search prints the composed one."""
    answer = run("read", unicodedata.normalize(form, path.format(root=decomposed)))
    assert (answer.exit_code, answer.output) == (0, "one\n")


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize(
    "words",
    [
        ("append", "two"),
        ("write", "two"),
        ("patch", "--old", "one", "--new", "two"),
        ("pin",),
        ("unpin",),
        ("why", "one"),
        ("accept",),
    ],
)
def test_no_command_makes_a_second_note_whose_name_differs_in_its_form_alone(
    run: Run, decomposed: Path, words: tuple[str, ...], form: str
) -> None:
    before = names_of(decomposed)
    command, *rest = words
    answer = run(command, unicodedata.normalize(form, COMPOSED), *rest)
    assert "There is no note" not in answer.output
    assert names_of(decomposed) == before


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_what_is_appended_under_either_form_goes_into_the_one_note(run: Run, decomposed: Path, form: str) -> None:
    assert run("append", unicodedata.normalize(form, COMPOSED), "two").exit_code == 0
    assert (decomposed / DECOMPOSED).read_text(encoding="utf-8") == "one\ntwo\n"


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_decomposed_name_in_the_folder_one_stands_in_is_meant(
    run: Run, decomposed: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.chdir(decomposed / unicodedata.normalize("NFD", "Größe"))
    answer = run("append", unicodedata.normalize(form, "Maß für.md"), "x")
    assert (answer.exit_code, "Did you mean Größe/Maß für.md?" in answer.output) == (3, True)
    assert run("read", "./" + unicodedata.normalize(form, "Maß für.md")).output == "one\n"


def test_a_decomposed_name_that_is_elsewhere_makes_no_second_note(run: Run, decomposed: Path) -> None:
    answer = run("append", "Maß für.md", "x")
    assert (answer.exit_code, "Did you mean Größe/Maß für.md?" in answer.output) == (3, True)
