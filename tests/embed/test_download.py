"""A model is fetched only when the person allowed it, and without the parts that can run code."""

from __future__ import annotations

import os
import sys
import types
from pathlib import Path
from typing import Any

import pytest
from fakes import ModelMaker

from clawvault.config import load_config
from clawvault.embed.opening import describe_space, open_embedder
from clawvault.errors import EmbedderError

FLAGS = {"embedding.model": "acme/tiny", "embedding.allow_download": True}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, make_model: ModelMaker) -> list[tuple[str, dict[str, Any]]]:
    """Put a hub in place that knows one model, and return what it is asked for."""
    requests: list[tuple[str, dict[str, Any]]] = []

    def snapshot_download(name: str, **options: Any) -> str:
        requests.append((name, options))
        if name != "acme/tiny":
            raise OSError("no such model")
        return os.fspath(make_model())

    module = types.ModuleType("huggingface_hub")
    module.snapshot_download = snapshot_download  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "huggingface_hub", module)
    monkeypatch.setattr(os, "environ", dict(os.environ))
    return requests


def test_an_allowed_download_leaves_out_what_can_run_code(
    asked: list[tuple[str, dict[str, Any]]], tmp_path: Path
) -> None:
    """T16, I32."""
    environment = {"HF_HUB_CACHE": os.fspath(tmp_path / "cache")}
    embedder = open_embedder(load_config(None, environment={}, flags=FLAGS), environment)
    assert embedder is not None
    assert embedder.space.dims == 8
    ((name, options),) = asked
    assert (name, options["cache_dir"]) == ("acme/tiny", tmp_path / "cache")
    assert {"*.bin", "*.pkl", "*.pt"} <= set(options["ignore_patterns"])


def test_a_download_that_fails_is_an_error_with_a_next_step(
    asked: list[tuple[str, dict[str, Any]]], tmp_path: Path
) -> None:
    config = load_config(None, environment={}, flags={**FLAGS, "embedding.model": "acme/gone"})
    with pytest.raises(EmbedderError, match='"acme/gone" cannot be fetched') as caught:
        open_embedder(config, {"HF_HUB_CACHE": os.fspath(tmp_path)})
    assert "clawvault model list" in caught.value.hint


def test_describing_a_space_fetches_nothing(asked: list[tuple[str, dict[str, Any]]], tmp_path: Path) -> None:
    """I32."""
    with pytest.raises(EmbedderError, match="not on this machine"):
        describe_space(load_config(None, environment={}, flags=FLAGS), {"HF_HUB_CACHE": os.fspath(tmp_path)})
    assert asked == []
