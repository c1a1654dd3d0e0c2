"""What a reader sees of a compared JSON document: the values that differ, the characters that do, and why."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

from jatdae.core.contract import Sample
from jatdae.report.pages import to_html
from jatdae.run.api import evaluate
from jatdae.structured.evaluator import StructuredEvaluator

from .conftest import Opened


def page(prediction: Any, reference: Any, **settings: Any) -> str:
    return to_html(evaluate([Sample("1", prediction, reference)], StructuredEvaluator(**settings)))


def rows(shown: Opened) -> list[str]:
    """The rows of differences as a reader sees them."""
    found = shown.page.locator(".fields > .field-table tbody tr").all()
    return [" | ".join(" ".join(cell.inner_text().split()) for cell in row.locator("th, td").all()) for row in found]


def marked(shown: Opened) -> list[list[str]]:
    return [shown.page.locator(f".{side} .off").all_inner_texts() for side in ("reference", "prediction")]


def test_the_characters_that_differ_are_marked_on_both_sides(opened: Callable[..., Opened]) -> None:
    shown = opened(page({"code": "K35.8O", "n": 1}, {"code": "K35.80", "n": 1}), at="#sample=1")
    assert marked(shown) == [["0"], ["O"]]
    assert rows(shown) == ["code | K35.80 | K35.8O | different value compared as an identifier · similarity 0.8333"]
    assert shown.page.locator(".fields-sum").inner_text() == "1 of 2 values differ."


def test_characters_are_those_that_a_reader_counts(opened: Callable[..., Opened]) -> None:
    shown = opened(page({"a": "가족 👨‍👩‍👧 e\u0301"}, {"a": "가족 👨‍👩‍👧‍👦 e\u0301"}), at="#sample=1")
    assert marked(shown) == [["👨‍👩‍👧‍👦"], ["👨‍👩‍👧"]]


def test_a_character_that_is_lacking_leaves_a_gap(opened: Callable[..., Opened]) -> None:
    shown = opened(page({"a": "JASMNE TEA"}, {"a": "JASMINE TEA"}), at="#sample=1")
    assert marked(shown) == [["I"], [""]]
    assert shown.page.locator(".prediction .gap").bounding_box()["width"] > 3


def test_values_that_have_little_in_common_are_marked_as_a_whole(opened: Callable[..., Opened]) -> None:
    shown = opened(page({"a": "ADD CHICKEN BOX"}, {"a": "Kupon 15"}), at="#sample=1")
    assert marked(shown) == [["Kupon 15"], ["ADD CHICKEN BOX"]]


def test_long_values_are_shortened_around_the_difference(opened: Callable[..., Opened]) -> None:
    long = "abcdefghij " * 100
    shown = opened(page({"a": f"{long}O{long}"}, {"a": f"{long}0{long}"}), at="#sample=1")
    assert marked(shown) == [["0"], ["O"]]
    assert len(shown.page.locator(".reference code").inner_text()) < 60


def test_equal_values_are_folded_with_their_number(opened: Callable[..., Opened]) -> None:
    shown = opened(page({"a": 1, "b": "1,500", "c": 3}, {"a": 1, "b": 1500, "c": 4}), at="#sample=1")
    folded = shown.page.locator(".equal")
    assert folded.inner_text() == "2 equal values"
    folded.locator("summary").click()
    folded.locator("table").wait_for()
    told = [" ".join(row.split()) for row in folded.locator("tbody tr").all_inner_texts()]
    assert told == ["b 1500 1,500 equal, written differently", "a 1 1 equal"]


def test_a_part_that_is_missing_or_invented_is_one_row(opened: Callable[..., Opened]) -> None:
    reference = {"items": [{"code": "A1", "price": 1}, {"code": "B2", "price": 2}]}
    prediction = {"items": [{"code": "A1", "price": 1}], "note": {"by": "me", "at": "noon"}}
    shown = opened(page(prediction, reference), at="#sample=1")
    assert rows(shown) == [
        "items[1] | code B2 price 2 | – | missing",
        "note | – | by me at noon | invented: not in the reference",
    ]


def test_a_value_under_another_key_is_found(opened: Callable[..., Opened]) -> None:
    shown = opened(page({"subtotal": "56.000", "n": 1}, {"price": "56.000", "n": 1}), at="#sample=1")
    assert rows(shown) == [
        "price | 56.000 | – | missing the prediction has this value at subtotal",
        "subtotal | – | 56.000 | invented: not in the reference the reference has this value at price",
    ]


def test_a_value_in_another_item_is_found_unless_it_is_a_figure(opened: Callable[..., Opened]) -> None:
    reference = {"items": [{"name": "Set", "with": ["Longan", "Almond"], "price": "1.500"}]}
    prediction = {
        "items": [{"name": "Set", "price": "1.500"}, {"name": "Longan", "price": "0.000"}, {"name": "Almond"}]
    }
    assert rows(opened(page(prediction, reference), at="#sample=1")) == [
        "items[0].with | [0] Longan [1] Almond | – | missing “Longan”: the prediction has this value at items[1].name "
        "“Almond”: the prediction has this value at items[2].name",
        "items[1] | – | name Longan price 0.000 | invented: not in the reference “Longan”: the reference has this "
        "value at items[0].with[0]",
        "items[2] | – | name Almond | invented: not in the reference the reference has this value at items[0].with[1]",
    ]


def test_a_value_that_is_only_printed_otherwise_is_found_and_cited(opened: Callable[..., Opened]) -> None:
    sub = ["ABURA UDON SPICY", ":-Kake Udon 1.5"]
    reference = {"items": [{"name": "BCA PROMO", "sub": sub, "a": "10,909", "b": "1.5"}]}
    prediction = {
        "items": [
            {"name": "BCA PROMO", "c": "10909", "d": "15"}, {"name": "-ABURA UDON SPICY"}, {"name": "- KAKE UDON 15"},
            {"name": "-KAKE UDON 1.5"},
        ]
    }  # fmt: skip
    told = rows(opened(page(prediction, reference), at="#sample=1"))
    assert told[0].endswith(
        "missing “-ABURA UDON SPICY”: the prediction has this value at items[1].name "
        "“-KAKE UDON 1.5”: the prediction has this value at items[3].name"
    )
    by_place = {row.partition(" | ")[0]: row for row in told}
    assert by_place["items[0].a"].endswith("missing “10909”: the prediction has this value at items[0].c")
    assert by_place["items[0].b"].endswith("missing")
    assert by_place["items[0].d"].endswith("not in the reference")
    assert by_place["items[1]"].endswith("“ABURA UDON SPICY”: the reference has this value at items[0].sub[0]")
    assert by_place["items[2]"].endswith("not in the reference")


def test_wrong_values_say_where_they_belong_unless_by_accident(opened: Callable[..., Opened]) -> None:
    reference = {"name": "Coupon", "sub": "Chicken box", "n": "12", "m": "7"}
    prediction = {"name": "Chicken box", "sub": "x" * 60, "n": "7", "m": "12"}
    told = [row.partition(" · similarity ")[2][7:] for row in rows(opened(page(prediction, reference), at="#sample=1"))]
    assert told == [
        "“Chicken box”: the reference has this value at sub",
        "“Chicken box”: the prediction has this value at name",
        "",
        "",
    ]


def test_items_of_a_set_say_what_they_were_compared_with(opened: Callable[..., Opened]) -> None:
    reference = {"items": [{"code": "A1", "price": 10}, {"code": "C3", "price": 30}]}
    prediction = {"items": [{"code": "C3", "price": 30}, {"code": "A1", "price": 11}, {"code": "Z9", "price": 5}]}
    shown = opened(page(prediction, reference, arrays={"**": "set"}), at="#sample=1")
    assert [row.split(" | ")[0] for row in rows(shown)] == [
        "items[0].price in the prediction: items[1].price",
        "items[2] an item of the prediction",
    ]


def test_a_prediction_that_is_no_json_is_shown_as_written(opened: Callable[..., Opened]) -> None:
    shown = opened(page("Sorry, I cannot read it.", {"a": 1, "b": 2}), at="#sample=1")
    assert rows(shown) == ["the whole document | a 1 b 2 | Sorry, I cannot read it. | cannot be read as JSON"]


def test_schema_errors_are_said_in_words_of_both_languages(opened: Callable[..., Opened], tmp_path: Path) -> None:
    schema = tmp_path / "schema.json"
    schema.write_bytes(orjson.dumps({"type": "object", "required": ["b"], "properties": {"a": {"enum": [1]}}}))
    shown = opened(page({"a": 2}, {"a": 2}, schema=schema), at="#sample=1")
    text = shown.page.locator(".fields").inner_text()
    assert "a required field is missing" in text
    assert "not one of the allowed values" in text
    shown.page.evaluate("document.getElementById('language').click()")
    text = shown.page.locator(".fields").inner_text()
    assert "필수 필드 누락" in text
    assert "값 1개가 모두 일치합니다." in text


def test_on_a_narrow_screen_each_cell_has_its_title(opened: Callable[..., Opened]) -> None:
    shown = opened(page({"a": "x" * 90}, {"a": "y" * 90}), at="#sample=1", width=400)
    assert rows(shown)[0].startswith("a | Reference yyy")
    assert shown.page.evaluate("document.getElementById('detail').scrollWidth <= innerWidth")
    assert shown.serious() == []
