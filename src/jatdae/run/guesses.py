"""Calls of `evaluate` that people guess and that cannot work: each is told with what to write instead."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Final

from jatdae.core.errors import UsageError
from jatdae.core.evaluator import spec_of
from jatdae.core.messages import listed, say, shown
from jatdae.core.registry import known_names, working

_SIDES: Final = ("predictions", "references", "preds", "refs", "prediction", "y_true", "y_pred", "targets", "labels")
_METRICS: Final = ("metric", "metrics")
_JOBS: Final = ("n_jobs", "num_workers", "workers", "num_proc", "processes")
GUESSED: Final = {
    **dict.fromkeys(_SIDES, "guessed_sides"),
    **dict.fromkeys(_METRICS, "guessed_metrics"),
    **dict.fromkeys(_JOBS, "guessed_jobs"),
}
"""Keywords that other libraries have, and the message for each."""


def refuse_guessed_arguments(more: Sequence[Any], config: Mapping[str, Any], known: Sequence[str] = ()) -> None:
    """Refuse predictions and references as two arguments, and keywords of other libraries.

    `known` are the settings of the evaluator, which go before a guess.
    """
    if more:
        raise UsageError(say("guessed_sides", name=f"evaluate(…, {type(more[0]).__name__})"))
    for name in config:
        if name in GUESSED and name not in known:
            raise UsageError(say(GUESSED[name], name=f"{name}="))


def refuse_no_evaluator(evaluator: Any, data: Any) -> None:
    """Refuse what cannot be an evaluator: none, references, the data in the other order, or the name of a metric."""
    if evaluator is None:
        raise UsageError(say("evaluator_missing", known=listed(known_names())))
    if isinstance(evaluator, str):
        if evaluator not in known_names() and (owners := _measured_by(evaluator)):
            raise UsageError(say("evaluator_is_metric", name=shown(evaluator), owners=listed(owners), first=owners[0]))
    elif not hasattr(evaluator, "score"):
        if not isinstance(data, str) and not _are_names(evaluator) and _is_list(evaluator) and _is_list(data):
            raise UsageError(say("guessed_sides", name=f"evaluate(…, {type(evaluator).__name__})"))
        raise UsageError(say("no_evaluator_given", kind=type(evaluator).__name__))


def _is_list(given: Any) -> bool:
    return isinstance(given, list | tuple) or hasattr(given, "tolist") or hasattr(given, "to_list")


def _are_names(given: Any) -> bool:
    return isinstance(given, list | tuple) and all(each in known_names() for each in given)


def _measured_by(metric: str) -> list[str]:
    """Names of the evaluators that have a metric; that with the fewest others first."""
    metrics = {name: [each.name for each in spec_of(cls).metrics] for name, cls in working().items()}
    return sorted((name for name, own in metrics.items() if metric in own), key=lambda name: len(metrics[name]))


def refuse_no_data(data: Any) -> None:
    """Refuse an open file, a text of JSON, and a list of paths."""
    if hasattr(data, "read") and hasattr(data, "close"):
        name = getattr(data, "name", "")
        raise UsageError(say("file_is_open", name=shown(name) if isinstance(name, str) and name else "pairs.jsonl"))
    if isinstance(data, str) and data.lstrip()[:1] in ("[", "{") and not os.path.lexists(data):
        raise UsageError(say("text_is_json", text=shown(data, 30)))
    if isinstance(data, list | tuple) and data and _is_file(data[0]):
        raise UsageError(say("list_of_paths", first=shown(os.fspath(data[0]))))


def _is_file(given: Any) -> bool:
    return isinstance(given, PathLike) or (isinstance(given, str) and _exists(given))


def _exists(path: str) -> bool:
    try:
        return bool(path) and Path(path).is_file()
    except (OSError, ValueError):  # too long for a path, or with a null byte
        return False
