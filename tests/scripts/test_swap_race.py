"""The race of links finds a canary wherever it hides, and leaves what it swaps as it was."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from clawvault.index.packing import pack_text


def put_in_database(path: Path, sql: str, value: object) -> None:
    connection = apsw.Connection(str(path))
    connection.execute(sql)
    connection.execute("INSERT INTO t VALUES (?)", (value,))
    connection.close()


def test_a_canary_is_found_in_files_names_and_databases(tmp_path: Path) -> None:
    from swap_race import Canary, scan

    canary = Canary(tmp_path / "outside")
    state = tmp_path / "state"
    state.mkdir()
    text = f"The harbour master says {canary.words[0]}."
    (state / "daemon.log").write_text(text.upper())
    (state / f"{canary.words[1]}.tmp").write_text("")
    put_in_database(state / "plain.sqlite3", "CREATE TABLE t (x)", text)
    put_in_database(state / "packed.sqlite3", "CREATE TABLE t (x)", pack_text(text))
    put_in_database(state / "words.sqlite3", "CREATE VIRTUAL TABLE t USING fts5(x, content='')", text)
    (state / "innocent.txt").write_text("The harbour plan.")
    found: dict[str, int] = {}
    for path, count in scan(state, canary):
        name = path.removeprefix("state/")
        found[name] = found.get(name, 0) + count
    assert {name for name, count in found.items() if not count} == {"innocent.txt"}


def test_a_swap_puts_a_link_in_place_and_takes_it_away(tmp_path: Path) -> None:
    from swap_race import Swap

    (tmp_path / "outside").mkdir()
    (tmp_path / "place").mkdir()
    swap = Swap(tmp_path / "place", tmp_path / "spare", tmp_path / "outside")
    swap.swap()
    assert ((tmp_path / "place").is_symlink(), (tmp_path / "spare").is_symlink()) == (True, False)
    swap.settle(is_link=True)
    swap.settle(is_link=False)
    assert ((tmp_path / "place").is_symlink(), (tmp_path / "spare").is_symlink()) == (False, True)


def test_where_names_cannot_be_exchanged_a_swap_takes_three_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import swap_race

    monkeypatch.setattr(swap_race, "exchange", lambda _one, _other: False)
    test_a_swap_puts_a_link_in_place_and_takes_it_away(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["outside", "place", "spare"]
