"""Where a command works: found with as few imports as a search can afford."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clawvault.api import Vault
    from clawvault.config import Config


class Place:
    """One vault: its folder, its settings and its state folder."""

    def __init__(self, root: Path, config: Config, state: Path) -> None:
        self.root = root
        self.config = config
        self.state = state

    def open(self) -> Vault:
        """Open the vault in this process, which imports the whole library."""
        from clawvault.api import Vault

        return Vault(self.root, self.config, os.environ)


class Invocation:
    """What stands before the command, ``--vault`` and ``--debug``, and its name."""

    def __init__(self, vault: str | None = None) -> None:
        self.vault = vault
        self.debug = False
        self.command = ""
        self.place: Place | None = None

    def locate(self) -> Place:
        """Find the vault this command is about.

        Raises:
            NotFoundError: There is none.
            ConfigError: A setting has no usable value.
        """
        from clawvault.config import load_config
        from clawvault.vault.locating import locate_vault
        from clawvault.vault.paths import state_folder

        root = locate_vault(self.vault, os.environ)
        config = load_config(root, environment=os.environ)
        self.place = Place(root, config, state_folder(root, config, os.environ))
        return self.place

    def state_base(self) -> Path:
        """Return a private folder for what a fault leaves behind, made when missing."""
        if self.place is not None:
            return self.place.state
        import platformdirs

        folder = Path(os.environ.get("CLAWVAULT_STATE_DIR") or platformdirs.user_state_dir("clawvault", False))
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder


def ask_daemon(state: Path, request: dict[str, object], timeout_s: float) -> dict[str, object] | None:
    """Ask the daemon of a vault, if one runs; see ``daemon.transport.ask_daemon``."""
    # Imported here: a command that asks nobody opens no socket.
    from clawvault.daemon import transport

    return transport.ask_daemon(state, request, timeout_s)
