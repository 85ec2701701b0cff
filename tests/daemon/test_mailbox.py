"""What other threads leave for the worker of a daemon."""

from __future__ import annotations

import threading

from clawvault.daemon.mailbox import Letters, Mailbox, SyncRequest

LONGEST_S = 30.0


def test_letters_that_arrive_late_are_taken_with_those_before_them() -> None:
    """An event of an edit made just before a question comes a moment after it (B027)."""
    mailbox, first, second = Mailbox(), SyncRequest(full=False), SyncRequest(full=True)
    mailbox.look_at("a.md")
    mailbox.ask_sync(first)
    early = mailbox.take(LONGEST_S)
    mailbox.look_at("b.md")
    mailbox.look_everywhere("more came")
    mailbox.ask_sync(second)
    assert mailbox.take_late(early, 0.001) == Letters(("a.md", "b.md"), ("more came",), (first, second))
    assert mailbox.take(0.0) == Letters((), (), ())


def test_who_is_stopped_waits_for_no_late_letter() -> None:
    mailbox = Mailbox()
    waiting = threading.Thread(target=mailbox.take_late, args=(Letters((), (), ()), LONGEST_S), daemon=True)
    waiting.start()
    mailbox.stop()
    waiting.join(LONGEST_S / 2)
    assert not waiting.is_alive()
