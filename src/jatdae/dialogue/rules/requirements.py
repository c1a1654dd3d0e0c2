"""Requirements by turn (`required_slots_by_turn.yaml`): slots an answer must use, elements it must contain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from jatdae.core.yamlfile import KeyPath
from jatdae.dialogue.reading.patterns import PatternSet
from jatdae.dialogue.reading.truth import SLOTS
from jatdae.dialogue.rules.configfile import ConfigFile, read_config

REQUIREMENTS_FILE: Final = "required_slots_by_turn.yaml"
USES: Final = ("any", "all", "share")
TURN_NAMES: Final = ("1", "2", "3", "4", "5")


def load_requirements(folder: Path | None = None) -> Requirements:
    """Load the requirements on answers by turn, from a configuration folder or the bundled ones."""
    config = read_config(folder, REQUIREMENTS_FILE)
    top = config.mapping(config.file.value, (), ("turns", "elements"), ("turns",))
    elements = config.mapping(top.get("elements") or {}, ("elements",))
    read = {name: _element(config, value, ("elements", name)) for name, value in elements.items()}
    turns = config.mapping(top["turns"], ("turns",), TURN_NAMES)
    made = {int(number): _turn(config, value, ("turns", number), read) for number, value in turns.items()}
    return Requirements(made, config.hash)


class RequiredSlot(NamedTuple):
    """A slot of the patient's record that an answer should use."""

    slot: str
    weight: float
    use: str


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


Patterned = tuple[RequiredElement, list[tuple[str, str]]]


def _element(config: ConfigFile, value: Any, path: KeyPath) -> Patterned:
    given = config.mapping(value, path, ("named", "quantified"))
    element = RequiredElement(str(path[-1]))
    patterns = []
    for level, inside in given.items():
        at = (*path, level)
        known = ("patterns_ko", "patterns_en", "items") if level == "quantified" else ("patterns_ko", "patterns_en")
        checked = config.mapping(inside, at, known)
        patterns += [(f"{level}:{element.name}", pattern) for pattern in config.patterns(checked, at)]
        if "items" in checked:
            bounds = config.mapping(checked["items"], (*at, "items"), ("min", "max"), ("min", "max"))
            least, most = (int(config.number(bounds[key], (*at, "items", key))) for key in ("min", "max"))
            element = element._replace(least=least, most=most)
    return element, patterns


def _turn(config: ConfigFile, value: Any, path: KeyPath, elements: Mapping[str, Patterned]) -> TurnRequirements:
    given = config.mapping(
        value, path, ("name", "required_slots", "must_include_elements", "scoring"), ("required_slots",)
    )
    slots = []
    for number, item in enumerate(config.list(given["required_slots"], (*path, "required_slots"))):
        at = (*path, "required_slots", number)
        wanted = config.mapping(item, at, ("slot", "weight", "use"), ("slot", "weight"))
        slot = config.one_of(wanted["slot"], (*at, "slot"), SLOTS, "slot")
        weight = config.number(wanted["weight"], (*at, "weight"))
        if weight <= 0:
            config.refuse((*at, "weight"), "a weight must be above 0")
        slots.append(RequiredSlot(slot, weight, config.one_of(wanted.get("use", "any"), (*at, "use"), USES, "use")))
    chosen = []
    listed = config.list(given.get("must_include_elements", []), (*path, "must_include_elements"))
    for number, name in enumerate(listed):
        chosen.append(elements[config.one_of(name, (*path, "must_include_elements", number), elements, "element")])
    scoring = config.mapping(given.get("scoring", {}), (*path, "scoring"), ("cus_min_expected",))
    least = config.number(scoring.get("cus_min_expected", 0), (*path, "scoring", "cus_min_expected"))
    patterns = PatternSet([pattern for _, found in chosen for pattern in found])
    return TurnRequirements(
        str(given.get("name", "")),
        tuple(dict.fromkeys(slots)),
        tuple(element for element, _ in chosen),
        patterns,
        least,
    )
