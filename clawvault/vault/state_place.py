"""Where the state of vaults belongs, found with as few imports as every command can afford."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from clawvault.config import Config


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
        start = root if config.origins.get("state_dir") == "config" else Path.cwd()
        return Path(os.path.abspath(start / chosen))
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
