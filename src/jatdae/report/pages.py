"""HTML report page of a run, and the index page of several runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from jatdae.core.messages import LANGUAGES, speaking
from jatdae.report.figures import Figure, figures_of
from jatdae.report.html import Names, counted_tables, facts_of, metric_facts, render
from jatdae.report.mistake_bars import MistakeTable, mistake_tables, rows_behind
from jatdae.report.overview import WorstSample, picture_of, shown_gates, verdicts, worst_samples
from jatdae.report.page_images import read_images
from jatdae.report.paper import Paper
from jatdae.report.samples import (
    MOST_EVIDENCE,
    choose_rows,
    columns_of,
    details_of,
    read_rows,
    read_values,
)
from jatdae.report.sheets import best_of, labels_of, near_baselines
from jatdae.run.gates import Gate
from jatdae.run.stats.compare import Comparison
from jatdae.run.stats.rates import rate_tables
from jatdae.run.stats.result import Result
from jatdae.run.stats.verdict import compare_with_best

MOST_RATED: Final = 60
"""Keys with rates that the page lists."""
_UNDECLARED: Final = {"better": None, "unit": "", "primary": False}
"""What is known of a metric that only units have."""


def to_html(
    result: Result,
    samples: int | None = MOST_EVIDENCE,
    papers: Mapping[str, Paper] | None = None,
    *,
    gates: Sequence[Gate] = (),
    against_best: Sequence[Comparison] | None = None,
    texts: bool = True,
    pages: Path | None = None,
    docs: str | None = None,
    told: Callable[[str], None] = lambda _: None,
) -> str:
    """HTML report page of a run, with evidence for `samples` of its worst samples (None: for all).

    `papers` is the table for a paper by language, if the run has one. `against_best` compares the systems with the
    best one (`compare_with_best`) if that is done already. Without `texts`, the page says that it shows numbers only.
    Names link to the documentation at `docs` (default: as the environment says). `told` is told what a person should
    know of the page, such as images that are left out.
    """
    summary = result.summary
    if against_best is None:
        against_best = compare_with_best(summary, lambda: result)
    values = read_values(result)
    mistakes = mistake_tables(summary, values)
    chosen = choose_rows(values, result.metrics, rows_behind(mistakes), samples if texts else 0)
    place = {row: at for at, row in enumerate(chosen.kept)}
    rows = read_rows(result, values, chosen.kept)
    systems = list(summary["systems"])
    data = {
        **facts_of(summary, systems),
        "texts": texts,
        "rows": columns_of(rows, range(len(rows.ids)), systems),
        "details": details_of(result, rows, [place[row] for row in chosen.explained]),
        "behind": _behind(mistakes, place),
        **({"images": read_images(pages, (rows.ids[place[row]] for row in chosen.explained), told)} if pages else {}),
    }
    worst = worst_samples(result, values)
    codes = sorted({code for found in summary["systems"].values() for code in found["issues"]} | _input_issues(summary))
    family = _family(summary)
    return render(
        "report.html.j2",
        data,
        [
            Names(
                summary["evaluator"],
                summary["metrics"],
                codes,
                [*_counted(mistakes, worst), *(counted_tables(summary) if texts else ())],
                summary.get("rates", {}),
                labels_of(summary),
            )
        ],
        docs=docs,
        rated={table: found[:MOST_RATED] for table, found in rate_tables(summary).items()},
        near=_in_each_language(summary),
        summary=summary,
        verdicts=verdicts(summary, against_best),
        gates=list(shown_gates(summary, gates)),
        picture=picture_of(summary) if systems else None,
        worst=worst,
        mistakes=mistakes,
        family=family,
        figures=_by_place(figures_of(result, values), family),
        numbers=_numbers(summary, summary["systems"]),
        units=_units(summary),
        papers=papers,
        embedded=len(chosen.kept),
        total=len(values),
        chosen_worst=chosen.worst,
        explained=len(chosen.explained),
        texts=texts,
    )


def _in_each_language(summary: Mapping[str, Any]) -> dict[str, list[str]]:
    """Warnings of systems that are not clearly better than a baseline, by language."""
    made = {}
    for each in LANGUAGES:
        with speaking(each):
            made[each] = [*near_baselines(summary)]
    return made


def _behind(mistakes: Iterable[MistakeTable], place: Mapping[int, int]) -> list[list[tuple[int, int | None]]]:
    """For each bar of the page the rows behind it, as places on the page, and how often in each.

    A row that the page lacks is left out.
    """
    bars = (bar for table in mistakes for ranked in table.ranked for bar in ranked.bars)
    return [
        [(place[row], times) for row, times in zip(bar.rows, bar.times, strict=True) if row in place] for bar in bars
    ]


def _counted(mistakes: Iterable[MistakeTable], worst: Iterable[WorstSample]) -> list[tuple[str, str]]:
    """Count tables and keys that the page names."""
    listed = [ranked.mistake for table in mistakes for ranked in table.ranked]
    listed += [each.mistake for each in worst if each.mistake]
    return list(dict.fromkeys((each.table, each.key) for each in listed))


def _by_place(figures: Iterable[Figure], family: Sequence[str]) -> dict[str, list[Figure]]:
    """Figures by where they stand; distributions of metrics outside the family are folded."""
    made: dict[str, list[Figure]] = {"tradeoff": [], "slices": [], "distribution": [], "folded": []}
    for figure in figures:
        folded = figure.section == "distribution" and figure.metric not in family
        made.setdefault("folded" if folded else figure.section, []).append(figure)
    return made


@dataclass(frozen=True, slots=True)
class IndexedRun:
    """A run on the index page of several."""

    title: str
    place: str
    """Address of its report page, relative to the index page."""
    result: Result
    against_best: Sequence[Comparison]
    gates: Sequence[Gate] = ()


def to_index(runs: Sequence[IndexedRun]) -> str:
    """HTML index page of several runs: the verdict, picture, worst samples and numbers of each, and its report."""
    shown, names, metrics = [], [], []
    for at, run in enumerate(runs):
        summary, scope = run.result.summary, f"{at}|"
        worst = worst_samples(run.result, read_values(run.result))
        shown.append(
            {
                "title": run.title,
                "place": run.place,
                "scope": scope,
                "summary": summary,
                "verdicts": verdicts(summary, run.against_best),
                "gates": list(shown_gates(summary, run.gates)),
                "picture": picture_of(summary) if summary["systems"] else None,
                "worst": worst,
                "numbers": _numbers(summary, summary["systems"]),
            }
        )
        issues, rates = [each.issue for each in worst if each.issue], summary.get("rates", {})
        counted, labels = _counted((), worst), labels_of(summary)
        names.append(Names(summary["evaluator"], summary["metrics"], issues, counted, rates, labels, scope))
        metrics += metric_facts(summary, scope)
    return render("index.html.j2", {"metrics": metrics, "systems": []}, names, runs=shown)


def _family(summary: Mapping[str, Any]) -> list[str]:
    """Metrics that are shown at once; the others are folded. Those asked for are all shown."""
    asked = bool(summary.get("left_out"))
    return [
        name for name, about in summary["metrics"].items() if asked or about["primary"] or about.get("family", True)
    ]


def _input_issues(summary: Mapping[str, Any]) -> set[str]:
    """Issue codes of the input, found before any sample was scored."""
    given = summary["input"]
    extra = {"extra_prediction"} if any(given["extra_predictions"].values()) else set()
    return extra | ({"bad_row"} if given["bad_rows"] else set())


@dataclass(frozen=True, slots=True)
class NumberTable:
    """Numbers of all systems, or of one kind of unit in them, as a table of the page."""

    groups: Mapping[str, Any]
    """By system: n, and the entries of its metrics."""
    metrics: Mapping[str, Any]
    """What the summary says of each of its metrics."""
    best: Mapping[str, list[str]]
    """For each metric the systems with the best mean; none if all are equal."""
    shown: list[str]
    """Metrics that are shown at once."""
    folded: list[str]


def _numbers(summary: Mapping[str, Any], groups: Mapping[str, Any]) -> NumberTable:
    known = summary["metrics"]
    measured = dict.fromkeys(name for group in groups.values() for name in group["metrics"])
    names = [*(name for name in known if name in measured), *(name for name in measured if name not in known)]
    family = {*_family(summary), *(name for name in names if name not in known)}
    shown = [name for name in names if name in family] or names
    metrics = {name: known.get(name, _UNDECLARED) for name in names}
    best = {name: _best_systems(name, metrics[name]["better"], groups) for name in names}
    return NumberTable(groups, metrics, best, shown, [name for name in names if name not in shown])


def _units(summary: Mapping[str, Any]) -> dict[str, NumberTable]:
    """Tables of the units below the samples, by kind."""
    kinds = dict.fromkeys(kind for described in summary["systems"].values() for kind in described["units"])
    nothing: dict[str, Any] = {"n": 0, "metrics": {}}
    return {
        kind: _numbers(summary, {name: about["units"].get(kind, nothing) for name, about in summary["systems"].items()})
        for kind in kinds
    }


def _best_systems(metric: str, better: str | None, groups: Mapping[str, Any]) -> list[str]:
    means = {name: group["metrics"][metric]["macro"] for name, group in groups.items() if metric in group["metrics"]}
    top = None if better is None else best_of(means.values(), better)
    return [name for name, value in means.items() if top is not None and value == top]
