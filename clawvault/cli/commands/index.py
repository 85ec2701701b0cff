"""``clawvault index``."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from clawvault.cli.place import Invocation, Place, ask_daemon
from clawvault.cli.progress import Progress, show_progress
from clawvault.cli.terminal import clean, echo_json, show_path, warn
from clawvault.cli.timings import StageTimes, Timings
from clawvault.errors import LockedError

if TYPE_CHECKING:
    from clawvault.api import Vault
    from clawvault.index.indexer import SyncReport

SYNC_S = 3600.0
# A search that brings a few notes up to date holds the lock for a moment.
PATIENCE_S = 5.0
# A daemon that starts anew with other settings does not answer until a model it was loading is there.
RESTART_S = 30.0
RETRY_S = 0.1
SHOWN_SKIPS = 20
GOES_ON = "The next run goes on from there."


@click.command("index")
@click.option("--rebuild", is_flag=True, help="Cut and store all notes anew; the present index answers until then.")
@click.option("--verify", is_flag=True, help="Compare every note by content, whatever its times say.")
@click.option("--accept-deletions", is_flag=True, help="Agree that notes that vanished all at once are gone.")
@click.option("--timings", "timed", is_flag=True, help="Say on standard error how long each stage took.")
@click.option("--json", "as_json", is_flag=True, help="What was done as JSON, alone on standard output.")
@click.pass_obj
def command(invocation: Invocation, /, timed: bool, as_json: bool, **how: bool) -> int:
    """Bring the index up to date once.

    Ends with 1 when a note could not be read, or when many notes vanished at once and were kept.
    """
    timings = Timings()
    place = invocation.locate()
    timings.end_stage("locate")
    began = time.monotonic()
    times = StageTimes(timings)
    with place.open() as vault, show_progress(interrupted=GOES_ON) as progress:
        report = _index(vault, place, how, _both(times.report, progress))
        status = vault.status()
    times.finish()
    if isinstance(report, str):
        values = {"by_daemon": True, "brake": report, "skipped": status["skipped"], "pending_chunks": status["pending"]}
    else:
        values = {**asdict(report), "by_daemon": False, "took_s": round(time.monotonic() - began, 3)}
    if timed:
        values["timings_ms"] = timings.to_dict()
    for problem in status["degraded"]:
        warn(f"Degraded: {problem}")
    if values["brake"]:
        warn(f"{values['brake']}; they are kept until you run: clawvault index --accept-deletions")
    if as_json:
        echo_json(values)
    else:
        click.echo(_summary(values))
        if status["indexed_model"] and not status["model"]:
            warn(f"{status['indexed_model']}, that the index was made with, answers.")
        elif status["indexed_model"] not in {None, status["model"]}:
            warn(f"{status['indexed_model']} answers until the index of {status['model']} is complete.")
    if timed:
        timings.end_stage("show")
        timings.show()
    from clawvault.vault.lookup import is_harmless
    from clawvault.vault.note_file import Skip

    unread = [skip for skip in values["skipped"] if not is_harmless(place.root, Skip(**skip))]
    return 1 if unread or values["brake"] else 0


def _index(vault: Vault, place: Place, how: dict[str, bool], progress: Progress) -> SyncReport | str:
    """Index in this process; when the daemon, which holds the lock, did it, return its brake instead."""
    from clawvault.daemon.lock import find_holder

    began = time.monotonic()
    while True:
        try:
            return vault.index(progress=progress, **how)
        except LockedError:
            asked = time.monotonic()
            brake = _ask(place, how)
            if brake is not None:
                return brake
            # What a daemon took before it said to ask again is no part of the wait for the next one.
            began += time.monotonic() - asked
            holder = find_holder(place.state)
            patience_s = RESTART_S if holder is not None and holder.kind == "daemon" else PATIENCE_S
            if time.monotonic() - began >= patience_s:
                raise
            time.sleep(RETRY_S)


def _both(*reports: Progress) -> Progress:
    def report(stage: str, done: int, total: int) -> None:
        for take in reports:
            take(stage, done, total)

    return report


def _ask(place: Place, how: dict[str, bool]) -> str | None:
    """Have the daemon bring the index up to date; return its brake, or ``None`` when there is none (any more)."""
    if ask_daemon(place.state, {"op": "ping"}, SYNC_S) is None:
        return None
    if how["rebuild"]:
        raise LockedError(
            "A daemon keeps this vault, and --rebuild needs the index for itself.",
            'End "clawvault watch", then run this again.',
        )
    wish = {"accept_deletions": how["accept_deletions"], "verify": how["verify"]}
    answer = ask_daemon(place.state, {"op": "sync", "timeout_s": SYNC_S, "full": True, **wish}, SYNC_S + 5)
    if answer is None or answer.get("again"):
        return None
    if not answer.get("synced"):
        raise LockedError(f"The daemon did not bring the index up to date: {answer.get('problem')}.", "Try again.")
    return str(answer.get("brake") or "")


def _summary(values: dict[str, Any]) -> str:
    if values["by_daemon"]:
        lines = ["The running daemon brought the index up to date."]
    else:
        lines = [
            "Notes: " + ", ".join(f"{values[name]} {name}" for name in ("added", "changed", "removed", "moved")) + ".",
            f"{values['hashed']} hashed, {values['embedded_texts']} texts embedded in {values['took_s']:.1f} s.",
        ]
    if values["pending_chunks"]:
        waiting = values["pending_chunks"]
        lines.append(f"{waiting} passages have no vector yet." if waiting > 1 else "1 passage has no vector yet.")
    skipped = values["skipped"]
    if skipped:
        lines.append(f"Skipped: {len(skipped)}")
        for skip in skipped[:SHOWN_SKIPS]:
            detail = f" ({clean(skip['detail'])})" if skip["detail"] else ""
            lines.append(f"  {show_path(skip['path']) or '.'}: {skip['reason']}{detail}")
        if len(skipped) > SHOWN_SKIPS:
            lines.append(f"  and {len(skipped) - SHOWN_SKIPS} more; clawvault status --json lists all")
    return "\n".join(lines)
