"""An evaluator whose evidence, units and issues carry what it was given, for reports to show."""

from __future__ import annotations

from collections.abc import Mapping

from jatdae import Issue, Metric, Outcome, Sample, Unit, evaluator


@evaluator("shown", metrics=[Metric("same", "higher", 0.0, "%", primary=True), Metric("longer", "lower", 1.0)])
class Shown:
    """Says all it was told."""

    def score(self, sample: Sample) -> Outcome:
        """Equal or not, and how much longer."""
        same = float(sample.prediction == sample.reference)
        told = f"{sample.prediction}"
        return Outcome(
            values={"same": same, "longer": abs(len(told) - len(sample.reference)) / 10},
            stats={"same": same, "n": 1.0},
            units=tuple(
                Unit(
                    f"{told} {at}",
                    told if "<" in told else "turn",
                    {"turn": str(at), "told": told},
                    {"same": same, "longer": at / 10},
                )
                for at in (1, 2, 3)
            ),
            evidence={told: [told, {told: None}], "number": 1, "none": None},
            issues=() if same else (Issue("told", told, "error"),),
        )

    def reduce(self, stats: Mapping[str, float]) -> dict[str, float | None]:
        """The share of equals."""
        return {"same": stats["same"] / stats["n"]}
