"""The charts of a run: the right ones, and as files that stand alone."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from jatdae.core.contract import Sample
from jatdae.core.errors import DataError
from jatdae.core.messages import choose_language
from jatdae.report.charts import BarRow, bars
from jatdae.report.figures import figures_of, mean_figures, mistake_figures, write_figures
from jatdae.report.svg import Node
from jatdae.run.api import evaluate
from jatdae.run.stats.result import Result


def texts(root: Node) -> list[str]:
    return [node.text or "" for node in root.iter("text")]


def test_what_a_chart_has_no_room_for_is_counted(plugin: Callable[..., Any]) -> None:
    samples = [
        Sample(f"{at}", "a", "a", {"page": f"p{at % 70}"}, f"m{system}") for at in range(70) for system in range(10)
    ]
    found = figures_of(evaluate(samples, plugin("shown:Shown"), slices=["page"]))
    left = {(figure.section, figure.key): figure.left_out for figure in found if figure.metric == "same"}
    assert left["distribution", ""] == 2
    assert left["slices", "page"] == 64


def test_a_chart_says_its_unit(plugin: Callable[..., Any]) -> None:
    found = figures_of(evaluate([Sample("1", "a", "b"), Sample("2", "a", "a")], "text"))
    chart = next(figure.chart for figure in found if (figure.section, figure.metric) == ("distribution", "cer"))
    assert texts(chart)[0] == "cer ↓ (%)"


def test_a_run_has_the_charts_its_data_call_for(plugin: Callable[..., Any]) -> None:
    samples = [
        Sample(f"{at}", "ab"[at % 2] * n, "a", {"kind": "xy"[at % 2]}, f"m{n}") for at in range(8) for n in (1, 2)
    ]
    found = figures_of(evaluate(samples, plugin("shown:Shown"), slices=["kind"]))
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
    found = figures_of(evaluate(samples, plugin("shown:Shown"), slices=["kind"]))
    sliced = [(figure.key, figure.metric) for figure in found if figure.section == "slices"]
    assert sliced == [("kind", "same"), ("told", "same"), ("turn", "same")]


def test_figures_are_files_that_stand_alone(hostile: Result, tmp_path: Path) -> None:
    written = write_figures(figures_of(hostile), tmp_path / "new" / "figures")
    assert sorted(written) == sorted((tmp_path / "new" / "figures").iterdir())
    assert sorted(path.parent.name for path in written) == ["figures"] * len(written)
    for path in (path for path in written if path.suffix == ".svg"):
        root = ElementTree.fromstring(path.read_text("utf-8"))
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert root[0].tag.endswith("style")
        assert {node.tag.rpartition("}")[2] for node in root.iter()}.isdisjoint({"script", "img", "image", "a"})


def test_a_folder_that_cannot_be_one_names_the_flag(hostile: Result, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="Choose another folder with --figures"):
        write_figures(figures_of(hostile), tmp_path / "file")


def test_long_labels_in_capitals_end_inside_the_chart() -> None:
    drawn = bars("x", ["A"], [BarRow("CSP_REQ_002 " + "ALARMING SYMPTOMS WITHOUT A WORD ON MEDICAL CARE", [1])])
    (label,) = [node.text or "" for node in drawn.iter("text") if (node.text or "").startswith("CSP")]
    assert label.endswith("…")
    assert len(label) < 50


def test_a_figure_is_also_pdf_and_png_under_the_same_name(
    plugin: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = evaluate([Sample("1", "a", "a", {"v1.2": kind}) for kind in "x"], plugin("shown:Shown"))
    (figure,) = mean_figures(result.summary)
    assert [path.name for path in write_figures([figure], tmp_path / "with")] == [
        "means.svg",
        "means.pdf",
        "means.png",
    ]
    monkeypatch.setitem(sys.modules, "typst", None)
    assert [path.name for path in write_figures([figure], tmp_path / "without")] == ["means.svg"]


def test_the_means_of_several_systems_have_a_panel_for_each_metric(plugin: Callable[..., Any]) -> None:
    samples = [Sample(f"{at}", "ab"[at % n], "a", system=f"m{n}") for at in range(8) for n in (1, 2)]
    summary = evaluate(samples, plugin("shown:Shown")).summary
    (figure,) = mean_figures(summary)
    assert texts(figure.chart)[0] == "Means with 95 % intervals"
    assert [text for text in texts(figure.chart) if text in ("same ↑ (%)", "longer ↓", "m1", "m2")] == [
        "same ↑ (%)", "m1", "m2", "longer ↓", "m1", "m2",
    ]  # fmt: skip
    assert [node.get("class") for node in figure.chart.iter("g")] == ["s0", "s1", "s0", "s1"]


def test_the_means_of_one_system_share_the_axis_of_their_unit(plugin: Callable[..., Any]) -> None:
    summary = evaluate([Sample("1", "a", "b"), Sample("2", "a", "a")], plugin("shown:Shown")).summary
    (figure,) = mean_figures(summary)
    assert [text for text in texts(figure.chart) if text[0].isalpha() or text == "%"][1:] == [
        "n", "%", "same ↑", "longer ↓",
    ]  # fmt: skip
    assert len(list(figure.chart.iter("circle"))) == 2


def test_what_goes_wrong_is_ranked_by_system_in_the_words_of_the_reader() -> None:
    samples = [Sample("1", "kat", "cat", system="a"), Sample("1", "kut", "cat", system="b")]
    choose_language("ko")
    found = {figure.metric: figure for figure in mistake_figures(evaluate(samples, "text").summary)}
    figure = found["confusions"]
    assert figure.file == "mistakes-confusions.svg"
    assert texts(figure.chart)[0] == "무엇이 틀렸나: 잘못 읽음"
    titles = [node.findtext("title") for node in figure.chart.iter("rect")]
    assert titles == ["c→k: a 1", "c→k: b 1", "a→u: a 0", "a→u: b 1"]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(DataError, match="taken: cannot be written"):
        write_figures([], tmp_path / "taken")
