"""One page shows what memory keeps and loses; it runs nothing, loads nothing, and is the same for the same vault."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from dreaming import Dreaming
from fake_secrets import fake_secrets

from clawvault.dream.report.charts import Curve, draw_curves, draw_days, draw_rows, whole_ticks
from clawvault.dream.report.gathering import count_days, gather_report, write_report
from clawvault.dream.report.page import render_report
from clawvault.errors import ClawvaultError, ConflictError

SCRIPT = "<script>document.title = 'taken'</script>"
NOTE = "memory/2026-03-02.md"
OLD = "memory/2025-10-01.md"
FACT = "The staging database of the billing team listens on port 5433."
NEARLY = 'Mira moved the office of "Invoices & Sons" to Frankfurt.'


@pytest.fixture
def dreaming(tmp_path: Path) -> Dreaming:
    """A vault with something kept, something near the gate and something at risk, each with what HTML acts on."""
    made = Dreaming(tmp_path / "my <b>notes</b>", tmp_path / "state")
    made.put("MEMORY.md", "# Memory\n")
    made.put(NOTE, f"# Monday\n\n- {FACT}\n- {NEARLY}\n")
    made.put(OLD, f"- Every quarter {SCRIPT} the certificates are renewed.\n")
    made.make_memorable(NOTE, FACT)
    made.recall(NOTE, NEARLY, "where are the invoices")
    made.dreamer().apply()
    return made


def page(dreaming: Dreaming) -> str:
    return render_report(gather_report(dreaming.dreamer()))


class Tags(HTMLParser):
    """All tags of a page with their attributes, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def drawings(text: str) -> Iterator[ElementTree.Element]:
    for found in re.findall(r"<svg .*?</svg>", text, re.DOTALL):
        yield ElementTree.fromstring(found)  # noqa: S314 - our own


def test_the_page_tells_what_is_kept_near_and_at_risk(dreaming: Dreaming) -> None:
    said = Tags(page(dreaming)).text
    assert f"{FACT}2026-03-04, from {NOTE}:3 into MEMORY.md" in said
    assert "Mira moved the office of" in said
    assert f"clawvault pin {OLD}:1" in said
    assert "5 between 2026-03-01 and 2026-03-04, most on 2026-03-04: 2." in said


def test_the_page_runs_and_loads_nothing(dreaming: Dreaming) -> None:
    """T-rows "text of notes is data"."""
    text = page(dreaming)
    tags = Tags(text).tags
    assert {"script", "link", "img", "iframe", "object", "b", "a", "form"} & {tag for tag, _ in tags} == set()
    assert [name for _, attributes in tags for name in attributes if name.startswith("on") or name == "style"] == []
    assert [value for _, attributes in tags for value in attributes.values() if value and "://" in value] == []
    assert "default-src 'none'; style-src 'sha256-" in text
    assert "<script" not in text


def test_each_drawing_is_whole_and_says_what_it_shows(dreaming: Dreaming) -> None:
    found = list(drawings(page(dreaming)))
    assert len(found) == 6
    assert [(svg.get("role"), svg[0].tag, svg[1].tag) for svg in found] == [("img", "title", "desc")] * 6
    ids = re.findall(r' id="([^"]+)"', page(dreaming))
    assert len(ids) == len(set(ids)) == 12


def test_the_same_vault_makes_the_same_page(dreaming: Dreaming) -> None:
    assert page(dreaming) == page(dreaming)


def test_looking_is_no_recall_and_writes_nothing(dreaming: Dreaming) -> None:
    before = dreaming.files(), sorted(dreaming.state.rglob("*"))
    page(dreaming)
    assert (dreaming.files(), sorted(dreaming.state.rglob("*"))) == before


def test_an_empty_vault_has_a_page_as_well(tmp_path: Path) -> None:
    said = Tags(page(Dreaming(tmp_path / "vault", tmp_path / "state"))).text
    assert "No search has found a statement of a daily note yet." in said
    assert "Nothing was promoted into long-term memory yet." in said


def test_secrets_are_masked(tmp_path: Path) -> None:
    said, secret = fake_secrets()["github token"]
    dreaming = Dreaming(tmp_path / "vault", tmp_path / "state")
    dreaming.put(OLD, f"- Rotated every quarter. {said}\n")
    assert secret not in page(dreaming)


def test_only_a_page_of_this_kind_is_written_over(dreaming: Dreaming, tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    report = gather_report(dreaming.dreamer())
    write_report(target, report)
    write_report(target, report)
    assert target.read_text(encoding="utf-8") == render_report(report)
    target.write_text("mine")
    with pytest.raises(ConflictError):
        write_report(target, report)
    assert target.read_text() == "mine"
    with pytest.raises(ClawvaultError, match="Cannot write"):
        write_report(tmp_path / "missing" / "report.html", report)


def test_days_without_a_recall_are_days_too() -> None:
    assert count_days([], date(2026, 3, 4)) == []


@pytest.mark.parametrize(
    ("most", "ticks"),
    [(0, [0, 1]), (1, [0, 1]), (4, [0, 1, 2, 3, 4]), (7, [0, 2, 4, 6, 8]), (100, [0, 20, 40, 60, 80, 100])],
)
def test_an_axis_has_few_whole_numbers(most: int, ticks: list[int]) -> None:
    assert whole_ticks(most) == ticks


@pytest.mark.parametrize("width", [320, 700])
def test_what_is_drawn_stays_within_the_drawing(width: int) -> None:
    days = [(date.fromordinal(738_000 + at), at) for at in range(90)]
    curves = [Curve(f"<{number}>", [1.0 - number / 10] * 31) for number in range(5)]
    names = {"width": width, "key": "k", "title": 'a "<b>"', "about": "&"}
    made = [
        draw_days(days, **names),  # type: ignore[arg-type]
        draw_curves(curves, 0.75, date(2026, 3, 4), **names),  # type: ignore[arg-type]
        draw_rows([("memory/" + "x" * 200, 3), ("b", 1)], **names),  # type: ignore[arg-type]
    ]
    for text in made:
        svg = ElementTree.fromstring(text)  # noqa: S314 - our own
        height = float(svg.get("height", 0))
        assert all(0 <= float(item.get("x", 0)) <= width for item in svg.iter())
        assert all(0 <= float(item.get("y", 0)) <= height for item in svg.iter())
        assert [float(item.get("x", 0)) + float(item.get("width", 0)) <= width for item in svg.iter("rect")].count(
            False
        ) == 0
