"""What a reader sees of two compared descriptions: the sentences, the terms in them, lines between, errors in words."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jatdae.core.contract import Sample
from jatdae.report.pages import to_html
from jatdae.run.api import evaluate
from jatdae.terms.evaluator import TermsEvaluator

from .conftest import HOSTILE, Opened

REFERENCE = "舌边红，有裂纹，苔薄黄，呱"
PREDICTION = "舌尖红，无裂纹，苔淡黄腻"


def page(prediction: str = PREDICTION, reference: str = REFERENCE) -> str:
    return to_html(evaluate([Sample("1", prediction, reference)], TermsEvaluator()))


def sentence(shown: Opened, side: int) -> str:
    """A sentence without what the view adds to it."""
    return str(
        shown.page.locator(".sentence").nth(side).evaluate(
            "p => { const copy = p.cloneNode(true);"
            " copy.querySelectorAll('.gloss, .tie').forEach(each => each.remove()); return copy.textContent; }"
        )
    )  # fmt: skip


def test_both_sentences_are_whole_and_the_reference_is_on_the_left(opened: Callable[..., Opened]) -> None:
    shown = opened(page(), at="#sample=1")
    assert [sentence(shown, side) for side in (0, 1)] == [REFERENCE, PREDICTION]
    left, right = (shown.page.locator(".description").nth(side).bounding_box() for side in (0, 1))
    assert left["x"] + left["width"] < right["x"]


def test_terms_are_marked_where_they_stand_with_sign_and_gloss(opened: Callable[..., Opened]) -> None:
    shown = opened(page(), at="#sample=1")
    marks = shown.page.locator(".description").first.locator(".atom")
    assert [" ".join(text.split()) for text in marks.all_inner_texts()] == [
        "舌边 − missed sides",
        "红 @ wrong location red",
        "裂纹 ¬ wrong polarity cracked",
        "薄黄 − missed 薄 thin ↔ taken for another 黄 yellow",
        "呱 ? not recognised",
    ]


def test_errors_are_said_in_words_with_glosses(opened: Callable[..., Opened]) -> None:
    shown = opened(page(), at="#sample=1")
    said = [" ".join(line.split()) for line in shown.page.locator(".found li").all_inner_texts()]
    assert said == [
        "− missed 舌边 (sides) · location 薄 (thin) · thickness of the coat",
        "+ extra 舌尖 (tip) · location 腻 (greasy) · nature of the coat",
        "¬ wrong polarity 裂纹 (cracked): stated → denied · shape of the tongue body",
        "↔ taken for another 黄 (yellow) → 淡黄 (pale yellow) · colour of the coat · similarity 0.8500",
        "@ wrong location 红 (red): 舌边 (sides) → 舌尖 (tip) · colour of the tongue body",
        "? not recognised Reference: 呱",
    ]


def test_glosses_and_words_follow_the_language(opened: Callable[..., Opened]) -> None:
    shown = opened(page(), at="#sample=1")
    shown.page.evaluate("document.getElementById('language').click()")
    text = shown.page.locator(".terms").inner_text()
    assert "누락" in text
    assert "(설변)" in text
    assert "(sides)" not in text


def test_a_korean_term_on_a_korean_page_is_glossed_by_the_name_of_its_property(opened: Callable[..., Opened]) -> None:
    shown = opened(page("설질 담홍", "설질 홍"), at="#sample=1")
    shown.page.evaluate("document.getElementById('language').click()")
    text = shown.page.locator(".found").inner_text()
    assert "홍 (红)" in text
    assert "담홍 (淡红)" in text


def test_lines_join_what_met_and_follow_the_width(opened: Callable[..., Opened]) -> None:
    shown = opened(page(), at="#sample=1", width=1280)
    paths = shown.page.locator(".threads path")
    assert sorted(each.get_attribute("class") for each in paths.all()) == ["confused", "negated", "place"]
    joined = """() => [...document.querySelectorAll('.threads path')].map(path => {
        const box = document.querySelector('.descriptions').getBoundingClientRect();
        const atoms = [...document.querySelectorAll('.atom')].map(each => each.getBoundingClientRect());
        return [path.getPointAtLength(0), path.getPointAtLength(path.getTotalLength())].every(end => atoms.some(at =>
            at.left <= end.x + box.left && end.x + box.left <= at.right && Math.abs(at.bottom - end.y - box.top) < 2));
    }).every(Boolean)"""
    shown.page.wait_for_function(joined)
    shown.page.set_viewport_size({"width": 900, "height": 900})
    shown.page.wait_for_function(joined)
    assert not shown.page.locator(".tie").first.is_visible()


def test_on_a_narrow_screen_numbers_stand_for_the_lines(opened: Callable[..., Opened]) -> None:
    shown = opened(page(), at="#sample=1", width=400)
    assert not shown.page.locator(".threads").is_visible()
    ties = [shown.page.locator(".description").nth(side).locator(".tie").all_inner_texts() for side in (0, 1)]
    assert ties == [["1", "2", "3"], ["1", "2", "3"]]
    assert shown.page.evaluate("document.getElementById('detail').scrollWidth <= innerWidth")


def test_what_is_not_counted_says_why(opened: Callable[..., Opened]) -> None:
    shown = opened(page("舌红", "舌红，无裂纹"), at="#sample=1")
    row = shown.page.locator(".found li").last.inner_text()
    assert "not counted" in row
    assert "counts only if the other side speaks of it" in row


@pytest.mark.parametrize(
    ("prediction", "reference", "said"),
    [
        ("", "舌红", "(empty)"),
        ("舌红", "神疲", "神疲"),
        ("舌光", "无苔", "mirror-like"),
        ("舌红，舌尖红", "舌尖红", "no location"),
        (f"{HOSTILE}舌红", f"舌红{HOSTILE}", HOSTILE.split("<")[0]),
    ],
)
def test_unusual_pairs_are_shown(opened: Callable[..., Opened], prediction: str, reference: str, said: str) -> None:
    for width in (400, 1280):
        shown = opened(page(prediction, reference), at="#sample=1", width=width)
        assert said in shown.page.locator(".terms").inner_text()
        assert shown.page.evaluate("window.hacked") is None
        assert shown.serious() == []


def test_what_was_not_recognised_is_said_once_for_each_side(opened: Callable[..., Opened]) -> None:
    said = "呱呱，舌红，呱呱"
    unread = opened(page(said, said), at="#sample=1").page.locator(".found li", has_text="not recognised")
    assert unread.inner_text().count("Reference") == unread.inner_text().count("Prediction") == 1
    assert unread.locator("b.term").count() == 2
