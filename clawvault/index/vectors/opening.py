"""Choose what compares vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawvault.errors import IndexFaultError
from clawvault.index.connection import load_vector_extension
from clawvault.index.store import Store

if TYPE_CHECKING:
    from clawvault.index.vectors.backends import VectorBackend


def choose_backend(store: Store, wanted: str) -> tuple[str, str]:
    """Choose what compares vectors on one connection, and make nothing: most who read an index compare nothing.

    Args:
        store: The index whose connection gets the extension.
        wanted: ``auto``, ``sqlite-vec``, ``numpy`` or ``off``. With ``sqlite-vec`` nothing is kept in memory; the other
            two keep the vectors there from the second question on.

    Returns:
        The name of the backend, ``off`` when there is none; and why it is not the first choice, or an empty string.

    Raises:
        IndexFaultError: ``sqlite-vec`` was insisted on and cannot load.
    """
    if wanted in {"off", "numpy"}:
        return wanted, ""
    problem = load_vector_extension(store.connection)
    if not problem:
        return "sqlite-vec", ""
    if wanted == "sqlite-vec":
        raise IndexFaultError(f"{problem}.", 'Set vector_backend to "auto" or "numpy".')
    return "numpy", f"{problem}; NumPy compares vectors instead"


def make_backend(name: str, wanted: str) -> VectorBackend | None:
    """Make what ``choose_backend`` chose for a setting."""
    if name == "off":
        return None
    from clawvault.index.vectors.backends import NumpyBackend, SqliteVecBackend
    from clawvault.index.vectors.mirrored import MirroredBackend

    slow = NumpyBackend() if name == "numpy" else SqliteVecBackend()
    return slow if wanted == "sqlite-vec" else MirroredBackend(slow)
