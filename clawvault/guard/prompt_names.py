"""Names of files that agents take their orders from, in every form that is read as one (T06, T20)."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import cache

# What one program or another takes its orders from when it finds it in a folder; without the ending of a note.
STEMS = (
    *("AGENT", "AGENTS", "APPEND_SYSTEM", "BOOT", "BOOTSTRAP", "CLAUDE", "CODEBUDDY", "CODEX", "CONVENTIONS"),
    *("copilot-instructions", "CRUSH", "GEMINI", "GROK", "HEARTBEAT", "IDENTITY", "IFLOW", "MEMORY", "OPENCODE"),
    *("QWEN", "REPLIT", "SKILL", "SOUL", "TOOLS", "USER", "WARP"),
)
# Many a note is called so in small letters, and no agent takes it for its own then.
CAPITAL_STEMS = ("SYSTEM",)
WHOLE_NAMES = (".augment-guidelines", ".clinerules", ".cursorrules", ".goosehints", ".rules", ".windsurfrules")
# A file of one of these kinds has a name of its own before it.
KINDS = ("agent", "chatmode", "instructions", "prompt")
# A file with one of these is loaded along with that without it.
VARIANTS = frozenset({"local", "override", "private"})
ENDINGS = frozenset({"markdown", "md", "mdc", "mdown", "mdwn", "mdx", "mkd", "mkdn"})
# Letters that look like a plain one: capitals, whose small form may look like another, small capitals, and small ones.
_SHOWN_AS = {
    "a": "ΑАᎪꓮᴀαаɑ",
    "b": "ΒВᏴꓐʙЬ",
    "c": "СϹᏟꓚᴄсϲⲥ",
    "d": "ᎠꓓᴅԁɗԀ",
    "e": "ΕЕᎬꓰᴇеεҽ",
    "f": "ꓝϜғꜰ",
    "g": "ᏀꓖɢɡԌԍ",
    "h": "ΗНᎻꓧʜһҺ",
    "i": "ΙІᎥꓲɪıіιӀӏⅼǀ",
    "j": "ЈᎫꓙᴊјϳ",
    "k": "ΚКᏦꓗᴋкκĸ",
    "l": "ᏞꓡʟⳐ",
    "m": "ΜМᎷꓟᴍмϺ",
    "n": "ΝꓠɴոηпΠ",
    "o": "ΟОꓳᴏоοօσØøՕ",
    "p": "ΡРᏢꓑᴘрρ",
    "q": "ԚԛգՔ",
    "r": "Ꭱꓣʀгᴦ",
    "s": "ЅᏚꓢꜱѕՏ",
    "t": "ΤТᎢꓔᴛтτ",
    "u": "ᏌꓴᴜυսՍцᑌ",
    "v": "ᏙꓦᴠѵνѴ",
    "w": "ᎳꓪᴡԝωѡԜ",
    "x": "ΧХꓫхχ",
    "y": "ΥУҮꓬʏуүγ",
    "z": "ΖᏃꓜᴢ",
}
CJK = ("\u3400", "\u9fff")
# What a person takes for another sign in many letterings.
_ALIKE = {ord(sign): letter for sign, letter in zip("i1|05_", "lllos-", strict=True)}


def imitated_name(name: str) -> str:
    """Return the name of a file of orders that a name is or looks like; empty when it is that of an ordinary note.

    Args:
        name: Of a file, without folders, in any form of case and Unicode.

    Source: T05, T06, T20.
    """
    if _begins_otherwise(name):
        return ""
    # Behind a colon Windows keeps a second content of the file before it.
    heads = (name, name.partition(":")[0]) if ":" in name else (name,)
    return next((found for head in heads if (found := _find(_looks_like(head), head, _looks_like))), "")


def is_disguised(name: str) -> bool:
    """Say whether a name only looks like that of a file of orders: by other letters, or signs before or in it."""
    return imitated_name(name) != "" and not _find(fold_name(name), name, fold_name)


def fold_name(name: str) -> str:
    """Return a name as the most forgiving file system compares it.

    Case and Unicode form do not count, nor signs that are not seen (HFS+) and dots and spaces at the end (Windows).
    """
    if name.isascii():
        # None of them has another form, nor is one of them left out.
        return name.lower().rstrip(". ")
    composed = unicodedata.normalize("NFKC", name)
    seen = "".join(sign for sign in composed if unicodedata.category(sign) != "Cf")
    return unicodedata.normalize("NFKC", seen.casefold()).rstrip(". ")


def _find(shown: str, name: str, form: Callable[[str], str]) -> str:
    """Return the name of the list that a name stands for; ``shown`` is the name in the form that is compared."""
    stem, *rest = shown.split(".")
    known = _known(form)
    if not rest or rest[-1] not in ENDINGS:
        return known.get(shown, "") if shown.startswith(".") else ""
    found = known.get(stem, "")
    if found and _variants(form).issuperset(rest):
        is_word = found.removesuffix(".md") in CAPITAL_STEMS
        return "" if is_word and not name.partition(".")[0].isupper() else found
    kind = _kinds(form).get(rest[-2], "") if rest[1:] else ""
    return f"*.{kind}.md" if kind else ""


def _begins_otherwise(name: str) -> bool:
    """Say of nearly every name, of which many are looked at, that it is that of an ordinary note."""
    if name.count(".") > 1 or ":" in name:
        return False
    first = name[:2].lower()
    return CJK[0] <= first[:1] <= CJK[1] or (first.isascii() and first[:1] != " " and first not in _beginnings())


@cache
def _beginnings() -> frozenset[str]:
    """Return what names of the list and what looks like one begin with, in small letters."""
    alike = {sign: [other for other in "il1|o05s_-" if other.translate(_ALIKE) == sign] for sign in "los-"}
    shown = {name[:2] for name in _known(_looks_like)}
    return frozenset(
        first + second
        for name in shown
        for first in alike.get(name[0], name[0])
        for second in alike.get(name[1], name[1])
    )


@cache
def _known(form: Callable[[str], str]) -> dict[str, str]:
    stems = {form(stem): f"{stem}.md" for stem in (*STEMS, *CAPITAL_STEMS)}
    return {**stems, **{form(name): name for name in WHOLE_NAMES}}


@cache
def _kinds(form: Callable[[str], str]) -> dict[str, str]:
    return {form(kind): kind for kind in KINDS}


@cache
def _variants(form: Callable[[str], str]) -> frozenset[str]:
    return frozenset((*map(form, VARIANTS), *ENDINGS))


@cache
def _lookalikes() -> dict[str, str]:
    return {sign: letter for letter, signs in _SHOWN_AS.items() for sign in signs}


def _looks_like(name: str) -> str:
    """Return what all names that look alike have in common."""
    if not name.isascii():
        # Some of them would be taken apart into letters that look otherwise.
        letters = _lookalikes()
        parts = unicodedata.normalize("NFKD", "".join(letters.get(sign, sign) for sign in name))
        kept = (sign for sign in parts if unicodedata.category(sign) not in {"Cf", "Mn", "Me"})
        name = "".join(letters.get(sign, sign) for sign in kept)
    return ".".join(part.strip() for part in name.casefold().translate(_ALIKE).rstrip(". ").split("."))
