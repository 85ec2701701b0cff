"""Give every chunk its vector, in small steps, and let a finished generation take over."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from clawvault.config import ChunkSettings, Config, EmbeddingSettings
from clawvault.embed.checks import check_vectors
from clawvault.embed.opening import open_embedder
from clawvault.embed.parts import embed_parts
from clawvault.embed.probe import read_languages
from clawvault.embed.protocol import Embedder, FloatArray
from clawvault.errors import ClawvaultError, EmbedderError
from clawvault.index.chunker_key import chunker_key
from clawvault.index.generations import (
    Waiting,
    add_vectors,
    begin_generation,
    count_pending,
    count_pending_texts,
    delete_orphan_chunks,
    drop_building,
    find_generation,
    list_pending,
    refuse_text,
    set_readings,
    swap_generation,
)
from clawvault.index.lengths import KnownLengths
from clawvault.index.note_building import Cutter
from clawvault.index.records import Generation
from clawvault.index.sentences import split_sentences
from clawvault.index.store import Store

# Enough texts at once to sort by length, so that little is padded (B063).
WINDOW = 512
PROBE = "probe"
# Where few texts wait, so many are embedded at once, which busies two cores: the vectors of notes that are being edited
# are of use if they are there before the next edit.
FEW = 4
# Entered around every call of a model.
Computing = Callable[[], AbstractContextManager[object]]


@dataclass(frozen=True, slots=True)
class Embedded:
    """How many texts were embedded, and whether that was everything that waited before."""

    n_texts: int
    is_all: bool


class EmbeddingQueue:
    """The live generations of an index, and the chunks of each that wait for a vector."""

    def __init__(self, store: Store, config: Config, environment: Mapping[str, str], embedder: Embedder | None) -> None:
        self.store = store
        self.config = config
        self.environment = environment
        self.embedder = embedder
        self.problem = ""
        self._computing: Computing = nullcontext
        self._embedders: dict[int, Embedder | None] = {}
        self._generations: list[Generation] = []
        self._cutters: list[Cutter] = []
        delete_orphan_chunks(store)
        self._choose_generations()

    @property
    def newest_generation(self) -> int:
        """Return the id of the generation that notes must be cut for."""
        return max(generation.id for generation in self._generations)

    def cutters(self) -> list[Cutter]:
        """Return how each live generation cuts, the active one first."""
        return self._cutters

    def begin_rebuild(self) -> None:
        """Build the same way of cutting and embedding anew beside the active one (I17)."""
        self._begin()
        self._reload()

    def count_pending(self, after: int = 0) -> int:
        """Return how many chunks with an id greater than ``after`` wait for a vector, in all live generations."""
        return sum(count_pending(self.store, generation, after) for generation in self._generations)

    def count_texts(self) -> int:
        """Return how many texts ``embed_some`` has to embed: equal ones are embedded once."""
        return sum(count_pending_texts(self.store, generation) for generation in self._generations)

    def embed_some(
        self,
        *,
        deadline_s: float | None = None,
        progress: Callable[[int], None] | None = None,
        computing: Computing = nullcontext,
    ) -> Embedded:
        """Embed waiting texts, newest first.

        A note that changes meanwhile is embedded once, as it is when its turn comes: one that changes all the time
        would be embedded all the time.

        Args:
            deadline_s: Stop after the batch in which this many seconds have passed; ``None`` goes on to the end.
            progress: Called with the number of texts embedded so far.
            computing: Entered around every call of a model, so that a caller can let others at the index meanwhile.

        Raises:
            EmbedderError: The model cannot load or answer; what was embedded before is kept.
        """
        began = time.monotonic()
        done = 0
        self._computing = computing
        for generation in self._generations:
            embedder = self._embedders.get(generation.id)
            if embedder is None:
                continue
            for batch in self._batches(generation):
                done += self._embed(generation, embedder, batch)
                if progress is not None:
                    progress(done)
                if deadline_s is not None and time.monotonic() - began >= deadline_s:
                    return Embedded(done, is_all=False)
        return Embedded(done, is_all=True)

    def _batches(self, generation: Generation) -> Iterator[list[Waiting]]:
        """Yield what waits in batches, each once the one before has its vectors."""
        newest, begun, after = self.store.newest_chunk(), set[int](), 0
        size = self.config.embedding.batch_size
        while True:
            found = list_pending(self.store, generation, WINDOW, after)
            if 0 < len(found) < WINDOW:
                # What waits besides has come since, and ids only grow: not all chunks are looked through again.
                after = found[-1].chunk - 1
            distinct = {item.text_hash: item for item in found}
            window = [item for item in distinct.values() if item.chunk <= newest or item.note not in begun]
            if len(window) <= size:
                # The next ones are read when it is their turn: until then they may be others.
                window = window[:FEW]
            if not window:
                return
            begun.update(item.note for item in window)
            window.sort(key=lambda item: len(item.text))
            yield from (window[start : start + size] for start in range(0, len(window), size))

    def finish_generation(self) -> bool:
        """Swap to the building generation if every note is cut for it and every chunk has its vector."""
        building = find_generation(self.store, "building")
        if building is None or count_pending(self.store, building):
            return False
        behind = self.store.connection.execute("SELECT count(*) FROM notes WHERE generation < ?", (building.id,)).get
        if behind:
            return False
        self.problem = swap_generation(self.store, building)
        self._reload()
        return not self.problem

    def _embed(self, generation: Generation, embedder: Embedder, batch: list[Waiting]) -> int:
        from clawvault.index.sketches import make_sketch

        try:
            with self._computing():
                raw, sentences = _embed_batch(embedder, [item.text for item in batch])
            # An embedder that was handed in has not been checked by anyone yet (I22).
            vectors = check_vectors(raw, count=len(batch), dims=0, model=embedder.space.model)
        except EmbedderError:
            # One text may be the cause; the model is only to blame when it cannot embed a plain word either.
            with self._computing():
                embedder.embed_passages([PROBE])
            if len(batch) == 1:
                refuse_text(self.store, generation, batch[0].text_hash, "the model has no vector for this text")
                return 0
            return sum(self._embed(generation, embedder, [item]) for item in batch)
        # What the first batch taught is not in the value that the loop over batches holds.
        known = next(item for item in self._generations if item.id == generation.id)
        if known.dims and vectors.shape[1] != known.dims:
            raise EmbedderError(
                f'Model "{embedder.space.model}" gave {vectors.shape[1]} numbers a vector, not {known.dims}.',
                'Run "clawvault index --rebuild" if the model was replaced on purpose.',
            )
        sketches = [make_sketch(*item) for item in zip(vectors, sentences, strict=True)]
        add_vectors(self.store, known, [item.text_hash for item in batch], vectors, sketches)
        if not known.readings:
            with self._computing():
                readings = read_languages(embedder)
            set_readings(self.store, known, readings)
            self._reload()
        return len(batch)

    def _choose_generations(self) -> None:
        active = find_generation(self.store, "active")
        building = find_generation(self.store, "building")
        wanted = self._wanted()
        if active is not None and (active.chunker, active.space_key) == wanted:
            if building is not None and (building.chunker, building.space_key) != wanted:
                drop_building(self.store)
        elif building is None or (building.chunker, building.space_key) != wanted:
            self._begin()
        self._reload()

    def _wanted(self) -> tuple[str, str]:
        space = None if self.embedder is None else self.embedder.space
        max_tokens = 0 if space is None else space.max_tokens
        return chunker_key(self.config.chunks, max_tokens), "" if space is None else space.key

    def _begin(self) -> None:
        space = None if self.embedder is None else self.embedder.space
        settings = {"chunks": asdict(self.config.chunks), "embedding": asdict(self.config.embedding)}
        begin_generation(self.store, self._wanted()[0], space, settings)

    def _reload(self) -> None:
        found = (find_generation(self.store, state) for state in ("active", "building"))
        self._generations = [generation for generation in found if generation is not None]
        self._embedders = {generation.id: self._embedder_of(generation) for generation in self._generations}
        self._cutters = [self._cutter_of(generation) for generation in self._generations]

    def _embedder_of(self, generation: Generation) -> Embedder | None:
        if generation.space_id is None:
            return None
        if self.embedder is not None and self.embedder.space.key == generation.space_key:
            return self.embedder
        if generation.id in self._embedders:
            return self._embedders[generation.id]
        try:
            return open_embedder(former_config(self.config, generation.settings), self.environment)
        except ClawvaultError as error:
            self.problem = f"the former model cannot be opened: {error.message}"
            return None

    def _cutter_of(self, generation: Generation) -> Cutter:
        embedder = self._embedders[generation.id]
        settings = _known_fields(ChunkSettings, generation.settings["chunks"])
        if embedder is None:
            return Cutter(generation.id, ChunkSettings(**settings), lambda texts: [len(text) for text in texts], 0)
        space = embedder.space
        # How much a server reads is a setting beside its space; that of a model on this machine never changes.
        lengths = None if space.provider == "openai" else KnownLengths(self.store, generation)
        return Cutter(generation.id, ChunkSettings(**settings), embedder.count_tokens, space.max_tokens, lengths)


def _embed_batch(embedder: Embedder, texts: list[str]) -> tuple[FloatArray, list[FloatArray]]:
    try:
        return embed_parts(embedder, texts, [split_sentences(text) for text in texts])
    except EmbedderError:
        # A piece may be the cause. Pieces only refine the order, so the texts alone decide.
        import numpy as np

        return embedder.embed_passages(texts), [np.zeros((0, 0), dtype=np.float32)] * len(texts)


def former_config(config: Config, settings: Mapping[str, Any]) -> Config:
    """Return the settings with the embedding part a generation was begun with."""
    return replace(config, embedding=EmbeddingSettings(**_known_fields(EmbeddingSettings, settings["embedding"])))


def _known_fields(shape: type[Any], values: Mapping[str, Any]) -> dict[str, Any]:
    names = {item.name for item in fields(shape)}
    return {name: value for name, value in values.items() if name in names}
