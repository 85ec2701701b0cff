"""Look at a text of the vault before a model gets it: what steers, what is secret, what is not seen (I44, T06, T19)."""

from __future__ import annotations

from dataclasses import dataclass

from clawvault.agent.presenting import Shown, clean_text
from clawvault.guard.findings import flags_within
from clawvault.guard.identity import IDENTITY_NAMES, fold_name
from clawvault.guard.injections import scan

OWNER, NOTE, SUSPICIOUS = "owner", "note", "suspicious"
_IDENTITY = frozenset(fold_name(name) for name in IDENTITY_NAMES)


@dataclass(frozen=True, slots=True)
class Screened:
    """A text as a model gets it.

    Attributes:
        text: Without secrets and control signs; as many lines as the note has.
        flags: Labels of texts in it that may steer a model, the worst first.
        altered: How it differs from the note, in words.
    """

    text: str
    flags: tuple[str, ...] = ()
    altered: tuple[str, ...] = ()


def screen(text: str) -> Screened:
    """Return a text of the vault as a model gets it, and what in it may steer one."""
    shown = show_text(text)
    return Screened(shown.text, flags_within(scan(text), 0, len(text)), shown.altered)


def show_text(text: str) -> Shown:
    """Return a text of the vault without secrets and control signs."""
    return clean_text(text)


def trust_of(path: str, flags: tuple[str, ...]) -> str:
    """Return how far a text may be trusted.

    Returns:
        ``suspicious`` where it is flagged; ``owner`` for the notes that only the person changes; else ``note``, which
        agents and imports write too.
    """
    if flags:
        return SUSPICIOUS
    return OWNER if fold_name(path) in _IDENTITY else NOTE
