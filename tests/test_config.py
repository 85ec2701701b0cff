"""Settings: where each comes from, and what no value can be."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawvault.config import CONFIG_PATH, _sets_nothing, load_config
from clawvault.embed.opening import open_embedder
from clawvault.errors import ConfigError, EmbedderError


def written(root: Path, text: str) -> Path:
    (root / ".clawvault").mkdir()
    (root / CONFIG_PATH).write_text(text)
    return root


def test_a_vault_without_settings_has_the_defaults(tmp_path: Path) -> None:
    config = load_config(tmp_path, environment={})
    assert (config.search.limit, config.origins["search.limit"]) == (10, "default")


def test_flags_win_over_environment_and_environment_over_file(tmp_path: Path) -> None:
    written(tmp_path, "[search]\nlimit = 3\ncandidates = 70\nrrf_k = 20\n")
    environment = {"CLAWVAULT_SEARCH_LIMIT": "4", "CLAWVAULT_SEARCH_CANDIDATES": "80"}
    config = load_config(tmp_path, environment=environment, flags={"search.limit": 5})
    assert (config.search.limit, config.search.candidates, config.search.rrf_k) == (5, 80, 20)
    assert [config.origins[f"search.{name}"] for name in ("limit", "candidates", "rrf_k")] == [
        "flag",
        "environment",
        "config",
    ]


def test_the_short_names_of_the_environment_work() -> None:
    config = load_config(None, environment={"CLAWVAULT_VECTOR_BACKEND": "numpy", "CLAWVAULT_STATE_DIR": "/x"})
    assert (config.vector_backend, config.state_dir) == ("numpy", "/x")


@pytest.mark.parametrize(
    "text",
    [
        "[search]\nlimit = 'many'\n",
        "[search]\nlimit = 0\n",
        "[search]\nlimit = inf\n",
        "[search]\nfusion = 'magic'\n",
        "[search]\nhalf_life_days = nan\n",
        "[search]\nmmr = 'perhaps'\n",
        "[search]\nlimt = 3\n",
        "[index]\nignore = [1]\n",
        "not toml",
        "x = " + "[" * 20_000,
        "[search]\nlimit = " + "9" * 5000,
        "# " + "x" * 1_000_001,
        "[search]\nlimit = 0x" + "f" * 9000,
        "[index]\nmax_note_bytes = 0x" + "f" * 9000,
        "[search]\nhalf_life_days = 0x" + "f" * 9000,
        "memory_file = 0x" + "f" * 9000,
        "embedding.provider" + ".a" * 5000 + " = 1",
        "index.extensions" + ".a" * 5000 + " = 1",
        "search.limit" + ".a" * 5000 + " = 1",
        "search.mmr = 0x" + "f" * 9000,
    ],
)
def test_settings_that_make_no_sense_are_an_error_with_a_next_step(tmp_path: Path, text: str) -> None:
    written(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path, environment={})
    assert caught.value.hint


def test_a_pipe_in_the_place_of_the_settings_holds_nothing_up(tmp_path: Path) -> None:
    """F20."""
    (tmp_path / ".clawvault").mkdir()
    os.mkfifo(tmp_path / CONFIG_PATH)
    with pytest.raises(ConfigError):
        load_config(tmp_path, environment={})


@pytest.mark.parametrize(
    "text",
    [
        'url = "https://evil.example/v1"\n',
        'url = "http://localhost:1/v1"\napi_key_env = "HOME_SECRET"\n',
    ],
)
def test_the_settings_of_a_vault_cannot_send_notes_or_secrets_away(tmp_path: Path, text: str) -> None:
    """I32: only the person's own environment can."""
    written(tmp_path, '[embedding]\nprovider = "openai"\nmodel = "m"\n' + text)
    with pytest.raises(EmbedderError, match="would send"):
        open_embedder(load_config(tmp_path, environment={}), {})


@pytest.mark.parametrize("url", ["http://[::1", "http://[evil/v1", "//evil.example/v1"])
def test_an_address_that_is_none_is_refused_with_a_next_step(tmp_path: Path, url: str) -> None:
    """I32."""
    written(tmp_path, f'[embedding]\nprovider = "openai"\nmodel = "m"\nurl = "{url}"\n')
    with pytest.raises((EmbedderError, ConfigError)) as caught:
        open_embedder(load_config(tmp_path, environment={}), {})
    assert caught.value.hint


@pytest.mark.parametrize("url", ["http://localhost:1/v1", "http://127.0.0.1:1/v1", "http://[::1]:1/v1"])
def test_the_settings_of_a_vault_may_name_a_server_on_this_machine(tmp_path: Path, url: str) -> None:
    written(tmp_path, f'[embedding]\nprovider = "openai"\nmodel = "m"\nurl = "{url}"\n')
    assert open_embedder(load_config(tmp_path, environment={}), {}) is not None


def test_the_environment_of_a_person_may_name_any_server(tmp_path: Path) -> None:
    environment = {
        "CLAWVAULT_EMBEDDING_PROVIDER": "openai",
        "CLAWVAULT_EMBEDDING_MODEL": "m",
        "CLAWVAULT_EMBEDDING_URL": "https://embeddings.example/v1",
    }
    embedder = open_embedder(load_config(tmp_path, environment=environment), environment)
    assert embedder is not None
    assert embedder.space.provider == "openai"


LINES = st.sampled_from(
    [
        *("", " \t", "# a comment", "#\t", "# \x00", "# \x7f", "# é\u2028", "# \r", "\r", "\ufeff"),
        *(
            "[search]",
            "[index]",
            " [chunks] ",
            "[search.deep]",
            "[[search]]",
            "[search] # so",
            "[]",
            "[search",
            "['a']",
        ),
        *("limit = 3", "x", "[1]"),
    ]
)


@settings(deadline=None)
@given(st.lists(LINES, max_size=6), st.sampled_from(["\n", "\r\n"]))
def test_a_text_that_is_not_parsed_would_have_set_nothing(lines: list[str], line_end: str) -> None:
    text = line_end.join(lines)
    found: dict[str, object] = tomllib.loads(text) if _sets_nothing(text) else {}
    assert not any(found.values())


@pytest.mark.parametrize(
    "text", ["limit = 3", "[search]\n[search]", "# \x00", "[search", "[a b]", "[[search]]", "# \r#"]
)
def test_a_text_that_sets_something_or_is_not_in_order_is_parsed(text: str) -> None:
    assert not _sets_nothing(text)


PARSED = """
import os, pathlib, sys
from clawvault.config import load_config
load_config(pathlib.Path(sys.argv[1]), environment=os.environ)
print("tomllib" in sys.modules)
"""


@pytest.mark.parametrize(
    ("text", "parsed"),
    [("# limit = 3\n\n[search]\n# fusion = 'rrf'\r\n[index]", "False"), ("[search]\nlimit = 3", "True")],
)
def test_the_parser_is_imported_for_settings_alone(tmp_path: Path, text: str, parsed: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PARSED, written(tmp_path, text)], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == parsed


def test_the_settings_that_a_new_vault_is_given_set_nothing() -> None:
    for language in ("en", "zh"):
        template = Path(__file__).parents[1] / "vault_template" / language / "config.toml"
        assert _sets_nothing(template.read_text(encoding="utf-8"))
