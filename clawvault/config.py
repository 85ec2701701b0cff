"""Every setting once: type, unit, default and range, and where each value came from.

The order of precedence is flags, then ``CLAWVAULT_*`` in the environment, then
``.clawvault/config.toml`` in the vault, then the default written here (decisions, "Truth, place, names").
A field ``name`` of section ``part`` is ``part.name`` in TOML and ``CLAWVAULT_PART_NAME`` in the environment.
"""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any

from clawvault.errors import ConfigError

CONFIG_PATH = ".clawvault/config.toml"
ENV_PREFIX = "CLAWVAULT_"
MAX_CONFIG_BYTES = 1_000_000
MAX_SHOWN_CHARS = 200
TRUE_WORDS = frozenset({"1", "true", "yes", "on"})
FALSE_WORDS = frozenset({"0", "false", "no", "off"})


def _setting(
    default: Any,
    doc: str,
    *,
    choices: tuple[str, ...] = (),
    low: float | None = None,
    high: float | None = None,
) -> Any:
    metadata = {"doc": doc, "choices": choices, "low": low, "high": high}
    if isinstance(default, tuple):
        return field(default_factory=lambda: default, metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True)
class EmbeddingSettings:
    """What turns text into vectors (IW-30..34, TC-07)."""

    provider: str = _setting(
        "sentence-transformers",
        "what makes vectors",
        choices=("sentence-transformers", "use-multilingual", "openai", "none"),
    )
    model: str = _setting("all-MiniLM-L6-v2", "name or folder of the model; packaged names need no network")
    url: str = _setting("", "base address of an OpenAI-compatible server, such as http://localhost:11434/v1")
    api_key_env: str = _setting("OPENAI_API_KEY", "name of the environment variable that holds the key")
    dims: int = _setting(0, "vector length to insist on; 0 takes what the model gives", low=0, high=16384)
    query_prefix: str = _setting("", "text put before a query; empty takes the model's own prompt")
    passage_prefix: str = _setting("", "text put before a passage; empty takes the model's own prompt")
    batch_size: int = _setting(32, "texts per call", low=1, high=2048)
    timeout_s: float = _setting(30.0, "seconds one remote call may take", low=0.1, high=3600)
    bulk: str = _setting(
        "auto",
        "what embeds many texts of a BERT model: its quick form, the model library in a process of its own, or auto, "
        "the library on processors that multiply tiles of bfloat16, where it is the faster one",
        choices=("auto", "quick", "library"),
    )
    allow_download: bool = _setting(False, "let the model library fetch a model that is not on this machine")


@dataclass(frozen=True, slots=True)
class ChunkSettings:
    """How a note is cut (IW-22..26, CB-48, decisions "Chunks")."""

    preset: str = _setting("markdown", "how to cut", choices=("markdown", "openclaw", "ironclaw", "fixed", "paragraph"))
    max_chars: int = _setting(1000, "longest chunk in characters (markdown, fixed, paragraph)", low=100, high=8000)
    min_chars: int = _setting(400, "a chunk is cut no earlier than this many characters", low=1, high=8000)
    overlap_chars: int = _setting(0, "characters a chunk repeats from the one before (fixed)", low=0, high=4000)


@dataclass(frozen=True, slots=True)
class IndexSettings:
    """Which files are notes."""

    extensions: tuple[str, ...] = _setting(("md", "markdown"), "file endings that make a note")
    ignore: tuple[str, ...] = _setting((), "more ignore rules in .gitignore form")
    max_note_bytes: int = _setting(5_000_000, "a larger note is skipped and listed", low=1000, high=1_000_000_000)


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How hits are found and ordered (decisions "Search")."""

    fusion: str = _setting("score", "how lanes are joined", choices=("score", "rrf", "weighted", "adaptive"))
    limit: int = _setting(10, "hits on one page", low=1, high=1000)
    candidates: int = _setting(50, "chunks each lane offers (IW-62)", low=1, high=10_000)
    rrf_k: int = _setting(60, "k of reciprocal rank fusion (IW-56)", low=1, high=10_000)
    vector_weight: float = _setting(0.5, "share of the vector lane in score fusion", low=0, high=1)
    decay: str = _setting("dated", "which notes fade", choices=("dated", "all", "off"))
    half_life_days: float = _setting(30.0, "days until a dated note counts half", low=0.1, high=36_500)
    decay_floor: float = _setting(0.5, "a strong match never fades below this share (limits L2)", low=0, high=1)
    mmr: bool = _setting(True, "prefer variety among hits (OC-26)")
    mmr_lambda: float = _setting(0.7, "1 is score alone, 0 is variety alone", low=0, high=1)
    reranker: str = _setting("", "name or folder of a cross-encoder that reads the best hits again; empty is off")
    rerank_top: int = _setting(20, "how many hits the reranker reads", low=1, high=100)
    min_score: float = _setting(0.0, "drop hits whose fused score is lower (IW-65)", low=0, high=1)


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """How the daemon notices changes (reliability, "Default numbers")."""

    mode: str = _setting("auto", "how changes are noticed", choices=("auto", "events", "polling"))
    settle_s: float = _setting(0.2, "quiet seconds before a changed note is read", low=0.01, high=60)
    settle_max_s: float = _setting(5.0, "longest wait for a note that keeps changing", low=0.1, high=600)
    deletion_delay_s: float = _setting(5.0, "seconds a note must be gone before it leaves the index", low=0, high=3600)
    sweep_s: float = _setting(900.0, "seconds between full comparisons, give or take a quarter", low=1, high=86_400)
    poll_s: float = _setting(2.0, "seconds between comparisons where events do not work", low=0.1, high=3600)


@dataclass(frozen=True, slots=True)
class RecallSettings:
    """What is counted of searches (OC-34)."""

    enabled: bool = _setting(True, "count which statements of dated notes are found")
    keep_queries: bool = _setting(False, "keep the text of each question beside its hash")


@dataclass(frozen=True, slots=True)
class DreamSettings:
    """What moves to the long-term memory note by itself (decisions "Promotion")."""

    nightly: bool = _setting(True, "look once a local date, while the daemon runs, for what deserves to stay")
    hour: int = _setting(3, "not before this local hour", low=0, high=23)
    apply: bool = _setting(False, "write what was found; false only previews it")
    min_score: float = _setting(0.75, "least score of a statement (OC-54)", low=0, high=1)
    min_recalls: int = _setting(3, "least recalls, each question counted once a day (OC-54)", low=1, high=1000)
    min_queries: int = _setting(2, "least distinct questions (OC-54)", low=1, high=32)
    min_days: int = _setting(2, "least distinct days (limits L22)", low=1, high=16)
    max_entries: int = _setting(10, "most entries one run writes", low=1, high=1000)
    max_bytes: int = _setting(2000, "most bytes one run writes", low=100, high=100_000)
    diary: str = _setting("DREAMS.md", "note that tells what each night found; empty writes none")
    writer: str = _setting("", "host name or id of the machine that writes a synced vault; empty is the first")
    untrusted: tuple[str, ...] = _setting(
        ("clips", "clippings", "captures", "inbox", "web", "transcripts", "threads"),
        "folders whose notes are others' words, promoted by a person alone",
    )


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """What agents are offered (IW-89..95)."""

    tool_prefix: str = _setting("", "put before the name of every tool, such as vault_, where a host has its own")


@dataclass(frozen=True, slots=True)
class ContextSettings:
    """What an agent is given at the start of a conversation (IW-76)."""

    budget_bytes: int = _setting(32_000, "the most bytes of it in UTF-8", low=1_000, high=1_000_000)


@dataclass(frozen=True, slots=True)
class Config:
    """All settings of one vault.

    ``origins`` maps each dotted key to ``default``, ``config``, ``environment`` or ``flag``.
    """

    state_dir: str = _setting("", "folder for index, logs and socket; empty takes the user's state folder")
    vector_backend: str = _setting(
        "auto",
        "what compares vectors; sqlite-vec alone keeps none in memory",
        choices=("auto", "sqlite-vec", "numpy", "off"),
    )
    memory_file: str = _setting("MEMORY.md", "the long-term memory note")
    timezone: str = _setting("", "zone of daily notes, such as Europe/Berlin; empty is the machine's")
    undo_bytes: int = _setting(
        100_000_000,
        "most bytes of what notes were before; the oldest go first, the newest of each note stays",
        low=100_000,
        high=100_000_000_000,
    )
    embedding: EmbeddingSettings = field(default_factory=EmbeddingSettings)
    chunks: ChunkSettings = field(default_factory=ChunkSettings)
    index: IndexSettings = field(default_factory=IndexSettings)
    search: SearchSettings = field(default_factory=SearchSettings)
    watch: WatchSettings = field(default_factory=WatchSettings)
    agent: AgentSettings = field(default_factory=AgentSettings)
    recall: RecallSettings = field(default_factory=RecallSettings)
    dream: DreamSettings = field(default_factory=DreamSettings)
    context: ContextSettings = field(default_factory=ContextSettings)
    origins: Mapping[str, str] = field(default_factory=dict, compare=False)


def load_config(
    vault_root: Path | None,
    *,
    environment: Mapping[str, str],
    flags: Mapping[str, object] | None = None,
) -> Config:
    """Read every setting of a vault.

    Args:
        vault_root: The vault; ``None`` reads no file.
        environment: Where ``CLAWVAULT_*`` is looked up.
        flags: Dotted keys with values that win over everything; ``None`` values are passed over.

    Raises:
        ConfigError: A key is unknown, or a value has the wrong type or is out of range.
    """
    file_values = _read_file(vault_root)
    origins: dict[str, str] = {}
    given = {key: value for key, value in (flags or {}).items() if value is not None}
    config = _build(Config, "", file_values, environment, given, origins)
    _refuse_unknown(file_values, origins)
    object.__setattr__(config, "origins", origins)
    return config  # type: ignore[no-any-return]


def _read_file(vault_root: Path | None) -> dict[str, object]:
    if vault_root is None:
        return {}
    path = vault_root / CONFIG_PATH
    try:
        nested = tomllib.loads(_read_regular(path).decode("utf-8-sig"))
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError) as error:
        raise ConfigError(
            f'Cannot read settings from "{CONFIG_PATH}": {error}.',
            "Mend that line, or delete the file to use defaults.",
        ) from error
    except OSError as error:
        raise ConfigError(f'Cannot open "{CONFIG_PATH}": {error.strerror}.', "Check the file's permissions.") from error
    flat: dict[str, object] = {}
    for key, value in nested.items():
        if isinstance(value, dict):
            flat.update({f"{key}.{name}": inner for name, inner in value.items()})
        else:
            flat[key] = value
    return flat


def _read_regular(path: Path) -> bytes:
    """Read a small regular file; a pipe in its place must not hold up every command."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(path, flags)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ValueError("it is not a file")
        with open(descriptor, "rb", closefd=False) as file:
            data = file.read(MAX_CONFIG_BYTES + 1)
    finally:
        os.close(descriptor)
    if len(data) > MAX_CONFIG_BYTES:
        raise ValueError(f"it is longer than {MAX_CONFIG_BYTES} bytes")
    return data


def _build(
    shape: type[Any],
    prefix: str,
    file_values: Mapping[str, object],
    environment: Mapping[str, str],
    flags: Mapping[str, object],
    origins: dict[str, str],
) -> Any:
    values: dict[str, object] = {}
    for item in fields(shape):
        if item.name == "origins":
            continue
        section: Any = item.default_factory
        if isinstance(section, type) and is_dataclass(section):
            values[item.name] = _build(section, f"{item.name}.", file_values, environment, flags, origins)
            continue
        key = prefix + item.name
        env_name = ENV_PREFIX + key.replace(".", "_").upper()
        default = section() if callable(section) else item.default
        origin, raw = "default", default
        for name, found in (
            ("flag", flags.get(key)),
            ("environment", environment.get(env_name)),
            ("config", file_values.get(key)),
        ):
            if found is not None:
                origin, raw = name, found
                break
        origins[key] = origin
        source = {"environment": env_name, "flag": f"--{item.name}"}.get(origin, f"{key} in {CONFIG_PATH}")
        values[item.name] = _checked(source, raw, default, item.metadata)
    return shape(**values)


def _refuse_unknown(file_values: Mapping[str, object], origins: Mapping[str, str]) -> None:
    unknown = sorted(set(file_values) - set(origins))
    if unknown:
        raise ConfigError(
            f'There is no setting "{unknown[0]}" ({CONFIG_PATH}).',
            f"Remove it, or use one of: {', '.join(sorted(origins))}.",
        )


def _checked(source: str, raw: object, default: object, metadata: Mapping[str, Any]) -> object:
    value = _converted(source, raw, default)
    choices, low, high = metadata["choices"], metadata["low"], metadata["high"]
    if choices and value not in choices:
        raise ConfigError(f'{source} is "{value}", which it cannot be.', f"Use one of: {', '.join(choices)}.")
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        out_of_range = (low is not None and value < low) or (high is not None and value > high)
        if out_of_range or value != value:
            raise ConfigError(
                f"{source} is {_shown(value)}, which is out of range.", f"Use a number from {low} to {high}."
            )
    return value


def _shown(raw: object) -> str:
    """Show a value that may be too large, or nested too deeply, to be written out."""
    try:
        text = f"{raw}" if isinstance(raw, (int, float)) else f'"{raw}"'
    except (ValueError, RecursionError):
        return f"a value of type {type(raw).__name__}"
    return text if len(text) <= MAX_SHOWN_CHARS else f"{text[:MAX_SHOWN_CHARS]}..."


def _converted(source: str, raw: object, default: object) -> object:
    wanted: Any = type(default)
    problem = ConfigError(f"{source} is {_shown(raw)}, not a {wanted.__name__}.", f"Default: {default!r}.")
    if isinstance(default, bool):
        if isinstance(raw, bool):
            return raw
        word = _shown(raw).lower().strip('"')
        if word not in TRUE_WORDS | FALSE_WORDS:
            raise problem
        return word in TRUE_WORDS
    if isinstance(default, (int, float)):
        if isinstance(raw, bool) or not isinstance(raw, (int, float, str)):
            raise problem
        try:
            return wanted(raw)
        except (ValueError, OverflowError) as error:
            raise problem from error
    if isinstance(default, tuple):
        if isinstance(raw, str):
            return tuple(part.strip() for part in raw.split(",") if part.strip())
        if isinstance(raw, (list, tuple)) and all(isinstance(part, str) for part in raw):
            return tuple(raw)
        raise problem
    if not isinstance(raw, str):
        raise problem
    return raw
