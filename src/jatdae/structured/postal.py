"""Compares postal addresses of JSON documents: what is cut short in one and not in the other is the same."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from jatdae.structured.notation import (
    ADDRESS_COUNTRIES,
    ADDRESS_ENDINGS,
    ADDRESS_PHRASES,
    ADDRESS_SIGNS,
    ADDRESS_WORDS,
    SHORT_ENDINGS,
    SHORT_FORMS,
    STATES,
)
from jatdae.structured.wording import has_another_word, plain_characters, without_umlauts, words_of

MAX_ADDRESS: Final = 200
"""Characters of the longest text that is read as an address."""


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


_POSTCODES: Final = (4, 5)
"""Figures of a postal code."""
_STATE_BEHIND: Final = re.compile(rf",\s*(?:{_any((*STATES, *STATES.values()))})\.?$", re.IGNORECASE)
_PHRASE: Final = re.compile(rf"(?<![^\W_])(?:{_any(ADDRESS_PHRASES)})(?![^\W_])")
_STATE: Final = re.compile(rf"(?<![^\W_])(?:{_any(STATES)})(?![^\W_])")
_COUNTRY: Final = re.compile(rf"[,\s]+(?:{_any(ADDRESS_COUNTRIES)})\s*$|^(?:대한민국)\s+")
_POSTCODE_OF: Final = re.compile(r"(?<![^\W_])(?:d|de|a|at|ch|id|kr)-(?=[0-9]{4,5}(?![0-9]))")
_NUMBER_SIGN: Final = re.compile(r"(?<![^\W_])(?:no|nr|nomor|nummer|hausnr|hausnummer)\b[.:]?\s*(?=[0-9])|번지")
_HOUSEHOLD: Final = re.compile(r"제?\s?([0-9]+)\s?동\s?제?\s?([0-9]+)\s?호")
_NEIGHBOURHOOD: Final = re.compile(r"(?<![^\W_])(rt|rw)[.:\s]*0*(?=[0-9])")
_FIGURES: Final = re.compile("[0-9]+")
_TOKEN: Final = re.compile(r"[0-9]+(?:[-/.][0-9]+)*|[^\W\d_]+|[#&]")
_ROOMS: Final = frozenset({"#", "ste", "apt"})


def are_same_addresses(a: str, b: str) -> bool:
    """Whether two postal addresses in JSON are the same but for what is cut short: `Jl. Melati`, `Jalan Melati`."""
    if max(len(a), len(b)) > MAX_ADDRESS or not (_may_be_address(a) and _may_be_address(b)):
        return False
    figures = [list(map(int, _FIGURES.findall(text))) for text in (a, b)]
    if len(figures[0]) == len(figures[1]) and figures[0] != figures[1]:
        return False  # First Street has no figure, 1st Street has one
    ours, theirs = _tokens(a), _tokens(b)
    if ("#" in ours) != ("#" in theirs):  # #12 is an apartment or a suite
        ours, theirs = (tuple("#" if token in _ROOMS else token for token in tokens) for tokens in (ours, theirs))
    return _joined(ours) == _joined(theirs)


def are_other_places(a: str, b: str) -> bool:
    """Whether two near texts in JSON are postal addresses that differ in a word: Park Lane is not Park Place."""
    if max(len(a), len(b)) > MAX_ADDRESS or not (_may_be_address(a) and _may_be_address(b)):
        return False
    ours, theirs = _tokens(a), _tokens(b)
    return len(ours) == len(theirs) and has_another_word(ours, theirs)


def _may_be_address(text: str) -> bool:
    for word in words_of(text.lower()):
        if word in ADDRESS_SIGNS or word.endswith(ADDRESS_ENDINGS) or (len(word) in _POSTCODES and word.isdigit()):
            return True
    return "," in text and _STATE_BEHIND.search(text) is not None


@lru_cache(maxsize=1 << 10)
def _tokens(text: str) -> tuple[str, ...]:
    """The words and numbers of an address, cut short."""
    text = without_umlauts(plain_characters(text).lower())
    text = _POSTCODE_OF.sub("", _COUNTRY.sub("", text))
    text = _PHRASE.sub(lambda found: ADDRESS_PHRASES[found[0]], text)
    text = _STATE.sub(lambda found: STATES[found[0]], text)
    text = _NEIGHBOURHOOD.sub(r" \1 ", _HOUSEHOLD.sub(r"\1-\2", _NUMBER_SIGN.sub(" ", text)))
    return tuple(map(_short, _TOKEN.findall(text)))


def _short(word: str) -> str:
    if found := SHORT_FORMS.get(word) or ADDRESS_WORDS.get(word):
        return found
    for ending, short in SHORT_ENDINGS.items():
        if word.endswith(ending):
            return word[: -len(ending)] + short
    return word


def _joined(tokens: tuple[str, ...]) -> str:
    """Tokens as one text: `12 a` is `12a`, but `1 2` is not `12`."""
    text = ""
    for token in tokens:
        text += f" {token}" if text[-1:].isdigit() and token[0].isdigit() else token
    return text
