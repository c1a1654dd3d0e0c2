"""The week of a pregnancy that an answer names with it: "12 weeks pregnant", 임신 12주."""

from __future__ import annotations

import re
from typing import Final

_DAYS: Final = r"(?:\s?\+\s?\d|,? (?:and )?(?:\d|one|two|three|four|five|six) days?)?"
_BEFORE: Final = re.compile(
    rf"\b(\d{{1,2}})(th|st|nd|rd)?{_DAYS}[ -]?w(?:ee)?ks?'?{_DAYS}(?: (?:of|into|in))?(?: (?:your|the|this))?[ -]$"
    r"|\bweek (\d{1,2}) (?:of|into|in) (?:your |the |this )?$"
    r"|(?<!\d)(\d{1,2}) ?주(차|째)?(?:의|인|에 접어드신)? ?$"
)
_BEHIND: Final = re.compile(
    rf"[,:]? (?:and )?(?:\(|now |already |currently |about |around |for |at |of )*(\d{{1,2}}){_DAYS}["
    rf" -]?w(?:ee)?ks?\b{_DAYS}"
    r"(?! (?:ago|before|after|later|onwards?|or (?:more|less|later|earlier)))"
    r"|,? (?:and )?(?:now |already |currently )?in (?:your |the |week )*(\d{1,2})(?:th|st|nd|rd)?(?: week)?\b"
    r"|[부은이]? ?(?:약 |현재 |지금 |이제 |제)*(\d{1,2}) ?주(?:\s?\d일)?(차|째)?(?=이[신시세십고며라]|입니다|로[ ,]|라["
    r" ,서]|이?[,.!]|인 |에 접어|차|째|예요"
    r"|이에요)"
)
_EXACT: Final = re.compile(r"\d\s*-?(?:w|주)|week|\A\s*\d+(?:\.\d+)?\s*\Z")
_LEAD: Final = 32
"""How far before the pregnancy its week may stand, in characters."""
_LAST: Final = 42
"""The last week that a pregnancy can have."""


def find_weeks(text: str, start: int, end: int) -> tuple[int, ...]:
    """The completed weeks that a folded text may mean by what it says of a pregnancy named at start:end."""
    before = _BEFORE.search(text, max(0, start - _LEAD), start)
    if before:
        week = int(before[1] or before[3] or before[4])
        begun = before[2] or before[3] or before[5]
    elif behind := _BEHIND.match(text, end):
        week = int(behind[1] or behind[2] or behind[3])
        begun = behind[2] or behind[4] or text.startswith(("차", "째"), behind.end())
    else:
        return ()
    if not 0 < week <= _LAST:
        return ()
    return (week - 1, week) if begun else (week,)


def is_exact(said: str) -> bool:
    """Whether a record tells the week of a pregnancy, and not a month or trimester only."""
    return _EXACT.search(said.lower()) is not None
