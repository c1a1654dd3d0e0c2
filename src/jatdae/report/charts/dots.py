"""Values with their intervals, one row each: slices, systems, differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from jatdae.report.charts.scale import Scale, draw_x
from jatdae.report.charts.svg import WIDTH, Node, canvas, colour, describe, draw, fit, write
from jatdae.report.sheets import number, span

MOST: Final = 60
_ROW: Final = 20
_LEFT: Final = 116


@dataclass(frozen=True, slots=True)
class Dot:
    """One row; rows of several systems that follow each other under one label stand below it, each with its name."""

    label: str
    value: float | None
    interval: tuple[float, float] | None
    n: int
    system: int = 0
    name: str = ""
    """Whose it is, where there are several."""


def dot_plot(title: str, unit: str, dots: Sequence[Dot], *, zero: bool = False) -> Node:
    """A dot per row on a common axis; `zero` marks where nothing differs."""
    kept = dots[:MOST]
    lines = _lines(kept)
    bottom = 26 + len(lines) * _ROW
    root = canvas(bottom + 20, title)
    write(root, title, 0, 13, "title")
    ends = [end for dot in kept for end in (*(dot.interval or ()), dot.value) if end is not None]
    scale = Scale.over([*ends, 0.0] if zero else ends, _LEFT, WIDTH - 40)
    draw_x(root, scale, unit, 24, bottom)
    write(root, "n", WIDTH, 13, "faint", "end")
    if zero:
        draw(root, "line", "axis", x1=scale(0), x2=scale(0), y1=24, y2=bottom)
    for at, (label, dot) in enumerate(lines):
        y = 26 + (at + 0.5) * _ROW
        x, anchor, room = (_LEFT - 10, "end", 16) if dot else (0, "start", 60)
        describe(write(root, fit(label, room), x, y + 4, "", anchor), label)
        if dot:
            _row(root, scale, unit, dot, y)
    return root


def _lines(dots: Sequence[Dot]) -> list[tuple[str, Dot | None]]:
    """What stands in each line: a dot under its label or, of several systems, under its system's name."""
    if len({dot.name for dot in dots}) < 2:
        return [(dot.label, dot) for dot in dots]
    lines: list[tuple[str, Dot | None]] = []
    before = None
    for dot in dots:
        if dot.label != before:
            lines.append((dot.label, None))
            before = dot.label
        lines.append((dot.name, dot))
    return lines


def _row(root: Node, scale: Scale, unit: str, dot: Dot, y: float) -> None:
    write(root, f"{dot.n:,}", WIDTH, y + 4, "faint", "end")
    if dot.value is None:
        write(root, "N/A", _LEFT, y + 4, "faint")
        return
    group = draw(root, "g", colour(dot.system))
    interval = "" if dot.interval is None else f" ({span(dot.interval, unit)})"
    whose = f"{dot.name} · " if dot.name else ""
    describe(group, f"{whose}{dot.label}: {number(dot.value, unit)}{interval}, n = {dot.n}")
    if dot.interval is not None:
        low, high = dot.interval
        draw(group, "line", "interval", x1=scale(low), x2=scale(high), y1=y, y2=y)
    draw(group, "circle", cx=scale(dot.value), cy=y, r=4)
