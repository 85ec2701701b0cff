"""``clawvault accept``."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from clawvault.cli.giving import as_json_option
from clawvault.cli.named import name_note
from clawvault.cli.place import Invocation, Place
from clawvault.cli.terminal import echo_json, show_path, warn

if TYPE_CHECKING:
    from clawvault.config import Config
    from clawvault.vault.identity_baseline import OutsideEdit

DID = {
    "changed": "changed",
    "appeared": "is new",
    "vanished": "is gone",
    "restored": "was another for a while, and is again as it was",
}


@click.command("accept")
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option("--all", "every", is_flag=True, help="All that wait.")
@as_json_option
@click.pass_obj
def command(invocation: Invocation, paths: tuple[str, ...], every: bool, as_json: bool) -> None:
    """Say that you have seen a change of an identity file, such as SOUL.md, made outside clawvault.

    Agents take these files for your word, so status and doctor name each change of one until you have looked at it.
    Without PATH: list what waits.
    """
    from clawvault.vault.identity_baseline import accept_edits, notice_edits

    place = invocation.locate()
    names = [_identity_name(place, path) for path in paths]
    listing = not (names or every)
    found = (
        notice_edits(place.root, place.state)
        if listing
        else accept_edits(place.root, place.state, None if every else names)
    )
    if as_json:
        echo_json({"accepted": [] if listing else _values(found), "waiting": _values(found) if listing else []})
        return
    for edit in found:
        click.echo(("" if listing else "Accepted: ") + describe(edit, place.config))
    if not found:
        warn("Nothing waits to be looked at.")
    elif listing:
        warn("Look at each, then run: clawvault accept PATH, or --all")


def describe(edit: OutsideEdit, config: Config) -> str:
    """Return one line about a change, at what time it is where the person is."""
    from clawvault.cli.times import show_moment

    return f"{show_path(edit.path)} {DID[edit.change]} (noticed {show_moment(edit.noticed_at, config)})"


def _identity_name(place: Place, given: str) -> str:
    from clawvault.errors import UsageError
    from clawvault.guard.identity import IDENTITY_NAMES
    from clawvault.vault.identity_baseline import is_identity_name

    # One that is gone may have a namesake elsewhere, which is not meant.
    path = given if is_identity_name(given) else name_note(place, given)
    if "/" in path or not is_identity_name(path):
        known = ", ".join(IDENTITY_NAMES)
        raise UsageError(f'"{path}" is no identity file.', f"These are, at the top of the vault: {known}.")
    return path


def _values(edits: tuple[OutsideEdit, ...]) -> list[dict[str, str]]:
    return [asdict(edit) for edit in edits]
