"""Questions with known evidence: a folder of notes and a file of JSON lines."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clawvault.errors import NotFoundError, UsageError
from clawvault.evaluate.metrics import Span

QRELS_NAME = "qrels.jsonl"
SHOWN_LINES = 5
FORM = 'Each line is {"id": ..., "query": ..., "relevant": [{"path": ..., "line_start": 1, "line_end": 2}]}.'


@dataclass(frozen=True, slots=True)
class Question:
    """One question with the lines that answer it; ``category`` is ``None`` where the data has none."""

    id: str
    query: str
    evidence: tuple[Span, ...]
    category: str | None = None


@dataclass(frozen=True, slots=True)
class Dataset:
    """Notes and questions about them.

    ``prefix`` is the folder of the vault that the notes go to, empty for its top. ``qrels`` is the text of the question
    file. ``n_without_evidence`` counts questions that nothing answers; they are left out.
    """

    name: str
    notes: Path
    prefix: str
    qrels: str
    questions: tuple[Question, ...]
    n_without_evidence: int = 0


def read_dataset(folder: Path, qrels: Path | None = None, *, most: int | None = None) -> Dataset:
    """Read a data set.

    Args:
        folder: The notes.
        qrels: The questions; ``None`` is ``qrels.jsonl`` among the notes. Its paths count from ``folder`` or, where
            nothing is found so, from the folder above.
        most: Keep only so many questions from the start of the file; ``None`` keeps all.

    Raises:
        NotFoundError: A folder or file is not there.
        UsageError: A line is malformed, or no question has evidence.
    """
    if not folder.is_dir():
        raise NotFoundError(f'There is no folder "{folder}".', "Name a folder of notes.")
    path = folder / QRELS_NAME if qrels is None else qrels
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError) as error:
        raise NotFoundError(f'There are no questions in "{path}".', "Name the file with --qrels FILE.") from error
    except PermissionError as error:
        raise UsageError(f'Cannot open "{path}": {error.strerror}.', "Check its permissions.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f'"{path}" is not UTF-8: {error.reason} at byte {error.start}.', FORM) from error
    questions, n_without = parse_questions(text, path.name)
    if not questions:
        raise UsageError(f'No question in "{path}" has evidence.', FORM)
    kept = questions if most is None else questions[:most]
    name = folder.resolve().name
    return Dataset(name, folder, _prefix(folder, name, questions), text, kept, n_without)


def parse_questions(text: str, name: str) -> tuple[tuple[Question, ...], int]:
    """Read questions from JSON lines; blank lines are passed over.

    Args:
        text: The content of the file.
        name: What to call the file in an error.

    Returns:
        The questions with evidence in the order of the file, and how many have none.

    Raises:
        UsageError: Lines are malformed; all are named by number.
    """
    questions: list[Question] = []
    problems: list[tuple[int, str]] = []
    seen: set[str] = set()
    n_without = 0
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            question = _read_question(line)
            if question.id in seen:
                raise ValueError(f'the id "{question.id}" is there before')
        except ValueError as error:
            problems.append((number, str(error)))
            continue
        seen.add(question.id)
        if question.evidence:
            questions.append(question)
        else:
            n_without += 1
    if problems:
        raise _malformed(name, problems)
    return tuple(questions), n_without


def _malformed(name: str, problems: list[tuple[int, str]]) -> UsageError:
    first, why = problems[0]
    others = ", ".join(str(number) for number, _ in problems[1 : SHOWN_LINES + 1])
    more = "" if len(problems) <= SHOWN_LINES + 1 else f" and {len(problems) - SHOWN_LINES - 1} more"
    also = f" So {'are lines' if len(problems) > 2 else 'is line'} {others}{more}." if others else ""
    return UsageError(f'Line {first} of "{name}" is malformed: {why}.{also}', FORM)


def _read_question(line: str) -> Question:
    try:
        values = json.loads(line)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    except json.JSONDecodeError as error:
        raise ValueError(f"it is not JSON ({error.msg} at character {error.colno})") from error
    if not isinstance(values, dict):
        raise ValueError("it is not a JSON object")
    category = values.get("category_name")
    if category is not None and not isinstance(category, str):
        raise ValueError('"category_name" is not a text')
    name = values.get("id")
    if isinstance(name, bool) or not isinstance(name, (str, int)) or name == "":
        raise ValueError('there is no "id"')
    query = values.get("query")
    if not isinstance(query, str):
        raise ValueError('there is no "query"')
    spans = values.get("relevant")
    if not isinstance(spans, (list, type(None))):
        raise ValueError('"relevant" is not a list')
    return Question(str(name), query, tuple(_read_span(span) for span in spans or ()), category)


def _read_span(values: Any) -> Span:
    path = values.get("path") if isinstance(values, Mapping) else None
    if not isinstance(path, str) or not path:
        raise ValueError('evidence has no "path"')
    first, last = (values.get(name) for name in ("line_start", "line_end"))
    if type(first) is not int or type(last) is not int or not 1 <= first <= last:
        raise ValueError(f'evidence in "{path}" has no lines from 1 upward in "line_start" and "line_end"')
    return Span(unicodedata.normalize("NFC", path), first, last)


def _prefix(folder: Path, name: str, questions: tuple[Question, ...]) -> str:
    """Return the folder that stands before all paths of evidence when they count from the folder above."""
    paths = {span.path for question in questions for span in question.evidence}
    if any((folder / path).is_file() for path in paths):
        return ""
    inner = [path.removeprefix(f"{name}/") for path in paths if path.startswith(f"{name}/")]
    return name if any((folder / path).is_file() for path in inner) else ""
