"""Have a question of a tool answered: by the daemon that holds the vault if there is one, else in this process."""

from __future__ import annotations

from typing import Any

from clawvault.agent.tool import Desk, JsonObject
from clawvault.daemon.transport import SilentDaemonError, ask
from clawvault.errors import ERRORS_BY_EXIT_CODE, ClawvaultError
from clawvault.search.request import SearchRequest

ANSWER_S = 30.0


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
    request = SearchRequest.from_dict(fields)
    if desk.use_daemon:
        try:
            answer = ask(desk.vault.opened.state, {"op": "search", "request": fields}, ANSWER_S)
        except SilentDaemonError:
            answer = None
        if answer is not None:
            return _unpack(answer)
    with desk.lock:
        return desk.vault.answer(request).to_dict()


def _unpack(answer: JsonObject) -> JsonObject:
    result, error = answer.get("result"), answer.get("error")
    if answer.get("ok") and isinstance(result, dict):
        return result
    if isinstance(error, dict):
        kind = ERRORS_BY_EXIT_CODE.get(int(error.get("exit_code", 1)), ClawvaultError)
        raise kind(str(error.get("message", "")), str(error.get("hint", "")))
    raise ClawvaultError("The daemon gave no usable answer.", "Restart it.")
