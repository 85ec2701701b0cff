"""How stretches of long notes were cut before, so that a line added to their end costs the cuts beside it."""

from __future__ import annotations

# Of notes of some 20 million characters together.
MOST_CUTS = 2048


class KnownCuts:
    """How stretches of a few chunks were cut within one set of bounds, the last ones of them."""

    def __init__(self) -> None:
        self._places: dict[bytes, list[tuple[int, int]]] = {}

    def find(self, key: bytes) -> list[tuple[int, int]] | None:
        """Return where the pieces of a stretch begin and end, from its beginning on; ``None`` when not known."""
        return self._places.get(key)

    def add(self, key: bytes, places: list[tuple[int, int]]) -> None:
        """Take in how a stretch was cut."""
        if len(self._places) >= MOST_CUTS:
            del self._places[next(iter(self._places))]
        self._places[key] = places
