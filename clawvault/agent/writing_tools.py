"""Tools that change a vault, all through its one writer (IW-90, MN-26..38, MN-53..54)."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from clawvault.agent.answers import show_data
from clawvault.agent.reading_tools import MAX_KEY_CHARS, MAX_PATH_CHARS
from clawvault.agent.tool import Desk, JsonObject, Tool, text, yes_or_no
from clawvault.context.naming import flags_of_path
from clawvault.guard.findings import worst_first
from clawvault.guard.screening import screen
from clawvault.keeping.breadth import MOST_LINES, Doubt, doubt_of

if TYPE_CHECKING:
    from clawvault.keeping.forgetting import Forgotten

MAX_CONTENT_CHARS = 250_000
MAX_FACT_CHARS = 2_000
MAX_CATEGORY_CHARS = 60
SHA256 = r"^[0-9a-f]{64}$"
TARGET = (
    "Path relative to the vault, such as projects/atlas.md; or memory (the long-term memory note), daily_log (today's "
    "note) or heartbeat."
)


def _write(desk: Desk, arguments: JsonObject) -> JsonObject:
    expected = arguments.get("expected_hash")
    return _done(desk, lambda: desk.vault.write(arguments["path"], arguments["content"], expected_hash=expected))


def _append(desk: Desk, arguments: JsonObject) -> JsonObject:
    return _done(desk, lambda: desk.vault.append(arguments["path"], arguments["content"]))


def _patch(desk: Desk, arguments: JsonObject) -> JsonObject:
    path, old, new = arguments["path"], arguments["old"], arguments["new"]
    return _done(desk, lambda: desk.vault.patch(path, old, new, replace_all=arguments["replace_all"]))


def _remember(desk: Desk, arguments: JsonObject) -> JsonObject:
    text, category, insist = arguments["text"], arguments.get("category"), arguments["even_if_similar"]
    return _done(desk, lambda: desk.vault.remember(text, category=category, even_if_similar=insist))


def _forget(desk: Desk, arguments: JsonObject) -> JsonObject:
    wanted, confirm = arguments["text"], arguments.get("confirm", "")
    with desk.lock:
        plan = desk.vault.forget(wanted, dry_run=True)
        doubt = doubt_of(plan, wanted)
        if arguments["dry_run"]:
            agree = {"confirm": doubt.confirm} if doubt and doubt.confirm else {}
            return {**_lines_of(plan), "applied": False, "n_removed": 0, **agree}
        if doubt is not None and (not doubt.confirm or confirm != doubt.confirm):
            return _not_unseen(plan, doubt, confirm)
        done: JsonObject = show_data(desk.vault.forget(wanted, shown=plan.going))
        return done


def _not_unseen(plan: Forgotten, doubt: Doubt, confirm: str) -> JsonObject:
    """Return the lines that an agent should look at before they go, as a failure."""
    changed = " What was confirmed is not what is there now." if confirm and doubt.confirm else ""
    hint = "Give more of the line that is meant"
    hint += (
        f', or show these lines to the person and call again with confirm "{doubt.confirm}".'
        if doubt.confirm
        else ("; so many lines are removed by the person, on the command line.")
    )
    agree = {"confirm": doubt.confirm} if doubt.confirm else {}
    return {"is_error": True, "error": doubt.reason + changed, "hint": hint, **_lines_of(plan), **agree}


def _lines_of(plan: Forgotten) -> JsonObject:
    shown = [_line_of(asdict(line)) for line in plan.lines[:MOST_LINES]]
    return {"lines": shown, "n_lines": len(plan.lines), "warnings": show_data(plan.warnings)}


def _line_of(line: JsonObject) -> JsonObject:
    flags = worst_first((*flags_of_path(line["path"]), *screen(line["text"]).flags))
    shown: JsonObject = show_data(line)
    return {**shown, "flagged": list(flags)} if flags else shown


def _profile_set(desk: Desk, arguments: JsonObject) -> JsonObject:
    return _done(desk, lambda: desk.vault.profile_set(arguments["key"], arguments["value"]))


def _done(desk: Desk, act: Any) -> JsonObject:
    with desk.lock:
        found = show_data(act())
    return found if isinstance(found, dict) else {"done": True, "result": found}


REMEMBER = Tool(
    name="memory_remember",
    title="Remember a fact",
    description=(
        "Save one lasting preference, fact, decision or correction, without being asked, as soon as the person states "
        "it. Write one short line that can be understood alone, as a fact about the person or project, never as an "
        "order to yourself. Call {memory_search} first; where memory has it already, change that entry with "
        "{memory_patch} instead. Never save secrets, progress of a task, or what is stale in two weeks. "
        'Example: {"text": "Anna prefers dark mode in every editor", "category": "preferences"}'
    ),
    properties={
        "text": text("The fact, one self-contained line.", MAX_FACT_CHARS),
        "category": text("What it is about, such as preferences, people, projects, decisions.", MAX_CATEGORY_CHARS),
        "even_if_similar": yes_or_no(
            "Save it although a line says nearly the same. Only after a refusal showed you that line and both hold.",
            default=False,
        ),
    },
    required=("text",),
    run=_remember,
    read_only=False,
)

APPEND = Tool(
    name="memory_append",
    title="Append to a note",
    description=(
        "Add text at the end of a note; the note is made when it is missing. With path daily_log the text goes to "
        "today's note with the time: use that for what happened today. For one lasting fact use {memory_remember}. "
        'Example: {"path": "daily_log", "content": "Finished the draft of the report with Ben."}'
    ),
    properties={
        "path": text(TARGET, MAX_PATH_CHARS),
        "content": text("What to add, as Markdown.", MAX_CONTENT_CHARS),
    },
    required=("path", "content"),
    run=_append,
    read_only=False,
)

PATCH = Tool(
    name="memory_patch",
    title="Change a part of a note",
    description=(
        "Replace a text in a note by another; all else stays. Use it to correct or update an entry instead of adding a "
        "second one. old must be in the note exactly, once, unless replace_all is true; read it with {memory_get} "
        'first. Example: {"path": "MEMORY.md", "old": "lives in Bonn", "new": "lives in Lyon"}'
    ),
    properties={
        "path": text(TARGET, MAX_PATH_CHARS),
        "old": text("The text that is there now, exactly.", MAX_CONTENT_CHARS),
        "new": text("The text to put in its place; to remove something use {memory_forget}.", MAX_CONTENT_CHARS),
        "replace_all": yes_or_no("Replace every place where old stands.", default=False),
    },
    required=("path", "old", "new"),
    run=_patch,
    read_only=False,
    destructive=True,
)

WRITE = Tool(
    name="memory_write",
    title="Write a note",
    description=(
        "Make a new note, or replace a whole one. To replace, give as expected_hash the sha256 that {memory_read} "
        "returned; without it a note that exists is never touched. To add use {memory_append}, to change a part "
        '{memory_patch}. Example: {"path": "projects/atlas.md", "content": "# Atlas\\n\\nStarts in May.\\n"}'
    ),
    properties={
        "path": text(TARGET, MAX_PATH_CHARS),
        "content": text("The whole note, as Markdown.", MAX_CONTENT_CHARS),
        "expected_hash": text("sha256 of the note as you read it, 64 hex digits.", 64, least=64, pattern=SHA256),
    },
    required=("path", "content"),
    run=_write,
    read_only=False,
    destructive=True,
)

FORGET = Tool(
    name="memory_forget",
    title="Forget something",
    description=(
        "Remove what the person asks you to forget. Only when they ask. Give the whole line as it stands: a text that "
        "stands in many lines, or in one that says more, is refused, and the answer lists them. Do not add a "
        "correction beside the old text: both would stay. The answer says what was removed, and the undo ids that "
        "bring it back. "
        'Example: {"text": "Anna prefers dark mode in every editor"}'
    ),
    properties={
        "text": text("The text to forget, as it stands in memory.", MAX_FACT_CHARS),
        "dry_run": yes_or_no("Only list the lines that would go.", default=False),
        "confirm": text("What the refusal gave, once the person has agreed to the lines it listed.", MAX_KEY_CHARS),
    },
    required=("text",),
    run=_forget,
    read_only=False,
    destructive=True,
)

PROFILE_SET = Tool(
    name="profile_set",
    title="Change the profile",
    description=(
        "Set one fact of the person's profile, such as name, language or timezone. For anything that has no key of its "
        'own use {memory_remember}. Example: {"key": "timezone", "value": "Europe/Paris"}'
    ),
    properties={
        "key": text("Key of the fact.", MAX_KEY_CHARS),
        "value": {
            "type": ["string", "number", "boolean", "array"],
            "description": "Its new value: a text, a number, true or false, or a list of texts.",
            "maxLength": MAX_FACT_CHARS,
            "maxItems": 100,
            "items": {"type": "string", "maxLength": MAX_FACT_CHARS},
        },
    },
    required=("key", "value"),
    run=_profile_set,
    read_only=False,
    destructive=True,
)
WRITING_TOOLS = (REMEMBER, APPEND, PATCH, WRITE, FORGET, PROFILE_SET)
