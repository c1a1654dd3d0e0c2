"""Documents against documents: traps public tools fall into, choices, and the lists of what is missing or extra."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.core.errors import DataError
from jatdae.structured import FieldReport, compare

LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**6), 10**6),
    st.floats(allow_nan=False, allow_infinity=False, width=32),
    st.sampled_from(
        ["", " ", "abc", "abd", "1,500", "60.000", "2024-03-15", "24.03.15", "INV-1", "0012", "충수절제술"]
    ),
    st.text(max_size=6),
)
DOCUMENTS = st.recursive(
    LEAVES,
    lambda below: st.lists(below, max_size=4) | st.dictionaries(st.sampled_from("abcde"), below, max_size=4),
    max_leaves=12,
)
MODES = st.sampled_from([{}, {"arrays": "set"}, {"nulls": "same"}])


def perfect(report: FieldReport) -> bool:
    higher = (
        "exact_accuracy",
        "fuzzy_accuracy",
        "similarity",
        "json_accuracy",
        "structural_accuracy",
        "nested_accuracy",
    )
    return (
        all(report[name] == pytest.approx(1.0) for name in (*higher, "precision", "recall", "f1"))
        and all(report[name] == 0.0 for name in ("ted", "nted", "nted_max", "ted_keyed", "nted_keyed"))
        and not (report.extra_results or report.missing_fields or report.extra_fields)
    )


@given(DOCUMENTS, MODES)
@settings(derandomize=True, deadline=None, max_examples=250)
def test_identical_documents_have_nothing_wrong_and_nothing_discovered(document: Any, mode: dict[str, Any]) -> None:
    document = {"document": document}
    assert perfect(compare(document, document, **mode))


@given(DOCUMENTS, DOCUMENTS, st.sampled_from(["distinct", "same"]))
@settings(derandomize=True, deadline=None, max_examples=250)
def test_what_is_symmetric_by_definition_is_symmetric(a: Any, b: Any, nulls: str) -> None:
    a, b = {"document": a}, {"document": b}
    there, back = compare(a, b, nulls=nulls), compare(b, a, nulls=nulls)
    for name in ("structural_accuracy", "ted", "nted", "nted_max", "ted_keyed", "nted_keyed"):
        assert there[name] == back[name], name


@given(DOCUMENTS, DOCUMENTS)
@settings(derandomize=True, deadline=None, max_examples=250)
def test_precision_is_recall_the_other_way_round_where_values_are_plain_text(a: Any, b: Any) -> None:
    a, b = {"document": a}, {"document": b}
    plain = {"types": {"**": "string"}, "nulls": "same"}
    there, back = compare(a, b, **plain), compare(b, a, **plain)
    assert there["precision"] == back["recall"]
    assert there.f1 == back.f1


@given(DOCUMENTS, DOCUMENTS, MODES)
@settings(derandomize=True, deadline=None, max_examples=250)
def test_every_number_of_any_pair_is_in_its_range(a: Any, b: Any, mode: dict[str, Any]) -> None:
    report = compare({"document": a}, {"document": b}, **mode)
    for name, value in report.values.items():
        if name not in ("ted", "ted_keyed", "nested_raw", "schema_compliance"):
            assert value is not None
            assert 0.0 <= value <= (2.0 if name == "nted_max" else 1.0), name  # ted may exceed the larger tree
    assert report["ted"] <= report["ted_keyed"]  # type: ignore[operator]
    assert report.exact_accuracy <= report.fuzzy_accuracy  # type: ignore[operator]
    assert len(report.field_results) == report.sums.leaves


@pytest.mark.parametrize(
    ("prediction", "reference", "outcomes"),
    [
        ({"n": 0, "b": False}, {"n": 0, "b": False}, ["match", "match"]),  # 0 and false are values
        ({"x": None}, {"x": "a"}, ["null_instead"]),  # null, missing and "" are three things
        ({"x": ""}, {"x": "a"}, ["empty_instead"]),
        ({"y": 1}, {"x": "a", "y": 1}, ["missing", "match"]),
        ({"x": True}, {"x": 1}, ["mismatch"]),  # true is not 1
        ({"x": 1}, {"x": True}, ["mismatch"]),
        ({"x": []}, {"x": []}, ["match"]),
        ({"x": "INV-100007"}, {"x": "INV-100001"}, ["mismatch"]),
        ({"x": 1.0}, {"x": 1}, ["match"]),
        ({"x": "1"}, {"x": 1}, ["match"]),
    ],
)
def test_traps(prediction: Any, reference: Any, outcomes: list[str]) -> None:
    assert [result.outcome for result in compare(prediction, reference).field_results] == outcomes


def test_an_error_below_stays_below() -> None:
    reference = {"a": {"b": {"c": 1, "d": 2}, "e": 3}, "f": 4}
    report = compare({"a": {"b": {"c": 9, "d": 2}, "e": 3}, "f": 4}, reference)
    assert [result.exact_match for result in report.field_results] == [False, True, True, True]


def test_missing_and_extra_fields_are_named_by_their_highest_path() -> None:
    reference = {"id": 1, "patient": {"name": "a", "born": {"year": 1}}, "rows": [{"x": 1}, {"x": 2}]}
    prediction = {"id": 1, "rows": [{"x": 1, "y": 5}], "noise": {"a": [1, 2]}}
    report = compare(prediction, reference)
    assert list(report.missing_fields) == ["patient", "rows[1]"]
    assert list(report.extra_fields) == ["rows[0].y", "noise"]
    assert [result.field_name for result in report.extra_results] == ["rows[0].y", "noise.a[0]", "noise.a[1]"]
    assert report.structural_accuracy == pytest.approx(2 / (2 + 3 + 3))


def test_an_extra_item_and_an_extra_key_leave_accuracy_alone_and_are_charged_by_precision() -> None:
    reference = {"rows": [1, 2], "a": 1}
    for prediction in ({"rows": [1, 2, 3], "a": 1}, {"rows": [1, 2], "a": 1, "b": 3}):
        report = compare(prediction, reference)
        assert report.exact_accuracy == report["recall"] == 1.0
        assert report["precision"] == 0.75
        assert report.f1 == pytest.approx(6 / 7)


def test_a_result_has_the_names_of_the_evidence() -> None:
    first, second = compare({"a": {"b": "abcdefghiX"}, "c": 1}, {"a": {"b": "abcdefghij"}, "c": 2}).field_results
    assert first._asdict() == {
        "field_name": "a.b",
        "field_type": "string",
        "gold_value": "abcdefghij",
        "pred_value": "abcdefghiX",
        "exact_match": False,
        "fuzzy_match": True,
        "similarity": pytest.approx(0.9),
        "depth": 1,
        "outcome": "mismatch",
        "pattern": "a.b",
    }
    assert (first.status, second.status) == ("FUZZY", "FAIL")


@pytest.mark.parametrize(("prediction", "reference"), [(5, 5), ("5", 5), ([1], [1]), ("[1, 2]", [1, 2])])
def test_a_document_may_be_any_json_value(prediction: Any, reference: Any) -> None:
    assert compare(prediction, reference).exact_accuracy == 1.0


def test_a_leaf_alone_is_called_by_the_root() -> None:
    (result,) = compare(6, 5).field_results
    assert (result.field_name, result.depth) == ("$", 0)


def test_numbers_keep_their_writing_in_text_that_holds_json() -> None:
    (result,) = compare('{"x": 60.000}', {"x": 60}).field_results
    assert result.pred_value == Decimal("60.000")
    assert result.exact_match
    assert not compare('{"x": 12345678901234567891}', '{"x": 12345678901234567890}').field_results[0].exact_match


class TestSeveralRightAnswers:
    @pytest.mark.parametrize("answer", ["Seoul", "서울", None])
    def test_any_of_them_is_right(self, answer: Any) -> None:
        report = compare({"city": answer}, {"city": {"$any": ["Seoul", "서울", None]}})
        assert report.exact_accuracy == 1.0
        assert report["ted"] == report["ted_keyed"] == 0.0

    def test_the_best_counts_and_the_first_of_equals(self) -> None:
        reference = {"x": {"$any": [{"a": 1, "b": 2}, {"a": 9, "b": 9}, [1]]}}
        report = compare({"x": {"a": 1, "b": 5}}, reference)
        assert [result.gold_value for result in report.field_results] == [1, 2]
        assert compare({"x": 0}, {"x": {"$any": [7, 8]}}).field_results[0].gold_value == 7

    def test_the_best_is_the_same_whatever_python_adds_up(self) -> None:
        """Similarities of .1, .2 and .9: rounded at each step, they are more in one order than in the other."""
        rising, falling = (
            {key: "x" * same + "o" * (10 - same) for key, same in zip("abc", each, strict=True)}
            for each in ((1, 2, 9), (9, 2, 1))
        )
        report = compare({"v": dict.fromkeys("abc", "x" * 10)}, {"v": {"$any": [rising, falling]}})
        assert {result.field_name[-1]: result.gold_value for result in report.field_results} == falling

    def test_they_may_stand_for_the_whole_document_and_inside_sets_and_each_other(self) -> None:
        assert compare([1], {"$any": [{"a": 1}, [1]]}).exact_accuracy == 1.0
        assert compare([1], [{"a": 1}, [1]], any_of=True).exact_accuracy == 1.0
        assert compare('{"a": 1}', '[{"a": 1}, {"a": 2}]', any_of=True).exact_accuracy == 1.0
        nested = {"$any": [{"a": {"$any": [1, 2]}}, {"a": 3}]}
        assert compare({"a": 2}, nested).exact_accuracy == 1.0
        rows = [{"n": {"$any": ["a", "b"]}, "k": "x"}, {"n": "c", "k": "y"}]
        report = compare({"rows": [{"n": "c", "k": "y"}, {"n": "b", "k": "x"}]}, {"rows": rows}, arrays="set")
        assert report.exact_accuracy == 1.0
        assert report["ted"] == 0.0

    def test_a_missing_field_has_the_leaves_of_the_first(self) -> None:
        report = compare({"k": 1}, {"k": 1, "x": {"$any": [{"a": 1, "b": 2}, 5]}})
        assert [result.field_name for result in report.field_results] == ["k", "x.a", "x.b"]
        assert report["ted"] == report["ted_keyed"] == 3.0

    def test_what_is_skipped_is_skipped_in_every_one(self) -> None:
        reference = {"x": {"$any": [{"a": 1, "t": 5}, {"t": 5}, {"a": 2}]}}
        assert compare({"x": {"a": 2, "t": 6}}, reference, skips=("x.t",)).exact_accuracy == 1.0

    @pytest.mark.parametrize("choices", [[], "x", None, {}])
    def test_none_at_all_is_a_broken_reference(self, choices: Any) -> None:
        with pytest.raises(DataError, match="at least one right answer"):
            compare({"x": 1}, {"x": {"$any": choices}})
