"""Which files are never notes, whoever says so."""

from __future__ import annotations

import errno
import json
import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pathspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawvault.config import Config
from clawvault.errors import NotFoundError
from clawvault.vault.bounded_patterns import read_globs
from clawvault.vault.ignoring import IgnoreRules, read_ignore_rules
from clawvault.vault.listing import Listing


def rules_of(root: Path, *, ignore: tuple[str, ...] = (), state: Path | None = None) -> IgnoreRules:
    config = Config()
    config = replace(config, index=replace(config.index, ignore=ignore))
    return read_ignore_rules(root, config, state or root.parent / "state")


def write_json(root: Path, name: str, value: object) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))


@pytest.mark.parametrize(
    "path",
    [
        ".git/x.md",
        ".obsidian/x.md",
        ".trash/x.md",
        ".clawvault/x.md",
        "memory/.dreams/x.md",
        ".hidden.md",
        "node_modules/pkg/README.md",
        "a.md~",
        "4913",
        "#a.md#",
        ".a.md.swp",
        "list.tmp",
        "a.md.tmp",
        "~$a.md",
    ],
)
def test_what_tools_leave_in_a_vault_is_ignored(vault: Path, path: str) -> None:
    """B007, B049."""
    assert rules_of(vault).reason(path, False) is not None


def test_a_vault_that_is_replaced_at_the_moment_it_is_looked_at_is_told(
    vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T02."""

    def fail(path: object) -> str:
        raise OSError(errno.EINVAL, "not a link")

    monkeypatch.setattr(os.path, "realpath", fail)
    with pytest.raises(NotFoundError, match="replaced just now"):
        rules_of(vault)


@pytest.mark.parametrize("path", ["a.md", "memory/2026-03-09.md", "a~b.md", "C#.md", "git/x.md", "tmp/x.md", "4913.md"])
def test_an_ordinary_note_is_not_ignored(vault: Path, path: str) -> None:
    assert rules_of(vault).reason(path, False) is None


def test_rules_have_the_meaning_they_have_in_gitignore(vault: Path) -> None:
    (vault / ".clawvaultignore").write_text("# mine\ndrafts/\n*.private.md\n!keep.private.md\n/top.md\n")
    rules = rules_of(vault)
    ignored = ["a/drafts/x.md", "a/b.private.md", "top.md"]
    kept = ["keep.private.md", "a/top.md", "drafts.md"]
    assert [rules.reason(path, False) for path in ignored] == ["a rule of .clawvaultignore"] * 3
    assert [rules.reason(path, False) for path in kept] == [None] * 3
    assert rules.reason("drafts", True) == "a rule of .clawvaultignore"


def test_rules_of_the_settings_are_added(vault: Path) -> None:
    assert rules_of(vault, ignore=("old/",)).reason("old/x.md", False) == (
        "a rule of index.ignore in .clawvault/config.toml"
    )


def test_a_rule_that_makes_no_sense_costs_only_itself(vault: Path) -> None:
    (vault / ".clawvaultignore").write_text("!\ndrafts/\n")
    rules = rules_of(vault)
    assert rules.reason("drafts/x.md", False) is not None
    assert rules.warnings == ('The ignore rule "!" in .clawvaultignore makes no sense and is passed over.',)


def test_the_state_folder_is_never_indexed(vault: Path) -> None:
    """B005: whatever the ignore list says."""
    (vault / "data" / "state").mkdir(parents=True)
    (vault / ".clawvaultignore").write_text("!data/state/**\n")
    rules = rules_of(vault, state=vault / "data" / "state")
    assert rules.reason("data/state/x.md", False) == "the state of clawvault"
    assert rules.reason("data/stateful.md", False) is None


def test_files_excluded_in_obsidian_are_ignored(vault: Path) -> None:
    filters = ["Archive/", "Clip [x].md", "/^Inbox/.*draft/", "logs/*.md"]
    write_json(vault, ".obsidian/app.json", {"userIgnoreFilters": filters})
    rules = rules_of(vault)
    ignored = ["Archive/a/b.md", "Clip [x].md", "Inbox/my draft.md", "logs/a.md"]
    assert [rules.reason(path, False) is not None for path in ignored] == [True] * 4
    assert [rules.reason(path, False) for path in ["a/Archive.md", "Clip x.md", "Inbox/final.md"]] == [None] * 3


def test_template_folders_of_obsidian_are_ignored(vault: Path) -> None:
    write_json(vault, ".obsidian/templates.json", {"folder": "Templates/"})
    write_json(vault, ".obsidian/plugins/templater-obsidian/data.json", {"templates_folder": "_tpl"})
    rules = rules_of(vault)
    assert rules.reason("Templates/day.md", False) == "a folder of templates"
    assert rules.reason("_tpl", True) == "a folder of templates"
    assert rules.reason("Templates.md", False) is None


@pytest.mark.parametrize("broken", ["{", "[" * 100_000, "\0", '"text"', '{"userIgnoreFilters": {"a": 1}}', "[1]"])
def test_broken_settings_of_obsidian_cost_only_themselves(vault: Path, broken: str) -> None:
    write_json(vault, ".obsidian/app.json", broken)
    write_json(vault, ".obsidian/templates.json", {"folder": "Templates"})
    rules = rules_of(vault)
    assert rules.reason("a.md", False) is None
    assert rules.reason("Templates/x.md", False) == "a folder of templates"


def test_broken_json_is_reported(vault: Path) -> None:
    write_json(vault, ".obsidian/app.json", "{")
    assert rules_of(vault).warnings == ('".obsidian/app.json" is not valid JSON; its exclusions are not known.',)


@pytest.mark.parametrize("pattern", ["/(a+)+$/", "/(/", "/" + "a?" * 150 + "/"])
def test_a_costly_or_broken_pattern_of_obsidian_is_passed_over(vault: Path, pattern: str) -> None:
    """T14."""
    write_json(vault, ".obsidian/app.json", {"userIgnoreFilters": [pattern]})
    rules = rules_of(vault)
    assert rules.reason("a" * 200 + "!.md", False) is None
    assert len(rules.warnings) == 1


def test_the_ignore_file_is_not_read_through_a_link(vault: Path) -> None:
    """T02."""
    (vault.parent / "outside").write_text("*.md\n")
    (vault / ".clawvaultignore").symlink_to(vault.parent / "outside")
    rules = rules_of(vault)
    assert rules.reason("a.md", False) is None
    assert rules.warnings == ('".clawvaultignore" cannot be read; its rules are not known.',)


def test_the_fingerprint_changes_with_the_rules_and_only_then(vault: Path) -> None:
    before = rules_of(vault).fingerprint
    assert rules_of(vault).fingerprint == before
    (vault / ".clawvaultignore").write_text("a/\n")
    assert rules_of(vault).fingerprint != before


def test_an_ignored_note_is_listed_with_the_reason(vault: Path, listed: Callable[[Path], Listing]) -> None:
    """L13."""
    (vault / ".clawvaultignore").write_text("secret.md\nold/\n")
    (vault / "old").mkdir()
    for name in ("secret.md", "old/x.md", "a.md", "a.md~", ".hidden.md"):
        (vault / name).write_text("text")
    listing = listed(vault)
    assert list(listing.files) == ["a.md"]
    assert [(skip.path, skip.reason, skip.detail) for skip in listing.skips] == [
        ("old", "ignored", "a rule of .clawvaultignore"),
        ("secret.md", "ignored", "a rule of .clawvaultignore"),
    ]


@pytest.mark.parametrize("pattern", ["/(a|aa)+$/", "/(a|a)*$/", "/(?:a|a)+c/", "/(.*a){25}x/", "/a*a*a*a*c/"])
def test_a_costly_exclusion_of_obsidian_is_passed_over_and_named(vault: Path, pattern: str) -> None:
    """T14."""
    write_json(vault, ".obsidian/app.json", {"userIgnoreFilters": [pattern]})
    rules = rules_of(vault)
    assert rules.reason("a" * 60 + "b.md", is_dir=False) is None
    assert "too costly" in rules.warnings[0]


def test_a_costly_glob_is_passed_over_and_named(tmp_path: Path) -> None:
    """T14."""
    rules = rules_of(tmp_path, ignore=("a/**/b/**/c/**/d", "drafts/**/*.tmp.md"))
    assert rules.reason("drafts/x/y.tmp.md", is_dir=False) is not None
    assert "too costly" in rules.warnings[0]


@pytest.mark.parametrize(
    "pattern",
    ["/a{1,30}b/", "/.{9}{9}/", "/(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)b/", r"/(a*)\1/", "/(?=a)/", "/.*.*x/", "/[[a]/"],
)
def test_an_exclusion_of_obsidian_that_could_be_slow_is_passed_over(tmp_path: Path, pattern: str) -> None:
    """T14."""
    write_json(tmp_path, ".obsidian/app.json", {"userIgnoreFilters": [pattern]})
    assert len(rules_of(tmp_path).warnings) == 1


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        (r"/^\d{4}-\d{2}/", "2026-03.md"),
        ("/^(Archive|Old|Templates)\\//", "Old/a.md"),
        ("/a.*z|b.*y/", "b-y.md"),
        ("/[*+{]/", "a*b.md"),
    ],
)
def test_an_ordinary_exclusion_of_obsidian_is_taken(vault: Path, pattern: str, path: str) -> None:
    write_json(vault, ".obsidian/app.json", {"userIgnoreFilters": [pattern]})
    rules = rules_of(vault)
    assert rules.warnings == ()
    assert rules.reason(path, False) == "excluded in Obsidian"


@pytest.mark.parametrize("rule", ["*a" * 100 + "c", "*a*a*a/*a*a*a/*a*a*c", "**/*a*a*a*/**/*a*c", "a**a**a**a**a**c"])
def test_a_rule_with_many_stars_holds_no_name_up(tmp_path: Path, rule: str) -> None:
    """T14: in a file of rules and in Obsidian's list alike."""
    write_json(tmp_path, ".obsidian/app.json", {"userIgnoreFilters": [rule]})
    rules = rules_of(tmp_path, ignore=(rule,))
    began = time.process_time()
    assert rules.reason("/".join(["a" * 240] * 16) + "b.md", is_dir=False) is None
    assert time.process_time() - began < 5.0


NAMES = st.text("ab.[/", min_size=1, max_size=8).filter(lambda name: "//" not in name and name[0] != "/" != name[-1])


@settings(deadline=None, max_examples=300)
@given(st.text("ab.*?/[]!", min_size=1, max_size=9), st.lists(NAMES, min_size=5, max_size=5))
def test_a_bounded_rule_matches_what_git_would_match(rule: str, names: list[str]) -> None:
    """T14: being quick changes no answer."""
    try:
        plain = pathspec.GitIgnoreSpec.from_lines([rule])
    except ValueError:
        plain = pathspec.GitIgnoreSpec.from_lines([])
        rule = ""
    bounded = read_globs([rule])
    assert [bounded.match_file(name) for name in names] == [plain.match_file(name) for name in names]


def test_rules_beyond_what_a_person_writes_are_passed_over_and_named(tmp_path: Path) -> None:
    """T14."""
    rules = rules_of(tmp_path, ignore=tuple(f"n{number}" for number in range(1001)))
    assert rules.reason("n999", False) is not None
    assert rules.reason("n1000", False) is None
    assert len(rules.warnings) == 1
