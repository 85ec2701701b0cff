"""In which precision passages are computed."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from clawvault.embed import precision, threads
from clawvault.embed.precision import has_fast_bfloat16, passage_precision, read_cpu_flags
from clawvault.embed.threads import limit_torch

TILES = frozenset({"fma", "avx2", "amx_tile", "amx_bf16"})


class Torch:
    """Stand in for the library and say what was asked of it."""

    bfloat16 = "bfloat16"

    def __init__(self, *, n_threads: int = 2, has_gpu: bool = False) -> None:
        self.cuda = SimpleNamespace(is_available=lambda: has_gpu)
        self.n_threads = n_threads

    def autocast(self, device: str, *, dtype: str) -> tuple[str, str]:
        return device, dtype

    def get_num_threads(self) -> int:
        return self.n_threads

    def set_num_threads(self, count: int) -> None:
        self.n_threads = count


@pytest.mark.parametrize(
    ("flags", "fast"),
    [
        ({"fma", "avx2"}, False),
        ({"avx512f", "avx512_bf16"}, False),
        ({"amx_tile", "amx_int8"}, False),
        (set(TILES), True),
    ],
)
def test_bfloat16_is_for_processors_that_multiply_tiles_of_it(flags: set[str], fast: bool) -> None:
    assert has_fast_bfloat16(flags) is fast


@pytest.mark.parametrize(
    ("flags", "has_gpu", "expected"),
    [(TILES, False, "('cpu', 'bfloat16')"), (frozenset(), False, "nullcontext"), (TILES, True, "nullcontext")],
)
def test_passages_are_computed_in_what_the_processor_is_made_for(
    flags: frozenset[str], has_gpu: bool, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", Torch(has_gpu=has_gpu))  # type: ignore[arg-type]
    monkeypatch.setattr(precision, "read_cpu_flags", lambda: flags)
    assert expected in str(passage_precision())


def test_a_library_that_is_not_loaded_is_not_loaded_for_this(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    assert "nullcontext" in str(passage_precision())
    limit_torch()
    assert "torch" not in sys.modules


def test_the_features_of_the_processor_are_words() -> None:
    assert all(flag and " " not in flag for flag in read_cpu_flags())


@pytest.mark.parametrize(("before", "cores", "after"), [(64, 2, 2), (2, 8, 2)])
def test_the_library_has_no_more_threads_than_there_are_cores(
    before: int, cores: int, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch = Torch(n_threads=before)
    monkeypatch.setitem(sys.modules, "torch", torch)  # type: ignore[arg-type]
    monkeypatch.setattr(threads, "usable_cores", lambda: cores)
    limit_torch()
    assert torch.n_threads == after
