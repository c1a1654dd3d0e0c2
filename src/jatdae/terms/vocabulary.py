"""The words of a lexicon as a scanner finds them: longest match first, each with what it does to the reading."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Final, NamedTuple

from ahocorasick_rs import AhoCorasick

from jatdae.terms.hangul import without_lookalikes

_HIDDEN: Final = "\0"
"""Stands where a pattern was found, so that no word reaches into it."""


class Word(NamedTuple):
    """An entry of the vocabulary."""

    role: str
    """What it does: `state` for heads and atoms, `pattern`, or the list of steering words it stands in."""
    text: str
    letters: int
    head: str = ""
    """The region it opens."""
    inner: bool = False
    """It opens its region only from inside the subject."""
    mention: bool = False
    """It is a head itself, and only names what it opens: a negation passes it by."""
    readings: Mapping[str, tuple[str, ...]] = {}
    """What it says, by region; "" where its axis has no region."""
    only: tuple[str, ...] = ()
    """Its one reading, where there is one and it holds anywhere."""
    weak: bool = False
    """It counts only in a compound or after a head."""
    bound: bool = False
    """It counts only in the region of its reading."""


Token = tuple[Word, int, int]
"""A word with its start and end in the text. A plain tuple, for every description makes a dozen."""


@dataclass(frozen=True)
class Vocabulary:
    """Everything the scanner needs, compiled."""

    characters: Mapping[int, str]
    typos: re.Pattern[str] | None
    corrections: Mapping[str, str]
    suspects: frozenset[str]
    """The first characters of slips: a text without them needs no look at its typos."""
    words: tuple[Word, ...]
    finder: AhoCorasick
    patterns: tuple[Word, ...]
    pattern_finder: AhoCorasick

    def spell(self, text: str) -> str:
        """`text` with variants and slips as the lexicon writes them; positions stay."""
        folded = text.translate(self.characters)
        if self.typos is None or self.suspects.isdisjoint(folded):
            return folded
        return self.typos.sub(lambda found: self.corrections[found[0]], folded)

    def scan(self, spelt: str) -> list[Token]:
        """The words of a text in order: patterns first, then the longest word at each place."""
        found: list[Token] = []
        rest = spelt
        for number, start, end in self.pattern_finder.find_matches_as_indexes(spelt):
            found.append((self.patterns[number], start, end))
            rest = rest[:start] + _HIDDEN * (end - start) + rest[end:]
        words = self.words
        tokens = [(words[number], start, end) for number, start, end in self.finder.find_matches_as_indexes(rest)]
        if found:
            tokens = sorted(tokens + found, key=itemgetter(1))
        return without_lookalikes(spelt, tokens)
