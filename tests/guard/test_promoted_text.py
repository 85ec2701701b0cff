"""What tries to steer a model never reaches long-term memory by being found often."""

from __future__ import annotations

from pathlib import Path

import pytest
from dreaming import Dreaming
from injection_payloads import PAYLOADS

from clawvault.dream.recall.statements import list_statements


@pytest.fixture
def vault(tmp_path: Path) -> Dreaming:
    return Dreaming(tmp_path / "vault", tmp_path / "state")


def test_no_text_that_steers_a_model_reaches_long_term_memory(vault: Dreaming) -> None:
    """T03: sixty of them, each found often enough; what the guard does not see is no sentence, or reads as one."""
    for number, (payload, _) in enumerate(PAYLOADS):
        path = f"memory/2026-02-{number % 28 + 1:02d}-{number}.md"
        vault.put(path, f"{payload}\n")
        said = [item.text for item in list_statements(vault.text(path)) if item.text]
        vault.make_memorable(path, *said[:3])
    vault.flags = {"dream.max_entries": 100, "dream.max_bytes": 50_000}
    dream = vault.dreamer().apply()
    harmful = {payload for payload, verdict in PAYLOADS if verdict != "passed"}
    assert [entry.text for entry, _ in dream.promoted if any(entry.text in payload for payload in harmful)] == []
    assert len(dream.candidates) >= 50
