"""Comparison of JSON leaves: the outcome, whether two values are equal or near, and how similar they are.

    reference ╲ prediction   value            null           empty           missing       container
    value                    match, mismatch  null_instead   empty_instead   missing       mismatch
    null                     extra            both_absent    empty_instead   missing       extra
    empty                    extra            null_instead   both_absent     missing       extra
    missing                  extra            extra          extra           –             extra
    container                mismatch         null_instead   empty_instead   missing       its leaves are compared

With `nulls: same`, null, empty and missing are one thing, and every pair of them is `both_absent`. An empty container
is a leaf: it is empty, and matches its like; instead of a filled one of its kind, what that one holds is missing. A
container against a leaf gives every leaf of the reference the outcome of the table; but a value against an array that
holds it, or the reverse, is `wrapped`: a match of the value in another structure.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final, Literal, NamedTuple, get_args

MAX_CELLS: Final = 100_000_000_000
"""Characters times characters that are aligned for one sample: a few seconds."""
MAX_WORK: Final = 20_000_000
"""Similarities that are taken to assign the items of sets in one sample."""
_FREE: Final = 1_000_000
"""An alignment this small is not counted."""

LeafOutcome = Literal[
    "match", "wrapped", "mismatch", "missing", "null_instead", "empty_instead", "extra", "both_absent"
]
OUTCOMES: Final[tuple[LeafOutcome, ...]] = get_args(LeafOutcome)
Nulls = Literal["distinct", "same"]
State = Literal["value", "null", "empty", "missing"]
Verdict = tuple[bool, bool, float]
"""How two values compare: exact match, fuzzy match, similarity."""
RIGHT: Final[Verdict] = (True, True, 1.0)
WRONG: Final[Verdict] = (False, False, 0.0)


class Missing:
    """Type of MISSING, which stands for a value that a JSON document does not have."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = Missing()

CORRECT: Final = frozenset({"match", "wrapped", "both_absent"})
MATCHES: Final = frozenset({"match", "wrapped"})
"""Outcomes that count for accuracy."""

REFERENCE_SIDE: Final = frozenset({"match", "wrapped", "mismatch", "missing", "null_instead", "empty_instead"})
"""Outcomes of something the reference has: what recall is over."""
PREDICTION_SIDE: Final = frozenset({"match", "wrapped", "mismatch", "extra"})
"""Outcomes of something the prediction has: what precision is over."""

_DISTINCT: Final[dict[tuple[State, State], LeafOutcome]] = {
    ("value", "null"): "null_instead",
    ("value", "empty"): "empty_instead",
    ("value", "missing"): "missing",
    ("null", "value"): "extra",
    ("null", "null"): "both_absent",
    ("null", "empty"): "empty_instead",
    ("null", "missing"): "missing",
    ("empty", "value"): "extra",
    ("empty", "null"): "null_instead",
    ("empty", "empty"): "both_absent",
    ("empty", "missing"): "missing",
    ("missing", "value"): "extra",
    ("missing", "null"): "extra",
    ("missing", "empty"): "extra",
    ("missing", "missing"): "both_absent",
}
_ABSENT: Final = ("null", "empty", "missing")
TABLE: Final[dict[Nulls, dict[tuple[State, State], LeafOutcome]]] = {
    "distinct": _DISTINCT,
    "same": _DISTINCT | {(a, b): "both_absent" for a in _ABSENT for b in _ABSENT},
}
"""By the setting `nulls`: the outcome of each pair of states. (value, value) is left out: the values are compared."""


class FieldResult(NamedTuple):
    """Result of comparing one JSON leaf with its partner."""

    field_name: str
    field_type: str
    gold_value: Any
    pred_value: Any
    exact_match: bool
    fuzzy_match: bool
    similarity: float
    depth: int
    outcome: LeafOutcome
    pattern: str
    """The field's name for statistics over many documents: `procedures[*].cost`."""

    @property
    def status(self) -> Literal["OK", "FUZZY", "FAIL"]:
        """How a reader sees it at a glance."""
        return "OK" if self.exact_match else "FUZZY" if self.fuzzy_match else "FAIL"


Row = tuple[str, str, Any, Any, bool, bool, float, int, LeafOutcome, str]
"""A `FieldResult` as a plain tuple: a run makes millions, and few are looked at by name."""


def column(*names: str) -> itemgetter[Any]:
    """Function that picks the values under these names from the `FieldResult` of compared JSON leaves."""
    return itemgetter(*map(FieldResult._fields.index, names))


path_of: Final = column("field_name")
exact_of: Final = column("exact_match")
fuzzy_of: Final = column("fuzzy_match")
similarity_of: Final = column("similarity")


@dataclass(frozen=True, slots=True)
class Ways:
    """Settings that apply to comparing values in every JSON field."""

    nulls: Nulls = "distinct"
    similarity: Literal["canonical", "text"] = "canonical"
    casefold: bool = False
    identifiers: bool = True
    normalise: Literal["print", "none"] = "print"
    grouping: Literal["auto", ".", ","] = "auto"


class Budget:
    """Work that comparing one pair of JSON documents may still take."""

    __slots__ = ("cells", "refused", "too_nested", "work")

    def __init__(self, cells: int = MAX_CELLS, work: int = MAX_WORK) -> None:
        self.cells, self.work = cells, work
        self.refused = 0
        """Pairs of texts that were not aligned."""
        self.too_nested = False
        """Whether sets lie so deep in sets that some were not tried out."""

    @property
    def largest(self) -> int:
        """The largest alignment that is still allowed."""
        return max(_FREE, self.cells)

    def allows(self, cells: int) -> bool:
        """Whether an alignment is allowed; it is then subtracted from what is left."""
        if cells <= _FREE:
            return True
        if cells > self.cells:
            self.refused += 1
            return False
        self.cells -= cells
        return True

    def allows_work(self, work: int) -> bool:
        """Whether so many similarities for an assignment are allowed; they are then subtracted from what is left."""
        if work > self.work:
            return False
        self.work -= work
        return True


def state_of(leaf: Any) -> State:
    """State of a JSON leaf: it holds a value (0 and false do), or is null, empty or missing."""
    if type(leaf) is str:
        return "value" if leaf and not leaf.isspace() else "empty"
    if leaf is None:
        return "null"
    if leaf is MISSING:
        return "missing"
    if type(leaf) is int:
        return "value"
    return "empty" if isinstance(leaf, (str, dict, list)) and not leaf else "value"


def outcome_of_absence(expected: Any, actual: Any, nulls: Nulls) -> LeafOutcome | None:
    """Outcome of comparing two JSON leaves of which one is null, empty or missing.

    None where both hold a value.
    """
    ours, theirs = state_of(expected), state_of(actual)
    if ours == theirs == "value":
        return None
    if ours == theirs == "empty":
        shapes = {kind for kind in (str, dict, list) for leaf in (expected, actual) if isinstance(leaf, kind)}
        if len(shapes) > 1 and nulls == "distinct":
            return "mismatch"
        if len(shapes) == 1 and str not in shapes:
            return "match"
    return TABLE[nulls][ours, theirs]
