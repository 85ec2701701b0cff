"""Which lines of front matter say something that a person may look for (pure)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from clawvault.vault.front_matter import MAX_CHARS

# Names in small letters, without signs. These are kept by programs, say when a file was written or how it is shown, or
# are read for something else than being found.
HOUSEKEEPING = frozenset(
    """banner bannericon bannerx bannery canonical changed clawvault cover cssclass cssclasses created createdat
    createdby createdon creationdate ctime date datecreated datemodified dateupdated draft encoding evergreen
    feed generated guid icon id image importance lastedited lastmod lastmodified
    lastupdated layout linktitle mathjax modified modifiedat modifiedon mtime
    permalink pinned position publish published redirect slug template theme
    thumbnail timestamp toc trust uid updated updatedat updatedon uuid zettelid
    aktualisiert bearbeitet datum erstellt geändert""".split()
)
OF_PLUGINS = ("dg-", "sr-", "excalidraw-", "kanban-", "linter-", "obsidian-")
# Found without their lines where the note holds anything else; what the note is called is in every keyword row.
NAMES = frozenset({"title", "aliases", "alias", "tags", "tag"})
# In one word these sort notes: the same few words stand in hundreds of them, and tell none of them from another.
SORTING = frozenset(
    """area categories category class done favorite grade kind lang language level month order phase priority progress
    quarter rank rating read stage state status type version week weekday weight year art kategorie priorität sprache
    typ""".split()
)
# More runs than any person writes are one.
MOST_RUNS = 8
QUIET, SORTS, SAYS = 0, 1, 2

_KEY = re.compile(r"""(?:"([^"]*)"[ \t]*|'([^']*)'[ \t]*|([^\s#'"\-\[{}&*!|>%@`:][^:]*)):(?=\s|$)""")
_LETTER = re.compile(r"[^\W_]")
_IDENTIFIER = re.compile(r"(?i)[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{24,64}")


class _Property(NamedTuple):
    first: int
    last: int
    weight: int


def list_property_lines(
    text: str, front_matter: Mapping[str, object], body_line: int, *, is_all: bool
) -> list[tuple[int, int]]:
    """List the runs of lines of front matter that are worth finding.

    Told from the lines, so that a mistake in one of them hides none of the others.

    Args:
        text: The whole note.
        front_matter: What its front matter says; empty where it cannot be read.
        body_line: 1-based number of the first line after it; 1 when there is none.
        is_all: The note holds nothing else: its names count too, and what only sorts it.

    Returns:
        Pairs of 0-based first line and line after the last, in order; none where there is only housekeeping.
    """
    lines = text.split("\n", body_line - 1)[1 : body_line - 2] if body_line > 2 else []
    if not lines or sum(map(len, lines)) > MAX_CHARS:
        return []
    runs: list[tuple[int, int]] = []
    sorting_only = True
    for first, last, weight in _list_properties(lines, front_matter, is_all=is_all):
        if weight == QUIET:
            continue
        if runs and runs[-1][1] == first:
            runs[-1] = (runs[-1][0], last)
            sorting_only = sorting_only and weight == SORTS
        else:
            if runs and sorting_only:
                runs.pop()
            runs.append((first, last))
            sorting_only = weight == SORTS
    if runs and sorting_only:
        runs.pop()
    return [(runs[0][0], runs[-1][1])] if len(runs) > MOST_RUNS else runs


def _list_properties(lines: Sequence[str], front_matter: Mapping[str, object], *, is_all: bool) -> Iterator[_Property]:
    keys = [(at, found) for at, line in enumerate(lines) if (found := _KEY.match(line))]
    for (at, found), (following, _) in pairwise([*keys, (len(lines), None)]):
        if found is None:
            continue
        name = next(part for part in found.groups() if part is not None).rstrip()
        written = "\n".join((lines[at][found.end() :], *lines[at + 1 : following])).strip()
        said = _said(front_matter[name]) if name in front_matter else written
        # Line 0 of the note is the rule above.
        yield _Property(at + 1, following + 1, _weigh(name.lower(), said, is_all=is_all))


def _weigh(written: str, said: str, *, is_all: bool) -> int:
    name = "".join(sign for sign in written if sign.isalnum())
    if name in HOUSEKEEPING or written.startswith(OF_PLUGINS):
        return QUIET
    if not _LETTER.search(said) or _IDENTIFIER.fullmatch(said):
        return QUIET
    if is_all:
        return SAYS
    if name in NAMES:
        return QUIET
    return SORTS if name in SORTING and len(said.split()) == 1 else SAYS


def _said(value: object) -> str:
    """Return the texts and numbers of a value, one space between them; true, false and nothing say nothing."""
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, dict):
        return " ".join(filter(None, map(_said, value.values())))
    if isinstance(value, list):
        return " ".join(filter(None, map(_said, value)))
    return str(value)
