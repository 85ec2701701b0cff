"""``clawvault watch``."""

from __future__ import annotations

import os
from collections.abc import Callable

import click

from clawvault.cli.first_index import tell_of_first_index
from clawvault.cli.place import Invocation, Place
from clawvault.cli.terminal import warn
from clawvault.errors import LockedError


@click.command("watch")
@click.pass_obj
def command(invocation: Invocation) -> int:
    """Keep the index true while notes change, and answer searches from memory, in the foreground.

    Ctrl-C or SIGTERM ends it. What it notices goes to daemon.log in the state folder.
    """
    place = invocation.locate()
    from clawvault.config import Config, load_config
    from clawvault.daemon.running import run_daemon
    from clawvault.dream.nightly.nights import make_nightly

    told: list[Callable[[], None]] = []

    def reload() -> Config:
        return load_config(place.root, environment=os.environ)

    def say_watching() -> None:
        warn(f'Watching "{place.root}"; Ctrl-C ends it.')
        told.append(tell_of_first_index(place.state))

    def say_ready() -> None:
        warn("Ready.")
        for tell_of_rest in told:
            tell_of_rest()

    try:
        return run_daemon(
            place.root,
            place.config,
            os.environ,
            reload=reload,
            on_start=say_watching,
            on_ready=say_ready,
            dreaming=make_nightly,
            tell=warn,
        )
    except LockedError as error:
        raise _watched_already(place, error) from error


def _watched_already(place: Place, error: LockedError) -> LockedError:
    """Say of a vault that another daemon watches that there is nothing to be done."""
    from clawvault.daemon.lock import find_holder

    holder = find_holder(place.state)
    if holder is None or holder.kind != "daemon":
        return error
    return LockedError(
        f'"{place.root}" is watched already: by process {holder.pid} on {holder.host}, since {holder.started_at}.',
        'Nothing is to be done; "clawvault status" tells how it is doing.',
    )
