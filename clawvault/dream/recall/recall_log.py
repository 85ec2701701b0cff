"""The log of recalls: which statements of dated notes were found, by whom, on which day (OC-34, OC-35, L22, L35).

One file of JSON lines a local day in the state folder, so that it survives a rebuild of the index. It holds hashes and
places, no text of a note, and no question unless the person wants that.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from clawvault.config import RecallSettings
from clawvault.dream.recall.later import await_all
from clawvault.dream.recall.recalls import FAIR_SHARE, Recall
from clawvault.dream.recall.statements import HASH_CHARS, find_meant
from clawvault.search.asking.query import guess_language
from clawvault.search.passages.diversity import normalised
from clawvault.vault.dating import note_date
from clawvault.vault.paths import make_private
from clawvault.vault.private_file import write_private_file

if TYPE_CHECKING:
    from clawvault.embed.probe import Reading
    from clawvault.search.asking.request import SearchRequest
    from clawvault.search.hits.result import Hit, SearchResult

FOLDER_NAME = "recalls"
LOCK_NAME = "recalls.lock"
# Who counts; the empty name is a caller that does not say, which is a person's program (L22, L35).
COUNTED_ASKERS = {"": "person", "person": "person", "agent": "agent"}
WAIT_S = 1.0
MAX_DAY_BYTES = 1_000_000
KEPT_DAYS = 400
WHOLE_DAYS = 60
THINNED = b'{"thinned": true}\n'
_DAY_FILE = re.compile(r"(\d{4}-\d{2}-\d{2})\.jsonl")


class History(NamedTuple):
    """What the log holds.

    Attributes:
        recalls: In order of their days.
        damaged: Where lines were cut short or make no sense, one sentence a file.
    """

    recalls: tuple[Recall, ...] = ()
    damaged: tuple[str, ...] = ()


class RecallLog:
    """The log of one vault; may be used by several threads and processes at once.

    Args:
        state: The state folder of the vault.
        settings: Whether anything is recorded, and whether with the question.
        today: Returns the local day.
    """

    def __init__(self, state: Path, settings: RecallSettings, today: Callable[[], date]) -> None:
        self.folder = state / FOLDER_NAME
        self._state = state
        self._settings = settings
        self._today = today

    def record(self, request: SearchRequest, result: SearchResult) -> int:
        """Write down what an answer recalls; never fails.

        Args:
            request: The question and who asked it.
            result: The answer, already given.

        Returns:
            How many recalls were written: none for evaluations, contexts and the dreamer, none for a question that was
            asked on the same day before, and none of notes that never fade.

        Source: OC-34, OC-35, L22, L35.
        """
        asker = COUNTED_ASKERS.get(request.asked_by)
        if not self._settings.enabled or asker is None or not request.query.strip():
            return 0
        try:
            recalls = list(read_answer(request, result, self._today(), asker))
            return self._append(recalls, request.query) if recalls else 0
        except (OSError, ValueError) as error:
            # An answer must not fail for what is only counted beside it.
            import logging

            logging.getLogger(__name__).warning("a recall was not recorded: %s", type(error).__name__)
            return 0

    def read(self) -> History:
        """Return everything that is recorded; lines that were cut short are passed over and named."""
        await_all(self._state)
        recalls: list[Recall] = []
        damaged: list[str] = []
        for day, path in self._day_files():
            bad = 0
            for line in _read_lines(path):
                recall = _parse(line, day)
                if recall is None:
                    bad += line != THINNED.strip()
                else:
                    recalls.extend(recall)
            if bad:
                damaged.append(f'{bad} {"line" if bad == 1 else "lines"} of "{FOLDER_NAME}/{path.name}" cannot be read')
        return History(tuple(recalls), tuple(damaged))

    def compact(self) -> int:
        """Keep the log small: see the rule in ``thin``; days older than 400 are let go.

        Returns:
            How many files were changed or removed.
        """
        await_all(self._state)
        today, changed = self._today(), 0
        with self._lock():
            for day, path in self._day_files():
                if (today - day) > timedelta(days=KEPT_DAYS):
                    path.unlink(missing_ok=True)
                    changed += 1
                elif (today - day) > timedelta(days=WHOLE_DAYS):
                    lines = _read_lines(path)
                    if lines and lines[0] != THINNED.strip():
                        kept = thin([recall for line in lines for recall in _parse(line, day) or ()])
                        data = b"".join(_render(recall, recall.question) for recall in kept)
                        write_private_file(path, THINNED + data)
                        changed += 1
        return changed

    def _append(self, recalls: Sequence[Recall], query: str) -> int:
        self.folder.mkdir(mode=0o700, exist_ok=True)
        make_private(self.folder)
        path = self.folder / f"{recalls[0].day.isoformat()}.jsonl"
        asked = f'"query": "{recalls[0].query}"'.encode()
        kept = query if self._settings.keep_queries else ""
        with self._lock():
            there = _read_bytes(path)
            if asked in there or len(there) > MAX_DAY_BYTES:
                return 0
            data = b"".join(_render(recall, kept) for recall in recalls)
            # A line that a crash cut short must not take the next one with it.
            mend = b"\n" if there and not there.endswith(b"\n") else b""
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
            descriptor = os.open(path, flags | getattr(os, "O_CLOEXEC", 0), 0o600)
            try:
                os.write(descriptor, mend + data)
            finally:
                os.close(descriptor)
        return len(recalls)

    @contextmanager
    def _lock(self) -> Iterator[None]:
        import filelock

        # Windows has no append that several processes may share, and thinning replaces the file.
        lock = filelock.FileLock(self._state / LOCK_NAME, thread_local=False, mode=0o600, fallback_to_soft=False)
        lock.acquire(timeout=WAIT_S, poll_interval=0.005)
        try:
            yield
        finally:
            lock.release()

    def _day_files(self) -> list[tuple[date, Path]]:
        try:
            names = sorted(os.listdir(self.folder))
        except OSError:
            return []
        found = []
        for name in names:
            match = _DAY_FILE.fullmatch(name)
            if match:
                try:
                    found.append((date.fromisoformat(match[1]), self.folder / name))
                except ValueError:
                    continue
        return found


def read_answer(request: SearchRequest, result: SearchResult, day: date, asker: str) -> Iterator[Recall]:
    """Return what an answer recalls, best hit first.

    Nothing of notes that never fade (OC-35), nor of hits that only fill the list; see ``Recall.counts``.
    """
    query = hash_query(request.query)
    language = guess_language(request.query)
    strengths = [strength_of(hit, language, result.readings) for hit in result.hits]
    best = max(strengths, default=0.0)
    for hit, strength in zip(result.hits, strengths, strict=True):
        if hit.evergreen or note_date(hit.path) is None or not strength or strength < FAIR_SHARE * best:
            continue
        meant, shares_words = find_meant(hit.text, request.query)
        for said in meant:
            yield Recall(
                day=day,
                claim=said.key,
                path=hit.path,
                line=hit.line_start + said.line_start - 1,
                lines=(hit.line_start, hit.line_end),
                text=hash_text(hit.text),
                query=query,
                score=round(raw_score(hit), 6),
                strength=round(strength, 6),
                rank=hit.rank,
                asked_by=asker,
                best=round(best, 6),
                shares_words=shares_words,
            )


def raw_score(hit: Hit) -> float:
    """Return how well a hit matched by itself, 0..1: the better one of its cosine and its text score."""
    return min(1.0, max(0.0, hit.cosine or 0.0, hit.text_score or 0.0))


def strength_of(hit: Hit, language: str, readings: Mapping[str, Reading]) -> float:
    """Return how well a hit matched, 0..1, its cosine on the scale of the model (L2, L22).

    Args:
        hit: One hit.
        language: That of the question.
        readings: How the model reads each language and pair of languages; empty when it was not measured.
    """
    from clawvault.search.lanes.trust import choose_reading, vector_confidence

    pair = readings.get(f"{language}-{guess_language(hit.text)}") or choose_reading(readings, language)
    if pair is None:
        return raw_score(hit)
    by_meaning = 0.0 if hit.cosine is None else vector_confidence(pair, hit.cosine)
    return min(1.0, max(by_meaning, hit.text_score or 0.0))


def hash_query(query: str) -> str:
    """Return the identity of a question; case, width and spaces do not count."""
    return hash_text(normalised(query))


def hash_text(text: str) -> str:
    """Return 16 hexadecimal digits of the SHA-256 of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:HASH_CHARS]


def thin(recalls: Sequence[Recall]) -> list[Recall]:
    """Return what is kept of a day that is more than 60 days old: for each statement its best recall.

    That is all the rule for rare notes asks of it (L2c).
    """
    best: dict[str, Recall] = {}
    for recall in filter(lambda one: one.counts, recalls):
        known = best.get(recall.claim)
        if known is None or recall.worth > known.worth:
            best[recall.claim] = recall
    return [best[claim] for claim in sorted(best)]


def _render(recall: Recall, question: str) -> bytes:
    values: dict[str, Any] = {
        "query": recall.query,
        "by": recall.asked_by,
        "path": recall.path,
        "line": recall.line,
        "lines": list(recall.lines),
        "claim": recall.claim,
        "text": recall.text,
        "rank": recall.rank,
        "score": recall.score,
        "strength": recall.strength,
        "best": recall.best,
        "shares_words": recall.shares_words,
    }
    if question:
        values["question"] = question
    return json.dumps(values, ensure_ascii=True).encode() + b"\n"


def _parse(line: bytes, day: date) -> list[Recall] | None:
    """Return the recall of a line in a list, or ``None`` when it makes no sense."""
    try:
        raw = json.loads(line)
        first, last = raw["lines"]
        return [
            Recall(
                day=day,
                claim=_text(raw["claim"]),
                path=_text(raw["path"]),
                line=int(raw["line"]),
                lines=(int(first), int(last)),
                text=_text(raw["text"]),
                query=_text(raw["query"]),
                score=min(1.0, max(0.0, float(raw["score"]))),
                rank=int(raw["rank"]),
                asked_by=_text(raw["by"]),
                strength=None if raw.get("strength") is None else float(raw["strength"]),
                best=float(raw.get("best", 0.0)),
                shares_words=raw.get("shares_words") is not False,
                question=_text(raw.get("question", "")),
            )
        ]
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _read_bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(2 * MAX_DAY_BYTES)
    except FileNotFoundError:
        return b""


def _read_lines(path: Path) -> list[bytes]:
    try:
        return [line for line in _read_bytes(path).split(b"\n") if line.strip()]
    except OSError:
        return [b"unreadable"]
