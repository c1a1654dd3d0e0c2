"""Safety rules (`safety_rules.yaml`) for CSP: flags, patterns, and tests of which rules apply to a patient."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

from jatdae.core.yamlfile import KeyPath
from jatdae.dialogue.reading.concepts import Concept, ConceptLexicon
from jatdae.dialogue.reading.patterns import PatternSet
from jatdae.dialogue.reading.quantities import in_base_unit
from jatdae.dialogue.reading.truth import Truth
from jatdae.dialogue.reading.words import fold
from jatdae.dialogue.rules.configfile import ConfigFile, read_config

RULES_FILE: Final = "safety_rules.yaml"
TURNS: Final = (1, 2, 3, 4, 5)
_PARTS: Final = ("patient_flags", "question_flags", "answer_patterns", "rules", "missing_requirements")
_RULE: Final = (
    "id",
    "name",
    "when",
    "violation_if_answer_matches",
    "violation_if_answer_matches_any",
    "penalty",
    "rationale",
    "citation",
)
_MISSING: Final = (
    "id",
    "name",
    "apply_to_turns",
    "when",
    "required_concepts_any_of",
    "penalty",
    "rationale",
    "citation",
)
OPERATORS: Final[dict[str, Callable[[float, float], bool]]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
_TESTS: Final = ("patient_flag", "question_flag", "condition_contains", "medication_class")

PatientTest = Callable[[Truth, frozenset[str]], bool]
"""Whether a condition holds, given a patient and the flags of patient and question."""


def load_rulebook(folder: Path | None, lexicon: ConceptLexicon) -> Rulebook:
    """Load the rulebook (safety rules for answers) of a configuration folder, or the bundled one."""
    return _RulebookReader(read_config(folder, RULES_FILE), lexicon).rulebook()


class AnswerPattern(NamedTuple):
    """Concepts that a pattern on answers looks for besides its regular expressions."""

    concepts: frozenset[str]
    """Ids of drugs and classes."""
    not_own: bool


class SafetyRule(NamedTuple):
    """A safety rule on answers; if it has turns, something that answers of these turns must say."""

    id: str
    name: str
    weight: float
    rationale: str
    citation: str
    applies: PatientTest
    patterns: tuple[str, ...]
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


class _RulebookReader:
    """Reads the file in one pass and looks up every name where it is used."""

    def __init__(self, config: ConfigFile, lexicon: ConceptLexicon) -> None:
        self.config = config
        self.top = config.mapping(config.file.value, (), _PARTS)
        flags = {kind: self._part(f"{kind}s") for kind in ("patient_flag", "question_flag")}
        self.conditions = _ConditionReader(config, lexicon, flags)

    def rulebook(self) -> Rulebook:
        config = self.config
        flags = {
            name: self.conditions.flag(value, ("patient_flags", name))
            for name, value in self._part("patient_flags").items()
        }
        questions = self._named_patterns("question_flags", ("patterns_ko", "patterns_en"))
        fields = ("patterns_ko", "patterns_en", "medication_classes", "other_than_active")
        answers = self._named_patterns("answer_patterns", fields)
        answered = {
            name: self._answered(value, ("answer_patterns", name))
            for name, value in self._part("answer_patterns").items()
        }
        seen: dict[str, int] = {}
        rules = [
            self._rule(v, ("rules", n), seen) for n, v in enumerate(config.list(self.top.get("rules", []), ("rules",)))
        ]
        missing = config.list(self.top.get("missing_requirements", []), ("missing_requirements",))
        needed = [self._requirement(v, ("missing_requirements", n), seen) for n, v in enumerate(missing)]
        return Rulebook(
            flags, PatternSet(questions), PatternSet(answers), answered, tuple(rules), tuple(needed), config.hash
        )

    def _part(self, name: str) -> dict[str, Any]:
        return self.config.mapping(self.top.get(name) or {}, (name,))

    def _named_patterns(self, part: str, fields: tuple[str, ...]) -> list[tuple[str, str]]:
        made = []
        for name, value in self._part(part).items():
            given = self.config.mapping(value, (part, name), fields)
            made += [(name, pattern) for pattern in self.config.patterns(given, (part, name))]
        return made

    def _answered(self, value: Mapping[str, Any], path: KeyPath) -> AnswerPattern:
        named = self.config.list(value.get("medication_classes", []), (*path, "medication_classes"))
        ids = {
            self.conditions.medication(name, (*path, "medication_classes", number)).id
            for number, name in enumerate(named)
        }
        return AnswerPattern(frozenset(ids), bool(value.get("other_than_active")))

    def _rule(self, value: Any, path: KeyPath, seen: dict[str, int]) -> SafetyRule:
        config = self.config
        given = config.mapping(value, path, _RULE, ("id", "name", "when", "penalty", "rationale"))
        single, several = given.get("violation_if_answer_matches"), given.get("violation_if_answer_matches_any")
        if (single is None) == (several is None):
            config.refuse(path, "give either violation_if_answer_matches or violation_if_answer_matches_any")
        key = "violation_if_answer_matches" if several is None else "violation_if_answer_matches_any"
        names = [single] if several is None else config.list(several, (*path, key))
        return self._made(given, path, seen, self.conditions.when(given["when"], (*path, "when")), names, key)

    def _requirement(self, value: Any, path: KeyPath, seen: dict[str, int]) -> SafetyRule:
        config = self.config
        need = ("id", "name", "apply_to_turns", "required_concepts_any_of", "penalty")
        given = config.mapping(value, path, _MISSING, need)
        turns = config.list(given["apply_to_turns"], (*path, "apply_to_turns"))
        for number, turn in enumerate(turns):
            if turn not in TURNS:
                config.refuse((*path, "apply_to_turns", number), f"no turn is called {turn!r}; turns are 1 to 5")
        holds: PatientTest = (
            self.conditions.when(given["when"], (*path, "when")) if "when" in given else lambda *_: True
        )
        names = config.list(given["required_concepts_any_of"], (*path, "required_concepts_any_of"))
        rule = self._made(given, path, seen, holds, names, "required_concepts_any_of")
        return rule._replace(turns=tuple(turns))

    def _made(
        self,
        given: Mapping[str, Any],
        path: KeyPath,
        seen: dict[str, int],
        applies: PatientTest,
        names: list[Any],
        key: str,
    ) -> SafetyRule:
        config = self.config
        identity = config.text(given["id"], (*path, "id"))
        if identity in seen:
            config.refuse((*path, "id"), f"the id {identity!r} is taken by rule {seen[identity]}")
        seen[identity] = len(seen) + 1
        for number, name in enumerate(names):
            at = (*path, key, number) if key.endswith(("_any", "_of")) else (*path, key)
            config.one_of(name, at, self._part("answer_patterns"), "answer pattern")
        weight = abs(config.number(given["penalty"], (*path, "penalty")))
        if not weight:
            config.refuse((*path, "penalty"), "a penalty must not be 0")
        return SafetyRule(
            identity,
            config.text(given["name"], (*path, "name")),
            weight,
            str(given.get("rationale", "")),
            str(given.get("citation", "")),
            applies,
            tuple(names),
        )


@dataclass(frozen=True)
class _ConditionReader:
    """Turns the conditions of the file into tests of a patient."""

    config: ConfigFile
    lexicon: ConceptLexicon
    flags: Mapping[str, Iterable[str]]
    """Names of flags, by kind: `patient_flag` and `question_flag`."""

    def flag(self, value: Any, path: KeyPath) -> PatientTest:
        """The test whether the thresholds of a patient flag hold."""
        given = self.config.mapping(value, path, ("any", "all"))
        return self._combined(given, path, self._comparison)

    def _combined(
        self, given: Mapping[str, Any], path: KeyPath, read: Callable[[Any, KeyPath], PatientTest]
    ) -> PatientTest:
        if len(given) != 1:
            self.config.refuse(path, "give either `any` or `all`")
        ((how, listed),) = given.items()
        items = self.config.list(listed, (*path, how))
        tests = [read(item, (*path, how, number)) for number, item in enumerate(items)]
        if not tests:
            self.config.refuse((*path, how), "at least one condition is needed")
        return tests[0] if len(tests) == 1 else _several(tests, how == "any")

    def _comparison(self, value: Any, path: KeyPath) -> PatientTest:
        config = self.config
        given = config.mapping(value, path, ("field", "op", "value", "unit"), ("field", "op", "value"))
        name = config.text(given["field"], (*path, "field"))
        compare = OPERATORS[config.one_of(given["op"], (*path, "op"), OPERATORS, "operator")]
        slot, _, measure = name.partition(".")
        config.one_of(slot, (*path, "field"), ("age", "sex", "labs", "vitals"), "slot")
        if slot == "sex":
            wanted = config.one_of(given["value"], (*path, "value"), ("female", "male"), "sex")
            return lambda truth, _: bool(truth.sex) and (truth.sex == wanted) == (compare is operator.eq)
        number = config.number(given["value"], (*path, "value"))
        if slot == "age":
            return lambda truth, _: truth.age is not None and compare(truth.age, number)
        known = self.lexicon.keys("lab" if slot == "labs" else "vital")
        concept = self.lexicon.by_key(config.one_of(measure, (*path, "field"), known, f"measurement of {slot}"))
        assert concept is not None
        limit = in_base_unit(number, concept, fold(str(given.get("unit", ""))))
        if limit is None:
            config.one_of(fold(str(given["unit"])), (*path, "unit"), concept.units, f"unit of {measure}")
        return _measured(concept, compare, limit or 0.0)

    def when(self, value: Any, path: KeyPath) -> PatientTest:
        """The test whether a rule applies."""
        given = self.config.mapping(value, path)
        if "any" in given or "all" in given:
            self.config.mapping(given, path, ("any", "all"))
            return self._combined(given, path, self.when)
        return self._condition(given, path)

    def _condition(self, given: Mapping[str, Any], path: KeyPath) -> PatientTest:
        config = self.config
        config.mapping(given, path, (*_TESTS, "is"))
        named = [test for test in _TESTS if test in given]
        if len(named) != 1:
            config.refuse(path, f"give one of {', '.join(_TESTS)}")
        kind, wanted = named[0], given.get("is", True)
        if not isinstance(wanted, bool):
            config.refuse((*path, "is"), "`is` is true or false")
        value = config.text(given[kind], (*path, kind))
        if kind in ("patient_flag", "question_flag"):
            config.one_of(value, (*path, kind), self.flags[kind], kind.replace("_", " "))
            mark = f"{kind}:{value}"
            return lambda _, flags: (mark in flags) == wanted
        if kind == "medication_class":
            identity = self.medication(value, (*path, kind)).id
            return lambda truth, _: (identity in truth.above) == wanted
        concept = self.lexicon.by_key(value, ("condition", "symptom"))
        if concept is not None:
            identity = concept.id
            return lambda truth, _: (identity in truth.above) == wanted
        part = fold(value)
        slots = ("primary_condition", "comorbidities")
        return lambda truth, _: any(part in fold(i.name) for s in slots for i in truth.of(s)) == wanted

    def medication(self, name: Any, path: KeyPath) -> Concept:
        """The drug or class with a name."""
        known = self.lexicon.keys("drug_class", "drug")
        concept = self.lexicon.by_key(self.config.one_of(name, path, known, "drug class"), ("drug_class", "drug"))
        assert concept is not None
        return concept


def _several(tests: list[PatientTest], enough: bool) -> PatientTest:
    """A test that holds if any of the tests does (`enough` is true), or if all do (`enough` is false)."""

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
