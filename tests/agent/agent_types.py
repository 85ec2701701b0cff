"""Names of the fixtures of this folder."""

from __future__ import annotations

from collections.abc import Callable

from raw_client import RawClient

Connect = Callable[..., RawClient]
