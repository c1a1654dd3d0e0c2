"""What a person needs to see why a text scored as it did: aligned runs, confusions, scope. Bounded in size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest
from typing import Any, Final

from jatdae.kernels.edit import EditRun as Run
from jatdae.text.references import Block
from jatdae.text.steps import STEPS

MOST_RUNS: Final = 400
"""Runs shown of one document, in reading order."""
MOST_LARGEST: Final = 10
"""The longest of its edits, wherever they stand."""
LONGEST_TEXT: Final = 120
"""Characters shown of one run: its beginning and its end."""
MOST_CONFUSIONS: Final = 50
MOST_COUNTED: Final = 500
"""Confusions of one document that enter the sums; the rest are pooled under `<other>`."""
LONGEST_CONFUSION: Final = 3
"""Lost or added runs up to this length are misreadings; longer ones are missing or surplus text."""

ONE_SIDED_SHARE: Final = 0.01
ONE_SIDED_LEAST: Final = 50
ONE_SIDED_RATIO: Final = 10
"""A scope is one-sided if a side loses 1 % of its text and 50 characters by it, ten times the other side's share."""

Units = str | Sequence[str]


def show_runs(runs: Sequence[Run], prediction: Units, reference: Units) -> dict[str, Any]:
    """The alignment as JSON: `at` is [reference start, end, prediction start, end]."""
    shown: dict[str, Any] = {"runs": [_shown(run, prediction, reference) for run in runs[:MOST_RUNS]]}
    if len(runs) > MOST_RUNS:
        edits = ((max(r[2] - r[1], r[4] - r[3]), -at) for at, r in enumerate(runs) if r.kind != "equal")
        largest = sorted(-at for _, at in nlargest(MOST_LARGEST, edits))
        shown["runs_left_out"] = len(runs) - MOST_RUNS
        shown["largest"] = [_shown(runs[at], prediction, reference) for at in largest]
    return shown


def confusions(runs: Iterable[Run], prediction: Units, reference: Units) -> Counter[str]:
    """`a→b` for b read instead of a, `a→` for a lost, `→b` for b added."""
    found: Counter[str] = Counter()
    for kind, start, end, predicted_start, predicted_end in runs:
        if kind == "replace":
            for was, now in zip(reference[start:end], prediction[predicted_start:predicted_end], strict=True):
                found[f"{was}→{now}"] += 1
        elif kind == "delete" and end - start <= LONGEST_CONFUSION:
            found[f"{''.join(reference[start:end])}→"] += 1
        elif kind == "insert" and predicted_end - predicted_start <= LONGEST_CONFUSION:
            found[f"→{''.join(prediction[predicted_start:predicted_end])}"] += 1
    return found


def bounded(found: Counter[str]) -> dict[str, int]:
    """The commonest confusions, the rest in one sum; in the order of their names among equals."""
    if len(found) <= MOST_COUNTED:
        return dict(found)
    kept = dict(commonest(found, MOST_COUNTED))
    kept["<other>"] = found.total() - sum(kept.values())
    return kept


def commonest(found: Counter[str], most: int) -> list[tuple[str, int]]:
    """The `most` commonest, by count and then by name, so that order never depends on the reading order."""
    return sorted(found.items(), key=lambda item: (-item[1], item[0]))[:most]


def show_references(block: Block | None) -> dict[str, Any]:
    """Whether a references block was found on a side, by what, and how long it is."""
    if block is None:
        return {"found": False}
    return {"found": True, "by": block.how, "characters": block.characters}


def show_scope(prediction: Mapping[str, int], reference: Mapping[str, int]) -> dict[str, list[int]]:
    """Characters removed by each step that removed any: [prediction, reference]."""
    if not prediction and not reference:
        return {}
    steps = [name for name in STEPS if name in prediction or name in reference]
    return {name: [prediction.get(name, 0), reference.get(name, 0)] for name in steps}


def one_sided(prediction: Mapping[str, int], reference: Mapping[str, int], lengths: tuple[int, int]) -> list[str]:
    """Scopes whose content went on one side only, and from which side: the comparison is unfair by so much."""
    sums: dict[str, list[int]] = {}
    for side, removed in enumerate((prediction, reference)):
        for name, count in removed.items():
            if STEPS[name].removes == "content":
                sums.setdefault(STEPS[name].scope, [0, 0])[side] += count
    found = []
    for scope, (predicted, expected) in sorted(sums.items()):
        if _loses_alone(predicted, lengths[0], expected, lengths[1]):
            found.append(f"{scope}: {predicted} characters removed from the prediction, {expected} from the reference")
        if _loses_alone(expected, lengths[1], predicted, lengths[0]):
            found.append(f"{scope}: {expected} characters removed from the reference, {predicted} from the prediction")
    return found


def printable(text: str) -> str:
    """`text` without lone surrogates, which no JSON can carry; positions stay."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _loses_alone(removed: int, length: int, removed_there: int, length_there: int) -> bool:
    much = removed >= ONE_SIDED_LEAST and removed >= ONE_SIDED_SHARE * length
    return much and removed * length_there >= ONE_SIDED_RATIO * removed_there * length


def _shown(run: Run, prediction: Units, reference: Units) -> dict[str, Any]:
    kind, start, end, predicted_start, predicted_end = run
    shown: dict[str, Any] = {"kind": kind, "at": [start, end, predicted_start, predicted_end]}
    if end > start:
        shown["reference"] = _clipped(reference, start, end)
    if predicted_end > predicted_start and kind != "equal":
        shown["prediction"] = _clipped(prediction, predicted_start, predicted_end)
    return shown


def _clipped(units: Units, start: int, end: int) -> str:
    if end - start <= LONGEST_TEXT:
        return "".join(units[start:end])
    half = LONGEST_TEXT // 2
    return f"{''.join(units[start : start + half])} … {''.join(units[end - half : end])}"
