"""Count tables of two compared clinical descriptions: which atoms were right, and what went wrong with the others.

They follow the assignment that gives the scores. Each property counted in |R| is in exactly one of right, place,
negated, confused and missed, and each counted in |P| in exactly one of right, place, negated, confused and extra.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from jatdae.core.contract import Count
from jatdae.terms.atom_similarity import ONE, Similarities
from jatdae.terms.slots import Slot

COUNTS: Final = (
    Count("right", coded=True),
    Count("missed", error=True, coded=True),
    Count("extra", error=True, coded=True),
    Count("confused", error=True, coded=True),
    Count("negated", error=True, coded=True),
    Count("place", error=True, coded=True),
)
"""`confused` and `negated` have keys `REFERENCE→PREDICTION`, the others the name of an atom; ¬ marks a negated one.

A finding that is denied instead of stated is not confused with another finding, and a finding at the wrong location is
the right finding. Both are other errors than a confusion and are read for themselves, so they have tables of their own.
"""

AtomCount = tuple[str, str, int]
"""A table, a key in it, and how often."""


def count_atoms(
    predicted: Sequence[Slot], expected: Sequence[Slot], pairs: Sequence[tuple[int, int, int]], alike: Similarities
) -> list[AtomCount]:
    """Count the atoms of two descriptions on one axis, of which `pairs` were assigned to each other."""
    found = Counter(_counted(predicted, expected, pairs, alike))
    return [(table, key, count) for (table, key), count in found.items()]


def _counted(
    predicted: Sequence[Slot], expected: Sequence[Slot], pairs: Sequence[tuple[int, int, int]], alike: Similarities
) -> Iterator[tuple[str, str]]:
    """The table and key of each property."""
    for row, column, similarity in pairs:
        ours, theirs = predicted[row], expected[column]
        said, meant = max(((x, y) for x in ours.atoms for y in theirs.atoms), key=lambda pair: alike(*pair))
        if similarity < ONE:
            yield "confused", f"{meant}→{said}"
        else:
            yield "right" if ours.places == theirs.places else "place", _key(theirs, [meant])
    extra = _others(predicted, {row for row, _, _ in pairs})
    for theirs in _others(expected, {column for _, column, _ in pairs}):
        opposite = next((slot for slot in extra if _is_opposite(slot, theirs)), None)
        if opposite is None:
            yield "missed", _key(theirs, theirs.atoms)
        else:
            extra.remove(opposite)
            both = sorted({*opposite.atoms} & {*theirs.atoms})
            yield "negated", f"{_key(theirs, both)}→{_key(opposite, both)}"
    for ours in extra:
        yield "extra", _key(ours, ours.atoms)


def _others(slots: Sequence[Slot], assigned: set[int]) -> list[Slot]:
    return [slot for at, slot in enumerate(slots) if at not in assigned]


def _is_opposite(a: Slot, b: Slot) -> bool:
    """Whether one states what the other denies."""
    return a.negated != b.negated and not {*a.atoms}.isdisjoint(b.atoms)


def _key(slot: Slot, atoms: Iterable[str]) -> str:
    """Key of a property in a table; alternatives that nothing decides between stay together."""
    return f"{'¬' if slot.negated else ''}{'|'.join(atoms)}"
