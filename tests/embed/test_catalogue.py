"""Which models can be chosen, and how the choice is written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from fakes import HashEmbedder, ModelMaker

from clawvault.config import Config, load_config
from clawvault.embed.catalogue import list_models, probe_model, write_model_choice
from clawvault.embed.probe_texts import PASSAGES, QUESTIONS
from clawvault.errors import ConfigError


def settings(**values: object) -> Config:
    return load_config(None, environment={}, flags={f"embedding.{name}": value for name, value in values.items()})


def test_the_packaged_models_come_first_and_the_default_is_active(tmp_path: Path) -> None:
    models = list_models(settings(), {"HF_HUB_CACHE": os.fspath(tmp_path)})
    assert [(m.name, m.provider, m.place, m.dims, m.max_tokens, m.active, m.problem) for m in models] == [
        ("all-MiniLM-L6-v2", "sentence-transformers", "packaged", 384, 256, True, ""),
        ("universal-sentence-encoder-multilingual-3", "use-multilingual", "packaged", 512, 0, False, ""),
    ]


def test_models_in_the_cache_are_listed_and_a_bad_one_says_why(make_model: ModelMaker, tmp_path: Path) -> None:
    for name, weights in (("good", "model.safetensors"), ("pickled", "pytorch_model.bin")):
        make_model(f"cache/models--acme--{name}/snapshots/r1", weights=weights)
        refs = tmp_path / "cache" / f"models--acme--{name}" / "refs"
        refs.mkdir()
        (refs / "main").write_text("r1\n", encoding="utf-8")
    models = list_models(settings(model="acme/good"), {"HF_HUB_CACHE": os.fspath(tmp_path / "cache")})
    found = {model.name: (model.place, model.active, bool(model.problem)) for model in models}
    assert found["acme/good"] == ("cache", True, False)
    assert found["acme/pickled"] == ("cache", False, True)
    assert found["all-MiniLM-L6-v2"] == ("packaged", False, False)


def test_a_configured_model_that_is_not_here_is_listed_with_the_reason(tmp_path: Path) -> None:
    models = list_models(settings(model="acme/gone"), {"HF_HUB_CACHE": os.fspath(tmp_path)})
    assert (models[-1].name, models[-1].active, models[-1].problem) == ("acme/gone", True, "not on this machine")


def test_a_remote_model_is_listed_without_asking_its_server(tmp_path: Path) -> None:
    config = settings(provider="openai", model="nomic-embed-text", url="http://127.0.0.1:9/v1")
    models = list_models(config, {"HF_HUB_CACHE": os.fspath(tmp_path)})
    assert (models[-1].name, models[-1].place, models[-1].active) == ("nomic-embed-text", "server", True)


def test_the_probe_has_eight_pairs_in_each_language() -> None:
    assert {(language, len(texts), len(QUESTIONS[language])) for language, texts in PASSAGES.items()} == {
        (language, 8, 8) for language in ("en", "zh", "ja", "ko", "de", "fr", "es")
    }


def test_the_probe_gives_a_share_for_each_language() -> None:
    scores = probe_model(HashEmbedder())
    assert sorted(scores) == ["de", "en", "en-zh", "es", "fr", "ja", "ko", "zh", "zh-en"]
    assert all(0 <= score <= 1 for score in scores.values())


def test_choosing_a_model_keeps_comments_and_other_settings(tmp_path: Path) -> None:
    path = tmp_path / ".clawvault" / "config.toml"
    path.parent.mkdir()
    path.write_text('# mine\n[search]\nlimit = 7 # seven\n\n[embedding]\nmodel = "old" # why\n', encoding="utf-8")
    write_model_choice(tmp_path, provider="openai", model="nomic-embed-text", url="http://localhost:11434/v1")
    assert path.read_text("utf-8") == (
        '# mine\n[search]\nlimit = 7 # seven\n\n[embedding]\nmodel = "nomic-embed-text" # why\n'
        'provider = "openai"\nurl = "http://localhost:11434/v1"\n'
    )
    assert [entry.name for entry in path.parent.iterdir()] == ["config.toml"]


def test_choosing_a_model_makes_the_settings_where_there_are_none(tmp_path: Path) -> None:
    write_model_choice(tmp_path, provider="use-multilingual")
    config = load_config(tmp_path, environment={})
    assert (config.embedding.provider, config.origins["embedding.provider"]) == ("use-multilingual", "config")


def test_choosing_a_model_does_not_touch_settings_it_cannot_read(tmp_path: Path) -> None:
    path = tmp_path / ".clawvault" / "config.toml"
    path.parent.mkdir()
    path.write_text("[embedding\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="Cannot read"):
        write_model_choice(tmp_path, provider="none")
    assert path.read_text("utf-8") == "[embedding\n"
