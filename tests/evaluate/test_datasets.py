"""Reading questions with evidence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clawvault.errors import NotFoundError, UsageError
from clawvault.evaluate.datasets import Question, parse_questions, read_dataset
from clawvault.evaluate.metrics import Span

EVIDENCE = {"path": "a.md", "line_start": 1, "line_end": 2}


def line(**values: Any) -> str:
    return json.dumps({"id": "q1", "query": "where?", "relevant": [EVIDENCE], **values})


def make(folder: Path, *lines: str, note: str = "a.md") -> Path:
    (folder / note).parent.mkdir(parents=True, exist_ok=True)
    (folder / note).write_text("one\ntwo\n", encoding="utf-8")
    (folder / "qrels.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return folder


def test_a_question_has_its_evidence_and_its_category() -> None:
    questions, n_without = parse_questions(line(category_name="temporal", answer="here"), "qrels.jsonl")
    assert questions == (Question("q1", "where?", (Span("a.md", 1, 2),), "temporal"),)
    assert n_without == 0


def test_questions_without_evidence_are_left_out_and_counted() -> None:
    text = "\n".join([line(), line(id="q2", relevant=[]), line(id=3, relevant=None), ""])
    questions, n_without = parse_questions(text, "qrels.jsonl")
    assert [question.id for question in questions] == ["q1"]
    assert n_without == 2


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ("{", "it is not JSON"),
        ("[" * 100_000, "it is nested too deeply"),
        ("[]", "it is not a JSON object"),
        (line(id=None), 'there is no "id"'),
        (line(id=True), 'there is no "id"'),
        (line(query=7), 'there is no "query"'),
        (line(relevant="a.md"), '"relevant" is not a list'),
        (line(relevant=["a.md"]), 'evidence has no "path"'),
        (line(relevant=[{**EVIDENCE, "line_start": 0}]), 'evidence in "a.md" has no lines'),
        (line(relevant=[{**EVIDENCE, "line_end": True}]), 'evidence in "a.md" has no lines'),
        (line(relevant=[{**EVIDENCE, "line_start": 3}]), 'evidence in "a.md" has no lines'),
        (line(category_name=4), '"category_name" is not a text'),
        (line(), 'the id "q1" is there before'),
    ],
)
def test_a_bad_line_is_named_by_its_number(bad: str, why: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_questions(f"{line()}\n\n{bad}\n", "qrels.jsonl")
    assert caught.value.message.startswith(f'Line 3 of "qrels.jsonl" is malformed: {why}')


def test_further_bad_lines_are_named_too() -> None:
    with pytest.raises(UsageError) as caught:
        parse_questions("{\n" * 9, "q")
    assert caught.value.message.endswith("So are lines 2, 3, 4, 5, 6 and 3 more.")
    with pytest.raises(UsageError) as caught:
        parse_questions("{\n" * 2, "q")
    assert caught.value.message.endswith("So is line 2.")


def test_a_data_set_is_a_folder_with_its_questions(tmp_path: Path) -> None:
    dataset = read_dataset(make(tmp_path / "notes", line(), line(id="q2")), most=1)
    assert (dataset.name, dataset.prefix) == ("notes", "")
    assert [question.id for question in dataset.questions] == ["q1"]


def test_questions_may_lie_elsewhere_and_count_paths_from_the_folder_above(tmp_path: Path) -> None:
    make(tmp_path, line(relevant=[{**EVIDENCE, "path": "notes-en/a.md"}]), note="notes-en/a.md")
    dataset = read_dataset(tmp_path / "notes-en", tmp_path / "qrels.jsonl")
    assert dataset.prefix == "notes-en"


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no folder"):
        read_dataset(tmp_path / "nowhere")


def test_a_folder_without_questions_says_how_to_name_them(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError) as caught:
        read_dataset(tmp_path)
    assert caught.value.hint == "Name the file with --qrels FILE."


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "qrels.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="is not UTF-8"):
        read_dataset(tmp_path)


def test_questions_that_nothing_answers_are_no_data_set(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No question"):
        read_dataset(make(tmp_path, line(relevant=[])))
