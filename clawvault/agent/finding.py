"""Have a question of a tool answered: by the daemon that holds the vault if there is one, else in this process."""

from __future__ import annotations

import time
from typing import Any

from clawvault.agent.tool import Desk, JsonObject
from clawvault.daemon.transport import SilentDaemonError, ask_daemon
from clawvault.errors import IndexFaultError, LockedError
from clawvault.search.asking.request import SearchRequest

ANSWER_S = 30.0
# Two agents that start together both find no index; one makes it, which takes seconds.
MAKING_S = 10.0
AGAIN_S = 0.2


def find(desk: Desk, fields: dict[str, Any]) -> JsonObject:
    """Answer one question.

    Args:
        desk: The vault.
        fields: Of ``SearchRequest``.

    Returns:
        What ``SearchResult.to_dict`` returns.

    Raises:
        ClawvaultError: The question makes no sense, or cannot be answered.
    """
    fields = {"asked_by": "agent", **fields}
    request = SearchRequest.from_dict(fields)
    problem = ""
    if desk.use_daemon:
        try:
            answer = ask_daemon(desk.vault.state, {"op": "search", "request": fields}, ANSWER_S)
        except SilentDaemonError as error:
            answer, problem = None, error.passed_over
        result = None if answer is None else answer.get("result")
        if isinstance(result, dict):
            return result
    with desk.lock:
        found = _answer_patiently(desk, request)
    return {**found, "degraded": [*found["degraded"], problem]} if problem else found


def _answer_patiently(desk: Desk, request: SearchRequest) -> JsonObject:
    """Answer in this process; where another one is making the index just now, wait for it (B117)."""
    deadline = time.monotonic() + MAKING_S
    while True:
        try:
            return desk.vault.answer(request).to_dict()
        except (IndexFaultError, LockedError):
            # By meaning alone there may be nothing to wait for: vectors are off.
            if request.mode == "vector" or time.monotonic() > deadline:
                raise
            time.sleep(AGAIN_S)
