"""Which files of a vault are never notes, and why."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from clawvault.config import Config
from clawvault.errors import ClawvaultError, NotFoundError
from clawvault.vault.bounded_patterns import is_costly_glob, read_expression, read_globs
from clawvault.vault.paths import open_inside

if TYPE_CHECKING:
    import pathspec

IGNORE_FILE = ".clawvaultignore"
OBSIDIAN_SETTINGS = ".obsidian/app.json"
OBSIDIAN_TEMPLATES = ".obsidian/templates.json"
OBSIDIAN_TEMPLATER = ".obsidian/plugins/templater-obsidian/data.json"
# Every file of a vault that says what is ignored.
RULE_FILES = (IGNORE_FILE, OBSIDIAN_SETTINGS, OBSIDIAN_TEMPLATES, OBSIDIAN_TEMPLATER)
# What the diary of dreaming begins with; a person's own note of that name does not, and stays a note (L35).
DIARY_MARK = "<!-- clawvault:diary -->"
OBSIDIAN_LIST = "Obsidian's excluded files"
MAX_SETTINGS_BYTES = 1_000_000
# Every rule is tried on every path; nobody writes this many by hand.
MAX_RULES = 1000
MAX_FILTERS = 100
VERSION = "2"
# name~ vim, emacs, gedit; #name# emacs; .swp .swx vim; 4913 the file vim tries a folder with; ~$ Office
JUNK_ENDS = ("~", ".tmp", ".swp", ".swo", ".swx", ".bak", ".part", ".crdownload", ".orig", ".rej")
JUNK_FOLDERS = frozenset({"node_modules", "__pycache__"})
GLOB_SIGNS = re.compile(r"([\\*?\[\]!# ])")


@dataclass(frozen=True)
class IgnoreRules:
    """Answer whether a path is ignored.

    Attributes:
        fingerprint: Changes whenever an answer may have changed.
        warnings: Rules that could not be read, one sentence each.
    """

    fingerprint: str
    warnings: tuple[str, ...] = ()
    folders: tuple[tuple[str, str], ...] = ()
    specs: tuple[tuple[str, pathspec.GitIgnoreSpec], ...] = field(default=(), repr=False)
    filters: tuple[re.Pattern[str], ...] = ()

    @property
    def built_in_only(self) -> bool:
        """Tell whether nothing but ``name_reason`` can ignore a path."""
        return not (self.folders or self.specs or self.filters)

    def reason(self, relative: str, is_dir: bool) -> str | None:
        """Say why a path is ignored, its folders included.

        Args:
            relative: Vault-relative path with ``/``.
            is_dir: The path is a folder.

        Returns:
            The rule in words, or ``None`` when the path is not ignored.
        """
        for part in relative.split("/"):
            built_in = name_reason(part)
            if built_in:
                return built_in
        return self.chosen_reason(relative, is_dir)

    def chosen_reason(self, relative: str, is_dir: bool) -> str | None:
        """Say which rule of the person ignores a path whose names are all ordinary."""
        for folder, why in self.folders:
            if relative == folder or relative.startswith(folder + "/"):
                return why
        for origin, spec in self.specs:
            if spec.match_file(relative + "/" if is_dir else relative):
                return f"a rule of {origin}"
        if any(pattern.search(relative) for pattern in self.filters):
            return "excluded in Obsidian"
        return None


def name_reason(name: str) -> str | None:
    """Say why a file or folder of this name is never a note; ``None`` for an ordinary name (B007, B049)."""
    if name.startswith("."):
        return "hidden"
    if name in JUNK_FOLDERS:
        return "made by a package tool"
    if name.endswith(JUNK_ENDS) or name == "4913" or name.startswith("~$") or (name[0] == "#" and name.endswith("#")):
        return "left by an editor"
    return None


def read_ignore_rules(root: Path, config: Config, state: Path) -> IgnoreRules:
    """Read every rule that holds for a vault.

    Args:
        root: The vault.
        config: ``index.ignore`` adds rules in ``.gitignore`` form.
        state: The state folder; it is never indexed, wherever it is (B005).

    Returns:
        The rules. A source that cannot be read costs only itself and is named in ``warnings``.
    """
    warnings: list[str] = []
    folders: list[tuple[str, str]] = []
    inside = _inside(root, state)
    if inside:
        folders.append((inside, "the state of clawvault"))
    if _is_diary(root, config.dream.diary):
        folders.append((config.dream.diary, "the diary of dreaming"))
    folders.extend(_template_folders(root, warnings))
    sources = (
        (IGNORE_FILE, _read_text(root, IGNORE_FILE, warnings).splitlines()),
        ("index.ignore in .clawvault/config.toml", list(config.index.ignore)),
    )
    specs = tuple((origin, spec) for origin, lines in sources if (spec := _spec(origin, lines, warnings)))
    app = _read_json(root, OBSIDIAN_SETTINGS, warnings)
    filters, globs = _obsidian_filters(app.get("userIgnoreFilters"), warnings)
    if (excluded := _spec(OBSIDIAN_LIST, globs, warnings)) is not None:
        specs += ((OBSIDIAN_LIST, excluded),)
    said = json.dumps([VERSION, folders, [lines for _, lines in sources], [f.pattern for f in filters], globs])
    return IgnoreRules(
        fingerprint=hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:16],
        warnings=tuple(warnings),
        folders=tuple(folders),
        specs=specs,
        filters=tuple(filters),
    )


def _inside(root: Path, state: Path) -> str:
    try:
        above, below = os.path.realpath(root), os.path.realpath(state)
    except OSError as error:
        # A link of the way was replaced between two looks at it (T02).
        raise NotFoundError("The folder of the vault was replaced just now.", "Try again.") from error
    try:
        relative = Path(below).relative_to(above).as_posix()
    except ValueError:
        return ""
    return "" if relative == "." else relative


def _is_diary(root: Path, name: str) -> bool:
    if not name or not os.path.lexists(root / name):
        return False
    try:
        with open_inside(root, name) as handle:
            return handle.read(100).decode("utf-8-sig", "replace").lstrip().startswith(DIARY_MARK)
    except (ClawvaultError, OSError):
        return False


def _spec(origin: str, lines: Iterable[str], warnings: list[str]) -> pathspec.GitIgnoreSpec | None:
    good: list[str] = []
    for line in lines:
        if not line.strip() or line.startswith("#"):
            continue
        if len(good) == MAX_RULES:
            warnings.append(f"There are more than {MAX_RULES} ignore rules in {origin}; the rest is passed over.")
            break
        if is_costly_glob(line):
            warnings.append(f'The ignore rule "{line.strip()[:80]}" in {origin} is too costly and is passed over.')
            continue
        try:
            read_globs([line])
        except (ValueError, re.error):
            warnings.append(f'The ignore rule "{line.strip()[:80]}" in {origin} makes no sense and is passed over.')
        else:
            good.append(line)
    return read_globs(good) if good else None


def _obsidian_filters(value: object, warnings: list[str]) -> tuple[list[re.Pattern[str]], list[str]]:
    """Turn Obsidian's list into patterns: ``/x/`` is a regular expression, anything else a path prefix."""
    patterns: list[re.Pattern[str]] = []
    globs: list[str] = []
    for item in value if isinstance(value, list) else []:
        if not isinstance(item, str) or not item.strip("/ "):
            continue
        if len(item) > 2 and item.startswith("/") and item.endswith("/"):
            _add_pattern(item[1:-1], patterns, warnings)
        elif "*" in item:
            globs.append(item)
        else:
            globs.append("/" + GLOB_SIGNS.sub(r"\\\1", item.lstrip("/")) + ("**" if item.endswith("/") else ""))
    return patterns, globs


def _add_pattern(source: str, patterns: list[re.Pattern[str]], warnings: list[str]) -> None:
    try:
        pattern = read_expression(source)
    except ValueError as error:
        warnings.append(f'The Obsidian exclusion "/{source[:80]}/" {error} and is passed over.')
        return
    if len(patterns) < MAX_FILTERS:
        patterns.append(pattern)
    elif (
        warning := f"Obsidian excludes by more than {MAX_FILTERS} patterns; the rest is passed over."
    ) not in warnings:
        warnings.append(warning)


def _template_folders(root: Path, warnings: list[str]) -> list[tuple[str, str]]:
    places: tuple[tuple[str, Callable[[dict[str, object]], object]], ...] = (
        (OBSIDIAN_TEMPLATES, lambda found: found.get("folder")),
        (OBSIDIAN_TEMPLATER, lambda found: found.get("templates_folder")),
    )
    folders: list[tuple[str, str]] = []
    for name, pick in places:
        folder = pick(_read_json(root, name, warnings))
        if isinstance(folder, str) and folder.strip("/. "):
            folders.append((folder.strip("/ "), "a folder of templates"))
    return list(dict.fromkeys(folders))


def _read_json(root: Path, name: str, warnings: list[str]) -> dict[str, object]:
    text = _read_text(root, name, warnings)
    if not text.strip():
        return {}
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        warnings.append(f'"{name}" is not valid JSON; its exclusions are not known.')
        return {}
    return found if isinstance(found, dict) else {}


def _read_text(root: Path, name: str, warnings: list[str]) -> str:
    if not os.path.lexists(root / name):
        return ""
    try:
        with open_inside(root, name) as handle:
            data = handle.read(MAX_SETTINGS_BYTES + 1)
    except (ClawvaultError, OSError):
        warnings.append(f'"{name}" cannot be read; its rules are not known.')
        return ""
    if len(data) > MAX_SETTINGS_BYTES:
        warnings.append(f'"{name}" is larger than {MAX_SETTINGS_BYTES} bytes; its rules are not known.')
        return ""
    return data.decode("utf-8-sig", "replace")
