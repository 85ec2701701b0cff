"""``clawvault profile``: get and set."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from clawvault.cli.giving import as_json_option, show_written
from clawvault.cli.place import Invocation
from clawvault.cli.terminal import clean, echo_json

if TYPE_CHECKING:
    from clawvault.keeping.profile import Value


@click.group("profile")
def command() -> None:
    """Facts of the person that programs read, such as the time zone."""


@command.command("get")
@click.argument("key", required=False)
@click.option("--json", "as_json", is_flag=True, help="The value as JSON, alone on standard output.")
@click.pass_obj
def get_command(invocation: Invocation, key: str | None, as_json: bool) -> None:
    """Show one value, or the whole profile."""
    with invocation.locate().open() as vault:
        found = vault.profile_get(key)
    if as_json:
        echo_json({"key": key, "value": found})
    elif key is None:
        for name, value in found.items():
            click.echo(f"{clean(name)}: {_shown(value)}")
    else:
        click.echo(_shown(found))


@command.command("set")
@click.argument("key")
@click.argument("value")
@click.option("--text", "is_text", is_flag=True, help="VALUE is a text, also where it looks like a number.")
@as_json_option
@click.pass_obj
def set_command(invocation: Invocation, key: str, value: str, is_text: bool, as_json: bool) -> None:
    """Set one value: a text, a number, true, false, null, or a JSON list of texts."""
    with invocation.locate().open() as vault:
        show_written(vault.profile_set(key, value if is_text else _read(value)), as_json=as_json)


def _read(value: str) -> Value:
    try:
        found: Value = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return value if isinstance(found, dict) else found


def _shown(value: object) -> str:
    return clean(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
