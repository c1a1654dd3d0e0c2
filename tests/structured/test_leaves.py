"""What becomes of a leaf: every pair of value, null, empty, missing and container."""

from __future__ import annotations

from typing import Any

import pytest

from jatdae.structured import compare
from jatdae.structured.leaves import OUTCOMES

ABSENT = object()
STATES: dict[str, Any] = {"value": "x", "null": None, "empty": "", "missing": ABSENT, "container": {"a": 1, "b": 2}}

TABLE = """
             value         null           empty           missing      container
value        match         null_instead   empty_instead   missing      mismatch
null         extra         both_absent    empty_instead   missing      extra
empty        extra         null_instead   both_absent     missing      extra
missing      extra         extra          extra           -            extra
container    mismatch      null_instead   empty_instead   missing      match
"""
SAME = """
             value         null           empty           missing      container
value        match         null_instead   empty_instead   missing      mismatch
null         extra         both_absent    both_absent     both_absent  extra
empty        extra         both_absent    both_absent     both_absent  extra
missing      extra         -              -               -            extra
container    mismatch      null_instead   empty_instead   missing      match
"""


def cells(table: str) -> list[tuple[str, str, str]]:
    header, *rows = [line.split() for line in table.strip().splitlines()]
    return [(name, column, outcome) for name, *found in rows for column, outcome in zip(header, found, strict=True)]


def side(state: str) -> dict[str, Any]:
    """A document with one field in a state, beside another that is always right."""
    return {"k": 0} if STATES[state] is ABSENT else {"k": 0, "f": STATES[state]}


@pytest.mark.parametrize("nulls", ["distinct", "same"])
@pytest.mark.parametrize(("reference", "prediction", "outcome"), cells(TABLE))
def test_every_pair_of_states_has_its_outcome(reference: str, prediction: str, outcome: str, nulls: str) -> None:
    if nulls == "same":
        outcome = {(r, p): o for r, p, o in cells(SAME)}[reference, prediction]
    report = compare(side(prediction), side(reference), nulls=nulls)
    found = {r.outcome for r in (*report.field_results, *report.extra_results) if r.field_name.startswith("f")}
    assert found == ({outcome} if outcome != "-" else set())


@pytest.mark.parametrize(
    ("reference", "prediction", "accuracy", "precision", "recall"),
    [
        ("value", "value", 1.0, 1.0, 1.0),
        ("value", "null", 0.5, 1.0, 0.5),
        ("value", "missing", 0.5, 1.0, 0.5),
        ("null", "null", 1.0, 1.0, 1.0),
        ("null", "value", 0.5, 0.5, 1.0),
        ("missing", "value", 1.0, 0.5, 1.0),  # an extra key leaves accuracy alone; precision and F1 charge for it
        ("missing", "null", 1.0, 0.5, 1.0),
        ("value", "container", 0.5, 1 / 3, 0.5),  # one leaf wrong, two predicted for it
        ("container", "value", 1 / 3, 0.5, 1 / 3),
        ("container", "missing", 1 / 3, 1.0, 1 / 3),
        ("missing", "container", 1.0, 1 / 3, 1.0),
        ("null", "container", 0.5, 1 / 3, 1.0),
    ],
)
def test_outcomes_count_on_the_side_that_says_something(
    reference: str, prediction: str, accuracy: float, precision: float, recall: float
) -> None:
    report = compare(side(prediction), side(reference))
    assert report.exact_accuracy == pytest.approx(accuracy)
    assert report["precision"] == pytest.approx(precision)
    assert report["recall"] == pytest.approx(recall)


@pytest.mark.parametrize(
    ("reference", "prediction", "outcome"),
    [
        (0, 0, "match"),
        (False, False, "match"),
        (0, None, "null_instead"),
        (False, ABSENT, "missing"),
        ("  ", "\t", "both_absent"),
        ([], [], "match"),
        ({}, {}, "match"),
        ([], {}, "mismatch"),
        ([], "", "mismatch"),
        ([], None, "null_instead"),
        ([], ABSENT, "missing"),
        ([], "x", "extra"),
        ("x", [], "empty_instead"),
        ("x", {}, "empty_instead"),
        (None, [], "empty_instead"),
    ],
)
def test_zero_and_false_are_values_and_an_empty_container_is_a_leaf(
    reference: Any, prediction: Any, outcome: str
) -> None:
    report = compare({} if prediction is ABSENT else {"f": prediction, "k": 0}, {"f": reference, "k": 0})
    assert report.field_results[0].outcome == outcome


def test_empty_containers_are_absent_where_absences_are_the_same() -> None:
    for prediction in ({"k": 0}, {"k": 0, "f": None}, {"k": 0, "f": ""}, {"k": 0, "f": []}):
        report = compare(prediction, {"f": [], "k": 0}, nulls="same")
        assert report.exact_accuracy == report.f1 == report.structural_accuracy == 1.0


@pytest.mark.parametrize(
    ("reference", "prediction", "outcome", "missing"),
    [
        ({"f": [1, 2]}, {"f": []}, "missing", ["f[0]", "f[1]"]),
        ({"f": {"a": 1}}, {"f": {}}, "missing", ["f.a"]),
        ({"a": 1, "b": 2}, {}, "missing", ["a", "b"]),
        ([1], [], "missing", ["[0]"]),
        ({"f": [1, 2]}, {"f": {}}, "empty_instead", []),
        ({"f": {"a": 1}}, {"f": ""}, "empty_instead", []),
        ([], [1, 2], "extra", []),
    ],
)
def test_an_empty_container_of_the_right_kind_has_everything_missing(
    reference: Any, prediction: Any, outcome: str, missing: list[str]
) -> None:
    report = compare(prediction, reference)
    assert {result.outcome for result in report.field_results} == {outcome}
    assert list(report.missing_fields) == missing
    assert report.exact_accuracy == report.structural_accuracy == 0.0


def test_a_whole_object_instead_of_null_is_one_wrong_leaf_and_all_of_its_own_are_extra() -> None:
    report = compare({"f": {"a": 1, "b": 2}}, {"f": None})
    assert report.exact_accuracy == 0.0
    assert report.structural_accuracy == 0.0
    assert report.sums.predicted == 2


@pytest.mark.parametrize(
    ("reference", "prediction"),
    [
        ({"f": [1, 2, 3]}, {"f": 5}),
        ({"f": 5}, {"f": [1, 2, 3]}),
        ({"f": [1, 2, 3]}, {"f": {"a": 1}}),
        ({"f": {"a": 1}}, {"f": [1, 2, 3]}),
        ([1, 2], {"a": 1}),
        ({"a": 1}, [1, 2]),
        ({"a": 1}, 5),
        (5, {"a": 1}),
        ([[1, 2]], [3]),
    ],
)
def test_a_container_against_another_thing_is_wrong_in_all_its_leaves_and_no_crash(
    reference: Any, prediction: Any
) -> None:
    report = compare(prediction, reference)
    assert {result.outcome for result in report.field_results} == {"mismatch"}
    assert report.exact_accuracy == report.structural_accuracy == report.f1 == 0.0


def test_every_outcome_is_in_the_tables() -> None:
    assert set(OUTCOMES) - {"wrapped"} == {outcome for table in (TABLE, SAME) for *_, outcome in cells(table)} - {"-"}
