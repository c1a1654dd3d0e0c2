"""An evaluator of your own in one file: the share of predictions that equal their reference.

jatdae run --plugin exact_match.py:ExactMatch pairs.jsonl
"""

from jatdae import Metric, Outcome, Ratio, Sample, evaluator


@evaluator(
    "exact-match",
    metrics=[Metric("exact", "higher", worst=0.0, unit="%", primary=True, micro=Ratio("hits", "n"))],
)
class ExactMatch:
    """Share of predictions that equal their reference."""

    casefold: bool = False
    """Ignore the difference between upper and lower case."""

    def score(self, sample: Sample) -> Outcome:
        prediction, reference = str(sample.prediction), str(sample.reference)
        if self.casefold:
            prediction, reference = prediction.casefold(), reference.casefold()
        hit = float(prediction == reference)
        return Outcome({"exact": hit}, stats={"hits": hit, "n": 1.0})
