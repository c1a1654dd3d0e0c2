"""The rulebook for CSP: flags, patterns, and tests of which safety rules apply to a patient."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, Literal, NamedTuple

from jatdae.core.configfile import ConfigFile
from jatdae.core.messages import say as say_common
from jatdae.core.messages import speaker
from jatdae.core.yamlfile import KeyPath
from jatdae.dialogue.reading.concepts import Concept, ConceptLexicon
from jatdae.dialogue.reading.patterns import PatternSet
from jatdae.dialogue.reading.quantities import in_base_unit
from jatdae.dialogue.reading.truth import Item, Truth
from jatdae.dialogue.reading.words import fold
from jatdae.dialogue.rules.configfile import read_config_of
from jatdae.dialogue.rules.rulefile import (
    AnswerWords,
    Comparison,
    Condition,
    MissingRequirement,
    Rule,
    RulesFile,
    Thresholds,
)

RULES_FILE: Final = "safety_rules.yaml"
OPERATORS: Final[dict[str, Callable[[float, float], bool]]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip

PatientTest = Callable[[Truth, frozenset[str]], bool]
"""Whether a condition holds, given a patient and the flags of patient and question."""

say = speaker(__name__)


def load_rulebook(folder: Path | None, lexicon: ConceptLexicon) -> Rulebook:
    """Load the rulebook (safety rules for answers) of a configuration folder, or the bundled one."""
    return _RulebookMaker(read_config_of(folder, RULES_FILE, RulesFile), lexicon).rulebook()


class AnswerPattern(NamedTuple):
    """Concepts that a pattern on answers looks for besides its regular expressions."""

    concepts: frozenset[str]
    """Ids of drugs and classes."""
    not_own: bool


class Cause(NamedTuple):
    """Something that can make a safety rule apply: a fact of the patient's record, or what a question speaks of."""

    holds: PatientTest
    kind: Literal["age", "sex", "measured", "listed", "question"]
    about: str = ""
    """Id of the concept measured or listed, else a part of the name listed; for a question the name of its flag."""

    def facts(self, truth: Truth) -> list[tuple[str, str]]:
        """The facts, where it holds: slot of the record and what stands there, or `question` and the flag."""
        if self.kind == "measured":
            known = truth.by_id.get(self.about)
            return [(known.slot, truth.written(known))] if known else []
        if self.kind == "listed":
            return [(item.slot, item.name) for item in truth.items if self._is_of(item)]
        said = {"age": f"{truth.age:g}" if truth.age is not None else "", "sex": truth.sex, "question": self.about}
        return [(self.kind, said[self.kind])]

    def _is_of(self, item: Item) -> bool:
        return any(self.about in concept.above for concept in item.concepts) or self.about in fold(item.name)


class SafetyRule(NamedTuple):
    """A safety rule on answers; if it has turns, something that answers of these turns must say."""

    id: str
    name: str
    weight: float
    rationale: str
    citation: str
    applies: PatientTest
    patterns: tuple[str, ...]
    causes: tuple[Cause, ...]
    """What can make it apply, for its evidence."""
    turns: tuple[int, ...] = ()


@dataclass(frozen=True)
class Rulebook:
    """Safety rules with their flags and patterns, as checked."""

    flags: Mapping[str, PatientTest]
    questions: PatternSet
    answers: PatternSet
    answered: Mapping[str, AnswerPattern]
    rules: tuple[SafetyRule, ...]
    requirements: tuple[SafetyRule, ...]
    hash: str

    @cached_property
    def asking(self) -> Mapping[str, tuple[str, ...]]:
        """The answer patterns that look for a drug or class, by id of the drug or class."""
        asking: dict[str, tuple[str, ...]] = {}
        for name, looked in self.answered.items():
            for identity in looked.concepts:
                asking[identity] = (*asking.get(identity, ()), name)
        return asking


class _RulebookMaker:
    """Makes tests of the content of the file. Every name is looked up where it is used; unknown ones are collected."""

    def __init__(self, file: ConfigFile[RulesFile], lexicon: ConceptLexicon) -> None:
        self.file, self.lexicon = file, lexicon
        self.flags: dict[str, Iterable[str]] = {
            "patient_flag": file.content.patient_flags,
            "question_flag": file.content.question_flags,
        }
        self.causes: dict[str, list[Cause]] = {}
        """By name of a patient flag."""

    def rulebook(self) -> Rulebook:
        given = self.file.content
        flags = {name: self._flag(value, ("patient_flags", name)) for name, value in given.patient_flags.items()}
        answered = {
            name: self._answered(value, ("answer_patterns", name)) for name, value in given.answer_patterns.items()
        }
        rules = [self._rule(rule, ("rules", at)) for at, rule in enumerate(given.rules)]
        needed = [
            self._requirement(rule, ("missing_requirements", at)) for at, rule in enumerate(given.missing_requirements)
        ]
        self._refuse_equal_ids()
        self.file.finish()
        questions = [(name, pattern) for name, value in given.question_flags.items() for pattern in value.both()]
        answers = [(name, pattern) for name, value in given.answer_patterns.items() for pattern in value.both()]
        return Rulebook(
            flags,
            PatternSet(questions),
            PatternSet(answers),
            answered,
            tuple(rules),
            tuple(needed),
            self.file.sha256[:8],
        )

    def _refuse_equal_ids(self) -> None:
        given = self.file.content
        seen: dict[str, str] = {}
        ids = [(("rules", at, "id"), rule.id) for at, rule in enumerate(given.rules)]
        ids += [(("missing_requirements", at, "id"), rule.id) for at, rule in enumerate(given.missing_requirements)]
        for path, identity in ids:
            if identity in seen:
                self.file.complain(path, say("id_taken", id=identity, first=seen[identity]))
            seen.setdefault(identity, self.file.place(path))

    def _answered(self, value: AnswerWords, path: KeyPath) -> AnswerPattern:
        named = [
            self._medication(name, (*path, "medication_classes", at))
            for at, name in enumerate(value.medication_classes)
        ]
        return AnswerPattern(frozenset(each.id for each in named if each), value.other_than_active)

    def _rule(self, rule: Rule, path: KeyPath) -> SafetyRule:
        names = rule.violation_if_answer_matches_any
        if names is None:
            names = (rule.violation_if_answer_matches or "",)
            self._check_pattern(names[0], (*path, "violation_if_answer_matches"))
        else:
            for at, name in enumerate(names):
                self._check_pattern(name, (*path, "violation_if_answer_matches_any", at))
        return self._made(rule, path, names)

    def _requirement(self, rule: MissingRequirement, path: KeyPath) -> SafetyRule:
        for at, name in enumerate(rule.required_concepts_any_of):
            self._check_pattern(name, (*path, "required_concepts_any_of", at))
        return self._made(rule, path, rule.required_concepts_any_of)._replace(turns=rule.apply_to_turns)

    def _check_pattern(self, name: str, path: KeyPath) -> None:
        self.file.one_of(path, name, self.file.content.answer_patterns)

    def _made(self, rule: Rule | MissingRequirement, path: KeyPath, patterns: tuple[str, ...]) -> SafetyRule:
        applies = self._when(rule.when, (*path, "when")) if rule.when else _always
        causes = tuple(self._causes(rule.when)) if rule.when else ()
        weight = abs(rule.penalty)
        return SafetyRule(rule.id, rule.name, weight, rule.rationale, rule.citation, applies, patterns, causes)

    def _causes(self, given: Condition) -> Iterator[Cause]:
        """What can make a rule apply; what must be absent for it is no cause."""
        kind, value = given.test()
        if kind in ("any", "all"):
            for each in value:
                yield from self._causes(each)
        elif not given.wanted:
            return
        elif kind == "patient_flag":
            yield from self.causes.get(value, ())
        elif kind == "question_flag":
            yield Cause(lambda _, flags: f"question_flag:{value}" in flags, "question", value)
        else:
            categories = ("drug_class", "drug") if kind == "medication_class" else ("condition", "symptom")
            concept = self.lexicon.by_key(value, categories)
            yield Cause(_always, "listed", concept.id if concept else fold(value))

    def _flag(self, value: Thresholds, path: KeyPath) -> PatientTest:
        """The test whether the thresholds of a patient flag hold."""
        how = "all" if value.any is None else "any"
        listed = value.any or value.all or ()
        tests = [self._comparison(each, (*path, how, at)) for at, each in enumerate(listed)]
        self.causes[str(path[-1])] = [self._cause(each, test) for each, test in zip(listed, tests, strict=True)]
        return _several(tests, how == "any")

    def _cause(self, given: Comparison, test: PatientTest) -> Cause:
        slot, _, measure = given.field.partition(".")
        if slot == "age":
            return Cause(test, "age")
        if slot == "sex":
            return Cause(test, "sex")
        concept = self.lexicon.by_key(measure)
        return Cause(test, "measured", concept.id if concept else "")

    def _comparison(self, given: Comparison, path: KeyPath) -> PatientTest:
        compare, value = OPERATORS[given.op], given.value
        slot, _, measure = given.field.partition(".")
        if not self.file.one_of((*path, "field"), slot, ("age", "sex", "labs", "vitals")):
            return _always
        if slot == "sex":
            self.file.one_of((*path, "value"), str(value), ("female", "male"))
            return lambda truth, _: bool(truth.sex) and (truth.sex == value) == (compare is operator.eq)
        if isinstance(value, str):
            wanted = say_common("kind_number")
            self.file.complain((*path, "value"), say_common("config_kind", wanted=wanted, given=repr(value)))
            return _always
        if slot == "age":
            return lambda truth, _: truth.age is not None and compare(truth.age, value)
        known = self.lexicon.keys("lab" if slot == "labs" else "vital")
        concept = self.lexicon.by_key(measure)
        if not self.file.one_of((*path, "field"), measure, known) or concept is None:
            return _always
        unit = fold(given.unit)
        limit = in_base_unit(value, concept, unit)
        if limit is None:
            self.file.one_of((*path, "unit"), unit, concept.units)
        return _measured(concept, compare, limit or 0.0)

    def _when(self, given: Condition, path: KeyPath) -> PatientTest:
        """The test whether a rule applies."""
        kind, value = given.test()
        if kind in ("any", "all"):
            return _several([self._when(each, (*path, kind, at)) for at, each in enumerate(value)], kind == "any")
        return self._condition(kind, value, given.wanted, (*path, kind))

    def _condition(self, kind: str, value: str, wanted: bool, path: KeyPath) -> PatientTest:
        if kind in self.flags:
            self.file.one_of(path, value, self.flags[kind])
            mark = f"{kind}:{value}"
            return lambda _, flags: (mark in flags) == wanted
        if kind == "medication_class":
            concept = self._medication(value, path)
        else:
            concept = self.lexicon.by_key(value, ("condition", "symptom"))
        if concept is not None:
            identity = concept.id
            return lambda truth, _: (identity in truth.above) == wanted
        part = fold(value)
        slots = ("primary_condition", "comorbidities")
        return lambda truth, _: any(part in fold(i.name) for s in slots for i in truth.of(s)) == wanted

    def _medication(self, name: str, path: KeyPath) -> Concept | None:
        """The drug or class with a name; None, with a complaint, if there is none."""
        concept = self.lexicon.by_key(name, ("drug_class", "drug"))
        if concept is None:
            self.file.one_of(path, name, self.lexicon.keys("drug_class", "drug"))
        return concept


def _always(_: Truth, __: frozenset[str]) -> bool:
    return True


def _several(tests: list[PatientTest], enough: bool) -> PatientTest:
    """A test that holds if any of the tests does (`enough` is true), or if all do (`enough` is false)."""
    if len(tests) == 1:
        return tests[0]

    def test(truth: Truth, flags: frozenset[str]) -> bool:
        for each in tests:
            if each(truth, flags) == enough:
                return enough
        return not enough

    return test


def _measured(concept: Concept, compare: Callable[[float, float], bool], limit: float) -> PatientTest:
    def test(truth: Truth, _: frozenset[str]) -> bool:
        known = truth.measure(concept)
        if known is None:
            return False
        number = in_base_unit(known.number, concept, known.unit)
        return compare(known.number if number is None else number, limit)

    return test
