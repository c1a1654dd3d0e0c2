"""SVG charts: dot plots, forest plots, histograms, bars, scatter plots and trends, and the scales of their axes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jatdae.core.messages import say
from jatdae.report.svg import WIDTH, Node, canvas, cells_of, colour, describe, draw, fit, write
from jatdae.run.stats.shown import number, span

MOST_DOTS: Final = 60
MOST_STRIPS: Final = 8
"""Systems shown in a histogram; more strips cannot be read."""
BINS: Final = 24
_DOT_ROW: Final = 20
_DOT_LEFT: Final = 116
_MOST_DOT_LEFT: Final = 176
_CELL: Final = 6.0
"""Width of a column of text, about."""
_FOREST_ROW: Final = 36
_FOREST_RIGHT: Final = 264
_FOREST_GROUP: Final = 20
_AXIS: Final = 28
_BAR: Final = 12
_STRIP: Final = 46
_LONE_STRIP: Final = 96
_LEFT: Final = 40
_SCATTER_TOP: Final = 42
_SCATTER_HEIGHT: Final = 190
_FAR: Final = 5
"""A label of a scatter plot that stands further from its dot is joined to it by a line."""
_LOGARITHMIC: Final = 20
_TREND_TOP: Final = 26
_TREND_HEIGHT: Final = 130
_MOST_NAMED: Final = 12
"""Places named on the axis of a trend; a line of four times as many steps has dots no thicker than itself."""
_TICK_STEPS: Final = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True, slots=True)
class Dot:
    """One row of a dot plot.

    Rows of several systems that follow each other under one label stand below it, each with its name.
    """

    label: str
    value: float | None
    interval: tuple[float, float] | None
    n: int
    system: int = 0
    name: str = ""
    """Whose it is, where there are several."""


def dot_plot(title: str, unit: str, dots: Sequence[Dot]) -> Node:
    """Draw a dot chart: one row per value with its interval."""
    return dot_panels(title, [DotPanel("", unit, dots[:MOST_DOTS])])


class DotPanel(NamedTuple):
    """Rows of a dot chart with an axis of their own."""

    title: str
    unit: str
    dots: Sequence[Dot]


def dot_panels(title: str, panels: Sequence[DotPanel]) -> Node:
    """Draw a dot chart of several panels below each other."""
    heights = [(18 if panel.title else 0) + len(_dot_lines(panel.dots)) * _DOT_ROW + _AXIS for panel in panels]
    root = canvas(18 + sum(heights), title)
    write(root, title, 0, 13, "title")
    write(root, "n", WIDTH, 13, "faint", "end")
    left = max(_dot_left(panel) for panel in panels) if panels else _DOT_LEFT
    top = 18.0
    for panel, height in zip(panels, heights, strict=True):
        _draw_dot_panel(root, panel, left, top)
        top += height
    return root


def _dot_left(panel: DotPanel) -> float:
    """Where the values begin: labels have the room that they need, within bounds."""
    named = [label for label, dot in _dot_lines(panel.dots) if dot]
    return min(max([_DOT_LEFT, *(_CELL * cells_of(label) + 16 for label in named)]), _MOST_DOT_LEFT)


def _draw_dot_panel(root: Node, panel: DotPanel, left: float, top: float) -> None:
    lines = _dot_lines(panel.dots)
    if panel.title:
        write(root, fit(panel.title, 60), 0, top + 15, "title")
        top += 18
    bottom = top + 8 + len(lines) * _DOT_ROW
    ends = [end for dot in panel.dots for end in (*(dot.interval or ()), dot.value) if end is not None]
    scale = LinearScale.over(ends, left, WIDTH - 40)
    _draw_x_axis(root, scale, panel.unit, top + 6, bottom)
    for at, (label, dot) in enumerate(lines):
        y = top + 8 + (at + 0.5) * _DOT_ROW
        x, anchor, room = (left - 10, "end", int((left - 14) / _CELL)) if dot else (0, "start", 60)
        describe(write(root, fit(label, room), x, y + 4, "", anchor), label)
        if dot:
            _draw_dot(root, scale, panel.unit, dot, y)


def _dot_lines(dots: Sequence[Dot]) -> list[tuple[str, Dot | None]]:
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


def _draw_dot(root: Node, scale: LinearScale, unit: str, dot: Dot, y: float) -> None:
    write(root, f"{dot.n:,}", WIDTH, y + 4, "faint", "end")
    if dot.value is None:
        write(root, "N/A", scale.start, y + 4, "faint")
        return
    group = draw(root, "g", colour(dot.system))
    interval = "" if dot.interval is None else f" ({span(dot.interval, unit)})"
    whose = f"{dot.name} · " if dot.name else ""
    describe(group, f"{whose}{dot.label}: {number(dot.value, unit)}{interval}, n = {dot.n}")
    if dot.interval is not None:
        low, high = dot.interval
        draw(group, "line", "interval", x1=scale(low), x2=scale(high), y1=y, y2=y)
    draw(group, "circle", cx=scale(dot.value), cy=y, r=4)


@dataclass(frozen=True, slots=True)
class ForestRow:
    """One row of a forest chart: a difference of B to A, turned so that a value above 0 is better."""

    label: str
    unit: str
    """Rows of one unit share an axis."""
    gain: float | None
    interval: tuple[float, float] | None
    change: str
    """The difference as it is told, with its interval and p."""
    facts: str
    """Wins, ties and losses, or pairs."""
    system: int
    group: str = ""
    """Rows of one group that follow each other stand below its name."""


def forest(title: str, sides: tuple[str, str], columns: tuple[str, str], rows: Sequence[ForestRow]) -> Node:
    """Draw a forest chart: differences with intervals beside a line at zero, worse on the left, better on the right.

    `sides` say what lies on either side of zero, `columns` what stands at the right: above, and in the line of the dot.
    Each side has a line of its own, because the names of two systems would meet in the middle of one.
    """
    panels = [(unit, list(each)) for unit, each in groupby(rows, key=lambda row: row.unit)]
    root = canvas(54 + sum(_forest_height(each) + _AXIS for _, each in panels), title)
    write(root, fit(title, 52), 0, 13, "title")
    for text, y in zip(columns, (31, 46), strict=True):
        write(root, text, WIDTH, y, "faint", "end")
    write(root, sides[0], 0, 31, "faint")
    write(root, sides[1], _FOREST_RIGHT, 46, "faint", "end")
    top = 50.0
    for unit, each in panels:
        _draw_forest(root, unit, each, top)
        top += _forest_height(each) + _AXIS
    return root


def _forest_height(rows: Sequence[ForestRow]) -> float:
    named = [group for group, _ in groupby(rows, key=lambda row: row.group) if group]
    return len(rows) * _FOREST_ROW + len(named) * _FOREST_GROUP


def forest_scale(rows: Iterable[ForestRow], start: float, end: float) -> LinearScale:
    """Axis of a forest chart: as long to the worse side as to the better, so that each has its half of the picture."""
    ends = [abs(end) for row in rows for end in (*(row.interval or ()), row.gain) if end is not None]
    most = max(ends, default=0.0) or 1.0
    return LinearScale.over([-most, most], start, end)


def _draw_forest(root: Node, unit: str, rows: Sequence[ForestRow], top: float) -> None:
    scale, before = forest_scale(rows, 14, _FOREST_RIGHT - 14), ""
    for row in rows:
        if row.group != before:
            before = row.group
            describe(write(root, fit(row.group, 60), 0, top + 16, "title"), row.group)
            top += _FOREST_GROUP
        _draw_forest_row(root, scale, row, top)
        top += _FOREST_ROW
    for tick in scale.ticks():
        # Without its sign: Δ of a metric for which lower is better has the other.
        write(root, scale.label(abs(tick), unit), scale(tick), top + 15, "faint", "middle")
    write(root, unit, _FOREST_RIGHT + 8, top + 15, "faint")


def _draw_forest_row(root: Node, scale: LinearScale, row: ForestRow, top: float) -> None:
    room = int((WIDTH - _CELL * cells_of(row.change)) / _CELL) - 2
    describe(write(root, fit(row.label, room), 0, top + 15), row.label)
    write(root, row.change, WIDTH, top + 15, "", "end")
    write(root, row.facts, WIDTH, top + 30, "faint", "end")
    for place in (*scale.ticks(), 0.0):  # behind the dot only: a line through numbers cannot be read
        x = scale(place)
        draw(root, "line", "rule" if place else "axis", x1=x, x2=x, y1=top + 19, y2=top + 35)
    if row.gain is None:
        return
    group = draw(root, "g", colour(row.system))
    describe(group, ", ".join(part for part in (row.group, f"{row.label}: {row.change}", row.facts) if part))
    y = top + 27
    if row.interval is not None:
        draw(group, "line", "interval", x1=scale(row.interval[0]), x2=scale(row.interval[1]), y1=y, y2=y)
    draw(group, "circle", cx=scale(row.gain), cy=y, r=4)


class BarRow(NamedTuple):
    """What is counted in a chart of bars, with a count for each system; None is unknown."""

    label: str
    counts: Sequence[int | None]


def bars(title: str, names: Sequence[str], rows: Sequence[BarRow]) -> Node:
    """Draw a chart of ranked bars: below each label a bar for each system."""
    tall = 22 + len(names) * _BAR
    legend = 15 * len(names) if len(names) > 1 else 0
    root = canvas(22 + len(rows) * tall + legend, title)
    write(root, fit(title, 52), 0, 13, "title")
    most = max((count or 0 for row in rows for count in row.counts), default=0)
    for at, row in enumerate(rows):
        top = 20.0 + at * tall
        describe(write(root, fit(row.label, 56), 0, top + 13), row.label)
        for system, count in enumerate(row.counts):
            y = top + 18 + system * _BAR
            wide = (WIDTH - 50) * (count or 0) / max(most, 1)
            bar = draw(root, "rect", f"bar {colour(system)}", x=0, y=y, width=max(wide, 1), height=_BAR - 2)
            told = "–" if count is None else f"{count:,}"
            describe(bar, f"{row.label}: {names[system] + ' ' if len(names) > 1 else ''}{told}")
            write(root, told, max(wide, 1) + 5, y + _BAR - 2.5, "faint")
    if legend:
        for at, name in enumerate(names):
            y = 22 + len(rows) * tall + 15 * at + 11
            draw(root, "circle", colour(at), cx=6, cy=y - 4, r=4)
            write(root, fit(name, 56), 16, y)
    return root


def histogram(title: str, unit: str, values: Mapping[str, NDArray[np.float64]]) -> Node:
    """Draw a histogram chart, a strip for each system; bar heights are relative to the tallest bar of the strip."""
    known = {name: found[np.isfinite(found)] for name, found in list(values.items())[:MOST_STRIPS]}
    strip = _LONE_STRIP if len(known) == 1 else _STRIP
    root = canvas(24 + len(known) * strip + 20, title)
    write(root, title, 0, 13, "title")
    every = np.concatenate(list(known.values())) if known else np.empty(0)
    scale = LinearScale.over([float(every.min()), float(every.max())] if len(every) else [], 8, WIDTH - 12)
    _draw_x_axis(root, scale, unit, 24, 24 + len(known) * strip)
    for at, (name, found) in enumerate(known.items()):
        bottom = 24.0 + (at + 1) * strip
        _draw_bars(root, scale, unit, found, bottom, strip - 16 if len(known) > 1 else strip - 8, at)
        if len(known) > 1:
            write(root, fit(name, 30), 10, bottom - strip + 12, "faint")
        draw(root, "line", "axis", x1=scale.start, x2=scale.end, y1=bottom, y2=bottom)
    return root


def _draw_bars(
    root: Node, scale: LinearScale, unit: str, values: NDArray[np.float64], bottom: float, height: float, system: int
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
            edges_of_bar = [scale.label(edge, unit, high - low) for edge in (low, high)]  # finer than the ticks
            describe(bar, f"{' – '.join(edges_of_bar)}: {count}")


class MetricAxis(NamedTuple):
    """A metric as an axis of a scatter plot."""

    label: str
    unit: str


class Point(NamedTuple):
    """A system as a point of a scatter plot: its means of two metrics."""

    name: str
    x: float
    y: float
    system: int
    """Its number among all systems, which decides its colour."""


def scatter(title: str, across: MetricAxis, up: MetricAxis, points: Sequence[Point]) -> Node:
    """Draw a scatter chart of two metrics with a named point for each system.

    Axes begin at 0, so that twice as much looks like twice as much, unless a value lies below. Where the largest value
    is more than `_LOGARITHMIC` times the smallest, an axis is logarithmic and says so: others would lie on one spot.
    """
    bottom = _SCATTER_TOP + _SCATTER_HEIGHT
    root = canvas(bottom + 34, title)
    write(root, title, 0, 13, "title")
    xs = _metric_scale([p.x for p in points], _LEFT, WIDTH - 12)
    ys = _metric_scale([p.y for p in points], bottom, _SCATTER_TOP)
    write(root, _axis_label(up, ys), 0, 28, "faint")
    _draw_x_axis(root, xs, across.unit, _SCATTER_TOP, bottom)
    _draw_y_axis(root, ys, up.unit, _LEFT, WIDTH - 12)
    write(root, _axis_label(across, xs), (_LEFT + WIDTH) / 2, bottom + 28, "faint", "middle")
    names: list[_Box] = []
    for point in sorted(points, key=lambda each: ys(each.y)):
        x, y = xs(point.x), ys(point.y)
        dot = draw(root, "circle", colour(point.system), cx=x, cy=y, r=5)
        describe(dot, f"{point.name}: {number(point.x, across.unit)}, {number(point.y, up.unit)}")
        name = fit(point.name, 26)
        # A name keeps its distance from the dots of others, beside which it would be taken for theirs.
        others = [_Box(xs(p.x) - 14, ys(p.y) - 8, 28, 16) for p in points if p is not point]
        box = _free_box(_CELL * cells_of(name), x, y, [*names, *others, _Box(x - 6, y - 6, 12, 12)])
        names.append(box)
        if abs(box.top + box.height / 2 - y) > _FAR:
            edge = box.left if box.left > x else box.left + box.width
            draw(root, "line", "rule", x1=x, y1=y, x2=edge, y2=box.top + box.height / 2)
        if box.left + box.width < x:  # ends beside its dot, however wide the font makes it
            write(root, name, box.left + box.width, box.top + 11, anchor="end")
        else:
            write(root, name, box.left, box.top + 11)
    return root


def _metric_scale(values: Sequence[float], start: float, end: float) -> LinearScale | LogScale:
    if min(values) > 0 and max(values) / min(values) > _LOGARITHMIC:
        return LogScale.over(values, start, end)
    return LinearScale.over([0.0, *values], start, end)


def _axis_label(axis: MetricAxis, scale: LinearScale | LogScale) -> str:
    return f"{axis.label} · {say('logarithmic')}" if isinstance(scale, LogScale) else axis.label


class _Box(NamedTuple):
    """Where a label or a dot of a scatter plot stands."""

    left: float
    top: float
    width: float
    height: float

    def overlap(self, other: _Box) -> float:
        """The area that two have in common."""
        wide = min(self.left + self.width, other.left + other.width) - max(self.left, other.left)
        tall = min(self.top + self.height, other.top + other.height) - max(self.top, other.top)
        return max(0.0, wide) * max(0.0, tall)


def _free_box(width: float, x: float, y: float, taken: Sequence[_Box]) -> _Box:
    """The nearest place for a label beside a dot that covers nothing; if there is none, the one that covers least."""
    inside = [left for left in (x + 8, x - 8 - width) if 0 <= left <= WIDTH - width] or [max(0.0, WIDTH - width)]
    steps = sorted(range(-20, 21), key=lambda step: (abs(step), step))
    boxes = [_Box(left, y - 7 + 7.0 * step, width, 14) for step in steps for left in inside]
    held = [box for box in boxes if _SCATTER_TOP - 12 <= box.top <= _SCATTER_TOP + _SCATTER_HEIGHT - 8]
    return min(held or boxes, key=lambda box: sum(box.overlap(other) for other in taken))


class TrendStep(NamedTuple):
    """One step of a trend line: the mean and its interval at one place of the count."""

    at: float
    value: float
    interval: tuple[float, float] | None


def trend(title: str, unit: str, along: str, lines: Mapping[str, Sequence[TrendStep]]) -> Node:
    """Draw a trend chart: a line per system with its interval as a band.

    A system without steps keeps its colour to itself.
    """
    bottom = _TREND_TOP + _TREND_HEIGHT
    names = [name for name, line in lines.items() if line]
    root = canvas(bottom + 34 + 15 * (len(names) if len(names) > 1 else 0), title)
    write(root, title, 0, 13, "title")
    steps = [step for line in lines.values() for step in line]
    up = LinearScale.over([end for s in steps for end in (*(s.interval or ()), s.value)], bottom, _TREND_TOP)
    places = sorted({step.at for step in steps})
    across = LinearScale(places[0] - 0.5, places[-1] + 0.5, 1.0, _LEFT, WIDTH - 8)
    _draw_y_axis(root, up, unit, _LEFT, WIDTH - 8)
    for place in places[:: -(-len(places) // _MOST_NAMED)]:
        write(root, f"{place:g}", across(place), bottom + 14, "faint", "middle")
    write(root, along, (_LEFT + WIDTH) / 2, bottom + 28, "faint along", "middle")
    for at, (name, line) in enumerate(lines.items()):
        if not line:
            continue
        _draw_line(root, across, up, unit, name, line, at)
        if len(names) > 1:
            y = bottom + 44 + 15 * names.index(name)
            draw(root, "circle", colour(at), cx=_LEFT + 4, cy=y - 4, r=4)
            write(root, fit(name, 40), _LEFT + 14, y)
    return root


def _draw_line(
    root: Node, across: LinearScale, up: LinearScale, unit: str, name: str, line: Sequence[TrendStep], system: int
) -> None:
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


@dataclass(frozen=True, slots=True)
class LinearScale:
    """Linear scale of a chart axis: values `low` to `high` drawn from `start` to `end`."""

    low: float
    high: float
    step: float
    start: float
    end: float

    @classmethod
    def over(cls, values: Iterable[float], start: float, end: float, ticks: int = 4) -> LinearScale:
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

    def label(self, value: float, unit: str, step: float = 0.0) -> str:
        """A tick as it is written, with no more digits than the step needs; `step` is one other than theirs."""
        factor = 100 if unit in ("%", "pp") else 1
        step = (step or self.step) * factor
        digits = max(0, -math.floor(math.log10(step) + 1e-9))
        if digits < 6 and abs(round(step, digits) - step) > 1e-9 * step:
            digits += 1
        text = f"{value * factor:.{min(digits, 6)}f}"
        return text.replace("-0", "0", 1) if float(text) == 0 else text


@dataclass(frozen=True, slots=True)
class LogScale:
    """Logarithmic scale of a chart axis: values `low` to `high`, both powers of ten, drawn from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    @classmethod
    def over(cls, values: Iterable[float], start: float, end: float) -> LogScale:
        """An axis from the power of ten below the values to the one above them; they are all above 0."""
        known = list(values)
        low, high = math.floor(math.log10(min(known)) + 1e-9), math.ceil(math.log10(max(known)) - 1e-9)
        return cls(10.0**low, 10.0**high, start, end)

    def __call__(self, value: float) -> float:
        """The place of a value."""
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self) -> list[float]:
        """The values that are named: powers of ten, at most a handful."""
        low, high = round(math.log10(self.low)), round(math.log10(self.high))
        return [10.0**at for at in range(low, high + 1, 1 + (high - low) // 6)]

    def label(self, value: float, unit: str) -> str:
        """A tick as it is written."""
        return f"{value * (100 if unit in ('%', 'pp') else 1):.12g}"


def _draw_x_axis(root: Node, scale: LinearScale | LogScale, unit: str, top: float, bottom: float) -> None:
    """Upright rules with their values below."""
    for tick in scale.ticks():
        x = scale(tick)
        draw(root, "line", "rule", x1=x, x2=x, y1=top, y2=bottom)
        write(root, scale.label(tick, unit), x, bottom + 13, "faint", "middle")


def _draw_y_axis(root: Node, scale: LinearScale | LogScale, unit: str, left: float, right: float) -> None:
    """Level rules with their values to the left."""
    for tick in scale.ticks():
        y = scale(tick)
        draw(root, "line", "rule", x1=left, x2=right, y1=y, y2=y)
        write(root, scale.label(tick, unit), left - 5, y + 4, "faint", "end")


def _round_step(rough: float) -> float:
    power = 10.0 ** math.floor(math.log10(rough))
    return next(step * power for step in _TICK_STEPS if step * power >= rough * (1 - 1e-9))
