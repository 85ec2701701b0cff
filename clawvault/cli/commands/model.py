"""``clawvault model``: list, use and info."""

from __future__ import annotations

import os
from dataclasses import asdict

import click

from clawvault.cli.place import Invocation, Place, ask_daemon
from clawvault.cli.terminal import clean, echo_json, warn

PING_S = 5.0


@click.group("model")
def command() -> None:
    """The model that finds notes by meaning."""


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="The models as JSON, alone on standard output.")
@click.pass_obj
def list_command(invocation: Invocation, as_json: bool) -> None:
    """List the models on this machine."""
    place = invocation.locate()
    from clawvault.embed.catalogue import list_models

    models = list_models(place.config, os.environ)
    if as_json:
        echo_json([asdict(model) for model in models])
        return
    width = max((len(model.name) for model in models), default=0)
    for model in models:
        mark = "*" if model.active else " "
        size = f"{model.dims} numbers" if model.dims else ""
        tokens = f"{model.max_tokens} tokens" if model.max_tokens else ""
        said = "  ".join(part for part in (model.place, size, tokens, model.problem) if part)
        click.echo(f"{mark} {clean(model.name):<{width}}  {model.provider:<21} {clean(said)}")


@command.command("use")
@click.argument("name")
@click.option("--url", default="", help="Base address of an OpenAI-compatible server that has the model.")
@click.pass_obj
def use_command(invocation: Invocation, name: str, url: str) -> None:
    """Choose a model by name or folder, use-multilingual, or none; it is tried before it is chosen."""
    place = invocation.locate()
    from clawvault.embed.choosing import choose_model

    # Asked before: a daemon that starts anew with the chosen model does not answer for a while.
    running = _is_daemon_there(place)
    space = choose_model(place.root, place.config, os.environ, name=name, url=url)
    chosen = "none; search is by words alone" if space is None else f"{space.model} ({space.provider})"
    click.echo(f"Model: {clean(chosen)}.")
    warn("The present index answers until that of the new model is complete.")
    warn("The running daemon builds it now; see clawvault status." if running else "Build it with: clawvault index")


def _is_daemon_there(place: Place) -> bool:
    from clawvault.daemon.transport import SilentDaemonError

    try:
        return ask_daemon(place.state, {"op": "ping"}, PING_S) is not None
    except SilentDaemonError:
        return True


@command.command("info")
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="The facts as JSON, alone on standard output.")
@click.pass_obj
def info_command(invocation: Invocation, name: str | None, as_json: bool) -> None:
    """Describe a model, and measure how well it finds small memories in each language."""
    place = invocation.locate()
    from clawvault.embed.choosing import examine_model

    facts = examine_model(place.config, os.environ, name=name)
    if as_json:
        echo_json(facts)
        return
    for key in ("model", "provider", "dims", "max_tokens", "key"):
        click.echo(f"{key:<12} {clean(str(facts[key]))}")
    click.echo("Found first of eight, by language (question-passage across languages):")
    for language, share in facts["found_first"].items():
        click.echo(f"  {language:<8} {share:.2f}")
