"""Where the state of vaults belongs, and the sum in the name of a vault's folder."""

from __future__ import annotations

import hashlib
import sys
from dataclasses import replace
from pathlib import Path

import platformdirs
import pytest

from clawvault.config import Config
from clawvault.vault.state_place import sha256_of_bytes, state_base


@pytest.mark.parametrize("home", ["/home/mira", "/home/mira/", "/", "//odd//place", "", "a/relative/one"])
def test_the_usual_place_is_the_one_that_platformdirs_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: str
) -> None:
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setenv("HOME", home)
    assert state_base(tmp_path, Config(), {"HOME": home}) == Path(platformdirs.user_state_dir("clawvault", False))


def test_the_place_of_the_environment_comes_before_the_usual_one(tmp_path: Path) -> None:
    environment = {"HOME": "/home/mira", "XDG_STATE_HOME": str(tmp_path)}
    assert state_base(tmp_path, Config(), environment) == tmp_path / "clawvault"


def test_an_absolute_place_is_found_from_a_working_folder_that_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F12."""
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    config = replace(Config(), state_dir=str(tmp_path / "state"))
    assert state_base(tmp_path / "notes", config, {}) == tmp_path / "state"


@pytest.mark.parametrize("data", [b"", b"/home/mira/notes", bytes(range(256))])
def test_the_sum_is_the_one_of_hashlib(data: bytes) -> None:
    assert sha256_of_bytes(data) == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("name", ["_sha2", "_sha256"])
def test_a_python_that_was_built_without_the_module_behind_hashlib_has_the_same_sum(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    assert sha256_of_bytes(b"notes") == "ab5aa97074c454a0632057e704220d9a6678fbf773a0a5806fc09b8173b07309"
