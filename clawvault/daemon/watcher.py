"""Turn file events into hints about paths, and know when the events cannot be trusted.

A hint is a vault-relative path to look at, or "look at everything". Events that come from reading a note are none.
Where events do not work the watcher says so and the loop compares the disk with the index by the clock instead: there
is no second way of finding changes. Source: I06, I28, B001, B003, B005, B015, B017, F10 to F13.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileAttribEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers.api import BaseObserver

if sys.platform == "linux":
    from clawvault.daemon.kernel_queue import make_observer
else:
    from clawvault.daemon.native_events import make_observer

# Opened and closed-without-writing are missing on purpose: our own reading causes them, and unwatched they
# cannot fill the kernel's queue.
WATCHED_EVENTS: tuple[type[FileSystemEvent], ...] = (
    FileCreatedEvent,
    FileModifiedEvent,
    FileClosedEvent,
    FileMovedEvent,
    FileDeletedEvent,
    FileAttribEvent,
    DirCreatedEvent,
    DirMovedEvent,
    DirDeletedEvent,
)
FOLDER_EVENTS = (DirCreatedEvent, DirMovedEvent, DirDeletedEvent)
# A change of these changes which files are notes.
RULE_FILES = frozenset({".clawvaultignore", ".clawvault/config.toml", ".obsidian/app.json", ".obsidian/templates.json"})
RULE_FOLDERS = frozenset({".clawvault", ".obsidian"})
JOIN_S = 2.0
# Only Linux limits how many folders one user may watch; 0 stands for no known limit.
LIMIT_FILE = Path("/proc/sys/fs/inotify/max_user_watches")

log = logging.getLogger("clawvault.daemon.watcher")


class Hints(Protocol):
    """Where hints go; called from threads of the watcher."""

    def look_at(self, *paths: str) -> None:
        """Take vault-relative paths that may have changed; both ends of a move come together."""

    def look_everywhere(self, reason: str) -> None:
        """Take word that no path can be named."""


@dataclass(frozen=True, slots=True)
class WatcherFacts:
    """What status tells of the watcher (I28)."""

    watching: str
    reason: str
    emitters_alive: int
    overflows: int
    rearmed: int
    watches: int
    watches_limit: int


class PathFilter:
    """Know which paths can be notes, by their spelling alone.

    Args:
        root: The vault, links resolved, since events name the real path.
        state: The state folder, which may be inside the vault and must never wake the watcher (B005).
        extensions: Endings of notes, without the dot.
    """

    def __init__(self, root: Path, state: Path, extensions: tuple[str, ...]) -> None:
        self._prefix = os.fspath(root).rstrip(os.sep) + os.sep
        self._endings = tuple(f".{ending.lower()}" for ending in extensions)
        real_root, real_state = root.resolve(), state.resolve()
        inside = real_state.is_relative_to(real_root)
        self._state = real_state.relative_to(real_root).as_posix() if inside else ""

    def relative(self, path: str) -> str | None:
        """Return a path on disk as a vault path, or ``None`` when it is not below the vault."""
        if not path.startswith(self._prefix):
            return None
        return unicodedata.normalize("NFC", path[len(self._prefix) :].replace(os.sep, "/"))

    def is_note(self, relative: str) -> bool:
        """Say whether a file of that name can be a note."""
        return relative.lower().endswith(self._endings) and not self.is_hidden(relative)

    def is_hidden(self, relative: str) -> bool:
        """Say whether a vault path is left out whatever the ignore rules say."""
        if self._state and (relative == self._state or relative.startswith(f"{self._state}/")):
            return True
        return any(part.startswith(".") or part == "node_modules" for part in relative.split("/"))

    def needs_no_watch(self, path: str) -> bool:
        """Say whether a folder on disk can be left unwatched."""
        relative = self.relative(path)
        return relative is not None and relative not in RULE_FOLDERS and self.is_hidden(relative)


class Watcher:
    """Watch a vault and keep watching it.

    Args:
        root: The vault.
        paths: Which paths count.
        hints: Where hints go.
        mode: ``auto`` and ``events`` use events and fall back to polling, ``polling`` never tries.
    """

    def __init__(self, root: Path, paths: PathFilter, hints: Hints, *, mode: str = "auto") -> None:
        self._root = root
        self._paths = paths
        self._hints = hints
        self._mode = mode
        self._lock = threading.Lock()
        self._observer: BaseObserver | None = None
        self._identity: tuple[int, int] | None = None
        self._reason = ""
        self._overflows = 0
        self._rearmed = 0
        self._exhausted = ""

    def start(self) -> None:
        """Watch from now on, by events where they work."""
        before = self._reason
        self._reason = self._try_events()
        if self._reason and self._reason != before:
            log.warning("comparing by the clock: %s", self._reason)

    def stop(self) -> None:
        """Stop watching."""
        observer, self._observer = self._observer, None
        if observer is not None:
            observer.stop()
            observer.join(JOIN_S)

    def rearm(self) -> None:
        """Stop and start again; the caller compares everything afterwards."""
        self.stop()
        self._rearmed += 1
        self.start()

    def find_fault(self) -> str:
        """Return why the events can no longer be trusted, or an empty string.

        A removed, renamed or replaced root gives no event of its own and every thread stays alive, so its identity
        is compared (F12).
        """
        observer = self._observer
        if observer is None:
            came_back = self._mode != "polling" and self._identity is None and _identity(self._root) is not None
            return "the vault folder is back" if came_back else ""
        if _identity(self._root) != self._identity:
            return "the vault folder was replaced"
        if self._exhausted:
            return f"a folder cannot be watched: {self._exhausted}"
        emitters = list(observer.emitters)
        alive = observer.is_alive() and bool(emitters) and all(emitter.is_alive() for emitter in emitters)
        is_reading = getattr(observer, "is_reading", None)
        if not alive or (is_reading is not None and not is_reading()):
            return "a thread of the watcher ended"
        return ""

    @property
    def is_polling(self) -> bool:
        """Say whether there are no events to wait for."""
        return self._observer is None

    def facts(self) -> WatcherFacts:
        """Return what status tells of the watcher."""
        observer = self._observer
        emitters = [] if observer is None else [emitter for emitter in list(observer.emitters) if emitter.is_alive()]
        return WatcherFacts(
            watching="polling" if observer is None else "events",
            reason=self._reason,
            emitters_alive=len(emitters),
            overflows=self._overflows,
            rearmed=self._rearmed,
            watches=getattr(observer, "n_watches", len(emitters)),
            watches_limit=_read_watch_limit(),
        )

    def _try_events(self) -> str:
        """Begin to receive events; return why there are none, or an empty string."""
        self._exhausted = ""
        if self._mode == "polling":
            return "asked for by watch.mode"
        self._identity = _identity(self._root)
        if self._identity is None:
            return "the vault folder is gone"
        try:
            observer = make_observer(self._paths.needs_no_watch, self._note_overflow, self._note_exhausted)
        except OSError as error:
            return f"events do not work here: {error.strerror or error}"
        try:
            self._run(observer)
        except OSError as error:
            observer.on_thread_stop()
            return f"events do not work here: {error.strerror or error}"
        self._observer = observer
        if self._exhausted:
            self.stop()
            return f"events do not work here: {self._exhausted}"
        return ""

    def _run(self, observer: BaseObserver) -> None:
        handler = _Handler(self._paths, self._hints)
        observer.schedule(handler, os.fspath(self._root), recursive=True, event_filter=list(WATCHED_EVENTS))
        observer.start()

    def _note_overflow(self) -> None:
        with self._lock:
            self._overflows += 1
        self._hints.look_everywhere("the kernel dropped events")

    def _note_exhausted(self, error: OSError) -> None:
        self._exhausted = error.strerror or str(error)


class _Handler(FileSystemEventHandler):
    def __init__(self, paths: PathFilter, hints: Hints) -> None:
        self._paths = paths
        self._hints = hints

    def on_any_event(self, event: FileSystemEvent) -> None:
        if not isinstance(event, WATCHED_EVENTS):
            return
        # An atomic save comes only as a move whose destination is the note, so both ends count.
        found = [self._paths.relative(os.fsdecode(raw)) for raw in (event.src_path, event.dest_path) if raw]
        named = [relative for relative in found if relative is not None]
        if isinstance(event, FOLDER_EVENTS) or _may_be_deleted_folder(event):
            if not all(self._paths.is_hidden(relative) for relative in named):
                self._hints.look_everywhere("a folder changed")
            return
        if not RULE_FILES.isdisjoint(named):
            self._hints.look_everywhere("ignore rules changed")
        notes = [relative for relative in named if self._paths.is_note(relative)]
        if notes:
            self._hints.look_at(*notes)


def _may_be_deleted_folder(event: FileSystemEvent) -> bool:
    """Say whether a deleted "file" may have been a folder: Windows does not tell them apart once they are gone."""
    return (
        sys.platform == "win32" and isinstance(event, FileDeletedEvent) and not Path(os.fsdecode(event.src_path)).suffix
    )


def _identity(root: Path) -> tuple[int, int] | None:
    try:
        found = root.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _read_watch_limit() -> int:
    try:
        return int(LIMIT_FILE.read_text())
    except (OSError, ValueError):
        return 0
