"""A description as it is compared: axis by axis, each property once, its alternatives together.

Descriptions differ more than what they say, and what they say more than what they say on one axis. So whoever says the
same has the same side; and an axis is an object of its own, one wherever the same is said, so that what two of them
come to when they are compared can be kept by who they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from jatdae.terms.lexicon import Lexicon
from jatdae.terms.similarity import Similarities
from jatdae.terms.term import Atom, Draft

MOST_SIDES: Final = 1 << 13
MOST_AXES: Final = 1 << 15
"""How many are kept."""
_NOWHERE: Final = ("",)


class Slot(NamedTuple):
    """One property a description states."""

    atoms: tuple[str, ...]
    """The atom; several are alternatives, of which the best counts."""
    negated: bool
    places: tuple[str, ...]
    """Every location it is bound to; "" stands for a mention without one."""
    optional: bool = False
    """It counts only where the other side speaks of it: negations, and locations of nothing but negations."""
    implied: bool = False
    """It was not said but follows: it counts only where the other side says something like it."""


@dataclass(frozen=True, slots=True, eq=False)
class Axis:
    """What a description says on one axis."""

    slots: tuple[Slot, ...]
    spoken: frozenset[str]
    """Every atom it speaks of, in whatever way."""


axis_of = lru_cache(MOST_AXES)(Axis)
"""The axis with these slots: one object, however often it is asked for."""
NOTHING: Final = Axis((), frozenset())
"""An axis that nothing is said on."""

Laid = tuple[Axis, Sequence[int]]
"""An axis, and the number of the term that each of its slots was first stated by."""


class Side(NamedTuple):
    """A description by the axes of its lexicon, in their order."""

    axes: Sequence[Laid]
    mixed: Sequence[tuple[Slot, int]] = ()
    """Slots whose alternatives are of several axes (苔黄或腻), with their first terms."""


Stated = tuple[Atom, bool, tuple[str, ...], int]
"""A term as far as it is compared: atom, negated, places, choice."""
Said = tuple[Atom, bool, tuple[str, ...], int, bool, bool]
"""The same, and whether it is optional or implied."""
Mentions = tuple[list[Said], list[int]]
"""What is said, and the numbers of the terms that say it."""


def side_of(terms: Sequence[Draft], lexicon: Lexicon) -> Side:
    """Terms as slots. A property said twice is one property, bound to all the places of its mentions."""
    return _laid_out(tuple([(term.atom, term.negated, term.places, term.choice) for term in terms]), lexicon)


@lru_cache(MOST_SIDES)
def _laid_out(stated: tuple[Stated, ...], lexicon: Lexicon) -> Side:
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
    axes = [_axis_laid_out(*said[prefix]) if prefix in said else _UNSAID for prefix in lexicon.axes]
    return _with_mixed(axes, waiting.values(), lexicon) if mixed else Side(axes)


def settled(side: Side, other: Side, lexicon: Lexicon, alike: Similarities) -> Side:
    """`side` with each mixed slot put where its alternatives meet the other side best."""
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
        if not any(each.atoms == kept and not each.negated for each in axis.slots):  # what is said twice is said once
            found = [*zip(axis.slots, numbers, strict=True), (slot._replace(atoms=kept), number)]
            axes[prefix] = _sorted_axis(found, axis.spoken)
    return Side([*axes.values()])


def _axis_laid_out(said: Sequence[Said], numbers: Sequence[int]) -> Laid:
    axis, firsts = _axis_and_firsts(tuple(said))
    return axis, numbers if len(numbers) == 1 else [numbers[first] for first in firsts]


@lru_cache(MOST_AXES)
def _axis_and_firsts(said: tuple[Said, ...]) -> Laid:
    """The slots of what is said on one axis, and which mention was the first of each."""
    mentions: dict[tuple[object, bool], list[int]] = {}
    for at, (atom, negated, _, choice, _, implied) in enumerate(said):
        if not implied:
            mentions.setdefault((choice or atom, negated), []).append(at)
    found = [(_slot([said[at] for at in mine]), mine[0]) for mine in mentions.values()]
    found = _once([each for each in found if len(each[0].atoms) > 1]) + [e for e in found if len(e[0].atoms) == 1]
    spoken = frozenset(atom for slot, _ in found for atom in slot.atoms)
    for at, (atom, *_, implied) in enumerate(said):
        if implied and not any(slot.atoms == (atom.name,) and not slot.negated for slot, _ in found):
            found.append((Slot((atom.name,), False, _NOWHERE, implied=True), at))
    return _sorted_axis(found, spoken)


def _slot(said: Sequence[Said]) -> Slot:
    """One slot of several mentions or alternatives."""
    atoms = tuple(sorted({atom.name for atom, *_ in said}))
    places = tuple(sorted({place for _, _, places, *_ in said for place in places or _NOWHERE}))
    return Slot(atoms, said[0][1], places, said[0][4])


def _once(choices: Sequence[tuple[Slot, int]]) -> list[tuple[Slot, int]]:
    """Choices, the same one once."""
    return [*{slot[:2]: (slot, first) for slot, first in sorted(choices, reverse=True)}.values()]


def _sorted_axis(found: Sequence[tuple[Slot, int]], spoken: frozenset[str]) -> Laid:
    found = sorted(found)
    return axis_of(tuple([slot for slot, _ in found]), spoken), [first for _, first in found]


_UNSAID: Final[Laid] = (NOTHING, ())


def _mixed_choices(stated: Sequence[Stated]) -> set[tuple[int, bool]]:
    """The choices whose alternatives are of several axes."""
    prefixes: dict[tuple[int, bool], set[str]] = {}
    for atom, negated, _, choice in stated:
        if choice:
            prefixes.setdefault((choice, negated), set()).add(atom.prefix)
    return {choice for choice, found in prefixes.items() if len(found) > 1}


def _with_mixed(axes: Sequence[Laid], waiting: Iterable[Mentions], lexicon: Lexicon) -> Side:
    """Mixed choices wait for the other side; until then each of their axes is spoken of."""
    mixed = _once([(_slot(said), numbers[0]) for said, numbers in waiting])
    spoken = {atom for slot, _ in mixed for atom in slot.atoms}
    made = []
    for prefix, (axis, numbers) in zip(lexicon.axes, axes, strict=True):
        here = {atom for atom in spoken if lexicon.atoms[atom].prefix == prefix}
        made.append((axis_of(axis.slots, axis.spoken | here), numbers))
    return Side(made, mixed)


def _idle_places(stated: Sequence[Stated]) -> set[str]:
    """Locations that bind negated terms and no others: 边无齿痕 does not claim anything of the sides."""
    denied = {place for _, negated, places, _ in stated if negated for place in places}
    return denied.difference(*[places for _, negated, places, _ in stated if not negated])
