"""Compare the arguments of a call with their schema, and say what is wrong so that a model can mend it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from clawvault.agent.tool import Tool
from clawvault.errors import UsageError

MAX_ARGUMENTS_BYTES = 1_500_000
SHOWN_CHARS = 80


def check_arguments(tool: Tool, name: str, arguments: object) -> dict[str, Any]:
    """Return the arguments of a call, with defaults for those that are missing.

    Args:
        tool: The tool that is called.
        name: What the caller knows it by.
        arguments: Anything; ``null`` for an argument that may be missing counts as missing.

    Raises:
        UsageError: They are not what the tool takes; the message names the argument, the hint what it must be.
    """
    takes = f"It takes: {', '.join(_describe(tool))}." if tool.properties else "It takes no arguments."
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, Mapping):
        raise UsageError(f"The arguments of {name} are not an object.", takes)
    given = {key: value for key, value in arguments.items() if value is not None or key in tool.required}
    _check_size(name, given)
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    error = best_match(Draft202012Validator(tool.schema).iter_errors(given))
    if error is None:
        defaults = {key: schema["default"] for key, schema in tool.properties.items() if "default" in schema}
        return {**defaults, **given}
    if error.validator == "required":
        missing = next(key for key in tool.required if key not in given)
        raise UsageError(f'{name} needs "{missing}".', f"{missing}: {_hint(tool, missing)}")
    if error.validator == "additionalProperties":
        unknown = next(key for key in given if key not in tool.properties)
        raise UsageError(f'{name} has no argument "{_shown(unknown)}".', takes)
    key = str(error.absolute_path[0])
    raise UsageError(
        f'{name} cannot use "{key}": {_problem(error.validator, error.validator_value, error.instance)}.',
        f"{key}: {_hint(tool, key)}",
    )


def _check_size(name: str, given: Mapping[str, Any]) -> None:
    try:
        size = len(json.dumps(given, ensure_ascii=False).encode("utf-8", "surrogatepass"))
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"The arguments of {name} are not JSON.", "Give an object of texts and numbers.") from error
    if size > MAX_ARGUMENTS_BYTES:
        raise UsageError(
            f"The arguments of {name} have {size} bytes; {MAX_ARGUMENTS_BYTES} is the most.", "Write in several parts."
        )


def _problem(rule: object, wanted: Any, value: Any) -> str:
    shown = _shown(json.dumps(value, ensure_ascii=False))
    match rule:
        case "type":
            return f"{shown} is not of type {wanted}"
        case "enum":
            return f"{shown} is none of {', '.join(map(str, wanted))}"
        case "minimum":
            return f"{shown} is less than {wanted}"
        case "maximum":
            return f"{shown} is more than {wanted}"
        case "minLength":
            return "it is empty" if wanted == 1 else f"it has fewer than {wanted} characters"
        case "maxLength":
            return f"it has {len(value)} characters; {wanted} is the most"
        case "maxItems":
            return f"it has {len(value)} entries; {wanted} is the most"
        case _:
            return f"{shown} does not have the right form"


def _describe(tool: Tool) -> list[str]:
    return [key if key in tool.required else f"{key} (optional)" for key in tool.properties]


def _hint(tool: Tool, key: str) -> str:
    return str(tool.properties[key]["description"])


def _shown(text: str) -> str:
    return text if len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS]}…"
