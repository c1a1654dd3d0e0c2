"""Score shards into parts: read samples, score each by the rules common to all evaluators, add up the parts."""

from __future__ import annotations

import math
import platform
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, tee
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal, Protocol
from uuid import uuid4

import pyarrow as pa

from jatdae.core.contract import Issue, Outcome, Sample
from jatdae.core.errors import DataError, EngineError, JatdaeError, UsageError
from jatdae.core.evaluator import EvaluatorSpec, failure, hook, spec_of
from jatdae.core.messages import say, shown
from jatdae.core.registry import Description
from jatdae.run.input.batches import (
    Batch,
    SampleColumns,
    bytes_of,
    checksum_of,
    columns_of,
    rare_garbage_collection,
    samples_of,
)
from jatdae.run.input.folders import read_listed
from jatdae.run.input.join import Index
from jatdae.run.input.model import Shard, Source
from jatdae.run.input.rows import BadRow
from jatdae.run.output.part import NOTHING_KEPT, KeptOutcomes, PartBuilder, write_part
from jatdae.run.output.tally import Tally
from jatdae.run.work import baselines
from jatdae.run.work.baselines import Candidate
from jatdae.run.work.engine import Engine, WorkerDied

Survey = Mapping[str, Mapping[str, float]]
"""Per system, what the evaluator's survey of all its samples summed up to."""
Pair = tuple[str, str, str]
"""A system, its prediction and the reference."""
MOST_PAIRS: Final = 16_384
"""How many outcomes of pairs that recur a worker keeps."""
Progress = Callable[[Literal["plan", "survey", "score"], int, int], None]
"""Told the phase, what is done and how much there is."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Samples in memory, scored like a shard of a file."""

    number: int
    samples: Sequence[Sample]

    @property
    def rows(self) -> int:
        """How many samples."""
        return len(self.samples)


Piece = Shard | Chunk


@dataclass(frozen=True, slots=True)
class Job:
    """What a worker needs to score any piece of a run: evaluator, input files and settings."""

    evaluator: Description | None
    """None where all work is done in this process, by the evaluator `at_hand`."""
    missing: str
    stamp: str = ""
    """Stands in each part, so that a part scored otherwise is never taken for ours."""
    sources: tuple[Source, ...] = ()
    survey: Survey = field(default_factory=dict)
    token: str = field(default_factory=lambda: uuid4().hex)
    """Names this very call; nothing that is written holds it."""
    bound: bytes = b""
    """Keys of references that baselines may be scored on are below it."""
    trail: str = ""
    """File for the id of the sample that is being worked on: what a worker that dies leaves behind."""


class Parts(Protocol):
    """Interface of the place where scored parts go: a run folder, or memory."""

    def held(self) -> set[int]:
        """The numbers of the parts that are there already."""

    def target(self, number: int) -> str:
        """The file that a worker writes a part to; "" where it hands back the table instead."""

    def take(self, number: int, table: pa.Table | None) -> pa.Table:
        """What a part holds for adding up; `table` is what a worker handed back."""


class Scoring:
    """Scores the pieces of a run whose parts are missing, and adds up all parts in order."""

    def __init__(
        self, at: Engine, evaluator: Any, parts: Parts, slices: Iterable[str], progress: Progress = lambda *_: None
    ) -> None:
        self._at, self._evaluator, self._parts, self._progress = at, evaluator, parts, progress
        spec = spec_of(evaluator)
        self.tally = Tally(spec.metrics, tuple(slices), spec.errors)

    def run(self, job: Job, pieces: Iterable[Piece], rows: int) -> int:
        """Score everything; returns how many parts were there already.

        Pieces are gone through once, unless the evaluator surveys them or has baselines: then they are a sequence.
        """
        if hasattr(self._evaluator, "survey"):
            job = replace(job, survey=self._survey(job, tuple(pieces)))
        if hasattr(self._evaluator, "baseline_predictions"):
            job = replace(job, bound=baselines.likely_bound(rows))
        resumed = done = 0
        noted: list[Candidate] = []
        unread: list[Piece] = []
        for piece, found in self._scored(job, pieces):
            done += piece.rows
            self._progress("score", done, rows)
            if found is None:
                resumed += 1
                unread.append(piece)
            else:
                noted += found
        if job.bound:
            self._score_baselines(job, tuple(pieces), noted, unread)
        return resumed

    def _survey(self, job: Job, pieces: Sequence[Piece]) -> Survey:
        sums: dict[str, Counter[str]] = {}
        for done, found in enumerate(self._map(_survey_piece, [(job, piece) for piece in pieces]), 1):
            for system, facts in found.items():
                sums.setdefault(system, Counter()).update(facts)
            self._progress("survey", done, len(pieces))
        return {system: dict(facts) for system, facts in sums.items()}

    def _scored(self, job: Job, pieces: Iterable[Piece]) -> Iterator[tuple[Piece, list[Candidate] | None]]:
        """Each piece when its part is added up, and what was noted of it; None where the part was there before."""
        held = self._parts.held()
        ahead, behind = tee(pieces)
        tasks = ((job, piece, self._parts.target(piece.number)) for piece in ahead if piece.number not in held)
        results = self._map(_score_piece, tasks)
        for piece in behind:
            noted, table = (None, None) if piece.number in held else next(results)
            self.tally.add(self._parts.take(piece.number, table))
            yield piece, noted

    def _score_baselines(
        self, job: Job, pieces: Sequence[Piece], noted: list[Candidate], unread: Sequence[Piece]
    ) -> None:
        """Parts for the baselines, after those of the pieces."""
        chosen = self._choose(job, pieces, noted, unread)
        samples = baselines.baseline_samples(self._evaluator, chosen)
        chunks = [Chunk(number, mine) for number, mine in enumerate(samples, len(pieces))]
        for _ in self._scored(replace(job, missing="worst", survey={}, bound=b""), chunks):
            pass

    def _choose(
        self, job: Job, pieces: Sequence[Piece], noted: list[Candidate], unread: Sequence[Piece]
    ) -> list[Candidate]:
        """The references that baselines are scored on, from what was noted while scoring, and from pieces not read now.

        Only keys below `job.bound` are looked for. Where those are too few, all are, once more.
        """
        found = baselines.smallest([*noted, *self._looked_for(job, unread, job.bound)])
        if len(found) < baselines.MOST and job.bound < baselines.ALL:
            found = baselines.smallest(self._looked_for(job, pieces, baselines.ALL))
        return found

    def _looked_for(self, job: Job, pieces: Sequence[Piece], bound: bytes) -> list[Candidate]:
        found = self._map(_piece_candidates, [(job, piece, bound) for piece in pieces])
        return [candidate for part in found for candidate in part]

    def _map(self, call: Callable[..., Any], tasks: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
        """Results of calls with a job and a piece; where workers die of one, the error names the sample."""
        try:
            yield from self._at.map(call, tasks)
        except WorkerDied as died:
            raise _named(died, call) from None


def _named(died: WorkerDied, call: Callable[..., Any]) -> EngineError:
    """The error for workers that died, with the sample of which one dies again when it has the work to itself."""
    with TemporaryDirectory() as folder:
        trail = Path(folder) / "sample"
        for job, piece, *rest in died.tasks:
            if _kills(call, replace(job, trail=str(trail)), piece, *rest) and trail.exists():
                name = shown(trail.read_text("utf-8"))
                return EngineError(say("sample_kills", id=name, n=piece.rows, place=_place(job, piece)))
    job, piece, *_ = died.tasks[0]
    return EngineError(f"{died} " + say("died_near", n=piece.rows, place=_place(job, piece)))


def _kills(call: Callable[..., Any], *task: Any) -> bool:
    """Whether a worker dies of a call; an error of the call itself is told when its turn comes."""
    with suppress(Exception), Engine(1) as alone:
        try:
            alone.apart(call, *task)
        except WorkerDied:
            return True
    return False


def _place(job: Job, piece: Piece) -> str:
    """Where the rows of a piece begin."""
    if isinstance(piece, Chunk):
        return repr(shown(piece.samples[0].id))
    return job.sources[piece.source].file.place(piece.first_line)


def _score_piece(job: Job, piece: Piece, target: str) -> tuple[list[Candidate], pa.Table | None]:
    """Score a piece of the input into the part `target`, or return its table.

    Also returns the samples that baselines may be scored on, if asked.
    """
    noted: list[Candidate] = []
    if target and not Path(target).parent.is_dir():
        raise EngineError(say("folder_not_shared", folder=Path(target).parent, worker=platform.node()))
    batches = _read_batches(job, piece)
    if job.bound:
        batches = baselines.noting(batches, job.bound, noted)
    table = score_samples(_evaluator_of(job), batches, job.missing, job.survey)
    if not target:
        return noted, table
    write_part(table, Path(target), piece.number, job.stamp)
    return noted, None


def _survey_piece(job: Job, piece: Piece) -> Survey:
    """Sum the facts that an evaluator's `survey` gives on a piece of the input, by system, before scoring."""
    return _survey_samples(_evaluator_of(job), _read_batches(job, piece))


def _piece_candidates(job: Job, piece: Piece, bound: bytes) -> list[Candidate]:
    """Samples of a piece of the input that baselines may be scored on."""
    return baselines.candidates(_read_batches(job, piece), bound)


_LOADED: Final[dict[str, Any]] = {}
_AT_HAND: Final[dict[str, Any]] = {}


@contextmanager
def at_hand(job: Job, evaluator: Any) -> Iterator[None]:
    """Context manager in which the given evaluator instance scores a job that has no description of one."""
    _AT_HAND[job.token] = evaluator
    try:
        yield
    finally:
        del _AT_HAND[job.token]


def _evaluator_of(job: Job) -> Any:
    """Evaluator of a job, made once for all pieces of a run; its files are checked for changes."""
    if job.evaluator is None:
        return _AT_HAND[job.token]
    job.evaluator.refuse_changed()
    if job.token not in _LOADED:
        _LOADED.clear()
        _LOADED[job.token] = job.evaluator.load()
    return _LOADED[job.token]


@rare_garbage_collection()
def score_samples(evaluator: Any, batches: Iterable[SampleColumns], missing: str, survey: Survey) -> pa.Table:
    """Score samples and return their outcomes as a table; `survey` holds the facts on each system."""
    scoring = _PartScoring(evaluator, missing, survey)
    for batch in batches:
        scoring.add(batch)
    return scoring.table()


class _PartScoring:
    """Scores the samples of one part; equal pairs of texts only once, if the evaluator is pure."""

    def __init__(self, evaluator: Any, missing: str, survey: Survey) -> None:
        self._evaluator, self._missing, self._survey = evaluator, missing, survey
        spec = spec_of(evaluator)
        self._pure = spec.pure
        self._kept, self._seen = (NOTHING_KEPT, set[int]()) if survey else _kept_outcomes(evaluator)
        self._part = PartBuilder(spec.metrics, spec.severities, self._kept)
        self._scores: dict[str, Callable[[Sample], Outcome]] = {}
        """By system."""
        self._numbers: dict[Hashable, int] = {}
        """The outcomes of pairs that were scored."""

    def add(self, batch: SampleColumns) -> None:
        """Score some samples."""
        pairs = batch.pairs() if self._pure else None
        if pairs is None:
            numbers = [self._number(sample) for sample in batch.samples()]
        else:
            known = [*map(self._numbers.get, pairs)]
            numbers = [
                self._number_of(pairs[at], batch.sample(at)) if number is None else number
                for at, number in enumerate(known)
            ]
        self._part.add_samples(batch.names, batch.systems, batch.clusters, batch.metas, numbers)

    def table(self) -> pa.Table:
        """The outcomes of all samples; those that recur are kept for the next part."""
        made = self._part.table()
        if self._pure and not self._survey:
            _KEPT[:] = [(self._evaluator, self._part.kept(self._numbers, self._seen, MOST_PAIRS), self._seen)]
            if len(self._seen) >= 8 * MOST_PAIRS:
                self._seen.clear()
            self._seen.update(map(hash, self._numbers))
        return made

    def _number(self, sample: Sample) -> int:
        """The number of a sample's outcome."""
        if self._pure and type(sample.prediction) is str and type(sample.reference) is str:
            return self._number_of((sample.system, sample.prediction, sample.reference), sample)
        return self._part.add_outcome(self._score(sample), sample.id)

    def _number_of(self, pair: Pair, sample: Sample) -> int:
        """The number of a pair's outcome, which may be known by now."""
        number = self._numbers.get(pair)
        if number is None:
            number = self._kept.numbers.get(pair)
            if number is None:
                number = self._part.add_outcome(self._score(sample), sample.id)
            self._numbers[pair] = number
        return number

    def _score(self, sample: Sample) -> Outcome:
        score = self._scores.get(sample.system)
        if score is None:
            score = self._scores[sample.system] = Scorer(self._informed(sample.system), self._missing).score
        return score(sample)

    def _informed(self, system: str) -> Any:
        """The evaluator for one system."""
        with hook(self._evaluator, "informed"):
            return self._evaluator.informed(self._survey[system]) if system in self._survey else self._evaluator


_KEPT: Final[list[tuple[Any, KeptOutcomes, set[int]]]] = []


def _kept_outcomes(evaluator: Any) -> tuple[KeptOutcomes, set[int]]:
    """Outcomes of the pairs that recur, from one shard to the next, and hashes of the pairs that were seen.

    Those of another evaluator are dropped.
    """
    for owner, kept, seen in _KEPT:
        if owner is evaluator:
            return kept, seen
    return NOTHING_KEPT, set()


def _survey_samples(evaluator: Any, batches: Iterable[SampleColumns]) -> Survey:
    """Sum the facts that an evaluator's `survey` gives on each sample, by system."""
    sums: dict[str, Counter[str]] = {}
    for sample in chain.from_iterable(batch.samples() for batch in batches):
        try:
            facts = evaluator.survey(sample) if sample.prediction is not None else {}
        except (Exception, SystemExit) as error:
            raise failure(spec_of(evaluator), sample, error) from error
        sums.setdefault(sample.system, Counter()).update(facts)
    return {system: dict(facts) for system, facts in sums.items()}


def _read_batches(job: Job, piece: Piece) -> Iterator[SampleColumns]:
    """Read the samples of a piece of the input, in input order."""
    batches = _batches_in(job, piece)
    return _leaving_trail(batches, Path(job.trail)) if job.trail else batches


def _leaving_trail(batches: Iterable[SampleColumns], file: Path) -> Iterator[SampleColumns]:
    """The same samples one by one, each named before it is worked on."""
    for sample in chain.from_iterable(batch.samples() for batch in batches):
        file.write_text(sample.id, "utf-8")
        yield columns_of([sample])


def _batches_in(job: Job, piece: Piece) -> Iterator[SampleColumns]:
    if isinstance(piece, Chunk):
        yield columns_of(piece.samples)
        return
    source = job.sources[piece.source]
    data = bytes_of(source.file.path, piece.start, piece.end, piece.checksum)
    batches = source.reading.batches(data, piece.first_row)
    if source.reading.group_by:
        for sample in _grouped(batches, source.reading.slices):
            yield columns_of([sample])
    for rows in batches:
        if piece.predictions >= 0:
            yield columns_of([*_joined(source, job.sources[piece.predictions], rows)])
        else:
            yield rows.columns


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
        meta = {**match[2], **rows.metas[at]} if match and match[2] else rows.metas[at]
        yield Sample(name, prediction, reference, meta, system, rows.clusters[at])


def _value(source: Source, row: dict[str, Any], field: str) -> Any:
    if not source.reading.listed:
        return row.get(field)
    try:
        return read_listed(row)
    except BadRow:  # told of by the planning pass: a missing prediction, with what is told of it
        return None


@lru_cache(maxsize=8)
def _index(source: Source) -> Index:
    """Index of a prediction file, made once in a worker; the file is compared with the one that was planned with."""
    if source.checksum and checksum_of(source.file.path) != source.checksum:
        raise DataError(say("other_content", place=source.file.path))
    return Index(source.file.path, source.reading, source.index)


class Scorer:
    """Scores samples with an evaluator under common rules: missing predictions, bad references, alternatives."""

    def __init__(self, evaluator: Any, missing: str = "worst") -> None:
        self.spec: EvaluatorSpec = spec_of(evaluator)
        self._score = evaluator.score
        self._applicable = getattr(evaluator, "applicable", None)
        self._missing = missing
        self._grouped = self.spec.group_by is not None
        self._worst = {metric.name: metric.worst for metric in self.spec.metrics}
        self._effort = [metric.name for metric in self.spec.metrics if metric.effort]
        self._nothing = dict.fromkeys(self._worst)

    def score(self, sample: Sample) -> Outcome:
        """Like the evaluator's own `score`, for any sample a run can meet."""
        reference = sample.reference
        if reference is None and not self._grouped:
            return self._excluded("missing_reference", "the row has no reference")
        try:
            if sample.prediction is None:
                return self._without_prediction(sample)
            if type(reference) is not str and isinstance(reference, dict) and reference.keys() == {"$any"}:
                return self._best(sample, reference["$any"])
            outcome = self._score(sample)
            return outcome if type(outcome) is Outcome else self._checked(outcome, sample)
        except JatdaeError:
            raise
        except (Exception, SystemExit) as error:
            raise failure(self.spec, sample, error) from error

    def _without_prediction(self, sample: Sample) -> Outcome:
        issue = Issue("missing_prediction", "no prediction for this sample", "error")
        if self._missing == "skip":
            return Outcome(self._nothing, issues=(issue,))
        if self.spec.empty is None:
            return Outcome(self._worst, issues=(issue,))
        empty = self.score(replace(sample, prediction=self.spec.empty))
        if empty.values is self._nothing:  # a broken reference is left out, prediction or no
            return replace(empty, issues=(*empty.issues, issue))
        if self._applicable is None:
            return replace(empty, values=self._worst, issues=(issue,))
        can_be = self._applicable(sample)
        values = {name: worst if name in can_be else None for name, worst in self._worst.items()}
        values |= {name: empty.values.get(name) for name in self._effort}
        why = {code for metric in self.spec.metrics if values[metric.name] is None for code in metric.absent}
        return replace(empty, values=values, issues=(*[told for told in empty.issues if told.code in why], issue))

    def _best(self, sample: Sample, choices: Any) -> Outcome:
        """The best of several right answers by the primary metric; the first of equals."""
        choices = [choice for choice in choices if choice is not None] if isinstance(choices, list) else []
        if not choices:
            return self._excluded("bad_any", '"$any" needs a list with at least one reference')
        outcomes = [self._checked(self._score(replace(sample, reference=choice)), sample) for choice in choices]
        primary = self.spec.primary
        sign = 1.0 if primary.better == "higher" else -1.0

        def rank(outcome: Outcome) -> float:
            value = outcome.values.get(primary.name)
            return sign * value if value is not None and math.isfinite(value) else float("-inf")

        return max(outcomes, key=rank)

    def _excluded(self, code: str, message: str) -> Outcome:
        return Outcome(self._nothing, issues=(Issue(code, message, "error"),))

    def _checked(self, outcome: Any, sample: Sample) -> Outcome:
        if isinstance(outcome, Outcome):
            return outcome
        raise EngineError(say("not_an_outcome", name=self.spec.name, id=shown(sample.id), kind=type(outcome).__name__))
