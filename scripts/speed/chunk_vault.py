"""A vault with an index of so many chunks, written through the index's own store rather than by indexing.

Indexing a million chunks would take the better part of an hour. The notes are on disk, the keyword rows, chunks and
vectors are what the store makes of them; only parsing, cutting and the model are left out.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from clawvault.daemon.lock import WriterLock
from clawvault.embed.protocol import FloatArray
from clawvault.index.chunking import Chunk
from clawvault.index.generations import add_vectors, find_generation
from clawvault.index.records import ChunkText, Generation, NoteRecord
from clawvault.index.sentences import split_sentences
from clawvault.index.sketches import make_sketch
from clawvault.index.store import Store
from clawvault.vault.listing import stat_note
from clawvault.vault.notes import read_note
from speed.mixed_embedder import MixedEmbedder
from speed.processes import RowError
from speed.workshop import MadeVault
from speed.zipf_notes import InventedNote, invent_line, name_of

TEXTS_AT_ONCE = 5000
# Lines of which chunks are put together: a million chunks need no million new sentences.
N_LINES = 5000


class ChunkVault(MadeVault):
    """A vault of ``n_chunks`` chunks of one line, so many in each note."""

    def __init__(self, work: Path, n_chunks: int, per_note: int) -> None:
        super().__init__(work / f"c{n_chunks}", [])
        self.n_chunks = n_chunks
        self.per_note = per_note
        self.notes = [self._note(number) for number in range(n_chunks // per_note)]

    def _note(self, number: int) -> InventedNote:
        name = name_of(number)
        return InventedNote(f"part{number % 100}/{name.lower()}.md", "", name, f"what about {name}")

    def chunk_texts(self, number: int, lines: list[str]) -> list[str]:
        """Return the texts of the chunks of one note: the first holds its name, each is different."""
        chance = random.Random(number)
        name = self.notes[number].name
        texts = [f"Of {name} and {place}: {' '.join(chance.choices(lines, k=2))}" for place in range(1, self.per_note)]
        return [f"What about {name}? {chance.choice(lines)}", *texts]

    def all_texts(self) -> Iterator[list[str]]:
        """Return the chunk texts of every note, in order."""
        chance = random.Random(0)
        lines = [invent_line(chance) for _ in range(N_LINES)]
        return (self.chunk_texts(number, lines) for number in range(len(self.notes)))

    def build(self, embedder: MixedEmbedder) -> bool:
        """Write notes and index; return ``False`` where they are there and complete."""
        for number in range(100):
            (self.root / f"part{number}").mkdir(exist_ok=True)
        with self.open(embedder) as vault, WriterLock(self.state, kind="index"):
            session = vault.opened.writing()
            generation = find_generation(session.store, "active")
            if generation is None:
                raise RowError("the index has no generation")
            held = session.store.connection.execute(
                "SELECT count(*) FROM chunks WHERE generation = ?", (generation.id,)
            ).get
            if held == self.n_chunks and not session.queue.count_pending():
                return False
            hashes: list[bytes] = []
            texts: list[str] = []
            for note, parts in zip(self.notes, self.all_texts(), strict=True):
                chunks = self._write_note(note.path, parts)
                session.store.replace_note(self._record(note.path), {generation.id: chunks})
                hashes += [chunk.text_hash for chunk in chunks]
                texts += parts
                if len(texts) >= TEXTS_AT_ONCE:
                    _add_vectors(session.store, generation, hashes, texts, embedder)
                    hashes, texts = [], []
            if texts:
                _add_vectors(session.store, generation, hashes, texts, embedder)
            session.store.checkpoint()
            if session.queue.count_pending():
                raise RowError(f"{session.queue.count_pending()} chunks have no vector after all were written")
        return True

    def _write_note(self, path: str, parts: list[str]) -> list[ChunkText]:
        text = "\n".join(parts) + "\n"
        (self.root / path).write_bytes(text.encode())
        chunks, start = [], 0
        for place, part in enumerate(parts):
            chunk = Chunk(
                ordinal=place,
                char_start=start,
                char_end=start + len(part),
                line_start=place + 1,
                line_end=place + 1,
                heading=(),
                pinned=False,
            )
            chunks.append(ChunkText(chunk, part))
            start += len(part) + 1
        return chunks

    def _record(self, path: str) -> NoteRecord:
        file = stat_note(self.root, path)
        if file is None:
            raise RowError(f'"{path}" was written and is not there')
        note = read_note(self.root, file, max_bytes=1 << 30)
        title = path.rsplit("/", 1)[-1].removesuffix(".md")
        return NoteRecord(note.file, note.sha256, note.encoding, title, None, True, None, (), (), (), ())


def _add_vectors(
    store: Store, generation: Generation, hashes: list[bytes], texts: list[str], embedder: MixedEmbedder
) -> None:
    vectors, sentences = embedder.embed_parts(texts, [split_sentences(text) for text in texts])
    sketches = [make_sketch(*item) for item in zip(vectors, sentences, strict=True)]
    add_vectors(store, generation, hashes, vectors, sketches)


def exact_nearest(
    vault: ChunkVault, embedder: MixedEmbedder, questions: FloatArray, k: int
) -> list[set[tuple[str, int]]]:
    """Return the (path, line) of the k nearest chunks of each question, compared one by one in float32."""
    best: list[list[tuple[float, str, int]]] = [[] for _ in questions]
    for note, texts in zip(vault.notes, vault.all_texts(), strict=True):
        for found, row in zip(best, questions @ embedder.embed_passages(texts).T, strict=True):
            found += [(float(row[i]), note.path, int(i) + 1) for i in np.argsort(-row)[:k]]
            found.sort(reverse=True)
            del found[k:]
    return [{(path, line) for _, path, line in found} for found in best]
