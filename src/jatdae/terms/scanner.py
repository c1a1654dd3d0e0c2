"""Finds the words of a lexicon in a text: longest match, whole Latin words, no lookalikes in Hangul."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import itemgetter
from typing import Final

from ahocorasick_rs import AhoCorasick, MatchKind

from jatdae.terms.korean import ADVERB_ENDINGS, CONNECTIVES, is_adnominal
from jatdae.terms.term import Atom

Token = tuple["LexiconWord", int, int]
"""A word with its start and end in the text. A plain tuple for speed: every description makes about a dozen."""
Match = tuple[int, int, int]
"""The number of a word, its start and its end."""

LIST_REACH: Final = 12
"""How many words ahead the head of a list is looked for."""
FORMAL: Final = ("not_list", "not_back", "answer", "colon")
"""Roles of the words that make a form."""
_HIDDEN: Final = "\0"
"""Replaces a pattern that was found, so that no word overlaps it."""
_START: Final = itemgetter(1)
_HANGUL: Final = re.compile("[가-힣]")
_WRITTEN: Final = re.compile(r"[^\W_]+")
_ADVERBS: Final = re.compile(r"(?:\s*[a-z]+ly)+\s*")
"""English adverbs: it is definitely greasy."""
_LETTER: Final = re.compile(r"[^\W_]")
_AFTER_LATIN: Final = "\u0250"  # Latin letters of Unicode's first four blocks, from Basic Latin to Latin Extended-B
_LATIN: Final = re.compile("[A-Za-z\u00aa-\u024f]")
"""Finds every Latin letter, and a few other characters."""


@dataclass(frozen=True)
class Vocabulary:
    """Words of a lexicon, compiled for scanning texts."""

    characters: Mapping[int, str]
    typos: re.Pattern[str] | None
    corrections: Mapping[str, str]
    unusual: re.Pattern[str] | None
    """Finds variant characters and first characters of typos; a text without any needs no respelling."""
    words: WordFinder
    """All words."""
    plain_words: WordFinder
    """Words without Latin letters and Hangul: a text without either is scanned faster."""
    patterns: tuple[LexiconWord, ...]
    pattern_finder: AhoCorasick
    latin: bool
    """Whether any word is written in Latin letters."""

    def spell(self, text: str) -> str:
        """`text` with variant characters and typos replaced by what the lexicon writes; positions do not change."""
        if self.unusual is None or self.unusual.search(text) is None:
            return text
        folded = text.translate(self.characters)
        return folded if self.typos is None else self.typos.sub(lambda found: self.corrections[found[0]], folded)

    def scan(self, spelt: str) -> list[Token]:
        """The words of a text in order: patterns first, then the longest word at each place."""
        found: list[Token] = []
        rest, at = "", 0
        latin, hangul = self.latin and _LATIN.search(spelt) is not None, has_hangul(spelt)
        for number, start, end in _find(self.pattern_finder, spelt, latin):
            found.append((self.patterns[number], start, end))
            rest += spelt[at:start] + _HIDDEN * (end - start)
            at = end
        rest += spelt[at:]
        home = self.words if latin or hangul else self.plain_words
        words, matches = home.words, _find(home.finder, rest, latin)
        if not latin:
            matches = home.without_cuts(rest, matches)
        if hangul:
            found += [(words[number], start, end) for number, start, end in matches]
            return _without_strays(spelt, _without_lookalikes(spelt, sorted(found, key=_START)))
        ignored = home.ignored
        tokens = [(words[number], start, end) for number, start, end in matches if number not in ignored]
        return _without_strays(spelt, sorted(tokens + found, key=_START) if found else tokens)


class WordFinder:
    """Words of a lexicon with what finds them in a text."""

    def __init__(self, words: Mapping[str, LexiconWord]) -> None:
        self.words = tuple(words.values())
        self.ignored = frozenset(number for number, word in enumerate(self.words) if word.role == "ignore")
        """Numbers of the ordinary words that look like atoms."""
        self.finder = AhoCorasick(list(words), matchkind=MatchKind.LeftmostLongest)
        self._longest = max(map(len, words), default=0)

    def without_cuts(self, text: str, matches: list[Match]) -> list[Match]:
        """The matches, none of them an ordinary word that cuts a term in two: 舌红花剥 is no 红花."""
        ignored = self.ignored
        cuts = [self._cut_term(text, start, end) for number, start, end in matches if number in ignored]
        if not any(cuts):
            return matches
        bounds = [0, *filter(None, cuts), len(text)]
        return [
            (number, start + first, end + first)
            for first, last in pairwise(bounds)
            for number, start, end in self.finder.find_matches_as_indexes(text[first:last])
        ]

    def _cut_term(self, text: str, start: int, end: int) -> int:
        """Where a term begins inside `start` to `end` and ends after it; 0 if none does."""
        beyond = self.finder.find_matches_as_indexes(text[start + 1 : end + self._longest])
        for number, a, b in beyond:
            if start + 1 + a < end < start + 1 + b and self.words[number].is_content:
                return start + 1 + a
        return 0


@dataclass(frozen=True, slots=True, eq=False)
class LexiconWord:
    """A word of a lexicon: the atoms it can stand for, or the role it has in a description."""

    role: str
    """`head`, `atom`, `headed` (both in one), `pattern`, or the name of its list of steering words."""
    text: str
    letters: int
    head: str = ""
    """The region it opens."""
    outside: bool = False
    """It is a head of another subject."""
    inner: bool = False
    """It opens its region only inside the subject."""
    mention: bool = False
    """It is exactly a head and only names its region, so a negation does not apply to it."""
    readings: Mapping[str, tuple[Atom, ...]] = field(default_factory=dict)
    """Its atoms by region; "" if their axis has no region."""
    only: tuple[Atom, ...] = ()
    """Its only reading, if it has exactly one and is not bound to a region."""
    weak: bool = False
    """A Hangul word that counts only in a compound or after a head."""
    stray: bool = False
    """It counts only with a head or another term, or if its clause has no other letters: 黄 is no atom in 黄芪."""
    bound: bool = False
    """It counts only in the region of its reading."""
    manner: bool = False
    """After a similar atom it only describes that one."""
    denied: frozenset[str] = frozenset()
    """Names of the atoms that a pattern denies."""
    latin: bool = field(init=False)
    """It is written in Latin letters."""
    formal: bool = field(init=False)
    """It can be part of a form: a colon, an answer, or a head that is an atom too."""

    def __post_init__(self) -> None:
        """Derive what is asked for most often."""
        object.__setattr__(self, "latin", is_latin(self.text[0]))
        object.__setattr__(self, "formal", self.role in FORMAL or (self.mention and bool(self.readings)))

    @property
    def stated(self) -> list[Atom]:
        """Every atom it can stand for."""
        return [atom for atoms in self.readings.values() for atom in atoms]

    @property
    def is_content(self) -> bool:
        """Whether it is a head, an atom or a pattern, not a steering word."""
        return self.role in ("head", "atom", "headed", "pattern")


def _find(finder: AhoCorasick, text: str, latin: bool) -> list[Match]:
    matches = finder.find_matches_as_indexes(text)
    return _whole_words(finder, text, matches) if latin else matches


def _whole_words(finder: AhoCorasick, text: str, matches: Sequence[Match]) -> list[Match]:
    """Keep the matches of lexicon words that are whole Latin words: red is no part of tired.

    A colon at the end of another match is kept: the last letter of "Movement:" is no "T:".
    """
    kept: list[Match] = []
    for match in matches:
        _, start, end = match
        if not (_is_inside(text, start) or _is_inside(text, end)):
            kept.append(match)
        elif text[end - 1] == ":":
            kept += [(number, end - 1, end) for number, _, _ in finder.find_matches_as_indexes(":")]
    return kept


def _is_inside(text: str, at: int) -> bool:
    return 0 < at < len(text) and is_latin(text[at - 1]) and is_latin(text[at])


def is_latin(character: str) -> bool:
    """Whether a character is a Latin letter, with or without marks, for the scanner of clinical terms."""
    return character < _AFTER_LATIN and character.isalpha()


SMALL_LETTERS: Final = {
    ord(capital): capital.lower()
    for capital in filter(is_latin, map(chr, range(ord(_AFTER_LATIN))))
    if capital.lower() != capital and len(capital.lower()) == 1  # positions must not shift
}
"""Latin capitals and their small letters, for `str.translate`."""


def _without_strays(text: str, tokens: list[Token]) -> list[Token]:
    """Remove words that merely contain the character of an atom: 根据, 黄芪, red dates.

    A stray word counts if

    - a head stands before it in its clause (舌质总的来说偏红), or in its run of known words,
    - another atom stands in its run (边有齿痕),
    - it is a location that begins the clause, and 有 follows it (中央有一道深沟), or
    - the clause has no letters besides the run (红).
    """
    covered = 0
    for _, start, end in tokens:
        covered += end - start
    if covered == len(text):
        return tokens
    kept: list[Token] = []
    clause: list[Token] = []
    begun = 0
    led = False
    for number, token in enumerate(tokens):
        role = token[0].role
        if role not in ("stop", "colon") or (clause and clause[-1][0].latin and lists_adjectives(tokens, number)):
            clause.append(token)
            continue
        kept += [*_clause_without_strays(text, clause, begun, token[1], led), token]
        led = role == "colon" and (led or _leads(clause))
        clause, begun = [], token[2]
    return kept + _clause_without_strays(text, clause, begun, len(text), led)


def lists_adjectives(tokens: Sequence[Token], comma: int) -> bool:
    """Whether a comma parts adjectives in Latin letters before their head: a yellow, greasy coating."""
    if tokens[comma][0].text != "," or tokens[comma - 1][0].role != "atom":
        return False
    for word, _, _ in tokens[comma + 1 : comma + 1 + LIST_REACH]:
        if word.head:
            return not word.readings
        if word.role not in ("atom", "pattern", "join", "degree") and word.text != ",":
            return False
    return False


def _clause_without_strays(text: str, clause: list[Token], begun: int, ended: int, led: bool) -> list[Token]:
    """Remove the strays of a clause, or of its part before or after a colon; `led` by a head before the colon."""
    if led or not any(word.stray for word, _, _ in clause):
        return clause
    runs: list[list[Token]] = [[]]
    at = begun
    for token in clause:
        if _LETTER.search(text, at, token[1]) and not _ADVERBS.fullmatch(text, at, token[1]):
            runs.append([])
        runs[-1].append(token)
        at = token[2]
    if len(runs) == 1 and not _LETTER.search(text, at, ended):
        return clause
    kept: list[Token] = []
    led = led or _locates(runs[0])
    for run in runs:
        led = led or _leads(run)
        trusted = led or sum([word.is_content for word, _, _ in run]) > 1
        first = next((word.role for word, _, _ in run if word.role != "glue"), "")
        trusted = trusted or (first == "at" and _stated(kept))  # red dots cluster at the tip
        trusted = trusted or first == "not_list"  # no cracks or lumps
        kept += run if trusted else [token for token in run if not token[0].stray]
    return kept


def _stated(tokens: Sequence[Token]) -> bool:
    return any(word.is_content for word, _, _ in tokens)


def _leads(tokens: Sequence[Token]) -> bool:
    """Whether one of these words is a head, and not only inside the subject."""
    return any(word.head and not word.inner for word, _, _ in tokens)


def _locates(tokens: Sequence[Token]) -> bool:
    """Whether a location stands in these words with 有 after it, glue between them: 边上有."""
    said = [word for word, _, _ in tokens if word.role != "glue"]
    return any("" in word.readings and after.role == "break" for word, after in pairwise(said))


def _without_lookalikes(text: str, tokens: list[Token]) -> list[Token]:
    """Remove from the tokens of a Hangul text ordinary words that only look like terms.

    박, 강 and 조 are syllables of many ordinary words. A weak word (one syllable, or marked weak) counts only

    - in a compound of terms that fills its whole written word: 박백, 설홍, 황니태,
    - where only known words and adverbs stand between it and a head, a term or the name of an aspect before it:
      설질은 홍하고, 태가 반쯤 벗겨짐, 색은 옅음,
    - as a head that is a written word by itself: 맥은, 혀가,
    - before a head: 누런 설태.

    So 상태, 1회 and 조절 do not describe a tongue.
    """
    kept: list[Token] = []
    ends = _touching_ends(text, tokens)
    at, linked = 0, False
    for number, token in enumerate(tokens):
        word, start, _ = token
        if start < at or word.role == "ignore":  # already taken with the word before it
            continue
        near = linked
        if linked and _LETTER.search(text, at, start):
            near = all(word.endswith(ADVERB_ENDINGS) for word in _WRITTEN.findall(text, at, start))
        touching = kept[-1:] if start == at else []
        taken = [token]
        if word.weak and word.is_content:
            last = ends[number]
            if not _is_whole(text, start, tokens[last][2], bool(touching)):
                continue
            taken = tokens[number : last + 1]
            alone = not near and not _is_compound([each for each, _, _ in (*touching, *taken)])
            if alone and not _describes_next(text, tokens, last, ends) and not _locates_next(tokens, number):
                continue
        elif word.weak and not touching and not _stands_alone(text, tokens, number, ends):
            continue
        kept += taken
        at = taken[-1][2]
        linked = near or word.role == "aspect" or any(each.is_content for each, _, _ in taken)
    return kept


def _stands_alone(text: str, tokens: Sequence[Token], number: int, ends: Sequence[int]) -> bool:
    """Whether a steering word of one syllable is a written word of its own: 및, 더; endings never are."""
    word, start, _ = tokens[number]
    return word.role not in ("endings", "either") and _is_whole(text, start, tokens[ends[number]][2], touching=False)


def _describes_next(text: str, tokens: Sequence[Token], last: int, ends: Sequence[int]) -> bool:
    """Whether a head that is no part of an ordinary word begins the next written word: 누런 설태, 마른 혀."""
    if last + 1 == len(tokens):
        return False
    _, begun, ended = tokens[last]
    if ended - begun == 1 and not is_adnominal(text[begun]):  # 치료 후 설태: after
        return False
    if text[ended - 1] in CONNECTIVES:  # 조명이 어두워 설색은
        return False
    word, start, _ = tokens[last + 1]
    if not word.head or word.outside or text[ended:start] != " ":
        return False
    return not word.weak or _is_whole(text, start, tokens[ends[last + 1]][2], touching=False)


def _locates_next(tokens: Sequence[Token], number: int) -> bool:
    """Whether a word is a location, and the next term of the clause no ordinary word: 가장자리에 어반."""
    if "" not in tokens[number][0].readings:
        return False
    for word, _, _ in tokens[number + 1 : number + 1 + LIST_REACH]:
        if word.is_content:
            return not word.weak and not word.outside
        if word.role == "stop":
            return False
    return False


def _touching_ends(text: str, tokens: Sequence[Token]) -> list[int]:
    """For each token, the last token that follows it without a gap in the same written word."""
    ends = list(range(len(tokens)))
    for number in range(len(tokens) - 2, -1, -1):
        word, start, _ = tokens[number + 1]
        if tokens[number][2] == start and is_hangul(text[start]) and word.role != "ignore":
            ends[number] = ends[number + 1]
    return ends


def _is_whole(text: str, start: int, end: int, touching: bool) -> bool:
    """Whether the written word around `start` to `end` contains known words alone."""
    begun = touching or start == 0 or not text[start - 1].isalnum()
    return begun and (end == len(text) or not is_hangul(text[end]))


def _is_compound(words: Sequence[LexiconWord]) -> bool:
    """Whether words are a head alone, or neighbours of which two share a region and none contradict."""
    stated = [word for word in words if word.is_content]
    if len(stated) == 1:
        return stated[0].mention
    shared = False
    for a, b in pairwise(stated):
        fits = not _regions(a).isdisjoint(_regions(b)) or "" in _regions(a) | _regions(b)
        if not fits and not b.head and not (shared and stated[0].head):  # 설강건조: what follows a head is led by it
            return False
        shared = shared or fits
    return shared


def _regions(word: LexiconWord) -> frozenset[str]:
    if word.role == "pattern":
        return frozenset([""])
    return frozenset([word.head]) if word.head else frozenset(word.readings)


def has_letters(text: str) -> bool:
    """Whether any character of a text is a letter or digit."""
    return any(map(str.isalnum, text))


def is_hangul(character: str) -> bool:
    """Whether a character is a Hangul syllable, for the scanner of clinical terms."""
    return "가" <= character <= "힣"


def has_hangul(text: str) -> bool:
    """Whether any character of a text is a Hangul syllable."""
    return _HANGUL.search(text) is not None
