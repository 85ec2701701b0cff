#!/usr/bin/env python3
"""Scan every note of a folder and count what the guard would refuse, flag and mask.

    scripts/measure_guard.py FOLDER [--show]

Most notes that people wrote themselves steer nobody, so what is refused or flagged there is a false alarm, unless
``--show`` shows otherwise. Secrets are counted by kind; their text is never printed.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path

from clawvault.guard.findings import Severity
from clawvault.guard.injections import scan
from clawvault.guard.secret_text import find_secrets
from clawvault.vault.notes import decode_note


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--show", action="store_true", help="show the first 100 characters of each line found")
    arguments = parser.parse_args()
    outcomes: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    secrets: Counter[str] = Counter()
    n_chars, took_s = 0, 0.0
    for path in sorted(path for path in arguments.folder.rglob("*.md") if path.is_file()):
        text = decode_note(path.read_bytes())[0]
        began = time.perf_counter()
        findings, hidden = scan(text), find_secrets(text)
        took_s += time.perf_counter() - began
        n_chars += len(text)
        worst = max((finding.severity for finding in findings), default=Severity.LOW)
        outcomes["refused" if worst >= Severity.HIGH else "flagged" if worst == Severity.MEDIUM else "passed"] += 1
        secrets.update(secret.kind for secret in hidden)
        for finding in findings:
            reasons[finding.label] += 1
            if arguments.show and finding.severity >= Severity.MEDIUM:
                print(f"{path}:{finding.line}: {finding.label}: {text[finding.start : finding.end][:100]!r}")
    n_notes = outcomes.total()
    print(f"{n_notes} notes, {n_chars} characters, {1000 * took_s / max(n_notes, 1):.2f} ms a note")
    print(", ".join(f"{outcomes[name]} {name}" for name in ("refused", "flagged", "passed")))
    for label, count in reasons.most_common():
        print(f"  {count:5} {label}")
    print(f"{secrets.total()} secrets masked")
    for kind, count in secrets.most_common():
        print(f"  {count:5} {kind}")


if __name__ == "__main__":
    main()
