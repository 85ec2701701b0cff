"""How much room an index takes: counted in bytes of known notes, never in seconds (I31)."""

from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path

import pytest
from bench_vault import BenchVault

from clawvault.api import open_vault
from clawvault.index import store as store_module
from clawvault.index.sentences import split_sentences
from clawvault.index.store import Store

BACKUP = """# Backups

The nightly job copies the database to the second machine at two in the morning.
It keeps seven copies of the last week and four of the last month.
A copy is checked by restoring it into an empty database and counting its rows.

If the job fails, it writes to the channel of the operators and tries again after an hour.
The key that encrypts the copies is in the safe of the office, and with the head of the company.

To restore a copy, stop the service, run the script with the day as its argument, and start the service again.
"""
WORDS = ["heron", "river", "stands", "morning", "reed", "water", "quiet", "bank", "boat", "fish", "early", "mist"]


def prose(seed: int, n_words: int = 90) -> str:
    chance = random.Random(seed)
    return " ".join(chance.choice(WORDS) + chance.choice(["", "", "s", "ing"]) for _ in range(n_words)) + "."


def free_pages(bench: BenchVault) -> int:
    return int(bench.rows("SELECT * FROM pragma_freelist_count")[0][0])


def n_parts(bench: BenchVault) -> int:
    """Return how many parts the keyword rows are in."""
    return int(bench.rows("SELECT count(DISTINCT segid) FROM lexicon_idx")[0][0])


@pytest.fixture
def tidied_after_20(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "TIDY_AFTER", 20)


def filled(bench: BenchVault) -> None:
    for i in range(40):
        bench.write(f"{i}.md", f"# Note {i}\n\n{prose(i)}\n\n## More\n\n{prose(1000 + i)}\n")
        bench.session().indexer.sweep(only=[f"{i}.md"])


@pytest.mark.usefixtures("tidied_after_20")
def test_a_large_run_leaves_no_free_page_and_keyword_rows_in_one_part(bench: BenchVault) -> None:
    filled(bench)
    assert n_parts(bench) > 1
    bench.sync()
    assert (free_pages(bench), n_parts(bench)) == (0, 1)
    assert "7.md" in bench.paths("heron", mode="fts", limit=50)


@pytest.mark.usefixtures("tidied_after_20")
def test_an_edit_moves_nothing_else(bench: BenchVault) -> None:
    """A person waits for one edit, however large the vault is."""
    filled(bench)
    bench.sync()
    ids = bench.rows("SELECT segid, count(*) FROM lexicon_idx GROUP BY 1")
    bench.write("7.md", f"# Note 7\n\n{prose(7)}\n\nA kingfisher.\n")
    bench.sync()
    after = bench.rows("SELECT segid, count(*) FROM lexicon_idx GROUP BY 1")
    assert set(ids) < set(after)


def test_a_small_run_is_not_tidied(bench: BenchVault) -> None:
    filled(bench)
    before = n_parts(bench)
    bench.sync()
    assert n_parts(bench) == before


@pytest.mark.usefixtures("tidied_after_20")
def test_a_disk_without_room_for_a_copy_is_no_fault(bench: BenchVault) -> None:
    filled(bench)
    pages = bench.session().store.connection.pragma("page_count")
    bench.session().store.connection.pragma("max_page_count", pages + 1)
    bench.sync()
    assert bench.paths("heron", mode="fts", limit=1) != []


def test_headings_that_are_the_title_are_kept_once(bench: BenchVault) -> None:
    bench.write("a.md", f"# The heron of the upper river\n\n{prose(1)}\n\n## Reeds\n\n{prose(2)}\n")
    bench.sync()
    assert bench.rows("SELECT heading FROM chunks ORDER BY ordinal") == [("",), ('[null,"Reeds"]',)]
    found = {tuple(hit.heading) for hit in bench.search("heron", limit=5).hits}
    assert {path[0] for path in found} == {"The heron of the upper river"}


def test_a_text_under_no_heading_stays_so(bench: BenchVault) -> None:
    bench.write("a.md", "A heron in the river.\n")
    bench.sync()
    assert bench.rows("SELECT heading FROM chunks") == [("[]",)]
    assert bench.search("heron").hits[0].heading == ()


def test_a_title_that_changes_is_read_with_the_chunks_that_stand_under_it(bench: BenchVault) -> None:
    bench.write("a.md", f"# Heron\n\n{prose(1)}\n")
    bench.sync()
    bench.write("a.md", f"# Kingfisher\n\n{prose(1)}\n")
    bench.sync()
    assert [hit.heading for hit in bench.search("kingfisher").hits] == [("Kingfisher",)]


def test_the_texts_of_notes_take_little_more_than_half_their_room(bench: BenchVault, tmp_path: Path) -> None:
    note = (
        "You can use the following command if you want to see what has been changed since the last release. "
        "It is possible to give it the name of a branch as well, which is useful when there is more than one.\n"
    )
    for i in range(10):
        bench.write(f"{i}.md", f"# Note {i}\n\n{note}")
    bench.sync()
    size = sum(path.stat().st_size for path in bench.root.glob("*.md"))
    assert bench.rows("SELECT sum(length(text)) FROM chunks")[0][0] < 0.55 * size


@pytest.mark.model
def test_sentences_of_real_notes_take_little_more_than_half_a_bit_a_dimension(tmp_path: Path) -> None:
    """What a sentence says beyond its text is kept, and no more: 48 bytes a sentence if each bit were."""
    root = tmp_path / "vault"
    (root / ".clawvault").mkdir(parents=True)
    (root / "backup.md").write_text(BACKUP, encoding="utf-8")
    environment = {"CLAWVAULT_STATE_DIR": str(tmp_path / "state")}
    with open_vault(root, environment=environment, embedding__provider="sentence-transformers") as vault:
        vault.index()
        with closing(Store(vault.opened.state / "index.sqlite3", writer=False)) as store:
            (sketch,) = [row[0] for row in store.connection.execute("SELECT signs FROM vectors")]
    assert len(split_sentences(BACKUP)) == int.from_bytes(sketch[:2], "little") == 6
    assert 100 < len(sketch) < 6 * 30
