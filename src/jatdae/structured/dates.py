"""Reads dates and times of day, in the notations that documents use.

A date of figures alone may be written in several orders: 03/04/2024 is in March or in April, 24.03.15 begins or ends
with its year. Such a date has one reading for each order, and `layouts` and the other side of the comparison decide. A
day that the calendar does not have, such as 2024-02-30, is not a date.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator
from datetime import date
from functools import lru_cache
from typing import Final, NamedTuple

from jatdae.kernels.texts import COMMA, FIGURE, look
from jatdae.structured.notation import (
    CLOCK_STEPS,
    CLOCK_WORDS,
    DAY_PARTS,
    ERAS,
    LAST_DAY,
    MONTHS,
    WEEKDAYS,
    YEAR_HALVES,
    YEAR_PARTS,
    ZONES,
)
from jatdae.structured.number_words import read_words

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
    A month of a year is `2024-03`, a quarter `2024-Q1`, a day of no year `--03-05`."""
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
    rf"(?P<y>[0-9]{{2,4}})\s?[년年]\s?(?P<m>[0-9]{{1,2}})\s?[월月]\s?{_DAY}\s?(?:일생?|日)",  # 2024년 3월 15일
    r"(?P<y>(?:19|20)[0-9]{2})(?P<m>[0-9]{2})(?P<d>[0-9]{2})(?![0-9])",  # 20240315
    rf"{_MONTH}\s?{_NTH}(?:\s?,\s?|\s){_YEAR}",  # March 15, 2024
    rf"{_NTH}[\s-]?(?:of\s)?{_MONTH}[\s,-]{{0,2}}{_YEAR}",  # 15 Mar 2024, 15-Mar-2024, 15. März 2024
    rf"{_YEAR}[\s-]{_MONTH}[\s-]{_NTH}",  # 2024-Mar-15
    rf"{_NTH}[\s-]{_MONTH}[\s-]['’]?(?P<y>[0-9]{{2}})(?![0-9])",  # 1-Jan-25
    rf"['’](?P<y>[0-9]{{2}}){_SEPARATED}{_DAY}(?![0-9])\.?",  # '24. 3. 5.
    r"(?P<a>[0-9]{1,2})\s?(?P<s>[-./])\s?(?P<b>[0-9]{1,2})\s?(?P=s)\s?(?P<y>[0-9]{4})(?![0-9])",  # 15/03/2024
    r"(?P<a>[0-9]{1,2})\s?(?P<s>[-./])\s?(?P<b>[0-9]{1,2})\s?(?P=s)\s?(?P<c>[0-9]{1,2})(?![0-9])\.?",  # 24.03.15
    r"(?P<y>[0-9]{2,4})\s?[년年]\s?(?P<m>[0-9]{1,2})\s?[월月]",  # 2024년 3월
    rf"{_MONTH}\s?{_NTH},?\s['’](?P<y>[0-9]{{2}})(?![0-9])",  # Mar 5, '24
    rf"{_MONTH}\s?,?\s?(?:of\s)?{_YEAR}",  # March 2024
)
_MONTH_ONLY: Final = (
    r"(?P<y>(?:19|20)[0-9]{2})\s?[-./]\s?(?P<m>0[1-9]|1[0-2])",  # 2024-03
    r"(?P<m>0?[1-9]|1[0-2])\s?[-./]\s?(?P<y>(?:19|20)[0-9]{2})",  # 03/2024
    rf"{_MONTH}(?:\s?['’]|-)(?P<y>[0-9]{{2}})",  # June '24, Mar-24
    r"(?P<y>[0-9]{2})(?P<m>0[1-9]|1[0-2])(?P<d>0[1-9]|[12][0-9]|3[01])",  # 950302
)
"""A month of a year, where the other side of the comparison is one."""
_PART: Final = rf"(?P<part>{_any(YEAR_PARTS)})\.?"
_PART_BEHIND: Final = rf"(?P<part>{_any(YEAR_PARTS)})"
_ROMAN: Final = {"i": 1, "ii": 2, "iii": 3, "iv": 4}
_FULL_YEAR: Final = r"(?P<y>(?:19|20)[0-9]{2})"
_ANY_YEAR: Final = r"['’]?(?P<y>(?:19|20)?[0-9]{2})"
_PARTS_OF_YEARS: Final = (
    rf"{_PART}\s?-?\s?(?P<n>[0-9]{{1,2}}|i{{1,3}}|iv)[\s,/-]{{0,2}}(?:of\s|tahun\s)?{_ANY_YEAR}",  # Q1 2024, KW 12/2024
    rf"(?P<n>[0-9]{{1,2}}|i{{1,3}}|iv)(?:\.|st|nd|rd|th)?\s?{_PART_BEHIND}[\s,/-]{{0,2}}(?:of\s|tahun\s)?{_ANY_YEAR}",
    rf"{_FULL_YEAR}\s?[년年]?[\s,/-]{{0,2}}{_PART}\s?-?(?P<n>[0-9]{{1,2}}|i{{1,3}}|iv)",  # 2024-Q1, 2024-W12
    rf"(?P<y>(?:19|20)?[0-9]{{2}})\s?[년年]?[\s,/-]{{0,2}}(?:제\s?)?(?P<n>[0-9]{{1,2}})(?:/4)?\s?{_PART_BEHIND}",
    rf"(?P<y>(?:19|20)?[0-9]{{2}})\s?[년年]?\s?(?P<half>{_any(YEAR_HALVES)})",  # 2024년 상반기
)
"""A quarter, a half or a week of a year, where the other side is one."""
_MOST_IN_YEAR: Final = {"Q": 4, "H": 2, "W": 53}
_DAYS_ONLY: Final = (
    r"(?P<m>[0-9]{1,2})\s?[월月]\s?(?P<d>[0-9]{1,2})\s?[일日]",  # 3월 5일
    rf"{_MONTH}\s?{_NTH}",  # March 5
    rf"(?:the\s)?{_NTH}[\s-]?(?:of\s)?{_MONTH}",  # 5 March
    r"(?P<a>[0-9]{1,2})\s?(?P<s>[-./])\s?(?P<b>[0-9]{1,2})\.?",  # 3/5
)
"""A day without its year, where the other side is a date."""
_HALF: Final = rf"(?:{_any(DAY_PARTS)})"
_CLOCK: Final = (
    rf"(?:(?:um|at|pukul|pkl\.?|jam)\s)?(?:(?P<half>{_HALF})\s?)?"
    r"(?:(?P<h>[01]?[0-9]|2[0-4])(?:"
    r":(?P<mi>[0-5][0-9])(?::(?P<sec>[0-5][0-9](?:\.[0-9]{1,9})?))?"
    r"|\s?시(?:\s?(?P<mi2>[0-5]?[0-9])\s?분(?:\s?(?P<sec2>[0-5]?[0-9])\s?초)?|(?P<mid>\s?반))?"
    rf"|h(?P<mi3>[0-5][0-9])|(?=\s?(?:uhr|{_HALF}))|\s?(?:h|hrs?|o[’']clock)(?P<hours>)"
    r"|(?P<mi6>[0-5][0-9])\s?(?:hrs?|hours|h)(?P<military>)"
    r"|\.(?P<mi4>[0-5][0-9])(?:\.(?P<sec4>[0-5][0-9]))?(?P<dotted>))"
    rf")(?:\s?(?P<uhr>uhr)(?:\s(?P<mi5>[0-5]?[0-9]))?)?\s?(?P<half2>{_HALF})?"
    rf"\s?\(?(?P<zone>{_any(ZONES)}|[+-][0-9]{{2}}:?[0-9]{{2}})?\)?"
)
_TIME: Final = re.compile(_CLOCK, re.IGNORECASE)
_PREFIX: Final = re.compile(r"(?:um|at|pukul|pkl)\b", re.IGNORECASE)
_STEPPED: Final = re.compile(
    rf"(?:(?:um|at|pukul|jam)\s)?(?P<step>{_any(CLOCK_STEPS)})\s(?P<hour>[^\W_]+)(?:\s(?P<half>{_HALF}))?",
    re.IGNORECASE,
)
_KOREAN_HOUR: Final = re.compile(
    r"(?<![가-힣])(?:열\s?[한두]|열|한|두|세|네|다섯|여섯|일곱|여덟|아홉)(?=\s?시(?![가-힣]))"
)
"""An hour in the words that count: 세 시."""
_HOURS_AHEAD: Final = re.compile(r"^([0-9]{8})T([0-9]{2})([0-9]{2})([0-9]{2})?(?![0-9:])")
"""A compact date and time: 20240305T141000."""
_WEEKDAY_BEFORE: Final = re.compile(rf"^{_WEEKDAY}(?:\.,?|,)\s", re.IGNORECASE)
_PLACE_BEFORE: Final = re.compile(r"[^\W\d_][^\d,]{1,30},\s(?=\S*\s?[0-9])")
"""The place of a letter before its date: Jakarta, 17 Maret 2022."""
_SPOKEN_HOUR: Final = re.compile(r"[^\W\d_]{3,}(?=\s(?:uhr|o[’']clock))", re.IGNORECASE)
_FOUR_FIGURES: Final = re.compile("([01][0-9]|2[0-3])([0-5][0-9])")
_LAST_DAY: Final = re.compile(rf"^(?:{_any(LAST_DAY)})\s({_MONTH},?\s{_YEAR})", re.IGNORECASE)
_LAST_DAY_BEGINS: Final = frozenset(sign for phrase in LAST_DAY for sign in phrase[0] + phrase[0].upper())
_KOREAN_LAST_DAY: Final = re.compile(r"(([0-9]{2,4})\s?년\s?(0?[1-9]|1[0-2])\s?월\s?)말일")
"""The last day of a month, which the calendar has as a figure: ultimo Februar 2024."""
_ERA: Final = re.compile(rf"({_any(ERAS)})\s?([0-9]{{1,4}}|元)(?=\s?[년年]|\.\s?[0-9]{{1,2}}\.)")
_AFTER_DAY: Final = re.compile(
    rf"\s?(?:\((?:[월화수목금토일月火水木金土日]|{_WEEKDAY})\)|[월화수목금토일]요일)?(?:(?:[Tt,]|\s){{1,2}}(?P<time>.+))?",
    re.IGNORECASE,
)
WORDS: Final = frozenset(
    {*MONTHS, *WEEKDAYS, *ZONES, *(f"{day}요일" for day in "월화수목금토일")}
    | {
        "of",
        "on",
        "the",
        "den",
        "vom",
        "tanggal",
        "tgl",
        "tertanggal",
        "dated",
        "as",
        "per",
        "stand",
        "uhr",
        "um",
        "at",
        "pukul",
        "pkl",
        "jam",
        *DAY_PARTS,
        *ERAS,
    }
)
"""Words that may stand beside the digits of a date or time, in lower case."""
_BEFORE_DAY: Final = r"(?:the|on|am|den|vom|tanggal|tgl\.?|tertanggal|dated|as\sof|per|stand)"
_WORD_BEFORE: Final = re.compile(rf"{_BEFORE_DAY}\s(?=['0-9])", re.IGNORECASE)
_FORMS: Final = tuple(
    re.compile(rf"(?:{_WEEKDAY}\.?,?\s)?(?:{_BEFORE_DAY}\s)?{form}", re.IGNORECASE) for form in _WRITTEN
)
_BARE_FORMS: Final = tuple(re.compile(form, re.IGNORECASE) for form in _WRITTEN)
"""The same for a text that does not begin with a letter, and so has no word before the date; many times as fast."""
_MONTH_FORMS: Final = tuple(re.compile(form, re.IGNORECASE) for form in _MONTH_ONLY)
_PART_FORMS: Final = tuple(re.compile(form, re.IGNORECASE) for form in _PARTS_OF_YEARS)
_DAY_FORMS: Final = tuple(
    re.compile(rf"(?:{_WEEKDAY}\.?,?\s)?{form}(?:\s?\([월화수목금토일]\))?", re.IGNORECASE) for form in _DAYS_ONLY
)
_MAYBE: Final = re.compile(
    r"['’]?[0-9]{1,4}\s?(?:([-./])\s?[0-9]{1,2}\s?\1|[년年]\s?[0-9]{1,2}\s?[월月])|(?:19|20)[0-9]{6}(?![0-9])"
)
_THREE_LETTERS: Final = re.compile(r"[^\W\d_]{3}")
_MONTH_NAME: Final = re.compile(_any({name[:3] for name in MONTHS}), re.IGNORECASE)
"""Every date written in figures matches this; most other texts do not, and are rejected quickly."""
_PLAINEST: Final = re.compile(r"(?:19|20)[0-9]{2}([-./])(?:0[1-9]|1[0-2])\1(?:0[1-9]|1[0-9]|2[0-8])")
"""The commonest writing, which every month has days for."""
_MAYBE_TIME: Final = re.compile(rf"[0-9][:시h.]|uhr|[0-9]\s?(?:{_HALF})", re.IGNORECASE)
_MAYBE_TIME_IN_SMALL: Final = re.compile(_MAYBE_TIME.pattern)
"""The same for small letters; many times as fast."""
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
    if "," in text and not look(text) & ~(FIGURE | COMMA):
        return NO_MOMENT  # the commonest amounts
    text = _plain(text)
    if " " in text and text[:1].isalpha():
        text = _WEEKDAY_BEFORE.sub("", text)
        if text[:1].isalpha():
            text = _WORD_BEFORE.sub("", text)
    if _MAYBE.match(text) or (_THREE_LETTERS.search(text) and _MONTH_NAME.search(text)):
        for form in _FORMS if text[:1].isalpha() else _BARE_FORMS:
            found = form.match(text)
            if found and (moment := _with_time(found, text[found.end() :])):
                return moment
    time = _read_time(text, loosely=False) if _may_be_time(text) else None
    return Moment(time=time) if time else NO_MOMENT


def _may_be_time(text: str) -> bool:
    """Whether a text may be a time of day, by a first look at it."""
    if text.isascii():
        return _MAYBE_TIME_IN_SMALL.search(text.lower()) is not None
    return _MAYBE_TIME.search(text) is not None


@lru_cache(maxsize=1 << 10)
def _read_loosely(text: str) -> Moment:
    """What is a time or a month only beside one."""
    text = _plain(text)
    if (place := _PLACE_BEFORE.match(text)) and (dated := read_moment(text[place.end() :])).days:
        return dated
    for form in _MONTH_FORMS:
        if found := form.fullmatch(text):
            return Moment(tuple(_days(found.groupdict())))
    if days := _read_day_or_part(text, _DAY_FORMS[:-1]):
        return Moment(days)
    if clock := _FOUR_FIGURES.fullmatch(text):
        return Moment(time=Time(int(clock[1]) * 3600 + int(clock[2]) * 60))
    for hour in (_KOREAN_HOUR, _SPOKEN_HOUR):
        text = hour.sub(lambda found: (read_words(found[0]) or (found[0], ""))[0], text)
    time = _read_time(text, loosely=True) or _read_words_of_clock(text.lower())
    return Moment(time=time) if time else NO_MOMENT


def moments_of(a: object, b: object) -> tuple[Moment, Moment]:
    """Read two JSON values that are compared as dates or times, loosely: beside a day, `19.05` is one in May."""
    ours, theirs = moment_of(a, loosely=True), moment_of(b, loosely=True)
    if bool(ours.days) == bool(theirs.days):
        return ours, theirs
    return _as_day(a, ours), _as_day(b, theirs)


def _as_day(value: object, moment: Moment) -> Moment:
    """A moment that is a day if its text can be read so."""
    if moment.days or not isinstance(value, str) or len(value) > MAX_LENGTH:
        return moment
    days = _read_day_or_part(_plain(value), _DAY_FORMS)
    return Moment(days) if days else moment


def _read_day_or_part(text: str, day_forms: Iterable[re.Pattern[str]]) -> tuple[tuple[str, str], ...]:
    """A part of a year or a day of no year; none where it is neither."""
    for form in _PART_FORMS:
        if (found := form.fullmatch(text)) and (part := _part_of_year(found.groupdict())):
            return (("", part),)
    for form in day_forms:
        if (found := form.fullmatch(text)) and (days := tuple(dict.fromkeys(_days_of_no_year(found.groupdict())))):
            return days
    return ()


def _part_of_year(parts: dict[str, str | None]) -> str:
    """`2024-Q1` for a quarter, likewise for a half and a week; "" where a year has no such part."""
    kind, number = "H", YEAR_HALVES.get(parts.get("half") or "", 0)
    if not number:
        kind, said = YEAR_PARTS[(parts["part"] or "").lower()], (parts["n"] or "").lower()
        number = _ROMAN.get(said) or int(said)
    if not 1 <= number <= _MOST_IN_YEAR[kind]:
        return ""
    return f"{_years(parts['y'] or '')[0]}-{kind}{number}"


def _days_of_no_year(parts: dict[str, str | None]) -> Iterator[tuple[str, str]]:
    """The days of no year that the parts of a date may mean: `--03-05`."""
    if "a" in parts:
        first, second = int(parts["a"] or 0), int(parts["b"] or 0)
        orders = {"mdy": (first, second), "dmy": (second, first)}
        if parts["s"] == "/" and len(parts["b"] or "") == 2 and 1 <= first <= 12:
            yield "", f"{_years(parts['b'] or '')[0]}-{first:02d}"  # 03/27 of a card
    else:
        name = parts.get("name")
        orders = {"": (MONTHS[name.lower()] if name else int(parts["m"] or 0), int(parts["d"] or 0))}
    for order, (month, day) in orders.items():
        for _, found in _day(2024, month, day, order):  # a year with a 29th of February
            yield order, f"-{found[4:]}"


def _read_words_of_clock(text: str) -> Time | None:
    """A time in words: noon, 자정, half past three, halb vier."""
    if text in CLOCK_WORDS:
        return Time(CLOCK_WORDS[text] * 60)
    found = _STEPPED.fullmatch(text)
    if not found:
        return None
    said = (found["hour"], "") if found["hour"].isdigit() else read_words(found["hour"])
    if not said or said[1] or not said[0].isdigit() or not 1 <= int(said[0]) <= 12:
        return None
    hour = _in_part_of_day(int(said[0]), DAY_PARTS[found["half"]]) if found["half"] else int(said[0])
    return Time((hour * 60 + CLOCK_STEPS[found["step"]]) * 60 % 86_400)


def _plain(text: str) -> str:
    """A text in plain characters, its years counted as is usual today."""
    if not text.isascii():
        text = _ERA.sub(
            lambda found: str(ERAS[found[1]] + (1 if found[2] == "元" else int(found[2]))), text.translate(_WIDE)
        )
        if "말일" in text:
            text = _KOREAN_LAST_DAY.sub(_with_korean_last_day, text)
    if text[:1] in _LAST_DAY_BEGINS:
        text = _LAST_DAY.sub(_with_last_day, text)
    text = " ".join(text.split())
    return _HOURS_AHEAD.sub(_with_colons, text) if "T" in text else text


def _with_last_day(found: re.Match[str]) -> str:
    return f"{monthrange(int(found['y']), MONTHS[found['name'].lower()])[1]} {found[1]}"


def _with_korean_last_day(found: re.Match[str]) -> str:
    return f"{found[1]}{monthrange(_years(found[2])[0], int(found[3]))[1]}일"


def _with_colons(found: re.Match[str]) -> str:
    return f"{found[1]}T{found[2]}:{found[3]}" + (f":{found[4]}" if found[4] else "")


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
    if not loosely and (found["hours"] is not None or found["military"] is not None):
        return None  # 15 h is a time of the day beside one; else it is a while
    hours = int(found["h"])
    if half := (found["half"] or found["half2"] or "").lower():
        if not 1 <= hours <= 12 and half.isascii():
            return None
        hours = _in_part_of_day(hours, DAY_PARTS[half])
    minutes = next((int(found[name]) for name in ("mi", "mi2", "mi3", "mi4", "mi5", "mi6") if found[name]), 0)
    if found["mid"]:
        minutes = 30
    seconds = next((found[name] for name in ("sec", "sec2", "sec4") if found[name]), None)
    return Time(hours * 3600 + minutes * 60 + float(seconds or 0), seconds is not None, _zone(found["zone"]))


def _in_part_of_day(hours: int, part: str) -> int:
    """The hour of 24 that one of twelve is in a part of the day."""
    if hours > 12:
        return hours
    after_noon = {"am": False, "pm": True, "day": hours < 6 or hours == 12, "night": 5 <= hours < 12}[part]
    return hours % 12 + (12 if after_noon else 0)


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
