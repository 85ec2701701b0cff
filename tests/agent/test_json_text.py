"""One member of a JSON text is changed, and every other byte stays: comments, order, spaces."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawvault.agent.connecting.json_text import (
    JsonTextError,
    append_item,
    get_value,
    list_items,
    remove_items,
    remove_member,
    set_member,
)

KEYS = ("mcpServers", "clawvault")
ENTRY = {"command": "clawvault", "args": ["mcp"]}
COMMENTED = """// my servers
{
  /* the first */
  "theme": "dark", // keep
  "mcpServers": {
    "other": { "command": "x" }, // mine
  },
  unquoted: 'single',
}
"""
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
INDENTS = st.sampled_from([None, 0, 2, 4, "\t"])


def test_an_empty_text_becomes_an_object() -> None:
    assert json.loads(set_member("", KEYS, ENTRY)) == {"mcpServers": {"clawvault": ENTRY}}


def test_a_member_is_added_with_the_indent_of_its_neighbours() -> None:
    text = '{\n    "a": 1\n}\n'
    assert set_member(text, ("b",), [1]) == '{\n    "a": 1,\n    "b": [\n      1\n    ]\n}\n'


def test_comments_trailing_commas_and_loose_names_stay() -> None:
    changed = set_member(COMMENTED, KEYS, ENTRY)
    for part in (
        "// my servers\n",
        "/* the first */",
        "// keep",
        '"other": { "command": "x" }',
        "// mine",
        "unquoted: 'single',",
    ):
        assert part in changed
    assert get_value(changed, KEYS) == ENTRY
    removed = remove_member(changed, KEYS)
    assert get_value(removed, KEYS) is None
    for part in (
        "// my servers\n",
        "/* the first */",
        "// keep",
        '"other": { "command": "x" }',
        "// mine",
        "unquoted: 'single',",
    ):
        assert part in removed


def test_windows_line_ends_stay() -> None:
    changed = set_member('{\r\n  "a": 1\r\n}\r\n', KEYS, ENTRY)
    assert "\n" not in changed.replace("\r\n", "")


@pytest.mark.parametrize(
    "text", ["[1]", "{", '{"a"}', "{a:}", '{"a":1} x', '{"mcpServers": 3}', "{" * 999, '{"a":1 "b":2}']
)
def test_a_text_that_is_no_object_is_left_alone_with_a_reason(text: str) -> None:
    with pytest.raises(JsonTextError):
        set_member(text, KEYS, ENTRY)


@given(st.dictionaries(st.text(max_size=4), VALUES, max_size=4), INDENTS, st.text(max_size=4), VALUES)
def test_what_is_set_is_there_and_all_else_too(given_: dict[str, Any], indent: Any, key: str, value: Any) -> None:
    changed = set_member(json.dumps(given_, indent=indent), (key,), value)
    assert json.loads(changed) == {**given_, key: value}


@given(st.dictionaries(st.text(min_size=1, max_size=4), VALUES, min_size=1, max_size=4), INDENTS, st.data())
def test_what_is_removed_is_gone_and_all_else_stays(given_: dict[str, Any], indent: Any, data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(sorted(given_)))
    removed = remove_member(json.dumps(given_, indent=indent), (key,))
    assert json.loads(removed) == {name: value for name, value in given_.items() if name != key}


@given(st.dictionaries(st.text(max_size=4), VALUES, max_size=4), st.sampled_from([2, 4, "\t"]))
def test_removing_what_was_added_gives_the_same_bytes(given_: dict[str, Any], indent: Any) -> None:
    text = json.dumps({"first": 1, **given_}, indent=indent) + "\n"
    assert remove_member(set_member(text, ("clawvault!",), ENTRY), ("clawvault!",)) == text


@given(st.lists(VALUES, max_size=3), INDENTS, VALUES)
def test_an_item_is_added_to_a_list_and_taken_out_again(items: list[Any], indent: Any, value: Any) -> None:
    text = json.dumps({"hooks": {"Start": items}}, indent=indent)
    changed = append_item(text, ("hooks", "Start"), value)
    assert json.loads(changed)["hooks"]["Start"] == [*items, value]
    left = json.loads(remove_items(changed, ("hooks", "Start"), lambda item: bool(item == value)))["hooks"]["Start"]
    assert left == [item for item in items if item != value]


def test_a_list_is_made_when_missing() -> None:
    assert json.loads(append_item("", ("hooks", "Start"), 1)) == {"hooks": {"Start": [1]}}


@pytest.mark.parametrize("end", [" // mine", ", // mine", " /* mine */", ",  /* mine */"])
def test_a_remark_stays_on_the_line_of_what_it_speaks_of(end: str) -> None:
    text = f'{{\r\n  "servers": {{\r\n    "other": 1{end}\r\n  }},\r\n  "list": [\r\n    1{end}\r\n  ]\r\n}}\r\n'
    more = append_item(set_member(text, ("servers", "new"), 2), ("list",), 2)
    remark = end.lstrip(",")
    assert more.split("\r\n")[2:4] == [f'    "other": 1,{remark}', '    "new": 2']
    assert f"    1,{remark}\r\n" in more
    assert get_value(more, ("servers", "new")) == 2
    assert list_items(more, ("list",)) == [1, 2]
    less = remove_items(remove_member(more, ("servers", "new")), ("list",), lambda item: item == 2)
    assert less == text.replace(end, remark)
