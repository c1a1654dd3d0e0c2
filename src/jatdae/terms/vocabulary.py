"""The words of a lexicon as a scanner finds them: longest match first, each with what it does to the reading."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Final

from ahocorasick_rs import AhoCorasick

from jatdae.terms.hangul import has_hangul, without_lookalikes
from jatdae.terms.latin import Match, whole_words
from jatdae.terms.model import Atom

_HIDDEN: Final = "\0"
"""Stands where a pattern was found, so that no word reaches into it."""
_START: Final = itemgetter(1)


@dataclass(frozen=True, slots=True, eq=False)
class Word:
    """An entry of the vocabulary."""

    role: str
    """What it does: `head`, `atom`, `headed` (both in one), `pattern`, or the list of steering words it stands in."""
    text: str
    letters: int
    head: str = ""
    """The region it opens."""
    inner: bool = False
    """It opens its region only from inside the subject."""
    mention: bool = False
    """It is a head itself, and only names what it opens: a negation passes it by."""
    readings: Mapping[str, tuple[Atom, ...]] = field(default_factory=dict)
    """What it says, by region; "" where its axis has no region."""
    only: tuple[Atom, ...] = ()
    """Its one reading, where there is one and it holds anywhere."""
    weak: bool = False
    """It counts only in a compound or after a head."""
    bound: bool = False
    """It counts only in the region of its reading."""

    @property
    def says(self) -> bool:
        """Whether it is part of what is said, not of how."""
        return self.role in ("head", "atom", "headed", "pattern")


Token = tuple[Word, int, int]
"""A word with its start and end in the text. A plain tuple, for every description makes a dozen."""


@dataclass(frozen=True)
class Vocabulary:
    """Everything the scanner needs, compiled."""

    characters: Mapping[int, str]
    typos: re.Pattern[str] | None
    corrections: Mapping[str, str]
    unusual: re.Pattern[str] | None
    """Variant characters and the first ones of slips: a text without any is spelt as it should be."""
    words: tuple[Word, ...]
    ignored: frozenset[int]
    """The numbers of words that only look like others."""
    finder: AhoCorasick
    patterns: tuple[Word, ...]
    pattern_finder: AhoCorasick
    latin: bool
    """Whether any word is written in Latin letters."""

    def spell(self, text: str) -> str:
        """`text` with variants and slips as the lexicon writes them; positions stay."""
        if self.unusual is None or self.unusual.search(text) is None:
            return text
        folded = text.translate(self.characters)
        return folded if self.typos is None else self.typos.sub(lambda found: self.corrections[found[0]], folded)

    def scan(self, spelt: str) -> list[Token]:
        """The words of a text in order: patterns first, then the longest word at each place."""
        found: list[Token] = []
        rest, at = "", 0
        for number, start, end in self._find(self.pattern_finder, spelt):
            found.append((self.patterns[number], start, end))
            rest += spelt[at:start] + _HIDDEN * (end - start)
            at = end
        rest += spelt[at:]
        words, matches = self.words, self._find(self.finder, rest)
        if has_hangul(spelt):
            found += [(words[number], start, end) for number, start, end in matches]
            return without_lookalikes(spelt, sorted(found, key=_START))
        ignored = self.ignored
        tokens = [(words[number], start, end) for number, start, end in matches if number not in ignored]
        return sorted(tokens + found, key=_START) if found else tokens

    def _find(self, finder: AhoCorasick, text: str) -> list[Match]:
        matches = finder.find_matches_as_indexes(text)
        return whole_words(text, matches) if self.latin else matches
