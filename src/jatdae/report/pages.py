"""HTML report page of a run, and the index page of several runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jatdae.report.figures import figures_of
from jatdae.report.html import facts_of, render
from jatdae.report.paper import Paper
from jatdae.report.samples import (
    MOST_EVIDENCE,
    MOST_VALUES,
    columns_of,
    details_of,
    gather_systems,
    read_rows,
    worst_first,
)
from jatdae.run.stats.result import Result


def to_html(result: Result, samples: int | None = MOST_EVIDENCE, papers: Mapping[str, Paper] | None = None) -> str:
    """HTML report page of a run, with evidence for its `samples` worst samples (None: for all).

    `papers` is the table for a paper by language, if the run has one.
    """
    rows = read_rows(result)
    summary = result.summary
    systems = list(summary["systems"])
    kept = gather_systems(worst_first(rows, result.metrics), rows, MOST_VALUES)
    chosen = kept if samples is None else kept[:samples]
    at = {row: place for place, row in enumerate(kept)}
    found = details_of(result, rows, chosen)
    data = {
        **facts_of(summary, systems),
        "rows": columns_of(rows, kept, systems),
        "details": {at[row]: detail for row, detail in found.items()},
    }
    codes = sorted({code for found in summary["systems"].values() for code in found["issues"]} | _input_issues(summary))
    return render(
        "report.html.j2",
        data,
        issues=codes,
        summary=summary,
        figures=figures_of(result, rows),
        best=_best_systems(summary),
        papers=papers,
        embedded=len(kept),
        total=len(rows.ids),
        explained=len(chosen),
    )


def to_index(runs: Mapping[str, Mapping[str, Any]]) -> str:
    """HTML index page of several runs with the headline of each and a link to its report.

    Keys of `runs` are relative addresses.
    """
    shown = [(place, summary, _best_systems(summary)) for place, summary in runs.items()]
    return render("index.html.j2", {}, runs=shown)


def _input_issues(summary: Mapping[str, Any]) -> set[str]:
    """Issue codes of the input, found before any sample was scored."""
    given = summary["input"]
    extra = {"extra_prediction"} if any(given["extra_predictions"].values()) else set()
    return extra | ({"bad_row"} if given["bad_rows"] else set())


def _best_systems(summary: Mapping[str, Any]) -> dict[str, list[str]]:
    """For each metric the systems with the best mean; none if all are equal."""
    found: dict[str, list[str]] = {}
    for metric, known in summary["metrics"].items():
        means = {name: described["metrics"][metric]["macro"] for name, described in summary["systems"].items()}
        values = [value for value in means.values() if value is not None]
        top = (max if known["better"] == "higher" else min)(values) if len(set(values)) > 1 else None
        found[metric] = [name for name, value in means.items() if top is not None and value == top]
    return found
