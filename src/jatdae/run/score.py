"""Scoring one sample under the rules that hold for every evaluator."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from jatdae.core.contract import Issue, Outcome, Sample
from jatdae.core.errors import EngineError, JatdaeError
from jatdae.core.evaluator import EvaluatorSpec, spec_of
from jatdae.core.messages import say
from jatdae.run.rows import shown


class Scorer:
    """An evaluator with the common rules: missing predictions, broken references, several right answers."""

    def __init__(self, evaluator: Any, missing: str = "worst") -> None:
        self.spec: EvaluatorSpec = spec_of(evaluator)
        self._score = evaluator.score
        self._applicable = getattr(evaluator, "applicable", None)
        self._missing = missing
        self._grouped = self.spec.group_by is not None
        self._worst = {metric.name: metric.worst for metric in self.spec.metrics}
        self._nothing = dict.fromkeys(self._worst)

    def score(self, sample: Sample) -> Outcome:
        """Like the evaluator's own `score`, for any sample a run can meet."""
        reference = sample.reference
        if reference is None and not self._grouped:
            return self._excluded("missing_reference", "the row has no reference")
        try:
            if sample.prediction is None:
                return self._without_prediction(sample)
            if type(reference) is not str and isinstance(reference, dict) and reference.keys() == {"$any"}:
                return self._best(sample, reference["$any"])
            outcome = self._score(sample)
            return outcome if type(outcome) is Outcome else self._checked(outcome, sample)
        except JatdaeError:
            raise
        except (Exception, SystemExit) as error:
            raise failure(self.spec, sample, error) from error

    def _without_prediction(self, sample: Sample) -> Outcome:
        issue = Issue("missing_prediction", "no prediction for this sample", "error")
        if self._missing == "skip":
            return Outcome(self._nothing, issues=(issue,))
        if self.spec.empty is None:
            return Outcome(self._worst, issues=(issue,))
        empty = self.score(replace(sample, prediction=self.spec.empty))
        if empty.values is self._nothing:  # a broken reference is left out, prediction or no
            return replace(empty, issues=(*empty.issues, issue))
        if self._applicable is None:
            return replace(empty, values=self._worst, issues=(issue,))
        can_be = self._applicable(sample)
        values = {name: worst if name in can_be else None for name, worst in self._worst.items()}
        why = {code for metric in self.spec.metrics if values[metric.name] is None for code in metric.absent}
        return replace(empty, values=values, issues=(*[told for told in empty.issues if told.code in why], issue))

    def _best(self, sample: Sample, choices: Any) -> Outcome:
        """The best of several right answers by the primary metric; the first of equals."""
        choices = [choice for choice in choices if choice is not None] if isinstance(choices, list) else []
        if not choices:
            return self._excluded("bad_any", '"$any" needs a list with at least one reference')
        outcomes = [self._checked(self._score(replace(sample, reference=choice)), sample) for choice in choices]
        primary = self.spec.primary
        sign = 1.0 if primary.better == "higher" else -1.0

        def rank(outcome: Outcome) -> float:
            value = outcome.values.get(primary.name)
            return sign * value if value is not None and math.isfinite(value) else float("-inf")

        return max(outcomes, key=rank)

    def _excluded(self, code: str, message: str) -> Outcome:
        return Outcome(self._nothing, issues=(Issue(code, message, "error"),))

    def _checked(self, outcome: Any, sample: Sample) -> Outcome:
        if isinstance(outcome, Outcome):
            return outcome
        raise EngineError(say("not_an_outcome", name=self.spec.name, id=shown(sample.id), kind=type(outcome).__name__))


def failure(spec: EvaluatorSpec, sample: Sample, error: BaseException) -> EngineError:
    """What is said of an evaluator that raised an error, with the sample it raised it on."""
    return EngineError(say("evaluator_failed", name=spec.name, id=shown(sample.id), problem=_problem(error)))


@contextmanager
def hook(evaluator: Any, name: str) -> Iterator[None]:
    """Around a call of a hook that no sample can be named for: what it raises is told as its own fault."""
    try:
        yield
    except JatdaeError:
        raise
    except (Exception, SystemExit) as error:
        told = say("hook_failed", name=spec_of(evaluator).name, hook=name, problem=_problem(error))
        raise EngineError(told) from error


def _problem(error: BaseException) -> str:
    return shown(f"{type(error).__name__}: {error}", 300)
