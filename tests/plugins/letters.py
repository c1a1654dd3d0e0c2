"""An evaluator with count tables: lower-case letters of a prediction are errors; its reference is the value."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from jatdae import Count, Metric, Outcome, Rate, Sample, evaluator


@evaluator(
    "letters",
    metrics=[Metric("good", "higher", worst=0.0, primary=True)],
    counts=[Count("wrong", error=True), Count("seen")],
    rates=[Rate("letter", ("wrong",), ("seen",), better="lower")],
)
class Letters:
    """What is wrong with letters: all lower-case ones."""

    better: Literal["higher", "lower"] = "higher"
    """Direction of the metric."""

    def own_metrics(self) -> list[Metric]:
        return [Metric("good", self.better, worst=0.0, primary=True, range=(0.0, 1.0))]

    def key_names(self) -> dict[str, dict[str, str]]:
        return {"wrong": {"a": "the first", "z": "the last"}}

    def score(self, sample: Sample) -> Outcome:
        value = None if sample.reference == "none" else float(sample.reference)
        seen = Counter(str(sample.prediction))
        wrong = {letter: n for letter, n in seen.items() if letter.islower()}
        return Outcome({"good": value}, counts={"wrong": wrong, "seen": seen})
