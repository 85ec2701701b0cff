"""From the bytes of a note to what the index keeps of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from clawvault.config import ChunkSettings
from clawvault.index.records import ChunkText, NoteRecord
from clawvault.vault.dating import importance, is_evergreen, note_day
from clawvault.vault.notes import NoteText


@dataclass(frozen=True, slots=True)
class Cutter:
    """How one generation cuts: its settings, and the tokenizer of the model that reads its chunks.

    ``max_tokens`` is 0 when the model reads any length.
    """

    generation: int
    settings: ChunkSettings
    count_tokens: Callable[[Sequence[str]], list[int]]
    max_tokens: int


def build_note(note: NoteText, cutters: Sequence[Cutter]) -> tuple[NoteRecord, dict[int, list[ChunkText]]]:
    """Parse and cut one note.

    Returns:
        The note's record, and for each cutter's generation the chunks in order, each an exact slice (I14).
    """
    # Imported at the first note: most searches compare the disk with the index and find nothing to cut.
    from clawvault.index.chunking import chunk_note
    from clawvault.vault.markdown import parse_note

    parsed = parse_note(note.text)
    day = note_day(note.file.path, parsed.front_matter)
    warnings = (*parsed.warnings, *((f"encoding guessed: {note.encoding}",) if note.guessed else ()))
    record = NoteRecord(
        file=note.file,
        sha256=note.sha256,
        encoding=note.encoding,
        title=parsed.title,
        date=None if day is None else day.isoformat(),
        evergreen=is_evergreen(note.file.path, parsed.front_matter),
        importance=importance(parsed.front_matter),
        tags=tuple(dict.fromkeys(tag.lower() for tag in parsed.tags)),
        aliases=parsed.aliases,
        warnings=warnings,
        links=parsed.links,
    )
    chunks = {
        cutter.generation: [
            ChunkText(chunk, note.text[chunk.char_start : chunk.char_end])
            for chunk in chunk_note(
                note.text, parsed, cutter.settings, count_tokens=cutter.count_tokens, max_tokens=cutter.max_tokens
            )
        ]
        for cutter in cutters
    }
    return record, chunks
