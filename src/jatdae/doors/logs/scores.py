"""The scores of another harness, sample by sample, as the result of a run."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from jatdae.core.contract import Direction, Issue, IssueKind, Metric, Outcome, Sample
from jatdae.core.errors import DataError
from jatdae.core.evaluator import evaluator
from jatdae.core.messages import speaker
from jatdae.run.api import evaluate
from jatdae.run.input.memory import MOST_LABELS
from jatdae.run.stats.result import Result

say = speaker(__name__)

LOWER: Final = frozenset(("perplexity", "word_perplexity", "byte_perplexity", "bits_per_byte", "brier_score", "ter"))
"""Metrics of which less is better, where the log does not say; `cer`, `wer` and what ends in `_error` are others."""

UNMEASURED: Final = (Metric("score", "higher", 0.0),)
"""What stands for the metrics of a log before one is read."""


@dataclass(frozen=True, slots=True)
class LoggedSample:
    """A sample of a log: what was asked and answered, and the values it was given."""

    id: str
    question: str
    target: str
    answer: str
    values: Mapping[str, float | None]
    """None where the harness gave no number."""
    explanation: str = ""
    meta: Mapping[str, str] = field(default_factory=dict)
    cluster: str = ""
    """The sample that was asked several times."""


@dataclass(frozen=True, slots=True)
class Log:
    """What a harness wrote of one task and one model."""

    harness: str
    task: str
    model: str
    samples: Sequence[LoggedSample]
    better: Mapping[str, Direction] = field(default_factory=dict)
    """Which end of a metric is good, where the log says so."""
    left_out: Sequence[str] = ()
    """Metrics without a number for each sample."""


@evaluator("log", metrics=UNMEASURED, issues=[IssueKind("no_score")])
class LoggedScores:
    """Passes on the scores that another harness gave."""

    harness: str = ""
    """What wrote the log."""
    task: str = ""
    """What was measured."""
    measures: Mapping[str, str] = field(default_factory=dict)
    """Metrics with their better end, `higher` or `lower`."""

    def own_metrics(self) -> list[Metric]:
        """The metrics that the log has; the first is the headline."""
        return [
            Metric(name, "lower" if better == "lower" else "higher", 0.0, primary=at == 0, range=(-math.inf, math.inf))
            for at, (name, better) in enumerate(self.measures.items())
        ] or list(UNMEASURED)

    def score(self, sample: Sample) -> Outcome:
        """The values that the log has of a sample."""
        logged: LoggedSample = sample.prediction
        values = {name: logged.values.get(name) for name in self.measures}
        lacking = [name for name, value in values.items() if value is None]
        issues = (Issue("no_score", f"no number for {', '.join(lacking)}"),) if lacking else ()
        shown = {"question": logged.question, "answer": logged.answer, "target": logged.target}
        if logged.explanation:
            shown["explanation"] = logged.explanation
        return Outcome(values, evidence=shown, issues=issues)


def result_of(log: Log, place: str) -> Result:
    """The result that a log amounts to; samples with the same questions and targets can be compared."""
    names = dict.fromkeys(name for each in log.samples for name in each.values)
    if not names:
        raise DataError(say("log_without_scores", place=place))
    measures = {name: log.better.get(name) or direction(name) for name in names}
    samples = [
        Sample(each.id, each, {"question": each.question, "target": each.target}, each.meta, log.model, each.cluster)
        for each in log.samples
    ]
    result = evaluate(samples, LoggedScores(log.harness, log.task, measures), slices=_slices(log.samples))
    notes = [say("log_left_out", names=", ".join(log.left_out))] if log.left_out else []
    if guessed := {name: end for name, end in measures.items() if name not in log.better}:
        ends = {each: ", ".join(name for name, end in guessed.items() if end == each) for each in ("higher", "lower")}
        notes.append(say("log_direction", **{each: names or "–" for each, names in ends.items()}))
    return Result(result.signature, result.summary, result.tables, (*result.notes, *notes), result.origin)


def _slices(samples: Sequence[LoggedSample]) -> list[str]:
    """Keys of the metadata that tell groups of samples apart: with several values, but not as many as an id has."""
    keys = dict.fromkeys(key for each in samples for key in each.meta)
    return [key for key in keys if 1 < len({each.meta.get(key) for each in samples}) <= MOST_LABELS]


def direction(metric: str) -> Direction:
    """Which end of a metric is good by its name, where nobody says."""
    name = metric.partition("/")[0].lower()
    return "lower" if name in LOWER or name in ("cer", "wer") or name.endswith(("_error", "_loss")) else "higher"


def parsed(data: bytes, place: object) -> Any:
    """JSON as harnesses write it: with the NaN and Infinity of Python."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise DataError(say("log_no_json", place=place)) from None


def number(value: Any) -> float | None:
    """A finite number, or none."""
    if isinstance(value, bool | int | float) and math.isfinite(value):
        return float(value)
    return None


def text(value: Any) -> str:
    """A text for people: as it is, or lines of it."""
    if isinstance(value, list):
        return "\n".join(map(text, value))
    return value if isinstance(value, str) else "" if value is None else str(value)
