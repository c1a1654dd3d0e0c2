"""One pass over the input before anything is scored: hashes, shards with line numbers, id index, grouping.

The plan depends on the input alone, never on the number of workers or the engine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from jatdae.core.errors import DataError, UsageError
from jatdae.core.evaluator import EvaluatorSpec
from jatdae.core.messages import near, say
from jatdae.run import index
from jatdae.run.grouping import first_rows, regroup, whole_samples
from jatdae.run.items import MAX_SLICE_VALUES, Reading
from jatdae.run.lines import bytes_of, lines_of
from jatdae.run.model import Inputs, Plan, Role, Shard, Source
from jatdae.run.ranges import LARGEST_SHARD, byte_ranges
from jatdae.run.rows import BASELINE, SEEN_ROWS, BadRow, Fields, find_fields, parse, parse_exact, shown
from jatdae.run.scan import KEPT_EXAMPLES, Scan, count_rows, scan
from jatdae.run.sources import RowFile, is_document, is_folder, missing_or_unreadable, open_source
from jatdae.run.spool import PROBLEM

Map = Callable[[Callable[..., Any], Sequence[tuple[Any, ...]]], Iterable[Any]]
"""Calls a function on each tuple of arguments, in order, perhaps in other processes."""


def make_plan(inputs: Inputs, spec: EvaluatorSpec, folder: Path, run_all: Map) -> Plan:
    """Read the whole input once. Spools and indexes go to `folder`."""
    check_inputs(inputs, spec)
    planner = _Planner(inputs, spec, folder, run_all)
    return planner.pairs() if inputs.pairs else planner.joined()


def check_inputs(inputs: Inputs, spec: EvaluatorSpec) -> None:
    """What can be refused before anything is read."""
    paths = [path for _, path in (*inputs.pairs, *inputs.predictions)]
    if error := next(filter(None, map(missing_or_unreadable, paths)), None):
        raise error
    for system, _ in (*inputs.pairs, *inputs.predictions):
        if system.startswith(BASELINE):
            raise UsageError(say("system_reserved", name=system))
    if [*paths, inputs.reference].count("-") > 1:
        raise UsageError(say("stdin_twice"))
    if not inputs.pairs:
        _check_joined(inputs, spec)
        return
    for path in paths:
        if is_folder(path) or is_document(path):
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
        if is_folder(path) != is_folder(inputs.reference):
            raise UsageError(say("folder_and_file", pred=path, ref=inputs.reference))
    systems = [system for system, _ in inputs.predictions]
    for system in systems:
        if systems.count(system) > 1:
            raise UsageError(say("named_twice", flag="--system", name=system))


class _Planner:
    def __init__(self, inputs: Inputs, spec: EvaluatorSpec, folder: Path, run_all: Map) -> None:
        self.inputs, self.spec, self.folder, self.run_all = inputs, spec, folder, run_all
        self.bad_rows = 0
        self.bad_examples: list[str] = []

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
            contents |= _contents(scans)
            self._refuse_missing(source, scans)
            if not self.spec.group_by:
                samples.append((source, scans))
            else:
                if spooled := regroup(source.file, scans, self.folder / f"{label}.grouped.jsonl"):
                    source = replace(source, file=spooled)
                    scans = self._scan(source)
                samples.append((source, first_rows(scans)))
                scans = whole_samples(scans)
            shards += self._shards(scans, len(sources), -1, len(shards))
            sources.append(source)
        index.refuse_duplicates(samples, index.ordered_hashes(part for _, scans in samples for part in scans))
        return self._plan(sources, shards, rows, contents, sources)

    def joined(self) -> Plan:
        document = Path(self.inputs.reference).stem if is_document(self.inputs.reference) else ""
        source, scans = self._read(self.inputs.reference, "reference", "reference", "", document)
        refs = index.ordered_hashes(scans)
        index.refuse_duplicates([(source, scans)], refs)
        if self.inputs.missing != "error":
            scans = [part.lean() for part in scans]
        sources, extra = [source], []
        shards: list[Shard] = []
        for system, path in self.inputs.predictions:
            number = len(sources)
            predictions, found = self._read(path, f"predictions-{number}", "prediction", system, document)
            where = index.write_index(found, self.folder / f"predictions-{number}.index.npy")
            preds = index.indexed_hashes(where)
            if len(preds) and bool(source.reading.fields.id) != bool(predictions.reading.fields.id):
                raise UsageError(say("ids_on_one_side", pred=predictions.file.name, ref=source.file.name))
            index.refuse_duplicates([(predictions, found)], preds)
            sources.append(replace(predictions, index=where))
            extra.append((system, sum(int((~index.among(part.hashes, refs)).sum()) for part in found)))
            if extra[-1][1] and extra[-1][1] == len(preds):
                raise DataError(say("nothing_joins", pred=predictions.file.name, ref=source.file.name))
            if self.inputs.missing == "error":
                index.refuse_missing(source, scans, preds, predictions.file.name)
                self._refuse_missing(predictions, found)
            shards += self._shards(scans, 0, number, len(shards))
        rows = len(sources[1:]) * sum(part.rows for part in scans)
        return self._plan(sources, shards, rows, _contents(scans), sources[1:], tuple(extra))

    def _read(self, path: str, label: str, role: Role, system: str, document: str = "") -> tuple[Source, list[Scan]]:
        beside = self.spec.sidecars if role == "reference" else ()
        file = open_source(path, self.folder, label, document_id=document, sidecars=beside)
        if file.holds == "files":
            fields = Fields(id="id", prediction="file", reference="file")
        else:
            fields = find_fields(
                _head(file, self.spec.exact_numbers),
                place=file.name,
                wants_prediction=role != "reference" and not self.spec.group_by,
                wants_reference=role != "prediction" and not self.spec.group_by,
                given=self.inputs.fields,
            )
        reading = Reading(
            fields, self.inputs.slices, self.spec.exact_numbers, system, role == "pairs",
            self.spec.group_by if role == "pairs" else None, file.holds == "files",
        )  # fmt: skip
        source = Source(file, reading, role)
        scans = self._scan(source)
        if role != "prediction" and not sum(s.rows for s in scans):
            raise DataError(say("no_rows", place=file.name))
        self._tell_bad(source, scans)
        if role != "prediction":
            self._refuse_slices(file, scans)
        return source, scans

    def _scan(self, source: Source) -> list[Scan]:
        file, fields = source.file, source.reading.fields
        ranges = list(byte_ranges(file))
        counts = [0] * len(ranges)
        if not fields.id and not self.spec.group_by:  # ids are row numbers, so a range has to know its first row
            counts = list(self.run_all(count_rows, [(file.path, *r) for r in ranges]))
        firsts = [1 + sum(counts[:i]) for i in range(len(ranges))] if any(counts) else [1] * len(ranges)
        anonymous = replace(source.reading, system="") if source.role != "pairs" else source.reading
        tasks = [(file.path, anonymous, *r, first) for r, first in zip(ranges, firsts, strict=True)]
        return list(self.run_all(scan, tasks))

    def _shards(self, scans: Sequence[Scan], source: int, predictions: int, first: int) -> Iterator[Shard]:
        line, row, number = 1, 1, first
        for part in scans:
            if part.rows:
                yield Shard(number, source, predictions, part.start, part.end, line, row, part.rows)
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
            raise DataError(say("bad_row_stop", problem=examples[0], more=more))
        self.bad_rows += bad
        self.bad_examples += examples[: KEPT_EXAMPLES - len(self.bad_examples)]

    def _refuse_slices(self, file: RowFile, scans: Sequence[Scan]) -> None:
        """A slice key that no row has is a slip of the pen; one with very many values is no slice."""
        for key in self.inputs.slices:
            if all(part.slices.get(key, set()) <= {""} for part in scans):
                rows = _head(file, self.spec.exact_numbers) if file.holds == "rows" else [{"id": ""}]
                known = sorted({name for row in rows for name in (*row, *(row.get("meta") or {}))})
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
        return Plan(tuple(sources), tuple(shards), rows, refs, preds, self.bad_rows, tuple(self.bad_examples), extra)


def _contents(scans: Sequence[Scan]) -> set[int]:
    sums: dict[str, int] = {}
    for part in scans:
        for system, value in part.content.items():
            sums[system] = (sums.get(system, 0) + value) % (1 << 128)
    grouped: dict[str, set[int]] = {}
    for part in scans:
        for system, values in part.grouped.items():
            grouped.setdefault(system, set()).update(values)
    return {*sums.values(), *(sum(values) % (1 << 128) for values in grouped.values())}


def _head(file: RowFile, exact: bool) -> list[dict[str, Any]]:
    """The first good rows, to see what the fields are called."""
    rows: list[dict[str, Any]] = []
    for line in lines_of(bytes_of(file.path, 0, min(file.size, LARGEST_SHARD))):
        with suppress(BadRow):
            if line and not line.isspace() and not line.startswith(PROBLEM):
                rows.append(parse_exact(line) if exact else parse(line))
        if len(rows) == SEEN_ROWS:
            break
    return rows
