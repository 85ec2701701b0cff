"""``clawvault status``."""

from __future__ import annotations

from typing import Any

import click

from clawvault.cli.place import Invocation, Place, ask_daemon
from clawvault.cli.terminal import clean, echo_json, show_path

ANSWER_S = 10.0
MOMENTS = frozenset({"last_event_at", "last_sweep_at"})
ABSENT: dict[str, Any] = {
    "running": False,
    "pid": None,
    "last_event_at": None,
    "last_sweep_at": None,
    "watching": None,
}


@click.command("status")
@click.option("--json", "as_json", is_flag=True, help="Everything as JSON, alone on standard output.")
@click.pass_obj
def command(invocation: Invocation, as_json: bool) -> None:
    """Show what the index holds, what was left out and why, and what the daemon does."""
    place = invocation.locate()
    status = {**_status(place), "root": str(place.root), "state": str(place.state)}
    if as_json:
        echo_json(status)
    else:
        click.echo(_render(_timed(status, place)))


def _status(place: Place) -> dict[str, Any]:
    from clawvault.daemon.transport import SilentDaemonError

    daemon = ABSENT
    try:
        answer = ask_daemon(place.state, {"op": "status"}, ANSWER_S)
        if answer is not None and isinstance(answer.get("status"), dict):
            return answer["status"]  # type: ignore[return-value]
    except SilentDaemonError as error:
        daemon = {**ABSENT, "running": True, "stuck": error.message}
    with place.open() as vault:
        status = vault.status()
        if daemon["running"] and vault.opened.index_identity() is None:
            status["degraded"].append("the index is missing, and the daemon does not answer: restart it")
        return {**status, "daemon": daemon}


def _timed(status: dict[str, Any], place: Place) -> dict[str, Any]:
    """Return a status with its moments as a person reads them."""
    from clawvault.cli.times import show_moment

    daemon = {
        name: show_moment(value, place.config) if value and name in MOMENTS else value
        for name, value in status["daemon"].items()
    }
    edits = [
        {**edit, "noticed_at": show_moment(edit["noticed_at"], place.config)}
        for edit in status.get("identity_changes", [])
    ]
    return {**status, "daemon": daemon, "identity_changes": edits}


def _render(status: dict[str, Any]) -> str:
    model = status["model"] or "none (by words alone)"
    if status["indexed_model"] and not status["model"]:
        model = f"none to be used; {status['indexed_model']}, that the index was made with, answers"
    elif status["indexed_model"] not in {None, status["model"]}:
        model += f"; the index answers with {status['indexed_model']} until it is rebuilt"
    rows = [
        ("Vault", status["root"]),
        ("Notes", f"{status['notes']}, {status['chunks']} passages, {status['vectors']} with a vector"),
        ("Waiting", f"{status['pending']} passages for a vector" if status["pending"] else "nothing"),
        ("Model", model),
        ("Vectors by", status["vector_backend"]),
        ("Index", f"{status['db_bytes'] / 1_000_000:.1f} MB in {status['state']}"),
        ("Daemon", _daemon(status["daemon"])),
        ("Dreaming", _dreaming(status.get("dream") or {})),
    ]
    lines = [f"{name:<11} {clean(str(value))}" for name, value in rows]
    lines += [f"Degraded    {clean(problem)}" for problem in status["degraded"]]
    lines += _listed("Left out", [(skip["path"], skip["reason"], skip["detail"]) for skip in status["skipped"]])
    lines += _listed("To look at", [(item["path"], item["warning"], "") for item in status["warnings"]])
    lines += _listed("Not given to agents", _planted(status.get("prompt_files", [])))
    lines += _listed("Changed outside clawvault", [_seen_change(edit) for edit in status.get("identity_changes", [])])
    lines += _listed("Not up to date", [(item["path"], item["reason"], "") for item in status["stale_notes"]])
    return "\n".join(lines)


def _planted(paths: list[str]) -> list[tuple[str, str, str]]:
    from clawvault.vault.prompt_files import describe_prompt_file

    return [(path, *describe_prompt_file(path)) for path in paths]


def _seen_change(edit: dict[str, str]) -> tuple[str, str, str]:
    return (
        edit["path"],
        f"{edit['change']}, noticed {edit['noticed_at']}",
        f"when you have looked at it: clawvault accept {edit['path']}",
    )


def _daemon(daemon: dict[str, Any]) -> str:
    if not daemon["running"]:
        return "not running (start it with: clawvault watch)"
    said = [f"process {daemon['pid']}" if daemon["pid"] else "running"]
    if daemon["watching"]:
        said.append(f"watching by {daemon['watching']}")
    if daemon["last_event_at"]:
        said.append(f"last event {daemon['last_event_at']}")
    if daemon["last_sweep_at"]:
        said.append(f"last comparison {daemon['last_sweep_at']}")
    said += [str(daemon[name]) for name in ("stuck", "last_error", "brake") if daemon.get(name)]
    return "; ".join(said)


def _dreaming(dream: dict[str, Any]) -> str:
    last = dream.get("last_run")
    if not last:
        return "no night yet (see it now with: clawvault dream)"
    done = f"{last['promoted']} kept" if last["applied"] else "a preview"
    said = [f"last night {last['day']}, {done} of {last['candidates']} statements"]
    return "; ".join([*said, *(text for text in (last["problem"], dream.get("warning")) if text)])


def _listed(title: str, items: list[tuple[str, str, str]], shown: int = 20) -> list[str]:
    if not items:
        return []
    lines = [f"{title}: {len(items)}"]
    for path, reason, detail in items[:shown]:
        lines.append(f"  {show_path(path) or '.'}: {clean(reason)}" + (f" ({clean(detail)})" if detail else ""))
    if len(items) > shown:
        lines.append(f"  and {len(items) - shown} more; --json lists all")
    return lines
