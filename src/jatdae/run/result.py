"""Scoring from Python: `evaluate` takes samples and gives a Result; a run folder loads as the same."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa

from jatdae.core.config import build
from jatdae.core.contract import Metric, Sample
from jatdae.core.errors import DataError, UsageError
from jatdae.core.evaluator import GroupBy, metric_and_average, spec_of
from jatdae.core.messages import near, say
from jatdae.core.registry import Description, describe, find
from jatdae.core.signature import Signature, sign
from jatdae.kernels import kernel
from jatdae.run.baselines import baseline_samples
from jatdae.run.choice import candidates, smallest
from jatdae.run.engine import Engine
from jatdae.run.items import meta_of
from jatdae.run.model import Survey
from jatdae.run.parts import metric_column, read_part
from jatdae.run.rows import BASELINE, BadRow, row_id, shown
from jatdae.run.scan import content_digest, row_digest, written
from jatdae.run.shard import score_samples, survey_samples
from jatdae.run.store import RunFolder
from jatdae.run.summary import Summary, summarise
from jatdae.run.tally import Tally

CHUNK = 256


@dataclass(frozen=True)
class Result:
    """The numbers of a run and the rows they come from."""

    signature: Signature
    summary: Summary
    tables: Sequence[pa.Table]
    """One fixed schema: id, system, cluster, meta, a column per metric, stats, counts, units, evidence, issues."""

    @property
    def systems(self) -> list[str]:
        """What was scored."""
        return list(self.summary["systems"])

    @property
    def metrics(self) -> list[Metric]:
        """What was measured."""
        return metrics_of(self.summary)

    def value(self, metric: str, system: str | None = None) -> float | None:
        """A metric's macro mean, or its micro average as `NAME.micro`."""
        if system is None:
            if len(self.systems) != 1:
                raise UsageError(
                    say("which_system", systems=", ".join(self.systems)) if self.systems else say("no_samples")
                )
            system = self.systems[0]
        return lookup(self.summary, metric, system)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Each sample's outcome as plain values."""
        names = [metric.name for metric in self.metrics]
        for table in self.tables:
            for row in table.to_pylist(maps_as_pydicts="strict"):
                row["values"] = {name: row.pop(metric_column(name)) for name in names}
                row["evidence"] = json.loads(row["evidence"]) if row["evidence"] else None
                yield row

    @classmethod
    def load(cls, run: str | Path) -> Result:
        """A finished run folder."""
        folder = RunFolder(Path(run))
        summary = folder.summary()
        manifest = folder.manifest()
        if manifest is None or "signature_parts" not in manifest:
            raise UsageError(say("not_a_run", place=folder.path))
        if not all(folder.part(number).exists() for number in range(len(manifest["plan"]["shards"]))):
            raise UsageError(say("run_unfinished", place=folder.path))
        return cls(Signature(**manifest["signature_parts"]), summary, _Parts(folder.parts()))


def evaluate(
    samples: Iterable[Sample | Mapping[str, Any]],
    evaluator: Any,
    *,
    jobs: int = 1,
    slices: Sequence[str] = (),
    missing: Literal["worst", "skip", "error"] = "worst",
    **config: Any,
) -> Result:
    """Score samples in memory.

    `evaluator` is an instance, or a name with its configuration as keywords. Samples may be plain mappings with the
    keys of `Sample`.
    """
    if jobs < 1:
        raise UsageError(say("bad_jobs", value=jobs))
    if isinstance(evaluator, str):
        evaluator = build(find(evaluator), config)
    elif isinstance(evaluator, type):
        evaluator = build(evaluator, config)
    elif config:
        raise UsageError(say("config_and_instance", keys=", ".join(config)))
    taken = _Taken(samples, missing, spec_of(evaluator).group_by)
    given: Iterable[Sample] = taken
    survey: Survey = {}
    if hasattr(evaluator, "survey") or hasattr(evaluator, "baseline_predictions"):
        given = list(taken)
    if hasattr(evaluator, "survey"):
        survey = survey_samples(evaluator, given)
    with Engine(jobs) as engine:
        if jobs == 1:
            tables = [score_samples(evaluator, chunk, missing, survey) for chunk in _chunks(given)]
        else:
            described = describe(evaluator)
            tasks = [(described, chunk, missing, survey) for chunk in _chunks(given)]
            tables = list(engine.map(_score_elsewhere, tasks))
    if hasattr(evaluator, "baseline_predictions"):
        chosen = smallest(candidates(given))
        tables += [score_samples(evaluator, samples, "worst", {}) for samples in baseline_samples(evaluator, chosen)]
    tally = Tally(spec_of(evaluator).metrics, slices)
    for table in tables:
        tally.add(table)
    signature = sign(evaluator, refs=taken.refs(), preds=taken.preds(), kernel=kernel(), missing=missing)
    about = {"rows": taken.rows, "bad_rows": 0, "bad_examples": [], "extra_predictions": {}}
    return Result(signature, summarise(tally, evaluator, signature=str(signature), about_input=about), tables)


def metrics_of(summary: Summary) -> list[Metric]:
    """The metrics a summary speaks of."""
    return [
        Metric(name, about["better"], about["worst"], about["unit"], about["primary"])
        for name, about in summary["metrics"].items()
    ]


def lookup(summary: Summary, metric: str, system: str) -> float | None:
    """`cer` is the macro mean, `cer.micro` the micro average."""
    known = summary["metrics"]
    found = metric_and_average(metric, known)
    if found is None:
        guess = near(metric.partition(".")[0], known)
        raise UsageError(say("unknown_metric", name=metric, near=guess, known=", ".join(known)))
    name, average = found
    value: float | None = summary["systems"][system]["metrics"][name][average]
    return value


class _Taken:
    """Samples as they go by: checked, counted, hashed."""

    def __init__(self, samples: Iterable[Sample | Mapping[str, Any]], missing: str, group_by: GroupBy | None) -> None:
        self._samples, self._missing, self._group_by = samples, missing, group_by
        self._refs: dict[str, int] = {}
        self._preds = hashlib.sha256()
        self._seen: set[tuple[str, str]] = set()

    @property
    def rows(self) -> int:
        return len(self._seen)

    def __iter__(self) -> Iterator[Sample]:
        for number, given in enumerate(self._samples, 1):
            place = f"samples[{number - 1}]"
            try:
                sample = _sample(given, number)
                digest, prediction = self._digest(sample), written(sample.prediction)
            except UnicodeEncodeError:
                raise DataError(say("bad_row", place=place, problem=say("row_not_utf8"))) from None
            except (TypeError, ValueError, RecursionError) as error:
                raise DataError(say("bad_row", place=place, problem=error)) from None
            key = (sample.system, sample.id)
            if sample.system.startswith(BASELINE):
                raise DataError(say("system_reserved", name=sample.system))
            if key in self._seen:
                raise DataError(say("duplicate_id_in_memory", id=shown(sample.id), system=sample.system or "–"))
            if sample.prediction is None and self._missing == "error":
                raise DataError(say("missing_predictions", n=1, id=shown(sample.id), place=place))
            self._seen.add(key)
            self._refs[sample.system] = (self._refs.get(sample.system, 0) + digest) % (1 << 128)
            self._preds.update(f"{sample.system}\0{sample.id}\0".encode() + prediction + b"\n")
            yield sample

    def _digest(self, sample: Sample) -> int:
        if self._group_by is None:
            return content_digest(sample.id, sample.reference)
        return sum({row_digest(sample.id, row, self._group_by) for row in sample.prediction or [{}]})

    def refs(self) -> str:
        return hashlib.sha256(repr(sorted(set(self._refs.values()))).encode()).hexdigest()

    def preds(self) -> str:
        return self._preds.hexdigest()


def _sample(given: Sample | Mapping[str, Any], number: int) -> Sample:
    """A sample under the rules that hold for rows: ids are text or whole numbers, and so on."""
    sample = given if isinstance(given, Sample) else Sample(**{"id": str(number), **given})
    name, meta = row_id({"id": sample.id}, "id"), meta_of({"meta": sample.meta}, ())
    if not isinstance(sample.system, str) or not isinstance(sample.cluster, str):
        raise BadRow(say("bad_text_field", field="system" if isinstance(sample.cluster, str) else "cluster"))
    "".join((name, sample.system, sample.cluster, *meta, *meta.values())).encode()
    return sample if name == sample.id and meta == sample.meta else replace(sample, id=name, meta=meta)


def _chunks(samples: Iterable[Sample]) -> Iterator[list[Sample]]:
    iterator = iter(samples)
    while chunk := list(islice(iterator, CHUNK)):
        yield chunk


def _score_elsewhere(described: Description, chunk: list[Sample], missing: str, survey: Survey) -> pa.Table:
    return score_samples(described.load(), chunk, missing, survey)


class _Parts(Sequence[pa.Table]):
    """The parts of a run, read one at a time."""

    def __init__(self, paths: list[Path]) -> None:
        self._paths = paths

    def __len__(self) -> int:
        return len(self._paths)

    def __getitem__(self, at: Any) -> Any:
        return [read_part(p) for p in self._paths[at]] if isinstance(at, slice) else read_part(self._paths[at])
