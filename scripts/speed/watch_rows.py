"""Rows about a running daemon: how soon an edit is found, and what it costs while nothing happens."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from itertools import chain
from typing import Any

from measure_freshness import WAYS, measure, measure_edit, watching

from speed.figures import Bound, Row
from speed.processes import RowError, UnmeasurableError, cpu_seconds, file_stamps, resident_bytes
from speed.workshop import MadeVault, Workshop
from speed.zipf_notes import write_notes

SEED = 2
N_NOTES = 500
ASK_S = 0.1
ANIMALS = ("donkey", "otter", "peacock", "tortoise", "hedgehog", "camel", "walrus", "parrot")
PLACES = ("under the lighthouse", "behind the bakery", "beside the frozen lake", "on the roof of the mill")
COLOURS = ("scarlet", "turquoise", "yellow", "violet", "silver")
MOST_BYTES = 350e6
MOST_CORE = 0.01


def measure_edits(workshop: Workshop) -> Iterator[Row]:
    """Measure the time from an edit until it is found by words and by meaning, six ways of saving in turn."""
    edits = 8 if workshop.short else 120
    folder = workshop.fresh("edits")
    made = MadeVault(folder, write_notes(folder / "vault", SEED, N_NOTES))
    with made.open(workshop.mixed) as vault:
        vault.index()
    chance = random.Random(SEED)
    texts = {note.path: note.text for note in made.notes}
    try:
        made.start_warm()
        by_word = list(chain.from_iterable(measure(made, texts, chance, edits, "watched", watching(made)).values()))
        made.wait_until_quiet()
        by_meaning = measure_meaning(made, texts, chance, edits // 2)
    finally:
        made.stop()
    used = f"{N_NOTES} notes, packaged English model, clawvault watch"
    yield _edit_row(
        "edit to found by words", by_word, (Bound("median", 0.4), Bound("p99", 3.0)), f"{used}, nobody asks"
    )
    yield _edit_row("edit to found by meaning", by_meaning, (Bound("p99", 10.0),), f"{used}, asked every {ASK_S} s")


def invent_scene(chance: random.Random) -> str:
    """Return a sentence that means something no invented note does."""
    animal, place, colour = chance.choice(ANIMALS), chance.choice(PLACES), chance.choice(COLOURS)
    return (
        f"The old {animal} sleeps {place} all afternoon while the children paint its house {colour}, "
        f"and in the evening the {colour} {animal} follows them home, number {chance.randrange(10**6)}."
    )


def measure_meaning(made: MadeVault, texts: dict[str, str], chance: random.Random, count: int) -> list[float | None]:
    """Return the seconds of each edit until its own sentence finds it by vectors alone."""
    times: list[float | None] = []
    for number in range(count):
        path = chance.choice(sorted(texts))
        sentence = invent_scene(chance)
        texts[path] += f"\n## Seen\n\n{sentence}\n"
        way, note, text = WAYS[number % len(WAYS)], made.root / path, texts[path]
        times.append(
            measure_edit(lambda: way(note, text), lambda: _found_by_meaning(made, path, sentence), ASK_S)  # noqa: B023
        )
        time.sleep(chance.uniform(0.05, 0.3))
    return times


def _found_by_meaning(made: MadeVault, path: str, sentence: str) -> bool:
    answer = made.ask("search", request={"query": sentence, "mode": "vector", "limit": 100})
    if answer is None or not answer["ok"]:
        raise RowError(f"the daemon gave no answer: {answer}")
    return any(hit["path"] == path and sentence in hit["text"] for hit in answer["result"]["hits"])


def _edit_row(name: str, times: list[float | None], bounds: tuple[Bound, ...], used: str) -> Row:
    lost = sum(value is None for value in times)
    if lost:
        return Row(name, problem=f"{lost} of {len(times)} edits were not found within 10 s")
    found = [value for value in times if value is not None]
    row = Row(name, found, bounds=bounds, used=used)
    return Row(name, found, bounds=bounds, extra={"p99": row.figures["p99"], "longest, s": max(found)}, used=used)


def measure_idle(workshop: Workshop) -> Iterator[Row]:
    """Measure processor, writes and memory of a daemon that has answered a question and then has nothing to do.

    The run of the night comes once a date, half a minute after a start: it is over before, and the short form ends
    before it.
    """
    size = workshop.sizes[min(1, len(workshop.sizes) - 1)]
    window_s = 15.0 if workshop.short else 600.0
    made = workshop.indexed(size)
    try:
        made.start_warm()
        if not workshop.short:
            made.wait_until_night_is_over()
        yield from _idle_rows(made, window_s, f"{size:,} notes, {window_s:.0f} s after a question was answered")
    finally:
        made.stop()


def _idle_rows(made: MadeVault, window_s: float, used: str) -> Iterator[Row]:
    if made.process is None:
        raise RowError("the daemon does not run")
    pid = made.process.pid
    try:
        before = cpu_seconds(pid)
    except UnmeasurableError as error:
        yield Row("idle daemon", problem=str(error), skipped=True)
        return
    stamps = file_stamps(made.state)
    resident = []
    began = time.monotonic()
    for _ in range(10):
        time.sleep(window_s / 10)
        resident.append(float(resident_bytes(pid)))
    share = (cpu_seconds(pid) - before) / (time.monotonic() - began)
    changed = _changed(stamps, file_stamps(made.state))
    yield Row("idle daemon, share of a core", [share], unit="%", bounds=(Bound("median", MOST_CORE),), used=used)
    names = f": {', '.join(changed)}" if changed else ""
    yield Row(
        "idle daemon, files of the state folder written",
        [len(changed)],
        unit="x",
        bounds=(Bound("median", 0.0),),
        used=used + names,
    )
    yield Row("idle daemon, memory", resident, unit="MB", bounds=(Bound("median", MOST_BYTES),), used=used)


def _changed(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
