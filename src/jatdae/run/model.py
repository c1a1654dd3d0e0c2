"""What a run is made of, from what the user gave to what a worker is handed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal
from uuid import uuid4

from jatdae.core.registry import Description
from jatdae.run.items import Reading
from jatdae.run.rows import Fields
from jatdae.run.sources import RowFile

Survey = Mapping[str, Mapping[str, float]]
"""Per system, what the evaluator's survey of all its samples summed up to."""
Role = Literal["pairs", "reference", "prediction"]


@dataclass(frozen=True, slots=True)
class Inputs:
    """What to read, as the user gave it."""

    pairs: tuple[tuple[str, str], ...] = ()
    """(system, path): prediction and reference on the same row."""
    reference: str = ""
    predictions: tuple[tuple[str, str], ...] = ()
    """(system, path), joined with the reference by id."""
    fields: Fields = field(default_factory=Fields)
    slices: tuple[str, ...] = ()
    on_bad_row: Literal["error", "count"] = "error"
    missing: Literal["worst", "skip", "error"] = "worst"


@dataclass(frozen=True, slots=True)
class Source:
    """An input with how it is read, and for predictions where its index is."""

    file: RowFile
    reading: Reading
    role: Role
    index: str = ""


@dataclass(frozen=True, slots=True)
class Shard:
    """A byte range of the source that drives it; `predictions` is the source joined to it, -1 for none."""

    number: int
    source: int
    predictions: int
    start: int
    end: int
    first_line: int
    first_row: int
    rows: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What will be scored."""

    sources: tuple[Source, ...]
    shards: tuple[Shard, ...]
    rows: int
    refs: str
    preds: str
    bad_rows: int = 0
    bad_examples: tuple[str, ...] = ()
    extra_predictions: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Job:
    """What every worker is told; with a shard, all it needs."""

    evaluator: Description
    sources: tuple[Source, ...]
    missing: str
    stamp: str
    """Stands in each part, so that a part scored otherwise is never taken for ours."""
    survey: Survey = field(default_factory=dict)
    token: str = field(default_factory=lambda: uuid4().hex)
    """Names this very call; nothing that is written holds it."""
    bound: bytes = b""
    """Keys of references that baselines may be scored on are below it."""
