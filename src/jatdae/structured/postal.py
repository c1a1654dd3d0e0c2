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
    DIRECTIONS,
    ROOMS_BEFORE,
    ROOMS_BEHIND,
    SHORT_ENDINGS,
    SHORT_FORMS,
    STATES,
    STREET_ENDINGS,
    STREET_SIGNS,
    TURNING,
)
from jatdae.structured.wording import has_another_word, plain_characters, without_umlauts, words_of

MAX_ADDRESS: Final = 200
"""Characters of the longest text that is read as an address."""


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


_POSTCODES: Final = (4, 5)
"""Figures of a postal code."""
_ENDS: Final = frozenset(ending[-1] for ending in ADDRESS_ENDINGS)
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


def lacks_part(a: str, b: str) -> bool:
    """Whether of two postal addresses in JSON one leaves out a floor, a room, a postal code, a quarter or a town.

    The street and the number of the house are never left out.
    """
    longer, shorter = (a, b) if len(a) > len(b) else (b, a)
    if len(longer) - len(shorter) < 2 or len(longer) > MAX_ADDRESS:
        return False
    if not _FIGURES.search(shorter) or not _may_be_address(longer):
        return False
    kept, parts = [token for part in _parts(shorter) for token in part], _parts(longer)
    at = left_out = 0
    for part in parts:
        if kept[at : at + len(part)] == list(part):
            at += len(part)
        elif _may_be_left_out(part):
            left_out += 1
        else:
            return False
    return left_out > 0 and at == len(kept) and _names_street(kept) and any(token[0].isdigit() for token in kept)


def _parts(text: str) -> list[tuple[str, ...]]:
    """The tokens of an address, part by part: rooms, postal codes and the regions before a Korean street are parts."""
    text = plain_characters(text).lower()
    for apart in (_ROOM, _CODE, _REGION):
        text = apart.sub(r", \g<0>,", text)
    return [tokens for part in _BETWEEN_PARTS.split(text) if (tokens := _tokens(part))]


def _may_be_left_out(part: tuple[str, ...]) -> bool:
    """Whether an address may do without a part: not one with the street, its number, a direction or a denial."""
    if _names_street(part) or DIRECTIONS.issuperset(part) or not TURNING.isdisjoint(part):
        return False
    written = " ".join(part)
    return not _FIGURES.search(written) or any(form.fullmatch(f" {written}", 1) for form in (_ROOM_READ, _CODE))


def _names_street(tokens: Iterable[str]) -> bool:
    return any(token in STREET_SIGNS or token.endswith(STREET_ENDINGS) for token in tokens)


_BEFORE: Final = rf"(?:{_any(ROOMS_BEFORE)})"
_ROOM: Final = re.compile(
    rf"(?<![^\W_])(?:{_BEFORE}[.:]?\s?(?:no\.?\s?)?[0-9]+[a-z]?|#\s?[0-9]+[a-z]?|rt[.:\s]*[0-9]+\s?/?\s?rw[.:\s]*[0-9]+"
    rf"|[0-9]+(?:st|nd|rd|th|\.)?\s?(?:{_any(ROOMS_BEHIND)})|(?:지하\s?|b)[0-9]+\s?층)(?![^\W_])"
)
_ROOM_READ: Final = re.compile(
    rf"(?:{_BEFORE}|#) [0-9]+(?: [a-z])?|rt [0-9]+ rw [0-9]+"
    rf"|(?:(?:지하|b) )?[0-9]+(?: (?:st|nd|rd|th))? (?:{_any(ROOMS_BEHIND)})"
)
"""A room as its tokens are written."""
_CODE: Final = re.compile(
    r"(?<=[\s,(-])[0-9]{5}(?![0-9-])|(?<=,\s)[0-9]{4}(?=\s[^\W\d_])|[0-9]{4,5}$"
    r"|(?<=\s)[a-z]{1,2}\s?[0-9]{1,2}\s?[a-z]?\s[0-9]\s?[a-z]{2}(?![^\W_])"
)
"""A postal code: 10115, 5020 before a town, LS1 4AP."""
_REGION: Final = re.compile(r"(?<![^\W_])[가-힣]{1,5}[시도군구](?=\s)")
_BETWEEN_PARTS: Final = re.compile(r"[,;()]")


def _may_be_address(text: str) -> bool:
    for word in words_of(text.lower()):
        if word in ADDRESS_SIGNS or (word[-1] in _ENDS and word.endswith(ADDRESS_ENDINGS)):
            return True
        if len(word) in _POSTCODES and word.isdigit():
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
