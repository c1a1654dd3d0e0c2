"""An evaluator that reads numbers as they were written."""

from __future__ import annotations

from jatdae import Metric, Outcome, Sample, evaluator


@evaluator("exactly", metrics=[Metric("same", "higher", worst=0.0)], empty=None, exact_numbers=True)
class Exactly:
    """Whether two values are written alike."""

    def score(self, sample: Sample) -> Outcome:
        shown = [repr(sample.prediction), repr(sample.reference)]
        twice = list(getattr(sample.prediction, "duplicates", ()))
        return Outcome({"same": float(shown[0] == shown[1])}, evidence=[*shown, twice])
