"""The samples that a report page embeds: values of many samples, evidence of the worst.

Of a run of any size only ids, systems and values are read in full, as arrays. The rest of a row (labels, issues,
evidence) is read for the rows that the page shows.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import zip_longest
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from jatdae.core.contract import Metric
from jatdae.report.sheets import GRAVEST_FIRST
from jatdae.run.output.part import metric_column
from jatdae.run.stats.result import Result, columns_of_part

MOST_VALUES: Final = 50_000
"""Rows that a page embeds."""
MOST_WORST: Final = MOST_VALUES // 2
"""Rows among them that are the worst, where a run has more than a page embeds; the others are drawn evenly."""
MOST_EVIDENCE: Final = 500
SHOWN_FIRST: Final = 5
"""The worst samples that a page names on its first screen: they always come with evidence."""
DIGITS: Final = 6
ID: Final = pa.large_string()
"""All ids of a run in one array may have more than 2 GB."""

_MANY_DIGITS: Final = re.compile(r"-?\d{1,3}\.\d{5,}", re.ASCII)

Rows = NDArray[np.int64]
Place = tuple[int, int]
"""The number of a table and of a row in it."""


@dataclass(frozen=True)
class SampleValues:
    """Systems and values of all scored samples of a run, as arrays."""

    ids: pa.Array
    """Different ids, in the order of the input."""
    samples: Rows
    """Of each row the number of its id."""
    systems: Rows
    """Of each row the number of its system in the summary."""
    values: NDArray[np.float64]
    """A line for each metric; NaN where there is no value."""
    tables: Rows
    """Of each row the number of the table that holds the rest of it."""
    at: Rows
    """Of each row its place in that table."""

    def __len__(self) -> int:
        return len(self.samples)

    @cached_property
    def rows_by_sample(self) -> tuple[Rows, Rows]:
        """Rows sorted by sample, and where each sample starts among them."""
        order = np.argsort(self.samples, kind="stable")
        return order, np.searchsorted(self.samples[order], np.arange(len(self.ids) + 1))

    def rows_of(self, samples: Iterable[int]) -> list[int]:
        """Rows of these samples, one sample after the other."""
        order, starts = self.rows_by_sample
        return [row for each in samples for row in order[starts[each] : starts[each + 1]].tolist()]


@dataclass(slots=True)
class SampleRows:
    """Ids, values, labels and issues of some samples of a run, as columns; `places` says where the rest is stored."""

    ids: list[str] = field(default_factory=list)
    systems: list[str] = field(default_factory=list)
    values: list[list[float | None]] = field(default_factory=list)
    """One list per metric."""
    meta: list[dict[str, str]] = field(default_factory=list)
    issues: list[list[str]] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)


def read_values(result: Result) -> SampleValues:
    """Read ids, systems and values of the scored samples of a run for its report, without those of its baselines."""
    number = {name: at for at, name in enumerate(result.summary["systems"])}
    names = [metric_column(metric.name) for metric in result.metrics]
    ids, systems, values, tables, places = [], [], [], [], []
    for at in range(len(result.tables)):
        table = columns_of_part(result, at, ["id", "system", *names])
        owners = _one_chunk(table.column("system")).dictionary_encode()
        numbers = np.array([number.get(name, -1) for name in owners.dictionary.to_pylist()], np.int64)
        owner = numbers[owners.indices.to_numpy()] if len(table) else np.empty(0, np.int64)
        kept = np.flatnonzero(owner >= 0)
        ids.append(_one_chunk(table.column("id")).take(pa.array(kept)).cast(ID))
        systems.append(owner[kept])
        columns = [np.asarray(table.column(name).to_numpy(), np.float64)[kept] for name in names]
        values.append(np.array(columns).reshape(len(names), len(kept)))
        tables.append(np.full(len(kept), at))
        places.append(kept)
    named = (pa.concat_arrays(ids) if ids else pa.array([], ID)).dictionary_encode()
    samples = named.indices.to_numpy().astype(np.int64)
    every = [np.concatenate(found) if found else np.empty(0, np.int64) for found in (systems, tables, places)]
    joined = np.concatenate(values, axis=1) if values else np.empty((len(names), 0))
    return SampleValues(named.dictionary, samples, every[0], joined, every[1], every[2])


def read_rows(result: Result, values: SampleValues | None = None, wanted: Iterable[int] | None = None) -> SampleRows:
    """Read some scored samples of a run for its report (default: all), as columns, in the given order."""
    values = read_values(result) if values is None else values
    rows = np.arange(len(values)) if wanted is None else np.fromiter(wanted, np.int64)
    systems = list(result.summary["systems"])
    made = SampleRows(
        ids=values.ids.take(pa.array(values.samples[rows])).to_pylist(),
        systems=[systems[at] for at in values.systems[rows].tolist()],
        values=[[None if math.isnan(each) else each for each in line[rows].tolist()] for line in values.values],
        meta=[{}] * len(rows),
        issues=[[]] * len(rows),
        places=list(zip(values.tables[rows].tolist(), values.at[rows].tolist(), strict=True)),
    )
    for number, here in _by_table(made.places).items():
        part = columns_of_part(result, number, ["meta", "issues"])
        mine = part.take(pa.array([at for _, at in here], pa.int64()))
        labels = mine.column("meta").to_pylist(maps_as_pydicts="strict")
        found = mine.column("issues").to_pylist()
        for (row, _), meta, issues in zip(here, labels, found, strict=True):
            made.meta[row] = meta
            made.issues[row] = _gravest_first(issues)
    return made


def _gravest_first(issues: Iterable[Mapping[str, str]]) -> list[str]:
    """Codes of the issues of a sample, each once: errors, then warnings, then what is only told."""
    found = sorted((GRAVEST_FIRST.index(each["severity"]), each["code"]) for each in issues)
    return list(dict.fromkeys(code for _, code in found))


def worst_first(values: SampleValues, metrics: Sequence[Metric], at: int | None = None) -> Rows:
    """Order the samples of a report from the worst value of a metric (default: the primary one) to the best.

    Samples without a value come last.
    """
    at = primary_at(metrics) if at is None else at
    gains = values.values[at] if metrics[at].better == "higher" else -values.values[at]
    return np.argsort(np.where(np.isnan(gains), np.inf, gains), kind="stable")


def primary_at(metrics: Sequence[Metric]) -> int:
    """Place of the primary metric among those of a report."""
    return next((at for at, metric in enumerate(metrics) if metric.primary), 0)


def gather_systems(order: Rows, values: SampleValues) -> Rows:
    """Reorder samples for a report so that all systems of one are adjacent."""
    samples = values.samples[order]
    first = np.full(len(values.ids), len(order))
    np.minimum.at(first, samples, np.arange(len(order)))
    return order[np.argsort(first[samples], kind="stable")]


@dataclass(frozen=True, slots=True)
class ChosenRows:
    """Rows of a run that its page shows."""

    kept: list[int]
    """From the worst to the best, all systems of a sample together."""
    explained: list[int]
    """Those that come with evidence."""
    worst: int
    """How many were chosen as the worst; where all rows are kept, that is all of them."""


def choose_rows(
    values: SampleValues, metrics: Sequence[Metric], behind: Sequence[int], evidence: int | None
) -> ChosenRows:
    """Choose the rows that a page shows, and among them those with evidence (None: all).

    The worst are taken in turn from each metric of the family and from `behind`, the rows behind what goes wrong. Where
    a run has more rows than a page, half of the page are the worst, and the rest is drawn evenly from the others,
    from the worst to the best, so that the same run always makes the same page.
    """
    order = gather_systems(worst_first(values, metrics), values)
    if len(order) <= MOST_VALUES:
        explained = order.tolist() if evidence is None else _worst_rows(values, metrics, behind, evidence)
        return ChosenRows(order.tolist(), explained, len(order))
    worst = _worst_rows(values, metrics, behind, MOST_WORST)
    is_kept = np.zeros(len(values.ids), bool)
    is_kept[values.samples[worst]] = True
    chosen = is_kept[values.samples[order]]
    room = (MOST_VALUES - int(chosen.sum())) // (int(values.systems.max()) + 1)
    is_kept[_drawn(values.samples[order[~chosen]], room)] = True
    kept = order[is_kept[values.samples[order]]].tolist()
    first = list(dict.fromkeys([*worst, *kept]))
    return ChosenRows(kept, first[:evidence], int(chosen.sum()))


def _worst_rows(values: SampleValues, metrics: Sequence[Metric], behind: Sequence[int], most: int) -> list[int]:
    """The worst samples with all their rows: first those of the primary metric, then in turn of every source."""
    if not most or not len(values):
        return []
    first = primary_at(metrics)
    family = [at for at, metric in enumerate(metrics) if metric.family and at != first]
    sources = [_ranked_samples(values, worst_first(values, metrics, at)[:most]) for at in (first, *family)]
    taken = dict.fromkeys(sources[0][:SHOWN_FIRST])
    for rank in zip_longest(*sources, _ranked_samples(values, np.array(behind, np.int64))):
        taken.update(dict.fromkeys(each for each in rank if each is not None))
        if len(taken) >= most:
            break
    return values.rows_of(taken)[:most]


def _ranked_samples(values: SampleValues, order: Rows) -> list[int]:
    return list(dict.fromkeys(values.samples[order].tolist()))


def _drawn(ranked: Rows, most: int) -> Rows:
    """At most `most` samples, evenly spaced among the ranked ones."""
    samples = np.fromiter(dict.fromkeys(ranked.tolist()), np.int64)
    if most >= len(samples):
        return samples
    return samples[((np.arange(max(0, most)) + 0.5) * len(samples) / max(1, most)).astype(np.int64)]


def find_rows(values: SampleValues, wanted: Iterable[tuple[str, int]]) -> list[int | None]:
    """Row of each (id, number of a system); None where a run has no such row."""
    pairs = list(wanted)
    known: list[int | None] = pc.index_in(pa.array([name for name, _ in pairs], ID), values.ids).to_pylist()
    rows = values.rows_of(dict.fromkeys(each for each in known if each is not None))
    place = {(int(values.samples[row]), int(values.systems[row])): row for row in rows}
    return [None if each is None else place.get((each, system)) for each, (_, system) in zip(known, pairs, strict=True)]


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
        "meta": _label_columns([_readable(rows.meta[row]) for row in kept]),
    }


def _readable(meta: Mapping[str, str]) -> dict[str, str]:
    """Labels of a sample, in which no number has more digits than anybody reads."""
    return {key: f"{float(text):.4g}" if _MANY_DIGITS.fullmatch(text) else text for key, text in meta.items()}


def details_of(result: Result, rows: SampleRows, chosen: Iterable[int]) -> dict[int, dict[str, Any]]:
    """Read evidence, issues with messages, and units of chosen samples of a report, by row number."""
    found = {}
    places = {row: rows.places[row] for row in chosen}
    for number, here in _by_table(places.values(), places).items():
        part = columns_of_part(result, number, ["evidence", "issues", "units"])
        mine = part.take(pa.array([at for _, at in here], pa.int64()))
        for (row, _), one in zip(here, mine.to_pylist(maps_as_pydicts="strict"), strict=True):
            found[row] = {
                "evidence": json.loads(one["evidence"]) if one["evidence"] else None,
                "issues": sorted(
                    ([each["code"], each["message"], each["severity"]] for each in one["issues"]),
                    key=lambda each: GRAVEST_FIRST.index(each[2]),
                ),
                "units": [
                    {"id": unit["id"], "kind": unit["kind"], "meta": unit["meta"], "values": unit["values"]}
                    for unit in one["units"]
                ],
            }
    return found


def _by_table(places: Iterable[Place], rows: Iterable[int] | None = None) -> dict[int, list[tuple[int, int]]]:
    """By number of table: rows with their places in it. Rows are numbered from 0 unless given."""
    found: dict[int, list[tuple[int, int]]] = {}
    named = enumerate(places) if rows is None else zip(rows, places, strict=True)
    for row, (number, at) in named:
        found.setdefault(number, []).append((row, at))
    return dict(sorted(found.items()))


def _label_columns(metas: Sequence[Mapping[str, str]]) -> dict[str, dict[str, Any]]:
    """For each meta key its distinct values, and for each row the number of its value; -1 if the row has none."""
    made: dict[str, dict[str, Any]] = {}
    for key in dict.fromkeys(key for meta in metas for key in meta):
        known = sorted({meta[key] for meta in metas if key in meta})
        at = {value: place for place, value in enumerate(known)}
        made[key] = {"known": known, "at": [at[meta[key]] if key in meta else -1 for meta in metas]}
    return made


def _rounded(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else round(value, DIGITS)


def _one_chunk(column: pa.ChunkedArray) -> Any:
    return column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
