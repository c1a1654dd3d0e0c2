"""Charts: the right ones, drawn where their values are, as files that stand alone."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.core.contract import Sample
from jatdae.report.charts.dots import Dot, dot_plot
from jatdae.report.charts.histogram import histogram
from jatdae.report.charts.scale import Scale
from jatdae.report.charts.scatter import Axis, Point, scatter
from jatdae.report.charts.svg import WIDTH, Node, fit, to_figure, to_page
from jatdae.report.charts.trend import Step, trend
from jatdae.report.figures import write_figures
from jatdae.report.html import all_figures
from jatdae.run.api import evaluate
from jatdae.run.stats.result import Result

from .conftest import HOSTILE


def texts(root: Node) -> list[str]:
    return [node.text or "" for node in root.iter("text")]


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.lists(st.floats(-1e6, 1e6), max_size=8))
def test_an_axis_holds_its_values_and_names_a_few(values: list[float]) -> None:
    scale = Scale.over(values, 0, 100)
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
    scale = Scale.over(values, 0, 100)
    assert [scale.label(tick, unit) for tick in scale.ticks()] == labels


def test_bars_count_every_value() -> None:
    values = np.random.default_rng(0).beta(2, 3, 500)
    root = histogram("score ↑", "", {"a": values, "b": np.append(values, np.nan)})
    counted = [int((bar[0].text or "").rpartition(": ")[2]) for bar in root.iter("rect")]
    assert sum(counted) == 1000


def test_a_dot_lies_in_its_interval_on_the_canvas() -> None:
    root = dot_plot("Δ", "%", [Dot("a", 0.1, (0.05, 0.2), 9), Dot("b", None, None, 0)], zero=True)
    line = next(node for node in root.iter("line") if node.get("class") == "interval")
    circle = next(root.iter("circle"))
    assert 0 < float(line.get("x1", 0)) < float(circle.get("cx", 0)) < float(line.get("x2", 0)) < WIDTH
    assert "N/A" in texts(root)


def test_whoever_cannot_see_a_chart_hears_its_values() -> None:
    text = to_page(dot_plot("CER ↓", "%", [Dot("a", 0.1, (0.05, 0.2), 9), Dot("b", 0.3, None, 2)]))
    label = ElementTree.fromstring(text).get("aria-label")
    assert label == "CER ↓. a: 10.00 % (5.00 – 20.00), n = 9. b: 30.00 %, n = 2"


def test_a_trend_has_a_line_and_a_band_for_each_system() -> None:
    steps = [Step(at, at / 10, (at / 20, at / 5)) for at in (1, 2, 3)]
    root = trend("SFS ↑", "", "turn", {"llm": steps, "agent": steps[:1]})
    assert len(list(root.iter("polyline"))) == 2
    assert len(list(root.iter("polygon"))) == 1
    assert {"llm", "agent", "turn", "1", "3"} <= set(texts(root))


def test_a_long_trend_names_few_of_its_places() -> None:
    root = trend("CER ↓", "%", "page", {"": [Step(at, at / 300, None) for at in range(300)]})
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


def test_what_a_chart_has_no_room_for_is_counted(plugin: Callable[..., Any]) -> None:
    samples = [
        Sample(f"{at}", "a", "a", {"page": f"p{at % 70}"}, f"m{system}") for at in range(70) for system in range(10)
    ]
    found = all_figures(evaluate(samples, plugin("shown:Shown"), slices=["page"]))
    left = {(figure.section, figure.key): figure.left_out for figure in found if figure.metric == "same"}
    assert left["distribution", ""] == 2
    assert left["slices", "page"] == 64


def test_a_chart_says_its_unit(plugin: Callable[..., Any]) -> None:
    found = all_figures(evaluate([Sample("1", "a", "b"), Sample("2", "a", "a")], "text"))
    chart = next(figure.chart for figure in found if (figure.section, figure.metric) == ("distribution", "cer"))
    assert texts(chart)[0] == "cer ↓ (%)"


def test_a_system_has_one_colour_in_every_chart() -> None:
    root = scatter("x", Axis("a", ""), Axis("b", ""), [Point("first", 0.1, 0.2, 0), Point("third", 0.2, 0.1, 2)])
    assert [circle.get("class") for circle in root.iter("circle")] == ["s0", "s2"]
    steps = [Step(1, 0.5, None), Step(2, 0.6, None)]
    root = trend("x", "", "turn", {"first": [], "second": steps, "third": steps})
    assert [line.get("class") for line in root.iter("polyline")] == ["line s1", "line s2"]


def test_a_run_has_the_charts_its_data_call_for(plugin: Callable[..., Any]) -> None:
    samples = [
        Sample(f"{at}", "ab"[at % 2] * n, "a", {"kind": "xy"[at % 2]}, f"m{n}") for at in range(8) for n in (1, 2)
    ]
    found = all_figures(evaluate(samples, plugin("shown:Shown"), slices=["kind"]))
    assert {figure.file for figure in found} == {
        "tradeoff-same-longer.svg",
        *(f"slices-{key}-{metric}.svg" for key in ("kind", "turn", "told") for metric in ("same", "longer")),
        *(f"distribution-{metric}.svg" for metric in ("same", "longer")),
    }
    by_turn = next(figure for figure in found if (figure.key, figure.metric) == ("turn", "same"))
    assert len(list(by_turn.chart.iter("polyline"))) == 2
    by_kind = next(figure for figure in found if (figure.key, figure.metric) == ("kind", "same"))
    assert len(list(by_kind.chart.iter("circle"))) == 4


def test_many_slices_keep_the_foremost_metric_of_each(
    plugin: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    samples = [Sample(f"{at}", "ab"[at % 2], "a", {"kind": "xy"[at % 2]}) for at in range(8)]
    monkeypatch.setattr("jatdae.report.figures.MOST_SLICE_CHARTS", 3)
    found = all_figures(evaluate(samples, plugin("shown:Shown"), slices=["kind"]))
    sliced = [(figure.key, figure.metric) for figure in found if figure.section == "slices"]
    assert sliced == [("kind", "same"), ("told", "same"), ("turn", "same")]


def test_figures_are_files_that_stand_alone(hostile: Result, tmp_path: Path) -> None:
    written = write_figures(all_figures(hostile), tmp_path / "new" / "figures")
    assert sorted(written) == sorted((tmp_path / "new" / "figures").iterdir())
    assert sorted(path.parent.name for path in written) == ["figures"] * len(written)
    for path in (path for path in written if path.suffix == ".svg"):
        root = ElementTree.fromstring(path.read_text("utf-8"))
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert root[0].tag.endswith("style")
        assert {node.tag.rpartition("}")[2] for node in root.iter()}.isdisjoint({"script", "img", "image", "a"})


def test_figures_are_pictures_too_where_cairosvg_is_there(
    plugin: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = all_figures(evaluate([Sample("1", "a", "a")], plugin("shown:Shown")))
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "cairosvg", None)
        assert {path.suffix for path in write_figures(found, tmp_path / "without")} == {".svg"}
    pytest.importorskip("cairosvg", reason="PNG needs the extra `figures`")
    written = write_figures(found, tmp_path / "with")
    pictures = [path for path in written if path.suffix == ".png"]
    assert len(pictures) * 2 == len(written)
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in pictures)


def test_texts_of_charts_are_escaped() -> None:
    root = scatter(
        HOSTILE, Axis(HOSTILE, ""), Axis(HOSTILE, "%"), [Point(HOSTILE, 0.1, 0.2, 0), Point("b", 0.2, 0.1, 1)]
    )
    assert "<img" not in to_page(root)
    assert "\u202e" not in to_figure(root)


@pytest.mark.parametrize(
    ("text", "cells", "cut"), [("abcdef", 6, "abcdef"), ("abcdefg", 6, "abcde…"), ("가나다라", 6, "가나…")]
)
def test_labels_are_cut_by_their_width(text: str, cells: int, cut: str) -> None:
    assert fit(text, cells) == cut
