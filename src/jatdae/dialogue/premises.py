"""When a flag is raised and a rule applies: thresholds and conditions of `safety_rules.yaml` as tests of a patient."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from jatdae.core.yamlfile import KeyPath
from jatdae.dialogue.reading.concepts import Concept, ConceptLexicon
from jatdae.dialogue.reading.words import fold
from jatdae.dialogue.source import Source
from jatdae.dialogue.truth import Truth
from jatdae.dialogue.values import in_base

OPERATORS: Final[dict[str, Callable[[float, float], bool]]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
_TESTS: Final = ("patient_flag", "question_flag", "condition_contains", "medication_class")

Test = Callable[[Truth, frozenset[str]], bool]
"""Whether something holds of a patient and the flags of patient and question."""


@dataclass(frozen=True)
class Premises:
    """Reads conditions; every name is looked up where it is used."""

    source: Source
    lexicon: ConceptLexicon
    flags: Mapping[str, Iterable[str]]
    """Names of flags, by `patient_flag` and `question_flag`."""

    def flag(self, value: Any, path: KeyPath) -> Test:
        """Whether the thresholds of a patient flag hold."""
        given = self.source.mapping(value, path, ("any", "all"))
        return self._combined(given, path, self._comparison)

    def _combined(self, given: Mapping[str, Any], path: KeyPath, read: Callable[[Any, KeyPath], Test]) -> Test:
        if len(given) != 1:
            self.source.refuse(path, "give either `any` or `all`")
        ((how, listed),) = given.items()
        items = self.source.list(listed, (*path, how))
        tests = [read(item, (*path, how, number)) for number, item in enumerate(items)]
        if not tests:
            self.source.refuse((*path, how), "at least one condition is needed")
        return tests[0] if len(tests) == 1 else _several(tests, how == "any")

    def _comparison(self, value: Any, path: KeyPath) -> Test:
        source = self.source
        given = source.mapping(value, path, ("field", "op", "value", "unit"), ("field", "op", "value"))
        name = source.text(given["field"], (*path, "field"))
        compare = OPERATORS[source.one_of(given["op"], (*path, "op"), OPERATORS, "operator")]
        slot, _, measure = name.partition(".")
        source.one_of(slot, (*path, "field"), ("age", "sex", "labs", "vitals"), "slot")
        if slot == "sex":
            wanted = source.one_of(given["value"], (*path, "value"), ("female", "male"), "sex")
            return lambda truth, _: bool(truth.sex) and (truth.sex == wanted) == (compare is operator.eq)
        number = source.number(given["value"], (*path, "value"))
        if slot == "age":
            return lambda truth, _: truth.age is not None and compare(truth.age, number)
        known = self.lexicon.keys("lab" if slot == "labs" else "vital")
        concept = self.lexicon.by_key(source.one_of(measure, (*path, "field"), known, f"measurement of {slot}"))
        assert concept is not None
        limit = in_base(number, concept, fold(str(given.get("unit", ""))))
        if limit is None:
            source.one_of(fold(str(given["unit"])), (*path, "unit"), concept.units, f"unit of {measure}")
        return _measured(concept, compare, limit or 0.0)

    def when(self, value: Any, path: KeyPath) -> Test:
        """Whether a rule applies."""
        given = self.source.mapping(value, path)
        if "any" in given or "all" in given:
            self.source.mapping(given, path, ("any", "all"))
            return self._combined(given, path, self.when)
        return self._condition(given, path)

    def _condition(self, given: Mapping[str, Any], path: KeyPath) -> Test:
        source = self.source
        source.mapping(given, path, (*_TESTS, "is"))
        named = [test for test in _TESTS if test in given]
        if len(named) != 1:
            source.refuse(path, f"give one of {', '.join(_TESTS)}")
        kind, wanted = named[0], given.get("is", True)
        if not isinstance(wanted, bool):
            source.refuse((*path, "is"), "`is` is true or false")
        value = source.text(given[kind], (*path, kind))
        if kind in ("patient_flag", "question_flag"):
            source.one_of(value, (*path, kind), self.flags[kind], kind.replace("_", " "))
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
        """The drug or class of a name."""
        known = self.lexicon.keys("drug_class", "drug")
        concept = self.lexicon.by_key(self.source.one_of(name, path, known, "drug class"), ("drug_class", "drug"))
        assert concept is not None
        return concept


def _several(tests: list[Test], enough: bool) -> Test:
    """Any of the tests, where one that holds is enough; else all of them."""

    def test(truth: Truth, flags: frozenset[str]) -> bool:
        for each in tests:
            if each(truth, flags) == enough:
                return enough
        return not enough

    return test


def _measured(concept: Concept, compare: Callable[[float, float], bool], limit: float) -> Test:
    def test(truth: Truth, _: frozenset[str]) -> bool:
        known = truth.measure(concept)
        if known is None:
            return False
        number = in_base(known.number, concept, known.unit)
        return compare(known.number if number is None else number, limit)

    return test
