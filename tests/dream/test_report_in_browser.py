"""The report in a real browser: what a note holds is text there, and its policy holds."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from dreaming import Dreaming

from clawvault.dream.report.gathering import gather_report, write_report

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
BROWSER = next((found for name in NAMES if (found := shutil.which(name))), "")
# Without these a browser asks for things of its own, which this test is not about.
QUIET = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--enable-logging=stderr"),
)
NOTE = "memory/2026-03-02.md"
FACT = "The staging database of the billing team listens on port 5433."
HOSTILE = "</bdi></svg><script>document.title='taken'</script><img src=x onerror=document.title='taken'>"


@pytest.mark.skipif(not BROWSER, reason="there is no Chromium on this machine")
@pytest.mark.parametrize("width", [360, 1000])
def test_a_browser_shows_the_page_and_runs_nothing_of_a_note(tmp_path: Path, width: int) -> None:
    dreaming = Dreaming(tmp_path / "notes", tmp_path / "state")
    dreaming.put(NOTE, f"- {FACT}\n")
    dreaming.put("memory/2025-10-01.md", f"- Every quarter {HOSTILE} the keys are renewed.\n")
    dreaming.make_memorable(NOTE, FACT)
    dreaming.dreamer().apply()
    page = tmp_path / "report.html"
    write_report(page, gather_report(dreaming.dreamer()))
    shown = subprocess.run(
        [
            *(BROWSER, *QUIET, f"--user-data-dir={tmp_path / 'profile'}", f"--window-size={width},1200"),
            *("--dump-dom", page.as_uri()),
        ],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=True,
    )
    assert "<title>notes: what stays and what fades</title>" in shown.stdout
    assert "<img" not in shown.stdout
    assert "<script" not in shown.stdout
    assert shown.stdout.count("<svg") == 4
    # A style whose hash is not that of the policy would be refused here as well.
    assert "Content Security Policy" not in shown.stderr
