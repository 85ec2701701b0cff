"""Choose what compares vectors."""

from __future__ import annotations

from clawvault.errors import IndexFaultError
from clawvault.index.connection import load_vector_extension
from clawvault.index.store import Store
from clawvault.index.vectors.backends import NumpyBackend, SqliteVecBackend, VectorBackend
from clawvault.index.vectors.mirrored import MirroredBackend


def open_vector_backend(store: Store, wanted: str) -> tuple[VectorBackend | None, str]:
    """Choose what compares vectors on one connection.

    Args:
        store: The index whose connection gets the extension.
        wanted: ``auto``, ``sqlite-vec``, ``numpy`` or ``off``. With ``sqlite-vec`` nothing is kept in memory; the other
            two keep the vectors there from the second question on.

    Returns:
        The backend, ``None`` when it is off; and why it is not the first choice, or an empty string.

    Raises:
        IndexFaultError: ``sqlite-vec`` was insisted on and cannot load.
    """
    if wanted == "off":
        return None, ""
    if wanted == "numpy":
        return MirroredBackend(NumpyBackend()), ""
    problem = load_vector_extension(store.connection)
    if not problem:
        return SqliteVecBackend() if wanted == "sqlite-vec" else MirroredBackend(SqliteVecBackend()), ""
    if wanted == "sqlite-vec":
        raise IndexFaultError(f"{problem}.", 'Set vector_backend to "auto" or "numpy".')
    return MirroredBackend(NumpyBackend()), f"{problem}; NumPy compares vectors instead"
