"""Which lines of front matter are worth finding."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawvault.vault.front_matter import parse_front_matter
from clawvault.vault.property_lines import list_property_lines


def found(inside: str, *, is_all: bool = False) -> list[str]:
    text = f"---\n{inside}---\nbody\n"
    front_matter, _, body_line = parse_front_matter(text)
    lines = text.split("\n")
    return [
        "\n".join(lines[first:last])
        for first, last in list_property_lines(text, front_matter, body_line, is_all=is_all)
    ]


@pytest.mark.parametrize(
    "written",
    [
        "role: plumber\n",
        "phone: 0221 555 123\n",
        "phone: 4922155512\n",
        "seats: 5\n",
        "birthday: 1980-05-04\n",
        "client: '[[Globex]]'\n",
        "cities: [Kiel, Bonn]\n",
        "cities:\n  - Kiel\n  - Bonn\n",
        "cities:\n- Kiel\n",
        "notes: |\n  calls back\n\n  on Friday\n",
        "address:\n  city: Kiel\n",
        '"job title": plumber\n',
        "Beruf: Klempner\n",
        "职业: 水管工\n",
        "status: waits for the parts\n",
    ],
)
def test_a_property_that_says_something_is_found(written: str) -> None:
    assert found(written) == [written.removesuffix("\n")]


@pytest.mark.parametrize(
    "written",
    [
        "cssclasses: [wide]\n",
        "publish: true\n",
        "id: 20260101120000\n",
        "uuid: 8c2f1f3e-0000-4000-8000-000000000000\n",
        "key: 8c2f1f3e-0000-4000-8000-000000000000\n",
        "created: 2026-01-11T10:00\n",
        "date_created: 2026-01-11\n",
        "Last Modified: 2026-01-11\n",
        "date: 2026-01-11\n",
        "dg-home: yes please\n",
        "done: true\n",
        "parent:\n",
        "parent: '-'\n",
        "importance: 7\n",
    ],
)
@pytest.mark.parametrize("is_all", [False, True])
def test_housekeeping_is_not_found(written: str, is_all: bool) -> None:
    assert found(written, is_all=is_all) == []


@pytest.mark.parametrize(
    "written", ["title: Atlas\n", "aliases: [Colossus]\n", "tags: project/atlas\n", "type: person\n"]
)
def test_names_and_what_only_sorts_a_note_count_where_it_holds_nothing_else(written: str) -> None:
    assert (found(written), found(written, is_all=True)) == ([], [written.removesuffix("\n")])


def test_what_sorts_a_note_stands_with_what_is_beside_it() -> None:
    assert found("author: Borges\nstatus: read\n") == ["author: Borges\nstatus: read"]


def test_housekeeping_parts_what_stands_around_it() -> None:
    assert found("author: Borges\nid: 7\ncity: Kiel\n") == ["author: Borges", "city: Kiel"]


def test_more_runs_than_any_person_writes_are_one() -> None:
    inside = "".join(f"name{n}: heron\nid: {n}\n" for n in range(9))
    assert found(inside) == [inside.removesuffix("\nid: 8\n")]


def test_front_matter_that_cannot_be_read_is_found_by_its_lines() -> None:
    assert found("role: plumber: Kowalski\nid: 7\n") == ["role: plumber: Kowalski"]


def test_crlf_has_the_same_lines() -> None:
    """B053."""
    text = "---\r\nid: 7\r\nrole: plumber\r\n---\r\nbody\r\n"
    front_matter, _, body_line = parse_front_matter(text)
    assert list_property_lines(text, front_matter, body_line, is_all=False) == [(2, 3)]


@pytest.mark.parametrize(
    "inside",
    [
        "a" + " " * 60_000 + "\n",
        '"' * 60_000 + "\n",
        "a:" * 30_000 + "\n",
        "'a' " * 15_000 + "\n",
        "a: b\nid: 3\n" * 4_000,
    ],
)
def test_no_front_matter_takes_long(inside: str) -> None:
    """B073, T14."""
    text = f"---\n{inside}---\n"
    began = time.process_time()
    list_property_lines(text, {}, 2 + text.count("\n"), is_all=True)
    assert time.process_time() - began < 2


def test_front_matter_that_is_too_long_to_read_is_not_found() -> None:
    assert found("role: plumber\n" * 6_000) == []


LINE = st.sampled_from(
    ["a: b", "id: 1", "- x", "  c: d", "'q': r", "status: open", "", "# note", "::", "title: t", ": x"]
)


@settings(deadline=None)
@given(inside=st.lists(LINE, max_size=20), is_all=st.booleans())
def test_runs_are_in_order_and_inside_the_front_matter(inside: list[str], is_all: bool) -> None:
    text = "\n".join(["---", *inside, "---", "body"])
    runs = list_property_lines(text, parse_front_matter(text)[0], len(inside) + 3, is_all=is_all)
    flat = [line for run in runs for line in run]
    assert flat == sorted(flat)
    assert all(1 <= first < last <= len(inside) + 1 for first, last in runs)
