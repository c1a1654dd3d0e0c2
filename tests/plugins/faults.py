"""Evaluators that break the contract in a chosen way on the sample that asks for it (prediction "boom")."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn

from jatdae import Issue, Metric, Outcome, Sample, Unit, evaluator

NAN, INF = float("nan"), float("inf")


def _raise(error: BaseException) -> NoReturn:
    raise error


FAULTS: dict[str, Callable[[], Any]] = {
    "raises": lambda: _raise(RuntimeError("no luck")),
    "recurses": lambda: _raise(RecursionError("too deep")),
    "exits": lambda: sys.exit(0),
    "dies": lambda: os._exit(9),
    "killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "starves": lambda: bytearray(1 << 60),
    "no_outcome": lambda: {"score": 1.0},
    "text_value": lambda: Outcome({"score": "high"}),
    "number_as_text": lambda: Outcome({"score": "0.5"}),
    "list_value": lambda: Outcome({"score": [1.0]}),
    "misspelt": lambda: Outcome({"skore": 1.0}),
    "undeclared": lambda: Outcome({"score": 1.0, "other": 1.0}),
    "nan_value": lambda: Outcome({"score": NAN}),
    "inf_value": lambda: Outcome({"score": -INF}),
    "vast_value": lambda: Outcome({"score": 1.7e308}),
    "no_value": lambda: Outcome({"score": None}),
    "text_stat": lambda: Outcome({"score": 1.0}, stats={"n": "one"}),
    "nan_stat": lambda: Outcome({"score": 1.0}, stats={"n": NAN}),
    "inf_stat": lambda: Outcome({"score": 1.0}, stats={"n": INF}),
    "vast_stat": lambda: Outcome({"score": 1.0}, stats={"n": 1.7e308}),
    "number_key": lambda: Outcome({"score": 1.0}, stats={1: 1.0, "n": 1.0}),
    "half_count": lambda: Outcome({"score": 1.0}, counts={"table": {"key": 0.5}}),
    "bad_unit": lambda: Outcome({"score": 1.0}, units=(Unit("u", "turn", values={"score": "high"}),)),
    "nan_unit": lambda: Outcome({"score": 1.0}, units=(Unit("u", "turn", values={"score": NAN}),)),
    "nan_unit_stat": lambda: Outcome({"score": 1.0}, units=(Unit("u", "turn", stats={"n": NAN}),)),
    "no_unit": lambda: Outcome({"score": 1.0}, units=("turn",)),
    "no_issue": lambda: Outcome({"score": 1.0}, issues=("late",)),
    "odd_evidence": lambda: Outcome({"score": 1.0}, evidence={"big": 10**30, "lone": "\ud800", "set": {"s", "e", "t"}}),
    "looped_evidence": lambda: Outcome({"score": 1.0}, evidence=_loop()),
}


def _loop() -> list[Any]:
    looped: list[Any] = []
    looped.append(looped)
    return looped


@evaluator("faults", metrics=[Metric("score", "higher", worst=0.0)])
class Faults:
    """Scores 1, but for what it is asked to break."""

    fault: str = "raises"
    """What to do wrong."""
    unless: str = ""
    """A file in whose presence nothing is wrong."""
    once: bool = False
    """Write that file before the first fault, so that it stays the only one."""

    def score(self, sample: Sample) -> Outcome:
        if sample.prediction == "boom" and not (self.unless and Path(self.unless).exists()):
            if self.once:
                Path(self.unless).touch()
            outcome: Outcome = FAULTS[self.fault]()
            return outcome
        return Outcome({"score": 1.0}, stats={"n": 1.0})


@evaluator("reducer", metrics=[Metric("score", "higher", worst=0.0)])
class Reducer:
    """Reduces as it is told."""

    how: str = "divide"
    """What `reduce` does."""

    def score(self, sample: Sample) -> Outcome:
        return Outcome({"score": 1.0}, stats={"n": float(sample.prediction != "nothing")})

    def reduce(self, stats: Mapping[str, float]) -> Any:
        return {
            "divide": lambda: {"score": 1 / stats["n"]},
            "infinite": lambda: {"score": INF},
            "raises": lambda: _raise(KeyError("m")),
            "text": lambda: {"score": "high"},
            "nothing": lambda: None,
        }[self.how]()


@evaluator("choosy", metrics=[Metric("score", "higher", worst=0.0, primary=True)])
class Choosy:
    """Gives the value its reference says, which may be none."""

    def score(self, sample: Sample) -> Outcome:
        value = None if sample.reference == "none" else float(sample.reference)
        return Outcome({"score": value}, issues=() if value is not None else (Issue("unsure"),))
