"""Answer the questions of other processes: JSON in, JSON out, no socket and no index of its own."""

from __future__ import annotations

import logging
import os
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path

from clawvault.daemon.logs import describe_bug
from clawvault.daemon.ports import WatchedVault
from clawvault.daemon.service import Service
from clawvault.errors import ClawvaultError, UsageError

# What a search waits for the index to catch up with the disk, unless it asked to wait.
SYNC_S = 1.0
SYNC_ASKED_S = 60.0
# What a search by meaning waits for a model that is being loaded.
MODEL_S = 15.0
BUG_EXIT_CODE = 70

log = logging.getLogger("clawvault.daemon.answering")


class Answering:
    """Know the answer to each ``op``; may be asked from many threads at once.

    Args:
        service: The running loop.
        vault: The vault it keeps.
        state: The state folder.
        started_at: When the daemon started, as text.
        model_s: Seconds a search by meaning waits for the model.
        dream_status: Says what became of the last nightly run.
    """

    def __init__(
        self,
        service: Service,
        vault: WatchedVault,
        state: Path,
        *,
        started_at: str,
        model_s: float = MODEL_S,
        dream_status: Callable[[], dict[str, object]] = dict,
    ) -> None:
        self._dream_status = dream_status
        self._service = service
        self._vault = vault
        self._state = state
        self._started_at = started_at
        self._model_s = model_s
        self._ops: dict[str, Callable[[Mapping[str, object]], dict[str, object]]] = {
            "ping": self._ping,
            "status": self._status,
            "search": self._search,
            "sync": self._sync,
            "why": self._why,
            "stop": self._stop,
        }

    def answer(self, request: Mapping[str, object]) -> dict[str, object]:
        """Answer one request.

        Args:
            request: Has ``op``: ``ping``, ``status``, ``search`` (``request``), ``sync`` (``timeout_s``, ``full``,
                ``accept_deletions``, ``verify``), ``why`` (``path``, ``request``) or ``stop``.

        Returns:
            A mapping with ``ok``; when that is false, ``error`` has ``message``, ``hint`` and ``exit_code``.
        """
        try:
            op = self._ops.get(str(request.get("op")))
            if op is None:
                raise UsageError(
                    f'The daemon knows no "{str(request.get("op"))[:50]}".', f"It knows: {', '.join(self._ops)}."
                )
            return {"ok": True, **op(request)}
        except ClawvaultError as error:
            return failure(error.message, error.hint, error.exit_code)
        except Exception as error:  # noqa: BLE001 - one question must not cost the daemon its thread
            log.error("an answer failed with %s", describe_bug(error))
            return failure(
                f"The daemon failed with {describe_bug(error)}.", "Please report this as a bug.", BUG_EXIT_CODE
            )

    def _ping(self, _: Mapping[str, object]) -> dict[str, object]:
        return {"pid": os.getpid(), "ready": self._service.tally.ready}

    def _stop(self, _: Mapping[str, object]) -> dict[str, object]:
        self._service.stop()
        return {"pid": os.getpid()}

    def _sync(self, request: Mapping[str, object]) -> dict[str, object]:
        timeout_s = _number(request, "timeout_s", SYNC_ASKED_S)
        problem = self._service.request_sync(
            timeout_s,
            full=bool(request.get("full", True)),
            accept_deletions=request.get("accept_deletions") is True,
            verify=request.get("verify") is True,
        )
        # A daemon that ends, or starts anew with other settings, is not the one to answer this.
        again = bool(problem) and (bool(self._service.tally.ended) or self._service.mailbox.is_stopping)
        return {"synced": not problem, "problem": problem, "again": again, "brake": self._service.tally.brake}

    def _why(self, request: Mapping[str, object]) -> dict[str, object]:
        path = request.get("path")
        if not isinstance(path, str):
            raise UsageError('The request needs a text "path".')
        asked, degraded, _ = self._prepare(request)
        return {"why": self._vault.why(path, asked, degraded=degraded)}

    def _search(self, request: Mapping[str, object]) -> dict[str, object]:
        began = time.perf_counter()
        asked, degraded, stale = self._prepare(request)
        freshen_ms = (time.perf_counter() - began) * 1000
        result = self._vault.search(asked, degraded=degraded, stale=stale)
        timings = result.get("timings_ms")
        if isinstance(timings, dict):
            result = {**result, "timings_ms": {"freshen": round(freshen_ms, 3), **timings}}
        return {"result": result}

    def _prepare(self, request: Mapping[str, object]) -> tuple[dict[str, object], tuple[str, ...], bool]:
        """Bring index and model up to date for a question; return it, what is missing, and whether that is notes."""
        raw = request.get("request")
        if not isinstance(raw, Mapping):
            raise UsageError(f'A {request["op"]} needs "request".')
        asked = dict(raw)
        sync = bool(asked.get("sync"))
        problem = self._service.request_sync(SYNC_ASKED_S if sync else SYNC_S, full=sync)
        degraded = [f"changed notes may be missing: {problem}"] if problem else []
        if asked.get("mode", "hybrid") != "fts":
            degraded += self._wait_for_model(asked)
        return asked, tuple(degraded), bool(problem)

    def _wait_for_model(self, asked: dict[str, object]) -> list[str]:
        """Wait for a model that is being loaded; a question that cannot wait longer is answered by words."""
        embedding = self._service.embedding
        if embedding.problem or embedding.wait_until_warm(self._model_s) or embedding.problem:
            return [f"vectors wait: {embedding.problem}"] if embedding.problem else []
        if asked.get("mode") == "vector":
            raise ClawvaultError("The model is still being loaded.", "Ask again in a moment, or use --mode fts.")
        asked["mode"] = "fts"
        return ["vector lane off: the model is still being loaded"]

    def _status(self, _: Mapping[str, object]) -> dict[str, object]:
        service = self._service
        tally, doing, watcher = service.tally, service.pulse.doing(), service.watcher.facts()
        daemon: dict[str, object] = {
            "running": True,
            "pid": os.getpid(),
            "started_at": self._started_at,
            "ready": tally.ready,
            "last_event_at": tally.last_event_at,
            "last_sweep_at": tally.last_sweep_at,
            "last_sweep_s": round(tally.last_sweep_s, 4),
            "last_sweep_reason": tally.last_sweep_reason,
            "pending_paths": service.n_pending_paths(),
            "doing": doing.what,
            "note": doing.path,
            "heartbeat_age_s": round(service.pulse.age_s(), 3),
            "stuck": service.pulse.stuck(),
            "last_error": tally.last_error,
            "embedding_problem": service.embedding.problem,
            "model_loaded": service.embedding.is_warm,
            "missed_by_watcher": tally.missed_by_watcher,
            "brake": tally.brake,
            "disk_free_bytes": shutil.disk_usage(self._state).free,
            **asdict(watcher),
        }
        return {"status": {**self._vault.status(), "dream": self._dream_status(), "daemon": daemon}}


def failure(message: str, hint: str, exit_code: int) -> dict[str, object]:
    """Return the answer that says what went wrong."""
    return {"ok": False, "error": {"message": message, "hint": hint, "exit_code": exit_code}}


def _number(request: Mapping[str, object], name: str, default: float) -> float:
    value = request.get(name, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 86_400:
        raise UsageError(f'"{name}" must be seconds from 0 to 86400.')
    return float(value)
