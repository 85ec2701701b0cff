"""A note that is written while a question is answered: the answer is of one state of the index."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from bench_vault import TODAY, BenchVault

import clawvault.opened
import clawvault.search.why
from clawvault.search.asking.request import SearchRequest
from clawvault.search.asking.stages import Stages

SEEN = "# Seen\n" + "".join(
    f"- Heron {number} stands in the river and looks at what swims by.\n" for number in range(40)
)
LAST = "- The heron Kasimir came last.\n"
# Stages in which the index is read after the first one has found the note.
LATER = ("vector", "sentences", "passages", "hits", "recheck")
During = Callable[[str, Callable[[], object]], None]


@pytest.fixture
def during(bench: BenchVault, monkeypatch: pytest.MonkeyPatch) -> During:
    """Return what has something done in a stage of the next question, and the index brought up to date there."""

    def plan(stage: str, act: Callable[[], object]) -> None:
        waiting = [stage]

        class Interrupted(Stages):
            @contextmanager
            def stage(self, name: str) -> Iterator[None]:
                with super().stage(name):
                    while name in waiting:
                        waiting.remove(name)
                        act()
                        bench.session().indexer.sweep()
                    yield

        monkeypatch.setattr(clawvault.opened, "Stages", Interrupted)

    bench.write("a.md", SEEN + LAST)
    bench.write("b.md", "The heron flies.\n")
    bench.session().indexer.sweep()
    bench.session().queue.embed_some()
    return plan


@pytest.mark.parametrize("stage", LATER)
def test_a_line_is_found_also_while_its_note_is_written(bench: BenchVault, during: During, stage: str) -> None:
    """I14, B095, F24: the passage that was found is replaced before its text is read."""
    during(stage, lambda: bench.write("a.md", f"{SEEN}{LAST}- Then came nobody.\n"))
    result = bench.search("the heron Kasimir")
    assert (result.hits[0].path, "Kasimir came last" in result.hits[0].text) == ("a.md", True)
    assert (result.stale, result.hits[0].stale) == (True, True)
    assert "Then came nobody" in bench.search("nobody").hits[0].text


@pytest.mark.parametrize("stage", LATER)
def test_a_note_that_goes_while_it_is_found_is_not_shown(bench: BenchVault, during: During, stage: str) -> None:
    """B095."""
    during(stage, (bench.root / "a.md").unlink)
    result = bench.search("heron")
    assert ([hit.path for hit in result.hits], result.stale) == (["b.md"], True)


def test_why_tells_of_the_state_that_was_asked(
    bench: BenchVault, during: During, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its passages are listed once the lanes have found them."""
    ask = clawvault.search.why.keyword_lane

    def interrupted(*asked: object) -> object:
        found = ask(*asked)  # type: ignore[arg-type]
        bench.write("a.md", f"{SEEN}{LAST}- Then came nobody.\n")
        bench.session().indexer.sweep()
        return found

    monkeypatch.setattr(clawvault.search.why, "keyword_lane", interrupted)
    told = bench.vault.opened.why("a.md", SearchRequest(query="the heron Kasimir"), today=TODAY)
    assert (told["rank"], told["chunks"][-1]["fts_rank"]) == (1, 1)
