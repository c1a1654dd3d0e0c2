"""Reads dates and times of day, in the notations that documents use.

A date of figures alone may be written in several orders: 03/04/2024 is in March or in April, 24.03.15 begins or ends
with its year. Such a date has one reading for each order, and `layouts` and the other side of the comparison decide. A
day that the calendar does not have, such as 2024-02-30, is not a date.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from functools import lru_cache
from typing import Final, NamedTuple

from jatdae.structured.notation import MONTHS, WEEKDAYS, ZONES

MAX_LENGTH: Final = 64
"""Characters of the longest text that is read as a date."""
PIVOT: Final = 69
"""Years of two digits from here on are likelier 19yy than 20yy, as in POSIX."""

ORDERS: Final = ("ymd", "dmy", "mdy")


class Time(NamedTuple):
    """A time of day: seconds since midnight, whether it names seconds, and minutes ahead of UTC if it names a zone."""

    seconds: float
    to_second: bool = False
    zone: int | None = None


class Moment(NamedTuple):
    """A text read as a date, a date with a time, or a time of day."""

    days: tuple[tuple[str, str], ...] = ()
    """ISO dates with the order in which the text then is written, likelier first; the order is "" where it is plain.
    A month of a year is `2024-03`."""
    time: Time | None = None

    @property
    def orders(self) -> frozenset[str]:
        """The orders in which a date of figures may be written; none where its order is plain."""
        return frozenset(order for order, _ in self.days if order)


NO_MOMENT: Final = Moment()


def _any(forms: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, forms), key=len, reverse=True))


_MONTH: Final = rf"(?P<name>{_any(MONTHS)})\.?"
_DAY: Final = r"(?P<d>[0-9]{1,2})"
_NTH: Final = rf"{_DAY}(?:st|nd|rd|th|\.)?"
_YEAR: Final = r"(?P<y>[0-9]{4})"
_SEPARATED: Final = r"\s?(?P<s>[-./])\s?(?P<m>[0-9]{1,2})\s?(?P=s)\s?"
_WEEKDAY: Final = rf"(?:{_any(WEEKDAYS)})"

_WRITTEN: Final = (
    rf"{_YEAR}{_SEPARATED}{_DAY}(?![0-9])\.?",  # 2024-03-15, 2024. 3. 15.
    rf"(?P<y>[0-9]{{2,4}})\s?[년年]\s?(?P<m>[0-9]{{1,2}})\s?[월月]\s?{_DAY}\s?[일日]",  # 2024년 3월 15일
    r"(?P<y>(?:19|20)[0-9]{2})(?P<m>[0-9]{2})(?P<d>[0-9]{2})(?![0-9])",  # 20240315
    rf"{_MONTH}\s?{_NTH}(?:\s?,\s?|\s){_YEAR}",  # March 15, 2024
    rf"{_NTH}[\s-]?(?:of\s)?{_MONTH}[\s,-]{{0,2}}{_YEAR}",  # 15 Mar 2024, 15-Mar-2024, 15. März 2024
    rf"{_YEAR}[\s-]{_MONTH}[\s-]{_NTH}",  # 2024-Mar-15
    rf"{_NTH}[\s-]{_MONTH}[\s-]['’]?(?P<y>[0-9]{{2}})(?![0-9])",  # 1-Jan-25
    rf"['’](?P<y>[0-9]{{2}}){_SEPARATED}{_DAY}(?![0-9])\.?",  # '24. 3. 5.
    r"(?P<a>[0-9]{1,2})\s?(?P<s>[-./])\s?(?P<b>[0-9]{1,2})\s?(?P=s)\s?(?P<y>[0-9]{4})(?![0-9])",  # 15/03/2024
    r"(?P<a>[0-9]{1,2})\s?(?P<s>[-./])\s?(?P<b>[0-9]{1,2})\s?(?P=s)\s?(?P<c>[0-9]{1,2})(?![0-9])\.?",  # 24.03.15
    r"(?P<y>[0-9]{2,4})\s?[년年]\s?(?P<m>[0-9]{1,2})\s?[월月]",  # 2024년 3월
    rf"{_MONTH}\s?,?\s?{_YEAR}",  # March 2024
)
_MONTH_ONLY: Final = (
    r"(?P<y>(?:19|20)[0-9]{2})\s?[-./]\s?(?P<m>0[1-9]|1[0-2])",  # 2024-03
    r"(?P<m>0?[1-9]|1[0-2])\s?[-./]\s?(?P<y>(?:19|20)[0-9]{2})",  # 03/2024
)
"""A month of a year, where the other side of the comparison is one."""
_HALF: Final = r"(?:오전|오후|a\.?m\.?|p\.?m\.?)"
_CLOCK: Final = (
    rf"(?:(?:um|at|pukul|pkl\.?|jam)\s)?(?P<half>{_HALF})?\s?"
    r"(?:(?P<h>[01]?[0-9]|2[0-4])(?:"
    r":(?P<mi>[0-5][0-9])(?::(?P<sec>[0-5][0-9](?:\.[0-9]{1,9})?))?"
    r"|\s?시(?:\s?(?P<mi2>[0-5]?[0-9])\s?분(?:\s?(?P<sec2>[0-5]?[0-9])\s?초)?|(?P<mid>\s?반))?"
    r"|h(?P<mi3>[0-5][0-9])|(?=\s?(?:uhr|[ap]\.?m\.?))"
    r"|\.(?P<mi4>[0-5][0-9])(?:\.(?P<sec4>[0-5][0-9]))?(?P<dotted>))"
    rf")(?:\s?(?P<uhr>uhr)(?:\s(?P<mi5>[0-5][0-9]))?)?\s?(?P<half2>{_HALF})?"
    rf"\s?\(?(?P<zone>{_any(ZONES)}|[+-][0-9]{{2}}:?[0-9]{{2}})?\)?"
)
_TIME: Final = re.compile(_CLOCK, re.IGNORECASE)
_PREFIX: Final = re.compile(r"(?:um|at|pukul|pkl)\b", re.IGNORECASE)
_AFTER_DAY: Final = re.compile(
    rf"\s?(?:\((?:[월화수목금토일月火水木金土日]|{_WEEKDAY})\)|[월화수목금토일]요일)?(?:(?:[Tt,]|\s){{1,2}}(?P<time>.+))?",
    re.IGNORECASE,
)
WORDS: Final = frozenset(
    {*MONTHS, *WEEKDAYS, *ZONES, *(f"{day}요일" for day in "월화수목금토일")}
    | {"of", "am", "pm", "오전", "오후", "uhr", "um", "at", "pukul", "pkl", "jam"}
)
"""Words that may stand beside the digits of a date or time, in lower case."""
_FORMS: Final = tuple(re.compile(rf"(?:{_WEEKDAY}\.?,?\s)?{form}", re.IGNORECASE) for form in _WRITTEN)
_MONTH_FORMS: Final = tuple(re.compile(form) for form in _MONTH_ONLY)
_MAYBE: Final = re.compile(r"['’]?[0-9]{1,4}\s?[-./년年]\s?[0-9]{1,2}\s?[-./월月]|(?:19|20)[0-9]{6}(?![0-9])")
_THREE_LETTERS: Final = re.compile(r"[^\W\d_]{3}")
_MONTH_NAME: Final = re.compile(_any({name[:3] for name in MONTHS}), re.IGNORECASE)
"""Every date written in figures matches this; most other texts do not, and are rejected quickly."""
_PLAINEST: Final = re.compile(r"(?:19|20)[0-9]{2}([-./])(?:0[1-9]|1[0-2])\1(?:0[1-9]|1[0-9]|2[0-8])")
"""The commonest writing, which every month has days for."""
_MAYBE_TIME: Final = re.compile(r"[0-9][:시h.]|uhr|[0-9]\s?[ap]\.?m", re.IGNORECASE)
_WIDE: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x2018: 0x27, 0x2019: 0x27, 0x3000: 0x20}
"""Full-width forms and typographic apostrophes to ASCII."""


def moment_of(value: object, *, loosely: bool = False) -> Moment:
    """Read a JSON value as a date or a time. Loosely, `14.30` is a time and `2024-03` a month."""
    if type(value) is int:
        value = str(value) if 10_000_000 <= value <= 99_999_999 else ""
    if not isinstance(value, str) or len(value) > MAX_LENGTH:
        return NO_MOMENT
    found = read_moment(value)
    return found if found is not NO_MOMENT or not loosely else _read_loosely(value)


def date_of(value: object) -> tuple[str, ...]:
    """ISO dates that a JSON value may mean; none where it is no date."""
    return tuple(dict.fromkeys(day for _, day in moment_of(value).days))


@lru_cache(maxsize=1 << 14)
def read_moment(text: str) -> Moment:
    """Read a date, with or without a time, or a time of day in a JSON text: `24.03.15`, `오후 3시`."""
    if _PLAINEST.fullmatch(text):
        return Moment((("", text.replace("/", "-").replace(".", "-")),))
    text = _plain(text)
    if _MAYBE.match(text) or (_THREE_LETTERS.search(text) and _MONTH_NAME.search(text)):
        for form in _FORMS:
            found = form.match(text)
            if found and (moment := _with_time(found, text[found.end() :])):
                return moment
    time = _read_time(text, loosely=False) if _MAYBE_TIME.search(text) else None
    return Moment(time=time) if time else NO_MOMENT


@lru_cache(maxsize=1 << 10)
def _read_loosely(text: str) -> Moment:
    """What is a time or a month only beside one."""
    text = _plain(text)
    for form in _MONTH_FORMS:
        if found := form.fullmatch(text):
            return Moment((("", f"{found['y']}-{int(found['m']):02d}"),))
    time = _read_time(text, loosely=True)
    return Moment(time=time) if time else NO_MOMENT


def _plain(text: str) -> str:
    return " ".join((text if text.isascii() else text.translate(_WIDE)).split())


def _with_time(found: re.Match[str], rest: str) -> Moment | None:
    """The date at the beginning of a text with what stands behind it: a weekday, a time; None where it is neither."""
    after = _AFTER_DAY.fullmatch(rest)
    if not after:
        return None
    time = None
    if after["time"]:
        time = _read_time(after["time"], loosely=True)
        if time is None:
            return None
    days = tuple(dict.fromkeys(_days(found.groupdict())))
    return Moment(days, time) if days else None


def _read_time(text: str, *, loosely: bool) -> Time | None:
    """A time of day; `14.30` without Uhr or the like only loosely."""
    found = _TIME.fullmatch(text)
    if not found or found["h"] is None:
        return None
    if found["dotted"] is not None and not (loosely or found["uhr"] or _PREFIX.match(text)):
        return None
    half = (found["half"] or found["half2"] or "").lower()
    hours = int(found["h"])
    if half:
        if not 1 <= hours <= 12 and half[:2] not in ("오전", "오후"):
            return None
        hours = hours % 12 if hours <= 12 else hours
        hours += 12 if half[0] in "p" or (half == "오후" and hours < 12) else 0
    minutes = next((int(found[name]) for name in ("mi", "mi2", "mi3", "mi4", "mi5") if found[name]), 0)
    if found["mid"]:
        minutes = 30
    seconds = next((found[name] for name in ("sec", "sec2", "sec4") if found[name]), None)
    return Time(hours * 3600 + minutes * 60 + float(seconds or 0), seconds is not None, _zone(found["zone"]))


def _zone(text: str | None) -> int | None:
    """Minutes ahead of UTC: KST, +09:00."""
    if not text:
        return None
    if text.lower() in ZONES:
        return ZONES[text.lower()]
    figures = text[1:].replace(":", "")
    return int(text[0] + "1") * (int(figures[:2]) * 60 + int(figures[2:]))


def _days(parts: dict[str, str | None]) -> Iterator[tuple[str, str]]:
    """Every calendar day the parts of a written date may mean, each with the order in which the parts then stand."""
    if "a" not in parts:
        number = MONTHS[name.lower()] if (name := parts.get("name")) else int(parts["m"] or 0)
        for meant in _years(parts["y"] or ""):
            if "d" in parts:
                yield from _day(meant, number, int(parts["d"] or 0), "")
            elif 1 <= number <= 12:
                yield "", f"{meant}-{number:02d}"
        return
    first, second, third = parts["a"] or "", parts["b"] or "", parts.get("c") or ""
    written = {"mdy": (third, first, second), "dmy": (third, second, first)}
    if full := parts.get("y"):
        written = {order: (full, month, day) for order, (_, month, day) in written.items()}
    else:
        written = {"ymd": (first, second, third)} | written
    if parts["s"] == ".":  # month first is written with strokes and dashes
        found = [day for order in written if order != "mdy" for day in _read(written[order], order)]
        yield from found or _read(written["mdy"], "mdy")
        return
    for order, (year, month, day) in written.items():
        yield from _read((year, month, day), order)


def _read(parts: tuple[str, str, str], order: str) -> Iterator[tuple[str, str]]:
    year, month, day = parts
    if len(year) >= 2:
        for full in _years(year):
            yield from _day(full, int(month), int(day), order)


def _day(year: int, month: int, day: int, order: str) -> Iterator[tuple[str, str]]:
    try:
        yield order, date(year, month, day).isoformat()
    except ValueError:
        return


def _years(written: str) -> list[int]:
    """The years that a written year may mean, likelier first: one of two digits has a century on either side."""
    year = int(written)
    if len(written) > 2:
        return [year]
    return [1900 + year, 2000 + year] if year >= PIVOT else [2000 + year, 1900 + year]
