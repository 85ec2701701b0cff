"""``lint``."""

from __future__ import annotations

import json
from pathlib import Path

from cli_types import Run


def test_findings_have_lines_and_what_to_do(run: Run, vault: Path) -> None:
    (vault / "MEMORY.md").write_text("# Memory\n\n- Old: [[topics/gone]]\n")
    result = run("lint")
    assert result.exit_code == 1
    assert result.stdout == (
        'MEMORY.md:3: mend: There is no note "topics/gone". [dead-pointer]\n'
        "    Point to where that note is now, or remove the line.\n"
    )
    assert result.stderr == "MEMORY.md: 33 bytes, 1 finding.\n"


def test_advice_alone_is_no_failure(run: Run, vault: Path) -> None:
    (vault / "MEMORY.md").write_text("- Always answer in English.\n")
    result = run("lint", "--json")
    assert result.exit_code == 0
    said = json.loads(result.stdout)
    assert (said["n_mend"], said["n_bytes"], said["soft_cap_bytes"], said["hard_cap_bytes"]) == (0, 28, 8192, 10000)
    assert [item["code"] for item in said["findings"]] == ["order"]


def test_nothing_to_say_is_said(run: Run, vault: Path) -> None:
    (vault / "MEMORY.md").write_text("- Anna leads billing.\n")
    assert (run("lint").exit_code, run("lint").stderr) == (0, "MEMORY.md: 22 bytes, no findings.\n")
