"""`jatdae report`: shows a finished run as a page, as tables for a paper, or as data for another program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final, Literal
from urllib.parse import quote

from cyclopts import Parameter

from jatdae.cli.finished import GatedRun, shown_part
from jatdae.cli.output import (
    DOCS,
    FIGURES,
    METRICS,
    NUMBERS_ONLY,
    PAGES,
    PLUGINS,
    chosen_format,
    lend_plugins,
    metrics_asked,
    samples_asked,
    tell,
    write_charts,
    write_result,
)
from jatdae.core.messages import say
from jatdae.core.terminal import terminal
from jatdae.core.writing import write_atomically
from jatdae.report.console import show_summary
from jatdae.report.documentation import documentation_site
from jatdae.report.forms import FORMATS
from jatdae.report.numbers_only import without_texts
from jatdae.report.paper import every_paper, has_layout
from jatdae.report.samples import MOST_EVIDENCE
from jatdae.run.api import Finished
from jatdae.run.gates import Gate, failed_gates, read_gates
from jatdae.run.output.folder import NUMBERS_PAGE, PAGE, RunFolder
from jatdae.run.output.part import refuse_other_kind
from jatdae.run.stats.compare import Comparison
from jatdae.run.stats.result import EVERY, Result, learn_former_names
from jatdae.run.stats.verdict import MOST_TESTED, compare_with_best, verdict

WHOLE: Final = ("html", "junit")
"""Formats that need more than the summary."""
TOLD: Final = ("console", "html", "md", "latex")
"""Formats that begin with the verdict, for which systems are compared."""
IN_WORDS: Final = ("console", "md", "latex")
"""Formats for people, in which the evaluator's family is shown unless other metrics are asked for."""


def report(
    run: Annotated[Path, Parameter(help="Run folder.")],
    *,
    format: Annotated[
        Literal["console", "html", "md", "latex", "csv", "json", "junit"] | None,
        Parameter(alias="-f", help="Output format (default: from the file suffix, else console)."),
    ] = None,
    out: Annotated[
        Path | None,
        Parameter(
            alias="-o",
            help="Output file (default: for html RUN/report.html, with --numbers-only RUN/report.numbers.html; "
            "else standard output).",
        ),
    ] = None,
    samples: Annotated[str, Parameter(help="html: evidence for the worst N samples, or all.")] = str(MOST_EVIDENCE),
    numbers_only: Annotated[bool, NUMBERS_ONLY] = False,
    pages: Annotated[Path | None, PAGES] = None,
    docs: Annotated[str | None, DOCS] = None,
    figures: Annotated[Path | None, FIGURES] = None,
    fail_under: Annotated[tuple[str, ...], Parameter(negative=(), help="METRIC=VALUE: exit status 1 if below.")] = (),
    fail_over: Annotated[tuple[str, ...], Parameter(negative=(), help="METRIC=VALUE: exit status 1 if above.")] = (),
    metrics: Annotated[str | None, METRICS] = None,
    plugin: Annotated[tuple[str, ...], PLUGINS] = (),
) -> int:
    """Show a finished run."""
    lend_plugins(plugin)
    result = Result.load(run)
    wanted = samples_asked(samples)
    documentation_site(docs)  # a slip is told before the work
    learn_former_names(result.summary)
    asked = metrics_asked(metrics)
    gates = read_gates(fail_under, fail_over, result.summary)
    failed = [str(each) for each in failed_gates(result.summary, gates)]
    chosen = chosen_format(format, out, (*FORMATS, *WHOLE))
    if chosen not in IN_WORDS and asked is None:
        asked = [EVERY]  # data for other programs is whole
    result = replace(result, summary=shown_part(result.summary, asked, gates))
    against_best = _compared(result) if chosen in TOLD else []
    if numbers_only:
        result = without_texts(result)
    if figures:
        from jatdae.report.figures import every_figure
        from jatdae.report.forest import differences_of

        write_charts([*every_figure(result), *differences_of(result, texts=not numbers_only)], figures)
    if chosen == "html":
        page = _page(run, result, wanted, gates, against_best, texts=not numbers_only, pages=pages, docs=docs)
        _write_page(page, out, run / (NUMBERS_PAGE if numbers_only else PAGE))
    elif chosen == "junit":
        write_result(_junit(result, gates), out)
    elif chosen != "console":
        write_result(FORMATS[chosen](result.summary, verdict(result.summary, against_best)), out)
    elif not figures:
        show_summary(result.summary, terminal(), verdict(result.summary, against_best))
    for text in failed:
        tell(text, "bold red")
    return 1 if failed else 0


def _compared(result: Result) -> list[Comparison]:
    return compare_with_best(result.summary, lambda: result)


def _write_page(page: str, out: Path | None, default: Path) -> None:
    if out is None:
        refuse_other_kind(default)
        write_atomically(default, page)
        tell(say("report_written", place=default))
    else:
        write_result(page, out)


def write_page(done: Finished, gates: Sequence[Gate] = (), pages: Path | None = None) -> None:
    """Write the HTML report page of a run to its folder, with page images from `pages`."""
    page = _page(done.folder, done.result, MOST_EVIDENCE, gates, done.against_best, pages=pages)
    RunFolder(done.folder).write_text(PAGE, page)


def write_index(runs: Sequence[GatedRun], folder: Path) -> None:
    """Write the index page of several runs to the folder that holds them all, and say where it is."""
    from jatdae.report.pages import IndexedRun, to_index

    found = [
        IndexedRun(
            each.label or each.run.summary["evaluator"],
            quote(f"{each.run.folder.relative_to(folder).as_posix()}/{PAGE}"),
            each.run.result,
            each.run.against_best,
            each.gates,
        )
        for each in runs
    ]
    write_atomically(folder / PAGE, to_index(found))
    tell(say("report_written", place=folder / PAGE))


def _page(
    run: Path,
    result: Result,
    samples: int | None,
    gates: Sequence[Gate],
    against_best: Sequence[Comparison],
    *,
    texts: bool = True,
    pages: Path | None = None,
    docs: str | None = None,
) -> str:
    from jatdae.report.pages import to_html

    compared = result.summary["input"]["rows"] <= MOST_TESTED  # as for the verdict
    papers = every_paper(run, compared=compared) if has_layout(run) else {}
    if not texts:  # what stands below the table of a paper names documents
        papers = {said: replace(paper, scope="", warnings=()) for said, paper in papers.items()}
    pages = pages if texts else None
    return to_html(
        result, samples, papers, gates=gates, against_best=against_best, texts=texts, pages=pages, docs=docs, told=tell
    )


def _junit(result: Result, gates: Sequence[Gate]) -> str:
    from jatdae.report.junit import to_junit

    return to_junit(result, gates)
