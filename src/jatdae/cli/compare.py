"""`jatdae compare`: compares runs, or systems of one run, with the first of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Final, Literal

from cyclopts import Parameter

from jatdae.cli.output import (
    DOCS,
    FIGURES,
    METRICS,
    NUMBERS_ONLY,
    PLUGINS,
    chosen_format,
    lend_plugins,
    metrics_asked,
    samples_asked,
    tell,
    write_charts,
    write_result,
)
from jatdae.core.errors import UsageError
from jatdae.core.messages import say
from jatdae.core.terminal import json_text, print_json, terminal
from jatdae.doors.logs.loading import load
from jatdae.report.console import show_comparisons
from jatdae.report.differences import MOST_COMPARED, ComparedSystem, difference_sheets
from jatdae.report.documentation import documentation_site
from jatdae.report.forms import markdown_of
from jatdae.report.latex import latex_of
from jatdae.report.numbers_only import comparisons_without_texts
from jatdae.run.gates import read_margin, regressions
from jatdae.run.output.folder import SUMMARY
from jatdae.run.stats.compare import LEAST_CLUSTERS, Comparison, compare, together
from jatdae.run.stats.result import Result, only
from jatdae.run.stats.verdict import verdict_on_all

WRITTEN: Final = ("html", "md", "latex", "json")
"""Formats of a file."""


def compare_runs(
    *runs: Annotated[
        Path, Parameter(help="Run folders, or logs of Inspect AI or lm-eval; each is compared with the first.")
    ],
    systems: Annotated[
        tuple[str, ...],
        Parameter(consume_multiple=True, negative=(), help="Systems: several of one run, or one of each run."),
    ] = (),
    by: Annotated[
        str | None,
        Parameter(help="Pair by sample, or by a unit such as turn (default: set by the evaluator)."),
    ] = None,
    format: Annotated[
        Literal["console", "html", "md", "latex", "json"] | None,
        Parameter(alias="-f", help="Output format (default: from the file suffix, else console)."),
    ] = None,
    out: Annotated[Path | None, Parameter(alias="-o", help="Output file (default: standard output).")] = None,
    samples: Annotated[str, Parameter(help="html: evidence for the N samples that lost most, or all.")] = str(
        MOST_COMPARED
    ),
    json: Annotated[bool, Parameter(negative=(), help="Print only JSON.")] = False,
    numbers_only: Annotated[bool, NUMBERS_ONLY] = False,
    docs: Annotated[str | None, DOCS] = None,
    figures: Annotated[Path | None, FIGURES] = None,
    metrics: Annotated[str | None, METRICS] = None,
    fail_on_regression: Annotated[
        bool,
        Parameter(
            negative=(),
            help="Exit status 1 if a metric got worse by more than --margin, and p < 0.05 if tested.",
        ),
    ] = False,
    margin: Annotated[str | None, Parameter(help="Loss that is tolerated, as 0.01 or 1% (default: 0).")] = None,
    plugin: Annotated[tuple[str, ...], PLUGINS] = (),
) -> int:
    """Compare runs: paired differences with 95 % intervals, p-values, wins and losses, worst regressions."""
    lend_plugins(plugin)
    chosen = chosen_format("json" if json else format, out, WRITTEN)
    if margin is not None and not fail_on_regression:
        raise UsageError(say("margin_alone"))
    tolerated = read_margin(margin or "0")
    wanted = samples_asked(samples)
    documentation_site(docs)  # a slip is told before the work
    sides = _sides(runs, systems)
    found = together([_against(sides[0], side, by, metrics_asked(metrics)) for side in sides[1:]])
    if figures:
        from jatdae.report.forest import figures_of_comparison

        write_charts(figures_of_comparison(sides, found, texts=not numbers_only), figures)
    shown = comparisons_without_texts(sides, found) if numbers_only else found
    if chosen == "html":
        from jatdae.report.comparison import to_comparison_page

        write_result(to_comparison_page(sides, found, wanted, texts=not numbers_only, docs=docs), out)
    elif chosen == "json" and out is None:
        print_json(_plain(shown))
    elif chosen != "console":
        write_result(_text(chosen, shown), out)
    elif not figures:
        show_comparisons(shown, terminal())
    return _gate(found, tolerated) if fail_on_regression else 0


def _gate(found: Sequence[Comparison], margin: float) -> int:
    """Tell what got worse, and which metrics were judged without a test; return the exit status."""
    untested = dict.fromkeys(row.metric.name for each in found for row in each.differences if row.too_few)
    if untested:
        tell(say("gate_margin_alone", least=LEAST_CLUSTERS, metrics=", ".join(untested)), "yellow")
    failed = [text for each in found for text in regressions(each, margin)]
    for text in failed:
        tell(text, "bold red")
    return 1 if failed else 0


def _text(format: str, found: Sequence[Comparison]) -> str:
    if format == "json":
        return json_text(_plain(found))
    tables = [sheet for each in found for sheet in difference_sheets(each)]
    words = verdict_on_all(found)
    return markdown_of(tables, words) if format == "md" else latex_of(tables, words)


def _plain(found: Sequence[Comparison]) -> object:
    """Comparisons as JSON values: one by itself, several as a list. An infinite end of a metric's range is null."""
    made = [asdict(each) for each in found]
    for plain, each in zip(made, found, strict=True):
        for row, difference in zip(plain["differences"], each.differences, strict=True):
            row["metric"]["range"] = difference.metric.ends
    return made[0] if len(made) == 1 else made


def _sides(runs: Sequence[Path], systems: Sequence[str]) -> list[ComparedSystem]:
    runs, systems = _told_apart(runs, systems)
    if len(runs) == 1 and len(systems) > 1:
        result = load(runs[0])
        made = [ComparedSystem(name, result, only(result, name)) for name in systems]
        return _told_from_the_first(made, [runs[0]] * len(systems))
    if len(runs) < 2 or len(systems) not in (0, len(runs)) or (len(runs) > 2 and len(set(runs)) < len(runs)):
        raise UsageError(say("compare_needs_two"))
    results = [load(run) for run in runs]
    named: Sequence[str | None] = systems or [None] * len(runs)
    labels = _labels(runs, results, systems)
    for result in results:
        for note in result.notes:
            tell(note, "yellow")
    made = [
        ComparedSystem(label, result, only(result, name))
        for label, result, name in zip(labels, results, named, strict=True)
    ]
    return _told_from_the_first(made, runs)


def _labels(runs: Sequence[Path], results: Sequence[Result], systems: Sequence[str]) -> Sequence[str]:
    """What the sides are called: logs by their models, folders or names if these differ, runs by their paths."""
    choices = [systems]
    if all(run.is_file() for run in runs):
        choices += [
            [each.systems[0] for each in results],
            [run.parent.name for run in runs],
            [run.stem for run in runs],
        ]
    told = (names for names in choices if len(set(filter(None, names))) == len(runs))
    return next(told, [str(run) for run in runs])


def _told_from_the_first(sides: list[ComparedSystem], runs: Sequence[Path]) -> list[ComparedSystem]:
    """The sides, unless one is the first again: it would be equal, and no gate could fail."""
    first, *others = [(run.resolve(), side.system) for run, side in zip(runs, sides, strict=True)]
    if first in others:
        raise UsageError(say("compare_with_itself", place=sides[0].name))
    return sides


def _told_apart(runs: Sequence[Path], systems: Sequence[str]) -> tuple[Sequence[Path], Sequence[str]]:
    """Runs and systems; runs given after --systems, which takes all that follows it, are moved to the runs."""
    behind, named = list(runs), list(systems)
    while named and not _fit(behind, named) and _is_run(Path(named[-1])):
        behind.insert(len(runs), Path(named.pop()))
    return behind, named


def _is_run(path: Path) -> bool:
    """Whether a run or a log lies there."""
    return path.is_file() or (path / SUMMARY).is_file()


def _fit(runs: Sequence[Path], systems: Sequence[str]) -> bool:
    """Whether these are systems of one run, or one system of each run."""
    if len(runs) != 1 and len(runs) != len(systems):
        return False
    known = [load(run).systems for run in runs]
    return all(name in known[at % len(known)] for at, name in enumerate(systems))


def _against(
    first: ComparedSystem, second: ComparedSystem, by: str | None, metrics: Sequence[str] | None
) -> Comparison:
    return compare(
        first.result,
        second.result,
        system_a=first.system,
        system_b=second.system,
        names=(first.name, second.name),
        by=by,
        metrics=metrics,
    )
