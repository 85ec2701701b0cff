"""The vaults that rows are measured on, made once and kept in the work folder."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from live_vault import LiveVault

from clawvault.api import Vault, open_vault
from clawvault.config import load_config
from clawvault.daemon.lock import WriterLock
from clawvault.dream.nightly.night_log import read_nights
from clawvault.dream.nightly.nights import is_due
from speed.mixed_embedder import MixedEmbedder, open_mixed
from speed.processes import RowError, program, run_timed
from speed.zipf_notes import InventedNote, write_notes

SEED = 1


def generator_key() -> str:
    """Return a name that changes with the code that makes vaults, so that none of another version is taken up."""
    sources = ("zipf_notes", "mixed_embedder", "chunk_vault")
    content = b"".join(Path(__file__).with_name(f"{name}.py").read_bytes() for name in sources)
    return hashlib.sha256(content).hexdigest()[:8]


def sample_notes(til: Path, count: int) -> list[Path]:
    """Choose so many real notes; those at the top say what the folder is."""
    found = sorted(path for path in til.rglob("*.md") if path.parent != til)
    return random.Random(SEED).sample(found, min(count, len(found)))


@dataclass
class Workshop:
    """Where vaults are made, and how long the run may be.

    Args:
        work: Folder for everything; kept when the person named it.
        short: Whether all rows together should take less than three minutes.
        sizes: Numbers of notes, smallest first.
        til: Folder of real notes, where there is one.
    """

    work: Path
    short: bool
    sizes: tuple[int, ...]
    til: Path | None = None
    _made: dict[int, MadeVault] = field(default_factory=dict)
    _mixed: MixedEmbedder | None = None

    @property
    def mixed(self) -> MixedEmbedder:
        """Return the embedder whose vectors cost nothing."""
        if self._mixed is None:
            self._mixed = open_mixed(self.work)
        return self._mixed

    def vault(self, count: int) -> MadeVault:
        """Return the vault of so many invented notes."""
        if count not in self._made:
            folder = self.work / f"v{count}"
            self._made[count] = MadeVault(folder, write_notes(folder / "vault", SEED, count))
        return self._made[count]

    def indexed(self, count: int) -> MadeVault:
        """Return a vault whose index is up to date, with mixed vectors in the space of the packaged English model."""
        made = self.vault(count)
        if not made.is_indexed:
            with made.open(self.mixed) as vault:
                vault.index()
            made.is_indexed = True
        return made

    def indexed_by_words(self, count: int) -> MadeVault:
        """Return a vault whose index has every note and no vector yet, as in the first minutes of a new vault."""
        made = self.vault(count)
        other = MadeVault(made.folder, made.notes)
        other.use_state("words")
        with other.open() as vault, WriterLock(other.state, kind="index"):
            vault.opened.writing().indexer.sweep()
        return other

    def fresh(self, name: str) -> Path:
        """Return an empty folder."""
        folder = self.work / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def real_notes(self, name: str, count: int) -> Path:
        """Return a new vault folder with so many notes: real ones where there are any, else invented ones."""
        root = self.fresh(name) / "vault"
        (root / ".clawvault").mkdir(parents=True)
        if self.til is None:
            write_notes(root, SEED, count)
            return root
        for path in sample_notes(self.til, count):
            target = root / path.relative_to(self.til)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
        return root

    @property
    def kind_of_notes(self) -> str:
        """Say what ``real_notes`` gives."""
        return "invented notes" if self.til is None else f"notes of {self.til.name}"


class MadeVault(LiveVault):
    """Invented notes with an index, and the questions that have one right answer."""

    def __init__(self, folder: Path, notes: list[InventedNote], *, provider: str = "sentence-transformers") -> None:
        super().__init__(folder, CLAWVAULT_EMBEDDING_PROVIDER=provider)
        self.notes = notes
        self.is_indexed = False

    def open(self, embedder: MixedEmbedder | None = None, **flags: object) -> Vault:
        """Open the vault in this process."""
        return open_vault(self.root, environment=self.environment, embedder=embedder, **flags)

    def pick(self, number: int) -> InventedNote:
        """Return one of the notes; the same for the same number."""
        return self.notes[number * 7919 % len(self.notes)]

    def command(self, *arguments: str) -> list[str]:
        """Return a command line about this vault."""
        return [*program(), "--vault", str(self.root), *arguments]

    def time_search(self, number: int, *options: str) -> float:
        """Ask one question in a new process; return its seconds.

        Raises:
            RowError: The right note is not among the hits, or something was missing.
        """
        note = self.pick(number)
        took, said = run_timed(self.command("search", "--json", *options, note.question), self.environment)
        check_answer(json.loads(said), note, by_meaning="fts" not in options)
        return took

    def start_warm(self) -> None:
        """Start ``clawvault watch`` and wait until it has read everything, loaded its model and rests."""
        self.start()
        self.wait_until_ready()
        self._wait(self._answers_by_meaning, "ready to answer by meaning")
        self.wait_until_quiet()

    def wait_until_night_is_over(self) -> None:
        """Wait until the daemon has made the run of this local date, after which it writes nothing of its own."""
        settings = load_config(self.root, environment=self.environment).dream
        self._wait(
            lambda: (
                not (
                    settings.nightly
                    and is_due(datetime.now().astimezone(), read_nights(self.state), hour=settings.hour)
                )
            ),
            "done with the run of the night",
        )

    def _answers_by_meaning(self) -> bool:
        answer = self.ask("search", request={"query": self.pick(0).question}) or {}
        return bool(answer.get("ok")) and not answer["result"]["degraded"]


def check_answer(answer: dict[str, Any], note: InventedNote, *, by_meaning: bool) -> None:
    """Raise ``RowError`` unless an answer has the right note and, asked by meaning too, nothing was missing."""
    hits = answer["hits"]
    if not any(hit["path"] == note.path and note.name in hit["text"] for hit in hits):
        found = [hit["path"] for hit in hits]
        raise RowError(f'"{note.question}" did not find {note.path}: {found} {answer["degraded"]}')
    if answer["stale"] or (by_meaning and answer["degraded"]):
        raise RowError(f'"{note.question}" was answered with less than everything: {answer["degraded"]}')
