"""Texts of JSON documents as a reader sees them: what differs in print alone is equal.

`print_key` takes away what printing adds or drops: width and composition of characters, spaces (but those between two
figures), brackets, commas and full stops that are not part of a number, bullets, the hyphen inside a word, the spelling
of units, and long forms of what is usually cut short (주식회사, Street). Case stays.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from jatdae.kernels.texts import BRACKET, COLON, COMMA, DASH, FIGURE, FOREIGN, SIGN, SPACE, STROKE, look
from jatdae.structured.notation import (
    DENYING,
    LONGEST_MEANING,
    MEANINGS,
    PHRASES,
    REMARKS_BEFORE,
    REMARKS_BEHIND,
    SHORT_ENDINGS,
    SHORT_FORMS,
    SPELLINGS,
    TURNING,
    TURNING_PARTS,
    squeezed,
    unit_of,
)
from jatdae.structured.number_words import WORDS as NUMBERS
from jatdae.structured.number_words import read_words

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
_MAYBE_SPECIAL: Final = re.compile(
    r"[0-9,&\x80-\uabff\ud7a4-\U0010ffff](?:(?<=[0-9])\s?(?:[^\W\d_]|[%°])|(?<=,)[0-9]|(?<![0-9,]))"
)
"""A figure with a letter or sign behind it, a comma before a figure, a character that has a plainer form: all but ASCII
and Korean syllables. A pattern that begins with one set is searched for fast."""
_RANGE: Final = re.compile(r"(?<=[0-9])\s?~\s?(?=[0-9])")
_FEET: Final = re.compile(r"(?<![0-9])([1-9])\s?'\s?([0-9]{1,2})\s?(?:\"|''|$)")
_TIMES: Final = re.compile(r"(?<=[0-9])\s?[x×*]\s?(?=[0-9])", re.IGNORECASE)
_OUT_OF: Final = re.compile(r"(?<=[0-9])\s(?:out of|over|von|dari)\s(?=[0-9])", re.IGNORECASE)
_PUNCTUATION: Final = re.compile(r"[^\w\s]")
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_LONG_FORMS: Final = frozenset(SHORT_FORMS)
_ENDINGS: Final = tuple(SHORT_ENDINGS)
_FIGURES: Final = re.compile(r"[0-9]+(?:[.,:/][0-9]+)*(?:\s?[A-Za-z](?![A-Za-z0-9])|번?길|동|호|층)?")


class Quantities(NamedTuple):
    """The numbers in a text, in its order, each with its unit ("" where it names none), and the text without units."""

    numbers: tuple[str, ...]
    units: tuple[str, ...]
    rest: str


def have_other_letters(a: str, b: str) -> bool:
    """Whether two texts in JSON differ in more than case, white space and punctuation."""
    return _letters(a) != _letters(b)


def may_be_read(a: str, b: str) -> bool:
    """Whether two texts in JSON that differ in letters or figures may still be alike in print, by a first look."""
    return _is_special(a) or _is_special(b)


def _letters(text: str) -> str:
    """Letters and figures of a text, in lower case."""
    text = "".join(text.casefold().split())
    return text if text.isalnum() else _NO_WORD.sub("", text)


def _is_special(text: str) -> bool:
    """Whether a text may have quantities, characters in other forms or words to be cut short, and so must be read."""
    if _may_be_special(text):
        return True
    text = text.lower()
    if not _LONG_FORMS.isdisjoint(words_of(text)):
        return True
    return _has_any(_ENDINGS, text)


def _has_any(parts: tuple[str, ...], text: str) -> bool:
    for part in parts:  # noqa: SIM110 (a generator takes longer than the few parts)
        if part in text:
            return True
    return False


def _may_be_special(text: str) -> bool:
    return look(text) & (FIGURE | COMMA | SIGN | FOREIGN) != 0 and _MAYBE_SPECIAL.search(text) is not None


@lru_cache(maxsize=1 << 10)
def words_of(text: str) -> tuple[str, ...]:
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
    if not look(text) & FIGURE:
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
        numbers.append(found[0].rstrip(_LETTERS).rstrip() if name else found[0].replace(" ", "").lower())
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
    return _SPACES.sub("", text).strip() if look(text) & FIGURE else "".join(text.split())


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
    if _may_be_special(a) or _may_be_special(b):
        ours, theirs = read_quantities(a), read_quantities(b)
        if ours.numbers != theirs.numbers or not units_fit(ours.units, theirs.units):
            return False
    elif (look(a) & FIGURE or look(b) & FIGURE) and _FIGURES.findall(a) != _FIGURES.findall(b):
        return False
    if _romans_in(a) != _romans_in(b):
        return False
    lower = a.lower(), b.lower()
    return turning(lower[0]) == turning(lower[1]) and not _has_other_word(lower[0], lower[1])


SHORT_WORD: Final = 2
"""Letters of a word that is another word if it differs, and not a misspelt one: (L), (S); 대, 소."""


SHORT_WORD_OF_SYLLABLES: Final = 3
"""Syllables of such a word in Korean: 강남구, 강동구."""
_SYLLABLES: Final = re.compile("[가-힣]+")


def _has_other_word(a: str, b: str) -> bool:
    """Whether two texts differ in a short word, or in a word that one denies: paid, unpaid."""
    ours, theirs = words_of(a), words_of(b)
    if len(ours) != len(theirs):
        return False
    for x, y in zip(ours, theirs, strict=True):
        if x == y:
            continue
        if denies(x, y) or denies(y, x):
            return True
        if len(x) > SHORT_WORD_OF_SYLLABLES or len(y) > SHORT_WORD_OF_SYLLABLES:
            continue
        if (len(x) <= SHORT_WORD and len(y) <= SHORT_WORD) or (_SYLLABLES.fullmatch(x + y) and _sound(x) != _sound(y)):
            return True
    return False


def denies(word: str, other: str) -> bool:
    """Whether a word of a text in JSON, in lower case, is the other one turned round: unpaid, 비흡연."""
    return word.endswith(other) and word[: -len(other)] in DENYING


def _sound(word: str) -> str:
    """A Korean word with one letter for vowels that sound alike and are often confused: 세워서, 새워서."""
    return unicodedata.normalize("NFD", word).translate(_SOUNDS)


_SOUNDS: Final = str.maketrans("ᅢᅤᅫᅬ", "ᅦᅨᅰᅰ")
"""ㅐ ㅒ ㅙ ㅚ to ㅔ ㅖ ㅞ ㅞ, as they stand inside a syllable."""


def has_another_word(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether two lists of words, as long as each other, differ in a word by more than letters that changed places."""
    other = [(x, y) for x, y in zip(ours, theirs, strict=True) if x != y]
    return any(len(x) < MIN_SLIP or sorted(x) != sorted(y) for x, y in other)


MIN_SLIP: Final = 6
"""Letters of the shortest word in which two that changed places are a slip: May is not Amy."""


def units_fit(ours: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    """Whether the units of the numbers in two JSON texts are the same wherever both have one; ° may be °C."""
    return all(a == b or not a or not b or ("°" in (a, b) and a[0] == b[0]) for a, b in zip(ours, theirs, strict=True))


def turning(text: str) -> list[str]:
    """The words and parts of words of a text that turn its meaning."""
    words = words_of(text)
    found = [] if TURNING.isdisjoint(words) else [word for word in words if word in TURNING]
    if text.isascii() and not _has_any(_ASCII_PARTS, text):
        return found
    return found + _TURNING_PART.findall(text)


_TURNING_PART: Final = re.compile("|".join(map(re.escape, TURNING_PARTS)))
_ASCII_PARTS: Final = tuple(part for part in TURNING_PARTS if part.isascii())


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
    return _may_have_remark(a) or _may_have_remark(b)


def _may_have_remark(text: str) -> bool:
    sorts = look(text)
    if sorts & (COLON | BRACKET | FOREIGN) and _MAYBE_REMARK.search(text):
        return True
    if "우" in text and _MAYBE_REMARK.search(text):
        return True
    foreign = sorts & FOREIGN != 0
    if (foreign or (sorts & (SPACE | DASH) and text[:1] in _REMARKS_BEGIN)) and _REMARK_BEFORE.match(text):
        return True
    if not (foreign or (sorts & (SPACE | STROKE) and text[-1:] in _REMARKS_END)):
        return False
    return _REMARK_BEHIND.search(text, max(0, len(text) - LONGEST_REMARK)) is not None


def _any(phrases: tuple[str, ...]) -> str:
    return "|".join(map(re.escape, phrases))


_REMARK_BEFORE: Final = re.compile(rf"^(?:{_any(REMARKS_BEFORE)})(?:\s|(?<=-))+(?=\S)", re.IGNORECASE)
_REMARK_BEHIND: Final = re.compile(rf"(?<=\S)\s?(?:(?<=\s)|(?=/))(?:{_any(REMARKS_BEHIND)})$", re.IGNORECASE)
_REMARKS_BEGIN: Final = frozenset(sign for phrase in REMARKS_BEFORE for sign in phrase[0] + phrase[0].upper())
_REMARKS_END: Final = frozenset(sign for phrase in REMARKS_BEHIND for sign in phrase[-1] + phrase[-1].upper()) | {"\n"}
"""How texts begin and end that have one; those that are neither ASCII nor Korean are not asked."""
_MAYBE_REMARK: Final = re.compile(r"[:：(\[（우](?:(?<!우)|\s?[0-9])")
LONGEST_REMARK: Final = 2 + max(map(len, REMARKS_BEHIND))
"""Characters of the longest remark at the end of a text, with the spaces around it."""


def without_remarks(text: str) -> str:
    """A JSON text without the label before its colon, a postal code in brackets before it and remarks in brackets.

    Brackets stay where they hold figures, a size or a word that turns the meaning.
    """
    text = without_label(text)
    text = _REMARK_BEHIND.sub("", _REMARK_BEFORE.sub("", _POSTCODE.sub("", text)))
    return " ".join(_REMARK.sub(_kept_remark, text).split())


def _kept_remark(found: re.Match[str]) -> str:
    remark = found[1].lower()
    if _OF_ITS_OWN.search(remark) or (_NOT_TO_DO.fullmatch(remark) and _TO_DO.search(found.string[: found.start()])):
        return " "
    return found[0] if turning(remark) or read_words(remark) else " "


_OF_ITS_OWN: Final = re.compile(
    r"^(?:please |mohon )?(?:do not|don't|jangan|dilarang)\s|(?<![^\W\d_])(?:vat|tax|mwst|ppn)(?![^\W\d_])|부가세"
)
"""A remark that asks for something, or says how a price is taxed, and so turns nothing of what stands before it."""
_TO_DO: Final = re.compile(r"(?<=\s)[a-zäöüß]{2,}(?:en|eln|ern)$")
_NOT_TO_DO: Final = re.compile(r"(?:bitte )?nicht (?:\S+ )*(?!(?:[a-zäöü]{2,4})?ge)[a-zäöüß]{2,}(?:en|eln|ern)")
"""A German request, and one not to do something: kühl lagern, nicht einfrieren; nicht angegeben is neither."""


def without_label(text: str) -> str:
    """A JSON text without the label before its colon: `Tel.: 02-345-6789`."""
    text = plain_characters(text).strip()
    found = _LABEL.match(text)
    if not found or not TURNING.isdisjoint(words_of(_NUMBER_SIGN.sub("", found[1].lower()))):
        return text
    bare = text[found.end() :]
    return text if _LABEL.match(bare) else bare  # a: b: c is no label of a value


_LABEL: Final = re.compile(r"([^\W\d_][^\d:：@]{0,24})[:：]\s*(?=[^\s/])")
_NUMBER_SIGN: Final = re.compile(r"\bno\b\.?")
"""No. in a label, which denies nothing."""
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
        and TURNING.isdisjoint(words_of(a.lower()))
    )


def listed(text: str) -> list[str]:
    """The items of a list that a JSON document writes as one text: `Penicillin, Latex`."""
    lines = text.splitlines()
    return [item for line in lines for part in _COMMAS.split(line) if (item := part.strip())]


def _parts(text: str) -> list[str]:
    return [key for part in _COMMAS.split(text) if (key := print_key_without_case(part))]


_COMMAS: Final = re.compile(r"[,;、](?![0-9])|\s(?:and|und|dan|및|&)\s")


_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})


def without_umlauts(text: str) -> str:
    """A JSON text with its umlauts written as two letters: Mueller."""
    return text if text.isascii() else text.translate(_UMLAUTS)


def print_key_without_case(text: str) -> str:
    """What texts in JSON that differ in print and case alone have in common; Müller is Mueller."""
    return without_umlauts(print_key(text).casefold())


def is_alike_but_for_capitals(a: str, b: str) -> bool:
    """Whether two texts in JSON differ in print, umlauts and in words that one of them has in capitals: `SMITH`.

    Other differences of case count, and so do all in texts as short as a symbol: CO is not Co.
    """
    if print_key_without_case(a) != print_key_without_case(b):
        return False
    ours, theirs = words_of(plain_characters(a)), words_of(plain_characters(b))
    if len(ours) != len(theirs):
        same_case = without_umlauts(print_key(a)) == without_umlauts(print_key(b))
        return same_case or a.isupper() or b.isupper()
    other = [(x, y) for x, y in zip(ours, theirs, strict=True) if without_umlauts(x) != without_umlauts(y)]
    if not other:
        return True
    if len(ours) > 1 and (_is_lower_of_title(ours, theirs) or _is_lower_of_title(theirs, ours)):
        return True
    return sum(map(len, ours)) >= MIN_CAPITALS and all(x.isupper() or y.isupper() for x, y in other)


def _is_lower_of_title(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    return all(map(str.islower, words)) and all(map(str.istitle, others))


MIN_CAPITALS: Final = 4
"""Letters of the shortest text whose capitals are print."""


def lacks_accents(a: str, b: str) -> bool:
    """Whether two texts in JSON are alike but for accents that one leaves out; an umlaut is a letter of its own."""
    if not _are_accented(a, b):
        return False
    return is_alike_but_for_capitals(without_accents(a), without_accents(b))


def _are_accented(a: str, b: str) -> bool:
    """Whether one of two texts has an accent."""
    if not (look(a) | look(b)) & FOREIGN:
        return False
    return _ACCENTED.search(a) is not None or _ACCENTED.search(b) is not None


def without_accents(text: str) -> str:
    """A JSON text without accents on its Latin letters; umlauts and other letters of their own stay."""
    return _ACCENTED.sub(lambda found: found[0] if found[0] in _LETTERS_OF_THEIR_OWN else _base(found[0]), text)


def _base(letter: str) -> str:
    return unicodedata.normalize("NFD", letter)[0]


_LETTERS_OF_THEIR_OWN: Final = "äöüÄÖÜåÅøØæÆœŒ"


def differs_in_accents(a: str, b: str) -> bool:
    """Whether two texts in JSON are alike but for accents on Latin letters, which one leaves out: `José`, `Jose`."""
    if not _are_accented(a, b):
        return False
    return _unaccented(a) == _unaccented(b)


def _unaccented(text: str) -> str:
    return print_key(_ACCENTED.sub(lambda found: _base(found[0]), text)).casefold()


_ACCENTED: Final = re.compile("[À-ÖØ-öø-ɏ]")


def are_same_words(a: str, b: str) -> bool:
    """Whether two values in JSON are spellings of one word: yes and Y, male and 남, Monday and Mon, kg and kilogram."""
    longest = max(len(a), len(b))
    if longest > LONGEST_MEANING + 5 or (longest > MAX_MONTH and (look(a) & FIGURE or look(b) & FIGURE)):
        return False
    ours = MEANINGS.get(squeezed(a))
    if ours is not None and not ours.isdisjoint(MEANINGS.get(squeezed(b), ())):
        return True
    return longest > 1 and (unit := unit_of(a)) != "" and unit == unit_of(b)


MAX_MONTH: Final = 9
"""Characters of the longest name of a month, which may have a figure: 3월, September."""


def differs_in_spelling(a: str, b: str) -> bool:
    """Whether two texts in JSON are alike but for British and American spelling, figures in words, or an article."""
    other = set(words_of(a.lower())) ^ set(words_of(b.lower()))
    respelt = _MAYBE_RESPELT.search(" ".join(other)) and any(map(_SPELLING.search, other))
    if not respelt and other.isdisjoint(_RESPELT_WORDS):
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
_MAYBE_RESPELT: Final = re.compile("|".join((*SPELLINGS, "[½¼¾]")))
"""Every spelling matches this."""


def lacks_ordinal(a: str, b: str) -> bool:
    """Whether two texts in JSON are alike but for the number of a list before one of them: `1. 수액 치료`."""
    ours, theirs = _ORDINAL.sub("", a, count=1), _ORDINAL.sub("", b, count=1)
    return (ours == a) != (theirs == b) and print_key_without_case(ours) == print_key_without_case(theirs)


def differs_in_numerals(a: str, b: str) -> bool:
    """Whether two texts in JSON are alike but for Roman numerals in one of them: `Type II diabetes`."""
    if not (_romans_in(a) or _romans_in(b)):
        return False
    ours, theirs = (_ROMAN.sub(lambda found: str(_NUMERALS[found[0]]), text) for text in (a, b))
    return print_key_without_case(ours) == print_key_without_case(theirs)


def _romans_in(text: str) -> list[str]:
    return _ROMAN.findall(text) if "I" in text else []  # each of them has one


_NUMERALS: Final = {"II": 2, "III": 3, "IV": 4, "VI": 6, "VII": 7, "VIII": 8, "IX": 9, "XI": 11, "XII": 12}
_ROMAN: Final = re.compile(rf"(?<![^\W_])(?:{'|'.join(sorted(_NUMERALS, key=len, reverse=True))})(?![^\W_])")
_ORDINAL: Final = re.compile(r"^\s*(?:[0-9]{1,2}[.)]|\([0-9]{1,2}\)|[①-⑳])\s*(?=[^\W\d_]{2})")
