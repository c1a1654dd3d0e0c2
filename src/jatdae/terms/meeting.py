"""Two sides on one axis: which slots count, who is assigned to whom, and what is the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jatdae.terms.assignment import assign
from jatdae.terms.sides import Axis, Slot
from jatdae.terms.similarity import ONE, Similarities

Rungs = tuple[int, int, int]
"""Exact matches by rung of the ladder: atoms, with polarity, with polarity and locations."""

Pair = tuple[int, int, int]
"""The numbers of two slots that were assigned to each other, and their similarity in units of 1 / ONE."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """What two sides come to on one axis."""

    total: int
    """Assigned similarities, in units of 1 / ONE."""
    predicted: int
    expected: int
    similarity: float | None
    """None where both sides are empty."""
    hits: Rungs
    pairs: Sequence[tuple[int, int, float]]
    """The numbers of two slots that were assigned to each other, and how alike they are."""


def meet(prediction: Axis, reference: Axis, alike: Similarities) -> Meeting:
    """Assign the slots of one side to those of the other."""
    predicted = _counted(prediction, reference, alike)
    expected = _counted(reference, prediction, alike)
    ours, theirs = [prediction.slots[at] for at in predicted], [reference.slots[at] for at in expected]
    found = _match(ours, theirs, alike)
    total = sum([weight for _, _, weight in found])
    choices = any(len(slot.atoms) > 1 for slot in (*ours, *theirs))
    return Meeting(
        total,
        len(ours),
        len(theirs),
        share(total, len(ours), len(theirs)) if ours or theirs else None,
        _ladder_of_choices(ours, theirs) if choices else _ladder(ours, theirs),
        [(predicted[row], expected[column], weight / ONE) for row, column, weight in found],
    )


def share(total: int, predicted: int, expected: int) -> float:
    """Σ s / max(|P|, |R|), where not both are empty."""
    return total / (ONE * (predicted if predicted > expected else expected))


def _counted(axis: Axis, other: Axis, alike: Similarities) -> list[int]:
    """The slots that enter lengths: all but those that count only where the other side speaks of the matter."""
    kept = []
    for at, slot in enumerate(axis.slots):
        if slot.implied:
            stated = [atom for each in other.slots if not each.negated for atom in each.atoms]
            counts = any(alike(slot.atoms[0], atom) for atom in stated)
        else:
            counts = not slot.optional or not other.spoken.isdisjoint(slot.atoms)
        if counts:
            kept.append(at)
    return kept


def _match(predicted: Sequence[Slot], expected: Sequence[Slot], alike: Similarities) -> list[Pair]:
    """The best assignment.

    What is the same on both sides is taken out first where no better use of it is possible: if p = r, an assignment
    that pairs p with y and x with r gains by pairing p with r and x with y instead, as long as
    s(p, y) + s(x, r) ≤ 1 + s(x, y), which is the triangle inequality for 1 − s.
    """
    twins = {slot[:2]: row for row, slot in enumerate(predicted) if slot.negated or slot.atoms[0] in alike.firm}
    found: list[Pair] = []
    columns = []
    for column, slot in enumerate(expected):
        row = twins.pop(slot[:2], None) if len(slot.atoms) == 1 else None
        if row is None:
            columns.append(column)
        else:
            found.append((row, column, ONE))
    taken = {row for row, _, _ in found}
    rows = [row for row in range(len(predicted)) if row not in taken]
    weights = [[_similarity(predicted[row], expected[column], alike) for column in columns] for row in rows]
    return found + [(rows[at], columns[to], weights[at][to]) for at, to in assign(weights)]


def _similarity(a: Slot, b: Slot, alike: Similarities) -> int:
    """The best of the alternatives. A negated atom meets only itself, negated."""
    if a.negated != b.negated:
        return 0
    if a.negated:
        return ONE if not set(a.atoms).isdisjoint(b.atoms) else 0
    return max(alike(x, y) for x in a.atoms for y in b.atoms)


def _ladder(predicted: Sequence[Slot], expected: Sequence[Slot]) -> Rungs:
    """How many slots are the same: as atoms, with polarity, with polarity and locations."""
    found = {slot[:2]: slot.places for slot in predicted}
    polarity = location = 0
    others = []
    for slot in expected:
        places = found.pop(slot[:2], None)
        if places is None:
            others.append(slot.atoms)
        else:
            polarity += 1
            location += places == slot.places
    opposite = {atoms for atoms, _ in found}.intersection(others)
    return polarity + len(opposite), polarity, location


def _ladder_of_choices(predicted: Sequence[Slot], expected: Sequence[Slot]) -> Rungs:
    """The same where alternatives leave a choice: as many as an assignment can make."""

    def hits(depth: int) -> int:
        return len(assign([[_same(p, e, depth) for e in expected] for p in predicted]))

    return hits(1), hits(2), hits(3)


def _same(a: Slot, b: Slot, depth: int) -> int:
    """Whether two slots share an atom and, up to `depth`, polarity and places."""
    return int(not set(a.atoms).isdisjoint(b.atoms) and a[1:depth] == b[1:depth])
