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
from functools import lru_cache, partial
from math import fsum
from operator import mul
from typing import Final, NamedTuple

from jatdae.core.contract import Ratio
from jatdae.terms.lexicon import Lexicon
from jatdae.terms.meeting import Rungs, meet, share
from jatdae.terms.sides import NOTHING, Side, settled
from jatdae.terms.similarity import ONE, Similarities

MOST_MEETINGS: Final = 1 << 16
"""How many pairs of axes are kept."""

STATS: Final = ("predicted", "expected", "similarity", "exact", "polarity", "location", "understood", "letters")
RATES: Final = ("precision", "recall", "f1", "exact_f1", "polarity_f1", "location_f1", "coverage")


class Scores(NamedTuple):
    """Everything two descriptions are measured by."""

    categories: Sequence[float | None]
    """Similarities in the order of the lexicon's weights; None where both sides are empty and that is left out."""
    axes: Sequence[float | None]
    """The same of each axis."""
    predicted: int
    expected: int
    similarity: float
    """Assigned similarities of all axes."""
    hits: Rungs
    """Exact matches by rung of the ladder."""
    matches: Sequence[tuple[int, int, float]]
    """The numbers of two terms that met, and how alike they are."""


class Scale:
    """Compares descriptions by one lexicon."""

    def __init__(self, lexicon: Lexicon, *, skip_empty: bool = False, partial_match: bool = False) -> None:
        self._lexicon = lexicon
        self._empty = None if skip_empty else 1.0
        self._alike = Similarities(lexicon, partial=partial_match)
        self._meet = lru_cache(MOST_MEETINGS)(partial(meet, alike=self._alike))
        order = list(lexicon.axes)
        self._inside = [[order.index(prefix) for prefix in inside] for inside in lexicon.categories.values()]
        self._weights = [*lexicon.weights.values()]
        self._all_weights = fsum(self._weights)

    def compare(self, prediction: Side, reference: Side) -> Scores:
        """Assign the slots of one side to those of the other, axis by axis, and add up."""
        if prediction.mixed or reference.mixed:
            sides, alike = (prediction, reference), self._alike
            prediction = settled(sides[0], sides[1], self._lexicon, alike)
            reference = settled(sides[1], sides[0], self._lexicon, alike)
        ours, theirs = prediction.axes, reference.axes
        axes = [self._empty] * len(ours)
        categories: list[float | None] = []
        matches: list[tuple[int, int, float]] = []
        all_total = all_predicted = all_expected = exact = polarity = location = 0
        for inside in self._inside:
            total = predicted = expected = 0
            for at in inside:
                (axis, terms), (other, their_terms) = ours[at], theirs[at]
                if axis is other is NOTHING:
                    continue
                met = self._meet(axis, other)
                if met.similarity is not None:
                    axes[at] = met.similarity
                total += met.total
                predicted += met.predicted
                expected += met.expected
                for slot, their_slot, similarity in met.pairs:
                    matches.append((terms[slot], their_terms[their_slot], similarity))
                if met.hits[0]:
                    hits = met.hits
                    exact, polarity, location = exact + hits[0], polarity + hits[1], location + hits[2]
            categories.append(share(total, predicted, expected) if predicted or expected else self._empty)
            all_total, all_predicted, all_expected = (
                all_total + total,
                all_predicted + predicted,
                all_expected + expected,
            )
        matches.sort()
        counts = all_predicted, all_expected
        return Scores(categories, axes, *counts, all_total / ONE, (exact, polarity, location), matches)

    def weigh(self, categories: Sequence[float | None]) -> float:
        """The weighted mean over categories; 1 where none is left."""
        if None not in categories:
            return fsum(map(mul, self._weights, categories)) / self._all_weights
        counted = [
            (weight, value) for weight, value in zip(self._weights, categories, strict=True) if value is not None
        ]
        total = fsum([weight for weight, _ in counted])
        return fsum([weight * value for weight, value in counted]) / total if total else 1.0


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
"""The same of many comparisons, by their sums."""


def rates(stats: Mapping[str, float]) -> dict[str, float | None]:
    """Precision, recall, the F1 scores and coverage of one comparison.

    Two empty sides agree; one empty side has nothing right.
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
