"""Rendering for a terminal: links, emphasis, cleaning; pure."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawvault.cli.hits import render_hits
from clawvault.cli.progress import PlainProgress
from clawvault.cli.terminal import Style, clean, emphasise, note_address, show_path

TERMINAL = Style(links=True, emphasis=True)
HIT: dict[str, Any] = {
    "rank": 1,
    "path": "memory/2026-03-09.md",
    "line_start": 12,
    "line_end": 18,
    "heading": ["Databases", "Ports"],
    "text": "Production listens on port 5433.",
    "snippet": "Production listens on port 5433.",
    "score": 0.93,
    "cosine": 0.71,
    "text_score": 0.42,
    "fts_rank": 1,
    "vector_rank": 2,
    "is_hybrid_match": True,
    "date": "2026-03-09",
    "evergreen": False,
    "decay": 0.87,
    "vault": "home",
}


def answer(**changes: Any) -> dict[str, Any]:
    return {"query": "which port", "hits": [{**HIT, **changes}]}


def render(**changes: Any) -> str:
    return render_hits(answer(**changes), Style(), lambda path, line: "")


def test_a_passage_that_may_steer_a_model_is_shown_as_one() -> None:
    """L8."""
    assert render(flagged=["critical:ignore-previous"]).splitlines()[-1] == (
        "   may steer a model: critical:ignore-previous"
    )
    assert "steer" not in render(flagged=[])


def test_the_header_of_a_hit() -> None:
    assert render().splitlines()[0] == ("1  memory/2026-03-09.md:12-18  › Databases › Ports   0.93  [both]  2026-03-09")


def test_further_passages_of_a_note_are_said() -> None:
    assert render(more_in_note=3).splitlines()[0].endswith("+3 more in this note")


def test_copies_and_staleness_are_said() -> None:
    assert render(copies=3, stale=True).splitlines()[0].endswith("3 copies  changed since it was indexed")


def test_a_hit_of_one_lane_names_it() -> None:
    assert "[vector]" in render(is_hybrid_match=False, fts_rank=None)


def test_ranks_line_up() -> None:
    hits = [{**HIT, "rank": rank} for rank in range(1, 11)]
    lines = render_hits({"query": "", "hits": hits}, Style(), lambda path, line: "").splitlines()
    assert lines[0].startswith(" 1  memory")
    assert lines[18].startswith("10  memory")


def test_a_terminal_gets_a_link_and_emphasis() -> None:
    text = render_hits(answer(), TERMINAL, lambda path, line: f"x:{path}#{line}")
    assert text.startswith(
        "1  \x1b]8;;x:memory/2026-03-09.md#12\x1b\\\x1b[1mmemory/2026-03-09.md:12-18\x1b[22m\x1b]8;;"
    )
    assert "on \x1b[1mport\x1b[22m 5433" in text


def test_emphasis_without_links() -> None:
    assert emphasise("Ports and port", "port", Style(emphasis=True)) == "\x1b[1mPorts\x1b[22m and \x1b[1mport\x1b[22m"


def test_emphasis_finds_pairs_of_characters_in_chinese() -> None:
    assert emphasise("数据库监听", "数据仓库", Style(emphasis=True)) == "\x1b[1m数据\x1b[22m库监听"


def test_no_emphasis_where_it_cannot_be_shown() -> None:
    assert emphasise("port", "port", Style()) == "port"


@settings(deadline=None)
@given(st.text(), st.text(alphabet="ab.*+?()[]{}\\|^$ 数据", max_size=20))
def test_emphasis_only_adds_marks(text: str, query: str) -> None:
    shown = emphasise(text.replace("\x1b", ""), query, TERMINAL)
    assert shown.replace("\x1b[1m", "").replace("\x1b[22m", "") == text.replace("\x1b", "")


@pytest.mark.parametrize("name", ["a b.md", 'say "hi".md', "a&b=c.md", "x\ny.md", "中文.md", "100%.md", "a#b?.md"])
def test_an_address_opens_the_right_note(tmp_path: Path, name: str) -> None:
    """T23."""
    address = note_address(tmp_path)(name, 12)
    assert address.startswith("file:///")
    assert address.endswith("#L12")
    assert not set(address.removesuffix("#L12")) & set(' "\n#?<>')
    assert unquote(address.removesuffix("#L12").removeprefix("file://")) == str(tmp_path / name)


@pytest.mark.parametrize("name", ["a b.md", 'say "hi".md', "a&b=c.md", "x\ny.md", "中文.md", "100%.md", "a#b?.md"])
def test_an_obsidian_vault_gets_obsidian_addresses(tmp_path: Path, name: str) -> None:
    """T23."""
    (tmp_path / ".obsidian").mkdir()
    address = note_address(tmp_path)(name, 12)
    assert address.startswith("obsidian://open?path=")
    assert not set(address.removeprefix("obsidian://open?path=")) & set(" \"&\n#?'<>/=")
    assert unquote(address.removeprefix("obsidian://open?path=")) == str(tmp_path / name)


@settings(deadline=None)
@given(st.text())
def test_clean_text_holds_nothing_that_steers_a_terminal(text: str) -> None:
    """T19."""
    assert not set(clean(text)) & {*map(chr, range(32)), *map(chr, range(127, 160)), "\u202e", "\u2066", "\u2028"}


def test_clean_text_keeps_emoji_sequences_and_lines() -> None:
    assert clean("👩‍💻 a\r\nb\tc", keep_lines=True) == "👩‍💻 a\nb\tc"


def test_progress_without_a_terminal_is_a_line_every_five_seconds(
    capsys: pytest.CaptureFixture[str],
) -> None:
    now = [0.0]
    progress = PlainProgress(lambda: now[0])
    for second in range(13):
        now[0] = float(second)
        progress.report("texts", second * 10, 200)
    assert capsys.readouterr().err == (
        "Embedding texts: 50 of 200, 10 a second, 15 s left\nEmbedding texts: 100 of 200, 10 a second, 10 s left\n"
    )


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("projects/中文.md", "projects/中文.md"),
        ("a\u202egnp.md", "a\\u202egnp.md"),
        ("a\x1b[31m\n.md", "a\\x1b[31m\\n.md"),
        ("a\u200bb\udcff.md", "a\\u200bb\\udcff.md"),
        ("👨\u200d👩.md", "👨\u200d👩.md"),
    ],
)
def test_a_path_is_shown_so_that_it_can_be_asked_for(path: str, shown: str) -> None:
    """T19, T20."""
    assert show_path(path) == shown
