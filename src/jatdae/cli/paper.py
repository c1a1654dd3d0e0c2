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
        Parameter(alias="-f", help="What to write; by default what the file to write is called after, else console."),
    ] = None,
    out: Annotated[Path | None, Parameter(alias="-o", help="File to write; standard output by default.")] = None,
    only: Annotated[tuple[str, ...], NAMES, Parameter(help="NAME: show these systems alone; may be repeated.")] = (),
    skip: Annotated[tuple[str, ...], NAMES, Parameter(help="NAME: leave these systems out; may be repeated.")] = (),
) -> None:
    """One row per system, the best of each column strong, ready for a paper."""
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
