"""A model's small files say what it is, and whether it is safe to load."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from fakes import ModelMaker

from clawvault.embed.model_folder import find_model_folder, read_model_folder
from clawvault.embed.packaged import find_packaged, list_packaged
from clawvault.embed.prefixes import Prefixes, known_prefixes
from clawvault.errors import EmbedderError


def put_into_cache(cache: Path, make_model: ModelMaker, name: str) -> Path:
    repository = f"cache/models--{name.replace('/', '--')}"
    folder = make_model(f"{repository}/snapshots/abc123")
    refs = cache / f"models--{name.replace('/', '--')}" / "refs"
    refs.mkdir()
    (refs / "main").write_text("abc123", encoding="utf-8")
    return folder


def test_both_packaged_models_are_found() -> None:
    assert [name for name, _ in list_packaged()] == ["all-MiniLM-L6-v2", "universal-sentence-encoder-multilingual-3"]
    assert find_packaged("acme/model") is None


@pytest.mark.parametrize("weights", ["pytorch_model.bin", "model.pt", "weights.pkl", "model.pth"])
def test_weights_that_can_run_code_are_refused(make_model: ModelMaker, weights: str) -> None:
    """T16."""
    folder = make_model(weights=weights)
    with pytest.raises(EmbedderError, match="can run code when read") as caught:
        read_model_folder(folder, model="m")
    assert weights in caught.value.message
    assert "safetensors" in caught.value.hint


def test_a_pickle_beside_safe_weights_is_never_read_and_no_reason_to_refuse(make_model: ModelMaker) -> None:
    folder = make_model()
    (folder / "pytorch_model.bin").write_bytes(b"x")
    assert read_model_folder(folder, model="m").dims == 8


def test_a_pickle_in_a_later_module_is_refused(make_model: ModelMaker) -> None:
    """T16."""
    folder = make_model()
    modules = json.loads((folder / "modules.json").read_text("utf-8"))
    modules.append({"idx": 1, "name": "1", "path": "2_Dense", "type": "sentence_transformers.models.Dense"})
    (folder / "modules.json").write_text(json.dumps(modules), encoding="utf-8")
    (folder / "2_Dense").mkdir()
    (folder / "2_Dense" / "pytorch_model.bin").write_bytes(b"x")
    with pytest.raises(EmbedderError, match="can run code when read"):
        read_model_folder(folder, model="m")


def test_a_model_with_code_of_its_own_is_refused(make_model: ModelMaker) -> None:
    """T16."""
    folder = make_model(module="custom_module.Evil")
    with pytest.raises(EmbedderError, match="code of its own"):
        read_model_folder(folder, model="m")


def test_a_folder_without_weights_is_refused(make_model: ModelMaker) -> None:
    folder = make_model(weights="notes.md")
    with pytest.raises(EmbedderError, match="no weights"):
        read_model_folder(folder, model="m")


def test_a_folder_that_holds_no_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match=r"no config\.json"):
        read_model_folder(tmp_path, model="m")


def test_a_broken_settings_file_is_an_error_that_names_it(make_model: ModelMaker) -> None:
    folder = make_model()
    (folder / "config.json").write_text("{", encoding="utf-8")
    with pytest.raises(EmbedderError, match=r"config\.json"):
        read_model_folder(folder, model="m")


def test_the_same_files_have_the_same_fingerprint_wherever_they_are(make_model: ModelMaker) -> None:
    assert (
        read_model_folder(make_model("one"), model="m").fingerprint
        == read_model_folder(make_model("two"), model="m").fingerprint
    )


@pytest.mark.parametrize("place", [0, 150_010, 299_999])
def test_weights_of_the_same_size_but_other_numbers_are_another_model(make_model: ModelMaker, place: int) -> None:
    """L1: a fine-tuned model has the size of the one it came from."""
    folder = make_model()
    before = read_model_folder(folder, model="m").fingerprint
    weights = bytearray(300_000)
    weights[place] = 1
    (folder / "model.safetensors").write_bytes(weights)
    assert read_model_folder(folder, model="m").fingerprint != before


def test_large_weights_are_sampled_at_both_ends_and_in_the_middle(make_model: ModelMaker) -> None:
    folder = make_model()
    weights = bytearray(3_000_000)
    prints = set()
    for place in (10, 1_500_010, 2_999_990):
        weights[place] = 1
        (folder / "model.safetensors").write_bytes(weights)
        prints.add(read_model_folder(folder, model="m").fingerprint)
    assert len(prints) == 3


def test_a_change_of_the_tokenizer_is_another_model(make_model: ModelMaker) -> None:
    """I21."""
    folder = make_model()
    before = read_model_folder(folder, model="m").fingerprint
    (folder / "tokenizer.json").write_text("{}", encoding="utf-8")
    assert read_model_folder(folder, model="m").fingerprint != before


def test_prompts_come_from_the_model_before_the_table(make_model: ModelMaker) -> None:
    folder = make_model(prompts={"query": "ask: ", "document": "text: "})
    assert read_model_folder(folder, model="intfloat/e5-small").prefixes == Prefixes("ask: ", "text: ")


def test_prompts_the_model_does_not_state_come_from_its_card(make_model: ModelMaker) -> None:
    folder = make_model()
    assert read_model_folder(folder, model="intfloat/multilingual-e5-small").prefixes == Prefixes(
        "query: ", "passage: "
    )
    assert known_prefixes("nomic-embed-text:latest") == Prefixes("search_query: ", "search_document: ")
    assert known_prefixes("all-MiniLM-L6-v2") == Prefixes()


def test_the_window_is_the_least_the_files_state(make_model: ModelMaker) -> None:
    small = make_model("small", config={"hidden_size": 8, "max_position_embeddings": 64})
    roberta = make_model(
        "roberta", config={"hidden_size": 8, "max_position_embeddings": 66, "model_type": "xlm-roberta"}
    )
    assert read_model_folder(make_model(), model="m").max_tokens == 128
    assert read_model_folder(small, model="m").max_tokens == 64
    assert read_model_folder(roberta, model="m").max_tokens == 64


def test_a_pooling_of_two_kinds_makes_vectors_twice_as_long(make_model: ModelMaker) -> None:
    folder = make_model()
    modules = json.loads((folder / "modules.json").read_text("utf-8"))
    modules.append({"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"})
    (folder / "modules.json").write_text(json.dumps(modules), encoding="utf-8")
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(
        '{"word_embedding_dimension": 8, "pooling_mode_cls_token": true, "pooling_mode_mean_tokens": true}', "utf-8"
    )
    assert read_model_folder(folder, model="m").dims == 16


def test_a_model_in_the_hub_cache_is_found_by_name(make_model: ModelMaker, tmp_path: Path) -> None:
    folder = put_into_cache(tmp_path / "cache", make_model, "acme/tiny")
    environment = {"HF_HUB_CACHE": os.fspath(tmp_path / "cache")}
    assert find_model_folder("acme/tiny", environment) == folder
    assert find_model_folder("acme/other", environment) is None


def test_a_name_without_an_owner_is_looked_for_under_the_librarys_own(make_model: ModelMaker, tmp_path: Path) -> None:
    folder = put_into_cache(tmp_path / "cache", make_model, "sentence-transformers/tiny")
    assert find_model_folder("tiny", {"HF_HOME": os.fspath(tmp_path), "HF_HUB_CACHE": ""}) is None
    assert find_model_folder("tiny", {"HF_HUB_CACHE": os.fspath(tmp_path / "cache")}) == folder
