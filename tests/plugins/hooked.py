"""An evaluator with the hooks that are not held elsewhere: which metrics apply, and files of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jatdae import Issue, Metric, Outcome, Sample, evaluator


@evaluator("hooked", metrics=[Metric("words", "higher", worst=0.0), Metric("numbers", "higher", worst=0.0)])
class Hooked:
    """Two metrics, of which a reference has the one or the other."""

    def applicable(self, sample: Sample) -> frozenset[str]:
        return frozenset({"numbers" if sample.reference.isdecimal() else "words"})

    def score(self, sample: Sample) -> Outcome:
        hit = float(sample.prediction == sample.reference)
        values = {name: hit if name in self.applicable(sample) else None for name in ("words", "numbers")}
        return Outcome(values, stats={"n": 1.0}, issues=(Issue("other_kind", severity="info"),))

    def export(self, run: Any, folder: Path) -> None:
        (folder / "words.txt").write_text(str(run.summary()["systems"][""]["metrics"]["words"]["n"]))
