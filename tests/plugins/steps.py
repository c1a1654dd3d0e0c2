"""An evaluator of samples with rows below them: the prediction is the list of what each row scores."""

from __future__ import annotations

from collections.abc import Mapping

from jatdae import Issue, Metric, Outcome, Sample, Unit, evaluator


@evaluator(
    "steps",
    metrics=[Metric("height", "higher", worst=0.0, primary=True), Metric("length", "higher", worst=0.0)],
    empty=(),
    paired_by="step",
)
class Steps:
    """How high steps are, and how many there are."""

    numbered: bool = True
    """Whether steps have names of their own."""

    def score(self, sample: Sample) -> Outcome:
        heights = list(sample.prediction)
        known = [height for height in heights if height is not None]
        units = [
            Unit(str(at) if self.numbered else "s", "step", {}, {"height": height})
            for at, height in enumerate(heights, 1)
        ]
        units.append(Unit("top", "landing", {}, {"height": max(known, default=None)}))
        values = {"height": sum(known) / len(known) if known else None, "length": float(len(heights))}
        return Outcome(values, units=tuple(units), issues=() if known else (Issue("no_steps"),))

    def reduce(self, stats: Mapping[str, float]) -> dict[str, float | None]:
        return {}
