"""A run as one page: headline, charts, samples with their evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jatdae.report.columns import MOST_EVIDENCE, MOST_VALUES, columns, details, read_rows, together, worst_first
from jatdae.report.figures import Figure, figures
from jatdae.report.page import render
from jatdae.report.paper import Paper
from jatdae.report.unit_slices import unit_slices
from jatdae.run.stats.result import Result, metrics_of


def to_html(result: Result, samples: int | None = MOST_EVIDENCE, papers: Mapping[str, Paper] | None = None) -> str:
    """The page of a run, with the evidence of the worst `samples`; None is all. `papers` is its table by language."""
    rows = read_rows(result)
    summary = result.summary
    systems = list(summary["systems"])
    order = worst_first(rows, result.metrics)
    kept = together(order, rows, MOST_VALUES)
    chosen = kept if samples is None else kept[:samples]
    at = {row: place for place, row in enumerate(kept)}
    found = details(result, rows, chosen)
    data = {
        **about(summary, systems),
        "rows": columns(rows, kept, systems),
        "details": {at[row]: detail for row, detail in found.items()},
    }
    codes = sorted({code for found in summary["systems"].values() for code in found["issues"]} | input_issues(summary))
    return render(
        "report.html.j2",
        data,
        codes,
        summary=summary,
        figures=figures(summary, rows, unit_slices(result.summary)),
        best=best_systems(summary),
        papers=papers,
        embedded=len(kept),
        total=len(rows.ids),
        explained=len(chosen),
    )


def all_figures(result: Result) -> list[Figure]:
    """The charts of a run by themselves."""
    return figures(result.summary, read_rows(result), unit_slices(result.summary))


def to_index(runs: Mapping[str, Mapping[str, Any]]) -> str:
    """A page over several runs: each headline, with a link to its own report. Keys are relative addresses."""
    shown = [(place, summary, best_systems(summary)) for place, summary in runs.items()]
    codes = sorted({c for s in runs.values() for d in s["systems"].values() for c in d["issues"]})
    return render("index.html.j2", {}, codes, runs=shown)


def about(summary: Mapping[str, Any], systems: Sequence[str]) -> dict[str, Any]:
    """What the page's script has to know of a run beside its samples."""
    return {
        "evaluator": summary["evaluator"],
        "metrics": [
            {"name": m.name, "better": m.better, "unit": m.unit, "primary": m.primary}
            for m in metrics_of(dict(summary))
        ],
        "systems": list(systems),
    }


def input_issues(summary: Mapping[str, Any]) -> set[str]:
    """Codes of what was wrong before any sample was scored."""
    given = summary["input"]
    extra = {"extra_prediction"} if any(given["extra_predictions"].values()) else set()
    return extra | ({"bad_row"} if given["bad_rows"] else set())


def best_systems(summary: Mapping[str, Any]) -> dict[str, list[str]]:
    """Per metric the systems with the best mean; none where there is nothing to choose."""
    found: dict[str, list[str]] = {}
    for metric, known in summary["metrics"].items():
        means = {name: described["metrics"][metric]["macro"] for name, described in summary["systems"].items()}
        values = [value for value in means.values() if value is not None]
        top = (max if known["better"] == "higher" else min)(values) if len(set(values)) > 1 else None
        found[metric] = [name for name, value in means.items() if top is not None and value == top]
    return found
