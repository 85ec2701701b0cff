"""Where the state of vaults belongs, found with as few imports as every command can afford."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from clawvault.config import Config

# What tells a vault from any other wherever it is moved: made by ``init``, and never changed.
ID_PATH = ".clawvault/id"
# In a state folder: the id of its vault, and on the next line where that was, as the bytes of its path.
PLACE_NAME = "place"
_ID_LENGTH = 32
_HEX = frozenset("0123456789abcdef")
_LONGEST_PLACE = 70_000
# A pipe or a link put there is no reason to wait, or to read something else.
_READ = os.O_RDONLY | sum(
    getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOFOLLOW", "O_NOCTTY", "O_CLOEXEC", "O_BINARY", "O_NOINHERIT")
)


def sha256_of_bytes(data: bytes) -> str:
    """Return the SHA-256 of a few bytes in hexadecimal."""
    # hashlib loads all of OpenSSL, which takes longer than a daemon takes to answer, and every command needs this one
    # sum. Like the standard library's random, take the module that is behind it, where Python was built with it.
    try:
        lean = import_module("_sha2" if sys.version_info >= (3, 12) else "_sha256")
    except ImportError:
        lean = import_module("hashlib")
    digest: str = lean.sha256(data).hexdigest()
    return digest


def state_base(root: Path, config: Config, environment: Mapping[str, str]) -> Path:
    """Return the folder that holds the state of every vault: of the settings, of the environment, or the usual one."""
    if config.state_dir:
        chosen = config.state_dir
        if chosen == "~" or chosen.startswith(("~/", "~\\")):
            chosen = environment.get("HOME", str(Path.home())) + chosen[1:]
        # The working folder is not asked for unless it counts: a daemon outlives the one it was begun in.
        return Path(os.path.abspath(root / chosen if config.origins.get("state_dir") == "config" else chosen))
    xdg = environment.get("XDG_STATE_HOME", "")
    if xdg and Path(xdg).is_absolute() and os.name != "nt":
        return Path(xdg) / "clawvault"
    home = environment.get("HOME", "")
    if sys.platform == "linux" and home.startswith("/") and "ANDROID_DATA" not in environment:
        # The answer of platformdirs, which loads tempfile, random numbers and three compressions before it gives it.
        return Path(home, ".local", "state", "clawvault")
    # Imported here: whoever chose a place, by settings or environment, need not wait to learn of the usual one.
    import platformdirs

    return Path(platformdirs.user_state_dir("clawvault", appauthor=False))


def make_vault_id() -> str:
    """Return an id for a new vault, made by chance."""
    return os.urandom(_ID_LENGTH // 2).hex()


def read_vault_id(root: str | Path) -> str:
    """Return the id of the vault in a folder; empty where there is none, or none that can be read."""
    return _parse_id(_read_start(os.path.join(root, ID_PATH), _ID_LENGTH + 2))  # noqa: PTH118 - a Path takes longer


def read_place(state: Path) -> tuple[str, str]:
    """Return the id of the vault that a state folder belongs to, and where it was last; both empty when not known."""
    first, _, path = _read_start(os.path.join(state, PLACE_NAME), _LONGEST_PLACE).partition(b"\n")  # noqa: PTH118
    vault_id = _parse_id(first)
    return (vault_id, os.fsdecode(path)) if vault_id and path and b"\0" not in path else ("", "")


def is_of_another(state: Path, root: Path) -> bool:
    """Say whether the vault that a state folder belongs to is no longer the one at its path, but another is."""
    known, _ = read_place(state)
    return bool(known) and read_vault_id(root) not in {"", known}


def _parse_id(line: bytes) -> str:
    text = line.decode("ascii", "replace").strip()
    return text if len(text) == _ID_LENGTH and _HEX.issuperset(text) else ""


def _read_start(path: str, length: int) -> bytes:
    try:
        handle = os.open(path, _READ)
    except (OSError, ValueError):
        return b""
    try:
        return os.read(handle, length)
    except OSError:
        return b""
    finally:
        os.close(handle)
