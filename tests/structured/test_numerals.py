"""Numbers as documents write them: what is read as which number, and what is not read as one."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.structured import compare
from jatdae.structured.numerals import (
    Number,
    are_convertible,
    have_same_amount,
    number_of,
    read_number,
    units_agree,
    within,
)

READ = [
    # plain
    ("0", "0"),
    ("7", "7"),
    ("1500000", "1500000"),
    ("007", "7"),
    ("3.14", "3.14"),
    ("0.50", "0.5"),
    (".5", "0.5"),
    ("12.0", "12"),
    ("1.5e-3", "0.0015"),
    ("1.5E+3", "1500"),
    # grouped
    ("1,500,000", "1500000"),
    ("1,234.50", "1234.5"),
    ("1,234,567.89", "1234567.89"),
    ("1.234.567", "1234567"),
    ("1.234.567,89", "1234567.89"),
    ("1 234 567", "1234567"),
    ("1 234,56", "1234.56"),
    ("1\u00a0234,56", "1234.56"),
    ("1'234.50", "1234.5"),
    ("1’234’567", "1234567"),
    ("12,34,567", "1234567"),
    ("12,5", "12.5"),
    ("1234,56", "1234.56"),
    ("0,500", "0.5"),
    # signs
    ("-5", "-5"),
    ("+5", "5"),
    ("−5", "-5"),
    ("–5", "-5"),
    ("- 5", "-5"),
    ("-0", "0"),
    ("(1,234.00)", "-1234"),
    ("(5)", "-5"),
    ("△1,234.5", "-1234.5"),
    ("△ 500", "-500"),
    ("1,234.5-", "-1234.5"),
    ("▲1,234.5", "-1234.5"),  # as in Korean accounts
    # units
    ("-5 %", "-5"),
    ("12.5%", "12.5"),
    ("3퍼센트", "3"),
    ("1,500,000원", "1500000"),
    ("₩3,000", "3000"),
    ("₩ 3,000", "3000"),
    ("￦3,000", "3000"),
    ("-₩3,000", "-3000"),
    ("₩-3,000", "-3000"),
    ("(₩3,000)", "-3000"),
    ("일금 3,000원정", "3000"),
    ("KRW 1,000", "1000"),
    ("1,000 won", "1000"),
    ("$1,234.50", "1234.5"),
    ("US$5", "5"),
    ("5 USD", "5"),
    ("€1.234,56", "1234.56"),
    ("1.234,56 €", "1234.56"),
    ("¥1,000", "1000"),
    ("1,000円", "1000"),
    ("£12.30", "12.3"),
    ("Rp. 91,000", "91000"),
    ("Rp165000.00", "165000"),
    ("Rp 15.000,-", "15000"),
    ("RM50", "50"),
    # Korean scales
    ("3만원", "30000"),
    ("3만 5천원", "35000"),
    ("5천원", "5000"),
    ("2천만", "20000000"),
    ("3백만원", "3000000"),
    ("1억 2천만원", "120000000"),
    ("1억2,345만6,789원", "123456789"),
    ("1.5억", "150000000"),
    ("1조 5,000억원", "1500000000000"),
    ("12만 3,456원", "123456"),
    # full width
    ("１，２３４．５", "1234.5"),
    ("－５", "-5"),
]

AMBIGUOUS = [
    ("60.000", {"60000", "60"}),
    ("1,234", {"1234", "1.234"}),
    ("(1.234)", {"-1234", "-1.234"}),
    ("12.345%", {"12345", "12.345"}),
    ("Rp 38.000", {"38000"}),  # no price has three digits after the point
    ("₩3,000", {"3000"}),
    ("0.500", {"0.5"}),
    ("1.234.567", {"1234567"}),
]

NOT_READ = [
    *("", " ", "-", "(", "원", "₩", "만원", "천만에", "사원", "abc"),
    *("1,23,45", "1,234,56", "1.2.3", "12..5", "1,,000", "1,000 ,000", "5.", "1 2", "3 4만"),
    *("--5", "(-5)", "5%%", "%5", "$5원"),
    *("X", "12A", "5 apples", "K35.80", "010-1234-5678", "2024-03-15", "10:30", "3/7"),
    *("3억 3조", "3천 2천", "①", "⅓", "٣", "NaN", "Infinity", "0x10", "1" * 65),
]


@pytest.mark.parametrize(("text", "number"), READ)
def test_a_written_number_is_read_as_the_number_it_says(text: str, number: str) -> None:
    assert read_number(text).readings[0] == number


@pytest.mark.parametrize(("text", "readings"), AMBIGUOUS)
def test_a_lone_group_of_three_digits_keeps_both_readings(text: str, readings: set[str]) -> None:
    assert set(read_number(text).readings) == readings


@pytest.mark.parametrize("text", NOT_READ)
def test_other_text_is_not_a_number(text: str) -> None:
    assert number_of(text).readings == ()


SAID = [
    ("12e5", "1200000", "", ""),
    ("1.2 × 10³", "1200", "", ""),
    ("10^-2", "0.01", "", ""),
    ("at least 50", "50", "", ">="),
    ("50 이상", "50", "", ">="),
    ("< 10 mg", "10", "mg", "<"),
    ("100+", "100", "", "+"),
    ("최대 3명", "3", "", "<="),
    ("minus 5", "-5", "", ""),
    ("영하 3도", "-3", "°", ""),
    ("섭씨 36.5도", "36.5", "°C", ""),
    ("37.2 C", "37.2", "°C", ""),
    ("50¢", "0.5", "USD/CAD/AUD", ""),
    ("USD ($20)", "20", "USD", ""),
    ("five dollars", "5", "USD", ""),
    ("두 명", "2", "", ""),
    ("2 dozen", "24", "", ""),
    ("60 kph", "60", "km/h", ""),
    ("무료", "0", "", ""),
]


@pytest.mark.parametrize(("text", "number", "unit", "bound"), SAID)
def test_what_is_said_around_a_number_is_read(text: str, number: str, unit: str, bound: str) -> None:
    found = read_number(text)
    assert (found.readings, found.unit, found.bound) == ((number,), unit, bound)


@pytest.mark.parametrize(
    "text", ["at least", "at least at least 5", "minus -5", "minus minus 5", "10^9999", "three four"]
)
def test_what_is_said_around_no_number_is_none(text: str) -> None:
    assert number_of(text).readings == ()


@pytest.mark.parametrize(("a", "b"), [("mg/dL", "mg/mL"), ("mg/h", "mL/h"), ("km/h", "mi/h"), ("°C", "°F")])
def test_rates_that_share_one_unit_do_not_agree(a: str, b: str) -> None:
    assert not units_agree(a, b)


def test_the_tables_are_as_long_as_promised() -> None:
    assert len(READ) + len(AMBIGUOUS) + len(NOT_READ) >= 60
    assert len({text for text, _ in READ}) == len(READ)


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (0, "0"),
        (-3, "-3"),
        (1.5, "1.5"),
        (1e300, "1" + "0" * 300),
        (-0.0, "0"),
        (Decimal("60.00"), "60"),
        (Decimal("1E+5"), "100000"),
        (Decimal("1.50E-7"), "0.00000015"),
        (Decimal("1E+999999"), "1E999999"),
        (Decimal("1.0E+999999"), "1E999999"),
        (Decimal("0E+999999"), "0"),
        pytest.param(10**5000, "1E5000", id="5001 digits"),
        pytest.param(Decimal("1E+5000"), "1E5000", id="5001 digits with an exponent"),
        pytest.param(Decimal(10**5000), "1E5000", id="5001 digits without"),
        pytest.param(Decimal("0." + "0" * 500 + "10"), "1E-501", id="501 zeros"),
        (123456789012345678901234567890, "123456789012345678901234567890"),
    ],
)
def test_a_json_number_has_one_exact_text(value: Any, number: str) -> None:
    assert number_of(value).readings == (number,)


def test_a_json_number_of_three_decimals_keeps_the_reading_of_its_writing() -> None:
    assert number_of(Decimal("-60.000")) == Number(("-60", "-60000"), mark=".")


@pytest.mark.parametrize("value", [True, False, None, [], {}, float("nan"), Decimal("NaN"), float("inf")])
def test_what_is_no_number_has_no_reading(value: Any) -> None:
    assert number_of(value).readings == ()


@pytest.mark.parametrize(
    ("reference", "prediction", "equal"),
    [
        ("60.000", "60,000", True),  # the same shape of grouping on both sides
        ("60.000", "60000", False),  # nothing says that the point groups
        ("60.000", 60, True),
        (60000, "60.000", False),
        (
            1.234,
            "1,234",
            False,
        ),  # a float does not say how it was written, and a comma groups unless something says otherwise
        ("1.234", "1,234", True),
        ("Rp 60.000", "60000", True),
        ("€1250", "1.250", True),
        ("₩3,000", 3, False),  # a price has no thousandths
        ("1,500,000원", "₩1500000", True),
        ("$5", "₩5", False),  # the same figure in another currency is another amount
        ("5 %", "5원", False),
        ("¥1,000", "1,000円", True),
        ("¥1,000", "1,000元", True),
        ("5 %", 5, True),
        ("5 %", "0.05", True),
        ("5 %", "0.5", False),
        ("1억 2천만원", 120000000, True),
        (0.1 + 0.2, 0.3, True),  # a JSON float holds 15 digits
        ("0.30000000000000004", 0.3, False),  # a decimal written as text holds all of them
        (Decimal("0.3"), "0.30", True),
        (12345678901234567890, "12,345,678,901,234,567,890", True),
        (12345678901234567890, "12,345,678,901,234,567,891", False),
    ],
)
def test_numbers_are_equal_as_decimals_whatever_their_writing(reference: Any, prediction: Any, equal: bool) -> None:
    assert compare({"x": prediction}, {"x": reference}, types={"x": "number"}).exact_accuracy == float(equal)


@pytest.mark.parametrize(
    ("reference", "prediction", "tolerance", "near"),
    [
        (100, 101, 0.01, True),
        (100, "102", 0.01, False),
        (-100, -101, 0.01, True),
        (0, "0.0", 0.5, True),
        (0, 0.0001, 0.5, False),  # a reference of 0 matches only 0
        (100, 101, 0.0, False),
        ("60.000", 60.1, 0.01, True),
        (Decimal("1E+999999"), Decimal("1E+999998"), 1.0, False),
    ],
)
def test_fuzzy_numbers_stay_within_the_relative_tolerance(
    reference: Any, prediction: Any, tolerance: float, near: bool
) -> None:
    report = compare({"x": prediction}, {"x": reference}, tolerance=tolerance)
    assert report.fuzzy_accuracy == float(near)


def test_a_number_that_is_off_has_the_similarity_of_its_digits() -> None:
    (result,) = compare({"x": "1,500,001"}, {"x": 1500000}).field_results
    assert result.outcome == "mismatch"
    assert result.similarity == pytest.approx(1 - 1 / 7)


def test_units_agree_with_none_with_themselves_and_with_a_sign_two_share() -> None:
    assert units_agree("", "KRW")
    assert units_agree("KRW", "KRW")
    assert units_agree("JPY/CNY", "CNY")
    assert not units_agree("KRW", "USD")


@given(st.decimals(allow_nan=False, allow_infinity=False, places=4, min_value=-(10**15), max_value=10**15))
@settings(derandomize=True, deadline=None, max_examples=200)
def test_every_decimal_reads_back_from_its_grouped_writing(value: Decimal) -> None:
    (plain,) = read_number(f"{value:f}").readings
    assert Decimal(plain) == value
    assert plain in read_number(f"{value:,}").readings
    assert plain in read_number(f"{value:,}원").readings


@given(st.text(alphabet="0123456789.,-()원만억 ₩%e", max_size=20))
@settings(derandomize=True, deadline=None, max_examples=400)
def test_what_is_read_is_always_a_decimal_in_its_one_form(text: str) -> None:
    for reading in read_number(text).readings:
        assert reading in read_number(reading).readings
        assert within(reading, reading, 0.0)


@pytest.mark.parametrize(
    ("text", "reading", "unit"),
    [
        ("–,25 €", "0.25", "EUR"),
        ("--,99", "0.99", ""),
        ("12 (dua belas)", "12", ""),
        ("5,000,000원 (오백만원)", "5000000", "KRW"),
        ("1 h 30 min", "90", "min"),
        ("5 ft 7 in", "67", "in"),
    ],
)
def test_amounts_with_a_dash_said_twice_or_in_two_units(text: str, reading: str, unit: str) -> None:
    number = read_number(text)
    assert (number.readings, number.unit) == ((reading,), unit)


@pytest.mark.parametrize("text", ["12 (dua puluh)", "12 (13)", "1 h 90 min", "1 h 5 kg", "No. 0815"])
def test_what_contradicts_itself_is_no_number(text: str) -> None:
    assert not read_number(text).readings


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("0.5 g", "500 mg", True),
        ("100 mg/dL", "1 g/L", True),
        ("1.500 ml", "1,5 L", True),
        ("0.5 g", "5 mg", False),
        ("1 kg", "1 L", False),
        ("1 month", "30 days", False),
        ("5 mg", "5 mg/kg", False),
    ],
)
def test_the_same_amount_in_another_unit(a: str, b: str, same: bool) -> None:
    ours, theirs = read_number(a), read_number(b)
    assert (are_convertible(ours.unit, theirs.unit) and have_same_amount(ours, theirs)) is same
