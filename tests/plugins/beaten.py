"""An evaluator with baselines: the reference itself, and nothing at all."""

from __future__ import annotations

from typing import Any

from jatdae import Metric, Outcome, Sample, evaluator


@evaluator("beaten", metrics=[Metric("exact", "higher", worst=0.0)])
class Beaten:
    """Whether two values are equal."""

    def score(self, sample: Sample) -> Outcome:
        return Outcome({"exact": float(sample.prediction == sample.reference)}, stats={"n": 1.0})

    def baseline_predictions(self, references: list[Any]) -> dict[str, list[Any]]:
        return {"copy": list(references), "empty": [""] * len(references)}
