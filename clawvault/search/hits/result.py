"""What a question is answered with (design, section 4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clawvault.embed.probe import Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One passage: an exact slice of its note, and why it is here.

    ``rank`` starts at 1. ``score`` is fused and decayed, 0..1; ``cosine`` (-1..1), ``text_score`` (0..1) and both lane
    ranks are raw and ``None`` where that lane did not return the chunk (IW-67). ``lines`` are 1-based, inclusive.
    ``decay`` and ``time`` are factors already inside ``score``. ``copies`` counts passages with the same text, itself
    included, and ``copy_paths`` names up to ten other notes that hold it; ``merged`` counts the chunks that the passage
    is made of, whose scores and ranks are those of the best; ``more_in_note`` further passages of a note shown once.
    ``superseded_by`` is ``path:line`` of a later statement that possibly replaces one of this passage (limits L18).
    ``flagged`` are labels of texts in the passage, or its title or headings, that may steer a model, the worst first,
    such as ``critical:ignore-previous``. ``text`` is the slice of the note with each secret masked by a mark of its
    length (I43).
    """

    rank: int
    path: str
    line_start: int
    line_end: int
    heading: tuple[str, ...]
    text: str
    snippet: str
    score: float
    cosine: float | None
    text_score: float | None
    fts_rank: int | None
    vector_rank: int | None
    date: str | None
    evergreen: bool
    decay: float
    vault: str
    title: str = ""
    copies: int = 1
    copy_paths: tuple[str, ...] = ()
    merged: int = 1
    more_in_note: int = 0
    stale: bool = False
    time: float = 1.0
    superseded_by: str | None = None
    flagged: tuple[str, ...] = ()
    explain: dict[str, Any] | None = None

    @property
    def is_hybrid_match(self) -> bool:
        """Say whether both lanes returned the passage: the best sign of quality (IW-68)."""
        return self.fts_rank is not None and self.vector_rank is not None

    def to_dict(self) -> dict[str, Any]:
        """Return the hit as JSON values, in the order of the contract."""
        values: dict[str, Any] = {
            "rank": self.rank,
            "path": self.path,
            "line_start": self.line_start,
            "line_end": self.line_end,
            "heading": list(self.heading),
            "text": self.text,
            "snippet": self.snippet,
            "score": round(self.score, 6),
            "cosine": _rounded(self.cosine),
            "text_score": _rounded(self.text_score),
            "fts_rank": self.fts_rank,
            "vector_rank": self.vector_rank,
            "is_hybrid_match": self.is_hybrid_match,
            "date": self.date,
            "evergreen": self.evergreen,
            "decay": round(self.decay, 6),
            "vault": self.vault,
            "title": self.title,
            "copies": self.copies,
            "copy_paths": list(self.copy_paths),
            "merged": self.merged,
            "more_in_note": self.more_in_note,
            "stale": self.stale,
            "time": round(self.time, 6),
            "superseded_by": self.superseded_by,
            "flagged": list(self.flagged),
        }
        if self.explain is not None:
            values["explain"] = self.explain
        return values


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """The answer to one question.

    ``degraded`` names each part that was missing and why; ``stale`` says that the index is behind the notes;
    ``no_confident_match`` that nothing was good enough to show (I25, limits L20). ``time`` says how time words were
    read: ``words`` as they were written, ``since`` and ``until`` the ISO days they mean, both ``None`` where the caller
    said the days. ``timings_ms`` are the milliseconds of each stage in order; ``timings`` says whether they were asked
    for. ``readings`` say what a cosine of the model is worth, language by language; empty when that was not measured.
    """

    query: str
    mode: str
    hits: tuple[Hit, ...] = ()
    took_ms: float = 0.0
    degraded: tuple[str, ...] = ()
    stale: bool = False
    no_confident_match: bool = False
    time: dict[str, Any] | None = None
    timings_ms: dict[str, float] = field(default_factory=dict)
    timings: bool = False
    readings: Mapping[str, Reading] = field(default_factory=dict, repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as JSON values, in the order of the contract."""
        values: dict[str, Any] = {
            "query": self.query,
            "mode": self.mode,
            "took_ms": round(self.took_ms, 2),
            "degraded": list(self.degraded),
            "stale": self.stale,
            "no_confident_match": self.no_confident_match,
            "hits": [hit.to_dict() for hit in self.hits],
            "time": self.time,
        }
        if self.timings:
            values["timings_ms"] = {stage: round(value, 3) for stage, value in self.timings_ms.items()}
        return values
