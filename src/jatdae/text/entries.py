"""What an entry of a reference list looks like at the start of its line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

LONGEST_ENTRY: Final = 1200
"""Characters within which an entry names its year, or a DOI, an arXiv number or an address."""
FEWEST: Final = 5
"""Entries that make a list without a heading."""
_NUMBERED_GAP: Final = 2500
"""Characters between two numbered entries of one list: a long entry, or a column of other text in between."""
_PLAIN_GAP: Final = 800
"""The same without numbers, where only closeness tells a list from lines that happen to begin with a name."""

_CAPITAL = "[A-ZÀ-ÖØ-ÞĀ-Ž]"
_WORD = rf"{_CAPITAL}[\w'’´`¨˚˝ˇ˜-]*+"
_SURNAME = rf"(?:(?:de|del|den|der|di|da|du|la|le|van|von|zu|ter|The)\s){{0,3}}+{_WORD}(?:\s{_WORD})??"
_INITIALS = rf"{_SURNAME}(?:,\s{_CAPITAL}[.,\s]|\s{_CAPITAL}{{1,4}}[,.])"  # Abbott, B. · Agol E,
_FIRST_NAME = rf"{_SURNAME},\s{_WORD}[,.\s]"  # Agol, Eric,
_CJK_AUTHOR = r"[가-힣一-鿿]{2,5}(?:\s?[,，、·]\s?[가-힣一-鿿]{2,5}){0,9}+(?:\s?[외等등])?[\s,.，]{0,2}\(?(?:19|20)\d\d"
_START: Final = re.compile(
    rf"^[^\S\n]*+(?:[-*•]\s)?"
    rf"(?:\\?\[(?P<bracket>\d{{1,4}})\\?\](?=[^\S\n]*+\S)"
    rf"|(?P<number>\d{{1,3}})[.)][^\S\n]++(?={_INITIALS}|{_FIRST_NAME}|{_CJK_AUTHOR})"
    rf"|(?:[—–]|---)[—–]{{0,2}}[.,]?\s?(?=\d{{4}})"  # the author above once more
    rf"|\[?(?={_INITIALS}|{_CJK_AUTHOR}|(?P<likely>{_FIRST_NAME})))",
    re.MULTILINE,
)
_DATED: Final = re.compile(r"(?<!\d)(?:1[6-9]|20)\d\d(?!\d)|doi\b|arXiv|https?://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Entry:
    """Where an entry starts, and its number in the list; 0 where it has none."""

    start: int
    number: int
    sure: bool
    """"Agol, Eric, …" may begin an entry, but so may "London, England" begin another line."""


def find_entries(text: str) -> list[Entry]:
    """Lines that begin a reference entry."""
    begun = [
        Entry(found.start(), int(found["bracket"] or found["number"] or 0), found["likely"] is None)
        for found in _START.finditer(text)
    ]
    ends = [*(entry.start for entry in begun[1:]), len(text)]
    return [
        entry
        for entry, end in zip(begun, ends, strict=False)
        if _DATED.search(text, entry.start, min(end, entry.start + LONGEST_ENTRY))
    ]


def last_list(entries: list[Entry]) -> list[Entry]:
    """The last run of at least five entries that stand close together; a numbered one, where there is one."""
    numbered = [entry for entry in entries if entry.number]
    plain = [entry for entry in entries if entry.sure and not entry.number]
    return _last_run(numbered, _NUMBERED_GAP) or _last_run(plain, _PLAIN_GAP)


def _last_run(entries: list[Entry], gap: int) -> list[Entry]:
    runs: list[list[Entry]] = []
    for entry in entries:
        if runs and _follows(runs[-1][-1], entry, gap):
            runs[-1].append(entry)
        else:
            runs.append([entry])
    return next((run for run in reversed(runs) if len(run) >= FEWEST), [])


def _follows(one: Entry, other: Entry, gap: int) -> bool:
    counts_up = one.number < other.number <= one.number + 3 or not other.number
    return counts_up and other.start - one.start <= gap
