"""`jatdae paper`: the table for a paper, with its footnote, its methods and how sure the differences are."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, Literal

from cyclopts import Parameter

from jatdae.cli.output import terminal, write_out
from jatdae.core.errors import UsageError
from jatdae.core.messages import say
from jatdae.report.paper import make_paper
from jatdae.report.paper_formats import PAPER_FORMATS, show_paper
from jatdae.run.output.folder import write_text

NAMES = Parameter(negative=())
SUFFIXES: Final = {"tex": "latex", "markdown": "md"}
"""What a file called so holds, where that is not the name of the format."""


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
) -> None:
    """Print a table for a paper: one row per system, the best value of each column in bold."""
    suffix = out.suffix.removeprefix(".") if out else "console"
    chosen = format or SUFFIXES.get(suffix, suffix)
    if out and chosen not in PAPER_FORMATS:
        raise UsageError(say("report_format", file=out, known=", ".join(PAPER_FORMATS)))
    made = make_paper(run, only, skip)
    if chosen == "console":
        show_paper(made, terminal())
    elif out is None:
        write_out(PAPER_FORMATS[chosen](made))
    else:
        write_text(out, PAPER_FORMATS[chosen](made))
