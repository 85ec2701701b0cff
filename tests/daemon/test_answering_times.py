"""The daemon's answer says how long each stage took, the wait for changed notes first."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from daemon_fakes import FakeVault

from clawvault.daemon.answering import Answering
from clawvault.daemon.service import Service


class TimedVault(FakeVault):
    """Answers with the time of a stage, as a search does where it is asked for times."""

    def search(
        self, request: Mapping[str, object], *, degraded: tuple[str, ...] = (), stale: bool = False
    ) -> dict[str, object]:
        return {"hits": [], "timings_ms": {"embed": 1.5}} if request.get("timings") else {"hits": []}


def ask(tmp_path: Path, request: dict[str, object]) -> dict[str, Any]:
    service = cast(Service, SimpleNamespace(request_sync=lambda timeout_s, full: ""))
    answering = Answering(service, TimedVault(), tmp_path, started_at="2026-03-09T08:00:00+00:00")
    answer = answering.answer({"op": "search", "request": {"query": "x", "mode": "fts", **request}})
    return cast(dict[str, Any], answer["result"])


def test_the_wait_for_changed_notes_is_the_first_stage(tmp_path: Path) -> None:
    timings = ask(tmp_path, {"timings": True})["timings_ms"]
    assert list(timings) == ["freshen", "embed"]
    assert (timings["freshen"] >= 0, timings["embed"]) == (True, 1.5)


def test_no_times_are_sent_unless_asked_for(tmp_path: Path) -> None:
    assert "timings_ms" not in ask(tmp_path, {})
