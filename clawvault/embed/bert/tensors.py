"""Read single tensors, or rows of them, out of a safetensors file."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from clawvault.embed.protocol import FloatArray

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MAX_HEADER_BYTES = 10_000_000


@dataclass(frozen=True, slots=True)
class TensorPlace:
    """Say where a tensor lies.

    Args:
        kind: Its number format as the file names it, such as ``F32``.
        shape: Its sizes, the last one varies fastest.
        start: Byte of the file it begins at.
    """

    kind: str
    shape: tuple[int, ...]
    start: int


class TensorFile:
    """A safetensors file of which only what is asked for is read.

    It is read and not mapped into memory: a mapped file that is replaced in place ends the process, and of the table of
    words, half of a small model, a question needs a few rows.

    Args:
        path: The file.

    Raises:
        OSError: The file cannot be read.
        ValueError: It is no safetensors file.

    Source: https://github.com/huggingface/safetensors#format
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.places: Mapping[str, TensorPlace] = MappingProxyType(_read_header(path))
        self._lock = threading.Lock()

    def read(self, name: str) -> FloatArray:
        """Return a tensor of float32 numbers."""
        # Who reads the header alone, to know what a model is, must not pay for it.
        import numpy as np

        place = self.places[name]
        count = int(np.prod(place.shape, dtype=np.int64))
        values = np.fromfile(self._path, dtype="<f4", count=count, offset=place.start)
        return values.reshape(place.shape).astype(np.float32, copy=False)

    def read_rows(self, name: str, rows: npt.NDArray[np.int64]) -> FloatArray:
        """Return some rows of a matrix of float32 numbers.

        Args:
            name: The tensor.
            rows: n row numbers, ascending.

        Returns:
            (n, columns) float32.
        """
        import numpy as np

        place = self.places[name]
        columns = place.shape[1]
        found = np.empty((len(rows), columns), dtype="<f4")
        with self._lock, self._path.open("rb", buffering=0) as stream:
            for row, target in zip(rows.tolist(), found, strict=True):
                stream.seek(place.start + row * columns * 4)
                if stream.readinto(target.view(np.uint8)) != columns * 4:  # type: ignore[arg-type]
                    raise ValueError(f'"{self._path}" ends too early')
        return found.astype(np.float32, copy=False)


def _read_header(path: Path) -> dict[str, TensorPlace]:
    with path.open("rb") as stream:
        size = int.from_bytes(stream.read(8), "little")
        if not 2 <= size <= MAX_HEADER_BYTES:
            raise ValueError(f'"{path}" is no safetensors file')
        header = json.loads(stream.read(size))
    if not isinstance(header, dict):
        raise ValueError(f'"{path}" is no safetensors file')
    try:
        return {
            name: TensorPlace(str(entry["dtype"]), tuple(entry["shape"]), 8 + size + int(entry["data_offsets"][0]))
            for name, entry in header.items()
            if name != "__metadata__"
        }
    except (KeyError, TypeError, IndexError) as error:
        raise ValueError(f'"{path}" is no safetensors file') from error
