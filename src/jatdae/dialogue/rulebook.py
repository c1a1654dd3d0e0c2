"""`safety_rules.yaml`: flags, patterns and rules, checked against each other and against the lexicon when loaded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

from jatdae.core.yamlfile import KeyPath
from jatdae.dialogue.premises import Premises, Test
from jatdae.dialogue.reading.concepts import ConceptLexicon
from jatdae.dialogue.source import PatternSet, Source, read_source

FILE: Final = "safety_rules.yaml"
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


class Answered(NamedTuple):
    """What an answer pattern looks for beside its expressions."""

    concepts: frozenset[str]
    """Ids of drugs and classes."""
    not_own: bool


class Rule(NamedTuple):
    """A rule, or a requirement where it has turns."""

    id: str
    name: str
    weight: float
    rationale: str
    citation: str
    applies: Test
    patterns: tuple[str, ...]
    turns: tuple[int, ...] = ()


@dataclass(frozen=True)
class Rulebook:
    """The checked file."""

    flags: Mapping[str, Test]
    questions: PatternSet
    answers: PatternSet
    answered: Mapping[str, Answered]
    rules: tuple[Rule, ...]
    requirements: tuple[Rule, ...]
    hash: str

    @cached_property
    def asking(self) -> Mapping[str, tuple[str, ...]]:
        """The answer patterns that look for a drug or class, by its id."""
        asking: dict[str, tuple[str, ...]] = {}
        for name, looked in self.answered.items():
            for identity in looked.concepts:
                asking[identity] = (*asking.get(identity, ()), name)
        return asking


def load_rulebook(folder: Path | None, lexicon: ConceptLexicon) -> Rulebook:
    """The rules of a configuration folder, or the bundled ones."""
    return _Reader(read_source(folder, FILE), lexicon).rulebook()


class _Reader:
    """One pass over the file; every name is looked up where it is used."""

    def __init__(self, source: Source, lexicon: ConceptLexicon) -> None:
        self.source = source
        self.top = source.mapping(source.file.value, (), _PARTS)
        flags = {kind: self._part(f"{kind}s") for kind in ("patient_flag", "question_flag")}
        self.premises = Premises(source, lexicon, flags)

    def rulebook(self) -> Rulebook:
        source = self.source
        flags = {
            name: self.premises.flag(value, ("patient_flags", name))
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
            self._rule(v, ("rules", n), seen) for n, v in enumerate(source.list(self.top.get("rules", []), ("rules",)))
        ]
        missing = source.list(self.top.get("missing_requirements", []), ("missing_requirements",))
        needed = [self._requirement(v, ("missing_requirements", n), seen) for n, v in enumerate(missing)]
        return Rulebook(
            flags, PatternSet(questions), PatternSet(answers), answered, tuple(rules), tuple(needed), source.hash
        )

    def _part(self, name: str) -> dict[str, Any]:
        return self.source.mapping(self.top.get(name) or {}, (name,))

    def _named_patterns(self, part: str, fields: tuple[str, ...]) -> list[tuple[str, str]]:
        made = []
        for name, value in self._part(part).items():
            given = self.source.mapping(value, (part, name), fields)
            made += [(name, pattern) for pattern in self.source.patterns(given, (part, name))]
        return made

    def _answered(self, value: Mapping[str, Any], path: KeyPath) -> Answered:
        named = self.source.list(value.get("medication_classes", []), (*path, "medication_classes"))
        ids = {
            self.premises.medication(name, (*path, "medication_classes", number)).id
            for number, name in enumerate(named)
        }
        return Answered(frozenset(ids), bool(value.get("other_than_active")))

    def _rule(self, value: Any, path: KeyPath, seen: dict[str, int]) -> Rule:
        source = self.source
        given = source.mapping(value, path, _RULE, ("id", "name", "when", "penalty", "rationale"))
        single, several = given.get("violation_if_answer_matches"), given.get("violation_if_answer_matches_any")
        if (single is None) == (several is None):
            source.refuse(path, "give either violation_if_answer_matches or violation_if_answer_matches_any")
        key = "violation_if_answer_matches" if several is None else "violation_if_answer_matches_any"
        names = [single] if several is None else source.list(several, (*path, key))
        return self._made(given, path, seen, self.premises.when(given["when"], (*path, "when")), names, key)

    def _requirement(self, value: Any, path: KeyPath, seen: dict[str, int]) -> Rule:
        source = self.source
        need = ("id", "name", "apply_to_turns", "required_concepts_any_of", "penalty")
        given = source.mapping(value, path, _MISSING, need)
        turns = source.list(given["apply_to_turns"], (*path, "apply_to_turns"))
        for number, turn in enumerate(turns):
            if turn not in TURNS:
                source.refuse((*path, "apply_to_turns", number), f"no turn is called {turn!r}; turns are 1 to 5")
        holds: Test = self.premises.when(given["when"], (*path, "when")) if "when" in given else lambda *_: True
        names = source.list(given["required_concepts_any_of"], (*path, "required_concepts_any_of"))
        rule = self._made(given, path, seen, holds, names, "required_concepts_any_of")
        return rule._replace(turns=tuple(turns))

    def _made(
        self, given: Mapping[str, Any], path: KeyPath, seen: dict[str, int], applies: Test, names: list[Any], key: str
    ) -> Rule:
        source = self.source
        identity = source.text(given["id"], (*path, "id"))
        if identity in seen:
            source.refuse((*path, "id"), f"the id {identity!r} is taken by rule {seen[identity]}")
        seen[identity] = len(seen) + 1
        for number, name in enumerate(names):
            at = (*path, key, number) if key.endswith(("_any", "_of")) else (*path, key)
            source.one_of(name, at, self._part("answer_patterns"), "answer pattern")
        weight = abs(source.number(given["penalty"], (*path, "penalty")))
        if not weight:
            source.refuse((*path, "penalty"), "a penalty of 0 is no rule")
        return Rule(
            identity,
            source.text(given["name"], (*path, "name")),
            weight,
            str(given.get("rationale", "")),
            str(given.get("citation", "")),
            applies,
            tuple(names),
        )
