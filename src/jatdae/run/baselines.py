"""What a model has to beat: pseudo-systems `baseline:NAME` on the same references.

An evaluator offers them with `baseline_predictions(references)`: for each name one prediction per reference. They are
scored on the at most 10,000 references whose ids have the smallest sha256, so that large runs stay cheap and the choice
depends on nothing but the ids.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from hashlib import sha256
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from jatdae.core.contract import Sample
from jatdae.run.model import Job, Plan, Shard
from jatdae.run.parts import write_part
from jatdae.run.plan import Map
from jatdae.run.rows import BASELINE
from jatdae.run.shard import read_samples, score_samples

MOST: Final = 10_000
PIECE: Final = 2_500

ALL: Final = b"\xff" * 33
"""Above every key."""

Candidate = tuple[bytes, Sample]


def choose(run_all: Map, job: Job, plan: Plan) -> list[Candidate]:
    """The references that baselines are scored on.

    Only those whose key is below a bound are looked for, one that holds all of the chosen and few others; where ids
    repeat or references lack so often that it does not, they are looked for again without it.
    """
    for bound in dict.fromkeys((_likely_bound(plan.rows), ALL)):
        found = run_all(shard_candidates, [(job, shard, bound) for shard in plan.shards])
        chosen = smallest(candidate for part in found for candidate in part)
        if len(chosen) == MOST:
            break
    return chosen


def _likely_bound(rows: int) -> bytes:
    share = (MOST + 6 * math.isqrt(MOST)) / max(rows, 1)
    return int(share * (1 << 64)).to_bytes(8, "big") if share < 1 else ALL


def shard_candidates(job: Job, shard: Shard, bound: bytes) -> list[Candidate]:
    """The references of a shard that may be among the chosen."""
    return smallest(candidates(read_samples(job, shard), bound))


def candidates(samples: Iterable[Sample], bound: bytes = ALL) -> Iterator[Candidate]:
    """Samples with a reference, keyed for the choice."""
    for sample in samples:
        key = sha256(sample.id.encode()).digest()
        if key < bound and sample.reference is not None:
            yield key, sample


def smallest(found: Iterable[Candidate]) -> list[Candidate]:
    """The chosen among candidates, each id once, in the order of their keys; no more than twice as many are held."""
    kept: dict[bytes, Sample] = {}
    bound = ALL
    for key, sample in found:
        if key < bound and key not in kept:
            kept[key] = sample
            if len(kept) == 2 * MOST:
                kept = dict(sorted(kept.items(), key=itemgetter(0))[:MOST])
                bound = next(reversed(kept))
    return sorted(kept.items(), key=itemgetter(0))[:MOST]


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
    write_part(score_samples(job.evaluator.load(), samples, "worst", {}), Path(target), job.stamp)


def _first(reference: Any) -> Any:
    """Of several right answers, the first stands for them."""
    choices = reference["$any"] if isinstance(reference, dict) and list(reference) == ["$any"] else None
    return next((c for c in choices if c is not None), None) if isinstance(choices, list) else reference
