"""What became of a leaf: the full table of reference and prediction.

    reference ╲ prediction   value            null           empty           missing       container
    value                    match, mismatch  null_instead   empty_instead   missing       mismatch
    null                     extra            both_absent    empty_instead   missing       extra
    empty                    extra            null_instead   both_absent     missing       extra
    missing                  extra            extra          extra           –             extra
    container                mismatch         null_instead   empty_instead   missing       its leaves are compared

With `nulls: same`, null, empty and missing are one thing, and every pair of them is `both_absent`. An empty container
is a leaf: it is empty, and matches its like; instead of a filled one of its kind, what that one holds is missing. A
container against a leaf gives every leaf of the reference the outcome of the table.
"""

from __future__ import annotations

from typing import Any, Final, Literal, get_args

Outcome = Literal["match", "mismatch", "missing", "null_instead", "empty_instead", "extra", "both_absent"]
OUTCOMES: Final[tuple[Outcome, ...]] = get_args(Outcome)
Nulls = Literal["distinct", "same"]
State = Literal["value", "null", "empty", "missing"]


class Missing:
    """Stands where a document has nothing at all."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = Missing()

CORRECT: Final = frozenset({"match", "both_absent"})
"""Outcomes that count for accuracy."""

REFERENCE_SIDE: Final = frozenset({"match", "mismatch", "missing", "null_instead", "empty_instead"})
"""Outcomes of something the reference has: what recall is over."""
PREDICTION_SIDE: Final = frozenset({"match", "mismatch", "extra"})
"""Outcomes of something the prediction has: what precision is over."""

_DISTINCT: Final[dict[tuple[State, State], Outcome]] = {
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
TABLE: Final[dict[Nulls, dict[tuple[State, State], Outcome]]] = {
    "distinct": _DISTINCT,
    "same": _DISTINCT | {(a, b): "both_absent" for a in _ABSENT for b in _ABSENT},
}
"""Per way of taking nulls: the outcome of each pair of states but (value, value), which has to be compared."""


def state_of(leaf: Any) -> State:
    """Whether a leaf says something; 0 and false do."""
    if type(leaf) is str:
        return "value" if leaf and not leaf.isspace() else "empty"
    if leaf is None:
        return "null"
    if leaf is MISSING:
        return "missing"
    if type(leaf) is int:
        return "value"
    return "empty" if isinstance(leaf, (str, dict, list)) and not leaf else "value"


def outcome_of_absence(expected: Any, actual: Any, nulls: Nulls) -> Outcome | None:
    """The outcome of a pair of leaves of which one says nothing; None where both say something."""
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
