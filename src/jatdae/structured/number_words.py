"""Reads numbers written in words, as forms have them: twenty-five, fünfundzwanzig, dua puluh lima, 삼십, 스물다섯.

A word has a value below 1000, or changes the one before it: it multiplies the digit (puluh, 십), adds ten (belas),
multiplies what stands before it (hundred) or ends a section (thousand, 만). Words that do not follow each other so,
such as three four, are no number. The words are those of `notation.yaml`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from jatdae.structured.notation import NUMBER_WORDS, WHOLE_WORDS

_FILLING: Final = re.compile(r"\s+and\s+|[\s-]+", re.IGNORECASE)
_ONE_BEFORE: Final = re.compile(r"^an?\s+(?=hundred|thousand|million|dozen|half)", re.IGNORECASE)
_LARGE: Final = 1000
"""Words of this value and above end a section."""
_TOGETHER: Final = ("de", "ko", "ko_counting")
"""Languages that write the words of a number as one."""


WORDS: Final = {
    word: value
    for words in NUMBER_WORDS.values()
    for word, value in words.items()
    if isinstance(value, int) and value < _LARGE and (len(word) > 1 or word in "한두세네")
}
"""Words that are a number by themselves, but for the syllables of Korean that are words of their own as well."""


def read_words(text: str) -> tuple[str, str] | None:
    """The number that a JSON text begins with in words, as plain decimal text, and what stands behind it; or None."""
    text = _ONE_BEFORE.sub("", text.strip())
    if text.lower() in WHOLE_WORDS:
        return WHOLE_WORDS[text.lower()], ""
    return next((found for language in NUMBER_WORDS if (found := _read(text, language))), None)


def _read(text: str, language: str) -> tuple[str, str] | None:
    """The longest number that a text begins with in one language; the rest begins with another word or counter."""
    words: list[str] = []
    at = 0
    best: tuple[str, str] | None = None
    pattern = _pattern(language)
    while found := pattern.match(text, at):
        words += [found["ten"], found["unit"]] if found["word"] is None else [found["word"]]
        at = found.end()
        rest = text[at:]
        if rest and language not in _TOGETHER and rest[0].isalpha():
            continue
        value = _value([NUMBER_WORDS[language][word.lower()] for word in words])
        if value is not None and not (rest and language == "de" and rest[0].isalpha()):
            best = str(value), rest.strip()
        if gap := _FILLING.match(text, at):
            at = gap.end()
    return best


@cache
def _pattern(language: str) -> re.Pattern[str]:
    """Matches a number word; in German also a unit before its ten: fünfundzwanzig."""
    words = sorted(NUMBER_WORDS[language], key=len, reverse=True)
    any_word = rf"(?P<word>{'|'.join(map(re.escape, words))})"
    if language != "de":
        return re.compile(rf"{any_word}(?P<unit>)?(?P<ten>)?", re.IGNORECASE)
    units = "|".join(word for word in words if str(NUMBER_WORDS["de"][word]) in "123456789")
    tens = "|".join(word for word in words if word.endswith(("zig", "ßig", "ssig")))
    return re.compile(rf"(?P<unit>{units})und(?P<ten>{tens})|{any_word}", re.IGNORECASE)


def _value(steps: list[int | str]) -> int | None:
    """The number that values and changes give, each in its turn; None where one cannot follow what is before it."""
    total = section = 0
    digit: int | None = None
    last = 10**18
    for step in steps:
        if isinstance(step, str):
            factor = int(step[1:])
            if step[0] == "+":
                if digit is None or section % 100:
                    return None
                section += digit + factor
            elif digit is None and 0 < section < 100 and factor == 100:
                section *= 100  # twelve hundred
            elif section % (10 * factor):
                return None
            else:
                section += (1 if digit is None else digit) * factor
            digit = None
        elif step >= _LARGE:
            section += digit or 0
            if step >= last:
                return None
            total, section, digit, last = total + (section or 1) * step, 0, None, step
        elif digit is not None or section % (10 if step < 10 else 100 if step < 100 else 1000):
            return None
        elif step < 10:
            digit = step
        else:
            section += step
    return total + section + (digit or 0) if steps else None
