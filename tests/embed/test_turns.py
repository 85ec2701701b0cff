"""A question goes before passages that wait."""

from __future__ import annotations

import threading

from clawvault.embed.turns import GiveWay, Turns, plan_turns


def test_a_question_goes_before_passages_that_came_earlier() -> None:
    turns = Turns()
    order: list[str] = []
    inside, leave = threading.Event(), threading.Event()

    def first() -> None:
        with turns.passages():
            inside.set()
            leave.wait(90)

    def question() -> None:
        with turns.question():
            order.append("question")

    def passages() -> None:
        with turns.passages():
            order.append("passages")

    holder = threading.Thread(target=first)
    holder.start()
    inside.wait(90)
    waiting = [threading.Thread(target=passages), threading.Thread(target=question)]
    waiting[0].start()
    waiting[1].start()
    while turns._questions == 0:
        waiting[1].join(0.001)
    leave.set()
    for thread in (holder, *waiting):
        thread.join(90)
    assert order == ["question", "passages"]


def test_a_fault_inside_a_turn_gives_the_turn_back() -> None:
    turns = Turns()
    faults = 0
    for turn in (turns.question, turns.passages) * 2:
        try:
            with turn():
                raise ValueError
        except ValueError:
            faults += 1
    assert faults == 4


def test_one_caller_at_a_time_is_let_through() -> None:
    turns = Turns()
    now, most = 0, 0

    def work(kind: str) -> None:
        nonlocal now, most
        for _ in range(200):
            with getattr(turns, kind)():
                now += 1
                most = max(most, now)
                now -= 1

    threads = [threading.Thread(target=work, args=(kind,)) for kind in ("question", "passages") * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(90)
    assert most == 1


def test_a_storm_of_questions_does_not_stop_passages() -> None:
    turns = Turns(question_s=0.01)
    turns._questions = 1
    with turns.passages():
        entered = True
    assert entered


def test_texts_of_like_length_have_a_turn_together_and_long_ones_a_short_turn() -> None:
    texts = ["a" * 2000] * 5 + ["b" * 10] * 7 + ["c" * 1_000_000]
    assert list(plan_turns(texts, most=4, max_chars=4000)) == [[12, 0], [1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11]]


def test_no_texts_have_no_turn() -> None:
    assert list(plan_turns([], most=4, max_chars=4000)) == []


def test_passages_pause_while_a_question_is_computed_and_go_on_after_it() -> None:
    way = GiveWay(question_s=90)
    order: list[str] = []

    def passages() -> None:
        way.pause()
        order.append("passages")

    thread = threading.Thread(target=passages)
    with way.question():
        thread.start()
        thread.join(0.05)
        order.append("question")
    thread.join(90)
    way.pause()
    assert order == ["question", "passages"]


def test_a_question_without_end_does_not_stop_passages() -> None:
    way = GiveWay(question_s=0.01)
    with way.question():
        way.pause()
        gone_on = True
    assert gone_on
