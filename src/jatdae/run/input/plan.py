"""The planning pass: reads the input once before scoring, for hashes, shards, the id index and grouping.

The plan depends on the input alone, never on the number of workers or the engine.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final

from jatdae.core.contract import MAX_SLICE_VALUES, MAX_SYSTEMS
from jatdae.core.errors import DataError, UsageError
from jatdae.core.evaluator import EvaluatorSpec, Layout
from jatdae.core.messages import near, of_system, say, shown
from jatdae.run.input.batches import BOM, Reading, checksum_of
from jatdae.run.input.descriptions import NumberKeys, share_counts
from jatdae.run.input.digest import BITS, refs_hash, unlike_references
from jatdae.run.input.encodings import UTF8
from jatdae.run.input.files import RowFile, is_document, open_rows, open_source, recoded
from jatdae.run.input.grouping import first_rows, regroup, whole_samples
from jatdae.run.input.join import Hashes, among, indexed_hashes, is_among, ordered_hashes, write_index
from jatdae.run.input.layouts import layout_of
from jatdae.run.input.model import Inputs, Plan, Role, Shard, Source
from jatdae.run.input.refusals import (
    check_inputs,
    refuse_duplicates,
    refuse_empty_folder,
    refuse_strangers,
    refuse_unpredicted,
)
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


def _find_alone(rows: Iterable[Mapping[str, Any]], **wanted: Any) -> Fields:
    """The fields of predictions that have no reference: each stands for its own."""
    found = find_fields(rows, **wanted)
    return replace(found, reference=found.prediction)


class _Planner:
    def __init__(self, inputs: Inputs, spec: EvaluatorSpec, folder: Path, run_all: Map, remote: bool) -> None:
        self.inputs, self.spec, self.folder, self.run_all, self.remote = inputs, spec, folder, run_all, remote
        self.bad_rows = 0
        self.bad_examples: list[str] = []
        self.recognised: dict[str, dict[str, Any]] = {}
        self.notes: list[str] = []
        self.references: dict[str, int] = {}

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
            for part in scans:
                for name, content in part.content.items():
                    self.references[name] = (self.references.get(name, 0) + content) % (1 << BITS)
            self._refuse_missing(source, scans)
            if not self.spec.group_by:
                samples.append((source, scans))
            else:
                if spooled := regroup(source.file, scans, self.folder / f"{label}.grouped.jsonl"):
                    source = replace(source, file=spooled)
                    scans = self._scan(source)
                if unit := self.spec.group_by.unit:
                    named = [part.with_units() for part in scans]
                    refuse_duplicates([(source, named)], ordered_hashes([part.hashes for part in named]), unit)
                samples.append((source, first_rows(scans)))
                scans = whole_samples(scans)
            shards += self._shards(source.file, scans, len(sources), -1, len(shards))
            sources.append(source)
        refuse_duplicates(samples, ordered_hashes([part.hashes for _, scans in samples for part in scans]))
        return self._plan(sources, shards, rows, contents, sources)

    def joined(self) -> Plan:
        document = Path(self.inputs.reference).stem if is_document(self.inputs.reference) else ""
        source, scans = self._read(self.inputs.reference, "reference", "reference", "", document)
        refs = ordered_hashes([part.hashes for part in scans])
        refuse_duplicates([(source, scans)], refs)
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
            refuse_duplicates([(predictions, found)], preds)
            checksum = checksum_of(predictions.file.path) if self.remote else ""
            sources.append(replace(predictions, index=where, checksum=checksum))
            extra.append((system, sum(int((~among(part.hashes, refs)).sum()) for part in found)))
            if told := refuse_strangers(source, refs, predictions, preds, len(preds) - extra[-1][1]):
                self.notes.append(told)
            if told := refuse_empty_folder(predictions, found, len(refs), source.file.name):
                self.notes.append(told)
            if self.inputs.missing == "error":
                refuse_unpredicted(source, scans, preds, predictions.file.name)
                self._refuse_missing(predictions, found)
            shards += self._shards(source.file, scans, 0, number, len(shards))
        rows = len(sources[1:]) * sum(part.rows for part in scans)
        return self._plan(sources, shards, rows, _content_sums(scans), sources[1:], tuple(extra))

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
                repeated=repeated, known=partial(is_among, known=refs), numbers=self._numbers,
                shared=self._shared if role == "prediction" else None,
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
            raise DataError(say("no_documents", place=path, of_system=of_system(system), n=pages, ref=path))
        return file

    @property
    def _numbers(self) -> NumberKeys:
        """Meta keys that hold numbers."""
        metrics = self.spec.metrics
        return NumberKeys(
            dict.fromkeys(key for metric in metrics for key in metric.told),
            dict.fromkeys(key for metric in metrics for key in metric.counted),
        )

    @cached_property
    def _shared(self) -> dict[str, dict[str, str]]:
        """Counts of documents, such as their pages, that the folders of predictions tell."""
        if not self._numbers.counts:
            return {}
        folders = (Path(path) for _, path in self.inputs.predictions if path != "-")
        return share_counts([folder for folder in folders if folder.is_dir()], self._numbers)

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
            self.spec.group_by if role == "pairs" else None, file.holds == "files", role == "prediction",
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
                rows = _head(file, self.spec.exact_numbers)[0]
                if file.holds == "files":  # a row names a file, which is nothing to slice by
                    rows = [{"id": "", **row.get("meta", {})} for row in rows]
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
        refs = refs_hash(contents)
        told = [(s.reading.system, s.file.sha256, s.reading.fields.id, s.reading.fields.prediction) for s in predicted]
        preds = hashlib.sha256(repr(told).encode()).hexdigest()
        return Plan(
            tuple(sources), tuple(shards), rows, refs, preds, self.bad_rows, tuple(self.bad_examples), extra,
            self.recognised, tuple(self.notes), {} if self.spec.group_by else unlike_references(self.references),
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
