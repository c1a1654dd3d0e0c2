"""Parts: the outcomes of one shard as a table of a fixed schema, stored as Parquet with a checksum."""

from __future__ import annotations

import io
import json
import stat
from collections.abc import Container, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import index, itemgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray
from xxhash import xxh3_128

from jatdae.core.contract import Issue, Metric, Outcome, Sample, Severity, Unit
from jatdae.core.errors import EngineError, UsageError, lack_of
from jatdae.core.messages import os_problem, say, shown
from jatdae.core.writing import replacing

STATS: Final = pa.map_(pa.string(), pa.float64(), keys_sorted=True)
LABELS: Final = pa.map_(pa.string(), pa.string(), keys_sorted=True)
COUNTS: Final = pa.map_(pa.string(), pa.map_(pa.string(), pa.int64(), keys_sorted=True), keys_sorted=True)
UNITS: Final = pa.list_(
    pa.struct({"id": pa.string(), "kind": pa.string(), "meta": LABELS, "values": STATS, "stats": STATS})
)
ISSUES: Final = pa.list_(pa.struct({"code": pa.string(), "message": pa.string(), "severity": pa.string()}))

EVIDENCE: Final = pa.dictionary(pa.int32(), pa.string())
"""JSON; samples that share an outcome share its text."""

STAMP: Final = "jatdae"
NUMBER: Final = "jatdae.part"
CHECKSUM: Final = "jatdae.checksum"
"""Keys in the metadata of a part's file: the run it was scored for, its number, and the checksum of the file."""
MARK: Final = b"xxh3_128:"
"""Stands before the checksum, by which it is found in the bytes of a file."""
DIGITS: Final = 32
BLANK: Final = b"-" * DIGITS
"""What stands in the place of the checksum while the file is hashed."""

ENCODED: Final = ("system", "stats.key_value.key", "counts.key_value.key", "counts.key_value.value.key_value.key")
"""Columns of names, which a file has as numbers of what repeats: adding up takes them as these."""

LARGEST: Final = 1e300
"""Beyond this a number counts as infinite: a hundred million such could still be added up."""
_TEXTS: Final = frozenset((str, bytes))
_UNFIT: Final = (pa.ArrowException, TypeError, ValueError, AttributeError, OverflowError)

Numbers = NDArray[np.int64]


def schema(metrics: Sequence[Metric]) -> pa.Schema:
    """Arrow schema of a part: columns of the sample, one column per metric, and the rest of the outcome."""
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
    """Name of a metric's column in a part; prefixed, because a metric may be called `id`."""
    return f"metric.{name}"


@dataclass(frozen=True, slots=True)
class PartFile:
    """A part that was read from its file and found undamaged."""

    path: Path
    content: pq.ParquetFile | None
    """None in a list of parts, which would hold them all in memory."""
    number: int
    rows: int
    stamp: str
    """Names the run that it was scored for."""
    checksum: str
    """Hash of the file; "" in parts written before there were checksums."""

    def table(self, columns: Sequence[str] | None = None) -> pa.Table:
        """The outcomes, or some columns of them."""
        if self.content is None:
            return read_part(self.path).table(columns)
        try:
            return self.content.read(columns=list(columns) if columns else None)
        except (OSError, pa.ArrowException) as error:
            if lack_of(error):  # told as that by whoever asked
                raise
            if self.checksum:  # the file is as it was written
                problem = str(error).splitlines()[0]
                raise EngineError(say("part_not_loaded", place=self.path, problem=problem)) from None
            raise broken_part(self.path, say("parquet_damaged")) from None


def write_part(table: pa.Table, target: Path, number: int, stamp: str) -> None:
    """Write a part of a run, the outcomes of shard `number`, to a Parquet file, whole or not at all."""
    made = io.BytesIO()
    with pq.ParquetWriter(
        made,
        table.schema,
        compression="zstd",
        compression_level=1,
        use_dictionary=_repeating(table.schema),
        write_statistics=False,  # nobody looks for values in parts
        store_schema=True,
    ) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata({STAMP: stamp, NUMBER: str(number), CHECKSUM: MARK + BLANK})
    data = bytearray(made.getbuffer())
    if place := _checksum_place(data):
        data[place] = _checksum(data, place).encode()
    try:
        with replacing(target) as file:
            file.write(data)
    except OSError as error:
        raise EngineError(say("run_not_written", place=target, problem=os_problem(error))) from None


def read_part(path: Path, encoded: Sequence[str] = ()) -> PartFile:
    """Read a part of a run, the outcomes of a shard, from its file; one that is damaged or misplaced is an error.

    The columns `encoded` are read as numbers of what repeats in them.
    """
    try:
        data = read_file(path)
        place = _checksum_place(data)
        checksum = _checksum(data, place) if place else ""
        if place and data[place] != checksum.encode():  # seen before anything else in the file is believed
            raise broken_part(path, say("part_altered"))
        content = pq.ParquetFile(pa.BufferReader(data), read_dictionary=list(encoded))
        about = {key.decode(): value.decode() for key, value in (content.metadata.metadata or {}).items()}
        number = int(about.get(NUMBER, part_number(path)))
    except (OSError, ValueError, pa.ArrowException) as error:
        if lack_of(error):
            raise
        if isinstance(error, OSError) and error.errno:
            raise EngineError(say("cannot_read", place=path, problem=os_problem(error))) from None
        raise broken_part(path, say("parquet_damaged")) from None
    if NUMBER in about and not checksum:
        raise broken_part(path, say("part_altered"))
    if number != part_number(path):
        raise broken_part(path, say("part_misplaced", number=number))
    return PartFile(path, content, number, content.metadata.num_rows, about.get(STAMP, ""), checksum)


def read_file(path: Path) -> bytes:
    """Read a file of a run; a pipe, a device or a folder in its place is refused: reading it may never end."""
    refuse_other_kind(path)
    return path.read_bytes()


def refuse_other_kind(path: Path) -> None:
    """Refuse what is no regular file in the place of a file of a run; it may be missing."""
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return
    if not stat.S_ISREG(mode):
        raise UsageError(say("not_a_run_file", place=path))


def broken_part(path: Path, problem: object) -> EngineError:
    """Error that names a part of a run which cannot be used, and why."""
    return EngineError(say("broken_part", place=path, problem=problem))


def part_name(number: int) -> str:
    """Name of a part's file."""
    return f"part-{number:05d}.parquet"


def part_number(path: Path) -> int:
    """Number in the name of a part's file; -1 if no part is called so."""
    digits = path.name.removeprefix("part-").removesuffix(".parquet")
    number = int(digits) if digits.isascii() and digits.isdigit() else -1
    return number if path.name == part_name(number) else -1


def _checksum_place(data: bytes | bytearray) -> slice | None:
    """Where the checksum stands in the bytes of a part: in the metadata at the end of the file."""
    mark = data.rfind(MARK)
    return None if mark < 0 else slice(mark + len(MARK), mark + len(MARK) + DIGITS)


def _checksum(data: bytes | bytearray, place: slice) -> str:
    """Hash of all bytes of a part, the place of the checksum itself left blank."""
    view = memoryview(data)
    digest = xxh3_128(view[: place.start])
    digest.update(BLANK)
    digest.update(view[place.stop :])
    return digest.hexdigest()


def _repeating(columns: pa.Schema) -> list[str]:
    """The columns that are kept as numbers of what repeats in them: all but ids, and what is mostly empty."""
    metrics = [name for name in columns.names if name.startswith(metric_column(""))]
    maps = [f"{name}.key_value.{part}" for name in ("meta", "stats") for part in ("key", "value")]
    counts = [f"counts.key_value.{part}" for part in ("key", "value.key_value.key", "value.key_value.value")]
    return ["system", "cluster", "evidence", *maps, *counts, *metrics]


class KeptOutcomes(NamedTuple):
    """Outcomes that came up more than once, kept as columns from one part to the next. Never changed once made."""

    numbers: Mapping[Hashable, int] = MappingProxyType({})
    """By what the outcome is of."""
    columns: Sequence[pa.Array] = ()
    evidence: Sequence[bytes | None] = ()

    def joined_to(self, columns: Sequence[pa.Array]) -> list[pa.Array]:
        """These columns, and further ones below them."""
        if not self.numbers:
            return list(columns)
        return [pa.concat_arrays(both) for both in zip(self.columns, columns, strict=True)]


NOTHING_KEPT: Final = KeptOutcomes()


class PartBuilder:
    """Collects the outcomes of a shard and builds the columns of its part; shared outcomes are built once.

    Outcomes are numbered: first those that were kept of earlier parts, then the new ones.
    """

    def __init__(
        self,
        metrics: Sequence[Metric],
        severities: Mapping[str, Severity] = MappingProxyType({}),
        kept: KeptOutcomes = NOTHING_KEPT,
    ) -> None:
        self._metrics, self._severities, self._kept = tuple(metrics), severities, kept
        self._outcomes: list[Outcome] = []
        """The new ones, without their evidence."""
        self._evidence: list[bytes | None] = list(kept.evidence)
        self._first: list[str] = []
        """The id of the sample that each new outcome was made for."""
        self._new: list[pa.Array] = []
        """The columns of the new ones, as soon as they are built."""
        self._names: list[str] = []
        self._systems: list[str] = []
        self._clusters: list[str] = []
        self._metas: list[Mapping[str, str]] = []
        self._which: list[int] = []
        """The outcome of each sample."""

    def add(self, sample: Sample, outcome: Outcome) -> int:
        """One sample with its outcome; returns the number of the outcome."""
        number = self.add_outcome(outcome, sample.id)
        self.add_samples([sample.id], [sample.system], [sample.cluster], [sample.meta], [number])
        return number

    def add_outcome(self, outcome: Outcome, name: str) -> int:
        """An outcome that was made for the sample `name`; returns its number, to add it to samples.

        Its evidence is written at once, for it may be large.
        """
        evidence = outcome.evidence
        if evidence is not None:
            outcome = Outcome(outcome.values, outcome.stats, outcome.counts, outcome.units, None, outcome.issues)
        self._evidence.append(None if evidence is None else _json(evidence, name))
        self._outcomes.append(outcome)
        self._first.append(name)
        return len(self._evidence) - 1

    def add_samples(
        self,
        names: Sequence[str],
        systems: Sequence[str],
        clusters: Sequence[str],
        metas: Sequence[Mapping[str, str]],
        outcomes: Sequence[int],
    ) -> None:
        """Samples, column by column, with the numbers of their outcomes."""
        self._names += names
        self._systems += systems
        self._clusters += clusters
        self._metas += metas
        self._which += outcomes

    def table(self) -> pa.Table:
        """Everything collected, checked; an outcome that breaks the contract is named with its sample."""
        try:
            return self._table()
        except MemoryError:
            raise
        except _UNFIT as error:
            raise self._blame(error) from None

    def kept(self, numbers: Mapping[Hashable, int], seen: Container[int], most: int) -> KeptOutcomes:
        """What to keep for the next part, once the table is made: at most `most`, else nothing of before.

        `numbers` are the outcomes of this part by what they are of. Of the new ones those are kept that came up twice
        here, or whose key is among the hashes `seen`.
        """
        first = len(self._kept.evidence)
        often = np.bincount(self._which, minlength=len(self._evidence)).tolist()
        chosen = [(key, at) for key, at in numbers.items() if at >= first and (often[at] > 1 or hash(key) in seen)]
        if not chosen:
            return self._kept
        before = self._kept if first + len(chosen) <= most else NOTHING_KEPT
        size = len(before.evidence)
        rows = pa.array([at - first for _, at in chosen[:most]], pa.int32())
        return KeptOutcomes(
            {**before.numbers, **{key: number for number, (key, _) in enumerate(chosen[:most], size)}},
            before.joined_to([column.take(rows) for column in self._new]),
            [*before.evidence, *[self._evidence[at] for _, at in chosen[:most]]],
        )

    def _table(self) -> pa.Table:
        self._new = self._outcome_columns()
        which = np.array(self._which, np.int32)
        made = self._kept.joined_to(self._new)
        if len(which) != len(self._outcomes) or self._kept.numbers:
            made = [column.take(pa.array(which)) for column in made]
        made.insert(-1, self._evidence_column(which))
        known = [
            pa.array(self._names, pa.string()),
            pa.array(self._systems, pa.string()),
            pa.array(self._clusters, pa.string()),
            _maps(self._metas, LABELS),
        ]
        return pa.Table.from_arrays([*known, *made], schema=schema(self._metrics))

    def _evidence_column(self, which: NDArray[np.int32]) -> pa.DictionaryArray:
        """The evidence of each sample; texts stand in the dictionary in the order of the samples."""
        used, firsts, places = np.unique(which, return_index=True, return_inverse=True)
        order = np.argsort(firsts)
        ranks = np.empty(len(order), np.int32)
        ranks[order] = np.arange(len(order), dtype=np.int32)
        texts = pa.array([self._evidence[number] for number in used[order].tolist()], pa.binary()).cast(pa.string())
        return texts.dictionary_encode().take(pa.array(ranks[places]))

    def _outcome_columns(self) -> list[pa.Array]:
        """The columns of the new outcomes, but for their evidence."""
        outcomes = self._outcomes
        most = len(self._metrics)
        told_of = [at for at, o in enumerate(outcomes) if o.issues or o.units or len(o.values) > most]
        self._refuse_unknown(at for at in told_of if len(outcomes[at].values) > most)
        issues = {at: outcomes[at].issues for at in told_of if outcomes[at].issues}
        values = self._columns(issues)
        units = {at: _units(outcomes[at].units) for at in told_of if outcomes[at].units}
        return [
            *values,
            _maps([o.stats for o in outcomes], STATS),
            _count_maps([o.counts for o in outcomes]),
            _lists(units, len(outcomes), UNITS),
            _issue_lists(issues, len(outcomes), self._severities),
        ]

    def _columns(self, issues: dict[int, tuple[Issue, ...]]) -> list[pa.Array]:
        """The values of each metric."""
        names = [metric.name for metric in self._metrics]
        all_values = [outcome.values for outcome in self._outcomes]
        try:
            rows = (
                [*map(itemgetter(*names), all_values)] if len(names) > 1 else [(each[names[0]],) for each in all_values]
            )
        except KeyError:  # a misspelt metric leaves a declared one without a value
            self._refuse_unknown(at for at, values in enumerate(all_values) if not values.keys() >= {*names})
            rows = [tuple(values.get(name) for name in names) for values in all_values]
        columns = zip(*rows, strict=True) if rows else [()] * len(names)
        return [self._column(name, given, issues) for name, given in zip(names, columns, strict=True)]

    def _column(self, name: str, given: Sequence[Any], issues: dict[int, tuple[Issue, ...]]) -> pa.Array:
        """A metric's values; what is not a number is N/A, and never without a reason."""
        numbers = _numbers(given)
        lacking = np.flatnonzero(~(np.abs(numbers) <= LARGEST)).tolist()
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
                name = shown(self._first[at])
                raise EngineError(say("undeclared_metric", id=name, names=", ".join(sorted(map(str, unknown)))))

    def _blame(self, error: Exception) -> EngineError:
        """The first sample whose outcome alone makes the same trouble."""
        for name, outcome in zip(self._first, self._outcomes, strict=True):
            alone = PartBuilder(self._metrics, self._severities)
            alone.add_outcome(outcome, name)
            try:
                alone._outcome_columns()
            except _UNFIT as found:
                return EngineError(say("bad_outcome", id=shown(name), problem=shown(str(found), 200)))
        return EngineError(say("bad_outcome", id="", problem=shown(str(error), 200)))


def _numbers(given: Sequence[Any]) -> NDArray[np.float64]:
    """Values as an array, None as NaN. Arrow is quick, but only NumPy takes everything that is a number."""
    try:
        return np.array(pa.array(given, pa.float64()), np.float64)
    except _UNFIT:
        if not _TEXTS.isdisjoint(map(type, given)):  # "0.5" would pass for a number
            raise TypeError(say("value_is_text")) from None
        return np.array(given, np.float64)


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


def _count_maps(given: Sequence[Mapping[str, Mapping[str, int]]]) -> pa.MapArray:
    """Maps of maps row after row, names and keys in order. They are laid flat first: every row may have many keys."""
    if not any(given):
        return _empty(len(given), COUNTS)
    name_list, key_list, amount_list, sizes = list[str](), list[str](), list[int](), list[int]()
    for tables in given:  # once through all, for they are many small dictionaries
        name_list += tables
        for table in tables.values():
            key_list += table
            amount_list += table.values()
            sizes.append(len(table))
    names, name_ranks = _ranked(name_list)
    keys, key_ranks = _ranked(key_list)
    amounts = pa.array(np.fromiter(map(index, amount_list), np.int64, len(amount_list)))
    per_row, per_table = np.array([*map(len, given)]), np.array(sizes)
    order = _sorted_within(np.repeat(np.arange(len(given)), per_row), name_ranks)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    inner = _sorted_within(np.repeat(place, per_table), key_ranks)
    sorted_tables = pa.MapArray.from_arrays(_offsets(per_table[order]), keys.take(inner), amounts.take(inner))
    return pa.MapArray.from_arrays(_offsets(per_row), names.take(order), sorted_tables).cast(COUNTS)


def _ranked(texts: list[str]) -> tuple[pa.Array, Numbers]:
    """Texts, and for each its place in the order of all different ones."""
    made = _texts(texts)
    encoded = made.dictionary_encode()
    ranks = np.empty(len(encoded.dictionary), np.int64)
    ranks[np.argsort(encoded.dictionary.to_numpy(zero_copy_only=False))] = np.arange(len(ranks))
    return made, ranks[encoded.indices.to_numpy()]


def _sorted_within(groups: Numbers, ranks: Numbers) -> Numbers:
    """The order of items by group, then by rank."""
    return np.argsort(groups * (ranks.max(initial=0) + 1) + ranks, kind="stable")


def _offsets(sizes: Numbers) -> NDArray[np.int32]:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)


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


def _issue_lists(told: Mapping[int, Sequence[Issue]], n: int, declared: Mapping[str, Severity]) -> pa.ListArray:
    """The issues of each of `n` outcomes."""
    if not told:
        return _empty(n, ISSUES)
    sizes = np.zeros(n, np.int64)
    sizes[[*told]] = [*map(len, told.values())]
    issues = [issue for at in sorted(told) for issue in told[at]]
    columns = [
        _texts([issue.code for issue in issues]),
        _texts([issue.message for issue in issues]),
        _texts([issue.severity or declared.get(issue.code, "warning") for issue in issues]),
    ]
    structs = pa.StructArray.from_arrays(columns, fields=list(ISSUES.value_type))
    return pa.ListArray.from_arrays(_offsets(sizes), structs).cast(ISSUES)


def _texts(texts: list[str]) -> pa.Array:
    try:
        return pa.array(texts, pa.string())
    except UnicodeEncodeError:
        return pa.array(_encodable(texts), pa.string())


def _json(evidence: Any, name: str) -> bytes:
    try:
        return orjson.dumps(evidence, default=_plain)
    except TypeError:  # whole numbers of more than 64 bits, lone surrogates
        pass
    try:
        return json.dumps(evidence, default=_plain).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise EngineError(say("evidence_not_json", id=shown(name), problem=error)) from None


def _plain(value: Any) -> Any:
    """What JSON has no form for: a set in an order that does not change from process to process, the rest as text."""
    return sorted(value, key=str) if isinstance(value, (set, frozenset)) else str(value)
