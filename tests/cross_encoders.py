"""A cross-encoder of a few kilobytes with random weights, the same in every process."""

from __future__ import annotations

import warnings
from pathlib import Path

from clawvault.embed.sentence_transformer import set_library_environment

MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = "the a in is of heron kettle river stone stands blue garden".split()


def make_cross_encoder(folder: Path, *, n_labels: int = 1) -> Path:
    """Save a BERT with one layer that scores pairs of texts made of a dozen words; needs no network."""
    set_library_environment(allow_download=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import torch
        from tokenizers import BertWordPieceTokenizer
        from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

        with torch.random.fork_rng():
            torch.manual_seed(7)
            config = BertConfig(
                vocab_size=len(MARKS) + len(WORDS),
                hidden_size=16,
                num_hidden_layers=1,
                num_attention_heads=2,
                intermediate_size=32,
                max_position_embeddings=64,
                initializer_range=1.0,
                num_labels=n_labels,
            )
            BertForSequenceClassification(config).save_pretrained(folder)
        words = BertWordPieceTokenizer(vocab={word: number for number, word in enumerate([*MARKS, *WORDS])})
        special = {f"{mark.strip('[]').lower()}_token": mark for mark in MARKS}
        PreTrainedTokenizerFast(tokenizer_object=words._tokenizer, model_max_length=64, **special).save_pretrained(
            folder
        )
    return folder
