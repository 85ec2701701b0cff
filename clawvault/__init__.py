"""clawvault: the memory a person and their agents share, as plain Markdown files.

``open_vault(path)`` returns a ``Vault`` to search, read and index; see ``clawvault.api``.
``tools(vault)`` gives the same memory to a model; see ``clawvault.agent.toolbox``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clawvault.version import __version__

if TYPE_CHECKING:
    from clawvault.agent.toolbox import tools
    from clawvault.api import Vault, open_vault

__all__ = ["Vault", "__version__", "open_vault", "tools"]


def __getattr__(name: str) -> Any:
    # The command line asks only for the version and a socket; it must not pay for the whole library.
    if name in {"Vault", "open_vault"}:
        from clawvault import api

        return getattr(api, name)
    if name == "tools":
        from clawvault.agent.toolbox import tools

        return tools
    raise AttributeError(name)
