"""Sums that do not depend on order or on how the input was cut."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

SCALE: Final = 1074 + 53
"""Every double is a whole multiple of 2⁻¹⁰⁷⁴; taken apart by `frexp` none needs more than 53 bits below that."""


class ExactSum:
    """A sum kept without rounding, as one whole number of 2⁻ˢᶜᵃˡᵉ."""

    __slots__ = ("_whole",)

    def __init__(self) -> None:
        self._whole = 0

    def add(self, values: NDArray[np.float64]) -> None:
        """Add an array of finite numbers.

        A number is m · 2ᵉ with a whole m of 53 bits. The upper and lower half of all m with the same e are added as
        doubles: no sum of fewer than 2²⁶ of them is rounded.
        """
        for start in range(0, len(values), 1 << 26):
            fractions, exponents = np.frexp(values[start : start + (1 << 26)])
            wholes = np.ldexp(fractions, 53)
            upper = np.floor(np.ldexp(wholes, -26))
            lower = wholes - np.ldexp(upper, 26)
            lowest = int(exponents.min())
            steps = exponents - lowest
            for step, (high, low) in enumerate(
                zip(np.bincount(steps, upper).tolist(), np.bincount(steps, lower).tolist(), strict=True)
            ):
                self._whole += ((int(high) << 26) + int(low)) << (SCALE - 53 + lowest + step)

    @property
    def value(self) -> float:
        """The sum, rounded once."""
        return self._whole / (1 << SCALE)
