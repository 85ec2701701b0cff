"""Every setting once: type, unit, default and range, and where each value came from.

The order of precedence is flags, then ``CLAWVAULT_*`` in the environment, then
``.clawvault/config.toml`` in the vault, then the default written here (decisions, "Truth, place, names").
A field ``name`` of section ``part`` is ``part.name`` in TOML and ``CLAWVAULT_PART_NAME`` in the environment.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import field, fields
from pathlib import Path
from typing import Any

from clawvault.errors import ConfigError
from clawvault.sections import Section, checked, setting

CONFIG_PATH = ".clawvault/config.toml"
ENV_PREFIX = "CLAWVAULT_"
MAX_CONFIG_BYTES = 1_000_000


class EmbeddingSettings(Section):
    """What turns text into vectors (IW-30..34, TC-07)."""

    provider: str = setting(
        "what makes vectors",
        default="sentence-transformers",
        choices=("sentence-transformers", "use-multilingual", "openai", "none"),
    )
    model: str = setting("name or folder of the model; packaged names need no network", default="all-MiniLM-L6-v2")
    url: str = setting("base address of an OpenAI-compatible server, such as http://localhost:11434/v1", default="")
    api_key_env: str = setting("name of the environment variable that holds the key", default="OPENAI_API_KEY")
    dims: int = setting("vector length to insist on; 0 takes what the model gives", default=0, low=0, high=16384)
    query_prefix: str = setting("text put before a query; empty takes the model's own prompt", default="")
    passage_prefix: str = setting("text put before a passage; empty takes the model's own prompt", default="")
    batch_size: int = setting("texts per call", default=32, low=1, high=2048)
    timeout_s: float = setting("seconds one remote call may take", default=30.0, low=0.1, high=3600)
    bulk: str = setting(
        "what embeds many texts of a BERT model: its quick form, the model library in a process of its own, or auto, "
        "the library on processors that multiply tiles of bfloat16, where it is the faster one",
        default="auto",
        choices=("auto", "quick", "library"),
    )
    allow_download: bool = setting("let the model library fetch a model that is not on this machine", default=False)


class ChunkSettings(Section):
    """How a note is cut (IW-22..26, CB-48, decisions "Chunks")."""

    preset: str = setting(
        "how to cut", default="markdown", choices=("markdown", "openclaw", "ironclaw", "fixed", "paragraph")
    )
    max_chars: int = setting(
        "longest chunk in characters (markdown, fixed, paragraph)", default=1000, low=100, high=8000
    )
    min_chars: int = setting("a chunk is cut no earlier than this many characters", default=400, low=1, high=8000)
    overlap_chars: int = setting("characters a chunk repeats from the one before (fixed)", default=0, low=0, high=4000)


class IndexSettings(Section):
    """Which files are notes."""

    extensions: tuple[str, ...] = setting("file endings that make a note", default=("md", "markdown"))
    ignore: tuple[str, ...] = setting("more ignore rules in .gitignore form", default=())
    max_note_bytes: int = setting(
        "a larger note is skipped and listed", default=5_000_000, low=1000, high=1_000_000_000
    )


class SearchSettings(Section):
    """How hits are found and ordered (decisions "Search")."""

    fusion: str = setting("how lanes are joined", default="score", choices=("score", "rrf", "weighted", "adaptive"))
    limit: int = setting("hits on one page", default=10, low=1, high=1000)
    candidates: int = setting("chunks each lane offers (IW-62)", default=50, low=1, high=10_000)
    rrf_k: int = setting("k of reciprocal rank fusion (IW-56)", default=60, low=1, high=10_000)
    vector_weight: float = setting("share of the vector lane in score fusion", default=0.5, low=0, high=1)
    decay: str = setting("which notes fade", default="dated", choices=("dated", "all", "off"))
    half_life_days: float = setting("days until a dated note counts half", default=30.0, low=0.1, high=36_500)
    decay_floor: float = setting("a strong match never fades below this share (limits L2)", default=0.5, low=0, high=1)
    mmr: bool = setting("prefer variety among hits (OC-26)", default=True)
    mmr_lambda: float = setting("1 is score alone, 0 is variety alone", default=0.7, low=0, high=1)
    reranker: str = setting(
        "name or folder of a cross-encoder that reads the best hits again; empty is off", default=""
    )
    rerank_top: int = setting("how many hits the reranker reads", default=20, low=1, high=100)
    min_score: float = setting("drop hits whose fused score is lower (IW-65)", default=0.0, low=0, high=1)


class WatchSettings(Section):
    """How the daemon notices changes (reliability, "Default numbers")."""

    mode: str = setting("how changes are noticed", default="auto", choices=("auto", "events", "polling"))
    settle_s: float = setting("quiet seconds before a changed note is read", default=0.2, low=0.01, high=60)
    settle_max_s: float = setting("longest wait for a note that keeps changing", default=5.0, low=0.1, high=600)
    deletion_delay_s: float = setting(
        "seconds a note must be gone before it leaves the index", default=5.0, low=0, high=3600
    )
    sweep_s: float = setting(
        "seconds between full comparisons, give or take a quarter", default=900.0, low=1, high=86_400
    )
    poll_s: float = setting("seconds between comparisons where events do not work", default=2.0, low=0.1, high=3600)


class RecallSettings(Section):
    """What is counted of searches (OC-34)."""

    enabled: bool = setting("count which statements of dated notes are found", default=True)
    keep_queries: bool = setting("keep the text of each question beside its hash", default=False)


class DreamSettings(Section):
    """What moves to the long-term memory note by itself (decisions "Promotion")."""

    nightly: bool = setting("look once a local date, while the daemon runs, for what deserves to stay", default=True)
    hour: int = setting("not before this local hour", default=3, low=0, high=23)
    apply: bool = setting("write what was found; false only previews it", default=False)
    min_score: float = setting("least score of a statement (OC-54)", default=0.75, low=0, high=1)
    min_recalls: int = setting("least recalls, each question counted once a day (OC-54)", default=3, low=1, high=1000)
    min_queries: int = setting("least distinct questions (OC-54)", default=2, low=1, high=32)
    min_days: int = setting("least distinct days (limits L22)", default=2, low=1, high=16)
    max_entries: int = setting("most entries one run writes", default=10, low=1, high=1000)
    max_bytes: int = setting("most bytes one run writes", default=2000, low=100, high=100_000)
    diary: str = setting("note that tells what each night found; empty writes none", default="DREAMS.md")
    writer: str = setting("host name or id of the machine that writes a synced vault; empty is the first", default="")
    untrusted: tuple[str, ...] = setting(
        "folders whose notes are others' words, promoted by a person alone",
        default=("clips", "clippings", "captures", "inbox", "web", "transcripts", "threads"),
    )


class AgentSettings(Section):
    """What agents are offered (IW-89..95)."""

    tool_prefix: str = setting(
        "put before the name of every tool, such as vault_, where a host has its own", default=""
    )


class ContextSettings(Section):
    """What an agent is given at the start of a conversation (IW-76)."""

    budget_bytes: int = setting("the most bytes of it in UTF-8", default=32_000, low=1_000, high=1_000_000)


class Config(Section):
    """All settings of one vault.

    ``origins`` maps each dotted key to ``default``, ``config``, ``environment`` or ``flag``.
    """

    state_dir: str = setting("folder for index, logs and socket; empty takes the user's state folder", default="")
    vector_backend: str = setting(
        "what compares vectors; sqlite-vec alone keeps none in memory",
        default="auto",
        choices=("auto", "sqlite-vec", "numpy", "off"),
    )
    memory_file: str = setting("the long-term memory note", default="MEMORY.md")
    timezone: str = setting("zone of daily notes, such as Europe/Berlin; empty is the machine's", default="")
    undo_bytes: int = setting(
        "most bytes of what notes were before; the oldest go first, the newest of each note stays",
        default=100_000_000,
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
    values = _find_values(Config, "", file_values, environment, given, origins)
    _refuse_unknown(file_values, origins)
    return Config(**values, origins=origins)


def _read_file(vault_root: Path | None) -> dict[str, object]:
    if vault_root is None:
        return {}
    path = vault_root / CONFIG_PATH
    try:
        nested = _parse(_read_regular(path).decode("utf-8-sig"))
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


def _parse(text: str) -> dict[str, object]:
    if _sets_nothing(text):
        return {}
    # Imported here: most vaults keep the file they were made with, and its parser takes longer than all the rest of it.
    import tomllib

    return tomllib.loads(text)


def _sets_nothing(text: str) -> bool:
    """Say whether a text is TOML without a single setting, as the file of a new vault is: comments and bare headers."""
    headers = set()
    for line in text.replace("\r\n", "\n").split("\n"):
        words = line.strip(" \t")
        if not words:
            continue
        # What else a comment may hold, and what else is a header, is for the parser to say.
        name = words.removeprefix("[").removesuffix("]")
        is_header = words == f"[{name}]" and name.isascii() and name.isalpha() and name not in headers
        if not (is_header or (words[0] == "#" and words.replace("\t", " ").isprintable())):
            return False
        headers.add(name)
    return True


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


def _find_values(
    section: type[Section],
    prefix: str,
    file_values: Mapping[str, object],
    environment: Mapping[str, str],
    flags: Mapping[str, object],
    origins: dict[str, str],
) -> dict[str, Any]:
    """Return what was given for a section, and say for every setting of it where its value is from."""
    values: dict[str, Any] = {}
    for item in fields(section):
        if item.name == "origins":
            continue
        inner: Any = item.default_factory
        if isinstance(inner, type):
            values[item.name] = inner(**_find_values(inner, f"{item.name}.", file_values, environment, flags, origins))
            continue
        key = prefix + item.name
        env_name = ENV_PREFIX + key.replace(".", "_").upper()
        origins[key] = "default"
        for origin, found, source in (
            ("flag", flags.get(key), f"--{item.name}"),
            ("environment", environment.get(env_name), env_name),
            ("config", file_values.get(key), f"{key} in {CONFIG_PATH}"),
        ):
            if found is not None:
                origins[key] = origin
                values[item.name] = checked(source, found, item.default, item.metadata)
                break
    return values


def _refuse_unknown(file_values: Mapping[str, object], origins: Mapping[str, str]) -> None:
    unknown = sorted(set(file_values) - set(origins))
    if unknown:
        raise ConfigError(
            f'There is no setting "{unknown[0]}" ({CONFIG_PATH}).',
            f"Remove it, or use one of: {', '.join(sorted(origins))}.",
        )
