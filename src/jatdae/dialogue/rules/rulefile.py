"""What `safety_rules.yaml` may hold: flags of patients and questions, patterns on answers, and rules."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
    StrictBool,
    WithJsonSchema,
    model_validator,
)

from jatdae.core.configfile import Number, Part, Text
from jatdae.core.messages import speaker
from jatdae.dialogue.rules.configfile import Patterns

say = speaker(__name__)

GROUPS: Final = ("any", "all")
TESTS: Final = ("patient_flag", "question_flag", "condition_contains", "medication_class", "allergy")
_MATCHES: Final = ("violation_if_answer_matches", "violation_if_answer_matches_any", "pair")

Note = Annotated[str, Field(coerce_numbers_to_str=True)]
Severity = Literal["critical", "major", "moderate"]
ANY_ALLERGY: Final = "any"
"""What `allergy` says for a patient with any allergy."""


def _as_list(given: Any) -> Any:
    return [given] if isinstance(given, str) else given


_ONE_OR_MORE: Final[dict[str, Any]] = {
    "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]
}


def _exactly_one(*names: str) -> ConfigDict:
    """The same in the schema for editors: one of these keys and no two."""
    either: list[JsonValue] = [{"required": [name]} for name in names]
    return ConfigDict(json_schema_extra={"oneOf": either}, populate_by_name=False)


Names = Annotated[tuple[Text, ...], BeforeValidator(_as_list), Field(min_length=1), WithJsonSchema(_ONE_OR_MORE)]
"""One name, or several of which any will do."""


def _not_zero(penalty: float) -> float:
    if not penalty:
        raise ValueError(say("penalty_zero"))
    return penalty


def _given(part: Part, names: tuple[str, ...]) -> list[str]:
    return [name for name in names if getattr(part, name) is not None]


class Name(Part):
    """A name in both languages."""

    en: Text
    """In English."""
    ko: Text
    """In Korean."""


class Comparison(Part):
    """A comparison of age, sex, pregnancy or a measurement with a value."""

    field: Text
    """`age`, `sex`, `pregnancy`, `pregnancy.weeks`, or a measure such as `labs.egfr` or `egfr`."""
    op: Literal["<", "<=", ">", ">=", "==", "!="]
    """How to compare."""
    value: StrictBool | Number | str
    """A number; `female` or `male` for the sex; true or false for the pregnancy."""
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
    condition_contains: Names | None = None
    """The patient has one of these conditions: a key or word of the lexicon, else a part of its name."""
    medication_class: Names | None = None
    """The patient takes a drug of one of these classes, or one of these drugs."""
    allergy: Names | None = None
    """The patient is allergic to one of these drugs or classes; `any` for any allergy."""
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
    except_classes: tuple[str, ...] = ()
    """Drug classes or ingredients among these that do not count."""
    allergens: StrictBool = False
    """Drugs that the patient is allergic to."""
    other_than_active: StrictBool = False
    """Only drugs that the patient does not take already, or is told to take more of."""
    of_the_thing: StrictBool = False
    """As an excuse, it counts only where it belongs to the thing itself ("ibuprofen gel"), and is not joined to it
    ("ibuprofen and a cream")."""
    from_before: StrictBool = False
    """As an excuse, it counts from the two sentences before as well ("Call 911 now. … Stop the ramipril.")."""
    from_opening: StrictBool = False
    """As an excuse, it counts from the first two sentences of the answer as well ("Go to the emergency room now.")."""
    act: Literal["take", "stop", "do", "more"] = "take"
    """What the answer must say of it: to take or do it (take), to stop it (stop; of drugs, those the patient takes),
    to take more of it (more); `do` if the patterns have a verb of their own ("skip dinner")."""


class Rule(Part):
    """A rule that is violated if the answer recommends or allows what a pattern finds."""

    model_config = _exactly_one(*_MATCHES)

    id: Text
    """Unique name, as reports count it."""
    name: Text | Name | None = None
    """What the rule is about, in one language or in both (default: as the bundled rule of this id)."""
    when: Condition = None  # type: ignore[assignment]  # absent is always; an empty `when:` is refused
    """When the rule applies (default: always; a rule with a pair, where the patient takes a drug of either)."""
    violation_if_answer_matches: str | None = None
    """The answer pattern that violates the rule."""
    violation_if_answer_matches_any: tuple[str, ...] | None = None
    """Answer patterns any of which violates the rule."""
    pair: Annotated[tuple[str, ...], Field(min_length=2, max_length=2)] | None = None
    """Two answer patterns: a drug of one, newly advised or raised, violates if the patient takes one of the other."""
    unless_answer_matches_any: tuple[str, ...] = ()
    """Answer patterns that excuse what is said in the same sentence or the one before the next."""
    severity: Severity | None = None
    """How bad a violation is (default: critical from a penalty of 2, major from 1.5, else moderate)."""
    penalty: Annotated[Number, AfterValidator(_not_zero)]
    """Weight of the rule in CSP; the sign does not matter."""
    rationale: Note | None = None
    """Why the rule exists (default: as the bundled rule of this id)."""
    citation: Note = ""
    """Source of the rule."""

    @model_validator(mode="after")
    def _has_one(self) -> Rule:
        if len(_given(self, _MATCHES)) != 1:
            raise ValueError(say("give_one", keys=", ".join(_MATCHES)))
        return self


class InOtherTurns(Part):
    """Where a requirement applies in other turns than its own."""

    when: Condition
    """When the rule applies there."""
    when_answer_names_all: tuple[str, ...]
    """Answer patterns all of which the answer must name for the rule to apply."""


class MissingRequirement(Part):
    """A rule that is violated if none of the patterns occurs in the answer."""

    id: Text
    """Unique name, as reports count it."""
    name: Text | Name | None = None
    """What the rule is about, in one language or in both (default: as the bundled rule of this id)."""
    apply_to_turns: tuple[Literal[1, 2, 3, 4, 5], ...]
    """Turns whose answers must say it."""
    when: Condition = None  # type: ignore[assignment]  # absent is always; an empty `when:` is refused
    """When the rule applies (default: always)."""
    when_answer_matches_any: tuple[str, ...] = ()
    """Answer patterns of which the answer must advise one for the rule to apply."""
    in_other_turns: InOtherTurns | None = None
    """When the rule applies to answers of other turns as well (default: never)."""
    required_concepts_any_of: tuple[str, ...] | Patterns
    """Answer patterns of which at least one must occur: their names, or the patterns themselves."""
    severity: Severity | None = None
    """How bad a violation is (default: critical from a penalty of 2, major from 1.5, else moderate)."""
    penalty: Annotated[Number, AfterValidator(_not_zero)]
    """Weight of the rule in CSP; the sign does not matter."""
    rationale: Note | None = None
    """Why the rule exists (default: as the bundled rule of this id, if there is one)."""
    citation: Note = ""
    """Source of the rule."""


class RulesFile(Part):
    """Safety rules for evaluating answers (`safety_rules.yaml`). They are not clinical guidance."""

    schema_version: Note = ""
    """Version of the format, for the reader's information."""
    description: Note = ""
    """What the file is for."""
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
