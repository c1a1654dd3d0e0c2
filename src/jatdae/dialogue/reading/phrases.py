"""Symptoms in the words that doctors use with patients: a noun and what is said of it, with little words between them.

In a lexicon `{다리|발목} ~ {붓/부어|저리/|부종}` stands for 다리가 부으면, 발목이 자주 저리거나 and 다리 부종 alike,
and `swelling ~ {legs|ankles}` for "swelling in both of your legs". A stem is marked by a stroke, behind which an
irregular infinitive may stand, as in `korean.yaml`; any ending may follow it. What has no stroke is a word as it is.
Without a noun (`~ 메스껍/메스꺼워`) a stem stands alone. The nouns are searched for in one pass, and only where one
stands is a pattern tried.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple
from unicodedata import normalize

from ahocorasick_rs import AhoCorasick, Implementation, MatchKind

from jatdae.dialogue.reading.concepts import PHRASED, Concept
from jatdae.dialogue.reading.korean_verbs import infinitives_of, read_told
from jatdae.dialogue.reading.words import LATIN

_OF_ITS_OWN: Final = ("때", "feel", "feels", "felt", "feeling")
"""How nouns end behind which a clause ends, and verbs in their place."""
_THERE: Final = ("있/", "없/")
_NOT: Final = re.compile(r"\b(?:not|never)\b|n't\b")
_DENIES: Final = re.compile("(?:^|[^가-힣])[안못] ")
_PARTICLES: Final = "이가은는도만을를의에까"
_KOREAN_GAP: Final = (
    f"(?:이나|이라도|까지|에서|에|[{_PARTICLES}])? ?"
    r"(?:(?:[가-힣]{1,4}[게히]|[가-힣]{1,3} 없이|[가-힣]{2,3} 듯이?|([가-힣]{1,2})\1|\d+(?:\.\d+)?도(?:까지|를|가)?"
    "|빨리|자주|많이|너무|더|더욱|좀|조금|약간|계속|갑자기|자꾸|확|푹|뚝|부쩍"
    "|점점|점차|다시|또|가끔|종종|늘|항상|잘|안|매우|아주|몹시|살짝|같이|함께|금방|이미|별로|전혀|거의|한쪽만|양쪽|모두"
    "|(?:아침|저녁|밤|낮|오후|새벽|요즘|최근)(?:에|마다|부터)?[는도]?) ){0,2}"
)
"""A particle, and what may stand before a Korean predicate."""
_ENGLISH_GAP: Final = (
    "(?: (?:in|of|on|at|to|into|under|below|behind|across|out|coming|around|from|with|down|your|the|my|her|his|their|a"
    "|an|any|one|both|either|lower|upper"
    "|left|right|is|are|was|were|be|been|being|has|have|feels?|felt|feeling|gets?|got|getting|becomes?|becoming|looks?"
    "|looking|seems?|starts?|started|begins?|goes|going|turns?|turned|turning|keeps?|bit|little|lot|very|more|much"
    "|quite|so|really|still|suddenly|always|often|all|that|not|never|don't|doesn't|aren't|isn't|do|does|when|whenever"
    "|while|you|side|back)){0,4}[ -]"
)
"""What may stand between the two parts of an English phrase."""
_INFLECTED: Final = "(?:s|es|ing|ed|d)?(?![a-z0-9_])"
_FINALS: Final = tuple("\u11ab\u11af\u11b7\u11b8")
"""ㄴ ㄹ ㅁ ㅂ: finals that endings add to a vowel."""
_PAST, _RIEUL, _HIEUH = "\u11bb\u11af\u11c2"
_WEAK: Final = ("\u11b8", "\u11ba")
"""ㅂ and ㅅ, finals that irregular stems lose before a vowel."""


class Said(NamedTuple):
    """A phrase as it stands in a text."""

    concept: Concept
    start: int
    read_at: tuple[int, int]
    """What is read as any other name would be: its noun. If it has none, or one that is a clause or a verb of its own
    (소변볼 때, feel), what is said is read where it begins."""
    end: int
    kind: str
    """`verb`, a stem; `there`, one that says no more than that there is something (열이 없다); `less`, a stem with a
    word that denies (소변이 안 나오다); `not`, one that is denied ("eyes are not yellow"); or `word`."""


_Way = tuple[Concept, str]


class PhraseFinder:
    """Finds phrases in folded texts."""

    def __init__(self, phrases: Iterable[tuple[str, Concept]]) -> None:
        """Each phrase, as a lexicon writes it when its braces are expanded, comes with what it says."""
        given = [(*_parts(written), concept) for written, concept in phrases]
        had = {(noun, concept.id) for noun, stem, concept in given if stem == _THERE[0]}
        ways: dict[str, dict[str, _Way]] = {}
        for noun, stem, concept in given:
            there = stem in _THERE and (noun, concept.id) in had
            kind = "there" if there else "word" if "/" not in stem else "less" if _DENIES.search(stem) else "verb"
            for form in _forms(stem):
                ways.setdefault(noun, {}).setdefault(form, (concept, kind))
        alone = ways.pop("", {})
        found: dict[str, tuple[int, re.Pattern[str] | None, Mapping[str, _Way]]] = {}
        for noun, said in ways.items():
            pattern = _pattern(noun, said)
            for letter in _letters_behind(noun, said):
                found[noun + letter] = len(noun), pattern, said
        self._tried = [*found.values(), *((0, None, {"": way}) for way in alone.values())]
        """For each text that is searched for: how long its noun is, what must follow, and what that says."""
        self._finder = AhoCorasick(
            [*found, *alone], matchkind=MatchKind.LeftmostLongest, implementation=Implementation.DFA
        )

    def find(self, text: str) -> list[Said]:
        """The phrases of a folded text, in order; they do not overlap."""
        found: list[Said] = []
        last = 0
        for number, start, stop in self._finder.find_matches_as_indexes(text):
            before = text[start - 1] if start else " "
            if start < last or _is_hangul(before) or before in LATIN:
                continue
            length, pattern, ways = self._tried[number]
            read = pattern.match(text, start + length) if pattern else None
            if pattern and read is None:
                continue
            concept, kind = ways[read["said"] if read else ""]
            end = read.end() if read else stop
            if kind == "word" or _is_form(text, end):
                at = read.start("said") if read and text.endswith(_OF_ITS_OWN, start, start + length) else start
                read_at = (at, at) if at > start else (start, start + length)
                denied = read is not None and _NOT.search(text, start + length, read.start("said")) is not None
                found.append(Said(concept, start, read_at, end, "not" if denied else kind))
                last = end
        return found


def _letters_behind(noun: str, stems: Iterable[str]) -> Iterable[str]:
    """What may follow a noun at once, if that is worth knowing: one syllable or English word is part of many others."""
    if not _is_hangul(noun[-1]):
        return " ", "-"
    return {*_PARTICLES, " ", *(stem[0] for stem in stems)} if len(noun) == 1 else [""]


def _parts(written: str) -> tuple[str, str]:
    noun, _, stem = written.partition(PHRASED)
    return noun.strip(), stem.strip()


def _is_form(text: str, end: int) -> bool:
    """Whether the stem that ends here is one: 변이 검고, but not 변 검사."""
    stop = end
    while stop < len(text) and _is_hangul(text[stop]):
        stop += 1
    return stop == end or read_told(text[end - 1 : stop], 1) is not None


def _pattern(noun: str, ways: Mapping[str, _Way]) -> re.Pattern[str]:
    """What follows a noun in its phrases."""
    stems = "|".join(map(re.escape, sorted(ways, key=len, reverse=True)))
    first = "".join(map(re.escape, sorted({stem[0] for stem in ways})))
    said = f"(?=[{first}])(?P<said>{stems})"  # their first letters are asked first, because that is faster
    return re.compile(f"{_KOREAN_GAP}{said}" if _is_hangul(noun[-1]) else f"{_ENGLISH_GAP}{said}{_INFLECTED}")


def _forms(written: str) -> Iterator[str]:
    """How the forms of a stem begin: of 붓/부어 붓, 부어, 부었, 부으, 부은, 부을, 부음, 부읍."""
    stem, marked, irregular = written.partition("/")
    yield stem
    if not marked:
        return
    jamo = normalize("NFD", stem)
    for infinitive in [normalize("NFD", irregular)] if irregular else infinitives_of(jamo):
        yield normalize("NFC", infinitive)
        yield normalize("NFC", infinitive + _PAST)
    yield from _with_finals(jamo)
    if irregular and jamo[-1] in _WEAK:
        root = irregular[:-1] + ("우" if irregular.endswith("워") else "으")
        yield root
        yield from _with_finals(normalize("NFD", root))


def _with_finals(stem: str) -> Iterator[str]:
    """A stem, as jamo, with the finals that its endings add: 아픈, 아플; 준, 주는 of 줄다; 까만, 까마면 of 까맣다."""
    last = stem[-1]
    base = stem[:-1] if last in (_RIEUL, _HIEUH) else stem
    if "\u1161" <= base[-1] <= "\u1175":
        added = (*_FINALS, "는", "시") if last == _RIEUL else _FINALS
        for final in added if last != _HIEUH else ("", *_FINALS):
            yield normalize("NFC", base + final)


def _is_hangul(letter: str) -> bool:
    return "가" <= letter <= "힣"
