"""An evaluator that must see all samples of a system before it can score one: the share of its longest text."""

from __future__ import annotations

from dataclasses import replace

from jatdae import Metric, Outcome, Sample, evaluator


@evaluator("surveyed", metrics=[Metric("share", "higher", worst=0.0)])
class Surveyed:
    """A prediction's length as a share of all the system wrote."""

    total: float = 0.0
    """Characters the system wrote."""

    def survey(self, sample: Sample) -> dict[str, float]:
        if sample.prediction == "unsurveyable":
            raise ValueError("no survey of this")
        return {"characters": len(sample.prediction)}

    def informed(self, survey: dict[str, float]) -> Surveyed:
        return replace(self, total=survey.get("characters", 0.0))

    def score(self, sample: Sample) -> Outcome:
        return Outcome({"share": len(sample.prediction) / self.total if self.total else 0.0})
