"""The rulebook for CSP: flags, patterns, and tests of which safety rules apply to a patient."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from multiprocessing import parent_process
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from jatdae.core.configfile import ConfigFile
from jatdae.core.messages import LANGUAGES, speaker, texts_beside
from jatdae.core.messages import say as say_common
from jatdae.core.yamlfile import KeyPath
from jatdae.dialogue.reading.concepts import MEASURED, Concept, ConceptLexicon
from jatdae.dialogue.reading.patterns import PatternSet
from jatdae.dialogue.reading.quantities import in_base_unit
from jatdae.dialogue.reading.truth import NOT_OWN, Item, Truth
from jatdae.dialogue.reading.words import fold
from jatdae.dialogue.rules.configfile import Patterns, read_config_of
from jatdae.dialogue.rules.rulefile import (
    ANY_ALLERGY,
    AnswerWords,
    Comparison,
    Condition,
    MissingRequirement,
    Rule,
    RulesFile,
    Severity,
    Thresholds,
)

RULES_FILE: Final = "safety_rules.yaml"
OPERATORS: Final[dict[str, Callable[[float, float], bool]]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip

PERSONAL: Final = ("age", "sex", "pregnancy", "smoking", "alcohol")
"""Slots that say something of the patient rather than list something."""

PatientTest = Callable[[Truth, frozenset[str]], bool]
"""Whether a condition holds, given a patient and the flags of patient and question."""

say = speaker(__name__)


def load_rulebook(folder: Path | None, lexicon: ConceptLexicon) -> Rulebook:
    """Load the rulebook (safety rules for answers) of a configuration folder, or the bundled one.

    Names that no rule uses are warned about: a misspelt rule would be silent otherwise.
    """
    book = _RulebookMaker(read_config_of(folder, RULES_FILE, RulesFile), lexicon).rulebook()
    if book.unused and parent_process() is None:  # said once, not by each worker
        warnings.warn(say("unused_names", places=", ".join(book.unused)), stacklevel=2)
    return book


class AnswerPattern(NamedTuple):
    """What a pattern on answers looks for besides its regular expressions."""

    concepts: frozenset[str]
    """Ids of drugs and classes."""
    besides: frozenset[str]
    """Ids of drugs and classes among them that do not count."""
    allergens: bool
    not_own: bool
    act: str
    of_the_thing: bool = False
    from_before: bool = False
    from_opening: bool = False

    def covers(self, above: frozenset[str]) -> bool:
        """Whether a drug with these ids (its own and those of its classes) is meant."""
        return not self.concepts.isdisjoint(above) and self.counts(above)

    def counts(self, above: frozenset[str]) -> bool:
        """Whether a drug with these ids is none of those that do not count."""
        return self.besides.isdisjoint(above)


class Cause(NamedTuple):
    """Something that can make a safety rule apply: a fact of the patient's record, or what a question speaks of."""

    holds: PatientTest
    kind: Literal["age", "sex", "pregnancy", "smoking", "alcohol", "measured", "listed", "allergy", "question"]
    about: str = ""
    """Id of the concept measured or listed, else a part of the name listed; for a question the name of its flag."""

    def facts(self, truth: Truth) -> list[tuple[str, str]]:
        """The facts, where it holds: slot of the record and what stands there, or `question` and the flag."""
        if self.kind == "measured":
            known = truth.by_id.get(self.about)
            return [(known.slot, truth.written(known))] if known else []
        if self.kind in ("listed", "allergy"):
            own = {item.slot for item in truth.items} - NOT_OWN if self.kind == "listed" else {"allergies"}
            return [(item.slot, item.name) for item in truth.items if item.slot in own and self._is_of(item)]
        if self.kind in ("age", "sex", "question"):
            said = {"age": f"{truth.age:g}" if truth.age is not None else "", "sex": truth.sex, "question": self.about}
            return [(self.kind, said[self.kind])]
        return [(self.kind, written)] if (written := truth.said(self.kind)) else []

    def _is_of(self, item: Item) -> bool:
        return any(self.about in concept.above for concept in item.concepts) or self.about in fold(item.name)


class SafetyRule(NamedTuple):
    """A safety rule on answers; if it has turns, something that answers of these turns must say."""

    id: str
    name: str
    """The name as results carry it, whatever the language of the user: the English one of two."""
    names: Mapping[str, str]
    """Name by language; `""` for one in no stated language."""
    weight: float
    severity: str
    rationale: str
    citation: str
    applies: PatientTest
    patterns: tuple[str, ...]
    causes: tuple[Cause, ...] = ()
    """What can make it apply, for its evidence."""
    pair: tuple[str, ...] = ()
    """The patterns are two sides: a drug of one counts if the patient takes a drug of the other."""
    unless: tuple[str, ...] = ()
    turns: tuple[int, ...] = ()
    advised: tuple[str, ...] = ()
    """Patterns of which the answer must advise one for the requirement to apply."""
    elsewhere: PatientTest | None = None
    """Whether the requirement applies in other turns as well, where the answer names all of `planned`."""
    planned: tuple[str, ...] = ()


class Rulebook:
    """Safety rules with their flags and patterns, as checked."""

    def __init__(
        self,
        flags: Mapping[str, PatientTest],
        questions: PatternSet,
        answers: PatternSet,
        excuses: PatternSet,
        answered: Mapping[str, AnswerPattern],
        rules: tuple[SafetyRule, ...],
        requirements: tuple[SafetyRule, ...],
        unused: tuple[str, ...],
        digest: str,
    ) -> None:
        self.flags, self.questions, self.answers = flags, questions, answers
        self.excuses = excuses
        """Patterns that only excuse something: looked for where there is something to excuse, not in every answer."""
        self.answered, self.rules, self.requirements = answered, rules, requirements
        self.unused = unused
        """Flags and patterns that no rule refers to, as `name (file:line)`."""
        self.hash = digest
        self.asking_allergens = tuple([name for name, looked in answered.items() if looked.allergens])
        """The answer patterns that look for whatever the patient is allergic to."""
        self._asking: dict[str, tuple[str, ...]] = {}
        """The answer patterns that look for a drug or class, by id of the drug or class."""
        for name, looked in answered.items():
            for identity in looked.concepts:
                self._asking[identity] = (*self._asking.get(identity, ()), name)
        self._known: dict[str, tuple[str, ...]] = {}

    def patterns_for(self, concept: Concept) -> tuple[str, ...]:
        """The answer patterns that look for a drug or class of drugs; remembered, because answers repeat them."""
        names = self._known.get(concept.id)
        if names is None:
            asked = dict.fromkeys(name for identity in sorted(concept.above) for name in self._asking.get(identity, ()))
            names = tuple(name for name in asked if self.answered[name].besides.isdisjoint(concept.above))
            self._known[concept.id] = names
        return names


class _RulebookMaker:
    """Makes tests of the content of the file. Every name is looked up where it is used; unknown ones are collected."""

    def __init__(self, file: ConfigFile[RulesFile], lexicon: ConceptLexicon) -> None:
        self.file, self.lexicon = file, lexicon
        self.inline: dict[str, Patterns] = {}
        """Patterns that stand in a requirement itself, by the name they get."""
        self.used: set[tuple[str, str]] = set()
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
        searched = {**given.answer_patterns, **self.inline}
        answers = [(name, pattern) for name, value in searched.items() for pattern in value.both()]
        excusing = {name for rule in rules for name in rule.unless}
        sought = {name for rule in (*rules, *needed) for name in (*rule.patterns, *rule.advised, *rule.planned)}
        return Rulebook(
            flags,
            PatternSet(questions),
            PatternSet((name, pattern) for name, pattern in answers if name in sought),
            PatternSet((name, pattern) for name, pattern in answers if name in excusing),
            {**answered, **dict.fromkeys(self.inline, _WORDS_ONLY)},
            tuple(rules),
            tuple(needed),
            self._unused(),
            self.file.sha256[:8],
        )

    def _unused(self) -> tuple[str, ...]:
        given = self.file.content
        named = [("patient_flags", "patient_flag", name) for name in given.patient_flags]
        named += [("question_flags", "question_flag", name) for name in given.question_flags]
        named += [("answer_patterns", "answer_pattern", name) for name in given.answer_patterns]
        return tuple(
            f"{name} ({self.file.place((part, name)).partition(' ')[0]})"
            for part, kind, name in named
            if (kind, name) not in self.used
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
        return AnswerPattern(
            self._ids(value.medication_classes, (*path, "medication_classes")),
            self._ids(value.except_classes, (*path, "except_classes")),
            value.allergens,
            value.other_than_active,
            value.act,
            value.of_the_thing,
            value.from_before,
            value.from_opening,
        )

    def _ids(self, names: tuple[str, ...], path: KeyPath) -> frozenset[str]:
        """Ids of the drugs and classes with these names."""
        named = [self._medication(name, (*path, at)) for at, name in enumerate(names)]
        return frozenset(each.id for each in named if each)

    def _rule(self, rule: Rule, path: KeyPath) -> SafetyRule:
        unless = self._named(rule.unless_answer_matches_any, (*path, "unless_answer_matches_any"))
        if rule.pair:
            sides = self._named(rule.pair, (*path, "pair"))
            made = self._made(rule, path, sides)
            taken = [name for side in sides for name in self._medications(side)]
            causes = (*made.causes, *(self._listed("medication_class", name) for name in taken))
            applies = self._takes_either(taken, made.applies)
            return made._replace(pair=sides, unless=unless, applies=applies, causes=causes)
        if rule.violation_if_answer_matches is not None:
            name = rule.violation_if_answer_matches
            self._check_pattern(name, (*path, "violation_if_answer_matches"))
            names: tuple[str, ...] = (name,)
        else:
            names = self._named(rule.violation_if_answer_matches_any or (), (*path, "violation_if_answer_matches_any"))
        return self._made(rule, path, names)._replace(unless=unless)

    def _medications(self, side: str) -> tuple[str, ...]:
        """The drugs and classes that one side of a pair looks for."""
        pattern = self.file.content.answer_patterns.get(side)
        return pattern.medication_classes if pattern else ()

    def _takes_either(self, names: list[str], applies: PatientTest) -> PatientTest:
        """The test whether the patient takes one of these drugs, and the rest of `when` holds."""
        ids = self._ids(tuple(names), ())
        return lambda truth, flags: not ids.isdisjoint(truth.above) and applies(truth, flags)

    def _requirement(self, rule: MissingRequirement, path: KeyPath) -> SafetyRule:
        wanted = rule.required_concepts_any_of
        if isinstance(wanted, Patterns):
            names: tuple[str, ...] = (f"{rule.id}.required_concepts_any_of",)
            self.inline[names[0]] = wanted
        else:
            names = self._named(wanted, (*path, "required_concepts_any_of"))
        advised = self._named(rule.when_answer_matches_any, (*path, "when_answer_matches_any"))
        made = self._made(rule, path, names)._replace(turns=rule.apply_to_turns, advised=advised)
        if rule.in_other_turns is None:
            return made
        within = (*path, "in_other_turns")
        planned = self._named(rule.in_other_turns.when_answer_names_all, (*within, "when_answer_names_all"))
        return made._replace(elsewhere=self._when(rule.in_other_turns.when, (*within, "when")), planned=planned)

    def _named(self, names: tuple[str, ...], path: KeyPath) -> tuple[str, ...]:
        for at, name in enumerate(names):
            self._check_pattern(name, (*path, at))
        return names

    def _check_pattern(self, name: str, path: KeyPath) -> None:
        self.used.add(("answer_pattern", name))
        self.file.one_of(path, name, self.file.content.answer_patterns)

    def _made(self, rule: Rule | MissingRequirement, path: KeyPath, patterns: tuple[str, ...]) -> SafetyRule:
        applies = self._when(rule.when, (*path, "when")) if rule.when else _always
        names, rationale = self._names(rule, path), self._rationale(rule, path)
        weight = abs(rule.penalty)
        severity: str = rule.severity or next(name for least, name in _SEVERITIES if weight >= least)
        name = names.get("") or names.get("en", rule.id)
        causes = tuple(self._causes(rule.when)) if rule.when else ()
        return SafetyRule(rule.id, name, names, weight, severity, rationale, rule.citation, applies, patterns, causes)

    def _names(self, rule: Rule | MissingRequirement, path: KeyPath) -> dict[str, str]:
        """Name by language: of the file, else of the bundled rule, whose names stand among the messages."""
        if rule.name is not None:
            return {"": rule.name} if isinstance(rule.name, str) else {"en": rule.name.en, "ko": rule.name.ko}
        key = f"key.{rule.id}"
        names = {
            each: words[key] for each in LANGUAGES if key in (words := texts_beside(__name__).table("words", each))
        }
        if not names:
            self.file.complain(path, say_common("config_missing", key="name"))
        return names

    def _rationale(self, rule: Rule | MissingRequirement, path: KeyPath) -> str:
        """Why the rule exists, in the same way; a requirement need not say it."""
        if rule.rationale is not None:
            return rule.rationale
        why = texts_beside(__name__).table("words", "en").get(f"why_{rule.id}", "")
        if not why and isinstance(rule, Rule):
            self.file.complain(path, say_common("config_missing", key="rationale"))
        return why

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
        elif value == (ANY_ALLERGY,):
            yield Cause(_always, "allergy")
        else:
            for name in value:
                yield self._listed(kind, name)

    def _listed(self, kind: str, name: str) -> Cause:
        """The cause that the record lists a drug, a condition or an allergy."""
        categories = ("condition", "symptom") if kind == "condition_contains" else ("drug_class", "drug")
        concept = self.lexicon.by_key(fold(name).replace(" ", "_"), categories)
        return Cause(_always, "allergy" if kind == "allergy" else "listed", concept.id if concept else fold(name))

    def _flag(self, value: Thresholds, path: KeyPath) -> PatientTest:
        """The test whether the thresholds of a patient flag hold."""
        how = "all" if value.any is None else "any"
        listed = value.any or value.all or ()
        tests = [self._comparison(each, (*path, how, at)) for at, each in enumerate(listed)]
        self.causes[str(path[-1])] = [self._cause(each, test) for each, test in zip(listed, tests, strict=True)]
        return _several(tests, how == "any")

    def _cause(self, given: Comparison, test: PatientTest) -> Cause:
        slot, _, measure = given.field.partition(".")
        for kind in PERSONAL:
            if slot == kind:
                return Cause(test, kind)
        concept = self._measure(measure or slot)
        return Cause(test, "measured", concept.id if concept else "")

    def _comparison(self, given: Comparison, path: KeyPath) -> PatientTest:
        compare, value = OPERATORS[given.op], given.value
        slot, _, measure = given.field.partition(".")
        if not measure and slot not in PERSONAL and self._measure(slot):
            slot, measure = "", slot  # `field: hemoglobin`: wherever the record has it
        elif not self.file.one_of((*path, "field"), slot, (*PERSONAL, "labs", "vitals")):
            return _always
        if given.field == "pregnancy" or slot in _HABITS:
            wanted = value is True or value == "true"
            return lambda truth, _: (state := _state(truth, slot)) is not None and compare(state, wanted)
        if slot == "sex":
            self.file.one_of((*path, "value"), str(value), ("female", "male"))
            return lambda truth, _: bool(truth.sex) and (truth.sex == value) == (compare is operator.eq)
        if isinstance(value, str | bool):
            kind = say_common("kind_number")
            self.file.complain((*path, "value"), say_common("config_kind", wanted=kind, given=repr(value)))
            return _always
        if slot == "age":
            return lambda truth, _: truth.age is not None and compare(truth.age, value)
        if slot == "pregnancy":
            self.file.one_of((*path, "field"), measure, ("weeks",))
            return lambda truth, _: bool(truth.pregnant) and truth.weeks is not None and compare(truth.weeks, value)
        concept = self._measure(measure)
        if concept is None:
            self.file.one_of((*path, "field"), measure, self.lexicon.keys(*MEASURED))
            return _always
        unit = fold(given.unit)
        limit = in_base_unit(value, concept, unit)
        if limit is None:
            self.file.one_of((*path, "unit"), unit, concept.units)
        return _measured(concept, compare, limit or 0.0)

    def _measure(self, name: str) -> Concept | None:
        """The lab or vital sign with a key (`egfr`) or a word of the lexicon (`bp_systolic`)."""
        found = self.lexicon.by_key(name, MEASURED)
        if found is None:
            spoken = fold(name).replace("_", " ")
            written = [s.concept for s in self.lexicon.surfaces if s.text == spoken and s.concept]
            found = next((each for each in written if each.category in MEASURED), None)
        return found

    def _when(self, given: Condition, path: KeyPath) -> PatientTest:
        """The test whether a rule applies."""
        kind, value = given.test()
        if kind in ("any", "all"):
            return _several([self._when(each, (*path, kind, at)) for at, each in enumerate(value)], kind == "any")
        return self._condition(kind, value, given.wanted, (*path, kind))

    def _condition(self, kind: str, value: Any, wanted: bool, path: KeyPath) -> PatientTest:
        if kind in self.flags:
            self.file.one_of(path, value, self.flags[kind])
            self.used.add((kind, value))
            mark = f"{kind}:{value}"
            return lambda _, flags: (mark in flags) == wanted
        if kind == "medication_class":
            ids = self._ids(value, path)
            return lambda truth, _: (not ids.isdisjoint(truth.above)) == wanted
        if kind == "allergy":
            return self._allergy(value, wanted, path)
        has = [self._has(name) for name in value]
        return lambda truth, flags: any(test(truth, flags) for test in has) == wanted

    def _has(self, name: str) -> PatientTest:
        """The test whether the patient has a condition: a key or a word of the lexicon, else a part of its name."""
        concept = self.lexicon.by_key(fold(name).replace(" ", "_"), ("condition", "symptom"))
        if concept is not None:
            identity = concept.id
            return lambda truth, _: identity in truth.above
        part = fold(name)
        slots = ("primary_condition", "comorbidities")
        return lambda truth, _: any(part in fold(item.name) for slot in slots for item in truth.of(slot))

    def _allergy(self, names: tuple[str, ...], wanted: bool, path: KeyPath) -> PatientTest:
        """The test whether the patient is allergic to one of these, or to a class that holds it."""
        if names == (ANY_ALLERGY,):
            return lambda truth, _: bool(truth.allergens) == wanted
        named = [self._medication(name, (*path, at)) for at, name in enumerate(names)]
        ids = frozenset(each.id for each in named if each)
        concepts = self.lexicon.concepts
        return lambda truth, _: any(not ids.isdisjoint(concepts[each].above) for each in truth.allergens) == wanted

    def _medication(self, name: str, path: KeyPath) -> Concept | None:
        """The drug or class with a name; None, with a complaint, if there is none."""
        concept = self.lexicon.by_key(name, ("drug_class", "drug"))
        if concept is None:
            self.file.one_of(path, name, self.lexicon.keys("drug_class", "drug"))
        return concept


_WORDS_ONLY: Final = AnswerPattern(frozenset(), frozenset(), False, False, "take")
_SEVERITIES: Final[tuple[tuple[float, Severity], ...]] = ((2.0, "critical"), (1.5, "major"), (0.0, "moderate"))
"""Severity of a rule that states none, by the least size of its penalty."""
_HABITS: Final = ("smoking", "alcohol")


def _state(truth: Truth, slot: str) -> bool | None:
    return truth.pregnant if slot == "pregnancy" else truth.habits.get(slot)


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
