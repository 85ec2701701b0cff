"""Types of the fixtures that run commands."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

from click.testing import Result

Run = Callable[..., Result]
Start = Callable[..., subprocess.CompletedProcess[str]]
