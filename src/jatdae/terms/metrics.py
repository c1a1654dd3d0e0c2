"""Metrics of two clinical descriptions, from the formula down to the assignment on one axis.

Per category, with s the similarity of two atoms and π a one-to-one assignment:

    similarity = max_π Σ s(p, π(p)) / max(|P|, |R|)
    score      = Σ weight · similarity / Σ weight          over the categories

For `score` a category that is empty on both sides counts as 1 (`match`) or is left out (`skip`); for `score_spoken` it
is always left out, so that silence earns nothing. The category itself is not applicable there. Over all categories,
with S the sum of assigned similarities:

    precision = S / |P|     recall = S / |R|     F1 = 2 S / (|P| + |R|)

and the same with the count of exact matches instead of S for the ladder: `exact_f1` compares atoms, `polarity_f1` atoms
with their polarity, `location_f1` atoms with their polarity and their locations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from math import fsum
from operator import mul, truediv
from typing import Final

from jatdae.core.contract import Metric, Ratio
from jatdae.terms.atom_similarity import ONE, Similarities
from jatdae.terms.counts import NOWHERE, AtomCount, count_atoms, find_atoms
from jatdae.terms.lexicon import Lexicon
from jatdae.terms.lexicon_file import COMMON_METRICS
from jatdae.terms.slots import NO_SLOTS, AxisSlots, DescriptionSlots, Slot, resolve_mixed

MOST_MATCHES: Final = 1 << 16
"""How many pairs of axes are cached."""
MOST_STATES: Final = 1 << 10
"""Up to ten slots on the shorter side are assigned by dynamic programming over subsets; SciPy assigns more."""

STATS: Final = ("predicted", "expected", "similarity", "exact", "polarity", "location", "understood", "letters")
SCORES: Final = COMMON_METRICS[:2]
"""The weighted means: by the formula of the source, and over what either side speaks of."""
RATES: Final = COMMON_METRICS[2:]
"""The metrics that are ratios of STATS."""
FAMILY: Final = (*SCORES, "f1", "location_f1")
"""Compared by default: over categories and over terms with partial credit, and over terms without any."""

_CAUSES: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys((*SCORES, "f1", "polarity_f1"), ("missed", "extra", "confused", "negated")),
    "precision": ("extra", "confused", "negated"),
    "recall": ("missed", "confused", "negated"),
    "exact_f1": ("missed", "extra", "confused"),
    "location_f1": ("missed", "extra", "confused", "negated", "place"),
}
"""Count tables of what lowers a metric. Those of one category or axis have none: the tables are of all axes."""

Rungs = tuple[int, int, int]
"""Exact matches by rung of the ladder: atoms, with polarity, with polarity and locations."""
WeighedPair = tuple[int, int, int]
"""The numbers of two slots that were assigned to each other, and their similarity in units of 1 / ONE."""
IndexPairs = list[tuple[int, int]]
SlotFinding = tuple[str, int, int, float, str, str]
"""A table of COUNTS, the numbers of the predicted and the expected slot, their similarity, and the atoms that met."""
TermFinding = tuple[str, int | None, int | None, float, str, str]
"""The same with the numbers of the terms; None on a side that has none."""

_BOTH: Final = {"predicted": 1.0, "expected": 1.0}
MICRO: Final[Mapping[str, Ratio]] = {
    "precision": Ratio("similarity", "predicted", otherwise=Ratio({}, "expected", otherwise=1.0)),
    "recall": Ratio("similarity", "expected", otherwise=Ratio({}, "predicted", otherwise=1.0)),
    "f1": Ratio({"similarity": 2.0}, _BOTH, otherwise=1.0),
    "exact_f1": Ratio({"exact": 2.0}, _BOTH, otherwise=1.0),
    "polarity_f1": Ratio({"polarity": 2.0}, _BOTH, otherwise=1.0),
    "location_f1": Ratio({"location": 2.0}, _BOTH, otherwise=1.0),
    "coverage": Ratio("understood", "letters", otherwise=1.0),
}
"""Micro averages: the same ratios of sums over samples."""


def metrics_of(names: Iterable[str]) -> list[Metric]:
    """Make the metrics of clinical descriptions by name: `score`, categories and axes of a lexicon, RATES."""
    return [
        Metric(
            name,
            "higher",
            worst=0.0,
            primary=name == "score",
            absent=() if name in COMMON_METRICS else ("empty_category",),
            micro=MICRO.get(name),
            range=(0.0, 1.0),
            family=name in FAMILY,
            margin=0.1 if name in SCORES else None,
            causes=dict.fromkeys(_CAUSES.get(name, ()), 1.0),
        )
        for name in names
    ]


def rates(stats: dict[str, float]) -> dict[str, float | None]:
    """Metrics of two compared clinical descriptions from their statistics: precision, recall, F1, coverage.

    Two empty sides count as 1; one empty side counts as 0.
    """
    predicted, expected, similarity = stats["predicted"], stats["expected"], stats["similarity"]
    both = predicted + expected
    return {
        "precision": similarity / predicted if predicted else float(not both),
        "recall": similarity / expected if expected else float(not both),
        "f1": 2 * similarity / both if both else 1.0,
        "exact_f1": 2 * stats["exact"] / both if both else 1.0,
        "polarity_f1": 2 * stats["polarity"] / both if both else 1.0,
        "location_f1": 2 * stats["location"] / both if both else 1.0,
        "coverage": stats["understood"] / stats["letters"] if stats["letters"] else 1.0,
    }


class SlotComparer:
    """Compares the slots (stated properties) of two descriptions by one lexicon."""

    def __init__(self, lexicon: Lexicon, *, skip_empty: bool = False, partial_match: bool = False) -> None:
        self._lexicon = lexicon
        self._skip_empty = skip_empty
        self._alike = Similarities(lexicon, partial=partial_match)
        self._match_axis = lru_cache(MOST_MATCHES)(partial(_match_axis, alike=self._alike))
        order = list(lexicon.axes)
        self._inside = [[order.index(prefix) for prefix in inside] for inside in lexicon.categories.values()]
        self._weights = [*lexicon.weights.values()]
        self._all_weights = fsum(self._weights)

    def compare(self, prediction: DescriptionSlots, reference: DescriptionSlots) -> Scores:
        """Assign the slots of one side to those of the other, axis by axis, and sum up."""
        if prediction.mixed or reference.mixed:
            sides, alike = (prediction, reference), self._alike
            prediction = resolve_mixed(sides[0], sides[1], self._lexicon, alike)
            reference = resolve_mixed(sides[1], sides[0], self._lexicon, alike)
        ours, theirs = prediction.axes, reference.axes
        axes: list[float | None] = [None] * len(ours)
        categories: list[float | None] = []
        findings: list[TermFinding] = []
        tables: dict[str, dict[str, int]] = {}
        all_total = all_predicted = all_expected = exact = polarity = location = 0
        for inside in self._inside:
            total = predicted = expected = 0
            for at in inside:
                (axis, terms), (other, their_terms) = ours[at], theirs[at]
                if axis is other is NO_SLOTS:
                    continue
                match = self._match_axis(axis, other)
                if match.similarity is not None:
                    axes[at] = match.similarity
                total += match.total
                predicted += match.predicted
                expected += match.expected
                for table, slot, their_slot, similarity, said, meant in match.findings:
                    ours_at = None if slot == NOWHERE else terms[slot]
                    theirs_at = None if their_slot == NOWHERE else their_terms[their_slot]
                    findings.append((table, ours_at, theirs_at, similarity, said, meant))
                for name, key, count in match.counts:  # axes have no atom in common: no key comes twice
                    if name in tables:
                        tables[name][key] = count
                    else:
                        tables[name] = {key: count}
                if match.hits[0]:
                    hits = match.hits
                    exact, polarity, location = exact + hits[0], polarity + hits[1], location + hits[2]
            categories.append(share(total, predicted, expected) if predicted or expected else None)
            all_total, all_predicted, all_expected = (
                all_total + total,
                all_predicted + predicted,
                all_expected + expected,
            )
        sizes = all_predicted, all_expected
        return Scores(categories, axes, sizes, all_total / ONE, (exact, polarity, location), findings, tables)

    def score(self, categories: Sequence[float | None]) -> float:
        """The weighted mean over categories; one that is empty on both sides counts as 1, or not at all (`skip`)."""
        if self._skip_empty:
            return self.score_spoken(categories)
        if None not in categories:
            return fsum(map(mul, self._weights, categories)) / self._all_weights
        values = [1.0 if value is None else value for value in categories]
        return fsum(map(mul, self._weights, values)) / self._all_weights

    def score_spoken(self, categories: Sequence[float | None]) -> float:
        """The weighted mean over the categories that either side speaks of; 1 if there is none."""
        if None not in categories:
            return fsum(map(mul, self._weights, categories)) / self._all_weights
        counted = [
            (weight, value) for weight, value in zip(self._weights, categories, strict=True) if value is not None
        ]
        total = fsum([weight for weight, _ in counted])
        return fsum([weight * value for weight, value in counted]) / total if total else 1.0


class Scores:
    """Similarities and counts of two compared descriptions, by category and axis.

    A plain class for speed: one is made of every pair.
    """

    def __init__(
        self,
        categories: list[float | None],
        axes: list[float | None],
        sizes: tuple[int, int],
        similarity: float,
        hits: Rungs,
        findings: list[TermFinding],
        counts: dict[str, dict[str, int]],
    ) -> None:
        self.categories = categories
        """Similarities in the order of the lexicon's weights; None if both sides are empty."""
        self.axes = axes
        """The same for each axis."""
        self.predicted, self.expected = sizes
        self.similarity = similarity
        """Sum of the assigned similarities of all axes."""
        self.hits = hits
        """Exact matches, by rung of the ladder."""
        self.findings = findings
        """What became of each property, by the terms that state it first."""
        self.counts = counts
        """The tables of COUNTS, without empty ones."""


@dataclass(frozen=True, slots=True)
class AxisMatch:
    """Similarity and counts of two compared descriptions on one axis."""

    total: int
    """Sum of the assigned similarities, in units of 1 / ONE."""
    predicted: int
    expected: int
    similarity: float | None
    """None if both sides are empty."""
    hits: Rungs
    findings: list[SlotFinding]
    """What became of each slot."""
    counts: list[AtomCount]


def _match_axis(prediction: AxisSlots, reference: AxisSlots, alike: Similarities) -> AxisMatch:
    """Match the properties that two descriptions state on one axis, by the best one-to-one assignment."""
    predicted = _counted_slots(prediction, reference, alike)
    expected = _counted_slots(reference, prediction, alike)
    ours, theirs = [prediction.slots[at] for at in predicted], [reference.slots[at] for at in expected]
    found = _best_pairs(ours, theirs, alike)
    total = sum([weight for _, _, weight in found])
    choices = any(len(slot.atoms) > 1 for slot in (*ours, *theirs))
    findings = list(find_atoms(ours, theirs, found, alike))
    numbered: list[SlotFinding] = [
        (
            each.table,
            each.row if each.row == NOWHERE else predicted[each.row],
            each.column if each.column == NOWHERE else expected[each.column],
            each.similarity,
            each.said,
            each.meant,
        )
        for each in findings
    ]
    return AxisMatch(
        total,
        len(ours),
        len(theirs),
        share(total, len(ours), len(theirs)) if ours or theirs else None,
        _ladder_of_choices(ours, theirs) if choices else _ladder(ours, theirs),
        numbered,
        count_atoms(findings),
    )


def share(total: int, predicted: int, expected: int) -> float:
    """Metric of two clinical descriptions on an axis or category: Σ s / max(|P|, |R|); not both may be empty.

    Divided by a call of Python: compiled code turns whole numbers of 60 bits into floats first and rounds twice.
    """
    divided: float = truediv(total, ONE * (predicted if predicted > expected else expected))
    return divided


def _counted_slots(axis: AxisSlots, other: AxisSlots, alike: Similarities) -> list[int]:
    """Numbers of the slots that enter |P| or |R|: optional and implied ones only if the other side mentions them."""
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


def _best_pairs(predicted: Sequence[Slot], expected: Sequence[Slot], alike: Similarities) -> list[WeighedPair]:
    """The assignment with the largest sum of similarities.

    Equal slots are paired first if no better use of them is possible: if p = r, an assignment that pairs p with y and
    x with r does not lose by pairing p with r and x with y instead, as long as s(p, y) + s(x, r) ≤ 1 + s(x, y), which
    is the triangle inequality for 1 − s.
    """
    twins = {slot[:2]: row for row, slot in enumerate(predicted) if slot.negated or slot.atoms[0] in alike.firm}
    found: list[WeighedPair] = []
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
    """The best similarity of the alternatives. A negated atom matches only itself, negated."""
    if a.negated != b.negated:
        return 0
    if a.negated:
        return ONE if not set(a.atoms).isdisjoint(b.atoms) else 0
    return max(alike(x, y) for x in a.atoms for y in b.atoms)


def _ladder(predicted: Sequence[Slot], expected: Sequence[Slot]) -> Rungs:
    """How many slots are equal: as atoms, with polarity, with polarity and locations."""
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
    """The same if a slot has alternatives: the most that an assignment can reach."""

    def hits(depth: int) -> int:
        return len(assign([[_is_same(p, e, depth) for e in expected] for p in predicted]))

    return hits(1), hits(2), hits(3)


def _is_same(a: Slot, b: Slot, depth: int) -> int:
    """1 if two slots share an atom and, up to `depth`, polarity and places; else 0."""
    return int(not set(a.atoms).isdisjoint(b.atoms) and a[1:depth] == b[1:depth])


def assign(weights: Sequence[Sequence[int]]) -> IndexPairs:
    """One-to-one assignment of terms for the metrics with the largest sum of weights, as pairs of weight above 0.

        max Σ weights[i][π(i)]   over one-to-one π

    Kuhn, "The Hungarian method for the assignment problem", 1955. Descriptions have one to three terms on an axis, so
    small cases are solved in closed form. Weights are integers, which makes sums exact.
    """
    rows, columns = len(weights), len(weights[0]) if weights else 0
    if rows == 0 or columns == 0:
        return []
    if rows > columns:
        return sorted((row, column) for column, row in assign([*map(list, zip(*weights, strict=True))]))
    if rows == 1:
        best = max(range(columns), key=weights[0].__getitem__)
        pairs = [(0, best)]
    elif rows == columns == 2:
        straight = weights[0][0] + weights[1][1] >= weights[0][1] + weights[1][0]
        pairs = [(0, 0), (1, 1)] if straight else [(0, 1), (1, 0)]
    elif 1 << rows <= MOST_STATES:
        pairs = _by_subsets(weights)
    else:
        pairs = _by_scipy(weights)
    return [(row, column) for row, column in pairs if weights[row][column] > 0]


def _by_subsets(weights: Sequence[Sequence[int]]) -> IndexPairs:
    """Dynamic programming: column by column from the last, each assigned to a free row or to none."""
    rows, columns = len(weights), len(weights[0])
    totals = [0] * (1 << rows)
    """Best total of the columns so far, by the set of free rows."""
    chosen: list[list[int]] = []
    for column in reversed(range(columns)):
        better, rows_of = totals.copy(), [-1] * len(totals)
        for row in range(rows):
            weight, bit = weights[row][column], 1 << row
            for free in range(len(totals)) if weight else ():
                if free & bit and weight + totals[free - bit] > better[free]:
                    better[free], rows_of[free] = weight + totals[free - bit], row
        totals = better
        chosen.append(rows_of)
    pairs, free = [], (1 << rows) - 1
    for column, rows_of in enumerate(reversed(chosen)):
        if rows_of[free] >= 0:
            pairs.append((rows_of[free], column))
            free -= 1 << rows_of[free]
    return sorted(pairs)


def _by_scipy(weights: Sequence[Sequence[int]]) -> IndexPairs:
    from scipy.optimize import linear_sum_assignment  # 0.3 s to import, needed here only

    rows, columns = linear_sum_assignment([[float(weight) for weight in row] for row in weights], maximize=True)
    return [(int(row), int(column)) for row, column in zip(rows, columns, strict=True)]
