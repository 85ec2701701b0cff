"""Patterns that a stranger may have written, made so that no name can hold them up (T14).

Python's matcher tries every way to match before it gives up, so a rule with many stars, or a regular expression with
repeated groups, can take hours on one long name. Globs are rewritten so that each star is tried once; regular
expressions are taken only from a part of the language in which the ways to match are few.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pathspec

MAX_PATTERN_CHARS = 1000
# Folders in between ("**") may each be tried at every depth.
MAX_FREE_FOLDERS = 2
MAX_WAYS = 64

ANY_NAME = r"\[\^/\]\*"
STARS = re.compile(rf"(?:{ANY_NAME}){{2,}}")
# A star, then what one name holds up to the next star: "[^/]" stands for "?".
INNER_STAR = re.compile(rf"{ANY_NAME}((?:\[\^/\](?!\*)|(?!\[\^/\])[^/])+?)(?={ANY_NAME})")
ESCAPE_OR_CLASS = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
FIXED_COUNT = re.compile(r"(?<=[^*+?}()|^$])\{\d{1,2}\}")
SPECIAL_GROUP = re.compile(r"\(\?(?!:)")
REPEATED_GROUP = re.compile(r"\)[*+?{]")


def is_costly_glob(glob: str) -> bool:
    """Say whether a rule in ``.gitignore`` form may be slow even after ``read_globs``."""
    free = sum(part == "**" for part in glob.strip().removesuffix("/**").split("/"))
    return len(glob) > MAX_PATTERN_CHARS or free > MAX_FREE_FOLDERS


def read_globs(lines: Iterable[str]) -> pathspec.GitIgnoreSpec:
    """Read rules in ``.gitignore`` form; matching one takes time in proportion to the length of rule and path.

    Raises:
        ValueError: A rule makes no sense.
    """
    # Most vaults have no rules of their own, and every command would pay for it.
    import pathspec

    patterns = list(pathspec.GitIgnoreSpec.from_lines(lines, backend="simple").patterns)
    for pattern in patterns:
        if pattern.regex is not None:
            pattern.regex = re.compile(_with_each_star_tried_once(pattern.regex.pattern))
    return pathspec.GitIgnoreSpec(patterns, backend="simple")


def _with_each_star_tried_once(regex: str) -> str:
    """Let each star but the last of a name take the shortest match and never take it back.

    What stands between two stars has a fixed length, so the first place where it fits leaves most to the rest.
    """
    return INNER_STAR.sub(r"(?>[^/]*?\1)", STARS.sub("[^/]*", regex))


def read_expression(source: str) -> re.Pattern[str]:
    """Read a regular expression of the part of the language that is always quick.

    Args:
        source: Characters, classes, anchors and groups of alternatives; per alternative at most one repetition, of a
            single character or class.

    Raises:
        ValueError: It is no expression, or not of that part; the text says which.
    """
    if len(source) > MAX_PATTERN_CHARS:
        raise ValueError("is too costly")
    # A class within a class means nothing yet, and only brings a warning.
    if any("[" in found[0][1:] for found in ESCAPE_OR_CLASS.finditer(source) if found[0].startswith("[")):
        raise ValueError("is not a pattern")
    try:
        pattern = re.compile(source)
    except (re.error, RecursionError, OverflowError) as error:
        raise ValueError("is not a pattern") from error
    if _is_costly_expression(source):
        raise ValueError("is too costly")
    return pattern


def _is_costly_expression(source: str) -> bool:
    has_reference = any(found[0][1:].isdecimal() for found in ESCAPE_OR_CLASS.finditer(source))
    plain = FIXED_COUNT.sub("", ESCAPE_OR_CLASS.sub("x", source))
    if has_reference or "{" in plain or SPECIAL_GROUP.search(plain) or REPEATED_GROUP.search(plain):
        return True
    alternatives = plain.replace("(?:", "(").split("|") if "(" not in plain else [plain.replace("(?:", "(")]
    return any(len(re.findall(r"[*+]", one)) > 1 or _n_ways(one) > MAX_WAYS for one in alternatives)


def _n_ways(plain: str) -> int:
    """Count in how many ways the choices of an expression can be combined, an upper bound."""
    ways = 1 << min(plain.count("?"), 10)
    choices = [1]
    for sign in plain:
        if sign == "(":
            choices.append(1)
        elif sign == "|":
            choices[-1] += 1
        elif sign == ")" and len(choices) > 1:
            ways *= choices.pop()
    return ways * choices[0]
