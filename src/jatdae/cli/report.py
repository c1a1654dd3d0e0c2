"""`jatdae report`: a finished run as text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from jatdae.cli.output import terminal, write_out
from jatdae.core.errors import UsageError
from jatdae.core.messages import say
from jatdae.report.console import show_summary
from jatdae.report.formats import FORMATS
from jatdae.run.store import RunFolder, write_text


def report(
    run: Annotated[Path, Parameter(help="Run folder.")],
    *,
    format: Annotated[
        Literal["console", "md", "csv", "json"] | None,
        Parameter(alias="-f", help="What to write; by default what the file to write is called after, else console."),
    ] = None,
    out: Annotated[Path | None, Parameter(alias="-o", help="File to write; standard output by default.")] = None,
) -> None:
    """Show a finished run."""
    summary = RunFolder(run).summary()
    chosen = format or (out.suffix.removeprefix(".") if out else "console")
    if chosen not in FORMATS and out:
        raise UsageError(say("report_format", file=out, known=", ".join(FORMATS)))
    if chosen == "console":
        show_summary(summary, terminal())
    elif out is None:
        write_out(FORMATS[chosen](summary))
    else:
        write_text(out, FORMATS[chosen](summary))
