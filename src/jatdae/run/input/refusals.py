"""What is wrong with the input as a whole: with how it was given, and with the ids of its rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np

from jatdae.core.contract import BASELINE, Sample
from jatdae.core.errors import DataError, UsageError
from jatdae.core.evaluator import EvaluatorSpec
from jatdae.core.messages import of_system, say, shown
from jatdae.run.input.batches import Item, bytes_of
from jatdae.run.input.digest import id_hash
from jatdae.run.input.files import is_document, is_folder, missing_or_unreadable
from jatdae.run.input.join import Hashes, among, slips
from jatdae.run.input.model import Inputs, Source
from jatdae.run.input.scan import Scan, byte_ranges

IDS_COMPARED: Final = 10_000
"""How many ids of each side are looked at to guess why they do not match."""


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


def refuse_duplicates(read: Sequence[tuple[Source, Sequence[Scan]]], hashes: Hashes, unit: str = "") -> None:
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
    about = {"id": shown(name), "of_system": of_system(system), "first": first, "second": second}
    said = say("duplicate_unit", field=unit, value=shown(value), **about) if unit else say("duplicate_id", **about)
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


def refuse_unpredicted(source: Source, scans: Sequence[Scan], predicted: Hashes, name: str) -> None:
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


def refuse_strangers(source: Source, refs: Hashes, predictions: Source, preds: Hashes, joined: int) -> str:
    """Refuse predictions none of which has a reference; a note where most of the smaller side have no match."""
    if not len(preds) or 2 * joined >= min(len(preds), len(refs)):
        return ""
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
    return told


def refuse_empty_folder(predictions: Source, found: Sequence[Scan], documents: int, reference: str) -> str:
    """A folder without any document is a slip of the pen, unless it tells that all were tried and failed: a note."""
    listed, lacking = sum(part.rows for part in found), sum(part.missing for part in found)
    if predictions.file.holds != "files" or listed > lacking:
        return ""
    about = {"place": predictions.file.name, "of_system": of_system(predictions.reading.system), "n": documents}
    if not lacking:
        raise DataError(say("no_documents", ref=reference, **about))
    return say("no_output", **about)


def _ids_not_in(source: Source, known: Hashes) -> Iterator[str]:
    """Ids of a file, in order, whose hashes are not in a sorted array of them."""
    row = 1
    for start, end in byte_ranges(source.file):
        for batch in source.reading.batches(bytes_of(source.file.path, start, end), row):
            row += batch.length
            hashes = np.fromiter((id_hash("", name) for name in batch.names), np.uint64, len(batch.names))
            yield from (name for name, found in zip(batch.names, among(hashes, known), strict=True) if not found)


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
