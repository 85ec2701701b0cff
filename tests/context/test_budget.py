"""A context never has more bytes than its budget, and cuts nothing inside a character (CS-08, L5)."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from context_vault import TODAY, ContextVault, hit
from hypothesis import given, settings
from hypothesis import strategies as st

from clawvault.config import load_config
from clawvault.context.cutting import clip, make_pieces, size_of
from clawvault.context.sharing import share_out, shares_of
from clawvault.context.sources import SHARES
from clawvault.vault.template import seed_vault

SIGNS = st.sampled_from(["a", " ", "\n", "界", "🙂", "é", "~", "#", "- ", "x" * 50, "\n\n", "长期记忆"])
TEXTS = st.lists(SIGNS, max_size=60).map("".join)
NAMES = ["AGENTS.md", "SOUL.md", "USER.md", "IDENTITY.md", "MEMORY.md", "memory/2026-03-09.md", "memory/2026-03-08.md"]


@settings(max_examples=60)
@given(
    st.dictionaries(st.sampled_from(NAMES), TEXTS),
    st.lists(TEXTS.filter(str.strip), max_size=10),
    st.lists(st.integers(0, 3_000), min_size=3, max_size=6),
)
def test_no_context_is_larger_than_its_budget(notes: dict[str, str], passages: list[str], budgets: list[int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        vault = ContextVault(Path(folder) / "vault", Path(folder) / "state")
        for path, text in notes.items():
            vault.put(path, "as it was")
            vault.given(budget_bytes=0)
            vault.put(path, text)
        vault.hits = [hit(f"p{number}.md", text) for number, text in enumerate(passages)]
        for budget in budgets:
            made = vault.given("x", budget_bytes=budget)
            data = made.text.encode("utf-8")
            assert len(data) <= budget
            assert made.text.count("~~~~\n") % 2 == 0
            assert made.to_dict()["bytes"] == len(data)
            assert sum(part.n_bytes for part in made.parts) <= len(data)


@pytest.mark.parametrize("budget", [*range(40), 386, 387, 388, 435, 436, 437, 500, 1000, 2047, 4096, 32_000])
def test_every_budget_is_kept_to_the_byte(vault: ContextVault, budget: int) -> None:
    vault.put("MEMORY.md", "一二三四五六七八九十\n" * 3000)
    made = vault.given(budget_bytes=budget)
    assert len(made.text.encode()) <= budget
    assert made.budget_bytes == budget


def test_what_fits_to_the_byte_is_not_cut(vault: ContextVault) -> None:
    for name in NAMES:
        vault.put(name, f"{name}\n事实\n")
    whole = vault.given()
    exact = len(whole.text.encode())
    assert vault.given(budget_bytes=exact).text == whole.text
    assert vault.given(budget_bytes=exact - 1).text != whole.text
    assert not any(part.truncated for part in whole.parts)


def test_the_budget_is_a_setting(vault: ContextVault) -> None:
    vault.put("MEMORY.md", "fact\n" * 9000)
    assert vault.given().budget_bytes == 32_000
    vault.flags = {"context.budget_bytes": 2_000}
    made = vault.given()
    assert made.budget_bytes == 2_000
    assert 1_900 <= len(made.text.encode()) <= 2_000


def test_each_part_keeps_its_share_however_long_the_others_are(vault: ContextVault) -> None:
    """CS-08, CS-27, MN-43."""
    for name in NAMES:
        vault.put(name, f"- fact of {name}\n" * 5000)
    vault.hits = [hit(f"p{number}.md", f"- passage {number}\n" * 400) for number in range(8)]
    made = vault.given("x", budget_bytes=20_000)
    room = 20_000 - 387
    assert [(part.name, part.share_bytes) for part in made.parts] == [
        (name, room * share // 100) for name, share in SHARES.items()
    ]
    for part in made.parts:
        assert part.share_bytes - 100 <= part.n_bytes <= part.share_bytes + 300, part.name
    assert all(part.truncated for part in made.parts)


def test_a_huge_note_is_cut_at_the_end_of_a_line_with_the_way_to_the_rest(vault: ContextVault) -> None:
    """MN-45, CS-26."""
    vault.put("MEMORY.md", "".join(f"- fact {number}\n" for number in range(1, 200_001)))
    text = vault.given(budget_bytes=1_000).text
    last = text.splitlines()[-1]
    n = int(text.split("- fact ")[-1].split("\n")[0])
    assert last == f"Cut after line {n} of 200000; read on with clawvault read MEMORY.md --lines {n + 1}:"
    assert not set("[](){}<>") & set(last)


def test_one_line_that_is_too_long_is_cut_between_characters(vault: ContextVault) -> None:
    vault.put("MEMORY.md", "界" * 5_000 + "\n")
    made = vault.given(budget_bytes=1_001)
    assert made.text.splitlines()[-1] == ("Cut inside line 1 of 1; read on with clawvault read MEMORY.md --lines 1:")
    shown = made.text.split("~~~~\n")[1]
    assert shown.strip("界\n") == ""
    assert 990 <= len(made.text.encode()) <= 1_001


def test_a_note_is_left_out_where_only_its_heading_has_room_and_another_gets_the_room(vault: ContextVault) -> None:
    vault.put("SOUL.md", "# Values\n\n" + "Be kind to all who ask, and patient. " * 20 + "\n")
    vault.put("MEMORY.md", "- fact\n" * 400)
    made = vault.given(budget_bytes=1_000)
    assert "# Values" not in made.text
    assert '\nCut: there was no room for "SOUL.md"; read them by their paths.\n' in made.text
    assert [(part.path, part.truncated) for part in made.parts] == [("SOUL.md", True), ("MEMORY.md", True)]
    assert 900 <= len(made.text.encode()) <= 1_000


def test_a_note_of_a_heading_alone_is_given(vault: ContextVault) -> None:
    vault.put("SOUL.md", "# Be kind\n")
    assert "# Be kind\n" in vault.given(budget_bytes=1_000).text


def test_every_note_is_given_or_said_to_be_missing(vault: ContextVault) -> None:
    for name in NAMES:
        vault.put(name, f"# {name}\n\n" + f"- fact of {name}\n" * 100)
    for budget in range(1_000, 2_000, 37):
        text = vault.given(budget_bytes=budget).text
        assert [name for name in NAMES if name not in text] == []


def test_a_path_is_quoted_for_the_shell_where_it_must_be(vault: ContextVault) -> None:
    vault.put("memory/2026-03-09-a b's.md", "- fact\n" * 1000)
    assert """read 'memory/2026-03-09-a b'"'"'s.md' --lines""" in vault.given(budget_bytes=1_000).text


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_seeded_vault_fits_as_a_whole(vault: ContextVault, language: str) -> None:
    seed_vault(vault.root, language=language, model=None, locale_language=language, today=TODAY)
    made = vault.given()
    assert [part.path for part in made.parts] == ["AGENTS.md", "SOUL.md", "USER.md", "IDENTITY.md", "MEMORY.md"]
    assert not any(part.truncated or part.n_flagged or part.n_secrets for part in made.parts)
    assert len(made.text.encode()) < load_config(None, environment={}).context.budget_bytes // 4


def test_shares_are_a_hundred_per_cent() -> None:
    assert sum(SHARES.values()) == 100


@given(
    st.lists(st.tuples(st.integers(0, 5_000), st.integers(1, 40)), max_size=9),
    st.integers(-10, 20_000),
)
def test_a_budget_is_shared_out_whole_and_no_further(parts: list[tuple[int, int]], budget: int) -> None:
    needs, weights = [need for need, _ in parts], [weight for _, weight in parts]
    allowed = share_out(needs, weights, budget)
    assert sum(allowed) == min(sum(needs), max(0, budget))
    for got, need, share in zip(allowed, needs, shares_of(needs, weights, budget), strict=True):
        assert min(need, share) <= got <= need


def test_what_one_part_leaves_goes_to_those_that_need_more_in_order() -> None:
    assert share_out([10, 500, 0, 500], [25, 25, 25, 25], 300) == [10, 190, 0, 100]


@given(TEXTS.map(lambda text: text.replace("\n", "")), st.integers(0, 200))
def test_a_clipped_line_is_a_beginning_of_whole_characters(text: str, room: int) -> None:
    part = clip(text, room)
    assert text.startswith(part)
    assert size_of(part) <= room or part == text == ""


@given(TEXTS, st.integers(1, 5), st.integers(8, 400))
def test_pieces_are_slices_in_order(text: str, most: int, most_bytes: int) -> None:
    """MN-43, MN-44."""
    lines = list(enumerate(text.split("\n"), 1))
    pieces = make_pieces(lines, most=most, most_bytes=most_bytes)
    assert len(pieces) <= most
    after = 0
    for piece in pieces:
        assert size_of(piece.text) <= most_bytes
        assert piece.line_start > after
        whole = "\n".join(line for _, line in lines[piece.line_start - 1 : piece.line_end])
        assert whole.startswith(piece.text)
        assert (piece.text == whole) == (piece.clipped_line is None) or size_of(whole) > most_bytes
        after = piece.line_end


def test_pieces_end_with_paragraphs_where_they_fit() -> None:
    """MN-44."""
    text = "aaa\naaa\n\nbbb\nbbb\n\nccc\n"
    pieces = make_pieces(list(enumerate(text.split("\n"), 1)), most=4, most_bytes=11)
    assert [(piece.line_start, piece.line_end, piece.text) for piece in pieces] == [
        (1, 2, "aaa\naaa"),
        (4, 5, "bbb\nbbb"),
        (7, 7, "ccc"),
    ]
