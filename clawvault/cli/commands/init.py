"""``clawvault init``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clawvault.cli.place import Invocation
from clawvault.cli.terminal import clean, echo_json, show_path, warn
from clawvault.errors import UsageError

if TYPE_CHECKING:
    from clawvault.vault.template import Seeded

# What a vault's settings call these two, for a person.
MODEL_NAMES = {"use-multilingual": "the packaged multilingual model (use-multilingual)", "none": "none"}


@click.command("init")
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path())
@click.option("--language", type=click.Choice(["en", "zh"]), help="Language of the notes that are made.")
@click.option("--model", metavar="M", help="A model, use-multilingual, or none; else chosen by the notes' language.")
@click.option("--json", "as_json", is_flag=True, help="What was made as JSON, alone on standard output.")
@click.pass_obj
def command(invocation: Invocation, folder: str | None, language: str | None, model: str | None, as_json: bool) -> None:
    """Make a vault, or adopt a folder of notes; nothing that exists is changed.

    DIR is the folder; without it --vault, CLAWVAULT_VAULT, or the present folder.
    """
    from clawvault.vault.local_time import machine_now
    from clawvault.vault.template import seed_vault

    if folder == "":
        raise UsageError("The folder has no name.", 'To take the present one, leave it out or say ".".')
    given = Path(folder or invocation.vault or os.environ.get("CLAWVAULT_VAULT") or ".")
    root = given.expanduser().absolute()
    if model is not None:
        model = _tried(root, model)
    _warn_of_outer_vault(root)
    today = machine_now().date()
    seeded = seed_vault(root, language=language, model=model, locale_language=_locale_language(), today=today)
    _accept_created(root, seeded)
    if as_json:
        echo_json(
            {
                "root": str(seeded.root),
                "created": list(seeded.created),
                "kept": list(seeded.kept),
                "language": seeded.language,
                "adopted": seeded.adopted,
                "notes": seeded.note_count,
                "model": seeded.model,
                "model_reason": seeded.model_reason,
            }
        )
    else:
        click.echo(_render(seeded))


def _tried(root: Path, name: str) -> str:
    """Return a model as the settings name it, once it has answered; see ``choose_model``.

    Raises:
        EmbedderError: It is not on this machine, or does not answer.
    """
    if name in MODEL_NAMES:
        return name
    from dataclasses import replace

    from clawvault.config import load_config
    from clawvault.embed.choosing import TRIAL, settings_for
    from clawvault.embed.opening import open_embedder

    config = load_config(root, environment=os.environ)
    settings = settings_for(config.embedding, name, "")
    embedder = open_embedder(replace(config, embedding=settings), os.environ)
    if embedder is not None:
        embedder.embed_query(TRIAL)
    return settings.model if settings.provider == "sentence-transformers" else settings.provider


def _warn_of_outer_vault(root: Path) -> None:
    from clawvault.vault.paths import find_vault

    outer = None if find_vault(root) == root else find_vault(root.parent)
    if outer is not None:
        warn(f'"{clean(str(root))}" is inside the vault "{clean(str(outer))}": a vault of its own begins there.')


def _accept_created(root: Path, seeded: Seeded) -> None:
    """Remember identity files that were made here as what a person knows of."""
    from contextlib import suppress

    from clawvault.config import load_config
    from clawvault.errors import ClawvaultError
    from clawvault.vault.identity_baseline import accept_edits, is_identity_name
    from clawvault.vault.paths import state_folder

    # The vault is made; that its state folder cannot be used is said by the command that needs it.
    with suppress(ClawvaultError):
        state = state_folder(root, load_config(root, environment=os.environ), os.environ)
        accept_edits(root, state, [path for path in seeded.created if is_identity_name(path)])


def _locale_language() -> str:
    """Return the language a person set for messages, such as ``zh_CN``; empty when none is set."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name, "").partition(".")[0]
        if value:
            return "" if value in {"C", "POSIX"} else value
    import locale

    # Windows and macOS applications keep the language elsewhere than in the environment.
    return locale.getlocale()[0] or ""


def _render(seeded: Seeded) -> str:
    what = f"Adopted {seeded.note_count} notes in" if seeded.adopted else "Vault in"
    lines = [f'{what} "{clean(str(seeded.root))}".']
    lines += [f"  created  {show_path(path)}" for path in seeded.created]
    lines += [f"  kept     {show_path(path)}" for path in seeded.kept]
    lines.append(f"Model: {MODEL_NAMES.get(seeded.model, clean(seeded.model))}. {clean(seeded.model_reason)}")
    return "\n".join(lines)
