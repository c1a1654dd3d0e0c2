"""Compares identifiers of JSON documents: codes, business numbers and telephone numbers.

Every character of an identifier counts but spaces, the separators of figures, and what a label before it says.
"""

from __future__ import annotations

import re
from typing import Final

from jatdae.kernels.texts import FIGURE, FOREIGN, SIGN, look
from jatdae.structured.notation import CALLING_CODES, NAMING, TURNING
from jatdae.structured.wording import plain_characters, words_of

_NO_WORD: Final = re.compile(r"[\W_]+")
_RANGE: Final = re.compile(r"(?<=[0-9])\s?~\s?(?=[0-9])")


def lacks_label(a: str, b: str) -> bool:
    """Whether two identifiers in JSON are the same but for words before one: `PO 4500012345`, `제2024-15호`."""
    return _label_left_out(a, b) is not None


def lacks_name_of_code(a: str, b: str) -> bool:
    """Whether two identifiers in JSON are the same but for words that only say what they are: `Invoice No. INV-17`."""
    label = _label_left_out(a, b)
    return label is not None and _is_name_of_code(label)


def _is_name_of_code(label: str) -> bool:
    """Whether a label, in lower case, is one of codes: all its words are, or it begins or ends with one for number."""
    words = _PARTS.split(label.replace(".", " ").strip(" -"))
    return words[0] in _NUMBERS or words[-1].endswith(_NUMBERS) or all(word in NAMING for word in words)


_PARTS: Final = re.compile(r"[\s-]+")
_NUMBERS: Final = ("nr", "no", "nummer", "nomor", "number", "번호")


def _label_left_out(a: str, b: str) -> str | None:
    """The words before the longer of two codes that are the same without them, in lower case, or `no` for its sign."""
    if len(a) == len(b) or not (look(a) & FIGURE and look(b) & FIGURE):
        return None
    longer, shorter = (a, b) if len(a) > len(b) else (b, a)
    longer = plain_characters(longer).strip()
    if found := _NUMBERED.fullmatch(longer):
        return "" if _is_code(found["code"], shorter) else None
    if found := _SIGNED.fullmatch(longer):
        return "no" if _is_code(found["code"], shorter) else None
    for gap in _GAP.finditer(longer, 1, MAX_LABEL):
        label, code = longer[: gap.start()].lower(), longer[gap.end() :]
        if not label[0].isalpha() or look(label) & FIGURE:
            return None
        if _CODE.match(code) and _is_code(code, shorter):
            return label if TURNING.isdisjoint(words_of(_NUMBER_SIGN.sub("", label))) else None
    return None


def _is_code(code: str, other: str) -> bool:
    """Whether what stands behind a label is long enough to do without, and the same as the other code."""
    if _YEAR.fullmatch(code):
        return False  # Summer 2024 is not 2024
    shortest = MIN_LABELLED - any(map(str.isalpha, code))
    return len(_NO_WORD.sub("", code)) >= shortest and are_same_identifiers(code, other)


_YEAR: Final = re.compile("(?:19|20)[0-9]{2}")
MIN_LABELLED: Final = 4
"""Characters of the shortest code that a label may be left out of: `Room 12` is not `12`."""
MAX_LABEL: Final = 32
_NUMBER_SIGN: Final = re.compile(r"\bno\b\.?")
"""No. in a label, which denies nothing."""
_NUMBERED: Final = re.compile(r"제\s?(?P<code>[0-9][0-9A-Za-z-]*)\s?호")
_SIGNED: Final = re.compile(r"[℡#№]\s*(?P<code>[0-9A-Z+(](?=.*[0-9]).*|[0-9])")
_GAP: Final = re.compile(r"\s*[:#.]\s*#?|\s+#?\s*")
"""What stands between a label and its code."""
_CODE: Final = re.compile(r"[0-9A-Z+(](?=.*[0-9])|[0-9]$")

_SEPARATORS: Final = re.compile(r"[-\s()]+")
_ALL_SEPARATORS: Final = re.compile(r"[-\s./()]+")
_FIGURES_ONLY: Final = re.compile(r"\(?\+?[-0-9\s./()]*[0-9][-0-9\s./()]*")
MIN_ABROAD: Final = 9
"""Figures of the shortest telephone number with its country."""
_CODED: Final = re.compile(r"([A-TV-Z][0-9][0-9A-Z])\.?([0-9A-Z]{0,4})")
"""A code of ICD-10; registers file it without its point."""


def are_same_identifiers(a: str, b: str) -> bool:
    """Whether two identifiers in JSON are the same but for spaces, separators and, in telephone numbers, the country.

    Separators are those of figures (010-1234-5678), or stand in one of the two at places where the other has none.
    """
    ours, theirs = _plain_identifier(a), _plain_identifier(b)
    if ours == theirs:
        return True
    (ours, extension), (theirs, other_extension) = _split_extension(ours), _split_extension(theirs)
    if extension != other_extension:
        return False
    if _FIGURES_ONLY.fullmatch(ours) and _FIGURES_ONLY.fullmatch(theirs):
        return _are_same_figures(ours, theirs)
    if bool(_LETTERED.fullmatch(ours)) != bool(_LETTERED.fullmatch(theirs)):
        return _are_same_figures(ours.translate(_KEYS), theirs.translate(_KEYS))
    if (icd := _CODED.fullmatch(ours)) and (other := _CODED.fullmatch(theirs)):
        return icd.groups() == other.groups()
    (left, cuts), (right, other_cuts) = _cut(ours), _cut(theirs)
    return left == right and (cuts <= other_cuts or other_cuts <= cuts)


_LETTERED: Final = re.compile(
    r"(?:\+?1[-.\s]?)?\(?8(?:00|33|44|55|66|77|88)\)?[-.\s]?(?=(?:[-\s]?[0-9A-Z]){7}$)(?=.*[A-Z]{3})[-\s0-9A-Z]+"
)
"""A free telephone number of America that is spelt on the keys: 1-800-GET-WELL."""
_KEYS: Final = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "22233344455566677778889999")


def differs_in_capitals(a: str, b: str) -> bool:
    """Whether two identifiers in JSON are the same, one all in capitals and the other all in small letters."""
    if not ((a.isupper() and b.islower()) or (a.islower() and b.isupper())):
        return False
    return are_same_identifiers(a.upper(), b.upper())


def is_near_identifier(a: str, b: str, other_letters: bool = False) -> bool:
    """Whether two identifiers in JSON are the same but for the kind of their separators, or an extension.

    `other_letters`: they are known to differ in letters or figures, which may then only be an extension or hidden.
    """
    if not (look(a) & FIGURE and look(b) & FIGURE):
        return False
    ours, theirs = _plain_identifier(a), _plain_identifier(b)
    (phone, extension), (other, other_extension) = _split_extension(ours), _split_extension(theirs)
    if bool(extension) != bool(other_extension):
        return are_same_identifiers(phone, other)
    if other_letters and not (_may_be_masked(ours) or _may_be_masked(theirs)):
        return False
    ours, theirs = _unmasked(ours), _unmasked(theirs)
    parts = [part for part in _ANY_SEPARATORS.split(ours) if part]
    if len("".join(parts)) < MIN_PARTED:
        return False
    return (len(parts) > 1 or "*" in ours) and parts == [part for part in _ANY_SEPARATORS.split(theirs) if part]


def _unmasked(text: str) -> str:
    """An identifier with one star for the figures that a form hides."""
    return _MASK.sub("*", text) if _may_be_masked(text) else text


def _may_be_masked(text: str) -> bool:
    return look(text) & (SIGN | FOREIGN) != 0 or "x" in text or "X" in text


_MASK: Final = re.compile(r"[*•●xX]{3,}")
MIN_PARTED: Final = 5
"""Characters of the shortest identifier whose separators may be others: 10/20 is not 10-20."""
MAX_PHONE: Final = 64
_ANY_SEPARATORS: Final = re.compile(r"[-\s./()#_:]+")
_EXTENSION: Final = re.compile(
    r"(?P<phone>[-+0-9\s./()]{7,}?)[\s,;(]*(?:extension|ext|x|내선|durchwahl|dw|pesawat|#)[.:\s]*(?:번호)?\s?(?P<extension>[0-9]{1,6})번?\)?",
    re.IGNORECASE,
)


def _split_extension(text: str) -> tuple[str, str]:
    """A telephone number and its extension; "" where it has none."""
    found = _EXTENSION.fullmatch(text) if len(text) <= MAX_PHONE and not text[:1].isalpha() else None
    return (found["phone"].strip(), found["extension"]) if found else (text, "")


def are_same_extensions(a: str, b: str) -> bool:
    """Whether two telephone numbers in JSON, both with an extension, are the same."""
    if max(len(a), len(b)) > MAX_PHONE or a[:1].isalpha() or not (_EXTENSION.fullmatch(a) and _EXTENSION.fullmatch(b)):
        return False
    return are_same_identifiers(a, b)


def _plain_identifier(text: str) -> str:
    """An identifier in plain characters, without a telephone before it; `2~3회` is the range 2-3회."""
    if not text.isascii():
        text = _TELEPHONE.sub("", plain_characters(text).strip())
    text = text.strip()
    return _RANGE.sub("-", text) if "~" in text else text


_TELEPHONE: Final = re.compile(r"^[☎☏📞✆]\s*")


def _cut(text: str) -> tuple[str, frozenset[int]]:
    """An identifier without spaces, hyphens and brackets, and the places where they stood."""
    parts = [part for part in _SEPARATORS.split(text) if part]
    at, places = 0, set()
    for part in parts[:-1]:
        at += len(part)
        places.add(at)
    return "".join(parts), frozenset(places)


def _are_same_figures(ours: str, theirs: str) -> bool:
    """Telephone and business numbers: the same figures, or those dialled inside the country that one of them names."""
    (figures, abroad), (others, other_abroad) = _figures_of(ours), _figures_of(theirs)
    if bool(abroad) == bool(other_abroad):
        return (
            (abroad or figures) == (other_abroad or others) or _dials_home(ours, others) or _dials_home(theirs, figures)
        )
    return (others if abroad else figures) in _inside(abroad or other_abroad) or figures == others


def _dials_home(text: str, others: str) -> bool:
    """Whether a number begins with a country but no plus sign, and the other is dialled inside: 82-10-1234-5678."""
    code = _ALL_SEPARATORS.split(text.strip(), maxsplit=1)[0]
    figures = _ALL_SEPARATORS.sub("", text)
    inside = others[:1] == "0" or code == "1"  # America dials no 0
    return inside and code in CALLING_CODES and len(figures) >= MIN_HOME and others in _inside(figures)


MIN_HOME: Final = 10
"""Figures of the shortest telephone number that may begin with a country but has no plus sign."""


def _figures_of(text: str) -> tuple[str, str]:
    """The figures of a number, and those after + or 00 if it begins with a country; else ""."""
    text = text.replace("(+", "+") if text.startswith("(+") else _DIALLED.sub("+", text)
    figures = _ALL_SEPARATORS.sub("", text.replace("(0)", "") if text.startswith(("+", "00")) else text)
    abroad = figures[1:] if figures.startswith("+") else figures[2:] if figures.startswith("00") else ""
    return figures, abroad if len(abroad) >= MIN_ABROAD else ""


_DIALLED: Final = re.compile(r"^(?:00[1-8]|00700|011)[-\s.]+(?=[1-9])")
"""What is dialled before a country in Korea and America."""


def _inside(abroad: str) -> set[str]:
    """The numbers that are dialled inside a country for one with the country before it."""
    inside = {abroad[length:] for length in (1, 2, 3) if abroad[:length] in CALLING_CODES}
    return inside | {"0" + number for number in inside}
