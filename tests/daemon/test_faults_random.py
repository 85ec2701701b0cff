"""A vault that many hands change at random while the daemon watches (F18, F42; I07, I12)."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from daemon_fakes import wait_until, write_notes
from fakes import HashEmbedder
from real_daemon import Bench

STEPS = 400


class Hands:
    """Change a vault at random; every text written is new, so a text embedded twice shows."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root = root
        self.chance = random.Random(seed)
        self.written = 0

    def text(self) -> str:
        self.written += 1
        return f"# Title {self.written}\n\nunique{self.written} and some words\n"

    def note(self) -> Path:
        return self.chance.choice(sorted(self.root.rglob("*.md")))

    def write(self) -> None:
        self.note().write_text(self.text())

    def write_atomically(self) -> None:
        note = self.note()
        temporary = note.with_name(f".{note.name}.tmp")
        temporary.write_text(self.text())
        temporary.replace(note)

    def create(self) -> None:
        (self.note().parent / f"made{self.written}.md").write_text(self.text())

    def append(self) -> None:
        with self.note().open("a") as stream:
            stream.write(f"\n{self.text()}")

    def rename(self) -> None:
        note = self.note()
        self.written += 1
        note.rename(note.with_name(f"moved{self.written}.md"))

    def some_folder(self) -> list[Path]:
        """Return one folder, or none when there is none left."""
        folders = [path for path in sorted(self.root.iterdir()) if path.name.startswith("folder")]
        return self.chance.sample(folders, min(1, len(folders)))

    def rename_folder(self) -> None:
        for folder in self.some_folder():
            self.written += 1
            folder.rename(folder.with_name(f"folder{self.written}"))

    def delete(self) -> None:
        self.note().unlink()

    def delete_and_recreate(self) -> None:
        note = self.note()
        text = note.read_text()
        note.unlink()
        note.write_text(text)

    def make_deep_folder(self) -> None:
        self.written += 1
        deep = self.root / f"folder{self.written}" / "inner"
        deep.mkdir(parents=True)
        (deep / "first.md").write_text(self.text())

    def remove_folder(self) -> None:
        for folder in self.some_folder():
            shutil.rmtree(folder)

    def step(self) -> None:
        often = [self.write, self.write_atomically, self.append, self.delete_and_recreate, self.create] * 3
        seldom: list[Callable[[], None]] = [
            self.rename,
            self.rename_folder,
            self.delete,
            self.make_deep_folder,
            self.remove_folder,
        ]
        self.chance.choice(often + seldom)()


@pytest.mark.parametrize("seed", [1])
def test_after_many_random_changes_the_index_equals_a_fresh_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """I07, I12: nothing lost, and no text embedded twice."""
    bench = Bench(tmp_path, CLAWVAULT_EMBEDDING_PROVIDER="sentence-transformers")
    bench.env["CLAWVAULT_WATCH_DELETION_DELAY_S"] = "0.5"
    model = HashEmbedder()
    monkeypatch.setattr("clawvault.opened.open_embedder", lambda *_: model)
    write_notes(bench.root, 300)
    for name in ("folder0", "folder1"):
        (bench.root / name).mkdir()
        write_notes(bench.root / name, 20, prefix=name)
    hands = Hands(bench.root, seed)
    with bench.running() as daemon:
        for _ in range(STEPS):
            hands.step()
        # No search here, which would look at the whole disk: events alone must do.
        n_notes = len(list(bench.root.rglob("*.md")))
        assert bench.has_notes(n_notes)
        assert bench.is_equal_to_fresh()
        assert wait_until(lambda: bench.status()["pending"] == 0)
        assert daemon.service.tally.last_error == ""
        assert len(model.embedded) == len(set(model.embedded))
