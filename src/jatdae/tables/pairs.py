"""The tables of a document, each reference table with its partner and what was measured on the two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from jatdae.core.contract import Issue
from jatdae.tables.issues import TableError
from jatdae.tables.matching import Pairing, by_assignment, by_order
from jatdae.tables.measure import Loaded, measure
from jatdae.tables.metrics import MISSED
from jatdae.tables.profiles import Profile
from jatdae.tables.similarity import score


@dataclass(slots=True)
class Pair:
    """A reference table and what became of it."""

    reference: Loaded
    prediction: Loaded | None = None
    number: int | None = None
    """Which predicted table, counted from 0; None where the table was missed."""
    values: dict[str, float | None] = field(default_factory=lambda: dict(MISSED))
    issues: list[Issue] = field(default_factory=list)

    @property
    def complexity(self) -> str:
        """`complex` where any cell of the reference spans."""
        return "complex" if self.reference.grid.complex else "simple"


def pair_up(
    predictions: Sequence[Loaded | None], references: Sequence[Loaded], profile: Profile, *, assign: bool
) -> list[Pair]:
    """A pair for each reference table; a prediction that could not be parsed (None) makes its pair N/A."""
    pairs = []
    for reference, number in zip(references, _pairing(predictions, references, profile, assign), strict=True):
        pair = Pair(reference, number=number)
        if number is not None:
            pair.prediction = predictions[number]
            if pair.prediction is None:
                pair.values = dict.fromkeys(MISSED)
            else:
                measured = measure(pair.prediction, reference, profile)
                pair.values, pair.issues = measured.values, measured.issues
        pairs.append(pair)
    return pairs


def _pairing(
    predictions: Sequence[Loaded | None], references: Sequence[Loaded], profile: Profile, assign: bool
) -> Pairing:
    if not assign:
        return by_order(len(references), len(predictions))

    def value(prediction: int, reference: int) -> float:
        side = predictions[prediction]
        try:
            return 0.0 if side is None else score(side.tree(profile), references[reference].tree(profile), profile)
        except TableError:
            return 0.0

    return by_assignment(len(references), len(predictions), value)
