"""What a value is taken for, and what its kind makes of near misses."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.structured import compare, kinds
from jatdae.structured.kinds import canonical, kind_by_reading, kind_of, kind_of_text


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (None, "null"),
        (True, "bool"),
        (0, "number"),
        (1.5, "number"),
        (Decimal("1.50"), "number"),
        ({}, "object"),
        ([1], "array"),
        ("", "string"),
        ("충수절제술", "string"),
        ("1500000", "number"),
        ("1,500,000원", "number"),
        ("60.000", "number"),
        ("-5 %", "number"),
        ("RM50", "number"),
        ("2024-03-15", "date"),
        ("24.03.15", "date"),
        ("20240315", "date"),
        ("Fri, 15 Mar 2024", "date"),
        ("K35.80", "identifier"),
        ("INV-100001", "identifier"),
        ("123-45-67890", "identifier"),  # a business
        ("02-123-4567", "identifier"),  # a telephone
        ("900101-1234567", "identifier"),  # a person
        ("12-345-6789", "identifier"),
        ("inv_2024/001", "identifier"),
        ("0012345", "identifier"),
        ("1234567890", "identifier"),
        ("010-1234-5678", "identifier"),
        ("123-45-67890", "identifier"),
        ("1234 5678 9012 3456", "identifier"),
        ("DE89 3704 0044 0532 0130 00", "identifier"),
        ("12가3456", "identifier"),
        ("제2024-123호", "identifier"),
        ("101동 1203호", "identifier"),
        ("kim12@example.org", "identifier"),
        ("12E5", "identifier"),
        ("1X", "identifier"),
        ("2024-02-30", "string"),
        ("Room 12", "string"),
        ("서울시 강남구 123", "string"),
        ("아메리카노2잔", "string"),
        ("我在2024年购买了3本书", "string"),
        ("12-34", "string"),
        ("a" * 600 + "1", "string"),
    ],
)
def test_the_kind_is_inferred_from_the_reference(value: Any, kind: str) -> None:
    assert kind_of(value) == kind


@pytest.mark.parametrize(
    ("value", "kind"), [("K35.80", "string"), ("0012345", "number"), ("1234567890", "number"), ("1,500", "number")]
)
def test_identifiers_can_be_switched_off(value: str, kind: str) -> None:
    assert kind_of(value, identifiers=False) == kind


@given(
    st.one_of(
        st.text(alphabet="0123456789-./,₩$원%ABK ", max_size=14),
        st.from_regex(kinds._COMMON, fullmatch=True, alphabet=st.characters(codec="ascii")),
    )
)
@settings(derandomize=True, deadline=None, max_examples=600)
def test_the_short_way_to_a_kind_never_differs_from_the_long_one(text: str) -> None:
    assert kind_of_text(text) == kind_by_reading(text)


@pytest.mark.parametrize(
    ("reference", "prediction", "exact", "fuzzy"),
    [
        ("INV-100001", "INV-100007", False, False),  # one character is another invoice
        ("INV-100001", " INV-100001 ", True, True),
        ("0012345", 12345, False, False),  # the zeros are part of it
        ("1234567890", 1234567890, True, True),
        ("010-1234-5678", "010-1234-5679", False, False),
        ("Consulting services", "Consulting  services", True, True),
        ("Consulting services", "Consulting servlces", False, True),
        ("Consulting services", "consulting services", False, True),
        (True, True, True, True),
        (True, 1, False, False),
        (1, True, False, False),
        (0, False, False, False),
        (True, "true", True, True),
        (False, "False", True, True),
        ("true", True, True, True),
        (True, "yes", True, True),
        (True, "perhaps", False, False),
        (1500000, "1,500,000", True, True),
        ("1500000", 1500000, True, True),
        (1500000, "many", False, False),
        ("many", 1500000, False, False),
        (float("nan"), float("nan"), True, True),
    ],
)
def test_equal_and_near_depend_on_the_kind(reference: Any, prediction: Any, exact: bool, fuzzy: bool) -> None:
    report = compare({"x": prediction}, {"x": reference})
    assert (report.exact_accuracy, report.fuzzy_accuracy) == (float(exact), float(fuzzy))


def test_a_given_type_wins_over_what_the_value_looks_like() -> None:
    pair = {"x": "INV-100007"}, {"x": "INV-100001"}
    assert compare(*pair).fuzzy_accuracy == 0.0
    assert compare(*pair, types={"x": "string"}).fuzzy_accuracy == 1.0
    assert compare({"x": "1,500"}, {"x": "1500"}, types={"x": "string"}).exact_accuracy == 0.0


def test_case_counts_unless_it_is_folded() -> None:
    pair = {"x": "brötchen"}, {"x": "Brötchen"}
    assert compare(*pair).exact_accuracy == 0.0
    assert compare(*pair, casefold=True).exact_accuracy == 1.0


@pytest.mark.parametrize("tau", [0.0, 0.09, 0.1, 0.5])
def test_the_threshold_is_the_largest_distance_that_is_still_near(tau: float) -> None:
    report = compare({"x": "abcdefghiX"}, {"x": "abcdefghij"}, tau=tau)
    assert report.fuzzy_accuracy == float(tau >= 0.1)
    assert report.similarity == pytest.approx(0.9)


def test_similarity_of_text_is_that_of_the_writing() -> None:
    pair = {"x": "1,500,000"}, {"x": 1500000}
    assert compare(*pair).similarity == 1.0
    report = compare(*pair, similarity="text")
    assert report.similarity == pytest.approx(1 - 2 / 9)
    assert report.exact_accuracy == 1.0


@given(st.text(max_size=30), st.sampled_from(["string", "number", "date", "identifier", "bool"]))
@settings(derandomize=True, deadline=None, max_examples=300)
def test_every_text_has_a_canonical_form_of_every_kind(text: str, kind: str) -> None:
    forms = canonical(text, kind)
    assert forms
    assert all(form == " ".join(form.split()) for form in forms)
