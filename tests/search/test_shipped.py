"""Notes of a template that nobody has changed are not searched."""

from __future__ import annotations

import pytest
from bench_vault import BenchVault

from clawvault.search.lanes.shipped import NAMES, leave_out
from clawvault.search.lanes.view import LaneView
from clawvault.vault.template_texts import template_folder


def seed(bench: BenchVault, language: str) -> None:
    for name in NAMES:
        bench.write(name, (template_folder() / language / name).read_text("utf-8"))


@pytest.mark.parametrize("mode", ["hybrid", "fts", "vector"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_notes_as_the_template_made_them_fill_no_list(bench: BenchVault, language: str, mode: str) -> None:
    seed(bench, language)
    bench.write("databases.md", "# Databases\n\nProduction listens on port 5433. Notes and memory 记忆 笔记.\n")
    bench.sync()
    assert [hit.path for hit in bench.search("notes memory port 记忆 笔记", mode=mode).hits] == ["databases.md"]


def test_a_note_of_the_template_is_searched_where_the_path_names_it(bench: BenchVault) -> None:
    seed(bench, "en")
    bench.sync()
    assert {hit.path for hit in bench.search("notes memory", path="README.md").hits} == {"README.md"}


def test_a_note_that_its_person_changed_is_searched(bench: BenchVault) -> None:
    seed(bench, "en")
    bench.write("USER.md", "# Who I am\n\nMy name is Anna, and I keep herons.\n")
    bench.sync()
    assert [hit.path for hit in bench.search("herons").hits] == ["USER.md"]


def test_a_note_of_the_same_text_in_a_folder_is_searched(bench: BenchVault) -> None:
    bench.write("old/README.md", (template_folder() / "en/README.md").read_text("utf-8"))
    bench.sync()
    assert bench.search("notes").hits[0].path == "old/README.md"


def test_the_ranks_of_what_is_left_close_up() -> None:
    lane = LaneView({1: 1, 2: 2, 3: 3}, {1: 0.9, 2: 0.8, 3: 0.7, 4: 0.1}, raw={1: 0.5, 2: 0.4, 3: 0.3, 4: 0.1})
    left = leave_out(lane, frozenset({1}))
    assert (left.ranks, left.scores, left.raw) == ({2: 1, 3: 2}, {2: 0.8, 3: 0.7, 4: 0.1}, {2: 0.4, 3: 0.3, 4: 0.1})


def test_it_is_said_why_a_note_of_the_template_is_no_hit(bench: BenchVault) -> None:
    seed(bench, "en")
    bench.write("USER.md", "# Who I am\n\nMy name is Anna, and I keep notes in memory.\n")
    bench.sync()
    said = "The note is still as the template made it; such notes answer nothing until somebody edits them."
    assert bench.vault.why("SOUL.md", "notes memory")["verdict"] == said
    assert bench.vault.why("USER.md", "notes memory")["verdict"] == "The note is hit 1."
