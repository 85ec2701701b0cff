"""Show old notes that hold something lasting, and let a person pin them with one key each (L2d)."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from clawvault.cli.terminal import clean, echo_json, is_terminal, warn

if TYPE_CHECKING:
    from clawvault.api import Vault
    from clawvault.dream.retention.at_risk import AtRisk

SHOWN_CHARS = 160


def show_at_risk(vault: Vault, *, as_json: bool) -> None:
    """List notes at risk, and on a terminal ask of each whether it is to be pinned.

    Args:
        vault: The vault.
        as_json: Write JSON and ask nobody.
    """
    items = vault.list_at_risk()
    if as_json:
        echo_json([item.to_dict() for item in items])
    elif not items:
        warn("No old note holds anything lasting that is not pinned.")
    elif is_terminal(sys.stdin) and is_terminal(sys.stdout):
        _ask(vault, items)
    else:
        for item in items:
            click.echo(_shown(item))
            click.echo(f"    {clean(item.command)}")


def _ask(vault: Vault, items: Sequence[AtRisk]) -> None:
    n_pinned = 0
    for number, item in enumerate(items, 1):
        click.echo(_shown(item))
        click.echo(f"    {number} of {len(items)}: pin {clean(item.place)}? [y/n/q] ", nl=False)
        key = _read_key()
        click.echo(key)
        if key == "q":
            break
        if key == "y":
            vault.pin(item.path, item.line if item.pins_line else None)
            n_pinned += 1
    warn(f"Pinned {n_pinned} of {len(items)}." + (' "clawvault undo" takes each back.' if n_pinned else ""))


def _read_key() -> str:
    """Wait for one of the three keys; the end of input is the wish to stop."""
    while True:
        try:
            key = click.getchar().lower()
        except EOFError:
            return "q"
        if key in {"y", "n", "q"}:
            return key
        if not key or key in {"\x04", "\x1b"}:
            return "q"


def _shown(item: AtRisk) -> str:
    text = item.text if len(item.text) <= SHOWN_CHARS else f"{item.text[: SHOWN_CHARS - 1]}…"
    return clean(f"{item.path}:{item.line}  {item.day.isoformat()}  {item.decay:.1%}  [{item.cue}]  {text}")
