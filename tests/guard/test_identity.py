"""An identity file is known in every form its name can take, and behind every link (T05)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from clawvault.guard.identity import find_protected, is_reserved


@pytest.mark.parametrize(
    "relative",
    ["SOUL.md", "soul.md", "Soul.MD", "SOUL.md.", "SOUL.md ", "SO\u200bUL.md", "\uff33OUL.md", "\u017fOUL.md"],
)
def test_every_form_of_the_name_is_the_identity_file(tmp_path: Path, relative: str) -> None:
    """T05, IW-79."""
    assert find_protected(tmp_path, relative) == "SOUL.md"


@pytest.mark.parametrize("relative", ["SOUL.txt", "notes/SOUL.md", "SOULS.md", "MEMORY.md", "HEARTBEAT.md"])
def test_any_other_name_is_an_ordinary_note(tmp_path: Path, relative: str) -> None:
    assert find_protected(tmp_path, relative) is None


def test_a_hard_link_is_the_identity_file(tmp_path: Path) -> None:
    """T05."""
    (tmp_path / "USER.md").write_text("x")
    os.link(tmp_path / "USER.md", tmp_path / "other.md")
    assert find_protected(tmp_path, "other.md", os.stat(tmp_path / "other.md")) == "USER.md"


def test_the_note_an_identity_file_links_to_is_the_identity_file(tmp_path: Path) -> None:
    """T05."""
    (tmp_path / "shared.md").write_text("x")
    (tmp_path / "AGENTS.md").symlink_to("shared.md")
    assert find_protected(tmp_path, "shared.md", os.stat(tmp_path / "shared.md")) == "AGENTS.md"


def test_another_file_is_an_ordinary_note(tmp_path: Path) -> None:
    (tmp_path / "USER.md").write_text("x")
    (tmp_path / "other.md").write_text("x")
    assert find_protected(tmp_path, "other.md", os.stat(tmp_path / "other.md")) is None


def test_a_loop_of_links_protects_nothing_and_fails_nothing(tmp_path: Path) -> None:
    (tmp_path / "SOUL.md").symlink_to("SOUL.md")
    (tmp_path / "other.md").write_text("x")
    assert find_protected(tmp_path, "other.md", os.stat(tmp_path / "other.md")) is None


@pytest.mark.parametrize("relative", ["threads/1/2.md", "Threads/x.md", "threads", "THREADS./x.md", "thre\u200bads/x"])
def test_the_folder_of_conversations_is_reserved(relative: str) -> None:
    """MN-52."""
    assert is_reserved(relative)


@pytest.mark.parametrize("relative", ["notes/threads/x.md", "threads.md", "threadsx/y.md"])
def test_a_folder_of_like_name_is_not_reserved(relative: str) -> None:
    assert not is_reserved(relative)
