"""clawvault: the memory a person and their agents share, as plain Markdown files.

``open_vault(path)`` returns a ``Vault`` to search, read and index; see ``clawvault.api``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clawvault.api import Vault, open_vault

__version__ = "0.1.0"
__all__ = ["Vault", "__version__", "open_vault"]


def __getattr__(name: str) -> Any:
    # The command line asks only for the version and a socket; it must not pay for the whole library.
    if name in {"Vault", "open_vault"}:
        from clawvault import api

        return getattr(api, name)
    raise AttributeError(name)
