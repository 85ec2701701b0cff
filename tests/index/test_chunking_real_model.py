"""Chunks as the packaged English model reads them."""

from __future__ import annotations

import pytest

from clawvault.config import ChunkSettings, load_config
from clawvault.embed.opening import open_embedder
from clawvault.index.chunking import chunk_note
from clawvault.vault.markdown import parse_note

TEXTS = {
    "english": "The migration was delayed, since the backup of Thursday could not be restored in time. " * 120,
    "chinese": "我们决定把数据库迁移到新的服务器上，并在星期四上午开会讨论下一步。" * 120,
    "korean": "데이터베이스를 새 서버로 옮기고 목요일 오전에 회의를 하기로 했다. " * 120,
    "code": "```python\n" + "value_one[index_of(name)] += compute(alpha=0.25, beta={'k': -1})\n" * 200 + "```\n",
    "table": "| host | address |\n| --- | --- |\n" + "| srv-0417.example.org | 2001:db8::ff00:42:8329 |\n" * 100,
    "links": "- [one](https://example.org/a/b?c=d&e=f) 2026-01-05T12:00:00Z `x_y_z` **bold** ~~gone~~\n" * 100,
    "run": "x0y1z2" * 1500,
    "emoji": "\U0001f469\u200d\U0001f469\u200d\U0001f467 " * 600,
}


@pytest.mark.parametrize("preset", ["markdown", "openclaw", "ironclaw", "fixed", "paragraph"])
@pytest.mark.parametrize("name", sorted(TEXTS))
def test_no_chunk_is_longer_than_the_packaged_model_reads(name: str, preset: str) -> None:
    """L26: counted by the model's own tokenizer, marks included."""
    embedder = open_embedder(load_config(None, environment={}), {})
    assert embedder is not None
    text = TEXTS[name]
    chunks = chunk_note(
        text,
        parse_note(text),
        ChunkSettings(preset=preset),
        count_tokens=embedder.count_tokens,
        max_tokens=embedder.space.max_tokens,
    )
    counts = embedder.count_tokens([text[chunk.char_start : chunk.char_end] for chunk in chunks])
    assert 0 < max(counts) <= 256
