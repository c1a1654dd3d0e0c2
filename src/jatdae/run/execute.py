"""A run from input to summary: plan, go on where it stopped, score, add up."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from jatdae.core.errors import UsageError
from jatdae.core.evaluator import spec_of
from jatdae.core.messages import say
from jatdae.core.registry import describe
from jatdae.core.signature import Signature, short_hash, sign, unsigned
from jatdae.kernels import kernel
from jatdae.run.engine import Engine
from jatdae.run.interrupts import wake_pyarrow
from jatdae.run.model import Inputs, Job, Plan, Shard, Source
from jatdae.run.plan import Map, make_plan
from jatdae.run.score import hook
from jatdae.run.scoring import Progress, Scoring
from jatdae.run.sources import is_folder
from jatdae.run.store import SUMMARY, RunFolder, staging_folder, versions
from jatdae.run.summary import Summary, summarise


@dataclass(frozen=True, slots=True)
class Finished:
    """A run that came to its end."""

    folder: Path
    signature: Signature
    summary: Summary
    resumed: int
    """Parts that were there already."""


def execute(
    evaluator: Any,
    inputs: Inputs,
    *,
    out: Path | None = None,
    engine: Engine | None = None,
    overwrite: bool = False,
    progress: Progress = lambda *_: None,
) -> Finished:
    """Score `inputs` with `evaluator` into a run folder; a run that was stopped goes on.

    Without `out` the run goes to `runs/EVALUATOR-SIGNATUREHASH`.
    """
    _refuse_place(out, inputs)
    wake_pyarrow()
    with ExitStack() as held, engine or Engine() as at:
        plan, signature, folder = _begin(evaluator, inputs, out, overwrite, held, _told(at, progress))
        stamp = short_hash(repr((signature.hash, inputs.slices, unsigned(evaluator))).encode())
        job = Job(describe(evaluator), plan.sources, inputs.missing, stamp)
        scoring = Scoring(at, evaluator, plan, folder, inputs.slices, progress)
        resumed = scoring.run(job)
        for source in plan.sources:
            source.file.refuse_changed()
        summary = summarise(scoring.tally, evaluator, signature=str(signature), about_input=about_input(plan))
        folder.write(SUMMARY, summary)
        if hasattr(evaluator, "export"):
            with hook(evaluator, "export"):
                evaluator.export(folder, folder.path)
    return Finished(folder.path, signature, summary, resumed)


def _begin(
    evaluator: Any, inputs: Inputs, out: Path | None, overwrite: bool, held: ExitStack, run_all: Map
) -> tuple[Plan, Signature, RunFolder]:
    """Plan the run and make its folder ours; until `held` ends, nobody else's run may go there."""
    spec = spec_of(evaluator)
    staging = staging_folder(out or Path("runs"))
    try:
        plan = make_plan(inputs, spec, staging, run_all)
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
            _refuse_other(folder, manifest)
        folder.begin(manifest, staging)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
        with suppress(OSError):
            staging.parent.rmdir()  # only where planning failed and nothing else is there
    return plan, signature, folder


def _refuse_place(out: Path | None, inputs: Inputs) -> None:
    """A run must not go where it would be read as input, nor strew itself over the current folder."""
    if out is None:
        return
    if out == Path():
        raise UsageError(say("out_is_here"))
    for path in (inputs.reference, *(path for _, path in (*inputs.pairs, *inputs.predictions))):
        if path and is_folder(path) and out.resolve().is_relative_to(Path(path).resolve()):
            raise UsageError(say("out_in_input", place=out, folder=path))


def about_input(plan: Plan) -> dict[str, Any]:
    """What the summary says of the input."""
    return {
        "rows": plan.rows,
        "bad_rows": plan.bad_rows,
        "bad_examples": list(plan.bad_examples),
        "extra_predictions": dict(plan.extra_predictions),
    }


def _manifest(evaluator: Any, inputs: Inputs, plan: Plan, signature: Signature) -> dict[str, Any]:
    described = describe(evaluator)
    return {
        "evaluator": spec_of(evaluator).name,
        "target": described.target,
        "config": described.config,
        "signature": str(signature),
        "signature_hash": signature.hash,
        "signature_parts": asdict(signature),
        "slices": list(inputs.slices),
        "on_bad_row": inputs.on_bad_row,
        "input": [
            {"name": s.file.name, "role": s.role, "system": s.reading.system, "sha256": s.file.sha256}
            for s in plan.sources
        ],
        "plan": {**about_input(plan), "shards": [_compact(shard) for shard in plan.shards]},
        "versions": versions(),
        "kernel": signature.kernel,
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


def _refuse_other(folder: RunFolder, manifest: dict[str, Any]) -> None:
    """A folder that holds another run is refused with the reason."""
    earlier = folder.manifest()
    if earlier is None:
        return
    reasons = []
    if earlier.get("signature_hash") != manifest["signature_hash"]:
        before = str(earlier.get("signature", "")).split(" | ")
        reasons += [part for part in manifest["signature"].split(" | ") if part not in before and "kernel:" not in part]
    if [i["sha256"] for i in earlier.get("input", [])] != [i["sha256"] for i in manifest["input"]]:
        reasons.append("input")
    if _what_counts(earlier.get("plan", {})) != _what_counts(manifest["plan"]):
        reasons.append("plan")
    if reasons:
        raise UsageError(say("other_run", place=folder.path, reasons=", ".join(dict.fromkeys(reasons))))


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
