"""``clawvault watch``."""

from __future__ import annotations

import os

import click

from clawvault.cli.first_index import tell_of_first_index
from clawvault.cli.place import Invocation
from clawvault.cli.terminal import warn


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

    def reload() -> Config:
        return load_config(place.root, environment=os.environ)

    def say_ready() -> None:
        warn("Ready.")
        told_ready()

    warn(f'Watching "{place.root}"; Ctrl-C ends it.')
    told_ready = tell_of_first_index(place.state)
    return run_daemon(
        place.root, place.config, os.environ, reload=reload, on_ready=say_ready, dreaming=make_nightly, tell=warn
    )
