"""What one lane says of the candidates: pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LaneView:
    """What one lane says of the candidates.

    ``ranks`` are of the chunks it returned; ``scores`` are its raw scores, also of chunks it did not return where
    they could be computed; ``trust`` is 0..1. ``raw`` holds the plain cosines where the lane orders by more than them.
    """

    ranks: Mapping[int, int]
    scores: Mapping[int, float]
    trust: float = 1.0
    raw: Mapping[int, float] | None = None

    @property
    def raw_scores(self) -> Mapping[int, float]:
        """Return the scores that are shown: BM25 strengths or plain cosines."""
        return self.scores if self.raw is None else self.raw
