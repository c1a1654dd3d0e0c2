"""From leaf results to numbers: of one document, and of many by their sums.

    exact_accuracy       leaves that match / leaves of the reference; fuzzy_accuracy, similarity likewise
    json_accuracy        Σ wₖ·Accₖ / Σ wₖ over field patterns k, Accₖ being the exact accuracy of the pattern's leaves
    structural_accuracy  common / (common + missing + extra) over leaf paths
    nested_accuracy      Σ αˡ·Acc⁽ˡ⁾ / Σ αˡ over depths l that have leaves; nested_raw = Σ αˡ·Acc⁽ˡ⁾
    precision, recall    matches / leaves of the prediction, of the reference, that say something
    f1                   2·matches / (leaves of the prediction + leaves of the reference)
    nted, nted_max       ted / (|T₁| + |T₂|), ted / max(|T₁|, |T₂|); nted_keyed = ted_keyed / (|T₁| + |T₂|)

Everything is made of sums, so that the micro average of many documents is the same formula on theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from math import fsum
from operator import mul
from typing import Final

from jatdae.kernels.fields import tally
from jatdae.structured.findings import Findings
from jatdae.structured.leaves import PREDICTION_SIDE, REFERENCE_SIDE, column, similarity_of
from jatdae.structured.sums import FieldScore, Sums
from jatdae.structured.trees import TreeScores

Outcomes = Mapping[str, Mapping[str, int]]
"""How often each outcome came up, by outcome and field pattern."""

Weights = Callable[[Collection[str]], Sequence[float]]

_pattern_of: Final = column("pattern")
_made: Final = tuple.__new__  # a third of the time of calling a named tuple


def sum_up(found: Findings, trees: TreeScores, valid: bool | None) -> tuple[Sums, Outcomes]:
    """What one document adds to the sums, and its outcomes."""
    rows = found.rows
    fields, depths, outcomes = tally(rows)
    for pattern in map(_pattern_of, found.extra_rows):
        table = outcomes.setdefault("extra", {})
        table[pattern] = table.get(pattern, 0) + 1
    totals = {outcome: sum(table.values()) for outcome, table in outcomes.items()}
    nodes = trees.predicted + trees.expected
    measured = trees.ted is not None
    sums = Sums(
        documents=1,
        leaves=len(rows),
        exact=sum([exact for _, exact in depths.values()]),
        fuzzy=sum([score[2] for score in fields.values()]),
        similarity=fsum(map(similarity_of, rows)),
        matches=totals.get("match", 0),
        expected=sum([count for outcome, count in totals.items() if outcome in REFERENCE_SIDE]),
        predicted=sum([count for outcome, count in totals.items() if outcome in PREDICTION_SIDE]) + found.surplus,
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
        fields={pattern: _made(FieldScore, score) for pattern, score in fields.items()},
    )
    return sums, outcomes


def values_of(sums: Sums, alpha: float, weights: Weights) -> dict[str, float | None]:
    """Every metric from the sums of one document, or of many; `weights` tells those of field patterns."""
    both = sums.predicted + sums.expected
    nothing = 0.0 if both else 1.0  # nothing on one side is wrong, nothing on either is right
    precision, recall = _share(sums.matches, sums.predicted), _share(sums.matches, sums.expected)
    paths = sums.paths_common + sums.paths_missing + sums.paths_extra
    nested, raw = _nested(sums.depths, alpha)
    return {
        "exact_accuracy": _share(sums.exact, sums.leaves),
        "fuzzy_accuracy": _share(sums.fuzzy, sums.leaves),
        "similarity": _share(sums.similarity, sums.leaves),
        "json_accuracy": _json_accuracy(sums.fields, weights),
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


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _json_accuracy(fields: Mapping[str, FieldScore], weights: Weights) -> float | None:
    scored = {pattern: exact / leaves for pattern, (leaves, exact, _, _) in fields.items() if leaves}
    given = weights(scored)
    total = fsum(given)
    return fsum(map(mul, given, scored.values())) / total if total else None


def _nested(depths: Mapping[int, tuple[float, float]], alpha: float) -> tuple[float | None, float | None]:
    accuracies = [(depth, exact / leaves) for depth, (leaves, exact) in depths.items() if leaves]
    if not accuracies:
        return None, None
    first = min(depth for depth, _ in accuracies)  # weights relative to it, lest all of a deep document's vanish
    weights = [alpha ** (depth - first) for depth, _ in accuracies]
    total = fsum([weight * accuracy for weight, (_, accuracy) in zip(weights, accuracies, strict=True)])
    return total / fsum(weights), total * alpha**first
