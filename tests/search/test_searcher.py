"""From a question to hits, on real files and a real index."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from bench_vault import BenchVault
from hit_fields import HIT_FIELDS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clawvault.errors import EmbedderError, UsageError
from clawvault.search.asking.request import SearchRequest


def test_the_answer_has_the_fields_of_the_contract(bench: BenchVault) -> None:
    bench.write("memory/2026-03-09.md", "# Day\n\n## Databases\n\nWe moved to PostgreSQL.\n")
    bench.sync()
    answer = json.loads(json.dumps(bench.search("PostgreSQL").to_dict()))
    assert list(answer)[:7] == [
        "query",
        "mode",
        "took_ms",
        "degraded",
        "stale",
        "no_confident_match",
        "hits",
    ]
    hit = answer["hits"][0]
    assert list(hit)[: len(HIT_FIELDS)] == HIT_FIELDS
    assert (hit["rank"], hit["path"], hit["date"], hit["evergreen"]) == (1, "memory/2026-03-09.md", "2026-03-09", False)
    assert hit["heading"] == ["Day", "Databases"]
    assert (hit["fts_rank"], hit["vector_rank"], hit["is_hybrid_match"]) == (1, 1, True)


def test_the_text_of_a_hit_is_an_exact_slice_at_its_lines(bench: BenchVault) -> None:
    """I14."""
    text = "# One\r\n\r\nfirst fact\r\n\r\n# Two\r\n\r\nsecond heron\r\n"
    bench.write("a.md", text)
    bench.sync()
    hit = bench.search("heron").hits[0]
    assert hit.text in text
    assert "second heron" in "\n".join(text.split("\n")[hit.line_start - 1 : hit.line_end])


def test_a_lane_that_did_not_return_a_chunk_leaves_its_fields_empty(bench: BenchVault) -> None:
    bench.write("a.md", "only the heron\n")
    bench.sync()
    hit = bench.search("heron", mode="fts").hits[0]
    assert (hit.cosine, hit.vector_rank, hit.is_hybrid_match) == (None, None, False)
    hit = bench.search("heron", mode="vector").hits[0]
    assert (hit.text_score, hit.fts_rank) == (None, None)


@pytest.mark.parametrize(
    ("line", "question"),
    [
        ("Set REDIS_HOST to the cache.", "REDIS_HOST"),
        ("We don't reboot on Fridays.", "don't reboot"),
        ("Pinned at v3.14.2 since May.", "v3.14.2"),
        ("他下午在图书馆内看书。", "图书馆"),
        ("Written in C++ for speed.", "C++"),
        ("NOTE: oven stays at 180.", "NOTE: oven"),
        ("Uses std::map inside.", "std::map"),
        ("Pass --dry-run first.", '"--dry-run"'),
        ("The party 🎉 is on.", "🎉"),
        ("Due on 2026-01-05 at noon.", "2026-01-05"),
        ("これは図書館の本です。", "図書館"),
        ("한국어 문서를 찾습니다.", "문서"),
        ("Ｆｕｌｌ width ＡＰＩ here.", "API"),
        ("The Übung is hard.", "ubung"),
        ("वह पुस्तकालय में बैठा है।", "पुस्तकालय"),
        ("அவர் நூலகத்தில் இருக்கிறார்.", "நூலகத்தில்"),
        ("ذهب إلى المكتبة أمس.", "المكتبة"),
        ("كَتَبَ مُحَمَّدٌ رسالة.", "محمد"),
        ("Ο άνθρωπος διαβάζει.", "ανθρωπος"),
        ("Он читает в библиотеке.", "библиотеке"),
        ("Thư viện mở cửa.", "thu vien"),
        ("ผมอ่านหนังสือในห้องสมุด", "ห้องสมุด"),
    ],
)
def test_an_exact_thing_is_found_first(bench: BenchVault, line: str, question: str) -> None:
    """B081, B083, IW-44, L27: among notes about something else."""
    for i in range(12):
        bench.write(f"other{i}.md", f"Another note number {i} with plain words about gardens.\n")
    bench.write("right.md", line + "\n")
    bench.sync()
    assert bench.paths(question, mode="fts")[0] == "right.md"
    assert bench.paths(question)[0] == "right.md"


@pytest.mark.parametrize("field", ["path", "tag"])
def test_a_filter_that_is_no_text_is_refused(field: str) -> None:
    with pytest.raises(UsageError):
        SearchRequest(query="x", **{field: "\udcff"})


def test_common_words_alone_are_no_answer(bench: BenchVault) -> None:
    """Limits L20: any note at all holds them."""
    bench.write("a.md", "To be, or not to be.\n")
    bench.sync()
    result = bench.search("to be unobtainable", mode="fts")
    assert (result.hits, result.no_confident_match) == ((), True)


def test_a_question_of_common_words_alone_finds_them(bench: BenchVault) -> None:
    bench.write("a.md", "To be, or not to be.\n")
    bench.sync()
    assert bench.paths("to be or not", mode="fts") == ["a.md"]


@pytest.mark.parametrize("question", ["", "  ", "\x00", "AND", '"abc', "🎉", "C++", "don't", "2026-01-05", "--"])
def test_any_question_is_answered_on_an_empty_vault(bench: BenchVault, question: str) -> None:
    """TC-21, B085."""
    bench.sync()
    result = bench.search(question)
    assert (result.hits, result.no_confident_match) == ((), True)


def test_thirty_thousand_characters_are_answered(bench: BenchVault) -> None:
    """I24."""
    bench.write("a.md", "The heron stands.\n")
    bench.sync()
    assert bench.paths("heron " * 5000) == ["a.md"]


@given(st.text(st.characters(codec=None), max_size=200))
@settings(deadline=None, max_examples=200, suppress_health_check=list(HealthCheck))
def test_no_question_raises(filled: BenchVault, question: str) -> None:
    """F22, I24, lone surrogates included."""
    assert filled.search(question).degraded == ()


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> BenchVault:
    made = BenchVault(tmp_path_factory.mktemp("filled"))
    for i in range(10):
        made.write(f"{i}.md", f"Note {i} about herons, rivers and 图书馆.\n")
    made.sync()
    return made


def test_asking_for_more_hits_only_makes_the_list_longer(bench: BenchVault) -> None:
    for i in range(80):
        bench.write(f"{i}.md", f"heron {i % 5} river {i % 7} stone {i % 11} text {i}\n")
    bench.sync()
    assert bench.paths("river stone 3", limit=30)[:3] == bench.paths("river stone 3", limit=3)


def test_the_parts_of_an_explanation_make_up_the_score(bench: BenchVault) -> None:
    bench.write("memory/2026-03-01.md", "The heron stands in the river.\n")
    bench.write("b.md", "A river without birds.\n")
    bench.sync()
    for hit in bench.search("heron river", explain=True).hits:
        assert hit.explain is not None
        adds = hit.explain["keyword"]["adds"] + hit.explain["vector"]["adds"]
        assert hit.score == pytest.approx(adds * hit.explain["decay"], abs=1e-5)


@pytest.mark.parametrize("question", ["heron", "", "flamingo"])
def test_an_answer_without_hits_can_be_explained(bench: BenchVault, question: str) -> None:
    bench.write("a.md", "the port is 5433\n")
    bench.sync()
    assert bench.search(question, explain=True, mode="fts").hits == ()


def test_an_old_note_with_the_very_word_beats_notes_without_it(bench: BenchVault) -> None:
    """Limits L2: an identifier must not lose to a note that does not hold it."""
    bench.write("memory/2025-06-01.md", "The case number is 88-20931-X for the insurance.\n")
    for i in range(10):
        bench.write(f"{i}.md", f"Person {i} works on things of number {i}.\n")
    bench.sync()
    assert bench.paths("88-20931-X")[0] == "memory/2025-06-01.md"


def test_copies_of_one_text_take_one_place(bench: BenchVault) -> None:
    """B089."""
    for i in range(10):
        bench.write(f"copy{i}.md", "The blue kettle is in the kitchen.\n")
    bench.write("other.md", "A kettle was bought in May.\n")
    bench.sync()
    hits = bench.search("kettle", limit=5).hits
    assert [hit.copies for hit in hits if "blue" in hit.text] == [10]
    assert "other.md" in [hit.path for hit in hits]


def test_a_deleted_note_is_not_shown_and_the_answer_says_it_is_behind(bench: BenchVault) -> None:
    """B095."""
    bench.write("a.md", "The heron stands.\n")
    bench.write("b.md", "The heron flies.\n")
    bench.sync()
    (bench.root / "a.md").unlink()
    result = bench.search("heron")
    assert [hit.path for hit in result.hits] == ["b.md"]
    assert result.stale


def test_an_edited_note_is_marked_as_stale(bench: BenchVault) -> None:
    """I14, B095."""
    bench.write("a.md", "The heron stands.\n")
    bench.sync()
    bench.write("a.md", "The heron has left the river.\n")
    result = bench.search("heron")
    assert (result.stale, result.hits[0].stale) == (True, True)


def test_an_absent_vault_folder_is_said_and_answered_from_memory(bench: BenchVault) -> None:
    """F19, B045."""
    bench.write("a.md", "The heron stands.\n")
    bench.sync()
    bench.root.rename(bench.root.with_name("away"))
    result = bench.search("heron")
    assert [hit.path for hit in result.hits] == ["a.md"]
    assert result.degraded == ("the vault folder is not there; hits are from memory",)
    assert result.stale


def test_the_same_question_has_the_same_answer(bench: BenchVault) -> None:
    """I26."""
    for i in range(30):
        bench.write(f"{i}.md", f"heron {i % 3} river {i % 5}\n")
    bench.sync()
    first = [(hit.path, hit.score) for hit in bench.search("heron river").hits]
    assert [(hit.path, hit.score) for hit in bench.search("heron river").hits] == first


def test_a_dated_note_fades_and_a_topic_note_does_not(bench: BenchVault) -> None:
    """OC-09, OC-31, B093: a valid date in the file name at any depth counts."""
    bench.write("reports/2026-01-14.md", "The heron report of the morning.\n")
    bench.write("heron.md", "The heron report of the evening.\n")
    bench.sync()
    decay = {hit.path: hit.decay for hit in bench.search("report").hits}
    assert decay["heron.md"] == 1.0
    assert decay["reports/2026-01-14.md"] < 1.0


def test_a_strong_match_does_not_sink_because_it_is_old(bench: BenchVault) -> None:
    """OC-63, limits L2: the quarterly procedure, ninety days on."""
    bench.write("memory/2026-01-15.md", "Quarterly deploy procedure: freeze, tag, migrate, announce.\n")
    for day in range(1, 25):
        bench.write(f"memory/2026-04-{day:02}.md", f"Talked about the deploy of service {day} over lunch.\n")
    bench.sync()
    request = SearchRequest(query="quarterly deploy procedure", limit=6)
    result = bench.vault.opened.search(request, today=date(2026, 4, 15))
    assert "memory/2026-01-15.md" in [hit.path for hit in result.hits]


def test_pinned_text_in_a_dated_note_does_not_fade(bench: BenchVault) -> None:
    bench.write("memory/2025-03-15.md", "The alarm code stays the same. #pin\n")
    bench.sync()
    assert bench.search("alarm").hits[0].decay == 1.0


@pytest.mark.parametrize(
    ("options", "paths"),
    [
        ({"since": "2026-03-10"}, ["memory/2026-03-10.md"]),
        ({"until": "2026-03-09"}, ["memory/2026-03-09.md"]),
        ({"kind": "evergreen"}, ["projects/alpha/heron.md"]),
        ({"kind": "dated", "since": "2026-03-09", "until": "2026-03-09"}, ["memory/2026-03-09.md"]),
        ({"path": "projects"}, ["projects/alpha/heron.md"]),
        ({"path": "projects/*/heron.md"}, ["projects/alpha/heron.md"]),
        ({"tag": "bird"}, ["projects/alpha/heron.md"]),
        ({"tag": "#Bird/Wader"}, ["projects/alpha/heron.md"]),
        ({"path": "nowhere"}, []),
    ],
)
def test_filters_narrow_both_lanes(bench: BenchVault, options: dict[str, str], paths: list[str]) -> None:
    bench.write("memory/2026-03-09.md", "Saw the heron on Monday.\n")
    bench.write("memory/2026-03-10.md", "The heron again on Tuesday.\n")
    bench.write("projects/alpha/heron.md", "---\ntags: [bird/wader]\n---\nAll about the heron.\n")
    bench.sync()
    assert sorted(bench.paths("heron", **options)) == paths


def test_one_chunk_a_note_on_request(bench: BenchVault) -> None:
    bench.write("a.md", "".join(f"# Part {i}\n\n{'The heron and the river. ' * 20}{i}\n\n" for i in range(6)))
    bench.write("b.md", "One heron.\n")
    bench.sync()
    assert sorted(bench.paths("heron", group="note")) == ["a.md", "b.md"]


@pytest.mark.parametrize("fusion", ["score", "rrf", "weighted", "adaptive"])
def test_every_fusion_puts_the_agreed_hit_first(bench: BenchVault, fusion: str) -> None:
    """IW-52, IW-60, TC-26."""
    bench.write("right.md", "dark mode config\n")
    for i in range(8):
        bench.write(f"{i}.md", f"coffee machine manual part {i}\n")
    bench.sync()
    hit = bench.search("dark mode config", fusion=fusion).hits[0]
    assert (hit.path, hit.is_hybrid_match) == ("right.md", True)
    assert 0.0 <= hit.score <= 1.0


def test_meaning_alone_cannot_be_asked_for_when_the_model_fails(bench: BenchVault) -> None:
    bench.write("a.md", "heron\n")
    bench.sync()
    bench.embedder.fault = "out of memory"
    with pytest.raises(EmbedderError, match="out of memory"):
        bench.search("heron", mode="vector")


def test_words_answer_when_the_model_fails_and_the_loss_is_said(bench: BenchVault) -> None:
    """I25, OC-18."""
    bench.write("a.md", "heron\n")
    bench.sync()
    bench.embedder.fault = "out of memory"
    result = bench.search("heron")
    assert [hit.path for hit in result.hits] == ["a.md"]
    assert result.degraded == ("vector lane off: out of memory",)


def test_numpy_gives_the_same_hits(tmp_path: Path) -> None:
    """I23."""
    answers = []
    for backend in ("sqlite-vec", "numpy"):
        bench = BenchVault(tmp_path / backend, vector_backend=backend)
        for i in range(40):
            bench.write(f"{i}.md", f"heron {i} river {i % 7} stone {i % 11}\n")
        bench.sync()
        assert bench.vault.status()["vector_backend"] == backend
        answers.append([(hit.path, round(hit.score, 4)) for hit in bench.search("river stone heron 5").hits])
        bench.vault.close()
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    "options",
    [{"limit": 0}, {"mode": "magic"}, {"fusion": "magic"}, {"since": "2026-02-30"}, {"kind": "old"}, {"group": "x"}],
)
def test_a_request_that_makes_no_sense_is_refused(options: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        SearchRequest(query="x", **options)


def test_a_request_survives_the_way_through_json() -> None:
    request = SearchRequest(query="x", limit=3, since="2026-01-01", tag="a")
    assert SearchRequest.from_dict(json.loads(json.dumps(request.to_dict()))) == request


def test_an_unknown_field_of_a_request_is_named() -> None:
    with pytest.raises(UsageError, match="colour"):
        SearchRequest.from_dict({"query": "x", "colour": "red"})


def test_recorded_conversations_are_found_only_where_the_path_names_them(bench: BenchVault) -> None:
    """MN-47, MN-52."""
    bench.write("threads/t1/r1.md", "the heron in a conversation\n")
    bench.write("projects/threads.md", "the heron in a note\n")
    bench.sync()
    assert bench.paths("heron") == ["projects/threads.md"]
    assert bench.paths("heron", path="threads/t1") == ["threads/t1/r1.md"]
    assert bench.paths("heron", path="threads/") == ["threads/t1/r1.md"]
    assert bench.paths("heron", mode="vector") == ["projects/threads.md"]
    assert sorted(bench.paths("heron", threads=True)) == ["projects/threads.md", "threads/t1/r1.md"]


def test_archived_notes_are_found_only_where_they_are_asked_for(bench: BenchVault) -> None:
    """Decisions, "Retention"; a folder of that name which a person keeps in another way is an ordinary one."""
    bench.write("archive/2025/memory/2025-03-01.md", "the heron of last year\n")
    bench.write("archive/birds/heron.md", "the heron in a folder of mine\n")
    bench.write("threads/t1/r1.md", "the heron in a conversation\n")
    bench.sync()
    assert bench.paths("heron") == ["archive/birds/heron.md"]
    assert bench.paths("heron", mode="vector") == ["archive/birds/heron.md"]
    assert bench.paths("heron", path="archive/2025") == ["archive/2025/memory/2025-03-01.md"]
    both = ["archive/2025/memory/2025-03-01.md", "archive/birds/heron.md"]
    assert sorted(bench.paths("heron", archive=True)) == both
    verdict = bench.vault.why("archive/2025/memory/2025-03-01.md", "heron")["verdict"]
    assert verdict.startswith("The note is in the archive")


def test_nobody_unknown_asks() -> None:
    with pytest.raises(UsageError, match="asked_by"):
        SearchRequest(query="x", asked_by="nobody")
