"""Splits ranges, as documents write them, into their two ends: 5-10 mg, 9am to 6pm, 2024.1.1 ~ 2024.1.31."""

from __future__ import annotations

import re
from typing import Final

from jatdae.kernels.texts import DASH, FIGURE, FOREIGN, LETTER, SIGN, look
from jatdae.structured.dates import Moment, Time, moment_of, moments_of
from jatdae.structured.notation import DAY_PARTS
from jatdae.structured.numerals import Number, number_of

MAX_LENGTH: Final = 64
"""Characters of the longest text that is looked at as a range."""
_SURE: Final = re.compile(
    r"\s*[~∼〜～]\s*|\s+(?:to|until|till|through|thru|bis|sampai|hingga|s\.?\s?/?d\.?|부터|에서)\s+|(?:부터|에서)\s+",
    re.IGNORECASE,
)
_DASH: Final = re.compile(r"\s+[-–—]\s+|(?<=\w)\s?[–—]\s?(?=\S)|(?<=[^\W_]|[.])-(?=[^\W_]|[$€£₩¥])")
"""A dash is tried where nothing surer separates: it stands in dates and codes too."""
_BEFORE: Final = re.compile(r"^(?:from|von|dari|between)\s+", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"^between\s+(.+?)\s+and\s+(.+)$", re.IGNORECASE)
_BEHIND: Final = re.compile(r"\s?까지$")
_MAYBE: Final = re.compile(
    r"[^0-9]*+[0-9].*(?:[~∼〜～–—]|\s-\s|\b(?:to|until|till|through|thru|bis|sampai|hingga|s/?d|and)\b|부터|에서).*[0-9]"
    r"|(?=[^-]*+-[^-]*+$)[^-]*[0-9][^-]*-[^-]*[0-9]",
    re.IGNORECASE,
)
"""A range by any sign but a hyphen without spaces, or by a single one: codes have more."""
_DAY: Final = re.compile(r"([0-9]{1,2})(?:\.|st|nd|rd|th)?")
_MONTH_DAY: Final = re.compile(r"([^\W\d_]{3,}\.?)\s?[0-9]{1,2}")
_DAY_YEAR: Final = re.compile(r"[0-9]{1,2},?\s[0-9]{4}")
_CLOCK: Final = re.compile(r"[0-9]{1,2}(?:[:.][0-9]{2})?")
_HALF: Final = re.compile("|".join(map(re.escape, DAY_PARTS)))
_CODE: Final = re.compile("0[0-9]+")

End = Number | Moment


def may_be_ranges(a: str, b: str) -> bool:
    """Whether two texts in JSON may both be ranges, by a first look at them."""
    if len(a) > MAX_LENGTH or len(b) > MAX_LENGTH:
        return False
    return _may_be_range(a) and _may_be_range(b)


def _may_be_range(text: str) -> bool:
    if not (look(text) & FIGURE and look(text) & (DASH | LETTER | SIGN | FOREIGN)):
        return False
    return _MAYBE.match(text) is not None


def range_of(text: str) -> tuple[End, End] | None:
    """The two ends of a JSON text that is a range of numbers, dates or times; None where it is none."""
    if len(text) > MAX_LENGTH:
        return None
    text = _BEHIND.sub("", text.strip())
    if between := _BETWEEN.match(text):
        return _ends(between[1], between[2])
    text = _BEFORE.sub("", text)
    sure = _SURE.split(text)
    if len(sure) == 2:
        return _ends(*sure)
    found = [(text[: dash.start()], text[dash.end() :]) for dash in _DASH.finditer(text)] if len(sure) == 1 else []
    ends = [pair for first, last in found if (pair := _ends(first, last))]
    return ends[0] if len(ends) == 1 else None


def _ends(first: str, last: str) -> tuple[End, End] | None:
    """Both ends, read as one kind; a unit, a part of the day or a year that one leaves out is that of the other."""
    if _CODE.fullmatch(first) or _CODE.fullmatch(last):
        return None  # leading zeros are those of a code
    if (day := _DAY.fullmatch(first)) and (dated := moment_of(last, loosely=True)).days:
        first = dated.days[0][1][:-2] + day[1].zfill(2)  # 14-16 Feb 2025
    if (month := _MONTH_DAY.fullmatch(first)) and _DAY_YEAR.fullmatch(last):
        last = f"{month[1]} {last}"  # March 5-7, 2024
    if _DAY.fullmatch(first) and moment_of(last, loosely=True).time:
        first = _CLOCK.sub(first, last, count=1)  # 8-16 Uhr, 2-4pm
    moments = moments_of(first, last)
    if _HALF.match(first) and not _HALF.search(last) and moments[0].time and moments[1].time:
        moments = moments[0], _after(moments[0].time, moments[1])  # 오후 1시~2시 30분
    if all(moment.days or moment.time for moment in moments):
        return _of_one_year(*moments) if bool(moments[0].days) == bool(moments[1].days) else None
    numbers = number_of(first), number_of(last)
    if any(not number.readings or number.bound for number in numbers):
        return None
    unit = numbers[0].unit or numbers[1].unit
    return numbers[0]._replace(unit=numbers[0].unit or unit), numbers[1]._replace(unit=numbers[1].unit or unit)


def _after(first: Time, last: Moment) -> Moment:
    """The end of a range of times in the half of the day that only its beginning names."""
    if last.time is None or last.time.seconds > first.seconds or last.time.seconds >= _HALF_A_DAY:
        return last
    return last._replace(time=last.time._replace(seconds=last.time.seconds + _HALF_A_DAY))


_HALF_A_DAY: Final = 43_200


def _of_one_year(first: Moment, last: Moment) -> tuple[Moment, Moment]:
    """Both days, where one leaves its year out: with that of the other."""
    years = [next((day[:4] for _, day in moment.days if day[:1] != "-"), "") for moment in (first, last)]
    return _in_year(first, years[1]), _in_year(last, years[0])


def _in_year(moment: Moment, year: str) -> Moment:
    if not year or not any(day.startswith("--") for _, day in moment.days):
        return moment
    return moment._replace(days=tuple((order, year + day[1:]) for order, day in moment.days if day.startswith("--")))
