"""How often a tool may be called."""

from __future__ import annotations

from clawvault.agent.bucket import TokenBucket


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_burst_goes_through_and_the_next_call_waits() -> None:
    bucket = TokenBucket(2.0, 3, Clock())
    assert [bucket.take() for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]


def test_a_refused_call_costs_nothing() -> None:
    clock = Clock()
    bucket = TokenBucket(1.0, 1, clock)
    assert [bucket.take(), bucket.take(), bucket.take()] == [0.0, 1.0, 1.0]
    clock.now += 1.0
    assert bucket.take() == 0.0


def test_an_idle_hour_gives_no_more_than_one_burst() -> None:
    clock = Clock()
    bucket = TokenBucket(1.0, 2, clock)
    clock.now += 3600
    assert [bucket.take() for _ in range(3)] == [0.0, 0.0, 1.0]


def test_a_clock_that_steps_back_does_no_harm() -> None:
    clock = Clock()
    bucket = TokenBucket(1.0, 1, clock)
    bucket.take()
    clock.now -= 50
    assert bucket.take() == 1.0
