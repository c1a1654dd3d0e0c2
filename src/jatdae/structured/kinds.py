"""Kinds of JSON leaves (number, date, identifier …), and the canonical texts by which values are compared.

    kind         compared as                                   fuzzy means
    string       white space collapsed and trimmed             NED ≤ τ
    number       plain decimal text (`numerals`)                within the relative tolerance
    date         ISO date (`dates`)                            equal
    datetime     ISO date and time of day                      one side without its time
    time         time of day                                   one side without its seconds
    identifier   as a string without separators                equal but for case or the kind of separators
    bool         true, false and words for them                equal; true is not 1

A value that cannot be read as its field's kind is compared by its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final, Literal, get_args

from jatdae.kernels.texts import COLON, FIGURE, FOREIGN, LETTER, SIGN, STROKE, look
from jatdae.structured.choices import chosen, count_boxes
from jatdae.structured.dates import WORDS as DATE_WORDS
from jatdae.structured.dates import date_of, moment_of, moments_of, read_moment
from jatdae.structured.notation import (
    BOOLS,
    BOOLS_BESIDE,
    CLOCK_STEPS,
    CLOCK_WORDS,
    MONTHS,
    NEGATIONS,
    YEAR_HALVES,
    YEAR_PARTS,
    squeezed,
    unit_of,
)
from jatdae.structured.number_words import WORDS as HOUR_WORDS
from jatdae.structured.numerals import CURRENCY_CODES, number_of, read_number, written_number
from jatdae.structured.numerals import WORDS as NUMBER_WORDS

Kind = Literal["string", "number", "date", "datetime", "time", "identifier", "bool"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
"""Types a setting may give a field. Null, object and array are recognised, but cannot be set."""

MAX_SHORT: Final = 64
"""Characters of the longest text that may be a number or a date."""
MAX_IDENTIFIER: Final = 512
_SHORT: Final = 10**18

_COMMON: Final = re.compile(
    r"(?P<date>(?:19|20)[0-9]{2}([-./])(?:0[1-9]|1[0-2])\2(?:0[1-9]|1[0-9]|2[0-8]))"
    r"|(?P<number>-?(?:[₩$](?!.*[원%]))?(?:0|[1-9][0-9]{0,6}|[1-9][0-9]{0,2}(?:,[0-9]{3})+)(?:\.[0-9]+)?[원%]?)"
    r"|(?P<identifier>0[0-9]+|[0-9]{10,}|[0-9]{3}-[0-9]{2}-[0-9]{5}|0[0-9]{1,2}-[0-9]{3,4}-[0-9]{4}|[0-9]{6}-[0-9]{7}"
    rf"|(?!(?:{'|'.join(CURRENCY_CODES)})[.0-9])[A-Z]{{1,8}}[-./]?[0-9]+(?:[-./]?[0-9A-Z]+)*)"
)
"""The commonest shapes, numbers of businesses, telephones and persons among them, told apart by one pattern. The answer
is always the one that `kind_by_reading` would give."""
_DIGIT: Final = re.compile("[0-9０-９]")
_DIGITS: Final = re.compile("[0-9]+")
_WORD: Final = re.compile(r"(?<!\S)[^\W\d_]{2,}(?!\S)")
_KNOWN_WORDS: Final = DATE_WORDS | NUMBER_WORDS
"""A text with any other word made of letters alone is neither a number nor a date nor an identifier."""
_LONG_RUN: Final = re.compile("0[0-9]+|[0-9]{10,}")


def _any(forms: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, forms), key=len, reverse=True))


_KINDS: Final = {
    type(None): "null",
    bool: "bool",
    int: "number",
    float: "number",
    Decimal: "number",
    str: "string",
    dict: "object",
    list: "array",
}


def kind_of(value: Any, *, identifiers: bool = True) -> str:
    """Kind of a reference JSON value: null, bool, number, date, identifier, string, object or array."""
    if type(value) is str:
        return kind_of_text(value) if identifiers else kind_of_plain_text(value)
    found = _KINDS.get(type(value))
    return found or next(kind for base, kind in _KINDS.items() if isinstance(value, base))


def kind_of_text(text: str) -> str:
    """Kind of a JSON string: `1,500,000원` is a number, `24.03.15` a date, `INV-100001` an identifier."""
    end = text.find(" ")
    if end < 0:
        if text.isalpha():
            return "string"
    elif (first := text[:end]).isalpha() and (end + 1 == len(text) or (end > 1 and first.lower() not in _KNOWN_WORDS)):
        return "string"
    if not look(text) & (FIGURE | FOREIGN):
        return "string"
    if len(text) <= MAX_SHORT and (found := _COMMON.fullmatch(text)):
        return str(found.lastgroup)
    return kind_by_reading(text) if _DIGIT.search(text) else "string"


def kind_of_plain_text(text: str) -> str:
    """Kind of a JSON string where identifiers are not recognised."""
    kind = kind_of_text(text)
    if kind != "identifier":
        return kind
    return "number" if number_of(text).readings else "string"


@lru_cache(maxsize=1 << 12)
def kind_by_reading(text: str) -> str:
    """Kind of a JSON string, found by trying to read it as each kind in turn."""
    if not _DIGIT.search(text):
        return "string"
    text = " ".join(text.split())
    for word in _words_in(text):
        if word.lower() not in _KNOWN_WORDS and not unit_of(word):
            return "string"
    if len(text) <= MAX_SHORT:
        moment = read_moment(text)
        if moment.days:
            return "datetime" if moment.time else "date"
        if moment.time:
            return "time"
        if _LONG_RUN.fullmatch(text):
            return "identifier"
        number = read_number(text)
        if number.readings and not number.dressed:
            return "number"
    return "identifier" if _is_identifier(text) and not unit_of(text) else "string"


def _words_in(text: str) -> list[str]:
    """The words of a text, between spaces, that are made of two letters and more."""
    if look(text) & FOREIGN:
        return _WORD.findall(text)
    return [word for word in text.split() if len(word) > 1 and word.isalpha()]


def kind_of_pair(expected: Any, actual: Any, *, identifiers: bool = True) -> str:
    """Kind as which two JSON values are compared: that of the reference, unless only the other side shows it.

    `1x` is a count where the other side is a number, `19.05` a time where it is one, `2024-03` a month.
    """
    kind = kind_of(expected, identifiers=identifiers)
    if type(actual) is not str:
        if kind in ("string", "identifier"):
            if type(actual) is bool:
                return "bool" if bool_of(expected) else kind
            return "number" if _is_number_beside(expected, kind) else kind
        return kind
    if kind in ("string", "identifier"):
        if type(expected) is not str or expected == actual:
            return kind
        if dated := _kind_of_period(expected, actual):
            return dated
        other = kind_of_text(actual)
        if other in ("date", "datetime", "time"):
            return other if any(moment_of(expected, loosely=True)) else kind
        if _may_be_bound(expected) and _may_be_bound(actual) and _are_bounds(expected, actual):
            return "number"
        if kind == "string" and other == "identifier" and identifiers and _is_identifier("".join(expected.split())):
            return other
        dressed = _may_be_dressed(actual) or _may_be_dressed(expected)
        if (other == "number" or dressed) and _is_number_beside(expected, kind):
            return "number" if other == "number" or number_of(actual).dressed else kind
    elif kind == "number" and type(expected) is str and number_of(expected).unit in ("", "h"):
        other = kind_of_text(actual)
        if other in ("date", "time") and any(moment_of(expected, loosely=True)):
            return other
        return _kind_of_period(expected, actual) or kind
    return kind


def _kind_of_period(expected: str, actual: str) -> str:
    """`date` or `time` where two texts are both quarters, days without a year and the like; else ""."""
    if len(expected) > MAX_PERIOD or len(actual) > MAX_PERIOD:
        return ""
    sorts = look(expected) | look(actual)
    if not sorts & (LETTER | STROKE):
        return ""
    for text in (expected, actual):
        for word in _words_in(text):
            if word.lower() not in _PERIOD_WORDS:
                return ""
    if not (_LETTER.search(expected) or _LETTER.search(actual)):
        return ""
    if not (_is_period(expected) or _is_period(actual)):
        return ""
    ours, theirs = moments_of(expected, actual)
    if ours.days and theirs.days:
        return "date"
    return "time" if ours.time and theirs.time and not (ours.days or theirs.days) else ""


def _is_period(text: str) -> bool:
    found = _PERIOD_IN_SMALL.search(text.lower()) if text.isascii() else _PERIOD.search(text)
    return found is not None or _MAYBE_MONTH.fullmatch(text) is not None


_LETTER: Final = re.compile(r"[^\W\d_]|[0-9]/[0-9]")
_PERIOD_WORDS: Final = DATE_WORDS.union(
    *map(str.split, (*YEAR_PARTS, *YEAR_HALVES, *CLOCK_WORDS, *CLOCK_STEPS)), HOUR_WORDS
) | {"tahun", "the", "ii", "iii", "iv", "clock", "hrs", "hr"}
MAX_PERIOD: Final = 32
_PERIOD: Final = re.compile(
    rf"[0-9]\s?(?:[월月]|{_any((*YEAR_PARTS, *YEAR_HALVES))})|(?:{_any((*YEAR_PARTS, *MONTHS))})[\s.]?-?\s?"
    r"['’]?(?:[0-9]|i)"
    rf"|[0-9.]\s?(?:of\s)?(?:{_any(MONTHS)})|{_any((*CLOCK_WORDS, *CLOCK_STEPS, *YEAR_HALVES))}",
    re.IGNORECASE,
)
"""A part of a year, a day of a month, or a time in words."""
_PERIOD_IN_SMALL: Final = re.compile(_PERIOD.pattern)
"""The same for small letters; many times as fast."""


def _are_bounds(expected: str, actual: str) -> bool:
    return bool(number_of(expected).bound and number_of(actual).bound)


def _may_be_bound(text: str) -> bool:
    """Whether a text begins or ends as most bounds do."""
    if text.startswith(_BOUND_BEFORE):
        return True
    if not text[-1:].isspace() and text[-1:] not in _BOUNDS_END:
        return False
    return _BOUND_BEHIND.search(text, max(0, len(text) - ENDING)) is not None


_BOUND_BEFORE: Final = tuple("<>≥≤최")
_BOUND_BEHIND: Final = re.compile(r"[+상하과만]\s?$")
_BOUNDS_END: Final = frozenset("+상하과만")
ENDING: Final = 3
"""Characters of the longest ending: a sign, a space and a line feed."""


def _is_number_beside(expected: Any, kind: str) -> bool:
    """Whether a text that is no number by itself is one beside a number; digits with a leading zero never are."""
    number = number_of(expected)
    return bool(number.readings) and (number.dressed or kind == "string")


_MAYBE_MONTH: Final = re.compile(
    r"(?:19|20)[0-9]{2}\s?[-./]\s?(?:0[1-9]|1[0-2])|(?:0?[1-9]|1[0-2])\s?[-./]\s?(?:19|20)[0-9]{2}"
)


def _may_be_dressed(text: str) -> bool:
    """Whether a text has what may be around a number that is one only beside a number; in one of two it is enough."""
    sorts = look(text)
    if _DRESSED_BEFORE.match(text) or (sorts & (COLON | SIGN | FOREIGN) and _DRESSED_INSIDE.search(text)):
        return True
    if text[-1:].isalnum() and text[-1:] not in _DRESSED_END:
        return False
    return _DRESSED_BEHIND.search(text, max(0, len(text) - ENDING)) is not None


_DRESSED_BEFORE: Final = re.compile(r"[\WxX×]")
_DRESSED_BEHIND: Final = re.compile(r"[^\w\s]$|[xX×kKmMbBCF]\s?$")
_DRESSED_END: Final = frozenset("xX×kKmMbBCF")
_DRESSED_INSIDE: Final = re.compile("[=:½-¾⅐-⅞^²³⁰-⁹]")


def bool_of(value: Any) -> str:
    """The truth value that a JSON value or a word for it stands for, as text; "" where it is none. A number is none."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str) or len(value) > MAX_SHORT:
        return ""
    if said := _truth_of(squeezed(value)):
        return said
    if count_boxes(value):
        return _truth_of(squeezed(chosen(value)))
    answer, comma, rest = value.partition(",")
    if not comma or BOOLS_BESIDE.get(squeezed(rest), "") not in ("", BOOLS.get(squeezed(answer))):
        return ""
    return BOOLS.get(squeezed(answer), "")  # yes, I agree


def _truth_of(word: str) -> str:
    """The truth value that a squeezed word says beside one; a word for true may be denied: not paid."""
    if said := BOOLS_BESIDE.get(word):
        return said
    for negation in NEGATIONS:
        if word.startswith(negation) and BOOLS_BESIDE.get(word[len(negation) :]) == "true":
            return "false"
    return ""


def canonical(value: Any, kind: str, casefold: bool = False) -> tuple[str, ...]:
    """Canonical texts that a JSON value may stand for in a field of this kind, likeliest first.

    Equal values share one.
    """
    readings: tuple[str, ...] = ()
    if kind == "number":
        readings = number_of(value).readings
    elif kind in ("date", "datetime"):
        readings = date_of(value)
    elif kind == "bool":
        readings = (word,) if (word := bool_of(value)) else ()
    return readings or (plain(value, casefold),)


def plain(value: Any, casefold: bool = False) -> str:
    """Text of a JSON value of any kind with its white space collapsed and trimmed."""
    text = " ".join((value if type(value) is str else written(value)).split())
    return text.casefold() if casefold else text


def written(value: Any) -> str:
    """Text of a JSON leaf of any kind as the document writes it; an empty container is written as its brackets."""
    if type(value) is str:
        return value
    if type(value) is int and -_SHORT < value < _SHORT:
        return str(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float, Decimal)):
        return written_number(value)
    if isinstance(value, dict):
        return "{}" if not value else "{…}"
    return "[]" if not value else "[…]"


def _is_identifier(text: str) -> bool:
    """Whether every word with letters has digits too, or the digits alone are too long for an amount or a date.

    Scripts written without spaces make sentences of a single word, so their letters may not outnumber the digits.
    """
    if len(text) > MAX_IDENTIFIER:
        return False
    letters = False
    for word in text.split():
        if any(map(str.isalpha, word)):
            letters = True
            if not _DIGIT.search(word) or unit_of(word.lstrip(_AMOUNT)):
                return False
    if letters:
        foreign = sum(not character.isascii() and character.isalpha() for character in text)
        return foreign <= sum(map(str.isdigit, text))
    figures = "".join(_DIGITS.findall(text))
    if _LONG_RUN.fullmatch(figures):
        return True
    return "-" in text and len(figures) >= MIN_HYPHENATED and not _DATE_SHAPED.fullmatch(text)


MIN_HYPHENATED: Final = 7
"""Figures of the shortest number with hyphens that identifies something: a telephone without its area."""
_DATE_SHAPED: Final = re.compile("[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}|[0-9]{1,2}-[0-9]{1,2}-[0-9]{4}")
_AMOUNT: Final = "0123456789.,/:~x×-"
