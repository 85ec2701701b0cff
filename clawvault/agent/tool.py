"""What a tool is: its name, what it takes, what it says of itself to a model, and what it does."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clawvault.api import Vault

JsonObject = dict[str, Any]
DIALECT = "https://json-schema.org/draft/2020-12/schema"


class Desk:
    """Where tools work: one vault, opened once, when the first of them needs it.

    ``lock`` is held by what writes, or searches in this process: two of them at once would find each other in the way
    of the index and answer from an old one.

    Args:
        open_vault: Opens the vault.
        use_daemon: Let a running daemon, whose model is loaded, answer searches.
    """

    def __init__(self, open_vault: Callable[[], Vault], *, use_daemon: bool = False) -> None:
        self.use_daemon = use_daemon
        self.lock = threading.RLock()
        self._open_vault = open_vault
        self._vault: Vault | None = None
        self._opening = threading.Lock()

    @property
    def vault(self) -> Vault:
        """Return the vault; the first call opens it."""
        with self._opening:
            if self._vault is None:
                self._vault = self._open_vault()
            return self._vault

    def close(self) -> None:
        """Close the vault, if it was opened."""
        with self._opening:
            if self._vault is not None:
                self._vault.close()


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool.

    Attributes:
        name: Without a prefix.
        title: A few words for a person.
        description: For a model: what it does, when to use it, an example. Names of other tools stand in braces.
        properties: JSON schema of each argument.
        required: Arguments that must be there.
        run: Takes the desk and checked arguments, returns JSON values.
        read_only: Whether the vault stays as it is.
        destructive: Whether something that was in the vault may be gone afterwards.
    """

    name: str
    title: str
    description: str
    properties: Mapping[str, JsonObject]
    required: tuple[str, ...]
    run: Callable[[Desk, JsonObject], JsonObject]
    read_only: bool = True
    destructive: bool = False

    @property
    def schema(self) -> JsonObject:
        """Return the schema of the arguments as one object, which takes nothing else."""
        return {
            "$schema": DIALECT,
            "type": "object",
            "properties": {name: dict(schema) for name, schema in self.properties.items()},
            "required": list(self.required),
            "additionalProperties": False,
        }


def text(description: str, most: int, *, least: int = 1, **more: Any) -> JsonObject:
    """Return the schema of a text of ``least`` to ``most`` characters."""
    return {"type": "string", "description": description, "minLength": least, "maxLength": most, **more}


def whole_number(description: str, low: int, high: int, **more: Any) -> JsonObject:
    """Return the schema of a whole number from ``low`` to ``high``."""
    return {"type": "integer", "description": description, "minimum": low, "maximum": high, **more}


def choice(description: str, choices: tuple[str, ...], **more: Any) -> JsonObject:
    """Return the schema of one of some words."""
    return {"type": "string", "description": description, "enum": list(choices), **more}


def yes_or_no(description: str, **more: Any) -> JsonObject:
    """Return the schema of a truth value."""
    return {"type": "boolean", "description": description, **more}
