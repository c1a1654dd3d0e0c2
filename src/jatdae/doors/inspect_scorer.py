"""Inspect AI: an evaluator of jatdae as a scorer.

    from jatdae.doors.inspect_scorer import yardstick

    Task(dataset=…, scorer=yardstick("text", metric="cer"))

The score of a sample is its value of one metric. Its explanation is the evidence, its metadata are the values of all
metrics and the signature. Several targets are several right answers, of which the best counts.
"""

from __future__ import annotations

import math
from typing import Any

from jatdae.core.contract import Sample
from jatdae.core.errors import UsageError
from jatdae.core.messages import speaker
from jatdae.doors.extras import NotInstalled
from jatdae.run.api import evaluate
from jatdae.run.stats.result import choose_metrics, primary_metric

try:
    from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
    from inspect_ai.solver import TaskState
except ModuleNotFoundError as error:
    raise NotInstalled(error.name or "inspect_ai", "inspect") from None

say = speaker(__name__)


@scorer(metrics=[mean(), stderr()])
def yardstick(evaluator: str = "text", metric: str = "", **config: Any) -> Scorer:
    """Scorer by an evaluator, by default with its headline metric; `config` are the settings of the evaluator."""
    summary = evaluate([], evaluator, **config).summary
    name, *others = choose_metrics(summary, [metric or primary_metric(summary)])
    if others:
        raise UsageError(say("one_metric", name=metric, known=", ".join(summary["metrics"])))
    told = {"metric": name, "better": summary["metrics"][name]["better"]}

    async def score(state: TaskState, target: Target) -> Score:
        answer = state.output.completion
        reference = {"$any": list(target)} if len(target) > 1 else target.text
        sample = Sample(str(state.sample_id), answer, reference)
        result = evaluate(sample, evaluator, **config)
        found = result.sample(sample.id)
        value = found.values[name]
        return Score(
            value=math.nan if value is None else value,  # Inspect leaves it out of the mean
            answer=answer,
            explanation=str(found),
            metadata={**found.values, "signature": str(result.signature), "yardstick": told},
        )

    return score
