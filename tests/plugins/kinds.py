"""An evaluator with a field of every kind, so that each can be followed from its definition to the signature."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from pathlib import Path
from typing import Literal

from jatdae import Metric, Outcome, Sample, evaluator


class Shade(StrEnum):
    """A choice of names."""

    DARK = "dark"
    PALE = "pale"


@evaluator(
    "kinds",
    metrics=[Metric("score", "higher", worst=0.0), Metric("at@0.5", "lower", worst=1.0)],
    renamed={"how_many": "count", "points": "score"},
)
class Kinds:
    """A field of every kind."""

    truth: bool = False
    """Yes or no."""
    count: int = 3
    """How many,
    written on two lines."""
    share: float = 0.5
    """A part of one."""
    word: str = "plain"
    """A word."""
    choice: Literal["first", "second"] = "first"
    """One of two."""
    shade: Shade = Shade.DARK
    """One of two names."""
    steps: tuple[str, ...] = ("trim",)
    """Names in order."""
    names: list[str] = field(default_factory=list)
    """Names in a list."""
    marks: frozenset[str] = frozenset()
    """Names in no order."""
    weights: dict[str, float] = field(default_factory=dict)
    """Numbers by name."""
    file: Path | None = None
    """A file."""
    files: tuple[Path, ...] | None = None
    """Files."""

    def score(self, sample: Sample) -> Outcome:
        return Outcome({"score": float(sample.prediction == sample.reference), "at@0.5": self.share})
