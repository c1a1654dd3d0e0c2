"""What a model has to beat: pseudo-systems `baseline:NAME` on the same references.

An evaluator offers them with `baseline_predictions(references)`: for each name one prediction per reference. They are
scored on the at most 10,000 references whose ids have the smallest sha256, so that large runs stay cheap and the choice
depends on nothing but the ids.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Any, Final

from jatdae.core.contract import Sample
from jatdae.run.model import Job, Shard
from jatdae.run.rows import BASELINE
from jatdae.run.shard import read_samples

MOST: Final = 10_000

Candidate = tuple[bytes, Sample]


def shard_candidates(job: Job, shard: Shard) -> list[Candidate]:
    """The references of a shard that may be among the chosen."""
    return smallest(candidates(read_samples(job, shard)))


def candidates(samples: Iterable[Sample]) -> Iterator[Candidate]:
    """Samples with a reference, keyed for the choice."""
    for sample in samples:
        if sample.reference is not None:
            yield hashlib.sha256(sample.id.encode()).digest(), sample


def smallest(found: Iterable[Candidate]) -> list[Candidate]:
    """The chosen among candidates, each id once, in the order of their keys; no more than twice as many are held."""
    kept: dict[bytes, Sample] = {}
    bound = b"\xff" * 33
    for key, sample in found:
        if key < bound and key not in kept:
            kept[key] = sample
            if len(kept) == 2 * MOST:
                kept = dict(sorted(kept.items(), key=itemgetter(0))[:MOST])
                bound = next(reversed(kept))
    return sorted(kept.items(), key=itemgetter(0))[:MOST]


def baseline_samples(evaluator: Any, chosen: list[Candidate]) -> Iterator[tuple[str, list[Sample]]]:
    """For each baseline its name and its samples."""
    samples = [sample for _, sample in chosen]
    given = evaluator.baseline_predictions([_first(sample.reference) for sample in samples])
    for name, predictions in given.items():
        yield (
            name,
            [
                Sample(s.id, prediction, s.reference, s.meta, BASELINE + name, s.cluster)
                for s, prediction in zip(samples, predictions, strict=True)
            ],
        )


def _first(reference: Any) -> Any:
    """Of several right answers, the first stands for them."""
    choices = reference["$any"] if isinstance(reference, dict) and list(reference) == ["$any"] else None
    return next((c for c in choices if c is not None), None) if isinstance(choices, list) else reference
