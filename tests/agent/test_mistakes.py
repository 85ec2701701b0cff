"""What a model gets for a call that cannot be done: an error that says what to do."""

from __future__ import annotations

import json
from typing import Any

import pytest
from bench_vault import BenchVault

import clawvault
from clawvault.agent.tool import Desk
from clawvault.agent.toolbox import Toolbox
from clawvault.api import Vault
from clawvault.errors import UsageError


@pytest.fixture
def box(bench: BenchVault) -> Toolbox:
    bench.write("MEMORY.md", "# Memory\n\n- Anna prefers dark mode.\n")
    return clawvault.tools(bench.vault)


MISTAKES: dict[str, tuple[str, Any, str]] = {
    "no such tool": ("memory_find", {}, 'There is no tool "memory_find".'),
    "missing": ("memory_search", {}, 'memory_search needs "query".'),
    "unknown": ("memory_search", {"query": "x", "top": 3}, 'memory_search has no argument "top".'),
    "type": ("memory_search", {"query": 3}, 'memory_search cannot use "query": 3 is not of type string.'),
    "true is no number": (
        "memory_search",
        {"query": "x", "limit": True},
        'memory_search cannot use "limit": true is not of type integer.',
    ),
    "too many": ("memory_search", {"query": "x", "limit": 21}, 'memory_search cannot use "limit": 21 is more than 20.'),
    "too few": ("memory_search", {"query": "x", "limit": 0}, 'memory_search cannot use "limit": 0 is less than 1.'),
    "empty": ("memory_search", {"query": ""}, 'memory_search cannot use "query": it is empty.'),
    "choice": (
        "memory_search",
        {"query": "x", "mode": "best"},
        'memory_search cannot use "mode": "best" is none of hybrid, fts, vector.',
    ),
    "day": ("memory_search", {"query": "x", "since": "2026-02-30"}, '"2026-02-30" is not a day for since.'),
    "long": (
        "memory_search",
        {"query": "x" * 4001},
        'memory_search cannot use "query": it has 4001 characters; 4000 is the most.',
    ),
    "long in a list": (
        "profile_set",
        {"key": "languages", "value": ["German", "x" * 2001]},
        'profile_set cannot use "value": it has 2001 characters; 2000 is the most.',
    ),
    "many": (
        "profile_set",
        {"key": "languages", "value": ["x"] * 101},
        'profile_set cannot use "value": it has 101 entries; 100 is the most.',
    ),
    "no object": ("memory_read", ["MEMORY.md"], "The arguments of memory_read are not an object."),
    "no JSON": ("memory_read", {"path": {1, 2}}, "The arguments of memory_read are not JSON."),
    "no note": ("memory_read", {"path": "nope.md"}, 'There is no note "nope.md".'),
    "outside": ("memory_read", {"path": "../x.md"}, '"../x.md" is not a path inside the vault: ".." is not allowed.'),
    "no lines": ("memory_get", {"path": "MEMORY.md", "line_start": 9}, 'Lines 9 to the end are not in "MEMORY.md".'),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_is_an_error_that_says_what_to_do(box: Toolbox, case: str) -> None:
    name, arguments, message = MISTAKES[case]
    answer = box.call(name, arguments)
    assert (answer["is_error"], answer["error"]) == (True, message)
    assert answer["hint"]


def test_the_longest_text_fits_in_any_script(box: Toolbox, bench: BenchVault) -> None:
    text = f"{'记忆' * 124_998}。\n"
    assert box.call("memory_write", {"path": "long.md", "content": text})["created"] is True
    assert bench.root.joinpath("long.md").read_text(encoding="utf-8") == text


def test_arguments_that_are_too_large_say_how_many_bytes_they_have(box: Toolbox) -> None:
    answer = box.call("memory_search", {"query": "图" * 600_000})
    assert answer["error"] == "The arguments of memory_search have 1800013 bytes; 1500000 is the most."


def test_hints_of_errors_name_tools_instead_of_commands(bench: BenchVault) -> None:
    box = Toolbox(Desk(lambda: bench.vault), prefix="vault_")
    assert box.call("vault_memory_read", {"path": "nope.md"})["hint"] == "Run vault_memory_tree to see the notes."


def test_null_for_an_argument_that_may_be_missing_counts_as_missing(box: Toolbox) -> None:
    answer = box.call("memory_search", {"query": "dark mode", "since": None, "limit": None})
    assert answer["hits"][0]["path"] == "MEMORY.md"


def test_a_fault_of_the_program_is_an_error_too_and_names_no_note(
    box: Toolbox, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("private words")

    monkeypatch.setattr(Vault, "read", fail)
    answer = box.call("memory_read", {"path": "MEMORY.md"})
    assert answer["error"] == "memory_read failed with RuntimeError, a fault of clawvault."
    assert "private words" not in caplog.text + json.dumps(answer)


@pytest.mark.parametrize(
    ("hint", "shown"),
    [
        ('List them with "clawvault tree".', "List them with memory_tree."),
        ('See "clawvault tree" for those there are.', "See memory_tree for those there are."),
        ("Run clawvault tree with its path.", "Run memory_tree with its path."),
        ("To remove lines, use forget.", "To remove lines, use memory_forget."),
        (
            "Change it with patch, or insist with --insist.",
            "Change it with memory_patch, or insist with even_if_similar.",
        ),
        ("Give a day for --since.", "Give a day for since."),
        ('Run "clawvault index" to build it again.', 'For the person: Run "clawvault index" to build it again.'),
        ("Try clawvault undo ID --force", "For the person: Try clawvault undo ID --force"),
        ("Give more of the line.", "Give more of the line."),
    ],
)
def test_a_hint_names_tools_and_leaves_commands_to_the_person(
    bench: BenchVault, monkeypatch: pytest.MonkeyPatch, hint: str, shown: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise UsageError("No.", hint)

    monkeypatch.setattr(bench.vault, "append", refuse)
    answer = clawvault.tools(bench.vault).call("memory_append", {"path": "a.md", "content": "x"})
    assert (answer["error"], answer["hint"]) == ("No.", shown)
