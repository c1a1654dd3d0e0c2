"""Two leaves: are they equal, near, and how alike?"""

from __future__ import annotations

from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final, Literal, NamedTuple

from rapidfuzz.distance import Levenshtein

from jatdae.structured.fields import Field
from jatdae.structured.kinds import canonical, plain
from jatdae.structured.numerals import number_of, units_agree, within
from jatdae.structured.outcomes import Nulls, Outcome

MAX_CELLS: Final = 100_000_000_000
"""Characters times characters that are aligned for one sample: a few seconds."""
MAX_WORK: Final = 20_000_000
"""Similarities that are taken to assign the items of sets in one sample."""
_FREE: Final = 1_000_000
"""An alignment this small is not counted."""


class FieldResult(NamedTuple):
    """What became of one leaf of the reference."""

    field_name: str
    field_type: str
    gold_value: Any
    pred_value: Any
    exact_match: bool
    fuzzy_match: bool
    similarity: float
    depth: int
    outcome: Outcome
    pattern: str
    """The field's name for statistics over many documents: `procedures[*].cost`."""

    @property
    def status(self) -> Literal["OK", "FUZZY", "FAIL"]:
        """How a reader sees it at a glance."""
        return "OK" if self.exact_match else "FUZZY" if self.fuzzy_match else "FAIL"


Row = tuple[str, str, Any, Any, bool, bool, float, int, Outcome, str]
"""What a `FieldResult` is made of, once somebody asks for one."""


def column(*names: str) -> itemgetter[Any]:
    """What rows have under some names of a `FieldResult`."""
    return itemgetter(*map(FieldResult._fields.index, names))


path_of: Final = column("field_name")
exact_of: Final = column("exact_match")
fuzzy_of: Final = column("fuzzy_match")
similarity_of: Final = column("similarity")

Verdict = tuple[bool, bool, float]
"""How two values compare: exact, fuzzy, similarity."""
RIGHT: Final[Verdict] = (True, True, 1.0)
WRONG: Final[Verdict] = (False, False, 0.0)


@dataclass(frozen=True, slots=True)
class Ways:
    """How values are compared, whatever their field."""

    nulls: Nulls = "distinct"
    similarity: Literal["canonical", "text"] = "canonical"
    casefold: bool = False
    identifiers: bool = True


class Budget:
    """How much work one sample may still cost."""

    __slots__ = ("cells", "refused", "too_nested", "work")

    def __init__(self, cells: int = MAX_CELLS, work: int = MAX_WORK) -> None:
        self.cells, self.work = cells, work
        self.refused = 0
        """Texts that were not aligned."""
        self.too_nested = False
        """Whether sets lie so deep in sets that some were not tried out."""

    @property
    def largest(self) -> int:
        """The largest alignment that there is enough left for."""
        return max(_FREE, self.cells)

    def allows(self, cells: int) -> bool:
        """Take an alignment from what is left; False where there is not enough."""
        if cells <= _FREE:
            return True
        if cells > self.cells:
            self.refused += 1
            return False
        self.cells -= cells
        return True

    def allows_work(self, work: int) -> bool:
        """The same for similarities an assignment needs."""
        if work > self.work:
            return False
        self.work -= work
        return True


def compare_values(expected: Any, actual: Any, kind: str, field: Field, ways: Ways, budget: Budget) -> Verdict:
    """Two leaves that both say something, compared as `kind`.

    NED is Levenshtein(a, b) / max(|a|, |b|); similarity is 1 − NED of the canonical texts, or of the written ones.
    """
    if kind == "number":
        return _compare_numbers(expected, actual, field, ways, budget)
    ours, theirs = canonical(expected, kind, ways.casefold), canonical(actual, kind, ways.casefold)
    exact = _agree(ours, theirs)
    distance = 0.0 if exact else ned(ours[0], theirs[0], budget)
    fuzzy = exact or (kind == "string" and distance <= field.tau)
    if ways.similarity == "text":
        distance = _written_distance(expected, actual, ways, budget)
    return exact, fuzzy, 1.0 - distance


def _compare_numbers(expected: Any, actual: Any, field: Field, ways: Ways, budget: Budget) -> Verdict:
    """Equal where any readings are and the units agree; near within the relative tolerance."""
    (wanted, unit), (found, other) = number_of(expected), number_of(actual)
    ours, theirs = wanted or (plain(expected, ways.casefold),), found or (plain(actual, ways.casefold),)
    agree = not unit or not other or units_agree(unit, other)
    exact = agree and _agree(ours, theirs)
    fuzzy = exact
    if field.tolerance and agree and not exact:
        fuzzy = any(within(p, g, field.tolerance) for g in wanted for p in found)
    if ways.similarity == "text" or not agree:
        distance = _written_distance(expected, actual, ways, budget)
    else:
        distance = 0.0 if exact else ned(ours[0], theirs[0], budget)
    return exact, fuzzy, 1.0 - distance


def _agree(ours: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    """Whether two values have a reading in common."""
    return ours[0] == theirs[0] or (len(ours) + len(theirs) > 2 and not set(ours).isdisjoint(theirs))


def _written_distance(expected: Any, actual: Any, ways: Ways, budget: Budget) -> float:
    return ned(plain(expected, ways.casefold), plain(actual, ways.casefold), budget)


def ned(a: str, b: str, budget: Budget) -> float:
    """Normalised edit distance; 1 where the two are too long to be aligned."""
    cells = len(a) * len(b)
    if cells > _FREE and not budget.allows(cells):
        return 1.0
    return Levenshtein.distance(a, b) / (max(len(a), len(b)) or 1)
