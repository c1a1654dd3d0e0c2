"""Evaluators whose samples are several rows, with and without a field that names the system."""

from __future__ import annotations

from jatdae import Metric, Outcome, Sample, evaluator
from jatdae.core.evaluator import GroupBy


def _score(sample: Sample) -> Outcome:
    said = [row["said"] for row in sample.prediction]
    return Outcome({"turns": float(len(said))}, stats={"turns": len(said)}, evidence=said)


@evaluator("turns", metrics=[Metric("turns", "higher", worst=0.0)], group_by=GroupBy("talk"))
class Turns:
    """How many turns a conversation has."""

    def score(self, sample: Sample) -> Outcome:
        return _score(sample)


@evaluator(
    "turns-by-model", metrics=[Metric("turns", "higher", worst=0.0)], group_by=GroupBy("talk", "model", ("truth",))
)
class TurnsByModel:
    """The same, where rows say which model spoke."""

    def score(self, sample: Sample) -> Outcome:
        return _score(sample)


@evaluator(
    "numbered-turns", metrics=[Metric("turns", "higher", worst=0.0)], group_by=GroupBy("talk", "model", (), "turn")
)
class NumberedTurns:
    """The same, where each turn has a number of its own."""

    def score(self, sample: Sample) -> Outcome:
        return _score(sample)
