"""What belongs together when resampling, as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

MAX_CLUSTERS: Final = 65_536
"""More are not kept apart: later ones join earlier ones, evenly and whatever the cut of the input into parts."""


class Clusters:
    """Numbers the clusters of one system in the order in which they are first seen."""

    def __init__(self) -> None:
        self._named: dict[str, int] = {}
        self._seen = 0

    def numbers(self, names: Sequence[str]) -> NDArray[np.int64]:
        """The cluster of each sample; "" is a cluster that is this sample alone."""
        if not any(names):
            first = self._seen
            self._seen += len(names)
            return np.arange(first, self._seen, dtype=np.int64) % MAX_CLUSTERS
        return np.fromiter(map(self._number, names), np.int64, len(names)) % MAX_CLUSTERS

    def _number(self, name: str) -> int:
        if name and (known := self._named.get(name)) is not None:
            return known
        if name and len(self._named) == MAX_CLUSTERS:  # a name is not forgotten, but no more are remembered
            return xxh3_64_intdigest(name.encode()) % MAX_CLUSTERS
        number = self._seen
        self._seen += 1
        if name:
            self._named[name] = number
        return number
