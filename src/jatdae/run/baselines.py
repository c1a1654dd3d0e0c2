"""What a model has to beat: pseudo-systems `baseline:NAME` on the same references.

An evaluator offers them with `baseline_predictions(references)`: for each name one prediction per reference.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from jatdae.core.contract import Sample
from jatdae.run import choice
from jatdae.run.choice import ALL, Candidate, candidates, smallest
from jatdae.run.model import Job, Plan, Shard
from jatdae.run.parts import write_part
from jatdae.run.plan import Map
from jatdae.run.rows import BASELINE
from jatdae.run.shard import evaluator_of, read_samples, score_samples

PIECE: Final = 2_500
"""Samples that one worker takes at a time."""


def choose(run_all: Map, job: Job, plan: Plan, noted: Sequence[Candidate], unread: Sequence[Shard]) -> list[Candidate]:
    """The references that baselines are scored on, from what was noted while scoring, and from shards not read now.

    Only keys below `job.bound` are looked for. Where those are too few, all are, once more.
    """
    found = [*noted, *_looked_for(run_all, job, unread, job.bound)]
    if len(smallest(found)) < choice.MOST and job.bound < ALL:
        found = _looked_for(run_all, job, plan.shards, ALL)
    return smallest(found)


def _looked_for(run_all: Map, job: Job, shards: Sequence[Shard], bound: bytes) -> list[Candidate]:
    parts = run_all(shard_candidates, [(job, shard, bound) for shard in shards])
    return [candidate for part in parts for candidate in part]


def shard_candidates(job: Job, shard: Shard, bound: bytes) -> list[Candidate]:
    """The references of a shard that may be among the chosen."""
    return smallest(candidates(read_samples(job, shard), bound))


def baseline_samples(evaluator: Any, chosen: list[Candidate]) -> list[list[Sample]]:
    """The samples of each baseline, in pieces that several workers can take."""
    samples = [sample for _, sample in chosen]
    given = evaluator.baseline_predictions([_first(sample.reference) for sample in samples])
    pieces = []
    for name, predictions in given.items():
        made = [
            Sample(s.id, prediction, s.reference, s.meta, BASELINE + name, s.cluster)
            for s, prediction in zip(samples, predictions, strict=True)
        ]
        pieces += [made[start : start + PIECE] for start in range(0, len(made), PIECE)]
    return pieces


def score_baseline(job: Job, samples: list[Sample], target: str) -> None:
    """Score a piece of a baseline into the part `target`."""
    write_part(score_samples(evaluator_of(job), samples, "worst", {}), Path(target), job.stamp)


def _first(reference: Any) -> Any:
    """Of several right answers, the first stands for them."""
    choices = reference["$any"] if isinstance(reference, dict) and list(reference) == ["$any"] else None
    return next((c for c in choices if c is not None), None) if isinstance(choices, list) else reference
