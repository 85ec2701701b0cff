"""Edit a vault at random as people, editors and scripts do, and remember what is on disk and what ever was."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from invented_notes import invent_note, invent_paragraph

BURST = 60
PAUSE_S = 0.6
# Deletions and creations keep the vault within this share of its first size.
SPREAD = 0.1


class RandomEdits:
    """The only writer of a vault.

    ``texts`` is what is on disk, by path; ``versions`` every text a note ever had; ``counts`` how many edits of each
    kind were made.

    Args:
        root: The vault.
        texts: The notes that are there.
        chance: Decides everything.
    """

    def __init__(self, root: Path, texts: dict[str, str], chance: random.Random) -> None:
        self.root = root
        self.texts = texts
        self.versions = set(texts.values())
        self.counts: Counter[str] = Counter()
        self._chance = chance
        self._n_first = len(texts)
        self._n_words = 0
        self._deleted: list[tuple[str, str]] = []
        self._kinds: list[Callable[[], None]] = [
            *(self.in_place, self.atomic, self.sed, self.insert_at_top) * 3,
            *(self.rename, self.delete, self.recreate) * 2,
            self.folder_rename,
        ]

    def edit(self) -> None:
        """Make one edit."""
        kind = self._chance.choice(self._kinds)
        if kind == self.delete and len(self.texts) < self._n_first * (1 - SPREAD):
            kind = self.recreate
        kind()
        self.counts[kind.__name__] += 1

    def run(self, count: int) -> None:
        """Make so many edits, in bursts at full speed with pauses between."""
        left = count
        while left:
            burst = min(left, self._chance.randint(1, BURST))
            for _ in range(burst):
                self.edit()
            left -= burst
            time.sleep(self._chance.uniform(0.0, PAUSE_S))

    def run_until(self, stop: threading.Event, pause_s: float) -> None:
        """Edit with short pauses until told to stop."""
        while not stop.wait(self._chance.uniform(0.0, 2 * pause_s)):
            self.edit()

    def count_foreign_changes(self) -> int:
        """Return how many notes are not, byte by byte, what this editor wrote, or are not there, or should not be."""
        on_disk = {
            path.relative_to(self.root).as_posix(): path.read_bytes()
            for path in self.root.rglob("*")
            if path.is_file() and ".clawvault" not in path.parts
        }
        written = {path: text.encode() for path, text in self.texts.items()}
        return sum(on_disk.get(path) != written.get(path) for path in on_disk.keys() | written.keys())

    def in_place(self) -> None:
        """Change a part of a note and write it over the old text."""
        path = self._any_note()
        self._write(path, self._altered(self.texts[path]))

    def insert_at_top(self) -> None:
        """Put a line before everything else."""
        path = self._any_note()
        self._write(path, f"{self._new_word()}\n{self.texts[path]}")

    def atomic(self) -> None:
        """Write a hidden file beside the note and rename it over the note."""
        path = self._any_note()
        self._write_and_replace(path, f".{path.rsplit('/', 1)[-1]}.tmp", self._altered(self.texts[path]))

    def sed(self) -> None:
        """Replace a word all over the note by way of a file with an odd name, as ``sed -i`` does."""
        path = self._any_note()
        old = self._chance.choice(self.texts[path].split())
        self._write_and_replace(
            path, f"sed{self._chance.randrange(10**6):06}", self.texts[path].replace(old, self._new_word())
        )

    def rename(self) -> None:
        """Rename a note, now and then over another."""
        path = self._any_note()
        target = self._any_note() if self._chance.random() < 0.1 else self._new_path()
        (self.root / path).replace(self.root / target)
        self.texts[target] = self.texts.pop(path)

    def folder_rename(self) -> None:
        """Rename a folder with all that is in it."""
        folder = self._any_note().split("/", 1)[0]
        target = f"folder{self._new_word()}"
        (self.root / folder).rename(self.root / target)
        for path in [path for path in self.texts if path.startswith(f"{folder}/")]:
            self.texts[target + path.removeprefix(folder)] = self.texts.pop(path)

    def delete(self) -> None:
        """Delete a note."""
        path = self._any_note()
        (self.root / path).unlink()
        self._deleted.append((path, self.texts.pop(path)))

    def recreate(self) -> None:
        """Bring a deleted note back, with its old text or a new one; or delete one and create it at once."""
        if len(self.texts) < self._n_first * (1 + SPREAD) and self._deleted:
            path, text = self._deleted.pop(self._chance.randrange(len(self._deleted)))
        else:
            path = self._any_note()
            text = self.texts[path]
            (self.root / path).unlink()
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        self._write(path, self._chance.choice([text, invent_note(self._chance, self._new_word())]))

    def _any_note(self) -> str:
        return self._chance.choice(list(self.texts))

    def _new_path(self) -> str:
        folder = self._any_note().rsplit("/", 1)[0]
        return f"{folder}/{self._new_word()}.md"

    def _new_word(self) -> str:
        self._n_words += 1
        return f"edit{self._n_words}word"

    def _altered(self, text: str) -> str:
        """Replace one block of a note, remove it or put a new one after it; keep the note's size in bounds."""
        blocks = text.rstrip("\n").split("\n\n")
        place = self._chance.randrange(len(blocks))
        new = invent_paragraph(self._chance, f"It has {self._new_word()}.")
        width = self._chance.choice([0, 1, 1, 2 if len(blocks) > 4 else 1]) if len(blocks) < 20 else 3
        blocks[place : place + width] = [new]
        return "\n\n".join(blocks) + "\n"

    def _write(self, path: str, text: str) -> None:
        (self.root / path).write_bytes(text.encode())
        self._note(path, text)

    def _write_and_replace(self, path: str, name: str, text: str) -> None:
        temporary = (self.root / path).with_name(name)
        temporary.write_bytes(text.encode())
        temporary.replace(self.root / path)
        self._note(path, text)

    def _note(self, path: str, text: str) -> None:
        self.texts[path] = text
        self.versions.add(text)
