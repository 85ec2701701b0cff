"""Turn hits and notes into what a model gets: fields, quoted text, and how to go on where it is cut (I44, T19)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from typing import TYPE_CHECKING, Any

from clawvault.agent.tool import Desk, JsonObject
from clawvault.context.naming import flags_of_path
from clawvault.context.sources import find_outside_edits
from clawvault.guard.findings import worst_first
from clawvault.guard.identity import fold_name
from clawvault.guard.presenting import clean_line, cut, cut_near
from clawvault.guard.screening import NOTE, OWNER, Screened, screen, screen_part, trust_of
from clawvault.search.hits.snippet import find_snippet
from clawvault.vault.identity_baseline import is_identity_name

if TYPE_CHECKING:
    from clawvault.api import NoteLines

# A hit whose share of the budget is smaller than this says nothing; its lines can be asked for.
FEW_CHARS = 200
# The most of a note that is shown, and looked at, at one time.
READ_CHARS = 20_000


def find_edits(desk: Desk, *paths: str) -> dict[str, str]:
    """Return the outside edits of identity files, looked for only where one is among some paths (T05)."""
    if not any(map(is_identity_name, paths)):
        return {}
    return find_outside_edits(desk.vault.root, desk.vault.state)


def show_hit(hit: Mapping[str, Any], limit: int, outside_edits: Mapping[str, str]) -> JsonObject:
    """Return one hit as a model gets it.

    Args:
        hit: As ``Hit.to_dict`` gives it.
        limit: The most characters of its text; ``FEW_CHARS`` are shown even of one that has no room.
        outside_edits: As ``find_edits`` gives them.

    Returns:
        Fields of the hit; ``trust``, and ``flagged``, ``altered`` and ``outside_edit`` where there is something to say;
        where the text is cut, which never takes the line of the answer, ``truncated`` and the ``next_line_start`` to go
        on from. Where lines before are left out, ``line_start`` is that of the first one shown, ``offset`` what is left
        out of it, and ``passage_line_start`` says where the passage begins.
    """
    seen = screen(str(hit["text"]))
    beside = [hit["path"], hit.get("superseded_by") or "", *hit.get("copy_paths", ())]
    named = worst_first(label for path in beside for label in flags_of_path(path))
    flags = tuple(dict.fromkeys((*hit.get("flagged", ()), *seen.flags, *named)))
    part, begins = cut_near(seen.text, max(limit, FEW_CHARS), find_snippet(seen.text, str(hit.get("snippet") or "")))
    line_start = hit["line_start"] + seen.text.count("\n", 0, begins)
    shown: JsonObject = {
        "path": clean_line(hit["path"]),
        "line_start": line_start,
        "line_end": hit["line_end"],
        "heading": [clean_line(screen(heading).text) for heading in hit["heading"]],
        "text": part,
        "date": hit["date"],
        "evergreen": hit["evergreen"],
        "score": round(hit["score"], 3),
        "is_hybrid_match": hit["is_hybrid_match"],
    }
    if hit.get("title"):
        shown["title"] = clean_line(screen(hit["title"]).text)
    if hit.get("superseded_by"):
        shown["superseded_by"] = clean_line(hit["superseded_by"])
    if hit.get("copy_paths"):
        shown["also_in"] = [clean_line(path) for path in hit["copy_paths"]]
    shown |= _remarks(hit["path"], flags, seen.altered, outside_edits)
    offset = begins - (seen.text.rfind("\n", 0, begins) + 1)
    if begins:
        shown |= {"truncated": True, "passage_line_start": hit["line_start"], **({"offset": offset} if offset else {})}
    if begins + len(part) < len(seen.text):
        shown |= _go_on(part, line_start, offset)
    return shown


def show_note_lines(
    lines: NoteLines, whole: NoteLines, limit: int, outside_edits: Mapping[str, str], *, offset: int = 0
) -> JsonObject:
    """Return a range of a note as a model gets it.

    Args:
        lines: The range.
        whole: The note.
        limit: The most characters of its text.
        outside_edits: As ``find_edits`` gives them.
        offset: Characters of the first line that were given before.
    """
    # Of a long note no more is looked at than may be shown: whole lines, since signs may be taken out of them.
    end = lines.text.find("\n", offset + limit) + 1 or len(lines.text)
    seen = _screen_lines(lines, whole, end)
    first, newline, rest = seen.text.partition("\n")
    begins = min(offset, len(first))
    text = first[begins:] + newline + rest
    part = cut(text, limit)
    shown: JsonObject = {
        "path": clean_line(lines.path),
        "line_start": lines.line_start,
        "line_end": lines.line_end,
        "n_lines": lines.n_lines,
        "text": part,
        "sha256": lines.sha256,
    }
    flags = worst_first((*seen.flags, *flags_of_path(lines.path)))
    shown |= _remarks(lines.path, flags, seen.altered, outside_edits)
    if len(part) < len(text) or end < len(lines.text):
        shown |= _go_on(part, lines.line_start, begins)
        shown["line_end"] = shown["next_line_start"] - (0 if "next_offset" in shown else 1)
    return shown


def _screen_lines(lines: NoteLines, whole: NoteLines, end: int) -> Screened:
    """Screen the first characters of a range, as a part of the note where both were read at one time."""
    if lines.sha256 != whole.sha256:
        return screen(lines.text[:end])
    before = whole.text.split("\n", lines.line_start - 1)[: lines.line_start - 1]
    start = sum(len(line) + 1 for line in before)
    return screen_part(whole.text, start, start + end)


def show_data(value: Any) -> Any:
    """Return any value of the vault as JSON values whose texts are fit for a model."""
    if hasattr(value, "to_dict"):
        value = value.to_dict()
    elif is_dataclass(value) and not isinstance(value, type):
        value = asdict(value)
    if isinstance(value, str):
        return screen(value).text
    if isinstance(value, Mapping):
        return {str(key): show_data(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [show_data(inner) for inner in value]
    return value if isinstance(value, (int, float, bool)) or value is None else str(value)


def flags_of_data(value: Any) -> tuple[str, ...]:
    """Return labels of orders in the texts of JSON values, the worst first."""
    if isinstance(value, str):
        return screen(value).flags
    inner = (*value, *value.values()) if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return worst_first(label for each in inner for label in flags_of_data(each))


def _go_on(part: str, line_start: int, offset: int) -> JsonObject:
    """Say where the rest of a cut text begins, which itself begins so many characters behind the start of a line."""
    where: JsonObject = {"truncated": True, "next_line_start": line_start + part.count("\n")}
    if not part.endswith("\n"):
        where["next_offset"] = len(part) - (part.rfind("\n") + 1) + (0 if "\n" in part else offset)
    return where


def _remarks(
    path: str, flags: tuple[str, ...], altered: tuple[str, ...], outside_edits: Mapping[str, str]
) -> JsonObject:
    """Say how far a text may be trusted, and what speaks against it."""
    trust, outside_edit = trust_of(path, flags), outside_edits.get(fold_name(path))
    remarks: JsonObject = {"trust": NOTE if outside_edit and trust == OWNER else trust}
    if outside_edit:
        remarks["outside_edit"] = outside_edit
    if flags:
        remarks["flagged"] = list(flags)
    if altered:
        remarks["altered"] = list(altered)
    return remarks
