"""Have a question of a tool answered: by the daemon that holds the vault if there is one, else in this process."""

from __future__ import annotations

import time
from typing import Any

from clawvault.agent.tool import Desk, JsonObject
from clawvault.daemon.transport import SilentDaemonError, ask
from clawvault.errors import ERRORS_BY_EXIT_CODE, ClawvaultError, IndexFaultError, LockedError
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
    if desk.use_daemon:
        try:
            answer = ask(desk.vault.state, {"op": "search", "request": fields}, ANSWER_S)
        except SilentDaemonError:
            answer = None
        if answer is not None:
            return _unpack(answer)
    with desk.lock:
        return _answer_patiently(desk, request)


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


def _unpack(answer: JsonObject) -> JsonObject:
    result, error = answer.get("result"), answer.get("error")
    if answer.get("ok") and isinstance(result, dict):
        return result
    if isinstance(error, dict):
        kind = ERRORS_BY_EXIT_CODE.get(int(error.get("exit_code", 1)), ClawvaultError)
        raise kind(str(error.get("message", "")), str(error.get("hint", "")))
    raise ClawvaultError("The daemon gave no usable answer.", "Restart it.")
