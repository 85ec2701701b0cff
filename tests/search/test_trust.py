"""How far each lane is trusted: pure."""

from __future__ import annotations

import pytest

from clawvault.embed.probe import Reading
from clawvault.search.lanes.trust import choose_reading, is_no_answer, keyword_trust, vector_confidence, vector_trust

GOOD = Reading(share=0.875, noise=0.1, strong=0.5)
GUESSING = Reading(share=0.25, noise=0.6, strong=0.55)


def test_a_question_whose_weight_is_not_in_the_notes_is_not_trusted_to_words() -> None:
    assert keyword_trust(0.2, 100, [100, 0, 0, 0]) < 0.05


def test_a_question_whose_rare_words_are_in_one_chunk_is_trusted_to_words() -> None:
    assert keyword_trust(8.0, 100, [1, 1]) == 1.0


def test_a_question_of_words_that_are_everywhere_divides_by_no_zero() -> None:
    assert keyword_trust(0.0, 10, [10, 10]) == 1.0


def test_more_matches_than_chunks_are_no_error() -> None:
    assert keyword_trust(1.0, 10, [12]) == 1.0


def test_a_model_that_reads_a_language_is_trusted_with_a_near_passage() -> None:
    """L27."""
    assert vector_trust(GOOD, 0.6) == 1.0


def test_a_model_that_guesses_in_a_language_is_not_trusted_with_it() -> None:
    assert vector_trust(GUESSING, 0.7) == 0.0


@pytest.mark.parametrize(("best", "held", "expected"), [(0.2, 0.4, True), (0.2, 0.5, False), (0.3, 0.0, False)])
def test_a_far_passage_with_few_of_the_words_is_no_answer(best: float, held: float, expected: bool) -> None:
    """L20."""
    assert is_no_answer(GOOD, best, lambda: held) is expected


@pytest.mark.parametrize(("best", "held", "expected"), [(0.17, 0.5, True), (0.17, 0.75, False), (0.19, 0.5, False)])
def test_one_common_word_of_two_does_not_speak_for_a_passage_that_is_far(
    best: float, held: float, expected: bool
) -> None:
    """L20."""
    assert is_no_answer(GOOD, best, lambda: held) is expected


def test_a_model_that_cannot_read_says_nothing_against_a_passage() -> None:
    """L20, L27."""
    assert not is_no_answer(GUESSING, 0.0, lambda: 0.0)


def test_a_model_that_was_not_measured_refuses_nothing() -> None:
    assert not is_no_answer(None, 0.0, lambda: 0.0)


def test_a_passage_no_nearer_than_wrong_ones_are_is_not_trusted() -> None:
    """L20."""
    assert vector_confidence(GOOD, 0.1) == 0.0


def test_a_passage_half_way_between_is_half_trusted() -> None:
    assert vector_confidence(GOOD, 0.3) == pytest.approx(0.5)


def test_a_language_that_was_not_asked_is_read_as_the_average() -> None:
    found = choose_reading({"en": GOOD, "zh": GUESSING}, "")
    assert found == pytest.approx(Reading(0.5625, 0.35, 0.525))


def test_a_model_that_was_not_measured_is_trusted() -> None:
    assert vector_trust(choose_reading({}, "zh"), 0.0) == 1.0
