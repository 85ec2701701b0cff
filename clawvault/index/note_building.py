"""From the bytes of a note to what the index keeps of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from clawvault.config import ChunkSettings
from clawvault.guard.findings import flags_within, worst_first
from clawvault.index.known_cuts import KnownCuts
from clawvault.index.lengths import KnownLengths
from clawvault.index.records import ChunkText, NoteRecord
from clawvault.vault.dating import importance, is_evergreen, note_day
from clawvault.vault.notes import NoteText

NOT_TEXT = "it is not text: it holds no letter, and can be found by its name alone"


@dataclass(frozen=True, slots=True)
class Cutter:
    """How one generation cuts: its settings, and the tokenizer of the model that reads its chunks.

    ``max_tokens`` is 0 when the model reads any length. ``lengths`` remembers which texts are within them,
    ``cuts`` how long notes were cut.
    """

    generation: int
    settings: ChunkSettings
    count_tokens: Callable[[Sequence[str]], list[int]]
    max_tokens: int
    lengths: KnownLengths | None = None
    cuts: KnownCuts = field(default_factory=KnownCuts)


def build_note(note: NoteText, cutters: Sequence[Cutter]) -> tuple[NoteRecord, dict[int, list[ChunkText]]]:
    """Parse and cut one note.

    Secrets are masked before anything is read from the text, so none gets any further (I43). A mark is as long as what
    it replaces: offsets and lines are those of the note.

    Returns:
        The note's record, and for each cutter's generation the chunks in order, each an exact slice of the note but for
        masked secrets (I14), with what flags it. A note in which there is nothing to find has one without text, so that
        it is found by its name.
    """
    # Imported at the first note: most searches compare the disk with the index and find nothing to cut.
    from clawvault.index.chunking import NAME_ALONE, chunk_note
    from clawvault.index.screening import mask_note
    from clawvault.index.wording import holds_words, list_found_properties
    from clawvault.vault.markdown import parse_note

    written, note = note.text, note._replace(text=mask_note(note.text))
    parsed = parse_note(note.text)
    day = note_day(note.file.path, parsed.front_matter)
    warnings = (*parsed.warnings, *((f"encoding guessed: {note.encoding}",) if note.guessed else ()))
    if "\0" in note.text and not holds_words(note.text):
        warnings = (*warnings, NOT_TEXT)
    properties = list_found_properties(note.text, parsed)
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
    chunks: dict[int, list[ChunkText]] = {}
    for cutter in cutters:
        cut = chunk_note(
            note.text,
            parsed,
            cutter.settings,
            count_tokens=cutter.count_tokens,
            max_tokens=cutter.max_tokens,
            lengths=cutter.lengths,
            cuts=cutter.cuts,
            of_front_matter=properties,
        )
        texts = [ChunkText(chunk, note.text[chunk.char_start : chunk.char_end]) for chunk in cut]
        # What holds no word can be asked for by none, and its vector would be near to anything.
        texts = [item for item in texts if holds_words(item.text)] or [ChunkText(NAME_ALONE, "")]
        chunks[cutter.generation] = _flag(texts, written, record.title)
    return record, chunks


def _flag(chunks: list[ChunkText], written: str, title: str) -> list[ChunkText]:
    """Say of each chunk what may steer a model: in its text, and in the title and headings that are shown with it.

    Whoever steers in front matter has written all of the note.
    """
    from clawvault.guard.injections import scan
    from clawvault.guard.prose import after_front_matter
    from clawvault.index.screening import scan_note

    findings, in_title = scan_note(written), flags_within(scan(title), 0, len(title))
    if not findings and not in_title:
        return chunks
    in_title = worst_first((*in_title, *flags_within(findings, 0, after_front_matter(written)[1])))
    flagged: list[ChunkText] = []
    in_headings: dict[str, tuple[str, ...]] = {}
    for item in chunks:
        above = "\n".join(item.chunk.heading)
        if above not in in_headings:
            in_headings[above] = flags_within(scan(above), 0, len(above))
        inside = flags_within(findings, item.chunk.char_start, item.chunk.char_end)
        flagged.append(replace(item, flags=worst_first((*inside, *in_headings[above], *in_title))))
    return flagged
