"""A hook as connecting writes it, and how it is known again."""

from __future__ import annotations

import pytest

from clawvault.agent.connecting.agents import command_line, is_own_hook, vault_named_in


def test_a_command_carries_variables_in_the_words_of_its_shell() -> None:
    variables = {"CLAWVAULT_STATE_DIR": "/my state"}
    words = ("claw vault", "index")
    assert command_line(words, variables, is_windows=False) == "CLAWVAULT_STATE_DIR='/my state' 'claw vault' index"
    assert command_line(words, variables, is_windows=True) == 'set "CLAWVAULT_STATE_DIR=/my state"&& "claw vault" index'


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("/a/clawvault --vault /v context", True),
        ("CLAWVAULT_STATE_DIR=/s /a/clawvault --vault /v index", True),
        ("CLAWVAULT_STATE_DIR='/s t' '/a b/clawvault' --vault '/v w' context", True),
        ("/a/python3.11 -m clawvault --vault /v context", True),
        ("/a/clawvault --vault '/it'\"'\"'s' context", True),
        ("/a/clawvault --vault /v context --query x", False),
        ("cd /x && /a/clawvault --vault /v context", False),
        ("/a/clawvault --vault /v context | tee log", False),
        ("/a/other --vault /v context", False),
        ("date", False),
    ],
)
def test_only_what_connecting_wrote_is_its_own(line: str, expected: bool) -> None:
    assert is_own_hook({"hooks": [{"type": "command", "command": line}]}, is_windows=False) is expected
    assert not is_own_hook({"matcher": "x", "hooks": [{"type": "command", "command": line}]}, is_windows=False)
    assert not is_own_hook({"hooks": [{"type": "command", "command": line}] * 2}, is_windows=False)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["C:\\a b\\clawvault.exe", "--vault", "D:\\my notes", "context"], True),
        (["C:\\py\\python.exe", "-m", "clawvault", "--vault", "D:\\v", "index"], True),
        (["C:\\a\\other.exe", "--vault", "D:\\v", "index"], False),
    ],
)
def test_a_hook_of_windows_is_known_too(words: list[str], expected: bool) -> None:
    for variables in ({}, {"CLAWVAULT_STATE_DIR": "C:\\s t"}):
        line = command_line(words, variables, is_windows=True)
        assert is_own_hook({"hooks": [{"type": "command", "command": line}]}, is_windows=True) is expected


@pytest.mark.parametrize("vault", ["/notes", "/my notes", "/it's"])
@pytest.mark.parametrize("is_windows", [False, True])
def test_a_hook_names_its_vault(vault: str, is_windows: bool) -> None:
    line = command_line(["clawvault", "--vault", vault, "context"], {}, is_windows=is_windows)
    group = {"hooks": [{"type": "command", "command": line}]}
    assert vault_named_in(group, is_windows=is_windows) == vault


def test_a_hook_of_a_person_names_no_vault() -> None:
    group = {"hooks": [{"type": "command", "command": "other --vault /notes context"}]}
    assert vault_named_in(group) is None
