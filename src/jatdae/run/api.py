"""Score from input to summary: `evaluate` takes samples in memory, `execute` files into a run folder.

Both go one way: pieces of the input are scored into parts, parts are added up, and the sums become a summary.
"""

from __future__ import annotations

import errno
import hashlib
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import chain, count, islice
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal

import pyarrow as pa

from jatdae.core.addresses import remote_problem
from jatdae.core.config import build, plain
from jatdae.core.contract import BASELINE, Sample
from jatdae.core.errors import DataError, EngineError, JatdaeError, UsageError, lack_of
from jatdae.core.evaluator import EvaluatorSpec, hook, options_of, spec_of
from jatdae.core.messages import near, of_system, os_problem, python_wording, say, shown
from jatdae.core.registry import describe, find
from jatdae.core.signature import Signature, short_hash, sign, unsigned
from jatdae.core.version import DECISIVE, version_differences, versions
from jatdae.kernels import kernel
from jatdae.run.guesses import refuse_guessed_arguments, refuse_no_data, refuse_no_evaluator
from jatdae.run.input.digest import BITS, content_digest, refs_hash, row_digest, unlike_references, written
from jatdae.run.input.files import is_folder, missing_or_unreadable, refuse_remote_target
from jatdae.run.input.layouts import adapt
from jatdae.run.input.memory import PLACE, MemoryRows, read_memory
from jatdae.run.input.model import Inputs, Plan, Shard, Source
from jatdae.run.input.plan import Map, make_plan
from jatdae.run.input.refusals import refuse_duplicate_units
from jatdae.run.input.rows import BadRow, Fields
from jatdae.run.input.staging import staging_folder
from jatdae.run.output.folder import FORMAT, MANIFEST, DamagedFile, RunFolder
from jatdae.run.output.part import ENCODED, PartFile, broken_part, read_part, schema
from jatdae.run.stats.compare import Comparison
from jatdae.run.stats.result import Result
from jatdae.run.stats.summary import Summary, summarise
from jatdae.run.stats.verdict import compare_with_best
from jatdae.run.work.dask import decisive_versions
from jatdae.run.work.engine import Engine, wake_pyarrow
from jatdae.run.work.score import Chunk, Job, Progress, Scoring, at_hand

CHUNK: Final = 256
"""Samples in memory that are scored at once."""
MISSING: Final = ("worst", "skip", "error")
"""What may become of a sample without a prediction."""


@dataclass(frozen=True)
class Finished:
    """A finished run: its folder, signature and summary, and how many of its parts were resumed."""

    folder: Path
    signature: Signature
    summary: Summary
    resumed: int
    """Parts that were there already."""
    other_versions: tuple[str, ...] = ()
    """Libraries of which the run was begun with one version and resumed with another; none that decides a score."""
    notes: tuple[str, ...] = ()
    """What a person should be told: encodings that were recognised, ids that hardly match, remarks of the evaluator."""

    @cached_property
    def result(self) -> Result:
        """Its result, checked once for all that is shown of it."""
        return Result.load(self.folder)

    @cached_property
    def against_best(self) -> list[Comparison]:
        """Its systems compared with the best one, once for the page and the terminal."""
        return compare_with_best(self.summary, lambda: self.result)


@python_wording()
def evaluate(
    data: Any = None,
    evaluator: Any = None,
    *more: Any,
    reference: str | PathLike[str] | None = None,
    prediction_field: str = "",
    reference_field: str = "",
    id_field: str = "",
    slices: Sequence[str] | None = None,
    missing: Literal["worst", "skip", "error"] = "worst",
    jobs: int = 1,
    **config: Any,
) -> Result:
    """Score data with an evaluator and return the result of the run.

    `data` is a frame (pandas, polars), an Arrow table, a Hugging Face dataset, columns, an iterable of rows or
    Samples, or a path; with `reference`, a path to predictions that are joined with the references. A mapping of
    these by name is several systems. `evaluator` is a name or a class with its configuration as keywords, or an
    instance.

    Fields are found as on the command line. Rows in memory are sliced by their other columns of short texts unless
    `slices` names some; files are sliced by what `slices` names.
    """
    if not isinstance(jobs, int) or jobs < 1:
        raise UsageError(say("bad_jobs_in_memory", value=repr(jobs)))
    if missing not in MISSING:
        known = ", ".join(MISSING)
        hint = near(str(missing), MISSING)
        raise UsageError(say("unknown_choice", flag="missing", value=missing, near=hint, known=known))
    wanted = _wanted_slices(slices)
    refuse_guessed_arguments(more, {})
    refuse_no_evaluator(evaluator, data)
    refuse_no_data(data)
    evaluator = _made(evaluator, config)
    named = {"id": id_field, "prediction": prediction_field, "reference": reference_field}
    fields = Fields(**{side: _column_name(side, given) for side, given in named.items()})
    if paths := _paths_of(data):
        given = _inputs(paths, reference, fields, wanted or (), missing)
        return _evaluate_files(*adapt(evaluator, given), jobs)
    if reference is not None:
        raise UsageError(say("reference_without_path", kind=type(data).__name__))
    return _evaluate_memory(evaluator, read_memory(data, spec_of(evaluator), fields, wanted), missing, jobs)


def _evaluate_memory(evaluator: Any, given: MemoryRows, missing: str, jobs: int) -> Result:
    taken = _Taken(given, missing, spec_of(evaluator))
    chunks: Iterable[Chunk] = _chunks(taken)
    if hasattr(evaluator, "survey") or hasattr(evaluator, "baseline_predictions"):
        chunks = list(chunks)  # gone through more than once
    job = Job(describe(evaluator) if jobs > 1 else None, missing)
    parts = _Tables()
    with _faults_in_words(Path()), Engine(jobs) as at, at_hand(job, evaluator):
        scoring = Scoring(at, evaluator, parts, given.slices)
        scoring.run(job, chunks, taken.rows)
    signature = sign(evaluator, refs=taken.refs(), preds=taken.preds(), kernel=kernel(), missing=missing)
    about: dict[str, Any] = {"rows": taken.rows, "bad_rows": 0, "bad_examples": [], "extra_predictions": {}}
    about |= {"references": unlike} if (unlike := taken.references()) else {}
    summary = summarise(scoring.tally, evaluator, signature=str(signature), about_input=about)
    notes = (*given.notes(), *_warned(evaluator, summary))
    return Result(signature, summary, parts.tables, notes, _origin(evaluator, signature, given.slices))


def _evaluate_files(evaluator: Any, inputs: Inputs, jobs: int) -> Result:
    """Score files as `execute` does, with all parts in memory and nothing left on disk."""
    wake_pyarrow()
    with TemporaryDirectory(prefix="jatdae-") as folder, _faults_in_words(Path(folder)), Engine(jobs) as at:
        plan = make_plan(inputs, spec_of(evaluator), Path(folder), at.map)
        job = Job(describe(evaluator) if jobs > 1 else None, inputs.missing, sources=plan.sources)
        parts = _Tables()
        with at_hand(job, evaluator):
            scoring = Scoring(at, evaluator, parts, inputs.slices)
            scoring.run(job, plan.shards, plan.rows)
        for source in plan.sources:
            source.file.refuse_changed()
    signature = sign(evaluator, refs=plan.refs, preds=plan.preds, kernel=kernel(), missing=inputs.missing)
    summary = summarise(scoring.tally, evaluator, signature=str(signature), about_input=_about_input(plan))
    notes = (*plan.notes, *_warned(evaluator, summary))
    return Result(signature, summary, parts.tables, notes, _origin(evaluator, signature, inputs.slices))


def _remarks(evaluator: Any, summary: dict[str, Any]) -> tuple[str, ...]:
    """What the evaluator has to tell a person after a run."""
    if not hasattr(evaluator, "remarks"):
        return ()
    with hook(evaluator, "remarks"):
        return tuple(evaluator.remarks(summary))


def _warned(evaluator: Any, summary: dict[str, Any]) -> tuple[str, ...]:
    """The same as Python warnings: a script that never looks at the notes of a result should hear of it."""
    remarks = _remarks(evaluator, summary)
    for text in remarks:
        warnings.warn(text, stacklevel=4)
    return remarks


def _wanted_slices(slices: Any) -> tuple[str, ...] | None:
    if slices is None or isinstance(slices, str):
        return None if slices is None else (slices,)
    found = tuple(slices) if isinstance(slices, Iterable) else (slices,)
    if not all(isinstance(key, str) for key in found):
        raise UsageError(say("bad_slices", value=repr(slices)))
    return found


def _column_name(side: str, given: Any) -> str:
    """Name of a column as text; columns of pandas may be numbered."""
    if given is None or isinstance(given, str):
        return given or ""
    if isinstance(given, int) and not isinstance(given, bool):
        return str(given)
    raise UsageError(say("bad_column_name", side=side, value=repr(given)))


def _paths_of(data: Any) -> tuple[tuple[str, str], ...]:
    """(system, path) of each file or folder, if that is what the data are; else nothing."""
    if isinstance(data, str | PathLike):
        return (("", os.fspath(data)),)
    if isinstance(data, Mapping) and data and all(map(_is_path, data.values())):
        return tuple((str(system), os.fspath(path)) for system, path in data.items())
    return ()


def _is_path(given: Any) -> bool:
    """Whether a value of a mapping is a file or folder: a text may be the content of a column."""
    if isinstance(given, str):
        return bool(remote_problem(given)) or missing_or_unreadable(given) is None
    return isinstance(given, PathLike)


def _inputs(
    paths: tuple[tuple[str, str], ...], reference: Any, fields: Fields, slices: tuple[str, ...], missing: Any
) -> Inputs:
    """Files that were given to `evaluate`, as the command line has them."""
    for _, path in paths:
        if Path(path, MANIFEST).is_file():
            raise UsageError(say("run_is_no_data", place=path))
    if reference is None:
        return Inputs(pairs=paths, fields=fields, slices=slices, missing=missing)
    if not isinstance(reference, str | PathLike):
        raise UsageError(say("reference_no_path", kind=type(reference).__name__))
    return Inputs(
        predictions=paths, reference=os.fspath(reference), fields=fields, slices=slices, missing=missing
    )  # fmt: skip


def execute(
    evaluator: Any,
    inputs: Inputs,
    *,
    out: Path | None = None,
    engine: Engine | None = None,
    overwrite: bool = False,
    progress: Progress = lambda *_: None,
) -> Finished:
    """API for input files: score them with an evaluator into a run folder; an interrupted run is resumed.

    Without `out` the run goes to `runs/EVALUATOR-SIGNATUREHASH`.
    """
    _refuse_place(out, inputs)
    wake_pyarrow()
    with _faults_in_words(out or Path("runs")), ExitStack() as held, engine or Engine() as at:
        plan, signature, folder = _begin(evaluator, inputs, out, overwrite, held, at, progress)
        stamp = _stamp(evaluator, inputs, signature)
        job = Job(describe(evaluator), inputs.missing, stamp, plan.sources)
        parts = _PartFiles(folder, stamp, evaluator)
        scoring = Scoring(at, evaluator, parts, inputs.slices, progress)
        resumed = scoring.run(job, plan.shards, plan.rows)
        for source in plan.sources:
            source.file.refuse_changed()
        summary = summarise(scoring.tally, evaluator, signature=str(signature), about_input=_about_input(plan))
        folder.finish(parts.taken, summary)
        if hasattr(evaluator, "export"):
            with hook(evaluator, "export"):
                evaluator.export(folder, folder.path)
        remarks = _remarks(evaluator, summary)
        manifest = folder.manifest() or {}
        also = (version_differences(manifest["versions"], each) for each in manifest.get("resumed_with", ()))
    return Finished(folder.path, signature, summary, resumed, tuple(chain.from_iterable(also)), (*plan.notes, *remarks))


@contextmanager
def _faults_in_words(place: Path) -> Iterator[None]:
    """Tell what the machine lacks, in this process or in a worker, as an error with a remedy."""
    try:
        yield
    except BrokenPipeError:  # whoever read our output has left: the command line decides what that means
        raise
    except JatdaeError:
        raise
    except Exception as error:
        if lack := lack_of(error):
            raise EngineError(say(lack)) from None
        if not isinstance(error, OSError):
            raise
        if error.errno == errno.ENOSPC:
            raise DataError(say("disk_full")) from None
        raise EngineError(say("run_stopped", place=error.filename or place, problem=os_problem(error))) from None


class _PartFiles:
    """Parts in a run folder, written by whoever scores them."""

    def __init__(self, folder: RunFolder, stamp: str, evaluator: Any) -> None:
        self._folder, self._stamp = folder, stamp
        spec = spec_of(evaluator)
        unread = ("evidence", "issues") if spec.errors else ("id", "evidence", "issues")
        self._columns = [name for name in schema(spec.metrics).names if name not in unread]
        self._columns += [f"issues.list.element.{name}" for name in ("code", "severity")]
        self.taken: list[PartFile] = []
        """All parts of the run, without their content."""

    def held(self) -> set[int]:
        return {part.number for path in self._folder.parts() if (part := self._sound(path))}

    def _sound(self, path: Path) -> PartFile | None:
        """The part in a file, if it is undamaged and of this very run."""
        try:
            part = read_part(path)
        except EngineError:
            return None
        return part if part.stamp == self._stamp and part.checksum else None

    def target(self, number: int) -> str:
        return str(self._folder.part(number).absolute())

    def take(self, number: int, table: pa.Table | None) -> pa.Table:  # noqa: ARG002
        path = self._folder.part(number)
        if not path.exists():
            raise EngineError(say("part_not_shared", place=path))
        part = read_part(path, ENCODED)
        if part.stamp != self._stamp or not part.checksum:
            raise broken_part(path, say("part_of_other_run"))
        self.taken.append(replace(part, content=None))
        return part.table(self._columns)


class _Tables:
    """Parts in memory."""

    def __init__(self) -> None:
        self.tables: list[pa.Table] = []

    def held(self) -> set[int]:
        return set()

    def target(self, number: int) -> str:  # noqa: ARG002
        return ""

    def take(self, number: int, table: pa.Table | None) -> pa.Table:  # noqa: ARG002
        self.tables.append(table)
        return table


def _made(evaluator: Any, config: Mapping[str, Any]) -> Any:
    """The evaluator a caller of `evaluate` means: a name, a class or an instance, whose settings are checked too."""
    if isinstance(evaluator, str | type):
        cls = find(evaluator) if isinstance(evaluator, str) else evaluator
        refuse_guessed_arguments((), config, [option.name for option in options_of(cls)])
        return build(cls, config)
    if config:
        raise UsageError(say("config_and_instance", keys=", ".join(config)))
    return build(type(evaluator), plain(evaluator))


class _Taken:
    """Samples as they go by: checked, counted, hashed."""

    def __init__(self, given: MemoryRows, missing: str, spec: EvaluatorSpec) -> None:
        self._given, self._missing, self._group_by, self._name = given, missing, spec.group_by, spec.name
        self._refs: dict[str, int] = {}
        self._preds = hashlib.sha256()
        self._seen: set[tuple[str, str]] = set()

    @property
    def rows(self) -> int:
        return len(self._seen)

    def __iter__(self) -> Iterator[Sample]:
        for number, row in enumerate(self._given.rows, 1):
            place = f"{PLACE}[{number - 1}]"
            try:
                sample = self._given.read(row, number)
                digest, prediction = self._digest(sample), written(sample.prediction)
            except UnicodeEncodeError:
                raise DataError(say("bad_row", place=place, problem=say("row_not_utf8"))) from None
            except BadRow as bad:
                raise DataError(say("bad_row", place=place, problem=bad)) from None
            except (TypeError, ValueError, RecursionError) as error:
                told = say("row_not_sample", problem=error)
                raise DataError(say("bad_row", place=place, problem=told)) from None
            key = (sample.system, sample.id)
            if sample.system.startswith(BASELINE):
                raise DataError(say("system_reserved", name=sample.system))
            if key in self._seen:
                raise DataError(say("duplicate_id_in_memory", id=shown(sample.id), of_system=of_system(sample.system)))
            if self._group_by and self._group_by.unit:
                refuse_duplicate_units(sample, self._group_by.unit, place)
            if sample.prediction is None and self._missing == "error":
                raise DataError(say("missing_predictions", n=1, id=shown(sample.id), place=place))
            self._seen.add(key)
            self._refs[sample.system] = (self._refs.get(sample.system, 0) + digest) % (1 << BITS)
            self._preds.update(f"{sample.system}\0{sample.id}\0".encode() + prediction + b"\n")
            yield sample

    def _digest(self, sample: Sample) -> int:
        if self._group_by is None:
            return content_digest(sample.id, sample.reference)
        if not _are_rows(sample.prediction):
            kind, example = type(sample.prediction).__name__, self._group_by.example_row()
            raise BadRow(say("sample_not_rows", name=self._name, kind=kind, row=example))
        return sum({row_digest(sample.id, row, self._group_by) for row in sample.prediction or [{}]})

    def refs(self) -> str:
        return refs_hash(self._refs.values())

    def references(self) -> dict[str, str]:
        return {} if self._group_by else unlike_references(self._refs)

    def preds(self) -> str:
        return self._preds.hexdigest()


def _are_rows(prediction: Any) -> bool:
    """Whether the prediction of a sample that is made of several rows is a list of them, or none."""
    return prediction is None or (isinstance(prediction, list) and all(isinstance(row, Mapping) for row in prediction))


def _chunks(samples: Iterable[Sample]) -> Iterator[Chunk]:
    iterator = iter(samples)
    for number in count():
        if not (chunk := list(islice(iterator, CHUNK))):
            return
        yield Chunk(number, chunk)


def _begin(
    evaluator: Any, inputs: Inputs, out: Path | None, overwrite: bool, held: ExitStack, at: Engine, progress: Progress
) -> tuple[Plan, Signature, RunFolder]:
    """Plan the run and make its folder ours; until `held` ends, nobody else's run may go there."""
    spec = spec_of(evaluator)
    with staging_folder(out or Path("runs")) as staging:
        plan = make_plan(inputs, spec, staging, _told(at, progress), remote=bool(at.scheduler))
        with hook(evaluator, "signature_parts"):
            signature = sign(evaluator, refs=plan.refs, preds=plan.preds, kernel=kernel(), missing=inputs.missing)
        folder = RunFolder(out or Path("runs") / f"{spec.name}-{signature.hash}")
        plan = _moved(plan, staging, folder.input)
        manifest = _manifest(evaluator, inputs, plan, signature)
        folder.refuse_foreign()
        held.enter_context(folder.held())
        if overwrite:
            folder.clear()
        else:
            manifest = _resumed(folder, manifest, _stamp(evaluator, inputs, signature))
        folder.begin(manifest, staging)
    return plan, signature, folder


def _stamp(evaluator: Any, inputs: Inputs, signature: Signature) -> str:
    """What every part says it was scored for: all that its content depends on."""
    about = (signature.hash, inputs.slices, unsigned(evaluator), decisive_versions())
    return short_hash(repr(about).encode())


def _refuse_place(out: Path | None, inputs: Inputs) -> None:
    """A run must not go where it would be read as input, nor strew itself over the current folder."""
    if out is None:
        return
    if out == Path():
        raise UsageError(say("out_is_here"))
    refuse_remote_target(out)
    for path in (inputs.reference, *(path for _, path in (*inputs.pairs, *inputs.predictions))):
        if path and is_folder(path) and out.resolve().is_relative_to(Path(path).resolve()):
            raise UsageError(say("out_in_input", place=out, folder=path))


def _about_input(plan: Plan) -> dict[str, Any]:
    """What the summary says of the input."""
    return {
        "rows": plan.rows,
        "bad_rows": plan.bad_rows,
        "bad_examples": list(plan.bad_examples),
        "extra_predictions": dict(plan.extra_predictions),
        **({"recognised": plan.recognised} if plan.recognised else {}),
        **({"references": plan.references} if plan.references else {}),
    }


def _origin(evaluator: Any, signature: Signature, slices: Sequence[str]) -> dict[str, Any]:
    """What the manifest of a run says of anything but its input files."""
    return {
        "format": FORMAT,
        "evaluator": spec_of(evaluator).name,
        **_described(evaluator),
        "signature": str(signature),
        "signature_hash": signature.hash,
        "signature_parts": asdict(signature),
        "slices": list(slices),
        "versions": versions(),
        "kernel": signature.kernel,
    }


def _described(evaluator: Any) -> dict[str, Any]:
    """Where the class of an evaluator is, and its configuration; a class of a notebook is in no file."""
    try:
        described = describe(evaluator)
    except UsageError:
        return {"target": "", "config": plain(evaluator)}
    return {"target": described.target, "config": described.config}


def _manifest(evaluator: Any, inputs: Inputs, plan: Plan, signature: Signature) -> dict[str, Any]:
    return {
        **_origin(evaluator, signature, inputs.slices),
        "on_bad_row": inputs.on_bad_row,
        "input": [
            {
                "name": s.file.name,
                "role": s.role,
                "system": s.reading.system,
                "sha256": s.file.sha256,
                **plan.recognised.get(s.file.name, {}),
            }
            for s in plan.sources
        ],
        "plan": {**_about_input(plan), "shards": [_compact(shard) for shard in plan.shards]},
    }


def _compact(shard: Shard) -> list[int]:
    return [
        shard.source,
        shard.predictions,
        shard.start,
        shard.end,
        shard.first_line,
        shard.first_row,
        shard.rows,
    ]


def _resumed(folder: RunFolder, manifest: dict[str, Any], stamp: str) -> dict[str, Any]:
    """The manifest of a run that goes on, if it was begun: the versions it was begun with stay, later ones join them.

    A folder that holds another run is refused with the reason.
    """
    try:
        earlier = folder.manifest()
    except DamagedFile:
        earlier = None
    if not earlier:  # nothing has begun; or it is lost or damaged, but each part says what it was scored for
        if (found := folder.stamps()) and stamp not in found:
            raise UsageError(say("parts_of_other_run", place=folder.path, name=MANIFEST))
        return manifest
    _refuse_other(folder, earlier, manifest)
    begun, now, later = earlier["versions"], manifest["versions"], earlier.get("resumed_with", [])
    if now != begun and now not in later:
        later = [*later, now]
    return {**manifest, "versions": begun, **({"resumed_with": later} if later else {})}


def _refuse_other(folder: RunFolder, earlier: dict[str, Any], manifest: dict[str, Any]) -> None:
    reasons = []
    if earlier.get("signature_hash") != manifest["signature_hash"]:
        signed = str(earlier.get("signature", "")).split(" | ")
        reasons += [part for part in manifest["signature"].split(" | ") if part not in signed and "kernel:" not in part]
    if [i["sha256"] for i in earlier.get("input", [])] != [i["sha256"] for i in manifest["input"]]:
        reasons.append("input")
    if _what_counts(earlier.get("plan", {})) != _what_counts(manifest["plan"]):
        reasons.append("plan")
    before, now = _decisive(earlier), _decisive(manifest)
    builds = version_differences(before, now)
    if builds and all(reason.startswith("jatdae ") for reason in reasons):  # the version stands in the signature too
        key = "other_build" if "source" in before else "earlier_build"
        raise UsageError(say(key, place=folder.path, differences=", ".join(builds)))
    if reasons:
        raise UsageError(say("other_run", place=folder.path, reasons=", ".join(dict.fromkeys(reasons))))


def _decisive(manifest: dict[str, Any]) -> dict[str, str]:
    known = {**manifest.get("versions", {}), "kernel": manifest.get("kernel")}
    return {name: known[name] for name in DECISIVE if known.get(name)}


def _what_counts(plan: dict[str, Any]) -> dict[str, Any]:
    """A plan without its examples of bad rows, which are worded in the user's language."""
    return {key: value for key, value in plan.items() if key != "bad_examples"}


def _moved(plan: Plan, staging: Path, folder: Path) -> Plan:
    """The plan with its spools where they will lie."""
    old, new = str(staging), str(folder.absolute())

    def move(path: str) -> str:
        return new + path[len(old) :] if path.startswith(old) else path

    def moved(source: Source) -> Source:
        file = replace(source.file, path=move(source.file.path), lines=move(source.file.lines))
        return replace(source, file=file, index=move(source.index))

    return replace(plan, sources=tuple(moved(source) for source in plan.sources))


def _told(at: Engine, progress: Progress) -> Map:
    def run_all(call: Callable[..., Any], tasks: Sequence[tuple[Any, ...]]) -> Iterable[Any]:
        for done, result in enumerate(at.map(call, tasks), 1):
            progress("plan", done, len(tasks))
            yield result

    return run_all
