"""Which note a link means: pure. Both by place, as Markdown has it, and by name, as wikilinks do."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

from clawvault.vault.inline_marks import NOTE_ENDS


class NoteNames:
    """The notes that links may mean.

    Args:
        paths: Vault paths.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = {path.casefold(): path for path in sorted(paths, reverse=True)}
        self._by_name: dict[str, list[str]] = {}
        for folded in sorted(self._paths, key=lambda path: (path.count("/"), path)):
            self._by_name.setdefault(_stem(folded.rpartition("/")[2]), []).append(folded)

    def find(self, target: str, origin: str) -> str | None:
        """Return the note a link means.

        Args:
            target: As written, without heading and alias; empty means the note itself.
            origin: The note the link stands in.

        Returns:
            Its path; ``None`` when there is no such note. By place first, then by name, the one nearest the top.
        """
        return self.find_by_place(target, origin) or self.find_by_name(target)

    def find_by_place(self, target: str, origin: str) -> str | None:
        """Return the note at a path that counts from the note it stands in, or from the vault."""
        if not target:
            return origin
        folder = posixpath.dirname(origin)
        for start in (folder, ""):
            place = posixpath.normpath(posixpath.join(start, target)).casefold()
            for ending in ("", *NOTE_ENDS):
                if (found := self._paths.get(place + ending)) is not None:
                    return found
        return None

    def find_by_name(self, target: str) -> str | None:
        """Return the note whose path ends so, whatever folder it is in."""
        wanted = _stem(target.casefold().removeprefix("/"))
        for folded in self._by_name.get(wanted.rpartition("/")[2], ()):
            if _stem(folded) == wanted or _stem(folded).endswith(f"/{wanted}"):
                return self._paths[folded]
        return None


def means_note(target: str) -> bool:
    """Say whether a link means a note, and not a picture or another file."""
    name = target.rpartition("/")[2]
    ending = name.rpartition(".")[2]
    is_file = "." in name.lstrip(".") and ending.isascii() and ending.isalpha() and len(ending) <= 5
    return not is_file or name.casefold().endswith(NOTE_ENDS)


def _stem(path: str) -> str:
    return next((path.removesuffix(ending) for ending in NOTE_ENDS if path.endswith(ending)), path)
