"""`jatdae compare`: two runs, or two systems of one run."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from jatdae.cli.output import print_json, terminal
from jatdae.core.errors import UsageError
from jatdae.core.messages import say
from jatdae.report.console import show_sheet
from jatdae.report.differences import difference_sheets
from jatdae.run.compare import Comparison, compare
from jatdae.run.result import Result


def compare_runs(
    *runs: Annotated[Path, Parameter(help="Two run folders; the second is measured against the first.")],
    systems: Annotated[
        tuple[str, str] | None, Parameter(help="Two systems: of one run, or one of each of two runs.")
    ] = None,
    json: Annotated[bool, Parameter(negative=(), help="Print only JSON.")] = False,
) -> None:
    """Paired differences with 95 % intervals, p-values, wins and losses, worst regressions."""
    comparison = _compare(runs, systems)
    if json:
        print_json(asdict(comparison))
        return
    console = terminal()
    for sheet in difference_sheets(comparison):
        show_sheet(sheet, console)


def _compare(runs: tuple[Path, ...], systems: tuple[str, str] | None) -> Comparison:
    if len(runs) == 1 and systems:
        result = Result.load(runs[0])
        return compare(result, result, system_a=systems[0], system_b=systems[1], names=systems)
    if len(runs) != 2:
        raise UsageError(say("compare_needs_two"))
    a, b = Result.load(runs[0]), Result.load(runs[1])
    names = systems or (str(runs[0]), str(runs[1]))
    return compare(a, b, system_a=systems and systems[0], system_b=systems and systems[1], names=names)
