#!/usr/bin/env python3
"""Let a daemon, MCP servers and command lines use one vault at once, and count what was lost or refused (F24).

    python scripts/crowd.py [--seconds 20] [--notes 10000] [--rate 16.7] [--work DIR] [--flat-out]

Each server appends and searches through its tools; each loop is a process, as a shell is, that runs one ``clawvault``
process after another: append, search, status, and once in four rounds dream, from another place in that order each.
Together they append ``--rate`` lines a second, 10,000 in ten minutes unless asked otherwise, and nobody does more than
that rate needs. With ``--flat-out`` nobody pauses, but for the limit that tools have. The time runs when every server
has answered once.

Every second line goes to one note that all share, the others to a note of each one's own. Every second search asks for
the line that was acknowledged just before, the others for one of the notes that were there.

The vault is made once in the ``--work`` folder, by the generator of measure_speed.py, and copied for each run. Its
vectors are invented, in the space of the packaged model, which embeds what is appended.

Exit code 1 when a line that was acknowledged is missing or repeated, when it was not found at once, when anything was
refused, or with ``--most-p99`` when a search took longer.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from dataclasses import replace
from pathlib import Path

import anyio
from crowd_members import (
    APPENDS_TO_A_SEARCH,
    COMMANDS,
    PROCESS,
    SHARED,
    TOOL,
    Member,
    Tally,
    meet_at,
    run_loop,
    run_server,
)
from speed.workshop import MadeVault, Workshop, generator_key

from clawvault.evaluate.metrics import percentile

# Tools may be called four times a second for long; an agent writes more often than a person types commands.
TOOL_CALLS_PER_S = 3.9


def copied(work: Path, count: int, folder: Path) -> MadeVault:
    """Return a copy of the kept vault of so many notes with its index, brought up to date."""
    kept = Workshop(work, short=False, sizes=(count,)).indexed(count)
    shutil.copytree(kept.root, folder / "vault")
    # In the folder of that name are the facts that tools remembered; nobody has thousands of notes of them.
    (folder / "vault" / "topics").rename(folder / "vault" / "areas")
    vault = MadeVault(folder, [replace(one, path=one.path.replace("topics/", "areas/")) for one in kept.notes])
    shutil.copytree(kept.state, vault.state, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.sock"))
    (vault.root / SHARED).write_text("# What everybody saw\n", encoding="utf-8")
    subprocess.run(vault.command("index"), check=True, capture_output=True, env=vault.environment)
    return vault


def gather(vault: MadeVault, args: argparse.Namespace) -> tuple[list[Member], list[Member]]:
    """Return those who use servers, and those who run commands."""
    n_appends = APPENDS_TO_A_SEARCH / (APPENDS_TO_A_SEARCH + 1)
    # Servers append what they may, but no more than five lines of six.
    tool_calls_per_s = min(TOOL_CALLS_PER_S, 5 / 6 * args.rate / max(1, args.servers) / n_appends)
    left_per_s = args.rate - args.servers * tool_calls_per_s * n_appends
    # More often than the limit of tools nobody may call.
    tool_period_s = 1 / (TOOL_CALLS_PER_S if args.flat_out else tool_calls_per_s)
    period_s = 0.0 if args.flat_out else args.loops / left_per_s * COMMANDS.count("append") / len(COMMANDS)
    everybody = range(args.servers + args.loops)
    # Nobody else holds the daemon.
    used = MadeVault(vault.folder, vault.notes)
    return (
        [Member(used, number, "server", tool_period_s, args.seconds) for number in everybody[: args.servers]],
        [Member(used, number, "loop", period_s, args.seconds) for number in everybody[args.servers :]],
    )


def let_loose(vault: MadeVault, args: argparse.Namespace) -> Tally:
    """Let everybody use the vault at once; return what all of them did."""
    servers, loops = gather(vault, args)
    place = multiprocessing.Barrier(len(servers) + len(loops))
    meet_at(place)
    with (
        ProcessPoolExecutor(len(loops) or 1, initializer=meet_at, initargs=(place,)) as shells,
        ThreadPoolExecutor(len(servers) or 1) as sessions,
    ):
        try:
            running: list[Future[Tally]] = [shells.submit(run_loop, one) for one in loops]
            vault.start_warm()
            running += [sessions.submit(anyio.run, run_server, one) for one in servers]
            tally = Tally()
            for future in as_completed(running):
                tally.add(future.result())
        except BaseException:
            place.abort()
            raise
        finally:
            vault.stop()
    return tally


def report(tally: Tally, args: argparse.Namespace, vault: MadeVault, cpu_s: float) -> int:
    """Print what was counted; return the exit code."""
    took_s = tally.ended - tally.began
    wanted = "as fast as may be" if args.flat_out else f"{args.rate:.1f} a second wanted"
    texts = {path: (vault.root / path).read_text(encoding="utf-8") for path in {path for path, _ in tally.appended}}
    there = Counter((path, line) for path, text in texts.items() for line in text.splitlines())
    lost = [line for line in tally.appended if not there[line]]
    repeated = [line for line in tally.appended if there[line] > 1]
    print(
        f"acknowledged {len(tally.appended)} lines in {took_s:.1f} s, {len(tally.appended) / took_s:.1f} a second,",
        wanted,
    )
    print(f"lost {len(lost)}, repeated {len(repeated)}, refused {len(tally.refused)}, {_locked(tally)} for a lock")
    print(f"not in the answer that had to hold it {len(tally.unseen)}")
    for problem in [*dict.fromkeys(tally.refused), *tally.unseen][:10]:
        print(f"  {problem}")
    for problem, count in tally.degraded.most_common(5):
        print(f"  {count} answers said: {problem}")
    for name, seconds in sorted(tally.took_s.items()):
        shares = ", ".join(f"p{share * 100:.0f} {percentile(seconds, share) * 1000:.0f}" for share in (0.5, 0.95, 0.99))
        print(f"{name}: {len(seconds)} times, {shares}, longest {max(seconds) * 1000:.0f} ms")
    if cpu_s:
        print(f"processor time of all processes, their starts too, {cpu_s:.1f} s, {cpu_s / took_s:.2f} cores")
    slow = [kind for kind in (TOOL, PROCESS) if percentile(tally.took_s[kind] or [0.0], 0.99) * 1000 > args.most_p99]
    return int(bool(lost or repeated or tally.refused or tally.unseen or slow))


def _locked(tally: Tally) -> int:
    return sum("lock" in problem.lower() or "busy" in problem.lower() for problem in tally.refused)


def children_s() -> float:
    """Return the processor time of all processes that were started and have ended; 0 where nobody knows."""
    try:
        import resource
    except ImportError:
        return 0.0
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--servers", type=int, default=4)
    parser.add_argument("--loops", type=int, default=8)
    parser.add_argument("--rate", type=float, default=10_000 / 600, help="lines appended a second, by all together")
    parser.add_argument("--flat-out", action="store_true", help="nobody pauses")
    parser.add_argument("--most-p99", type=float, default=float("inf"), help="milliseconds that searches may take")
    parser.add_argument("--work", type=Path, help="where the vault is made and kept; else a temporary folder")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cv-") as folder:
        work = Path(folder, "work") if args.work is None else args.work.absolute() / generator_key()
        work.mkdir(parents=True, exist_ok=True)
        vault = copied(work, args.notes, Path(folder, "c"))
        print(f"{args.notes} invented notes with invented vectors, 1 daemon, {args.servers} MCP servers,", end=" ")
        print(f"{args.loops} loops of commands, {os.cpu_count()} cores")
        before_s = children_s()
        tally = let_loose(vault, args)
        return report(tally, args, vault, children_s() - before_s)


if __name__ == "__main__":
    sys.exit(main())
