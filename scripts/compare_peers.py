#!/usr/bin/env python3
"""Compare indexing and search with other programs: the same notes, the same model where it can be, the same questions.

    scripts/compare_peers.py [--notes 200] [--questions 30] [--only NAME,...] [--work DIR] [--json FILE] [DATA]

Each program is installed from its package into an environment of its own below ``--work``, which is kept, and works on
its own copy of the notes with a home folder of its own; it is left out, with the reason, when it cannot be installed.
Notes are taken, seeded, from ``DATA/til``, else invented. A question is the words of a sentence of one note; "hit@5" is
the share of questions that have their note among the first five hits of the long-lived process.

Columns: indexing everything; indexing when nothing changed; indexing after a line was added to one note, and whether a
new process then finds that line; a question in a new process, without and with the program's watcher running; a
question to a long-lived process (median, p95); memory of that process and of the watcher with all they started;
bytes of the database. Programs are measured one after another.
"""

from __future__ import annotations

import argparse
import json
import platform
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from peers.basic_memory import BasicMemory
from peers.clawvault_itself import Clawvault
from peers.long_lived import LongLived
from peers.markdown_memory_vec import MarkdownMemoryVec
from peers.memsearch import Memsearch
from peers.protocol import Peer, Room, SkippedError
from peers.questions import Question, make_questions
from speed.processes import RowError
from speed.workshop import SEED, sample_notes
from speed.zipf_notes import invent_notes

from clawvault.embed.packaged import ENGLISH_MODEL, find_packaged
from clawvault.evaluate.metrics import percentile

PEERS: Mapping[str, Callable[[Room, Sequence[str]], Peer]] = {
    "clawvault": Clawvault,
    "memsearch": Memsearch,
    "markdown-memory-vec": MarkdownMemoryVec,
    "basic-memory": BasicMemory,
}
N_COLD = 3
N_WARM_UP = 2
SETTLE_S = 15.0
ADDED = "The quarterly zeppelin inspection moved to the Vantimore hangar."
COLUMNS = (
    ("index_s", "index, s", "{:.1f}"),
    ("unchanged_s", "unchanged, s", "{:.2f}"),
    ("edit_s", "edit, s", "{:.2f}"),
    ("edit_found", "edit found", "{}"),
    ("cold_s", "cold, s", "{:.2f}"),
    ("cold_watched_s", "cold watched, s", "{:.2f}"),
    ("warm_ms", "warm, ms", "{:.1f}"),
    ("warm_p95_ms", "p95, ms", "{:.1f}"),
    ("served_mb", "serving, MB", "{:.0f}"),
    ("watching_mb", "watching, MB", "{:.0f}"),
    ("database_mb", "database, MB", "{:.1f}"),
    ("hit_at_5", "hit@5", "{:.2f}"),
)


def read_notes(data: Path | None, count: int) -> tuple[str, dict[str, str]]:
    """Return what the notes are, and their texts by path."""
    til = None if data is None else data / "til"
    if til is None or not til.is_dir():
        return f"{count} invented notes", {note.path: note.text for note in invent_notes(SEED, count)}
    chosen = sample_notes(til, count)
    return f"{len(chosen)} notes of til", {
        path.relative_to(til).as_posix(): path.read_text(encoding="utf-8") for path in chosen
    }


def write_notes(folder: Path, notes: Mapping[str, str]) -> None:
    for path, text in notes.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


def measure(peer: Peer, room: Room, questions: Sequence[Question]) -> dict[str, Any]:
    """Measure one program from an empty index on; returns what could be measured."""
    figures: dict[str, Any] = {"index_s": peer.index(), "unchanged_s": peer.index()}
    cold = [peer.search(question.text)[0] for question in questions[: N_COLD + 1]]
    # The first one fills the system's caches.
    figures["cold_s"] = statistics.median(cold[1:])
    figures |= _measure_serving(peer, questions)
    figures |= _measure_watching(peer, questions)
    note = room.notes / questions[0].path
    with note.open("a", encoding="utf-8") as stream:
        stream.write(f"\n{ADDED}\n")
    figures["edit_s"] = peer.index()
    figures["edit_found"] = "yes" if questions[0].path in peer.search(ADDED.rstrip("."))[1] else "no"
    figures["database_mb"] = sum(_size(path) for path in peer.database()) / 1e6
    return figures


def _measure_serving(peer: Peer, questions: Sequence[Question]) -> dict[str, Any]:
    server = peer.serve()
    try:
        for question in questions[:N_WARM_UP]:
            server.ask(question.text)
        asked = [(question, *server.timed(question.text)) for question in questions]
        memory = server.resident_bytes()
    finally:
        server.stop()
    times = [took * 1000 for _, took, _ in asked]
    right = sum(question.path in paths for question, _, paths in asked)
    return {
        "warm_ms": statistics.median(times),
        "warm_p95_ms": percentile(times, 0.95),
        "hit_at_5": right / len(asked),
        "served_mb": None if memory is None else memory / 1e6,
    }


def _measure_watching(peer: Peer, questions: Sequence[Question]) -> dict[str, Any]:
    watcher: LongLived | None = peer.watch()
    if watcher is None:
        return {}
    try:
        time.sleep(SETTLE_S)
        figures: dict[str, Any] = {}
        try:
            cold = [peer.search(question.text)[0] for question in questions[: N_COLD + 1]]
            figures["cold_watched_s"] = statistics.median(cold[1:])
        except RowError as error:
            # A watcher may keep its database to itself; that is a finding and no reason to give up the rest.
            peer.remarks.append(f"no search in a new process while it watches: {' '.join(str(error).split())[-300:]}")
        memory = watcher.resident_bytes()
        return {**figures, "watching_mb": None if memory is None else memory / 1e6}
    finally:
        watcher.stop()


def _size(path: Path) -> int:
    return sum(file.stat().st_size for file in ([path] if path.is_file() else path.rglob("*")) if file.is_file())


def compare(
    name: str, work: Path, notes: Mapping[str, str], questions: Sequence[Question], pythons: Sequence[str]
) -> dict[str, Any]:
    """Install and measure one program; the result has ``skipped`` or ``failed`` where that could not be done."""
    model = find_packaged(ENGLISH_MODEL)
    if model is None:
        raise SystemExit("The packaged English model is not installed.")
    folder = work / name
    shutil.rmtree(folder, ignore_errors=True)
    room = Room(folder, folder / "notes", model)
    write_notes(room.notes, notes)
    peer = PEERS[name](room, pythons)
    result: dict[str, Any] = {"name": peer.name, "remarks": peer.remarks}
    try:
        peer.install()
        result |= measure(peer, room, questions)
    except SkippedError as error:
        result["skipped"] = str(error)
    except (RowError, LookupError, ValueError, OSError, subprocess.TimeoutExpired) as error:
        result["failed"] = f"{type(error).__name__}: {error}"
    finally:
        getattr(peer, "close", lambda: None)()
    return result


def render(results: Sequence[Mapping[str, Any]]) -> str:
    """Return the table, and below it what a reader must know."""
    names = [str(result["name"]) for result in results]
    width = max(map(len, names))
    lines = [" ".join([" " * width, *(title.rjust(len(title)) for _, title, _ in COLUMNS)])]
    for name, result in zip(names, results, strict=True):
        cells = ["-" if (value := result.get(key)) is None else form.format(value) for key, _, form in COLUMNS]
        lines.append(
            " ".join([name.ljust(width), *(c.rjust(len(t)) for c, (_, t, _) in zip(cells, COLUMNS, strict=True))])
        )
    for name, result in zip(names, results, strict=True):
        for kind in ("skipped", "failed"):
            lines += [f"{name} {kind}: {result[kind]}"] if kind in result else []
        lines += [f"{name}: {remark}" for remark in result["remarks"]]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path, nargs="?", help='folder that holds "til"')
    parser.add_argument("--notes", type=int, default=200)
    parser.add_argument("--questions", type=int, default=30)
    parser.add_argument("--only", type=lambda text: text.split(","), default=list(PEERS), help=", ".join(PEERS))
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "clawvault-peers")
    parser.add_argument("--python", action="append", default=[], help="a further interpreter to install peers with")
    parser.add_argument("--json", type=Path, metavar="FILE")
    args = parser.parse_args()
    unknown = sorted(set(args.only) - set(PEERS))
    if unknown:
        parser.error(f"not known: {', '.join(unknown)}; there are {', '.join(PEERS)}")
    kind, notes = read_notes(args.data, args.notes)
    questions = make_questions(notes, args.questions, SEED)
    if len(questions) <= N_COLD:
        parser.error(f"these notes give {len(questions)} questions, too few")
    print(f"{kind}, {len(questions)} questions, model {ENGLISH_MODEL}", flush=True)
    results = []
    for name in args.only:
        results.append(compare(name, args.work.absolute(), notes, questions, args.python))
        print(f"\n{render(results[-1:])}", flush=True)
    if len(results) > 1:
        print(f"\nall\n{render(results)}")
    if args.json is not None:
        machine = {"system": platform.platform(), "python": platform.python_version()}
        args.json.write_text(
            json.dumps({"notes": kind, "machine": machine, "results": results}, indent=1), encoding="utf-8"
        )
    return int(any("failed" in result for result in results))


if __name__ == "__main__":
    raise SystemExit(main())
