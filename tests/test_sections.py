"""Sections of settings: frozen values that the standard library takes for dataclasses."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, asdict, fields, replace
from typing import Any

import pytest

from clawvault.config import Config, ContextSettings, SearchSettings, load_config
from clawvault.sections import Section, checked


def sections() -> list[type[Section]]:
    return [Config, *(type(value) for value in vars(Config()).values() if isinstance(value, Section))]


def test_one_value_of_a_section_can_be_replaced() -> None:
    changed = replace(Config(), search=replace(SearchSettings(limit=3), mmr=False))
    assert (changed.search.limit, changed.search.mmr, changed.search.fusion) == (3, False, "score")
    assert changed.chunks == Config().chunks


def test_a_section_becomes_a_mapping_in_the_order_of_its_declaration() -> None:
    assert asdict(ContextSettings(budget_bytes=2_000)) == {"budget_bytes": 2_000}
    assert list(asdict(SearchSettings()))[:3] == ["fusion", "limit", "candidates"]


def test_sections_are_equal_by_their_values_and_wherever_these_are_from() -> None:
    given = load_config(None, environment={"CLAWVAULT_SEARCH_LIMIT": "10"})
    assert given == Config()
    assert hash(given) == hash(Config())
    assert given.origins["search.limit"] == "environment"
    assert SearchSettings(limit=3) != SearchSettings()
    assert ContextSettings() != SearchSettings()


def test_no_value_of_a_section_can_be_changed_or_taken_away() -> None:
    settings: Any = SearchSettings()
    with pytest.raises(FrozenInstanceError, match="limit"):
        settings.limit = 3
    with pytest.raises(FrozenInstanceError, match="limit"):
        del settings.limit
    assert settings == SearchSettings()


def test_a_section_knows_only_what_it_declares() -> None:
    given: dict[str, Any] = {"limt": 3}
    with pytest.raises(TypeError, match="SearchSettings has no limt"):
        SearchSettings(**given)


def test_a_section_shows_its_values() -> None:
    assert repr(ContextSettings(budget_bytes=2_000)) == "ContextSettings(budget_bytes=2000)"


def test_a_section_can_be_copied_and_sent_to_another_process() -> None:
    config = load_config(None, environment={"CLAWVAULT_SEARCH_LIMIT": "3"})
    for again in (copy.deepcopy(config), pickle.loads(pickle.dumps(config))):  # noqa: S301 - our own
        assert again == config
        assert again.origins == config.origins


@pytest.mark.parametrize("section", sections())
def test_every_default_is_a_value_that_could_be_given(section: type[Section]) -> None:
    for item in fields(section):
        if item.metadata:
            assert checked(item.name, item.default, item.default, item.metadata) == item.default


def test_every_setting_says_what_it_is() -> None:
    told = [item.metadata["doc"] for section in sections() for item in fields(section) if item.metadata]
    assert len(told) == len(load_config(None, environment={}).origins)
    assert all(told)


def test_a_section_is_declared_without_code_being_written_for_it() -> None:
    """Each command declares them all; methods that are compiled for each took a sixth of a short command."""
    written = {"__init__", "__repr__", "__eq__", "__hash__", "__setattr__", "__delattr__"}
    assert [written & set(vars(section)) for section in sections()] == [set()] * 10
