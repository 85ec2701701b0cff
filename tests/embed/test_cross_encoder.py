"""Reranking: a tiny cross-encoder made here, and everything that is no cross-encoder."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from cross_encoders import make_cross_encoder
from fakes import ModelMaker

from clawvault.config import SearchSettings
from clawvault.embed.packaged import ENGLISH_MODEL
from clawvault.embed.reranking import CrossEncoderReranker, open_reranker
from clawvault.errors import ConfigError, EmbedderError

TEXTS = ["the heron stands in the river", "a kettle", "stone"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_cross_encoder(tmp_path_factory.mktemp("model") / "tiny")


def opened(folder: Path | str) -> CrossEncoderReranker:
    reranker = open_reranker(SearchSettings(reranker=str(folder)), {})
    assert isinstance(reranker, CrossEncoderReranker)
    return reranker


def test_without_a_name_there_is_no_reranker() -> None:
    assert open_reranker(SearchSettings(), {}) is None


@pytest.mark.model
def test_each_text_gets_the_raw_score_of_its_pair_in_its_place(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket.socket, "connect", _refuse)
    forwards = opened(folder).score("heron", TEXTS)
    assert opened(folder).score("heron", TEXTS[::-1])[::-1] == pytest.approx(forwards, abs=1e-4)
    assert len(set(forwards)) == 3
    assert opened(folder).score("kettle", TEXTS) != pytest.approx(forwards, abs=1e-4)


def _refuse(*_: object) -> None:
    raise AssertionError("a connection was opened")


@pytest.mark.model
def test_any_text_can_be_read(folder: Path) -> None:
    """I24: nothing at all, a lone surrogate, a NUL, and far more than the model reads."""
    assert len(opened(folder).score("\udcff", ["", "\x00", "heron " * 20_000, "图书馆"])) == 4


@pytest.mark.model
def test_the_same_question_is_not_read_twice(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reranker = opened(folder)
    first = reranker.score("heron", TEXTS)
    monkeypatch.setattr(reranker, "_predict", _refuse)
    assert reranker.score("heron", TEXTS[:2]) == first[:2]


@pytest.mark.model
def test_a_model_with_several_outputs_is_refused(tmp_path: Path) -> None:
    several = make_cross_encoder(tmp_path / "several", n_labels=3)
    with pytest.raises(EmbedderError, match="does not give one number"):
        opened(several).score("heron", TEXTS)


def test_a_model_that_cannot_load_is_said_and_not_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make_model: ModelMaker
) -> None:
    reranker = opened(_as_cross_encoder(make_model()))
    with pytest.raises(EmbedderError, match="cannot load"):
        reranker.score("heron", TEXTS)
    monkeypatch.setattr(reranker, "_load", _refuse)
    with pytest.raises(EmbedderError, match="cannot load"):
        reranker.score("heron", TEXTS)


def _as_cross_encoder(folder: Path) -> Path:
    config = json.loads((folder / "config.json").read_text("utf-8"))
    (folder / "config.json").write_text(json.dumps({**config, "architectures": ["BertForSequenceClassification"]}))
    return folder


def test_an_embedding_model_is_refused() -> None:
    """It would judge with random numbers."""
    with pytest.raises(EmbedderError, match="no cross-encoder"):
        opened(ENGLISH_MODEL)


def test_a_model_that_is_not_here_is_not_fetched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """I32."""
    monkeypatch.setattr(socket.socket, "connect", _refuse)
    settings = SearchSettings(reranker="ms-marco-MiniLM-L6-v2")
    with pytest.raises(EmbedderError, match="not on this machine"):
        open_reranker(settings, {"HF_HUB_CACHE": str(tmp_path)})


def test_a_short_name_is_looked_for_under_its_usual_owner(tmp_path: Path, make_model: ModelMaker) -> None:
    repository = tmp_path / "models--cross-encoder--tiny"
    _as_cross_encoder(make_model("models--cross-encoder--tiny/snapshots/abc"))
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text("abc")
    assert open_reranker(SearchSettings(reranker="tiny"), {"HF_HUB_CACHE": str(tmp_path)}) is not None


def test_weights_that_can_run_code_are_refused(make_model: ModelMaker) -> None:
    """T16."""
    with pytest.raises(EmbedderError, match="can run code"):
        opened(_as_cross_encoder(make_model(weights="pytorch_model.bin")))


def test_a_model_with_code_of_its_own_is_refused(make_model: ModelMaker) -> None:
    """T16."""
    with pytest.raises(EmbedderError, match="code of its own"):
        opened(_as_cross_encoder(make_model(module="mine.Encoder")))


def test_a_relative_path_is_refused_by_the_name_of_its_setting() -> None:
    with pytest.raises(ConfigError, match=r"search\.reranker"):
        open_reranker(SearchSettings(reranker="./model"), {})


def test_opening_imports_no_model_library(make_model: ModelMaker) -> None:
    folder = _as_cross_encoder(make_model())
    code = (
        "import sys\nfrom clawvault.config import SearchSettings\n"
        "from clawvault.embed.reranking import open_reranker\n"
        f"open_reranker(SearchSettings(reranker={str(folder)!r}), {{}})\n"
        "print({'torch', 'transformers', 'sentence_transformers'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "set()"
