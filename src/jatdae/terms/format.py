"""The YAML form of a lexicon: its fields, and its JSON Schema for editors."""

from __future__ import annotations

from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field

Text = Annotated[str, Field(min_length=1, pattern=r"^[^\x00]+$")]
"""A string to be found; NUL stands for what has been found already."""
Number = Annotated[float, Field(strict=True)]
Texts = list[Text]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class Region(_Part):
    """A stretch of text that speaks of one thing, opened by a head such as 苔."""

    heads: Texts = Field(description="Words that open the region.")
    inner: Texts = Field(default=[], description="Heads that work only inside the subject: 质, 体.")
    open: bool = Field(default=False, description="An atom that only one open region can have decides for itself.")
    outside: bool = Field(default=False, description="Another subject: nothing is read until a head of ours.")
    absent: str = Field(default="", description="The atom that a head with a bare negation states (苔：无).")


class Axis(_Part):
    """A dimension of description; its name is the prefix of its atoms."""

    category: Text = Field(description="What it is scored with; every category has a weight.")
    region: str = Field(default="", description="Where its atoms are at home.")
    place: bool = Field(default=False, description="Its atoms are locations, to which others are bound.")


class Atom(BaseModel):
    """A value of an axis. Beside the gloss, each key is a language tag with the ways the atom is written."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Texts] = Field(init=False)

    gloss: str = Field(default="", description="What it means, in English.")

    @property
    def surfaces(self) -> dict[str, Texts]:
        """Ways of writing by language."""
        return self.__pydantic_extra__


class Negation(_Part):
    """Words that negate."""

    list: Texts = Field(default=[], description="What follows, adjacent or joined: 无裂纹、齿痕.")
    next: Texts = Field(default=[], description="The next atom and what is joined to it: 不红.")
    back: Texts = Field(default=[], description="What stands before: 치흔 없음.")


class Words(_Part):
    """Words that are no atoms but steer how atoms are read."""

    degree: Texts = Field(default=[], description="An attribute of the next atom.")
    emphasis: Texts = Field(default=[], description="Binds a location back to what was said before: 以边尖为著.")
    negation: Negation = Negation()
    join: Texts = Field(default=[], description="Joins a list.")
    or_: Texts = Field(default=[], alias="or", description="Offers an alternative.")
    break_: Texts = Field(default=[], alias="break", description="Ends a negation: 有.")
    stop: Texts = Field(default=[], description="Ends a clause.")
    glue: Texts = Field(default=[], description="Understood, and of no consequence.")
    endings: Texts = Field(default=[], description="Hangul endings, glue only where they follow a word.")
    ignore: Texts = Field(default=[], description="Ordinary words that would look like atoms.")


class Typo(_Part):
    """A slip that is read as what was meant."""

    wrong: Text
    right: Text
    after: Texts = Field(default=[], description="Only after one of these.")
    not_after: Texts = Field(default=[], description="Not after any of these.")
    before: Texts = Field(default=[], description="Only before one of these.")


class LexiconFile(_Part):
    """A lexicon: the vocabulary of a kind of description, and how much each part of it weighs."""

    name: Text
    version: int = Field(default=1, ge=1, description="Raised when a change moves a score; part of the signature.")
    extends: str = Field(
        default="", description="A bundled lexicon to begin from; lists are added to, values replaced."
    )
    start: str = Field(default="", description="The region a text begins in.")
    normal: str = Field(default="", description="An unremarkable description: the constant baseline.")
    weights: dict[Text, Number]
    regions: dict[Text, Region] = {}
    axes: dict[Text, Axis]
    atoms: dict[Text, dict[Text, Atom]]
    patterns: dict[Text, Texts] = Field(default={}, description="Strings that state several atoms at once.")
    implies: dict[Text, Texts] = Field(default={}, description="Atoms that follow from an atom.")
    synonyms: dict[Text, Number | dict[Text, Number]] = Field(
        default={},
        description="`a|b: 0.9`, symmetric, in every axis that has both; or the same below the name of an axis.",
    )
    weak: Texts = Field(default=[], description="Hangul surfaces that count only in a compound or after a head.")
    bound: Texts = Field(default=[], description="Surfaces that count only inside the region of their axis.")
    words: Words = Words()
    characters: list[Annotated[str, Field(min_length=2, max_length=2)]] = Field(
        default=[], description="A character and the one it is read as."
    )
    typos: list[Typo] = []


KEYS: Final = frozenset(
    field.alias or name
    for part in (LexiconFile, Region, Axis, Words, Negation, Typo)
    for name, field in part.model_fields.items()
)
"""Every key a lexicon may have, for hints."""


def lexicon_schema() -> dict[str, Any]:
    """The JSON Schema of a lexicon file. One that extends another need not say what the other says."""
    schema = LexiconFile.model_json_schema(by_alias=True)
    whole = {"required": schema.pop("required")}
    extending = {"required": ["extends"]}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "anyOf": [whole, extending]}
