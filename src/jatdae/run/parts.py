"""A part is the outcome of one shard, as Parquet with one fixed schema; a table in memory has the same."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from jatdae.core.contract import Metric
from jatdae.core.errors import EngineError
from jatdae.core.messages import say

STATS: Final = pa.map_(pa.string(), pa.float64(), keys_sorted=True)
LABELS: Final = pa.map_(pa.string(), pa.string(), keys_sorted=True)
COUNTS: Final = pa.map_(pa.string(), pa.map_(pa.string(), pa.int64(), keys_sorted=True), keys_sorted=True)
UNITS: Final = pa.list_(
    pa.struct({"id": pa.string(), "kind": pa.string(), "meta": LABELS, "values": STATS, "stats": STATS})
)
ISSUES: Final = pa.list_(pa.struct({"code": pa.string(), "message": pa.string(), "severity": pa.string()}))

EVIDENCE: Final = pa.dictionary(pa.int32(), pa.string())
"""JSON; samples that share an outcome share its text."""


def schema(metrics: Sequence[Metric]) -> pa.Schema:
    """The columns of a part: what is known of the sample, a column per metric, and the rest of its Outcome."""
    return pa.schema(
        [("id", pa.string()), ("system", pa.string()), ("cluster", pa.string()), ("meta", LABELS)]
        + [(metric_column(metric.name), pa.float64()) for metric in metrics]
        + [
            ("stats", STATS),
            ("counts", COUNTS),
            ("units", UNITS),
            ("evidence", EVIDENCE),
            ("issues", ISSUES),
        ]
    )


def metric_column(name: str) -> str:
    """The column of a metric; prefixed, because a metric may be called `id`."""
    return f"metric.{name}"


def write_part(table: pa.Table, target: Path, stamp: str) -> None:
    """Write under a name of its own, then move into place: a part is there whole or not at all."""
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    stamped = table.replace_schema_metadata({"jatdae": stamp})
    try:
        with temporary.open("wb") as file:
            pq.write_table(
                stamped,
                file,
                compression="zstd",
                compression_level=1,
                use_dictionary=_repeating(table.schema),
                write_statistics=False,  # nobody looks for values in parts
                store_schema=True,
            )
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise EngineError(say("cannot_write", place=target, problem=error.strerror or error)) from None


def read_part(path: Path, columns: Sequence[str] | None = None) -> pa.Table:
    """A part's table."""
    try:
        return pq.ParquetFile(path).read(columns=list(columns) if columns else None)
    except (OSError, pa.ArrowException) as error:
        raise EngineError(say("broken_part", place=path, problem=str(error).splitlines()[0])) from None


def part_is_ours(path: Path, stamp: str) -> bool:
    """Whether a finished part of this very run lies there."""
    try:
        metadata = pq.ParquetFile(path).metadata.metadata or {}
    except (OSError, pa.ArrowException):
        return False
    return bool(metadata.get(b"jatdae") == stamp.encode())


def _repeating(columns: pa.Schema) -> list[str]:
    """The columns that are kept as numbers of what repeats in them: all but ids, and what is mostly empty."""
    metrics = [name for name in columns.names if name.startswith(metric_column(""))]
    maps = [f"{name}.key_value.{part}" for name in ("meta", "stats") for part in ("key", "value")]
    return ["system", "cluster", "evidence", *maps, *metrics]
