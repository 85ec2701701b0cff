"""A file that agents take their orders from is known in every form of its name, and an ordinary note is none (T06)."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawvault.config import Config
from clawvault.guard import prompt_names
from clawvault.guard.identity import is_prompt_file
from clawvault.guard.prompt_names import CAPITAL_STEMS, STEMS, imitated_name, is_disguised
from clawvault.vault.prompt_files import describe_prompt_file, list_prompt_files, note_first_sights

PLAIN = {
    "skills/evil/SKILL.md": "SKILL.md",
    "BOOT.md": "BOOT.md",
    "WARP.md": "WARP.md",
    "CRUSH.md": "CRUSH.md",
    "crush.md": "CRUSH.md",
    "SYSTEM.md": "SYSTEM.md",
    "AGENTS.local.md": "AGENTS.md",
    "AGENTS.override.md": "AGENTS.md",
    "CLAUDE.local.markdown": "CLAUDE.md",
    "AGENTS.markdown": "AGENTS.md",
    "CLAUDE.markdown": "CLAUDE.md",
    "SOUL.markdown": "SOUL.md",
    "SOUL.md.": "SOUL.md",
    "sub/tools.md": "TOOLS.md",
    "x.instructions.md": "*.instructions.md",
    "x.prompt.md": "*.prompt.md",
    "会议.prompt.md": "*.prompt.md",
    "reviewer.agent.md": "*.agent.md",
    ".cursorrules": ".cursorrules",
}
DISGUISED = {
    " SOUL.md": "SOUL.md",
    "USER .md": "USER.md",
    "AGENTS.md:stream.md": "AGENTS.md",
    "S\u041eUL.md": "SOUL.md",
    "\u0421LAUDE.md": "CLAUDE.md",
    "\u0391GENTS.md": "AGENTS.md",
    "G\u0395\u039c\u0399\u039d\u0399.md": "GEMINI.md",
    "\u0405\u039fU\u13de.md": "SOUL.md",
    "m\u0435mory.md": "MEMORY.md",
    "HEARTB\u0415AT.md": "HEARTBEAT.md",
    "\ua731\u1d0f\u1d1c\u029f.md": "SOUL.md",
    "SO\u0301UL.md": "SOUL.md",
    "CIAUDE.md": "CLAUDE.md",
    "S0UL.md": "SOUL.md",
}
ORDINARY = (
    *("system.md", "System.md", "system.md notes about linux.md", "boot process.md", "skills.md", "agent notes.md"),
    *("the soul.md", "user manual.md", "会议.md", "tools/list.md", "warp drive.md", "instructions.md", "prompt.md"),
    *("agent-list.md", "local.md", "10:30 meeting.md", "USERS.md", "rules.md", "x.agents.md", "SOUL.txt", "soul"),
    *("prompts.md", "système.md", "memory.2026.md", "soul food.md", "AGENTS.2026.md", "code x.md", "агент.md"),
    *("memory/2026-11-30.md", "", ".", "..", ".md", "MEMORY.md", "heartbeat.md", "MEMORY.markdown"),
)


@pytest.mark.parametrize(("path", "name"), PLAIN.items())
def test_a_name_that_an_agent_loads_by_itself_is_not_for_tools(path: str, name: str) -> None:
    """T05, T06, IW-79."""
    last = path.rpartition("/")[2]
    assert (is_prompt_file(path), imitated_name(last), is_disguised(last)) == (True, name, False)


@pytest.mark.parametrize(("path", "name"), DISGUISED.items())
def test_a_name_that_only_looks_like_one_counts_as_it_and_is_known_for_a_disguise(path: str, name: str) -> None:
    """T20."""
    assert (is_prompt_file(path), imitated_name(path), is_disguised(path)) == (True, name, True)


@pytest.mark.parametrize("path", ORDINARY)
def test_an_ordinary_note_is_no_such_file(path: str) -> None:
    assert not is_prompt_file(path)
    assert not is_disguised(path.rpartition("/")[2])


@given(st.sampled_from((*STEMS, *CAPITAL_STEMS)), st.data())
def test_each_name_is_known_whichever_letters_look_alike(stem: str, data: st.DataObject) -> None:
    """T20."""
    alike = {sign: letter for sign, letter in prompt_names._lookalikes().items() if sign.isupper()}
    shown = "".join(
        data.draw(st.sampled_from([sign, *(other for other, letter in alike.items() if letter == sign.lower())]))
        for sign in stem
    )
    assert imitated_name(f"{shown}.md") == f"{stem}.md"


@given(st.text(max_size=30))
def test_any_name_is_looked_at_and_nothing_is_missed_by_its_beginning(name: str) -> None:
    found = imitated_name(name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(prompt_names, "_begins_otherwise", lambda _: False)
        assert imitated_name(name) == found


def _vault(root: Path, *paths: str) -> Path:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("x\n", "utf-8")
    return root


def test_planted_files_of_every_form_are_listed(tmp_path: Path) -> None:
    """T06, T20."""
    root = _vault(tmp_path, "SOUL.md", "S\u041eUL.md", "skills/evil/SKILL.md", "WARP.md", "x.prompt.md", "system.md")
    found = ["S\u041eUL.md", "WARP.md", "skills/evil/SKILL.md", "x.prompt.md"]
    assert sorted(list_prompt_files(root, Config())) == sorted(found)
    assert note_first_sights(tmp_path, found, date(2026, 3, 9)) == tuple(found)


def test_what_looks_like_a_file_of_orders_is_told_as_suspicious_in_plain_letters() -> None:
    """T20."""
    assert describe_prompt_file("S\u041eUL.md") == ("suspicious, its name looks like SOUL.md", "S\\u041eUL.md")
    assert describe_prompt_file("sub/ SOUL.md") == ("suspicious, its name looks like SOUL.md", " SOUL.md")
    assert describe_prompt_file("CLAUDE.md") == ("an agent that finds it may obey it", "")


def test_what_looks_like_an_identity_file_is_not_one(tmp_path: Path) -> None:
    """T20: it has none of its trust."""
    from clawvault.guard.identity import find_protected
    from clawvault.guard.screening import trust_of

    name = "S\u041eUL.md"
    _vault(tmp_path, name, "SOUL.md")
    assert find_protected(tmp_path, name, os.stat(tmp_path / name)) is None
    assert trust_of(name, ()) == "note"
