"""How many threads compute."""

from __future__ import annotations

import threading

import pytest
from threadpoolctl import threadpool_info

from clawvault.embed.threads import one_blas_thread, parse_quota, usable_cores


def blas_threads() -> set[int]:
    """Return the threads of NumPy's own library; others may have come into the process later."""
    return {int(library["num_threads"]) for library in threadpool_info() if "numpy" in library["filepath"]}


@pytest.mark.parametrize(
    ("text", "cores"),
    [
        ("max 100000", None),
        ("", None),
        ("nonsense", None),
        ("100000 0", None),
        ("50000 100000", 1),
        ("200000 100000\n", 2),
        ("350000 100000", 4),
    ],
)
def test_the_quota_of_a_container_is_read_as_cores(text: str, cores: int | None) -> None:
    assert parse_quota(text) == cores


def test_there_is_at_least_one_core() -> None:
    assert usable_cores() >= 1


def test_matrix_products_have_one_thread_inside_and_as_many_as_before_outside() -> None:
    before = blas_threads()
    with one_blas_thread():
        with one_blas_thread():
            assert blas_threads() <= {1}
        assert blas_threads() <= {1}
    assert blas_threads() == before


def test_threads_that_come_and_go_leave_what_they_found() -> None:
    before = blas_threads()

    def work() -> None:
        for _ in range(200):
            with one_blas_thread():
                pass

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(90)
    assert blas_threads() == before


def test_a_thread_has_one_also_where_another_that_still_lives_was_the_first_to_ask() -> None:
    """The daemon embeds notes in one thread and questions in others."""
    asked, answered = threading.Event(), threading.Event()
    inside: list[set[int]] = []

    def ask() -> None:
        with one_blas_thread():
            inside.append(blas_threads())

    def ask_and_live_on() -> None:
        ask()
        asked.set()
        answered.wait(90)

    before = blas_threads()
    first = threading.Thread(target=ask_and_live_on)
    first.start()
    assert asked.wait(90)
    ask()
    answered.set()
    first.join(90)
    assert inside == [{1}, {1}]
    assert blas_threads() == before
