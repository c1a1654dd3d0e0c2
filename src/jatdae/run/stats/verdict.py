"""The verdict on a run or a comparison: one or two sentences on the primary metric, in the user's language."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from jatdae.core.messages import Wording, say
from jatdae.run.stats.compare import LEAST_CLUSTERS, SIGNIFICANT, Comparison, Difference, comparable_part, compare, holm
from jatdae.run.stats.result import Result, primary_metric
from jatdae.run.stats.shown import bracketed, change, number, p_equals, system_label
from jatdae.run.stats.summary import Summary

MOST_TESTED: Final = 50_000
"""Rows of a run up to which its systems are compared for the verdict."""


def verdict(summary: Summary, against_best: Sequence[Comparison] = (), told: Wording = say) -> str:
    """Verdict on a run: the value of one system, which of two is better, or which of several is best.

    `against_best` compares every other system with the best one (`compare_with_best`); without it nothing is tested.
    "" if no system was scored.
    """
    name = primary_metric(summary)
    entries = {system: about["metrics"][name] for system, about in summary["systems"].items()}
    known = {system: entry for system, entry in entries.items() if entry["macro"] is not None}
    if not known:
        return told("verdict_none", metric=name) if entries else ""
    best = best_system(summary)
    if len(entries) == 1:
        return told("verdict_one", value=_mean(summary, best, told), n=entries[best]["n"], metric=name)
    if len(entries) == 2 and against_best:
        return verdict_on(against_best[0], told)
    equals = [system_label(each, told) for each in known if known[each]["macro"] == known[best]["macro"]]
    key = "verdict_best" if len(equals) == 1 else "verdict_tied"
    first = told(key, systems=", ".join(equals), value=_mean(summary, best, told), metric=name)
    return " ".join([first, *_others(against_best, told)])


def verdict_on(comparison: Comparison, told: Wording = say) -> str:
    """Verdict on a comparison of two systems: the difference of the primary metric, and whether it is shown."""
    row = primary_difference(comparison)
    names = {"a": system_label(comparison.a, told), "b": system_label(comparison.b, told), "metric": row.metric.name}
    if row.delta is None:
        return told("verdict_no_pairs", **names)
    if not row.wins and not row.losses:
        return told("verdict_same", **names, n=row.n)
    if row.gain < 0:
        names["a"], names["b"] = names["b"], names["a"]
    size = _size(row)
    if row.p is None:
        return told("verdict_ahead", **names, delta=size, n=row.n, clusters=row.clusters, least=LEAST_CLUSTERS)
    key = "verdict_better" if row.p < SIGNIFICANT else "verdict_open"
    return told(key, **names, delta=size, n=row.n, p=p_equals(row.p))


def verdict_on_several(comparisons: Sequence[Comparison], told: Wording = say) -> str:
    """Verdict on several systems compared with one: which are better on the primary metric, worse, or neither.

    p is corrected over these comparisons (Holm, 1979).
    """
    rows = [(system_label(each.b, told), primary_difference(each)) for each in comparisons]
    tested = [(name, row, row.p) for name, row in rows if row.p is not None]
    corrected = holm([p for _, _, p in tested])
    found: dict[str, dict[str, float]] = {"better": {}, "worse": {}, "level": {}}
    for (name, row, _), p in zip(tested, corrected, strict=True):
        found["level" if p >= SIGNIFICANT else "better" if row.gain > 0 else "worse"][name] = p
    about = {"a": system_label(comparisons[0].a, told), "metric": rows[0][1].metric.name}
    said = [
        told(f"verdict_several_{key}", **about, systems=", ".join(names), p=_at_most(names.values()))
        for key, names in found.items()
        if names
    ]
    if any(row.too_few for _, row in rows):
        said.append(told("verdict_untested", least=LEAST_CLUSTERS))
    if absent := [name for name, row in rows if row.delta is None]:
        said.append(told("verdict_no_pairs", a=about["a"], b=", ".join(absent), metric=about["metric"]))
    return " ".join(said)


def compare_with_best(summary: Summary, load: Callable[[], Result]) -> list[Comparison]:
    """Compare every other system of a run with its best one, on the primary metric, for the verdict.

    Nothing is loaded and compared where a run has one system or too many rows.
    """
    if len(summary["systems"]) < 2 or summary["input"]["rows"] > MOST_TESTED:
        return []
    best, name = best_system(summary), primary_metric(summary)
    result = comparable_part(replace(load(), summary=summary), [name])
    return [
        compare(result, result, system_a=other, system_b=best, names=(other, best), metrics=[name])
        for other in result.systems
        if other != best and result.value(name, other) is not None
    ]


def best_system(summary: Summary) -> str:
    """System with the best mean of the primary metric; the first of equals, or of all if none has a value."""
    name = primary_metric(summary)
    sign = 1 if summary["metrics"][name]["better"] == "higher" else -1

    def goodness(system: str) -> float:
        value = summary["systems"][system]["metrics"][name]["macro"]
        return float("-inf") if value is None else sign * value

    return str(max(summary["systems"], key=goodness))


def primary_difference(comparison: Comparison) -> Difference:
    """Difference of the primary metric, or of the first that was compared."""
    return next((row for row in comparison.differences if row.metric.primary), comparison.differences[0])


def _others(against_best: Sequence[Comparison], told: Wording) -> list[str]:
    """Of which other systems the best is shown to be better, and of which not; p corrected over all of them."""
    rows = [(system_label(each.a, told), primary_difference(each)) for each in against_best]
    tested = [(name, row.p) for name, row in rows if row.p is not None]
    corrected = holm([p for _, p in tested])
    behind = {name: p for (name, _), p in zip(tested, corrected, strict=True) if p < SIGNIFICANT}
    level = [name for (name, _), p in zip(tested, corrected, strict=True) if p >= SIGNIFICANT]
    few = [name for name, row in rows if row.too_few]
    said = []
    if behind:
        said.append(told("verdict_behind", systems=", ".join(behind), p=_at_most(behind.values())))
    if level:
        said.append(told("verdict_level", systems=", ".join(level)))
    if few:
        said.append(told("verdict_untested", least=LEAST_CLUSTERS))
    return said


def _at_most(values: Collection[float]) -> str:
    return p_equals(max(values)).replace("=", "≤")


def _mean(summary: Mapping[str, Any], system: str, told: Wording) -> str:
    name = primary_metric(summary)
    entry, unit = summary["systems"][system]["metrics"][name], summary["metrics"][name]["unit"]
    missing = f" ({told('na_count', n=entry['na'])})" if entry["na"] else ""
    return number(entry["macro"], unit) + bracketed(entry["ci"], unit) + missing


def _size(row: Difference) -> str:
    """The size of a difference and its interval, as seen from the better system."""
    turned = -1 if (row.delta or 0.0) < 0 else 1
    text = change(abs(row.delta or 0.0), row.metric.unit).removeprefix("+")
    ends = sorted(turned * end for end in row.ci) if row.ci else None
    return text + bracketed((ends[0], ends[1]) if ends else None, row.metric.unit)
