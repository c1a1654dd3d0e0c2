"""What `safety_rules.yaml` may hold: flags of patients and questions, patterns on answers, and rules."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, ConfigDict, Field, JsonValue, StrictBool, model_validator

from jatdae.core.configfile import Number, Part, Text
from jatdae.core.messages import speaker
from jatdae.dialogue.rules.configfile import Patterns

say = speaker(__name__)

GROUPS: Final = ("any", "all")
TESTS: Final = ("patient_flag", "question_flag", "condition_contains", "medication_class")
_MATCHES: Final = ("violation_if_answer_matches", "violation_if_answer_matches_any")

Note = Annotated[str, Field(coerce_numbers_to_str=True)]


def _exactly_one(*names: str) -> ConfigDict:
    """The same in the schema for editors: one of these keys and no two."""
    either: list[JsonValue] = [{"required": [name]} for name in names]
    return ConfigDict(json_schema_extra={"oneOf": either}, populate_by_name=False)


def _not_zero(penalty: float) -> float:
    if not penalty:
        raise ValueError(say("penalty_zero"))
    return penalty


def _given(part: Part, names: tuple[str, ...]) -> list[str]:
    return [name for name in names if getattr(part, name) is not None]


class Comparison(Part):
    """A comparison of age, sex or a measurement with a value."""

    field: Text
    """`age`, `sex`, or SLOT.MEASURE such as `labs.egfr`."""
    op: Literal["<", "<=", ">", ">=", "==", "!="]
    """How to compare."""
    value: Number | str
    """A number, or `female` or `male` for the sex."""
    unit: str = ""
    """Unit of the value (default: the unit of the measure in the lexicon)."""


class Thresholds(Part):
    """Comparisons of which any or all must hold."""

    model_config = _exactly_one(*GROUPS)

    any: Annotated[tuple[Comparison, ...], Field(min_length=1)] | None = None
    """At least one of these must hold."""
    all: Annotated[tuple[Comparison, ...], Field(min_length=1)] | None = None
    """All of these must hold."""

    @model_validator(mode="after")
    def _has_one(self) -> Thresholds:
        if len(_given(self, GROUPS)) != 1:
            raise ValueError(say("give_one", keys=", ".join(GROUPS)))
        return self


class Condition(Part):
    """When a rule applies: one test of patient or question, or several of which any or all must hold."""

    model_config = _exactly_one(*GROUPS, *TESTS)

    any: Annotated[tuple[Condition, ...], Field(min_length=1)] | None = None
    """At least one of these must hold."""
    all: Annotated[tuple[Condition, ...], Field(min_length=1)] | None = None
    """All of these must hold."""
    patient_flag: Text | None = None
    """The patient has this flag."""
    question_flag: Text | None = None
    """The question raises this flag."""
    condition_contains: Text | None = None
    """The patient has this condition: a key of the lexicon, else a part of its name."""
    medication_class: Text | None = None
    """The patient takes a drug of this class, or this drug."""
    wanted: StrictBool = Field(True, alias="is")
    """Whether the test must hold (true) or must not (false)."""

    @model_validator(mode="after")
    def _has_one(self) -> Condition:
        if len(_given(self, (*GROUPS, *TESTS))) != 1:
            raise ValueError(say("give_one", keys=", ".join((*GROUPS, *TESTS))))
        if "wanted" in self.model_fields_set and _given(self, GROUPS):
            raise ValueError(say("is_of_group"))
        return self

    def test(self) -> tuple[str, Any]:
        """The one key that is given beside `is`, and its value."""
        (name,) = _given(self, (*GROUPS, *TESTS))
        return name, getattr(self, name)


class AnswerWords(Patterns):
    """What a rule looks for in an answer: patterns, drugs, or both."""

    medication_classes: tuple[str, ...] = ()
    """Drug classes or ingredients that the answer names."""
    other_than_active: StrictBool = False
    """Only drugs that the patient does not take already."""


class Rule(Part):
    """A rule that is violated if the answer recommends or allows what a pattern finds."""

    model_config = _exactly_one(*_MATCHES)

    id: Text
    """Unique name, as reports count it."""
    name: Text
    """What the rule is about."""
    when: Condition
    """When the rule applies."""
    violation_if_answer_matches: str | None = None
    """The answer pattern that violates the rule."""
    violation_if_answer_matches_any: tuple[str, ...] | None = None
    """Answer patterns any of which violates the rule."""
    penalty: Annotated[Number, AfterValidator(_not_zero)]
    """Weight of the rule in CSP; the sign does not matter."""
    rationale: Note
    """Why the rule exists."""
    citation: Note = ""
    """Source of the rule."""

    @model_validator(mode="after")
    def _has_one(self) -> Rule:
        if len(_given(self, _MATCHES)) != 1:
            raise ValueError(say("give_one", keys=", ".join(_MATCHES)))
        return self


class MissingRequirement(Part):
    """A rule that is violated if none of the patterns occurs in the answer."""

    id: Text
    """Unique name, as reports count it."""
    name: Text
    """What the rule is about."""
    apply_to_turns: tuple[Literal[1, 2, 3, 4, 5], ...]
    """Turns whose answers must say it."""
    when: Condition = None  # type: ignore[assignment]  # absent is always; an empty `when:` is refused
    """When the rule applies (default: always)."""
    required_concepts_any_of: tuple[str, ...]
    """Answer patterns of which at least one must occur."""
    penalty: Annotated[Number, AfterValidator(_not_zero)]
    """Weight of the rule in CSP; the sign does not matter."""
    rationale: Note = ""
    """Why the rule exists."""
    citation: Note = ""
    """Source of the rule."""


class RulesFile(Part):
    """Safety rules for evaluating answers (`safety_rules.yaml`). They are not clinical guidance."""

    patient_flags: dict[str, Thresholds] = Field(default_factory=dict)
    """Thresholds on the patient's record, by name of the flag."""
    question_flags: dict[str, Patterns] = Field(default_factory=dict)
    """Patterns over the question, by name of the flag. Negated matches do not count."""
    answer_patterns: dict[str, AnswerWords] = Field(default_factory=dict)
    """Patterns over the answer, by name."""
    rules: tuple[Rule, ...] = ()
    """What answers must not recommend or allow."""
    missing_requirements: tuple[MissingRequirement, ...] = ()
    """What answers must say."""
