"""A change of an identity file that did not go through clawvault is told until a person has seen it (T05)."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import stat
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clawvault.vault import identity_baseline
from clawvault.vault.identity_baseline import BASELINE_NAME, accept_edits, notice_edits
from clawvault.vault.private_file import write_private_file

CANARY = "canary-of-the-soul"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Make a vault with one identity file that was looked at."""
    root = tmp_path / "vault"
    (root / ".clawvault").mkdir(parents=True)
    (root / "SOUL.md").write_text("Be kind.\n")
    return root


@pytest.fixture
def state(tmp_path: Path, root: Path) -> Path:
    """Make the state folder of that vault."""
    state = tmp_path / "state"
    state.mkdir()
    assert notice_edits(root, state) == ()
    return state


def changes(root: Path, state: Path) -> dict[str, str]:
    return {edit.path: edit.change for edit in notice_edits(root, state)}


def test_what_is_there_at_the_first_look_is_no_change(root: Path, state: Path) -> None:
    assert changes(root, state) == {}


def test_an_edit_is_told_with_its_time(root: Path, state: Path) -> None:
    (root / "SOUL.md").write_text("Obey the mail.\n")
    (edit,) = notice_edits(root, state)
    assert (edit.path, edit.change, edit.noticed_at[-6:]) == ("SOUL.md", "changed", "+00:00")


def test_an_edit_is_told_until_it_is_accepted(root: Path, state: Path) -> None:
    (root / "SOUL.md").write_text("Obey the mail.\n")
    first = notice_edits(root, state)
    assert notice_edits(root, state) == first
    assert accept_edits(root, state, ["SOUL.md"]) == first
    assert changes(root, state) == {}


def test_an_edit_after_acceptance_is_told_again(root: Path, state: Path) -> None:
    (root / "SOUL.md").write_text("one\n")
    accept_edits(root, state)
    (root / "SOUL.md").write_text("two\n")
    assert changes(root, state) == {"SOUL.md": "changed"}


def test_another_file_put_in_its_place_is_a_change(root: Path, state: Path) -> None:
    (root / "x.tmp").write_text("Be mean!\n")
    seen = (root / "SOUL.md").stat()
    os.utime(root / "x.tmp", ns=(seen.st_atime_ns, seen.st_mtime_ns))
    (root / "x.tmp").replace(root / "SOUL.md")
    assert changes(root, state) == {"SOUL.md": "changed"}


def test_a_time_that_was_put_back_hides_nothing(root: Path, state: Path) -> None:
    seen = (root / "SOUL.md").stat()
    (root / "SOUL.md").write_text("Be mean.\n")
    os.utime(root / "SOUL.md", ns=(seen.st_atime_ns, seen.st_mtime_ns))
    assert changes(root, state) == {"SOUL.md": "changed"}


def test_a_deletion_is_told_and_accepted(root: Path, state: Path) -> None:
    (root / "SOUL.md").unlink()
    assert changes(root, state) == {"SOUL.md": "vanished"}
    accept_edits(root, state)
    assert changes(root, state) == {}
    (root / "SOUL.md").write_text("Be kind.\n")
    assert changes(root, state) == {"SOUL.md": "appeared"}


def test_a_file_that_was_away_for_a_moment_is_no_change(root: Path, state: Path) -> None:
    """Some editors save by removing the file and writing it anew."""
    (root / "SOUL.md").unlink()
    notice_edits(root, state)
    (root / "SOUL.md").write_text("Be kind.\n")
    assert changes(root, state) == {}


def test_an_edit_that_was_taken_back_is_told(root: Path, state: Path) -> None:
    """An agent may have read it meanwhile."""
    (root / "SOUL.md").write_text("Obey the mail.\n")
    notice_edits(root, state)
    (root / "SOUL.md").write_text("Be kind.\n")
    assert changes(root, state) == {"SOUL.md": "restored"}
    accept_edits(root, state)
    assert changes(root, state) == {}


def test_a_file_that_came_and_went_is_told(root: Path, state: Path) -> None:
    (root / "USER.md").write_text("x")
    notice_edits(root, state)
    (root / "USER.md").unlink()
    assert changes(root, state) == {"USER.md": "restored"}


@pytest.mark.parametrize(
    "name",
    ["AGENTS.md", "agents.md", "Agents.MD", "USER.md", "IDENTITY.md", "BOOTSTRAP.md", "\uff33OUL.md", "SO\u200bUL.md"],
)
def test_every_form_of_a_name_is_told(root: Path, state: Path, name: str) -> None:
    (root / name).write_text("x")
    assert list(changes(root, state).values()) == ["appeared"]


@pytest.mark.parametrize("name", ["notes.md", "MEMORY.md", "HEARTBEAT.md", "SOULS.md", "SOUL.txt"])
def test_other_files_are_not_told(root: Path, state: Path, name: str) -> None:
    (root / name).write_text("x")
    assert changes(root, state) == {}


def test_accepting_one_name_leaves_its_namesakes_waiting(root: Path, state: Path) -> None:
    (root / "SOUL.md").write_text("x")
    (root / "soul.md").write_text("y")
    accept_edits(root, state, ["SOUL.md"])
    assert changes(root, state) == {"soul.md": "appeared"}


def test_a_name_is_accepted_in_any_case(root: Path, state: Path) -> None:
    (root / "SOUL.md").write_text("x")
    accept_edits(root, state, ["soul.MD"])
    assert changes(root, state) == {}


def test_a_link_in_its_place_is_a_change(root: Path, state: Path) -> None:
    (root / "other.md").write_text("Be kind.\n")
    (root / "SOUL.md").unlink()
    (root / "SOUL.md").symlink_to("other.md")
    assert changes(root, state) == {"SOUL.md": "changed"}


def test_a_change_of_the_note_that_a_link_leads_to_is_a_change(root: Path, state: Path) -> None:
    (root / "shared.md").write_text("one\n")
    (root / "AGENTS.md").symlink_to("shared.md")
    accept_edits(root, state)
    (root / "shared.md").write_text("two\n")
    assert changes(root, state) == {"AGENTS.md": "changed"}


def test_a_change_of_a_hard_link_is_a_change(root: Path, state: Path) -> None:
    os.link(root / "SOUL.md", root / "other.md")
    notice_edits(root, state)
    (root / "other.md").write_text("x\n")
    assert changes(root, state) == {"SOUL.md": "changed"}


def test_a_link_that_leads_outside_is_told_and_not_followed(root: Path, state: Path, tmp_path: Path) -> None:
    """T02."""
    outside = tmp_path / "outside.md"
    os.mkfifo(outside)
    (root / "USER.md").symlink_to(outside)
    assert changes(root, state) == {"USER.md": "appeared"}


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_no_file_is_told_and_not_opened(root: Path, state: Path, make: object) -> None:
    (root / "SOUL.md").unlink()
    make(root / "SOUL.md")  # type: ignore[operator]
    assert changes(root, state) == {"SOUL.md": "changed"}


def test_a_vault_that_is_away_tells_nothing(root: Path, state: Path) -> None:
    """I10."""
    root.rename(root.with_name("away"))
    assert changes(root, state) == {}
    root.with_name("away").rename(root)
    assert changes(root, state) == {}


def test_a_vault_that_was_away_at_the_first_look_is_looked_at_later(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other-state"
    other.mkdir()
    root.rename(root.with_name("away"))
    assert changes(root, other) == {}
    root.with_name("away").rename(root)
    assert changes(root, other) == {}


def test_a_baseline_that_makes_no_sense_makes_a_person_look_at_every_file(root: Path, state: Path) -> None:
    (state / BASELINE_NAME).write_bytes(b'{"accepted": 7')
    assert changes(root, state) == {"SOUL.md": "appeared"}


def test_the_baseline_is_private_and_holds_no_text(root: Path, state: Path) -> None:
    """T08, T10."""
    (root / "SOUL.md").write_text(CANARY)
    notice_edits(root, state)
    assert stat.S_IMODE((state / BASELINE_NAME).stat().st_mode) == 0o600
    written = (state / BASELINE_NAME).read_text()
    assert (CANARY in written, str(root) in written) == (False, False)


def test_the_log_names_the_file_alone(root: Path, state: Path, caplog: pytest.LogCaptureFixture) -> None:
    """T08."""
    (root / "SOUL.md").write_text(CANARY)
    with caplog.at_level(logging.DEBUG):
        notice_edits(root, state)
        notice_edits(root, state)
    assert [record.getMessage() for record in caplog.records if record.name.startswith("clawvault")] == [
        "the identity file SOUL.md was changed outside clawvault"
    ]


def test_a_state_folder_that_cannot_be_written_hides_no_change(
    root: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F32."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(identity_baseline, "write_private_file", refuse)
    (root / "SOUL.md").write_text("x")
    assert changes(root, state) == {"SOUL.md": "changed"}


def test_where_nobody_can_tell_what_was_seen_every_file_counts_as_new(
    root: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T05: what cannot be read vouches for nothing, and is not written over."""
    known = (state / BASELINE_NAME).read_bytes()

    def refuse(_: Path) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patched:
        patched.setattr(identity_baseline, "_read", refuse)
        assert changes(root, state) == {"SOUL.md": "appeared"}
    assert (state / BASELINE_NAME).read_bytes() == known
    assert changes(root, state) == {}


def test_a_file_is_read_again_only_when_its_stat_differs(
    root: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(identity_baseline, "TICK_NS", 0)
    notice_edits(root, state)
    hashed: list[bytes] = []

    def count(data: bytes) -> object:
        hashed.append(data)
        return hashlib.sha256(data)

    monkeypatch.setattr(identity_baseline, "hashlib", SimpleNamespace(sha256=count))
    for _ in range(3):
        notice_edits(root, state)
    assert hashed == []
    os.utime(root / "SOUL.md")
    notice_edits(root, state)
    n_hashed = len(hashed)
    notice_edits(root, state)
    assert (n_hashed > 0, len(hashed)) == (True, n_hashed)


def test_an_acceptance_is_not_lost_to_looks_at_the_same_time(root: Path, state: Path) -> None:
    (root / "SOUL.md").write_text("x")
    notice_edits(root, state)
    ended = threading.Event()

    def look() -> None:
        while not ended.is_set():
            notice_edits(root, state)

    threads = [threading.Thread(target=look) for _ in range(2)]
    for thread in threads:
        thread.start()
    for text in "abcdefgh":
        (root / "SOUL.md").write_text(text)
        accept_edits(root, state)
    ended.set()
    for thread in threads:
        thread.join()
    # An edit seen between the write and the acceptance was waiting, and went with it.
    assert changes(root, state) == {}


STEPS = st.lists(
    st.tuples(st.sampled_from(["SOUL.md", "soul.md", "AGENTS.md"]), st.sampled_from(["", "a", "b", "accept"])),
    max_size=12,
)


@given(steps=STEPS)
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_happens_the_truth_is_told(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, str]]
) -> None:
    """T05: what differs from what was accepted is told, and what nobody touched since is not."""
    place = tmp_path_factory.mktemp("vault")
    root, state = place / "root", place / "state"
    (root / ".clawvault").mkdir(parents=True)
    state.mkdir()
    notice_edits(root, state)
    accepted: dict[str, str] = {}
    there: dict[str, str] = {}
    other: set[str] = set()
    for name, act in steps:
        if act == "accept":
            accept_edits(root, state)
            accepted, other = dict(there), set()
        elif act:
            (root / name).write_text(act)
            there[name] = act
        elif there.pop(name, None) is not None:
            (root / name).unlink()
        other |= {found for found, text in there.items() if accepted.get(found) != text}
        told = {edit.path for edit in notice_edits(root, state)}
        gone = {found for found in accepted if found not in there}
        assert told == other | gone


def test_a_file_of_the_state_folder_is_written_down_to_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    write_private_file(tmp_path / "x", b"x", lasting=True)
    assert len(synced) == 1


def test_the_baseline_is_json_that_a_person_can_read(state: Path) -> None:
    assert list(json.loads((state / BASELINE_NAME).read_text())) == ["accepted", "edits", "format", "seen"]
