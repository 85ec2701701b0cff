"""``clawvault archive``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from clawvault.cli.giving import as_json_option
from clawvault.cli.place import Invocation
from clawvault.cli.terminal import clean, echo_json, show_path, warn

if TYPE_CHECKING:
    from clawvault.dream.retention.archive import Moved
    from clawvault.dream.retention.archive_plan import ArchivePlan

FAILED = 1


@click.command("archive")
@click.option("--older-than", metavar="DAYS|DATE", help="Notes of days before that.")
@click.option("--linked", is_flag=True, help="Also notes that one which never fades links to.")
@click.option("--apply", "is_applied", is_flag=True, help="Move them; else it is only shown what would be moved.")
@click.option("--undo", "is_undone", is_flag=True, help="Bring back what was put away last.")
@click.option("--restore", metavar="PATH", multiple=True, help="Bring back one note; may be given again.")
@as_json_option
@click.pass_obj
def command(
    invocation: Invocation,
    /,
    older_than: str | None,
    linked: bool,
    is_applied: bool,
    is_undone: bool,
    restore: tuple[str, ...],
    as_json: bool,
) -> int:
    """Put notes of days long past away, into archive/YEAR/, where a search looks with --archive alone.

    Notes that are pinned, important or linked to from notes without a day stay. Nothing is ever deleted.
    """
    if [older_than is not None, is_undone, bool(restore)].count(True) != 1:
        raise click.UsageError("Say one of --older-than, --undo and --restore.")
    with invocation.locate().open() as vault:
        if older_than is None:
            moved = vault.undo_archive() if is_undone else vault.restore(restore)
            return _show_moved(moved, as_json=as_json)
        plan = vault.plan_archive(older_than, even_linked=linked)
        done = vault.archive(plan) if is_applied else None
    if as_json:
        echo_json({**plan.to_dict(), "applied": done is not None, "moved": done.to_dict() if done else None})
        return FAILED if done and done.failed else 0
    _show_plan(plan, applied=done is not None)
    return 0 if done is None else _show_moved(done, as_json=False)


def _show_plan(plan: ArchivePlan, *, applied: bool) -> None:
    for note in plan.notes if not applied else ():
        click.echo(f"{show_path(note.path)} -> {show_path(note.target)}  {note.n_bytes} bytes")
        if note.linked_from:
            click.echo(f"    linked from {clean(', '.join(note.linked_from))}")
    for kept in plan.staying:
        warn(f"Stays: {show_path(kept.path)} ({kept.reason})")
    for link in plan.lost_links:
        warn(f"Link to mend: {show_path(link.path)}:{link.line}, {link.target} -> {link.leads_to}")
    if not applied:
        count = _count(len(plan.notes))
        warn(f"{count}, {plan.n_bytes} bytes, would be moved; --apply does it." if plan.notes else "Nothing to move.")


def _show_moved(moved: Moved, *, as_json: bool) -> int:
    if as_json:
        echo_json(moved.to_dict())
        return FAILED if moved.failed else 0
    for note in moved.notes:
        click.echo(f"{show_path(note.source)} -> {show_path(note.target)}")
    for kept in moved.failed:
        warn(f"Stays: {show_path(kept.path)} ({kept.reason})")
    warn(f"Moved {_count(len(moved.notes))}.")
    return FAILED if moved.failed else 0


def _count(n_notes: int) -> str:
    return f"{n_notes} note{'' if n_notes == 1 else 's'}"
