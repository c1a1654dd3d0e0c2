"""Characters as a reader sees them: two texts that look the same in print are made the same.

Canonically equal letters have one form (NFC); what cannot be seen is gone; a space or hyphen that only keeps a line
from being broken is a plain one.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

# Scripts that need joiners to be written right, and pictures that are made of several: Arabic, Syriac and their like,
# Indic and South-East Asian scripts, Mongolian, emoji with their selectors.
_JOINABLE = r"\u0590-\u08ff\u0900-\u109f\u1780-\u18af\ufb1d-\ufdcf\ufe70-\ufefc\u2190-\u2bff\ufe0f\U0001f000-\U0001faff"
_INVISIBLE: Final = re.compile(
    r"\u00ad(?:[^\S\n]*+\n[^\S\n]*+(?=[^\W\d_]))?"  # a soft hyphen, with the line end at which it broke a word
    r"|[\u200b\u200e\u200f\u2060-\u2064\ufeff]"
    rf"|[\u200c\u200d](?![{_JOINABLE}])|(?<![{_JOINABLE}])[\u200c\u200d]"
)
_INVISIBLE_SIGNS: Final = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff"
_UNBROKEN: Final = str.maketrans("\u00a0\u2007\u202f\u2010\u2011", "   --")
"""No-break spaces; the hyphen that does not break, and the one that does, which no reader tells from `-`."""


def as_seen(text: str) -> str:
    """The text as a reader sees it."""
    return text if text.isascii() else invisible(nfc(text)).translate(_UNBROKEN)


def nfc(text: str) -> str:
    """Normalise a text by Unicode composition (NFC): `e` + `´` becomes `é`, Hangul letters become syllables."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def invisible(text: str) -> str:
    """Remove characters that cannot be seen from a text: BOM, zero-width characters, soft hyphens.

    A joiner stays between two characters of a script, or of a picture, that needs it.
    """
    if text.isascii() or text.isprintable() or not any(sign in text for sign in _INVISIBLE_SIGNS):
        return text
    return _INVISIBLE.sub("", text)
