"""The planning pass: reads the input once before scoring, for hashes, shards, the id index and grouping.

The plan depends on the input alone, never on the number of workers or the engine.
"""

from __future__ import annotations

import errno
import hashlib
import os
import platform
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np

from jatdae.core.contract import BASELINE, MAX_SLICE_VALUES, MAX_SYSTEMS, Sample
from jatdae.core.errors import DataError, UsageError
from jatdae.core.evaluator import EvaluatorSpec, Layout
from jatdae.core.messages import near, os_problem, say, shown
from jatdae.core.writing import locked
from jatdae.run.input.batches import BOM, Item, Reading, bytes_of, checksum_of
from jatdae.run.input.digest import BITS, id_hash
from jatdae.run.input.encodings import UTF8
from jatdae.run.input.files import (
    RowFile,
    is_document,
    is_folder,
    missing_or_unreadable,
    open_rows,
    open_source,
    recoded,
)
from jatdae.run.input.join import Hashes, among, indexed_hashes, ordered_hashes, slips, write_index
from jatdae.run.input.layouts import layout_of
from jatdae.run.input.model import Inputs, Plan, Role, Shard, Source
from jatdae.run.input.rows import (
    MAX_LINE_BYTES,
    MAX_ROW_BYTES,
    PROBLEM,
    SEEN_ROWS,
    BadRow,
    Fields,
    NotUtf8,
    find_fields,
    parse,
    parse_exact,
    refuse_other_rows,
)
from jatdae.run.input.scan import KEPT_EXAMPLES, LARGEST_SHARD, Scan, byte_ranges, count_rows, scan

STAGING_ATTEMPTS: Final = 100
IDS_COMPARED: Final = 10_000
"""How many ids of each side are looked at to guess why they do not match."""

_OF_LAYOUTS: Final = Fields(id="id", prediction="prediction", reference="reference")
"""What the rows of a layout call their fields, whether or not the first of them have a prediction."""

Map = Callable[[Callable[..., Any], Sequence[tuple[Any, ...]]], Iterable[Any]]
"""Calls a function on each tuple of arguments, in order, perhaps in other processes."""


def make_plan(inputs: Inputs, spec: EvaluatorSpec, folder: Path, run_all: Map, *, remote: bool = False) -> Plan:
    """Read the whole input once and plan the run; converted files and indexes go to `folder`.

    If workers are `remote` they may see other files under the same paths: they are given checksums to compare.
    """
    check_inputs(inputs, spec)
    planner = _Planner(inputs, spec, folder, run_all, remote)
    return planner.pairs() if inputs.pairs else planner.joined()


def check_inputs(inputs: Inputs, spec: EvaluatorSpec) -> None:
    """Refuse input of a run that is wrong before the planning pass reads any row."""
    paths = [path for _, path in (*inputs.pairs, *inputs.predictions)]
    if error := next(filter(None, map(missing_or_unreadable, paths)), None):
        raise error
    for system, _ in (*inputs.pairs, *inputs.predictions):
        if system.startswith(BASELINE):
            raise UsageError(say("system_reserved", name=system))
    if "-" in paths and inputs.alone:
        raise UsageError(say("stdin_alone"))
    if [*paths, inputs.reference].count("-") > 1:
        raise UsageError(say("stdin_twice"))
    if not inputs.pairs:
        _check_joined(inputs, spec)
        return
    for path in paths:
        if not inputs.layout and (is_folder(path) or is_document(path)):
            raise UsageError(say("pairs_not_rows", place=path))
    if inputs.reference or inputs.predictions:
        raise UsageError(say("pairs_and_ref"))


def _check_joined(inputs: Inputs, spec: EvaluatorSpec) -> None:
    if not inputs.reference or not inputs.predictions:
        raise UsageError(say("nothing_to_read", evaluator=spec.name))
    if spec.group_by:
        raise UsageError(say("grouped_needs_rows", evaluator=spec.name))
    if error := missing_or_unreadable(inputs.reference):
        raise error
    for _, path in inputs.predictions:
        if is_folder(path) != is_folder(inputs.reference) and not spec.reference_rows:
            raise UsageError(say("folder_and_file", pred=path, ref=inputs.reference))
    systems = [system for system, _ in inputs.predictions]
    for system in systems:
        if systems.count(system) > 1:
            raise UsageError(say("named_twice", flag="--system", name=system))


def _find_alone(rows: Iterable[Mapping[str, Any]], **wanted: Any) -> Fields:
    """The fields of predictions that have no reference: each stands for its own."""
    found = find_fields(rows, **wanted)
    return replace(found, reference=found.prediction)


@contextmanager
def staging_folder(beside: Path) -> Iterator[Path]:
    """Context manager for a temporary folder of the planning pass over input; those of dead processes are removed.

    A process holds the lock of its folder while it plans. Process numbers would not tell whether it lives: containers
    that share `beside` have numbers of their own.
    """
    with ExitStack() as stack:
        try:
            for left in beside.glob(f".staging-{_machine()}-*"):
                with suppress(OSError), locked(left) as free:
                    if free:
                        shutil.rmtree(left, ignore_errors=True)
            made = _make_staging(beside, stack)
        except OSError as error:
            raise DataError(say("cannot_write", place=beside, problem=os_problem(error))) from None
        try:
            yield made
        finally:
            shutil.rmtree(made, ignore_errors=True)
            with suppress(OSError):
                beside.rmdir()  # only where planning failed and nothing else is there


def _make_staging(beside: Path, stack: ExitStack) -> Path:
    """Make and lock a folder; once more where another process removed it, or `beside`, before it was locked."""
    for _ in range(STAGING_ATTEMPTS):
        made = beside / f".staging-{_machine()}-{os.urandom(4).hex()}"
        with suppress(FileNotFoundError):
            made.mkdir(parents=True)  # by the umask, where tempfile would keep others out of what becomes RUN/input
            if stack.enter_context(locked(made)) is not False and made.exists():
                return made
    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))


class _Planner:
    def __init__(self, inputs: Inputs, spec: EvaluatorSpec, folder: Path, run_all: Map, remote: bool) -> None:
        self.inputs, self.spec, self.folder, self.run_all, self.remote = inputs, spec, folder, run_all, remote
        self.bad_rows = 0
        self.bad_examples: list[str] = []
        self.recognised: dict[str, dict[str, Any]] = {}
        self.notes: list[str] = []

    def pairs(self) -> Plan:
        sources: list[Source] = []
        shards: list[Shard] = []
        contents: set[int] = set()
        samples = []
        rows = 0
        for system, path in self.inputs.pairs:
            label = f"pairs-{len(sources)}"
            source, scans = self._read(path, label, "pairs", system)
            rows += sum(part.rows for part in scans)
            contents |= _content_sums(scans)
            self._refuse_missing(source, scans)
            if not self.spec.group_by:
                samples.append((source, scans))
            else:
                if spooled := _regroup(source.file, scans, self.folder / f"{label}.grouped.jsonl"):
                    source = replace(source, file=spooled)
                    scans = self._scan(source)
                if unit := self.spec.group_by.unit:
                    named = [part.with_units() for part in scans]
                    _refuse_duplicates([(source, named)], ordered_hashes([part.hashes for part in named]), unit)
                samples.append((source, _first_rows(scans)))
                scans = _whole_samples(scans)
            shards += self._shards(source.file, scans, len(sources), -1, len(shards))
            sources.append(source)
        _refuse_duplicates(samples, ordered_hashes([part.hashes for _, scans in samples for part in scans]))
        return self._plan(sources, shards, rows, contents, sources)

    def joined(self) -> Plan:
        document = Path(self.inputs.reference).stem if is_document(self.inputs.reference) else ""
        source, scans = self._read(self.inputs.reference, "reference", "reference", "", document)
        refs = ordered_hashes([part.hashes for part in scans])
        _refuse_duplicates([(source, scans)], refs)
        if self.inputs.missing != "error":
            scans = [part.lean() for part in scans]
        sources, extra = [source], []
        shards: list[Shard] = []
        for system, path in self.inputs.predictions:
            number = len(sources)
            predictions, found = self._read(path, f"predictions-{number}", "prediction", system, document, refs)
            target = self.folder / f"predictions-{number}.index.npy"
            where = write_index([part.hashes for part in found], (part.positions() for part in found), target)
            preds = indexed_hashes(where)
            if len(preds) and bool(source.reading.fields.id) != bool(predictions.reading.fields.id):
                raise UsageError(say("ids_on_one_side", pred=predictions.file.name, ref=source.file.name))
            _refuse_duplicates([(predictions, found)], preds)
            checksum = checksum_of(predictions.file.path) if self.remote else ""
            sources.append(replace(predictions, index=where, checksum=checksum))
            extra.append((system, sum(int((~among(part.hashes, refs)).sum()) for part in found)))
            self._compare_ids(source, refs, predictions, preds, len(preds) - extra[-1][1])
            self._refuse_empty_folder(predictions, found, len(refs), source.file.name)
            if self.inputs.missing == "error":
                _refuse_unpredicted(source, scans, preds, predictions.file.name)
                self._refuse_missing(predictions, found)
            shards += self._shards(source.file, scans, 0, number, len(shards))
        rows = len(sources[1:]) * sum(part.rows for part in scans)
        return self._plan(sources, shards, rows, _content_sums(scans), sources[1:], tuple(extra))

    def _compare_ids(self, source: Source, refs: Hashes, predictions: Source, preds: Hashes, joined: int) -> None:
        """Refuse predictions none of which has a reference; tell where most of the smaller side have no match."""
        if not len(preds) or 2 * joined >= min(len(preds), len(refs)):
            return
        apart = [list(islice(_ids_not_in(*each), IDS_COMPARED)) for each in ((predictions, refs), (source, preds))]
        why = ", ".join(map(say, slips(*apart)))
        told = say(
            "few_join" if joined else "nothing_joins",
            pred=predictions.file.name,
            ref=source.file.name,
            n=joined,
            all=len(preds),
            why=say("ids_differ", how=why) if why else "",
            preds=_some(apart[0]),
            refs=_some(apart[1]),
        )
        if not joined:
            raise DataError(told)
        self.notes.append(told)

    def _refuse_empty_folder(self, predictions: Source, found: Sequence[Scan], documents: int, reference: str) -> None:
        """A folder without any document is a slip of the pen, unless it tells that all were tried and failed."""
        listed, lacking = sum(part.rows for part in found), sum(part.missing for part in found)
        if predictions.file.holds != "files" or listed > lacking:
            return
        about = {"place": predictions.file.name, "system": predictions.reading.system or "–", "n": documents}
        if not lacking:
            raise DataError(say("no_documents", ref=reference, **about))
        self.notes.append(say("no_output", **about))

    def _read(
        self, path: str, label: str, role: Role, system: str, document: str = "", refs: Hashes | None = None
    ) -> tuple[Source, list[Scan]]:
        beside = self.spec.sidecars if role == "reference" else ()
        alone = self.inputs.alone
        find = partial(
            _find_alone if alone else find_fields,
            wants_prediction=(role != "reference" or alone) and not self.spec.group_by,
            wants_reference=role != "prediction" and not alone and not self.spec.group_by,
            given=self.inputs.fields,
        )
        columns: list[str] = []

        def needed(names: list[str]) -> list[str]:
            columns.extend(names)
            if self.spec.group_by:  # the rows are the sample
                return names
            found = find([dict.fromkeys(names)], place=path)
            used = {found.id, found.prediction, found.reference, *self.inputs.slices, "meta", "system", "cluster"}
            return [name for name in names if name in used]

        if layout := layout_of(self.spec, self.inputs):
            file = self._read_layout(layout, path, label, system)
        else:
            own_rows = self.spec.reference_rows if role == "reference" else None
            repeated = self.spec.repeated if role == "prediction" else ""
            file = open_source(
                path, self.folder, label, document_id=document, sidecars=beside, needed=needed, own_rows=own_rows,
                repeated=repeated, known=partial(_is_among, known=refs), numbers=self._numbers,
            )  # fmt: skip
        in_utf8 = partial(recoded, target=self.folder / f"{label}.utf8.jsonl")
        file, fields = self._find(file, find, in_utf8)
        source = Source(file, self._reading(file, fields, role, system), role)
        scans = self._scan(source)
        if any(part.not_utf8 for part in scans) and not file.lines and not file.bad_byte:  # JSONL: it shows only now
            file, fields = self._find(in_utf8(file), find, in_utf8)
            source = Source(file, self._reading(file, fields, role, system), role)
            scans = self._scan(source) if file.encoding != UTF8 else scans
        self._recognise(file, scans)
        self._tell_strangers(file)
        if role != "prediction" and not sum(s.rows for s in scans):
            raise DataError(say("no_rows", place=file.name))
        self._tell_bad(source, scans)
        if role != "prediction":
            self._refuse_slices(file, scans, columns)
        if len(set[str]().union(*(part.systems for part in scans))) > MAX_SYSTEMS:
            name = self.spec.group_by.system if self.spec.group_by else "system"
            raise UsageError(say("too_many_systems", place=file.name, field=name, most=MAX_SYSTEMS))
        return source, scans

    def _read_layout(self, layout: Layout, path: str, label: str, system: str) -> RowFile:
        """The rows of a system in a layout that the evaluator reads by itself; one without any page is refused."""
        predicted = False
        pages = 0

        def counted() -> Iterator[tuple[int, Mapping[str, Any]]]:
            nonlocal predicted, pages
            for pages, row in enumerate(layout.rows(Path(path), system), 1):
                predicted |= row.get(_OF_LAYOUTS.prediction) is not None
                yield pages, row

        file = open_rows(counted(), f"{path} ({system})", self.folder / f"{label}.jsonl")
        if pages and not predicted:
            raise DataError(say("no_documents", place=path, system=system, n=pages, ref=path))
        return file

    @property
    def _numbers(self) -> set[str]:
        """Meta keys that hold numbers."""
        return {key for metric in self.spec.metrics for key in metric.told}

    def _tell_strangers(self, file: RowFile) -> None:
        """Tell of documents that are described and not there."""
        if file.strangers:
            (name, place), *more = file.strangers
            further = say("and_more", n=len(more)) if more else ""
            self.notes.append(say("meta_stranger", place=place, key=shown(name), more=further))

    def _find(
        self, file: RowFile, find: Callable[..., Fields], in_utf8: Callable[[RowFile], RowFile]
    ) -> tuple[RowFile, Fields]:
        """The fields of a file, and the file itself: converted if its first rows show that it has to be."""
        if file.holds == "files":
            return file, Fields(id="id", prediction="file", reference="file")
        if self.inputs.layout:
            return file, _OF_LAYOUTS
        rows, not_utf8 = _head(file, self.spec.exact_numbers)
        if not_utf8 and not file.lines and not file.bad_byte:
            file = in_utf8(file)
            rows, _ = _head(file, self.spec.exact_numbers)
        if self.spec.group_by and self.inputs.on_bad_row == "error":
            refuse_other_rows(rows, self.spec.group_by, self.spec.name, file.name)
        return file, find(rows, place=file.name)

    def _reading(self, file: RowFile, fields: Fields, role: Role, system: str) -> Reading:
        return Reading(
            fields, self.inputs.slices, self.spec.exact_numbers, system, role == "pairs",
            self.spec.group_by if role == "pairs" else None, file.holds == "files",
        )  # fmt: skip

    def _recognise(self, file: RowFile, scans: Sequence[Scan]) -> None:
        """Note how a file is read that is not plain UTF-8, or not separated as its name says."""
        found: dict[str, Any] = {}
        how = []
        if file.encoding != UTF8:
            found["encoding"] = file.encoding
            how.append(say("read_encoding", name=file.encoding))
        if file.marked:
            how.append(say("read_encoding", name=f"{UTF8} (BOM)"))
        if file.delimiter:
            found["delimiter"] = file.delimiter
            how.append(say("read_delimiter", mark=file.delimiter))
        encodings = sum((part.encodings for part in scans), Counter[str]())
        for name, count in sorted(encodings.items()):
            if name != UTF8:
                found.setdefault("encodings", {})[name] = count
                how.append(say("read_documents", name=name, n=count))
        if found:
            self.recognised[file.name] = found
        if how:
            self.notes.append(say("read_as", place=file.name, how=", ".join(how)))

    def _scan(self, source: Source) -> list[Scan]:
        file, fields = source.file, source.reading.fields
        ranges = [(*each, self._checksum(file, *each)) for each in byte_ranges(file)]
        counts = [0] * len(ranges)
        if not fields.id and not self.spec.group_by:  # ids are row numbers, so a range has to know its first row
            counts = list(self.run_all(count_rows, [(file.path, *r) for r in ranges]))
        firsts = [1 + sum(counts[:i]) for i in range(len(ranges))] if any(counts) else [1] * len(ranges)
        anonymous = replace(source.reading, system="") if source.role != "pairs" else source.reading
        tasks = [(file.path, anonymous, *r[:2], first, r[2]) for r, first in zip(ranges, firsts, strict=True)]
        return list(self.run_all(scan, tasks))

    def _checksum(self, file: RowFile, start: int, end: int) -> str:
        """Checksum of a byte range as this machine sees it, for a worker that may not."""
        return checksum_of(file.path, start, end) if self.remote else ""

    def _shards(
        self, file: RowFile, scans: Sequence[Scan], source: int, predictions: int, first: int
    ) -> Iterator[Shard]:
        line, row, number = 1, 1, first
        for part in scans:
            if part.rows:
                checksum = self._checksum(file, part.start, part.end)
                yield Shard(number, source, predictions, part.start, part.end, line, row, part.rows, checksum)
                number += 1
            line += part.lines
            row += part.rows

    def _tell_bad(self, source: Source, scans: Sequence[Scan]) -> None:
        bad = sum(part.bad_count for part in scans)
        if not bad:
            return
        line, examples = 1, []
        for part in scans:
            for at, column, problem in part.bad:
                examples.append(f"{source.file.place(line + at, column)}: {problem}")
            line += part.lines
        if self.inputs.on_bad_row == "error":
            more = say("and_more", n=bad - 1) if bad > 1 else ""
            stop = say("bad_row_stop", problem=examples[0], more=more)
            if source.file.bad_byte:
                stop += say("not_utf8_at", place=f"{source.file.name}:{source.file.bad_byte}")
            raise DataError(stop)
        self.bad_rows += bad
        self.bad_examples += examples[: KEPT_EXAMPLES - len(self.bad_examples)]

    def _refuse_slices(self, file: RowFile, scans: Sequence[Scan], columns: Sequence[str]) -> None:
        """A slice key that no row has is a slip of the pen; one with very many values is no slice."""
        for key in self.inputs.slices:
            if all(part.slices.get(key, set()) <= {""} for part in scans):
                rows = _head(file, self.spec.exact_numbers)[0] if file.holds == "rows" else [{"id": ""}]
                known = sorted({*columns, *(name for row in rows for name in (*row, *(row.get("meta") or {})))})
                raise UsageError(say("unknown_slice", key=key, near=near(key, known), known=", ".join(known[:20])))
            if len(set().union(*(part.slices.get(key, ()) for part in scans))) > MAX_SLICE_VALUES:
                raise UsageError(say("slice_too_wide", key=key, most=MAX_SLICE_VALUES))

    def _refuse_missing(self, source: Source, scans: Sequence[Scan]) -> None:
        missing = sum(part.missing for part in scans)
        if self.inputs.missing != "error" or not missing:
            return
        line = 1
        for part in scans:
            if part.first_missing:
                at, name = part.first_missing
                place = source.file.place(line + at)
                raise DataError(say("missing_predictions", n=missing, id=shown(name), place=place))
            line += part.lines

    def _plan(
        self, sources: list[Source], shards: list[Shard], rows: int, contents: set[int], predicted: list[Source],
        extra: tuple[tuple[str, int], ...] = (),
    ) -> Plan:  # fmt: skip
        refs = hashlib.sha256(repr(sorted(contents)).encode()).hexdigest()
        told = [(s.reading.system, s.file.sha256, s.reading.fields.id, s.reading.fields.prediction) for s in predicted]
        preds = hashlib.sha256(repr(told).encode()).hexdigest()
        return Plan(
            tuple(sources), tuple(shards), rows, refs, preds, self.bad_rows, tuple(self.bad_examples), extra,
            self.recognised, tuple(self.notes),
        )  # fmt: skip


def _content_sums(scans: Sequence[Scan]) -> set[int]:
    sums: dict[str, int] = {}
    for part in scans:
        for system, value in part.content.items():
            sums[system] = (sums.get(system, 0) + value) % (1 << BITS)
    grouped: dict[str, set[int]] = {}
    for part in scans:
        for system, values in part.grouped.items():
            grouped.setdefault(system, set()).update(values)
    return {*sums.values(), *(sum(values) % (1 << BITS) for values in grouped.values())}


def _head(file: RowFile, exact: bool) -> tuple[list[dict[str, Any]], bool]:
    """The first good rows, to see what the fields are called, and whether any line among them is not UTF-8.

    These are the rows in the first 4 MiB, or the first one at all.
    """
    rows: list[dict[str, Any]] = []
    not_utf8 = False
    with Path(file.path).open("rb") as stream:
        if stream.read(len(BOM)) != BOM:
            stream.seek(0)
        while len(rows) < SEEN_ROWS and (line := stream.readline(LARGEST_SHARD if rows else MAX_LINE_BYTES)):
            if rows and stream.tell() > LARGEST_SHARD:
                break
            try:
                if len(line) <= MAX_ROW_BYTES and not line.isspace() and not line.startswith(PROBLEM):
                    rows.append(parse_exact(line) if exact else parse(line))
            except BadRow as bad:
                not_utf8 |= isinstance(bad, NotUtf8)
    return rows, not_utf8


def _refuse_duplicates(read: Sequence[tuple[Source, Sequence[Scan]]], hashes: Hashes, unit: str = "") -> None:
    """Two rows with one (system, id) are an error that names both places; `hashes` are all of theirs in order.

    With `unit`, the field that tells the rows of a sample apart, rows with one (system, id, unit) are.
    """
    suspects = set(hashes[1:][hashes[1:] == hashes[:-1]].tolist())
    seen: dict[tuple[str, str, str], str] = {}
    for source, line, offset in _suspect_rows(read, suspects):
        name, system, _, _, row = _read_at(source, offset)
        value = str(row[unit]) if unit else ""
        place = source.file.place(line)
        if first := seen.get((system, name, value)):
            raise _duplicate(name, system, unit, value, first, place)
        seen[system, name, value] = place


def _duplicate(name: str, system: str, unit: str, value: str, first: str, second: str) -> DataError:
    name, system, value = shown(name), system or "–", shown(value)
    if unit:
        said = say("duplicate_unit", field=unit, value=value, id=name, system=system, first=first, second=second)
    else:
        said = say("duplicate_id", id=name, system=system, first=first, second=second)
    return DataError(said)


def refuse_duplicate_units(sample: Sample, unit: str, place: str) -> None:
    """The refusal of the planning pass for a sample in memory: two of its rows have one value in the field `unit`."""
    seen: dict[str, str] = {}
    for at, row in enumerate(sample.prediction or ()):
        if isinstance(row, Mapping) and row.get(unit) is not None:
            value, here = str(row[unit]), f"{place}.prediction[{at}]"
            if value in seen:
                raise _duplicate(sample.id, sample.system, unit, value, seen[value], here)
            seen[value] = here


def _refuse_unpredicted(source: Source, scans: Sequence[Scan], predicted: Hashes, name: str) -> None:
    """A reference row without prediction, where that is an error; `predicted` is sorted."""
    line, first, count = 1, None, 0
    for part in scans:
        lacking = np.flatnonzero(~among(part.hashes, predicted))
        count += len(lacking)
        if len(lacking) and first is None:
            first = (line + int(part.numbers[lacking[0]]), part.base + int(part.offsets[lacking[0]]))
        line += part.lines
    if first:
        missing = shown(_read_at(source, first[1])[0])
        raise DataError(
            say("missing_predictions", n=count, id=missing, place=f"{source.file.place(first[0])} → {name}")
        )


def _ids_not_in(source: Source, known: Hashes) -> Iterator[str]:
    """Ids of a file, in order, whose hashes are not in a sorted array of them."""
    row = 1
    for start, end in byte_ranges(source.file):
        for batch in source.reading.batches(bytes_of(source.file.path, start, end), row):
            row += batch.length
            hashes = np.fromiter((id_hash("", name) for name in batch.names), np.uint64, len(batch.names))
            yield from (name for name, found in zip(batch.names, among(hashes, known), strict=True) if not found)


def _is_among(name: str, known: Hashes | None) -> bool:
    """Whether an id is that of a row; `known` are the sorted hashes of all."""
    return known is not None and bool(among(np.array([id_hash("", name)], np.uint64), known)[0])


def _some(names: Sequence[str]) -> str:
    """Three ids, for a message."""
    return ", ".join(repr(shown(name, 40)) for name in names[:3]) + (" …" if len(names) > 3 else "")


def _suspect_rows(
    read: Sequence[tuple[Source, Sequence[Scan]]], suspects: set[int]
) -> Iterator[tuple[Source, int, int]]:
    if not suspects:
        return
    wanted = np.sort(np.fromiter(suspects, np.uint64, len(suspects)))
    for source, scans in read:
        line = 1
        for part in scans:
            for at in np.flatnonzero(among(part.hashes, wanted)).tolist():
                yield source, line + int(part.numbers[at]), part.base + int(part.offsets[at])
            line += part.lines


def _read_at(source: Source, offset: int) -> Item:
    with Path(source.file.path).open("rb") as file:
        file.seek(offset)
        return source.reading.item(file.readline().rstrip(b"\n"), 0)


def _regroup(file: RowFile, scans: Sequence[Scan], target: Path) -> RowFile | None:
    """Write a copy of the input with the rows of each sample together; None where they already are."""
    hashes = np.concatenate([part.hashes for part in scans])
    runs = 1 + np.count_nonzero(hashes[1:] != hashes[:-1]) if len(hashes) else 0
    _, first, member = np.unique(hashes, return_index=True, return_inverse=True)
    if runs == len(first):
        return None
    order = np.argsort(first[member], kind="stable")
    offsets = np.concatenate([part.positions() for part in scans])[order]
    starts = np.cumsum([0] + [part.lines for part in scans])
    counted = zip(scans, starts, strict=False)
    numbers = np.concatenate([part.numbers.astype(np.int64) + start + 1 for part, start in counted])[order]
    if file.lines:
        numbers = np.load(file.lines)[numbers - 1]
    with Path(file.path).open("rb") as rows, target.open("wb") as out:
        for offset in offsets.tolist():
            rows.seek(offset)
            out.write(rows.readline().rstrip(b"\r\n") + b"\n")
    lines = target.with_suffix(".lines.npy")
    np.save(lines, numbers)
    file.refuse_changed()
    return replace(file, path=str(target), size=target.stat().st_size, lines=str(lines), modified=0)


def _first_rows(scans: Sequence[Scan]) -> list[Scan]:
    """Keep of grouped input rows only the first of each sample, whose id has to be unique in a run."""
    kept: list[Scan] = []
    last: np.uint64 | None = None
    for part in scans:
        if not len(part.hashes):
            kept.append(part)
            continue
        new = np.concatenate([[part.hashes[0] != last], part.hashes[1:] != part.hashes[:-1]])
        kept.append(replace(part, hashes=part.hashes[new], offsets=part.offsets[new], numbers=part.numbers[new]))
        last = part.hashes[-1]
    return kept


def _whole_samples(scans: Sequence[Scan]) -> list[Scan]:
    """Move the borders of byte ranges so that all rows of a sample are in one range, the earliest."""
    whole: list[Scan] = []
    home, last = -1, None  # the range with the last good row, and whose row that is
    for part in scans:
        if home >= 0 and len(part.hashes) and part.hashes[0] == last:
            head, part = _split(part, last)  # noqa: PLW2901
            moved = [*whole[home + 1 :], head]
            lines, rows = sum(m.lines for m in moved), sum(m.rows for m in moved)
            before = whole[home]
            whole[home:] = [replace(before, end=head.end, lines=before.lines + lines, rows=before.rows + rows)]
        if part.start < part.end:
            whole.append(part)
            home, last = (len(whole) - 1, part.hashes[-1]) if len(part.hashes) else (home, last)
    return whole


def _split(part: Scan, last: np.uint64 | None) -> tuple[Scan, Scan]:
    """The rows of a range up to the first that is of another sample than `last`, and those from there on."""
    others = np.flatnonzero(part.hashes != last)
    if not len(others):
        return part, replace(part, start=part.end)
    at = int(others[0])
    end, lines = part.base + int(part.offsets[at]), int(part.numbers[at])
    tail = replace(
        part, start=end, lines=part.lines - lines, rows=part.rows - at,
        hashes=part.hashes[at:], offsets=part.offsets[at:], numbers=part.numbers[at:] - lines,
    )  # fmt: skip
    return replace(part, end=end, lines=lines, rows=at), tail


def _machine() -> str:
    """Names this machine, on which processes see each other's locks; where machines share a folder, others may not.

    Containers may all have one host name, wherever they run; the boot id is that of the machine below them.
    """
    try:
        name = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        name = platform.node()
    return re.sub(r"\W", "_", name)
