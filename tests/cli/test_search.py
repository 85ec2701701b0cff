"""``clawvault search``: what people and what agents see."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_types import Run, Start
from hit_fields import HIT_FIELDS


def test_a_hit_is_a_header_line_and_a_snippet(run: Run) -> None:
    result = run("search", "staging port", "--mode", "fts", "-n", "1")
    header, snippet = result.stdout.splitlines()
    assert header.startswith("1  databases.md:1-7  › Databases")
    assert header.endswith("[fts]")
    assert snippet == "   Staging listens on port 5434."


def test_a_dated_hit_shows_its_day(run: Run) -> None:
    header = run("search", "Mira", "--mode", "fts").stdout.splitlines()[0]
    assert header.startswith("1  memory/2026-03-09.md:1-1")
    assert header.endswith("  [fts]  2026-03-09")


def test_the_json_has_the_fields_of_the_contract_in_order(run: Run) -> None:
    result = run("search", "port", "--json", "--mode", "fts")
    answer = json.loads(result.stdout)
    assert list(answer)[:7] == ["query", "mode", "took_ms", "degraded", "stale", "no_confident_match", "hits"]
    assert list(answer["hits"][0])[:17] == HIT_FIELDS
    assert answer["hits"][0]["vector_rank"] is None
    assert answer["hits"][0]["vault"] == "notes"


def test_nothing_found_is_said_on_standard_error_with_exit_0(run: Run) -> None:
    result = run("search", "zeppelin", "--mode", "fts")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "No hits.\n")


def test_words_without_quotes_are_one_question(run: Run) -> None:
    result = run("search", "staging", "port", "-n", "1", "--mode", "fts", "--json")
    assert json.loads(result.stdout)["query"] == "staging port"


def test_an_empty_question_has_no_hits_and_says_so(run: Run) -> None:
    result = run("search", " ")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.splitlines()[0] == "The question is empty."


def test_a_question_that_looks_like_an_option_is_explained(run: Run) -> None:
    result = run("search", "--force-with-lease", "--mode", "fts")
    assert result.exit_code == 2
    lines = result.stderr.splitlines()
    assert lines[-2].startswith("Error: No such option")
    assert "--force-with-lease" in lines[-2]
    assert lines[-1] == 'Hint: to search for text that begins with "-", put "--" before it.'
    assert run("search", "--mode", "fts", "--", "--force-with-lease").exit_code == 0


def test_days_the_wrong_way_round_are_exit_2(run: Run) -> None:
    result = run("search", "port", "--since", "2026-03-02", "--until", "2026-03-01")
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: The first day, 2026-03-02, is after the last, 2026-03-01.")


def test_a_missing_lane_is_said_on_standard_error_alone(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAWVAULT_EMBEDDING_PROVIDER", "sentence-transformers")
    monkeypatch.setenv("CLAWVAULT_EMBEDDING_MODEL", "no/such-model")
    result = run("search", "port", "--json")
    assert "Degraded: vector lane off: " in result.stderr
    assert json.loads(result.stdout)["degraded"][0].startswith("vector lane off: ")


def test_who_chose_to_have_no_model_misses_nothing(run: Run) -> None:
    result = run("search", "port", "--json")
    assert (result.stderr, json.loads(result.stdout)["degraded"]) == ("", [])


def test_full_shows_the_whole_passage_with_line_numbers(run: Run) -> None:
    lines = run("search", "5434", "--mode", "fts", "--full").stdout.splitlines()
    assert lines[1:8] == [
        "   1 │ # Databases",
        "   2 │ ",
        "   3 │ ## Ports",
        "   4 │ ",
        "   5 │ Production listens on port 5433.",
        "   6 │ ",
        "   7 │ Staging listens on port 5434.",
    ]


def test_explain_shows_what_each_lane_said_and_the_decay(run: Run) -> None:
    lines = run("search", "Mira", "--mode", "fts", "--explain").stdout.splitlines()
    assert lines[2].startswith("   words     rank 1, strength ")
    assert lines[2].endswith(", weight 1.00 (trust 1.00): +1.000")
    assert lines[3] == "   meaning   not found, weight 0.00 (trust 1.00): +0.000"
    assert lines[4].startswith("   score     1.000 × decay ")
    assert "(of 2026-03-09)" in lines[4]


@pytest.mark.parametrize(
    ("options", "paths"),
    [
        (["--path", "memory/*"], ["memory/2026-03-09.md"]),
        (["--kind", "dated"], ["memory/2026-03-09.md"]),
        (["--on", "2026-03-09"], ["memory/2026-03-09.md"]),
        (["--on", "2026-03-10"], []),
        (["--since", "2026-03-01", "--until", "2026-03-31"], ["memory/2026-03-09.md"]),
        (["--tag", "none-has-it"], []),
    ],
)
def test_filters_narrow_the_hits(run: Run, options: list[str], paths: list[str]) -> None:
    answer = json.loads(run("search", "Mira Databases", "--json", "--mode", "fts", *options).stdout)
    assert [hit["path"] for hit in answer["hits"]] == paths


def test_on_excludes_since(run: Run) -> None:
    assert run("search", "x", "--on", "2026-03-09", "--since", "2026-03-01").exit_code == 2


def test_the_limit_comes_from_the_settings_unless_it_is_given(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAWVAULT_SEARCH_LIMIT", "1")
    query = ("search", "port Mira projects", "--mode", "fts", "--json")
    assert len(json.loads(run(*query).stdout)["hits"]) == 1
    assert len(json.loads(run(*query, "-n", "3").stdout)["hits"]) == 3


@pytest.mark.parametrize(
    "query",
    ["", "C++", "2026-01-05", "don't", '"abc', "AND", "🎉", "a\0b", "x " * 15_000, "NEAR(a", "-- port", "\u202eport"],
)
def test_any_text_is_a_question(run: Run, query: str) -> None:
    """B081, B083, B085."""
    result = run("search", "--json", "--mode", "fts", "--", query)
    assert result.exit_code == 0
    assert json.loads(result.stdout)["mode"] == "fts"


def test_control_and_bidi_characters_of_notes_never_reach_the_terminal(run: Run, vault: Path) -> None:
    """T19."""
    (vault / "evil.md").write_text("# Ev\x1b[31mil\u202e\n\nzeppelin \x1b]8;;http://x\x07 \u2066 \x9b31m\n", "utf-8")
    output = run("search", "zeppelin", "--mode", "fts", "--full", "--explain").output
    assert "zeppelin" in output
    assert not set(output) & set("\x1b\x07\x9b\u202e\u2066")


def test_a_pipe_gets_no_escape_sequences(start: Start) -> None:
    done = start("search", "port", "--mode", "fts", FORCE_COLOR="1")
    assert "\x1b" not in done.stdout


def test_a_running_daemon_gives_the_same_answer(daemon: object, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from clawvault.daemon import transport

    answered = run("search", "port", "--json", "--mode", "fts")
    assert (answered.exit_code, answered.stderr) == (0, "")
    by_daemon = json.loads(answered.stdout)
    monkeypatch.setattr(transport, "ask", lambda *_: None)
    here = json.loads(run("search", "port", "--json", "--mode", "fts").stdout)
    assert by_daemon["hits"] == here["hits"]
    assert by_daemon["hits"][0]["path"] == "databases.md"


def test_an_error_of_the_daemon_has_its_exit_code(daemon: object, run: Run) -> None:
    result = run("search", "port", "-n", "5000")
    assert result.exit_code == 2
    assert result.stderr == "Error: The limit is 5000.\nHint: Ask for 1 to 1000 hits.\n"


def test_a_daemon_that_does_not_answer_is_passed_over_and_that_is_said(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B027."""
    from clawvault.daemon import transport

    def silent(*_: object) -> None:
        raise transport.SilentDaemonError('The daemon of "notes" did not answer within 30 s.')

    monkeypatch.setattr(transport, "ask", silent)
    result = run("search", "port", "--mode", "fts")
    assert result.exit_code == 0
    assert result.stdout.startswith("1  databases.md:1-7")
    assert 'Degraded: The daemon of "notes" did not answer within 30 s.' in result.stderr
