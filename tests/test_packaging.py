"""The wheel holds what a vault is made from, and works without the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
RUN_FROM_WHEEL = """
import sys
sys.path.insert(0, sys.argv[1])
import clawvault
from clawvault.cli.main import cli
print(clawvault.__file__)
cli.main(["init", sys.argv[2], "--language", sys.argv[3], "--model", "none"])
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel with the build tool that is installed; nothing is fetched."""
    folder = tmp_path_factory.mktemp("dist")
    code = f"from hatchling.build import build_wheel; build_wheel({str(folder)!r})"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, timeout=300)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def test_the_wheel_holds_the_template_in_both_languages(unpacked: Path) -> None:
    for language in ("en", "zh"):
        inside = {path.name for path in (unpacked / "clawvault/vault_template" / language).iterdir()}
        checkout = {path.name for path in (ROOT / "vault_template" / language).iterdir()}
        assert inside == checkout
        assert inside >= {"MEMORY.md", "AGENTS.md", "config.toml"}


def test_the_wheel_is_typed_licensed_and_has_its_command(unpacked: Path) -> None:
    (metadata,) = unpacked.glob("*.dist-info")
    assert (unpacked / "clawvault/py.typed").exists()
    assert list(metadata.rglob("LICENSE"))
    assert "clawvault = clawvault.cli.main:main" in (metadata / "entry_points.txt").read_text()


def test_the_wheel_holds_no_tests_and_no_scripts(unpacked: Path) -> None:
    assert {path.name for path in unpacked.iterdir() if path.suffix != ".dist-info"} == {"clawvault"}


@pytest.mark.parametrize(("language", "word"), [("en", "Memory"), ("zh", "记忆")])
def test_init_works_from_the_files_of_the_wheel(unpacked: Path, tmp_path: Path, language: str, word: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", RUN_FROM_WHEEL, str(unpacked), str(tmp_path / "notes"), language],
        capture_output=True,
        encoding="utf-8",
        cwd=tmp_path,
        timeout=300,
        check=False,
        env={**os.environ, "PYTHONUTF8": "1"},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(unpacked))
    assert word in (tmp_path / "notes/MEMORY.md").read_text("utf-8")
