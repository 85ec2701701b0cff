#!/usr/bin/env python3
"""Edit, search and kill at full speed, and count what was lost, repeated or refused.

    scripts/soak.py [--notes 300] [--edits 10000] [--seconds 60] [--searchers 8] [--kills 50] [--seed N]

A vault of invented notes is made in a temporary folder. A real ``clawvault watch`` runs over it, with vectors from a
small embedding server inside this script that remembers every text it is sent. The seed is printed first; the same
seed makes the same edits, though not at the same moments.

**Edits.** Random edits (in place, atomic, like ``sed -i``, line inserted at the top, rename, rename over another note,
folder rename, delete, recreate) in bursts at full speed with pauses. Then the script waits until the daemon says that
nothing waits, and compares its index with one made from nothing: the notes, their hashes, every chunk's text, lines and
offsets, every keyword with its counts, and that each chunk has the vector of its text. Printed as "lost edits" is the
number of notes for which the two differ. Two numbers say what was embedded in excess:

- "repeated": texts sent to the model, less distinct texts sent. A text is sent again only if its vector was lost.
- "never on disk": distinct texts sent that are no chunk of any text any note ever had, as cut by the product itself. A
  chunk of a half-written note would be one.

**Crowd.** Nothing edits. So many processes ask the daemon over its socket, one question after another, for words and
pairs of words that are in the notes, in hybrid mode. Errors are exceptions, refusals, empty or degraded answers.

**Kills.** With an empty index at first, the daemon is killed (-9) after random 5 to 500 ms while the editor goes on; in
turn the time counts from the start of the process, from its first answer and from the end of its first comparison.
After every tenth kill, and at the end, the editor rests, the daemon starts once more, and live and fresh index are
compared. A start "needed help" when the process ended by itself or did not come to that point. Printed as well is how
many kills met a daemon that had already written to its index, and how many one that had embedded: each of the latter
may cost one batch, 32 texts that are embedded a second time.

At the end of each part every note is compared, byte by byte, with what the editor wrote, and around each time in which
nothing edits all files are hashed. Exits with 1 when anything was lost, changed, refused, or embedded in excess.
"""

from __future__ import annotations

import argparse
import random
import shutil
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path

from counted_embeddings import CountedEmbeddings, counting
from live_vault import STOP_S, LiveVault, hash_files
from random_edits import RandomEdits

from clawvault.config import load_config
from clawvault.daemon.transport import ask
from clawvault.embed.opening import open_embedder
from clawvault.evaluate.metrics import percentile
from clawvault.index.chunking import chunk_note
from clawvault.vault.markdown import parse_note

KILL_S = (0.005, 0.5)
KILLS_A_CHECK = 10
EDIT_PAUSE_S = 0.01
ANSWER_S = 60.0
# Texts in one transaction.
BATCH = 32
# What the time until a kill counts from, in turn.
CLOCKS = ("start", "first answer", "ready")

faults: list[str] = []


def check(title: str, value: int, most: int = 0) -> None:
    """Print a number, and remember it as a fault if it is greater than it may be."""
    print(f"  {title}: {value}" + (f"  (at most {most})" if most else ""), flush=True)
    if value > most:
        faults.append(title)


@contextmanager
def nothing_edits(live: LiveVault, title: str) -> Iterator[None]:
    before = hash_files(live.root)
    yield
    after = hash_files(live.root)
    check(f"files changed {title}", sum(before.get(p) != after.get(p) for p in before.keys() | after.keys()))


def compare(live: LiveVault) -> None:
    difference = live.compare_with_fresh()
    print(f"  live index against a fresh one: {difference}", flush=True)
    check("lost edits", len(difference.notes))
    if difference:
        faults.append(str(difference))


def chunks_of(versions: set[str], live: LiveVault) -> set[str]:
    """Return the texts of all chunks of all versions, as the product cuts them."""
    config = load_config(live.root, environment=live.environment)
    embedder = open_embedder(config, live.environment)
    if embedder is None:
        raise SystemExit("The vault has no embedder.")
    found: set[str] = set()
    for text in versions:
        chunks = chunk_note(
            text,
            parse_note(text),
            config.chunks,
            count_tokens=embedder.count_tokens,
            max_tokens=embedder.space.max_tokens,
        )
        found.update(text[chunk.char_start : chunk.char_end] for chunk in chunks)
    return found


def soak_edits(live: LiveVault, edits: RandomEdits, counted: CountedEmbeddings, count: int) -> None:
    live.start()
    live.wait_until_ready()
    live.wait_until_quiet()
    asked = counted.take()
    print(f"\nEdits\n  at first: {len(edits.texts)} notes, {asked.total()} texts embedded", flush=True)
    began = time.monotonic()
    edits.run(count)
    seconds = time.monotonic() - began
    print(f"  {count} edits in {seconds:.0f} s: {dict(edits.counts)}")
    with nothing_edits(live, "while the daemon catches up and a fresh index is made"):
        print(f"  quiet after {live.wait_until_quiet():.1f} s", flush=True)
        compare(live)
    asked += counted.take()
    possible = chunks_of(edits.versions, live)
    print(f"  distinct chunk texts that were ever on disk: {len(possible)}; texts embedded: {asked.total()}")
    check("embeddings repeated", asked.total() - len(asked))
    check("embeddings of texts never on disk", len(asked.keys() - possible))
    check("notes changed by anything but the editor", edits.count_foreign_changes())
    print_daemon(live)


def print_daemon(live: LiveVault) -> None:
    daemon = ((live.ask("status") or {}).get("status") or {}).get("daemon") or {}
    names = ("watching", "overflows", "missed_by_watcher", "brake", "last_error", "embedding_problem")
    print(f"  daemon: {', '.join(f'{name} {daemon.get(name)!r}' for name in names)}", flush=True)


def search_for(state: Path, words: list[str], seconds: float, seed: int) -> tuple[list[float], Counter[str]]:
    """Ask the daemon one question after another; return the seconds of each answer and what went wrong."""
    chance = random.Random(seed)
    times: list[float] = []
    errors: Counter[str] = Counter()
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        query = " ".join(chance.sample(words, chance.choice([1, 2])))
        began = time.monotonic()
        try:
            answer = ask(state, {"op": "search", "request": {"query": query}}, ANSWER_S)
        except Exception as error:  # noqa: BLE001 - every kind of failure is what is counted here
            errors[f"{type(error).__name__}: {error}"] += 1
            continue
        times.append(time.monotonic() - began)
        if answer is None or not answer["ok"]:
            errors[str(answer)] += 1
        elif not answer["result"]["hits"] or answer["result"]["degraded"]:
            errors[f"empty or degraded: {answer['result']['degraded']}"] += 1
    return times, errors


def soak_crowd(live: LiveVault, texts: dict[str, str], searchers: int, seconds: float, seed: int) -> None:
    print(f"\nCrowd\n  {searchers} processes search for {seconds:g} s", flush=True)
    words = sorted({word.strip(".#").lower() for text in texts.values() for word in text.split()} - {""})
    times: list[float] = []
    errors: Counter[str] = Counter()
    with nothing_edits(live, "during the crowd"), ProcessPoolExecutor(searchers, get_context("spawn")) as pool:
        futures = [pool.submit(search_for, live.state, words, seconds, seed + number) for number in range(searchers)]
        for future in futures:
            some_times, some_errors = future.result()
            times += some_times
            errors += some_errors
    p50, p95, longest = (percentile(times, share) * 1000 for share in (0.5, 0.95, 1.0))
    print(f"  searches: {len(times)}, p50 {p50:.1f} ms, p95 {p95:.1f} ms, longest {longest:.1f} ms")
    for error, number in errors.most_common(5):
        print(f"  {number} times {error[:200]}")
    check("errors", errors.total())


def kill_once(live: LiveVault, chance: random.Random, clock_from: str) -> bool:
    """Start the daemon and kill it; return whether it started without help."""
    live.start()
    deadline = time.monotonic() + ANSWER_S
    while not has_come_to(live, clock_from) and time.monotonic() < deadline and live.is_alive():
        time.sleep(0.002)
    started = has_come_to(live, clock_from)
    time.sleep(chance.uniform(*KILL_S))
    started = started and live.is_alive()
    live.kill()
    return started


def has_come_to(live: LiveVault, point: str) -> bool:
    """Say whether the daemon has come to one of ``CLOCKS``."""
    answer = {} if point == "start" else live.ask("ping")
    return answer is not None and (point != "ready" or bool(answer.get("ready")))


def soak_kills(
    live: LiveVault, edits: RandomEdits, counted: CountedEmbeddings, kills: int, chance: random.Random
) -> None:
    print(f"\nKills\n  {kills} kills", flush=True)
    live.use_state("killed")
    counted.take()
    total: Counter[str] = Counter()
    started = wrote = embedded = 0
    for first in range(0, kills, KILLS_A_CHECK):
        rest = threading.Event()
        editor = threading.Thread(target=edits.run_until, args=(rest, EDIT_PAUSE_S))
        editor.start()
        batch = range(first, min(kills, first + KILLS_A_CHECK))
        for number in batch:
            before = live.log_bytes()
            started += kill_once(live, chance, CLOCKS[number % len(CLOCKS)])
            asked = counted.take()
            wrote += live.log_bytes() != before
            embedded += bool(asked)
            total += asked
        rest.set()
        editor.join()
        print(f"  after {batch.stop} kills:", flush=True)
        with nothing_edits(live, "while the daemon starts, catches up and stops"):
            verify_after_kills(live)
        total += counted.take()
    print(f"  kills of a daemon that had written to the index: {wrote}; that had embedded: {embedded}")
    check("starts that needed help", kills - started)
    check("embeddings repeated", total.total() - len(total), BATCH * embedded)
    check("notes changed by anything but the editor", edits.count_foreign_changes())


def verify_after_kills(live: LiveVault) -> None:
    live.start()
    ready_s, quiet_s = live.wait_until_ready(), live.wait_until_quiet()
    print(f"  ready after {ready_s:.1f} s, quiet {quiet_s:.1f} s later")
    compare(live)
    print_daemon(live)
    check("stops that took over five seconds", int(live.stop() > STOP_S))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--notes", type=int, default=300)
    parser.add_argument("--edits", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=60.0, help="of the crowd")
    parser.add_argument("--searchers", type=int, default=8)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    args = parser.parse_args()
    print(f"seed {args.seed}", flush=True)
    chance = random.Random(args.seed)
    folder = Path(tempfile.mkdtemp(prefix="cv-"))
    with counting() as counted:
        live = LiveVault(folder, **counted.settings)
        try:
            edits = RandomEdits(live.root, live.seed(chance, args.notes), chance)
            soak_edits(live, edits, counted, args.edits)
            soak_crowd(live, edits.texts, args.searchers, args.seconds, args.seed)
            live.stop()
            soak_kills(live, edits, counted, args.kills, random.Random(args.seed + 1))
        finally:
            live.kill()
            shutil.rmtree(folder)
    print(f"\n{'Passed' if not faults else 'FAILED: ' + '; '.join(faults)}")
    return int(bool(faults))


if __name__ == "__main__":
    raise SystemExit(main())
