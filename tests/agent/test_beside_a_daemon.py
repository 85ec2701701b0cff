"""A server of tools and a daemon share one vault: the daemon answers searches, both see what is written (B117)."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from agent_types import Connect
from raw_client import LONGEST_S

from clawvault.agent import finding
from clawvault.agent.tool import Desk
from clawvault.agent.toolbox import Toolbox
from clawvault.api import Vault, open_vault
from clawvault.daemon import transport
from clawvault.errors import UsageError


@pytest.fixture
def daemon(root: Path) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "clawvault", "--vault", str(root), "watch"], stderr=subprocess.PIPE, encoding="utf-8"
    )
    watchdog = threading.Timer(LONGEST_S, process.kill)
    watchdog.start()
    assert process.stderr is not None
    assert [process.stderr.readline(), process.stderr.readline()][1] == "Ready.\n"
    yield process
    process.terminate()
    process.communicate(timeout=LONGEST_S)
    watchdog.cancel()


def test_what_a_tool_writes_is_found_at_once_beside_a_daemon(daemon: object, connect: Connect) -> None:
    client = connect()
    client.hello()
    saved = client.call("memory_remember", text="Ben keeps walruses")
    found = client.call("memory_search", query="walruses")
    assert [hit["path"] for hit in found["hits"]] == [saved["path"]]
    assert client.hang_up() == 0


def test_a_daemon_answers_and_its_refusal_is_the_same_error(
    daemon: object, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("this process was to ask the daemon")

    with open_vault(root) as vault:
        monkeypatch.setattr(Vault, "answer", fail)
        desk = Desk(lambda: vault, use_daemon=True)
        assert finding.find(desk, {"query": "port of the database"})["hits"][0]["path"] == "MEMORY.md"
        with pytest.raises(UsageError, match="after the last"):
            finding.find(desk, {"query": "x", "since": "2026-03-02", "until": "2026-03-01"})


def test_a_daemon_that_does_not_answer_is_passed_over_and_that_is_said(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B027: a tool says it as the command line does."""

    def silent(*_: object) -> None:
        raise transport.SilentDaemonError('The daemon of "notes" did not answer within 2 s.')

    monkeypatch.setattr(transport, "ask", silent)
    with open_vault(root) as vault:
        answer = Toolbox(Desk(lambda: vault, use_daemon=True)).call(
            "memory_search", {"query": "database", "mode": "fts"}
        )
    assert answer["hits"][0]["path"] == "MEMORY.md"
    assert answer["degraded"] == ['The daemon of "notes" did not answer within 2 s. This process answered instead.']


def test_five_servers_at_one_vault_answer_and_the_index_is_whole(connect: Connect, root: Path) -> None:
    clients = [connect() for _ in range(5)]
    for client in clients:
        client.hello()
    for number in range(60):
        (root / f"walrus{number}.md").write_text(f"# Walrus {number}\n\nwalrus number {number}\n", encoding="utf-8")
    keys = [
        client.begin("tools/call", {"name": "memory_search", "arguments": {"query": "walrus"}}) for client in clients
    ]
    answers = [client.next() for client in clients]
    assert [answer["id"] for answer in answers] == keys
    assert [answer["result"]["structuredContent"].get("error") for answer in answers] == [None] * 5
    with open_vault(root) as vault:
        assert vault.search("walrus number 59", limit=1, sync=True).hits[0].path == "walrus59.md"
        assert vault.status()["notes"] == 64
