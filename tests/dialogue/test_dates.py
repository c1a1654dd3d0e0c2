"""Dates that a text states, and the periods of a record."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jatdae.dialogue.reading.dates import Dated, Day, Period, agrees_with, date_of, find_dates, read_period

OCTOBER = Period(Day(2020, 10, 5), Day(2020, 10, 26))


@pytest.mark.parametrize(
    ("text", "day", "last", "sense"),
    [
        ("in 2020", (2020, 0, 0), None, "in"),
        ("in october 2020", (2020, 10, 0), None, "in"),
        ("on 5 october 2020", (2020, 10, 5), None, "in"),
        ("on the 5th of october 2020", (2020, 10, 5), None, "in"),
        ("on october 5th, 2020", (2020, 10, 5), None, "in"),
        ("last october", (0, 10, 0), None, "in"),
        ("on 2020-10-05", (2020, 10, 5), None, "in"),
        ("10/2020", (2020, 10, 0), None, "in"),
        ("10/05/2020", (2020, 0, 0), None, "in"),
        ("since may 2019", (2019, 5, 0), None, "since"),
        ("until 2019", (2019, 0, 0), None, "until"),
        ("by december 2020", (2020, 12, 0), None, "by"),
        ("before 2010", (2010, 0, 0), None, "before"),
        ("after 2010", (2010, 0, 0), None, "after"),
        ("from 5 to 26 october 2020", (2020, 10, 5), (2020, 10, 26), "from_to"),
        ("october 5-26, 2020", (2020, 10, 5), (2020, 10, 26), "from_to"),
        ("from 5 october to 2 november 2020", (2020, 10, 5), (2020, 11, 2), "from_to"),
        ("from 2019 to 2021", (2019, 0, 0), (2021, 0, 0), "from_to"),
        ("between 2019 and 2021", (2019, 0, 0), (2021, 0, 0), "between"),
        ("in the 1990s", (1990, 0, 0), (1999, 0, 0), "between"),
        ("2020년에", (2020, 0, 0), None, "in"),
        ("2020년 10월에", (2020, 10, 0), None, "in"),
        ("2020년 10월 5일에", (2020, 10, 5), None, "in"),
        ("2020년 10월 5일부터 26일까지", (2020, 10, 5), (2020, 10, 26), "from_to"),
        ("2020년 9월부터 10월까지", (2020, 9, 0), (2020, 10, 0), "from_to"),
        ("1990년대에", (1990, 0, 0), (1999, 0, 0), "between"),
        ("2010년부터", (2010, 0, 0), None, "since"),
        ("2010년 이전에", (2010, 0, 0), None, "before"),
    ],
)
def test_a_date_is_read_as_precise_as_it_is_said(text, day, last, sense):
    (found,) = find_dates(text, 0, len(text))
    assert (found.day, found.last, found.sense) == (day, last, sense)


@pytest.mark.parametrize(
    "text",
    ["you may rest", "walk 2000 steps", "2000 mg", "in 2000 kcal", "3 to 5 times", "130/80", "6.5", "3개월 전", ""],
)
def test_other_numbers_are_no_dates(text):
    assert find_dates(text, 0, len(text)) == []


@pytest.mark.parametrize(
    ("text", "agrees"),
    [
        ("in 2020", True),
        ("in 2019", False),
        ("in october 2020", True),
        ("in november 2020", False),
        ("on 2020-10-05", True),
        ("on 2020-10-04", False),
        ("last october", True),
        ("last may", False),
        ("from 5 to 26 october 2020", True),
        ("from 6 to 26 october 2020", False),
        ("between 2019 and 2021", True),
        ("before 2021", True),
        ("before 2020", False),
        ("after 2020", False),
        ("after 2019", True),
    ],
)
def test_a_date_is_compared_with_the_period(text, agrees):
    (found,) = find_dates(text, 0, len(text))
    assert agrees_with(found, OCTOBER) is agrees


def test_after_an_unknown_end_nothing_is_known():
    began = Period(Day(2020, 10, 5))
    assert agrees_with(Dated(0, 0, Day(2020)), began) is True
    assert agrees_with(Dated(0, 0, Day(2019)), began) is False
    assert agrees_with(Dated(0, 0, Day(2023)), began) is None


@given(st.integers(1950, 2030), st.integers(1, 12), st.integers(1, 28))
def test_what_agrees_to_the_day_agrees_to_the_month_and_the_year(year, month, day):
    days = [Dated(0, 0, each) for each in (Day(year, month, day), Day(year, month), Day(year))]
    fine, *coarse = [agrees_with(each, OCTOBER) for each in days]
    assert not fine or all(coarse)


@pytest.mark.parametrize(
    ("entry", "period"),
    [
        ({"start": "2020-10-05", "end": "2020-10-26"}, "2020-10-05 – 2020-10-26"),
        ({"start": "2020-10-05T08:00:00Z"}, "2020-10-05"),
        ({"date": "2020-10"}, "2020-10 – 2020-10"),
        ({"start": 2020}, "2020"),
        ({"start": "unknown", "end": None}, "None"),
        ({"start": ["2020"], "end": {}}, "None"),
        ({}, "None"),
    ],
)
def test_the_period_of_an_entry(entry, period):
    assert str(read_period(entry)) == period


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("A in 2019 and B in 2020", [2019, 2020]),
        ("in 2019 A, and in 2020 B", [2019, 2020]),
        ("A and B in 2020", [2020, 2020]),
        ("in 2020 A and B", [2020, 2020]),
        ("A, and in 2020 B", [None, 2020]),
        ("2019년에 A를 앓으셨고 2020년에 B를", [2019, 2020]),
        ("A", [None]),
    ],
)
def test_each_name_has_its_own_date(text, years):
    named = [text.index(name) for name in "AB" if name in text]
    dates = find_dates(text, 0, len(text))
    found = [date_of(text, dates, at, at + 1, named) for at in named]
    assert [date and date.day.year for date in found] == years
