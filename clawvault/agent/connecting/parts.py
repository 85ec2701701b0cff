"""What is put into one file of an agent's configuration, and taken out again; pure, text to text."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT

from clawvault.agent.connecting.json_text import (
    append_item,
    get_value,
    list_items,
    remove_items,
    remove_member,
    set_member,
)
from clawvault.errors import ClawvaultError

IsFormer = Callable[[Any], bool]


class Part(Protocol):
    """One thing in a file. Adding it twice is adding it once; removing what is not there changes nothing."""

    def add(self, text: str) -> str:
        """Return the text with it."""

    def remove(self, text: str) -> str:
        """Return the text without it; empty when the file is not needed any more."""

    def find(self, text: str) -> list[Any]:
        """Return what of its kind is there, of whichever vault."""

    def tidy(self, text: str, original: str) -> str:
        """Return the text without what is empty now and was not there before; empty when nothing is left."""


@dataclass(frozen=True, slots=True)
class JsonMember:
    """A member of an object of a JSON file."""

    keys: tuple[str, ...]
    value: Any

    def add(self, text: str) -> str:
        """Return the text with it."""
        return text if text and get_value(text, self.keys) == self.value else set_member(text, self.keys, self.value)

    def remove(self, text: str) -> str:
        """Return the text without it."""
        return remove_member(text, self.keys)

    def find(self, text: str) -> list[Any]:
        """Return the member, whatever its value."""
        found = get_value(text, self.keys)
        return [] if found is None else [found]

    def tidy(self, text: str, original: str) -> str:
        """Return the text without the empty objects that held it."""
        return _without_empty(text, original, self.keys[:-1])


@dataclass(frozen=True, slots=True)
class JsonItem:
    """An item of a list of a JSON file; another of which ``is_former`` is true is one of an earlier time."""

    keys: tuple[str, ...]
    value: Any
    is_former: IsFormer = field(default=lambda _: False, compare=False)

    def add(self, text: str) -> str:
        """Return the text with it, once, and with none of an earlier time."""
        if [item for item in list_items(text, self.keys) if self._is_ours(item)] == [self.value]:
            return text
        without = remove_items(text, self.keys, self._is_ours) if text.strip() else text
        return append_item(without, self.keys, self.value)

    def remove(self, text: str) -> str:
        """Return the text without it."""
        return remove_items(text, self.keys, self._is_ours)

    def find(self, text: str) -> list[Any]:
        """Return the items that connecting once put there."""
        return [item for item in list_items(text, self.keys) if self._is_ours(item)]

    def tidy(self, text: str, original: str) -> str:
        """Return the text without the empty list and objects that held it."""
        return _without_empty(text, original, self.keys)

    def _is_ours(self, item: Any) -> bool:
        return bool(item == self.value) or self.is_former(item)


@dataclass(frozen=True, slots=True)
class TomlTable:
    """A table of a TOML file."""

    keys: tuple[str, ...]
    value: dict[str, Any]

    def add(self, text: str) -> str:
        """Return the text with it."""
        document = _parse(text)
        table, last = _make_way(document, self.keys), self.keys[-1]
        if _plain(table.get(last)) == self.value:
            return text
        table[last] = tomlkit.item(self.value)
        return tomlkit.dumps(document)

    def remove(self, text: str) -> str:
        """Return the text without it, and without what held nothing else."""
        document = _parse(text)
        _remove_table(document, self.keys)
        return tomlkit.dumps(document)

    def find(self, text: str) -> list[Any]:
        """Return the table, whatever is in it."""
        found = _lookup(_parse(text), self.keys)
        return [] if found is None else [_plain(found)]

    def tidy(self, text: str, original: str) -> str:  # noqa: ARG002 - removing it has done that
        """Return the text."""
        return text


@dataclass(frozen=True, slots=True)
class TomlItem:
    """One of several tables of the same name in a TOML file; ``is_former`` is as for ``JsonItem``."""

    keys: tuple[str, ...]
    value: dict[str, Any]
    is_former: IsFormer = field(default=lambda _: False, compare=False)

    def add(self, text: str) -> str:
        """Return the text with it, once."""
        document = _parse(text)
        table, last = _make_way(document, self.keys), self.keys[-1]
        if last not in table:
            table[last] = tomlkit.aot()
        found = table[last]
        if not isinstance(found, AoT):
            raise ClawvaultError(f'"{".".join(self.keys)}" is not a list of tables.', "Look at the file.")
        if [item for item in map(_plain, found) if self._is_ours(item)] == [self.value]:
            return text
        self._remove_ours(found)
        found.append(_table_of(self.value))
        return tomlkit.dumps(document)

    def remove(self, text: str) -> str:
        """Return the text without it, and without what held nothing else."""
        document = _parse(text)
        found = _lookup(document, self.keys)
        if not isinstance(found, AoT):
            return text
        self._remove_ours(found)
        if not found:
            _remove_table(document, self.keys)
        return tomlkit.dumps(document)

    def find(self, text: str) -> list[Any]:
        """Return the tables that connecting once put there."""
        found = _lookup(_parse(text), self.keys)
        return [item for item in map(_plain, found) if self._is_ours(item)] if isinstance(found, AoT) else []

    def tidy(self, text: str, original: str) -> str:  # noqa: ARG002 - removing it has done that
        """Return the text."""
        return text

    def _remove_ours(self, found: AoT) -> None:
        for index in reversed(range(len(found))):
            if self._is_ours(_plain(found[index])):
                del found[index]

    def _is_ours(self, item: Any) -> bool:
        return bool(item == self.value) or self.is_former(item)


@dataclass(frozen=True, slots=True)
class OwnFile:
    """A file that holds nothing else."""

    text: str

    def add(self, text: str) -> str:  # noqa: ARG002 - whatever was in it is replaced, and shown as such
        """Return the whole file."""
        return self.text

    def remove(self, text: str) -> str:
        """Return nothing, or the text when a person has made it their own."""
        return "" if text == self.text else text

    def find(self, text: str) -> list[Any]:  # noqa: ARG002 - it says the same for every vault
        """Return nothing: such a file names no vault."""
        return []

    def tidy(self, text: str, original: str) -> str:  # noqa: ARG002 - it is all or nothing
        """Return the text."""
        return text


def _without_empty(text: str, original: str, keys: tuple[str, ...]) -> str:
    for depth in range(len(keys), 0, -1):
        way = keys[:depth]
        if get_value(text, way) in ({}, []) and get_value(original, way) is None:
            text = remove_member(text, way)
    return "" if get_value(text, ()) == {} and not original.strip() else text


def _parse(text: str) -> Any:
    try:
        return tomlkit.parse(text)
    except TOMLKitError as error:
        raise ClawvaultError(f"The file is not TOML: {error}.", "Mend that line, then try again.") from error


def _make_way(document: Any, keys: tuple[str, ...]) -> Any:
    """Return the table that holds the last of the keys, made where it is missing."""
    table = document
    for key in keys[:-1]:
        if key not in table:
            table[key] = tomlkit.table(is_super_table=True)
        table = table[key]
    return table


def _lookup(document: Any, keys: tuple[str, ...]) -> Any:
    found = document
    for key in keys:
        if not hasattr(found, "get"):
            return None
        found = found.get(key)
    return found


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value.unwrap() if hasattr(value, "unwrap") else value, default=str))


def _table_of(value: dict[str, Any]) -> Any:
    table = tomlkit.table()
    for key, inner in value.items():
        if isinstance(inner, list) and inner and isinstance(inner[0], dict):
            tables = tomlkit.aot()
            for item in inner:
                tables.append(_table_of(item))
            table[key] = tables
        else:
            table[key] = inner
    return table


def _remove_table(document: Any, keys: tuple[str, ...]) -> None:
    tables: list[Any] = [document]
    for key in keys[:-1]:
        if key not in tables[-1]:
            return
        tables.append(tables[-1][key])
    if keys[-1] not in tables[-1]:
        return
    del tables[-1][keys[-1]]
    for depth in range(len(keys) - 2, -1, -1):
        if not tables[depth + 1]:
            del tables[depth][keys[depth]]
