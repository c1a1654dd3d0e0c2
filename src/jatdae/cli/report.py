"""`jatdae report`: shows a finished run as a page, as tables for a paper, or as data for another program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from jatdae.cli.output import PLUGINS, chosen_format, lend_plugins, tell, write_result
from jatdae.core.errors import UsageError
from jatdae.core.messages import say
from jatdae.core.terminal import terminal
from jatdae.core.writing import write_atomically
from jatdae.report.console import show_summary
from jatdae.report.forms import FORMATS
from jatdae.report.paper import every_paper, has_layout
from jatdae.report.samples import MOST_EVIDENCE, MOST_VALUES
from jatdae.run.api import Finished
from jatdae.run.gates import read_gates
from jatdae.run.output.folder import PAGE, RunFolder
from jatdae.run.stats.result import Result, learn_former_names


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
    plugin: Annotated[tuple[str, ...], PLUGINS] = (),
) -> None:
    """Show a finished run."""
    lend_plugins(plugin)
    result = Result.load(run)
    wanted = _samples(samples)
    whole: dict[str, Callable[[], str]] = {
        "html": lambda: _page(run, result, wanted),
        "junit": lambda: _junit(result, fail_under, fail_over),
    }
    chosen = chosen_format(format, out, (*FORMATS, *whole))
    if figures:
        _figures(result, figures)
    if chosen == "console":
        if not figures:
            show_summary(result.summary, terminal())
        return
    text = whole[chosen]() if chosen in whole else FORMATS[chosen](result.summary)
    if out is None and chosen == "html":
        write_atomically(run / PAGE, text)
        tell(say("report_written", place=run / PAGE))
    else:
        write_result(text, out)


def write_page(done: Finished) -> None:
    """Write the HTML report page of a run to its folder, unless it has more samples than a page holds."""
    if done.summary["input"]["rows"] <= MOST_VALUES:
        page = _page(done.folder, Result.load(done.folder), MOST_EVIDENCE)
        RunFolder(done.folder).write_text(PAGE, page)


def _page(run: Path, result: Result, samples: int | None) -> str:
    from jatdae.report.pages import to_html

    return to_html(result, samples, every_paper(run) if has_layout(run) else None)


def _junit(result: Result, under: tuple[str, ...], over: tuple[str, ...]) -> str:
    from jatdae.report.junit import to_junit

    learn_former_names(result.summary)
    return to_junit(result, read_gates(under, over, list(result.summary["metrics"])))


def _figures(result: Result, folder: Path) -> None:
    from jatdae.report.figures import figures_of, write_figures

    written = write_figures(figures_of(result), folder)
    tell(say("figures_written", n=len(written), place=folder))


def _samples(text: str) -> int | None:
    if text == "all":
        return None
    if not text.isascii() or not text.isdigit():
        raise UsageError(say("bad_samples", value=text))
    return int(text)
