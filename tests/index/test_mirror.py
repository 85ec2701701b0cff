"""Vectors in memory follow what others write: the same answers as a fresh look, for the cost of the change."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from bench_vault import BenchVault
from fakes import HashEmbedder
from hypothesis import given, settings
from hypothesis import strategies as st

from clawvault.index.generations import find_generation
from clawvault.index.records import Filters, Generation
from clawvault.index.store import Store
from clawvault.index.vectors import mirror as mirrors
from clawvault.index.vectors.backends import NumpyBackend
from clawvault.index.vectors.mirrored import MirroredBackend
from clawvault.index.vectors.rows import Batch, Rows, best_places, nearest_exact, nearest_signs

WORDS = ("heron", "river", "stone", "lamp", "cedar", "violin")


@pytest.fixture
def reader(bench: BenchVault) -> Iterator[Store]:
    for i in range(30):
        bench.write(f"n{i}.md", f"{WORDS[i % 6]} number{i}\n")
    bench.sync()
    store = bench.store()
    yield store
    store.close()


def active(store: Store) -> Generation:
    generation = find_generation(store, "active")
    assert generation is not None
    return generation


def in_memory(most_bytes: int = 10**9) -> MirroredBackend:
    return MirroredBackend(NumpyBackend(), most_bytes=most_bytes, eager=True)


def ask(backend: MirroredBackend | NumpyBackend, store: Store, bench: BenchVault, limit: int = 10) -> list[int]:
    query = bench.embedder.embed_query("heron river")
    return [chunk for chunk, _ in backend.nearest(store, active(store), query, limit, Filters())]


def n_read(backend: MirroredBackend) -> int:
    assert backend.mirror is not None
    return backend.mirror.n_read


def test_the_first_question_of_a_process_reads_nothing_into_memory(bench: BenchVault, reader: Store) -> None:
    backend = MirroredBackend(NumpyBackend())
    assert ask(backend, reader, bench) == ask(NumpyBackend(), reader, bench)
    assert backend.mirror is None


def test_the_second_question_says_that_more_will_come(bench: BenchVault, reader: Store) -> None:
    backend = MirroredBackend(NumpyBackend())
    answers = [ask(backend, reader, bench) for _ in range(2)]
    assert answers[0] == answers[1]
    assert n_read(backend) == 30


def test_many_vectors_are_read_while_questions_are_answered(bench: BenchVault, reader: Store) -> None:
    backend = MirroredBackend(NumpyBackend(), loaded_at_once=0, eager=True)
    before = ask(backend, reader, bench)
    assert backend.wait_until_loaded(30)
    assert n_read(backend) == 30
    assert ask(backend, reader, bench) == before
    backend.close()


def test_closing_ends_what_is_being_read(bench: BenchVault, reader: Store) -> None:
    backend = MirroredBackend(NumpyBackend(), loaded_at_once=0, eager=True)
    ask(backend, reader, bench)
    backend.close()
    assert backend.mirror is None
    assert ask(backend, reader, bench) == ask(NumpyBackend(), reader, bench)


def test_an_edit_costs_its_own_rows(bench: BenchVault, reader: Store) -> None:
    backend = in_memory()
    ask(backend, reader, bench)
    bench.write("n3.md", "heron river again\n")
    bench.sync()
    assert ask(backend, reader, bench) == ask(NumpyBackend(), reader, bench)
    assert n_read(backend) == 31


def test_a_question_without_a_change_reads_nothing(bench: BenchVault, reader: Store) -> None:
    backend = in_memory()
    for _ in range(3):
        ask(backend, reader, bench)
    assert n_read(backend) == 30


def test_vectors_that_come_after_their_chunks_are_taken_in(bench: BenchVault, reader: Store) -> None:
    backend = in_memory()
    ask(backend, reader, bench)
    bench.write("late.md", "heron river late\n")
    bench.session().indexer.sweep()
    generation = active(reader)
    assert backend.count_pending(reader, generation) == 1
    assert len(ask(backend, reader, bench, 100)) == 30
    bench.session().queue.embed_some()
    assert backend.count_pending(reader, generation) == 0
    assert ask(backend, reader, bench, 100) == ask(NumpyBackend(), reader, bench, 100)
    assert n_read(backend) == 31


def test_a_chunk_whose_vector_was_there_already_comes_once(bench: BenchVault, reader: Store) -> None:
    backend = in_memory()
    ask(backend, reader, bench)
    bench.write("copy.md", "heron number0\n")
    bench.sync()
    found = ask(backend, reader, bench, 100)
    assert (len(found), len(set(found))) == (31, 31)


def test_notes_that_are_gone_use_up_no_place(bench: BenchVault, reader: Store) -> None:
    """B091."""
    backend = in_memory()
    ask(backend, reader, bench)
    for i in range(0, 30, 2):
        (bench.root / f"n{i}.md").unlink()
    bench.sync(accept_deletions=True)
    assert ask(backend, reader, bench, 10) == ask(NumpyBackend(), reader, bench, 10)
    assert len(ask(backend, reader, bench, 100)) == 15


def look_ups(backend: MirroredBackend, store: Store, bench: BenchVault, n: int) -> int:
    """Ask so often, and return how many answers were looked up in the index."""
    statements: list[str] = []

    def note(cursor: object, sql: str, bindings: object) -> bool:
        statements.append(sql)
        return True

    store.connection.exec_trace = note
    for _ in range(n):
        ask(backend, store, bench)
    store.connection.exec_trace = None
    return statements.count(mirrors._LIVING)


def test_no_answer_is_looked_up_while_nothing_was_written_since_all_were_read(bench: BenchVault, reader: Store) -> None:
    backend = in_memory()
    assert look_ups(backend, reader, bench, 5) == 0


def test_answers_are_looked_up_after_a_change_until_all_rows_are_known_to_be_there(
    bench: BenchVault, reader: Store
) -> None:
    backend = in_memory()
    ask(backend, reader, bench)
    bench.write("n3.md", "heron river again\n")
    bench.sync()
    assert look_ups(backend, reader, bench, 100) == mirrors.FEW_ANSWERS
    assert ask(backend, reader, bench) == ask(NumpyBackend(), reader, bench)


def test_a_note_that_goes_while_no_answer_is_looked_up_is_in_no_answer(bench: BenchVault, reader: Store) -> None:
    """B091: with or without a chunk that waits for its vector, and again after all rows were looked through."""
    backend = in_memory()
    ask(backend, reader, bench)
    for name in ("n0.md", "n6.md", "n12.md"):
        (bench.root / name).unlink()
        bench.write("waits.md", f"not embedded yet, {name}\n")
        bench.session().indexer.sweep(accept_deletions=True)
        for _ in range(mirrors.FEW_ANSWERS + 2):
            assert ask(backend, reader, bench, 100) == ask(NumpyBackend(), reader, bench, 100)
        assert look_ups(backend, reader, bench, 3) == 0


def test_rows_read_through_another_connection_are_looked_up_at_first(bench: BenchVault, reader: Store) -> None:
    """What was deleted between the reading and the first question must not be an answer."""
    backend = MirroredBackend(NumpyBackend(), loaded_at_once=0, eager=True)
    ask(backend, reader, bench)
    assert backend.wait_until_loaded(30)
    (bench.root / "n0.md").unlink()
    bench.sync(accept_deletions=True)
    assert ask(backend, reader, bench, 100) == ask(NumpyBackend(), reader, bench, 100)
    assert look_ups(backend, reader, bench, 5) == 5
    backend.close()


def test_a_note_deleted_while_vectors_are_compared_is_in_no_answer(
    bench: BenchVault, reader: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = in_memory()
    before = ask(backend, reader, bench, 100)

    def delete_meanwhile(*args: Any) -> Any:
        found = nearest_exact(*args)
        (bench.root / "n0.md").unlink(missing_ok=True)
        bench.sync(accept_deletions=True)
        return found

    monkeypatch.setattr(mirrors, "nearest_exact", delete_meanwhile)
    after = ask(backend, reader, bench, 100)
    assert len(before) - len(after) == 1
    assert after == ask(NumpyBackend(), reader, bench, 100)


def test_many_edits_of_one_note_do_not_pile_up(bench: BenchVault, reader: Store) -> None:
    backend = in_memory()
    ask(backend, reader, bench)
    for i in range(40):
        bench.write("n0.md", f"heron edit{i}\n")
        bench.sync()
        ask(backend, reader, bench)
    assert backend.mirror is not None
    assert backend.mirror.n_rows <= 37


def test_another_generation_is_read_anew(bench: BenchVault, reader: Store) -> None:
    backend = in_memory()
    ask(backend, reader, bench)
    bench.sync(rebuild=True)
    assert ask(backend, reader, bench) == ask(NumpyBackend(), reader, bench)
    assert n_read(backend) == 30


def test_a_failure_while_following_begins_anew(
    bench: BenchVault, reader: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row that was taken in before a fault must not be taken in twice."""
    backend = in_memory()
    ask(backend, reader, bench)
    bench.write("n3.md", "heron river again\n")
    bench.sync()
    with monkeypatch.context() as patched:
        patched.setattr(mirrors, "_LATE", "SELECT broken")
        with pytest.raises(Exception, match="broken"):
            ask(backend, reader, bench)
    assert ask(backend, reader, bench, 100) == ask(NumpyBackend(), reader, bench, 100)


Step = tuple[str, int, int]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["write", "write", "delete", "sweep", "embed", "rebuild", "ask", "rest"]),
        st.integers(0, 7),
        st.integers(0, 5),
    ),
    min_size=3,
    max_size=25,
)


def write(bench: BenchVault, number: int, word: int) -> None:
    bench.write(f"n{number}.md", f"{WORDS[word]} river {WORDS[(word + number) % 6]}\n")


def delete(bench: BenchVault, number: int, _: int) -> None:
    (bench.root / f"n{number}.md").unlink(missing_ok=True)


ACTS: dict[str, Callable[[BenchVault, int, int], object]] = {
    "write": write,
    "delete": delete,
    "sweep": lambda bench, *_: bench.session().indexer.sweep(accept_deletions=True),
    "embed": lambda bench, *_: bench.session().queue.embed_some(),
    "rebuild": lambda bench, *_: bench.session().queue.begin_rebuild(),
    "ask": lambda *_: None,
    "rest": lambda *_: None,
}


@given(steps=STEPS, most_bytes=st.sampled_from([0, 10**9]))
@settings(deadline=None, max_examples=60)
def test_memory_answers_like_a_fresh_look_after_any_changes(
    tmp_path_factory: pytest.TempPathFactory, steps: list[Step], most_bytes: int
) -> None:
    """I23: whatever is written by another connection, in whatever order."""
    bench = BenchVault(tmp_path_factory.mktemp("mirror"), HashEmbedder(dims=16))
    write(bench, 0, 0)
    bench.sync()
    reader, backend = bench.store(), in_memory(most_bytes)
    for act, number, word in steps:
        ACTS[act](bench, number, word)
        bench.session().queue.finish_generation()
        query = bench.embedder.embed_query("heron river")
        for limit in (3, 100) * (mirrors.FEW_ANSWERS if act == "rest" else 1):
            found = backend.nearest(reader, active(reader), query, limit, Filters())
            expected = NumpyBackend().nearest(reader, active(reader), query, limit, Filters())
            # Equal vectors may differ in the last bit by where they lie, so places may swap where cosines tie.
            assert [cosine for _, cosine in found] == pytest.approx([cosine for _, cosine in expected], abs=1e-5)
        assert {chunk for chunk, _ in found} == {chunk for chunk, _ in expected}
    reader.close()
    bench.vault.close()


def test_memory_follows_a_writer_that_never_rests(bench: BenchVault, reader: Store) -> None:
    backend, failures = in_memory(), []
    done = threading.Event()

    def edit() -> None:
        for i in range(40):
            bench.write(f"n{i % 30}.md", f"{WORDS[i % 6]} edit{i}\n")
            bench.sync()
        done.set()

    writer = threading.Thread(target=edit)
    writer.start()
    while not done.is_set():
        found = ask(backend, reader, bench, 100)
        failures += [found] if len(found) != len(set(found)) else []
    writer.join()
    assert failures == []
    assert ask(backend, reader, bench, 100) == ask(NumpyBackend(), reader, bench, 100)


def random_rows(n: int, dims: int, most_bytes: int) -> tuple[Rows, np.ndarray]:
    chance = np.random.default_rng(4)
    vectors = chance.standard_normal((n, dims)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    rows = Rows(dims, most_bytes=most_bytes)
    ids = np.arange(1, n + 1, dtype=np.int64)
    for first in range(0, n, 100):
        part = slice(first, first + 100)
        rows.append(Batch(ids[part], ids[part] // 10, ids[part], ids[part] < 0, vectors[part]))
    return rows, vectors


@pytest.mark.parametrize("dims", [16, 64, 100, 384])
def test_rows_find_the_nearest_exactly(dims: int) -> None:
    rows, vectors = random_rows(1000, dims, 10**9)
    view = rows.view()
    assert view.matrix is not None
    ids, cosines = nearest_exact(view, view.matrix, vectors[41], 5, None)
    expected = np.argsort(-(vectors @ vectors[41]), kind="stable")[:5] + 1
    assert ids.tolist() == expected.tolist()
    assert cosines[0] == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("dims", [16, 64, 100, 384])
def test_signs_take_a_thirty_second_and_find_the_same_vector(dims: int) -> None:
    rows, vectors = random_rows(1000, dims, 0)
    view = rows.view()
    assert view.signs is not None
    assert view.signs.shape == (-(-dims // 64), 1000)
    assert 41 in nearest_signs(view, view.signs, vectors[41], 5, None).tolist()


def test_rows_turn_to_signs_where_vectors_would_take_too_much() -> None:
    rows, vectors = random_rows(1000, 64, 500 * 64 * 4)
    view = rows.view()
    assert view.matrix is None
    assert view.signs is not None
    assert all(i in nearest_signs(view, view.signs, vectors[i], 5, None) for i in (0, 499, 500, 999))


def test_buried_rows_are_not_found_and_their_room_is_given_back() -> None:
    rows, vectors = random_rows(1000, 64, 10**9)
    rows.bury(np.array([42, 43], dtype=np.int64))
    view = rows.view()
    assert view.matrix is not None
    assert 42 not in nearest_exact(view, view.matrix, vectors[41], 1000, None)[0]
    rows.compact()
    after = rows.view()
    assert after.matrix is not None
    assert (rows.n, rows.n_dead, len(after.ids)) == (998, 0, 998)
    assert nearest_exact(after, after.matrix, vectors[60], 1, None)[0].tolist() == [61]


def test_a_view_goes_on_with_what_it_has() -> None:
    rows, vectors = random_rows(200, 16, 10**9)
    view = rows.view()
    more = np.arange(201, 1201, dtype=np.int64)
    rows.append(Batch(more, more, more, more < 0, np.tile(vectors[0], (1000, 1))))
    rows.compact()
    assert view.matrix is not None
    assert nearest_exact(view, view.matrix, vectors[0], 2000, None)[0].max() == 200


def test_a_mask_leaves_only_what_it_allows_in_both_ways_of_looking() -> None:
    for most_bytes in (10**9, 0):
        rows, vectors = random_rows(1000, 64, most_bytes)
        view = rows.view()
        for mask in (view.ids % 2 == 0, view.ids % 50 == 0):
            found = (
                nearest_exact(view, view.matrix, vectors[41], 20, mask)[0]
                if view.matrix is not None
                else view.ids[nearest_signs(view, view.signs, vectors[41], 20, mask)]  # type: ignore[arg-type]
            )
            assert len(found) >= 20
            assert set(found.tolist()) <= set(view.ids[mask].tolist())


def test_signs_that_differ_least_are_found_however_many_rows_there_are() -> None:
    """More rows than one block, and a limit that many rows share."""
    chance = np.random.default_rng(5)
    vectors = chance.standard_normal((70_000, 8)).astype(np.float32)
    rows = Rows(8, most_bytes=0)
    ids = np.arange(70_000, dtype=np.int64)
    rows.append(Batch(ids, ids, ids, ids < 0, vectors))
    view = rows.view()
    assert view.signs is not None
    differ = ((vectors > 0) != (vectors[7] > 0)).sum(axis=1)
    found = nearest_signs(view, view.signs, vectors[7], 1000, None)
    assert (len(found), len(set(found.tolist()))) == (1000, 1000)
    assert sorted(differ[found].tolist()) == sorted(differ.tolist())[:1000]


def test_equal_cosines_are_ordered_by_id() -> None:
    ids = np.array([9, 3, 7, 5], dtype=np.int64)
    cosines = np.array([0.5, 0.5, 0.9, 0.5], dtype=np.float32)
    assert ids[best_places(ids, cosines, 3)].tolist() == [7, 3, 5]
