"""Run every check, and mend what can be mended without asking."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress

from clawvault.api import Vault
from clawvault.daemon.transport import ask
from clawvault.doctor.findings import FAIL, OK, Finding
from clawvault.doctor.machine import check_extension, check_python, check_sqlite, check_watches
from clawvault.doctor.notes import check_identity, check_language, check_memory_files, check_reach, check_vault
from clawvault.doctor.state import (
    KEEP_DAMAGED_S,
    check_damaged,
    check_index,
    check_leftovers,
    check_model,
    check_other_vaults,
    check_privacy,
    check_truncation,
    list_damaged,
    list_leftovers,
    list_state_files,
)
from clawvault.errors import ClawvaultError

MEND_S = 3600.0


def examine(vault: Vault) -> list[Finding]:
    """Look over a vault, its index and the machine; no note is changed.

    Args:
        vault: The vault, opened.

    Returns:
        One finding a check, in a fixed order.
    """
    listing = vault.list_notes()
    opened = vault.opened
    index = check_index(opened.state)
    return [
        check_python(),
        check_sqlite(),
        check_extension(vault.config),
        check_vault(listing),
        check_reach(vault.root, listing),
        check_memory_files(listing, vault.config),
        check_identity(vault.root, opened.state),
        check_model(opened),
        check_language(vault.root, listing, vault.config),
        index,
        *([] if index.level == FAIL else [check_truncation(opened)]),
        check_privacy(opened.state),
        check_leftovers(vault.root, opened.state),
        check_damaged(opened.state),
        check_other_vaults(opened.state),
        check_watches(vault.root, vault.config),
    ]


def mend(vault: Vault) -> list[str]:
    """Mend what is derived: set a damaged index aside and build it again, close permissions, remove leftovers.

    Notes are never touched.

    Args:
        vault: The vault, opened; its index may be closed and made anew.

    Returns:
        What was done, one sentence each; what could not be done is said too.
    """
    done: list[str] = []
    steps: tuple[Callable[[Vault], list[str]], ...] = (_close_permissions, _remove_leftovers, _rebuild_damaged)
    for step in steps:
        try:
            done += step(vault)
        except ClawvaultError as error:
            done.append(f"Not done: {error.message} {error.hint}".rstrip())
        except OSError as error:
            done.append(f'Not done: "{error.filename}": {error.strerror}.')
    return done


def _close_permissions(vault: Vault) -> list[str]:
    state = vault.state
    if sys.platform == "win32" or check_privacy(state).level == OK:
        return []
    for path in list_state_files(state):
        # A daemon may have taken it away since it was listed.
        with suppress(FileNotFoundError):
            path.chmod(0o700 if path.is_dir() else 0o600)
    state.chmod(0o700)
    return ["Closed the state folder to others."]


def _remove_leftovers(vault: Vault) -> list[str]:
    temporary = list_leftovers(vault.root, vault.state)
    damaged = list_damaged(vault.state, older_than_s=KEEP_DAMAGED_S)
    for path in (*temporary, *damaged):
        path.unlink(missing_ok=True)
    done = [f"Removed {len(temporary)} temporary files."] if temporary else []
    if damaged:
        noun = "index" if len(damaged) == 1 else "indexes"
        done.append(f"Removed {len(damaged)} damaged {noun} of earlier days.")
    return done


def _rebuild_damaged(vault: Vault) -> list[str]:
    if check_index(vault.state).level != FAIL:
        return []
    vault.close()
    # A daemon that runs is the only one that may write; it looks at the files themselves when it verifies.
    answer = ask(vault.state, {"op": "sync", "timeout_s": MEND_S, "full": True, "verify": True}, MEND_S + 5)
    if answer is not None:
        problem = answer.get("problem") or ("" if answer.get("synced") else "it refused")
        return [f"Not done by the running daemon: {problem}." if problem else "Had the running daemon build it again."]
    vault.index()
    return ["Set the damaged index aside and built it again."]
