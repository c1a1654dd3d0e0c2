"""Baselines: trivial systems `baseline:NAME`, scored on the same references, that a model has to beat.

An evaluator offers them with `baseline_predictions(references)`: for each name one prediction per reference. They are
scored on at most 10,000 references, those whose ids have the smallest sha256: large runs stay cheap, and the choice
depends on nothing but the ids.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from operator import itemgetter
from typing import Any, Final

from jatdae.core.contract import BASELINE, Sample
from jatdae.core.evaluator import hook
from jatdae.run.input.batches import SampleColumns

MOST: Final = 10_000
PIECE: Final = 2_500
"""Samples that one worker takes at a time."""
ALL: Final = b"\xff" * 33
"""Above every key."""

Candidate = tuple[bytes, Sample]
"""The key of a reference, and its sample without a prediction."""


def baseline_samples(evaluator: Any, chosen: Sequence[Candidate]) -> list[list[Sample]]:
    """Make the samples of each baseline, in pieces that several workers can score."""
    samples = [sample for _, sample in chosen]
    with hook(evaluator, "baseline_predictions"):
        given = evaluator.baseline_predictions([_first(sample.reference) for sample in samples])
        pieces = []
        for name, predictions in given.items():
            made = [
                Sample(s.id, prediction, s.reference, s.meta, BASELINE + name, s.cluster)
                for s, prediction in zip(samples, predictions, strict=True)
            ]
            pieces += [made[start : start + PIECE] for start in range(0, len(made), PIECE)]
    return pieces


def likely_bound(rows: int) -> bytes:
    """Key below which nearly only references chosen for scoring baselines lie, among this many rows.

    Some of them lie above it only where ids repeat or references are missing.
    """
    share = (MOST + 6 * math.isqrt(MOST)) / max(rows, 1)
    return int(share * (1 << 64)).to_bytes(8, "big") if share < 1 else ALL


def noting(batches: Iterable[SampleColumns], bound: bytes, found: list[Candidate]) -> Iterator[SampleColumns]:
    """Pass samples through, and record those that baselines may be scored on: with a key below `bound`."""
    for batch in batches:
        for at, key in enumerate([sha256(name.encode()).digest() for name in batch.names]):
            if key < bound and batch.references[at] is not None:
                found.append((key, replace(batch.sample(at), prediction=None)))
        yield batch


def candidates(batches: Iterable[SampleColumns], bound: bytes) -> list[Candidate]:
    """Choose from samples those that baselines may be scored on: the smallest keys below `bound`."""
    found: list[Candidate] = []
    for _ in noting(batches, bound, found):
        if len(found) > 2 * MOST:
            found[:] = smallest(found)
    return smallest(found)


def smallest(found: Iterable[Candidate]) -> list[Candidate]:
    """Choose the samples that baselines are scored on from all candidates, each id once, in key order."""
    once = dict(reversed(list(found)))  # the first of equals stays
    return sorted(once.items(), key=itemgetter(0))[:MOST]


def _first(reference: Any) -> Any:
    """Of several right answers, the first stands for them."""
    choices = reference["$any"] if isinstance(reference, dict) and list(reference) == ["$any"] else None
    return next((c for c in choices if c is not None), None) if isinstance(choices, list) else reference
