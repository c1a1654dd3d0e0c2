"""Descriptions as they are compared: their properties by axis, each once, with its alternatives.

Many descriptions differ as texts but state the same, and many more state the same on one axis. Equal statements
therefore share one `DescriptionSlots`, and equal axes one `AxisSlots`, so that comparisons can be cached by identity.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from jatdae.terms.atom_similarity import Similarities
from jatdae.terms.lexicon import Lexicon
from jatdae.terms.term import Atom, Draft

MOST_DESCRIPTIONS: Final = 1 << 13
MOST_AXES: Final = 1 << 15
"""How many of each are cached."""
_NOWHERE: Final = ("",)


class Slot(NamedTuple):
    """A property that a description states: atoms, polarity and locations."""

    atoms: tuple[str, ...]
    """The atom; if there are several, they are alternatives and the best counts."""
    negated: bool
    places: tuple[str, ...]
    """Every location that applies to it; "" for a mention without one."""
    optional: bool = False
    """It counts only if the other side mentions it: negations, and locations of negated terms alone."""
    implied: bool = False
    """It was not stated but implied: it counts only if the other side states something similar."""


@dataclass(frozen=True, eq=False)
class AxisSlots:
    """Properties that a description states on one axis, and the atoms it mentions there."""

    slots: tuple[Slot, ...]
    spoken: frozenset[str]
    """Every atom it mentions, stated or negated."""


axis_of = lru_cache(MOST_AXES)(AxisSlots)
"""The axis with these slots; equal arguments give the same object."""
NO_SLOTS: Final = AxisSlots((), frozenset())
"""An axis on which nothing is stated."""

NumberedAxis = tuple[AxisSlots, list[int]]
"""An axis, and for each of its slots the number of the term that stated it first."""


class DescriptionSlots(NamedTuple):
    """Properties that a description states, by the axes of its lexicon in their order."""

    axes: list[NumberedAxis]
    mixed: Sequence[tuple[Slot, int]] = ()
    """Slots with alternatives on several axes (苔黄或腻), with the numbers of their first terms."""


Stated = tuple[Atom, bool, tuple[str, ...], int]
"""The compared part of a term: atom, negated, places, choice."""
Said = tuple[Atom, bool, tuple[str, ...], int, bool, bool]
"""The same, with whether it is optional and whether it is implied."""
Mentions = tuple[list[Said], list[int]]
"""What is stated, and the numbers of the terms that state it."""


def slots_of(terms: Sequence[Draft], lexicon: Lexicon) -> DescriptionSlots:
    """Collect the slots of a clinical description: the properties it states, by axis.

    A property stated twice is one slot, with the places of all its mentions.
    """
    return _shared_slots(tuple([(term.atom, term.negated, term.places, term.choice) for term in terms]), lexicon)


@lru_cache(MOST_DESCRIPTIONS)
def _shared_slots(stated: tuple[Stated, ...], lexicon: Lexicon) -> DescriptionSlots:
    idle, mixed = _idle_places(stated), _mixed_choices(stated)
    said: dict[str, Mentions] = {}
    waiting: dict[tuple[int, bool], Mentions] = {}
    for number, (atom, negated, places, choice) in enumerate(stated):
        if (choice, negated) in mixed:
            home = waiting.setdefault((choice, negated), ([], []))
        else:
            home = said.setdefault(atom.prefix, ([], []))
            for implied in lexicon.implies.get(atom.name, ()) if not negated else ():
                there = said.setdefault(implied.prefix, ([], []))
                there[0].append((implied, False, (), 0, False, True))
                there[1].append(number)
        home[0].append((atom, negated, places, choice, negated or atom.name in idle, False))
        home[1].append(number)
    axes = [_numbered_axis(*said[prefix]) if prefix in said else _NOT_STATED for prefix in lexicon.axes]
    return _add_mixed(axes, waiting.values(), lexicon) if mixed else DescriptionSlots(axes)


def resolve_mixed(
    side: DescriptionSlots, other: DescriptionSlots, lexicon: Lexicon, alike: Similarities
) -> DescriptionSlots:
    """Put each mixed slot of a clinical description on the axis where it is most similar to the other one."""
    if not side.mixed:
        return side
    slots = [slot for axis, _ in other.axes for slot in axis.slots] + [slot for slot, _ in other.mixed]
    stated = [atom for slot in slots if not slot.negated for atom in slot.atoms]
    axes = dict(zip(lexicon.axes, side.axes, strict=True))
    for slot, number in side.mixed:
        best = max(slot.atoms, key=lambda atom: max((alike(atom, each) for each in stated), default=0))
        prefix = lexicon.atoms[best].prefix
        kept = tuple(atom for atom in slot.atoms if lexicon.atoms[atom].prefix == prefix)
        axis, numbers = axes[prefix]
        if not any(each.atoms == kept and not each.negated for each in axis.slots):  # not stated there already
            found = [*zip(axis.slots, numbers, strict=True), (slot._replace(atoms=kept), number)]
            axes[prefix] = _sorted_axis(found, axis.spoken)
    return DescriptionSlots([*axes.values()])


def _numbered_axis(said: Sequence[Said], numbers: list[int]) -> NumberedAxis:
    axis, firsts = _axis_and_firsts(tuple(said))
    return axis, numbers if len(numbers) == 1 else [numbers[first] for first in firsts]


@lru_cache(MOST_AXES)
def _axis_and_firsts(said: tuple[Said, ...]) -> NumberedAxis:
    """The slots of one axis, and for each the index of its first mention."""
    mentions: dict[tuple[object, bool], list[int]] = {}
    for at, (atom, negated, _, choice, _, implied) in enumerate(said):
        if not implied:
            mentions.setdefault((choice or atom, negated), []).append(at)
    found = [(_slot([said[at] for at in mine]), mine[0]) for mine in mentions.values()]
    found = _without_repeats([each for each in found if len(each[0].atoms) > 1]) + [
        e for e in found if len(e[0].atoms) == 1
    ]
    spoken = frozenset(atom for slot, _ in found for atom in slot.atoms)
    for at, (atom, *_, implied) in enumerate(said):
        if implied and not any(slot.atoms == (atom.name,) and not slot.negated for slot, _ in found):
            found.append((Slot((atom.name,), False, _NOWHERE, implied=True), at))
    return _sorted_axis(found, spoken)


def _slot(said: Sequence[Said]) -> Slot:
    """One slot for several mentions or alternatives."""
    atoms = tuple(sorted({atom.name for atom, *_ in said}))
    places = tuple(sorted({place for _, _, places, *_ in said for place in places or _NOWHERE}))
    return Slot(atoms, said[0][1], places, said[0][4])


def _without_repeats(choices: Sequence[tuple[Slot, int]]) -> list[tuple[Slot, int]]:
    """Choices without duplicates, each with its first term."""
    return [*{slot[:2]: (slot, first) for slot, first in sorted(choices, reverse=True)}.values()]


def _sorted_axis(found: Sequence[tuple[Slot, int]], spoken: frozenset[str]) -> NumberedAxis:
    found = sorted(found)
    return axis_of(tuple([slot for slot, _ in found]), spoken), [first for _, first in found]


_NOT_STATED: Final[NumberedAxis] = (NO_SLOTS, [])


def _mixed_choices(stated: Sequence[Stated]) -> set[tuple[int, bool]]:
    """The choices that have alternatives on several axes."""
    prefixes: dict[tuple[int, bool], set[str]] = {}
    for atom, negated, _, choice in stated:
        if choice:
            prefixes.setdefault((choice, negated), set()).add(atom.prefix)
    return {choice for choice, found in prefixes.items() if len(found) > 1}


def _add_mixed(axes: Sequence[NumberedAxis], waiting: Iterable[Mentions], lexicon: Lexicon) -> DescriptionSlots:
    """Add mixed choices, which are resolved when the other side is known; until then all their axes mention them."""
    mixed = _without_repeats([(_slot(said), numbers[0]) for said, numbers in waiting])
    spoken = {atom for slot, _ in mixed for atom in slot.atoms}
    made = []
    for prefix, (axis, numbers) in zip(lexicon.axes, axes, strict=True):
        here = {atom for atom in spoken if lexicon.atoms[atom].prefix == prefix}
        made.append((axis_of(axis.slots, axis.spoken | here), numbers))
    return DescriptionSlots(made, mixed)


def _idle_places(stated: Sequence[Stated]) -> set[str]:
    """Locations that apply to negated terms alone: 边无齿痕 states nothing about the sides."""
    denied = {place for _, negated, places, _ in stated if negated for place in places}
    return denied.difference(*[places for _, negated, places, _ in stated if not negated])
