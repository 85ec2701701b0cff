"""Choose passages of a search that say something new, and nothing that steers: pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from clawvault.context.cutting import Line, begin_near, size_of
from clawvault.context.naming import flags_of_names, flags_of_path, is_nameable, quote
from clawvault.guard.presenting import clean_line
from clawvault.guard.screening import screen
from clawvault.search.hits.snippet import uncut

MOST_PASSAGES = 8


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage as a model may see it.

    Attributes:
        path: Of its note.
        lines: Numbered as in the note.
        heading: The headings above it, joined; empty when there is none.
        date: ISO day of the note, or ``None``.
        remarks: What speaks against it: that it was replaced, or changed.
        snippet: The part of a line that shows why it was found; empty when it is not known.
    """

    path: str
    lines: tuple[Line, ...]
    heading: str = ""
    date: str | None = None
    remarks: tuple[str, ...] = ()
    snippet: str = ""

    def within(self, room: int) -> Passage:
        """Return the passage from so near before its snippet that this has room, in bytes; whole where all has."""
        place = next((at for at, (_, text) in enumerate(self.lines) if self.snippet in text), 0)
        lines = begin_near(self.lines, place, room)
        number, text = lines[0]
        if size_of(text) >= room:
            # A paragraph is often one line.
            at = text.find(self.snippet)
            begins = text.find(" ", max(0, at - room // 8), at) + 1 or at
            lines = [(number, f"… {text[begins:]}" if at > room // 8 else text), *lines[1:]]
        return replace(self, lines=tuple(lines))

    @property
    def line_start(self) -> int:
        """Return the number of its first line."""
        return self.lines[0][0]

    @property
    def line_end(self) -> int:
        """Return the number of its last line."""
        return self.lines[-1][0]


def choose_passages(
    hits: Iterable[Mapping[str, Any]],
    *,
    most: int = MOST_PASSAGES,
    is_wanted: Callable[[str], bool] = lambda _: True,
    shown: Mapping[str, Collection[int]] | None = None,
    shown_lines: Collection[str] = (),
) -> tuple[list[Passage], int]:
    """Choose the best hits that may be given and say something new.

    Args:
        hits: Best first, as ``Hit.to_dict`` gives them.
        most: The most passages.
        is_wanted: Says whether passages of a path may be given.
        shown: For each path the numbers of lines that are given already.
        shown_lines: Texts of lines that are given already, wherever they are from.

    Returns:
        Passages, best first, and how many were left out since they may steer a model. Lines that are given already
        are taken off; a passage of nothing else is left out.

    Source: MN-47..49, I44, L8, L18.
    """
    chosen: list[Passage] = []
    n_flagged = 0
    for hit in hits:
        if len(chosen) == most:
            break
        if not is_wanted(hit["path"]):
            continue
        seen = screen(hit["text"])
        if hit.get("flagged") or seen.flags or _flags_of_place(hit):
            n_flagged += 1
            continue
        lines = _new_lines(hit, seen.text, (shown or {}).get(hit["path"], ()), shown_lines)
        if lines:
            chosen.append(
                Passage(hit["path"], lines, _heading_of(hit), hit["date"], _remarks_of(hit), _snippet_of(hit))
            )
    return chosen, n_flagged


def _new_lines(
    hit: Mapping[str, Any], text: str, given: Collection[int], given_texts: Collection[str]
) -> tuple[Line, ...]:
    texts = text.removesuffix("\n").split("\n")
    lines = [(hit["line_start"] + at, line.rstrip()) for at, line in enumerate(texts)]
    # The last of several chunks of one line has as many lines as it says; only then do the numbers tell anything.
    if lines[-1][0] == hit["line_end"]:
        lines = [line for line in lines if line[0] not in given]
    while lines and not lines[0][1]:
        del lines[0]
    while lines and not lines[-1][1]:
        del lines[-1]
    if all(line.strip() in given_texts or not line.strip() for _, line in lines):
        return ()
    return tuple(lines)


def _flags_of_place(hit: Mapping[str, Any]) -> tuple[str, ...]:
    return flags_of_path(hit["path"]) or flags_of_names(*map(str, hit.get("heading", ())))


def _heading_of(hit: Mapping[str, Any]) -> str:
    return " › ".join(clean_line(screen(str(part)).text) for part in hit.get("heading", ()))


def _snippet_of(hit: Mapping[str, Any]) -> str:
    return uncut(str(hit.get("snippet") or ""))


def _remarks_of(hit: Mapping[str, Any]) -> tuple[str, ...]:
    remarks = []
    if by := str(hit.get("superseded_by") or ""):
        remarks.append(f"possibly superseded by {quote(by)}" if is_nameable(by) else "possibly superseded")
    if hit.get("stale"):
        remarks.append("changed since it was indexed")
    return tuple(remarks)
