"""The Python API: open, search, read, index, status, why."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from bench_vault import BenchVault

import clawvault
from clawvault.api import open_vault
from clawvault.daemon.lock import WriterLock
from clawvault.errors import EmbedderError, NotFoundError, UsageError
from clawvault.freshening import FEW_NOTES


def test_a_vault_is_found_from_a_folder_inside_it(bench: BenchVault, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.write("deep/er/a.md", "x\n")
    monkeypatch.chdir(bench.root / "deep/er")
    with open_vault(environment=bench.environment) as vault:
        assert vault.root == bench.root


def test_a_vault_that_is_named_is_not_looked_for_above(bench: BenchVault) -> None:
    """The wrong vault would give the wrong answers."""
    bench.write("deep/er/a.md", "x\n")
    with pytest.raises(NotFoundError):
        open_vault(bench.root / "deep/er", environment=bench.environment)


@pytest.mark.parametrize("name", ["~no-such-user/notes", "no/such/folder"])
def test_a_folder_that_is_nowhere_is_no_vault(name: str) -> None:
    with pytest.raises(NotFoundError):
        open_vault(name, environment={})


def test_no_vault_is_an_error_with_a_next_step(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError) as caught:
        open_vault(tmp_path, environment={})
    assert caught.value.hint.startswith("Run")


def test_a_question_sees_the_notes_as_they_are_now(bench: BenchVault) -> None:
    bench.write("a.md", "The heron stands.\n")
    assert [hit.path for hit in bench.vault.search("heron").hits] == ["a.md"]
    bench.write("b.md", "A second heron.\n")
    (bench.root / "a.md").unlink()
    result = bench.vault.search("heron")
    assert [hit.path for hit in result.hits] == ["b.md"]
    assert (result.stale, result.degraded) == (False, ())


def test_a_broken_model_costs_only_the_vectors_of_new_text(bench: BenchVault) -> None:
    """F29, I25."""
    bench.write("a.md", "The heron stands.\n")
    bench.sync()
    bench.write("b.md", "A second heron.\n")
    bench.embedder.fault = "out of memory"
    result = bench.vault.search("second heron")
    assert result.hits[0].path == "b.md"
    assert "new text has no vector yet: out of memory" in result.degraded


def test_many_changes_are_said_rather_than_waited_for(bench: BenchVault) -> None:
    bench.write("a.md", "The heron stands.\n")
    bench.sync()
    for i in range(FEW_NOTES + 1):
        bench.write(f"new{i}.md", f"heron {i}\n")
    result = bench.vault.search("heron")
    assert (result.stale, result.degraded) == (True, ("index behind by 51 notes",))


def test_many_changes_are_waited_for_on_request(bench: BenchVault) -> None:
    bench.write("a.md", "The heron stands.\n")
    bench.sync()
    for i in range(FEW_NOTES + 1):
        bench.write(f"new{i}.md", f"heron {i}\n")
    result = bench.vault.search("heron", sync=True)
    assert (result.stale, result.degraded) == (False, ())


def test_a_question_beside_a_busy_writer_says_what_is_missing(bench: BenchVault) -> None:
    bench.write("a.md", "The heron stands.\n")
    bench.sync()
    bench.write("b.md", "Another heron.\n")
    with WriterLock(bench.vault.opened.state, kind="test"):
        result = bench.vault.search("heron")
    assert [hit.path for hit in result.hits] == ["a.md"]
    assert (result.stale, result.degraded) == (True, ("index behind by 1 note",))


def test_lines_are_read_exactly(bench: BenchVault) -> None:
    """CB-30."""
    bench.write("a.md", "one\r\ntwo\r\nthree")
    lines = bench.vault.read("a.md", 2, 3)
    assert (lines.text, lines.line_start, lines.line_end, lines.n_lines) == ("two\r\nthree", 2, 3, 3)
    assert bench.vault.read("a.md").text == "one\r\ntwo\r\nthree"
    assert bench.vault.read("a.md", 1, 1).text == "one\r\n"


def test_lines_beyond_the_note_are_refused(bench: BenchVault) -> None:
    bench.write("a.md", "one\n")
    with pytest.raises(UsageError):
        bench.vault.read("a.md", 2, 3)


@pytest.mark.parametrize("path", ["../x.md", "/etc/passwd", "a/../../x.md", "C:\\x.md", "~/x.md"])
def test_paths_that_leave_the_vault_are_refused(bench: BenchVault, path: str) -> None:
    """T01, MN-56..58."""
    with pytest.raises(UsageError):
        bench.vault.read(path)


def test_why_names_the_rank_and_the_lanes(bench: BenchVault) -> None:
    bench.write("a.md", "The heron stands.\n")
    bench.write("b.md", "Nothing of the kind.\n")
    report = bench.vault.why("a.md", "heron")
    assert (report["verdict"], report["rank"]) == ("The note is hit 1.", 1)
    assert report["chunks"][0]["fts_rank"] == 1


def test_why_says_that_a_note_is_ignored(bench: BenchVault) -> None:
    bench.write(".clawvaultignore", "drafts/\n")
    bench.write("drafts/a.md", "The heron stands.\n")
    assert bench.vault.why("drafts/a.md", "heron")["verdict"].startswith("The note is left out: ignored")


def test_why_says_that_there_is_no_such_note(bench: BenchVault) -> None:
    with pytest.raises(NotFoundError):
        bench.vault.why("none.md", "heron")


def test_why_says_that_a_note_is_not_indexed_yet(bench: BenchVault) -> None:
    bench.write("a.md", "The heron stands.\n")
    bench.sync()
    bench.write("b.md", "Another heron.\n")
    with WriterLock(bench.vault.opened.state, kind="test"):
        report = bench.vault.why("b", "heron")
    assert (report["path"], report["verdict"]) == ("b.md", "The note is not indexed yet: run clawvault index.")
    assert report["degraded"] == ["index behind by 1 note"]


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (".hidden/a.md", '".hidden/a.md" is left out: ignored (hidden).'),
        ("drafts/a.md", '"drafts/a.md" is left out: ignored (a rule of .clawvaultignore).'),
        ("drafts/a", '"drafts/a.md" is left out: ignored (a rule of .clawvaultignore).'),
        ("link.md", '"link.md" is left out: symlink (links are not followed).'),
        ("photo.jpg", '"photo.jpg" is a file, not a note.'),
        (".clawvaultignore", '".clawvaultignore" is a file, not a note.'),
        ("drafts", '"drafts" is a folder, not a note.'),
    ],
)
def test_what_stays_out_of_the_search_is_not_read(bench: BenchVault, path: str, message: str) -> None:
    bench.write(".clawvaultignore", "drafts/\n")
    bench.write("a.md", "A secret.\n")
    for name in (".hidden/a.md", "drafts/a.md", "photo.jpg"):
        bench.write(name, "A secret.\n")
    (bench.root / "link.md").symlink_to(bench.root / "a.md")
    with pytest.raises(NotFoundError) as caught:
        bench.vault.read(path)
    assert caught.value.message == message


def test_a_note_is_read_without_the_ending_of_its_file(bench: BenchVault) -> None:
    bench.write("deep/Plan.md", "The plan.\n")
    bench.write("deep/Plan/more.md", "More.\n")
    found = bench.vault.read("deep/Plan")
    assert (found.path, found.text) == ("deep/Plan.md", "The plan.\n")


@pytest.mark.parametrize("name", ["Plan", "plan.md", "PLAN", "er/plan"])
def test_a_bare_name_is_answered_with_the_path_that_may_be_meant(bench: BenchVault, name: str) -> None:
    bench.write("deep/er/Plan.md", "The plan.\n")
    with pytest.raises(NotFoundError) as caught:
        bench.vault.read(name)
    assert caught.value.hint == 'Did you mean "deep/er/Plan.md"?'


def test_days_the_wrong_way_round_are_refused(bench: BenchVault) -> None:
    with pytest.raises(UsageError, match="is after the last"):
        bench.vault.search("heron", since="2026-03-02", until="2026-03-01")


def test_an_index_that_was_damaged_is_said_once(bench: BenchVault) -> None:
    """I20."""
    bench.write("a.md", "The heron stands.\n")
    bench.sync()
    bench.vault.close()
    bench.index_path.write_bytes(b"not a database, but long enough to be taken for one" * 100)
    result = bench.vault.search("heron")
    assert [hit.path for hit in result.hits] == ["a.md"]
    assert result.degraded == ("the index was damaged or of another version and has been built again",)
    assert bench.vault.search("heron").degraded == ()


def test_an_index_without_any_vector_does_not_load_the_model(bench: BenchVault) -> None:
    bench.write("a.md", "The heron stands.\n")
    bench.session().indexer.sweep()
    before = list(bench.embedder.queries)
    result = bench.search("heron")
    assert bench.embedder.queries == before
    assert result.degraded == (
        "vector lane off: none of its vectors is made yet",
        "1 passage has no vector yet",
    )
    with pytest.raises(EmbedderError, match="none of its vectors is made yet"):
        bench.search("heron", mode="vector")


def test_an_empty_vault_is_not_waiting_for_vectors(bench: BenchVault) -> None:
    bench.sync()
    assert bench.search("heron").degraded == ()
    assert bench.search("heron", mode="vector").hits == ()


def test_status_counts_notes_chunks_and_vectors(bench: BenchVault) -> None:
    bench.write("a.md", "The heron stands.\n")
    bench.sync()
    status = bench.vault.status()
    assert (status["notes"], status["chunks"], status["vectors"], status["pending"]) == (1, 1, 1, 0)
    assert status["vector_backend"] == "sqlite-vec"


def test_an_index_may_be_deleted_at_any_time(bench: BenchVault) -> None:
    """I16."""
    bench.write("a.md", "The heron stands.\n")
    bench.sync()
    bench.vault.close()
    for file in bench.index_path.parent.glob("index.sqlite3*"):
        file.unlink()
    assert [hit.path for hit in bench.vault.search("heron").hits] == ["a.md"]


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = "import clawvault, sys; print([m for m in ('numpy', 'apsw', 'torch', 'rich', 'click') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert clawvault.open_vault is open_vault


WRONG = {
    "read a thing": ("read", (None,), '"path" must be a text, and is NoneType.'),
    "read bytes": ("read", (b"a.md",), '"path" must be a text, and is bytes.'),
    "read from a word": ("read", ("a.md", "a"), '"line_start" must be a whole number, and is str.'),
    "read to a part": ("read", ("a.md", 1, 1.5), '"line_end" must be a whole number, and is float.'),
    "look below a thing": ("tree", (3,), '"prefix" must be a text, and is int.'),
    "why a thing": ("why", (None, "text"), '"path" must be a text, and is NoneType.'),
    "write nothing": ("write", ("a.md", None), '"content" must be a text, and is NoneType.'),
    "append a list": ("append", ("a.md", ["x"]), '"text" must be a text, and is list.'),
    "patch a number": ("patch", ("a.md", 1, "x"), '"old" must be a text, and is int.'),
    "remember nothing": ("remember", (None,), '"text" must be a text, and is NoneType.'),
    "remember as a number": ("remember", ("Ben likes tea", 3), '"category" must be a text, and is int.'),
    "log nothing": ("log", (None,), '"text" must be a text, and is NoneType.'),
    "forget a number": ("forget", (3,), '"text" must be a text, and is int.'),
    "pin a word": ("pin", ("a.md", "3"), '"line" must be a whole number, and is str.'),
    "unpin yes": ("unpin", ("a.md", True), '"line" must be a whole number, and is bool.'),
    "key of a number": ("profile_get", (3,), '"key" must be a text, and is int.'),
    "undo a number": ("undo", (3,), '"identity" must be a text, and is int.'),
    "record a text": ("record_interaction", ("t", "r", "hello"), '"messages" must be a list, and is str.'),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_value_of_a_wrong_kind_is_a_mistake_with_a_next_step(bench: BenchVault, case: str) -> None:
    name, arguments, message = WRONG[case]
    bench.write("a.md", "one\n")
    with pytest.raises(UsageError) as caught:
        getattr(bench.vault, name)(*arguments)
    assert caught.value.message == message
    assert caught.value.hint.startswith("Give ")


def test_a_vault_is_asked_inside_of_its_block(bench: BenchVault) -> None:
    bench.write("a.md", "The heron stands.\n")
    with bench.vault as vault:
        assert len(vault.search("heron").hits) == 1
    with pytest.raises(UsageError, match="The vault is closed"):
        vault.search("heron")
    with vault:
        assert len(vault.search("heron").hits) == 1
