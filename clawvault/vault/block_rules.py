"""Where the blocks of a note begin and end (pure).

The block rules of markdown-it-py decide, with its inline rules switched off: CommonMark to the letter, and an
order of magnitude cheaper than a full parse. Notes that need none of the harder rules are read by ``simple_blocks``,
to the same result. A note built to make nested containers expensive goes to
``plain_blocks`` instead, which knows only what can be told from one line and the fence it is in.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from clawvault.vault.block_windows import MOST_CHARS, MOST_WINDOWS, WINDOW_LINES, read_in_windows
from clawvault.vault.plain_blocks import DRAWING_INFO, Block, plain_blocks, settle_blocks
from clawvault.vault.simple_blocks import simple_blocks

MAX_NESTING = 12
MAX_HEAD = 400
MAX_LINE = 20_000
BUDGET = 1.2
MIN_BUDGET = 30_000
MAX_BUDGET = 400_000
CONTAINER = re.compile(r"(?:[ \t]*(?:>|[-*+](?=[ \t]|$)|[0-9]{1,9}[.)](?=[ \t]|$)))+")
CONTAINER_SIGN = re.compile(r">|[-*+](?=[ \t]|$)|[.)](?=[ \t]|$)")
KINDS = {
    "paragraph_open": "paragraph",
    "blockquote_open": "quote",
    "table_open": "table",
    "fence": "fence",
    "code_block": "fence",
    "html_block": "html",
    "hr": "rule",
}
# What a text must hold for a rule ever to say yes. Every rule is tried on nearly every line, so those that cannot say
# yes are left out: it takes as many tests of a whole text to spare as many of each of its lines.
_INSIDE = r"(?m)^[ \t>*+\-.)0-9]*"
NEEDED: Mapping[str, Callable[[str], object]] = {
    "table": re.compile(r"\|").search,
    "code": re.compile(r"\t|    ").search,
    "fence": re.compile(r"```|~~~").search,
    "blockquote": re.compile(_INSIDE + ">").search,
    "hr": re.compile(r"(?m)[-*_][ \t]*$").search,
    "list": re.compile(r"(?m)^[ \t>]*(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]|$)").search,
    "html_block": re.compile(_INSIDE + "<").search,
    "heading": re.compile(_INSIDE + "#").search,
    "lheading": re.compile(r"(?m)[-=][ \t]*$").search,
}


@dataclass(frozen=True, slots=True)
class Reading:
    """The blocks of a note and the 1-based lines that are code, in whatever they are nested."""

    blocks: tuple[Block, ...]
    code_lines: frozenset[int]


@cache
def _parser_of(rules: frozenset[str]) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).enable("table")
    # A reference definition is a line of text here, and the rule re-reads the rest of its paragraph for each.
    parser.disable("reference")
    parser.disable(sorted(NEEDED.keys() - rules))
    parser.core.ruler.enableOnly(["block"])
    return parser


def parse_blocks(text: str, rules: frozenset[str] | None = None) -> list[Token]:
    """Return the tokens of the blocks of a text.

    Args:
        text: With LF alone as line end.
        rules: The rules to try; ``None`` tries those that can apply, which comes to the same as all.
    """
    if rules is None:
        rules = frozenset(rule for rule, finds in NEEDED.items() if finds(text))
    return _parser_of(rules).parse(text)


def read_blocks(lines: Sequence[str], first: int, *, drawing: bool = False) -> Reading:
    """Split a note into blocks.

    Args:
        lines: All lines of the note, without their LF.
        first: 1-based number of the first line after the front matter.
        drawing: The note is an Excalidraw drawing: what is under its heading "Drawing" is not text.

    Returns:
        Blocks in order that do not overlap and hold each line that is not blank.
    """
    # Control characters never end a line here: only LF does, as for everybody who counts lines.
    body = [line.rstrip("\r").replace("\r", " ").replace("\0", "\ufffd") for line in lines[first - 1 :]]
    found, code = read_in_windows(body, first, plain_blocks if is_costly(body) else cheap_blocks)
    if first > 1:
        found.insert(0, Block("front_matter", 1, first - 1))
    if drawing:
        found = _mark_drawing(found)
    return Reading(tuple(found), frozenset(code))


def is_costly(body: Sequence[str]) -> bool:
    """Tell whether rules that read lines again for each container could take long (B073, T14)."""
    spent, depth, cells = 0.0, 0, 0
    for at in range(0, len(body), WINDOW_LINES):
        text = "\n".join(body[at : at + WINDOW_LINES])
        # What was worked out of the beginning of a long note holds when something is added to its end.
        cost_of = _cost_of if len(text) <= MOST_CHARS else _cost_of.__wrapped__
        more, depth, cells = cost_of(text, depth, cells)
        spent += more
    chars = sum(map(len, body)) + len(body)
    return spent > max(MIN_BUDGET, min(BUDGET * chars, MAX_BUDGET))


@lru_cache(MOST_WINDOWS)
def _cost_of(text: str, depth: int, cells: int) -> tuple[float, int, int]:
    """Return what lines could cost, and how many containers and cells of a table they leave for those below.

    The numbers are microseconds of one core, measured for each shape of line.
    """
    spent = 0
    for line in text.split("\n"):
        if not line:
            cells = 0
            continue
        start = line[0]
        own = 0
        if start in " \t>-*+" or start.isdigit():
            head = CONTAINER.match(line, 0, MAX_HEAD)
            own = len(CONTAINER_SIGN.findall(head[0])) if head else 0
            if own >= MAX_NESTING or (own and len(line) > MAX_LINE):
                return math.inf, depth, cells
        depth = max(own, depth)
        if "|" in line:
            cells = max(cells, line.count("|"))
        spent += 10 + 35 * own + 5 * depth + 4 * cells + 12 * (start == "#")
    return spent, depth, cells


def cheap_blocks(body: Sequence[str]) -> tuple[list[Block], set[int]]:
    """Return what ``markdown_blocks`` does, the short way where there is one."""
    simple = simple_blocks(body)
    return markdown_blocks(body) if simple is None else (settle_blocks(simple[0], body), simple[1])


def markdown_blocks(body: Sequence[str]) -> tuple[list[Block], set[int]]:
    """Return the blocks of lines by the full rules, numbered from 1, and the lines that are code."""
    found: list[Block] = []
    code: set[int] = set()
    tokens = parse_blocks("\n".join(body))
    list_depth = 0
    for index, token in enumerate(tokens):
        if token.map is not None and token.type in {"fence", "code_block"}:
            code.update(range(token.map[0] + 1, token.map[1] + 1))
        if token.type.endswith("_list_open") and token.level == 0:
            list_depth = 1
        elif token.type.endswith("_list_close") and token.level == 0:
            list_depth = 0
        block = _block_of(token, tokens, index, list_depth)
        if block is not None:
            found.append(block)
    return settle_blocks(found, body), code


def _block_of(token: Token, tokens: Sequence[Token], index: int, list_depth: int) -> Block | None:
    if token.map is None:
        return None
    start, end = token.map[0] + 1, token.map[1]
    if list_depth:
        return Block("list_item", start, end, 1) if token.level == 1 and token.type == "list_item_open" else None
    if token.level:
        return None
    if token.type == "heading_open":
        title = " ".join(tokens[index + 1].content.split("\n"))
        return Block("heading", start, end, int(token.tag[1]), title)
    kind = KINDS.get(token.type)
    if kind == "fence" and token.info.strip().startswith(DRAWING_INFO):
        kind = "drawing"
    return Block(kind, start, end) if kind else None


def _mark_drawing(found: Sequence[Block]) -> list[Block]:
    marked: list[Block] = []
    inside = 0
    for block in found:
        if block.kind == "heading":
            if inside and block.level <= inside:
                inside = 0
            if block.title.strip().casefold() == "drawing":
                inside = block.level
        marked.append(Block("drawing", block.line_start, block.line_end) if inside else block)
    return marked
