"""Look at a text of the vault before a model gets it: what steers, what is secret, what is not seen (I44, T06, T19)."""

from __future__ import annotations

from dataclasses import dataclass

from clawvault.guard.findings import flags_within
from clawvault.guard.identity import IDENTITY_NAMES, fold_name
from clawvault.guard.injections import scan
from clawvault.guard.presenting import clean_text
from clawvault.guard.secret_text import mask_secrets

OWNER, NOTE, SUSPICIOUS = "owner", "note", "suspicious"
MASKED = "secrets masked"
# A private key has fewer characters than this, and few blocks of code have more.
AROUND_CHARS = 20_000
_IDENTITY = frozenset(fold_name(name) for name in IDENTITY_NAMES)


@dataclass(frozen=True, slots=True)
class Screened:
    """A text as a model gets it.

    Attributes:
        text: Without secrets and control signs; as many lines as the note has.
        altered: How it differs from the note, in words.
        flags: Labels of texts in it that may steer a model, the worst first.
    """

    text: str
    altered: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()


def screen(text: str) -> Screened:
    """Return a text of the vault as a model gets it, and what in it may steer one."""
    return Screened(*show_text(text), flags_within(scan(text), 0, len(text)))


def screen_part(text: str, start: int, end: int) -> Screened:
    """Return a part of a note as a model gets it.

    What it is a part of decides: a key goes on over many lines, and a block of code is no order.

    Args:
        text: The note.
        start: Offset of the first character of the part.
        end: Offset after its last.
    """
    first, last = max(0, start - AROUND_CHARS), end + AROUND_CHARS
    near = text[first:last]
    masked = mask_secrets(near)[start - first : end - first]
    flags = flags_within(scan(near), start - first, end - first)
    shown, altered = show_text(masked)
    if masked != text[start:end]:
        altered = tuple(sorted({*altered, MASKED}))
    return Screened(shown, altered, flags)


def show_text(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a text of the vault without secrets and control signs, and how it differs."""
    masked = mask_secrets(text)
    shown = clean_text(masked)
    # Signs that are not seen may have stood inside a key.
    again = mask_secrets(shown.text)
    altered = {*shown.altered, *([MASKED] if masked != text or again != shown.text else [])}
    return again, tuple(sorted(altered))


def trust_of(path: str, flags: tuple[str, ...]) -> str:
    """Return how far a text may be trusted.

    Returns:
        ``suspicious`` where it is flagged; ``owner`` for the notes that only the person changes; else ``note``, which
        agents and imports write too.
    """
    if flags:
        return SUSPICIOUS
    return OWNER if fold_name(path) in _IDENTITY else NOTE
