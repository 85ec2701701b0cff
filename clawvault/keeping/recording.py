"""Record conversations: one note for each run, whole, so that to record it again changes nothing (MN-50, MN-51)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from clawvault.context.lanes import check_id
from clawvault.errors import UsageError
from clawvault.guard.identity import RESERVED_FOLDER
from clawvault.guard.presenting import clean_line, clean_text
from clawvault.guard.secret_text import mask_secrets
from clawvault.keeping.means import Means, Written, report
from clawvault.vault.writing import change_text

MAX_MESSAGES = 10_000
MAX_NAME_CHARS = 80
_ROLE = re.compile(r"[a-z][a-z_-]{0,31}")
# What a heading of a message looks like; a line of a message that looks so too must not pass for one.
_HEADING = re.compile(r" {0,3}#{1,2}(?:[ \t]|$)")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")
_FENCE = re.compile(r"[ \t]{0,3}(`{3,}(?=[^`]*$)|~{3,})")
_DAY = re.compile(r"date: (\d{4}-\d{2}-\d{2})\r?$", re.MULTILINE)


def record_interaction(means: Means, thread_id: str, run_id: str, messages: Sequence[Mapping[str, Any]]) -> Written:
    """Write one run of a conversation to ``threads/THREAD/RUN.md``, over what was recorded of it before.

    Args:
        means: What to work with.
        thread_id: Of the conversation, from the host and never from a model.
        run_id: Of the run.
        messages: In order; each has a ``role``, may have a ``name``, and as ``content`` a text, or a list of parts of
            which those of type ``text`` are recorded.

    Returns:
        Where it is. The same messages leave the note as it is; secrets in them are masked.

    Raises:
        UsageError: An id or a message is none.

    Source: MN-50, MN-51, MN-52.
    """
    path = f"{RESERVED_FOLDER}/{check_id('thread', thread_id)}/{check_id('run', run_id)}.md"
    if not messages or len(messages) > MAX_MESSAGES:
        raise UsageError(f"There are {len(messages)} messages.", f"Give 1 to {MAX_MESSAGES}.")
    body = "\n".join(_message(number, message) for number, message in enumerate(messages, 1))
    today = means.now().date().isoformat()

    def remake(data: bytes | None) -> bytes:
        # A run stays one of the day on which it was recorded first.
        known = _DAY.search((data or b"")[:200].decode("utf-8", "replace"))
        day = known[1] if known else today
        text = f"---\ndate: {day}\n---\n\n# Conversation {thread_id}, run {run_id}\n\n{body}"
        return change_text(data, lambda _, newline: text.replace("\n", newline))

    return report(means, means.writer.record(path, remake), "record")


def _message(number: int, message: Mapping[str, Any]) -> str:
    if not isinstance(message, Mapping):
        raise UsageError(f"Message {number} is not an object.", 'Such as {"role": "user", "content": "Hello"}.')
    role, name = message.get("role"), message.get("name")
    if not isinstance(role, str) or not _ROLE.fullmatch(role):
        raise UsageError(f"Message {number} has no usable role.", "Such as user, assistant, system or tool.")
    if name is not None and not isinstance(name, str):
        raise UsageError(f"The name in message {number} is not a text.", "Leave it out, or give a text.")
    said = clean_line(name or "").strip()[:MAX_NAME_CHARS]
    text = mask_secrets(clean_text("\n".join(_texts(number, message.get("content")))).text, fill=False)
    lines = "".join(f"{line}\n" for line in _lines(text))
    return f"## {number} {role}{f' ({said})' if said else ''}\n\n{lines}"


def _texts(number: int, content: object) -> Iterator[str]:
    if content is None:
        return
    if isinstance(content, str):
        yield content
        return
    if not isinstance(content, Sequence):
        raise UsageError(f"The content of message {number} is neither a text nor a list of parts.")
    for part in content:
        kind = part.get("type") if isinstance(part, Mapping) else None
        text = part.get("text") if isinstance(part, Mapping) else part
        if isinstance(text, str) and kind in {None, "text", "input_text", "output_text"}:
            yield text
        elif kind is not None:
            yield f"(something of type {clean_line(str(kind))[:MAX_NAME_CHARS]})"


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of a message so that none of them ends it: headings are told apart, and code is closed."""
    fence = above = ""
    for line in text.strip("\n").split("\n") if text.strip() else ():
        shown, opening = line, _FENCE.match(line)
        if fence:
            fence = "" if line.strip().startswith(fence) and not line.strip().strip(fence[0]) else fence
        elif opening:
            fence = opening[1]
        else:
            shown = _told_apart(line, above)
        yield shown
        above = line
    if fence:
        yield fence


def _told_apart(line: str, above: str) -> str:
    """Return a line that is no heading, nor makes one of the line above it."""
    if _HEADING.match(line) or (above.strip() and _UNDERLINE.match(line)):
        indent = len(line) - len(line.lstrip(" "))
        return f"{line[:indent]}\\{line[indent:]}"
    return line
