"""The YAML at the top of a note: read when it is sound, passed over with a warning when it is not."""

from __future__ import annotations

import ast
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clawvault
from clawvault.vault.front_matter import parse_front_matter

BOMB = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"a{n}: &a{n} [" + ",".join([f"*a{n - 1}"] * 9) + "]\n" for n in range(1, 8)
)


def test_values_keep_their_kind() -> None:
    text = '---\na: x\nb: 1\nc: 1.5\nd: true\ne:\nf: [1, "2"]\ng:\n  h: i\n---\nbody'
    assert parse_front_matter(text) == (
        {"a": "x", "b": 1, "c": 1.5, "d": True, "e": None, "f": [1, "2"], "g": {"h": "i"}},
        "",
        11,
    )


@pytest.mark.parametrize(
    "written",
    [
        *("2026-01-11", "2026-02-30", "2026-01-11 10:00:00", "12:30", "0x1F", "0o17", "0123", "1_000", "1e5"),
        *(".nan", ".inf", "yes", "no", "on", "off", "No", "1" * 400),
    ],
)
def test_text_that_yaml_would_turn_into_something_else_stays_text(written: str) -> None:
    """B057: dates above all."""
    assert parse_front_matter(f"---\na: {written}\n---\n")[0] == {"a": written}


@pytest.mark.parametrize(
    ("written", "expected"), [('"1"', "1"), ("'true'", "true"), ("! x", "x"), ("!!str 1", "1"), ("-5", -5)]
)
def test_a_quoted_value_is_text(written: str, expected: object) -> None:
    assert parse_front_matter(f"---\na: {written}\n---\n")[0] == {"a": expected}


def test_crlf_gives_the_same_as_lf() -> None:
    """B053."""
    text = "---\ntitle: x\ntags:\n  - a\n---\nbody\n"
    assert parse_front_matter(text.replace("\n", "\r\n")) == parse_front_matter(text)
    assert parse_front_matter(text) == ({"title": "x", "tags": ["a"]}, "", 6)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "---",
        "---\n",
        "---\na: b\n",
        " ---\na: b\n---\n",
        "----\na: b\n----\n",
        "text\n---\na: b\n---\n",
        "---a\n---\n",
    ],
)
def test_a_note_without_both_marks_has_no_front_matter(text: str) -> None:
    assert parse_front_matter(text) == ({}, "", 1)


@pytest.mark.parametrize(
    "between", ["A first thought.\n\nA second one.", "# A heading", "- a\n- b", "42", "# a\n\n- b"]
)
def test_text_between_two_rules_is_text(between: str) -> None:
    """Taken for metadata, it could never be found."""
    assert parse_front_matter(f"---\n{between}\n---\n") == ({}, "", 1)


@pytest.mark.parametrize(("text", "line"), [("---\n---\nx", 3), ("---\n\n---\nx", 4), ("---\t\na: b\n... \nx", 4)])
def test_the_first_line_of_the_body_is_known(text: str, line: int) -> None:
    mapping, warning, body_line = parse_front_matter(text)
    assert (warning, body_line) == ("", line)
    assert text.split("\n")[body_line - 1] == "x"
    assert mapping in ({}, {"a": "b"})


@pytest.mark.parametrize(
    "yaml_text",
    [
        'source: "A" (paper, list #1)',
        "\ttab: x",
        "a:\n\t- b",
        "title: a: b",
        "@x",
        "a: `b`",
        "a: [b",
        "a: {b",
        'a: "b',
        "a: %b",
        "{a: b}: c",
        "? [a]\n: b",
        "a: \x01",
        "- a\nb: c",
        "a: !!binary x",
        "a: !!timestamp 2026-02-30",
        "a: !!set {x}",
        "a: !!python/object/apply:os.system ['true']",
        "a: !!python/name:os.system",
        "a: !custom x",
        "a: &x 1\nb: *x",
        "<<: *x",
        BOMB,
        "[" * 3000,
        "a: " + "[" * 3000 + "]" * 3000,
        "{a: " * 3000,
        "- " * 3000,
        "? " * 3000,
        "a: " + "[1," * 19 + "]" * 19 + "\nb: [[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]",
        "k: v\n" * 13_000,
        "k: v\n" * 14_000,
        "a: " + "x " * 40_000,
        "\ud800: x",
    ],
)
def test_yaml_that_is_broken_hostile_or_huge_costs_only_itself(yaml_text: str) -> None:
    """B055, B061, T12: no alias, no object, a cap on size, depth and number; and quickly."""
    text = f"---\n{yaml_text}\n---\nbody"
    started = time.process_time()
    mapping, warning, body_line = parse_front_matter(text)
    assert time.process_time() - started < 2.0
    assert mapping == {}
    assert warning.startswith("front matter ")
    assert text.split("\n")[body_line - 1] == "body"


def test_a_warning_names_the_line() -> None:
    assert parse_front_matter("---\na: b\ntitle: c: d\n---\n")[1] == (
        "front matter cannot be read: mapping values are not allowed in this context (line 3)"
    )


def test_a_repeated_key_takes_its_last_value() -> None:
    assert parse_front_matter("---\na: 1\na: 2\n---\n")[0] == {"a": 2}


@given(st.text(alphabet="ab:-[]{}&*!|>'\"%@`#?,. \t\r\n\\0~<=", max_size=120))
@settings(deadline=None, max_examples=1000)
def test_no_text_makes_the_reader_raise(source: str) -> None:
    """T12, F21."""
    mapping, _, body_line = parse_front_matter(f"---\n{source}\n---\nbody")
    assert isinstance(mapping, dict)
    assert body_line >= 1


def test_no_other_module_reads_yaml() -> None:
    """T12: only the front matter reader imports the loader, and it never makes objects with it."""
    package = Path(clawvault.__file__).parent
    users = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, (ast.Import, ast.ImportFrom)) and "yaml" in ast.dump(node)
    }
    assert users == {"vault/front_matter.py"}
    assert ".load(" not in (package / "vault" / "front_matter.py").read_text("utf-8")
