"""What every room shares: fixtures, how properties are tried, and which tests one worker must run together."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
from bench_vault import BenchVault
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

# The same examples in every run, so that a change is judged by what it changes; a slow machine is no fault of them.
# New examples are looked for with: pytest --hypothesis-profile=search
ALWAYS = {"deadline": None, "suppress_health_check": [hypothesis.HealthCheck.too_slow]}
hypothesis.settings.register_profile("same", derandomize=True, **ALWAYS)  # type: ignore[arg-type]
hypothesis.settings.register_profile("search", **ALWAYS)  # type: ignore[arg-type]
hypothesis.settings.load_profile("same")

# Each of these makes something costly once for all of its tests.
TOGETHER = frozenset(
    {
        "tests/test_readme.py",
        "tests/test_packaging.py",
        "tests/test_real_search.py",
        "tests/embed/test_real_models.py",
    }
)


class TogetherScheduling(LoadScopeScheduling):
    """Give every test to the next free worker, yet the tests of some modules to one.

    pytest-xdist's own groups are lost on the way: they are added to an id that pytest no longer reads back.
    """

    def _split_scope(self, nodeid: str) -> str:
        module = nodeid.partition("::")[0]
        return module if module in TOGETHER else nodeid


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> TogetherScheduling | None:
    """Take our scheduler where tests are grouped."""
    return TogetherScheduling(config, log) if config.getoption("dist") == "loadgroup" else None


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[BenchVault]:
    """Give an empty vault with a deterministic embedder."""
    made = BenchVault(tmp_path)
    yield made
    made.vault.close()
