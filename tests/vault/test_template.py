"""A new vault, and an old folder of notes made into one."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from clawvault.config import Config, load_config
from clawvault.errors import ClawvaultError, UsageError
from clawvault.vault.identity_baseline import is_identity_name
from clawvault.vault.ignoring import read_ignore_rules
from clawvault.vault.listing import list_notes
from clawvault.vault.markdown import parse_note
from clawvault.vault.paths import find_vault
from clawvault.vault.script_sample import sample_of
from clawvault.vault.template import Seeded, seed_vault
from clawvault.vault.template_texts import template_folder

TODAY = date(2026, 3, 9)
NOTES = ["AGENTS.md", "HEARTBEAT.md", "IDENTITY.md", "MEMORY.md", "README.md", "SOUL.md", "USER.md"]
ENGLISH = "The server is in the rack and it is not for the public.\n"
CHINESE = "服务器放在机房里，由小王负责，每周备份一次。\n"
GERMAN = "Der Server steht im Schrank und ist nicht für die Öffentlichkeit, das ist mit dem Team so besprochen.\n"


def seed(root: Path, *, language: str | None = None, model: str | None = None, locale: str = "en_GB") -> Seeded:
    return seed_vault(root, language=language, model=model, locale_language=locale, today=TODAY)


def files_of(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_a_new_vault_gets_the_whole_template_and_lists_it(tmp_path: Path) -> None:
    """TC-22, IW-15."""
    seeded = seed(tmp_path / "notes")
    assert seeded.created == ("memory/", *NOTES, ".clawvault/id", ".clawvault/config.toml")
    assert (seeded.kept, seeded.language, seeded.adopted, seeded.note_count) == ((), "en", False, 0)
    assert sorted(files_of(tmp_path / "notes")) == [".clawvault/config.toml", ".clawvault/id", *NOTES]
    assert find_vault(tmp_path / "notes" / "memory") == tmp_path / "notes"


def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    seed(tmp_path)
    before = files_of(tmp_path)
    again = seed(tmp_path, language="zh", model="other", locale="zh_CN")
    assert (again.created, sorted(again.kept)) == ((), [".clawvault/config.toml", ".clawvault/id", *NOTES])
    assert again.adopted is False
    assert files_of(tmp_path) == before
    assert (again.model, again.model_reason) == ("all-MiniLM-L6-v2", '".clawvault/config.toml" says so.')


def test_a_note_deleted_by_its_owner_stays_deleted(tmp_path: Path) -> None:
    seed(tmp_path)
    (tmp_path / "HEARTBEAT.md").unlink()
    assert seed(tmp_path).created == ()


def test_a_run_that_was_cut_short_is_finished_by_the_next(tmp_path: Path) -> None:
    seed(tmp_path)
    (tmp_path / ".clawvault" / "config.toml").unlink()
    (tmp_path / "USER.md").unlink()
    again = seed(tmp_path)
    assert again.created == ("USER.md", ".clawvault/config.toml")
    assert again.adopted is False


def test_a_folder_of_notes_gets_only_its_settings(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text(ENGLISH)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.md").write_bytes(b"caf\xe9\r\n")
    before = files_of(tmp_path)
    seeded = seed(tmp_path)
    assert (seeded.created, seeded.adopted, seeded.note_count) == ((".clawvault/id", ".clawvault/config.toml"), True, 2)
    assert {path: data for path, data in files_of(tmp_path).items() if path in before} == before
    assert seed(tmp_path).created == ()


def test_each_vault_gets_an_id_of_its_own(tmp_path: Path) -> None:
    seed(tmp_path / "a")
    seed(tmp_path / "b")
    ids = [(tmp_path / name / ".clawvault" / "id").read_text("ascii") for name in "ab"]
    assert all(re.fullmatch(r"[0-9a-f]{32}\n", found) for found in ids)
    assert ids[0] != ids[1]


def test_a_vault_of_before_gets_its_id_and_nothing_else(tmp_path: Path) -> None:
    seed(tmp_path)
    (tmp_path / ".clawvault" / "id").unlink()
    before = files_of(tmp_path)
    assert seed(tmp_path).created == (".clawvault/id",)
    assert {path: data for path, data in files_of(tmp_path).items() if path != ".clawvault/id"} == before


def test_an_id_that_makes_no_sense_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / ".clawvault").mkdir()
    (tmp_path / ".clawvault" / "id").write_text("mine\n")
    assert ".clawvault/id" in seed(tmp_path).kept
    assert (tmp_path / ".clawvault" / "id").read_text() == "mine\n"


def test_the_id_is_neither_a_note_nor_an_identity_file(tmp_path: Path) -> None:
    seed(tmp_path)
    config = Config()
    rules = read_ignore_rules(tmp_path, config, tmp_path / "state")
    assert sorted(list_notes(tmp_path, rules, config).files) == NOTES
    assert is_identity_name(".clawvault/id") is False


def test_notes_that_obsidian_hides_do_not_count(tmp_path: Path) -> None:
    for name in (".obsidian/plugins/x/README.md", ".trash/old.md"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text("x")
    assert seed(tmp_path).adopted is False


def test_a_file_that_is_no_note_is_kept_beside_the_template(tmp_path: Path) -> None:
    (tmp_path / "photo.jpg").write_bytes(b"x")
    assert seed(tmp_path).created[:2] == ("memory/", "AGENTS.md")
    assert (tmp_path / "photo.jpg").read_bytes() == b"x"


@pytest.mark.parametrize(
    ("locale", "language", "expected"),
    [("zh_CN", None, "zh"), ("en_US", None, "en"), ("", None, "en"), ("ja_JP", None, "en"), ("en_US", "zh", "zh")],
)
def test_the_language_of_the_texts_follows_the_wish_then_the_locale(
    tmp_path: Path, locale: str, language: str | None, expected: str
) -> None:
    seeded = seed(tmp_path, locale=locale, language=language)
    headings = {"en": "# Memory", "zh": "# 长期记忆"}
    assert seeded.language == expected
    assert (tmp_path / "MEMORY.md").read_text("utf-8").splitlines()[0] == headings[expected]


def test_a_language_without_texts_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match='no template in "fr"'):
        seed(tmp_path, language="fr")


@pytest.mark.parametrize(
    ("text", "locale", "model"),
    [
        (ENGLISH, "de_DE", "all-MiniLM-L6-v2"),
        (ENGLISH, "zh_CN", "use-multilingual"),
        (CHINESE, "en_US", "use-multilingual"),
        (GERMAN, "en_US", "use-multilingual"),
        ("サーバーは部屋にあります。", "en_US", "use-multilingual"),
        ("서버는 방에 있습니다", "en_US", "use-multilingual"),
        ("Сервер стоит в шкафу", "en_US", "use-multilingual"),
        (ENGLISH * 5 + CHINESE, "en_US", "use-multilingual"),
        (ENGLISH * 20 + CHINESE, "en_US", "all-MiniLM-L6-v2"),
        ("# Notes\n\n" + CHINESE * 100, "en_US", "use-multilingual"),
        ("```\n" + ENGLISH * 20 + "```\n" + CHINESE, "en_US", "use-multilingual"),
        ("123\n", "en_US", "all-MiniLM-L6-v2"),
        ("123\n", "zh_CN", "use-multilingual"),
    ],
)
def test_the_model_follows_the_language_of_the_notes_then_the_locale(
    tmp_path: Path, text: str, locale: str, model: str
) -> None:
    """Decisions, "Model on a fresh machine"; L27."""
    (tmp_path / "a.md").write_text(text, "utf-8")
    seeded = seed(tmp_path, locale=locale)
    assert seeded.model == model
    embedding = load_config(tmp_path, environment={}).embedding
    assert (embedding.provider == "use-multilingual") is (model == "use-multilingual")


@pytest.mark.parametrize(
    ("locale", "model"), [("de_DE", "use-multilingual"), ("C", "all-MiniLM-L6-v2"), ("", "all-MiniLM-L6-v2")]
)
def test_without_notes_the_locale_chooses_the_model(tmp_path: Path, locale: str, model: str) -> None:
    seeded = seed(tmp_path, locale=locale)
    assert seeded.model == model
    assert seeded.model_reason.endswith(".")


@pytest.mark.parametrize(
    ("model", "provider", "name"),
    [
        ("use-multilingual", "use-multilingual", "all-MiniLM-L6-v2"),
        ("none", "none", "all-MiniLM-L6-v2"),
        ("all-MiniLM-L6-v2", "sentence-transformers", "all-MiniLM-L6-v2"),
        ("intfloat/e5-small", "sentence-transformers", "intfloat/e5-small"),
        ('C:\\models\\"x"', "sentence-transformers", 'C:\\models\\"x"'),
    ],
)
def test_a_model_that_was_asked_for_is_written_into_the_settings(
    tmp_path: Path, model: str, provider: str, name: str
) -> None:
    seeded = seed(tmp_path, model=model, locale="zh_CN")
    embedding = load_config(tmp_path, environment={}).embedding
    assert (seeded.model, embedding.provider, embedding.model) == (model, provider, name)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_template_shows_every_setting_with_its_default(tmp_path: Path, language: str) -> None:
    text = (template_folder() / language / "config.toml").read_text("utf-8")
    shown = re.sub(r"^# (?=[a-z_]+ = )", "", text, flags=re.MULTILINE)
    (tmp_path / ".clawvault").mkdir()
    (tmp_path / ".clawvault" / "config.toml").write_text(shown, "utf-8")
    config = load_config(tmp_path, environment={})
    assert config == replace(Config())
    assert [key for key, origin in config.origins.items() if origin != "config"] == []


def test_both_languages_have_the_same_notes_and_sections() -> None:
    shapes = {
        language: {
            path.name: [(block.kind, block.level) for block in parse_note(path.read_text("utf-8")).blocks]
            for path in sorted((template_folder() / language).glob("*.md"))
        }
        for language in ("en", "zh")
    }
    assert sorted(shapes["en"]) == NOTES
    assert shapes["en"] == shapes["zh"]


def test_the_memory_note_has_the_sections_of_a_briefing_and_is_small(tmp_path: Path) -> None:
    """CS-07, CS-35."""
    seed(tmp_path)
    text = (tmp_path / "MEMORY.md").read_text("utf-8")
    titles = [block.title for block in parse_note(text).blocks if block.kind == "heading"]
    assert titles[1:5] == ["Recent activity", "Active projects", "Key contacts", "Infrastructure"]
    assert "- 2026-03-09: this vault was created." in text
    assert len(text.encode()) < 1000


@pytest.mark.parametrize(("language", "order"), [("en", "Search memory before you answer"), ("zh", "先搜索记忆再回答")])
def test_the_guide_for_agents_says_to_search_first(language: str, order: str) -> None:
    """IW-95."""
    assert order in (template_folder() / language / "AGENTS.md").read_text("utf-8")


def test_a_file_in_place_of_the_vault_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("x")
    with pytest.raises(UsageError, match="is a file"):
        seed(tmp_path / "notes")


def test_a_place_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(ClawvaultError, match="Cannot make the folder"):
        seed(tmp_path / "file" / "notes")


@pytest.mark.parametrize(("n_german", "model"), [(1, "all-MiniLM-L6-v2"), (2, "use-multilingual")])
def test_a_tenth_of_the_notes_in_another_language_chooses_the_multilingual_model(
    tmp_path: Path, n_german: int, model: str
) -> None:
    for number in range(18):
        (tmp_path / f"{number}.md").write_text(ENGLISH * 9, "utf-8")
    for number in range(n_german):
        (tmp_path / f"german-{number}.md").write_text(GERMAN, "utf-8")
    assert seed(tmp_path).model == model


def test_chinese_texts_come_with_the_multilingual_model_and_the_reason(tmp_path: Path) -> None:
    seeded = seed(tmp_path, language="zh", locale="en_US")
    assert (seeded.model, seeded.model_reason) == ("use-multilingual", "The language of the vault is Chinese.")
    assert load_config(tmp_path, environment={}).embedding.provider == "use-multilingual"


def test_a_note_is_sampled_by_whole_characters(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x" + "数据库" * 2000, "utf-8")
    assert seed(tmp_path).model_reason == "Most of the notes are not in English (100 % Chinese words)."


def test_words_are_counted_by_script() -> None:
    sample = sample_of(["Hello 世界 カナ 한국 мир"])
    assert (sample.words, sample.latin, sample.han, sample.kana, sample.hangul) == (8, 1, 2, 2, 2)
    assert sample.describe() == "25 % Chinese words"
