"""Requirements by turn (`required_slots_by_turn.yaml`): slots an answer must use, elements it must contain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Final, Literal, NamedTuple

from pydantic import Field

from jatdae.core.configfile import Number, Part, Text
from jatdae.dialogue.reading.patterns import PatternSet
from jatdae.dialogue.reading.truth import SLOTS
from jatdae.dialogue.rules.configfile import Patterns, read_config_of

REQUIREMENTS_FILE: Final = "required_slots_by_turn.yaml"


def load_requirements(folder: Path | None = None) -> Requirements:
    """Load the requirements on answers by turn, from a configuration folder or the bundled ones."""
    file = read_config_of(folder, REQUIREMENTS_FILE, RequirementsFile)
    bundled = read_config_of(None, REQUIREMENTS_FILE, RequirementsFile).content
    elements = file.content.elements or bundled.elements
    own = {**bundled.slots, **file.content.slots}
    known = (*SLOTS, *own)
    for number, turn in file.content.turns.items():
        for at, name in enumerate(turn.must_include_elements):
            file.one_of(("turns", number, "must_include_elements", at), name, elements)
        for at, wanted in enumerate(turn.required_slots):
            file.one_of(("turns", number, "required_slots", at, "slot"), wanted.slot, known)
    file.finish()
    turns = {int(number): _turn(turn, elements, own) for number, turn in file.content.turns.items()}
    return Requirements(turns, frozenset(own), file.sha256[:8])


class RequiredSlot(Part):
    """A slot of the patient's record that an answer should use."""

    slot: Text
    """Name of the slot in the patient's record: a known one, or one declared under `slots`."""
    weight: Annotated[Number, Field(gt=0)]
    """Weight of the slot in CUS_improved."""
    use: Literal["any", "all", "share"] = "any"
    """Of several entries, the best one counts (any), the worst one (all), or their mean (share)."""


class TurnScoring(Part):
    """What is expected of the scores of a turn."""

    cus_min_expected: Number = 0.0
    """CUS_improved that a good answer reaches."""


class RequiredOfTurn(Part):
    """What an answer of this turn must use and contain."""

    name: Annotated[str, Field(coerce_numbers_to_str=True)] = ""
    """Topic of the turn."""
    required_slots: tuple[RequiredSlot, ...]
    """Slots of the patient's record that the answer must use."""
    must_include_elements: tuple[str, ...] = ()
    """Names of elements that the answer must contain."""
    scoring: TurnScoring = Field(default_factory=TurnScoring)
    """What is expected of the scores of the turn."""


class ItemRange(Part):
    """How many list items an answer must have."""

    min: Annotated[int, Field(strict=True)]
    """Fewest items."""
    max: Annotated[int, Field(strict=True)]
    """Most items."""


class Quantified(Patterns):
    """How to tell that an element is given in figures or items."""

    items: ItemRange | None = None
    """The element is quantified if the answer has this many list items."""


class Element(Part):
    """Something an answer must contain: it counts 0.5 if it is named, 1 if it is quantified."""

    named: Patterns = Field(default_factory=Patterns)
    """Patterns of answers that speak of the element."""
    quantified: Quantified = Field(default_factory=Quantified)
    """Patterns of answers that give the element in figures or items."""


class OwnSlot(Part):
    """A slot of one's own in the patient's record."""

    kind: Literal["text", "list", "number", "yes_no"] = "text"
    """What it holds: a text, a list of names, a number, or yes or no."""
    compare: Literal["words", "number", "patterns"] = "words"
    """How an answer uses it: by saying its words, by giving its number, or by what the patterns find."""
    tolerance: Annotated[Number, Field(ge=0)] = 0.0
    """How far a number may differ."""
    named: Patterns = Field(default_factory=Patterns)
    """Patterns of answers that speak of the slot (counts 0.5; with `compare: patterns`, 1)."""


class ScoreWeightsBesides(Part):
    """Weights of `overall` that stand in this file; `scoring.yaml` in the same folder wins over them."""

    weights: dict[str, Number] = Field(default_factory=dict)
    """Weight by name of the score: cus, sfs, csp, mcs, ass, ragas_faithfulness, ragas_answer_relevance, perplexity."""


class RequirementsFile(Part):
    """What an answer has to use and to contain, by turn of the conversation (`required_slots_by_turn.yaml`)."""

    schema_version: Annotated[str, Field(coerce_numbers_to_str=True)] = ""
    """Version of the format, for the reader's information."""
    slot_definitions: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Names of slots by group, for the reader's information."""
    slots: dict[str, OwnSlot] = Field(default_factory=dict)
    """Slots of one's own, by name."""
    aggregate: ScoreWeightsBesides = Field(default_factory=ScoreWeightsBesides)
    """Weights of `overall`, where there is no `scoring.yaml`."""
    turns: dict[Literal["1", "2", "3", "4", "5"], RequiredOfTurn]
    """Requirements by number of the turn."""
    elements: dict[str, Element] = Field(default_factory=dict)
    """Elements by name (default: the bundled ones)."""


class RequiredElement(NamedTuple):
    """An element that an answer should contain; it may have to be quantified.

    A pattern, or a number of list items, tells whether it is quantified.
    """

    name: str
    least: int = 0
    most: int = 0


class TurnRequirements(NamedTuple):
    """Slots and elements that are required of the answers of one turn."""

    name: str
    slots: tuple[RequiredSlot, ...]
    elements: tuple[RequiredElement, ...]
    patterns: PatternSet
    """Patterns of this turn, called `named:ELEMENT`, `quantified:ELEMENT` and `slot:SLOT`."""
    least: float
    own: Mapping[str, OwnSlot] = MappingProxyType({})
    """Required slots that are compared as the file declares."""


@dataclass(frozen=True)
class Requirements:
    """Requirements on answers by turn, as checked."""

    turns: Mapping[int, TurnRequirements]
    declared: frozenset[str]
    """Names of slots that the file declares."""
    hash: str


def _turn(turn: RequiredOfTurn, known: Mapping[str, Element], own: Mapping[str, OwnSlot]) -> TurnRequirements:
    elements = []
    patterns: list[tuple[str, str]] = []
    for name in turn.must_include_elements:
        element = known[name]
        items = element.quantified.items
        elements.append(RequiredElement(name, items.min, items.max) if items else RequiredElement(name))
        patterns += [(f"named:{name}", pattern) for pattern in element.named.both()]
        patterns += [(f"quantified:{name}", pattern) for pattern in element.quantified.both()]
    slots = tuple(dict.fromkeys(turn.required_slots))
    declared = {wanted.slot: own[wanted.slot] for wanted in slots if wanted.slot in own}
    patterns += [(f"slot:{name}", pattern) for name, slot in declared.items() for pattern in slot.named.both()]
    least = turn.scoring.cus_min_expected
    return TurnRequirements(turn.name, slots, tuple(elements), PatternSet(patterns), least, declared)
