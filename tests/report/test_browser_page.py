"""The report page as a person first sees it: verdict, picture and worst samples, then what goes wrong, then numbers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from jatdae.core.contract import Sample
from jatdae.report.numbers_only import without_texts
from jatdae.report.pages import to_html
from jatdae.run.api import evaluate
from jatdae.run.gates import read_gates
from jatdae.run.stats.result import Result
from jatdae.tables import TableEvaluator
from jatdae.text import TextEvaluator

from .conftest import Opened
from .test_browser_evidence import EVALUATORS, run_of

SEVEN = (
    "gpt-ocr-2026-mini-preview",
    "a-document-reader-with-vision-v4.5",
    "한국어-문서-인식기-대형",
    "b",
    "c",
    "d",
    "e",
)


@pytest.fixture
def letters(plugin: Callable[..., Any]) -> Result:
    """Two systems that make mistakes of 12 kinds."""
    rows = [("s0", "aab", 0.1), ("s1", "bcdefghijkl", 0.2), ("s2", "Q", 1.0), ("s3", "ab", 0.5)]
    samples = [
        Sample(name, text * (1 + at), str(value), system=system)
        for at, system in enumerate(("one", "two"))
        for name, text, value in rows
    ]
    return evaluate(samples, plugin("letters:Letters"))


def inside(shown: Opened, selector: str) -> bool:
    """Whether the whole of something is in view without scrolling."""
    box, size = shown.page.locator(selector).first.bounding_box(), shown.page.viewport_size
    return bool(box) and box["y"] >= 0 and box["y"] + box["height"] <= size["height"]


@pytest.mark.parametrize("name", EVALUATORS)
def test_the_first_screen_has_verdict_picture_and_worst_samples(
    name: str, opened: Callable[..., Opened], keep: Callable[[Opened, str], None]
) -> None:
    shown = opened(to_html(run_of(name)), width=1280, height=900, name=name)
    keep(shown, f"{name}-first-open-1280")
    page = shown.page
    for part in (".verdict:not([hidden])", ".picture tbody tr:last-child circle", ".worst li:last-child a"):
        assert inside(shown, part), part
    assert page.locator(".picture tr:not(.baseline) th[scope=row]").all_inner_texts() == systems_of(page)
    assert page.locator(".verdict:visible").inner_text()
    page.locator(".worst a").first.click()
    assert page.locator("#detail").is_visible()
    assert page.locator("#detail .evidence").count() > 0
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.closest('.worst') !== null")


def systems_of(page: Any) -> list[str]:
    return list(page.evaluate("JSON.parse(document.getElementById('data').textContent).systems"))


@pytest.mark.parametrize("name", EVALUATORS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_keeps_people_out(name: str, scheme: str, opened: Callable[..., Opened]) -> None:
    shown = opened(to_html(run_of(name)), width=1280, name=name, color_scheme=scheme)
    shown.page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    shown.page.locator(".term").first.click()
    assert shown.findings() == []


def test_the_verdict_is_said_in_the_chosen_language(letters: Result, opened: Callable[..., Opened]) -> None:
    shown = opened(to_html(letters))
    assert "have the same good on all samples" in shown.page.locator(".verdict:visible").inner_text()
    shown.page.click("#language")
    assert "good 값은 모든 샘플에서 같습니다" in shown.page.locator(".verdict:visible").inner_text()
    assert shown.page.locator(".verdict:visible").count() == 1


def test_seven_systems_are_readable(plugin: Callable[..., Any], opened: Callable[..., Opened]) -> None:
    samples = [
        Sample(f"{at}", "ab"[at % 3 == 0] * (1 + number), f"{(at + number) / 40}", system=name)
        for number, name in enumerate(SEVEN)
        for at in range(24)
    ]
    html = to_html(evaluate(samples, plugin("letters:Letters")))
    for width, height in ((1280, 900), (400, 800)):
        shown = opened(html, width=width, height=height)
        names = shown.page.locator(".picture tbody th")
        assert names.all_inner_texts() == list(SEVEN)  # in full
        assert all(name.evaluate("each => each.scrollWidth <= each.clientWidth") for name in names.all())
        boxes = [row.bounding_box() for row in shown.page.locator(".picture tbody tr").all()]
        assert all(low["y"] + 1 >= high["y"] + high["height"] for high, low in pairwise(boxes))
        assert (
            len({key.evaluate("e => getComputedStyle(e).stroke") for key in shown.page.locator(".strip g").all()}) == 7
        )
        assert shown.page.evaluate("document.documentElement.scrollWidth") <= width
        assert shown.findings() == []
    shown = opened(html, width=1280, height=900)
    assert inside(shown, ".worst li:last-child a")
    assert inside(shown, ".picture tbody tr:last-child")
    table = shown.page.locator(".bars").first
    assert table.evaluate("each => each.scrollWidth <= each.parentElement.clientWidth + 1")


def test_names_of_one_long_word_stand_each_over_its_own_column(
    plugin: Callable[..., Any], opened: Callable[..., Opened]
) -> None:
    names = [f"runs/odl.dataloader{at}.jsonl" for at in range(6)] + ["아주긴한국어문서인식기이름대형모델삼점오"]
    samples = [Sample(f"s{at}", "ab" * at, str(at / 9), system=name) for name in names for at in range(9)]
    page = opened(to_html(evaluate(samples, plugin("letters:Letters"))), width=1280).page
    for kind in (".bars", ".numbers"):
        table = page.locator(kind).first
        assert table.locator("thead .whose").all_inner_texts() == names
        boxes = [each.bounding_box() for each in table.locator("thead bdi").all()]
        assert all(left["x"] + left["width"] < right["x"] for left, right in pairwise(boxes)), kind
        assert table.evaluate("each => each.scrollWidth <= each.parentElement.clientWidth + 1"), kind


def test_a_run_without_values_says_so_instead_of_praising_it(opened: Callable[..., Opened]) -> None:
    result = evaluate([Sample("s", "hi", "")], TextEvaluator())
    page = opened(to_html(result)).page
    assert page.locator(".verdict").first.inner_text() == "No sample has a value of body_cer."
    assert page.locator(".worst p").inner_text() == "–"


def test_the_gravest_issue_of_a_sample_comes_first(opened: Callable[..., Opened]) -> None:
    samples = [Sample("s", "no table", "| a |\n|---|\n| b |", system=name) for name in "ab"]
    page = opened(to_html(evaluate(samples, TableEvaluator(structured="yes"))), width=1280).page
    assert page.locator("#rows .chip").first.inner_text() == "no_table"
    assert page.locator(".words tbody tr").first.locator("button, td").all_inner_texts() == ["no_table", "1", "1"]


def test_on_a_narrow_screen_a_sample_opens_at_the_system_that_was_asked_for(
    letters: Result, opened: Callable[..., Opened]
) -> None:
    html = to_html(letters)
    for width, address in ((400, "s3&system=two"), (400, "s3&system=one"), (1280, "s3&system=two")):
        shown = opened(html, width=width, height=700)
        shown.page.evaluate(f"location.hash = '#sample={address}'")
        shown.page.wait_for_selector("dialog[open]")
        wanted = shown.page.locator("dialog .panel h3.system", has_text=address[-3:])
        top = shown.page.locator("dialog").bounding_box()["y"]
        assert 0 < wanted.bounding_box()["y"] - top < 200, (width, address)


def test_a_bar_opens_the_samples_behind_it_until_all_are_asked_for(
    letters: Result, opened: Callable[..., Opened]
) -> None:
    shown = opened(to_html(letters), width=1280)
    row = shown.page.locator(".bars tbody tr", has_text="a the first")
    assert row.locator("button").all_inner_texts() == ["3\nshow the samples", "6\nshow the samples"]
    row.locator("button").nth(1).click()
    assert sorted(shown.ids()) == ["s0", "s3"]
    counts = [int(text) for text in shown.page.locator("#rows tbody td:nth-child(2)").all_inner_texts()]
    assert (sum(counts), counts) == (6, sorted(counts, reverse=True))  # how often in each, the most first
    assert shown.page.locator("#rows thead th[aria-sort]").inner_text().startswith("count")
    assert shown.page.locator("#rows tbody td:nth-child(3)").all_inner_texts() == ["two", "two"]
    told = " ".join(shown.page.inner_text("#behind").split())
    assert told == ("Samples behind wrong: a the first · two – all 2, where it is most frequent first Show all samples")
    assert shown.page.evaluate("document.activeElement.id") == "rows"
    shown.page.click("#language")
    assert shown.page.inner_text("#behind").endswith("모두 2건, 횟수가 많은 순 모든 샘플 보기")
    shown.page.click("#behind button")
    assert len(shown.ids()) == 8
    assert not shown.page.locator("#behind").is_visible()
    assert "count" not in shown.page.inner_text("#rows thead")


def test_a_bar_says_how_many_samples_there_are_beside_the_worst(
    plugin: Callable[..., Any], opened: Callable[..., Opened]
) -> None:
    samples = [Sample(f"s{at}", "a", "0.5") for at in range(45)]
    shown = opened(to_html(evaluate(samples, plugin("letters:Letters"))))
    shown.page.locator(".bar-button").first.click()
    assert "the 20 worst of 45" in shown.page.inner_text("#behind")
    assert shown.page.inner_text("#shown") == "20 of 45"


def test_rare_mistakes_unfold(letters: Result, opened: Callable[..., Opened]) -> None:
    shown = opened(to_html(letters))
    rows = shown.page.locator(".bars tbody tr:has(th):visible")
    assert rows.count() == 8
    more = shown.page.locator(".bars [aria-controls]")
    assert more.inner_text() == "4 more"
    more.click()
    assert rows.count() == 12
    assert more.get_attribute("aria-expanded") == "true"


def test_a_run_without_mistakes_says_so(plugin: Callable[..., Any], opened: Callable[..., Opened]) -> None:
    shown = opened(to_html(evaluate([Sample("1", "Q", "1")], plugin("letters:Letters"))))
    assert shown.page.get_by_text("Nothing went wrong.").is_visible()
    assert shown.page.get_by_text("No sample falls short on good.").is_visible()


def test_metrics_outside_the_family_are_folded(opened: Callable[..., Opened]) -> None:
    shown = opened(to_html(run_of("terms")), width=1280)
    names = shown.page.locator("section[aria-labelledby=headline] tbody tr th:visible")
    assert [name.split()[0] for name in names.all_inner_texts()] == ["score", "score_spoken", "f1", "location_f1", "n"]
    shown.page.locator("section[aria-labelledby=headline] summary").click()
    assert names.count() > 10
    header = shown.page.locator("#rows thead th")
    assert header.count() == 7
    shown.page.check("#all-metrics input")
    assert header.count() > 10


def test_the_side_navigation_leads_to_sections_and_marks_the_one_in_view(
    opened: Callable[..., Opened],
) -> None:
    shown = opened(to_html(run_of("documents")), width=1280, height=900)
    links = shown.page.locator("#contents a")
    titles = [text.lower() for text in links.all_inner_texts()]
    assert titles[:3] == ["verdict", "what goes wrong", "summary"]
    assert titles[-2:] == ["samples", "what the names mean"]
    assert links.nth(0).get_attribute("aria-current") == "true"
    links.nth(2).click()
    shown.page.locator("#contents a[aria-current]", has_text="summary").wait_for()
    assert inside(shown, "#headline")
    assert inside(shown, "#contents ol")  # it stays in view
    shown.page.click("#language")
    assert links.nth(2).inner_text() == "요약"


def test_the_navigation_is_folded_on_a_narrow_page(opened: Callable[..., Opened]) -> None:
    shown = opened(to_html(run_of("text")), width=400)
    assert not shown.page.locator("#contents a").first.is_visible()
    shown.page.click("#contents summary")
    shown.page.locator("#contents a", has_text="samples").click()
    assert not shown.page.locator("#contents a").first.is_visible()
    assert shown.page.evaluate("scrollY") > 500


def test_names_explain_themselves_to_keyboard_pointer_and_touch(
    opened: Callable[..., Opened],
) -> None:
    html = to_html(run_of("text"))
    shown = opened(html, width=1280)
    page, note = shown.page, shown.page.locator("#about")
    assert note.count() == 0
    page.locator("#headline").evaluate("each => each.scrollIntoView()")
    metric = page.locator("section[aria-labelledby=headline] .term", has_text="wer").first
    metric.hover()
    note.wait_for()
    assert "word error rate" in note.inner_text().lower()
    assert "(S + D + I) / N over words" in note.inner_text()
    assert "lower is better · from 0 % to ∞" in note.inner_text()
    assert "Source: Levenshtein" in note.inner_text()
    assert note.locator("p").last.inner_text() == "More in the list of names"
    page.mouse.move(5, 5)
    note.wait_for(state="hidden")
    page.locator("#contents a").last.focus()
    page.keyboard.press("Tab")  # the first name on the page
    assert note.is_visible()
    assert page.evaluate("document.activeElement.getAttribute('aria-describedby')") == "about"
    page.click("#language")
    page.locator("#contents a").last.focus()
    page.keyboard.press("Tab")
    assert "낮을수록 좋음" in note.inner_text()
    page.keyboard.press("Escape")
    assert not note.is_visible()
    touched = opened(html, width=400, has_touch=True)
    touched.page.locator(".bars").first.evaluate("each => each.scrollIntoView({ block: 'center' })")
    touched.page.locator("section[aria-labelledby=mistakes] .term").first.tap()
    assert "misread characters" in touched.page.inner_text("#about")
    box = touched.page.locator("#about").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 400


def test_names_in_an_open_sample_explain_themselves_and_escape_closes_one_after_the_other(
    opened: Callable[..., Opened],
) -> None:
    shown = opened(to_html(run_of("text")))
    shown.page.locator(".worst a").first.click()
    shown.page.locator("#detail .term").first.click()
    assert shown.page.locator("#detail #about").is_visible()
    assert shown.serious() == []
    shown.page.keyboard.press("Escape")
    assert not shown.page.locator("#about").is_visible()
    assert shown.page.locator("#detail").is_visible()
    shown.page.keyboard.press("Escape")
    assert not shown.page.locator("#detail").is_visible()


def test_issues_and_columns_explain_themselves(opened: Callable[..., Opened]) -> None:
    shown = opened(to_html(run_of("text")))
    shown.page.locator("#rows thead button", has_text="cer").first.focus()
    shown.page.keyboard.press("Tab")
    shown.page.keyboard.press("Shift+Tab")
    assert "error rate" in shown.page.inner_text("#about")
    shown.page.locator("table.words [data-issue]").first.hover()
    shown.page.locator("#about", has_text="found on one side").wait_for()
    shown.page.locator("#rows .chip").first.click()  # not the row, which opens the sample
    assert "bibliography" in shown.page.inner_text("#about")
    assert not shown.page.locator("#detail").is_visible()
    lone = evaluate([Sample("x", "word", "words")], "text")
    shown = opened(to_html(lone))
    for name, said in (("mean", "each counting the same"), ("micro", "long samples count more"), ("N/A", "no value")):
        shown.page.locator("section[aria-labelledby=headline] thead .term", has_text=name).first.click()
        assert said in shown.page.inner_text("#about")


def test_what_goes_wrong_explains_itself_and_its_note_does_not_cover_what_it_opens(
    opened: Callable[..., Opened],
) -> None:
    shown = opened(to_html(run_of("dialogue")), width=1280, height=900)
    shown.page.locator(".bars .term", has_text="CSP_MED_001").click()
    note = shown.page.inner_text("#about")
    assert "NSAIDs reduce renal blood flow" in note
    assert "safety rules that were broken" in note
    assert "rule:CSP_MED_001" in note
    bar = shown.page.locator(".bars .bar-button").first
    bar.hover()
    shown.page.locator("#about", has_text="Times: 2; samples: 2").wait_for()
    bar.click()
    shown.page.locator("#behind").wait_for()
    shown.page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 2 * 150)))")
    assert shown.page.locator("#about").count() == 0


def test_a_key_with_a_word_says_it_and_what_its_table_counts(opened: Callable[..., Opened]) -> None:
    shown = opened(to_html(run_of("tables")))
    shown.page.locator(".bars .term", has_text="cell missing").click()
    note = shown.page.locator("#about p").all_inner_texts()
    assert note[0] == "cell missing"
    assert note[1].startswith("errors: tables missed")


def test_a_value_halfway_is_rounded_alike_wherever_it_is_shown(opened: Callable[..., Opened]) -> None:
    text = "abcdefghijklmnopqrstuvwxyz012345"
    html = to_html(evaluate([Sample("1", text.replace("q", "Q"), text)], TextEvaluator()))
    page = opened(html, at="#sample=1").page
    assert page.locator("#detail .measures li", has_text="cer").first.locator("b").inner_text() == "3.12 %"
    assert "3.13" not in page.inner_text("body")


@pytest.mark.parametrize(
    ("name", "abouts"),
    [
        ("tables", ["metric:teds", "metric:teds_s"]),
        ("dialogue", ["metric:SFS", "metric:CSP"]),
        ("text", ["counts:where.substitutions"]),
        ("structured", ["metric:similarity", "view:structured:about_type"]),
        ("terms", ["view:terms:about_similarity"]),
    ],
)
def test_names_inside_evidence_explain_themselves(name: str, abouts: list[str], opened: Callable[..., Opened]) -> None:
    shown = opened(to_html(run_of(name)))
    found: set[str] = set()
    for key in ("Enter", "j", "j", "j", "j"):
        shown.page.keyboard.press(key)
        terms = shown.page.locator("#detail .evidence .term")
        found |= set(terms.evaluate_all("all => all.map((each) => each.dataset.about)"))
    assert set(abouts) <= found


def test_a_rule_is_called_in_the_language_of_the_page(opened: Callable[..., Opened]) -> None:
    shown = opened(to_html(run_of("dialogue")))
    rule = shown.page.locator(".bars .term", has_text="CSP_MED_001")
    assert rule.inner_text() == "CSP_MED_001 NSAID with reduced kidney function or heart failure"
    shown.page.click("#language")
    assert rule.inner_text() == "CSP_MED_001 신기능 저하·심부전 + 소염진통제(NSAID)"


def test_gates_stand_below_the_verdict(letters: Result, opened: Callable[..., Opened]) -> None:
    gates = read_gates(["good=60%"], ["letter:b=50%", "letter:Q=50%"], letters.summary)
    shown = opened(to_html(letters, gates=gates), width=1280, height=900)
    lines = [" ".join(text.split()) for text in shown.page.locator(".gates li").all_inner_texts()]
    assert lines == [
        "✗ good ≥ 0.6000: failed – one 0.4500, two 0.4500",
        "✗ letter:b ≤ 50.00 %: failed – one 100.00 %, two 100.00 %",
        "✓ letter:Q ≤ 50.00 %: met",
    ]
    assert inside(shown, ".gates li:last-child")
    assert shown.findings() == []


def test_a_page_of_numbers_says_so(letters: Result, opened: Callable[..., Opened]) -> None:
    shown = opened(to_html(letters, texts=False))
    assert shown.page.get_by_text("Numbers only").is_visible()


def test_the_page_says_how_much_evidence_it_has_and_how_to_get_all(
    letters: Result, opened: Callable[..., Opened]
) -> None:
    note = "section[aria-labelledby=samples] > .note"
    text = opened(to_html(letters, samples=3)).page.locator(note).last.inner_text()
    assert "(8)" in text
    assert "Evidence: 3" in text
    assert "--samples all" in text
    assert "Each has evidence." in opened(to_html(letters)).page.locator(note).last.inner_text()


def test_the_page_prints_without_navigation_and_notes(letters: Result, opened: Callable[..., Opened]) -> None:
    shown = opened(to_html(letters), width=1280)
    shown.page.emulate_media(media="print")
    assert not shown.page.locator("#contents").is_visible()
    for part in (".verdict:not([hidden])", ".picture", ".worst", ".bars"):
        assert shown.page.locator(part).first.is_visible()


def test_a_note_that_is_pointed_at_goes_with_the_sample_it_is_in(opened: Callable[..., Opened]) -> None:
    shown = opened(to_html(run_of("text")))
    shown.page.locator(".worst a").first.click()
    shown.page.locator("#detail .term").first.hover()
    shown.page.locator("#about").wait_for()
    shown.page.keyboard.press("j")  # another sample takes the place of the name
    assert shown.page.locator("#about").count() == 0
    shown.page.locator("#detail .term:visible").last.hover()
    shown.page.keyboard.press("Escape")
    assert not shown.page.locator("#detail").is_visible()


def test_an_open_sample_has_no_empty_head_and_no_button_for_what_is_beside(opened: Callable[..., Opened]) -> None:
    shown = opened(to_html(run_of("text")), width=1280, at="#sample=tides")
    assert shown.page.locator("#detail .panel").count() == 2
    assert shown.page.locator("#detail .bar-top button").all_inner_texts() == ["Previous", "Next", "Close"]
    shown.page.evaluate("document.querySelectorAll('#detail details').forEach((each) => { each.open = true; })")
    assert shown.page.locator("#detail", has_text="citation numbers [1]").count() == 1
    assert [each for each in shown.findings() if "table-header" in each] == []


def test_two_systems_with_tables_stand_side_by_side_where_there_is_room(opened: Callable[..., Opened]) -> None:
    shown = opened(to_html(run_of("tables")), width=1280)
    shown.page.locator(".worst a").first.click()
    first, second = (each.bounding_box() for each in shown.page.locator("#detail .panel").all())
    assert first["y"] == second["y"]
    shown.page.set_viewport_size({"width": 900, "height": 900})
    first, second = (each.bounding_box() for each in shown.page.locator("#detail .panel").all())
    assert first["y"] + first["height"] <= second["y"]


def test_a_head_that_is_tapped_sorts_and_explains_itself(opened: Callable[..., Opened]) -> None:
    shown = opened(to_html(run_of("text")), width=400, has_touch=True)
    head = shown.page.locator("#rows thead button", has_text="body_cer")
    head.tap()
    shown.page.locator("#about", has_text="lower is better").wait_for()
    assert shown.page.locator("#rows thead th[aria-sort]").inner_text().startswith("body_cer")


def test_the_title_of_a_distribution_explains_itself(opened: Callable[..., Opened]) -> None:
    shown = opened(to_html(run_of("text")))
    shown.page.locator("section[aria-labelledby=distribution] h3 .term").first.hover()
    shown.page.locator("#about", has_text="lower is better").wait_for()


def test_samples_without_texts_are_no_links(letters: Result, opened: Callable[..., Opened]) -> None:
    shown = opened(to_html(without_texts(letters), texts=False), at="#sample=1")
    assert shown.page.locator("#rows tbody th.id").count() == 8
    assert shown.page.locator("#rows a, .worst a").count() == 0
    shown.page.locator("#rows tbody tr:not(.spacer) td").first.click()
    assert not shown.page.locator("#detail").is_visible()


def test_cells_of_many_systems_stand_below_each_other_on_a_narrow_screen(
    plugin: Callable[..., Any], opened: Callable[..., Opened]
) -> None:
    names = [f"a-system-with-a-long-name-{n}" for n in range(7)]
    samples = [
        Sample(f"s{at}", "ab"[at % 2] * n, "0.5", system=name) for at in range(4) for n, name in enumerate(names)
    ]
    html = to_html(evaluate(samples, plugin("letters:Letters")))
    for width in (400, 1280):
        shown = opened(html, width=width, name=str(width))
        wide = shown.page.locator("html, .wide").evaluate_all(
            "all => all.filter((e) => e.scrollWidth > e.clientWidth + 1)"
        )
        assert wide == []
    assert shown.page.locator(".bars thead th").nth(7).is_visible()


def test_issues_are_a_row_each_with_a_column_for_every_system(
    plugin: Callable[..., Any], opened: Callable[..., Opened]
) -> None:
    """On a narrow screen, each count says whose it is, and the systems without one are left out."""
    samples = [Sample(f"s{at}", "a" if at > n else "b" * 40, "a", system=f"m{n}") for at in range(4) for n in range(7)]
    result = evaluate(samples, plugin("shown:Shown"))
    shown = opened(to_html(result), width=1280)
    table = shown.page.locator("table.by-system")
    codes = table.locator("tbody th button").all_inner_texts()
    assert len(codes) == len(set(codes)) > 0
    assert table.locator("thead th").all_inner_texts() == ["issue", *(f"m{n}" for n in range(7))]
    for row in table.locator("tbody tr").all():
        code, counts = row.locator("th button").inner_text(), row.locator("td").all_inner_texts()
        known = [sum(result.summary["systems"][f"m{n}"]["issues"].get(code, {}).values()) for n in range(7)]
        assert counts == [str(n or "–") for n in known]
    assert table.evaluate("node => node.offsetWidth <= node.parentElement.clientWidth")
    assert shown.serious() == []
    shown.page.set_viewport_size({"width": 400, "height": 800})
    seen = table.locator("tbody tr").first.locator("td >> visible=true").all_inner_texts()
    assert all(text.split()[0].startswith("m") and text.split()[1] != "–" for text in seen)
    assert shown.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
