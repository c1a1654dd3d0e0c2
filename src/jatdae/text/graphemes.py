"""Characters as a reader sees them: extended grapheme clusters of a text.

UAX #29 by means of the standard library, without its rules for prepended marks and for Indic conjuncts.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import cache
from itertools import groupby

_FLAG = "[\U0001f1e6-\U0001f1ff]"
_L, _V, _T = "[\u1100-\u115f\ua960-\ua97c]", "[\u1160-\u11a7\ud7b0-\ud7c6]", "[\u11a8-\u11ff\ud7cb-\ud7fb]"
_LV = f"[{''.join(map(chr, range(0xAC00, 0xD7A4, 28)))}]"
_PICTURE = (
    "[©®‼⁉™ℹ\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u27bf\u2934\u2935\u2b05-\u2b55\u3030\u303d\u3297\u3299"
    "\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001faff]"
)

# Besides marks: the non-joiner, half-width sound marks, skin tones, tags.
_EXTENDING = "\u200c\uff9e\uff9f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f"


def graphemes(text: str) -> str | list[str]:
    """Split a text into grapheme clusters; returns the text itself where each is one code point."""
    if (text.isascii() and "\r" not in text) or not _joining().search(text):
        return text
    return _cluster().findall(text)


@cache
def _joining() -> re.Pattern[str]:
    """Anything that may not stand alone."""
    return re.compile(f"{_following()}|{_FLAG}{_FLAG}|{_L}|{_V}|{_T}|\r\n")


@cache
def _cluster() -> re.Pattern[str]:
    hangul = f"{_L}*(?:{_V}+|{_LV}{_V}*|[가-힣]){_T}*|{_L}+|{_T}+"
    picture = f"{_PICTURE}(?:[{_EXTENDING}{_marks('Mn', 'Me')}]*\u200d{_PICTURE})*"
    return re.compile(f"\r\n|(?:{_FLAG}{_FLAG}|{hangul}|{picture}|.){_following()}*", re.DOTALL)


def _following() -> str:
    """A class of what joins the character before it."""
    return f"[{_EXTENDING}\u200d\u0e33\u0eb3{_marks('Mn', 'Me', 'Mc')}]"


@cache
def _marks(*categories: str) -> str:
    """The ranges of characters of these categories, as a class lists them."""
    codes = (code for code in range(0x300, sys.maxunicode + 1) if unicodedata.category(chr(code)) in categories)
    ranges = []
    for _, run in groupby(enumerate(codes), key=lambda pair: pair[1] - pair[0]):
        members = [code for _, code in run]
        ranges.append(f"{chr(members[0])}-{chr(members[-1])}")
    return "".join(ranges)
