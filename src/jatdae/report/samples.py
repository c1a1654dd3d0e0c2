"""The samples that a report page embeds: values of many samples, evidence of the worst."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import pyarrow as pa

from jatdae.core.contract import BASELINE, Metric
from jatdae.run.output.part import metric_column
from jatdae.run.stats.result import Result

MOST_VALUES: Final = 50_000
MOST_EVIDENCE: Final = 500
DIGITS: Final = 6

Place = tuple[int, int]
"""The number of a table and of a row in it."""


@dataclass(slots=True)
class SampleRows:
    """Ids, values and labels of all scored samples of a run, as columns; `places` says where the rest is stored."""

    ids: list[str] = field(default_factory=list)
    systems: list[str] = field(default_factory=list)
    values: list[list[float | None]] = field(default_factory=list)
    """One list per metric."""
    meta: list[dict[str, str]] = field(default_factory=list)
    issues: list[list[str]] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)


def read_rows(result: Result) -> SampleRows:
    """Read the scored samples of a run for its report, as columns, without those of its baselines."""
    metrics = result.metrics
    rows = SampleRows(values=[[] for _ in metrics])
    for number, table in enumerate(result.tables):
        systems = table.column("system").to_pylist()
        kept = [at for at, name in enumerate(systems) if not name.startswith(BASELINE)]
        mine = table if len(kept) == len(systems) else table.take(pa.array(kept, pa.int64()))
        rows.ids += mine.column("id").to_pylist()
        rows.systems += mine.column("system").to_pylist()
        for metric, column in zip(metrics, rows.values, strict=True):
            column.extend(mine.column(metric_column(metric.name)).to_pylist())
        rows.meta += mine.column("meta").to_pylist(maps_as_pydicts="strict")
        rows.issues += [sorted({issue["code"] for issue in found}) for found in mine.column("issues").to_pylist()]
        rows.places += [(number, at) for at in kept]
    return rows


def worst_first(rows: SampleRows, metrics: Sequence[Metric]) -> list[int]:
    """Order the samples of a report from the worst value of the primary metric to the best, as row numbers.

    Samples without a value come last.
    """
    at = next((at for at, metric in enumerate(metrics) if metric.primary), 0)
    values, sign = rows.values[at], 1 if metrics[at].better == "higher" else -1

    def badness(row: int) -> tuple[float, int]:
        value = values[row]
        return (math.inf if value is None else sign * value, row)

    return sorted(range(len(rows.ids)), key=badness)


def gather_systems(order: Sequence[int], rows: SampleRows, most: int | None) -> list[int]:
    """Reorder samples for a report so that all systems of one are adjacent, and cut after `most` rows."""
    same: dict[str, list[int]] = {}
    for row in order:
        same.setdefault(rows.ids[row], []).append(row)
    gathered = [row for group in same.values() for row in group]
    return gathered if most is None else gathered[:most]


def columns_of(rows: SampleRows, kept: Sequence[int], systems: Sequence[str]) -> dict[str, Any]:
    """Sample rows of a report page as columns of JSON values.

    Systems, issue codes and labels are numbers into lists.
    """
    number = {name: at for at, name in enumerate(systems)}
    codes = sorted({code for row in kept for code in rows.issues[row]})
    code_at = {code: at for at, code in enumerate(codes)}
    return {
        "ids": [rows.ids[row] for row in kept],
        "systems": [number[rows.systems[row]] for row in kept],
        "values": [[_rounded(column[row]) for row in kept] for column in rows.values],
        "codes": codes,
        "issues": [[code_at[code] for code in rows.issues[row]] for row in kept],
        "meta": _label_columns([rows.meta[row] for row in kept]),
    }


def details_of(result: Result, rows: SampleRows, chosen: Iterable[int]) -> dict[int, dict[str, Any]]:
    """Read evidence, issues with messages, and units of chosen samples of a report, by row number."""
    by_table: dict[int, list[tuple[int, int]]] = {}
    for row in chosen:
        number, at = rows.places[row]
        by_table.setdefault(number, []).append((row, at))
    found = {}
    for number, places in sorted(by_table.items()):
        table: pa.Table = result.tables[number]
        part = table.take(pa.array([at for _, at in places], pa.int64())).select(["evidence", "issues", "units"])
        for (row, _), one in zip(places, part.to_pylist(maps_as_pydicts="strict"), strict=True):
            found[row] = {
                "evidence": json.loads(one["evidence"]) if one["evidence"] else None,
                "issues": [[each["code"], each["message"], each["severity"]] for each in one["issues"]],
                "units": [
                    {"id": unit["id"], "kind": unit["kind"], "meta": unit["meta"], "values": unit["values"]}
                    for unit in one["units"]
                ],
            }
    return found


def _label_columns(metas: Sequence[dict[str, str]]) -> dict[str, dict[str, Any]]:
    """For each meta key its distinct values, and for each row the number of its value; -1 if the row has none."""
    made: dict[str, dict[str, Any]] = {}
    for key in dict.fromkeys(key for meta in metas for key in meta):
        known = sorted({meta[key] for meta in metas if key in meta})
        at = {value: place for place, value in enumerate(known)}
        made[key] = {"known": known, "at": [at[meta[key]] if key in meta else -1 for meta in metas]}
    return made


def _rounded(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else round(value, DIGITS)
