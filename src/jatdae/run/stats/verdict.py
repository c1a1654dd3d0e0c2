"""The verdict on a run or a comparison: one or two sentences on the primary metric, in the user's language."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Literal

from jatdae.core.messages import Wording, say
from jatdae.core.registry import find_meanings
from jatdae.run.stats.compare import (
    LEAST_CLUSTERS,
    SIGNIFICANT,
    Comparison,
    Difference,
    comparable_part,
    compare,
    count_tests,
    together,
)
from jatdae.run.stats.pairing import SAMPLE
from jatdae.run.stats.result import Result, primary_metric
from jatdae.run.stats.shown import bracketed, change, kind_label, number, p_at_most, p_equals, system_label
from jatdae.run.stats.summary import Summary

MOST_TESTED: Final = 50_000
"""Rows of a run up to which its systems are compared for the verdict."""


def verdict(summary: Summary, against_best: Sequence[Comparison] = (), told: Wording = say) -> str:
    """Verdict on a run: the value of one system, which of two is better, or which of several is best.

    `against_best` compares every other system with the best one (`compare_with_best`); without it nothing is tested,
    and the verdict says so. "" if no system was scored.
    """
    name = primary_metric(summary)
    entries = {system: about["metrics"][name] for system, about in summary["systems"].items()}
    known = [system for system, entry in entries.items() if entry["macro"] is not None]
    if not known:
        return told("verdict_none", metric=name) if entries else ""
    best = best_system(summary)
    value = _mean(summary, best, told)
    if len(entries) == 1:
        return told("verdict_one", value=value, n=f"{entries[best]['n']:,}", metric=name)
    if len(known) == 1:
        return told("verdict_only", system=system_label(best, told), value=value, metric=name)
    if len(entries) == 2 and against_best:
        return verdict_on(against_best[0], told, "verdict_units_of_run")
    blank = [system_label(each, told) for each in entries if each not in known]
    said = [told("verdict_blank", systems=", ".join(blank), metric=name)] if blank else []
    equals = [system_label(each, told) for each in known if entries[each]["macro"] == entries[best]["macro"]]
    key = "verdict_best" if len(equals) == 1 else "verdict_tied"
    first = told(key, systems=", ".join(equals), value=value, metric=name)
    lead = _lead(
        summary, [each for each in known if entries[each]["macro"] != entries[best]["macro"]], against_best, told
    )
    rows = [(system_label(each.a, told), primary_difference(each)) for each in against_best]
    tested = _relations(system_label(best, told), rows, count_tests(against_best), told, better=1)
    return " ".join([first, *lead, *(tested or [told("verdict_not_tested", most=f"{MOST_TESTED:,}")]), *said])


def verdict_on(comparison: Comparison, told: Wording = say, units: str = "verdict_units") -> str:
    """Verdict on a comparison of two systems: the difference of the primary metric, and whether it is shown.

    `units` is the message on pairs of units: beside the means of a run it says that these are over samples.
    """
    row = primary_difference(comparison)
    names = {"a": system_label(comparison.a, told), "b": system_label(comparison.b, told), "metric": row.metric.name}
    if row.delta is None:
        return told("verdict_no_pairs", **names)
    n = _pairs(comparison, row, told, units)
    if not row.wins and not row.losses:
        return told("verdict_same", **names, n=n)
    if row.p is not None and row.p >= SIGNIFICANT:
        delta = change(row.delta, row.metric.unit) + bracketed(row.ci, row.metric.unit)
        said = told("verdict_open", **names, delta=delta, n=n, p=p_equals(row.p))
        return f"{said} {told('verdict_interval')}" if _is_clear_of_zero(row) else said
    if row.gain < 0:
        names["a"], names["b"] = names["b"], names["a"]
    size = _size(row)
    if row.p is None:
        return told("verdict_ahead", **names, delta=size, n=n, clusters=row.clusters, least=LEAST_CLUSTERS)
    first = told("verdict_better", **names, delta=size, n=n, p=p_equals(row.p))
    if row.p_holm is not None and row.p_holm >= SIGNIFICANT:
        return f"{first} {told('verdict_holm', p=p_equals(row.p_holm), tests=count_tests([comparison]))}"
    return first


def verdict_on_all(comparisons: Sequence[Comparison], told: Wording = say) -> str:
    """Verdict on systems compared with one: of one as `verdict_on`; of several by how much each is ahead or behind, and
    which it is better than, worse, neither.

    p is the corrected one of the comparisons (`together`), the same as in their tables.
    """
    if len(comparisons) == 1:
        return verdict_on(comparisons[0], told)
    rows = [(system_label(each.b, told), primary_difference(each)) for each in comparisons]
    one = system_label(comparisons[0].a, told)
    tested = _relations(one, rows, count_tests(comparisons), told, better=-1)
    return " ".join([f"{rows[0][1].metric.name}:", *_distances(one, rows, told), *tested])


def _distances(one: str, rows: Sequence[tuple[str, Difference]], told: Wording) -> list[str]:
    """Which systems are ahead of one, level with it and behind, with the size of the difference and its interval."""
    known = sorted((row for row in rows if row[1].delta is not None), key=lambda row: -row[1].gain)
    groups = (
        ("verdict_ahead_of", [(name, row) for name, row in known if row.gain > 0]),
        ("verdict_level_with", [(name, row) for name, row in known if row.gain == 0]),
        ("verdict_behind_of", [(name, row) for name, row in known if row.gain < 0]),
    )
    sizes = sorted({row.n for _, row in known})
    n = "–".join(f"{size:,}" for size in dict.fromkeys((sizes[0], sizes[-1]))) if sizes else ""
    return [
        told(key, one=one, systems=", ".join(f"{name} {_size(row)}" for name, row in group), n=n)
        for key, group in groups
        if group
    ]


def compare_with_best(summary: Summary, load: Callable[[], Result]) -> list[Comparison]:
    """Compare every other system of a run with its best one, on the primary metric, for the verdict.

    Nothing is loaded and compared where a run has one system or too many rows.
    """
    if len(summary["systems"]) < 2 or summary["input"]["rows"] > MOST_TESTED:
        return []
    best, name = best_system(summary), primary_metric(summary)
    result = comparable_part(replace(load(), summary=summary), [name])
    made = [
        compare(result, result, system_a=other, system_b=best, names=(other, best), metrics=[name])
        for other in result.systems
        if other != best and result.value(name, other) is not None
    ]
    return list(together(made))


def best_system(summary: Summary) -> str:
    """System with the best mean of the primary metric; the first of equals, or of all if none has a value."""
    return _best_of(summary, summary["systems"])


def _best_of(summary: Summary, systems: Iterable[str]) -> str:
    name = primary_metric(summary)
    sign = 1 if summary["metrics"][name]["better"] == "higher" else -1

    def goodness(system: str) -> float:
        value = summary["systems"][system]["metrics"][name]["macro"]
        return float("-inf") if value is None else sign * value

    return str(max(systems, key=goodness))


def _lead(summary: Summary, others: Sequence[str], against_best: Sequence[Comparison], told: Wording) -> list[str]:
    """Which system comes next after the best, and by how much it is behind on the samples that both have.

    Its own mean where that is not known; nothing if no system comes next.
    """
    if not others:
        return []
    following = _best_of(summary, others)
    label = system_label(following, told)
    pair = next((each for each in against_best if each.a == following), None)
    if pair is None or (row := primary_difference(pair)).delta is None:
        return [told("verdict_next", next=label, value=_mean(summary, following, told))]
    key = "verdict_next_ahead" if row.gain < 0 else "verdict_next_behind"
    return [told(key, next=label, delta=_size(row), n=_pairs(pair, row, told, "verdict_units_of_run"))]


def primary_difference(comparison: Comparison) -> Difference:
    """Difference of the primary metric, or of the first that was compared."""
    return next((row for row in comparison.differences if row.metric.primary), comparison.differences[0])


def _relations(
    one: str, rows: Sequence[tuple[str, Difference]], tests: int, told: Wording, *, better: Literal[1, -1]
) -> list[str]:
    """How one system does against others on the samples that both have, by p corrected over all `tests` (Holm, 1979).

    `rows` are the others with the difference; `better` is the sign of a gain that speaks for the one.
    """
    found = [(name, better * row.gain, row.p_holm) for name, row in rows if row.p_holm is not None]
    behind = {name: p for name, gain, p in found if p < SIGNIFICANT and gain > 0}
    ahead = {name: p for name, gain, p in found if p < SIGNIFICANT and gain < 0}
    groups: list[tuple[str, Sequence[str], dict[str, str]]] = [
        ("verdict_behind", list(behind), {"p": _corrected(behind.values(), tests, told)}),
        ("verdict_beaten", list(ahead), {"p": _corrected(ahead.values(), tests, told)}),
        ("verdict_level", [name for name, _, p in found if p >= SIGNIFICANT], {}),
        ("verdict_untested", [name for name, row in rows if row.too_few], {"least": str(LEAST_CLUSTERS)}),
        ("verdict_apart", [name for name, row in rows if row.delta is None], {}),
    ]
    return [
        told(key, best=one, systems=_listed(names, len(rows), told), **blanks) for key, names, blanks in groups if names
    ]


def _corrected(values: Collection[float], tests: int, told: Wording) -> str:
    """The largest of some p-values, and over how many tests they were corrected."""
    text = p_at_most(values)
    return told("verdict_corrected", p=text, tests=tests) if tests > 1 else text


def _listed(names: Sequence[str], others: int, told: Wording) -> str:
    """Names of systems in a sentence; all others together where they are many."""
    return told("verdict_all_others", n=others) if len(names) == others > 2 else ", ".join(names)


def _pairs(comparison: Comparison, row: Difference, told: Wording, units: str) -> str:
    """How many pairs there are: if not of samples, of what in how many samples; and how many have no partner."""
    n = f"{row.n:,}"
    if row.by != SAMPLE:
        kind = kind_label(row.by, find_meanings(comparison.evaluator))
        n = told(units, n=n, kind=kind, samples=f"{row.samples:,}")
    return f"{n} ({told('unpaired')}: {row.unpaired:,})" if row.unpaired else n


def _is_clear_of_zero(row: Difference) -> bool:
    """Whether the interval of a difference lies on one side of no difference."""
    return row.ci is not None and (row.ci[0] > 0 or row.ci[1] < 0)


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
