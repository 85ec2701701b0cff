"""The whole of it against a plain dictionary: a vault changed, searched, closed and killed at random (F42, I07, I14).

The dictionary holds what every note's text is. At each quiet point the index must hold the same notes and nothing else,
find each by its words as an exact slice, find nothing by words that are gone, and equal an index made from nothing.
"""

from __future__ import annotations

import hashlib
import os
import random
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from bench_vault import BenchVault
from fakes import HashEmbedder

from clawvault.api import Vault
from clawvault.config import load_config
from clawvault.index import indexer
from clawvault.index.connection import INDEX_NAME
from clawvault.index.damage import check_integrity
from clawvault.index.store import Store

OPERATIONS = 60
A_QUIET_POINT = 6
N_FIRST = 20
FEWEST = 15


class Killed(BaseException):
    """Stands for the end of the process."""


class World:
    """A vault, what is known to be in it, and the hands that change it.

    ``notes`` is the text of each note by path, ``words`` the living words of each, ``gone`` the words no note holds.
    """

    def __init__(self, bench: BenchVault, seed: int) -> None:
        self.bench = bench
        self.chance = random.Random(seed)
        self.notes: dict[str, str] = {}
        self.words: dict[str, list[str]] = {}
        self.gone: list[str] = []
        self.killed: list[Vault] = []
        self.done: list[str] = [f"seed {seed}"]
        self._number = 0

    def step(self) -> None:
        operation = self.chance.choice(OPERATION_NAMES)
        operation = "create" if len(self.notes) < FEWEST else operation
        self.done.append(operation)
        getattr(self, operation)()

    def create(self) -> None:
        folder = self.chance.choice(["", "a/", "a/deep/", "b c/", "日记/"])
        self._write(f"{folder}note{self._next()}.md", *self._text())

    def edit(self) -> None:
        self._write(self._any(), *self._text())

    def edit_and_restore_time(self) -> None:
        """Change a note and leave its size and time as they were (B025)."""
        path = self._any()
        before, text, words = (self.bench.root / path).stat(), self.notes[path], self.words[path]
        new = [self._word() for _ in words]
        for old_word, new_word in zip(words, new, strict=True):
            text = text.replace(old_word, new_word)
        self._write(path, text, new)
        os.utime(self.bench.root / path, ns=(before.st_atime_ns, before.st_mtime_ns))

    def edit_in_other_line_ends(self) -> None:
        self._write(self._any(), *self._text(line_end="\r\n"))

    def insert_at_top(self) -> None:
        path, word = self._any(), self._word()
        self._write(path, f"{word}\n\n{self.notes[path]}", [word, *self.words[path]])

    def truncate_then_write(self) -> None:
        path = self._any()
        self.bench.vault.index()
        (self.bench.root / path).write_bytes(b"")
        self.bench.vault.index()
        assert self.bench.paths(self.words[path][0], mode="fts") == [path]
        self._write(path, *self._text())

    def rename(self) -> None:
        path = self._any()
        target = f"{path.rpartition('/')[0] or 'a'}/renamed{self._next()}.md"
        self._move(path, target)

    def rename_over(self) -> None:
        path, target = self.chance.sample(sorted(self.notes), 2)
        self.gone += self.words[target]
        self._move(path, target)

    def swap(self) -> None:
        first, second = self.chance.sample(sorted(self.notes), 2)
        self._move(first, "swap.md")
        self._move(second, first)
        self._move("swap.md", second)

    def rename_folder(self) -> None:
        folder = self._any().rpartition("/")[0].split("/")[0] or "a"
        target = f"folder{self._next()}"
        (self.bench.root / folder).mkdir(exist_ok=True)
        (self.bench.root / folder).rename(self.bench.root / target)
        for path in [path for path in self.notes if path.startswith(f"{folder}/")]:
            moved = target + path.removeprefix(folder)
            self.notes[moved], self.words[moved] = self.notes.pop(path), self.words.pop(path)

    def delete(self) -> None:
        path = self._any()
        (self.bench.root / path).unlink()
        self.gone += self.words.pop(path)
        del self.notes[path]

    def delete_and_create(self) -> None:
        path = self._any()
        (self.bench.root / path).unlink()
        self._write(path, *self._text())

    def copy(self) -> None:
        """Both get a word of their own; the words that are now in two notes are asked for no more."""
        path, target = self._any(), f"copy{self._next()}.md"
        text, own, other = self.notes[path], self._word(), self._word()
        self.words[path] = []
        self._write(path, f"{own}\n\n{text}", [own])
        self._write(target, f"{text}\n\n{other}\n", [other])

    def chmod(self) -> None:
        (self.bench.root / self._any()).chmod(self.chance.choice([0o600, 0o644]))

    def touch(self) -> None:
        os.utime(self.bench.root / self._any(), ns=(0, self.chance.randrange(2**60)))

    def symlink(self) -> None:
        (self.bench.root / f"link{self._next()}.md").symlink_to(self.bench.root / self._any())

    def conflict_copy(self) -> None:
        word = self._word()
        name = f"note{self._next()}.sync-conflict-20260301-101112-ABCDEFG.md"
        (self.bench.root / name).write_text(f"{word}\n")
        self.gone.append(word)

    def search(self) -> None:
        """A search finds a note that was changed a moment ago."""
        path, word = self._any(), self._word()
        self._write(path, f"{self.notes[path]}\n\n{word}\n", [*self.words[path], word])
        assert [hit.path for hit in self.bench.vault.search(word, mode="fts").hits] == [path]

    def reopen(self) -> None:
        self.bench.reopen()

    def kill(self) -> None:
        """End in the middle of a comparison, or of embedding, with nothing closed, and start again."""
        left = iter(range(self.chance.randrange(8)))

        def progress(*_: object) -> None:
            if next(left, None) is None:
                raise Killed

        session = self.bench.session()
        with suppress(Killed):
            session.indexer.sweep(progress=progress)
            session.queue.embed_some(progress=progress)
        self.killed.append(self.bench.vault)
        self.bench.vault = self._open(self.bench.environment, self.bench.embedder)

    def quiet_point(self) -> None:
        self.bench.sync()
        hashes = {path: hashlib.sha256(text.encode()).hexdigest().upper() for path, text in self.notes.items()}
        assert dict(self.bench.rows("SELECT path, hex(sha256) FROM notes")) == hashes
        for path, words in self.words.items():
            for word in words:
                self._assert_exact_hit(path, word)
        for word in self.gone:
            assert self.bench.paths(word, mode="fts") == [], word
        assert self._dump(self.bench.index_path) == self._fresh_dump()

    def _assert_exact_hit(self, path: str, word: str) -> None:
        (hit,) = self.bench.search(word, mode="fts").hits
        lines = self.notes[path].split("\n")
        assert (hit.path, hit.stale) == (path, False)
        assert word in hit.text
        assert hit.text in "\n".join(lines[hit.line_start - 1 : hit.line_end])

    def _fresh_dump(self) -> list[tuple[object, ...]]:
        state = self.bench.root.parent / f"fresh{self._next()}"
        fresh = self._open({"CLAWVAULT_STATE_DIR": str(state)}, HashEmbedder())
        fresh.index()
        fresh.close()
        return self._dump(fresh.opened.state / INDEX_NAME)

    @staticmethod
    def _dump(path: Path) -> list[tuple[object, ...]]:
        store = Store(path, writer=False)
        assert check_integrity(store.connection) == ""
        rows = store.connection.execute(
            """SELECT n.path, hex(n.sha256), n.title, c.ordinal, c.char_start, c.char_end, c.line_start, c.line_end,
                      c.heading, c.text, hex(v.vector)
               FROM notes n LEFT JOIN chunks c ON c.note_id = n.id LEFT JOIN vectors v ON v.text_hash = c.text_hash
               ORDER BY n.path, c.ordinal"""
        ).fetchall()
        store.connection.execute("CREATE VIRTUAL TABLE temp.terms USING fts5vocab('main', 'lexicon', 'col')")
        rows += store.connection.execute("SELECT term, col, doc, cnt FROM temp.terms ORDER BY 1, 2").fetchall()
        store.close()
        return rows

    def _open(self, environment: dict[str, str], embedder: HashEmbedder) -> Vault:
        config = load_config(self.bench.root, environment=environment)
        return Vault(self.bench.root, config, environment, embedder=embedder)

    def _any(self) -> str:
        return self.chance.choice(sorted(self.notes))

    def _next(self) -> int:
        self._number += 1
        return self._number

    def _word(self) -> str:
        return f"word{self._next():05}x"

    def _text(self, line_end: str = "\n") -> tuple[str, list[str]]:
        words = [self._word() for _ in range(self.chance.randint(1, 3))]
        filler = "Nothing much happened on that day, and the next one was no different. " * self.chance.randint(1, 9)
        sections = [f"## Part {place}\n\n{filler}\n\nAbout {word}." for place, word in enumerate(words)]
        return "\n\n".join(["# A title", *sections, ""]).replace("\n", line_end), words

    def _write(self, path: str, text: str, words: list[str]) -> None:
        self.bench.write(path, text)
        self.gone += [word for word in self.words.get(path, []) if word not in words]
        self.notes[path], self.words[path] = text, words

    def _move(self, path: str, target: str) -> None:
        (self.bench.root / target).parent.mkdir(parents=True, exist_ok=True)
        (self.bench.root / path).replace(self.bench.root / target)
        self.notes[target], self.words[target] = self.notes.pop(path), self.words.pop(path)


OPERATION_NAMES = [name for name, value in vars(World).items() if callable(value) and name[0] != "_"]
OPERATION_NAMES = [name for name in OPERATION_NAMES if name not in {"step", "quiet_point"}]


@contextmanager
def telling(world: World) -> Iterator[None]:
    """Say on failure which seed and which operations led to it."""
    try:
        yield
    except Exception as error:
        error.add_note("; ".join(world.done))
        raise
    finally:
        for vault in world.killed:
            vault.close()


@pytest.mark.parametrize("seed", range(1, 6))
def test_after_any_operations_the_index_is_what_the_notes_are(
    bench: BenchVault, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    # A busy machine may take longer than the usual moment to look at a note that was emptied.
    monkeypatch.setattr(indexer, "EMPTY_BELIEF_S", 3600.0)
    world = World(bench, seed)
    with telling(world):
        for _ in range(N_FIRST):
            world.create()
        for _ in range(OPERATIONS // A_QUIET_POINT):
            for _ in range(A_QUIET_POINT):
                world.step()
            world.quiet_point()
