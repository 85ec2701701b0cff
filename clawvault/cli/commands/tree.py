"""``clawvault tree``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from clawvault.cli.place import Invocation
from clawvault.cli.terminal import clean, echo_json, show_path, warn

if TYPE_CHECKING:
    from clawvault.config import Config
    from clawvault.vault.tree import TreeEntry


@click.command("tree")
@click.argument("prefix", required=False, default="")
@click.option("--depth", type=int, default=3, show_default=True, help="Levels to show; what lies deeper is counted.")
@click.option("--json", "as_json", is_flag=True, help="The entries as JSON, alone on standard output.")
@click.pass_obj
def command(invocation: Invocation, prefix: str, depth: int, as_json: bool) -> None:
    """Show folders and notes with their sizes, dates and titles."""
    place = invocation.locate()
    with place.open() as vault:
        entries = vault.tree(prefix, depth=depth)
    if as_json:
        echo_json({"prefix": prefix, "entries": [entry.to_dict() for entry in entries]})
    elif entries:
        click.echo(_render(entries, place.config))
    else:
        warn("No notes.")


def _render(entries: list[TreeEntry], config: Config) -> str:
    from clawvault.cli.times import show_day

    names = ["  " * entry.level + _name(entry.path) for entry in entries]
    width = min(48, max(len(name) for name in names))
    lines = []
    for name, entry in zip(names, entries, strict=True):
        count = f"{entry.n_notes} note{'s' if entry.n_notes != 1 else ''}" if entry.path.endswith("/") else ""
        facts = f"{name:<{width}}  {_size(entry.size_bytes):>8}  {show_day(entry.modified_at, config)}  {count}"
        lines.append(f"{facts}{'  ' if count and entry.description else ''}{clean(entry.description)}".rstrip())
    return "\n".join(lines)


def _name(path: str) -> str:
    name = path.rstrip("/").rpartition("/")[2]
    return show_path(name) + ("/" if path.endswith("/") else "")


def _size(size_bytes: int) -> str:
    if size_bytes < 1000:
        return f"{size_bytes} B"
    return f"{size_bytes / 1000:.1f} kB" if size_bytes < 1_000_000 else f"{size_bytes / 1_000_000:.1f} MB"
