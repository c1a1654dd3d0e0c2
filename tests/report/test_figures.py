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
from jatdae.report.figures import figures_of, write_figures
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


def test_figures_are_pictures_too_where_cairosvg_is_there(
    plugin: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = figures_of(evaluate([Sample("1", "a", "a")], plugin("shown:Shown")))
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "cairosvg", None)
        assert {path.suffix for path in write_figures(found, tmp_path / "without")} == {".svg"}
    pytest.importorskip("cairosvg", reason="PNG needs the extra `figures`")
    written = write_figures(found, tmp_path / "with")
    pictures = [path for path in written if path.suffix == ".png"]
    assert len(pictures) * 2 == len(written)
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in pictures)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(DataError, match="taken: cannot be written"):
        write_figures([], tmp_path / "taken")
