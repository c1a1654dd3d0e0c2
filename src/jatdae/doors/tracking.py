"""MLflow and Weights & Biases: log the numbers of a result to the run that is under way.

    jatdae.doors.tracking.log_mlflow(result)
    jatdae.doors.tracking.log_wandb(result)

What is logged: for each metric its macro mean (`cer`), the ends of its 95 % interval (`cer.ci_low`, `cer.ci_high`) and
its micro average (`cer.micro`); with several systems `SYSTEM/cer` and so on; and the signature. What a tracker does not
take in a name is `_`. Texts of samples leave this machine only with `with_report=True`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from jatdae.core.errors import UsageError
from jatdae.core.messages import speaker
from jatdae.doors.extras import installed
from jatdae.run.stats.result import Result

SIGNATURE: Final = "jatdae.signature"
REPORT: Final = "report.html"
_UNUSUAL: Final = re.compile(r"[^\w.\-/ ]")
"""What MLflow does not take in a name."""

say = speaker(__name__)


def log_mlflow(result: Result, *, prefix: str = "", step: int | None = None, with_report: bool = False) -> None:
    """Log the numbers of a result to the active MLflow run, or to a new one; the signature is a tag."""
    _refuse_other(result)
    mlflow = installed("mlflow")
    mlflow.log_metrics(numbers_of(result, prefix), step=step)
    mlflow.set_tag(prefix + SIGNATURE, str(result.signature))
    if with_report:
        with TemporaryDirectory() as folder:
            mlflow.log_artifact(str(result.report(Path(folder) / REPORT)), prefix.rstrip("/") or None)


def log_wandb(
    result: Result, *, run: Any = None, prefix: str = "", step: int | None = None, with_report: bool = False
) -> None:
    """Log the numbers of a result to a run of Weights & Biases, by default the active one.

    The signature goes to the configuration of the run.
    """
    _refuse_other(result)
    wandb = installed("wandb")
    run = run or wandb.run
    if run is None:
        raise UsageError(say("no_wandb_run"))
    run.log(numbers_of(result, prefix), step=step)
    run.config.update({prefix + SIGNATURE: str(result.signature)}, allow_val_change=True)
    if with_report:
        with TemporaryDirectory() as folder:
            page = result.report(Path(folder) / REPORT).read_text("utf-8")
        run.log({f"{prefix}report": wandb.Html(page)}, step=step)


def _refuse_other(result: Any) -> None:
    if not isinstance(result, Result):
        raise UsageError(say("log_no_result", kind=type(result).__name__))


def numbers_of(result: Result, prefix: str = "") -> dict[str, float]:
    """The numbers of a result by the names they are tracked under; a metric that is N/A has none."""
    return {_tracked(prefix) + name: value for name, value in _numbers(result)}


def _tracked(name: str) -> str:
    return _UNUSUAL.sub("_", name)


def _tracked_systems(systems: Sequence[str]) -> dict[str, str]:
    """Systems with the names they are tracked under; those that would have the same are numbered: `m_1`, `m_1-2`."""
    made: dict[str, str] = {}
    plain = {system: _tracked(system) for system in systems}
    for system, name in plain.items():
        numbered = (f"{name}-{at}" for at in count(2) if f"{name}-{at}" not in plain.values())
        made[system] = (
            name if name not in made.values() else next(each for each in numbered if each not in made.values())
        )
    return made


def _numbers(result: Result) -> Iterator[tuple[str, float]]:
    names = _tracked_systems(result.systems)
    for system, described in result.summary["systems"].items():
        before = f"{names[system]}/" if len(names) > 1 else ""
        for metric, entry in described["metrics"].items():
            low, high = entry["ci"] or (None, None)
            named = {"": entry["macro"], ".ci_low": low, ".ci_high": high, ".micro": entry["micro"]}
            for ending, value in named.items():
                if value is not None:
                    yield f"{before}{_tracked(metric)}{ending}", float(value)
