"""Arrays by order and by assignment."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from jatdae.core.errors import UsageError
from jatdae.structured import compare
from jatdae.structured.field_settings import FieldRule
from jatdae.structured.field_tree import FieldTree
from jatdae.structured.leaves import Budget, Ways, similarity_of
from jatdae.structured.partners import Cell, add_similarities, pair_items
from jatdae.structured.walk import Walk

ROWS = [
    {"code": "Q2861", "name": "충수절제술", "cost": 800000},
    {"code": "N0501", "name": "전신마취", "cost": 200000},
    {"code": "E6541", "name": "초음파", "cost": 60000},
]
CELLS = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from(["", "a", "ab", "abc", "1,000", "60.000", "2024-03-15"]),
    st.integers(0, 3),
)
ITEMS = st.one_of(
    CELLS, st.dictionaries(st.sampled_from("xyz"), st.one_of(CELLS, st.lists(CELLS, max_size=2)), max_size=3)
)


def test_rows_that_swapped_places_are_right_in_set_mode_only() -> None:
    pair = {"rows": ROWS[::-1]}, {"rows": ROWS}
    assert compare(*pair).exact_accuracy == pytest.approx(1 / 3)
    report = compare(*pair, arrays={"rows": "set"})
    assert report.exact_accuracy == report.f1 == 1.0
    assert report["ted"] == 0.0
    assert report.partners == {"rows": [2, 1, 0]}


def test_a_mode_holds_for_its_path_and_not_for_others() -> None:
    reference = {"a": [1, 2], "b": [1, 2]}
    prediction = {"a": [2, 1], "b": [2, 1]}
    assert compare(prediction, reference, arrays={"a": "set"}).exact_accuracy == 0.5
    assert compare(prediction, reference, arrays="set").exact_accuracy == 1.0
    assert compare(prediction, reference, arrays={"**": "set", "b": "order"}).exact_accuracy == 0.5


def test_rows_go_with_the_rows_most_like_them() -> None:
    prediction = [
        {"code": "E6541", "name": "초음파", "cost": "60,000"},
        {"code": "NO501", "name": "전신마취", "cost": 200000},
        {"code": "Q2861", "name": "충수절제슬", "cost": 800000},
    ]
    report = compare({"rows": prediction}, {"rows": ROWS}, arrays="set")
    assert report.partners == {"rows": [2, 1, 0]}
    assert [result.field_name for result in report.field_results if not result.exact_match] == [
        "rows[0].name",
        "rows[1].code",
    ]


@pytest.mark.parametrize("mode", ["order", "set"])
@pytest.mark.parametrize(
    ("reference", "prediction", "exact", "missing", "extra"),
    [
        (["a", "a", "b"], ["a", "b"], 2, 1, 0),  # a dropped duplicate is seen
        (["a", "b"], ["a", "a", "b"], 2, 0, 1),  # so is one too many
        (["a", "a", "a"], ["a"], 1, 2, 0),
        ([{"x": 1}, {"x": 1}], [{"x": 1}], 1, 1, 0),
        (["a"], [], 0, 1, 0),
    ],
)
def test_duplicates_keep_their_number(
    reference: list[Any], prediction: list[Any], exact: int, missing: int, extra: int, mode: str
) -> None:
    report = compare({"rows": prediction}, {"rows": reference}, arrays=mode)
    lost = sum(result.outcome == "missing" for result in report.field_results)
    if mode == "set":
        assert (report.sums.exact, lost, len(report.extra_results)) == (exact, missing, extra)
    else:
        assert (lost, len(report.extra_results)) == (missing, extra)


def test_identical_items_are_paired_first_and_true_is_not_one() -> None:
    report = compare({"x": [True, 1, "1"]}, {"x": [1, True, "1"]}, arrays="set")
    assert report.partners == {"x": [1, 0, 2]}
    assert report.exact_accuracy == 1.0


def test_order_of_keys_does_not_hide_identical_items() -> None:
    fields = FieldTree([FieldRule("**", array="set")])
    comparison = Walk(Ways(), budget=Budget(work=0))
    assert pair_items(comparison, fields.root, "", [{"a": 1, "b": [2]}], [{"b": [2], "a": 1}]) == [(0, 0)]
    assert not comparison.unassigned


@given(st.lists(ITEMS, min_size=1, max_size=4), st.lists(ITEMS, min_size=1, max_size=4))
@settings(derandomize=True, deadline=None, max_examples=200)
def test_no_other_pairing_of_what_is_not_identical_is_more_alike(reference: list[Any], prediction: list[Any]) -> None:
    fields = FieldTree([FieldRule("$", array="set")])
    comparison = Walk(Ways())
    pairs = pair_items(comparison, fields.root, "", reference, prediction)
    assert len(pairs) == min(len(reference), len(prediction))
    assert len({a for a, _ in pairs}) == len({b for _, b in pairs}) == len(pairs)

    def alike(a: int, b: int) -> float:
        trial = Walk(Ways())
        trial.walk(fields.root.item(0), "", reference[a], prediction[b])
        return sum(map(similarity_of, trial.rows))

    def same(a: int, b: int) -> bool:
        return repr(reference[a]) == repr(prediction[b])

    rest_a = [a for a, b in pairs if not same(a, b)]
    rest_b = [b for a, b in pairs if not same(a, b)]
    found = sum(alike(a, b) for a, b in pairs if not same(a, b))
    best = max((sum(map(alike, rest_a, order)) for order in permutations(rest_b)), default=0.0)
    assert found == pytest.approx(best)


@given(st.lists(ITEMS, max_size=5), st.randoms(use_true_random=False))
@settings(derandomize=True, deadline=None, max_examples=100)
def test_a_shuffled_array_is_the_same_set(items: list[Any], random: Any) -> None:
    shuffled = items[:]
    random.shuffle(shuffled)
    report = compare({"x": shuffled}, {"x": items}, arrays={"x": "set"})
    assert report.exact_accuracy == report.f1 == report.structural_accuracy == 1.0
    assert report["ted"] == report["ted_keyed"] == 0.0


def test_sets_inside_sets_are_matched_as_wholes() -> None:
    reference = {"orders": [{"no": "A", "items": ["x", "y"]}, {"no": "B", "items": ["z", "w"]}]}
    prediction = {"orders": [{"no": "?", "items": ["w", "z"]}, {"no": "A", "items": ["y", "x"]}]}
    report = compare(prediction, reference, arrays="set")
    assert report.partners["orders"] == [1, 0]  # type: ignore[index]
    assert report.exact_accuracy == pytest.approx(5 / 6)


def test_amounts_with_other_separators_find_their_rows() -> None:
    reference = {"menu": [{"price": f"{n}.000"} for n in range(20, 40)]}
    prediction = {"menu": [{"price": f"{n},000"} for n in range(39, 19, -1)]}
    assert compare(prediction, reference, arrays="set").exact_accuracy == 1.0


def test_settings_for_one_index_hold_in_a_set_too() -> None:
    reference = {"rows": [{"x": "2024-01-02"}, {"x": "2024-01-03"}]}
    prediction = {"rows": [{"x": "3 Jan 2024"}, {"x": "2 Jan 2024"}]}
    report = compare(prediction, reference, arrays={"rows": "set"}, types={"rows[1].x": "string"})
    assert [result.field_type for result in report.field_results] == ["date", "string"]
    assert report.partners == {"rows": [1, 0]}


def test_too_many_items_are_paired_by_order_and_an_issue_says_so(limit_budget: Callable[..., None]) -> None:
    limit_budget(work=5)
    report = compare({"x": ["b", "a", "hij", "efg"]}, {"x": ["a", "b", "efgh", "hijk"]}, arrays="set")
    assert [issue.code for issue in report.issues if issue.code != "no_schema"] == ["array_too_large"]
    assert report.partners == {"x": [1, 0, 2, 3]}  # identical items find each other all the same


def test_texts_too_long_to_align_are_paired_by_order(limit_budget: Callable[..., None]) -> None:
    limit_budget(cells=10)
    long = ["a" * 3000, "b" * 3000]
    report = compare({"x": [text + "!" for text in long[::-1]]}, {"x": long}, arrays="set")
    assert {issue.code for issue in report.issues} >= {"array_too_large", "long_text"}
    assert report.similarity == 0.0


def test_true_is_not_a_list_of_one() -> None:
    report = compare([[1], True, "q"], [True, "q2", ["z"]], arrays={"**": "set"})
    assert report.partners["$"] == [1, 2, 0]


class TestSimilarities:
    def test_is_one_less_the_normalised_distance(self) -> None:
        assert _alike(["kitten"], ["sitting", "kitten", "kit"]) == [[1 - 3 / 7, 1.0, 0.5]]

    def test_a_shared_reading_is_enough(self) -> None:
        assert _alike([("60000", "60")], [60, ("6", "60000"), ("61", "7")]) == [[1.0, 1.0, 1 - 4 / 5]]

    def test_a_whole_number_stands_for_its_digits(self) -> None:
        assert _alike([-120, 10**17], ["-120", "12", 10**17]) == [
            [1.0, 0.5, 1 - 17 / 18],
            [1 - 17 / 18, 1 - 17 / 18, 1.0],
        ]

    def test_what_is_not_there_is_like_nothing(self) -> None:
        assert _alike([("",), "a"], ["", "b"]) == [[1.0, 0.0], [0.0, 0.0]]

    def test_is_added_to_the_rows_that_are_named(self) -> None:
        total = np.full((3, 1), 0.25)
        assert add_similarities(total, [2, 0], ["ab", "cd"], ["ab"]) == 8
        assert total.tolist() == [[0.25], [0.25], [1.25]]

    def test_too_many_characters_add_nothing(self) -> None:
        total = np.zeros((1, 2))
        assert add_similarities(total, [0], ["abc"], ["abc", "d"], most=11) == 12
        assert not total.any()
        add_similarities(total, [0], ["abc"], ["abc", "d"], most=12)
        assert total.tolist() == [[1.0, 0.0]]

    def test_many_cells_are_as_alike_as_few(self) -> None:
        ours: list[Cell] = [f"cell {n} " * (n % 9) for n in range(30)]
        theirs: list[Cell] = [*(f"call {n}" for n in range(20)), *range(10)]
        assert _alike(ours, theirs) == [_alike([a], theirs)[0] for a in ours]

    @pytest.mark.parametrize("length", [400, 499, 500, 3000])
    def test_long_texts_are_compared_like_short_ones(self, length: int) -> None:
        a, b = "ab가" * length, "ba가" * length
        assert _alike([a[:length]], [b[:length]]) == [[Levenshtein.normalized_similarity(a[:length], b[:length])]]


texts = st.text("ab가\u0301😀", max_size=80) | st.text(st.characters(exclude_categories=()), max_size=12)
cells = st.lists(
    texts | st.integers(-(2**63), 2**63 - 1) | st.lists(texts, min_size=1, max_size=3).map(tuple), max_size=7
)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(texts, texts)
def test_similarity_is_that_of_rapidfuzz(a: str, b: str) -> None:
    assert _alike([a], [b]) == [[Levenshtein.normalized_similarity(a, b)]]


@settings(max_examples=300, deadline=None, derandomize=True)
@given(cells, cells, st.integers(0, 3), st.randoms())
def test_similarities_of_columns_are_those_of_their_cells_to_the_last_bit(
    ours: list[Cell], theirs: list[Cell], spare: int, draw: Any
) -> None:
    rows = draw.sample(range(len(ours) + spare), len(ours))
    total = np.full((len(ours) + spare, len(theirs)), 0.1)
    expected = total.copy()
    for row, a in zip(rows, map(_readings, ours), strict=True):
        for column, b in enumerate(map(_readings, theirs)):
            expected[row, column] += 1.0 if set(a) & set(b) else Levenshtein.normalized_similarity(a[0], b[0])
    found = add_similarities(total, rows, ours, theirs)
    assert found == sum(len(_readings(a)[0]) for a in ours) * sum(len(_readings(b)[0]) for b in theirs)
    assert total.tobytes() == expected.tobytes()


def _readings(cell: Cell) -> tuple[str, ...]:
    return cell if isinstance(cell, tuple) else (str(cell),)


def _alike(ours: list[Cell], theirs: list[Cell]) -> list[list[float]]:
    total = np.zeros((len(ours), len(theirs)))
    add_similarities(total, list(range(len(ours))), ours, theirs)
    found: list[list[float]] = total.tolist()
    return found


KEYED = [{"code": "A1", "q": 1}, {"code": "B2", "q": 5}, {"q": 9}]


def partners_by(arrays: Any, prediction: list[Any], reference: list[Any], **settings: Any) -> list[int | None]:
    found = compare({"rows": prediction}, {"rows": reference}, arrays={"rows": arrays}, **settings).partners
    return list((found or {})["rows"])


@pytest.mark.parametrize("arrays", [{"key": ["code"]}, "key:code", {"key": ("code",)}])
def test_rows_with_one_key_are_partners_whatever_else_they_hold(arrays: Any) -> None:
    reference = [{"code": "B2", "q": 1}, {"code": "A1", "q": 5}]
    assert partners_by(arrays, KEYED[:2], reference) == [1, 0]
    assert partners_by("set", KEYED[:2], [{"code": "B3", "q": 1}, {"code": "A4", "q": 5}]) == [0, 1]


def test_keys_written_in_another_way_are_one_key() -> None:
    reference = [{"code": "A-17", "q": 1}, {"code": "B2", "q": 2}, {"code": "A1-7", "q": 3}]
    prediction = [{"code": "b 2", "q": 9}, {"code": "a17", "q": 3}, {"code": "A1-7", "q": 0}]
    report = compare(
        {"items": prediction}, {"items": reference}, arrays={"items": "key:code"}, thresholds={"items": 1.0}
    )
    assert report.partners == {"items": [1, 0, 2]}


def test_rows_without_a_key_are_paired_as_a_set() -> None:
    assert partners_by("key:code", KEYED, [{"q": 9}, {"code": "C", "q": 1}, {"code": "B2", "q": 0}]) == [2, 0, 1]


def test_keys_are_compared_as_values_and_used_once() -> None:
    reference = [{"n": "1,200", "v": "x"}, {"n": 1200, "v": "y"}, {"n": 3, "v": "z"}]
    assert partners_by("key:n", [{"n": 3}, {"n": "1200"}, {"n": "₩1,200"}], reference) == [1, 2, 0]


def test_a_key_may_be_of_several_fields_and_lie_deeper() -> None:
    reference = [{"p": {"id": "x"}, "d": 1}, {"p": {"id": "x"}, "d": 2}]
    assert partners_by("key:p.id,d", reference[::-1], reference) == [1, 0]


def test_rows_below_the_threshold_are_missing_and_extra() -> None:
    prediction, reference = {"rows": [{"a": "xyz", "b": 1}]}, {"rows": [{"a": "abc", "b": 1}]}
    for threshold, missing in ((0.5, 0), (0.51, 2)):
        report = compare(prediction, reference, arrays="set", thresholds={"rows": threshold})
        assert sum(report.outcomes.get("missing", {}).values()) == missing
        assert sum(report.outcomes.get("extra", {}).values()) == missing


@pytest.mark.parametrize("arrays", ["key:", "key:a,,b", {"key": []}, {"key": ["a["]}, {"keys": ["a"]}, "sets", 5])
def test_what_is_no_way_to_pair_is_told_with_its_place(arrays: Any) -> None:
    with pytest.raises(UsageError, match=r"arrays\.rows"):
        partners_by(arrays, KEYED, KEYED)


@settings(derandomize=True, deadline=None, max_examples=30)
@given(st.permutations(range(6)))
def test_rows_with_keys_are_found_in_any_order(order: list[int]) -> None:
    reference = [{"k": f"id-{at}", "v": at} for at in range(6)]
    assert partners_by("key:k", [reference[at] for at in order], reference) == [order.index(at) for at in range(6)]
