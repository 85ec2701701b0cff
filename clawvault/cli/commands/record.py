"""``clawvault record``."""

from __future__ import annotations

import json

import click

from clawvault.cli.giving import as_json_option, show_written, take_text
from clawvault.cli.place import Invocation
from clawvault.errors import UsageError

EXAMPLE = 'Such as [{"role": "user", "content": "Hi"}].'


@click.command("record")
@click.option("--thread", required=True, metavar="ID", help="Of the conversation, as the host knows it.")
@click.option("--run", "run_id", required=True, metavar="ID", help="Of this run; the same one is recorded over.")
@as_json_option
@click.pass_obj
def command(invocation: Invocation, thread: str, run_id: str, as_json: bool) -> None:
    """Record a conversation: JSON messages on standard input become threads/THREAD/RUN.md.

    A list of objects with "role", "content" and perhaps "name", or an object with such a list as "messages". They are
    found by context --thread, and by search --path threads; no other search looks there.
    """
    place = invocation.locate()
    try:
        messages = json.loads(take_text(()))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"The messages are not JSON: {error}.", EXAMPLE) from error
    if isinstance(messages, dict):
        messages = messages.get("messages")
    if not isinstance(messages, list):
        raise UsageError("There is no list of messages.", EXAMPLE)
    with place.open() as vault:
        show_written(vault.record_interaction(thread, run_id, messages), as_json=as_json)
