"""What a section of settings is: declared once, frozen, and cheap to import.

Every command reads the settings, so a process pays for each class of them before it does anything. ``dataclass`` writes
and compiles six methods for each; a section has one set of them, written here, and is a dataclass in all else:
``fields``, ``replace`` and ``asdict`` know it, and so does a type checker.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, dataclass_transform

from clawvault.errors import ConfigError

if TYPE_CHECKING:
    from dataclasses import Field

MAX_SHOWN_CHARS = 200
TRUE_WORDS = frozenset({"1", "true", "yes", "on"})
FALSE_WORDS = frozenset({"0", "false", "no", "off"})


def setting(
    doc: str,
    *,
    default: Any,
    choices: tuple[str, ...] = (),
    low: float | None = None,
    high: float | None = None,
) -> Any:
    """Declare one setting of a section.

    Args:
        doc: What it is, with its unit.
        default: Its value where nobody gives another; a number, text, a truth or a tuple of texts.
        choices: The only values it can have; empty leaves it free.
        low: The least number it can be.
        high: The greatest number it can be.
    """
    metadata = {"doc": doc, "choices": choices, "low": low, "high": high}
    return field(default=default, metadata=metadata)


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(setting, field))
class Section:
    """Hold values that belong together and never change; each is given by its name, or has its default."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __init_subclass__(cls) -> None:
        dataclass(init=False, repr=False, eq=False)(cls)

    def __init__(self, **values: object) -> None:
        own = vars(self)
        for item in fields(self):
            if item.name in values:
                own[item.name] = values.pop(item.name)
            else:
                own[item.name] = item.default if item.default_factory is MISSING else item.default_factory()
        if values:
            raise TypeError(f"{type(self).__name__} has no {', '.join(values)}")

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._compared() == other._compared()

    def __hash__(self) -> int:
        return hash(self._compared())

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({shown})"

    def _compared(self) -> tuple[object, ...]:
        return tuple(getattr(self, item.name) for item in fields(self) if item.compare)


def checked(source: str, raw: object, default: object, metadata: Mapping[str, Any]) -> object:
    """Return the value somebody gave a setting as the type the setting has.

    Args:
        source: Where it was given, in words of that place.
        raw: What was given.
        default: The default of the setting.
        metadata: What else ``setting`` was told.

    Raises:
        ConfigError: It is of another type, none of the choices, or out of range.
    """
    value = _converted(source, raw, default)
    choices, low, high = metadata["choices"], metadata["low"], metadata["high"]
    if choices and value not in choices:
        raise ConfigError(f'{source} is "{value}", which it cannot be.', f"Use one of: {', '.join(choices)}.")
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        out_of_range = (low is not None and value < low) or (high is not None and value > high)
        if out_of_range or value != value:
            raise ConfigError(
                f"{source} is {_shown(value)}, which is out of range.", f"Use a number from {low} to {high}."
            )
    return value


def _shown(raw: object) -> str:
    """Show a value that may be too large, or nested too deeply, to be written out."""
    try:
        text = f"{raw}" if isinstance(raw, (int, float)) else f'"{raw}"'
    except (ValueError, RecursionError):
        return f"a value of type {type(raw).__name__}"
    return text if len(text) <= MAX_SHOWN_CHARS else f"{text[:MAX_SHOWN_CHARS]}..."


def _converted(source: str, raw: object, default: object) -> object:
    wanted: Any = type(default)
    problem = ConfigError(f"{source} is {_shown(raw)}, not a {wanted.__name__}.", f"Default: {default!r}.")
    if isinstance(default, bool):
        if isinstance(raw, bool):
            return raw
        word = _shown(raw).lower().strip('"')
        if word not in TRUE_WORDS | FALSE_WORDS:
            raise problem
        return word in TRUE_WORDS
    if isinstance(default, (int, float)):
        if isinstance(raw, bool) or not isinstance(raw, (int, float, str)):
            raise problem
        try:
            return wanted(raw)
        except (ValueError, OverflowError) as error:
            raise problem from error
    if isinstance(default, tuple):
        if isinstance(raw, str):
            return tuple(part.strip() for part in raw.split(",") if part.strip())
        if isinstance(raw, (list, tuple)) and all(isinstance(part, str) for part in raw):
            return tuple(raw)
        raise problem
    if not isinstance(raw, str):
        raise problem
    return raw
