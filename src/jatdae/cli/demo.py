"""`jatdae demo`: every evaluator on its bundled samples."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from jatdae.cli.output import Judged, progress_bar, show_all, tell
from jatdae.core.registry import working
from jatdae.run.engine import Engine
from jatdae.run.execute import execute
from jatdae.run.model import Inputs


def demo(
    *,
    out: Annotated[Path, Parameter(help="Where the run folders go.")] = Path("runs/demo"),
    json: Annotated[bool, Parameter(negative=(), help="Print only JSON.")] = False,
) -> int:
    """Score the bundled samples with every evaluator that has some."""
    judged = []
    for name, cls in working().items():
        package = cls.__module__.rpartition(".")[0]
        if not package or not (bundled := resources.files(package) / "samples" / "pairs.jsonl").is_file():
            continue
        tell(name, "bold")
        with resources.as_file(bundled) as pairs, progress_bar() as progress:
            inputs = Inputs(pairs=(("", str(pairs)),))
            done = execute(cls(), inputs, out=out / name, engine=Engine(1), overwrite=True, progress=progress)
        judged.append(Judged(done))
    return show_all(judged, as_json=json)
