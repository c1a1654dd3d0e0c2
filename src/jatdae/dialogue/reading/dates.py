"""Dates in a text, as precise as they are said, and whether they agree with a period of the patient's record."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, Literal, NamedTuple

Sense = Literal["in", "start", "since", "until", "by", "before", "after", "from_to", "between"]

_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_YEAR: Final = r"(?:19|20)\d\d(?!\d)"
_TO: Final = r"\s*(?:to|until|till|through|and|[-–~∼])\s*(?:the )?"
_TH: Final = r"(?:st|nd|rd|th)?"
_DATE: Final = re.compile(
    rf"(?<![\d.])(?P<iso_year>{_YEAR})\s?[-./]\s?(?P<iso_month>1[0-2]|0?[1-9])(?!\d)"
    r"(?:\s?[-./]\s?(?P<iso_day>3[01]|[12]\d|0?[1-9])(?!\d))?"
    rf"|(?<![\d.])(?:(?P<ko_year>{_YEAR})\s?년도?\s*)?(?<!\d)(?P<ko_month>1[0-2]|0?[1-9])\s?월(?!\s?\d*\s?회)"
    r"(?:\s*(?P<ko_day>\d{1,2})\s?일(?:(?:부터|에서|\s?[-–~∼])\s*(?P<ko_last>\d{1,2})\s?일)?)?"
    r"|(?<![\d.])(?P<decade>(?:19|20)\d0)(?:'?s\b|\s?년대)"
    rf"|(?<![\d.])(?P<ko_alone>{_YEAR})\s?년(?!대|\s?간)"
    rf"|(?<![\w.])(?:(?P<first>\d{{1,2}}){_TH}{_TO})?(?:(?P<day>\d{{1,2}}){_TH}(?: of)? )?\b(?P<month>{_MONTH})"
    rf"(?: (?:the )?(?P<day_behind>\d{{1,2}})(?!\d){_TH}(?:{_TO}(?P<last>\d{{1,2}})(?!\d){_TH})?)?"
    rf"(?:,? (?:of )?(?P<year>{_YEAR}))?"
    rf"|(?<![\d./])(?:\d{{1,2}}/\d{{1,2}}|(?P<slash_month>1[0-2]|0?[1-9]))/(?P<slashed>{_YEAR})"
    r"|(?:\b(?:in|of|from|to|until|till|through|since|before|after|by|during|around|between|and|early|late|mid"
    r"|spring|summer|fall|autumn|winter)[ -]|[(~–-]\s?)(?:the year )?"
    rf"(?P<alone>{_YEAR})(?!s|[.,/-]?\d|\s?(?:%|mg|mcg|ml|kcal|cal|iu|units?|steps))"
)
"""1990s, 2020-10-05, 2020년 10월 5일, 5 to 26 October 2020, October 5, 2020; a bare year only after certain words."""
_YEARS: Final = ("iso_year", "ko_year", "ko_alone", "year", "slashed", "alone")
"""Groups of the pattern that hold a year."""
_NUMBERED: Final = ("iso_month", "ko_month", "slash_month")
"""Groups that hold a month as a number; 10/05/2020 has none, for it is read either way."""
_MODAL: Final = re.compile(r"(?:\b(?:in|of|last|since|until|before|after|by|from|to|early|mid|late|\d) ?)$")
"""What before "may" makes it the month."""
_BEFORE: Final[tuple[tuple[re.Pattern[str], Sense], ...]] = (
    (re.compile(r"\bsince (?:early |late |mid-?)?$"), "since"),
    (re.compile(r"\b(?:until|till) (?:early |late |mid-?)?$"), "until"),
    (re.compile(r"\bby (?:early |late |mid-?)?$"), "by"),
    (re.compile(r"\b(?:before|prior to) $"), "before"),
    (re.compile(r"\bafter $"), "after"),
)
_BEHIND: Final[tuple[tuple[re.Pattern[str], Sense], ...]] = (
    (re.compile(r"\s?부터"), "since"),
    (re.compile(r"\s?까지"), "until"),
    (re.compile(r"\s?이?전(?:에|의|까지)"), "before"),
    (re.compile(r"\s?이후|\s?넘어서"), "after"),
)
_JOINS: Final = re.compile(r"\s*(?:to|until|till|through|and|[-–~∼]|부터|에서)?\s*\Z")
_BETWEEN: Final = re.compile(r"\bbetween (?:the )?\Z")
_WITHIN: Final = re.compile(r"\s?사이")
_OPENING: Final = re.compile(r"(?:[,;]|\band|\bbut|[가-힣][고며만서])(?: then)? (?:(?:back )?(?:in|on|from|since) )?\Z")
_BREAK: Final = re.compile(
    r";|\b(?:so|but|because|therefore|please|should|must|need|can|will|let's)\b"
    r"|[가-힣](?:니|니까|므로|지만|세요|어서|아서),? "
)
"""What begins another clause, with dates of its own: "…, so come back in March"."""
_LEAD: Final = 24
_ADJACENT: Final = 12
"""How far behind a name a date of its own begins, in characters."""
_RECORDED: Final = re.compile(rf"\s*({_YEAR})(?:-(\d\d)(?:-(\d\d))?)?")


class Day(NamedTuple):
    """A date as precise as it is known: 0 for a year, month or day that is not."""

    year: int
    month: int = 0
    day: int = 0

    @property
    def first(self) -> int:
        """The first day it can be, as a number that grows with time."""
        return self.year * 10000 + self.month * 100 + self.day

    @property
    def last(self) -> int:
        """The last day it can be."""
        return self.year * 10000 + (self.month or 99) * 100 + (self.day or 99)

    def meets(self, other: Day) -> bool:
        """Whether both can be the same day."""
        return self.first <= other.last and other.first <= self.last


class Period(NamedTuple):
    """When an entry of the record began and ended, as far as the record says."""

    start: Day | None
    end: Day | None = None

    def __str__(self) -> str:
        """`2020-10-05 – 2020-10-26`."""
        return " – ".join(
            "-".join(f"{part:02d}" for part in day if part) if day else "" for day in (self.start, self.end)
        ).strip(" –")


class Dated(NamedTuple):
    """A date or interval that a text states, and where."""

    start: int
    end: int
    day: Day
    last: Day | None = None
    """The end of an interval."""
    sense: Sense = "in"


def read_period(entry: Any) -> Period | None:
    """The period of an entry of the record, from its `start` and `end`, or its `date`; None if it has neither."""
    start, end = (_recorded(entry.get(key)) for key in ("start", "end"))
    if date := _recorded(entry.get("date")):
        start, end = start or date, end or (date if start is None else None)
    return Period(start, end) if start or end else None


def _recorded(given: Any) -> Day | None:
    found = _RECORDED.match(str(given)) if given else None
    return Day(*(int(part or 0) for part in found.groups())) if found else None


def find_dates(text: str, start: int, end: int) -> list[Dated]:
    """Find the dates that a folded sentence, which stands at start:end of a text, states; two may be an interval."""
    found: list[Dated] = []
    for date in _single(text, start, end):
        before = found[-1] if found else None
        if before and before.last is None and date.last is None and _joins(text, before, date):
            found[-1] = _interval(text, before, date)
        else:
            found.append(date)
    return found


def _single(text: str, start: int, end: int) -> Iterator[Dated]:
    for found in _DATE.finditer(text, start, end):
        part = {name: int(value) for name, value in found.groupdict().items() if value and name != "month"}
        year = next((part[name] for name in _YEARS if name in part), 0)
        named = found["month"]
        if named == "may" and not year and not _MODAL.search(text, start, found.start("month")):
            continue
        month = _MONTHS.index(named[:3]) + 1 if named else next((part[name] for name in _NUMBERED if name in part), 0)
        days = [part[name] for name in ("first", "iso_day", "ko_day", "day", "day_behind") if name in part]
        last = part.get("last") or part.get("ko_last") or (days[1] if len(days) > 1 and "first" in part else 0)
        if decade := part.get("decade"):
            yield Dated(found.start(), found.end(), Day(decade), Day(decade + 9), "between")
            continue
        at = found.start("alone") if "alone" in part else found.start()
        day = Day(year, month, days[0] if days else 0)
        if last:
            yield Dated(at, found.end(), day, Day(year, month, last), _span_sense(text, at, found.end()))
        else:
            yield Dated(at, found.end(), day, None, _sense(text, at, found.end()))


def _sense(text: str, start: int, end: int) -> Sense:
    for pattern, sense in _BEFORE:
        if pattern.search(text, max(0, start - 20), start):
            return sense
    return next((sense for pattern, sense in _BEHIND if pattern.match(text, end)), "in")


def _span_sense(text: str, start: int, end: int) -> Sense:
    between = _BETWEEN.search(text[max(0, start - 12) : start]) or _WITHIN.match(text, end)
    return "between" if between else "from_to"


def _joins(text: str, one: Dated, other: Dated) -> bool:
    """Whether two dates are the ends of an interval: "and" joins them only after "between"."""
    middle = text[one.end : other.start]
    if not middle.strip() or not _JOINS.match(middle):
        return False
    return middle.strip() != "and" or _BETWEEN.search(text[max(0, one.start - 12) : one.start]) is not None


def _interval(text: str, one: Dated, other: Dated) -> Dated:
    """An interval of two dates; what one lacks the other has: "from 5 October to 2 November 2020"."""
    first, last = one.day, other.day
    first = first._replace(year=first.year or last.year)
    last = last._replace(year=last.year or first.year)
    return Dated(one.start, other.end, first, last, _span_sense(text, one.start, other.end))


def date_of(text: str, dates: list[Dated], start: int, end: int, named: list[int]) -> Dated | None:
    """The date of what is named at start:end of a text, among those of its sentence; `named` is where all names begin.

    A date right behind a name is its own, if it does not open a clause on another. Else a sentence that begins with a
    date dates what follows ("In 2019 you had …"), any other what stands before.
    """
    before = [date for date in dates if date.start < start and not _BREAK.search(text, date.end, start)]
    behind = [
        date
        for date in dates
        if date.start > start and not _opens(text, date, named) and not _BREAK.search(text, end, date.start)
    ]
    later = min((name for name in named if name > start), default=len(text))
    if behind and behind[0].start < min(later, end + _ADJACENT):
        return behind[0]
    leading = bool(dates) and dates[0].start < min(named, default=start)
    if before and (leading or not behind):
        return before[-1]
    return behind[0] if behind else None


def _opens(text: str, date: Dated, named: list[int]) -> bool:
    """Whether a date begins a clause on another name: "…, and in June 2019 bronchitis"."""
    lead = text[max(0, date.start - _LEAD) : date.start]
    return max(named, default=0) > date.start and _OPENING.search(lead) is not None


def as_beginning(text: str, said: Dated, start: int, end: int) -> Dated:
    """A date as that of a beginning, where the words around it and the name at start:end say so: "began in 2012"."""
    if said.sense != "in" or said.last is not None:
        return said
    first, last = min(start, said.start), max(end, said.end)
    return said._replace(sense="start") if _BEGINS.search(text, max(0, first - _NEAR), last + _NEAR) else said


_BEGINS: Final = re.compile(
    r"\b(?:started|began|begun|initiated|first (?:took|taken|prescribed|given|used))\b|시작|처음|개시"
)
_NEAR: Final = 24
_RELATIVE: Final = re.compile(
    r"\b(?:last|this|the past|the previous) (?:year|month|week|spring|summer|autumn|fall|winter)\b|\byears? ago\b"
    r"|\bmonths? ago\b|작년|지난해|재작년|올해|지난달|(?:년|달|해) 전"
)


def is_relative(text: str, start: int, end: int) -> bool:
    """Whether a sentence dates by the day it is said on, which a record does not have: "last year", 작년에."""
    return _RELATIVE.search(text, start, end) is not None


def agrees_with(said: Dated, period: Period) -> bool | None:
    """Whether a stated date agrees with a period of the record; None if the record does not tell enough."""
    start, end = period
    day = said.day
    if not day.year:
        return _in_month(day, period)
    if said.last is not None and said.sense == "between":
        inside = [day.first <= each.last and each.first <= said.last.last for each in (start, end) if each]
        return all(inside)
    if said.last is not None:
        return (start is None or start.meets(day)) and (end is None or end.meets(said.last))
    if said.sense in ("since", "start"):
        return start.meets(day) if start else None
    if said.sense == "until":
        return end.meets(day) if end else None
    if said.sense == "by":
        return start.first <= day.last if start else None
    if said.sense == "before":
        return start.first < day.first if start else None
    if said.sense == "after":
        late = end or start
        return True if late and late.last > day.last else (False if end else None)
    if start and day.last < start.first:
        return False
    if end and end.last < day.first:
        return False
    return True if (start and end) or any(each and each.meets(day) for each in period) else None


def _in_month(day: Day, period: Period) -> bool | None:
    """Whether a month without its year lies in a period: "last October"."""
    start, end = period
    if start is None or not start.month:
        return None
    if end is None:
        return True if start.month == day.month else None
    years = range(start.year, min(end.year, start.year + 2) + 1)  # two years have every month
    return any(agrees_with(Dated(0, 0, day._replace(year=year)), period) for year in years)
