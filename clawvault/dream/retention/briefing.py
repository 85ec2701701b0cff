"""What makes a long-term memory note less than a briefing: pure (CS-26..31, L5).

It is loaded at the start of every conversation. So it is measured in bytes, and what is long belongs in a note of its
own with a pointer to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from clawvault.dream.recall.statements import Statement, list_statements
from clawvault.guard.agent_orders import reads_as_command
from clawvault.guard.findings import Severity
from clawvault.guard.injections import scan
from clawvault.guard.secret_text import find_secrets
from clawvault.keeping.likeness import plain
from clawvault.keeping.remembering import FULL_BYTES, WARN_BYTES
from clawvault.vault.inline_marks import Link
from clawvault.vault.markdown import Block, parse_note

MEND, ADVICE = "mend", "advice"
MAX_BLOCK_BYTES = 600
# A section of a quarter of the soft cap leaves no room for three more of its kind.
MAX_SECTION_BYTES = WARN_BYTES // 4
# Shorter lines, such as names of headings or single words, are often there twice with good reason.
MIN_DUPLICATE_CHARS = 12
SHOWN_SECTIONS = 3
INLINE = frozenset({"paragraph", "list_item", "table", "fence", "quote", "html"})
_POINTER = re.compile(r"[^\[\]]{0,80}?[:：]?\s*(?:\[\[[^\]]+\]\]|\[[^\]]+\]\([^)]+\))[.。]?")

# Says what is wrong with a link, or nothing when it leads somewhere.
FindFault = Callable[[Link], str]


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One thing in a note that keeps it from being a briefing.

    Attributes:
        line_start: 1-based.
        line_end: Inclusive.
        code: A stable word: ``over-hard-cap``, ``over-soft-cap``, ``large-section``, ``long-block``,
            ``duplicate-line``, ``dead-pointer``, ``broken-link``, ``order``, ``steering``, ``secret``.
        severity: ``mend``, or ``advice`` for what may be as it is.
        message: What is there.
        advice: What to do about it.
    """

    line_start: int
    line_end: int
    code: str
    severity: str
    message: str
    advice: str

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as JSON values."""
        return asdict(self)


def lint_briefing(text: str, find_fault: FindFault) -> tuple[Finding, ...]:
    """Name what a long-term memory note should not hold, or not there.

    Args:
        text: The note.
        find_fault: Says what is wrong with a link.

    Returns:
        Findings in order of place; what is about the whole note comes first.

    Source: CS-26..31, L5.
    """
    lines = text.split("\n")
    parsed = parse_note(text)
    said = list_statements(text)
    found = [
        *_sections(lines, parsed.blocks),
        *_long_blocks(lines, said),
        *_duplicates(said),
        *_orders(said),
        *_dangers(text),
        *_links(lines, parsed.links, find_fault),
    ]
    sections = [finding for finding in found if finding.code == "large-section"]
    return (*_caps(text, lines, sections), *sorted(found))


def _caps(text: str, lines: Sequence[str], sections: Sequence[Finding]) -> Iterator[Finding]:
    size = len(text.encode("utf-8", "surrogatepass"))
    last = max(1, len(lines) - (lines[-1] == ""))
    where = ", ".join(f"{item.line_start}-{item.line_end}" for item in sections[:SHOWN_SECTIONS])
    advice = "Move what is long to notes of its own, and leave a pointer: - Topic: [[topics/name]]."
    advice += f" Begin with lines {where}." if where else ""
    if size > FULL_BYTES:
        said = f"It has {size} bytes, more than the {FULL_BYTES} a conversation should begin with."
        yield Finding(1, last, "over-hard-cap", MEND, said, advice)
    elif size > WARN_BYTES:
        said = f"It has {size} bytes; at {FULL_BYTES} nothing more is added to it."
        yield Finding(1, last, "over-soft-cap", ADVICE, said, advice)


def _sections(lines: Sequence[str], blocks: Sequence[Block]) -> Iterator[Finding]:
    headings = [block for block in blocks if block.kind == "heading"]
    ends = [block.line_start - 1 for block in headings[1:]] + [len(lines)]
    for heading, end in zip(headings, ends, strict=False):
        last = max((b.line_end for b in blocks if heading.line_start <= b.line_start <= end), default=heading.line_end)
        size = _n_bytes(lines, heading.line_start, last)
        if size > MAX_SECTION_BYTES:
            said = f'The section "{heading.title}" has {size} bytes, more than {MAX_SECTION_BYTES}.'
            advice = "Give it a note of its own, and leave one line here that says what it is about and points to it."
            yield Finding(heading.line_start, last, "large-section", ADVICE, said, advice)


def _long_blocks(lines: Sequence[str], said: Iterable[Statement]) -> Iterator[Finding]:
    spans: dict[tuple[int, int], str] = {}
    for item in said:
        if item.kind in INLINE and not item.is_generated:
            spans[item.line_start, item.line_end] = item.kind
    for (first, last), kind in _joined(spans, lines):
        size = _n_bytes(lines, first, last)
        if size > MAX_BLOCK_BYTES:
            message = f"{_KINDS[kind]} of {size} bytes stands here in full."
            advice = "Keep the one sentence that matters, move the rest to a note, and point to it."
            yield Finding(first, last, "long-block", ADVICE, message, advice)


def _joined(spans: dict[tuple[int, int], str], lines: Sequence[str]) -> Iterator[tuple[tuple[int, int], str]]:
    """Join the sentences of one paragraph, which are statements of their own."""
    open_span: tuple[int, int] | None = None
    for first, last in sorted(spans):
        kind = spans[first, last]
        if kind != "paragraph":
            yield (first, last), kind
            continue
        if open_span is not None and first <= open_span[1] + 1 and lines[first - 2].strip():
            open_span = (open_span[0], max(open_span[1], last))
            continue
        if open_span is not None:
            yield open_span, "paragraph"
        open_span = (first, last)
    if open_span is not None:
        yield open_span, "paragraph"


def _duplicates(said: Iterable[Statement]) -> Iterator[Finding]:
    seen: dict[str, int] = {}
    for item in said:
        key = plain(item.text)
        if item.kind == "heading" or len(key) < MIN_DUPLICATE_CHARS:
            continue
        if key in seen:
            message = f"It says what line {seen[key]} says."
            yield Finding(item.line_start, item.line_end, "duplicate-line", ADVICE, message, "Remove one of the two.")
        seen.setdefault(key, item.line_start)


def _orders(said: Iterable[Statement]) -> Iterator[Finding]:
    for item in said:
        if item.kind in {"list_item", "paragraph", "quote"} and reads_as_command(item.text):
            message = "It reads as an order to whoever loads this note, in every conversation."
            advice = 'Say it as a fact: "Anna prefers short answers", not "Always answer briefly".'
            yield Finding(item.line_start, item.line_end, "order", ADVICE, message, advice)


def _dangers(text: str) -> Iterator[Finding]:
    for flaw in scan(text):
        if flaw.severity >= Severity.HIGH:
            message = f"It may steer a model: {flaw.reason}."
            yield Finding(flaw.line, flaw.line, "steering", MEND, message, "Find out who wrote it, and remove it.")
    for secret in find_secrets(text):
        message = f"It holds a secret ({secret.kind})."
        yield Finding(secret.line, secret.line, "secret", MEND, message, "Keep it in a password manager, not here.")


def _links(lines: Sequence[str], links: Iterable[Link], find_fault: FindFault) -> Iterator[Finding]:
    for link in links:
        problem = find_fault(link)
        if not problem:
            continue
        said = lines[link.line - 1].strip().lstrip("-*+ ")
        if _POINTER.fullmatch(said):
            advice = "Point to where that note is now, or remove the line."
            yield Finding(link.line, link.line, "dead-pointer", MEND, problem, advice)
        else:
            yield Finding(link.line, link.line, "broken-link", MEND, problem, "Mend the link, or take it out.")


def _n_bytes(lines: Sequence[str], first: int, last: int) -> int:
    return len("\n".join(lines[first - 1 : last]).encode("utf-8", "surrogatepass"))


_KINDS = {
    "paragraph": "A paragraph",
    "list_item": "An item",
    "table": "A table",
    "fence": "Code",
    "quote": "A quotation",
    "html": "HTML",
}
