"""Evidence of a document: how values differ in words, and long texts around their difference."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from jatdae import Sample, StructuredEvaluator
from jatdae.structured import compare
from jatdae.structured.evidence import CONTEXT, LONGEST_TEXT, show


def evidence(prediction: Any, reference: Any, **settings: Any) -> Any:
    outcome = StructuredEvaluator(**settings).score(Sample("1", prediction, reference))
    return orjson.loads(orjson.dumps(outcome.evidence))


@pytest.mark.parametrize(
    ("prediction", "reference", "why"),
    [
        ("K35.80", "K35.80", None),
        ("K35.8O", "K35.80", None),
        ("1,500,000", 1500000, "notation"),
        ("2024.03.10", "2024-03-10", "notation"),
        ("many", 3, "not_number"),
        ("soon", "2024-03-10", "not_date"),
        ("yes", True, "notation"),
        ("perhaps", True, "not_bool"),
        ({"value": 3}, 3, "shape"),
        ([4, 5], 3, "shape"),
        ("JASMINE ( L )", "Jasmine (Ｌ)", "format"),
        ("1.5", "15", None),
        ("the quick brown fax", "the quick brown fox", "near"),
        ("€500", "$500", "unit"),
        ("", "text", None),
        (None, "text", None),
    ],
)
def test_a_difference_says_how(prediction: Any, reference: Any, why: str | None) -> None:
    [result] = evidence({"a": prediction}, {"a": reference})["field_results"]
    assert result.get("why") == why


def test_a_format_is_not_looked_for_in_texts_of_any_length() -> None:
    [result] = evidence({"a": "x" * 20_000}, {"a": "X" * 20_000})["field_results"]
    assert result.get("why") != "format"


def test_long_texts_are_shown_around_their_first_difference() -> None:
    before, after = "a" * 5000, "b" * 5000
    [result] = evidence({"a": f"{before}O{after}"}, {"a": f"{before}0{after}"})["field_results"]
    wanted, given = result["gold_value"], result["pred_value"]
    assert len(wanted) == len(given) == LONGEST_TEXT
    assert wanted[: CONTEXT + 3] == "…" + "a" * CONTEXT + "0b"
    assert given[: CONTEXT + 3] == "…" + "a" * CONTEXT + "Ob"
    assert wanted[-1] == given[-1] == "…"


def test_a_long_text_that_is_right_is_shown_from_its_beginning() -> None:
    [result] = evidence({"a": "x" * 400}, {"a": "x" * 400})["field_results"]
    assert result["gold_value"] == result["pred_value"] == "x" * 299 + "…"


def test_a_container_in_the_place_of_a_value_is_shown_by_its_beginning() -> None:
    [result] = evidence({"a": [1, {"b": 2}, *range(9)]}, {"a": "x"})["field_results"]
    assert result["pred_value"] == "[1, …, 0, 1, 2, 3, 4, 5, …]"


def test_a_prediction_that_is_no_json_is_shown_as_written() -> None:
    assert evidence("Sorry, \ud800 I cannot.", {"a": 1})["written"] == "Sorry, ? I cannot."
    cut = evidence("I read " + "x" * 1000 + ' {"total": 12', {"a": 1})["written"]
    assert len(cut) == LONGEST_TEXT
    assert cut.startswith("I read x")
    assert cut.endswith('{"total": 12')
    assert "written" not in evidence('{"b": 1}', {"a": 1})


def test_another_quarter_is_a_date_and_said_to_be_none_only_where_it_is_none() -> None:
    report = compare({"a": "2Q24", "b": "soon"}, {"a": "Q1 2024", "b": "2024-03-15"})
    assert [result.get("why") for result in show(report)["field_results"]] == [None, "not_date"]
