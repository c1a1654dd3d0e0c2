"""Metrics of the structured evaluator: declarations, formulas, and the sums they are made of.

    exact_accuracy       leaves that match / leaves of the reference; fuzzy_accuracy, similarity likewise
    json_accuracy        Σ wₖ·Accₖ / Σ wₖ over field patterns k, Accₖ being the exact accuracy of the pattern's leaves
    structural_accuracy  common / (common + missing + extra) over leaf paths
    nested_accuracy      Σ αˡ·Acc⁽ˡ⁾ / Σ αˡ over depths l that have leaves; nested_raw = Σ αˡ·Acc⁽ˡ⁾
    precision, recall    matches / leaves of the prediction, of the reference, that say something
    f1                   2·matches / (leaves of the prediction + leaves of the reference)
    nted, nted_max       ted / (|T₁| + |T₂|), ted / max(|T₁|, |T₂|); nted_keyed = ted_keyed / (|T₁| + |T₂|)

Everything is computed from sums, so that the micro average of many documents is the same formula on their sums.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from math import fsum, inf
from operator import attrgetter
from typing import Any, Final

from jatdae.core.contract import OTHER, Count, Direction, Metric, Rate, Ratio, WeightedSum
from jatdae.structured.leaf_sums import FieldScore, sum_leaves
from jatdae.structured.leaves import (
    CORRECT,
    MATCHES,
    OUTCOMES,
    PREDICTION_SIDE,
    REFERENCE_SIDE,
    column,
)
from jatdae.structured.trees import TreeScores
from jatdae.structured.walk import Findings

TED_NODES: Final = 500
"""Largest tree, in nodes, that `ted` is computed for by default."""

WORST_TED: Final = 2.0 * TED_NODES
"""Deleting every node of such a tree and inserting every node of another: a missing prediction is never a gain."""


def _ratio(
    name: str, above: WeightedSum, below: WeightedSum, better: Direction = "higher", *,
    worst: float | None = None, otherwise: float | Ratio | None = None, primary: bool = False,
    absent: tuple[str, ...] = (), family: bool = False,
) -> Metric:  # fmt: skip
    """A share is at most 1; a distance is not, since the costs of edits are settings."""
    worst = (0.0 if better == "higher" else 1.0) if worst is None else worst
    most = 1.0 if better == "higher" else inf
    micro = Ratio(above, below, otherwise=otherwise)
    return Metric(name, better, worst, "", primary, absent, micro, (0.0, most), family, causes=_causes(name))


_OF_BOTH_SIDES: Final = ("f1", "nted", "nted_max", "nted_keyed", "ted", "ted_keyed")
_COUNTED: Final[Mapping[str, Collection[str]]] = {
    "precision": PREDICTION_SIDE,
    "structural_accuracy": ("missing", "extra"),
    **dict.fromkeys(_OF_BOTH_SIDES, OUTCOMES),
}
"""Outcomes of fields that a metric counts, right or wrong; those of the others are REFERENCE_SIDE."""


def _causes(name: str) -> dict[str, float]:
    """The outcomes of fields that count against a metric."""
    if name == "schema_compliance":
        return {"schema": 1.0}
    counted = _COUNTED.get(name, REFERENCE_SIDE)
    return {f"fields.{outcome}": 1.0 for outcome in OUTCOMES if outcome in counted and outcome not in CORRECT}


_PATHS: Final = {"paths_common": 1.0, "paths_missing": 1.0, "paths_extra": 1.0}
_BOTH: Final = {"predicted": 1.0, "expected": 1.0}

METRICS: Final = (
    Metric("json_accuracy", "higher", worst=0.0, range=(0.0, 1.0), family=True, causes=_causes("json_accuracy")),
    _ratio("exact_accuracy", "exact", "leaves", primary=True, family=True),
    _ratio("fuzzy_accuracy", "fuzzy", "leaves"),
    _ratio("similarity", "similarity", "leaves"),
    _ratio("structural_accuracy", "paths_common", _PATHS, otherwise=1.0),
    Metric("nested_accuracy", "higher", worst=0.0, range=(0.0, 1.0), causes=_causes("nested_accuracy")),
    Metric("nested_raw", "higher", worst=0.0, causes=_causes("nested_raw")),
    _ratio("precision", "matches", "predicted", otherwise=Ratio({}, "expected", otherwise=1.0)),
    _ratio("recall", "matches", "expected", otherwise=Ratio({}, "predicted", otherwise=1.0)),
    _ratio("f1", {"matches": 2.0}, _BOTH, otherwise=1.0, family=True),
    _ratio("nted", "ted_distance", "ted_nodes", "lower", family=True),
    _ratio("nted_max", "ted_distance", "ted_larger", "lower"),
    _ratio("nted_keyed", "keyed_distance", "keyed_nodes", "lower"),
    _ratio("ted", "ted_distance", "ted_documents", "lower", worst=WORST_TED),
    _ratio("ted_keyed", "keyed_distance", "documents", "lower", worst=WORST_TED),
    _ratio("schema_compliance", "schema_valid", "schema_documents", absent=("no_schema",)),
)

COUNTS: Final = (
    *(Count(f"fields.{outcome}", error=outcome not in CORRECT) for outcome in OUTCOMES),
    Count("fields.near"),
    Count("fields.similar"),
    Count("fields.confused"),
    Count("depths.right", coded=True),
    Count("depths.all", coded=True),
    Count("schema", error=True),
    Count("settings", coded=True),
)

_MATCHED: Final = tuple(f"fields.{outcome}" for outcome in sorted(MATCHES))
_EXPECTED: Final = tuple(f"fields.{outcome}" for outcome in OUTCOMES if outcome in REFERENCE_SIDE)
_LACKING: Final = ("fields.missing", "fields.null_instead", "fields.empty_instead")
RATES: Final = (
    Rate("field", _MATCHED, _EXPECTED, shown=True, instead=("fields.confused",)),
    Rate("field_fuzzy", (*_MATCHED, "fields.near"), _EXPECTED, shown=True),
    Rate("field_similarity", _MATCHED, _EXPECTED, shown=True, millionths=("fields.similar",)),
    Rate("field_wrong", ("fields.mismatch",), better="lower", shown=True),
    Rate("field_missing", _LACKING, better="lower", shown=True),
    Rate("field_extra", ("fields.extra",), better="lower", shown=True),
    Rate("depth", ("depths.right",), ("depths.all",), shown=True, table="depth"),
)
"""Each field over the values that the reference has in it, with what went wrong in numbers; accuracy by depth."""

MOST_FIELDS: Final = 200
"""Field patterns of one document that a run sums separately; the rest pool under `<other>`."""
Outcomes = Mapping[str, Mapping[str, int]]
"""Number of leaves by outcome and field pattern."""

Weights = Callable[[Collection[str]], Sequence[float]]

_pattern_of: Final = column("pattern")


@dataclass(slots=True)
class Sums:
    """Sums over one JSON document, from which its metrics are computed."""

    documents: int = 0
    leaves: int = 0
    exact: int = 0
    fuzzy: int = 0
    similarity: float = 0.0
    matches: int = 0
    expected: int = 0
    """Leaves of the reference that hold a value; `predicted` counts those of the prediction."""
    predicted: int = 0
    paths_common: int = 0
    paths_missing: int = 0
    paths_extra: int = 0
    keyed_distance: float = 0.0
    keyed_nodes: int = 0
    ted_documents: int = 0
    ted_distance: float = 0.0
    ted_nodes: int = 0
    ted_larger: int = 0
    schema_documents: int = 0
    schema_valid: int = 0
    depths: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """Leaves and exact matches by depth."""
    fields: Mapping[str, FieldScore] = field(default_factory=dict)

    def stats(self) -> dict[str, float]:
        """The sums by name: `exact`, `depth.2.leaves`, `field.exact:procedures[*].cost`."""
        scores = _bounded(self.fields)
        names, blank = _names(tuple(self.depths), tuple(scores))
        made = blank.copy()
        numbers: list[Any] = [*_numbers(self)]
        for depth in self.depths.values():
            numbers += depth
        for score in scores.values():
            numbers += score
        for at, name in enumerate(names):
            made[name] = numbers[at]
        if scores is not self.fields:
            made |= {_POOLED: float(len(self.fields) - MOST_FIELDS), _POOLING: 1.0}
        return made


def sum_up(found: Findings, trees: TreeScores, valid: bool | None) -> tuple[Sums, Outcomes]:
    """Sums for the metrics of one compared JSON document, and its leaves counted by outcome."""
    rows = found.rows
    scores, depths, outcomes, similarity = sum_leaves(rows)
    if found.extra_rows:
        table = outcomes.setdefault("extra", {})
        for pattern in map(_pattern_of, found.extra_rows):
            table[pattern] = table.get(pattern, 0) + 1
    matches = expected = predicted = 0
    for outcome, by_pattern in outcomes.items():
        count = sum(by_pattern.values())
        if outcome in MATCHES:
            matches += count
        if outcome in REFERENCE_SIDE:
            expected += count
        if outcome in PREDICTION_SIDE:
            predicted += count
    nodes = trees.predicted + trees.expected
    measured = trees.ted is not None
    sums = Sums(
        documents=1,
        leaves=len(rows),
        exact=sum([exact for _, exact in depths.values()]),
        fuzzy=sum([score.fuzzy for score in scores.values()]),
        similarity=similarity,
        matches=matches,
        expected=expected,
        predicted=predicted + found.surplus,
        paths_common=found.common,
        paths_missing=found.missing,
        paths_extra=found.extra,
        keyed_distance=trees.ted_keyed,
        keyed_nodes=nodes,
        ted_documents=int(measured),
        ted_distance=trees.ted or 0.0,
        ted_nodes=nodes if measured else 0,
        ted_larger=max(trees.predicted, trees.expected) if measured else 0,
        schema_documents=int(valid is not None),
        schema_valid=int(bool(valid)),
        depths=depths,
        fields=scores,
    )
    return sums, outcomes


def values_of(sums: Sums, alpha: float, weights: Weights) -> dict[str, float | None]:
    """Every metric of one JSON document from its sums; `weights` gives the weights of field patterns."""
    both = sums.predicted + sums.expected
    nothing = 0.0 if both else 1.0  # nothing on one side is wrong, nothing on either is right
    precision, recall = _share(sums.matches, sums.predicted), _share(sums.matches, sums.expected)
    paths = sums.paths_common + sums.paths_missing + sums.paths_extra
    nested, raw = _nested(sums.depths, alpha)
    return {
        "json_accuracy": _json_accuracy(sums.fields, weights),
        "exact_accuracy": _share(sums.exact, sums.leaves),
        "fuzzy_accuracy": _share(sums.fuzzy, sums.leaves),
        "similarity": _share(sums.similarity, sums.leaves),
        "structural_accuracy": sums.paths_common / paths if paths else 1.0,
        "nested_accuracy": nested,
        "nested_raw": raw,
        "precision": nothing if precision is None else precision,
        "recall": nothing if recall is None else recall,
        "f1": 2.0 * sums.matches / both if both else 1.0,
        "nted": _share(sums.ted_distance, sums.ted_nodes),
        "nted_max": _share(sums.ted_distance, sums.ted_larger),
        "nted_keyed": _share(sums.keyed_distance, sums.keyed_nodes),
        "ted": _share(sums.ted_distance, sums.ted_documents),
        "ted_keyed": _share(sums.keyed_distance, sums.documents),
        "schema_compliance": _share(sums.schema_valid, sums.schema_documents),
    }


def micro_averages(stats: Mapping[str, float], alpha: float, weights: Weights) -> dict[str, float | None]:
    """Micro averages of the JSON metrics that are no ratio of two sums, from summed statistics."""
    scores: dict[str, tuple[float, float]] = {}
    depths: dict[int, tuple[float, float]] = {}
    for name, value in stats.items():
        if name.startswith(_LEAVES):
            pattern = name.removeprefix(_LEAVES)
            scores[pattern] = value, stats.get(_EXACT + pattern, 0.0)
        elif name.startswith("depth.") and name.endswith(".leaves"):
            depth = name.removeprefix("depth.").removesuffix(".leaves")
            depths[int(depth)] = value, stats.get(f"depth.{depth}.exact", 0.0)
    nested, raw = _nested(depths, alpha)
    pooled = stats[_POOLED] / stats[_POOLING] if stats.get(_POOLING) else 1.0
    return {"json_accuracy": _json_accuracy(scores, weights, pooled), "nested_accuracy": nested, "nested_raw": raw}


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _json_accuracy(scores: Mapping[str, tuple[float, ...]], weights: Weights, pooled: float = 1.0) -> float | None:
    """Weighted mean of the accuracies of field patterns; a score begins with the leaves and the exact matches.

    What was pooled has one accuracy, which counts for as many patterns as a document pools on average.
    """
    names = [pattern for pattern, score in scores.items() if score[0]]
    given = weights(names)
    if pooled != 1.0:
        given = [weight * pooled if name == OTHER else weight for name, weight in zip(names, given, strict=True)]
    total = fsum(given)
    right = [weight * (scores[name][1] / scores[name][0]) for name, weight in zip(names, given, strict=True)]
    return fsum(right) / total if total else None


def _nested(depths: Mapping[int, tuple[float, float]], alpha: float) -> tuple[float | None, float | None]:
    accuracies = [(depth, exact / leaves) for depth, (leaves, exact) in depths.items() if leaves]
    if not accuracies:
        return None, None
    first = min(depth for depth, _ in accuracies)  # weights relative to it, lest all of a deep document's vanish
    weights = [alpha ** (depth - first) for depth, _ in accuracies]
    total = fsum([weight * accuracy for weight, (_, accuracy) in zip(weights, accuracies, strict=True)])
    return total / fsum(weights), total * alpha**first


_PLAIN: Final = tuple(column.name for column in fields(Sums) if column.name not in ("depths", "fields"))
_numbers: Final = attrgetter(*_PLAIN)
_FIELD: Final = tuple(f"field.{name}:" for name in FieldScore._fields)
_LEAVES, _EXACT, *_ = _FIELD
_POOLED, _POOLING = "pooled.fields", "pooled.documents"
"""Sums over the documents that pool field patterns: how many they pool, and how many documents they are."""


@lru_cache(maxsize=1 << 7)
def _names(depths: tuple[int, ...], patterns: tuple[str, ...]) -> tuple[list[str], dict[str, float]]:
    """The names of a document's statistics, and a table of them to be copied and filled in.

    Documents of a batch are alike, so both are kept.
    """
    by_depth = [f"depth.{depth}.{what}" for depth in depths for what in ("leaves", "exact")]
    names = [*_PLAIN, *by_depth, *(column + pattern for pattern in patterns for column in _FIELD)]
    return names, dict.fromkeys(names, 0.0)


def _bounded(patterns: Mapping[str, FieldScore]) -> Mapping[str, FieldScore]:
    if len(patterns) <= MOST_FIELDS:
        return patterns
    names = sorted(patterns)
    rest = zip(*(patterns[name] for name in names[MOST_FIELDS:]), strict=True)
    return {name: patterns[name] for name in names[:MOST_FIELDS]} | {OTHER: FieldScore(*map(sum, rest))}
