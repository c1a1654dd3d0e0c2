"""How alike two atoms are: exactly 1, the listed value, or nothing.

Similarities are kept as whole numbers of 2⁻⁶⁰, which hold any listed value, so that sums do not depend on their order
and a score is the same from either side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from typing import Final, NamedTuple

from jatdae.terms.lexicon import Lexicon

ONE: Final = 1 << 60


class Broken(NamedTuple):
    """Two atoms that are less alike than what they have in common: d(a, c) > d(a, b) + d(b, c), d = 1 − similarity."""

    a: str
    between: str
    c: str
    direct: float
    around: float
    """What the triangle inequality asks for at least."""


class Similarities:
    """The similarity of any two atoms of a lexicon."""

    def __init__(self, lexicon: Lexicon, *, partial: bool = False) -> None:
        values = dict(lexicon.synonyms)
        if partial:
            values = {**_overlaps(lexicon), **values}
        self._table: Mapping[tuple[str, str], int] = {pair: int(value * ONE) for pair, value in values.items() if value}
        near: dict[str, set[str]] = {}
        for a, b in self._table:
            near.setdefault(a, set()).add(b)
        self.near: Mapping[str, set[str]] = near
        """The atoms that share something with an atom."""
        self.firm = frozenset(lexicon.atoms) - {broken.between for broken in self.broken()}
        """Atoms whose exact match is always part of a best assignment."""

    def __call__(self, a: str, b: str) -> int:
        """The similarity in units of 1 / ONE."""
        return ONE if a == b else self._table.get((a, b), 0)

    def broken(self) -> list[Broken]:
        """Where the similarities break the triangle inequality."""
        found = []
        for between in sorted(self.near):
            for a, c in combinations(sorted(self.near[between]), 2):
                around = self(a, between) + self(between, c) - ONE
                if self(a, c) < around:
                    found.append(Broken(a, between, c, self(a, c) / ONE, around / ONE))
        return found


def _overlaps(lexicon: Lexicon) -> dict[tuple[str, str], float]:
    """Shared characters over the longer value, within each axis: 胖 and 胖大 are alike by ½."""
    found = {}
    for a, b in combinations(lexicon.atoms, 2):
        one, other = lexicon.atoms[a], lexicon.atoms[b]
        shared = (Counter(one.value) & Counter(other.value)).total() if one.prefix == other.prefix else 0
        if shared:
            found[a, b] = found[b, a] = shared / max(len(one.value), len(other.value))
    return found
