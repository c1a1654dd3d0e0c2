"""Charts: drawn where their values are, with round axes, every system named."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.report.charts import (
    Dot,
    LinearScale,
    LogScale,
    MetricAxis,
    Point,
    TrendStep,
    dot_plot,
    histogram,
    scatter,
    trend,
)
from jatdae.report.svg import WIDTH, Node


def texts(root: Node) -> list[str]:
    return [node.text or "" for node in root.iter("text")]


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.lists(st.floats(-1e6, 1e6), max_size=8))
def test_an_axis_holds_its_values_and_names_a_few(values: list[float]) -> None:
    scale = LinearScale.over(values, 0, 100)
    assert all(scale.low - 1e-6 * scale.step <= value <= scale.high + 1e-6 * scale.step for value in values)
    assert 2 <= len(scale.ticks()) <= 8
    labels = [scale.label(tick, "") for tick in scale.ticks()]
    if scale.step > 1e-6:
        assert len(set(labels)) == len(labels)


@pytest.mark.parametrize(
    ("values", "unit", "labels"),
    [
        ([0, 1], "", ["0.00", "0.25", "0.50", "0.75", "1.00"]),
        ([0, 1], "%", ["0", "25", "50", "75", "100"]),
        ([0.02, 0.07], "%", ["0", "2", "4", "6", "8"]),
        ([0.91, 0.99], "", ["0.90", "0.92", "0.94", "0.96", "0.98", "1.00"]),
        ([-0.1, 0.1], "pp", ["-10", "-5", "0", "5", "10"]),
    ],
)
def test_ticks_are_round(values: list[float], unit: str, labels: list[str]) -> None:
    scale = LinearScale.over(values, 0, 100)
    assert [scale.label(tick, unit) for tick in scale.ticks()] == labels


def test_bars_count_every_value() -> None:
    values = np.random.default_rng(0).beta(2, 3, 500)
    root = histogram("score ↑", "", {"a": values, "b": np.append(values, np.nan)})
    counted = [int((bar[0].text or "").rpartition(": ")[2]) for bar in root.iter("rect")]
    assert sum(counted) == 1000


def test_a_dot_lies_in_its_interval_on_the_canvas() -> None:
    root = dot_plot("CER ↓", "%", [Dot("a", 0.1, (0.05, 0.2), 9), Dot("b", None, None, 0)])
    line = next(node for node in root.iter("line") if node.get("class") == "interval")
    circle = next(root.iter("circle"))
    assert 0 < float(line.get("x1", 0)) < float(circle.get("cx", 0)) < float(line.get("x2", 0)) < WIDTH
    assert "N/A" in texts(root)


def test_a_trend_has_a_line_and_a_band_for_each_system() -> None:
    steps = [TrendStep(at, at / 10, (at / 20, at / 5)) for at in (1, 2, 3)]
    root = trend("SFS ↑", "", "turn", {"llm": steps, "agent": steps[:1]})
    assert len(list(root.iter("polyline"))) == 2
    assert len(list(root.iter("polygon"))) == 1
    assert {"llm", "agent", "turn", "1", "3"} <= set(texts(root))


def test_a_long_trend_names_few_of_its_places() -> None:
    root = trend("CER ↓", "%", "page", {"": [TrendStep(at, at / 300, None) for at in range(300)]})
    named = sorted((float(node.get("x", 0)), node.text) for node in root.iter("text") if node.get("y") == "170")
    assert 4 <= len(named) <= 12
    assert all(right - left >= 20 for (left, _), (right, _) in pairwise(named))
    assert named[0][1] == "0"
    assert all(float(dot.get("r", 0)) < 2 for dot in root.iter("circle"))


def test_every_dot_of_several_systems_is_named() -> None:
    """Colours come round again after eight; a figure in a paper has no pointer to rest on a dot."""
    dots = [Dot(lang, 0.5, None, 9, at, f"system {at}") for lang in ("en", "ko") for at in range(10)]
    shown = texts(dot_plot("CER ↓", "%", dots))
    assert all(shown.count(f"system {at}") == 2 for at in range(10))
    assert (shown.count("en"), shown.count("ko")) == (1, 1)


def test_a_system_has_one_colour_in_every_chart() -> None:
    root = scatter(
        "x", MetricAxis("a", ""), MetricAxis("b", ""), [Point("first", 0.1, 0.2, 0), Point("third", 0.2, 0.1, 2)]
    )
    assert [circle.get("class") for circle in root.iter("circle")] == ["s0", "s2"]
    steps = [TrendStep(1, 0.5, None), TrendStep(2, 0.6, None)]
    root = trend("x", "", "turn", {"first": [], "second": steps, "third": steps})
    assert [line.get("class") for line in root.iter("polyline")] == ["line s1", "line s2"]


def left_of(name: Node) -> float:
    width = 6.0 * len(name.text or "")
    return float(name.get("x", 0)) - (width if name.get("text-anchor") == "end" else 0.0)


def test_a_name_left_of_its_dot_ends_beside_it() -> None:
    points = [Point("first", 0.1, 0.9, 0), Point("second", 0.9, 0.1, 1)]
    root = scatter("x", MetricAxis("a", "%"), MetricAxis("b", "%"), points)
    (name,) = (node for node in root.iter("text") if node.text == "second")
    (dot,) = (node for node in root.iter("circle") if node.get("class") == "s1")
    assert name.get("text-anchor") == "end"
    assert float(name.get("x", 0)) <= float(dot.get("cx", 0)) - float(dot.get("r", 0))


def test_names_of_systems_that_are_near_each_other_do_not_overprint() -> None:
    points = [Point(f"system-number-{at}", 0.5 + at / 500, 0.5 - at / 400, at) for at in range(7)]
    root = scatter("x", MetricAxis("a", "%"), MetricAxis("b", "%"), points)
    boxes = [
        (left_of(node), float(node.get("y", 0)), 6.0 * len(node.text or ""))
        for node in root.iter("text")
        if (node.text or "").startswith("system")
    ]
    assert len(boxes) == 7
    for (left, y, width), (other, below, more) in combinations(boxes, 2):
        assert abs(y - below) >= 13 or left + width <= other or other + more <= left
    assert all(0 <= left <= left + width <= 360 for left, _, width in boxes)


def test_the_ranges_of_a_histogram_differ_from_bar_to_bar() -> None:
    root = histogram("score ↑", "", {"a": np.linspace(0.61, 0.7, 200)})
    ranges = [(each.text or "").partition(":")[0] for each in root.iter() if each.tag.endswith("title")][1:]
    assert len(ranges) > 10
    assert len(set(ranges)) == len(ranges)
    assert all(low != high for low, _, high in (each.partition(" – ") for each in ranges))


def test_a_scatter_of_values_far_apart_is_logarithmic_and_says_so() -> None:
    points = [Point("fast", 0.2, 0.004, 0), Point("slow", 0.3, 0.9, 1)]
    texts = [node.text for node in scatter("t", MetricAxis("cer", "%"), MetricAxis("seconds", ""), points).iter("text")]
    assert "seconds · logarithmic scale" in texts
    assert {"0.001", "0.01", "0.1", "1"} <= set(texts)
    assert "cer" in texts
    near = scatter("t", MetricAxis("a", ""), MetricAxis("b", ""), [Point("x", 1, 0, 0), Point("y", 20, 90, 1)])
    assert not [node for node in near.iter("text") if "logarithmic" in (node.text or "")]


def test_a_logarithmic_axis_names_few_powers_of_ten() -> None:
    scale = LogScale.over([3e-9, 4e9], 0, 100)
    assert (scale.low, scale.high) == (1e-9, 1e10)
    assert len(scale.ticks()) <= 8
    assert (scale(1e-9), scale(1e10)) == (0, 100)
    assert LogScale.over([0.05, 2.0], 0, 1).label(0.01, "%") == "1"


def test_a_name_is_never_beside_the_dot_of_another() -> None:
    points = [Point(f"system-{at}", 0.1 + 0.02 * at, 0.5, at) for at in range(6)]
    root = scatter("t", MetricAxis("a", ""), MetricAxis("b", ""), points)
    dots = {(node.findtext("title") or "").split(":")[0]: node for node in root.iter("circle")}
    assert len(dots) == len(points)
    for name in (node for node in root.iter("text") if node.text in dots):
        left, middle = float(name.get("x", 0)), float(name.get("y", 0)) - 4
        for dot in (dot for key, dot in dots.items() if key != name.text):
            assert abs(float(dot.get("cy", 0)) - middle) > 7 or abs(float(dot.get("cx", 0)) - left) > 10
