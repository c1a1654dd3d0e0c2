"""The work of one worker: read a byte range, score it, write a part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from jatdae.core.contract import Outcome, Sample
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import spec_of
from jatdae.core.messages import say
from jatdae.run.choice import Candidate, noting
from jatdae.run.collection import rare_collection
from jatdae.run.folders import read_listed
from jatdae.run.index import Index
from jatdae.run.items import Batch, samples_of
from jatdae.run.lines import bytes_of
from jatdae.run.model import Job, Shard, Source, Survey
from jatdae.run.outcomes import PartBuilder
from jatdae.run.parts import write_part
from jatdae.run.rows import BadRow, shown
from jatdae.run.score import Scorer, failure, hook

_LOADED: Final[dict[str, Any]] = {}


def evaluator_of(job: Job) -> Any:
    """The evaluator, made once for all shards of a run; another run may find its files changed."""
    job.evaluator.refuse_changed()
    if job.token not in _LOADED:
        _LOADED.clear()
        _LOADED[job.token] = job.evaluator.load()
    return _LOADED[job.token]


def score_shard(job: Job, shard: Shard, target: str) -> list[Candidate]:
    """Score a shard into the part `target`; returns what baselines may be scored on, where the job wants to know."""
    noted: list[Candidate] = []
    samples = read_samples(job, shard)
    if job.bound:
        samples = noting(samples, job.bound, noted)
    write_part(score_samples(evaluator_of(job), samples, job.missing, job.survey), Path(target), job.stamp)
    return noted


def survey_shard(job: Job, shard: Shard) -> Survey:
    """The evaluator's additive facts per system, before anything is scored."""
    return survey_samples(evaluator_of(job), read_samples(job, shard))


@rare_collection()
def score_samples(evaluator: Any, samples: Iterable[Sample], missing: str, survey: Survey) -> pa.Table:
    """Outcomes of samples as a table; `survey` is what is known of each system as a whole."""
    scores: dict[str, Callable[[Sample], Outcome]] = {}
    part = PartBuilder(spec_of(evaluator).metrics)
    add, share = part.add, part.share
    pure, scored = spec_of(evaluator).pure, dict[tuple[str, str, str], int]()
    for sample in samples:
        system = sample.system
        if (score := scores.get(system)) is None:
            with hook(evaluator, "informed"):
                informed = evaluator.informed(survey[system]) if system in survey else evaluator
            score = scores[system] = Scorer(informed, missing).score
        if not pure or type(sample.prediction) is not str or type(sample.reference) is not str:
            add(sample, score(sample))
        elif (at := scored.get(pair := (system, sample.prediction, sample.reference))) is None:
            scored[pair] = add(sample, score(sample))
        else:
            share(sample, at)
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
    batches = source.reading.batches(bytes_of(source.file.path, shard.start, shard.end), shard.first_row)
    if source.reading.group_by:
        yield from _grouped(batches, source.reading.slices)
    for rows in batches:
        if shard.predictions >= 0:
            yield from _joined(source, job.sources[shard.predictions], rows)
        else:
            yield from map(
                Sample, rows.names, rows.predictions, rows.references, rows.metas, rows.systems, rows.clusters
            )


def _grouped(batches: Iterable[Batch], slices: Sequence[str]) -> Iterator[Sample]:
    for group in samples_of(item for rows in batches for item in rows.items()):
        name, system, meta, cluster, _ = group[0]
        for key in slices:
            if any(other[key] != meta[key] for _, _, other, _, _ in group):
                raise UsageError(say("slice_within_sample", key=key, id=shown(name)))
        yield Sample(name, [row for *_, row in group], None, meta, system, cluster)


def _joined(references: Source, predictions: Source, rows: Batch) -> Iterator[Sample]:
    found = _index(predictions).find(rows.names)
    system = predictions.reading.system
    for at, (name, match) in enumerate(zip(rows.names, found, strict=True)):
        prediction = None if match is None else _value(predictions, match[4], predictions.reading.fields.prediction)
        try:
            reference = read_listed(rows.rows[at]) if references.reading.listed else rows.references[at]
        except BadRow:  # a bad row, told of by the planning pass
            continue
        yield Sample(name, prediction, reference, rows.metas[at], system, rows.clusters[at])


def _value(source: Source, row: dict[str, Any], field: str) -> Any:
    return read_listed(row) if source.reading.listed else row.get(field)


@lru_cache(maxsize=8)
def _index(source: Source) -> Index:
    return Index(source)
