"""A daemon that is late because the machine is busy is no fault; tests about being late say so themselves."""

from __future__ import annotations

import pytest
from daemon_fakes import WAIT_S

from clawvault.daemon import answering


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a search wait for the index, so that it is never stale for want of a processor."""
    monkeypatch.setattr(answering, "SYNC_S", WAIT_S)
