"""Which model folders NumPy can read: exactly those whose vectors come out the same as from the model library."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clawvault.embed.bert.tensors import TensorFile

WEIGHTS = "model.safetensors"
EMBEDDINGS = "embeddings.word_embeddings.weight"
TOKENIZER_CLASSES = frozenset({None, "BertTokenizer", "BertTokenizerFast"})
MODULES = (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"])
WORD_MARKS = ("[UNK]", "##")
# The error-free GELU; "gelu_new" and its like give other values.
EXACT_GELU = "gelu"
# A larger model gains from the library's own kernels, and its weights are not for every process to hold.
MAX_WEIGHTS_BYTES = 600_000_000


@dataclass(frozen=True, slots=True)
class BertFolder:
    """Describe a model that NumPy can read.

    Args:
        path: The folder.
        layers: Number of its layers.
        heads: Attention heads of a layer.
        dims: Length of a token's vector.
        epsilon: Added to the variance before its root is taken.
        pooling: ``mean`` of all tokens, or ``cls``, the first alone.
    """

    path: Path
    layers: int
    heads: int
    dims: int
    epsilon: float
    pooling: str


def read_bert_folder(path: Path) -> BertFolder | None:
    """Describe a model folder if NumPy can read it.

    Args:
        path: The folder of a sentence-transformers model.

    Returns:
        ``None`` for every other architecture, activation, tokenizer, pooling or number format, and for files that
        cannot be read; the model library then says what is wrong with them.

    Cost: A few milliseconds; the header of the weights is read, and the tokenizer's file.
    """
    try:
        config = _read(path / "config.json")
        pooling = _read_pooling(path)
        if pooling is None or not _is_plain_bert(config) or not _has_plain_tokenizer(path):
            return None
        bert = BertFolder(
            path=path,
            layers=int(config["num_hidden_layers"]),
            heads=int(config["num_attention_heads"]),
            dims=int(config["hidden_size"]),
            epsilon=float(config.get("layer_norm_eps", 1e-12)),
            pooling=pooling,
        )
        return bert if _has_all_weights(bert, config) else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def list_tensors(layers: int) -> list[str]:
    """List the names of the tensors a forward pass needs."""
    parts = ["attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"]
    parts += ["attention.output.LayerNorm", "intermediate.dense", "output.dense", "output.LayerNorm"]
    names = [EMBEDDINGS, "embeddings.position_embeddings.weight", "embeddings.token_type_embeddings.weight"]
    names += [f"embeddings.LayerNorm.{kind}" for kind in ("weight", "bias")]
    return names + [
        f"encoder.layer.{layer}.{part}.{kind}"
        for layer in range(layers)
        for part in parts
        for kind in ("weight", "bias")
    ]


def _read(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def _is_plain_bert(config: Mapping[str, Any]) -> bool:
    return (
        config.get("architectures") == ["BertModel"]
        and config.get("model_type") == "bert"
        and config.get("hidden_act") == EXACT_GELU
        and config.get("position_embedding_type", "absolute") == "absolute"
        and not config.get("is_decoder", False)
        and config["hidden_size"] % config["num_attention_heads"] == 0
    )


def _read_pooling(path: Path) -> str | None:
    modules = _read(path / "modules.json")
    kinds = [str(module["type"]).rpartition(".")[2] for module in modules]
    own = path / "sentence_bert_config.json"
    settings = _read(own) if own.is_file() else {}
    if kinds not in MODULES or modules[0]["path"] or settings.get("do_lower_case"):
        return None
    if settings.get("transformer_task", "feature-extraction") != "feature-extraction":
        return None
    pooling = _read(path / modules[1]["path"] / "config.json")
    chosen = [name for name, value in pooling.items() if name.startswith("pooling_mode_") and value is True]
    named = pooling.get("pooling_mode")
    if named in {"mean", "cls"} and not chosen:
        return str(named)
    known = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls"}
    return known.get(chosen[0]) if len(chosen) == 1 and named is None else None


def _has_plain_tokenizer(path: Path) -> bool:
    """Say whether the tokenizer's file makes what the library makes anew from vocabulary and settings."""
    own = path / "tokenizer_config.json"
    settings = _read(own) if own.is_file() else {}
    if settings.get("tokenizer_class") not in TOKENIZER_CLASSES:
        return False
    parts = _read(path / "tokenizer.json")
    normalizer, model = parts["normalizer"], parts["model"]
    return (
        normalizer["type"] == "BertNormalizer"
        and normalizer["clean_text"] is True
        and normalizer["handle_chinese_chars"] is settings.get("tokenize_chinese_chars", True)
        and normalizer["strip_accents"] is settings.get("strip_accents")
        and normalizer["lowercase"] is settings.get("do_lower_case", True)
        and parts["pre_tokenizer"]["type"] == "BertPreTokenizer"
        and parts["post_processor"]["type"] in {"TemplateProcessing", "BertProcessing"}
        and model.get("type", "WordPiece") == "WordPiece"
        and (model["unk_token"], model["continuing_subword_prefix"]) == WORD_MARKS
    )


def _has_all_weights(bert: BertFolder, config: Mapping[str, Any]) -> bool:
    path = bert.path / WEIGHTS
    if path.stat().st_size > MAX_WEIGHTS_BYTES:
        return False
    places = TensorFile(path).places
    found = [places.get(name) for name in list_tensors(bert.layers)]
    return (
        all(place is not None and place.kind == "F32" for place in found)
        and places[EMBEDDINGS].shape == (config["vocab_size"], bert.dims)
        and places["encoder.layer.0.intermediate.dense.weight"].shape == (config["intermediate_size"], bert.dims)
    )
