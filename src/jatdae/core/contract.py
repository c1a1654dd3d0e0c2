"""What goes into an evaluator and what comes out of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from jatdae.core.quick import quick

Direction = Literal["higher", "lower"]
Severity = Literal["info", "warning", "error"]


@quick
@dataclass(frozen=True, slots=True)
class Sample:
    """One document, conversation, record or description: what a system wrote and what it should have written."""

    id: str
    prediction: Any
    reference: Any
    meta: Mapping[str, str] = field(default_factory=dict)
    """Slice keys."""
    system: str = ""
    """Which model or parser wrote it; (system, id) is unique in a run."""
    cluster: str = ""
    """What belongs together when resampling (patient, book); "" is the sample itself."""


@dataclass(frozen=True, slots=True)
class Issue:
    """Something a reader of the score must know; counted by `code` in every summary."""

    code: str
    message: str = ""
    severity: Severity = "warning"


@dataclass(frozen=True, slots=True)
class Unit:
    """A row below a sample: a table of a document, a turn of a conversation."""

    id: str
    kind: str
    meta: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, float | None] = field(default_factory=dict)
    stats: Mapping[str, float] = field(default_factory=dict)


@quick
@dataclass(frozen=True, slots=True)
class Outcome:
    """What one sample scored, and why."""

    values: Mapping[str, float | None]
    """This sample's metrics; None is "not applicable", and an issue says why."""
    stats: Mapping[str, float] = field(default_factory=dict)
    """Additive numbers: summed over samples, then given to `reduce`."""
    counts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Additive tables with open keys: fields, confusions, atoms."""
    units: tuple[Unit, ...] = ()
    evidence: Any = None
    """JSON-able: what a person needs to see why."""
    issues: tuple[Issue, ...] = ()


@dataclass(frozen=True, slots=True)
class Metric:
    """A number an evaluator reports. Values are fractions; `unit` ("%", or "pp" for percentage points) is only how
    they are shown."""

    name: str
    better: Direction
    worst: float
    """What a missing prediction is given."""
    unit: str = ""
    primary: bool = False
    absent: tuple[str, ...] = ()
    """Codes of issues that explain a system without any value, the one to be told first."""
