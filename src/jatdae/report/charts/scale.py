"""Where a value stands on an axis, and which values the axis names."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from jatdae.report.charts.svg import Node, draw, write

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear axis from `low` to `high`, drawn from `start` to `end`."""

    low: float
    high: float
    step: float
    start: float
    end: float

    @classmethod
    def over(cls, values: Iterable[float], start: float, end: float, ticks: int = 4) -> Scale:
        """An axis with round ends around the values; it begins at 0 where that costs less than half of it."""
        known = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
        low, high = min(known), max(known)
        if 0 < low < high / 2:
            low = 0.0
        if high - low < 1e-9 * max(1.0, abs(high)):
            low, high = (low - 0.5, high + 0.5) if low < 0 or high > 1 else (0.0, 1.0)
        step = _round_step((high - low) / ticks)
        return cls(math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step, step, start, end)

    def __call__(self, value: float) -> float:
        """The place of a value; what lies outside stands at the end."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self) -> list[float]:
        """The values that are named."""
        count = round((self.high - self.low) / self.step)
        return [self.low + at * self.step for at in range(count + 1)]

    def label(self, value: float, unit: str) -> str:
        """A tick as it is written, with no more digits than the step needs."""
        factor = 100 if unit in ("%", "pp") else 1
        step = self.step * factor
        digits = max(0, -math.floor(math.log10(step) + 1e-9))
        if digits < 6 and abs(round(step, digits) - step) > 1e-9 * step:
            digits += 1
        text = f"{value * factor:.{min(digits, 6)}f}"
        return text.replace("-0", "0", 1) if float(text) == 0 else text


def draw_x(root: Node, scale: Scale, unit: str, top: float, bottom: float) -> None:
    """Upright rules with their values below."""
    for tick in scale.ticks():
        x = scale(tick)
        draw(root, "line", "rule", x1=x, x2=x, y1=top, y2=bottom)
        write(root, scale.label(tick, unit), x, bottom + 13, "faint", "middle")


def draw_y(root: Node, scale: Scale, unit: str, left: float, right: float) -> None:
    """Level rules with their values to the left."""
    for tick in scale.ticks():
        y = scale(tick)
        draw(root, "line", "rule", x1=left, x2=right, y1=y, y2=y)
        write(root, scale.label(tick, unit), left - 5, y + 4, "faint", "end")


def _round_step(rough: float) -> float:
    power = 10.0 ** math.floor(math.log10(rough))
    return next(step * power for step in _STEPS if step * power >= rough * (1 - 1e-9))
