"""Load a result: of a run folder, or of the sample log that another harness wrote."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Final

from jatdae.core.errors import DataError, UsageError
from jatdae.core.messages import os_problem, speaker
from jatdae.core.messages import say as say_common
from jatdae.doors.logs import inspect_log, lm_eval_log
from jatdae.doors.logs.scores import Log, result_of
from jatdae.run.output.folder import MANIFEST
from jatdae.run.stats.result import Result

say = speaker(__name__)

READERS: Final[tuple[tuple[tuple[str, ...], Callable[[Path], Log | None]], ...]] = (
    (inspect_log.SUFFIXES, inspect_log.read_inspect),
    (lm_eval_log.SUFFIXES, lm_eval_log.read_lm_eval),
)
"""Suffixes of files, and what reads them."""
LOGS: Final = ("*.eval", "samples_*.jsonl", "*/samples_*.jsonl")
"""Names that the harnesses give to their logs."""
SHOWN_LOGS: Final = 4


def load(run: str | PathLike[str]) -> Result:
    """Result of a finished run folder, or of a sample log of Inspect AI or the LM Evaluation Harness."""
    if not isinstance(run, str | PathLike):
        raise UsageError(say_common("not_a_run", place=type(run).__name__))
    path = Path(run)
    if path.is_dir() and not (path / MANIFEST).exists() and (logs := _logs_in(path)):
        raise UsageError(say("folder_of_logs", place=path, names=", ".join(logs[:SHOWN_LOGS])))
    return _load_log(path) if path.is_file() else Result.load(run if isinstance(run, str) else path)


def _logs_in(folder: Path) -> list[str]:
    """Names of the logs in a folder."""
    return sorted(str(each.relative_to(folder)) for pattern in LOGS for each in folder.glob(pattern))


def _load_log(path: Path) -> Result:
    try:
        for suffixes, read in READERS:
            if path.suffix in suffixes and (log := read(path)):
                return result_of(log, str(path))
    except (AttributeError, KeyError, TypeError):
        raise DataError(say("log_other_shape", place=path)) from None
    except OSError as error:
        raise UsageError(say_common("cannot_read", place=path, problem=os_problem(error))) from None
    raise UsageError(say("neither_run_nor_log", place=path))
