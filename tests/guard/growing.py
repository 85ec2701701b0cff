"""Whether the time a guard takes grows as its text does."""

from __future__ import annotations

import time
from collections.abc import Callable


def grows_with_length(look: Callable[[str], object], piece: str, *, n_chars: int) -> bool:
    """Say whether four times the text takes less than 2.5 times the time for each of both doublings."""
    text = piece * (4 * n_chars // len(piece) + 1)
    small, large = (min(_seconds(look, text[:size]) for _ in range(3)) for size in (n_chars, 4 * n_chars))
    return large < 6.25 * small + 0.005


def _seconds(look: Callable[[str], object], text: str) -> float:
    began = time.process_time()
    look(text)
    return time.process_time() - began
