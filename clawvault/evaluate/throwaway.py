"""A vault that lives as long as a measurement: nothing is written beside the person's notes or into their index."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from clawvault.api import Vault
from clawvault.config import CONFIG_PATH, Config, load_config
from clawvault.embed.protocol import Embedder
from clawvault.errors import ClawvaultError
from clawvault.vault.ignoring import IGNORE_FILE
from clawvault.vault.paths import MARKER, visible

# What decides which files are notes, besides their names.
RULE_FILES = (CONFIG_PATH, IGNORE_FILE, ".obsidian/app.json", ".obsidian/templates.json")

FULL = frozenset({errno.ENOSPC, errno.EDQUOT})

MakeEmbedder = Callable[[Config], Embedder | None]


@contextmanager
def throw_away_vault(
    fill: Callable[[Path], None],
    *,
    settings: Mapping[str, object],
    environment: Mapping[str, str],
    make_embedder: MakeEmbedder,
) -> Iterator[Vault]:
    """Open a vault in a temporary folder that also holds its index, and remove both in the end.

    Args:
        fill: Puts notes, and perhaps settings, into the vault; called once, before settings are read.
        settings: Dotted keys that win over the environment and over what ``fill`` wrote.
        environment: Where ``CLAWVAULT_*`` and keys are looked up.
        make_embedder: Opens the model of these settings.

    Yields:
        The vault, not yet indexed.
    """
    with tempfile.TemporaryDirectory(prefix="clawvault-eval-") as folder:
        root = Path(folder) / "vault"
        (root / MARKER).mkdir(parents=True)
        fill(root)
        flags = {**settings, "state_dir": str(Path(folder) / "state")}
        config = load_config(root, environment=environment, flags=flags)
        embedder = make_embedder(config)
        with Vault(root, config, environment, embedder=embedder) as vault:
            yield vault


def copy_notes(source: Path, root: Path, prefix: str, extensions: tuple[str, ...]) -> None:
    """Copy every file that may be a note, and at the top of a vault the rules that say which are.

    Args:
        source: The person's notes; hidden folders and links are passed over, as they are in a vault.
        root: The throw-away vault.
        prefix: The folder of the vault they go to, empty for its top.
        extensions: File endings without the dot, in lower case.

    Raises:
        ClawvaultError: A file or folder cannot be read.
        OSError: The disk is full.
    """
    target = root / prefix
    try:
        for name in RULE_FILES if not prefix else ():
            if (source / name).is_file():
                _copy(source / name, target / name)
        for folder, inner, names in os.walk(source, onerror=_give_up):
            inner[:] = sorted(name for name in inner if not name.startswith("."))
            for name in sorted(names):
                path = Path(folder) / name
                is_note = path.suffix[1:].lower() in extensions and not name.startswith(".")
                if is_note and path.is_file() and not path.is_symlink():
                    _copy(path, target / path.relative_to(source))
    except OSError as error:
        if error.errno in FULL:
            raise
        raise ClawvaultError(
            f'Cannot copy "{visible(str(error.filename))}": {error.strerror}.', "Check that it can be read."
        ) from error


def _give_up(error: OSError) -> None:
    raise error


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
