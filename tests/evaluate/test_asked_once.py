"""An embedder that reads each text once."""

from __future__ import annotations

import numpy as np
from fakes import HashEmbedder

from clawvault.evaluate.asked_once import AskedOnceEmbedder


def test_a_question_is_read_once_and_its_time_kept() -> None:
    inner = HashEmbedder()
    embedder = AskedOnceEmbedder(inner)
    first, second = embedder.embed_query("where"), embedder.embed_query("where")
    assert np.array_equal(first, HashEmbedder().embed_query("where"))
    assert first is second
    assert inner.queries == ["where"]
    assert embedder.took_ms("where") > 0
    assert embedder.took_ms("never") == 0.0


def test_passages_are_read_once_and_come_in_their_order() -> None:
    inner = HashEmbedder()
    embedder = AskedOnceEmbedder(inner)
    embedder.embed_passages(["alpha", "beta"])
    vectors = embedder.embed_passages(["gamma", "beta", "gamma"])
    assert np.array_equal(vectors, HashEmbedder().embed_passages(["gamma", "beta", "gamma"]))
    assert inner.embedded == ["alpha", "beta", "gamma"]


def test_no_passages_give_no_rows() -> None:
    assert AskedOnceEmbedder(HashEmbedder(dims=8)).embed_passages([]).shape == (0, 8)


def test_it_is_of_the_same_space_and_counts_the_same_tokens() -> None:
    inner = HashEmbedder()
    embedder = AskedOnceEmbedder(inner)
    assert embedder.space == inner.space
    assert embedder.count_tokens(["alpha beta"]) == inner.count_tokens(["alpha beta"])
