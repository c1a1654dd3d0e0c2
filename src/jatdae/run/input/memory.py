"""Samples from data in memory: frames, datasets, columns, rows and Samples, with fields found as in files.

    pandas, polars, Arrow, anything with an Arrow stream     a row is a sample
    Hugging Face Dataset, DatasetDict                        a row is a sample; the split is a slice
    {"prediction": [...], "reference": [...]}                columns
    {"small": frame, "large": frame}                         the data of several systems
    {"a": {"prediction": ..., ...}, "b": {...}}              rows by id
    an iterable of mappings or Samples                       one after the other, never held whole

No library is imported that the data do not come from.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, time
from decimal import Decimal
from itertools import chain, islice
from os import PathLike
from typing import Any, Final

import numpy as np
import pyarrow as pa

from jatdae.core.contract import OTHER, Sample
from jatdae.core.errors import DataError, UsageError
from jatdae.core.evaluator import EvaluatorSpec, GroupBy
from jatdae.core.messages import listed, near, say
from jatdae.run.input.formats import in_microseconds, own_members
from jatdae.run.input.rows import (
    EITHER_NAMES,
    MORE_PREDICTION_NAMES,
    MORE_REFERENCE_NAMES,
    PREDICTION_NAMES,
    REFERENCE_NAMES,
    SEEN_ROWS,
    BadRow,
    Fields,
    find_fields,
    meta_of,
    refuse_other_rows,
    row_id,
)

PLACE: Final = "samples"
"""What messages call data in memory."""
OWN: Final = ("id", "meta", "system", "cluster")
"""Fields of a row that are neither prediction nor reference, and yet no other columns."""
SPLIT: Final = "split"
"""Slice key of the splits of a DatasetDict."""
LONGEST_LABEL: Final = 40
"""Characters of a text that may be a slice: a longer one is no label."""
MOST_LABELS: Final = 20
"""Values of a column that is sliced by without being asked for."""
NAMED_COLUMNS: Final = 8
"""Columns that a note names."""
MEDIA: Final = ("Image", "Audio", "Video", "Pdf", "Nifti")
"""Kinds of columns of a Hugging Face dataset that are never scored."""
_SPLIT_KINDS: Final = ("DatasetDict", "IterableDatasetDict")
_FIELD_NAMES: Final = frozenset(
    (*PREDICTION_NAMES, *REFERENCE_NAMES, *MORE_PREDICTION_NAMES, *MORE_REFERENCE_NAMES, *EITHER_NAMES)
)


@dataclass(frozen=True)
class MemoryRows:
    """Data in memory as rows, how a row becomes a sample, and what is sliced by."""

    rows: Iterable[Any]
    """Samples and mappings."""
    read: Callable[[Any, int], Sample]
    """Makes the sample of a row, given its number from 1; raises BadRow."""
    slices: tuple[str, ...] = ()
    notes: Callable[[], tuple[str, ...]] = tuple
    """What a person should be told of the columns, once all rows were read."""


def read_memory(data: Any, spec: EvaluatorSpec, given: Fields, slices: Sequence[str] | None) -> MemoryRows:
    """Read samples from data in memory; `slices` None takes every other column of short texts.

    Raises UsageError if the data cannot be samples, or lack a field.
    """
    rows = map(_as_mapping, _rows_of(data, given))
    head = list(islice(rows, 1))
    if not head or not isinstance(head[0], Mapping):  # Samples are scored as they come; what is no sample is told then
        return MemoryRows(chain(head, rows), _read_sample, tuple(slices or ()))
    head += islice(rows, SEEN_ROWS - 1)
    known = [row for row in head if isinstance(row, Mapping)]
    every = chain(head, rows)
    if spec.group_by and not _is_sample(head[0]):
        refuse_other_rows(known, spec.group_by, spec.name, PLACE)
        wanted = tuple(slices or ())
        return MemoryRows(_grouped(every, spec.group_by, wanted), _read_sample, wanted)
    both = not spec.group_by
    fields = find_fields(
        known, place=PLACE, wants_prediction=both, wants_reference=both, given=given, flag="{}_field=".format
    )
    if spec.group_by:
        fields = replace(fields, prediction="prediction", reference="reference")
    others = _other_columns(known, fields)
    numbers = _Numbers(_whole_columns(data)) if spec.of_text and _has_columns(data) else None
    if slices is not None:
        if len(head) < SEEN_ROWS:  # else a later row may have the key
            _refuse_unknown(slices, [*others, *dict.fromkeys(key for row in known for key in _meta_keys(row))])
        reader = _RowReader(fields, tuple(slices), numbers=numbers)
        return MemoryRows(every, reader, tuple(slices), reader.notes)
    splits = {SPLIT} if _is_a(data, "datasets", *_SPLIT_KINDS) else set()
    labels = {name: found for name in others if (found := _labels_in([row.get(name) for row in known]))}
    labels |= {name: _Labels(set(), math.inf) for name in splits}
    seen = frozenset(name for row in known for name in row)
    reader = _RowReader(fields, labels=labels, known=seen, numbers=numbers)
    return MemoryRows(every, reader, tuple(labels), lambda: (*reader.notes(), *_notes(others, reader)))


def _rows_of(data: Any, given: Fields) -> Iterable[Any]:
    """Rows of whatever was given: mappings and Samples."""
    if isinstance(data, Sample):
        return [data]
    if _is_a(data, "datasets", *_SPLIT_KINDS):
        return _splits(data)
    if _is_table(data):
        return _table_rows(data)
    if isinstance(data, Mapping):
        return _mapping_rows(data, given)
    if isinstance(data, str | bytes | PathLike | type) or not isinstance(data, Iterable):
        raise UsageError(say("no_samples_given", kind=type(data).__name__))
    return data


def _as_mapping(row: Any) -> Any:
    """A row of `iterrows`, `itertuples` or a structured array as a mapping; any other row unchanged."""
    if isinstance(row, Mapping | Sample):
        return row
    if _is_a(row, "pandas", "Series"):
        return {str(name): value for name, value in row.items()}
    if isinstance(row, np.void) and row.dtype.names:  # of a structured array
        return dict(zip(row.dtype.names, row.item(), strict=True))
    return row._asdict() if isinstance(row, tuple) and hasattr(row, "_asdict") else row


def _is_a(data: Any, package: str, *names: str) -> bool:
    """Whether data are of a class of a library that need not be installed, or of one derived from it."""
    return any(cls.__name__ in names and cls.__module__.partition(".")[0] == package for cls in type(data).__mro__[:-1])


def _is_table(data: Any) -> bool:
    """Whether data are a frame, a dataset or an Arrow table."""
    return (
        _is_a(data, "datasets", "Dataset", "IterableDataset")
        or _is_a(data, "pandas", "DataFrame")
        or _is_a(data, "polars", "DataFrame", "LazyFrame")
        or isinstance(data, pa.RecordBatch)
        or (hasattr(data, "__arrow_c_stream__") and not _is_a(data, "pandas", "Series"))
    )


def _table_rows(data: Any) -> Iterator[dict[str, Any]]:
    if _is_a(data, "datasets", "Dataset", "IterableDataset"):
        return _dataset_rows(data)
    if _is_a(data, "pandas", "DataFrame"):
        return _pandas_rows(data)
    return _arrow_rows(data.collect() if _is_a(data, "polars", "LazyFrame") else data)


def _pandas_rows(frame: Any) -> Iterator[dict[str, Any]]:
    """Rows of a pandas frame with a named index as columns; a value that is missing is None.

    Not through Arrow: that refuses columns of mixed objects, and gives every JSON object the keys of all others.
    """
    if any(name is not None for name in frame.index.names):
        frame = _with_index(frame)
    names = [str(name) for name in frame.columns]
    _refuse_same(names)
    columns = [_pandas_column(frame.iloc[:, at]) for at in range(len(names))]
    return (dict(zip(names, map(_plain, row), strict=True)) for row in zip(*columns, strict=True))


def _with_index(frame: Any) -> Any:
    """A frame with its index as columns; a level that is a column already (`set_index(…, drop=False)`) is left out."""
    _refuse_same([str(name) for name in frame.columns])
    names = [f"level_{at}" if name is None else name for at, name in enumerate(frame.index.names)]
    repeated = [at for at, name in enumerate(names) if name in frame.columns]
    if any(frame[names[at]].tolist() != frame.index.get_level_values(at).tolist() for at in repeated):
        raise DataError(say("duplicate_columns", place=PLACE))
    if len(repeated) == len(names):
        return frame.reset_index(drop=True)
    kept = [name for at, name in enumerate(names) if at not in repeated]
    return (frame.droplevel(repeated) if repeated else frame).reset_index(names=kept)


def _pandas_column(column: Any) -> list[Any]:
    values = column.tolist()
    kind = getattr(column.dtype, "pyarrow_dtype", None)
    return list(map(own_members(kind), map(_plain, values))) if kind is not None else values


def _arrow_rows(data: Any) -> Iterator[dict[str, Any]]:
    """Rows of an Arrow table, batch or stream, or of what can hand out one, such as a polars frame."""
    stream = data if isinstance(data, pa.RecordBatchReader) else None
    schema = stream.schema if stream else (data := pa.table(data)).schema
    _refuse_same(schema.names)
    for batch in stream or data.to_batches(SEEN_ROWS):
        columns = [_values(in_microseconds(column, safe=False)) for column in batch.columns]
        for row in zip(*columns, strict=True):
            yield dict(zip(schema.names, map(_plain, row), strict=True))


def _values(column: Any) -> list[Any]:
    """Values of an Arrow column; a struct has only the members that are not null."""
    return list(map(own_members(column.type), column.to_pylist(maps_as_pydicts="strict")))


def _dataset_rows(dataset: Any) -> Iterator[dict[str, Any]]:
    """Rows of a Hugging Face dataset; no image or sound is decoded, because none is read."""
    plain = dataset.with_format(None)
    heavy = [name for name, kind in (plain.features or {}).items() if _is_a(kind, "datasets", *MEDIA)]
    plain = plain.remove_columns(heavy) if heavy else plain
    own = own_members(plain.features.arrow_schema if plain.features else pa.schema([]))
    return ({name: _plain(value) for name, value in own(row).items()} for row in plain)


def _splits(splits: Mapping[Any, Any]) -> Iterator[dict[str, Any]]:
    """Rows of all splits, each with its split as slice key and before its id."""
    for split, dataset in splits.items():
        for number, row in enumerate(_dataset_rows(dataset), 1):
            yield {**row, "id": f"{split}/{row.get('id', number)}", SPLIT: str(split)}


def _mapping_rows(data: Mapping[Any, Any], given: Fields) -> Iterable[Any]:
    """Rows of a mapping: columns, one row, or the data of several systems by name."""
    names = _FIELD_NAMES | set(filter(None, (given.prediction, given.reference)))
    if not names.isdisjoint(data):
        if all(_is_column(value) for value in data.values()):
            return _column_rows(data)
        return [data]
    if data and all(isinstance(value, list) or _is_table(value) for value in data.values()):
        return _system_rows(data)
    if data and all(isinstance(value, Mapping) for value in data.values()):
        if any(_is_column(column) for value in data.values() for column in value.values()):
            return _system_rows({system: list(_mapping_rows(value, given)) for system, value in data.items()})
        return ({"id": str(name), **row} for name, row in data.items())
    raise UsageError(say("no_samples_given", kind=type(data).__name__))


def _is_column(value: Any) -> bool:
    return isinstance(value, list | tuple | np.ndarray | pa.Array | pa.ChunkedArray | Iterator) or (
        hasattr(value, "to_list") and hasattr(value, "__len__")
    )


def _column(value: Any) -> Sequence[Any]:
    """A column as a sequence of plain values."""
    if isinstance(value, pa.Array | pa.ChunkedArray):
        return _values(value)
    return list(value) if isinstance(value, Iterator) else value


def _column_rows(given: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    columns = {name: _column(column) for name, column in given.items()}
    if len({len(column) for column in columns.values()}) > 1:
        sizes = ", ".join(f"{name} ({len(column)})" for name, column in columns.items())
        raise UsageError(say("columns_of_unlike_length", sizes=sizes))
    names = [str(name) for name in columns]
    return (dict(zip(names, map(_plain, row), strict=True)) for row in zip(*columns.values(), strict=True))


def _system_rows(systems: Mapping[Any, Any]) -> Iterator[Any]:
    """Rows of several systems; ids are those of the rows, or their numbers within the system."""
    for system, data in systems.items():
        for number, row in enumerate(_table_rows(data) if _is_table(data) else data, 1):
            if isinstance(row, Sample):
                yield replace(row, system=str(system))
            elif isinstance(row, Mapping):
                yield {**row, "id": row.get("id", number), "system": str(system)}
            else:
                yield row


def _plain(value: Any) -> Any:
    """A value of a frame as JSON has it: numbers of numpy as Python's, what is missing as None."""
    if type(value) is str or value is None:
        return value
    if isinstance(value, np.ndarray):
        return [_plain(each) for each in value.tolist()]
    if isinstance(value, np.generic):
        value = value.item()
    if type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and math.isnan(value)):
        return None
    return value


def _written(value: Any) -> Any:
    """A prediction or reference with a date or time as text, as files have it."""
    return value.isoformat() if isinstance(value, date | time) else value


@dataclass
class _Numbers:
    """Makes text of numbers in columns of a table, as a CSV file has them."""

    whole: frozenset[str]
    """Columns of whole numbers that became floats because some are missing."""
    found: dict[str, None] = field(default_factory=dict)
    """Columns that hold numbers."""

    def text(self, value: Any, name: str) -> Any:
        """A number as text; any other value as it is."""
        if isinstance(value, str | bool) or not isinstance(value, int | float | Decimal):
            return value
        self.found[name] = None
        return str(int(value) if name in self.whole and value == value // 1 else value)


def _has_columns(data: Any) -> bool:
    """Whether data are tables or columns, in which a number may be a text that was read as one."""
    if _is_table(data) or _is_a(data, "datasets", *_SPLIT_KINDS):
        return True
    if not isinstance(data, Mapping):
        return False
    return any(_is_table(value) or _is_column(value) for value in data.values()) and not any(
        isinstance(value, list) and any(isinstance(each, Mapping | Sample) for each in value[:1])
        for value in data.values()
    )


def _whole_columns(data: Any) -> frozenset[str]:
    """Columns of pandas whose numbers are all whole, and floats only because some are missing."""
    if not isinstance(data, Mapping) and not _is_a(data, "pandas", "DataFrame"):
        return frozenset()
    found: set[str] = set()
    for name, column in data.items():
        if _is_a(column, "pandas", "DataFrame"):  # of one of several systems
            found |= _whole_columns(column)
        elif _is_a(column, "pandas", "Series") and column.dtype.kind == "f" and column.isna().any():
            found |= {str(name)} if (column.dropna() % 1 == 0).all() else set()
    return frozenset(found)


def _refuse_same(names: Sequence[str]) -> None:
    if len(set(names)) != len(names):
        raise DataError(say("duplicate_columns", place=PLACE))


def _other_columns(rows: Sequence[Mapping[str, Any]], fields: Fields) -> list[str]:
    used = {*OWN, fields.id, fields.prediction, fields.reference}
    return [name for name in dict.fromkeys(name for row in rows for name in row) if name not in used]


def _meta_keys(row: Mapping[str, Any]) -> Iterable[str]:
    meta = row.get("meta")
    return meta if isinstance(meta, Mapping) else ()


def _refuse_unknown(slices: Sequence[str], known: Sequence[str]) -> None:
    for key in slices:
        if key not in known:
            named = listed(known, NAMED_COLUMNS) or "–"
            raise UsageError(say("unknown_slice_in_memory", key=key, near=near(str(key), known), known=named))


@dataclass
class _Labels:
    """Values of a column that is sliced by without being asked for: the first ones, up to the most there may be."""

    values: set[str]
    most: float = MOST_LABELS
    pooled: int = 0
    """Rows with another value, which are one slice."""

    def of(self, value: Any) -> str:
        """The slice of a row with this value."""
        if value is None:
            return ""
        if isinstance(value, str) and value in self.values:
            return value
        if len(self.values) < self.most and _is_label(value):
            self.values.add(value)
            return str(value)
        self.pooled += 1
        return OTHER


def _is_label(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_LABEL and "\n" not in value


def _labels_in(values: Sequence[Any]) -> _Labels | None:
    """Values of a column that is worth slicing by, that is one of short texts, few of them; else nothing."""
    given = [value for value in values if value is not None]
    if not given or not all(map(_is_label, given)):
        return None
    found = set(given)
    return _Labels(found) if len(found) <= MOST_LABELS else None


def _notes(others: Sequence[str], reader: _RowReader) -> tuple[str, ...]:
    """What became of the columns that nobody named."""
    pooled = [name for name, found in reader.labels.items() if found.pooled]
    ignored = [*(name for name in others if name not in reader.labels), *reader.late]
    told = {
        "columns_sliced": list(reader.labels),
        "columns_pooled": pooled,
        "columns_ignored": ignored,
    }
    return tuple(
        say(key, names=listed(names, NAMED_COLUMNS), most=MOST_LABELS, other=OTHER)
        for key, names in told.items()
        if names
    )


def _is_sample(row: Mapping[str, Any]) -> bool:
    """Whether a mapping for an evaluator of grouped rows is a whole sample already."""
    return isinstance(row.get("prediction"), list) or set(row) <= {"prediction", "reference", *OWN}


def _grouped(rows: Iterable[Any], group_by: GroupBy, slices: tuple[str, ...]) -> Iterator[Sample]:
    """Samples of rows that belong together, in the order of their first rows."""
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for number, row in enumerate(rows):
        try:
            if not isinstance(row, Mapping):
                raise BadRow(say("sample_not_mapping", kind=type(row).__name__))
            system = row_id(row, group_by.system) if group_by.system else ""
            groups.setdefault((system, row_id(row, group_by.id)), []).append(row)
        except BadRow as bad:
            raise DataError(say("bad_row", place=f"{PLACE}[{number}]", problem=bad)) from None
    for (system, name), group in groups.items():
        cluster = row_id(group[0], "cluster") if group[0].get("cluster") is not None else ""
        yield Sample(name, [dict(row) for row in group], None, meta_of(group[0], slices), system, cluster)


@dataclass(frozen=True)
class _RowReader:
    """Makes samples of mappings whose fields were found."""

    fields: Fields
    slices: tuple[str, ...] = ()
    labels: Mapping[str, _Labels] = field(default_factory=dict)
    """Columns that are sliced by without being asked for."""
    known: frozenset[str] = frozenset()
    """Columns of the first rows."""
    late: dict[str, None] = field(default_factory=dict)
    """Columns that only later rows have."""
    numbers: _Numbers | None = None
    """What makes text of numbers, where that is wanted."""

    def __call__(self, row: Any, number: int) -> Sample:
        if not isinstance(row, Mapping):
            return _read_sample(row, number)
        name = _plain(row.get(self.fields.id)) if self.fields.id else None
        return _checked(
            Sample(
                str(number) if name is None else name,
                self._scored(row, self.fields.prediction),
                self._scored(row, self.fields.reference),
                {**self._labels(row), **meta_of(row, self.slices)},
                "" if row.get("system") is None else row["system"],
                "" if row.get("cluster") is None else row_id(row, "cluster"),
            )
        )

    def notes(self) -> tuple[str, ...]:
        """What a person should be told of the two columns that are scored."""
        found = self.numbers.found if self.numbers else ()
        return (say("columns_of_numbers", names=listed(found, NAMED_COLUMNS)),) if found else ()

    def _scored(self, row: Mapping[str, Any], name: str) -> Any:
        value = _written(_plain(row.get(name)))
        return self.numbers.text(value, name) if self.numbers else value

    def _labels(self, row: Mapping[str, Any]) -> dict[str, str]:
        if self.known and not row.keys() <= self.known:
            self.late.update(dict.fromkeys(name for name in row if name not in self.known and name not in OWN))
        return {name: found.of(row.get(name)) for name, found in self.labels.items()}


def _read_sample(given: Any, number: int) -> Sample:  # noqa: ARG001
    if not isinstance(given, Sample):
        raise BadRow(say("sample_not_mapping", kind=type(given).__name__))
    return _checked(given)


def _checked(sample: Sample) -> Sample:
    """A sample under the rules that hold for rows: ids are text or whole numbers, and so on."""
    name, meta = row_id({"id": sample.id}, "id"), meta_of({"meta": sample.meta}, ())
    if not isinstance(sample.system, str) or not isinstance(sample.cluster, str):
        raise BadRow(say("bad_text_field", field="system" if isinstance(sample.cluster, str) else "cluster"))
    "".join((name, sample.system, sample.cluster, *meta, *meta.values())).encode()
    return sample if name == sample.id and meta == sample.meta else replace(sample, id=name, meta=meta)
