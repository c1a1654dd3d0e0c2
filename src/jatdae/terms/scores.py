"""The numbers of one comparison.

Per category, with s the similarity of two atoms and π a one-to-one assignment:

    similarity = max_π Σ s(p, π(p)) / max(|P|, |R|)
    score      = Σ weight · similarity / Σ weight          over the categories

A category that is empty on both sides counts as 1 (`match`) or is left out (`skip`). Over all categories, with S the
sum of assigned similarities:

    precision = S / |P|     recall = S / |R|     F1 = 2 S / (|P| + |R|)

and the same with exact matches in the place of S for the ladder: `exact_f1` compares atoms, `polarity_f1` atoms with
their polarity, `location_f1` atoms with their polarity and the locations they are bound to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum
from typing import Final, NamedTuple

from jatdae.terms.assignment import assign
from jatdae.terms.lexicon import Lexicon
from jatdae.terms.sides import Side, Slot, settled
from jatdae.terms.similarity import ONE, Similarities

RUNGS: Final = ("exact", "polarity", "location")
Rungs = tuple[int, int, int]
_NO_HITS: Final[Rungs] = (0, 0, 0)


class Match(NamedTuple):
    """Two slots that were assigned to each other."""

    prediction: Slot
    reference: Slot
    similarity: int


class Group(NamedTuple):
    """What a prefix or a category adds up to."""

    total: int
    """Assigned similarities, in units of 1 / ONE."""
    predicted: int
    expected: int
    similarity: float | None
    """None where both sides are empty."""


class Scores(NamedTuple):
    """Everything two descriptions are measured by."""

    groups: Mapping[str, Group]
    """Prefixes and categories."""
    whole: Group
    matches: Sequence[Match]
    hits: Rungs
    """Exact matches by rung of the ladder."""


_EMPTY: Final = Group(0, 0, 0, None)


def compare(prediction: Side, reference: Side, lexicon: Lexicon, alike: Similarities) -> Scores:
    """Assign the slots of one side to those of the other, axis by axis."""
    if prediction.mixed or reference.mixed:
        sides = prediction, reference
        prediction = settled(sides[0], sides[1], lexicon, alike)
        reference = settled(sides[1], sides[0], lexicon, alike)
    choices = prediction.choices or reference.choices
    groups: dict[str, Group] = {}
    matches: list[Match] = []
    hits = _NO_HITS
    for prefix in lexicon.axes:
        predicted = prediction.slots.get(prefix, ())
        expected = reference.slots.get(prefix, ())
        if not predicted and not expected:
            groups[prefix] = _EMPTY
            continue
        if prediction.hedged:
            predicted = _counted(predicted, reference, prefix, alike)
        if reference.hedged:
            expected = _counted(expected, prediction, prefix, alike)
        total = 0
        if predicted and expected:
            found = _match(predicted, expected, alike)
            for match in found:
                total += match[2]
            matches += found
            rungs = _ladder_of_choices(predicted, expected) if choices else _ladder(predicted, expected)
            hits = hits[0] + rungs[0], hits[1] + rungs[1], hits[2] + rungs[2]
        groups[prefix] = _group(total, len(predicted), len(expected))
    parts = [groups[prefix] for prefix in lexicon.axes]
    for name, inside in lexicon.categories.items():
        groups[name] = groups[inside[0]] if len(inside) == 1 else _sum([groups[prefix] for prefix in inside])
    return Scores(groups, _sum(parts), matches, hits)


def weigh(scores: Scores, weights: Mapping[str, float], *, skip_empty: bool) -> float:
    """The weighted mean over categories; 1 where none is left."""
    weighted, total = [], []
    for name, weight in weights.items():
        value = scores.groups[name].similarity
        if value is not None or not skip_empty:
            weighted.append(weight if value is None else weight * value)
            total.append(weight)
    return fsum(weighted) / fsum(total) if any(total) else 1.0


def ratios(total: float, predicted: float, expected: float) -> tuple[float, float, float]:
    """Precision, recall and F1. Two empty sides agree; one empty side has nothing right."""
    if not predicted and not expected:
        return 1.0, 1.0, 1.0
    precision = total / predicted if predicted else 0.0
    recall = total / expected if expected else 0.0
    return precision, recall, 2 * total / (predicted + expected)


def _group(total: int, predicted: int, expected: int) -> Group:
    longer = predicted if predicted > expected else expected
    return Group(total, predicted, expected, total / (ONE * longer)) if longer else _EMPTY


def _sum(groups: Sequence[Group]) -> Group:
    total = predicted = expected = 0
    for group in groups:
        total += group[0]
        predicted += group[1]
        expected += group[2]
    return _group(total, predicted, expected)


def _counted(slots: Sequence[Slot], other: Side, prefix: str, alike: Similarities) -> Sequence[Slot]:
    """The slots that enter lengths: all but those that count only where the other side speaks of the matter."""
    kept = []
    for slot in slots:
        if slot.implied:
            stated = [atom for each in other.slots.get(prefix, ()) if not each.negated for atom in each.atoms]
            counts = any(alike(slot.atoms[0], atom) for atom in stated)
        else:
            counts = not slot.optional or not other.spoken.isdisjoint(slot.atoms)
        if counts:
            kept.append(slot)
    return kept


def _match(predicted: Sequence[Slot], expected: Sequence[Slot], alike: Similarities) -> list[Match]:
    if len(predicted) == len(expected) == 1:
        similarity = _similarity(predicted[0], expected[0], alike)
        return [Match(predicted[0], expected[0], similarity)] if similarity else []
    found, predicted, expected = _cancelled(predicted, expected, alike)
    weights = [[_similarity(p, e, alike) for e in expected] for p in predicted]
    for row, column in assign(weights):
        found.append(Match(predicted[row], expected[column], weights[row][column]))
    return found


def _cancelled(
    predicted: Sequence[Slot], expected: Sequence[Slot], alike: Similarities
) -> tuple[list[Match], Sequence[Slot], Sequence[Slot]]:
    """Take out what is the same on both sides, where no better use of it is possible.

    If p = r, an assignment that pairs p with y and x with r gains by pairing p with r and x with y instead, as long as
    s(p, y) + s(x, r) ≤ 1 + s(x, y): the triangle inequality for 1 − s.
    """
    twins = {slot[:2]: slot for slot in predicted if slot.negated or slot.atoms[0] in alike.firm}
    found, rest = [], []
    for slot in expected:
        twin = twins.pop(slot[:2], None) if len(slot.atoms) == 1 else None
        if twin is None:
            rest.append(slot)
        else:
            found.append(Match(twin, slot, ONE))
    if not found:
        return [], predicted, expected
    taken = {match.prediction[:2] for match in found}
    return found, [slot for slot in predicted if slot[:2] not in taken], rest


def _similarity(a: Slot, b: Slot, alike: Similarities) -> int:
    """The best of the alternatives. A negated atom meets only itself, negated."""
    if a.negated != b.negated:
        return 0
    if a.negated:
        return ONE if not set(a.atoms).isdisjoint(b.atoms) else 0
    if len(a.atoms) == len(b.atoms) == 1:
        return alike(a.atoms[0], b.atoms[0])
    return max(alike(x, y) for x in a.atoms for y in b.atoms)


def _ladder(predicted: Sequence[Slot], expected: Sequence[Slot]) -> Rungs:
    """How many slots are the same: as atoms, with polarity, with polarity and locations."""
    if len(predicted) == len(expected) == 1:
        one, other = predicted[0], expected[0]
        if one.atoms != other.atoms:
            return _NO_HITS
        polar = one.negated == other.negated
        return 1, int(polar), int(polar and one.places == other.places)
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
    opposite = {atoms for atoms, _ in found}.intersection(others) if others else ()
    return polarity + len(opposite), polarity, location


def _ladder_of_choices(predicted: Sequence[Slot], expected: Sequence[Slot]) -> Rungs:
    """The same where alternatives leave a choice: as many as an assignment can make."""

    def hits(depth: int) -> int:
        return len(assign([[_same(p, e, depth) for e in expected] for p in predicted]))

    return hits(1), hits(2), hits(3)


def _same(a: Slot, b: Slot, depth: int) -> int:
    """Whether two slots share an atom and, up to `depth`, polarity and places."""
    return int(not set(a.atoms).isdisjoint(b.atoms) and a[1:depth] == b[1:depth])
