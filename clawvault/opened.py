"""One vault opened in this process: settings, index, embedder and search put together."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from contextlib import closing, nullcontext
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from clawvault.config import Config
from clawvault.embed.bulk import BulkEmbedder
from clawvault.embed.one_reranker import OneReranker
from clawvault.embed.opening import open_embedder
from clawvault.embed.protocol import Embedder, FloatArray
from clawvault.embed.threads import one_blas_thread
from clawvault.errors import EmbedderError, IndexFaultError, UsageError
from clawvault.index.absence import find_absence
from clawvault.index.connection import INDEX_NAME, identify, index_faults
from clawvault.index.damage import set_aside
from clawvault.index.embedding import former_config
from clawvault.index.generations import find_generation
from clawvault.index.reading import Reading
from clawvault.index.records import Generation
from clawvault.index.status import EMPTY_COUNTS, count_index, reindexing_percent
from clawvault.index.store import Store
from clawvault.index.writing_session import WritingSession, open_writing_session
from clawvault.search.asking.circumstances import Circumstances
from clawvault.search.asking.request import SearchRequest
from clawvault.search.asking.stages import Stages
from clawvault.search.hits.result import SearchResult
from clawvault.search.lanes.in_time import text_to_ask
from clawvault.search.rechecking import answer_from_disk
from clawvault.search.why import explain_note
from clawvault.vault.identity_baseline import prompt_facts
from clawvault.vault.paths import state_folder


class OpenedVault:
    """One vault in this process.

    Searching and ``status`` may be called from any thread. ``writing`` opens the index for its writer: only the
    holder of the vault's writer lock may ask for it, from one thread.

    Args:
        root: The vault folder, which holds ``.clawvault/``.
        config: All settings.
        environment: Where keys and the state folder are looked up.
        embedder: Used in place of the one the settings ask for.
        crowded: Many ask at once, as they ask a daemon: threads that share a product spin, and wait for busy cores.
    """

    def __init__(
        self,
        root: Path,
        config: Config,
        environment: Mapping[str, str],
        *,
        embedder: Embedder | None = None,
        crowded: bool = False,
    ) -> None:
        self.root = root
        self.config = config
        self.environment = environment
        self.state = state_folder(root, config, environment)
        self.embedder_problem = ""
        self.was_damaged = False
        self.no_vectors = "none of its vectors is made yet"
        self._crowded = crowded
        self._embedder = embedder
        self._embedder_opened = embedder is not None
        self._embedders: dict[str, Embedder] = {}
        self._writing: WritingSession | None = None
        self._reading: Reading | None = None
        self._reranker = OneReranker(config.search, environment)
        self._lock = threading.RLock()

    @property
    def embedder(self) -> Embedder | None:
        """Return the configured embedder; ``None`` without one, or where ``embedder_problem`` says why."""
        with self._lock:
            if not self._embedder_opened:
                self._embedder_opened = True
                try:
                    self._embedder = open_embedder(self.config, self.environment)
                except EmbedderError as error:
                    self.embedder_problem = error.message
            return self._embedder

    def writing(self, *, check: bool = False) -> WritingSession:
        """Return the index open for writing; the same session until ``close_writing``."""
        if self._writing is None:
            place = (self.root, self.state, self.config, self.environment)
            self._writing = open_writing_session(*place, self._writing_embedder(), check=check)
            self.was_damaged |= self._writing.was_damaged
        return self._writing

    def _writing_embedder(self) -> Embedder | None:
        if (embedder := self.embedder) is None and self.embedder_problem and (self.state / INDEX_NAME).exists():
            # A model that is missing today must not cost the vectors of yesterday (I21, B109).
            with closing(Store(self.state / INDEX_NAME, writer=False)) as store:
                active = find_generation(store, "active")
            return None if active is None else self._embedder_of(active)
        return embedder

    def index_identity(self) -> tuple[tuple[int, int], ...] | None:
        """Return what tells the files of the index from those that replace them; ``None`` when there is none."""
        return identify(self.state / INDEX_NAME)

    def set_index_aside(self) -> None:
        """Put what is damaged of the index out of the way, so that the next writer begins an empty one (I20).

        Only for the holder of the writer lock.

        Raises:
            IndexFaultError: It was damaged too often within an hour.
        """
        with self._lock:
            self.close()
            if (self.state / INDEX_NAME).exists():
                set_aside(self.state / INDEX_NAME)
                self.was_damaged = True

    def close_writing(self) -> None:
        """Close the index for writing, if it is open."""
        if self._writing is not None:
            self._writing.close()
            self._writing = None

    def close(self) -> None:
        """Close everything; the vault may be used again, which opens it anew."""
        with self._lock:
            self.close_writing()
            if self._embedder is not None and isinstance(self._embedder, BulkEmbedder):
                self._embedder.end_bulk()
            if self._reading is not None:
                self._reading.close()
                self._reading = None

    def warm_up(self) -> None:
        """Have the vectors in memory before the first question; a process that asks once must not."""
        with self._lock, index_faults():
            if (self.state / INDEX_NAME).exists():
                self._open_reading().warm_up()

    def search(
        self, request: SearchRequest, *, today: date, degraded: tuple[str, ...] = (), stale: bool = False
    ) -> SearchResult:
        """Answer one question from the index as it stands; the notes of all hits are looked at on disk first.

        Args:
            request: The question.
            today: The local day, from which age is counted.
            degraded: What the caller already knows to be missing.
            stale: Whether the caller knows the index to be behind.

        Raises:
            EmbedderError: Mode ``vector`` and the model cannot answer.
            IndexFaultError: There is no index yet, or mode ``vector`` and vectors are off.
            UsageError: The first day is after the last.
        """
        if request.since and request.until and request.since > request.until:
            raise UsageError(
                f"The first day, {request.since}, is after the last, {request.until}.", "Exchange --since and --until."
            )
        began = time.perf_counter()
        stages = Stages()
        self._drop_replaced()
        with stages.stage("embed"), index_faults():
            vector, problem = self._embed_question(request, today)
        threads = one_blas_thread() if self._crowded and vector is not None else nullcontext()
        with self._lock, index_faults(), threads, self._open_reading().store.one_state():
            with stages.stage("prepare"):
                at = self._circumstances(request, vector, (*degraded, *((problem,) if problem else ())), today)
            result = answer_from_disk(self.root, request, replace(at, stale=stale, stages=stages))
        took_ms = (time.perf_counter() - began) * 1000
        return replace(result, took_ms=took_ms, timings_ms=stages.took_ms, timings=request.timings)

    def why(self, path: str, request: SearchRequest, *, today: date, degraded: tuple[str, ...] = ()) -> dict[str, Any]:
        """Return why a note is not among the hits of a question.

        Args:
            path: Vault path of the note; the ending of the file may be missing.
            request: The question.
            today: The local day, from which age is counted.
            degraded: What the caller already knows to be missing.

        Returns:
            What ``explain_note`` returns, without chunks when the note is not indexed, and ``degraded``.

        Raises:
            NotFoundError: There is no such note.
            UsageError: The path is not one of a note.
        """
        self._drop_replaced()
        with self._lock, index_faults():
            store = self._open_reading().store if (self.state / INDEX_NAME).exists() else None
            path, missing = find_absence(path, self.root, self.state, self.config, store)
        if missing:
            return {"path": path, "verdict": missing, "rank": None, "chunks": [], "degraded": list(degraded)}
        with index_faults():
            vector, problem = self._embed_question(request, today)
        with self._lock, index_faults(), self._open_reading().store.one_state():
            at = self._circumstances(request, vector, (*degraded, *((problem,) if problem else ())), today)
            return {**explain_note(path, request, at), "degraded": list(at.degraded)}

    def status(self) -> dict[str, Any]:
        """Return the counts of the index, the model and what compares vectors."""
        values: dict[str, Any] = dict(EMPTY_COUNTS)
        degraded: list[str] = []
        backend = self.config.vector_backend
        self._drop_replaced()
        with self._lock, index_faults():
            if (self.state / INDEX_NAME).exists():
                reading = self._open_reading()
                values = count_index(reading.store, reading.count_pending)
                backend = reading.backend_name
                if reading.problem:
                    degraded.append(reading.problem)
            embedder = self.embedder
        if self.embedder_problem:
            degraded.append(f"embedder: {self.embedder_problem}")
        model = None if embedder is None else embedder.space.model
        if values["reindexing_percent"] is not None:
            degraded.append(f"reindexing {values['reindexing_percent']}%")
        return {
            **values,
            "vault": self.root.name,
            "model": model,
            "provider": self.config.embedding.provider,
            **prompt_facts(self.root, self.state, self.config),
            "vector_backend": backend if model or values["indexed_model"] else "off",
            "degraded": degraded,
        }

    def _drop_replaced(self) -> None:
        """Let go of files that were taken away or replaced since they were opened (I16, F44)."""
        with self._lock:
            if self._reading is not None and self._reading.is_replaced:
                self._reading.close()
                self._reading = None

    def _open_reading(self) -> Reading:
        if self._reading is None:
            self._reading = Reading(self.state / INDEX_NAME, self.config.vector_backend)
        return self._reading

    def _active(self) -> Generation:
        generation = find_generation(self._open_reading().store, "active")
        if generation is None:
            raise IndexFaultError(f'The vault "{self.root.name}" has no index yet.', 'Run "clawvault index".')
        return generation

    def _embed_question(self, request: SearchRequest, today: date) -> tuple[FloatArray | None, str]:
        """Return the vector of a question, or ``None`` and why there is none."""
        if request.mode == "fts" or not request.query.strip():
            return None, ""
        with self._lock:
            generation = self._active()
            text = text_to_ask(request, today, self._open_reading().store)
        vector, problem = self._vector_of(text, generation)
        if problem and request.mode == "vector":
            raise EmbedderError(f"Cannot search by meaning: {problem}.", 'Use "--mode fts" to search by words alone.')
        # Who chose to have no model misses nothing.
        return vector, "" if self.config.embedding.provider == "none" else problem

    def _vector_of(self, query: str, generation: Generation) -> tuple[FloatArray | None, str]:
        off = "vector lane off: "
        if self.config.vector_backend == "off":
            return None, f"{off}vector_backend is off"
        with self._lock:
            has_vectors = self._open_reading().has_vectors(generation)
        if generation.space_id is not None and not has_vectors:
            # With nothing to compare, nobody waits for the model; an embedder opens without loading it.
            if not self.embedder:
                return None, off + (self.embedder_problem or "no embedder is configured")
            with self._lock:
                n_pending = self._open_reading().count_pending(generation)
            return None, off + self.no_vectors if n_pending else ""
        try:
            embedder = self._embedder_of(generation)
            if embedder is None:
                waiting = self.no_vectors if self.embedder else "no embedder is configured"
                return None, off + (self.embedder_problem or waiting)
            vector = embedder.embed_query(query)
        except EmbedderError as error:
            return None, off + error.message
        if generation.dims and len(vector) != generation.dims:
            return None, f"{off}the model gives {len(vector)} numbers, not {generation.dims}"
        return vector, ""

    def count_pending(self) -> int:
        """Return how many chunks of the index that answers wait for a vector."""
        with self._lock, index_faults():
            if not (self.state / INDEX_NAME).exists():
                return 0
            self._drop_replaced()
            generation = find_generation(self._open_reading().store, "active")
            return 0 if generation is None else self._open_reading().count_pending(generation)

    def _embedder_of(self, generation: Generation) -> Embedder | None:
        if generation.space_id is None:
            return None
        if (current := self.embedder) is not None and current.space.key == generation.space_key:
            return current
        with self._lock:
            if generation.space_key not in self._embedders:
                former = open_embedder(former_config(self.config, generation.settings), self.environment)
                if former is None or former.space.key != generation.space_key:
                    raise EmbedderError("the model the index was made with is no longer here")
                self._embedders[generation.space_key] = former
            return self._embedders[generation.space_key]

    def _circumstances(
        self, request: SearchRequest, vector: FloatArray | None, degraded: tuple[str, ...], today: date
    ) -> Circumstances:
        reading = self._open_reading()
        generation = self._active()
        notes = list(degraded)
        if self.embedder_problem and vector is not None:
            notes.append(f"embedder: {self.embedder_problem} The model that the index was made with answers.")
        if reading.problem:
            notes.append(reading.problem)
        if (percent := reindexing_percent(reading.store)) is not None:
            notes.append(f"reindexing {percent}%")
        pending = reading.count_pending(generation) if request.mode != "fts" else 0
        if pending:
            notes.append("1 passage has no vector yet" if pending == 1 else f"{pending} passages have no vector yet")
        reranker, problem = self._reranker.at_hand() if request.query.strip() else (None, "")
        if problem:
            notes.append(f"reranking off: {problem}")
        return Circumstances(
            store=reading.store,
            generation=generation,
            backend=None if vector is None else reading.backend,
            vector=vector,
            today=today,
            vault=self.root.name,
            settings=self.config.search,
            degraded=tuple(notes),
            reranker=reranker,
        )
