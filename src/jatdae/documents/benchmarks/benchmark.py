"""What every benchmark of documents is made of: its folder layout, its metrics and how it scores a page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from jatdae.core.contract import Metric
from jatdae.core.errors import DataError
from jatdae.core.messages import os_problem, speaker

say = speaker(__name__)

Row = dict[str, Any]
"""A row of input: `id`, `prediction` (left out where a system has none), `reference`, `meta`."""
MAX_CHARS: Final = 500_000
"""Characters of a page: these numbers take the square of it, and were made for single pages."""
NO_VALUE: Final = "no_benchmark_value"
"""Issue of a page to which a number of its benchmark does not apply."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A published benchmark: how its folder is laid out, and its own numbers, at a version."""

    name: str
    version: str
    fits: Callable[[Path], bool]
    systems: Callable[[Path], list[str]]
    rows: Callable[[Path, str], Iterator[Row]]
    """The pages of a system in a folder."""
    metrics: tuple[Metric, ...]
    """Named BENCHMARK_METRIC."""
    score: Callable[[Any, Any], Mapping[str, float | None]]
    """The numbers of one page by their names without the benchmark's; the reference is that of its rows."""
    of_texts: bool = False
    """Whether they need texts alone, so that they can be had of any documents."""

    @property
    def expected(self) -> str:
        """What a folder of it holds, for messages."""
        return say(f"{prefix_of(self.name)}holds")

    @property
    def signed(self) -> str:
        """Name and version, as they stand in the signature."""
        return f"{self.name}@{self.version}"

    def values(self, prediction: Any, reference: Any) -> dict[str, float | None]:
        """The numbers of one page as metrics; None where a number does not apply.

        A prediction that is far too long for a page has written nothing.
        """
        if len(text_of(reference)) > MAX_CHARS:
            return {metric.name: None for metric in self.metrics}
        scores = self.score("" if len(text_of(prediction)) > MAX_CHARS else prediction, reference)
        prefix = prefix_of(self.name)
        return {metric.name: scores[metric.name.removeprefix(prefix)] for metric in self.metrics}


def metrics_of(name: str, *, better: str, names: tuple[str, ...]) -> tuple[Metric, ...]:
    """Metrics of a benchmark, all fractions in which more is better, or less."""
    worst = 0.0 if better == "higher" else 1.0
    return tuple(
        Metric(f"{prefix_of(name)}{each}", better, worst, absent=(NO_VALUE,), range=(0.0, 1.0))  # type: ignore[arg-type]
        for each in names
    )


def prefix_of(name: str) -> str:
    """What the metrics of a benchmark begin with."""
    return f"{name.replace('-', '_')}_"


def text_of(value: Any) -> str:
    """Text of a prediction or reference, which may stand beside what a benchmark knows of it; "" for anything else."""
    text = value.get("text") if isinstance(value, Mapping) else value
    return text if isinstance(text, str) else ""


def folders_in(folder: Path, inner: str = "") -> list[str]:
    """Names of the folders in a folder, sorted; with `inner`, of those that hold such a folder."""
    if not folder.is_dir():
        return []
    return sorted(path.name for path in folder.iterdir() if path.is_dir() and (not inner or (path / inner).is_dir()))


def page_text(path: Path) -> str | None:
    """Text of a page with any line ends as \\n; None where there is no such file."""
    try:
        return path.read_text("utf-8", errors="replace") if path.is_file() else None
    except OSError as error:
        raise DataError(say("benchmark_unread", place=path, problem=os_problem(error))) from None


def read_json(path: Path, kind: type) -> Any:
    """What a JSON file of a benchmark holds, which has to be of a kind."""
    try:
        value = json.loads(path.read_bytes())
    except OSError as error:
        raise DataError(say("benchmark_unread", place=path, problem=os_problem(error))) from None
    except (ValueError, RecursionError) as error:
        raise DataError(say("benchmark_unread", place=path, problem=error)) from None
    if not isinstance(value, kind):
        raise DataError(say("benchmark_shape", place=path, wanted=kind.__name__, found=type(value).__name__))
    return value
