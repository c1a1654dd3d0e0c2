"""`jatdae paper`: prints the table for a paper, with footnote, methods and differences between systems."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from jatdae.cli.output import METRICS, PLUGINS, chosen_format, lend_plugins, metrics_asked, write_result
from jatdae.core.terminal import terminal
from jatdae.report.console import show_paper
from jatdae.report.forms import PAPER_FORMATS
from jatdae.report.paper import make_paper

NAMES = Parameter(negative=())


def paper(
    run: Annotated[Path, Parameter(help="Run folder.")],
    *,
    format: Annotated[
        Literal["console", "md", "latex", "csv"] | None,
        Parameter(alias="-f", help="Output format (default: from the file suffix, else console)."),
    ] = None,
    out: Annotated[Path | None, Parameter(alias="-o", help="Output file (default: standard output).")] = None,
    only: Annotated[tuple[str, ...], NAMES, Parameter(help="NAME: show only this system; repeatable.")] = (),
    skip: Annotated[tuple[str, ...], NAMES, Parameter(help="NAME: skip this system; repeatable.")] = (),
    metrics: Annotated[str | None, METRICS] = None,
    plugin: Annotated[tuple[str, ...], PLUGINS] = (),
) -> None:
    """Print a table for a paper: one row per system, the best value of each column in bold."""
    lend_plugins(plugin)
    chosen = chosen_format(format, out, PAPER_FORMATS)
    made = make_paper(run, only, skip, metrics=metrics_asked(metrics))
    if chosen == "console":
        show_paper(made, terminal())
    else:
        write_result(PAPER_FORMATS[chosen](made), out)
