"""Patterns of rule files that name a thing and allow it in one: "alcohol is fine", 술은 괜찮.

Without `act: do` a pattern names a thing, and the words around its match tell what is said of it. Of "alcohol is fine"
nothing is left around: the thing is "alcohol", and the rest belongs to the sentence.
"""

from __future__ import annotations

import re
from typing import Final

from jatdae.dialogue.reading.patterns import Span

_ALLOWED: Final = re.compile(
    r"(?P<korean>\S{1,16}?)(?:[은는이가도]|을|를)? ?"
    r"(?:괜찮|문제 ?없|문제[가는될]|안전|무방|상관 ?없|무해|해롭지|걱정|나쁘지)"
    r"|(?P<english>\S.{0,40}?) (?:is|are|isn't|aren't) (?:\w+ ){0,2}?(?:fine|ok|okay|safe|good|great|allowed|harmless"
    r"|acceptable|permitted|no problem)"
)
"""A thing and the word that allows it."""
_NEEDLESS: Final = re.compile(
    r"(?:(?:there is |there's |you have )?no (?:need|reason) to|(?:you )?(?:needn't|need not|don't (?:have|need) to)) "
    r"(?:reduce|limit|avoid|stop|cut|restrict|quit|give|worry|watch|skip|moderate)\b"
)
"""What allows a thing by a verb of its own."""
_HAVE: Final = re.compile(r"\b(?:you(?:'ve| have)? (?:got |really )?|there(?:'s| is) (?:really )?)$")
"""What stands before "no need" and adds nothing."""
_FEW: Final = 24


def find_allowed(text: str, start: int, end: int) -> tuple[Span, bool] | None:
    """The thing that a match at start:end of a folded answer allows, and whether that is an act; None if it is none."""
    if _NEEDLESS.match(text, start, end):
        lead = _HAVE.search(text, max(0, start - _FEW), start)
        return (lead.start() if lead else start, end), True
    found = _ALLOWED.match(text, start, end)
    if found is None:
        return None
    return found.span(found.lastgroup or 0), False
