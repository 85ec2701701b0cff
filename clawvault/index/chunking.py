"""From a note's text to chunks: exact slices, bounded by what the model reads (pure)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from clawvault.config import ChunkSettings
from clawvault.index.known_cuts import KnownCuts
from clawvault.index.splitting import LengthMemory, Limits, Piece, split_pieces
from clawvault.index.units import BLOCK, HEADING, Lines, list_stretches, mark_lines, read_lines
from clawvault.index.windows import Window, line_spans, slide, word_spans
from clawvault.vault.markdown import ParsedNote

NO_CHAR_LIMIT = 1_000_000_000
OPENCLAW_TOKENS = 400
OPENCLAW_OVERLAP_TOKENS = 80
IRONCLAW_WORDS = 800
IRONCLAW_OVERLAP = 0.15
IRONCLAW_TAIL_WORDS = 50
MOST_OVERLAP = 0.5


@dataclass(frozen=True, slots=True)
class Chunk:
    """Hold one chunk of a note.

    Args:
        ordinal: Place in the note, from 0; what stands before its text, properties or its bare name, counts up to -1.
        char_start: Offset of its first character in the decoded text.
        char_end: Offset after its last; ``text[char_start:char_end]`` is the chunk.
        line_start: 1-based line of its first character.
        line_end: 1-based line of its last character.
        heading: Titles of the headings it stands under, outermost first.
        pinned: One of its lines carries a pin.
    """

    ordinal: int
    char_start: int
    char_end: int
    line_start: int
    line_end: int
    heading: tuple[str, ...]
    pinned: bool


# A note in which there is nothing to find.
NAME_ALONE = Chunk(-1, 0, 0, line_start=1, line_end=1, heading=(), pinned=False)


def chunk_note(
    text: str,
    parsed: ParsedNote,
    settings: ChunkSettings,
    *,
    count_tokens: Callable[[Sequence[str]], list[int]],
    max_tokens: int,
    lengths: LengthMemory | None = None,
    cuts: KnownCuts | None = None,
    of_front_matter: Sequence[tuple[int, int]] = (),
) -> list[Chunk]:
    """Cut a note into chunks.

    Drawings are left out, and front matter but for the lines asked for; every other character that is not white space
    is in a chunk.
    The same text with CRLF line ends has its chunks at the same lines.

    Args:
        text: The whole decoded note.
        parsed: What ``parse_note`` says of it.
        settings: Preset and sizes.
        count_tokens: What the active model reads of each text, marks included.
        max_tokens: The model's longest input; 0 sets no limit.
        lengths: What was found before of how texts compare with ``max_tokens``.
        cuts: How stretches were cut before, with the same settings and the same model.
        of_front_matter: Runs of its lines to cut as well, as ``list_property_lines`` gives them.

    Returns:
        Chunks in order of place; presets without overlap give chunks that do not touch.

    Cost: O(n log n) characters; the tokens of each chunk are counted once.
    Source: decisions "Chunks", IW-22..26, OC-24, CB-48, B053, B063, B065, L26.
    """
    lines = read_lines(text)
    pieces: list[Piece] = []
    n_above = 0
    for first, last in (*of_front_matter, *list_stretches(lines, parsed)):
        cut = _cut_stretch(lines, parsed, first, last, settings, count_tokens, max_tokens, lengths, cuts)
        pieces += cut
        n_above += len(cut) if last < parsed.body_line else 0
    headings = _read_headings(parsed)
    pinned = frozenset(parsed.pinned_lines)
    return [_chunk(lines, ordinal, piece, headings, pinned) for ordinal, piece in enumerate(pieces, -n_above)]


def _cut_stretch(
    lines: Lines,
    parsed: ParsedNote,
    first: int,
    last: int,
    settings: ChunkSettings,
    count_tokens: Callable[[Sequence[str]], list[int]],
    max_tokens: int,
    lengths: LengthMemory | None,
    cuts: KnownCuts | None,
) -> list[Piece]:
    flat, start, end = lines.flat, lines.starts[first], lines.start_of(last)
    if settings.preset == "openclaw":
        spans = line_spans(flat, start, end)
        marks = count_tokens([""])[0]
        weights = [max(count - marks, 1) for count in count_tokens([flat[a:b] for a, b in spans])]
        window = Window(OPENCLAW_TOKENS, OPENCLAW_OVERLAP_TOKENS / OPENCLAW_TOKENS)
        limit = min(OPENCLAW_TOKENS + marks, max_tokens or OPENCLAW_TOKENS + marks)
        return slide(flat, spans, weights, window, Limits(NO_CHAR_LIMIT, 1, limit), count_tokens)
    if settings.preset == "ironclaw":
        spans = word_spans(flat, start, end)
        window = Window(IRONCLAW_WORDS, IRONCLAW_OVERLAP, IRONCLAW_TAIL_WORDS)
        return slide(flat, spans, [1] * len(spans), window, Limits(NO_CHAR_LIMIT, 1, max_tokens), count_tokens)
    if settings.preset == "fixed":
        spans = word_spans(flat, start, end)
        overlap = min(settings.overlap_chars / settings.max_chars, MOST_OVERLAP)
        starts = [at for at, _ in spans]
        weights = [after - before for before, after in pairwise([*starts, end])]
        window = Window(settings.max_chars, overlap)
        return slide(flat, spans, weights, window, Limits(settings.max_chars, 1, max_tokens), count_tokens)
    each_paragraph = settings.preset == "paragraph"
    limits = Limits(
        max_chars=settings.max_chars,
        min_chars=1 if each_paragraph else min(settings.min_chars, settings.max_chars),
        max_tokens=max_tokens,
        each_from=BLOCK if each_paragraph else HEADING,
        lengths=lengths,
        cuts=cuts,
    )
    return split_pieces(flat, [Piece(start, end, mark_lines(lines, parsed, first, last))], limits, count_tokens)


@dataclass(frozen=True, slots=True)
class _Headings:
    starts: list[int]
    ends: list[int]
    paths: list[tuple[str, ...]]


def _read_headings(parsed: ParsedNote) -> _Headings:
    headings = _Headings([], [], [])
    above: list[tuple[int, str]] = []
    for block in parsed.blocks:
        if block.kind == "heading":
            above = [(level, title) for level, title in above if level < block.level]
            above.append((block.level, block.title))
            headings.starts.append(block.line_start - 1)
            headings.ends.append(block.line_end)
            headings.paths.append(tuple(title for _, title in above if title))
    return headings


def _chunk(
    lines: Lines,
    ordinal: int,
    piece: Piece,
    headings: _Headings,
    pinned: frozenset[int],
) -> Chunk:
    first, last = lines.line_at(piece.start), lines.line_at(piece.end - 1)
    return Chunk(
        ordinal=ordinal,
        char_start=lines.raw(piece.start),
        char_end=lines.raw(piece.end - 1) + 1,
        line_start=first + 1,
        line_end=last + 1,
        heading=_path_at(lines, first, last, headings),
        pinned=not pinned.isdisjoint(range(first + 1, last + 2)),
    )


def _path_at(lines: Lines, first: int, last: int, headings: _Headings) -> tuple[str, ...]:
    """Return the path of a chunk's first line that is no heading: headings at its top count as above it."""
    at = bisect_right(headings.starts, first) - 1
    if at < 0:
        return ()
    following = at + 1
    while following < len(headings.starts) and headings.starts[following] <= last:
        between = lines.flat[lines.start_of(max(headings.ends[at], first)) : lines.starts[headings.starts[following]]]
        if headings.ends[at] <= first or between.strip():
            break
        at, following = following, following + 1
    return headings.paths[at]
