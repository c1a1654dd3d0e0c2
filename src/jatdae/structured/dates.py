"""Reads dates, in the notations that documents use, into ISO dates.

A date with a time is compared as a date. An ambiguous date (a year of two digits; 03/04/2024) has several readings,
likelier first, and the other side of the comparison decides. A day that the calendar does not have, such as 2024-02-30,
is not a date.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from typing import Final

MAX_LENGTH: Final = 64
"""Characters of the longest text that is read as a date."""
PIVOT: Final = 69
"""Years of two digits from here on are likelier 19yy than 20yy, as in POSIX."""

_NAMES: Final = (
    ("jan", "january"),
    ("feb", "february"),
    ("mar", "march"),
    ("apr", "april"),
    ("may",),
    ("jun", "june"),
    ("jul", "july"),
    ("aug", "august"),
    ("sep", "sept", "september"),
    ("oct", "october"),
    ("nov", "november"),
    ("dec", "december"),
)
_MONTHS: Final = {name: number for number, names in enumerate(_NAMES, 1) for name in names}
_MONTH: Final = rf"(?P<name>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\.?"
_DAY: Final = r"(?P<d>[0-9]{1,2})"
_NTH: Final = rf"{_DAY}(?:st|nd|rd|th)?"
_YEAR: Final = r"(?P<y>[0-9]{4})"
_SEPARATED: Final = r"\s?(?P<s>[-./])\s?(?P<m>[0-9]{1,2})\s?(?P=s)\s?"

_WRITTEN: Final = (
    rf"{_YEAR}{_SEPARATED}{_DAY}\.?",  # 2024-03-15, 2024. 3. 15.
    rf"(?P<y>[0-9]{{2,4}})\s?[년年]\s?(?P<m>[0-9]{{1,2}})\s?[월月]\s?{_DAY}\s?[일日]",  # 2024년 3월 15일
    rf"'?(?P<y>[0-9]{{2}}){_SEPARATED}{_DAY}\.?",  # 24.03.15
    r"(?P<y>(?:19|20)[0-9]{2})(?P<m>[0-9]{2})(?P<d>[0-9]{2})",  # 20240315
    rf"{_MONTH}\s?{_NTH}(?:\s?,\s?|\s){_YEAR}",  # March 15, 2024
    rf"{_NTH}[\s-]?(?:of\s)?{_MONTH}[\s,-]{{0,2}}{_YEAR}",  # 15 Mar 2024, 15-Mar-2024
    rf"{_YEAR}[\s-]{_MONTH}[\s-]{_NTH}",  # 2024-Mar-15
    r"(?P<a>[0-9]{1,2})(?P<s>[-./])(?P<b>[0-9]{1,2})(?P=s)(?P<y>[0-9]{4})",  # 15/03/2024, 03/15/2024
)
_WEEKDAYS: Final = ("mon", "tue", "tues", "wed", "wednes", "thu", "thurs", "fri", "sat", "satur", "sun")
_WEEKDAY: Final = rf"(?:{'|'.join(sorted(_WEEKDAYS, key=len, reverse=True))})(?:day)?"
_TAIL: Final = (
    rf"(?:\s?(?:\((?:[월화수목금토일月火水木金土日]|{_WEEKDAY})\)|[월화수목금토일]요일))?"
    r"(?:(?:[Tt,]|\s)\s?(?:"
    r"(?:오전|오후|am|pm)?\s?(?:[01]?[0-9]|2[0-4]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,9})?)?\s?(?:am|pm|a\.m\.|p\.m\.)?"
    r"\s?(?:z|utc|gmt|kst|[+-][0-9]{2}:?[0-9]{2})?"
    r"|(?:오전|오후)?\s?(?:[01]?[0-9]|2[0-4])\s?시(?:\s?[0-5]?[0-9]\s?분(?:\s?[0-5]?[0-9]\s?초)?)?"
    r"))?"
)
WORDS: Final = frozenset(
    {*_MONTHS, *_WEEKDAYS, *(f"{day}day" for day in _WEEKDAYS), *(f"{day}요일" for day in "월화수목금토일")}
    | {"of", "am", "pm", "오전", "오후", "utc", "gmt", "kst"}
)
"""Words that may stand beside the digits of a date, in lower case."""
_FORMS: Final = tuple(re.compile(rf"(?:{_WEEKDAY}\.?,?\s)?{form}{_TAIL}", re.IGNORECASE) for form in _WRITTEN)
_MAYBE: Final = re.compile(
    r"'?[0-9]{1,4}\s?[-./년年]\s?[0-9]{1,2}\s?[-./월月]|(?:19|20)[0-9]{6}(?![0-9])"
    rf"|.*(?:{'|'.join(sorted({name[:3] for name in _MONTHS}))})",
    re.IGNORECASE,
)
"""Every written date matches this; most other texts do not, and are rejected quickly."""


def date_of(value: object) -> tuple[str, ...]:
    """ISO dates that a JSON value may mean; none where it is no date."""
    if type(value) is int:
        value = str(value) if 10_000_000 <= value <= 99_999_999 else ""
    return read_date(value) if isinstance(value, str) and len(value) <= MAX_LENGTH else ()


@lru_cache(maxsize=1 << 14)
def read_date(text: str) -> tuple[str, ...]:
    """ISO dates that a text in JSON may mean: `2024년 3월 15일`, `24.03.15`, `March 15, 2024 3:20 PM`."""
    if not text.isascii():
        text = text.translate(_WIDE)
    text = " ".join(text.split())
    if not _MAYBE.match(text):
        return ()
    for form in _FORMS:
        if found := form.fullmatch(text):
            return tuple(dict.fromkeys(_dates(found.groupdict())))
    return ()


def _dates(parts: dict[str, str | None]) -> Iterator[str]:
    """Every calendar day the parts of a written date may mean."""
    months_days = [(_month(parts), parts.get("d"))]
    if "a" in parts:
        first, second = parts["a"], parts["b"]
        months_days = [(first, second), (second, first)]
        if parts["s"] != "/":
            months_days.reverse()
    written = parts["y"] or ""
    years = [int(written)]
    if len(written) == 2:
        years = [1900 + years[0], 2000 + years[0]] if years[0] >= PIVOT else [2000 + years[0], 1900 + years[0]]
    for month, day in months_days:
        for year in years:
            try:
                yield date(year, int(month or 0), int(day or 0)).isoformat()
            except ValueError:
                continue


def _month(parts: dict[str, str | None]) -> str | None:
    name = parts.get("name")
    return str(_MONTHS[name.lower()]) if name else parts.get("m")


_WIDE: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x2018: 0x27, 0x2019: 0x27}
"""Full-width forms and typographic apostrophes to ASCII."""
