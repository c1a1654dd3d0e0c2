"""The work of one worker: read a byte range, score it, write a part."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa

from jatdae.core.contract import Sample
from jatdae.core.evaluator import spec_of
from jatdae.run.folders import read_listed
from jatdae.run.index import Index
from jatdae.run.items import Item, items_of, lines_of, samples_of
from jatdae.run.model import Job, Shard, Source, Survey
from jatdae.run.outcomes import PartBuilder
from jatdae.run.parts import write_part
from jatdae.run.rows import BadRow
from jatdae.run.score import Scorer, failure


def score_shard(job: Job, shard: Shard, target: str) -> int:
    """Score a shard into the part `target`; returns how many samples it holds."""
    table = score_samples(job.evaluator.load(), read_samples(job, shard), job.missing, job.survey)
    write_part(table, Path(target), job.stamp)
    return len(table)


def survey_shard(job: Job, shard: Shard) -> Survey:
    """The evaluator's additive facts per system, before anything is scored."""
    return survey_samples(job.evaluator.load(), read_samples(job, shard))


def score_samples(evaluator: Any, samples: Iterable[Sample], missing: str, survey: Survey) -> pa.Table:
    """Outcomes of samples as a table; `survey` is what is known of each system as a whole."""
    scorers: dict[str, Scorer] = {}
    part = PartBuilder(spec_of(evaluator).metrics)
    add = part.add
    with _rare_collection():
        for sample in samples:
            system = sample.system
            if (scorer := scorers.get(system)) is None:
                informed = evaluator.informed(survey[system]) if system in survey else evaluator
                scorer = scorers[system] = Scorer(informed, missing)
            add(sample, scorer.score(sample))
        return part.table()


def survey_samples(evaluator: Any, samples: Iterable[Sample]) -> Survey:
    """Sums of what the evaluator's `survey` says of each sample, by system."""
    sums: dict[str, Counter[str]] = {}
    for sample in samples:
        try:
            facts = evaluator.survey(sample) if sample.prediction is not None else {}
        except (Exception, SystemExit) as error:
            raise failure(spec_of(evaluator), sample, error) from error
        sums.setdefault(sample.system, Counter()).update(facts)
    return {system: dict(facts) for system, facts in sums.items()}


def read_samples(job: Job, shard: Shard) -> Iterator[Sample]:
    """The samples of a shard in the order of the input."""
    source = job.sources[shard.source]
    items = items_of(source.reading, lines_of(source.file.path, shard.start, shard.end), shard.first_row)
    if shard.predictions >= 0:
        yield from _joined(source, job.sources[shard.predictions], list(items))
    elif source.reading.group_by:
        for group in samples_of(items):
            name, system, meta, cluster, _ = group[0]
            yield Sample(name, [row for *_, row in group], None, meta, system, cluster)
    else:
        prediction, reference = source.reading.fields.prediction, source.reading.fields.reference
        for name, system, meta, cluster, row in items:
            yield Sample(name, row.get(prediction), row.get(reference), meta, system, cluster)


def _joined(references: Source, predictions: Source, items: list[Item]) -> Iterator[Sample]:
    found = _index(predictions).find([name for name, *_ in items])
    system = predictions.reading.system
    for item, match in zip(items, found, strict=True):
        name, _, meta, cluster, row = item
        prediction = None if match is None else _value(predictions, match[4], predictions.reading.fields.prediction)
        try:
            reference = _value(references, row, references.reading.fields.reference)
        except BadRow:  # a bad row, told of by the planning pass
            continue
        yield Sample(name, prediction, reference, meta, system, cluster)


def _value(source: Source, row: dict[str, Any], field: str) -> Any:
    return read_listed(row) if source.file.holds == "files" else row.get(field)


@contextmanager
def _rare_collection() -> Iterator[None]:
    """Let the garbage collector rest: outcomes are many, live to the end of the shard and hold no cycles.

    At the usual threshold it walks them again and again, a fifth of the whole time of a cheap evaluator.
    """
    before = gc.get_threshold()
    gc.set_threshold(max(200_000, before[0]), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


@lru_cache(maxsize=8)
def _index(source: Source) -> Index:
    return Index(source)
