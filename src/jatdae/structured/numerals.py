"""Reads numbers, in the notations that documents use, into one exact form.

A written number becomes its plain decimal text: no grouping, no unit, no leading or trailing zeros. Two numbers are
equal when these texts are, so nothing is ever rounded. `60.000` may be sixty or sixty thousand: it has both readings,
and the other side of the comparison decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache
from typing import Final, NamedTuple

MAX_LENGTH: Final = 64
"""Characters of the longest text that is read as a number."""
MAX_EXPONENT: Final = 400
"""Numbers of more digits before or after the point keep their exponent."""
_SHORT: Final = 10**18


class Number(NamedTuple):
    """A text read as a number: its possible readings, likelier first, and its unit ("" where it names none)."""

    readings: tuple[str, ...]
    unit: str = ""


NOT_A_NUMBER: Final = Number(())
_made: Final = tuple.__new__  # a third of the time of calling a named tuple

_UNITS: Final[dict[str, tuple[str, str]]] = {
    "KRW": ("₩ ￦ krw 금 일금", "원 원정 won krw"),
    "USD": ("$ us$ usd", "$ usd 달러 불 dollars"),
    "EUR": ("€ eur", "€ eur 유로 euros"),
    "JPY/CNY": ("¥ ￥", ""),
    "JPY": ("jpy", "円 엔 jpy"),
    "CNY": ("cny rmb", "元 위안 cny rmb"),
    "GBP": ("£ gbp", "gbp 파운드"),
    "IDR": ("rp rp. idr", "idr"),
    "INR": ("₹ rs rs. inr", "inr"),
    "MYR": ("rm myr", "myr"),
    "VND": ("₫ vnd", "₫ vnd 동"),
    "THB": ("฿ thb", "฿ thb 바트"),
    "CHF": ("chf", "chf"),
    "HKD": ("hk$ hkd", "hkd"),
    "TWD": ("nt$ twd", "twd"),
    "SGD": ("s$ sgd", "sgd"),
    "%": ("", "% 퍼센트 percent"),
}
"""Unit: how it is written before a number, and after one."""
_BEFORE: Final = {form: unit for unit, (forms, _) in _UNITS.items() for form in forms.split()}
_AFTER: Final = {form: unit for unit, (_, forms) in _UNITS.items() for form in forms.split()}
WORDS: Final = frozenset(form.strip(".") for form in (*_BEFORE, *_AFTER) if form.strip(".").isalpha())
"""Words that may stand beside the digits of a number, in lower case."""
CURRENCY_CODES: Final = tuple(form.upper() for form in _BEFORE if form.isascii() and form.isalpha())
"""Letters before digits that make a number rather than an identifier: `RM50`."""


def _any(forms: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, forms), key=len, reverse=True))


_WIDE: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20, 0x2212: 0x2D, 0x2019: 0x27}
"""Full-width forms, the typographic minus and apostrophe, to ASCII."""

_SIGN: Final = r"[-+–△]"
_FRAME: Final = re.compile(
    rf"(?P<open>\()?\s*(?P<sign>{_SIGN})?\s*(?P<before>{_any(_BEFORE)})?\s*(?P<inner>{_SIGN})?\s*"
    r"(?P<body>\.?[0-9](?:[0-9., '만억조천백십]*[0-9만억조천백십])?)"
    rf"\s*(?:[.,]-)?\s*(?P<after>{_any(_AFTER)})?\s*(?P<trailing>-)?\s*(?P<close>\))?",
    re.IGNORECASE,
)
_PLAIN: Final = re.compile(r"[0-9]+(?:\.[0-9]+)?|\.[0-9]+")
_THOUSANDS: Final = re.compile(r"(-?)([1-9][0-9]{0,2})((?:,[0-9]{3})+)(원?)")
_SCIENTIFIC: Final = re.compile(r"[-+]?[0-9]\.[0-9]+[eE][+-]?[0-9]{1,3}")
_ONE_GROUP: Final = re.compile(r"([1-9][0-9]{0,2})[.,]([0-9]{3})")
_GROUPED: Final = re.compile(
    r"[1-9][0-9]{0,2}(?P<group>[., '])[0-9]{3}(?:(?P=group)[0-9]{3})*(?:(?!(?P=group))[.,][0-9]+)?"
)
_INDIAN: Final = re.compile(r"[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}(?:\.[0-9]+)?")
_DECIMAL_COMMA: Final = re.compile(r"[0-9]+,[0-9]+")
_KOREAN: Final = re.compile(r"([0-9][0-9,]*(?:\.[0-9]+)?)|([십백천])|([만억조])|\s+")
_SMALL: Final = {"십": 10, "백": 100, "천": 1000}
_LARGE: Final = {"만": 10**4, "억": 10**8, "조": 10**12}


def number_of(value: object) -> Number:
    """Read a JSON value as a numeral; without readings where it is none. A bool is not a number."""
    if type(value) is str:
        return read_number(value) if len(value) <= MAX_LENGTH else NOT_A_NUMBER
    if type(value) is int and -_SHORT < value < _SHORT:
        return _made(Number, ((str(value),), ""))
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        return NOT_A_NUMBER
    text = _canonical(written_number(value))
    return Number((text,)) if text else NOT_A_NUMBER


@lru_cache(maxsize=1 << 12)
def read_number(text: str) -> Number:
    """Read a numeral in a JSON text: `1,500,000원`, `(1,234)`, `△1,234`, `-5 %`, `1억 2천만원`."""
    if thousands := _THOUSANDS.fullmatch(text):
        return _read_thousands(*thousands.groups())
    if not text.isascii():
        text = text.translate(_WIDE)
    if _PLAIN.fullmatch(text):
        reading = _canonical(text)
        return Number(_grouped_too(text, reading) if "." in text else (reading,))
    if _SCIENTIFIC.fullmatch(text):
        return Number((_canonical(text),))
    found = _FRAME.fullmatch(" ".join(text.split()))
    if not found or bool(found["open"]) != bool(found["close"]):
        return NOT_A_NUMBER
    marks = [mark for mark in (found["sign"], found["inner"], found["trailing"]) if mark]
    if len(marks) + bool(found["open"]) > 1:
        return NOT_A_NUMBER
    unit = _AFTER.get((found["after"] or "").lower(), "")
    if before := found["before"]:
        named = _BEFORE[before.lower()]
        if unit not in ("", named):
            return NOT_A_NUMBER
        unit = named
    readings = _read_body(found["body"])
    if unit not in ("", "%"):
        readings = readings[:1]  # no price has three digits after the point
    if found["open"] or (marks and marks[0] != "+"):
        readings = tuple(text if text == "0" else f"-{text}" for text in readings)
    return Number(readings, unit) if readings else NOT_A_NUMBER


def written_number(value: int | float | Decimal) -> str:
    """Write a JSON number as a numeral."""
    if isinstance(value, float):
        return repr(value).replace("nan", "NaN").replace("inf", "Infinity")
    if isinstance(value, int) and value.bit_length() > 10_000:
        value = Decimal(value)  # Python refuses to write integers of thousands of digits
    return str(value)


def units_agree(a: str, b: str) -> bool:
    """Whether the units of two numerals in JSON may be the same; no unit agrees with any."""
    return not a or not b or a == b or bool(set(a.split("/")) & set(b.split("/")))


def within(reading: str, reference: str, tolerance: float) -> bool:
    """Whether a numeral in JSON is within a relative tolerance of the reference: |p − g| ≤ tolerance · |g|.

    A reference of 0 matches only 0.
    """
    p, g = Decimal(reading), Decimal(reference)
    if max(abs(p.adjusted()), abs(g.adjusted())) > MAX_EXPONENT:
        return p == g
    return abs(p - g) <= Decimal(repr(tolerance)) * abs(g)


def _read_thousands(sign: str, first: str, groups: str, unit: str) -> Number:
    """Amounts with commas between thousands, the commonest form, read without the general pattern."""
    grouped = sign + first + groups.replace(",", "")
    if unit:
        return Number((grouped,), "KRW")
    return Number((grouped, _canonical(f"{sign}{first}.{groups[1:]}")) if len(groups) == 4 else (grouped,))


def _read_body(body: str) -> tuple[str, ...]:
    """The readings of the digits of a number, without sign and unit."""
    if one := _ONE_GROUP.fullmatch(body):
        return one[1] + one[2], _canonical(f"{one[1]}.{one[2]}")
    if _PLAIN.fullmatch(body):
        return (_canonical(body),)
    if found := _GROUPED.fullmatch(body):
        group = found["group"]
        return (_canonical(body.replace(group, "").replace(",", ".")),)
    if _INDIAN.fullmatch(body):
        return (_canonical(body.replace(",", "")),)
    if _DECIMAL_COMMA.fullmatch(body):
        return (_canonical(body.replace(",", ".")),)
    return _read_korean(body)


def _grouped_too(text: str, reading: str) -> tuple[str, ...]:
    one = _ONE_GROUP.fullmatch(text)
    return (one[1] + one[2], reading) if one else (reading,)


def _read_korean(body: str) -> tuple[str, ...]:
    """`1억 2천만`, `3만 5,000`, `1.5억`: sections below 만, 억 and 조, with 십, 백 and 천 inside them."""
    total = section = Decimal(0)
    number: Decimal | None = None
    last_small, last_large = 10_000, 10**16
    at = units = 0
    while at < len(body):
        found = _KOREAN.match(body, at)
        if not found:
            return ()
        at = found.end()
        digits, small, large = found.groups()
        if digits:
            plain = _PLAIN.fullmatch(digits) or _GROUPED.fullmatch(digits)
            if number is not None or not plain:
                return ()
            number = Decimal(digits.replace(",", ""))
        elif small:
            if number is None or _SMALL[small] >= last_small:
                return ()
            last_small = _SMALL[small]
            section, number, units = section + number * last_small, None, units + 1
        elif large:
            section += number or 0
            if not section or _LARGE[large] >= last_large:
                return ()
            last_large, last_small = _LARGE[large], 10_000
            total, section, number, units = total + section * last_large, Decimal(0), None, units + 1
    return (_canonical(str(total + section + (number or 0))),) if units else ()


def _canonical(text: str) -> str:
    """A decimal without leading zeros and without trailing ones after the point; "" for NaN and infinity."""
    sign = ""
    if text[0] in "+-":
        sign, text = text[0].replace("+", ""), text[1:]
    if text.isdigit() and len(text) <= MAX_EXPONENT:
        digits = text.lstrip("0")
        return sign + digits if digits else "0"
    if len(text) > MAX_EXPONENT or not text.replace(".", "", 1).isdigit():
        text = _without_exponent(text)
        if not text or "E" in text:
            return sign + text
    whole, _, fraction = text.partition(".")
    whole, fraction = whole.lstrip("0"), fraction.rstrip("0")
    if not whole and not fraction:
        return "0"
    return f"{sign}{whole or '0'}.{fraction}" if fraction else sign + whole


def _without_exponent(text: str) -> str:
    """`1.50E+3` as `1500`; a number too long to be written out as digits, E and exponent; "" for NaN, infinity."""
    value = Decimal(text)
    if not value.is_finite():
        return ""
    if not value:
        return "0"
    if abs(value.adjusted()) <= MAX_EXPONENT:
        return f"{value:f}"
    digits = "".join(map(str, value.as_tuple().digits))
    kept = digits.rstrip("0")
    return f"{kept}E{value.adjusted() - len(kept) + 1}"
