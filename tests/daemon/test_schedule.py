"""When to compare everything: pure."""

from __future__ import annotations

from clawvault.daemon.schedule import SweepSchedule


def make_schedule(chance: float = 0.5) -> SweepSchedule:
    schedule = SweepSchedule(sweep_s=900.0, poll_s=2.0, chance=lambda: chance)
    schedule.swept(0.0, 0.1, polling=False)
    return schedule


def test_the_first_sweep_is_due_at_once() -> None:
    assert SweepSchedule(sweep_s=900.0, poll_s=2.0, chance=lambda: 0.5).due(0.0) == "periodic"


def test_periodic_sweeps_come_between_three_and_five_quarters_of_the_interval() -> None:
    assert make_schedule(0.0).next_at() == 675.1
    assert make_schedule(1.0).next_at() == 1125.1


def test_a_sweep_asked_for_is_due_at_once_and_then_done_with() -> None:
    schedule = make_schedule()
    schedule.ask("overflow", 5.0)
    assert schedule.due(5.0) == "overflow"
    schedule.swept(5.0, 5.1, polling=False)
    assert schedule.due(6.0) == ""


def test_a_sweep_asked_for_while_one_runs_stays_due() -> None:
    schedule = make_schedule()
    schedule.ask("overflow", 5.5)
    schedule.swept(5.0, 6.0, polling=False)
    assert schedule.due(6.0) == "overflow"


def test_three_sweeps_are_free_and_then_they_back_off_up_to_ten_seconds() -> None:
    """F11: five overflows in a row."""
    schedule = make_schedule()
    now, waits = 10.0, []
    for _ in range(12):
        schedule.ask("overflow", now)
        waits.append(round(schedule.next_at() - now, 3))
        now = schedule.next_at()
        schedule.swept(now, now, polling=False)
    assert waits == [0.0, 0.0, 0.0, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 10.0, 10.0]


def test_a_minute_of_calm_makes_sweeps_free_again() -> None:
    schedule = make_schedule()
    for now in (10.0, 10.0, 10.0, 10.2, 11.0):
        schedule.ask("overflow", now)
        schedule.swept(now, now, polling=False)
    schedule.ask("overflow", 100.0)
    assert schedule.due(100.0) == "overflow"


def test_where_events_do_not_work_sweeps_come_at_the_poll_interval() -> None:
    """B015."""
    schedule = make_schedule()
    schedule.swept(10.0, 10.05, polling=True)
    assert schedule.next_at() == 12.05


def test_polling_costs_at_most_a_twentieth_of_the_time() -> None:
    schedule = make_schedule()
    schedule.swept(10.0, 11.0, polling=True)
    assert schedule.next_at() == 31.0


def test_looking_before_an_answer_is_worth_it_only_when_the_last_look_is_old_for_its_cost() -> None:
    schedule = make_schedule()
    schedule.swept(10.0, 10.5, polling=False)
    assert not schedule.is_look_worth_it(20.0)
    assert schedule.is_look_worth_it(20.6)


def test_where_events_come_in_a_look_before_an_answer_is_rarer() -> None:
    """F24: in a crowd each look at a large vault makes all questions of that moment wait."""
    schedule = make_schedule()
    schedule.swept(10.0, 10.5, polling=False)
    schedule.hear(20.0)
    assert not schedule.is_look_worth_it(29.9)
    assert schedule.is_look_worth_it(30.0)
    schedule.hear(105.0)
    assert not schedule.is_look_worth_it(110.5)
    assert schedule.is_look_worth_it(110.6)


def test_the_time_it_takes_to_read_notes_is_not_what_a_look_costs() -> None:
    schedule = make_schedule()
    schedule.swept(10.0, 10.1, polling=False)
    schedule.swept(11.0, 61.0, polling=True, changed=True)
    assert schedule.is_look_worth_it(63.5)
    assert round(schedule.next_at(), 3) == 63.0
