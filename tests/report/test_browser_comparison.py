"""The comparison page as a reader sees it: verdict first, better on the right, A left and B right in their colours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jatdae.core.contract import Sample
from jatdae.core.messages import choose_language
from jatdae.report.comparison import to_comparison_page
from jatdae.report.differences import ComparedSystem
from jatdae.run.api import evaluate
from jatdae.run.stats.compare import compare, together
from jatdae.run.stats.result import Result

from .conftest import HOSTILE, Opened

Plugin = Callable[..., Any]
Open = Callable[..., Opened]


def page_of(result: Result, **given: Any) -> str:
    first, *others = result.systems
    made = [compare(result, result, system_a=first, system_b=b, names=(first, b), **given) for b in others]
    return to_comparison_page([ComparedSystem(name, result, name) for name in result.systems], together(made))


def scored(plugin: Plugin, systems: int, samples: int = 24) -> Result:
    """System mN is wrong on every sample that N + 2 divides, and too long by N where it is wrong."""
    made = [
        Sample(f"s{at:02}", "a" if at % (n + 2) else "b" + "x" * n, "a", {"kind": "표" if at % 3 else ""}, f"m{n}")
        for at in range(samples)
        for n in range(systems)
    ]
    return evaluate(made, plugin("shown:Shown"), slices=["kind"])


def test_the_first_screen_holds_verdict_forest_and_worst_regressions(plugin: Plugin, opened: Open) -> None:
    shown = opened(page_of(scored(plugin, 2)), width=1280)
    shown.page.set_viewport_size({"width": 1280, "height": 900})
    assert shown.page.inner_text(".verdict:visible").startswith(
        "No difference in same is shown between m0 and m1: m1 − m0 = +16.67\u00a0pp ["
    )
    for part in (".verdict:visible", ".forest >> nth=0", ".worst li >> nth=-1"):
        box = shown.page.locator(part).bounding_box()
        assert box["y"] + box["height"] <= 900, part
    assert shown.page.locator(".forest").first.locator("tbody th").all_inner_texts()[0].startswith("same")


def test_better_is_on_the_right_whatever_the_direction_of_a_metric(plugin: Plugin, opened: Open) -> None:
    """m1 is right more often (same ↑) and, where it is wrong, longer (longer ↓)."""
    shown = opened(page_of(scored(plugin, 2)))
    table = shown.page.locator(".forest").first
    assert table.locator(".directions > span").all_inner_texts() == ["← m0 better", "m1 better →"]
    left, right = (each.bounding_box()["x"] for each in table.locator(".directions > span").all())
    assert left < right
    for row, delta in zip(table.locator("tr:has(circle)").all(), ("+", "+"), strict=True):
        zero = row.locator(".axis").bounding_box()["x"]
        dot = row.locator("circle").bounding_box()["x"] + 5
        told = row.locator(".delta")
        assert told.inner_text().startswith(delta)
        assert (dot > zero) == ("better" in (told.get_attribute("class") or ""))


def test_a_regression_opens_both_samples_on_their_sides_and_in_their_colours(plugin: Plugin, opened: Open) -> None:
    shown = opened(page_of(scored(plugin, 2)))
    link = shown.page.locator(".worst a").first
    sample = link.inner_text()
    link.click()
    assert shown.page.inner_text("#detail-title") == sample
    for _ in range(6):  # also where the reader goes from one to the next
        assert shown.page.locator("#detail .panel h3.system").all_inner_texts() == ["m0", "m1"]
        keys = shown.page.locator("#detail .panel h3.system .key")
        assert [each.get_attribute("class") for each in keys.all()] == ["key s0", "key s1"]
        places = [each.bounding_box()["x"] for each in shown.page.locator("#detail .panel").all()]
        assert places == sorted(places)
        shown.page.keyboard.press("j")


def test_next_goes_to_the_next_sample_not_to_the_other_side(plugin: Plugin, opened: Open) -> None:
    shown = opened(page_of(scored(plugin, 3)))
    shown.page.locator(".worst a").first.click()
    seen = []
    for _ in range(4):
        seen.append(shown.page.inner_text("#detail-title"))
        shown.page.keyboard.press("j")
    assert len(set(seen)) == 4
    shown.page.keyboard.press("k")
    assert shown.page.inner_text("#detail-title") == seen[-1]


def test_improvements_are_folded_and_open_both_samples_too(plugin: Plugin, opened: Open) -> None:
    shown = opened(page_of(scored(plugin, 2)))
    folded = shown.page.locator("details", has_text="Largest improvements")
    assert not folded.locator("table").is_visible()
    folded.locator("summary").click()
    folded.locator("a").first.click()
    assert shown.page.locator("#detail .panel").count() == 2
    values = shown.page.locator("#detail .panel .measures li:first-child b").all_inner_texts()
    assert values == ["0.00 %", "100.00 %"]


def test_slices_of_the_primary_metric_are_there_without_p(plugin: Plugin, opened: Open) -> None:
    shown = opened(page_of(scored(plugin, 2)))
    section = shown.page.locator("section", has=shown.page.locator("h2", has_text="By kind"))
    assert section.locator("tbody th").all_inner_texts() == ["(none)", "표"]
    assert "p" not in section.locator("thead th").all_inner_texts()
    assert section.locator("circle").count() == 2


@pytest.mark.parametrize("width", [400, 1280])
def test_seven_systems_are_readable(plugin: Plugin, opened: Open, width: int) -> None:
    shown = opened(page_of(scored(plugin, 7)), width=width)
    assert shown.page.evaluate("document.documentElement.scrollWidth") <= width
    first = shown.page.locator(".forest").first
    assert first.locator("tbody th").all_inner_texts() == [f"m{at}" for at in range(1, 7)]
    colours = first.locator("tr:has(circle) g").all()
    assert [each.get_attribute("class") for each in colours] == [f"s{at}" for at in range(1, 7)]
    assert first.locator(".directions > span").all_inner_texts() == ["← worse than m0", "better than m0 →"]
    assert shown.serious() == []
    shown.page.locator(".worst a").first.click()
    assert shown.page.locator("#detail .panel h3.system").all_inner_texts()[0] == "m0"
    assert shown.serious() == []


def test_the_page_can_be_read_in_either_language(plugin: Plugin, opened: Open) -> None:
    choose_language("ko")
    shown = opened(page_of(scored(plugin, 2)))
    assert shown.page.inner_text(".verdict:visible").startswith("m0 대 m1: same 차이가 확인되지 않습니다")
    assert shown.page.locator(".directions").first.inner_text().split("\n") == ["← m0 우세", "m1 우세 →"]
    shown.page.click("#language")
    assert shown.page.inner_text(".verdict:visible").startswith("No difference in same is shown between m0 and m1")
    assert shown.page.locator(".directions").first.inner_text().split("\n") == ["← m0 better", "m1 better →"]
    assert shown.serious() == []


def test_secondary_metrics_are_folded(opened: Open) -> None:
    samples = [
        Sample(f"{at}", "a quick fox"[: 11 - at % (n + 3)], "a quick fox", system=f"m{n}")
        for at in range(24)
        for n in range(2)
    ]
    shown = opened(page_of(evaluate(samples, "text"), metrics=["all"]))
    assert shown.page.locator(".forest").first.locator("tr:has(circle)").count() == 3
    folded = shown.page.locator("details.more").first
    assert not folded.locator("table").is_visible()
    folded.locator("summary").click()
    assert folded.locator("tbody tr:has(th)").count() == 7


def test_hostile_texts_are_inert_on_a_comparison_page(plugin: Plugin, opened: Open) -> None:
    samples = [
        Sample(
            f"{HOSTILE}{at}",
            f"{HOSTILE}{(at + n) % 2}",
            f"{HOSTILE}0",
            {HOSTILE: f"{HOSTILE}{at % 3}"},
            f"{HOSTILE}{n}",
        )
        for at in range(6)
        for n in range(2)
    ]
    shown = opened(page_of(evaluate(samples, plugin("shown:Shown"), slices=[HOSTILE])))
    shown.page.locator(".worst a").first.click()
    assert shown.page.locator("#detail .panel").count() == 2
    assert shown.page.evaluate("window.hacked") is None
    assert shown.page.locator("img").count() == 0


def test_keys_of_rates_are_called_by_their_words_in_the_language_of_the_page(opened: Open) -> None:
    said = {"a": "舌红，苔薄白", "b": "舌淡，苔薄黄"}
    rows = [{"id": "1", "system": name, "prediction": text, "reference": said["a"]} for name, text in said.items()]
    page = opened(page_of(evaluate(rows, "terms"))).page
    table = page.locator(".forest").nth(1)
    assert table.locator("thead th").first.inner_text() == "atom"
    assert "红 (red) · colour of the tongue body" in table.locator("tbody th").all_inner_texts()
    page.click("#language")
    assert table.locator("thead th").first.inner_text() == "용어"
    assert "红 (홍) · 설질 색" in table.locator("tbody th").all_inner_texts()


def test_nothing_keeps_people_out_where_several_forests_are_of_one_rate(opened: Open) -> None:
    """Accuracy of fields by name and by depth."""
    rows = [
        {"id": "1", "system": name, "prediction": {"a": value, "b": {"c": value}}, "reference": {"a": 1, "b": {"c": 1}}}
        for name, value in (("a", 1), ("b", 2))
    ]
    shown = opened(page_of(evaluate(rows, "structured")))
    assert shown.page.locator(".forest").count() == 3
    assert shown.findings() == []


def test_what_slices_are_of_is_said_in_the_language_of_the_page(opened: Open) -> None:
    asked = [{"type": "present", "text": "Kim"}, {"type": "absent", "text": "Page 1"}]
    rows = [{"id": "1", "system": name, "prediction": "Lee, Page 1", "reference": asked} for name in ("a", "b")]
    page = opened(page_of(evaluate(rows, "checks"))).page
    head = page.locator(".forest").last.locator("thead th").first
    assert head.inner_text() == "type"
    page.click("#language")
    assert head.inner_text() == "유형"


def test_the_reference_stands_left_of_each_prediction_and_is_as_wide(opened: Open) -> None:
    samples = [
        Sample(f"{at}", "a quick brown fox " * 9 + "x" * n * (at % 3), "a quick brown fox " * 9, system=f"m{n}")
        for at in range(24)
        for n in range(2)
    ]
    shown = opened(page_of(evaluate(samples, "text")))
    shown.page.locator(".worst a").first.click()
    sides = shown.page.locator("#detail .panel .side-title:visible")
    assert sides.all_inner_texts()[:4] == ["Reference", "Prediction"] * 2
    boxes = [each.bounding_box() for each in sides.all()[:4]]
    places = [box["x"] for box in boxes]
    assert places == sorted(places)
    assert max(box["width"] for box in boxes) - min(box["width"] for box in boxes) < 2
