"""Types for the input of a run: the files a user names, and the plan and shards made of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from jatdae.core.errors import UsageError
from jatdae.core.messages import near, say
from jatdae.run.input.batches import Reading
from jatdae.run.input.files import RowFile
from jatdae.run.input.rows import Fields

Role = Literal["pairs", "reference", "prediction"]


@dataclass(frozen=True, slots=True)
class Inputs:
    """Input of a run as the user gave it: files, systems, fields and slices."""

    pairs: tuple[tuple[str, str], ...] = ()
    """(system, path): prediction and reference on the same row."""
    reference: str = ""
    predictions: tuple[tuple[str, str], ...] = ()
    """(system, path), joined with the reference by id."""
    fields: Fields = field(default_factory=Fields)
    slices: tuple[str, ...] = ()
    on_bad_row: Literal["error", "count"] = "error"
    missing: Literal["worst", "skip", "error"] = "worst"
    alone: bool = False
    """There are no references, and the evaluator can do without: every prediction is joined with itself."""
    layout: str = ""
    """Name of the layout in which the evaluator itself reads the pairs."""


@dataclass(frozen=True, slots=True)
class Source:
    """An input file of a run, how its rows are read, and for predictions its id index."""

    file: RowFile
    reading: Reading
    role: Role
    index: str = ""
    checksum: str = ""
    """Of the file, where workers that find predictions in it may see another one than this machine, else ""."""


@dataclass(frozen=True, slots=True)
class Shard:
    """A byte range of an input file that one worker scores.

    `predictions` is the source joined to it, -1 for none.
    """

    number: int
    source: int
    predictions: int
    start: int
    end: int
    first_line: int
    first_row: int
    rows: int
    checksum: str = ""
    """Of the bytes, where workers may see other ones than this machine, else ""."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Plan of a run: its input files, shards, number of rows and input hashes."""

    sources: tuple[Source, ...]
    shards: tuple[Shard, ...]
    rows: int
    refs: str
    preds: str
    bad_rows: int = 0
    bad_examples: tuple[str, ...] = ()
    extra_predictions: tuple[tuple[str, int], ...] = ()
    recognised: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By file, its encoding and what separates its cells, where they are not the usual ones."""
    notes: tuple[str, ...] = ()
    """What a person should be told of the input, in the chosen language."""
    references: Mapping[str, str] = field(default_factory=dict)
    """By system, the digest of its references, where they differ."""


def choose(systems: Sequence[str], only: Sequence[str], skip: Sequence[str]) -> list[str]:
    """Choose systems from the model of a run's input by `only` and `skip`, in their order."""
    if (only or skip) and not any(systems):
        raise UsageError(say("no_system_named"))
    for name in (*only, *skip):
        if name not in systems:
            known = ", ".join(systems)
            raise UsageError(say("unknown_system", name=name, near=near(name, systems), known=known))
    chosen = [name for name in systems if name not in skip and (not only or name in only)]
    if not chosen:
        raise UsageError(say("no_system_left"))
    return chosen


def alone(inputs: Inputs) -> Inputs:
    """Model of a run's input without references, for an evaluator that can do without; for one system."""
    ((_, path),) = inputs.predictions
    return replace(inputs, reference=path, alone=True)


def lacks_only_reference(inputs: Inputs) -> bool:
    """Whether the input of a run is the predictions of one system and nothing else."""
    return len(inputs.predictions) == 1 and not inputs.reference and not inputs.pairs


def systems_of(inputs: Inputs) -> list[str]:
    """Names of the systems in the model of a run's input; names in its rows are not known yet."""
    return [name for name, _ in (*inputs.pairs, *inputs.predictions) if name]


def narrowed(inputs: Inputs, chosen: Collection[str]) -> Inputs:
    """Model of a run's input restricted to the chosen systems."""
    pairs = tuple(pair for pair in inputs.pairs if pair[0] in chosen)
    return replace(inputs, pairs=pairs, predictions=tuple(each for each in inputs.predictions if each[0] in chosen))
