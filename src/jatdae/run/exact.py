"""Sums that do not depend on order or on how the input was cut."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray


class ExactSum:
    """A sum kept without rounding, as floats that do not overlap; merging sums loses nothing.

    `math.fsum` rounds the true sum once. What it rounded away is again a sum: adding −s to the terms and summing anew
    gives the rest, and two or three rounds leave nothing (Shewchuk, 1997).
    """

    __slots__ = ("_parts",)

    def __init__(self) -> None:
        self._parts: list[float] = []

    def add(self, values: NDArray[np.float64]) -> None:
        """Add an array of finite numbers."""
        if not len(values):
            return
        total = float(values.sum())
        if abs(total) < 2**53 and np.array_equal(values, np.trunc(values)) and float(np.abs(values).sum()) < 2**53:
            self._fold([total])  # whole numbers this small add without rounding
        else:
            self._fold(values.tolist())

    def merge(self, other: ExactSum) -> None:
        """Add another sum."""
        self._fold(other._parts)

    @property
    def value(self) -> float:
        """The sum, rounded once."""
        return math.fsum(self._parts)

    def _fold(self, values: Iterable[float]) -> None:
        terms = [*self._parts, *values]
        parts: list[float] = []
        while rest := math.fsum(terms):
            parts.append(rest)
            terms.append(-rest)
        self._parts = parts
