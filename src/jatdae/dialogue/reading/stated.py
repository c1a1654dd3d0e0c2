"""Statements on tests without a value, beside values of the patient's: "Potassium is spot on."."""

from __future__ import annotations

import re
from typing import Final

from jatdae.dialogue.reading.concepts import MEASURED
from jatdae.dialogue.reading.mention import Mention
from jatdae.dialogue.reading.statuses import FACT, HEDGED, NOT_PATIENT, RECOMMENDED

_OPEN: Final = frozenset((NOT_PATIENT, RECOMMENDED, HEDGED))
_NEAR: Final = 24
_SUBJECT: Final = re.compile(
    r"(?:\A|[.!?;:\n*_❌✔✅➖•|–—-]|, (?:and |but |while )?|\b(?:and|but|while) )[\s\ufe0f*_]*(?:the )?$"
)
"""Before a test that a clause begins with."""
_STATING: Final = re.compile(
    r"(?: level| levels| reading| readings)? (?:(?:also|still|too) )?"
    r"(?:(?:is|was|has been|looks?|looked|remains?|remained|sits?|stays?|stayed|came back|seems?) "
    r"(?:(?:still|also|now|a|just|only|slightly|mildly|well|perfectly|comfortably|quite|very|too|bit|little|touch"
    r"|nicely|hovering|again|even) )*"
    r"(?:higher|lower|high|low|normal|fine|good|okay|ok|great|excellent|perfect|spot on|borderline|elevated|raised"
    r"|stable|steady|reassuring|acceptable|unchanged|up|down|in range|within|above|below|on the|at goal|on target"
    r"|healthy|ideal|reduced|worse|better|unremarkable|not|where|near|close|just)\b"
    r"|(?:has|have) (?:crept|climbed|risen|fallen|dropped|improved|come|gone|held|settled|drifted|stayed|been|moved"
    r"|worsened)\b"
    r"|(?:crept|climbed|rose|fell|dropped|improved|went|held|settled|drifted|moved|worsened|barely)\b)"
    r"(?! (?:in|for|when|if|from [a-z]+ing) )"
)
"""What a test is said to be, of somebody."""


def with_stated_tests(text: str, mentions: list[Mention]) -> list[Mention]:
    """The mentions of a folded answer, with the patient's those of tests that it judges beside values of theirs."""
    bare = [at for at, each in enumerate(mentions) if _is_stated(text, each)]
    if not bare or not any(each.status == FACT and each.category in MEASURED for each in mentions):
        return mentions
    read = list(mentions)
    for at in bare:
        read[at] = read[at]._replace(polarity="affirmed", status=FACT, subject="patient", advice="")
    return read


def _is_stated(text: str, mention: Mention) -> bool:
    if mention.category not in MEASURED or mention.value is not None or mention.status not in _OPEN:
        return False
    if not _STATING.match(text, mention.end):
        return False
    return _SUBJECT.search(text, max(0, mention.start - _NEAR), mention.start) is not None
