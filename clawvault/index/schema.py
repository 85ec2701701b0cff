"""The tables of the index: one disposable SQLite file that any recent SQLite tool can open (OC-12, CS-13).

``vectors`` is the vector store and the embedding cache at once: a vector belongs to a text and an embedding space,
never to a row of a note, so a moved, reverted or re-cut note finds its vectors again and each is stored once.
A plain table rather than sqlite-vec's ``vec0`` keeps them readable where the extension cannot load, and gives
deleted rows back to the file. ``sketches`` are of the same texts: a bit a dimension for each sentence.

Ids of chunks and vectors only grow and are never used twice, so what was read up to an id can be kept in memory.

A *generation* is one way of cutting and embedding all notes. One is active and answers; another may be building
beside it (after a change of model, or a rebuild) and takes over in one step when it is complete (I17, limits L1).
"""

from __future__ import annotations

from typing import Final

from clawvault.index.lexical import TOKENIZER

APPLICATION_ID: Final = 0x434C5756
SCHEMA_VERSION: Final = 3

TABLES: Final[dict[str, str]] = {
    "meta": "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "generations": """CREATE TABLE generations (
    id INTEGER PRIMARY KEY,
    state TEXT NOT NULL CHECK (state IN ('active', 'building')),
    chunker TEXT NOT NULL,
    space_id INTEGER REFERENCES spaces (id),
    settings TEXT NOT NULL
)""",
    "spaces": """CREATE TABLE spaces (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    model TEXT NOT NULL,
    dims INTEGER NOT NULL,
    readings TEXT NOT NULL DEFAULT '{}'
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
    text TEXT NOT NULL,
    text_hash BLOB NOT NULL
)""",
    "vectors": """CREATE TABLE vectors (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    space_id INTEGER NOT NULL REFERENCES spaces (id),
    text_hash BLOB NOT NULL,
    vector BLOB NOT NULL
)""",
    "sketches": """CREATE TABLE sketches (
    space_id INTEGER NOT NULL REFERENCES spaces (id),
    text_hash BLOB NOT NULL,
    signs BLOB NOT NULL,
    PRIMARY KEY (space_id, text_hash)
) WITHOUT ROWID""",
    "refused": """CREATE TABLE refused (
    space_id INTEGER NOT NULL REFERENCES spaces (id),
    text_hash BLOB NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (space_id, text_hash)
) WITHOUT ROWID""",
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
    "vectors_by_text": "CREATE UNIQUE INDEX vectors_by_text ON vectors (space_id, text_hash)",
    "links_of_note": "CREATE INDEX links_of_note ON links (note_id)",
}

SHADOW_PREFIX: Final = "lexicon_"
# SQLite's own table of the greatest ids.
SEQUENCE: Final = "sqlite_sequence"
