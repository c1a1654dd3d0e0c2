"""SVG: texts are escaped, cut to their width and readable without seeing the chart."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from jatdae.report.charts import Dot, MetricAxis, Point, dot_plot, histogram, scatter
from jatdae.report.svg import fit, to_figure, to_page

from .conftest import HOSTILE


def test_whoever_cannot_see_a_chart_hears_its_values() -> None:
    text = to_page(dot_plot("CER ↓", "%", [Dot("a", 0.1, (0.05, 0.2), 9), Dot("b", 0.3, None, 2)]))
    label = ElementTree.fromstring(text).get("aria-label")
    assert label == "CER ↓. a: 10.00 % (5.00 – 20.00), n = 9. b: 30.00 %, n = 2"


def test_texts_of_charts_are_escaped() -> None:
    root = scatter(
        HOSTILE,
        MetricAxis(HOSTILE, ""),
        MetricAxis(HOSTILE, "%"),
        [Point(HOSTILE, 0.1, 0.2, 0), Point("b", 0.2, 0.1, 1)],
    )
    assert "<img" not in to_page(root)
    assert "\u202e" not in to_figure(root)


@pytest.mark.parametrize(
    ("text", "cells", "cut"), [("abcdef", 6, "abcdef"), ("abcdefg", 6, "abcde…"), ("가나다라", 6, "가나…")]
)
def test_labels_are_cut_by_their_width(text: str, cells: int, cut: str) -> None:
    assert fit(text, cells) == cut


def test_a_title_may_stand_outside_the_chart() -> None:
    bars = histogram("CER ↓", "%", {"": np.array([0.1, 0.2])})
    with_title, without = (ElementTree.fromstring(to_page(bars, titled=titled)) for titled in (True, False))
    assert "CER ↓" in [node.text for node in with_title.iter("text")]
    assert "CER ↓" not in [node.text for node in without.iter("text")]
    _, top, _, height = map(float, without.get("viewBox", "").split())
    assert top + height == float(with_title.get("viewBox", "").split()[3])
    assert (without.get("aria-label") or "").startswith("CER ↓")
    dots = ElementTree.fromstring(to_page(dot_plot("CER ↓", "%", [Dot("a", 0.1, None, 9)]), titled=False))
    assert dots.get("viewBox", "").split()[1] == "0"  # the head of its numbers stands in the same line
