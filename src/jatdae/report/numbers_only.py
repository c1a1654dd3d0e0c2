"""Reports without texts: what a run says in numbers, for data that must not leave its place (patient data).

Kept are numbers, the names of systems, metrics, issues and settings, the slices that the run was asked for, keys of
count tables that are codes (`Count.coded`), and keys that the configuration declares, such as fields of a schema. Left
out are predictions, references, evidence, messages, clusters, labels that are no slice, and names of input files. Ids,
other keys and labels of units become numbers, however short they are: a Korean name has two or three characters, and
`동→순` shows one of them.

A field that only the references have may be the name of a person, and no rule tells it from a rare field. So it is
numbered, the same in all tables; whoever wants to pass fields on declares them in a schema or in settings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from jatdae.core.contract import OTHER
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import spec_of
from jatdae.core.registry import find
from jatdae.report.differences import ComparedSystem
from jatdae.report.samples import SampleValues, read_values
from jatdae.run.output.part import EVIDENCE, LABELS
from jatdae.run.stats.compare import Comparison, PairedValues, SlicedDifference
from jatdae.run.stats.rates import ARROW
from jatdae.run.stats.result import LazyTables, Result, columns_of_part
from jatdae.run.stats.shown import NOTHING

Group = dict[str, Any]
KeyNames = Mapping[str, Mapping[str, str]]
"""By count table: what each key is called here."""


def without_texts(result: Result, numbers: Mapping[str, str] | None = None) -> Result:
    """The same run without any text of its samples, for a report of any form.

    `numbers` stand for ids (default: those of the order of the input).
    """
    summary = result.summary
    values = read_values(result)
    numbers = _numbered_ids(values) if numbers is None else numbers
    keys = _key_names(summary)
    slices = sorted({key for about in summary["systems"].values() for key in about.get("slices", ())})
    about = {**summary["input"], "bad_examples": [NOTHING] * len(summary["input"]["bad_examples"])}
    about.pop("recognised", None)  # names of files
    told = {
        **summary,
        "input": about,
        "counts": {name: _known(table, keys.get(name, {})) for name, table in summary.get("counts", {}).items()},
        "systems": {name: _group(group, keys, numbers) for name, group in summary["systems"].items()},
        "baselines": {name: _group(group, keys, numbers) for name, group in summary["baselines"].items()},
    }
    return replace(result, summary=told, tables=_NumbersOnly(result, values, slices, numbers))


def sides_without_texts(sides: Sequence[ComparedSystem]) -> list[ComparedSystem]:
    """Compared systems without any text of their samples; one number stands for an id in all of them."""
    numbers = _shared_numbers(sides)
    return [replace(side, result=without_texts(side.result, numbers)) for side in sides]


def comparisons_without_texts(sides: Sequence[ComparedSystem], comparisons: Sequence[Comparison]) -> list[Comparison]:
    """Comparisons of systems with numbers for ids and for units that are no numbers."""
    numbers = _shared_numbers(sides)
    units: dict[str, str] = {}

    def bare(pairs: Sequence[PairedValues]) -> tuple[PairedValues, ...]:
        return tuple(replace(each, id=numbers[each.id], unit=_unit(each.unit, units)) for each in pairs)

    return [
        replace(
            each,
            differences=tuple(
                replace(row, regressions=bare(row.regressions), improvements=bare(row.improvements))
                for row in each.differences
            ),
            rates=tuple(_known_keys(rates, sides[0].result.summary) for rates in each.rates),
        )
        for each in comparisons
    ]


def _known_keys(rates: SlicedDifference, summary: Mapping[str, Any]) -> SlicedDifference:
    """Differences by key, with numbers for the keys that are no codes, unless all their tables have codes for keys."""
    coded = _coded_tables(summary["evaluator"])
    if all(table.strip(ARROW) in coded for table in summary["rates"][rates.key]["below"]):
        return rates
    names = {key: name for table in _key_names(summary).values() for key, name in table.items()}
    new = (f"#{at}" for at in count(len(names) + 1))  # of keys that only another side has
    labels = {key: by for key, by in rates.labels.items() if names.get(key) == key}
    return replace(rates, slices={names.get(key) or next(new): row for key, row in rates.slices.items()}, labels=labels)


def _shared_numbers(sides: Sequence[ComparedSystem]) -> dict[str, str]:
    """Numbers for the ids of several runs: in the order of the first, then those that it lacks."""
    numbers: dict[str, str] = {}
    for result in {id(side.result): side.result for side in sides}.values():
        for name in read_values(result).ids.to_pylist():
            numbers.setdefault(name, str(len(numbers) + 1))
    return numbers


def _numbered_ids(values: SampleValues) -> dict[str, str]:
    return {name: str(at) for at, name in enumerate(values.ids.to_pylist(), 1)}


def _unit(name: str, known: dict[str, str]) -> str:
    return name if not name or _is_number(name) else known.setdefault(name, f"#{len(known) + 1}")


def _is_number(label: str) -> bool:
    return label.removeprefix("-").isdecimal()


def _key_names(summary: Mapping[str, Any]) -> KeyNames:
    """Keys of count tables with their names here: codes stay, others are numbered by frequency.

    A key that another table has as a code, such as an extra field that a schema declares, is one too. A key has one
    number in all tables, for rates add them up.
    """
    coded = _coded_tables(summary["evaluator"])
    totals: dict[str, Counter[str]] = {}
    for group in (*summary["systems"].values(), *summary["baselines"].values()):
        for table, found in group["counts"].items():
            totals.setdefault(table, Counter()).update(found)
    codes = {OTHER, *(key for table in coded & totals.keys() for key in totals[table])}
    codes.update(key for table in summary.get("counts", {}).values() for key in table.get("declared", ()))
    together = Counter[str]()
    for found in totals.values():
        together.update({key: times for key, times in found.items() if key not in codes})
    ordered = sorted(together, key=lambda key: (-together[key], key))
    numbers = {key: f"#{at}" for at, key in enumerate(ordered, 1)}
    return {table: {key: numbers.get(key, key) for key in found} for table, found in totals.items()}


def _coded_tables(evaluator: str) -> set[str]:
    """Count tables whose keys are codes; of an evaluator that is not at hand, none."""
    try:
        return {each.name for each in spec_of(find(evaluator)).counts if each.coded}
    except UsageError:
        return set()


def _known(table: Mapping[str, Any], keys: Mapping[str, str]) -> dict[str, Any]:
    """What a summary says of a count table, with names only of keys that stay."""
    names = {key: name for key, name in table.get("names", {}).items() if keys.get(key) == key}
    labels = {key: by for key, by in table.get("labels", {}).items() if keys.get(key) == key}
    told = {"names": names} if names else {}
    return {"error": table["error"], **told, **({"labels": labels} if labels else {})}


def _group(group: Group, keys: KeyNames, numbers: Mapping[str, str]) -> Group:
    """A system, baseline or slice of a summary without texts."""
    made = {**group, "counts": _renamed(group["counts"], keys), "stats": {}}  # names of sums may be those of fields
    if "examples" in group:
        made["examples"] = {
            table: {key: {**about, "worst": [numbers[name] for name in about["worst"]]} for key, about in found.items()}
            for table, found in _renamed(group["examples"], keys).items()
        }
    if "slices" in group:
        made["slices"] = {
            key: {value: _group(inside, keys, numbers) for value, inside in values.items()}
            for key, values in group["slices"].items()
        }
    made["units"] = {kind: {**about, "slices": _labels(about["slices"])} for kind, about in group["units"].items()}
    return made


def _renamed(tables: Mapping[str, Mapping[str, Any]], keys: KeyNames) -> dict[str, dict[str, Any]]:
    """Count tables with other names for their keys; a key that no whole system has is pooled with others."""
    made: dict[str, dict[str, Any]] = {}
    for table, found in tables.items():
        made[table] = {keys.get(table, {}).get(key, OTHER): value for key, value in found.items()}
    return made


def _labels(slices: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Slices of units; labels that are no whole numbers, such as those of turns, are numbered."""
    return {key: dict(zip(numbered_labels(values), values.values(), strict=True)) for key, values in slices.items()}


def numbered_labels(labels: Iterable[str]) -> list[str]:
    """Labels of units as a report without texts has them: whole numbers stay, others are numbered."""
    given = list(labels)
    return given if all(map(_is_number, given)) else [f"#{at}" for at in range(1, len(given) + 1)]


class _NumbersOnly(LazyTables):
    """The rows of a result without texts."""

    def __init__(self, result: Result, values: SampleValues, slices: Sequence[str], numbers: Mapping[str, str]) -> None:
        self._result, self._values, self._slices = result, values, slices
        self._named = np.array([int(numbers[name]) for name in values.ids.to_pylist()], np.int64)

    def __len__(self) -> int:
        return len(self._result.tables)

    def part(self, at: int, names: Sequence[str] | None = None) -> pa.Table:
        """Some columns of one table."""
        table = columns_of_part(self._result, at, names) if names else self._result.tables[at]
        for place, name in enumerate(table.column_names):
            table = table.set_column(place, name, self._column(at, name, table.column(name).combine_chunks()))
        return table

    def _column(self, at: int, name: str, column: pa.Array) -> pa.Array:
        size = len(column)
        if name == "id":
            return self._numbers(at, size)
        if name == "cluster":
            return pa.array([""] * size, pa.string())
        if name == "meta":
            return self._slice_labels(column)
        if name == "issues":
            return _without_messages(column)
        if name == "evidence":
            return pa.nulls(size, EVIDENCE)
        return pa.array([[]] * size, column.type) if name in ("counts", "units") else column

    def _numbers(self, at: int, size: int) -> pa.Array:
        """Ids as numbers; 0 in rows of baselines."""
        rows = np.flatnonzero(self._values.tables == at)
        made = np.zeros(size, np.int64)
        made[self._values.at[rows]] = self._named[self._values.samples[rows]]
        return pa.array(made).cast(pa.string())

    def _slice_labels(self, column: pa.Array) -> pa.Array:
        if not self._slices:
            return pa.array([[]] * len(column), LABELS)
        rows = column.to_pylist(maps_as_pydicts="strict")
        return pa.array([[(key, row[key]) for key in self._slices if key in row] for row in rows], LABELS)


def _without_messages(column: pa.Array) -> pa.Array:
    found = column.flatten()
    starts = np.concatenate([[0], np.cumsum(pc.list_value_length(column).to_numpy(zero_copy_only=False))])
    fields = [found.field("code"), pa.array([""] * len(found), pa.string()), found.field("severity")]
    made = pa.StructArray.from_arrays(fields, ["code", "message", "severity"])
    return pa.ListArray.from_arrays(pa.array(starts, pa.int32()), made)
