"""Make small BERT folders with weights of chance, as sentence-transformers writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

WORDS = "the database runs on port staging which does use a of 数 据 库 cafe ##s ##ing ##base 1 2 3 . , ? !".split()
MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def write_bert(
    folder: Path,
    *,
    dims: int = 32,
    heads: int = 4,
    layers: int = 2,
    wide: int = 48,
    pooling: str = "mean",
    modules: tuple[str, ...] = ("Transformer", "Pooling", "Normalize"),
    max_tokens: int = 24,
    config: dict[str, Any] | None = None,
    kind: type[np.generic] = np.float32,
) -> Path:
    """Write a model folder; its numbers are the same each time."""
    (folder / "1_Pooling").mkdir(parents=True)
    (folder / "2_Normalize").mkdir()
    names = [("0", "", modules[0]), ("1", "1_Pooling", modules[1])] + [("2", "2_Normalize", m) for m in modules[2:]]
    values: dict[str, Any] = {
        "modules.json": [
            {"idx": int(name), "name": name, "path": path, "type": f"sentence_transformers.models.{module}"}
            for name, path, module in names
        ],
        "config.json": {
            "architectures": ["BertModel"],
            "model_type": "bert",
            "hidden_act": "gelu",
            "hidden_size": dims,
            "num_attention_heads": heads,
            "num_hidden_layers": layers,
            "intermediate_size": wide,
            "max_position_embeddings": 40,
            "type_vocab_size": 2,
            "vocab_size": len(MARKS) + len(WORDS),
            "layer_norm_eps": 1e-12,
            **(config or {}),
        },
        "sentence_bert_config.json": {"max_seq_length": max_tokens, "do_lower_case": False},
        "tokenizer_config.json": {"tokenizer_class": "BertTokenizer", "do_lower_case": True, "model_max_length": 40},
        "1_Pooling/config.json": {
            "word_embedding_dimension": dims,
            "pooling_mode_cls_token": pooling == "cls",
            "pooling_mode_mean_tokens": pooling == "mean",
            "pooling_mode_max_tokens": pooling == "max",
            "pooling_mode_mean_sqrt_len_tokens": False,
        },
    }
    for name, value in values.items():
        (folder / name).write_text(json.dumps(value), encoding="utf-8")
    (folder / "vocab.txt").write_text("\n".join(MARKS + WORDS) + "\n", encoding="utf-8")
    _write_tokenizer(folder)
    _write_weights(folder / "model.safetensors", dims, layers, wide, kind)
    return folder


def change_json(path: Path, **values: Any) -> None:
    """Set values of a JSON object in a file."""
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **values}), encoding="utf-8")


def _write_tokenizer(folder: Path) -> None:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    vocabulary = {word: number for number, word in enumerate(MARKS + WORDS)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token=MARKS[1]))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.add_special_tokens(MARKS)
    tokenizer.enable_truncation(10)
    tokenizer.save(str(folder / "tokenizer.json"))


def _write_weights(path: Path, dims: int, layers: int, wide: int, kind: type[np.generic]) -> None:
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (len(MARKS) + len(WORDS), dims),
        "embeddings.position_embeddings.weight": (40, dims),
        "embeddings.token_type_embeddings.weight": (2, dims),
        **_norm("embeddings.LayerNorm", dims),
    }
    for layer in range(layers):
        place = f"encoder.layer.{layer}."
        for part in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"):
            shapes |= {f"{place}{part}.weight": (dims, dims), f"{place}{part}.bias": (dims,)}
        shapes |= {f"{place}intermediate.dense.weight": (wide, dims), f"{place}intermediate.dense.bias": (wide,)}
        shapes |= {f"{place}output.dense.weight": (dims, wide), f"{place}output.dense.bias": (dims,)}
        shapes |= _norm(f"{place}attention.output.LayerNorm", dims) | _norm(f"{place}output.LayerNorm", dims)
    chance = np.random.default_rng(7)
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    body = b""
    for name, shape in shapes.items():
        mean = 1.0 if name.endswith("LayerNorm.weight") else 0.0
        data = (mean + 0.3 * chance.standard_normal(shape)).astype(kind).tobytes()
        named = {np.float32: "F32", np.float16: "F16"}[kind]
        header[name] = {"dtype": named, "shape": list(shape), "data_offsets": [len(body), len(body) + len(data)]}
        body += data
    head = json.dumps(header).encode("ascii")
    path.write_bytes(len(head).to_bytes(8, "little") + head + body)


def _norm(name: str, dims: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (dims,), f"{name}.bias": (dims,)}
