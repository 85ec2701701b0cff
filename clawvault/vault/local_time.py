"""What day and hour it is where the person is."""

from __future__ import annotations

from datetime import UTC, date, datetime, tzinfo

from clawvault.config import Config
from clawvault.errors import ConfigError


def local_now(config: Config) -> datetime:
    """Return the present moment in the zone of the settings, else of the machine.

    Raises:
        ConfigError: There is no zone of that name.

    Source: decisions "Daily note", TC-29.
    """
    if not config.timezone:
        return machine_now()
    zone = find_zone(config.timezone)
    if zone is None:
        raise ConfigError(f'timezone is "{config.timezone}", which is no zone.', 'Use a name such as "Europe/Berlin".')
    return datetime.now(zone)


def day_of_question(config: Config) -> date:
    """Return the day from which a question counts, as notes are dated.

    A zone that does not exist is taken for that of the machine: what only reads ends for no such mistake.
    """
    zone = find_zone(config.timezone) if config.timezone else None
    return (datetime.now(zone) if zone else machine_now()).date()


def machine_now() -> datetime:
    """Return the present moment in the zone of the machine."""
    return on_machine(datetime.now(UTC))


def on_machine(moment: datetime) -> datetime:
    """Return a moment in the zone of the machine; in UTC where ``TZ`` names one a day or more away, which is none."""
    try:
        return moment.astimezone()
    except ValueError:
        # The C library takes such a zone, and one of an unknown name for UTC.
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)


def find_zone(name: str) -> tzinfo | None:
    """Return the zone of an IANA name such as ``Asia/Shanghai``; ``None`` when there is none."""
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        # What is looked up is a file: a folder, or a name no file can have, fails in other ways.
        return None
