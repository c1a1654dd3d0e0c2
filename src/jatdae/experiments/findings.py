"""Findings of an experiment: arms side by side, what they differ by and how much, by turn, cost and time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from jatdae.core.messages import LANGUAGES, speaker, speaking
from jatdae.core.messages import say as say_common
from jatdae.experiments.judgement import JudgeTally, judge_sheet
from jatdae.experiments.ledger import Account, Prices
from jatdae.report.chapters import Chapter, to_chapters
from jatdae.report.charts import Dot, DotPanel, dot_panels
from jatdae.report.figures import Figure, figures_of, mean_figures
from jatdae.report.pages import NumberTable
from jatdae.report.sheets import Sheet, SheetCell, best_of, metric_label
from jatdae.run.stats.compare import LEAST_CLUSTERS, SIGNIFICANT, Comparison, compare, together
from jatdae.run.stats.effect import ALPHA, POWER, Effect, effects
from jatdae.run.stats.pairing import SAMPLE
from jatdae.run.stats.result import Result, choose_metrics, primary_metric
from jatdae.run.stats.shown import NOTHING, change, number, p_value, span

say = speaker(__name__)


@dataclass(frozen=True)
class ArmEffect:
    """An arm against the first one: paired differences by patient, and their sizes."""

    arm: str
    comparison: Comparison
    effects: Sequence[Effect]


@dataclass(frozen=True)
class Findings:
    """Everything that is told of an experiment."""

    title: str
    result: Result
    accounts: Mapping[str, Account]
    against_first: Sequence[ArmEffect]
    difference: float
    """The difference that is to be seen."""
    prices: Prices | None = None
    unequal: Sequence[str] = ()
    """What keeps the arms from being comparable."""
    judged: Sequence[JudgeTally] = ()

    @property
    def metrics(self) -> list[str]:
        """Metrics that the arms are compared by."""
        return compared_metrics(self.result, self.judged)


def compared_metrics(result: Result, judged: Sequence[JudgeTally]) -> list[str]:
    """Metrics that arms are compared by: the evaluator's family, and those that a judge gave values of."""
    family = choose_metrics(result.summary, None)
    valued = {tally.metric for tally in judged if tally.values}
    return [*family, *(name for name in result.summary["metrics"] if name in valued and name not in family)]


def compare_arms(
    result: Result,
    difference: float,
    metrics: Sequence[str] | None = None,
    shared: Mapping[str, Result] = MappingProxyType({}),
) -> list[ArmEffect]:
    """Compare every arm with the first one, patient by patient.

    `shared` has results of an arm and the first one on the turns that both have, for arms that lack some.
    """
    first, *others = list(result.summary["systems"])
    names = choose_metrics(result.summary, metrics)
    of = {arm: shared.get(arm, result) for arm in others}
    found = [
        compare(of[arm], of[arm], system_a=first, system_b=arm, names=(first, arm), by=SAMPLE, metrics=names)
        for arm in others
    ]
    return [
        ArmEffect(arm, comparison, effects(of[arm], first, arm, difference=difference, metrics=names))
        for arm, comparison in zip(others, together(found), strict=True)
    ]


def to_page(found: Findings, more: str) -> str:
    """HTML page of the findings; `more` is the address of the page with every conversation."""
    made = {}
    for each in LANGUAGES:
        with speaking(each):  # charts as well: their axes and titles have words
            made[each] = chapters_of(found)
    return to_chapters(found.result, found.title, made, more)


def chapters_of(found: Findings) -> list[Chapter]:
    """The findings in the language that is spoken."""
    summary = found.result.summary
    drawn = [each for each in figures_of(found.result) if each.metric in found.metrics]
    shown = [replace(each, metrics=()) for each in drawn]  # titled in the chart itself
    chapters = [
        Chapter(say("chapter_finding"), sentences_of(found)),
        Chapter(say("chapter_arms"), [say("about_arms")], figures=mean_figures(summary), numbers=_arms_table(found)),
        Chapter(say("chapter_effects"), [_about_effects(found)] if found.against_first else [say("one_arm")],
                _effect_sheets(found), _effect_figures(found)),
        Chapter(say("chapter_turns"), [say("about_turns")], figures=[e for e in shown if e.section == "slices"]),
        Chapter(say("chapter_distribution"), [say("about_distribution")],
                figures=[each for each in shown if each.section == "distribution"]),
        Chapter(say("chapter_cost"), [], [ledger_sheet(found.accounts, found.prices)]),
    ]  # fmt: skip
    if found.judged:
        chapters.append(Chapter(say("chapter_judge"), [say("about_judge")], [judge_sheet(found.judged)]))
    return chapters


def paper_sheets(found: Findings) -> list[Sheet]:
    """The tables of the findings, for a paper or a terminal."""
    ledger = ledger_sheet(found.accounts, found.prices)
    judged = [judge_sheet(found.judged)] if found.judged else []
    return [_arms_sheet(found), *_effect_sheets(found), ledger, *judged]


def sentences_of(found: Findings) -> list[str]:
    """What was found, in sentences."""
    return [*_verdicts(found), *map(_unequal, found.unequal)]


def _verdicts(found: Findings) -> list[str]:
    """For each arm how its primary metric differs from that of the first."""
    name = primary_metric(found.result.summary)
    if not found.against_first:
        return [say("one_arm")]
    return [_verdict(each, name, found.difference) for each in found.against_first]


def _verdict(each: ArmEffect, name: str, difference: float) -> str:
    row = next((row for row in each.comparison.differences if row.metric.name == name), each.comparison.differences[0])
    effect = next(effect for effect in each.effects if effect.metric.name == row.metric.name)
    told = {"arm": each.arm, "first": each.comparison.a, "metric": row.metric.name, "patients": effect.clusters}
    if row.delta is None:
        return say("arm_no_pairs", **told)
    told |= {"delta": change(row.delta, row.metric.unit), "span": span(row.ci, row.metric.unit), "dz": _dz(effect)}
    if row.p_holm is None:
        said = say("arm_untested", **told, least=LEAST_CLUSTERS)
    else:
        key = "arm_differs" if row.p_holm < SIGNIFICANT else "arm_open"
        said = say(key, **told, p=p_value(row.p_holm))
    if effect.needed is None:
        return said
    key = "arm_needs" if effect.more else "arm_has_enough"
    needs = say(key, difference=f"{difference:g}", needed=f"{effect.needed:,}", more=f"{effect.more:,}")
    return f"{said} {needs}"


def _unequal(problem: str) -> str:
    return say("scored_unequal", problem=problem)


def _about_effects(found: Findings) -> str:
    return say(
        "about_effects", first=next(iter(found.result.summary["systems"])), difference=f"{found.difference:g}",
        power=f"{POWER:.0%}", alpha=f"{ALPHA:g}",
    )  # fmt: skip


def _arms_table(found: Findings) -> NumberTable:
    """The means of all arms for the page: an interval stands below its mean, so that four arms have room."""
    summary = found.result.summary
    best = {name: _best_arms(found, name) for name in found.metrics}
    return NumberTable(summary["systems"], summary["metrics"], best, found.metrics, [])


def _arms_sheet(found: Findings) -> Sheet:
    """Table of the means: a row for each metric, a column for each arm, the best in bold."""
    known, systems = found.result.summary["metrics"], found.result.summary["systems"]
    rows = []
    for name in found.metrics:
        best = _best_arms(found, name)
        cells = [
            SheetCell(_mean(about["metrics"][name], known[name]["unit"]), arm in best) for arm, about in systems.items()
        ]
        rows.append((SheetCell(metric_label(name, known[name]["better"])), *cells))
    return Sheet(say("sheet_arms"), (say("head_metric"), *systems), tuple(rows), hint=say("about_arms"))


def _best_arms(found: Findings, metric: str) -> list[str]:
    """Arms with the best mean; none where the means are over different patients, or all alike."""
    summary = found.result.summary
    entries = {arm: about["metrics"][metric] for arm, about in summary["systems"].items()}
    if len({entry["n"] for entry in entries.values()}) > 1:
        return []
    best = best_of([entry["macro"] for entry in entries.values()], summary["metrics"][metric]["better"])
    return [arm for arm, entry in entries.items() if best is not None and entry["macro"] == best]


def _mean(entry: Mapping[str, Any], unit: str) -> str:
    """A mean with its interval and, where conversations have no value, how many those are."""
    told = [span(entry["ci"], unit)] if entry["ci"] else []
    told += [say_common("na_count", n=entry["na"])] if entry["na"] else []
    return number(entry["macro"], unit) + (f" ({'; '.join(told)})" if told else "")


def _effect_sheets(found: Findings) -> list[Sheet]:
    return [effect_sheet(each, found.difference) for each in found.against_first]


def effect_sheet(each: ArmEffect, difference: float) -> Sheet:
    """Table of an arm against the first: difference, effect size, and the patients a difference needs, by metric."""
    header = (
        say("head_metric"), "Δ", say("head_interval"), "d_z", say("head_dz_interval"), say("head_p"),
        say("head_patients"), say("head_needed", difference=f"{difference:g}"), say("head_more"),
    )  # fmt: skip
    rows = []
    for row, effect in zip(each.comparison.differences, each.effects, strict=True):
        unit = row.metric.unit
        ends = f"{effect.dz_ci[0]:z.2f} – {effect.dz_ci[1]:z.2f}" if effect.dz_ci else NOTHING
        rows.append(
            (
                SheetCell(metric_label(row.metric.name, row.metric.better), row.metric.primary),
                SheetCell(change(row.delta, unit)), SheetCell(span(row.ci, unit)), SheetCell(_dz(effect)),
                SheetCell(ends), SheetCell(p_value(row.p_holm)), SheetCell(str(effect.clusters)),
                SheetCell(_needed(effect)), SheetCell(NOTHING if effect.more is None else f"{effect.more:,}"),
            )
        )  # fmt: skip
    few = next((row.clusters for row in each.comparison.differences if row.too_few), 0)
    hint = say("p_too_few", n=few, least=LEAST_CLUSTERS) if few else ""
    return Sheet(f"{each.comparison.a} → {each.arm}", header, tuple(rows), hint=hint)


def _dz(effect: Effect) -> str:
    return NOTHING if effect.dz is None else f"{effect.dz:+z.2f}"


def _needed(effect: Effect) -> str:
    if effect.needed is None:
        return NOTHING
    between = f" ({effect.needed_ci[0]:,} – {effect.needed_ci[1]:,})" if effect.needed_ci else ""
    return f"{effect.needed:,}{between}"


def ledger_sheet(accounts: Mapping[str, Account], prices: Prices | None) -> Sheet:
    """Table of what each arm took."""
    heads = ("arm", "turns", "tools", "asked", "answered", "cost", "cost_patient", "median", "p90")
    rows = []
    for arm, account in accounts.items():
        cost = account.cost(prices)
        unknown = account.unmetered == account.turns
        rows.append(
            tuple(map(SheetCell, (
                arm, f"{account.turns:,}", f"{account.tool_calls:,}",
                NOTHING if unknown else f"{account.asked:,}", NOTHING if unknown else f"{account.answered:,}",
                NOTHING if cost is None else f"{cost:,.4f}",
                NOTHING if cost is None else f"{cost / max(1, len(account.patients)):,.4f}",
                _milliseconds(account.median_ms), _milliseconds(account.p90_ms),
            )))
        )  # fmt: skip
    unmetered = sum(account.unmetered for account in accounts.values())
    hints = [say("no_prices")] if prices is None else []
    hints += [say("unmetered", count=unmetered)] if unmetered else []
    empty = sum(account.empty for account in accounts.values())
    hints += [say("empty", count=empty)] if empty else []
    return Sheet(say("sheet_cost"), tuple(say(f"head_{name}") for name in heads), tuple(rows), hint=" ".join(hints))


def _milliseconds(value: float | None) -> str:
    return NOTHING if value is None else f"{value:,.0f}"


def _effect_figures(found: Findings) -> list[Figure]:
    """d_z of every metric with its interval, a panel for each arm."""
    panels = []
    for each in found.against_first:
        dots = [
            Dot(metric_label(effect.metric.name, effect.metric.better), effect.dz, effect.dz_ci, effect.clusters, at)
            for at, effect in [(list(found.result.summary["systems"]).index(each.arm), e) for e in each.effects]
            if effect.dz is not None
        ]
        if dots:
            panels.append(DotPanel(f"{each.comparison.a} → {each.arm}", "", dots))
    return [Figure("effects", "", "", dot_panels("d_z", panels))] if panels else []
