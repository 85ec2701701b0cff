"""A folder of the vault held open while something in it is read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Self

from clawvault.vault.paths import open_root

IN_BINARY = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOINHERIT", 0)
NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)


class HeldFolder:
    """A folder of the vault, held open where the platform can, so that nobody swaps it for a link meanwhile."""

    def __init__(self, path: str, descriptor: int) -> None:
        self.path = path
        self.descriptor = descriptor

    @classmethod
    def top(cls, root: Path) -> Self:
        """Open the folder of a vault itself.

        Raises:
            FileNotFoundError: It is none.
        """
        return cls(os.fspath(root), open_root(root))

    def names(self) -> list[str]:
        """Return what is in the folder."""
        return os.listdir(self.descriptor if self.descriptor >= 0 else self.path)

    def stat(self, name: str) -> os.stat_result:
        """Return what the disk says of a name, a link not followed."""
        place, at = self.at(name)
        return os.stat(place, dir_fd=at, follow_symlinks=False)

    def open(self, name: str) -> int:
        """Open a file for reading, and wait for nobody; a link is refused."""
        place, at = self.at(name)
        return os.open(place, os.O_RDONLY | NO_FOLLOW | getattr(os, "O_NONBLOCK", 0) | IN_BINARY, dir_fd=at)

    def close(self) -> None:
        """Let go of the folder; safe to call twice."""
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1

    def at(self, name: str) -> tuple[str, int | None]:
        """Return how a name in this folder is given to the system: with the open folder, or as a path."""
        if self.descriptor >= 0:
            return name, self.descriptor
        return os.path.join(self.path, name), None  # noqa: PTH118
