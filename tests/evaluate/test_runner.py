"""Measuring a data set on a throw-away copy of its notes."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from fakes import HashEmbedder

from clawvault.errors import EmbedderError, UsageError
from clawvault.evaluate.asked_once import AskedOnceEmbedder
from clawvault.evaluate.datasets import read_dataset
from clawvault.evaluate.runner import FUSION_LANES, LANES, Lane, evaluate, hash_data

TODAY = date(2026, 3, 15)
NOTES = {
    "ports.md": "# Ports\n\nProduction listens on port 5433.\n",
    "coffee.md": "# Kitchen\n\nMorning coffee is at nine.\n",
    "memory/2026-03-09.md": "Agreed with Mira to move the backups.\n",
}
QUESTIONS = [
    {
        "id": "q1",
        "query": "which port",
        "relevant": [{"path": "ports.md", "line_start": 3, "line_end": 3}],
        "category_name": "exact",
    },
    {
        "id": "q2",
        "query": "Mira backups",
        "relevant": [{"path": "memory/2026-03-09.md", "line_start": 1, "line_end": 1}],
    },
    {"id": "q3", "query": "unknown", "relevant": []},
]


def write_notes(folder: Path, questions: list[dict[str, Any]] = QUESTIONS) -> Path:
    for path, text in NOTES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8", newline="\n")
    lines = "\n".join(json.dumps(question) for question in questions)
    (folder / "qrels.jsonl").write_text(lines, encoding="utf-8", newline="\n")
    return folder


def run(folder: Path, lanes: tuple[Lane, ...] = LANES, **settings: object) -> dict[str, Any]:
    embedder = AskedOnceEmbedder(HashEmbedder())
    return evaluate(
        read_dataset(folder), settings=settings, environment={}, today=TODAY, lanes=lanes, embedder=embedder
    )


def without_times(report: dict[str, Any]) -> str:
    return json.dumps({**report, "times": None})


def files_below(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_every_lane_is_measured_in_all_and_by_category(tmp_path: Path) -> None:
    report = run(write_notes(tmp_path))
    assert list(report["lanes"]) == ["fts", "vector", "hybrid"]
    assert report["lanes"]["fts"]["all"]["recall@5"] == 1.0
    assert report["lanes"]["fts"]["all"]["questions"] == 2
    assert list(report["lanes"]["hybrid"]["categories"]) == ["exact"]
    assert (report["questions"], report["without_evidence"]) == (2, 1)


def test_two_runs_differ_in_nothing_but_times(tmp_path: Path) -> None:
    folder = write_notes(tmp_path)
    assert without_times(run(folder)) == without_times(run(folder))


def test_nothing_is_written_beside_the_notes(tmp_path: Path) -> None:
    folder = write_notes(tmp_path / "notes")
    before = files_below(tmp_path)
    run(folder)
    assert files_below(tmp_path) == before


def test_every_question_has_its_own_figures(tmp_path: Path) -> None:
    first, second = run(write_notes(tmp_path))["per_question"]
    assert (first["id"], first["category"], first["lanes"]["fts"]["mrr"]) == ("q1", "exact", 1.0)
    assert (second["id"], second["category"], second["lanes"]["fts"]["cov@4k"]) == ("q2", None, 1.0)


def test_what_decides_the_figures_is_pinned(tmp_path: Path) -> None:
    pinned = run(write_notes(tmp_path))["pinned"]
    assert (pinned["notes"], pinned["model"], pinned["today"]) == (3, "hash", "2026-03-15")
    assert pinned["embedding_space"] == HashEmbedder().space.key
    assert pinned["search"]["rrf_k"] == 60


def test_each_fusion_is_a_lane_that_may_be_asked(tmp_path: Path) -> None:
    report = run(write_notes(tmp_path), FUSION_LANES)
    assert list(report["lanes"]) == ["score", "rrf", "weighted", "adaptive"]
    assert report["lanes"]["rrf"]["fusion"] == "rrf"


def test_a_question_is_embedded_once_for_all_lanes(tmp_path: Path) -> None:
    inner = HashEmbedder()
    evaluate(
        read_dataset(write_notes(tmp_path)),
        settings={},
        environment={},
        today=TODAY,
        lanes=FUSION_LANES,
        embedder=AskedOnceEmbedder(inner),
    )
    assert inner.queries.count("which port") == 1


def test_without_a_model_the_vector_lane_is_left_out(tmp_path: Path) -> None:
    report = evaluate(
        read_dataset(write_notes(tmp_path)),
        settings={"embedding.provider": "none"},
        environment={},
        today=TODAY,
    )
    assert list(report["lanes"]) == ["fts", "hybrid"]
    assert report["lanes"]["hybrid"]["degraded"] == []
    assert report["pinned"]["model"] is None


def test_a_model_that_is_not_here_is_an_error(tmp_path: Path) -> None:
    dataset = read_dataset(write_notes(tmp_path))
    with pytest.raises(EmbedderError, match="not on this machine"):
        evaluate(dataset, settings={"embedding.model": "nobody/nothing"}, environment={}, today=TODAY)


def test_evidence_in_no_note_is_an_error(tmp_path: Path) -> None:
    dataset = read_dataset(write_notes(tmp_path))
    (tmp_path / "ports.md").unlink()
    with pytest.raises(UsageError) as caught:
        evaluate(dataset, settings={"embedding.provider": "none"}, environment={}, today=TODAY)
    where = f'lies in "ports.md", which is no note of "{tmp_path.name}".'
    assert caught.value.message == f'The evidence of question "q1" {where}'


def test_the_settings_and_rules_of_a_vault_hold_for_its_copy(tmp_path: Path) -> None:
    folder = write_notes(tmp_path)
    (folder / ".clawvault").mkdir()
    (folder / ".clawvault" / "config.toml").write_text('state_dir = "inside"\n[search]\nrrf_k = 7\n', encoding="utf-8")
    (folder / ".clawvaultignore").write_text("coffee.md\n", encoding="utf-8")
    pinned = run(folder)["pinned"]
    assert (pinned["search"]["rrf_k"], pinned["notes"]) == (7, 2)
    assert not (folder / "inside").exists()


def test_the_hash_of_the_data_knows_no_order() -> None:
    notes = {"a.md": b"one", "b.md": b"two"}
    assert hash_data(notes, "1\n2\n") == hash_data(dict(reversed(notes.items())), "2\n1")


@pytest.mark.parametrize(
    ("notes", "qrels"),
    [
        ({"a.md": b"One", "b.md": b"two"}, "1\n2"),
        ({"a.md": b"one", "c.md": b"two"}, "1\n2"),
        ({"a.md": b"one"}, "1\n2"),
    ],
)
def test_the_hash_of_the_data_knows_every_byte(notes: dict[str, bytes], qrels: str) -> None:
    assert hash_data(notes, qrels) != hash_data({"a.md": b"one", "b.md": b"two"}, "1\n2")


def test_progress_tells_of_every_question(tmp_path: Path) -> None:
    said: list[tuple[str, int, int]] = []
    evaluate(
        read_dataset(write_notes(tmp_path)),
        settings={"embedding.provider": "none"},
        environment={},
        today=TODAY,
        progress=lambda *step: said.append(step),
    )
    assert said[-2:] == [("questions", 1, 2), ("questions", 2, 2)]
