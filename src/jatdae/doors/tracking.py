"""MLflow and Weights & Biases: log the numbers of a result to the run that is under way.

    jatdae.doors.tracking.log_mlflow(result)
    jatdae.doors.tracking.log_wandb(result)

What is logged: for each metric its macro mean (`cer`), the ends of its 95 % interval (`cer.ci_low`, `cer.ci_high`) and
its micro average (`cer.micro`); with several systems `SYSTEM/cer` and so on; and the signature. Texts of samples leave
this machine only with `with_report=True`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from jatdae.core.errors import UsageError
from jatdae.core.messages import speaker
from jatdae.run.stats.result import Result

SIGNATURE: Final = "jatdae.signature"
REPORT: Final = "report.html"
_UNUSUAL: Final = re.compile(r"[^\w.\-/ ]")
"""What MLflow does not take in a name."""

say = speaker(__name__)


def log_mlflow(result: Result, *, prefix: str = "", step: int | None = None, with_report: bool = False) -> None:
    """Log the numbers of a result to the active MLflow run, or to a new one; the signature is a tag."""
    _refuse_other(result)
    mlflow = _installed("mlflow")
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
    wandb = _installed("wandb")
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
    return {_UNUSUAL.sub("_", prefix + name): value for name, value in _numbers(result)}


def _numbers(result: Result) -> Iterator[tuple[str, float]]:
    for system, described in result.summary["systems"].items():
        before = f"{system}/" if len(result.systems) > 1 else ""
        for metric, entry in described["metrics"].items():
            low, high = entry["ci"] or (None, None)
            named = {"": entry["macro"], ".ci_low": low, ".ci_high": high, ".micro": entry["micro"]}
            for ending, value in named.items():
                if value is not None:
                    yield f"{before}{metric}{ending}", float(value)


def _installed(name: str) -> Any:
    try:
        return import_module(name)
    except ModuleNotFoundError:
        raise UsageError(say("door_not_installed", name=name)) from None
