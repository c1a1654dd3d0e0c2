"""An evaluator of documents that have a file of facts beside them."""

from __future__ import annotations

from jatdae import Metric, Outcome, Sample, evaluator
from jatdae.core.evaluator import Sidecar


@evaluator(
    "beside",
    metrics=[Metric("exact", "higher", worst=0.0)],
    sidecars=(Sidecar("facts", (".facts.json", "_facts.json")), Sidecar("notes", (".notes.json",))),
)
class Beside:
    """Whether the text is the reference's."""

    def score(self, sample: Sample) -> Outcome:
        return Outcome({"exact": float(sample.prediction == sample.reference["text"])}, evidence=sample.reference)
