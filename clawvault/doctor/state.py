"""Checks of what is derived: the model, the index, and who can read them."""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

from clawvault.daemon.transport import SilentDaemonError, ask
from clawvault.doctor.findings import FAIL, OK, WARN, Finding
from clawvault.errors import ClawvaultError, IndexFaultError
from clawvault.index.connection import EMBEDDINGS_NAME, INDEX_NAME
from clawvault.index.damage import check_integrity
from clawvault.index.generations import find_generation, list_texts
from clawvault.index.store import Store
from clawvault.opened import OpenedVault
from clawvault.vault.moved_state import list_put_aside
from clawvault.vault.writing.leftovers import LEFTOVER, LEFTOVER_AGE_S

PROBE = "Does this model load?"
PING_S = 2.0
TOKEN_BATCH = 512
# A damaged index is kept this long for whoever wants to find out what happened.
KEEP_DAMAGED_S = 86_400.0


def check_model(opened: OpenedVault) -> Finding:
    """Say whether the model is here, loads and gives a usable vector."""
    if opened.config.embedding.provider == "none":
        return Finding("model", OK, "None; search is by words alone.")
    embedder = opened.embedder
    if embedder is None:
        return Finding("model", FAIL, opened.embedder_problem, "Choose one of: clawvault model list")
    try:
        vector = embedder.embed_query(PROBE)
    except ClawvaultError as error:
        return Finding("model", FAIL, error.message, error.hint)
    return Finding("model", OK, f"{embedder.space.model} loads and gives {len(vector)} numbers.")


def check_index(state: Path) -> Finding:
    """Say whether the index and its vectors are whole (I20, B113)."""
    if not (state / INDEX_NAME).exists():
        if has_daemon(state):
            return Finding(
                "index",
                FAIL,
                "The index is missing while a daemon runs.",
                "Run: clawvault doctor --fix, or restart it.",
            )
        return Finding("index", WARN, "There is no index yet.", "Run: clawvault index")
    try:
        with closing(Store(state / INDEX_NAME, writer=False)) as store:
            problem = check_integrity(store.connection)
    except IndexFaultError as error:
        problem = error.message
    if problem:
        return Finding("index", FAIL, f"The index is damaged: {problem}", "Run: clawvault doctor --fix")
    return Finding("index", OK, "The index is whole.")


def has_daemon(state: Path) -> bool:
    """Say whether a daemon keeps this index, be it one that does not answer."""
    try:
        return ask(state, {"op": "ping"}, PING_S) is not None
    except SilentDaemonError:
        return True


def check_truncation(opened: OpenedVault) -> Finding:
    """Count passages longer than the model reads, whose end it would never see (limits L26)."""
    embedder = opened.embedder
    limit = 0 if embedder is None else embedder.space.max_tokens
    if embedder is None or not limit or not (opened.state / INDEX_NAME).exists():
        return Finding("passages", OK, "Nothing is cut off.")
    if _indexed_space(opened.state) not in {"", embedder.space.key}:
        return Finding("passages", WARN, "The index was made for another model.", "Run: clawvault index")
    too_long = []
    for batch in _passages(opened.state):
        counts = embedder.count_tokens([text for _, text in batch])
        too_long += [place for (place, _), count in zip(batch, counts, strict=True) if count > limit]
    if too_long:
        return Finding(
            "passages",
            WARN,
            f"{len(too_long)} passages are longer than the {limit} tokens the model reads.",
            "Run: clawvault index --rebuild",
            tuple(too_long),
        )
    return Finding("passages", OK, f"No passage is longer than the {limit} tokens the model reads.")


def _indexed_space(state: Path) -> str:
    try:
        store = Store(state / INDEX_NAME, writer=False)
    except IndexFaultError:
        return ""  # check_index names it
    with closing(store):
        active = find_generation(store, "active")
    return "" if active is None else active.space_key or "none"


def _passages(state: Path) -> Iterator[list[tuple[str, str]]]:
    with closing(Store(state / INDEX_NAME, writer=False)) as store:
        texts = iter(list_texts(store, find_generation(store, "active")))
        while batch := list(islice(texts, TOKEN_BATCH)):
            yield batch


def check_privacy(state: Path) -> Finding:
    """Say whether anybody else can read the state folder (T10, I41)."""
    if sys.platform == "win32":
        return Finding("privacy", OK, "The state folder is private by its place.")
    open_to_others = tuple(path.name for path in (state, *list_state_files(state)) if _is_open(path))
    if open_to_others:
        return Finding(
            "privacy", FAIL, "Others can read files of the index.", "Run: clawvault doctor --fix", open_to_others
        )
    return Finding("privacy", OK, "Only you can read the index.")


def check_leftovers(root: Path, state: Path) -> Finding:
    """Find temporary files of processes that ended in the middle of a write."""
    found = list_leftovers(root, state)
    if found:
        names = tuple(os.fspath(path) for path in found)
        said = f"{len(found)} temporary {'file was' if len(found) == 1 else 'files were'} left behind."
        return Finding("leftovers", WARN, said, "Run: clawvault doctor --fix", names)
    return Finding("leftovers", OK, "No temporary files were left behind.")


def check_damaged(state: Path) -> Finding:
    """List indexes that were found damaged and set aside (I20)."""
    found = list_damaged(state)
    if not found:
        return Finding("set aside", OK, "No index was found damaged.")
    return Finding(
        "set aside",
        WARN,
        f"{len(found)} damaged {'index was' if len(found) == 1 else 'indexes were'} set aside and built again.",
        "If it happens again, check the disk. clawvault doctor --fix removes what is older than a day.",
        tuple(os.fspath(path) for path in found),
    )


def check_other_vaults(state: Path) -> Finding:
    """List the states of other vaults that were at the path of this one, with their undo copies."""
    found = list_put_aside(state)
    if not found:
        return Finding("other vaults", OK, "No other vault was at this path.")
    return Finding(
        "other vaults",
        WARN,
        f"The state of {len(found)} other {'vault' if len(found) == 1 else 'vaults'} that had this path is kept.",
        "It follows its vault, by the id in .clawvault/id. If that vault is no more, delete these folders.",
        tuple(os.fspath(path) for path in found),
    )


def list_damaged(state: Path, *, older_than_s: float = 0.0) -> list[Path]:
    """List files of the index that were set aside at least so many seconds ago, by name."""
    named = (path for name in (INDEX_NAME, EMBEDDINGS_NAME) for path in state.glob(f"{name}.damaged-*"))
    found = [path for path in named if path.is_file() and not path.is_symlink()]
    return sorted(path for path in found if _age_s(path) >= older_than_s)


def list_state_files(state: Path) -> list[Path]:
    """List what is in the state folder, links left out."""
    return [path for path in sorted(state.iterdir()) if not path.is_symlink()]


def list_leftovers(root: Path, state: Path) -> list[Path]:
    """List our temporary files that nobody writes any more, in the state folder and in the vault."""
    inside = (Path(folder) / name for folder, _, names in os.walk(root) for name in names)
    ours = [path for path in inside if LEFTOVER.fullmatch(path.name)]
    named = [*state.glob(".*.tmp"), *ours, *(root / ".clawvault").glob(".config-*.tmp")]
    return [path for path in named if path.is_file() and not path.is_symlink() and _age_s(path) > LEFTOVER_AGE_S]


def _age_s(path: Path) -> float:
    """Return how long ago a file was written; 0 for one that a daemon has taken away since it was listed."""
    try:
        return max(0.0, time.time() - path.stat().st_mtime)
    except FileNotFoundError:
        return 0.0


def _is_open(path: Path) -> bool:
    try:
        return bool(stat.S_IMODE(path.stat().st_mode) & 0o077)
    except FileNotFoundError:
        return False
