"""The extractor behind all dialogue scores: the concepts a text mentions, where, with what value, how meant."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from operator import attrgetter
from pathlib import Path
from typing import Final, NamedTuple

from ahocorasick_rs import AhoCorasick, Implementation, MatchKind

from jatdae.dialogue.reading.concepts import MEASURED, Concept, ConceptLexicon, Surface, load_lexicon, stamp_of
from jatdae.dialogue.reading.context import NOT_PATIENT, Assertion, Context
from jatdae.dialogue.reading.patterns import Encoded
from jatdae.dialogue.reading.quantities import Quantity, find_ages, find_dose, find_quantity
from jatdae.dialogue.reading.words import LATIN, fold

AGE: Final = Concept("demographic:age", "age", "age")
_PARTICLE: Final = re.compile(
    "[은는이가을를의에로과와랑도만나든라며고요인일입께및]|으로|까지|부터|처럼|보다|[등자한]|섭취|자제|마시"
)
"""What may follow a word of one syllable; before other syllables it is part of another word."""
_ADJECTIVE: Final = "성"
"""After a disease it makes another word (당뇨성, 고혈압성)."""
_FIGURE: Final = re.compile(r"(?:\s*(?:[:=(]|is|was|of|at|[이은는가])\s*|\s+)\d+(?:[.,]\d+)*(?!\d|\s*m?g(?![a-z/]))")
"""A measured value right after a word, but not a mass of food."""
_SEXES: Final = {"M": "demographic:male", "F": "demographic:female"}
"""Letters that tell the sex right after an age: 71F."""
_place: Final = attrgetter("start")
_BOUND: Final = Assertion("affirmed", NOT_PATIENT, "other", "")


def extract(text: str, lexicon: Path | None = None) -> tuple[Mention, ...]:
    """Find the medical concepts that an answer mentions, in order."""
    return load_extractor(lexicon).read(text).mentions


def load_extractor(lexicon: Path | None = None) -> Extractor:
    """Load what finds the mentions in an answer, for the bundled medical lexicon or the user's own."""
    return _compiled(lexicon, stamp_of(lexicon))


@lru_cache(maxsize=8)
def _compiled(lexicon: Path | None, _: tuple[int, int]) -> Extractor:
    return Extractor(load_lexicon(lexicon))


class Mention(NamedTuple):
    """A mention of a medical concept in a text: where, with what value, and how it is meant."""

    concept: Concept
    start: int
    end: int
    text: str
    value: Quantity | None
    polarity: str
    status: str
    subject: str
    advice: str

    @property
    def category(self) -> str:
        """The category of the concept."""
        return self.concept.category


class Passage(NamedTuple):
    """A text with the medical concepts it mentions."""

    text: str
    folded: str
    encoded: Encoded
    """The folded text, for patterns."""
    mentions: tuple[Mention, ...]
    context: Context


class _Edges(NamedTuple):
    concept: Concept | None
    exact: str
    latin_left: bool
    latin_right: bool
    hangul_left: bool
    syllable: bool
    disease: bool
    figured: Concept | None


_Table = tuple[AhoCorasick, tuple[_Edges, ...]]
_Places = list[tuple[Concept, int, int]]


class Extractor:
    """Finds the concepts of a medical lexicon in texts."""

    def __init__(self, lexicon: ConceptLexicon) -> None:
        self.lexicon = lexicon
        hints = [s for s in lexicon.surfaces if s.concept and s.concept.category == "hint"]
        named = [s for s in lexicon.surfaces if not (s.concept and s.concept.category == "hint")]
        self._named = _compile(named), tuple(_edges(s) for s in named)
        self._hints = _compile(hints), tuple(_edges(s) for s in hints)
        self.concepts = lru_cache(maxsize=4096)(self._concepts)
        """The concepts in a name, whatever is said about them; cached, because patients share many names."""

    def read(self, text: str) -> Passage:
        """The text with its mentions, in order."""
        return self.read_all([text])[0]

    def read_all(self, texts: Iterable[str]) -> list[Passage]:
        """Several texts with their mentions. Each step runs over all texts, so that its tables stay in the cache."""
        written = [unicodedata.normalize("NFC", text) for text in texts]
        folded = [fold(text) for text in written]
        named = [self._find(*each, self._named) for each in zip(written, folded, strict=True)]
        hints = [self._find(*each, self._hints) for each in zip(written, folded, strict=True)]
        return list(map(self._passage, written, folded, named, hints))

    def _passage(self, text: str, folded: str, named: _Places, hints: _Places) -> Passage:
        context = Context(folded, [(start, end) for _, start, end in named])
        mentions = self._meant(text, folded, named, context)
        for concept, start, end in hints:  # searched separately, so that no hint hides a concept
            mentions.append(Mention(concept, start, end, text[start:end], None, *context.read(start, end, "hint")))
        mentions.sort(key=_place)
        return Passage(text, folded, Encoded(folded, "utf-8"), tuple(mentions), context)

    def _concepts(self, text: str) -> tuple[tuple[Concept, int, int], ...]:
        return tuple(self._find(text, fold(text), self._named))

    def _find(self, text: str, folded: str, table: _Table) -> _Places:
        found = []
        size = len(folded)
        finder, edges = table
        for number, start, end in finder.find_matches_as_indexes(folded):
            concept, exact, latin_left, latin_right, hangul_left, syllable, disease, figured = edges[number]
            if figured and _FIGURE.match(folded, end):
                concept = figured
            if concept is None:
                continue
            before = folded[start - 1] if start else " "
            after = folded[end] if end < size else " "
            if latin_left and before in LATIN:
                continue
            if latin_right and after in LATIN:
                plural = after == "s" and not (end + 1 < size and folded[end + 1] in LATIN)
                if not plural or exact:
                    if " " in folded[start:end]:  # a longer name that runs into another word hides a shorter one
                        cut = folded.rfind(" ", start, end) + 1
                        inner = self._find(text[start:cut], folded[start:cut], table)
                        found += [(c, start + at, start + to) for c, at, to in inner]
                    continue
            if hangul_left and "가" <= before <= "힣":
                continue
            if "가" <= after <= "힣" and (
                (syllable and not _PARTICLE.match(folded, end)) or (disease and after == _ADJECTIVE)
            ):
                continue
            if exact and (text[start:end] != exact or (len(exact) == 2 and after == "-")):
                continue
            found.append((concept, start, end))
        return found

    def _meant(self, text: str, folded: str, found: _Places, context: Context) -> list[Mention]:
        made: list[Mention | None] = [None] * len(found)
        ages = []
        for start, end, age in find_ages(text, folded):
            reading = context.read(start, end, "age", True)
            if reading.status == "patient_fact" and reading.polarity == "affirmed":
                context.mark_evident(start)
            ages.append(Mention(AGE, start, end, text[start:end], age, *reading))
            sex = self.lexicon.concepts.get(_SEXES.get(text[end : end + 1], ""))
            if sex:
                ages.append(Mention(sex, end, end + 1, text[end], None, *reading))
        last = len(found) - 1
        for at, (concept, start, end) in enumerate(found):
            if concept.category in MEASURED:
                limit = found[at + 1][1] if at < last else len(folded)
                limit = _beyond_twin(found, at, limit, len(folded))
                value = find_quantity(folded, concept, start, end, limit)
                short = end - start <= 2 and folded[start] in LATIN
                if short and value is None:
                    continue
                exact = value is not None and not value.compare
                reading = context.read(start, end, concept.category, exact, *([value.end] if value else []))
                if value is not None and value.compare == "range" and reading.status == "patient_fact":
                    reading = _BOUND
                if exact and reading.status == "patient_fact":
                    context.mark_evident(start)
                made[at] = Mention(concept, start, end, text[start:end], value, *reading)
        for at, (concept, start, end) in enumerate(found):
            category = concept.category
            if category in MEASURED:
                continue
            dose = find_dose(folded, end) if category == "drug" else None
            made[at] = Mention(concept, start, end, text[start:end], dose, *context.read(start, end, category))
        return [mention for mention in made if mention is not None] + ages


def _beyond_twin(found: _Places, at: int, limit: int, size: int) -> int:
    """ "HbA1c(당화혈색소) 8.2%": the second name of the same test does not end the search for its value."""
    if at + 1 < len(found) and found[at + 1][0] is found[at][0]:
        return found[at + 2][1] if at + 2 < len(found) else size
    return limit


def _compile(surfaces: list[Surface]) -> AhoCorasick:
    words = [surface.text for surface in surfaces]
    return AhoCorasick(words, matchkind=MatchKind.LeftmostLongest, implementation=Implementation.ContiguousNFA)


def _edges(surface: Surface) -> _Edges:
    text, concept = surface.text, surface.concept
    hangul = "가" <= text[-1] <= "힣"
    return _Edges(
        concept,
        surface.exact,
        text[0] in LATIN,
        text[-1] in LATIN,
        "가" <= text[0] <= "힣",
        hangul and len(text) == 1,
        hangul and concept is not None and concept.category == "condition",
        surface.figured,
    )
