"""What a text of a JSON document may do without: the scale of a mark, and what qualifies a designation at its end.

A text whose end is left out is near it only where the words left out can be told for a qualifier: a name that goes on
is another name (Bank Mandiri Syariah), and a noun behind another is what the text is about (breast cancer screening).
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from jatdae.kernels.texts import FIGURE, SPACE, look
from jatdae.structured.notation import (
    DENYING_ENDINGS,
    DOUBTING,
    DOUBTING_PARTS,
    FORMS,
    INCLUDING,
    MARK_SCALES,
    PREPOSITIONS,
    unit_of,
)
from jatdae.structured.number_words import read_words
from jatdae.structured.wording import print_key_without_case, turning

MAX_SCALED: Final = 32
"""Characters of the longest mark with its scale."""
_SCALED: Final = re.compile(
    r"(?P<mark>[0-9]{1,3}(?:[.,][0-9]{1,2})?)\s?(?:점|points|punkte)?\s?(?:/|out of|von|dari|\()\s?"
    r"(?P<scale>[0-9]{1,3}(?:[.,][0-9]{1,2})?)\s?(?:점\s?만점|만점|점|stars|sternen|bintang|points|punkten|poin)?\)?",
    re.IGNORECASE,
)


def marks_of(a: str, b: str) -> tuple[str, str, bool] | None:
    """Two texts in JSON without the scale of a mark (`3.85 / 4.0`), and whether both have one; None where none has."""
    if max(len(a), len(b)) > MAX_SCALED:
        return None
    ours, theirs = _mark(a), _mark(b)
    if not (ours or theirs):
        return None
    if ours and theirs:
        return (ours[0], theirs[0], True) if ours[1] == theirs[1] else None
    return ours[0] if ours else a, theirs[0] if theirs else b, False


def _mark(text: str) -> tuple[str, Decimal] | None:
    """A mark and the best of its scale. One without decimals is a mark only of a hundred: 4/5 may be a fraction."""
    if not ("/" in text or "(" in text or " " in text) or not (found := _SCALED.fullmatch(text.strip())):
        return None
    mark, scale = (Decimal(found[name].replace(",", ".")) for name in ("mark", "scale"))
    if mark > scale or scale not in _SCALES or (found["mark"].isdigit() and scale != _HUNDRED):
        return None
    return found["mark"], scale


_SCALES: Final = frozenset(map(Decimal, MARK_SCALES))
_HUNDRED: Final = Decimal(100)


def lacks_qualifier(a: str, b: str) -> bool:
    """Whether of two texts in JSON one leaves out what qualifies the other at its end: `… M8x40 verzinkt`."""
    longer, shorter = (a, b) if len(a) > len(b) else (b, a)
    if len(longer) - len(shorter) < MIN_WORD or longer[:1].lower() != shorter[:1].lower() or not look(shorter) & SPACE:
        return False
    words, key = longer.split(), print_key_without_case(shorter)
    for at in range(len(words) - 1, max(MIN_KEPT, len(words) - MOST_LEFT_OUT) - 1, -1):
        if print_key_without_case(" ".join(words[:at])) == key:
            return _qualifies(words[:at], words[at:])
    return False


def _qualifies(kept: list[str], left_out: list[str]) -> bool:
    """Whether words are a qualifier of those before them."""
    if kept[-1][-1] in _JOINING or not any(map(_is_noun, kept)):
        return False
    if left_out[0].lower().rstrip(".") in INCLUDING:
        return len(left_out) > 1 and all(map(_may_be_included, left_out[1:]))
    if not all(map(_may_qualify, left_out)):
        return False
    if left_out[0] in PREPOSITIONS:
        return len(left_out) > 1 and not look(" ".join(kept)) & FIGURE
    return left_out[0] not in _CONNECTING and (_is_measured(kept) or _are_names(kept))


def _may_qualify(word: str) -> bool:
    """Whether a word says more of something without denying or doubting it: no name, number, unit or legal form."""
    if word in PREPOSITIONS:
        return True
    syllables = _SYLLABLES.fullmatch(word) is not None
    if not syllables and (len(word) < MIN_WORD or not _LETTERS.fullmatch(word) or not word.islower()):
        return False
    if word in DOUBTING or word in FORMS or word.startswith(_DENYING) or word.endswith(DENYING_ENDINGS):
        return False
    if syllables and any(part in word for part in DOUBTING_PARTS):
        return False
    number = read_words(word)
    return not (turning(word) or unit_of(word) or (number and not number[1]))


def _may_be_included(word: str) -> bool:
    """Whether a word says what comes with a thing: without figures, and turning nothing."""
    word = word.lower().strip(".,")
    return word.replace("-", "").isalpha() and word not in DOUBTING and not turning(word)


def _is_noun(word: str) -> bool:
    least = MIN_SYLLABLES if _SYLLABLES.fullmatch(word) else MIN_NOUN
    return len(word) >= least and word.isalpha() and not unit_of(word)


def _is_measured(words: list[str]) -> bool:
    """Whether words end with a measure or the size of a thing: 500 mg, M8x40, 20 x 2 mm."""
    last = words[-1]
    if look(last) & FIGURE:
        found = _SIZE.fullmatch(last)
        return found is not None and (bool(found["by"]) or bool(unit_of(found["unit"])))
    return len(words) > MIN_KEPT and bool(unit_of(last)) and look(words[-2]) & FIGURE != 0


def _are_names(words: list[str]) -> bool:
    """Whether all words begin with a capital or a figure, so that small letters behind them are no part of a name."""
    return _is_noun(words[-1]) and all(word[0].isupper() or word[0].isdigit() for word in words)


MIN_KEPT: Final = 2
"""Words of the shortest text that may lack a qualifier."""
MOST_LEFT_OUT: Final = 4
MIN_WORD: Final = 3
MIN_NOUN: Final = 4
MIN_SYLLABLES: Final = 2
_JOINING: Final = frozenset(",;:/+&-")
"""What stands before the next item of a list."""
_CONNECTING: Final = frozenset(
    {"and", "und", "dan", "atau", "oder", "per", "pro", "tiap", "setiap", "dengan", "및", "또는"}
)
_SYLLABLES: Final = re.compile("[가-힣]{2,}")
_LETTERS: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_DENYING: Final = ("un", "non", "nicht")
_SIZE: Final = re.compile(
    r"[A-Z]{0,2}[0-9]+(?:[.,][0-9]+)?(?P<by>(?:[x×*][0-9]+(?:[.,][0-9]+)?)*)(?P<unit>[^\W\d_]{0,3})", re.IGNORECASE
)
