"""Facts of the person that programs read: one small JSON object (MN-39, MN-40)."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

from clawvault.config import CONFIG_PATH
from clawvault.errors import ClawvaultError, NotFoundError, UsageError
from clawvault.keeping.means import Means, Written, check_name, check_text, rewrite
from clawvault.vault.local_time import find_zone
from clawvault.vault.note_file import match_folders
from clawvault.vault.paths import hidden_sign, open_inside, read_fault, visible
from clawvault.vault.writing.form import parse_form

PROFILE = "context/profile.json"
MAX_PROFILE_BYTES = 64_000
MAX_VALUE_CHARS = 2000
MAX_LIST = 100
TEXT_KEYS = frozenset({"timezone", "locale", "location"})
_KEY = re.compile(r"[a-z][a-z0-9_.-]{0,63}")
_LOCALE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")

Value = str | int | float | bool | None | list[str]


def read_profile(means: Means) -> dict[str, Any]:
    """Return every key of the profile in its order; empty when there is none.

    Raises:
        ClawvaultError: It is there and is no JSON object, or cannot be read.

    Source: MN-39.
    """
    try:
        with open_inside(means.root, match_folders(means.root, PROFILE)) as handle:
            data = handle.read(MAX_PROFILE_BYTES + 1)
    except NotFoundError:
        return {}
    except OSError as error:
        raise read_fault(PROFILE, error) from error
    return _parse(parse_form(data)[0])


def get_value(means: Means, key: str | None = None) -> Any:
    """Return the value of one key, or the whole profile.

    Args:
        means: What to work with.
        key: ``None`` is all of it.

    Raises:
        NotFoundError: There is no such key.
    """
    profile = read_profile(means)
    if key is None:
        return profile
    if key not in profile:
        known = ", ".join(f'"{visible(name)}"' for name in profile) or "none yet"
        raise NotFoundError(f'The profile has no "{visible(key)}".', f"Keys: {known}.")
    return profile[key]


def set_value(means: Means, key: str, value: Value) -> Written:
    """Set one key of the profile, which is made when missing; all others keep what they have.

    Args:
        means: What to work with.
        key: Lower-case letters, digits, ``_``, ``.`` and ``-``.
        value: A text for ``timezone``, ``locale`` and ``location``; else a text, a number, true, false, null, or a
            list of texts.

    Raises:
        UsageError: The key or the value cannot be, or the text is refused.
        ClawvaultError: The profile is there and is no JSON object; it is left as it is (I05).

    Source: MN-39, MN-40.
    """
    check_name(means, key, what="The key")
    _check(key, value)
    texts = value if isinstance(value, list) else [value] if isinstance(value, str) else []
    warnings = tuple(said for text in texts for said in check_text(means, text, what=f'The value of "{key}"'))
    if key == "timezone" and value != means.config.timezone:
        warnings += (f'Notes are dated by the settings: put timezone = "{value}" into "{CONFIG_PATH}" as well.',)

    def edit(text: str, newline: str) -> str:
        profile = _parse(text) if text.strip() else {}
        if key in profile and profile[key] == value and type(profile[key]) is type(value):
            return text
        profile[key] = value
        shown = json.dumps(profile, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
        if len(shown.encode()) > MAX_PROFILE_BYTES:
            raise UsageError(f"The profile would be larger than {MAX_PROFILE_BYTES} bytes.", "Use remember instead.")
        return shown.replace("\n", newline)

    return rewrite(means, PROFILE, edit, operation="profile", warnings=warnings)


def _parse(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ClawvaultError(f'"{PROFILE}" is not JSON: {error}.', "Mend it, or move it away.") from error
    if not isinstance(found, dict):
        raise ClawvaultError(f'"{PROFILE}" is not a JSON object.', "Mend it, or move it away.")
    return found


def _check(key: str, value: Value) -> None:
    if not _KEY.fullmatch(key):
        raise UsageError(f'"{visible(key)}" is no key.', "Use lower-case letters, digits, _ . and -, at most 64.")
    if key in TEXT_KEYS and not (isinstance(value, str) and value.strip()):
        raise UsageError(f'The value of "{key}" must be a text.', _example(key))
    good = isinstance(value, str | int | float) or value is None
    if isinstance(value, list):
        good = len(value) <= MAX_LIST and all(isinstance(item, str) for item in value)
    if isinstance(value, float):
        good = value - value == 0
    if not good:
        raise UsageError(f'"{key}" cannot have that value.', "Give a text, a number, true, false or a list of texts.")
    texts = value if isinstance(value, list) else [value] if isinstance(value, str) else []
    if any(len(text) > MAX_VALUE_CHARS for text in texts):
        raise UsageError(f'The value of "{key}" is longer than {MAX_VALUE_CHARS} characters.', "Use a note instead.")
    if bad := next((bad for text in texts if (bad := _unseen_sign(text))), ""):
        raise UsageError(f'The value of "{key}" holds {bad}, which is not seen.', "Leave that character out.")
    if key == "timezone" and find_zone(str(value)) is None:
        raise UsageError(f'"{visible(str(value))}" is no time zone.', _example(key))
    if key == "locale" and not _LOCALE.fullmatch(str(value)):
        raise UsageError(f'"{visible(str(value))}" is no locale.', _example(key))


def _unseen_sign(text: str) -> str:
    control = (sign for sign in text if unicodedata.category(sign) in {"Cc", "Cs"} and sign not in "\n\t")
    return next((f"U+{ord(sign):04X}" for sign in control), "") or hidden_sign(text)


def _example(key: str) -> str:
    return {"timezone": 'Such as "Europe/Berlin".', "locale": 'Such as "en-GB".'}.get(key, 'Such as "Berlin".')
