"""A metric over something that is counted, such as the turns of a conversation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from jatdae.report.charts.scale import Scale, draw_y
from jatdae.report.charts.svg import WIDTH, Node, canvas, colour, describe, draw, fit, write
from jatdae.report.sheets import number, span

_LEFT: Final = 40
_TOP: Final = 26
_HEIGHT: Final = 130
_MOST_NAMED: Final = 12
"""Places named on the axis; a line of four times as many steps has dots no thicker than itself."""


class Step(NamedTuple):
    """A mean at one place of the count."""

    at: float
    value: float
    interval: tuple[float, float] | None


def trend(title: str, unit: str, along: str, lines: Mapping[str, Sequence[Step]]) -> Node:
    """A line per system with its interval as a band; a system without steps keeps its colour to itself."""
    bottom = _TOP + _HEIGHT
    names = [name for name, line in lines.items() if line]
    root = canvas(bottom + 34 + 15 * (len(names) if len(names) > 1 else 0), title)
    write(root, title, 0, 13, "title")
    steps = [step for line in lines.values() for step in line]
    up = Scale.over([end for s in steps for end in (*(s.interval or ()), s.value)], bottom, _TOP)
    places = sorted({step.at for step in steps})
    across = Scale(places[0] - 0.5, places[-1] + 0.5, 1.0, _LEFT, WIDTH - 8)
    draw_y(root, up, unit, _LEFT, WIDTH - 8)
    for place in places[:: -(-len(places) // _MOST_NAMED)]:
        write(root, f"{place:g}", across(place), bottom + 14, "faint", "middle")
    write(root, along, (_LEFT + WIDTH) / 2, bottom + 28, "faint", "middle")
    for at, (name, line) in enumerate(lines.items()):
        if not line:
            continue
        _line(root, across, up, unit, name, line, at)
        if len(names) > 1:
            y = bottom + 44 + 15 * names.index(name)
            draw(root, "circle", colour(at), cx=_LEFT + 4, cy=y - 4, r=4)
            write(root, fit(name, 40), _LEFT + 14, y)
    return root


def _line(root: Node, across: Scale, up: Scale, unit: str, name: str, line: Sequence[Step], system: int) -> None:
    banded = [(across(step.at), step.interval) for step in line if step.interval]
    if len(banded) > 1:
        edge = [(x, up(ends[1])) for x, ends in banded] + [(x, up(ends[0])) for x, ends in reversed(banded)]
        draw(root, "polygon", f"band {colour(system)}", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in edge))
    points = " ".join(f"{across(step.at):.1f},{up(step.value):.1f}" for step in line)
    draw(root, "polyline", f"line {colour(system)}", points=points)
    size = 3.2 if len(line) <= 4 * _MOST_NAMED else 1.2
    for step in line:
        dot = draw(root, "circle", colour(system), cx=across(step.at), cy=up(step.value), r=size)
        interval = f" ({span(step.interval, unit)})" if step.interval else ""
        describe(dot, f"{name} {step.at:g}: {number(step.value, unit)}{interval}".strip())
