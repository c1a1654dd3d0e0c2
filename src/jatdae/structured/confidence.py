"""Confidence of a prediction in its own values, against whether they are right.

    brier          mean of (confidence − right)², right being 1 or 0 (Brier, 1950)
    ece            Σ nᵦ/n · |accuracy − mean confidence| over ten bins b of equal width (Guo et al., 2017)
    auroc          share of pairs of a right and a wrong value in which the right one has the greater confidence;
                   equal ones count half (Hanley and McNeil, 1982)
    coverage       share of the values whose confidence reaches a threshold, and their accuracy: what is gained by
                   leaving the others to a person

A prediction gives a confidence for a value (`{"total": 0.93}`, or `{"items[0].price": 0.8}`), for all below a place, or
as a document of the same shape. A value is right if it matches the reference, and wrong if it differs or is extra.
Confidences are counted by the hundredth, so that sums over documents are exact.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from jatdae.core.contract import Count, Issue, Metric, Rate, Ratio
from jatdae.core.errors import UsageError
from jatdae.structured.leaves import MATCHES, PREDICTION_SIDE, Row
from jatdae.structured.paths import Pattern, parse_pattern, written_path

METRICS: Final = (
    Metric("brier", "lower", worst=1.0, range=(0.0, 1.0), micro=Ratio("confidence.squares", "confidence.n")),
    Metric("ece", "lower", worst=1.0, range=(0.0, 1.0)),
    Metric("auroc", "higher", worst=0.0, range=(0.0, 1.0)),
)
COUNTS: Final = (Count("kept.right", coded=True), Count("kept.all", coded=True), Count("kept.values", coded=True))
RATES: Final = (
    Rate("kept_accuracy", ("kept.right",), ("kept.all",), shown=True, table="confidence"),
    Rate("coverage", ("kept.all",), ("kept.values",), shown=True, table="confidence"),
)
THRESHOLDS: Final = ("0", "0.5", "0.6", "0.7", "0.8", "0.9", "0.95", "0.99")
ALL_ALIKE: Final = Issue("all_alike", "all values with a confidence are right, or all are wrong; auroc does not apply")
BINS: Final = 10
STEPS: Final = 100
_RIGHT, _WRONG = "confidence.right.", "confidence.wrong."

Confident = tuple[float, bool]
"""A confidence, and whether its value is right."""
Confidences = Mapping[Pattern, float]


def read_confidences(given: Any) -> tuple[dict[Pattern, float], int]:
    """Confidences of a JSON document by place, and how many of them are no number from 0 to 1."""
    found: dict[Pattern, float] = {}
    wrong = 0
    stack: list[tuple[Pattern, Any]] = [((), given)]
    while stack:
        place, value = stack.pop()
        if isinstance(value, Mapping):
            stack += [((*place, *_steps(key, place)), below) for key, below in value.items()]
        elif isinstance(value, list):
            stack += [((*place, at), below) for at, below in enumerate(value)]
        elif isinstance(value, (int, float, Decimal)) and not isinstance(value, bool) and 0 <= value <= 1:
            found[place] = float(value)
        else:
            wrong += value is not None
    return found, wrong


def _steps(key: str, above: Pattern) -> Pattern:
    """The steps that a key stands for; one at the top may be a whole path, such as `items[0].price`."""
    if above or not ("." in key or "[" in key):
        return (key,)
    try:
        return parse_pattern(key)
    except UsageError:
        return (key,)


def judge_confidences(
    rows: Sequence[Row],
    extra_rows: Sequence[Row],
    confidences: Confidences,
    partners: Mapping[str, Sequence[int | None]],
    extra_fields: Sequence[str],
) -> list[Confident]:
    """The confidences of the values of a prediction that have one, each with whether the value is right."""
    found = []
    for several, extra in ((rows, frozenset[str]()), (extra_rows, frozenset(extra_fields))):
        for row in several:
            path, outcome = row[0], row[8]
            if outcome in PREDICTION_SIDE:
                confidence = _nearest(confidences, _place_in_prediction(path, partners, extra))
                if confidence is not None:
                    found.append((confidence, outcome in MATCHES))
    return found


def _place_in_prediction(path: str, partners: Mapping[str, Sequence[int | None]], extra: frozenset[str]) -> Pattern:
    """Where a value stands in the prediction: an item of a set at the index of its partner, an extra one at its own."""
    parts = parse_pattern(path)
    if not partners:
        return parts
    there: list[str | int] = []
    for at, part in enumerate(parts):
        here = written_path(parts[:at])
        moved = isinstance(part, int) and here in partners and written_path(parts[: at + 1]) not in extra
        partner = partners[here][part] if moved and part < len(partners[here]) else None  # type: ignore[operator, index]
        there.append(part if partner is None else partner)
    return tuple(there)


def _nearest(confidences: Confidences, place: Pattern) -> float | None:
    """The confidence of a value: its own, or that of the nearest place above it."""
    for end in range(len(place), -1, -1):
        if place[:end] in confidences:
            return confidences[place[:end]]
    return None


def confidence_stats(found: Sequence[Confident]) -> dict[str, float]:
    """Sums for the metrics of confidence: values by the hundredth of their confidence, and squared errors."""
    if not found:
        return {}
    stats = Counter(f"{_RIGHT if right else _WRONG}{round(STEPS * confidence)}" for confidence, right in found)
    squares = math.fsum((confidence - right) ** 2 for confidence, right in found)
    return {**stats, "confidence.n": len(found), "confidence.squares": squares}


def confidence_counts(found: Sequence[Confident]) -> dict[str, dict[str, int]]:
    """Count tables of confidence: values that reach each threshold, and the right ones among them."""
    if not found:
        return {}
    kept = {threshold: [right for sure, right in found if sure >= float(threshold)] for threshold in THRESHOLDS}
    return {
        "kept.right": {threshold: sum(each) for threshold, each in kept.items()},
        "kept.all": {threshold: len(each) for threshold, each in kept.items()},
        "kept.values": dict.fromkeys(THRESHOLDS, len(found)),
    }


def confidence_values(stats: Mapping[str, float]) -> dict[str, float | None]:
    """The metrics of confidence from sums, of one document or of many."""
    right, wrong = _by_step(stats, _RIGHT), _by_step(stats, _WRONG)
    n = math.fsum(right) + math.fsum(wrong)
    if not n:
        return {"brier": None, "ece": None, "auroc": None}
    squares = stats.get("confidence.squares", 0.0)
    return {"brier": squares / stats["confidence.n"], "ece": _ece(right, wrong, n), "auroc": _auroc(right, wrong)}


def _by_step(stats: Mapping[str, float], prefix: str) -> list[float]:
    return [stats.get(f"{prefix}{step}", 0.0) for step in range(STEPS + 1)]


def _ece(right: Sequence[float], wrong: Sequence[float], n: float) -> float:
    """Bins are open below and closed above; the first holds 0 too."""
    return math.fsum(abs(_excess(right, wrong, steps)) for steps in _bins()) / n


def _bins() -> Iterator[range]:
    width = STEPS // BINS
    for at in range(BINS):
        yield range(at * width + (at > 0), (at + 1) * width + 1)


def _excess(right: Sequence[float], wrong: Sequence[float], steps: range) -> float:
    """Summed confidence of a bin less the number of its right values."""
    return math.fsum((right[step] + wrong[step]) * step / STEPS - right[step] for step in steps)


def _auroc(right: Sequence[float], wrong: Sequence[float]) -> float | None:
    pairs = math.fsum(right) * math.fsum(wrong)
    if not pairs:
        return None
    below = won = 0.0
    for step in range(STEPS + 1):
        won += right[step] * (below + wrong[step] / 2)
        below += wrong[step]
    return won / pairs
