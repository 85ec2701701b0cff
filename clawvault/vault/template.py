"""A new vault, or an old folder of notes made into one."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import islice
from pathlib import Path

from clawvault.config import CONFIG_PATH, Config, load_config
from clawvault.errors import ClawvaultError, UsageError
from clawvault.vault.ignoring import read_ignore_rules
from clawvault.vault.listing import list_notes
from clawvault.vault.note_file import NoteFile
from clawvault.vault.notes import decode_note
from clawvault.vault.paths import MARKER, open_inside, visible
from clawvault.vault.script_sample import Sample, sample_of
from clawvault.vault.state_place import ID_PATH, make_vault_id
from clawvault.vault.template_texts import LANGUAGES, template_folder
from clawvault.vault.writing import create_note

DAILY_FOLDER = "memory"
MULTILINGUAL = "use-multilingual"
NO_MODEL = "none"
SAMPLED_NOTES = 200
SAMPLED_BYTES = 4000
MODEL_LINES = ('provider = "sentence-transformers"', 'model = "all-MiniLM-L6-v2"')


@dataclass(frozen=True)
class Seeded:
    """What ``seed_vault`` did.

    Attributes:
        created: Paths it made, folders with ``/`` at their end.
        kept: Paths that were there and stay as they are.
        adopted: The folder had notes before.
        note_count: How many.
        model: The model its settings name now; ``use-multilingual`` and ``none`` are providers.
        model_reason: Why this one, one sentence.
    """

    root: Path
    created: tuple[str, ...]
    kept: tuple[str, ...]
    language: str
    adopted: bool
    note_count: int
    model: str
    model_reason: str


def seed_vault(root: Path, *, language: str | None, model: str | None, locale_language: str, today: date) -> Seeded:
    """Make a folder into a vault. Nothing that exists is changed.

    A folder without notes gets the whole template. A folder of notes, or a vault of Obsidian, gets only its
    settings and its id: its notes are somebody's own order. A vault of before gets the id.

    Args:
        root: The folder; it is made when missing.
        language: ``en`` or ``zh`` for the texts; ``None`` takes that of the notes, else of the locale.
        model: Name or folder of a model, ``use-multilingual`` or ``none``; ``None`` chooses by language.
        locale_language: Such as ``en`` or ``zh_CN``; empty when not known.
        today: Put into the first entry of ``MEMORY.md``.

    Raises:
        UsageError: There are no texts in that language, or the place is a file.
        ClawvaultError: Something could not be written.

    Source: TC-22, CS-07, decisions "Model on a fresh machine".
    """
    if language is not None and language not in LANGUAGES:
        raise UsageError(f'There is no template in "{language}".', f"Use one of: {', '.join(LANGUAGES)}.")
    _make_folder(root)
    was_vault = _has_settings(root)
    notes, adopted = _notes_before(root, was_vault=was_vault)
    sample = sample_of(_texts(root, notes))
    spoken = language or sample.template_language or ("zh" if locale_language.lower().startswith("zh") else "en")
    chosen, reason = _choose_model(model, sample, spoken, locale_language)
    seeds = dict(_template_notes(spoken, today))
    if adopted or (was_vault and notes):
        seeds = {path: data for path, data in seeds.items() if was_vault and path in notes}
    seeds[ID_PATH] = f"{make_vault_id()}\n".encode()
    # The settings come last: a run that was cut short is finished by the next one.
    seeds[CONFIG_PATH] = _settings(spoken, chosen)
    created: list[str] = []
    kept: list[str] = []
    if not adopted and not (was_vault and notes):
        (created if _make_folder(root / DAILY_FOLDER) else kept).append(f"{DAILY_FOLDER}/")
    for path, data in seeds.items():
        (created if create_note(root, path, data) else kept).append(path)
    if CONFIG_PATH in kept:
        chosen, reason = _configured_model(root)
    return Seeded(root, tuple(created), tuple(kept), spoken, adopted, len(notes), chosen, reason)


def _make_folder(folder: Path) -> bool:
    if folder.is_dir():
        return False
    try:
        folder.mkdir(parents=True)
    except FileExistsError as error:
        raise UsageError(f'"{folder}" is a file, not a folder.', "Choose another place for the vault.") from error
    except OSError as error:
        raise ClawvaultError(f'Cannot make the folder "{folder}": {error.strerror}.') from error
    return True


def _has_settings(root: Path) -> bool:
    try:
        return (root / CONFIG_PATH).exists()
    except OSError as error:
        raise ClawvaultError(
            f'Cannot look into "{root / MARKER}": {error.strerror or error}.', "Check the permissions of the folder."
        ) from error


def _notes_before(root: Path, *, was_vault: bool) -> tuple[dict[str, NoteFile], bool]:
    had_marker = (root / MARKER).is_dir()
    if not had_marker:
        try:
            (root / MARKER).mkdir()
        except OSError as error:
            raise ClawvaultError(f'Cannot make "{MARKER}" in "{root}": {error.strerror}.') from error
    config = Config()
    files = list_notes(root, read_ignore_rules(root, config, root / MARKER), config).files
    # A folder that was being seeded holds notes of the template, which are nobody's notes to adopt.
    seeds = {path.name for path in (template_folder() / LANGUAGES[0]).glob("*.md")} if had_marker else set()
    return files, not was_vault and any(path not in seeds for path in files)


def _texts(root: Path, notes: dict[str, NoteFile]) -> Iterator[str]:
    step = max(1, len(notes) // SAMPLED_NOTES)
    for file in islice(notes.values(), 0, None, step):
        try:
            with open_inside(root, file.disk_path) as handle:
                yield _decode_beginning(handle.read(SAMPLED_BYTES))
        except (ClawvaultError, OSError):
            continue  # a note that cannot be read has no say in the choice; indexing lists it with the reason


def _decode_beginning(data: bytes) -> str:
    """Decode the first bytes of a note, which may end in the middle of a character."""
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(data)
    except UnicodeDecodeError:
        return decode_note(data)[0]


def _choose_model(model: str | None, sample: Sample, spoken: str, locale_language: str) -> tuple[str, str]:
    default = Config().embedding.model
    if model is not None:
        return model, "You asked for it."
    if sample.needs_multilingual:
        amount = "Some" if sample.is_english else "Most"
        return MULTILINGUAL, f"{amount} of the notes are not in English ({sample.describe()})."
    if spoken == "zh":
        return MULTILINGUAL, "The language of the vault is Chinese."
    named = locale_language.lower()
    if named.startswith("zh") or (named and not sample.words and not named.startswith(("en", "c", "posix"))):
        return MULTILINGUAL, f'The language of this machine is "{visible(locale_language)}".'
    if sample.words:
        return default, "The notes are in English."
    return default, "It is the model for English, and nothing says that the notes are in another language."


def _settings(language: str, model: str) -> bytes:
    text = (template_folder() / language / "config.toml").read_text("utf-8")
    provider_line, model_line = MODEL_LINES
    if model in {MULTILINGUAL, NO_MODEL}:
        text = text.replace(f"# {provider_line}", f'provider = "{model}"')
    elif model != Config().embedding.model:
        escaped = model.replace("\\", "\\\\").replace('"', '\\"')
        text = text.replace(f"# {provider_line}", provider_line).replace(f"# {model_line}", f'model = "{escaped}"')
    return text.encode()


def _configured_model(root: Path) -> tuple[str, str]:
    embedding = load_config(root, environment={}).embedding
    named = embedding.provider if embedding.provider in {MULTILINGUAL, NO_MODEL} else embedding.model
    return named, f'"{CONFIG_PATH}" says so.'


def _template_notes(language: str, today: date) -> Iterator[tuple[str, bytes]]:
    for path in sorted((template_folder() / language).glob("*.md")):
        yield path.name, path.read_text("utf-8").replace("{today}", today.isoformat()).encode()
