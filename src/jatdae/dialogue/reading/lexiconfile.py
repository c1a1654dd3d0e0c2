"""What a lexicon file may hold: sections of concepts, the words they are written in, and their codes."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import AfterValidator, ConfigDict, Field, StrictBool, WithJsonSchema, model_validator

from jatdae.core.configfile import Number, Part, Text
from jatdae.core.messages import speaker
from jatdae.dialogue.reading.words import count_expansions

MOST_WORDS: Final = 1_000
"""How many words one entry with braces may stand for."""

say = speaker(__name__)


def _expandable(word: str) -> str:
    if "{" in word and count_expansions(word) > MOST_WORDS:
        raise ValueError(say("too_many_words", most=f"{MOST_WORDS:,}"))
    if word.rstrip().endswith("~"):
        raise ValueError(say("empty_phrase"))
    return word


def _factor(given: float | tuple[float, ...]) -> float | tuple[float, ...]:
    factor = given[0] if isinstance(given, tuple) and len(given) == 2 else given
    if isinstance(factor, tuple) or not factor:
        raise ValueError(say("bad_factor"))
    return given


Words = tuple[Annotated[Text, AfterValidator(_expandable)], ...]
Names = tuple[Text, ...]
Code = Annotated[str, Field(coerce_numbers_to_str=True), WithJsonSchema({"type": ["string", "integer"]})]
Codes = Code | tuple[Code, ...]
Conversion = Annotated[
    Number | Annotated[tuple[Number, ...], Field(json_schema_extra={"minItems": 2, "maxItems": 2})],
    AfterValidator(_factor),
]


class Entry(Part):
    """A concept and the words it is written in. `{a|b}` in a word stands for either, `noun ~ stem/` is a phrase."""

    model_config = ConfigDict(populate_by_name=False)

    name: Annotated[str, Field(coerce_numbers_to_str=True)] = ""
    """Name in reports (default: the key, with spaces for underscores)."""
    ko: Words = ()
    """Korean words."""
    en: Words = ()
    """English words, beside the key itself."""
    blocked: Names = Field((), alias="not")
    """Phrases that only look like the concept."""
    bare: StrictBool = True
    """Whether the key itself is an English word for it."""
    context: dict[str, Names] = Field(default_factory=dict)
    """Words that mean it only where one of others stands in the same sentence (PE: embolism, not a school subject)."""


class Drug(Entry):
    """A drug ingredient."""

    rxnorm: Codes = ()
    """RxNorm ingredient (RXCUI)."""
    classes: Names = Field((), alias="class")
    """Keys of its drug classes."""
    brands: Words = ()
    """Brand names, in either script."""


class Product(Entry):
    """A product of several drugs, such as a combination tablet. Its key is only a name."""

    of: Annotated[Names, Field(min_length=2)]
    """Keys of its ingredients."""


class DrugClass(Entry):
    """A drug class."""

    isa: Names = ()
    """Keys of the classes above it."""


class ConditionEntry(Entry):
    """A condition or symptom."""

    snomed: Codes = ()
    """SNOMED CT code."""
    icd10: Codes = ()
    """ICD-10 code."""
    isa: Names = ()
    """Keys of the conditions it is a kind of."""
    symptom: StrictBool = False
    """It is a symptom."""
    broad: StrictBool = False
    """It is so wide that naming it is only an indirect use of a narrower condition."""


class Measure(Entry):
    """A laboratory test or vital sign."""

    kind: Literal["lab", "vital"]
    """Laboratory test or vital sign."""
    loinc: Names = ()
    """LOINC codes."""
    unit: str = ""
    """Unit in which values are compared."""
    units: dict[str, Conversion] = Field(default_factory=dict)
    """Other units: a factor towards `unit`, or [factor, offset]."""
    isa: Names = ()
    """Keys of the measures it is a kind of."""
    pair: Annotated[Names, Field(min_length=2, max_length=2)] = ()
    """Keys of the two measures that are written together, as in 120/80."""
    figures: Words = ()
    """Words that name it only where a figure follows."""


class Procedure(Entry):
    """A procedure or operation."""

    snomed: Codes = ()
    """SNOMED CT code."""


class Lifestyle(Entry):
    """A food, drink, exercise or habit."""

    kind: Literal["food", "activity"]
    """Food or activity."""


class Demographic(Entry):
    """A sex, or an indirect way of telling an age."""

    kind: Literal["sex", "age_group"]
    """Sex or age group."""
    youngest: int | None = Field(None, alias="from", strict=True)
    """Youngest age of an age group."""
    oldest: int | None = Field(None, alias="to", strict=True)
    """Oldest age of an age group."""

    @model_validator(mode="after")
    def _has_ages(self) -> Demographic:
        if self.kind == "age_group" and (self.youngest is None or self.oldest is None):
            raise ValueError(say("age_group_without_ages"))
        return self


class Hint(Entry):
    """An indirect way of naming what a patient has."""

    to: Names
    """Keys of the conditions, measures and drug classes it may stand for; `drug:*` is any drug."""


class LexiconFile(Part):
    """Medical concepts by section. They extend the bundled lexicon, or replace it."""

    replace: StrictBool = False
    """Use this lexicon alone, without the bundled one."""
    drugs: dict[str, Drug] = Field(default_factory=dict)
    """Drug ingredients by key."""
    products: dict[str, Product] = Field(default_factory=dict)
    """Products of several drugs, by key: naming one names all its ingredients."""
    classes: dict[str, DrugClass] = Field(default_factory=dict)
    """Drug classes by key."""
    conditions: dict[str, ConditionEntry] = Field(default_factory=dict)
    """Conditions and symptoms by key."""
    measures: dict[str, Measure] = Field(default_factory=dict)
    """Laboratory tests and vital signs by key."""
    procedures: dict[str, Procedure] = Field(default_factory=dict)
    """Procedures and operations by key."""
    lifestyle: dict[str, Lifestyle] = Field(default_factory=dict)
    """Food, drink, exercise and habits by key."""
    demographics: dict[str, Demographic] = Field(default_factory=dict)
    """Sexes and age groups by key."""
    hints: dict[str, Hint] = Field(default_factory=dict)
    """Indirect ways of naming what a patient has, by key."""
