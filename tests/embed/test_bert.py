"""BERT models in NumPy: the vectors of the model library, from the folders it can be trusted with."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_bert import change_json, write_bert

from clawvault.config import Config, EmbeddingSettings, load_config
from clawvault.embed import sentence_transformer
from clawvault.embed.bert.embedder import BertEmbedder
from clawvault.embed.bert.folder import read_bert_folder
from clawvault.embed.bert.layers import Norm, gelu, normalise
from clawvault.embed.bert.model import GROUP_TOKENS, BertModel
from clawvault.embed.bert.tensors import TensorFile
from clawvault.embed.model_folder import find_model_folder, read_model_folder
from clawvault.embed.opening import describe_space, has_quick_form, open_embedder
from clawvault.embed.protocol import Embedder
from clawvault.embed.sentence_transformer import SentenceTransformerEmbedder
from clawvault.errors import EmbedderError

TEXTS = [
    "Which port does the staging database use?",
    "The Café's DATABASES are running — at 12:30, on 192.168.0.1!",
    "数据库的端口是多少？ データベースの移行。 데이터베이스",
    "",
    " \n\t ",
    ".",
    "😀👩‍👩‍👧 ok",
    "def f(x: int) -> int:\n    return x ** 2  # [MASK] [SEP] <b>",
    "a" * 300,
    "The red car needs new tyres before the winter. " * 60,
    "naïve résumé \u0301\u200b\ufffd",
]


def settings(model: Path | str, **values: object) -> Config:
    flags = {"embedding.model": os.fspath(model), **{f"embedding.{name}": value for name, value in values.items()}}
    return load_config(None, environment={}, flags=flags)


def both_ways(folder: Path) -> tuple[Embedder, Embedder]:
    """Open a folder in NumPy and with the model library."""
    quick = open_embedder(settings(folder), {})
    assert isinstance(quick, BertEmbedder)
    return quick, SentenceTransformerEmbedder(
        read_model_folder(folder, model=os.fspath(folder)), os.fspath(folder), EmbeddingSettings()
    )


def lowest_cosine(quick: Embedder, library: Embedder) -> float:
    passages = (quick.embed_passages(TEXTS) * library.embed_passages(TEXTS)).sum(axis=1)
    questions = [float(quick.embed_query(text) @ library.embed_query(text)) for text in TEXTS]
    return min(float(passages.min()), *questions)


@pytest.mark.model
def test_the_packaged_model_gives_the_vectors_of_the_model_library() -> None:
    """I21: stored vectors and a question's are compared, so they must be of one space."""
    folder = find_model_folder("all-MiniLM-L6-v2", {})
    assert folder is not None
    quick, library = both_ways(folder)
    assert quick.space.key == library.space.key
    assert quick.count_tokens(TEXTS) == library.count_tokens(TEXTS)
    assert lowest_cosine(quick, library) > 0.9999


@pytest.mark.model
@pytest.mark.parametrize(
    "shape",
    [
        {},
        {"pooling": "cls", "heads": 2},
        {"modules": ("Transformer", "Pooling"), "heads": 1, "dims": 24, "layers": 3},
        {"config": {"layer_norm_eps": 0.1}, "max_tokens": 9, "wide": 33},
    ],
    ids=["mean", "first token", "not normalised", "short window"],
)
def test_models_of_other_shapes_give_the_vectors_of_the_model_library(shape: dict[str, Any], tmp_path: Path) -> None:
    quick, library = both_ways(write_bert(tmp_path / "model", **shape))
    assert quick.space == library.space
    assert lowest_cosine(quick, library) > 0.9999


@pytest.mark.model
def test_pieces_of_a_text_have_the_vectors_of_the_model_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sentence_transformer, "passage_precision", nullcontext)
    quick, library = both_ways(write_bert(tmp_path / "model"))
    texts = ["the database runs. which port does staging use?", "port 1", "a\ud83d\ude00b"]
    spans = [[(0, 18), (19, 47)], [(0, 6)], [(0, 3)]]
    (_, ours), (_, theirs) = (embedder.embed_parts(texts, spans) for embedder in (quick, library))  # type: ignore[attr-defined]
    assert [part.shape for part in ours] == [(2, 32), (1, 32), (0, 32)]
    assert all(np.allclose(one, other, atol=1e-5) for one, other in zip(ours, theirs, strict=True))


def test_a_question_in_a_fresh_process_imports_no_model_library(tmp_path: Path) -> None:
    """Work counted: what a cold search by meaning loads."""
    folder = write_bert(tmp_path / "model")
    script = (
        "import sys\n"
        "from clawvault.config import load_config\n"
        "from clawvault.embed.opening import open_embedder\n"
        f"config = load_config(None, environment={{}}, flags={{'embedding.model': {os.fspath(folder)!r}}})\n"
        "open_embedder(config, {}).embed_query('which port')\n"
        "heavy = ['torch', 'transformers', 'sentence_transformers', 'huggingface_hub', 'scipy', 'sklearn', 'httpx']\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=300)
    assert result.stdout.strip() == "[]"


def rewrite(name: str, **values: Any) -> Callable[[Path], None]:
    return lambda folder: change_json(folder / name, **values)


@pytest.mark.parametrize(
    "change",
    [
        rewrite("config.json", architectures=["RobertaModel"]),
        rewrite("config.json", hidden_act="gelu_new"),
        rewrite("config.json", position_embedding_type="relative_key"),
        rewrite("config.json", is_decoder=True),
        rewrite("config.json", num_hidden_layers=3),
        rewrite("config.json", num_attention_heads=5),
        rewrite("config.json", vocab_size=9),
        rewrite("sentence_bert_config.json", do_lower_case=True),
        rewrite("tokenizer_config.json", tokenizer_class="XLMRobertaTokenizer"),
        rewrite("tokenizer_config.json", do_lower_case=False),
        rewrite("tokenizer_config.json", strip_accents=True),
        rewrite("1_Pooling/config.json", pooling_mode_max_tokens=True),
        rewrite("1_Pooling/config.json", pooling_mode="lasttoken"),
        lambda folder: (folder / "tokenizer.json").unlink(),
        lambda folder: (folder / "tokenizer.json").write_text("{", encoding="utf-8"),
        lambda folder: (folder / "model.safetensors").write_bytes(b"\0" * 100),
        lambda folder: (folder / "model.safetensors").write_bytes(b"\x04\0\0\0\0\0\0\0[12]"),
        lambda folder: (folder / "model.safetensors").unlink(),
        lambda folder: (folder / "modules.json").write_text("[]", encoding="utf-8"),
    ],
)
def test_a_folder_that_may_come_out_otherwise_is_left_to_the_model_library(
    change: Callable[[Path], object], tmp_path: Path
) -> None:
    folder = write_bert(tmp_path / "model")
    assert read_bert_folder(folder) is not None
    change(folder)
    assert read_bert_folder(folder) is None


@pytest.mark.parametrize(
    "shape",
    [{"kind": np.float16}, {"pooling": "max"}, {"modules": ("Transformer", "Pooling", "Dense")}],
    ids=["half precision", "pooling of maxima", "another module"],
)
def test_a_folder_of_another_kind_is_left_to_the_model_library(shape: dict[str, Any], tmp_path: Path) -> None:
    assert read_bert_folder(write_bert(tmp_path / "model", **shape)) is None


def test_the_newer_way_of_naming_the_pooling_is_read(tmp_path: Path) -> None:
    folder = write_bert(tmp_path / "model")
    (folder / "1_Pooling" / "config.json").write_text('{"embedding_dimension": 32, "pooling_mode": "cls"}', "utf-8")
    bert = read_bert_folder(folder)
    assert bert is not None
    assert bert.pooling == "cls"


@pytest.mark.parametrize(
    ("values", "quick"),
    [
        ({}, True),
        ({"provider": "use-multilingual"}, True),
        ({"provider": "none"}, True),
        ({"model": "acme/never-heard-of"}, True),
        ({"model": "./relative"}, True),
    ],
)
def test_who_waits_for_a_model_library_is_known_beforehand(
    values: dict[str, object], quick: bool, tmp_path: Path
) -> None:
    flags = {f"embedding.{name}": value for name, value in values.items()}
    environment = {"HF_HUB_CACHE": os.fspath(tmp_path)}
    assert has_quick_form(load_config(None, environment={}, flags=flags), environment) is quick


def test_a_model_that_only_its_library_reads_has_no_quick_form(tmp_path: Path) -> None:
    folder = write_bert(tmp_path / "model", config={"hidden_act": "relu"})
    assert not has_quick_form(settings(folder), {})
    assert isinstance(open_embedder(settings(folder), {}), SentenceTransformerEmbedder)


def test_a_text_has_the_same_vector_alone_and_among_others(tmp_path: Path) -> None:
    """I26."""
    embedder = open_embedder(settings(write_bert(tmp_path / "model")), {})
    assert embedder is not None
    texts = [TEXTS[n % len(TEXTS)] + str(n) for n in range(60)]
    together = embedder.embed_passages(texts)
    alone = np.concatenate([embedder.embed_passages([text]) for text in texts])
    assert np.allclose(together, alone, atol=1e-5)
    assert (together.dtype, together.flags.c_contiguous) == (np.float32, True)


def test_questions_and_passages_may_be_embedded_at_the_same_time(tmp_path: Path) -> None:
    embedder = open_embedder(settings(write_bert(tmp_path / "model")), {})
    assert embedder is not None
    found: list[float] = []
    wanted = BertEmbedder.embed_query(embedder, "port 1")  # type: ignore[arg-type]
    texts = ["the database runs on port " + str(n) for n in range(200)]

    def ask() -> None:
        found.extend(float(embedder.embed_query("port 1") @ wanted) for _ in range(20))

    threads = [threading.Thread(target=ask) for _ in range(3)]
    threads.append(threading.Thread(target=embedder.embed_passages, args=(texts,)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(90)
    assert found == [pytest.approx(1.0, abs=1e-5)] * 60


def test_prefixes_are_put_before_questions_and_passages(tmp_path: Path) -> None:
    folder = write_bert(tmp_path / "model")
    change = {"query_prefix": "which ", "passage_prefix": "the "}
    plain, prefixed = open_embedder(settings(folder), {}), open_embedder(settings(folder, **change), {})
    assert plain is not None
    assert prefixed is not None
    assert np.allclose(prefixed.embed_query("port"), plain.embed_query("which port"), atol=1e-6)
    assert np.allclose(prefixed.embed_passages(["port"]), plain.embed_passages(["the port"]), atol=1e-6)
    assert prefixed.count_tokens(["port"]) == [4]
    (_, (piece,)), (_, (same,)) = (
        prefixed.embed_parts(["port"], [[(0, 4)]]),  # type: ignore[attr-defined]
        plain.embed_parts(["the port"], [[(4, 8)]]),  # type: ignore[attr-defined]
    )
    assert np.allclose(piece, same, atol=1e-6)


def test_no_texts_have_no_vectors_and_load_nothing(tmp_path: Path) -> None:
    folder = write_bert(tmp_path / "model")
    embedder = open_embedder(settings(folder), {})
    assert embedder is not None
    (folder / "model.safetensors").unlink()
    assert embedder.embed_passages([]).shape == (0, 32)


def test_a_model_whose_first_token_counts_has_no_pieces(tmp_path: Path) -> None:
    embedder = open_embedder(settings(write_bert(tmp_path / "model", pooling="cls")), {})
    assert isinstance(embedder, BertEmbedder)
    _, (pieces,) = embedder.embed_parts(["the port"], [[(0, 8)]])
    assert pieces.shape == (0, 32)


def test_weights_that_went_away_are_an_error_with_a_next_step(tmp_path: Path) -> None:
    """F29."""
    folder = write_bert(tmp_path / "model")
    embedder = open_embedder(settings(folder), {})
    assert embedder is not None
    (folder / "model.safetensors").unlink()
    with pytest.raises(EmbedderError, match="cannot load") as caught:
        embedder.embed_query("one")
    assert "Keyword search goes on" in caught.value.hint


def test_weights_cut_short_are_an_error_and_work_again_once_whole(tmp_path: Path) -> None:
    """F29: it recovers by itself."""
    folder = write_bert(tmp_path / "model")
    whole = (folder / "model.safetensors").read_bytes()
    embedder = open_embedder(settings(folder), {})
    assert embedder is not None
    (folder / "model.safetensors").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(EmbedderError, match="cannot load"):
        embedder.embed_query("one")
    (folder / "model.safetensors").write_bytes(whole)
    assert embedder.embed_query("one").shape == (32,)


def test_numbers_that_are_none_are_an_error(tmp_path: Path) -> None:
    """I22."""
    folder = write_bert(tmp_path / "model")
    place = TensorFile(folder / "model.safetensors").places["encoder.layer.1.output.LayerNorm.bias"]
    weights = bytearray((folder / "model.safetensors").read_bytes())
    weights[place.start : place.start + 4] = np.float32("nan").tobytes()
    (folder / "model.safetensors").write_bytes(weights)
    embedder = open_embedder(settings(folder), {})
    assert embedder is not None
    with pytest.raises(EmbedderError, match="not finite"):
        embedder.embed_query("one")


def test_a_vector_length_that_is_insisted_on_is_checked(tmp_path: Path) -> None:
    embedder = open_embedder(settings(write_bert(tmp_path / "model"), dims=16), {})
    assert embedder is not None
    with pytest.raises(EmbedderError, match="32 numbers where 16"):
        embedder.embed_query("one")


def test_both_ways_name_the_same_space(tmp_path: Path) -> None:
    folder = write_bert(tmp_path / "model")
    space = describe_space(settings(folder), {})
    library = SentenceTransformerEmbedder(
        read_model_folder(folder, model=os.fspath(folder)), os.fspath(folder), EmbeddingSettings()
    )
    assert space == library.space


def test_texts_are_read_in_groups_of_bounded_size_and_keep_their_order(tmp_path: Path) -> None:
    bert = read_bert_folder(write_bert(tmp_path / "model"))
    assert bert is not None
    model = BertModel(bert, max_tokens=24)
    groups = model.group(["port " * (n % 30) for n in range(100)])
    sizes = [len(tokens.ids) for group in groups for tokens in group]
    assert sizes == [min(n % 30 + 2, 24) for n in range(100)]
    assert max(sum(len(tokens.ids) for tokens in group) for group in groups) <= GROUP_TOKENS
    assert len(groups) == 3


def test_rows_of_a_tensor_are_those_of_the_whole(tmp_path: Path) -> None:
    file = TensorFile(write_bert(tmp_path / "model") / "model.safetensors")
    name = "embeddings.word_embeddings.weight"
    assert np.array_equal(file.read_rows(name, np.array([0, 3, 4])), file.read(name)[[0, 3, 4]])
    with pytest.raises(ValueError, match="ends too early"):
        file.read_rows(name, np.array([10_000_000]))


def test_the_activation_is_exact_and_bears_every_size() -> None:
    values = np.array([[-1e20, -50, -3, -1, -0.1, 0, 0.1, 1, 3, 50, 1e20]], dtype=np.float32)
    wanted = [x * 0.5 * (1 + math.erf(x / math.sqrt(2))) for x in values[0].tolist()]
    gelu(values)
    assert values[0].tolist() == pytest.approx(wanted, rel=1e-6, abs=5e-7)


def test_a_row_is_brought_to_mean_zero_and_variance_one() -> None:
    rows = np.array([[1, 2, 3, 6]], dtype=np.float32)
    normalise(rows, Norm(np.array([1, 1, 1, 2], np.float32), np.array([0, 0, 5, 0], np.float32)), 0.0)
    scale = math.sqrt(3.5)
    assert rows[0].tolist() == pytest.approx([-2 / scale, -1 / scale, 5, 6 / scale], rel=1e-6)
