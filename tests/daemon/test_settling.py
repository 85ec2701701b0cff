"""Settling decides when a path is read; time is an argument, so these tests wait for nothing."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from clawvault.daemon.settling import Settler


def make_settler() -> Settler:
    return Settler(settle_s=0.5, settle_max_s=5.0)


def test_a_path_is_due_once_it_has_been_quiet() -> None:
    settler = make_settler()
    settler.add("a.md", 10.0)
    assert settler.due(10.4) == []
    assert settler.due(10.5) == ["a.md"]
    assert settler.due(99.0) == []


def test_a_new_hint_starts_the_quiet_time_again() -> None:
    settler = make_settler()
    settler.add("a.md", 10.0)
    settler.add("a.md", 10.4)
    assert settler.due(10.6) == []
    assert settler.due(10.9) == ["a.md"]


def test_a_note_that_never_rests_is_due_after_the_longest_wait() -> None:
    settler = make_settler()
    for tenth in range(49):
        settler.add("a.md", 10.0 + tenth / 10)
    assert settler.due(14.9) == []
    assert settler.due(15.0) == ["a.md"]


def test_paths_come_in_the_order_in_which_they_fell_due() -> None:
    settler = make_settler()
    settler.add("b.md", 1.0)
    settler.add("a.md", 2.0)
    settler.add("b.md", 3.0)
    assert settler.due(10.0) == ["a.md", "b.md"]


def test_flushing_hands_out_fresh_hints_without_waiting() -> None:
    settler = make_settler()
    settler.add("b.md", 1.0)
    settler.add("a.md", 1.1)
    assert settler.flush() == ["b.md", "a.md"]
    assert len(settler) == 0
    assert settler.next_due() is None


def test_flushing_leaves_postponed_paths_waiting() -> None:
    settler = make_settler()
    settler.postpone("a.md", 15.0)
    assert settler.flush() == []
    assert settler.next_due() == 15.0


def test_a_postponed_path_yields_to_an_earlier_hint() -> None:
    settler = make_settler()
    settler.postpone("a.md", 30.0)
    settler.add("a.md", 10.0)
    settler.postpone("a.md", 20.0)
    assert settler.next_due() == 10.5


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abcde"), st.floats(0, 2)), max_size=60))
def test_no_path_waits_longer_than_the_longest_wait(steps: list[tuple[str, float]]) -> None:
    settler = make_settler()
    now, first = 0.0, dict[str, float]()
    for path, gap in steps:
        now += gap
        for ready in settler.due(now):
            first.pop(ready)
        settler.add(path, now)
        first.setdefault(path, now)
        assert all(now - seen <= 5.0 for seen in first.values())
    assert sorted(settler.due(now + 5.0)) == sorted(first)
