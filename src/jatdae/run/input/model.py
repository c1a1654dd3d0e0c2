"""What is to be scored: from the files a user names to the shards a worker is handed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from jatdae.core.errors import UsageError
from jatdae.core.messages import near, say
from jatdae.run.input.batches import Reading
from jatdae.run.input.files import RowFile
from jatdae.run.input.rows import Fields

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


def choose(systems: Sequence[str], only: Sequence[str], skip: Sequence[str]) -> list[str]:
    """The systems that are wanted, in their order."""
    for name in (*only, *skip):
        if name not in systems:
            known = ", ".join(systems)
            raise UsageError(say("unknown_system", name=name, near=near(name, systems), known=known))
    chosen = [name for name in systems if name not in skip and (not only or name in only)]
    if not chosen:
        raise UsageError(say("no_system_left"))
    return chosen


def systems_of(inputs: Inputs) -> list[str]:
    """The systems an input names; those that only its rows name are not known before they are read."""
    return [name for name, _ in (*inputs.pairs, *inputs.predictions) if name]


def narrowed(inputs: Inputs, chosen: Collection[str]) -> Inputs:
    """The input with these systems alone."""
    pairs = tuple(pair for pair in inputs.pairs if pair[0] in chosen)
    return replace(inputs, pairs=pairs, predictions=tuple(each for each in inputs.predictions if each[0] in chosen))
