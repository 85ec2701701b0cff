"""The two lanes that a host asks during a conversation: what lasts, and what was said in it before (MN-41..49)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from clawvault.context.cutting import Line, clip, count_fitting, make_pieces, running_sizes
from clawvault.context.fetching import Ask, fetch_hits
from clawvault.context.naming import left_out
from clawvault.context.passages import MOST_PASSAGES, Passage, choose_passages
from clawvault.context.rendering import Block, ReadOn, render_block
from clawvault.context.sources import Shelf, read_source
from clawvault.context.turns import without_flagged_turns
from clawvault.errors import ClawvaultError, UsageError
from clawvault.guard.identity import RESERVED_FOLDER, is_reserved
from clawvault.guard.presenting import clean_line
from clawvault.vault.paths import name_problem, visible

MOST_PIECES = 4
PIECE_BYTES = 400
SNIPPET_BYTES = 512
MAX_SNIPPETS = 50
# A snippet of 512 bytes and what stands around it, however long its path is, have no more.
_ROOM = 32_768
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@dataclass(frozen=True, slots=True)
class Snippet:
    """One passage of a lane.

    Attributes:
        kind: ``memory`` for the beginning of the long-term memory note, else ``hit``.
        path: Its note.
        line_start: First line.
        line_end: Last line, inclusive.
        text: At most 400 bytes of the memory note, 512 of a hit.
        date: ISO day of the note, or ``None``.
        remarks: What speaks against it.
        next_line: Where to read on, when the passage goes on; else ``None``.
    """

    kind: str
    path: str
    line_start: int
    line_end: int
    text: str
    date: str | None = None
    remarks: tuple[str, ...] = ()
    next_line: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {**{name: getattr(self, name) for name in self.__slots__}, "remarks": list(self.remarks)}


@dataclass(frozen=True, slots=True)
class LaneAnswer:
    """What a lane gives.

    Attributes:
        lane: ``long`` or ``short``.
        snippets: The memory note first, then hits, best first.
        n_flagged: Lines, turns and passages that are left out, since they may steer a model.
        degraded: What was missing, and why.
        left_out: What ``n_flagged`` counts, in words, one sentence for each kind.
    """

    lane: str
    snippets: tuple[Snippet, ...] = ()
    n_flagged: int = 0
    degraded: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "lane": self.lane,
            "snippets": [snippet.to_dict() for snippet in self.snippets],
            "flagged": self.n_flagged,
            "degraded": list(self.degraded),
        }


def read_long_term(shelf: Shelf, query: str, *, ask: Ask, limit: int = MOST_PASSAGES) -> LaneAnswer:
    """Return the beginning of the long-term memory note, whatever is asked, and what a search finds elsewhere.

    Args:
        shelf: Where notes are read from.
        query: What the conversation is about; empty gives the memory note alone.
        ask: Answers a search.
        limit: The most hits, 1..50.

    Returns:
        At most 4 pieces of at most 400 bytes, then hits outside of ``threads/`` and of the memory note.

    Raises:
        UsageError: The limit is out of range.

    Source: MN-42..47, MN-49.
    """
    _check_limit(limit)
    memory = shelf.config.memory_file
    source, problems = None, list[str]()
    try:
        source = read_source(shelf, "memory", memory)
    except (ClawvaultError, OSError) as error:
        problems.append(clean_line(str(error)))
    pieces = make_pieces(source.lines, most=MOST_PIECES, most_bytes=PIECE_BYTES) if source else []
    snippets = [
        Snippet(
            "memory",
            memory,
            piece.line_start,
            piece.line_end,
            piece.text,
            next_line=piece.clipped_line,
        )
        for piece in pieces
    ]
    hits, degraded = fetch_hits(ask, {"query": query}, limit)
    passages, n_passages = choose_passages(
        hits, most=limit, is_wanted=lambda path: path != memory and not is_reserved(path)
    )
    n_lines = source.n_flagged if source else 0
    return LaneAnswer(
        "long",
        (*snippets, *map(_snippet_of, passages)),
        n_lines + n_passages,
        (*problems, *degraded),
        _say_left_out(line=n_lines, passage=n_passages),
    )


def read_short_term(thread_id: str | None, query: str, *, ask: Ask, limit: int = MOST_PASSAGES) -> LaneAnswer:
    """Return what a search finds in one recorded conversation, and nowhere else; a turn that may steer stays out.

    Args:
        thread_id: Of the conversation, from the host and never from a model; ``None`` or empty finds nothing.
        query: What to look for; empty finds nothing.
        ask: Answers a search.
        limit: The most hits, 1..50.

    Raises:
        UsageError: The id is none that a conversation can have, or the limit is out of range.

    Source: MN-48, MN-49.
    """
    _check_limit(limit)
    if not thread_id:
        return LaneAnswer("short")
    folder = f"{RESERVED_FOLDER}/{check_id('thread', thread_id)}"
    fields = {"query": query, "path": folder}
    hits, degraded = fetch_hits(ask, fields, limit)
    said, n_turns = without_flagged_turns(hit for hit in hits if hit["path"].startswith(f"{folder}/"))
    passages, n_passages = choose_passages(said, most=limit)
    return LaneAnswer(
        "short",
        tuple(map(_snippet_of, passages)),
        n_turns + n_passages,
        degraded,
        _say_left_out(turn=n_turns, passage=n_passages),
    )


def check_id(what: str, identity: str) -> str:
    """Return the id of a conversation or of a run, if a folder or a note can be called so.

    Raises:
        UsageError: It cannot.

    Source: MN-48, MN-50, T01.
    """
    if not _ID.fullmatch(identity) or identity.endswith(".") or name_problem(identity):
        raise UsageError(
            f'"{visible(identity)}" is no id of a {what}.',
            "Use 1 to 100 letters, digits, _ . and -, beginning with a letter or a digit.",
        )
    return identity


def render_lane(answer: LaneAnswer, read_on: ReadOn) -> str:
    """Return the snippets of a lane as Markdown, each between fences, and below them what was left out."""
    shown = []
    for snippet in answer.snippets:
        path = clean_line(snippet.path)
        kind = "Long-term memory" if snippet.kind == "memory" else "Passage"
        said = [kind, f"lines {snippet.line_start} to {snippet.line_end}"]
        said += [*([snippet.date] if snippet.date else []), *snippet.remarks]
        lines = tuple(enumerate(snippet.text.split("\n"), snippet.line_start))
        remark = f"It goes on; read on with {read_on(path, snippet.next_line)}" if snippet.next_line else ""
        block = Block(path, ", ".join(said), lines, snippet.line_end, remark)
        shown.append(render_block(block, _ROOM, read_on).text)
    shown += [f"\n{said}\n" for said in answer.left_out]
    return "".join(shown).lstrip("\n")


def _say_left_out(**counts: int) -> tuple[str, ...]:
    return tuple(left_out(n, what) for what, n in counts.items() if n)


def _snippet_of(passage: Passage) -> Snippet:
    lines = passage.within(SNIPPET_BYTES + 1).lines
    n = count_fitting(running_sizes(lines), SNIPPET_BYTES + 1)
    shown: tuple[Line, ...] = lines[:n] or ((lines[0][0], clip(lines[0][1], SNIPPET_BYTES)),)
    return Snippet(
        kind="hit",
        path=passage.path,
        line_start=shown[0][0],
        line_end=shown[-1][0],
        text="\n".join(text for _, text in shown),
        date=passage.date,
        remarks=passage.remarks,
        next_line=None if n == len(lines) else lines[n][0],
    )


def _check_limit(limit: int) -> None:
    if not 1 <= limit <= MAX_SNIPPETS:
        raise UsageError(f"The limit is {limit}.", f"Ask for 1 to {MAX_SNIPPETS} hits.")
