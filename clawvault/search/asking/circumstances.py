"""What a question meets."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from clawvault.config import SearchSettings
from clawvault.embed.protocol import FloatArray, Reranker
from clawvault.index.records import Generation
from clawvault.index.store import Store
from clawvault.search.asking.stages import Stages

if TYPE_CHECKING:
    from clawvault.index.vectors.backends import VectorBackend


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """What a question meets: the index, the clock and the disk.

    ``vector`` is the embedded question, (dims,) float32, ``None`` when the vector lane cannot run; ``changed`` and
    ``gone`` are the paths whose rows no longer match the disk; ``stages`` gets the time of each stage.
    """

    store: Store
    generation: Generation
    backend: VectorBackend | None
    vector: FloatArray | None
    today: date
    vault: str
    settings: SearchSettings
    changed: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()
    degraded: tuple[str, ...] = ()
    stale: bool = False
    reranker: Reranker | None = None
    stages: Stages = field(default_factory=Stages)
