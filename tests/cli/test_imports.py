"""What each command may import: a search that asks a daemon must not pay for the library."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"apsw", "numpy", "torch", "rich", "yaml", "httpx", "markdown_it", "watchdog", "tokenizers", "filelock"}
REPORT = """
import json, sys
from clawvault.cli.main import cli
code = cli.main({arguments!r}, standalone_mode=False)
print(json.dumps([code, sorted(sys.modules)]), file=sys.stderr)
"""
# Besides click, platformdirs and the standard library.
SEARCH_MAY_IMPORT = {
    "clawvault",
    "clawvault.config",
    "clawvault.daemon",
    "clawvault.daemon.transport",
    "clawvault.errors",
    "clawvault.vault",
    "clawvault.vault.locating",
    "clawvault.vault.paths",
}


def modules_after(*arguments: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", REPORT.format(arguments=list(arguments))],
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=240,
    )
    code, modules = json.loads(done.stderr.splitlines()[-1])
    assert code == 0, done.stderr
    return set(modules)


@pytest.mark.parametrize("arguments", [("--version",), ("--help",), ("search", "--help"), ("eval", "--help")])
def test_version_and_help_import_nothing_heavy(vault: Path, arguments: tuple[str, ...]) -> None:
    modules = modules_after(*arguments)
    assert modules & {*HEAVY, "clawvault.api", "clawvault.opened", "clawvault.config"} == set()


def test_a_search_that_asks_a_daemon_imports_nothing_heavy(daemon: object) -> None:
    modules = modules_after("search", "port", "--explain", "--full")
    ours = {name for name in modules if name.partition(".")[0] == "clawvault" and "clawvault.cli" not in name}
    others = {name.partition(".")[0] for name in modules} - sys.stdlib_module_names - {"__main__", "clawvault"}
    assert ours == SEARCH_MAY_IMPORT
    assert {name for name in others if not name.startswith("_")} <= {"click", "platformdirs"}


def test_a_status_that_asks_a_daemon_imports_nothing_heavy(daemon: object) -> None:
    assert modules_after("status", "--json") & HEAVY == set()
