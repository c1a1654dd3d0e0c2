"""Texts and identifiers of JSON documents as a reader sees them: what differs in print alone is equal.

`print_key` takes away what printing adds or drops: width and composition of characters, spaces (but those between two
figures), brackets, commas and full stops that are not part of a number, bullets, the hyphen inside a word, the spelling
of units, and long forms of what is usually cut short (주식회사, Street). Case stays.

`identifier_key` does less, since every character of an identifier counts: it takes away spaces, and the separators of
telephone and business numbers.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final, NamedTuple

from jatdae.structured.notation import (
    CALLING_CODES,
    FORMS,
    LONGEST_MEANING,
    MEANINGS,
    PHRASES,
    REMARKS_BEFORE,
    REMARKS_BEHIND,
    SHORT_ENDINGS,
    SHORT_FORMS,
    SPELLINGS,
    TITLES,
    TURNING,
    TURNING_PARTS,
    squeezed,
    unit_of,
)
from jatdae.structured.number_words import WORDS as NUMBERS

MAX_READ: Final = 10_000
"""Characters of the longest text that is looked at for differences in print; longer ones are compared as they are."""

_DASHES: Final = str.maketrans(
    dict.fromkeys("‐‑‒–—―−﹣－", "-")
    | dict.fromkeys("～〜∼", "~")
    | dict.fromkeys("‘’‚‛′`´＇", "'")
    | dict.fromkeys("“”„‟″＂", '"')
)
_KEPT_FORMS: Final = ("<super>", "<sub>", "<fraction>", "<circle>")
"""Compatibility forms that mean something else than the plain character: 10² is not 102, 2½ not 21/2."""
_BULLET: Final = re.compile(r"^(?:[-*•·▪◦‣○●+>]+\s*)(?=[^\W\d_])")
_WORD: Final = re.compile(r"[^\W\d_]+(?:\([^\W\d_]\))?|&")
_DROPPED: Final = re.compile(
    r"(?<![0-9])[.](?=[0-9])(?<=[^\W\d_]\.)|(?<![0-9])[.,](?![0-9])|(?<=[0-9])[.,](?![0-9])|(?<![0-9])[,](?=[0-9])"
    r"|[;\"·]|:(?![0-9])|(?<![0-9]):(?=[0-9])|(?<=[^\W\d_])-(?=[^\W\d_])|(?<=\s)-(?=\s+[^\W\d_])|(?<=[^\W\d_])\*+(?=\s|$)"
)
"""Full stops and commas outside numbers, other marks of punctuation, a hyphen between letters or words, a star."""
_BRACKETS: Final = re.compile(r"[()\[\]]")
_SPACES: Final = re.compile(r"(?<![0-9])\s+|\s+(?![0-9])")
"""White space but between two figures."""
_GROUPED: Final = re.compile(r"(?<![0-9.,])[1-9][0-9]{0,2}(?:,[0-9]{3})+(?![0-9,])")
_DECIMAL_COMMA: Final = re.compile(r"(?<![0-9.,])([0-9]+),([0-9]{1,2}|[0-9]{4,})(?![0-9,])")
_QUANTITY: Final = re.compile(
    r"(?<![\w.,])([0-9]+(?:[.,/:×x~-][0-9]+)*)\s?([^\W\d_]{1,12}[23²³]?|[%°℃℉][CF]?)(/[^\W\d_]{1,6})?(?![^\W_])"
)
_MAYBE_QUANTITY: Final = re.compile(r"[0-9]\s?[^\W\d_]|[0-9]\s?[%°]")
_NO_WORD: Final = re.compile(r"[\W_]+")
_MAYBE_SPECIAL: Final = re.compile(r"[0-9]\s?[^\W\d_]|[0-9]\s?[%°]|,[0-9]|&|[^\x00-\x7f가-힣]")
"""A figure with a letter or sign behind it, a comma before a figure, a character that has a plainer form."""
_FIGURE: Final = re.compile("[0-9]")
_RANGE: Final = re.compile(r"(?<=[0-9])\s?~\s?(?=[0-9])")
_FEET: Final = re.compile(r"(?<![0-9])([1-9])\s?'\s?([0-9]{1,2})\s?(?:\"|''|$)")
_TIMES: Final = re.compile(r"(?<=[0-9])\s?[x×*]\s?(?=[0-9])", re.IGNORECASE)
_OUT_OF: Final = re.compile(r"(?<=[0-9])\s(?:out of|over|von|dari)\s(?=[0-9])", re.IGNORECASE)
_PUNCTUATION: Final = re.compile(r"[^\w\s]")
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_LONG_FORMS: Final = frozenset(SHORT_FORMS)
_ENDINGS: Final = tuple(SHORT_ENDINGS)
_ENDING: Final = re.compile("|".join(SHORT_ENDINGS))
_FIGURES: Final = re.compile(r"[0-9]+(?:[.,:/][0-9]+)*(?:[A-Za-z](?![A-Za-z0-9]))?")


class Quantities(NamedTuple):
    """The numbers in a text, in its order, each with its unit ("" where it names none), and the text without units."""

    numbers: tuple[str, ...]
    units: tuple[str, ...]
    rest: str


def are_plainly_different(a: str, b: str) -> bool:
    """Whether two texts in JSON differ in more than print for sure, by a first look at them."""
    return _letters(a) != _letters(b) and not (_is_special(a) or _is_special(b))


def _letters(text: str) -> str:
    """Letters and figures of a text, in lower case."""
    text = "".join(text.casefold().split())
    return text if text.isalnum() else _NO_WORD.sub("", text)


def _is_special(text: str) -> bool:
    """Whether a text may have quantities, characters in other forms or words to be cut short, and so must be read."""
    if _MAYBE_SPECIAL.search(text):
        return True
    text = text.lower()
    return not _LONG_FORMS.isdisjoint(_words(text)) or _ENDING.search(text) is not None


@lru_cache(maxsize=1 << 10)
def _words(text: str) -> tuple[str, ...]:
    words = text.split()
    return tuple(words if "".join(words).isalnum() else _NO_WORD.sub(" ", text).split())


def is_print_alike(a: str, b: str) -> bool:
    """Whether two texts in JSON differ in print alone."""
    return print_key(a) == print_key(b)


@lru_cache(maxsize=1 << 12)
def print_key(text: str) -> str:
    """What texts in JSON that differ in print alone have in common."""
    return _squeezed(read_quantities(text).rest)


@lru_cache(maxsize=1 << 12)
def read_quantities(text: str, with_units: bool = True) -> Quantities:
    """The numbers and units in a JSON text; the rest has units in one spelling, or none."""
    text = (text if text.isascii() else plain_characters(text)).strip()
    if not text[:1].isalnum():
        text = _BULLET.sub("", text)
    if not _FIGURE.search(text):
        return Quantities((), (), text)
    if "~" in text:
        text = _RANGE.sub("-", text)
    if "'" in text:
        text = _FEET.sub(r"\1ft \2in", text)
    text = _OUT_OF.sub("/", _TIMES.sub("x", text))
    if "," in text:
        text = _GROUPED.sub(lambda found: found[0].replace(",", ""), text)
        text = _DECIMAL_COMMA.sub(r"\1.\2", text)
    units: dict[int, str] = {}

    def unit(found: re.Match[str]) -> str:
        rate = found[3] or ""
        name = unit_of(found[2] + rate)
        if not name and (name := unit_of(found[2])):
            name += rate
        if not name:
            return found[0]
        units[found.start()] = name
        return found[1] + (name if with_units else "") + " "

    rest = _QUANTITY.sub(unit, text) if _MAYBE_QUANTITY.search(text) else text
    numbers, named = [], []
    for found in _FIGURES.finditer(text):
        name = units.get(found.start(), "")
        numbers.append(found[0].rstrip(_LETTERS) if name else found[0].lower())
        named.append(name)
    return Quantities(tuple(numbers), tuple(named), rest)


def _squeezed(text: str) -> str:
    """A text without spaces and punctuation, its words cut short where that is usual."""
    text = text.strip()
    words = _WORD.findall(text.lower())
    if not _LONG_FORMS.isdisjoint(words) or any(word.endswith(_ENDINGS) for word in words):
        text = _WORD.sub(_short, text)
    if "번지" in text:
        text = text.replace("번지", " ")
    if _PUNCTUATION.search(text):
        text = _DROPPED.sub("", _BRACKETS.sub(" ", text))
    return _SPACES.sub("", text).strip() if _FIGURE.search(text) else "".join(text.split())


def _short(found: re.Match[str]) -> str:
    word = found[0]
    lower = word.lower()
    if lower in SHORT_FORMS:
        return _in_case(SHORT_FORMS[lower], word)
    for ending, short in SHORT_ENDINGS.items():
        if lower.endswith(ending):
            return word[: -len(ending)] + _in_case(short, word[-len(ending) :])
    return word


def _in_case(short: str, word: str) -> str:
    return short.upper() if word.isupper() and len(word) > 1 else short.title() if word[:1].isupper() else short


@lru_cache(maxsize=1 << 12)
def plain_characters(text: str) -> str:
    """A JSON text with its characters in their plain forms: composed, of normal width, one dash, one apostrophe."""
    if text.isascii():
        return text
    text = text.translate(_DASHES)
    if unicodedata.is_normalized("NFKC", text):
        return text
    text = unicodedata.normalize("NFC", text)
    return "".join(
        character
        if character.isascii() or unicodedata.decomposition(character).startswith(_KEPT_FORMS)
        else unicodedata.normalize("NFKC", character)
        for character in text
    )


def has_same_sense(a: str, b: str) -> bool:
    """Whether two near texts in JSON have the same numbers, short words and words that turn the meaning.

    A quantity is never near in its number, and not or without is more than three letters.
    """
    if _MAYBE_SPECIAL.search(a) or _MAYBE_SPECIAL.search(b):
        ours, theirs = read_quantities(a), read_quantities(b)
        if ours.numbers != theirs.numbers or not units_fit(ours.units, theirs.units):
            return False
    elif _FIGURES.findall(a) != _FIGURES.findall(b):
        return False
    if _ROMAN.findall(a) != _ROMAN.findall(b):
        return False
    lower = a.lower(), b.lower()
    return _turning(lower[0]) == _turning(lower[1]) and not _has_other_short_word(*lower)


SHORT_WORD: Final = 2
"""Letters of a word that is another word if it differs, and not a misspelt one: (L), (S); 대, 소."""


def _has_other_short_word(a: str, b: str) -> bool:
    ours, theirs = _words(a), _words(b)
    if len(ours) != len(theirs):
        return False
    return any(x != y and len(x) <= SHORT_WORD and len(y) <= SHORT_WORD for x, y in zip(ours, theirs, strict=True))


def units_fit(ours: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    """Whether the units of the numbers in two JSON texts are the same wherever both have one; ° may be °C."""
    return all(a == b or not a or not b or ("°" in (a, b) and a[0] == b[0]) for a, b in zip(ours, theirs, strict=True))


def _turning(text: str) -> list[str]:
    """The words and parts of words of a text that turn its meaning."""
    words = _words(text)
    found = [] if TURNING.isdisjoint(words) else [word for word in words if word in TURNING]
    return found + _TURNING_PART.findall(text)


_TURNING_PART: Final = re.compile("|".join(map(re.escape, TURNING_PARTS)))


def lacks_units(a: str, b: str) -> bool:
    """Whether two texts in JSON are alike but for units that one of them leaves out: `120/80 mmHg`, `120/80`."""
    ours, theirs = read_quantities(a), read_quantities(b)
    if ours.numbers != theirs.numbers or ours.units == theirs.units or not units_fit(ours.units, theirs.units):
        return False
    if any(a and b and a != b for a, b in zip(ours.units, theirs.units, strict=True)) and not any(ours.units):
        return False
    rests = read_quantities(a, with_units=False).rest, read_quantities(b, with_units=False).rest
    return _squeezed(rests[0]) == _squeezed(rests[1])


def may_have_remarks(a: str, b: str) -> bool:
    """Whether one of two texts in JSON may have a label or a remark, by a first look at them."""
    return _MAYBE_REMARK.search(a) is not None or _MAYBE_REMARK.search(b) is not None


def _any(phrases: tuple[str, ...]) -> str:
    return "|".join(map(re.escape, phrases))


_REMARK_BEFORE: Final = re.compile(rf"^(?:{_any(REMARKS_BEFORE)})(?:\s|(?<=-))+(?=\S)", re.IGNORECASE)
_REMARK_BEHIND: Final = re.compile(rf"(?<=\S)\s?(?:(?<=\s)|(?=/))(?:{_any(REMARKS_BEHIND)})$", re.IGNORECASE)
_MAYBE_REMARK: Final = re.compile(
    rf"[:：(\[（]|우\s?[0-9]|{_REMARK_BEFORE.pattern}|{_REMARK_BEHIND.pattern}", re.IGNORECASE
)


def without_remarks(text: str) -> str:
    """A JSON text without the label before its colon, a postal code in brackets before it and remarks in brackets.

    Brackets stay where they hold figures, a size or a word that turns the meaning.
    """
    text = _LABEL.sub("", plain_characters(text).strip())
    text = _REMARK_BEHIND.sub("", _REMARK_BEFORE.sub("", _POSTCODE.sub("", text)))
    return " ".join(_REMARK.sub(_kept_remark, text).split())


def _kept_remark(found: re.Match[str]) -> str:
    return found[0] if _turning(found[1].lower()) else " "


_LABEL: Final = re.compile(r"^[^\W\d_][^\d:：/@]{1,24}[:：]\s*(?=[^\s/])")
_POSTCODE: Final = re.compile(r"^(?:\([0-9]{4,6}\)|[(]?우\s?[0-9]{5}\)?)\s*")
_REMARK: Final = re.compile(r"(?<=\S)\s?[(\[]([^\d()\[\]]{2,})[)\]]")


def has_other_order(a: str, b: str) -> bool:
    """Whether two texts in JSON have the same parts between commas, or the two words of a name, in another order."""
    if _COMMAS.search(a) and _COMMAS.search(b):
        return sorted(_parts(a)) == sorted(_parts(b))
    names = a.split(), b.split()
    return (
        len(names[0]) == len(names[1]) == 2
        and names[0] == names[1][::-1]
        and all(name.isalpha() and name.istitle() for name in names[0])
        and TURNING.isdisjoint(_words(a.lower()))
    )


def _parts(text: str) -> list[str]:
    return [key for part in _COMMAS.split(text) if (key := print_key_without_case(part))]


_COMMAS: Final = re.compile(r"[,;、](?![0-9])|\s(?:and|und|dan|및|&)\s")


def is_inverted(a: str, b: str) -> bool:
    """Whether two names in JSON are the same with the last name first in one: `Smith, John`, `John Smith`."""
    if ("," in a) == ("," in b):
        return False
    for name, other in ((a, b), (b, a)):
        last, comma, first = name.partition(",")
        if comma and "," not in first and print_key_without_case(f"{first} {last}") == print_key_without_case(other):
            return True
    return False


_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


def print_key_without_case(text: str) -> str:
    """What texts in JSON that differ in print and case alone have in common; Müller is Mueller."""
    return print_key(text).casefold().translate(_UMLAUTS)


def differs_in_accents(a: str, b: str) -> bool:
    """Whether two texts in JSON are alike but for accents on Latin letters, which one leaves out: `José`, `Jose`."""
    if not (_ACCENTED.search(a) or _ACCENTED.search(b)):
        return False
    return _unaccented(a) == _unaccented(b)


def _unaccented(text: str) -> str:
    return print_key(_ACCENTED.sub(lambda found: unicodedata.normalize("NFD", found[0])[0], text)).casefold()


_ACCENTED: Final = re.compile("[À-ÖØ-öø-ɏ]")


def lacks_title(a: str, b: str) -> bool:
    """Whether two names in JSON are the same but for a form of address: `Dr. Anna Schmidt`, `Anna Schmidt`."""
    if _is_titled(a) == _is_titled(b) and not (_TITLE_BEHIND.search(a) and _TITLE_BEHIND.search(b)):
        return False
    ours, theirs = _untitled(a), _untitled(b)
    return bool(ours) and ours == theirs


def _is_titled(text: str) -> bool:
    return not TITLES.isdisjoint(_words(text.lower())) or _TITLE_BEHIND.search(text) is not None


def _untitled(text: str) -> str:
    words = _TITLE_BEHIND.sub("", text).replace(".", ". ").split()
    return print_key(" ".join(word for word in words if word.lower().strip(".,") not in TITLES))


_TITLE_BEHIND: Final = re.compile(r"(?<=[가-힣]{2})\s?(?:님|씨|귀하)$")
"""A form of address that is written together with the name."""


def abbreviates_name(a: str, b: str) -> bool:
    """Whether two names in JSON are the same but for names cut to initials, or a middle one left out: `J. A. Smith`."""
    if not (_INITIAL.search(a) or _INITIAL.search(b)) or _FIGURE.search(a + b):
        return False
    ours, theirs = _names(a), _names(b)
    if (
        min(len(ours), len(theirs)) < 2
        or ours[-1] != theirs[-1]
        or len(ours[-1]) < 2
        or not _are_alike(ours[0], theirs[0])
    ):
        return False
    if len(ours) != len(theirs):
        more = max(ours, theirs, key=len)
        return (
            abs(len(ours) - len(theirs)) == 1
            and len(more[1]) == 1
            and len(more) == 3
            and len(ours[0]) == len(theirs[0])
        )
    return all(map(_are_alike, ours, theirs))


def _names(text: str) -> list[str]:
    return text.replace(".", " ").lower().split()


def _are_alike(name: str, other: str) -> bool:
    """Whether two names are one, or one is the initial of the other."""
    return name == other or (1 in (len(name), len(other)) and name[0] == other[0])


_INITIAL: Final = re.compile(r"(?<![^\W_])[A-Z](?![^\W_])")


def are_same_words(a: str, b: str) -> bool:
    """Whether two values in JSON are spellings of one word: yes and Y, male and 남, Monday and Mon, kg and kilogram."""
    longest = max(len(a), len(b))
    if longest > LONGEST_MEANING + 5 or (longest > MAX_MONTH and (_FIGURE.search(a) or _FIGURE.search(b))):
        return False
    ours = MEANINGS.get(squeezed(a))
    if ours is not None and not ours.isdisjoint(MEANINGS.get(squeezed(b), ())):
        return True
    return longest > 1 and (unit := unit_of(a)) != "" and unit == unit_of(b)


MAX_MONTH: Final = 9
"""Characters of the longest name of a month, which may have a figure: 3월, September."""


MAX_ADDRESS: Final = 2000
_EMAIL: Final = re.compile(r"(?:mailto:)?([^\s@]+@[^\s@]+\.[^\s@]+)", re.IGNORECASE)
_ADDRESS: Final = re.compile(
    r"(?P<scheme>https?://)?(?P<www>www\.)?(?P<host>[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,})(?P<port>:[0-9]+)?(?P<path>[/?#]\S*)?",
    re.IGNORECASE,
)


def compare_addresses(a: str, b: str) -> tuple[bool, bool] | None:
    """Whether two addresses of the web or of mail in JSON are the same, and whether they are near; None for others.

    Case counts in a path alone. A scheme or www. that one leaves out, and http for https, are near.
    """
    if "." not in a or "." not in b or " " in a or " " in b or max(len(a), len(b)) > MAX_ADDRESS:
        return None
    if (ours := _EMAIL.fullmatch(a)) and (theirs := _EMAIL.fullmatch(b)):
        same = ours[1].lower() == theirs[1].lower()
        return same, same
    if not ((ours := _ADDRESS.fullmatch(a)) and (theirs := _ADDRESS.fullmatch(b))):
        return None
    places = [(found["host"].lower(), found["port"], (found["path"] or "").rstrip("/")) for found in (ours, theirs)]
    if places[0] != places[1]:
        return False, False
    beside = [((found["scheme"] or "").lower(), bool(found["www"])) for found in (ours, theirs)]
    return beside[0] == beside[1], True


def differs_in_spelling(a: str, b: str) -> bool:
    """Whether two texts in JSON are alike but for British and American spelling, figures in words, or an article."""
    other = set(_words(a.lower())) ^ set(_words(b.lower()))
    if other.isdisjoint(_RESPELT_WORDS) and not any(map(_SPELLING.search, other)):
        return False
    ours, theirs = _respelt(a), _respelt(b)
    return ours == theirs and bool(ours)


@lru_cache(maxsize=1 << 12)
def _respelt(text: str) -> str:
    text = _PHRASE.sub(lambda found: f" {PHRASES[found[0].lower()]} ", text)
    text = _NUMBER_WORD.sub("", text)
    text = _ARTICLE.sub("", plain_characters(text).lower().strip())
    text = " ".join("".join(map(_respell, _LETTERS_RUN.findall(text))).split())
    return print_key(text).casefold()


def _respell(word: str) -> str:
    if word in NUMBERS:
        return str(NUMBERS[word])
    return _SPELLING.sub(lambda found: SPELLINGS.get(found[0], found[0]), word) if len(word) >= MIN_RESPELT else word


_NUMBER_WORD: Final = re.compile(r"\b(?:no|nr|nomor)\.?\s?(?=[0-9])", re.IGNORECASE)
"""No. before a number, which says nothing more."""
_RESPELT_WORDS: Final = frozenset(
    {"the", "a", "an", "no", "nr", "nomor", *NUMBERS, *PHRASES.values()}
    | {word for phrase in PHRASES for word in phrase.split()}
)
_PHRASE: Final = re.compile(
    rf"(?<![^\W\d_])(?:{'|'.join(sorted(map(re.escape, PHRASES), key=len, reverse=True))})(?![^\W\d_])", re.IGNORECASE
)
MIN_RESPELT: Final = 4
_ARTICLE: Final = re.compile(r"^(?:the|a|an)\s+")
_LETTERS_RUN: Final = re.compile(r"[^\W\d_]+|[\W\d_]+")
_SPELLING: Final = re.compile(
    "|".join(
        (
            rf"(?<=[^\W\d_]{{{2 if len(british) > 2 else 0}}}){british}"
            + (r"\b" if british[-1] == "e" and len(british) > 2 else "")
        )
        for british in SPELLINGS
    )
    + "|[½¼¾]"
)


def lacks_form(a: str, b: str) -> bool:
    """Whether two names in JSON are of one company, whose legal form one leaves out or puts elsewhere."""
    if not (_may_have_form(a) or _may_have_form(b)):
        return False
    (ours, rest), (theirs, other) = _split_forms(a), _split_forms(b)
    if not (ours or theirs) or (ours and theirs and not (ours <= theirs or theirs <= ours)):
        return False
    return bool(rest) and rest == other


def _may_have_form(text: str) -> bool:
    return not FORMS.isdisjoint(_words(text.lower())) or any(form in text for form in _FORMS_INSIDE)


@lru_cache(maxsize=1 << 12)
def _split_forms(text: str) -> tuple[frozenset[str], str]:
    """The legal forms in a name, cut short, and the rest of it."""
    forms: set[str] = set()

    def take(found: re.Match[str]) -> str:
        word = found[0].lower().strip(".,")
        forms.add(SHORT_FORMS.get(word, word))
        return " "

    rest = _FORM.sub(take, plain_characters(text))
    return frozenset(forms), print_key(rest)


_FORMS_INSIDE: Final = (*(form for form in FORMS if not form.isascii()), "㈜", "（주）")
"""Forms that are written without a space beside them."""
_FORM: Final = re.compile(
    "|".join(
        re.escape(form) if not form.isascii() else rf"(?<![^\W_]){re.escape(form)}(?![^\W_])\.?"
        for form in sorted(FORMS, key=len, reverse=True)
    ),
    re.IGNORECASE,
)


def lacks_label(a: str, b: str) -> bool:
    """Whether two identifiers in JSON are the same but for words that name them: `PO 4500012345`, `제2024-15호`."""
    if len(a) == len(b) or not (_FIGURE.search(a) and _FIGURE.search(b)):
        return False
    longer, shorter = (a, b) if len(a) > len(b) else (b, a)
    found = _LABELLED.fullmatch(plain_characters(longer).strip())
    if not found or not TURNING.isdisjoint(_words(_NUMBER_SIGN.sub("", (found["label"] or "").lower()))):
        return False
    bare = found["code"] or found["numbered"] or found["sign"]
    if _YEAR.fullmatch(bare):
        return False  # Summer 2024 is not 2024
    shortest = MIN_LABELLED - any(map(str.isalpha, bare))
    return len(_NO_WORD.sub("", bare)) >= shortest and are_same_identifiers(bare, shorter)


_YEAR: Final = re.compile("(?:19|20)[0-9]{2}")
MIN_LABELLED: Final = 4
"""Characters of the shortest code that a label may be left out of: `Room 12` is not `12`."""
_NUMBER_SIGN: Final = re.compile(r"\bno\.?\s*$")
"""No. at the end of a label, which denies nothing."""
_LABELLED: Final = re.compile(
    r"제\s?(?P<numbered>[0-9][0-9A-Za-z-]*)\s?호|[℡#]\s*(?P<sign>[0-9A-Z+(](?=.*[0-9]).*|[0-9])"
    r"|(?P<label>[^\W\d_][^\d:#]{0,24})(?:[:#.]\s*|\s+#?)(?P<code>[0-9A-Z+(](?=.*[0-9]).*)"
)


def lacks_ordinal(a: str, b: str) -> bool:
    """Whether two texts in JSON are alike but for the number of a list before one of them: `1. 수액 치료`."""
    ours, theirs = _ORDINAL.sub("", a, count=1), _ORDINAL.sub("", b, count=1)
    return (ours == a) != (theirs == b) and print_key_without_case(ours) == print_key_without_case(theirs)


def differs_in_numerals(a: str, b: str) -> bool:
    """Whether two texts in JSON are alike but for Roman numerals in one of them: `Type II diabetes`."""
    if not (_ROMAN.search(a) or _ROMAN.search(b)):
        return False
    ours, theirs = (_ROMAN.sub(lambda found: str(_NUMERALS[found[0]]), text) for text in (a, b))
    return print_key_without_case(ours) == print_key_without_case(theirs)


_NUMERALS: Final = {"II": 2, "III": 3, "IV": 4, "VI": 6, "VII": 7, "VIII": 8, "IX": 9, "XI": 11, "XII": 12}
_ROMAN: Final = re.compile(rf"(?<![^\W_])(?:{'|'.join(sorted(_NUMERALS, key=len, reverse=True))})(?![^\W_])")
_ORDINAL: Final = re.compile(r"^\s*(?:[0-9]{1,2}[.)]|\([0-9]{1,2}\)|[①-⑳])\s*(?=[^\W\d_]{2})")

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
    if (icd := _CODED.fullmatch(ours)) and (other := _CODED.fullmatch(theirs)):
        return icd.groups() == other.groups()
    (left, cuts), (right, other_cuts) = _cut(ours), _cut(theirs)
    return left == right and (cuts <= other_cuts or other_cuts <= cuts)


def is_near_identifier(a: str, b: str) -> bool:
    """Whether two identifiers in JSON are the same but for the kind of their separators, or an extension."""
    if not (_FIGURE.search(a) and _FIGURE.search(b)):
        return False
    ours, theirs = _plain_identifier(a), _plain_identifier(b)
    (phone, extension), (other, other_extension) = _split_extension(ours), _split_extension(theirs)
    if bool(extension) != bool(other_extension):
        return are_same_identifiers(phone, other)
    ours, theirs = _MASK.sub("*", ours), _MASK.sub("*", theirs)
    parts = [part for part in _ANY_SEPARATORS.split(ours) if part]
    if len("".join(parts)) < MIN_PARTED:
        return False
    return (len(parts) > 1 or "*" in ours) and parts == [part for part in _ANY_SEPARATORS.split(theirs) if part]


_MASK: Final = re.compile(r"[*•●xX]{3,}")
"""Figures that a form hides."""
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
    found = _EXTENSION.fullmatch(text) if len(text) <= MAX_PHONE else None
    return (found["phone"].strip(), found["extension"]) if found else (text, "")


def are_same_extensions(a: str, b: str) -> bool:
    """Whether two telephone numbers in JSON, both with an extension, are the same."""
    if max(len(a), len(b)) > MAX_PHONE or not (_EXTENSION.fullmatch(a) and _EXTENSION.fullmatch(b)):
        return False
    return are_same_identifiers(a, b)


def _plain_identifier(text: str) -> str:
    """An identifier in plain characters, without a telephone before it; `2~3회` is the range 2-3회."""
    text = _TELEPHONE.sub("", plain_characters(text).strip())
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
