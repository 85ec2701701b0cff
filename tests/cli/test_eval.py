"""``clawvault eval``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_types import Run

QUESTIONS = [
    {
        "id": "q1",
        "query": "production port",
        "relevant": [{"path": "databases.md", "line_start": 5, "line_end": 5}],
        "category_name": "exact",
    },
    {
        "id": "q2",
        "query": "Mira backups",
        "relevant": [{"path": "memory/2026-03-09.md", "line_start": 1, "line_end": 1}],
    },
    {"id": "q3", "query": "nobody knows", "relevant": []},
]


@pytest.fixture
def questions(vault: Path, tmp_path: Path) -> Path:
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(json.dumps(question) for question in QUESTIONS), encoding="utf-8")
    return path


def test_a_data_set_is_a_table_with_a_row_a_lane_and_its_categories(run: Run, vault: Path, questions: Path) -> None:
    result = run("eval", str(vault), "--qrels", str(questions), "--model", "none")
    lines = result.stdout.splitlines()
    assert result.exit_code == 0, result.output
    assert lines[0].startswith("notes: 2 questions; 1 without evidence left out; 4 notes, ")
    assert [line.split()[:4] for line in lines[2:5]] == [
        ["lane", "n", "recall@5", "precision@5"],
        ["fts", "2", "1.000", "0.200"],
        ["hybrid", "2", "1.000", "0.200"],
    ]
    assert [line.split()[:2] for line in lines[6:9]] == [["exact", "n"], ["fts", "1"], ["hybrid", "1"]]
    assert "Degraded" not in result.output


def test_json_holds_the_figures_of_every_question(run: Run, vault: Path, questions: Path) -> None:
    result = run("eval", str(vault), "--qrels", str(questions), "--provider", "none", "--json", "--today", "2026-03-15")
    report = json.loads(result.stdout)
    assert report["pinned"]["today"] == "2026-03-15"
    assert [row["id"] for row in report["per_question"]] == ["q1", "q2"]
    assert report["per_question"][0]["lanes"]["fts"]["mrr"] == 1.0


def test_every_fusion_may_have_its_row(run: Run, vault: Path, questions: Path) -> None:
    result = run("eval", str(vault), "--qrels", str(questions), "--model", "none", "--fusion", "all", "--json")
    assert list(json.loads(result.stdout)["lanes"]) == ["fts", "score", "rrf", "weighted", "adaptive"]


def test_one_fusion_is_that_of_the_hybrid_lane(run: Run, vault: Path, questions: Path) -> None:
    result = run("eval", str(vault), "--qrels", str(questions), "--model", "none", "--fusion", "rrf", "--json")
    assert json.loads(result.stdout)["pinned"]["fusion"] == "rrf"


def test_only_so_many_questions_are_asked(run: Run, vault: Path, questions: Path) -> None:
    result = run("eval", str(vault), "--qrels", str(questions), "--model", "none", "--most", "1", "--json")
    assert json.loads(result.stdout)["questions"] == 1


def test_the_index_of_the_person_stays_as_it_is(run: Run, vault: Path, questions: Path, tmp_path: Path) -> None:
    run("index")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
    run("eval", str(vault), "--qrels", str(questions), "--model", "none")
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()} == before


def test_a_bad_line_is_named_and_ends_with_2(run: Run, vault: Path, questions: Path) -> None:
    questions.write_text('{"id": "q1"}\n', encoding="utf-8")
    result = run("eval", str(vault), "--qrels", str(questions))
    assert result.exit_code == 2
    assert result.stderr.splitlines()[0] == 'Error: Line 1 of "questions.jsonl" is malformed: there is no "query".'


def test_a_folder_that_is_not_there_ends_with_3(run: Run) -> None:
    assert run("eval", "nowhere").exit_code == 3


def test_a_model_that_is_not_here_ends_with_7(run: Run, vault: Path, questions: Path) -> None:
    result = run("eval", str(vault), "--qrels", str(questions), "--model", "nobody/nothing")
    assert (result.exit_code, "not on this machine" in result.stderr) == (7, True)


def test_saved_reports_are_compared(run: Run, vault: Path, questions: Path) -> None:
    for name, fusion in (("a.json", "score"), ("b.json", "rrf")):
        run("eval", str(vault), "--qrels", str(questions), "--model", "none", "--fusion", fusion, "--out", name)
    result = run("eval", "--compare", "a.json", "b.json")
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[0] == "a.json and b.json: 2 questions"
    assert result.stdout.splitlines()[3].endswith("+0.000 to +0.000  no difference shown")
    assert json.loads(run("eval", "--compare", "a.json", "b.json", "--json").stdout)["questions"] == 2


def test_reports_on_different_data_are_refused(run: Run, vault: Path, questions: Path) -> None:
    for name in ("a.json", "b.json"):
        run("eval", str(vault), "--qrels", str(questions), "--model", "none", "--out", name)
        (vault / "databases.md").write_text("# Databases\n\n\n\nProduction listens on port 1.\n", encoding="utf-8")
    result = run("eval", "--compare", "a.json", "b.json")
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: The reports are of different data")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--compare", "a", "b", "--most", "3"),
        ("--compare", "a", "b", "notes"),
        ("--model", "none"),
        ("--most", "0", "."),
    ],
)
def test_options_that_do_not_belong_together_end_with_2(run: Run, arguments: tuple[str, ...]) -> None:
    assert run("eval", *arguments).exit_code == 2


def test_a_report_that_cannot_be_saved_ends_with_2(run: Run, vault: Path, questions: Path) -> None:
    result = run("eval", str(vault), "--qrels", str(questions), "--model", "none", "--out", "no/such/folder.json")
    assert (result.exit_code, "Cannot write" in result.stderr) == (2, True)


@pytest.mark.model
def test_without_a_data_set_the_memory_suite_runs(run: Run) -> None:
    """TC-13, TC-31."""
    result = run("eval")
    lines = result.stdout.splitlines()
    assert result.exit_code == 0, result.output
    assert lines[0].split()[:7] == ["case", "lane", "recall@k", "precision@k", "MRR", "nDCG@10", "k"]
    assert lines[1].split() == "TC-14 exact keywords fts 1.000 0.200 1.000 1.000 5 recall@5 >= 0.8 passed".split()
    assert lines[-1] == "All 13 required cases hold."


@pytest.mark.model
def test_the_memory_suite_as_json_names_every_case(run: Run) -> None:
    """TC-14..TC-21, IW-101..IW-104."""
    report = json.loads(run("eval", "--json", "--today", "2026-03-15").stdout)
    assert (report["passed"], len(report["cases"]), report["pinned"]["today"]) == (True, 13, "2026-03-15")
