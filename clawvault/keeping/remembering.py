"""Keep one fact where it belongs, once (TC-23, MN-27, MN-32)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from clawvault.errors import ClawvaultError, ConflictError, UsageError
from clawvault.guard.agent_orders import is_order_to_agent
from clawvault.keeping.editing import append_item, insert_under
from clawvault.keeping.known_notes import read_known_notes
from clawvault.keeping.likeness import Alike, find_alike, plain
from clawvault.keeping.means import Means, Written, check_name, check_text, rewrite
from clawvault.keeping.routing import MEMORY, POINTERS, Category, find_category
from clawvault.keeping.targets import resolve_target
from clawvault.vault.note_file import match_folders, stat_note
from clawvault.vault.paths import open_inside, visible
from clawvault.vault.writing import new_group, sha256_of

MAX_FACT_CHARS = 1000
WARN_BYTES = 8192
FULL_BYTES = 10_000
# A line and a heading for each topic of the table, in either language: these are put in however full the note is.
POINTERS_BYTES = 600
# The line gets a mark of its own. A number before a point may be the day of a date, so it stays.
_BULLET = re.compile(r"\A[-*+][ \t]+(?:\[[ xX]\][ \t]+)?")


class _FullError(Exception):
    """The long-term memory note has no room for another line."""


class _KnownError(Exception):
    """The note says it already."""

    def __init__(self, alike: Alike) -> None:
        super().__init__(alike.text)
        self.alike = alike


@dataclass(frozen=True)
class _Wish:
    """What somebody wants to be remembered, and where."""

    means: Means
    memory: str
    fact: str
    category: Category
    insist: bool
    group: str = field(default_factory=new_group)

    @property
    def topic(self) -> str:
        """Return the topic note of the category, in the folder that is there whatever its case."""
        return match_folders(self.means.root, self.category.note)


def remember(means: Means, text: str, category: str | None = None, *, even_if_similar: bool = False) -> Written:
    """Keep one fact: in the long-term memory note under the heading of its category, else in a topic note.

    Args:
        means: What to work with.
        text: One fact that can be understood alone; line ends become spaces.
        category: See ``find_category``.
        even_if_similar: Keep it also where a line says nearly the same.

    Returns:
        Where it is. A fact that is there already is not written again; then ``changed`` is false.

    Raises:
        ConflictError: A line says nearly the same: change that one instead (MN-32).
        UsageError: There is no text, or it is too long or refused.

    Source: TC-23, MN-26..32, decisions "MEMORY.md size".
    """
    fact = as_one_line(text)
    if not plain(fact) or len(fact) > MAX_FACT_CHARS:
        problem = (
            f"The text has {len(fact)} characters, more than {MAX_FACT_CHARS}." if plain(fact) else "There is no text."
        )
        raise UsageError(problem, "Give one fact that can be understood alone; what is longer is a note of its own.")
    if category:
        check_name(means, category, what="The category")
    wish = _Wish(means, resolve_target(means, "memory"), fact, find_category(category), even_if_similar)
    warnings = check_text(means, fact)
    if is_order_to_agent(fact):
        raise UsageError(
            "The text is refused: it tells an agent what to do, in every conversation.",
            'Say it as a fact about the person: "Prefers answers in French", not "Always answer in French".',
        )
    for path, known in read_known_notes(means, wish.memory):
        try:
            _refuse_known(wish, known)
        except _KnownError as found:
            return _answer_known(wish, path, found.alike)
    if wish.category.in_memory:
        try:
            return _into_memory(wish, warnings)
        except _FullError:
            return _into_topic(wish, warnings, is_full=True)
    return _into_topic(wish, warnings)


def as_one_line(text: str) -> str:
    """Return a text as one line: each line end becomes a space, a bullet at its start goes, all else stays."""
    lines = (line.strip() for line in _BULLET.sub("", text.strip()).splitlines())
    return " ".join(line for line in lines if line)


def _into_memory(wish: _Wish, warnings: tuple[str, ...]) -> Written:
    category, fact = wish.category, wish.fact

    def edit(text: str, newline: str) -> str:
        _refuse_known(wish, text)
        start = text if text.strip() else f"# {MEMORY.title(fact)}{newline}"
        return _fitting(insert_under(start, category.headings, category.title(text or fact), f"- {fact}", newline))

    try:
        written = rewrite(wish.means, wish.memory, edit, operation="remember", warnings=warnings)
    except _KnownError as found:
        return _answer_known(wish, wish.memory, found.alike)
    note = stat_note(wish.means.root, wish.memory)
    size = 0 if note is None else note.size
    if size < WARN_BYTES:
        return written
    said = f'"{wish.memory}" has {size} bytes; at {FULL_BYTES} facts go to topic notes. Shorten what it holds.'
    return written._replace(warnings=(*written.warnings, said))


def _into_topic(wish: _Wish, warnings: tuple[str, ...], *, is_full: bool = False) -> Written:
    category, fact = wish.category, wish.fact

    def edit(text: str, newline: str) -> str:
        _refuse_known(wish, text)
        start = text if text.strip() else f"# {category.title(fact)}{newline}"
        return append_item(start, f"- {fact}", newline)

    try:
        written = rewrite(wish.means, wish.topic, edit, operation="remember", warnings=warnings, group=wish.group)
    except _KnownError as found:
        return _answer_known(wish, wish.topic, found.alike)
    said = f'"{wish.memory}" is full; the fact is in "{wish.topic}", and a line there points to it.' * is_full
    try:
        _point_to_topic(wish)
    except _FullError:
        said = f'"{wish.memory}" is full, and has no room to point to "{wish.topic}", where the fact is.'
    except ClawvaultError as error:
        # The fact is kept and found; only the way to it from the memory note is missing.
        said = f'"{wish.memory}" has no pointer to "{wish.topic}": {error.message}'
    return written._replace(warnings=(*written.warnings, said)) if said else written


def _fitting(text: str) -> str:
    """Return a text of the memory note, unless it leaves no room to point to the topics of the table (CS-26)."""
    if len(text.encode("utf-8", "surrogatepass")) > FULL_BYTES - POINTERS_BYTES:
        raise _FullError
    return text


def _point_to_topic(wish: _Wish) -> None:
    pointer = f"[[{wish.topic.removesuffix('.md')}]]"
    place = wish.category if wish.category.in_memory else POINTERS

    def edit(text: str, newline: str) -> str:
        if pointer in text:
            return text
        start = text if text.strip() else f"# {MEMORY.title(wish.fact)}{newline}"
        item = f"- {wish.category.title(text)}: {pointer}"
        changed = insert_under(start, place.headings, place.title(text or wish.fact), item, newline)
        return changed if wish.category.in_memory else _fitting(changed)

    rewrite(wish.means, wish.memory, edit, operation="remember", group=wish.group)


def _refuse_known(wish: _Wish, text: str) -> None:
    alike = find_alike(text, wish.fact)
    if alike is not None and (alike.score == 1.0 or not wish.insist):
        raise _KnownError(alike)


def _answer_known(wish: _Wish, path: str, alike: Alike) -> Written:
    if alike.score < 1.0:
        raise ConflictError(
            f'"{visible(wish.fact)}" says nearly what line {alike.line} of "{path}" says: "{visible(alike.text)}".',
            "Change that line with patch; if both hold, insist with --insist.",
        )
    with open_inside(wish.means.root, path) as handle:
        sha256 = sha256_of(handle.read())
    said = (f'Line {alike.line} of "{path}" says it already.',)
    return Written(path, "remember", alike.line, alike.line, sha256, "", False, said)
