"""`jatdae report`: a finished run as a page, as tables for a paper, or as data for another program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final, Literal

from cyclopts import Parameter

from jatdae.cli.flags import named_values
from jatdae.cli.gates import check_gates
from jatdae.cli.output import tell, terminal, write_out
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import metric_and_average
from jatdae.core.messages import near, say
from jatdae.report.columns import MOST_EVIDENCE, MOST_VALUES
from jatdae.report.console import show_summary
from jatdae.report.formats import FORMATS
from jatdae.report.paper import every_paper, has_layout
from jatdae.run.api import Finished
from jatdae.run.output.folder import RunFolder, write_text
from jatdae.run.stats.result import Result

PAGE: Final = "report.html"
SUFFIXES: Final = {"tex": "latex", "xml": "junit", "htm": "html"}
"""What a file called so holds, where that is not the name of the format."""


def report(
    run: Annotated[Path, Parameter(help="Run folder.")],
    *,
    format: Annotated[
        Literal["console", "html", "md", "latex", "csv", "json", "junit"] | None,
        Parameter(alias="-f", help="Output format (default: from the file suffix, else console)."),
    ] = None,
    out: Annotated[
        Path | None,
        Parameter(alias="-o", help="Output file (default: RUN/report.html for html, else standard output)."),
    ] = None,
    samples: Annotated[str, Parameter(help="html: evidence for the worst N samples, or all.")] = str(MOST_EVIDENCE),
    figures: Annotated[Path | None, Parameter(help="Folder for all charts, as SVG.")] = None,
    fail_under: Annotated[tuple[str, ...], Parameter(negative=(), help="junit: METRIC=VALUE: fail if below.")] = (),
    fail_over: Annotated[tuple[str, ...], Parameter(negative=(), help="junit: METRIC=VALUE: fail if above.")] = (),
) -> None:
    """Show a finished run."""
    summary = RunFolder(run).summary()
    wanted = _samples(samples)
    chosen = format or (format_of(out) if out else "console")
    whole: dict[str, Callable[[], str]] = {
        "html": lambda: _page(run, wanted),
        "junit": lambda: _junit(run, fail_under, fail_over),
    }
    if out and chosen not in FORMATS and chosen not in whole:
        raise UsageError(say("report_format", file=out, known=", ".join((*FORMATS, *whole))))
    if figures:
        _figures(run, figures)
    if chosen == "console":
        if not figures:
            show_summary(summary, terminal())
        return
    text = whole[chosen]() if chosen in whole else FORMATS[chosen](summary)
    if out is None and chosen == "html":
        write_text(run / PAGE, text)
        tell(say("report_written", place=run / PAGE))
    elif out is None:
        write_out(text)
    else:
        write_text(out, text)


def format_of(out: Path) -> str:
    """The format a file is called after."""
    suffix = out.suffix.removeprefix(".")
    return SUFFIXES.get(suffix, suffix)


def write_page(done: Finished) -> None:
    """The page of a run, in its folder; a run of more samples than a page holds gets one only where it is asked for."""
    if done.summary["input"]["rows"] <= MOST_VALUES:
        write_text(done.folder / PAGE, _page(done.folder, MOST_EVIDENCE))


def _page(run: Path, samples: int | None) -> str:
    from jatdae.report.html import to_html

    return to_html(Result.load(run), samples, every_paper(run) if has_layout(run) else None)


def _junit(run: Path, under: tuple[str, ...], over: tuple[str, ...]) -> str:
    from jatdae.report.junit import to_junit

    result = Result.load(run)
    known = list(result.summary["metrics"])
    gates: list[dict[str, float]] = []
    for flag, given in (("--fail-under", under), ("--fail-over", over)):
        gates.append({name: _limit(flag, name, text, known) for name, text in named_values(flag, given).items()})

    def judge(system: str, metric: str) -> str | None:
        mine = [{name: limit for name, limit in each.items() if _names(name, metric, known)} for each in gates]
        alone = {**result.summary, "systems": {system: result.summary["systems"][system]}}
        return "; ".join(check_gates(alone, *mine)) or None

    return to_junit(result, judge)


def _limit(flag: str, metric: str, text: str, known: list[str]) -> float:
    if not metric_and_average(metric, known):
        raise UsageError(say("unknown_metric", name=metric, near=near(metric, known), known=", ".join(known)))
    try:
        return float(text)
    except ValueError:
        raise UsageError(say("not_a_number", flag=flag, value=text)) from None


def _names(gated: str, metric: str, known: list[str]) -> bool:
    found = metric_and_average(gated, known)
    return found is not None and found[0] == metric


def _figures(run: Path, folder: Path) -> None:
    from jatdae.report.figures import write_figures
    from jatdae.report.html import all_figures

    written = write_figures(all_figures(Result.load(run)), folder)
    tell(say("figures_written", n=len(written), place=folder))


def _samples(text: str) -> int | None:
    if text == "all":
        return None
    if not text.isascii() or not text.isdigit():
        raise UsageError(say("bad_samples", value=text))
    return int(text)
