"""Where a command works: found with as few imports as a search can afford."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from clawvault.errors import ERRORS_BY_EXIT_CODE, ClawvaultError

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
    """What stands before the command: ``--vault`` and ``--debug``."""

    def __init__(self, vault: str | None = None) -> None:
        self.vault = vault
        self.debug = False
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


class DaemonFaultError(ClawvaultError):
    """Say that the daemon failed while it answered (exit 70)."""

    exit_code = 70


def ask_daemon(state: Path, request: dict[str, object], timeout_s: float) -> dict[str, object] | None:
    """Ask the daemon of a vault, if one runs.

    Args:
        state: The state folder of the vault.
        request: JSON-safe mapping with ``op``.
        timeout_s: Seconds for the whole exchange.

    Returns:
        The answer, or ``None`` when no daemon runs.

    Raises:
        SilentDaemonError: A daemon runs and did not answer in time.
        ClawvaultError: The daemon refused, with the error it named.
    """
    from clawvault.daemon.transport import ask

    answer = ask(state, request, timeout_s)
    if answer is None or answer.get("ok"):
        return answer
    error = answer.get("error")
    if not isinstance(error, dict):
        raise DaemonFaultError("The daemon gave no usable answer.", "Restart it.")
    kind = ERRORS_BY_EXIT_CODE.get(int(error.get("exit_code", 1)), DaemonFaultError)
    raise kind(str(error.get("message", "The daemon refused.")), str(error.get("hint", "")))
