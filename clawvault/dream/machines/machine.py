"""Which machine this is, and which one writes a vault that several share (L24, B145, F26)."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import NamedTuple

from clawvault.dream.machines.state_files import FOLDER, read_state, write_state
from clawvault.vault.private_file import write_private_file

ID_FILE = "machine-id"
MACHINES = "machines"
_ID = re.compile(r"[0-9a-f]{12}")


class Machine(NamedTuple):
    """One machine that dreams over a vault.

    Attributes:
        id: Of this state folder, made once by chance; the name of a host may change.
        host: Its name, for people.
        since: The local day it first asked to write.
    """

    id: str
    host: str
    since: date


class Election(NamedTuple):
    """Who writes.

    Attributes:
        writer: The machine that does; ``None`` when none has asked yet.
        is_mine: It is this one.
        is_settled: It asked on an earlier day than today, so that every other machine has heard of it.
    """

    writer: Machine | None
    is_mine: bool
    is_settled: bool


def machine_id(state: Path) -> str:
    """Return the id of this machine for this vault, made when missing; it is kept in the state folder."""
    path = state / ID_FILE
    with suppress(OSError, ValueError):
        found = path.read_text("ascii").strip()
        if _ID.fullmatch(found):
            return found
    made = os.urandom(6).hex()
    write_private_file(path, made.encode() + b"\n")
    return made


def host_name() -> str:
    """Return the name of this machine as people know it."""
    import socket

    return socket.gethostname()


def ask_to_write(root: Path, state: Path, today: date) -> None:
    """Write down that this machine would write; each has a file of its own, so that no two ever write the same one."""
    mine = machine_id(state)
    if not any(machine.id == mine for machine in list_machines(root)):
        write_state(root, {"id": mine, "host": host_name(), "since": today.isoformat()}, MACHINES, f"{mine}.json")


def list_machines(root: Path) -> list[Machine]:
    """Return every machine that asked to write, the first first."""
    found = []
    try:
        names = os.listdir(root.joinpath(*FOLDER, MACHINES))
    except OSError:
        return []
    for name in names:
        if not _ID.fullmatch(name.removesuffix(".json")):
            continue  # a conflict copy of a sync tool is nobody's voice
        raw = read_state(root, MACHINES, name)
        with suppress(KeyError, TypeError, ValueError):
            if raw is not None and raw["id"] == name.removesuffix(".json"):
                found.append(Machine(raw["id"], str(raw["host"]), date.fromisoformat(raw["since"])))
    return sorted(found, key=lambda machine: (machine.since, machine.id))


def elect(root: Path, state: Path, today: date, chosen: str) -> Election:
    """Return who writes: the one that is chosen, else the one that asked first.

    All machines find the same one once they have the same files. Two that ask on the same day cannot know of each
    other yet; so nobody writes by itself on the day it asks.

    Args:
        root: The vault.
        state: The state folder of this machine.
        today: The local day.
        chosen: Host name or id of the setting; empty leaves it to order.
    """
    mine = machine_id(state)
    machines = list_machines(root)
    if chosen:
        machines = [machine for machine in machines if chosen in {machine.id, machine.host}]
        if chosen in {mine, host_name()}:
            return Election(Machine(mine, host_name(), today), is_mine=True, is_settled=True)
        return Election(machines[0] if machines else None, is_mine=False, is_settled=True)
    if not machines:
        return Election(None, is_mine=False, is_settled=False)
    first = machines[0]
    return Election(first, first.id == mine, first.since < today)
