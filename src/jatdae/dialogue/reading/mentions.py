"""The extractor behind all dialogue scores: the concepts a text mentions, where, with what value, how meant."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import accumulate
from operator import attrgetter
from pathlib import Path
from typing import Final, NamedTuple

from ahocorasick_rs import AhoCorasick, Implementation, MatchKind

from jatdae.dialogue.reading.alarms import mark_alarms
from jatdae.dialogue.reading.allergies import allergy_to, find_allergens
from jatdae.dialogue.reading.bounds import (
    is_aimed,
    is_standard,
    is_told,
)
from jatdae.dialogue.reading.concepts import MEASURED, Concept, ConceptLexicon, Surface, load_lexicon, stamp_of
from jatdae.dialogue.reading.context import Context
from jatdae.dialogue.reading.discourse import carry_on
from jatdae.dialogue.reading.judgements import find_called_normal, find_judgement
from jatdae.dialogue.reading.mention import Mention as Mention  # noqa: PLC0414 (others import it from here)
from jatdae.dialogue.reading.patterns import Span
from jatdae.dialogue.reading.persons import is_of_nobody, is_of_patient
from jatdae.dialogue.reading.phrases import PhraseFinder, Said
from jatdae.dialogue.reading.quantities import (
    Quantity,
    changed_from,
    find_ages,
    find_comparison,
    find_dose,
    find_quantities,
    is_given,
    is_of_then,
)
from jatdae.dialogue.reading.questions import as_second_person, diagnosed_before, quotes_the_model
from jatdae.dialogue.reading.statuses import CONDITIONAL, FACT, NOT_PATIENT, RECOMMENDED, Assertion
from jatdae.dialogue.reading.words import LATIN, fold

AGE: Final = Concept("demographic:age", "age", "age")
_PARTICLE: Final = re.compile(
    "[은는이가을를의에로과와랑도만나든라며고요인일입께및]|으로|까지|부터|처럼|보다|[등자한]|섭취|자제|마시"
)
"""What may follow a word of one syllable; before other syllables it is part of another word."""
_ADJECTIVE: Final = "성"
"""After a disease it makes another word (당뇨성, 고혈압성)."""
_FIGURE: Final = re.compile(
    r"(?:\s*(?:[:=(]|(?:is|was|came back)(?: [a-z]+){0,3}|of|at|[이은는가])\s*|\s+)"
    r"\d+(?:[.,]\d+)*(?!\d|\s*(?:m?g|iu|단위)(?![a-z/]))"
)
"""A measured value right after a word, but not a mass of food."""
_SEXES: Final = {
    "M": "demographic:male", "F": "demographic:female", "남": "demographic:male", "여": "demographic:female",
}  # fmt: skip
_SEX: Final = re.compile(r"\s?[/(]?([MF남여])(?![A-Za-z가-힣/])|([MF])(?=/)")
"""Letters that tell the sex right after an age: 71F, 67세 남."""
_PRESSURE: Final = re.compile(
    r"/(?<![^\d].)(\d{2,3})(?![\d/]|\.\d)|에 (?<!\D..)(\d{2,3})(?= ?(?:정도|쯤|가량|으?로|나[오와왔]|이[에었]|였))"
)
"""The second half of 150/95. The pattern begins with the stroke because that is fastest."""
_OVER: Final = re.compile(r" over (?<=\d over )(\d{2,3})()(?![\d/%]|\.\d)")
"""The second half of a pressure as it is spoken: 156 over 97."""
_SYSTOLIC: Final = re.compile(r"(?<![\d/.])\d{2,3}\Z")
_YOURS: Final = re.compile(
    r"yours(?<!\wyours)(?:,| is| was| at| came back at)+ (?=\d)"
    r"|your (?<!\wyour )(?:latest|last|current|most recent|newest|own|recent) "
    r"(?:reading|result|value|level|number|figure|one|check)"
    r"(?:,| is| was| of| at| came back at| came in at)+ (?=\d)"
)
_OWN_READING: Final = re.compile(
    r"\byour (?:[\w-]+ ){0,2}(?:readings?|results?|values?|levels?|numbers?|pressure|figures?) (?:of|is|was|at) $"
)
"""What before a value makes it the patient's, whatever it is called: "your reading of 124/78 is called elevated"."""
_ANY: Final = re.compile(r"\b(?:an?|any) (?:[a-z]+ ){0,2}$")
_place: Final = attrgetter("start")
_COUNTS: Final = re.compile(r"\s*(?:mg|mcg|g\b|정(?!도|상)|명|%|ml|점|patients|people|of\b)")
_JUDGED: Final = frozenset((*MEASURED, "hint", "condition"))
_GIVEN: Final = Assertion("affirmed", FACT, "patient", "")
_CONTROLLED: Final = re.compile("control|조절|관리")
"""What a condition can be judged by: a fever is not "normal", but diabetes is "well controlled"."""
_OF_ONE: Final = 160
"""How far before "yours is 112" its measurement may be named, in characters."""
_CLOSE: Final = 24
_SENTENCE: Final = 400
"""How far around a word its sentence is looked at, in characters."""
_AIMED: Final = Assertion("affirmed", RECOMMENDED, "patient", "for")
_BOUND: Final = Assertion("affirmed", NOT_PATIENT, "other", "")


def load_extractor(lexicon: Path | None = None) -> Extractor:
    """Load what finds the mentions in an answer, for the bundled medical lexicon or the user's own."""
    return _compiled(lexicon, stamp_of(lexicon))


@lru_cache(maxsize=8)
def _compiled(lexicon: Path | None, _: tuple[int, int]) -> Extractor:
    return Extractor(load_lexicon(lexicon))


class Judgement(NamedTuple):
    """A judgement of what is measured, without a value: "혈압은 정상입니다"."""

    mention: Mention
    says: str
    """normal, high, low or abnormal."""
    end: int


class Passage(NamedTuple):
    """A text with the medical concepts it mentions."""

    text: str
    folded: str
    encoded: bytes
    """The folded text in UTF-8, encoded once for all patterns."""
    mentions: tuple[Mention, ...]
    context: Context
    judgements: tuple[Judgement, ...] = ()
    judged: frozenset[Span] = frozenset()
    """Places of mentions whose status was given by a judge, who needs no plain words."""


class _Edges(NamedTuple):
    concept: Concept | None
    exact: str
    latin_left: bool
    latin_right: bool
    hangul_left: bool
    syllable: bool
    disease: bool
    figured: Concept | None
    also: tuple[Concept, ...]
    needs: tuple[str, ...]


_Table = tuple[AhoCorasick, tuple[_Edges, ...]]
_Places = list[tuple[Concept, int, int]]


class Extractor:
    """Finds the concepts of a medical lexicon in texts."""

    def __init__(self, lexicon: ConceptLexicon) -> None:
        self.lexicon = lexicon
        hints = [s for s in lexicon.surfaces if s.concept and s.concept.category == "hint"]
        named = [s for s in lexicon.surfaces if not (s.concept and s.concept.category == "hint")]
        self._named = _compile(named), tuple(_edges(s) for s in named)
        self._hints = _compile(hints, Implementation.DFA), tuple(_edges(s) for s in hints)
        self._phrases = PhraseFinder(lexicon.phrases)
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
        said = list(map(self._phrases.find, folded))
        hints = [self._find(*each, self._hints) for each in zip(written, folded, strict=True)]
        return list(map(self._passage, written, folded, named, said, hints))

    def read_own(self, text: str) -> tuple[Mention, ...]:
        """What patients say of themselves in a question: asserted, not asked, supposed, or said of others."""
        written = as_second_person(unicodedata.normalize("NFC", text))
        folded = fold(written)
        named, said = self._find(written, folded, self._named), self._phrases.find(folded)
        named, said, context = _placed(folded, named, said, own=True)
        read = self._meant(written, folded, named, context) + _as_said(written, said, context)
        told = [m for m in read if m.status == FACT and not quotes_the_model(folded, m.start)]
        named_before = diagnosed_before(folded, [m.start for m in read])
        told += [m._replace(status=FACT) for m in read if m.start in named_before and m.category == "condition"]
        return tuple(told)

    def _passage(self, text: str, folded: str, named: _Places, said: list[Said], hints: _Places) -> Passage:
        named, said, context = _placed(folded, named, said)
        mentions = self._meant(text, folded, named, context) + _as_said(text, said, context)
        for concept, start, end in hints:  # searched separately, so that no hint hides a concept
            reading = context.read(start, end, "hint")
            if find_judgement(folded, start, end):  # "신장 기능은 정상입니다" says what a value would
                judged = context.read(start, end, "lab", True)
                reading = judged if judged.status == FACT else reading
            mentions.append(Mention(concept, start, end, text[start:end], None, *reading))
        mentions.sort(key=_place)
        mentions = carry_on(folded, mentions, context)
        mark_alarms(mentions, folded, context)
        judgements = tuple(_judgements(folded, mentions))
        return Passage(text, folded, folded.encode(), tuple(mentions), context, judgements)

    def _concepts(self, text: str) -> tuple[tuple[Concept, int, int], ...]:
        folded = fold(text)
        found, said = _longest(self._find(text, folded, self._named), self._phrases.find(folded))
        return *found, *((each.concept, each.start, each.end) for each in said)

    def _find(self, text: str, folded: str, table: _Table) -> _Places:
        found: _Places = []
        size = len(folded)
        finder, edges = table
        for number, start, end in finder.find_matches_as_indexes(folded):
            concept, exact, latin_left, latin_right, hangul_left, syllable, disease, figured, also, needs = edges[
                number
            ]
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
                    found += self._hidden(text, folded, start, end, table)
                    continue
            if hangul_left and "가" <= before <= "힣":
                continue
            if "가" <= after <= "힣" and (
                (syllable and not _PARTICLE.match(folded, end)) or (disease and after == _ADJECTIVE)
            ):
                continue
            if exact and (text[start:end] != exact or (len(exact) == 2 and after == "-")):
                continue
            if needs and not _stands_near(folded, start, end, needs):
                continue
            found.append((concept, start, end))
            for other in also:
                found.append((other, start, end))
        return found

    def _hidden(self, text: str, folded: str, start: int, end: int, table: _Table) -> _Places:
        """What a longer name hides that runs into another word: the shorter ones before its last word."""
        cut = folded.rfind(" ", start, end) + 1
        inner = self._find(text[start:cut], folded[start:cut], table) if cut else []
        return [(concept, start + at, start + to) for concept, at, to in inner]

    def _meant(self, text: str, folded: str, found: _Places, context: Context) -> list[Mention]:
        """The mentions of an answer; ages and values first, for they show which clauses are about the patient."""
        made = [*self._ages(text, folded, context)]
        for at, (concept, start, end) in enumerate(found):
            if concept.category in MEASURED:
                limit = found[at + 1][1] if at + 1 < len(found) else len(folded)
                limit = _beyond_twin(found, at, limit, len(folded))
                made += self._measured(text, folded, context, (concept, start, end), limit)
        made += self._unnamed(text, folded, context, made, found)
        allergens = find_allergens(folded, found)
        for at, (named, start, end) in enumerate(found):
            concept = allergy_to(named) if at in allergens else named
            category = concept.category
            if category not in MEASURED:
                dose = find_dose(folded, end) if category == "drug" else None
                reading = context.read(start, end, category)
                if category == "sex":
                    reading = _whose(folded, start, end, category, reading)
                made.append(Mention(concept, start, end, text[start:end], dose, *reading))
        return made

    def _ages(self, text: str, folded: str, context: Context) -> Iterator[Mention]:
        for start, end, age in find_ages(text, folded):
            reading = context.read(start, end, "age", True)
            reading = _whose(folded, start, end, "age", reading)
            if reading.status == FACT and reading.polarity == "affirmed":
                context.mark_evident(start)
            yield Mention(AGE, start, end, text[start:end], age, *reading)
            if told := _SEX.match(text, end):
                sex = self.lexicon.concepts.get(_SEXES[told[1] or told[2]])
                if sex:
                    yield Mention(sex, told.start(1), told.end(1), told[1], None, *reading)

    def _unnamed(
        self, text: str, folded: str, context: Context, made: list[Mention], named: _Places
    ) -> Iterator[Mention]:
        """Values whose measurement is not named beside them: 150/95, and "yours is 112" after a sentence on LDL."""
        covered = sorted([(m.start, max(m.end, m.value.end)) for m in made if m.value is not None])
        begins = [first for first, _ in covered]
        ends = [0, *accumulate([last for _, last in covered], max)]  # of those that begin before
        pressure = self.lexicon.concepts.get("measure:blood_pressure")
        halves = list(_PRESSURE.finditer(folded)) if _may_pair(folded) else []
        halves += _OVER.finditer(folded) if " over " in folded else ()
        for found in halves if pressure else ():
            before = _SYSTOLIC.search(folded, max(0, found.start() - 4), found.start())
            if before is None:
                continue
            start, end = before.start(), found.end()
            high, low = float(before[0]), float(found[1] or found[2])
            likely = 70 <= high <= 260 and 40 <= low <= 150 and low < high and not _COUNTS.match(folded, end)
            if pressure and likely and ends[bisect_right(begins, start)] <= start:
                yield from self._valued(text, context, (pressure, start, end), Quantity(high, 0, "", low, end=end))
        yours = list(_YOURS.finditer(folded)) if "your" in folded else []
        ahead = sorted([each for each in made if each.category in MEASURED], key=_place, reverse=True) if yours else []
        above: Mention | None = None  # the last measurement before
        starts = sorted([at for _, at, _ in named]) if yours else []
        for found in yours:
            while ahead and ahead[-1].end <= found.start():
                above = ahead.pop()
            aside = folded.endswith("(", 0, found.start())  # "Anemia (yours is 11.8)": not of the test before
            far = above is not None and found[0].startswith("yours") and found.start() - above.end > _OF_ONE
            if above is None or far or (aside and bisect_left(starts, above.end) < bisect_left(starts, found.start())):
                continue
            concept = above.concept
            for _, value in find_quantities(folded, concept, found.start(), found.end() - 1, len(folded)):
                if concept.pair and value.second is None and not value.unit:
                    continue  # "Yours was 62 beats a minute"
                for above in self._valued(text, context, (concept, found.start(), found.end()), value):
                    yield above

    def _valued(
        self, text: str, context: Context, place: tuple[Concept, int, int], value: Quantity
    ) -> Iterator[Mention]:
        concept, start, end = place
        changed = changed_from(context.text, start, value.end)
        compare = "" if changed else find_comparison(context.text, start, value.end)
        reading = context.read(start, end, concept.category, not compare, value.end)
        if not compare and reading.status == CONDITIONAL and is_given(context.text, start, value.end):
            reading = _GIVEN
        if (
            not compare
            and reading.status == NOT_PATIENT
            and _OWN_READING.search(context.text, max(0, start - 32), start)
        ):
            reading = _GIVEN
        if (compare or is_standard(context.text, start, value.end)) and reading.status == FACT:
            reading = _BOUND
        if not changed and reading.status == FACT and is_aimed(context.text, value.end):
            reading = _AIMED
        then = not compare and reading.status == FACT and (changed or is_of_then(context.text, start, value.end))
        yield Mention(concept, start, end, text[start:end], value._replace(compare=compare, then=then), *reading)

    def _measured(
        self, text: str, folded: str, context: Context, place: tuple[Concept, int, int], limit: int
    ) -> Iterator[Mention]:
        """A measurement: one mention for each of its values (then and now), or one without."""
        concept, start, end = place
        values = find_quantities(folded, concept, start, end, limit)
        if not values:
            if end - start > 2 or folded[start] not in LATIN:  # two letters alone are no measurement: K, Na
                judged = find_judgement(folded, start, end) is not None
                reading = context.read(start, end, concept.category, judged)
                yield Mention(concept, start, end, text[start:end], None, *reading)
            return
        for at, found in values:
            value = found
            exact = not value.compare
            reading = context.read(start, end, concept.category, exact, value.end)
            if not value.then and is_aimed(folded, value.end):
                reading = _AIMED if reading.status == FACT else reading
                exact = False
            elif reading.status == FACT and is_standard(folded, at, value.end):
                reading, exact = _BOUND, False
            if value.compare and reading.status == FACT and _ANY.search(folded, max(0, start - 24), start):
                reading = _BOUND  # "a pulse below 45"
            given = reading.status == CONDITIONAL and is_given(folded, start, value.end)
            if exact and (given or (reading.status == NOT_PATIENT and is_told(folded, start, value.end))):
                reading = _GIVEN
            if value.compare == "range" and reading.status == FACT:
                reading = _BOUND
            if exact and reading.status == FACT:
                context.mark_evident(start)
                if len(values) == 1 and is_of_then(folded, start, value.end):
                    value = value._replace(then=True)
            yield Mention(concept, start, end, text[start:end], value, *reading)


def _whose(text: str, start: int, end: int, category: str, reading: Assertion) -> Assertion:
    """How an age or a sex is meant, with whose it is by what stands around it."""
    if is_of_patient(text, start, end, category, reading.status):
        return _GIVEN
    return _BOUND if reading.status == FACT and is_of_nobody(text, start, end, category) else reading


def _placed(folded: str, named: _Places, said: list[Said], own: bool = False) -> tuple[_Places, list[Said], Context]:
    """The names and phrases of a text, without those that are part of others, and the context they are read in."""
    if not said:
        return named, said, Context(folded, [(start, end) for _, start, end in named], own)
    named, said = _longest(named, said)
    spans = [(start, end) for _, start, end in named] + [each.read_at for each in said]
    return named, said, Context(folded, spans, own, tuple([each.end for each in said if each.kind in ("verb", "less")]))


def _longest(named: _Places, said: list[Said]) -> tuple[_Places, list[Said]]:
    """Names that are not part of a phrase, as the weight is of 체중이 줄면, and phrases that are not part of a name."""
    ends = {start: end for _, start, end in named}
    said = [each for each in said if ends.get(each.start, 0) < each.end]
    starts = [each.start for each in said]
    kept = []
    for place in named:
        at = bisect_right(starts, place[1]) - 1
        same = at >= 0 and place[1] < said[at].end and place[0] is said[at].concept  # 가슴 두근거림
        if at < 0 or not (same or place[2] <= said[at].end):
            kept.append(place)
    return kept, said


def _as_said(text: str, said: list[Said], context: Context) -> list[Mention]:
    """The mentions that phrases make; each is read as its noun would be."""
    made = []
    for concept, start, read_at, end, kind in said:
        reading = context.read(*read_at, concept.category)
        if kind == "less" and reading.polarity == "negated":
            reading = reading._replace(polarity="affirmed")
        elif kind == "not" and reading.status in (FACT, CONDITIONAL):
            reading = reading._replace(polarity="negated")
        made.append(Mention(concept, start, end, text[start:end], None, *reading))
    return made


def _judgements(text: str, mentions: list[Mention]) -> Iterator[Judgement]:
    """The judgements of an answer; they are patient facts wherever a value would be."""
    for mention in mentions:
        category = mention.category
        if mention.status != FACT or category not in _JUDGED:
            continue
        if value := mention.value:
            called = find_called_normal(text, value.end)
            if called and not (value.compare or value.then):
                yield Judgement(mention._replace(value=None), "normal", called)
            continue
        if category == "condition" and not _CONTROLLED.search(text, mention.end, mention.end + _CLOSE):
            continue
        judged = find_judgement(text, mention.start, mention.end)
        if judged is not None and mention.polarity == "affirmed":
            yield Judgement(mention, *judged)


def _stands_near(text: str, start: int, end: int, words: tuple[str, ...]) -> bool:
    """Whether one of some words stands in the sentence of a word that has other meanings as well."""
    first = text.rfind(". ", max(0, start - _SENTENCE), start) + 1 or max(0, start - _SENTENCE)
    last = text.find(". ", end, end + _SENTENCE)
    sentence = text[first : last if last >= 0 else end + _SENTENCE]
    return any(word in sentence for word in words)


def _beyond_twin(found: _Places, at: int, limit: int, size: int) -> int:
    """ "HbA1c(당화혈색소) 8.2%": the second name of the same test does not end the search for its value."""
    if at + 1 < len(found) and found[at + 1][0] is found[at][0]:
        return found[at + 2][1] if at + 2 < len(found) else size
    return limit


def _may_pair(text: str) -> bool:
    """Whether two numbers may stand together: 150/95, 150에 95. Asked first because the pattern takes longer."""
    if "/" in text:
        return True
    place = text.find("에 ")
    while place >= 0:
        if text[place - 1].isdigit():
            return True
        place = text.find("에 ", place + 1)
    return False


def _compile(surfaces: list[Surface], how: Implementation = Implementation.ContiguousNFA) -> AhoCorasick:
    return AhoCorasick([each.text for each in surfaces], matchkind=MatchKind.LeftmostLongest, implementation=how)


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
        surface.also,
        surface.needs,
    )
