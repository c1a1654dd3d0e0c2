"""The worked example to the last digit, and the numbers of one and of many documents."""

from __future__ import annotations

from collections import Counter
from math import fsum
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae import evaluate
from jatdae.core.contract import OTHER, Sample
from jatdae.core.evaluator import micro_of
from jatdae.structured import StructuredEvaluator, compare
from jatdae.structured.leaf_sums import FieldScore, sum_leaves
from jatdae.structured.leaves import Row
from jatdae.structured.metrics import MOST_FIELDS

TYPES = {"total_amount": "number", "admission_date": "date", "discharge_date": "date"}

EXPECTED = {
    "exact_accuracy": 0.8182,
    "fuzzy_accuracy": 0.8182,
    "similarity": 0.9667,
    "json_accuracy": 0.8125,
    "structural_accuracy": 1.0,
    "nested_accuracy": 0.8067,
    "nested_raw": 1.0083,
    "precision": 0.8182,
    "recall": 0.8182,
    "f1": 0.8182,
    "nted": 0.1333,
    "nted_max": 0.2667,
    "nted_keyed": 0.1333,
    "ted": 4.0,
    "ted_keyed": 4.0,
    "schema_compliance": 0.0,
}


def test_the_worked_example_to_four_digits(certificate: Any, misread: Any, certificate_schema: Any) -> None:
    report = compare(misread, certificate, types=TYPES, tau=0.15, schema=certificate_schema)
    assert {name: round(value, 4) for name, value in report.values.items() if value is not None} == EXPECTED
    assert [(error.path, error.keyword) for error in report.schema_errors] == [("diagnosis_code", "pattern")]
    assert report.schema_valid is False


def test_the_worked_example_with_the_similarity_of_the_writing(certificate: Any, misread: Any) -> None:
    assert round(compare(misread, certificate, types=TYPES, similarity="text")["similarity"] or 0, 4) == 0.9283


def test_the_worked_example_needs_no_types_given(certificate: Any, misread: Any) -> None:
    given_types, inferred = compare(misread, certificate, types=TYPES), compare(misread, certificate)
    assert given_types.values == inferred.values
    assert {r.field_name: r.status for r in inferred.field_results if r.status != "OK"} == {
        "diagnosis_code": "FAIL",
        "procedures[1].code": "FAIL",
    }


def test_accuracy_per_depth_and_its_weighted_means() -> None:
    reference = {"a": 1, "b": {"c": 2, "d": {"e": 3}}, "l": [4, 5]}
    prediction = {"a": 1, "b": {"c": 9, "d": {"e": 3}}, "l": [4, 9]}
    report = compare(prediction, reference, alpha=0.5)
    assert report.sums.depths == {0: (1, 1), 1: (3, 1), 2: (1, 1)}
    raw = 1 + 0.5 * (1 / 3) + 0.25 * 1
    assert report["nested_raw"] == pytest.approx(raw)
    assert report["nested_accuracy"] == pytest.approx(raw / 1.75)


def test_depths_without_leaves_are_left_out_and_deep_documents_do_not_vanish() -> None:
    deep: Any = {"x": 1}
    for _ in range(150):
        deep = {"d": deep}
    report = compare(deep, deep, alpha=0.001)
    assert report["nested_accuracy"] == 1.0


def test_weights_by_pattern_make_the_total() -> None:
    reference = {"id": "A1", "rows": [{"n": 1, "note": "x"}, {"n": 2, "note": "y"}]}
    prediction = {"id": "A2", "rows": [{"n": 1, "note": "x"}, {"n": 3, "note": "y"}]}
    assert compare(prediction, reference)["json_accuracy"] == pytest.approx((0 + 0.5 + 1) / 3)
    weighted = compare(prediction, reference, weights={"id": 2, "rows[*].n": 4, "**.note": 0})
    assert weighted["json_accuracy"] == pytest.approx((2 * 0 + 4 * 0.5) / 6)


def test_without_any_weight_there_is_no_total_and_an_issue_says_so() -> None:
    report = compare({"a": 1}, {"a": 1}, weights={"**": 0})
    assert report["json_accuracy"] is None
    assert "no_weight" in {issue.code for issue in report.issues}


def test_fields_add_up_by_pattern(certificate: Any, misread: Any) -> None:
    report = compare(misread, certificate)
    assert report.fields["procedures[*].code"] == FieldScore(2, 1, 1, pytest.approx(1.8))
    assert report.outcomes["mismatch"] == {"diagnosis_code": 1, "procedures[*].code": 1}


DOCUMENTS = st.fixed_dictionaries(
    {"a": st.integers(0, 2), "rows": st.lists(st.fixed_dictionaries({"n": st.sampled_from("xyz")}), max_size=4)},
    optional={"b": st.sampled_from(["p", None])},
)


@given(st.lists(st.tuples(DOCUMENTS, DOCUMENTS), min_size=1, max_size=6))
@settings(derandomize=True, deadline=None, max_examples=80)
def test_micro_averages_are_the_formulas_on_all_leaves_of_all_documents(pairs: list[tuple[Any, Any]]) -> None:
    evaluator = StructuredEvaluator(weights={"a": 3})
    outcomes = [evaluator.score(Sample(str(at), *pair)) for at, pair in enumerate(pairs)]
    summed: dict[str, float] = {}
    for outcome in outcomes:
        for name, value in outcome.stats.items():
            summed[name] = summed.get(name, 0.0) + value
    micro = micro_of(evaluator, summed)
    results = [r for pair in pairs for r in evaluator.compare(*pair).field_results]
    assert micro["exact_accuracy"] == pytest.approx(sum(r.exact_match for r in results) / len(results))
    assert micro["similarity"] == pytest.approx(sum(r.similarity for r in results) / len(results))
    patterns = {r.pattern for r in results}
    accuracy = {
        p: sum(r.exact_match for r in results if r.pattern == p) / sum(r.pattern == p for r in results)
        for p in patterns
    }
    weight = {p: 3.0 if p == "a" else 1.0 for p in patterns}
    expected = sum(weight[p] * accuracy[p] for p in patterns) / sum(weight.values())
    assert micro["json_accuracy"] == pytest.approx(expected)
    assert micro["ted"] == pytest.approx(sum(outcome.values["ted"] or 0 for outcome in outcomes) / len(outcomes))


def test_the_micro_average_of_one_document_is_its_own_value(certificate: Any, misread: Any) -> None:
    evaluator = StructuredEvaluator()
    outcome = evaluator.score(Sample("1", misread, certificate))
    assert micro_of(evaluator, outcome.stats) == outcome.values


def test_documents_with_very_many_fields_pool_the_rest_in_sums_and_not_in_values() -> None:
    reference = {f"k{at:04}": at for at in range(MOST_FIELDS + 50)}
    prediction = {key: value if value % 2 else -1 for key, value in reference.items()}
    report = compare(prediction, reference)
    assert report["json_accuracy"] == 0.5
    stats = report.sums.stats()
    assert sum(name.startswith("field.leaves:") for name in stats) == MOST_FIELDS + 1
    assert stats[f"field.leaves:{OTHER}"] == 50


def test_nothing_on_either_side_is_right_and_nothing_on_one_side_is_wrong() -> None:
    both = compare({"a": None}, {"a": None})
    assert both["precision"] == both["recall"] == both.f1 == 1.0
    one = compare({"a": None}, {"a": 1})
    assert one["precision"] == one["recall"] == one.f1 == 0.0


class TestSumLeaves:
    def test_leaves_are_added_up_by_pattern_depth_and_outcome(self) -> None:
        fields, depths, outcomes, similarity = sum_leaves(
            [
                leaf(True, True, 1.0, 0, "match", "a"),
                leaf(False, True, 0.9, 1, "mismatch", "b[*]"),
                leaf(True, True, 1.0, 1, "match", "b[*]"),
                leaf(False, False, 0.25, 1, "mismatch", "b[*]"),
                leaf(True, True, 1.0, 0, "both_absent", "a"),
            ]
        )
        assert fields == {"a": (2, 2, 2, 2.0), "b[*]": (3, 1, 2, 3.0 - (1.0 - 0.9) - 0.75)}
        assert depths == {0: (2, 2), 1: (3, 1)}
        assert outcomes == {"match": {"a": 1, "b[*]": 1}, "mismatch": {"b[*]": 2}, "both_absent": {"a": 1}}
        assert similarity == fsum([1.0, 0.9, 1.0, 0.25, 1.0])

    def test_equal_names_are_one_whoever_made_them(self) -> None:
        rows = [leaf(True, True, 1.0, 0, "".join(["ma", "tch"]), "".join(["tot", "al"])) for _ in range(3)]
        assert sum_leaves(rows)[2] == {"match": {"total": 3}}

    def test_nothing_adds_up_to_nothing(self) -> None:
        assert sum_leaves([]) == ({}, {}, {}, 0.0)

    @settings(max_examples=300, deadline=None, derandomize=True)
    @given(
        st.lists(
            st.tuples(
                *(st.booleans(), st.booleans(), st.floats(0, 1) | st.just(1.0), st.integers(0, 3)),
                *(st.sampled_from(["match", "mismatch", "missing"]), st.sampled_from("abc")),
            ),
            max_size=40,
        )
    )
    def test_leaves_add_up_one_by_one_to_the_last_bit(self, marks: list[Any]) -> None:
        fields, depths, outcomes, likeness = sum_leaves([leaf(*mark) for mark in marks])
        assert likeness == fsum(mark[2] for mark in marks)
        for pattern, score in fields.items():
            own = [mark for mark in marks if mark[5] == pattern]
            similarity = float(len(own))
            for mark in own:
                similarity -= 1.0 - mark[2]
            assert score == (len(own), sum(mark[0] for mark in own), sum(mark[1] for mark in own), similarity)
        assert {depth: leaves for depth, (leaves, _) in depths.items()} == Counter(mark[3] for mark in marks)
        assert {depth: exact for depth, (_, exact) in depths.items() if exact} == Counter(
            mark[3] for mark in marks if mark[0]
        )
        flat = {(outcome, pattern): n for outcome, table in outcomes.items() for pattern, n in table.items()}
        assert flat == Counter((mark[4], mark[5]) for mark in marks)


def leaf(exact: bool, fuzzy: bool, similarity: float, depth: int, outcome: Any, pattern: str) -> Row:
    return (pattern, "string", "x", "x", exact, fuzzy, similarity, depth, outcome, pattern)


def test_fields_that_are_pooled_count_as_many_as_they_are() -> None:
    reference = {f"f{n:04}": n for n in range(1000)}
    prediction = {name: value if value < 200 else -1 for name, value in reference.items()}
    result = evaluate([Sample(str(n), prediction, reference) for n in range(3)], "structured")
    described = result.summary["systems"][""]["metrics"]["json_accuracy"]
    assert described["macro"] == pytest.approx(0.2)
    assert described["micro"] == pytest.approx(0.2)
