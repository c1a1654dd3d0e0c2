"""How the values of a metric are distributed, one strip per system on a common axis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from jatdae.report.charts.scale import Scale, draw_x
from jatdae.report.charts.svg import WIDTH, Node, canvas, colour, describe, draw, fit, write

BINS: Final = 24
MOST: Final = 8
"""Systems shown; more strips cannot be read."""
_STRIP: Final = 46
_LONE_STRIP: Final = 96


def histogram(title: str, unit: str, values: Mapping[str, NDArray[np.float64]]) -> Node:
    """Bars of equal width; heights are relative to the tallest bar of their own strip."""
    known = {name: found[np.isfinite(found)] for name, found in list(values.items())[:MOST]}
    strip = _LONE_STRIP if len(known) == 1 else _STRIP
    root = canvas(24 + len(known) * strip + 20, title)
    write(root, title, 0, 13, "title")
    every = np.concatenate(list(known.values())) if known else np.empty(0)
    scale = Scale.over([float(every.min()), float(every.max())] if len(every) else [], 8, WIDTH - 12)
    draw_x(root, scale, unit, 24, 24 + len(known) * strip)
    for at, (name, found) in enumerate(known.items()):
        bottom = 24.0 + (at + 1) * strip
        _bars(root, scale, unit, found, bottom, strip - 16 if len(known) > 1 else strip - 8, at)
        if len(known) > 1:
            write(root, fit(name, 30), 10, bottom - strip + 12, "faint")
        draw(root, "line", "axis", x1=scale.start, x2=scale.end, y1=bottom, y2=bottom)
    return root


def _bars(
    root: Node, scale: Scale, unit: str, values: NDArray[np.float64], bottom: float, height: float, system: int
) -> None:
    counts, edges = np.histogram(values, bins=BINS, range=(scale.low, scale.high))
    tallest = int(counts.max()) if len(values) else 0
    for count, low, high in zip(counts.tolist(), edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        if count:
            tall = max(1.5, height * count / tallest)
            left, right = scale(low), scale(high)
            bar = draw(
                root,
                "rect",
                f"bar {colour(system)}",
                x=left + 0.5,
                y=bottom - tall,
                width=right - left - 1,
                height=tall,
            )
            describe(bar, f"{scale.label(low, unit)} – {scale.label(high, unit)}: {count}")
