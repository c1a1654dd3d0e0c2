"""`required_slots_by_turn.yaml`: what an answer has to use and to contain, by turn, checked when loaded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from jatdae.core.yamlfile import KeyPath
from jatdae.dialogue.source import PatternSet, Source, read_source
from jatdae.dialogue.truth import SLOTS

FILE: Final = "required_slots_by_turn.yaml"
USES: Final = ("any", "all", "share")
TURN_NAMES: Final = ("1", "2", "3", "4", "5")


class Wanted(NamedTuple):
    """A slot an answer should use."""

    slot: str
    weight: float
    use: str


class Element(NamedTuple):
    """Something an answer should contain; quantified by a pattern or by a number of list items."""

    name: str
    least: int = 0
    most: int = 0


class Turn(NamedTuple):
    """What one turn asks for."""

    name: str
    slots: tuple[Wanted, ...]
    elements: tuple[Element, ...]
    patterns: PatternSet
    """`named:ELEMENT` and `quantified:ELEMENT` for the elements of this turn."""
    least: float


@dataclass(frozen=True)
class Requirements:
    """The checked file."""

    turns: Mapping[int, Turn]
    hash: str


def load_requirements(folder: Path | None = None) -> Requirements:
    """The requirements of a configuration folder, or the bundled ones."""
    source = read_source(folder, FILE)
    top = source.mapping(source.file.value, (), ("turns", "elements"), ("turns",))
    elements = source.mapping(top.get("elements") or {}, ("elements",))
    read = {name: _element(source, value, ("elements", name)) for name, value in elements.items()}
    turns = source.mapping(top["turns"], ("turns",), TURN_NAMES)
    made = {int(number): _turn(source, value, ("turns", number), read) for number, value in turns.items()}
    return Requirements(made, source.hash)


Patterned = tuple[Element, list[tuple[str, str]]]


def _element(source: Source, value: Any, path: KeyPath) -> Patterned:
    given = source.mapping(value, path, ("named", "quantified"))
    element = Element(str(path[-1]))
    patterns = []
    for level, inside in given.items():
        at = (*path, level)
        known = ("patterns_ko", "patterns_en", "items") if level == "quantified" else ("patterns_ko", "patterns_en")
        checked = source.mapping(inside, at, known)
        patterns += [(f"{level}:{element.name}", pattern) for pattern in source.patterns(checked, at)]
        if "items" in checked:
            bounds = source.mapping(checked["items"], (*at, "items"), ("min", "max"), ("min", "max"))
            least, most = (int(source.number(bounds[key], (*at, "items", key))) for key in ("min", "max"))
            element = element._replace(least=least, most=most)
    return element, patterns


def _turn(source: Source, value: Any, path: KeyPath, elements: Mapping[str, Patterned]) -> Turn:
    given = source.mapping(
        value, path, ("name", "required_slots", "must_include_elements", "scoring"), ("required_slots",)
    )
    slots = []
    for number, item in enumerate(source.list(given["required_slots"], (*path, "required_slots"))):
        at = (*path, "required_slots", number)
        wanted = source.mapping(item, at, ("slot", "weight", "use"), ("slot", "weight"))
        slot = source.one_of(wanted["slot"], (*at, "slot"), SLOTS, "slot")
        weight = source.number(wanted["weight"], (*at, "weight"))
        if weight <= 0:
            source.refuse((*at, "weight"), "a weight is above 0")
        slots.append(Wanted(slot, weight, source.one_of(wanted.get("use", "any"), (*at, "use"), USES, "use")))
    chosen = []
    listed = source.list(given.get("must_include_elements", []), (*path, "must_include_elements"))
    for number, name in enumerate(listed):
        chosen.append(elements[source.one_of(name, (*path, "must_include_elements", number), elements, "element")])
    scoring = source.mapping(given.get("scoring", {}), (*path, "scoring"), ("cus_min_expected",))
    least = source.number(scoring.get("cus_min_expected", 0), (*path, "scoring", "cus_min_expected"))
    patterns = PatternSet([pattern for _, found in chosen for pattern in found])
    return Turn(
        str(given.get("name", "")),
        tuple(dict.fromkeys(slots)),
        tuple(element for element, _ in chosen),
        patterns,
        least,
    )
