"""Similarity of two atoms (properties) of a lexicon: 1 if equal, else the listed value, else 0.

Similarities are integers in units of 2⁻⁶⁰, which represent every listed value, so sums do not depend on their order and
a score is the same in both directions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from typing import Final, NamedTuple

from jatdae.terms.lexicon import Lexicon

ONE: Final = 1 << 60


class BrokenTriangle(NamedTuple):
    """Three atoms of a lexicon that break the triangle inequality of their distances.

    d(a, c) > d(a, between) + d(between, c), with d = 1 − s.
    """

    a: str
    between: str
    c: str
    direct: float
    around: float
    """The least similarity of a and c that the triangle inequality allows."""


class Similarities:
    """Computes the similarity of any two atoms of a lexicon."""

    def __init__(self, lexicon: Lexicon, *, partial: bool = False) -> None:
        values = dict(lexicon.synonyms)
        if partial:
            values = {**_overlaps(lexicon), **values}
        self._table: Mapping[tuple[str, str], int] = {pair: int(value * ONE) for pair, value in values.items() if value}
        near: dict[str, set[str]] = {}
        for a, b in self._table:
            near.setdefault(a, set()).add(b)
        self.near: Mapping[str, set[str]] = near
        """For each atom, the atoms with a similarity above 0."""
        self.firm = frozenset(lexicon.atoms) - {broken.between for broken in self.broken_triangles()}
        """Atoms whose exact match is part of some best assignment, whatever the other slots are."""

    def __call__(self, a: str, b: str) -> int:
        """The similarity in units of 1 / ONE."""
        return ONE if a == b else self._table.get((a, b), 0)

    def broken_triangles(self) -> list[BrokenTriangle]:
        """All breaches of the triangle inequality."""
        found = []
        for between in sorted(self.near):
            for a, c in combinations(sorted(self.near[between]), 2):
                around = self(a, between) + self(between, c) - ONE
                if self(a, c) < around:
                    found.append(BrokenTriangle(a, between, c, self(a, c) / ONE, around / ONE))
        return found


def _overlaps(lexicon: Lexicon) -> dict[tuple[str, str], float]:
    """Shared characters over the length of the longer value, within each axis: ½ for 胖 and 胖大."""
    found = {}
    for a, b in combinations(lexicon.atoms, 2):
        one, other = lexicon.atoms[a], lexicon.atoms[b]
        shared = (Counter(one.value) & Counter(other.value)).total() if one.prefix == other.prefix else 0
        if shared:
            found[a, b] = found[b, a] = shared / max(len(one.value), len(other.value))
    return found
