"""Notes that are put away while the daemon watches are moves to it: nothing is embedded again, and nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from daemon_fakes import wait_until
from fakes import HashEmbedder
from real_daemon import Bench

from clawvault.api import open_vault


def test_the_daemon_follows_notes_into_the_archive_and_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Decisions, "Retention"; F18."""
    bench, model = Bench(tmp_path, CLAWVAULT_EMBEDDING_PROVIDER="sentence-transformers"), HashEmbedder()
    monkeypatch.setattr("clawvault.opened.open_embedder", lambda *_: model)
    (bench.root / "memory").mkdir()
    for day in range(1, 9):
        (bench.root / f"memory/2025-03-0{day}.md").write_text(f"# Day {day}\n\nthe heron of word{day}\n")
    (bench.root / "today.md").write_text("the heron of now\n")
    with bench.running(), open_vault(bench.root, environment=bench.env) as vault:
        assert wait_until(lambda: bench.status()["pending"] == 0 and bench.status()["notes"] == 9)
        n_embedded = model.n_embedded
        vault.archive(vault.plan_archive("2026-01-01"))
        assert bench.finds("word5", [])
        assert wait_until(lambda: len(bench.search("heron", archive=True)["hits"]) == 9)
        assert bench.search("word5", archive=True)["hits"][0]["path"] == "archive/2025/memory/2025-03-05.md"
        vault.undo_archive()
        assert bench.finds("word5", ["memory/2025-03-05.md"])
        assert wait_until(lambda: bench.status()["pending"] == 0 and bench.status()["notes"] == 9)
        assert model.n_embedded == n_embedded
