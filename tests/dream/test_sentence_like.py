"""What can stand in long-term memory by itself."""

from __future__ import annotations

import pytest

from clawvault.dream.recall.statements import Statement, list_statements
from clawvault.dream.scoring.sentence_like import find_shape_problem, is_generated

KEPT = [
    "Prefers TypeScript with strict mode over plain JavaScript.",
    "The staging database listens on port 5433.",
    "Decision: releases are cut on Thursdays, never on Fridays.",
    "Git is our version control for the design files too.",
    "Deploys of the shop run with `make release` after the freeze is lifted.",
    "This project uses pnpm workspaces.",
    "API_KEY and REDIS_HOST live in the deployment settings.",
    "Anna leads the payments team until June 2026.",
    "用户数据库的端口是 5433。",
    "项目使用 pnpm 而不是 npm。",
    "決定：毎週木曜日にリリースする。",
    "배포는 매주 목요일에 한다.",
    "Quarterly deploy: freeze the queue, migrate, then warm the cache.",
    "No deploys happen on Fridays.",
]
REJECTED = [
    ("$ git push origin main", "a shell line"),
    ("git push --force origin main", "a shell line"),
    ("docker compose up -d | tee log", "a shell line"),
    ("cd /srv/app && make", "a shell line"),
    ("User: can you fix the tests", "part of a conversation"),
    ("**Assistant:** I changed the file for you", "part of a conversation"),
    ("用户：帮我修一下这个测试文件", "part of a conversation"),
    ("OK, done with the first half of it", "part of a conversation"),
    ("Thanks, that looks good to me", "part of a conversation"),
    ("Database port candidate score=0.83 recalls=5", "scores"),
    ("memory line with confidence: 0.91 and more", "scores"),
    ("The steps for the deploy are:", "a lead-in"),
    ("Which port does the database use?", "a question"),
    ("数据库用哪个端口呢？", "a question"),
    ("It was the cache after all.", "not understood alone"),
    ("And then the build went green again.", "not understood alone"),
    ("它在重启之后就恢复正常了。", "not understood alone"),
    ("Decision", "too short"),
    ("fixed it", "too short"),
    ("好的", "part of a conversation"),
    ("端口", "too short"),
    ("one two three four 12 / 34 / 56 / 78 / 90 / 11 / 12 / 33 / 1234", "hardly any words"),
    ("word " * 120, "too long for one line"),
]


def statement(text: str, kind: str = "paragraph") -> Statement:
    return Statement(1, 1, text.strip(), kind)


@pytest.mark.parametrize("text", KEPT)
def test_a_sentence_that_can_be_understood_alone_is_kept(text: str) -> None:
    assert find_shape_problem(statement(text)) == ""
    assert not is_generated(statement(text))


@pytest.mark.parametrize(("text", "why"), REJECTED, ids=[text[:24] for text, _ in REJECTED])
def test_what_once_filled_memory_notes_is_told_apart(text: str, why: str) -> None:
    """B131."""
    assert find_shape_problem(statement(text)) == why


@pytest.mark.parametrize("kind", ["heading", "table", "fence", "quote", "html"])
def test_only_items_and_paragraphs_are_kept(kind: str) -> None:
    """B131: no heading alone, no table of scores, no words of others."""
    assert find_shape_problem(statement(KEPT[0], kind)) == f"a {kind}"


def test_a_task_is_not_a_fact() -> None:
    (said,) = list_statements("- [ ] Renew the certificate of the shop in May.\n")
    assert find_shape_problem(said) == "a task"


@pytest.mark.parametrize(
    "text",
    [
        "Kept from memory/2026-03-04.md: the port is 5433.",
        "The port is 5433. <!-- clawvault:memory/2026-03-04.md:3 -->",
        "This page is auto-generated from the daily notes.",
    ],
)
def test_what_a_program_wrote_is_known_by_its_marks(text: str) -> None:
    """I36, L35, F40: also where a person quotes it."""
    assert is_generated(statement(text))
