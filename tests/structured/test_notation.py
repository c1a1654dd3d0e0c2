"""The table of facts about notation: spellings that stand for one thing only, and units by any of theirs."""

from __future__ import annotations

import pytest

from jatdae.structured import notation
from jatdae.structured.notation import COUNTABLES, COUNTERS, CURRENCIES_AFTER, FORMS, MONTHS, SCALES, TITLES, unit_of


def test_no_word_behind_a_number_means_two_things() -> None:
    assert not COUNTERS & COUNTABLES.keys()
    assert not COUNTABLES.keys() & CURRENCIES_AFTER.keys()
    assert not [word for word in COUNTABLES if unit_of(word)]
    assert not COUNTABLES.keys() & SCALES.keys()


def test_every_month_is_there_and_every_spelling_in_lower_case() -> None:
    assert set(MONTHS.values()) == set(range(1, 13))
    for words in (COUNTERS, COUNTABLES, SCALES, TITLES, FORMS, MONTHS):
        assert all(word == word.lower() for word in words)


@pytest.mark.parametrize(
    ("text", "unit"),
    [("mcg", "µg"), ("ML", "mL"), ("mW", "mW"), ("MW", "MW"), ("mw", ""), ("mg/dl", "mg/dL"), ("a/b/c", ""), ("", "")],
)
def test_a_unit_is_found_by_any_spelling(text: str, unit: str) -> None:
    assert unit_of(text) == unit


def test_what_is_counted_has_a_name_that_no_unit_has() -> None:
    assert {name[0] for name in COUNTABLES.values()} == {"#"}
    assert COUNTABLES["boxes"] == COUNTABLES["상자"] == "#box"
    assert notation.CURRENCIES.isdisjoint(COUNTABLES.values())
