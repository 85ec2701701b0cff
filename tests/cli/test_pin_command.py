"""``pin`` and ``unpin``."""

from __future__ import annotations

import json
from pathlib import Path

from cli_types import Run

DAY = "memory/2025-01-15.md"


def test_a_note_and_a_line_are_pinned_and_let_go(run: Run, vault: Path) -> None:
    (vault / DAY).write_text("# Deploy\n\n- every quarter\n")
    assert run("pin", f"{DAY}:3").output == f"Changed {DAY}, line 3.\n"
    assert run("pin", DAY, "--importance", "9").exit_code == 0
    assert (vault / DAY).read_text() == "---\nimportance: 9\n---\n# Deploy\n\n- every quarter <!-- pin -->\n"
    assert run("unpin", DAY).exit_code == 0
    assert json.loads(run("unpin", f"{DAY}:3", "--json").stdout)["operation"] == "unpin"
    assert (vault / DAY).read_text() == "# Deploy\n\n- every quarter\n"


def test_what_cannot_be_pinned_has_its_exit_code(run: Run, vault: Path) -> None:
    assert run("pin", "memory/2024-01-01.md").exit_code == 3
    assert run("pin", "SOUL.md").exit_code == 2
    assert run("pin", "databases.md", "--importance", "11").exit_code == 2
    assert run("pin", "databases.md:99").exit_code == 2
