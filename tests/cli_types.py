"""What tests of the command line share: the notes of their vault, and types of the fixtures that run commands."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

from click.testing import Result

Run = Callable[..., Result]
Start = Callable[..., subprocess.CompletedProcess[str]]

NOTES = {
    "databases.md": "# Databases\n\n## Ports\n\nProduction listens on port 5433.\n\nStaging listens on port 5434.\n",
    "memory/2026-03-09.md": "Agreed with Mira to move the backups.\n",
    "projects/README.md": "# Current projects\n\nOne note a project.\n",
    "projects/中文.md": "# 中文笔记\n\n数据库监听端口。\n",
}
