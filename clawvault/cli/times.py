"""Moments as a person reads them: where they are, and with how far that is from UTC."""

from __future__ import annotations

from datetime import datetime

from clawvault.config import Config
from clawvault.vault.local_time import find_zone, on_machine


def show_moment(at: str, config: Config) -> str:
    """Return a moment as ``2026-03-09 08:15:00 +01:00``, in the zone of the settings, else of the machine.

    Args:
        at: ISO 8601 with its offset; what is none is returned as it is.
        config: Its ``timezone``; one that does not exist is taken for that of the machine.
    """
    moment = _local(at, config)
    if moment is None:
        return at
    shown = moment.isoformat(sep=" ", timespec="seconds")
    return f"{shown[:19]} {shown[19:]}"


def show_day(at: str, config: Config) -> str:
    """Return the day of a moment, ISO, where the person is."""
    moment = _local(at, config)
    return at[:10] if moment is None else moment.date().isoformat()


def _local(at: str, config: Config) -> datetime | None:
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return None
    zone = find_zone(config.timezone) if config.timezone else None
    return moment.astimezone(zone) if zone else on_machine(moment)
