"""The installation scripts: what decides whether to install, and which PyTorch."""

from __future__ import annotations

import importlib.util
import json
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent
CPU = [("torch", "2.13.0"), ("sympy", "1.14.0")]
CUDA = [("torch", "2.13.0"), ("nvidia-cublas", "13.1"), ("cuda-bindings", "13.1")]


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Load scripts/environment.py with a checkout and a ``.venv`` of the test's own."""
    spec = importlib.util.spec_from_file_location("environment", ROOT / "scripts/environment.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in ("pyproject.toml", "constraints.txt"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    (tmp_path / ".venv").mkdir()
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(module, "STAMP", tmp_path / ".venv/stamp.json")
    return module


@pytest.fixture
def steps(environment: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect the steps that would be run, each as a line, instead of running them."""
    lines: list[str] = []
    monkeypatch.setattr(environment, "run", lambda command: lines.append(" ".join(command)))
    monkeypatch.setattr(environment, "runs", lambda python: True)
    monkeypatch.setattr(environment, "say", lambda text: None)
    monkeypatch.setattr(environment, "resolve", lambda requirement: CPU)
    monkeypatch.setattr(environment.sys, "platform", "linux")
    return lines


def test_a_cpu_build_is_installed_with_pip(environment: ModuleType, steps: list[str]) -> None:
    environment.install_torch()
    assert len(steps) == 1
    assert steps[0].endswith(" torch==2.13.0")
    assert " -m pip " in steps[0]


def test_a_cuda_build_without_a_card_is_replaced_by_the_cpu_build(
    environment: ModuleType, steps: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "resolve", lambda requirement: CUDA)
    monkeypatch.setattr(environment, "has_nvidia_gpu", lambda: False)
    environment.install_torch()
    assert steps[0].endswith(" install uv")
    assert steps[1].endswith(" torch==2.13.0 --torch-backend=cpu")
    assert len(steps) == 2


def test_a_cuda_build_with_a_card_is_installed_with_pip(
    environment: ModuleType, steps: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "resolve", lambda requirement: CUDA)
    monkeypatch.setattr(environment, "has_nvidia_gpu", lambda: True)
    environment.install_torch()
    assert len(steps) == 1
    assert " -m pip " in steps[0]


def test_a_torch_that_is_there_is_left_alone(
    environment: ModuleType, steps: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "resolve", lambda requirement: [])
    environment.install_torch()
    assert steps == []


def test_a_second_run_installs_nothing(environment: ModuleType, steps: list[str]) -> None:
    environment.prepare()
    n_steps = len(steps)
    environment.prepare()
    assert n_steps == 2
    assert len(steps) == n_steps


def test_the_tools_of_the_tests_serve_for_a_plain_start(environment: ModuleType, steps: list[str]) -> None:
    environment.prepare(dev=True)
    n_steps = len(steps)
    environment.prepare()
    assert len(steps) == n_steps


def test_a_plain_start_does_not_serve_for_the_tests(environment: ModuleType, steps: list[str]) -> None:
    environment.prepare()
    n_steps = len(steps)
    environment.prepare(dev=True)
    assert len(steps) > n_steps


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_a_changed_dependency_installs_again(
    environment: ModuleType, steps: list[str], tmp_path: Path, name: str
) -> None:
    environment.prepare()
    n_steps = len(steps)
    with (tmp_path / name).open("a") as file:
        file.write("# changed\n")
    environment.prepare()
    assert len(steps) > n_steps


def test_an_installation_that_failed_leaves_no_stamp(
    environment: ModuleType, steps: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(command: list[str]) -> None:
        raise environment.SetUpError("failed", "")

    environment.prepare()
    (environment.ROOT / "pyproject.toml").write_text("")
    monkeypatch.setattr(environment, "run", fail)
    with pytest.raises(environment.SetUpError):
        environment.prepare()
    assert environment.read_stamp(environment.STAMP) == {}


def test_a_broken_stamp_counts_as_none(environment: ModuleType) -> None:
    environment.STAMP.write_text(json.dumps([1]))
    assert environment.read_stamp(environment.STAMP) == {}


@pytest.mark.parametrize(
    ("packages", "expected"),
    [(CPU, False), (CUDA, True), ([("torch", "2.13.0+cu130")], True), ([("torch", "2.13.0+cpu")], False)],
)
def test_cuda_is_recognised_by_what_comes_with_it(
    environment: ModuleType, packages: list[tuple[str, str]], expected: bool
) -> None:
    assert environment.brings_cuda(packages) is expected


@pytest.mark.parametrize("name", ["scripts/start", "scripts/test", ".ci/run"])
def test_scripts_are_executable_and_parse(name: str) -> None:
    assert (ROOT / name).stat().st_mode & 0o111
    subprocess.run(["bash", "-n", str(ROOT / name)], check=True)


def test_the_pinned_torch_is_the_one_in_the_constraints(environment: ModuleType) -> None:
    assert environment.TORCH in (ROOT / "constraints.txt").read_text().splitlines()
