"""A description as it is compared: each property once, its alternatives together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from jatdae.terms.lexicon import Lexicon
from jatdae.terms.model import Term
from jatdae.terms.similarity import Similarities

_NOWHERE: Final = ("",)


class Slot(NamedTuple):
    """One property a description states."""

    atoms: tuple[str, ...]
    """The atom; several are alternatives, of which the best counts."""
    negated: bool
    places: tuple[str, ...]
    """Every location it is bound to; "" stands for a mention without one."""
    terms: tuple[int, ...]
    """The numbers of its terms."""
    optional: bool = False
    """It counts only where the other side speaks of it: negations, and locations of nothing but negations."""
    implied: bool = False
    """It was not said but follows: it counts only where the other side says something like it."""


class Side(NamedTuple):
    """The slots of a description by prefix, each list in the order of its atoms."""

    slots: Mapping[str, Sequence[Slot]]
    mixed: Sequence[Slot]
    """Slots whose alternatives are of several prefixes (苔黄或腻)."""
    spoken: frozenset[str]
    """Every atom it speaks of, in whatever way."""
    hedged: bool
    """Some slots count only under conditions."""
    choices: bool
    """Some slots have alternatives."""


def side_of(terms: Sequence[Term], lexicon: Lexicon) -> Side:
    """Terms as slots. A property said twice is one property, bound to all the places of its mentions."""
    numbers: dict[tuple[str | int, bool], tuple[int, ...]] = {}
    hedged = False
    for number, term in enumerate(terms):
        key = (term.choice or term.atom, term.negated)
        numbers[key] = (*numbers[key], number) if key in numbers else (number,)
        hedged = hedged or term.negated
    idle = _idle_places(terms) if hedged else frozenset()
    slots: dict[str, list[Slot]] = {}
    choices: set[Slot] = set()
    for (_, negated), mine in numbers.items():
        term = terms[mine[0]]
        if len(mine) == 1 and len(term.places) < 2:
            slot = Slot((term.atom,), negated, term.places or _NOWHERE, mine, negated or term.atom in idle)
        else:
            slot = _joint([terms[number] for number in mine], mine, negated or term.atom in idle)
            if len(slot.atoms) > 1:
                choices.add(slot)
                continue
        slots.setdefault(lexicon.prefixes[term.atom], []).append(slot)
    mixed = _settle_choices(choices, slots, lexicon) if choices else []
    spoken = frozenset([term.atom for term in terms])
    if not lexicon.implies.keys().isdisjoint(spoken):
        hedged = _add_implied(slots, lexicon) or hedged
    for found in slots.values():
        if len(found) > 1:
            found.sort()
    return Side(slots, mixed, spoken, hedged, bool(choices))


def settled(side: Side, other: Side, lexicon: Lexicon, alike: Similarities) -> Side:
    """`side` with each mixed slot put where its alternatives meet the other side best."""
    slots = {prefix: list(found) for prefix, found in side.slots.items()}
    stated = [a for found in (*other.slots.values(), other.mixed) for s in found if not s.negated for a in s.atoms]
    for slot in side.mixed:
        best = max(slot.atoms, key=lambda atom: max((alike(atom, each) for each in stated), default=0))
        prefix = lexicon.prefixes[best]
        kept = tuple(atom for atom in slot.atoms if lexicon.prefixes[atom] == prefix)
        home = slots.setdefault(prefix, [])
        if not any(each.atoms == kept and not each.negated for each in home):  # what is said twice is said once
            home.append(slot._replace(atoms=kept))
            home.sort()
    return side._replace(slots=slots, mixed=())


def _joint(terms: Sequence[Term], numbers: tuple[int, ...], optional: bool) -> Slot:
    """One slot of several mentions or alternatives."""
    atoms = tuple(sorted({term.atom for term in terms}))
    places = tuple(sorted({place for term in terms for place in term.places or _NOWHERE}))
    return Slot(atoms, terms[0].negated, places, numbers, optional)


def _settle_choices(choices: Iterable[Slot], slots: dict[str, list[Slot]], lexicon: Lexicon) -> list[Slot]:
    """Put each choice under its prefix, the same one once; returns those that are of several prefixes."""
    mixed: list[Slot] = []
    once = {slot[:2]: slot for slot in sorted(choices, reverse=True)}
    for slot in once.values():
        prefixes = {lexicon.prefixes[atom] for atom in slot.atoms}
        home = mixed if len(prefixes) > 1 else slots.setdefault(prefixes.pop(), [])
        home.append(slot)
    return mixed


def _add_implied(slots: dict[str, list[Slot]], lexicon: Lexicon) -> bool:
    """Add what follows from what is said and was not said itself."""
    added = False
    for slot in [slot for found in slots.values() for slot in found if not slot.negated]:
        for implied in (implied for atom in slot.atoms for implied in lexicon.implies.get(atom, ())):
            home = slots.setdefault(lexicon.prefixes[implied], [])
            if not any(each.atoms == (implied,) and not each.negated for each in home):
                home.append(Slot((implied,), False, _NOWHERE, slot.terms, implied=True))
                added = True
    return added


def _idle_places(terms: Iterable[Term]) -> frozenset[str]:
    """Locations that bind negated terms and no others: 边无齿痕 does not claim anything of the sides."""
    denied: set[str] = set()
    used: set[str] = set()
    for term in terms:
        (denied if term.negated else used).update(term.places)
    return frozenset(denied - used)
