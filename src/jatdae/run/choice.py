"""Which references baselines are scored on: the at most 10,000 whose ids have the smallest sha256.

Large runs stay cheap so, and the choice depends on nothing but the ids.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from hashlib import sha256
from operator import itemgetter
from typing import Final

from jatdae.core.contract import Sample

MOST: Final = 10_000
ALL: Final = b"\xff" * 33
"""Above every key."""

Candidate = tuple[bytes, Sample]
"""The key of a reference, and its sample without a prediction."""


def likely_bound(rows: int) -> bytes:
    """A key below which the chosen of so many rows lie, and few others, unless ids repeat or references lack."""
    share = (MOST + 6 * math.isqrt(MOST)) / max(rows, 1)
    return int(share * (1 << 64)).to_bytes(8, "big") if share < 1 else ALL


def noting(samples: Iterable[Sample], bound: bytes, found: list[Candidate]) -> Iterator[Sample]:
    """The same samples; those with a reference and a key below `bound` are noted on the way."""
    for sample in samples:
        key = sha256(sample.id.encode()).digest()
        if key < bound and sample.reference is not None:
            found.append((key, Sample(sample.id, None, sample.reference, sample.meta, sample.system, sample.cluster)))
        yield sample


def candidates(samples: Iterable[Sample], bound: bytes = ALL) -> list[Candidate]:
    """What is noted of samples that nothing else is wanted of."""
    found: list[Candidate] = []
    for _ in noting(samples, bound, found):
        if len(found) > 2 * MOST:
            found[:] = smallest(found)
    return found


def smallest(found: Iterable[Candidate]) -> list[Candidate]:
    """The chosen among candidates, each id once, in the order of their keys."""
    once = dict(reversed(list(found)))  # the first of equals stays
    return sorted(once.items(), key=itemgetter(0))[:MOST]
