"""One resolver for every path a caller gives, and one way to open a file without leaving the vault."""

from __future__ import annotations

import os
import stat
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from hostile_paths import hostile_paths
from hypothesis import given, settings
from hypothesis import strategies as st

from clawvault.config import Config, load_config
from clawvault.errors import ClawvaultError, ConfigError, NotFoundError, UsageError
from clawvault.vault import paths
from clawvault.vault.paths import NoteUnreadableError, find_vault, open_inside, parse_note_path, state_folder, visible

CANARY = b"canary 7c1f"


@pytest.mark.parametrize(
    "text",
    [
        "MEMORY.md",
        "memory/2026-03-09.md",
        "a b/c d.md",
        "笔记/今天.md",
        "😀.md",
        "16:41.md",
        "~draft.md",
        "...md",
        "a..b.md",
    ],
)
def test_an_ordinary_path_is_taken_as_it_is(text: str) -> None:
    assert parse_note_path(text) == text


def test_a_decomposed_path_becomes_composed() -> None:
    """B029."""
    assert parse_note_path("U\u0308bung.md") == "\u00dcbung.md"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "/etc/passwd",
        "//server/share/x.md",
        "\\\\server\\share\\x.md",
        "..",
        "../x.md",
        "a/../x.md",
        "a/..",
        "./x.md",
        "a/./x.md",
        "a//x.md",
        "a/",
        "~/x.md",
        "~root/x.md",
        "~",
        "C:x.md",
        "c:/x.md",
        "C:\\x.md",
        "secret\\..\\..\\x.md",
        "a\0.md",
        "a\nb.md",
        "a\x1b[31m.md",
        "a\x7f.md",
        "a\u2028.md",
        "a\ud800.md",
        "CON.md",
        "a/nul",
        "com1.md",
        "LPT9.notes.md",
        "aux ",
        "x" * 256 + ".md",
        "a/" * 2100 + "x.md",
    ],
)
def test_a_path_that_is_not_inside_a_vault_is_refused(text: str) -> None:
    """T01, MN-56, MN-57, MN-58, B037."""
    with pytest.raises(UsageError, match="not a path inside the vault"):
        parse_note_path(text)


@pytest.mark.parametrize("text", ["SOUL.md.", "SOUL.md ", "a./x.md", "x.md:stream", "a?.md", "a*.md", "a|b.md"])
def test_windows_rules_hold_on_windows(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """B037: a trailing dot or a stream name opens another file there."""
    monkeypatch.setattr(paths, "WINDOWS", True)
    with pytest.raises(UsageError):
        parse_note_path(text)


def test_a_refusal_shows_no_control_character() -> None:
    """T19."""
    with pytest.raises(UsageError) as caught:
        parse_note_path("a\x1b]8;;http://x\x07\u202e.md")
    assert caught.value.message.isprintable()


@given(st.text(max_size=60))
@settings(deadline=None, max_examples=500)
def test_every_text_is_either_refused_or_stays_inside(text: str) -> None:
    try:
        path = parse_note_path(text)
    except UsageError:
        return
    assert not os.path.isabs(path)
    assert ".." not in path.split("/")
    assert parse_note_path(path) == path


def test_ten_thousand_hostile_paths_never_read_the_canary(vault: Path) -> None:
    """T01, T02, B147: the resolver and, past it, the opener alone."""
    outside = vault.parent / "vault-outside"
    outside.mkdir()
    canaries = [outside / "canary.md", vault.parent / "canary.md"]
    for canary in canaries:
        canary.write_bytes(CANARY)
    (vault / "link").symlink_to(outside)
    (vault / "x.md").write_bytes(b"inside")
    seen: set[bytes] = set()
    for text in hostile_paths(10_000):
        for resolve in (parse_note_path, str):
            try:
                with open_inside(vault, resolve(text)) as handle:
                    seen.add(handle.read())
            except ClawvaultError:
                continue
    assert seen <= {b"inside"}
    assert [canary.read_bytes() for canary in canaries] == [CANARY, CANARY]


def test_a_sibling_folder_with_the_same_beginning_is_outside(vault: Path) -> None:
    """B147."""
    sibling = vault.parent / "vault-secret"
    sibling.mkdir()
    (sibling / "x.md").write_bytes(CANARY)
    with pytest.raises(UsageError):
        parse_note_path("../vault-secret/x.md")
    with pytest.raises(NotFoundError):
        open_inside(vault, "../vault-secret/x.md")


@pytest.fixture(params=["handles", "names"])
def opener(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to open: by folder handles, and by names as on Windows."""
    monkeypatch.setattr(paths, "CAN_WALK_HANDLES", request.param == "handles")
    return str(request.param)


def test_a_note_is_opened(vault: Path, opener: str) -> None:
    (vault / "a").mkdir()
    (vault / "a" / "x.md").write_bytes(b"text")
    with open_inside(vault, "a/x.md") as handle:
        assert handle.read() == b"text"


def test_a_note_is_opened_by_its_composed_name(vault: Path, opener: str) -> None:
    """B029: the disk keeps the decomposed form."""
    (vault / "U\u0308").mkdir()
    (vault / "U\u0308" / "e\u0301.md").write_bytes(b"text")
    with open_inside(vault, "\u00dc/\u00e9.md") as handle:
        assert handle.read() == b"text"


@pytest.mark.parametrize("relative", ["no.md", "no/x.md", "x.md/y.md", "", "a//x.md", "/etc/passwd", "x\0.md"])
def test_a_note_that_is_not_there_is_not_found(vault: Path, opener: str, relative: str) -> None:
    (vault / "x.md").write_bytes(b"text")
    with pytest.raises(NotFoundError):
        open_inside(vault, relative)


@pytest.mark.parametrize("relative", ["file.md", "folder/canary.md", "chain.md", "loop.md", "dangling.md", "inner.md"])
def test_no_link_is_followed(vault: Path, opener: str, relative: str) -> None:
    """T02, B149, B013."""
    outside = vault.parent / "outside"
    outside.mkdir()
    (outside / "canary.md").write_bytes(CANARY)
    (vault / "real.md").write_bytes(b"text")
    (vault / "file.md").symlink_to(outside / "canary.md")
    (vault / "folder").symlink_to(outside)
    (vault / "chain.md").symlink_to("file.md")
    (vault / "loop.md").symlink_to("loop.md")
    (vault / "dangling.md").symlink_to("missing")
    (vault / "inner.md").symlink_to("real.md")
    with pytest.raises(NoteUnreadableError) as caught:
        open_inside(vault, relative)
    assert (caught.value.reason, caught.value.deferred) == ("symlink", False)


def test_the_vault_itself_may_be_reached_through_a_link(vault: Path, opener: str) -> None:
    (vault / "x.md").write_bytes(b"text")
    (vault.parent / "door").symlink_to(vault)
    with open_inside(vault.parent / "door", "x.md") as handle:
        assert handle.read() == b"text"


def test_a_folder_and_a_fifo_are_no_notes_and_never_hang(vault: Path, opener: str) -> None:
    """F20."""
    os.mkfifo(vault / "pipe.md")
    (vault / "folder.md").mkdir()
    reasons = []
    for relative in ("pipe.md", "folder.md"):
        with pytest.raises(NoteUnreadableError) as caught:
            open_inside(vault, relative)
        reasons.append(caught.value.reason)
    assert reasons == ["not-a-file", "not-a-file"]


def test_a_folder_swapped_for_a_link_never_leads_outside(vault: Path) -> None:
    """T02: two threads swap a folder and a link while notes are read."""
    outside = vault.parent / "outside"
    outside.mkdir()
    (outside / "x.md").write_bytes(CANARY)
    (vault / "real").mkdir()
    (vault / "real" / "x.md").write_bytes(b"inside")
    (vault / "spare").symlink_to(outside)
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            (vault / "real").rename(vault / "aside")
            (vault / "spare").rename(vault / "real")
            (vault / "real").rename(vault / "spare")
            (vault / "aside").rename(vault / "real")

    swapper = threading.Thread(target=swap)
    swapper.start()
    seen: set[bytes] = set()
    for _ in range(3000):
        try:
            with open_inside(vault, "real/x.md") as handle:
                seen.add(handle.read())
        except ClawvaultError:
            continue
    stop.set()
    swapper.join()
    assert seen <= {b"inside"}


def test_a_vault_swapped_for_a_link_to_another_folder_is_not_read(vault: Path, opener: str) -> None:
    """T02: the vault itself may be reached through a link, yet not through one to what is none."""
    outside = vault.parent / "outside"
    outside.mkdir()
    (outside / "x.md").write_bytes(CANARY)
    vault.rename(vault.with_name("away"))
    vault.symlink_to(outside)
    with pytest.raises(NotFoundError):
        open_inside(vault, "x.md")
    vault.unlink()
    vault.symlink_to(vault.with_name("away"))
    (vault / "x.md").write_bytes(b"inside")
    with open_inside(vault, "x.md") as handle:
        assert handle.read() == b"inside"


def test_the_nearest_folder_upward_with_the_marker_is_the_vault(vault: Path) -> None:
    inner = vault / "a" / "b"
    inner.mkdir(parents=True)
    assert find_vault(inner) == vault
    (vault / "a" / ".clawvault").mkdir()
    assert find_vault(inner) == vault / "a"


def test_without_a_marker_there_is_no_vault(tmp_path: Path) -> None:
    (tmp_path / ".clawvault").write_text("a file is no marker")
    assert find_vault(tmp_path) is None


def test_each_vault_has_a_private_state_folder_of_its_own(vault: Path, tmp_path: Path) -> None:
    """I41, T10."""
    environment = {"XDG_STATE_HOME": str(tmp_path / "xdg")}
    old = os.umask(0)
    try:
        folder = state_folder(vault, Config(), environment)
    finally:
        os.umask(old)
    assert folder.parent == tmp_path / "xdg" / "clawvault" / "vaults"
    assert folder.name.startswith("vault-")
    modes = [stat.S_IMODE(part.stat().st_mode) for part in (folder, folder.parent, folder.parent.parent)]
    assert modes == [0o700, 0o700, 0o700]
    assert state_folder(vault, Config(), environment) == folder


def test_two_vaults_of_one_name_have_two_state_folders(tmp_path: Path) -> None:
    """B033."""
    config = replace(Config(), state_dir=str(tmp_path / "state"))
    roots = [tmp_path / "a" / "notes", tmp_path / "b" / "notes"]
    for root in roots:
        root.mkdir(parents=True)
    assert state_folder(roots[0], config, {}) != state_folder(roots[1], config, {})


def test_a_vault_reached_through_a_link_has_the_same_state_folder(vault: Path, tmp_path: Path) -> None:
    config = replace(Config(), state_dir=str(tmp_path / "state"))
    (tmp_path / "door").symlink_to(vault)
    assert state_folder(tmp_path / "door", config, {}) == state_folder(vault, config, {})


def test_a_relative_state_folder_in_the_settings_counts_from_the_vault(vault: Path) -> None:
    (vault / ".clawvault" / "config.toml").write_text('state_dir = ".clawvault/state"\n')
    config = load_config(vault, environment={})
    assert state_folder(vault, config, {}).is_relative_to(vault / ".clawvault" / "state")


def test_a_state_folder_that_others_could_read_is_made_private(vault: Path, tmp_path: Path) -> None:
    """B155."""
    config = replace(Config(), state_dir=str(tmp_path / "state"))
    folder = state_folder(vault, config, {})
    folder.chmod(0o755)
    state_folder(vault, config, {})
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_state_folder_of_another_user_is_refused(
    vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T10."""
    config = replace(Config(), state_dir=str(tmp_path / "state"))
    state_folder(vault, config, {})
    monkeypatch.setattr(os, "geteuid", lambda: 4242)
    with pytest.raises(ConfigError, match="belongs to another user"):
        state_folder(vault, config, {})


def test_a_link_in_place_of_the_state_folder_is_refused(vault: Path, tmp_path: Path) -> None:
    """T11."""
    config = replace(Config(), state_dir=str(tmp_path / "state"))
    folder = state_folder(vault, config, {})
    folder.rmdir()
    (tmp_path / "elsewhere").mkdir()
    folder.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ConfigError, match="not a folder of its own"):
        state_folder(vault, config, {})


def test_a_state_folder_that_cannot_be_made_says_so(vault: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    config = replace(Config(), state_dir=str(tmp_path / "file" / "state"))
    with pytest.raises(ConfigError, match="Cannot use the state folder"):
        state_folder(vault, config, {})


def test_a_shown_name_holds_no_escape_sequence() -> None:
    """T19."""
    assert visible("a\x1b[31m\u202e\udcff.md") == "a\\x1b[31m\\u202e\\udcff.md"
