"""The statements of a note."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from clawvault.dream.recall.statements import claim_hash, find_meant, list_statements
from clawvault.dream.scoring.concepts import concept_tags

NOTE = """# 2026-03-04

## Work

- 10:02 Prefers TypeScript with strict mode. ^pref
- Deploy steps:
  - run make release
  - push the tag
- [ ] call the plumber <!-- soon -->

The database listens on port 5433,
behind the pooler.

> somebody else's words

```sh
make
```

<!-- clawvault:promoted:begin -->
- Written by the program.
<!-- clawvault:promoted:end -->
- Written by hand.
"""


def said(text: str, kind: str) -> list[tuple[int, int, str]]:
    return [(item.line_start, item.line_end, item.text) for item in list_statements(text) if item.kind == kind]


def test_items_stand_alone_without_their_marks_times_comments_and_ids() -> None:
    assert said(NOTE, "list_item") == [
        (5, 5, "Prefers TypeScript with strict mode."),
        (6, 6, "Deploy steps:"),
        (7, 7, "run make release"),
        (8, 8, "push the tag"),
        (9, 9, "call the plumber"),
        (21, 21, "Written by the program."),
        (23, 23, "Written by hand."),
    ]


def test_a_paragraph_is_one_line() -> None:
    assert said(NOTE, "paragraph") == [(11, 12, "The database listens on port 5433, behind the pooler.")]


def test_a_statement_knows_its_headings() -> None:
    assert list_statements(NOTE)[2].heading == ("2026-03-04", "Work")


def test_what_a_program_keeps_is_told_from_what_a_person_wrote() -> None:
    """I36, L35."""
    assert [item.text for item in list_statements(NOTE) if item.is_generated and item.text] == [
        "Written by the program."
    ]


def test_a_task_is_told_by_its_box() -> None:
    assert [item.text for item in list_statements(NOTE) if item.is_task] == ["call the plumber"]


def test_a_long_paragraph_is_told_apart_by_its_sentences() -> None:
    sentence = "The build number of this release is kept in a file beside it. "
    text = sentence * 6 + "\n" + sentence * 3
    assert [(first, last) for first, last, _ in said(text, "paragraph")] == [(1, 1)] * 6 + [(2, 2)] * 3


def test_the_identity_stays_when_a_statement_moves_or_is_wrapped() -> None:
    """L23, B133."""
    one = list_statements("- 09:15 The port is 5433.\n")[0]
    other = list_statements("intro\n\n* The port\n  is 5433.\n")[1]
    assert one.key == other.key == claim_hash("The port is 5433.")


def test_another_number_is_another_statement() -> None:
    assert claim_hash("The port is 5433.") != claim_hash("The port is 5434.")


def test_a_question_means_the_statements_that_share_most_of_its_words() -> None:
    meant, shares_words = find_meant("- The port is 5433.\n- The editor is Helix.\n", "which editors do we use")
    assert shares_words
    assert [(item.line_start, item.text) for item in meant] == [(2, "The editor is Helix.")]


def test_a_question_in_another_language_means_all_of_a_short_passage() -> None:
    text = "- The port is 5433.\n- The editor is Helix.\n"
    assert [item.line_start for item in find_meant(text, "用什么编辑器")[0]] == [1, 2]


def test_a_question_in_another_language_means_nothing_of_a_long_passage() -> None:
    assert find_meant("".join(f"- Thing number {n}.\n" for n in range(9)), "用什么编辑器") == ([], False)


def test_a_heading_alone_is_never_meant() -> None:
    """B131."""
    assert find_meant("## Decision\n", "decision") == ([], False)


def test_concepts_are_words_of_the_name_after_the_day_and_of_the_text() -> None:
    """OC-40."""
    assert concept_tags("memory/2026-03-04-standup.md", "The port of the database is 5433.") == (
        "standup",
        "port",
        "database",
    )


def test_concepts_of_chinese_text_are_pairs() -> None:
    """OC-40."""
    assert concept_tags("memory/2026-03-04.md", "数据库端口")[0] == "数据"


@settings(deadline=None, max_examples=200)
@given(st.text(alphabet="ab -*#>|`\n.:[]x<!%^1", max_size=200))
def test_every_statement_lies_inside_the_note(text: str) -> None:
    n_lines = text.count("\n") + 1
    assert all(1 <= item.line_start <= item.line_end <= n_lines for item in list_statements(text))
