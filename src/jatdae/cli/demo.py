"""`jatdae demo`: scores the bundled samples with every evaluator; writes a report of each and an index page."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from jatdae.cli.finished import GatedRun, show_all
from jatdae.cli.output import progress_bar, tell
from jatdae.cli.report import write_index, write_page
from jatdae.core.config import build
from jatdae.core.errors import UsageError
from jatdae.core.registry import working
from jatdae.report.documentation import documentation_site
from jatdae.run.api import execute
from jatdae.run.input.model import Inputs
from jatdae.run.work.engine import Engine


def demo(
    *,
    out: Annotated[Path, Parameter(help="Folder for the run folders.")] = Path("runs/demo"),
    json: Annotated[bool, Parameter(negative=(), help="Print only JSON.")] = False,
) -> int:
    """Score the bundled samples with every evaluator."""
    runs: list[GatedRun] = []
    documentation_site()  # a slip is told before the work
    for name, cls in working().items():
        package = cls.__module__.rpartition(".")[0]
        if not package or not (bundled := resources.files(package) / "samples").is_dir():
            continue
        with resources.as_file(bundled) as samples, progress_bar() as progress:
            if (inputs := _inputs(samples)) is None:
                continue
            tell(name, "bold")
            try:
                evaluator: Any = build(cls, {})
            except UsageError as error:  # it needs settings: the others have their demo all the same
                tell(str(error), "yellow")
                continue
            done = execute(evaluator, inputs, out=out / name, engine=Engine(1), overwrite=True, progress=progress)
        write_page(done)
        runs.append(GatedRun(done))
    status = show_all(runs, as_json=json)
    if runs:
        write_index(runs, out)
    return status


def _inputs(samples: Path) -> Inputs | None:
    """What an evaluator brings along: `pairs.jsonl`, or documents in `gold` and in `systems/NAME`."""
    if (pairs := samples / "pairs.jsonl").is_file():
        return Inputs(pairs=(("", str(pairs)),))
    if not (gold := samples / "gold").is_dir():
        return None
    systems = sorted((samples / "systems").iterdir())
    return Inputs(reference=str(gold), predictions=tuple((system.name, str(system)) for system in systems))
