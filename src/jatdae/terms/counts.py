"""Findings of two compared clinical descriptions: which atoms were right, and what went wrong with the others.

They follow the assignment that gives the scores. Each property counted in |R| is in exactly one of right, place,
negated, confused and missed, and each counted in |P| in exactly one of right, place, negated, confused and extra.
The count tables count them, and the evidence shows where they stand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from jatdae.core.contract import Count, Rate
from jatdae.terms.atom_similarity import ONE, Similarities
from jatdae.terms.slots import Slot

COUNTS: Final = (
    Count("right", coded=True),
    Count("missed", error=True, coded=True),
    Count("extra", error=True, coded=True),
    Count("confused", error=True, coded=True),
    Count("negated", error=True, coded=True),
    Count("place", error=True, coded=True),
    Count("instead", coded=True),
)
"""`confused`, `negated` and `instead` have keys `REFERENCE→PREDICTION`, the others an atom; ¬ marks a negated one.

A finding that is denied instead of stated is not confused with another finding, and a finding at the wrong location is
the right finding. Both are other errors than a confusion and are read for themselves, so they have tables of their own.
What is missed and what is extra on the same axis stand in `instead` too: 红 was expected and 紫 was said.
"""

_MET: Final = ("right", "place")
RATES: Final = (
    Rate(
        "atom_recall",
        _MET,
        (*_MET, "missed", "confused→", "negated→"),
        shown=True,
        group="_",
        instead=("confused", "instead", "negated"),
    ),
    Rate("atom_precision", _MET, (*_MET, "extra", "→confused", "→negated"), shown=True, group="_"),
)
"""Recall and precision of every atom, and of every axis."""

AtomCount = tuple[str, str, int]
"""A table, a key in it, and how often."""


class Finding(NamedTuple):
    """What became of a property: the table it is counted in, its key there, and which slots it is about."""

    table: str
    key: str
    row: int
    column: int
    """Numbers of the predicted and of the expected slot; NOWHERE on a side that has none."""
    similarity: float = 0.0
    said: str = ""
    meant: str = ""
    """The atoms that met; of alternatives the ones that counted."""


NOWHERE: Final = -1


def find_atoms(
    predicted: Sequence[Slot], expected: Sequence[Slot], pairs: Sequence[tuple[int, int, int]], alike: Similarities
) -> Iterator[Finding]:
    """Find what became of the atoms of two descriptions on one axis, of which `pairs` were assigned to each other."""
    for row, column, similarity in pairs:
        ours, theirs = predicted[row], expected[column]
        said, meant = max(((x, y) for x in ours.atoms for y in theirs.atoms), key=lambda pair: alike(*pair))
        if similarity < ONE:
            table, key = "confused", f"{meant}→{said}"
        else:
            table, key = "right" if ours.places == theirs.places else "place", _key(theirs, [meant])
        yield Finding(table, key, row, column, similarity / ONE, said, meant)
    extra = _others(predicted, {row for row, _, _ in pairs})
    for column, theirs in _others(expected, {column for _, column, _ in pairs}):
        opposite = next((each for each in extra if _is_opposite(each[1], theirs)), None)
        if opposite is None:
            yield Finding("missed", _key(theirs, theirs.atoms), NOWHERE, column)
        else:
            extra.remove(opposite)
            row, ours = opposite
            both = sorted({*ours.atoms} & {*theirs.atoms})
            key = f"{_key(theirs, both)}→{_key(ours, both)}"
            yield Finding("negated", key, row, column, said=both[0], meant=both[0])
    for row, ours in extra:
        yield Finding("extra", _key(ours, ours.atoms), row, NOWHERE)


def count_atoms(findings: Sequence[Finding]) -> list[AtomCount]:
    """Count the findings of one axis of two descriptions by table and key."""
    found = Counter([finding[:2] for finding in findings])
    missed = [key for table, key in found if table == "missed"]
    extra = [key for table, key in found if table == "extra"]
    pairs = [("instead", f"{meant}→{said}", 1) for meant in missed for said in extra]
    return [*((table, key, count) for (table, key), count in found.items()), *pairs]


def _others(slots: Sequence[Slot], assigned: set[int]) -> list[tuple[int, Slot]]:
    return [(at, slot) for at, slot in enumerate(slots) if at not in assigned]


def _is_opposite(a: Slot, b: Slot) -> bool:
    """Whether one states what the other denies."""
    return a.negated != b.negated and not {*a.atoms}.isdisjoint(b.atoms)


def _key(slot: Slot, atoms: Iterable[str]) -> str:
    """Key of a property in a table; alternatives that nothing decides between stay together."""
    return f"{'¬' if slot.negated else ''}{'|'.join(atoms)}"
