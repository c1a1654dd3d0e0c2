"""Ranges and their ends."""

from __future__ import annotations

import pytest

from jatdae.structured import compare
from jatdae.structured.ranges import range_of


@pytest.mark.parametrize(
    "text",
    [
        "5-10",
        "5 – 10 mg",
        "5 to 10",
        "between 5 and 10",
        "von 5 bis 10",
        "9am-6pm",
        "2024.1.1 ~ 2024.1.31",
        "9시부터 18시까지",
    ],
)
def test_ranges_have_two_ends(text: str) -> None:
    assert range_of(text) is not None


@pytest.mark.parametrize(
    "text", ["5", "010-1234", "2024-01-01", "A1-23", "1-2-3", "to", "~", "x" * 100, "5 to 10am to 3"]
)
def test_other_texts_are_no_ranges(text: str) -> None:
    assert range_of(text) is None


@pytest.mark.parametrize(
    ("reference", "prediction", "status"),
    [
        ("5-10 mg", "5 mg to 10 mg", "OK"),
        ("5-10 mg", "5-10 g", "FAIL"),
        ("5-10 mg", "5-10", "FUZZY"),
        ("5-10", "5-11", "FAIL"),
        ("09:00-18:00", "오전 9시 ~ 오후 6시", "OK"),
        ("2024-01-01 ~ 2024-01-31", "1 Jan 2024 to 31 Jan 2024", "OK"),
        ("2024-01-01 ~ 2024-01-31", "5-10", "FAIL"),
    ],
)
def test_ranges_are_compared_by_their_ends(reference: str, prediction: str, status: str) -> None:
    [result] = compare({"x": prediction}, {"x": reference}).field_results
    assert result.status == status
