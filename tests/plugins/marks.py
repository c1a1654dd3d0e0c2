"""A small evaluator that fills every field of an Outcome, so that a run has something of each to carry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from jatdae import Issue, Metric, Outcome, Sample, Unit, evaluator


@evaluator(
    "marks",
    metrics=[Metric("exact", "higher", worst=0.0, unit="%", primary=True), Metric("gap", "lower", worst=1.0)],
)
class Marks:
    """Whether texts are equal, and by what share of the reference their lengths differ."""

    casefold: bool = False
    """Whether upper and lower case are the same."""

    def score(self, sample: Sample) -> Outcome:
        prediction, reference = str(sample.prediction), str(sample.reference)
        if self.casefold:
            prediction, reference = prediction.casefold(), reference.casefold()
        hit = float(prediction == reference)
        gap = abs(len(prediction) - len(reference)) / len(reference) if reference else None
        return Outcome(
            {"exact": hit, "gap": gap},
            stats={"hits": hit, "n": 1.0, "size": len(reference) / 7},
            counts={"letters": Counter(prediction)},
            units=tuple(
                Unit(str(at), "word", values={"long": float(len(w) > 2)}) for at, w in enumerate(reference.split())
            ),
            evidence={"prediction": sample.prediction, "reference": sample.reference},
            issues=() if reference else (Issue("empty_reference"),),
        )

    def reduce(self, stats: Mapping[str, float]) -> dict[str, float | None]:
        return {"exact": stats["hits"] / stats["n"]}
