"""Lines that are left out so that one of them has room."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from clawvault.context.cutting import begin_near, running_sizes

LINES = st.lists(st.text(alphabet="a界 ", max_size=30), min_size=1, max_size=30)


@given(texts=LINES, room=st.integers(1, 300), data=st.data())
def test_one_line_has_room_and_no_more_goes_than_has_to(texts: list[str], room: int, data: st.DataObject) -> None:
    lines = list(enumerate(texts, 5))
    place = data.draw(st.integers(0, len(lines) - 1))
    left = list(begin_near(lines, place, room))
    size = running_sizes([lines[place]])[0]
    assert left == lines[len(lines) - len(left) :]
    assert lines[place] in left
    assert running_sizes(left)[left.index(lines[place])] <= max(room, size)
    assert len(left) == len(lines) or running_sizes(lines)[place] > room


def test_half_of_what_is_free_goes_to_the_lines_before() -> None:
    lines = [(number, "x" * 9) for number in range(1, 11)]
    assert [number for number, _ in begin_near(lines, 7, 50)] == [6, 7, 8, 9, 10]
    assert [number for number, _ in begin_near(lines, 3, 50)] == list(range(1, 11))
