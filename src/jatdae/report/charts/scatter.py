"""Two metrics against each other: where systems trade one for the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from jatdae.report.charts.scale import Scale, draw_x, draw_y
from jatdae.report.charts.svg import WIDTH, Node, canvas, colour, describe, draw, fit, write
from jatdae.report.sheets import number

_LEFT: Final = 40
_TOP: Final = 42
_HEIGHT: Final = 190


class Axis(NamedTuple):
    """A metric as it is named and shown."""

    label: str
    unit: str


class Point(NamedTuple):
    """A system at its two means."""

    name: str
    x: float
    y: float
    system: int
    """Its number among all systems, which decides its colour."""


def scatter(title: str, across: Axis, up: Axis, points: Sequence[Point]) -> Node:
    """A named point per system."""
    bottom = _TOP + _HEIGHT
    root = canvas(bottom + 34, title)
    write(root, title, 0, 13, "title")
    write(root, up.label, 0, 28, "faint")
    xs = Scale.over([p.x for p in points], _LEFT, WIDTH - 12)
    ys = Scale.over([p.y for p in points], bottom, _TOP)
    draw_x(root, xs, across.unit, _TOP, bottom)
    draw_y(root, ys, up.unit, _LEFT, WIDTH - 12)
    write(root, across.label, (_LEFT + WIDTH) / 2, bottom + 28, "faint", "middle")
    for point in points:
        x, y = xs(point.x), ys(point.y)
        dot = draw(root, "circle", colour(point.system), cx=x, cy=y, r=5)
        describe(dot, f"{point.name}: {number(point.x, across.unit)}, {number(point.y, up.unit)}")
        left = x > (_LEFT + WIDTH) / 2
        write(root, fit(point.name, 26), x - 8 if left else x + 8, y - 7, "", "end" if left else "start")
    return root
