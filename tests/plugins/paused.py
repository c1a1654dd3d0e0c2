"""An evaluator that stands still at one sample until it is let go, so that a test can stop it there."""

from __future__ import annotations

import time
from pathlib import Path

from jatdae import Metric, Outcome, Sample, evaluator


@evaluator("paused", metrics=[Metric("score", "higher", worst=0.0)])
class Paused:
    """Scores 1."""

    at: str = ""
    """The id to stop at."""
    here: str = "here"
    """A file written on arrival."""
    go: str = "go"
    """A file whose presence lets it go."""

    def score(self, sample: Sample) -> Outcome:
        if sample.id == self.at:
            Path(self.here).touch()
            while not Path(self.go).exists():
                time.sleep(0.01)
        return Outcome({"score": 1.0}, stats={"n": 1.0})
