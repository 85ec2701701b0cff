"""Have a question answered: by the daemon if one runs, else in this process."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from clawvault.cli.place import Place, ask_daemon
from clawvault.cli.terminal import warn
from clawvault.cli.timings import Timings

if TYPE_CHECKING:
    from clawvault.api import Vault
    from clawvault.cli.progress import Progress

# A daemon waits for the index for a second and for a loading model for fifteen; a person who asked for --sync waits.
ANSWER_S = 30.0
ANSWER_SYNCED_S = 120.0
# Most answers are there by then; the first one of a vault waits until all notes are read.
PROGRESS_AFTER_S = 0.7
GOES_ON = "The next question goes on from there."


def ask_somebody(
    place: Place,
    request: dict[str, Any],
    *,
    field: str,
    here: Callable[[Vault, Progress], dict[str, Any]],
    sync: bool = False,
    timings: Timings | None = None,
) -> dict[str, Any]:
    """Ask the daemon, or answer in this process when there is none that can.

    Args:
        place: The vault.
        request: JSON-safe mapping with ``op``.
        field: Where the daemon puts its answer.
        here: Gives the same answer from a vault opened in this process, and says how far it is.
        sync: The question waits for the index, however long that takes.
        timings: Is told how long it took: ``ask`` is the way to the daemon and back, ``open`` what this process needs
            to become able to answer, and what the answer itself names stands before either.

    Returns:
        The answer, which has ``degraded``.

    Raises:
        ClawvaultError: The question makes no sense, or cannot be answered.
    """
    from clawvault.daemon.transport import SilentDaemonError

    timings = timings or Timings()
    problem = ""
    try:
        answer = ask_daemon(place.state, request, ANSWER_SYNCED_S if sync else ANSWER_S)
        result = answer.get(field) if answer is not None else None
        if isinstance(result, dict):
            timings.end_stage("ask", result.get("timings_ms"))
            return result
    except SilentDaemonError as error:
        problem = error.passed_over
    timings.end_stage("ask")
    from clawvault.cli.progress import show_progress

    by_words = request["request"].get("mode") == "fts"
    with place.open() as vault, show_progress(after_s=PROGRESS_AFTER_S, interrupted=GOES_ON) as progress:
        result = here(vault, progress if by_words else _saying_what_loads(place, vault, progress))
        has_work = not by_words and bool(result["degraded"]) and vault.status()["pending"] > 0
    timings.end_stage("open", result.get("timings_ms"))
    if has_work:
        warn("Passages without a vector are found by their words alone. Give them one with: clawvault index")
    return {**result, "degraded": [*result["degraded"], problem]} if problem else result


def _saying_what_loads(place: Place, vault: Vault, progress: Progress) -> Progress:
    """Say once, before the wait, that a model has to be loaded that takes seconds."""
    from clawvault.embed.opening import has_quick_form

    if has_quick_form(place.config, os.environ):
        return progress
    model = place.config.embedding.model
    said = f'Loading {model} takes a few seconds; "clawvault watch" keeps it ready, and --mode fts does without it.'
    if vault.status()["vectors"]:
        warn(said)
        return progress
    waiting = [said]

    def report(stage: str, done: int, total: int) -> None:
        if stage == "texts" and waiting:
            warn(waiting.pop())
        progress(stage, done, total)

    return report


def join_words(words: tuple[str, ...]) -> str:
    """Return the question that words without quotes make, and say so when there is none in them."""
    query = " ".join(words)
    if not query.strip():
        warn("The question is empty.")
    return query
