"""Outcomes as the columns of a part, held to the contract on the way."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from operator import index
from typing import Any, Final

import numpy as np
import orjson
import pyarrow as pa
from numpy.typing import NDArray

from jatdae.core.contract import Issue, Metric, Outcome, Sample, Unit
from jatdae.core.errors import EngineError
from jatdae.core.messages import say
from jatdae.run.parts import COUNTS, ISSUES, LABELS, STATS, UNITS, schema
from jatdae.run.rows import shown

LARGEST: Final = 1e300
"""Beyond this a number counts as infinite: a hundred million such could still be added up."""
_TEXTS: Final = frozenset((str, bytes))
_UNFIT: Final = (pa.ArrowException, TypeError, ValueError, AttributeError, OverflowError)


class PartBuilder:
    """Collects outcomes, and makes columns of them in one go; what samples share is made once."""

    def __init__(self, metrics: Sequence[Metric]) -> None:
        self._metrics = tuple(metrics)
        self._outcomes: list[Outcome] = []
        self._first: list[Sample] = []
        """The sample that each outcome was made for."""
        self._samples = self._first
        """All samples: another list as soon as one shares an outcome."""
        self._which: list[int] = []
        """The outcome of each of all samples, from then on."""
        self._evidence: dict[int, str] = {}

    def add(self, sample: Sample, outcome: Outcome) -> int:
        """One sample's outcome; returns its number, by which other samples can share it."""
        at = len(self._outcomes)
        if outcome.evidence is not None:  # written out at once, for it may be large
            self._evidence[at] = _json(outcome.evidence, sample.id)
            outcome = Outcome(outcome.values, outcome.stats, outcome.counts, outcome.units, None, outcome.issues)
        self._outcomes.append(outcome)
        self._first.append(sample)
        if self._which:
            self._samples.append(sample)
            self._which.append(at)
        return at

    def share(self, sample: Sample, at: int) -> None:
        """A sample whose outcome was added before, under number `at`."""
        if not self._which:
            self._samples, self._which = list(self._first), list(range(len(self._first)))
        self._samples.append(sample)
        self._which.append(at)

    def table(self) -> pa.Table:
        """Everything collected, checked; an outcome that breaks the contract is named with its sample."""
        try:
            return self._table()
        except _UNFIT as error:
            raise self._blame(error) from None

    def _table(self) -> pa.Table:
        outcomes = self._outcomes
        most = len(self._metrics)
        told_of = [at for at, o in enumerate(outcomes) if o.issues or o.counts or o.units or len(o.values) > most]
        self._refuse_unknown(at for at in told_of if len(outcomes[at].values) > most)
        issues = {at: outcomes[at].issues for at in told_of if outcomes[at].issues}
        values = [self._column(metric.name, issues) for metric in self._metrics]
        counts = {at: _counts(outcomes[at].counts) for at in told_of if outcomes[at].counts}
        units = {at: _units(outcomes[at].units) for at in told_of if outcomes[at].units}
        told = {at: [_issue(issue) for issue in found] for at, found in issues.items()}
        n = len(outcomes)
        made = [
            *values,
            _maps([o.stats for o in outcomes], STATS),
            _lists(counts, n, COUNTS),
            _lists(units, n, UNITS),
            pa.array(map(self._evidence.get, range(n)), pa.string()).dictionary_encode(),
            _lists(told, n, ISSUES),
        ]
        if self._which:
            which = pa.array(self._which, pa.int32())
            made = [column.take(which) for column in made]
        known = [
            pa.array([s.id for s in self._samples], pa.string()),
            pa.array([s.system for s in self._samples], pa.string()),
            pa.array([s.cluster for s in self._samples], pa.string()),
            _maps([s.meta for s in self._samples], LABELS),
        ]
        return pa.Table.from_arrays([*known, *made], schema=schema(self._metrics))

    def _column(self, name: str, issues: dict[int, tuple[Issue, ...]]) -> pa.Array:
        """A metric's values; what is not a number is N/A, and never without a reason."""
        given = [outcome.values.get(name) for outcome in self._outcomes]
        numbers = np.array(given, dtype=np.float64)
        if not _TEXTS.isdisjoint(map(type, given)):  # "0.5" would pass for a number
            raise TypeError(say("value_is_text"))
        lacking = np.flatnonzero(~(np.abs(numbers) <= LARGEST)).tolist()
        self._refuse_unknown(lacking)  # a misspelt metric leaves a declared one without a value
        for at in lacking:
            if given[at] is not None:
                numbers[at] = np.nan
                told = Issue("not_finite", f"{name} came out as {given[at]}", "error")
                issues[at] = (*issues.get(at, ()), told)
            elif at not in issues:
                issues[at] = (Issue("not_applicable", f"{name}: no reason given"),)
        return pa.array(numbers, pa.float64(), from_pandas=True)

    def _refuse_unknown(self, suspects: Iterable[int]) -> None:
        declared = {metric.name for metric in self._metrics}
        for at in suspects:
            if unknown := self._outcomes[at].values.keys() - declared:
                name = shown(self._first[at].id)
                raise EngineError(say("undeclared_metric", id=name, names=", ".join(sorted(map(str, unknown)))))

    def _blame(self, error: Exception) -> EngineError:
        """The first sample whose outcome alone makes the same trouble."""
        for sample, outcome in zip(self._first, self._outcomes, strict=True):
            alone = PartBuilder(self._metrics)
            alone.add(sample, outcome)
            try:
                alone._table()
            except _UNFIT as found:
                return EngineError(say("bad_outcome", id=shown(sample.id), problem=shown(str(found), 200)))
        return EngineError(say("bad_outcome", id="", problem=shown(str(error), 200)))


def _maps(maps: Sequence[Mapping[str, Any]], kind: pa.MapType) -> pa.MapArray:
    """Maps row after row, their keys in order. Most often all rows have the same keys: then column by column."""
    if not any(maps):
        return _empty(len(maps), kind)
    keys = sorted(maps[0])
    try:
        if any(len(each) != len(keys) for each in maps):
            raise KeyError
        columns = [[each[key] for each in maps] for key in keys]
        flat_keys = pa.DictionaryArray.from_arrays(np.tile(np.arange(len(keys), dtype=np.int32), len(maps)), keys).cast(
            pa.string()
        )
        flat = [value for row in zip(*columns, strict=True) for value in row] if len(keys) > 1 else columns[0]
        offsets = np.arange(len(maps) + 1, dtype=np.int32) * len(keys)
    except KeyError:
        items = [pair for each in maps for pair in sorted(each.items())]
        flat_keys = pa.array([key for key, _ in items], pa.string())
        flat = [value for _, value in items]
        offsets = np.cumsum([0] + [len(each) for each in maps], dtype=np.int32)
    values = pa.array(flat, kind.item_type)
    if kind is STATS:
        _refuse_vast(values.to_numpy(zero_copy_only=False))
    return pa.MapArray.from_arrays(offsets, flat_keys, values).cast(kind)


def _lists(found: dict[int, Any], n: int, kind: Any) -> pa.Array:
    if not found:
        return _empty(n, kind)
    rows = [found.get(at, ()) for at in range(n)]
    try:
        return pa.array(rows, kind)
    except UnicodeEncodeError:
        return pa.array(_encodable(rows), kind)


def _encodable(value: Any) -> Any:
    """Names and messages may come from what a model wrote: a lone surrogate in them is written out."""
    if isinstance(value, str):
        return value.encode(errors="backslashreplace").decode()
    if isinstance(value, dict):
        return {key: _encodable(item) for key, item in value.items()}
    return type(value)(map(_encodable, value)) if isinstance(value, (list, tuple)) else value


def _empty(n: int, kind: Any) -> pa.Array:
    offsets = pa.array(np.zeros(n + 1, np.int32))
    if pa.types.is_map(kind):
        return pa.MapArray.from_arrays(offsets, pa.array([], pa.string()), pa.array([], kind.item_type)).cast(kind)
    return pa.ListArray.from_arrays(offsets, pa.array([], kind.value_type))


def _counts(counts: Mapping[str, Mapping[str, int]]) -> list[tuple[str, list[tuple[str, int]]]]:
    return sorted((name, sorted((key, index(n)) for key, n in table.items())) for name, table in counts.items())


def _units(units: Sequence[Unit]) -> list[dict[str, Any]]:
    for unit in units:
        _refuse_vast(np.array(list(unit.stats.values()), np.float64))
    return [
        {"id": u.id, "kind": u.kind, "meta": sorted(u.meta.items()),
         "values": [(name, _finite(value)) for name, value in sorted(u.values.items())],
         "stats": sorted(u.stats.items())}
        for u in units
    ]  # fmt: skip


def _finite(value: float | None) -> float | None:
    return None if value is None or not abs(value) <= LARGEST else value


def _refuse_vast(stats: NDArray[np.float64]) -> None:
    if not (np.abs(stats) <= LARGEST).all():
        raise ValueError(say("stat_not_finite"))


def _issue(issue: Issue) -> dict[str, str]:
    return {"code": issue.code, "message": issue.message, "severity": issue.severity}


def _json(evidence: Any, name: str) -> str:
    try:
        return orjson.dumps(evidence, default=_plain).decode()
    except TypeError:  # whole numbers of more than 64 bits, lone surrogates
        pass
    try:
        return json.dumps(evidence, default=_plain)
    except (TypeError, ValueError, RecursionError) as error:
        raise EngineError(say("evidence_not_json", id=shown(name), problem=error)) from None


def _plain(value: Any) -> Any:
    """What JSON has no form for: a set in an order that does not change from process to process, the rest as text."""
    return sorted(value, key=str) if isinstance(value, (set, frozenset)) else str(value)
