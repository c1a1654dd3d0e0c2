"""What manifest and summary of a run hold, as far as it is read: pydantic models to tell damaged and foreign ones.

Files of today are known by their checksums; a run in progress and runs of before have none. Apart from the run folder,
because every command would wait for pydantic.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict


class Shape(BaseModel):
    """Base of the models; keys that are not named here may be there too."""

    model_config = ConfigDict(strict=True)


class PlanShape(Shape):
    """Plan in a manifest."""

    shards: list[list[int]]


class ManifestShape(Shape):
    """Shape of `manifest.json`."""

    signature: str
    signature_hash: str
    signature_parts: dict[str, Any]
    input: list[dict[str, str]]
    plan: PlanShape
    versions: dict[str, str]
    kernel: str
    resumed_with: list[dict[str, str]] = []


class MetricShape(Shape):
    """Metric in a summary, as it was declared."""

    better: Literal["higher", "lower"]
    unit: str
    worst: float
    primary: bool
    absent: list[str] = []
    range: list[float | None] = []
    family: bool = True


class ValuesShape(Shape):
    """Metric in a summary, as it came out for a system or a slice."""

    macro: float | None
    micro: float | None
    n: int
    na: int
    ci: list[float] | None = None
    micro_ci: list[float] | None = None


class GroupShape(Shape):
    """System, baseline, slice or kind of unit in a summary."""

    n: int
    metrics: dict[str, ValuesShape]
    issues: dict[str, dict[str, int]] = {}
    counts: dict[str, dict[str, int]] = {}
    stats: dict[str, float] = {}
    units: dict[str, GroupShape] = {}
    slices: dict[str, dict[str, GroupShape]] = {}


class InputShape(Shape):
    """What a summary says of the input."""

    rows: int
    bad_rows: int
    bad_examples: list[str]
    extra_predictions: dict[str, int]
    references: dict[str, str] = {}


class SummaryShape(Shape):
    """Shape of `summary.json`."""

    evaluator: str
    signature: str
    metrics: dict[str, MetricShape]
    input: InputShape
    systems: dict[str, GroupShape]
    baselines: dict[str, GroupShape] = {}
    issues: dict[str, dict[str, str]] = {}
    counts: dict[str, dict[str, bool]] = {}
    interval: dict[str, float | str] = {}
    paired_by: str = ""


SHAPES: Final[dict[str, type[Shape]]] = {
    "manifest.json": ManifestShape,
    "summary.json": SummaryShape,
}
