"""Ask every question of a data set in every lane, on a throw-away copy of its notes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

from clawvault.api import Vault
from clawvault.config import Config, load_config
from clawvault.embed.opening import open_embedder
from clawvault.errors import UsageError
from clawvault.evaluate.asked_once import AskedOnceEmbedder
from clawvault.evaluate.datasets import Dataset, Question
from clawvault.evaluate.metrics import Span, score_question
from clawvault.evaluate.reporting import Answers, make_report
from clawvault.evaluate.throwaway import copy_notes, throw_away_vault
from clawvault.index.chunker_key import chunker_key
from clawvault.search.asking.request import FUSIONS, SearchRequest
from clawvault.search.hits.result import Hit, SearchResult
from clawvault.vault.notes import decode_note
from clawvault.vault.paths import visible
from clawvault.version import __version__

DEPTH = 50

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Lane:
    """One way of asking; ``fusion`` ``None`` takes the setting."""

    name: str
    mode: str
    fusion: str | None = None


@dataclass(frozen=True, slots=True)
class _Asking:
    lanes: Sequence[Lane]
    today: date
    depth: int


FTS, VECTOR, HYBRID = Lane("fts", "fts"), Lane("vector", "vector"), Lane("hybrid", "hybrid")
FUSION_LANES = tuple(Lane(fusion, "hybrid", fusion) for fusion in FUSIONS)
LANES = (FTS, VECTOR, HYBRID)


def evaluate(
    dataset: Dataset,
    *,
    settings: Mapping[str, object],
    environment: Mapping[str, str],
    today: date,
    lanes: Sequence[Lane] = LANES,
    depth: int = DEPTH,
    embedder: AskedOnceEmbedder | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Measure how well the questions of a data set are answered.

    Args:
        dataset: Notes and questions.
        settings: Dotted keys that win over the data set's own settings and the environment.
        environment: Where ``CLAWVAULT_*`` and keys are looked up.
        today: The day from which age is counted.
        lanes: What to ask; the vector lane is passed over where there is no model.
        depth: How many hits to ask for, 10 or more.
        embedder: Taken in place of the one the settings ask for.
        progress: Called with a stage (``notes``, ``texts``, ``questions``), how much is done and how much there is.

    Returns:
        A report; see ``make_report``. Equal input gives equal output, except for ``times``.

    Raises:
        EmbedderError: The model cannot load or answer.
        UsageError: Evidence lies in a note that is not there.
    """
    with open_copy(dataset, settings=settings, environment=environment, embedder=embedder) as vault:
        vault.index(progress=progress)
        notes = read_notes(vault)
        _check_evidence(dataset, notes)
        has_vectors = vault.opened.embedder is not None and vault.config.vector_backend != "off"
        asked = [lane for lane in lanes if lane.mode != "vector" or has_vectors]
        answers = _ask_all(vault, dataset, _Asking(asked, today, depth), measure_lines(notes), progress)
        pinned = {**_pin(vault, hash_data(notes, dataset.qrels)), "today": today.isoformat(), "depth": depth}
    return make_report(dataset, {lane.name: asdict(lane) for lane in asked}, answers, pinned)


@contextmanager
def open_copy(
    dataset: Dataset,
    *,
    settings: Mapping[str, object],
    environment: Mapping[str, str],
    embedder: AskedOnceEmbedder | None = None,
) -> Iterator[Vault]:
    """Open a throw-away copy of the notes of a data set, not yet indexed; see ``evaluate``."""
    given = load_config(dataset.notes, environment=environment, flags=settings)

    def fill(root: Path) -> None:
        copy_notes(dataset.notes, root, dataset.prefix, given.index.extensions)

    def make_embedder(config: Config) -> AskedOnceEmbedder | None:
        return embedder or open_asked_once(config, environment)

    with throw_away_vault(fill, settings=settings, environment=environment, make_embedder=make_embedder) as vault:
        yield vault


def open_asked_once(config: Config, environment: Mapping[str, str]) -> AskedOnceEmbedder | None:
    """Open the model of the settings so that each text is read once; ``None`` for provider ``none``."""
    inner = open_embedder(config, environment)
    return None if inner is None else AskedOnceEmbedder(inner)


def ask(
    vault: Vault, query: str, lane: Lane, today: date, *, limit: int = DEPTH, explain: bool = False
) -> SearchResult:
    """Ask one question of the index as it stands, through the same search that everybody uses."""
    request = SearchRequest(
        query=query, limit=limit, mode=lane.mode, fusion=lane.fusion, explain=explain, asked_by="evaluation"
    )
    return vault.opened.search(request, today=today)


def score_hits(question: Question, hits: Sequence[Hit], lengths: Mapping[str, Sequence[int]]) -> dict[str, float]:
    """Return all figures of the hits of one question; see ``score_question``.

    Args:
        question: With its evidence.
        hits: Best first; each counts with the whole of its lines.
        lengths: As ``measure_lines`` gives it.
    """
    sizes = [sum(lengths[hit.path][hit.line_start - 1 : hit.line_end]) for hit in hits]
    return score_question(question.evidence, [Span(hit.path, hit.line_start, hit.line_end) for hit in hits], sizes)


def measure_lines(notes: Mapping[str, bytes]) -> dict[str, list[int]]:
    """Return for every note how many characters each line has, its end counted as one."""
    texts = {path: decode_note(data)[0].replace("\r\n", "\n") for path, data in notes.items()}
    return {path: [len(line) + 1 for line in text.split("\n")] for path, text in texts.items()}


def read_notes(vault: Vault) -> dict[str, bytes]:
    """Return the bytes of every note of a vault by path."""
    files = vault.list_notes().files
    return {path: (vault.root / file.disk_path).read_bytes() for path, file in files.items()}


def _check_evidence(dataset: Dataset, notes: Mapping[str, bytes]) -> None:
    for question in dataset.questions:
        for span in question.evidence:
            if span.path not in notes:
                raise UsageError(
                    f'The evidence of question "{visible(question.id)}" lies in "{visible(span.path)}", '
                    f'which is no note of "{dataset.name}".',
                    "Paths count from the folder of notes, or from the folder above it.",
                )


def _ask_all(
    vault: Vault,
    dataset: Dataset,
    asking: _Asking,
    lengths: Mapping[str, Sequence[int]],
    progress: Progress | None,
) -> dict[str, Answers]:
    answers = {lane.name: Answers() for lane in asking.lanes}
    for number, question in enumerate(dataset.questions, 1):
        for lane in asking.lanes:
            result = ask(vault, question.query, lane, asking.today, limit=asking.depth)
            mine = answers[lane.name]
            mine.scores.append(score_hits(question, result.hits, lengths))
            mine.times_ms.append(
                result.took_ms - result.timings_ms["embed"] + _embedding_ms(vault, question.query, lane)
            )
            mine.n_empty += not result.hits
            mine.n_not_confident += result.no_confident_match
            mine.degraded.update(result.degraded)
        if progress is not None:
            progress("questions", number, len(dataset.questions))
    return answers


def _embedding_ms(vault: Vault, query: str, lane: Lane) -> float:
    embedder = vault.opened.embedder
    return embedder.took_ms(query) if isinstance(embedder, AskedOnceEmbedder) and lane.mode != "fts" else 0.0


def _pin(vault: Vault, data_sha256: str) -> dict[str, Any]:
    """Return what decides the figures, besides how it was asked."""
    embedder = vault.opened.embedder
    space = None if embedder is None else embedder.space
    status, config = vault.status(), vault.config
    return {
        "clawvault": __version__,
        "data_sha256": data_sha256,
        "notes": status["notes"],
        "passages": status["chunks"],
        "provider": config.embedding.provider,
        "model": None if space is None else space.model,
        "embedding_space": None if space is None else space.key,
        "chunker": chunker_key(config.chunks, 0 if space is None else space.max_tokens),
        "fusion": config.search.fusion,
        "search": asdict(config.search),
        "vector_backend": status["vector_backend"],
    }


def hash_data(notes: Mapping[str, bytes], qrels: str) -> str:
    """Return the SHA-256 of notes and questions, in hex; the order of notes and of questions does not matter.

    Args:
        notes: Bytes by vault path.
        qrels: The text of the question file.
    """
    whole = hashlib.sha256()
    for path in sorted(notes):
        whole.update(hashlib.sha256(path.encode()).digest() + hashlib.sha256(notes[path]).digest())
    for line in sorted(line.strip() for line in qrels.split("\n")):
        whole.update(hashlib.sha256(line.encode("utf-8", "surrogatepass")).digest() if line else b"")
    return whole.hexdigest()
