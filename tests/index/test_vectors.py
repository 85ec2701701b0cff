"""One contract for every way of comparing vectors (I23, MN-66)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from bench_vault import BenchVault
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clawvault.embed.protocol import FloatArray
from clawvault.errors import IndexFaultError
from clawvault.index.generations import find_generation
from clawvault.index.records import Filters, Generation
from clawvault.index.store import Store
from clawvault.index.vectors import opening
from clawvault.index.vectors.backends import NumpyBackend, SqliteVecBackend, VectorBackend
from clawvault.index.vectors.mirrored import MirroredBackend
from clawvault.index.vectors.opening import choose_backend, make_backend


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    bench = BenchVault(tmp_path_factory.mktemp("vectors"))
    for i in range(60):
        folder = "even" if i % 2 == 0 else "odd"
        bench.write(f"{folder}/2026-01-{i % 28 + 1:02}-n{i}.md", f"word{i} word{i % 7} word{i % 3} common\n")
    bench.write("topic.md", "word1 common evergreen\n")
    bench.sync()
    bench.vault.close()
    opened = bench.store()
    choose_backend(opened, "sqlite-vec")
    yield opened
    opened.close()


def in_memory(most_bytes: int) -> VectorBackend:
    return MirroredBackend(NumpyBackend(), most_bytes=most_bytes, eager=True)


@pytest.fixture(params=[SqliteVecBackend, NumpyBackend, lambda: in_memory(10**9), lambda: in_memory(0)])
def backend(request: pytest.FixtureRequest) -> VectorBackend:
    """Compare in SQLite, in NumPy, in memory, and in memory by signs first."""
    made: VectorBackend = request.param()
    return made


def active(store: Store) -> Generation:
    generation = find_generation(store, "active")
    assert generation is not None
    return generation


def unit(values: list[float]) -> FloatArray:
    vector = np.array(values, dtype=np.float32)
    return vector / np.linalg.norm(vector)


def stored(store: Store, chunk: int) -> FloatArray:
    blob = store.connection.execute(
        "SELECT v.vector FROM chunks c JOIN vectors v ON v.text_hash = c.text_hash WHERE c.id = ?", (chunk,)
    ).get
    return np.frombuffer(blob, dtype="<f4")


def test_a_stored_vector_is_nearest_to_itself(store: Store, backend: VectorBackend) -> None:
    found = backend.nearest(store, active(store), stored(store, 5), 3, Filters())
    assert found[0][0] == 5
    assert found[0][1] == pytest.approx(1.0, abs=1e-5)


def test_cosines_come_highest_first(store: Store, backend: VectorBackend) -> None:
    cosines = [cosine for _, cosine in backend.nearest(store, active(store), stored(store, 5), 20, Filters())]
    assert cosines == sorted(cosines, reverse=True)


def test_no_more_than_the_limit_are_returned(store: Store, backend: VectorBackend) -> None:
    assert len(backend.nearest(store, active(store), stored(store, 5), 7, Filters())) == 7


def test_a_limit_above_the_number_of_chunks_returns_all(store: Store, backend: VectorBackend) -> None:
    assert len(backend.nearest(store, active(store), stored(store, 5), 1000, Filters())) == 61


@pytest.mark.parametrize(
    ("filters", "n"),
    [
        (Filters(path="even"), 30),
        (Filters(path="odd/*n1.md"), 1),
        (Filters(since="2026-01-10", until="2026-01-10"), 2),
        (Filters(evergreen=True), 1),
        (Filters(tag="nothing"), 0),
        (Filters(without=("even/*",)), 31),
        (Filters(without=("even/*", "odd/*")), 1),
        (Filters(without=("even/*",), path="odd"), 30),
    ],
)
def test_filters_narrow_what_is_compared(store: Store, backend: VectorBackend, filters: Filters, n: int) -> None:
    assert len(backend.nearest(store, active(store), stored(store, 5), 1000, filters)) == n


@given(values=st.lists(st.floats(-1, 1, width=32), min_size=64, max_size=64).filter(lambda v: np.linalg.norm(v) > 0.1))
@settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
def test_both_ways_give_the_same_top_ten(store: Store, values: list[float]) -> None:
    """I23: the same cosines in the same order; chunks may swap only where they tie."""
    query = unit(values)
    first = SqliteVecBackend().nearest(store, active(store), query, 10, Filters())
    second = in_memory(10**9).nearest(store, active(store), query, 10, Filters())
    assert [cosine for _, cosine in first] == pytest.approx([cosine for _, cosine in second], abs=1e-5)
    last = second[-1][1]
    assert {c for c, cosine in first if cosine > last + 1e-5} == {c for c, cosine in second if cosine > last + 1e-5}


def test_numpy_sees_what_was_written_since(tmp_path: Path) -> None:
    """B091: deleted notes use up no place."""
    bench = BenchVault(tmp_path)
    for i in range(20):
        bench.write(f"{i}.md", f"fox number {i}\n")
    bench.sync()
    reader = bench.store()
    backend = NumpyBackend()
    query = bench.embedder.embed_query("fox")
    assert len(backend.nearest(reader, active(reader), query, 100, Filters())) == 20
    for i in range(8):
        (bench.root / f"{i}.md").unlink()
    bench.sync()
    assert len(backend.nearest(reader, active(reader), query, 100, Filters())) == 12
    reader.close()
    bench.vault.close()


def test_numpy_takes_over_where_the_extension_cannot_load(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """OC-17."""
    monkeypatch.setattr(opening, "load_vector_extension", lambda connection: "sqlite-vec cannot load: no such file")
    problem = "sqlite-vec cannot load: no such file; NumPy compares vectors instead"
    assert choose_backend(store, "auto") == ("numpy", problem)


def test_insisting_on_an_extension_that_cannot_load_is_an_error(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "load_vector_extension", lambda connection: "sqlite-vec cannot load")
    with pytest.raises(IndexFaultError, match="cannot load"):
        choose_backend(store, "sqlite-vec")


def test_vectors_can_be_off(store: Store) -> None:
    assert choose_backend(store, "off") == ("off", "")
    assert make_backend("off", "off") is None
