"""The page in a real browser, offline: sorting, filtering, keys, addresses, languages, themes, access."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from jatdae.core.contract import Sample
from jatdae.report.comparison import to_comparison_page
from jatdae.report.differences import ComparedSystem
from jatdae.report.pages import IndexedRun, to_html, to_index
from jatdae.run.api import evaluate
from jatdae.run.stats.compare import compare
from jatdae.run.stats.result import Result

from .conftest import Opened


def test_an_index_opens_every_report(many: Result, opened: Callable[..., Opened], tmp_path: Path) -> None:
    (tmp_path / "a b").mkdir()
    (tmp_path / "a b" / "report.html").write_text(to_html(many))
    shown = opened(
        to_index([IndexedRun(title, "a%20b/report.html", many, []) for title in ("one", "two")]), name="index"
    )
    assert shown.findings() == []
    assert shown.page.locator("#contents a").all_inner_texts() == ["one", "two"]
    assert shown.page.locator(".verdict:visible").count() == shown.page.locator(".picture circle").count() == 2
    shown.page.locator("summary", has_text="All numbers").nth(1).click()
    shown.page.locator("thead .term:visible", has_text="micro").click()
    assert "long samples count more" in shown.page.inner_text("#about")
    index = shown.page.url
    shown.page.locator(".worst a").first.click()
    shown.page.wait_for_selector("#detail[open]")
    shown.page.goto(index)
    shown.page.locator("a.open").first.click()
    shown.page.wait_for_selector("#rows tbody a")
    assert shown.page.inner_text("#shown") == "40 of 40"


@pytest.fixture
def many(plugin: Callable[..., Any]) -> Result:
    samples = [Sample(f"s{at:02}", str(at) * (at % 5), "1", {"part": "ab"[at % 2]}) for at in range(40)]
    return evaluate(samples, plugin("shown:Shown"), slices=["part"])


def test_hostile_texts_are_inert_everywhere(hostile: Result, opened: Callable[..., Opened]) -> None:
    shown = opened(to_html(hostile))
    assert shown.ids()[0].startswith("</script><img")
    for _ in range(12):
        shown.page.keyboard.press("j")
        shown.page.keyboard.press("Enter")
        assert shown.page.locator("#detail").is_visible()
        for _ in range(3):  # what unfolds holds what unfolds
            shown.page.evaluate("document.querySelectorAll('#detail details').forEach((each) => { each.open = true; })")
        assert shown.page.locator("#detail .tree .leaf").count() > 2
        shown.page.keyboard.press("Escape")
    shown.page.click("#language")
    assert shown.page.evaluate("window.hacked") is None
    assert shown.page.locator("img, iframe, object, embed, form").count() == 0


def test_samples_are_sorted_by_any_column(many: Result, opened: Callable[..., Opened]) -> None:
    shown = opened(to_html(many))
    header = shown.page.locator("#rows thead th", has_text="longer")
    header.locator("button").click()
    values = [
        float(row) for row in shown.page.locator("#rows tbody tr:not([hidden]) td:nth-child(3)").all_inner_texts()
    ]
    assert values == sorted(values, reverse=True)
    assert header.get_attribute("aria-sort") == "descending"
    header.locator("button").click()
    assert header.get_attribute("aria-sort") == "ascending"
    shown.page.locator("#rows thead button", has_text="id").click()
    assert shown.ids()[:3] == ["s00", "s01", "s02"]


def test_samples_are_filtered_by_text_issue_and_slice(many: Result, opened: Callable[..., Opened]) -> None:
    shown = opened(to_html(many))
    shown.page.fill("#filter-text", "S07")
    assert shown.ids() == ["s07"]
    shown.page.fill("#filter-text", "no such sample")
    assert shown.page.locator("#rows").inner_text().endswith("No samples match the filters.")
    shown.page.fill("#filter-text", "")
    shown.page.select_option("#filter-labels select", label="b")
    assert shown.page.inner_text("#shown") == "20 of 40"
    shown.page.select_option("#filter-labels select", label="any")
    shown.page.click("button[data-issue=told]")
    assert shown.page.input_value("#filter-issue") == "0"
    assert shown.page.inner_text("#shown") != "40 of 40"


def test_samples_are_walked_by_keyboard_and_have_addresses(many: Result, opened: Callable[..., Opened]) -> None:
    shown = opened(to_html(many))
    order = shown.ids()
    for key in ("j", "j", "j", "k", "Enter"):
        shown.page.keyboard.press(key)
    assert shown.page.inner_text("#detail-title") == order[1]
    assert shown.page.evaluate("location.hash") == f"#sample={order[1]}"
    shown.page.keyboard.press("j")
    assert shown.page.inner_text("#detail-title") == order[2]
    shown.page.keyboard.press("Escape")
    assert not shown.page.locator("#detail").is_visible()
    assert shown.page.evaluate("location.hash") == ""
    assert shown.page.locator("#rows tr[aria-current] th").inner_text() == order[2]


def test_back_closes_a_sample_and_never_opens_one_that_was_closed(many: Result, opened: Callable[..., Opened]) -> None:
    shown = opened(to_html(many))
    page, detail = shown.page, shown.page.locator("#detail")
    steps = page.evaluate("history.length")
    page.locator("#rows tbody a").nth(3).click()
    for _ in range(3):
        page.keyboard.press("j")
    page.go_back()
    detail.wait_for(state="hidden")
    assert page.evaluate("location.hash") == ""
    for _ in range(3):  # as often as one likes: what was opened and closed leaves nothing behind
        page.locator("#rows tbody a").first.click()
        page.keyboard.press("Escape")
        page.keyboard.press("Enter")
        detail.wait_for()
        page.click("#close")
        page.wait_for_function("!history.state")
    assert page.evaluate("history.length") == steps + 1
    assert not detail.is_visible()


def test_a_sample_opened_by_its_address_is_closed_where_it_stands(many: Result, opened: Callable[..., Opened]) -> None:
    shown = opened(to_html(many), at="#sample=s33")
    steps = shown.page.evaluate("history.length")
    shown.page.keyboard.press("j")
    shown.page.keyboard.press("Escape")
    assert not shown.page.locator("#detail").is_visible()
    assert shown.page.evaluate("[location.hash, history.length]") == ["", steps]


def test_a_sample_is_opened_by_its_address(many: Result, opened: Callable[..., Opened]) -> None:
    shown = opened(to_html(many), at="#sample=s33")
    assert shown.page.inner_text("#detail-title") == "s33"
    assert opened(to_html(many), at="#sample=%E0%A4%A").page.locator("#detail").is_visible() is False


def test_an_address_without_a_sample_says_so(many: Result, opened: Callable[..., Opened]) -> None:
    shown = opened(to_html(many), at="#sample=nosuch")
    told = shown.page.locator("[role=status]", has_text="This page has no sample nosuch.")
    told.wait_for()
    shown.page.evaluate("location.hash = '#sample=s33'")
    shown.page.locator("#detail").wait_for()
    told.wait_for(state="hidden")


def test_an_id_that_looks_like_an_address_has_its_own(
    plugin: Callable[..., Any], opened: Callable[..., Opened]
) -> None:
    ids = ["a&system=b", "100%", "", "a/b#c?d", "한국어 e\u0301"]
    samples = [Sample(name, "x", "y", system=system) for name in ids for system in ("b", "c&d")]
    shown = opened(to_html(evaluate(samples, plugin("shown:Shown"))))
    for at in range(len(samples)):
        shown.page.locator("#rows tbody a").nth(at).click()
        title = shown.page.inner_text("#detail-title")
        assert title == (ids[at // 2] or "(empty)")
        shown.page.keyboard.press("Escape")


def test_language_and_theme_are_switched(
    many: Result, opened: Callable[..., Opened], keep: Callable[..., None]
) -> None:
    shown = opened(to_html(many))
    shown.page.click("#language")
    assert shown.page.inner_text("#headline") == "요약"
    assert shown.page.get_attribute("html", "lang") == "ko"
    assert "40건 중 40건" in shown.page.inner_text("#shown")
    before = shown.page.evaluate("getComputedStyle(document.body).backgroundColor")
    shown.page.click("#theme")
    assert shown.page.evaluate("getComputedStyle(document.body).backgroundColor") != before
    assert shown.serious() == []
    keep(shown, "dark-ko-1600")
    shown.page.click("#language")
    assert shown.page.inner_text("#headline") == "Summary"


def test_the_signature_is_copied(many: Result, opened: Callable[..., Opened]) -> None:
    shown = opened(to_html(many))
    shown.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    shown.page.click("[data-copy=signature]")
    shown.page.locator("[data-copy=signature]", has_text="Copied").wait_for()
    assert shown.page.evaluate("navigator.clipboard.readText()") == shown.page.inner_text("#signature")


def test_the_metric_of_a_slice_is_chosen(many: Result, opened: Callable[..., Opened]) -> None:
    shown = opened(to_html(many))
    section = shown.page.locator(".slices").first
    section.locator("select").select_option("longer")
    assert section.locator(".choice:visible").get_attribute("data-metric") == "longer"


def test_fifty_thousand_samples_stay_usable(plugin: Callable[..., Any], opened: Callable[..., Opened]) -> None:
    one = evaluate([Sample(f"s{at}", "x" * (at % 7), "x") for at in range(500)], plugin("marks:Marks"))
    tables = [
        table.set_column(0, "id", pa.array([f"{copy}.{name}" for name in table.column("id").to_pylist()]))
        for copy in range(100)
        for table in one.tables
    ]
    shown = opened(to_html(replace(one, tables=tables), samples=10))
    assert shown.page.inner_text("#shown") == "50,000 of 50,000"
    assert shown.page.locator("#rows tbody tr").count() < 200
    shown.page.evaluate("document.getElementById('rows').scrollTop = 1e9")
    shown.page.wait_for_selector('#rows tr[aria-rowindex="50001"]')
    shown.page.fill("#filter-text", "99.s499")
    assert shown.ids() == ["99.s499"]


def test_a_comparison_opens_both_sides(
    plugin: Callable[..., Any], opened: Callable[..., Opened], keep: Callable[..., None]
) -> None:
    def scored(shift: int) -> Result:
        return evaluate([Sample(f"s{at}", str((at + shift) % 3), "0") for at in range(12)], plugin("shown:Shown"))

    results = [scored(0), scored(1)]
    sides = [ComparedSystem(name, result, "") for name, result in zip(("old", "new"), results, strict=True)]
    shown = opened(to_comparison_page(sides, [compare(*results, names=("old", "new"))]))
    keep(shown, "comparison-1600")
    assert shown.serious() == []
    shown.page.locator("#rows tbody a").first.click()
    assert shown.page.locator("#detail .panel h3").all_inner_texts()[:1] == ["old"]
    assert shown.page.locator("#detail .panel").count() == 2
    values = shown.page.locator("#detail .panel .measures li:first-child b").all_inner_texts()
    assert values == ["100.00 %", "0.00 %"]


def test_a_sample_of_many_systems_says_whose_it_is(plugin: Callable[..., Any], opened: Callable[..., Opened]) -> None:
    samples = [Sample("s", "x", "y", system=system) for system in ("one", "two", "three")]
    shown = opened(to_html(evaluate(samples, plugin("shown:Shown"))), at="#sample=s&system=two")
    assert shown.page.locator("#detail .panel h3").first.inner_text() == "two"
    shown.page.locator("#detail button", has_text="three").click()
    assert shown.page.locator("#detail .panel h3").first.inner_text() == "three"


def test_the_page_prints_without_controls(many: Result, opened: Callable[..., Opened]) -> None:
    shown = opened(to_html(many))
    shown.page.emulate_media(media="print")
    assert not shown.page.locator("#theme").is_visible()
    assert not shown.page.locator("#filter-text").is_visible()
    assert shown.page.locator("#headline").is_visible()


def test_a_page_without_samples_opens_without_complaint(many: Result, opened: Callable[..., Opened]) -> None:
    nothing = {**many.summary, "systems": {}, "baselines": {}}
    shown = opened(to_html(Result(many.signature, nothing, [])))
    assert shown.page.get_by_text("No samples were scored.").count() == 1
    shown.page.click("#language")
    assert shown.page.get_by_text("채점한 샘플이 없습니다.").count() == 1
    assert shown.serious() == []


def test_a_name_that_turns_the_direction_turns_nothing_else(
    plugin: Callable[..., Any], opened: Callable[..., Opened]
) -> None:
    result = evaluate([Sample("1", text, "a", {}, f"\u202e{text}") for text in "ab"], plugin("shown:Shown"))
    sides = [ComparedSystem(name, result, name) for name in result.systems]
    first, second = result.systems
    compared = compare(result, result, system_a=first, system_b=second, names=(first, second))
    for html in (to_html(result), to_comparison_page(sides, [compared])):
        verdict = opened(html).page.locator(".verdict:visible").text_content()
        assert verdict.count("\u2068\u202e") == verdict.count("\u202e") > 0


def test_very_long_names_are_cut_on_the_first_screen_and_widen_nothing(
    plugin: Callable[..., Any], opened: Callable[..., Opened]
) -> None:
    names = [f"{'x' * 300}-{at}" for at in range(7)]
    samples = [
        Sample(f"{'i' * 300}{at}", "ab"[at % 2], "a", {"k" * 300: "v"}, name) for at in range(6) for name in names
    ]
    html = to_html(evaluate(samples, plugin("shown:Shown"), slices=["k" * 300]))
    for width in (400, 1280):
        shown = opened(html, width=width, height=900)
        assert shown.page.evaluate("document.documentElement.scrollWidth") <= width
        if width == 1280:
            box = shown.page.locator(".picture tbody tr").last.bounding_box()
            assert box["y"] + box["height"] <= 900
        shown.page.locator(".worst a").first.click()
        assert shown.page.evaluate("(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(detail)")


def test_many_systems_with_long_names_stay_readable(plugin: Callable[..., Any], opened: Callable[..., Opened]) -> None:
    """No header is wider than its column of numbers needs, and the metric stays in view when the rest is scrolled.

    On a narrow screen there are no headers: each number has its system beside it.
    """
    names = [f"a-parser-with-a-very-long-name-and-version-2026.11.{at:02}" for at in range(12)]
    samples = [Sample(f"{at}", "ab"[at % 2], "a", {}, name) for at in range(4) for name in names]
    html = to_html(evaluate(samples, plugin("shown:Shown")))
    for width in (400, 1600):
        shown = opened(html, width=width)
        headers = shown.page.locator("section table.numbers").first.locator("thead th:visible")
        assert max((header.bounding_box()["width"] for header in headers.all()), default=0) < 260
        assert headers.count() == (13 if width == 1600 else 0)
        region = shown.page.locator(".wide").first
        region.evaluate("each => { each.scrollLeft = each.scrollWidth; }")
        first = region.locator("tbody th").first.bounding_box()
        assert first["x"] >= region.bounding_box()["x"] - 1
        assert shown.page.evaluate("document.documentElement.scrollWidth") <= width
