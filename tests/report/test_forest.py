"""Forest plots: better is always on the right, every system keeps its colour, and slices are those of the run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from jatdae.core.contract import Metric, Sample
from jatdae.core.messages import choose_language, say
from jatdae.report.charts import ForestRow, forest
from jatdae.report.differences import ComparedSystem, side_colours
from jatdae.report.forest import Compared, blocks_of, differences_of, figures_of_comparison, forest_row, sides_of
from jatdae.report.svg import WIDTH, Node, cells_of, to_page
from jatdae.run.api import evaluate
from jatdae.run.stats.compare import Comparison, Difference, compare, together
from jatdae.run.stats.result import Result, narrowed

Plugin = Callable[..., Any]


def difference(better: Any, a: float, b: float, ci: tuple[float, float] | None = None, **given: Any) -> Difference:
    metric = Metric("m", better, 0.0, "%", primary=True)
    values = {"unpaired": 0, "p": None, "p_holm": None, "wins": 3, "ties": 2, "losses": 1, "regressions": (), **given}
    return Difference(metric, n=6, a=a, b=b, delta=b - a, ci=ci, **values)


def compared(plugin: Plugin, systems: int) -> tuple[list[ComparedSystem], list[Comparison]]:
    samples = [
        Sample(f"s{at}", "ab"[at % (n + 1) > 0] * (1 + n % 2), "a", {"종류": ["표", "글"][at % 2]}, f"m{n}")
        for at in range(24)
        for n in range(systems)
    ]
    result = evaluate(samples, plugin("shown:Shown"), slices=["종류"])
    names = [f"m{n}" for n in range(systems)]
    pairs = [compare(result, result, system_a="m0", system_b=b, names=("m0", b)) for b in names[1:]]
    return [ComparedSystem(name, result, name) for name in names], list(together(pairs))


def texts(root: Node) -> list[str]:
    return [node.text or "" for node in root.iter("text")]


@pytest.mark.parametrize(("better", "gain", "ends"), [("higher", -0.1, (-0.2, 0.05)), ("lower", 0.1, (-0.05, 0.2))])
def test_a_difference_is_turned_so_that_better_is_on_the_right(better: Any, gain: float, ends: Any) -> None:
    row = forest_row(Compared(1, "b", difference(better, 0.5, 0.4, (-0.2, 0.05), p=0.04)))
    assert (row.gain, row.interval) == (pytest.approx(gain), pytest.approx(ends))
    assert row.change == "-10.00 pp [-20.00, 5.00], p = .040"  # Δ keeps its sign
    assert row.facts == "3/2/1"


def test_a_corrected_p_is_shown_where_there_is_one_and_named_so(plugin: Plugin) -> None:
    row = forest_row(Compared(1, "b", difference("higher", 0.5, 0.4, (-0.2, 0.05), p=0.04, p_holm=0.12)))
    assert row.change.endswith("p = .120")
    sides, found = compared(plugin, 3)
    drawn = figures_of_comparison(sides, found)[0]
    assert any("p (Holm)" in text for text in texts(drawn.chart))


def test_dots_left_of_zero_are_worse_and_right_of_it_better() -> None:
    rows = [
        ForestRow("down", "pp", -0.1, (-0.2, -0.05), "", "", 1),
        ForestRow("none", "pp", None, None, "–", "0/0/0", 1),
        ForestRow("up", "pp", 0.2, (0.1, 0.3), "", "", 2),
        ForestRow("other", "", 3.0, None, "", "", 1),
    ]
    root = forest("A → B", ("← A better", "B better →"), ("Δ", "win/tie/loss"), rows)
    zero, *_ = [float(node.get("x1", 0)) for node in root.iter("line") if node.get("class") == "axis"]
    down, up, _ = [float(node.get("cx", 0)) for node in root.iter("circle")]
    assert down < zero < up
    assert [node.get("class") for node in root.iter("g")] == ["s1", "s2", "s1"]
    shown = texts(root)
    assert shown[:5] == ["A → B", "Δ", "win/tie/loss", "← A better", "B better →"]
    assert not [text for text in shown if text.startswith("-")]  # ticks are distances from zero
    assert shown.count("pp") == 1  # each unit has an axis of its own
    bottom = float((root.get("viewBox") or "").split()[3])
    assert max(float(node.get("y", 0)) for node in root.iter("text")) < bottom


def test_metrics_of_two_systems_are_rows_and_of_more_are_blocks(plugin: Plugin) -> None:
    two = compared(plugin, 2)
    (block,) = blocks_of(*two, family=True)
    assert [(each.row.metric.name, each.colour) for each in block.rows] == [
        ("same", 1),
        ("longer", 1),
    ]  # first the primary
    assert blocks_of(*two, family=False) == []
    blocks = blocks_of(*compared(plugin, 7), family=True)
    assert [block.metric for block in blocks] == ["same", "longer"]
    assert [[(each.colour, each.name) for each in block.rows] for block in blocks] == [
        [(at, f"m{at}") for at in range(1, 7)]
    ] * 2


def test_a_system_has_the_colour_of_its_own_run(plugin: Plugin) -> None:
    sides, _ = compared(plugin, 4)
    assert side_colours([sides[3], sides[1]]) == [3, 1]
    alone = [ComparedSystem(name, evaluate([Sample("s", "a", "a")], plugin("shown:Shown")), "") for name in "xyz"]
    assert side_colours(alone) == [0, 1, 2]  # each is the only one of its run
    assert side_colours([sides[1], alone[0], sides[1], sides[0]]) == [1, 0, 2, 3]
    (block,) = blocks_of([sides[2], sides[3]], compared(plugin, 2)[1], family=True)
    assert {each.colour for each in block.rows} == {3}


def test_heads_of_a_forest_plot_do_not_meet() -> None:
    """With the longest names that fit, in letters as wide as the widest font of a figure has on average."""
    comparison = Comparison("a" * 40, "b" * 40, "", (difference("higher", 0.1, 0.2),))
    for several in (1, 2):
        sides = sides_of([comparison] * several, say, most=22)
        root = forest(f"{'a' * 40} → {'b' * 40}", sides, ("Δ [95 %], p", say("win_tie_loss")), [])
        boxes: dict[str, list[tuple[float, float]]] = {}
        for node in root.iter("text"):
            wide, x = 6.6 * cells_of(node.text or ""), float(node.get("x", 0))
            boxes.setdefault(node.get("y", ""), []).append((x - wide, x) if node.get("text-anchor") else (x, x + wide))
        for line in boxes.values():
            assert min(left for left, _ in line) >= 0
            assert max(right for _, right in line) <= WIDTH
            assert all(right + 6 <= left for (_, right), (left, _) in pairwise(sorted(line)))


@pytest.mark.parametrize(
    ("systems", "files"),
    [
        (2, ["differences", "differences-%EC%A2%85%EB%A5%98-same", "differences-told-same", "differences-turn-same"]),
        (3, ["differences-same", "differences-longer", "differences-%EC%A2%85%EB%A5%98-same"]),
    ],
)
def test_a_comparison_has_figures_of_metrics_and_of_slices(plugin: Plugin, systems: int, files: list[str]) -> None:
    choose_language("ko")
    found = figures_of_comparison(*compared(plugin, systems))
    assert [figure.file.removesuffix(".svg") for figure in found if "-t" not in figure.file] == [
        file for file in files if "-t" not in file
    ]
    sliced = next(figure for figure in found if figure.key == "종류")
    assert texts(sliced.chart)[0] == "Δ same ↑ · 종류별"
    assert {"표", "글", "승/무/패"} <= set(texts(sliced.chart))


def test_hostile_names_stay_text(hostile: Result) -> None:
    first, second = hostile.systems
    made = compare(hostile, hostile, system_a=first, system_b=second, names=(first, second))
    sides: Sequence[ComparedSystem] = [ComparedSystem(name, hostile, name) for name in hostile.systems]
    for figure in figures_of_comparison(sides, [made]):
        assert "<img" not in to_page(figure.chart)


def test_a_run_has_figures_of_the_differences_to_its_first_system(plugin: Plugin) -> None:
    (side, *_), _ = compared(plugin, 2)
    assert [(each.section, each.key) for each in differences_of(side.result)] == [
        ("differences", ""),
        ("differences", "종류"),
    ]
    asked = replace(side.result, summary=narrowed(side.result.summary, ["longer"]))
    assert [each.metric for each in differences_of(asked)] == ["", "longer"]
    alone = evaluate([Sample("1", "a", "a")], plugin("shown:Shown"))
    assert differences_of(alone) == []
    large = {**side.result.summary, "input": {**side.result.summary["input"], "rows": 50_001}}
    assert differences_of(replace(side.result, summary=large)) == []
