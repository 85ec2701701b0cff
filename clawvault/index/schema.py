"""The tables of the index: two disposable SQLite files that any recent SQLite tool can open (OC-12, CS-13).

``index.sqlite3`` holds what is said of notes and made in seconds from them. ``embeddings.sqlite3`` holds what took a
model to compute: it is vector store and embedding cache at once, and costs hours to make again, so losing one file
never costs the other (I16, I20). Both are used through one connection, the second attached to the first; no two of
their tables have the same name.

A vector belongs to a text and an embedding space, never to a row of a note, so a moved, reverted or re-cut note finds
its vectors again and each is stored once. Vectors of texts that are gone are kept until they outnumber the chunks. A
generation names its space by key: ids of spaces mean nothing outside their own file. A plain table rather than sqlite-
vec's ``vec0`` keeps vectors readable where the extension cannot load, and gives deleted rows back to the file.
``signs`` are of the same text: a bit a dimension for each sentence, kept by how they differ from those of the vector
(``index/sketches.py``), so that they say nothing without it.

The text of a chunk is packed (``index/packing.py``). In its ``heading``, the JSON of the headings it stands under, the
title of the note is ``null``; under the title alone it is empty. Its hash is the first half of a SHA-256: 16 bytes keep
chance from giving two texts of one vault the same one.

Ids of chunks and vectors only grow and are never used twice, so what was read up to an id can be kept in memory.

A *generation* is one way of cutting and embedding all notes. One is active and answers; another may be building
beside it (after a change of model, or a rebuild) and takes over in one step when it is complete (I17, limits L1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

# Marks count as part of a word: without them FTS5 cuts Devanagari and Tamil into single letters.
TOKENIZER: Final = "porter unicode61 remove_diacritics 2 categories ''L* N* Co Mn Mc''"
_INDEX_TABLES: Final[dict[str, str]] = {
    "meta": "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "generations": """CREATE TABLE generations (
    id INTEGER PRIMARY KEY,
    state TEXT NOT NULL CHECK (state IN ('active', 'building')),
    chunker TEXT NOT NULL,
    space_key TEXT NOT NULL,
    model TEXT NOT NULL,
    settings TEXT NOT NULL
)""",
    "notes": """CREATE TABLE notes (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    ctime_ns INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    sha256 BLOB NOT NULL,
    encoding TEXT NOT NULL,
    title TEXT NOT NULL,
    date TEXT,
    evergreen INTEGER NOT NULL,
    importance INTEGER,
    tags TEXT NOT NULL,
    aliases TEXT NOT NULL,
    warnings TEXT NOT NULL,
    stale TEXT NOT NULL DEFAULT '',
    generation INTEGER NOT NULL
)""",
    "chunks": """CREATE TABLE chunks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    note_id INTEGER NOT NULL REFERENCES notes (id),
    generation INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    char_start INTEGER NOT NULL,
    char_end INTEGER NOT NULL,
    line_start INTEGER NOT NULL,
    line_end INTEGER NOT NULL,
    heading TEXT NOT NULL,
    pinned INTEGER NOT NULL,
    text BLOB NOT NULL,
    text_hash BLOB NOT NULL,
    flags TEXT NOT NULL DEFAULT ''
)""",
    "links": """CREATE TABLE links (
    note_id INTEGER NOT NULL REFERENCES notes (id),
    target TEXT NOT NULL,
    heading TEXT NOT NULL,
    line INTEGER NOT NULL
)""",
    "skips": """CREATE TABLE skips (
    path TEXT PRIMARY KEY,
    reason TEXT NOT NULL,
    detail TEXT NOT NULL
) WITHOUT ROWID""",
    "lexicon": """CREATE VIRTUAL TABLE lexicon USING fts5 (
    title, heading, body,
    content='', contentless_delete=1,
    tokenize='"""
    + TOKENIZER
    + """'
)""",
    "chunks_of_note": "CREATE INDEX chunks_of_note ON chunks (note_id, generation)",
    "chunks_by_text": "CREATE INDEX chunks_by_text ON chunks (text_hash)",
    "chunks_before_text": "CREATE INDEX chunks_before_text ON chunks (generation) WHERE ordinal < 0",
    "links_of_note": "CREATE INDEX links_of_note ON links (note_id)",
}

_EMBEDDINGS_TABLES: Final[dict[str, str]] = {
    "spaces": """CREATE TABLE spaces (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    model TEXT NOT NULL,
    dims INTEGER NOT NULL,
    readings TEXT NOT NULL DEFAULT '{}'
)""",
    "vectors": """CREATE TABLE vectors (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    space_id INTEGER NOT NULL REFERENCES spaces (id),
    text_hash BLOB NOT NULL,
    signs BLOB NOT NULL,
    vector BLOB NOT NULL
)""",
    "refused": """CREATE TABLE refused (
    space_id INTEGER NOT NULL REFERENCES spaces (id),
    text_hash BLOB NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (space_id, text_hash)
) WITHOUT ROWID""",
    "vectors_by_text": "CREATE UNIQUE INDEX vectors_by_text ON vectors (space_id, text_hash)",
}


@dataclass(frozen=True, slots=True)
class Layout:
    """What one of the two files is made of.

    Attributes:
        file_name: Its name in the state folder.
        noun: What to call it in a message.
        schema: The name its tables go by on the connection.
        page_bytes: Large enough that rows leave little of a page empty: vectors of 1.5 KB waste a quarter of 4 KB.
        tables: The statement that made each table and index, by name.
    """

    file_name: str
    noun: str
    schema: str
    application_id: int
    version: int
    page_bytes: int
    tables: dict[str, str]


INDEX: Final = Layout("index.sqlite3", "index", "main", 0x434C5756, 9, 8192, _INDEX_TABLES)
EMBEDDINGS: Final = Layout(
    "embeddings.sqlite3", "store of vectors", "embeddings", 0x434C5745, 2, 16384, _EMBEDDINGS_TABLES
)

SHADOW_PREFIX: Final = "lexicon_"
# SQLite's own table of the greatest ids.
SEQUENCE: Final = "sqlite_sequence"
