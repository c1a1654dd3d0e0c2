"""Paths and patterns, and which settings hold where."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.core.errors import UsageError
from jatdae.structured import compare
from jatdae.structured.field_settings import MAX_FIELDS, Field, FieldRule, FieldTree
from jatdae.structured.paths import (
    ANY_DEPTH,
    ANY_INDEX,
    ANY_KEY,
    as_pattern,
    parse_pattern,
    specificity,
    written_path,
)


def place(fields: FieldTree, *way: str | int) -> Field:
    found = fields.root
    for step in way:
        found = found.item(step) if isinstance(step, int) else found.key(step)
    return found


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("total", ("total",)),
        ("$", ()),
        ("$.total", ("total",)),
        ("procedures[*].cost", ("procedures", ANY_INDEX, "cost")),
        ("procedures[12].cost", ("procedures", 12, "cost")),
        ("[*].cost", (ANY_INDEX, "cost")),
        ("$[0]", (0,)),
        ("**.date", (ANY_DEPTH, "date")),
        ("meta.*", ("meta", ANY_KEY)),
        ('a["b.c"].d', ("a", "b.c", "d")),
        ('["*"]', ("*",)),
        ("합계.금액", ("합계", "금액")),
        ("two words", ("two words",)),
    ],
)
def test_a_pattern_is_read_part_by_part(text: str, parts: tuple[Any, ...]) -> None:
    read = parse_pattern(text)
    assert read == parts
    assert [type(part) for part in read] == [type(part) for part in parts]


@pytest.mark.parametrize("text", ["", "a..b", "a.", "a[", "a[x]", "a]b", "a*b", '["a', "a[-1]", '["\\x"]'])
def test_a_pattern_that_cannot_be_read_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(UsageError, match=r"path|empty"):
        parse_pattern(text)


@given(st.lists(st.one_of(st.text(max_size=8), st.integers(0, 99)), max_size=5))
@settings(derandomize=True, deadline=None, max_examples=200)
def test_a_written_path_reads_back_as_its_keys_and_indices(way: list[str | int]) -> None:
    assert parse_pattern(written_path(way)) == tuple(way)


def test_a_path_becomes_a_pattern_by_opening_its_indices() -> None:
    assert as_pattern("a[0].b[12]") == "a[*].b[*]"


@pytest.mark.parametrize(
    ("weaker", "stronger"),
    [
        ("**", "*"),
        ("**", "date"),
        ("**.date", "*.date"),
        ("**.date", "visit.date"),
        ("visit.*", "*.date"),
        ("visits[*].date", "visits[0].date"),
        ("**.date", "visits[*].date"),
    ],
)
def test_the_most_specific_pattern_wins_in_any_order(weaker: str, stronger: str) -> None:
    assert specificity(parse_pattern(weaker)) < specificity(parse_pattern(stronger))
    way = {"date": ("date",), "*": ("x",)}.get(
        stronger, ("visits", 0, "date") if "visits" in stronger else ("visit", "date")
    )
    rules = [FieldRule(weaker, tau=0.3), FieldRule(stronger, tau=0.7)]
    for given_rules in (rules, rules[::-1]):
        assert place(FieldTree(given_rules), *way).tau == 0.7


def test_each_setting_comes_from_the_most_specific_rule_that_has_it() -> None:
    fields = FieldTree(
        [FieldRule("visits[*].date", weight=3), FieldRule("**.date", type="date", weight=2), FieldRule("**", tau=0.5)]
    )
    found = place(fields, "visits", 1, "date")
    assert (found.kind, found.weight, found.tau, found.tolerance) == ("date", 3, 0.5, 0.0)


def test_of_equally_specific_rules_the_last_holds() -> None:
    assert place(FieldTree([FieldRule("a", tau=0.3), FieldRule("a", tau=0.4)]), "a").tau == 0.4


@pytest.mark.parametrize(
    ("pattern", "ways", "others"),
    [
        ("**.date", [("date",), ("a", "date"), ("a", 0, "b", "date")], [("dates",), ("date", "x")]),
        ("a.**", [("a",), ("a", "b"), ("a", 0, "b")], [("b",), ("b", "a")]),
        ("a.**.z", [("a", "z"), ("a", "b", 0, "z")], [("z",), ("a",)]),
        ("*", [("a",), ("b",)], [("a", "b"), (0,)]),
        ("[*]", [(0,), (7,)], [("a",), (0, 0)]),
        ("[1]", [(1,)], [(0,), (2,), ("1",)]),
        ("$", [()], [("a",), (0,)]),
    ],
)
def test_a_pattern_matches_the_places_it_stands_for(
    pattern: str, ways: list[tuple[str | int, ...]], others: list[tuple[str | int, ...]]
) -> None:
    fields = FieldTree([FieldRule(pattern, tau=0.9)])
    assert [place(fields, *way).tau for way in ways] == [0.9] * len(ways)
    assert [place(fields, *way).tau for way in others] == [0.1] * len(others)


def test_a_field_is_named_by_its_pattern_and_knows_its_depth() -> None:
    found = place(FieldTree(), "procedures", 3, "unit.price")
    assert found.name == 'procedures[*]["unit.price"]'
    assert found.depth == 2


def test_a_weight_is_found_by_the_name_of_its_field() -> None:
    fields = FieldTree([FieldRule("rows[*].cost", weight=5), FieldRule("rows[0].cost", weight=9)])
    assert fields.weights(["rows[*].cost", "total", "<other>"]) == [5, 1, 1]
    assert FieldTree([FieldRule("**", weight=3)]).weights(["<b>", "<other>"]) == [3, 1]


def test_settings_by_path_reach_the_comparison() -> None:
    reference = {"name": "Consulting services", "note": "Consulting services", "total": 100, "tax": 100}
    prediction = {"name": "Consulting servlces", "note": "Consulting servlces", "total": 101, "tax": 101}
    report = compare(prediction, reference, taus={"note": 0.01}, tolerances={"total": 0.02})
    assert [result.fuzzy_match for result in report.field_results] == [True, False, True, False]


def test_skipped_fields_are_in_no_number() -> None:
    reference = {"id": 1, "meta": {"model": "a", "score": 1}, "rows": [{"n": 1, "conf": 0.5}, {"n": 2, "conf": 0.5}]}
    prediction = {"id": 1, "meta": {"model": "b"}, "rows": [{"n": 1, "conf": 0.9}, {"n": 2}], "seen": True}
    report = compare(prediction, reference, skips=("meta", "**.conf", "seen"))
    assert report.exact_accuracy == report.f1 == report.structural_accuracy == 1.0
    assert report["ted"] == report["ted_keyed"] == 0.0
    assert len(report.field_results) == 3


def test_a_container_that_loses_all_it_has_is_not_an_empty_one() -> None:
    report = compare({"a": 1, "b": {"x": 2}}, {"a": 1, "b": {"x": 1}}, skips=("b.x",))
    assert [result.field_name for result in report.field_results] == ["a"]


def test_a_reference_with_nothing_left_has_no_numbers_and_says_so() -> None:
    report = compare({"a": 1}, {"a": 1}, skips=("**",))
    assert set(report.values.values()) == {None}
    assert [issue.code for issue in report.issues] == ["no_fields"]


def test_keys_that_are_data_do_not_fill_the_memory() -> None:
    fields = FieldTree([FieldRule("**.x", tau=0.3)])
    for number in range(MAX_FIELDS + 10):
        fields.root.key(str(number))
    fields.trim()
    assert not fields.root.keys
    assert place(fields, "y", "x").tau == 0.3
