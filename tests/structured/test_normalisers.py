"""Normalisers of single fields: steps in order, patterns in linear time, and settings that hold in one field only."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae import structured
from jatdae.core.errors import UsageError
from jatdae.structured.normalisers import Normaliser, Replacement


def matches(prediction: Any, reference: Any, **settings: Any) -> bool:
    return structured.compare({"a": prediction}, {"a": reference}, fields={"a": settings}).exact_accuracy == 1.0


@pytest.mark.parametrize(
    ("steps", "prediction", "reference"),
    [
        (["casefold"], "SEOUL Station", "Seoul station"),
        (["nfkc"], "ＡＢＣ ㈜", "ABC (주)"),
        (["punctuation"], "Smith, J.", "Smith J"),
        (["digits"], "Tel. 02-123-4567", "021234567"),
        ([{"regex": r"^(?:Mr|Ms)\.? "}], "Mr. Kim", "Kim"),
        ([{"regex": r"(\d+)호", "replacement": r"#\1"}, "casefold"], "B동 12호", "b동 #12"),
    ],
)
def test_what_a_step_removes_does_not_count(steps: list[Any], prediction: str, reference: str) -> None:
    assert matches(prediction, reference, normalise=steps)
    assert not matches(prediction, reference, normalise="none")


def test_the_result_is_compared_as_it_stands() -> None:
    assert matches("Street 5", "St. 5")
    assert not matches("Street 5", "St. 5", normalise=["casefold"])


def test_a_number_is_left_as_it_is() -> None:
    assert Normaliser(("digits",))(-5) == -5


def test_grouping_holds_in_one_field() -> None:
    assert not matches("1.234", 1234)
    assert matches("1.234", 1234, grouping=".")
    assert not matches("1,234", 1234, grouping=".")


@settings(derandomize=True, deadline=None, max_examples=80)
@given(st.text())
def test_steps_are_done_after_once(text: str) -> None:
    normaliser = Normaliser(("nfkc", "casefold", "punctuation", Replacement(regex=r"\s+", replacement=" ")))
    assert isinstance(normaliser(text), str)
    once = Normaliser(("digits",))(text)
    assert Normaliser(("digits",))(once) == once


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        (["upper"], "nfkc"),
        ([{"regex": "(?=x)"}], "RE2"),
        ([{"regex": "(x)", "replacement": r"\2"}], "RE2"),
        ([{"regexp": "x"}], "regex"),
        ("prints", "print"),
    ],
)
def test_what_cannot_be_used_is_told_with_its_place(bad: Any, told: str) -> None:
    with pytest.raises(UsageError, match=r"fields\.a\.normalise") as error:
        matches("a", "b", normalise=bad)
    assert told in str(error.value)
