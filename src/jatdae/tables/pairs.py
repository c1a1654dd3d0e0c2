"""The tables of a document, each reference table with its partner and what was measured on the two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from jatdae.core.contract import Issue
from jatdae.tables.issues import TableError
from jatdae.tables.limits import MAX_NODE_PAIRS
from jatdae.tables.loaded import Loaded
from jatdae.tables.matching import Pairing, by_assignment
from jatdae.tables.measure import measure
from jatdae.tables.profiles import Profile
from jatdae.tables.similarity import score


@dataclass(slots=True)
class Pair:
    """A reference table and what became of it."""

    reference: Loaded
    prediction: Loaded | None
    """None where the table was missed, or its partner could not be parsed."""
    number: int | None
    """Which predicted table, counted from 0; None where the table was missed."""
    values: Mapping[str, float | None]
    issues: Sequence[Issue]

    @property
    def complexity(self) -> str:
        """`complex` where any cell of the reference spans."""
        return "complex" if self.reference.grid.complex else "simple"


def pair_up(
    predictions: Sequence[Loaded | None], references: Sequence[Loaded], profile: Profile, pairing: Pairing
) -> list[Pair]:
    """A pair for each reference table; a prediction that could not be parsed is None."""
    pairs = []
    for reference, number in zip(references, pairing, strict=True):
        prediction = None if number is None else predictions[number]
        measured = measure(prediction, reference, profile)
        pairs.append(Pair(reference, prediction, number, measured.values, measured.issues))
    return pairs


def assign(predictions: Sequence[Loaded | None], references: Sequence[Loaded], profile: Profile) -> Pairing:
    """The pairing with the largest total TEDS; raises TableError where it would take too long."""
    nodes = _nodes(predictions, profile), _nodes(references, profile)
    if nodes[0] * nodes[1] > MAX_NODE_PAIRS:
        raise TableError("too_large", f"tables of {nodes[0]:,} and {nodes[1]:,} nodes are too large to be assigned")

    def value(prediction: int, reference: int) -> float:
        side = predictions[prediction]
        try:
            return 0.0 if side is None else score(side.tree(profile), references[reference].tree(profile), profile)
        except TableError:
            return 0.0

    return by_assignment(len(references), len(predictions), value)


def _nodes(sides: Sequence[Loaded | None], profile: Profile) -> int:
    count = 0
    for side in sides:
        with suppress(TableError):  # what cannot be planted cannot be compared either
            count += 0 if side is None else len(side.tree(profile).parents)
    return count
