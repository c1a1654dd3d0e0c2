"""Requirements by turn (`required_slots_by_turn.yaml`): slots an answer must use, elements it must contain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple

from pydantic import Field

from jatdae.core.configfile import ConfigFile, Number, Part
from jatdae.dialogue.reading.patterns import PatternSet
from jatdae.dialogue.reading.truth import Slot
from jatdae.dialogue.rules.configfile import Patterns, read_config_of

REQUIREMENTS_FILE: Final = "required_slots_by_turn.yaml"


def load_requirements(folder: Path | None = None) -> Requirements:
    """Load the requirements on answers by turn, from a configuration folder or the bundled ones."""
    file = read_config_of(folder, REQUIREMENTS_FILE, RequirementsFile)
    for number, turn in file.content.turns.items():
        for at, name in enumerate(turn.must_include_elements):
            file.one_of(("turns", number, "must_include_elements", at), name, file.content.elements)
    file.finish()
    turns = {int(number): _turn(file, turn) for number, turn in file.content.turns.items()}
    return Requirements(turns, file.sha256[:8])


class RequiredSlot(Part):
    """A slot of the patient's record that an answer should use."""

    slot: Slot
    """Name of the slot in the patient's record."""
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


class RequirementsFile(Part):
    """What an answer has to use and to contain, by turn of the conversation (`required_slots_by_turn.yaml`)."""

    turns: dict[Literal["1", "2", "3", "4", "5"], RequiredOfTurn]
    """Requirements by number of the turn."""
    elements: dict[str, Element] = Field(default_factory=dict)
    """Elements by name."""


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
    """Patterns of the elements of this turn, called `named:ELEMENT` and `quantified:ELEMENT`."""
    least: float


@dataclass(frozen=True)
class Requirements:
    """Requirements on answers by turn, as checked."""

    turns: Mapping[int, TurnRequirements]
    hash: str


def _turn(file: ConfigFile[RequirementsFile], turn: RequiredOfTurn) -> TurnRequirements:
    elements = []
    patterns: list[tuple[str, str]] = []
    for name in turn.must_include_elements:
        element = file.content.elements[name]
        items = element.quantified.items
        elements.append(RequiredElement(name, items.min, items.max) if items else RequiredElement(name))
        patterns += [(f"named:{name}", pattern) for pattern in element.named.both()]
        patterns += [(f"quantified:{name}", pattern) for pattern in element.quantified.both()]
    slots = tuple(dict.fromkeys(turn.required_slots))
    return TurnRequirements(turn.name, slots, tuple(elements), PatternSet(patterns), turn.scoring.cus_min_expected)
