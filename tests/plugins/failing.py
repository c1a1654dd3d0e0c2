"""An evaluator of which one hook, the one that is named, fails."""

from __future__ import annotations

from typing import Any

from jatdae import Metric, Outcome, Sample, evaluator
from jatdae.core.errors import DataError

ERRORS = {"key": KeyError("gone"), "exit": SystemExit(0), "disk": OSError(28, "No space left"), "ours": DataError("no")}


@evaluator("failing", metrics=[Metric("hit", "higher", worst=0.0)])
class Failing:
    """Takes anything for right."""

    hook: str = ""
    """The hook that fails."""
    error: str = "key"
    """What it raises."""

    def _reach(self, hook: str) -> None:
        if hook == self.hook:
            raise ERRORS[self.error]

    def score(self, sample: Sample) -> Outcome:
        return Outcome({"hit": 1.0})

    def survey(self, sample: Sample) -> dict[str, float]:
        return {}

    def informed(self, survey: dict[str, float]) -> Failing:
        self._reach("informed")
        return self

    def applicable(self, sample: Sample) -> set[str]:
        self._reach("applicable")
        return {"hit"}

    def baseline_predictions(self, references: Any) -> dict[str, list[Any]]:
        self._reach("baseline_predictions")
        return {}

    def signature_parts(self) -> dict[str, str]:
        self._reach("signature_parts")
        return {}

    def key_names(self) -> dict[str, dict[str, str]]:
        self._reach("key_names")
        return {}

    def export(self, run: Any, folder: Any) -> None:
        self._reach("export")
