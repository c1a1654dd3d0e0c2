"""Steps on characters: Unicode forms, case, quotes, ligatures, hyphens at line ends, white space."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_QUOTES: Final = str.maketrans(
    {"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'", "′": "'"}
)
_LIGATURES: Final = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "ĳ": "ij", "Ĳ": "IJ"}
)
_LINE_END_HYPHEN: Final = re.compile(r"(?<=[^\W\d_])[-‐\u00ad][^\S\n]*+\n\s*+(?=[^\W\d_])")


def nfc(text: str) -> str:
    """Unicode canonical composition: `e` + `´` becomes `é`, Hangul letters become syllables."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def nfkc(text: str) -> str:
    """Unicode compatibility composition: also `ﬁ` → `fi`, `①` → `1`, full width → half width."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def casefold(text: str) -> str:
    """Forget case."""
    return text.casefold()


def quotes(text: str) -> str:
    """Curly quotes become straight."""
    return text if text.isascii() else text.translate(_QUOTES)


def ligatures(text: str) -> str:
    """`ﬁ` and its kind become letters."""
    return text if text.isascii() else text.translate(_LIGATURES)


def hyphenation(text: str) -> str:
    """Join a word broken at a line end. Comes before `whitespace`, which forgets line ends."""
    return _LINE_END_HYPHEN.sub(_joined, text) if "\n" in text else text


def whitespace(text: str) -> str:
    """Runs of white space become one space, ends are trimmed."""
    return " ".join(text.split())


def _joined(hyphen: re.Match[str]) -> str:
    """A capital after the break is a name such as Foreman-Mackey, whose hyphen is its own."""
    return "-" if hyphen.string[hyphen.end()].isupper() else ""
