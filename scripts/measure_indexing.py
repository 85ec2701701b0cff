#!/usr/bin/env python3
"""Index a copy of a folder of notes and prove that nothing was lost or moved.

    scripts/measure_indexing.py NOTES [--provider none]

Prints the notes on disk, in the index and lost; how many chunks there are and how many are not the exact slice of their
note at the stored offsets and lines; what a second and a third run hash, embed and write (the third after one note was
touched); and how many notes have other bytes than before. Nothing is written beside NOTES.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
import time
from pathlib import Path

from live_vault import hash_files

from clawvault.api import Vault, open_vault
from clawvault.guard.secret_text import mask_secrets
from clawvault.index.connection import INDEX_NAME, read_text
from clawvault.index.store import Store
from clawvault.vault.listing import stat_note
from clawvault.vault.notes import read_note


def count_wrong_slices(vault: Vault) -> tuple[int, int]:
    """Return (chunks, chunks that are not the exact slice of their note)."""
    store = Store(vault.opened.state / INDEX_NAME, writer=False)
    rows = store.connection.execute(
        "SELECT n.path, c.char_start, c.char_end, c.line_start, c.line_end, c.text, c.text_hash FROM chunks c "
        "JOIN notes n ON n.id = c.note_id ORDER BY n.path, c.ordinal"
    ).fetchall()
    store.close()
    texts: dict[str, str] = {}
    wrong = 0
    for path, start, end, first, last, packed, text_hash in rows:
        if path not in texts:
            file = stat_note(vault.root, path)
            text = "" if file is None else read_note(vault.root, file, max_bytes=1 << 30).text
            # A secret is kept as a mark of the same length.
            texts[path] = mask_secrets(text)
        note = texts[path]
        lines = (note.count("\n", 0, start) + 1, note.count("\n", 0, end) + 1)
        wrong += note[start:end] != read_text(packed, text_hash) or lines != (first, last)
    return len(rows), wrong


def run(vault: Vault, label: str) -> None:
    began = time.perf_counter()
    report = vault.index()
    print(
        f"{label:<28} {time.perf_counter() - began:8.2f} s  hashed {report.hashed:>6}  embedded "
        f"{report.embedded_texts:>6}  written {report.written:>6}  skipped {len(report.skipped)}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notes", type=Path)
    parser.add_argument("--provider", default="none")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "vault"
        shutil.copytree(args.notes, root, copy_function=shutil.copyfile)
        before = hash_files(root)
        (root / ".clawvault").mkdir()
        time.sleep(0.1)
        environment = {**os.environ, "CLAWVAULT_STATE_DIR": str(Path(folder) / "state")}
        with open_vault(root, environment=environment, embedding__provider=args.provider) as vault:
            run(vault, "first run")
            run(vault, "second run, nothing changed")
            os.utime(next(path for path in sorted(root.rglob("*.md"))))
            time.sleep(0.1)
            run(vault, "third run, one note touched")
            on_disk = {name for name in before if name.endswith((".md", ".markdown"))}
            status = vault.status()
            lost = on_disk - set(vault.list_notes().files)
            chunks, wrong = count_wrong_slices(vault)
        after = {name: value for name, value in hash_files(root).items() if name in before}
        print(f"notes on disk {len(on_disk)}, in the index {status['notes']}, lost {len(lost)}")
        print(f"chunks {chunks}, not an exact slice {wrong}")
        print(f"notes whose bytes changed {sum(before[name] != after.get(name) for name in before)}")


if __name__ == "__main__":
    main()
