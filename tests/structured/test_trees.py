"""Documents as trees: the exact distance, the key-anchored one, and when the one is known to be the other."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.core.errors import DataError
from jatdae.kernels.tree import Tree, tree_distance
from jatdae.structured import compare, tree_edit_distance, trees
from jatdae.structured.field_tree import FieldTree
from jatdae.structured.leaves import Ways
from jatdae.structured.trees import Costs, distance
from jatdae.structured.walk import Walk

LEAVES = st.sampled_from([1, 2, "a", "b", "1", None, "null", True, "true", [], {}])
DOCUMENTS = st.recursive(
    LEAVES,
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.sampled_from("abcd"), below, max_size=3),
    max_leaves=10,
)


def bracketed(text: str) -> tuple[list[int], list[str]]:
    """Parents and labels of a tree in bracket notation, in preorder."""
    parents: list[int] = []
    labels: list[str] = []
    open_nodes: list[int] = []
    for mark, label in re.findall(r"([{}])([^{}]*)", text):
        if mark == "{":
            parents.append(open_nodes[-1] if open_nodes else -1)
            labels.append(label)
            open_nodes.append(len(labels) - 1)
        else:
            open_nodes.pop()
    return parents, labels


def test_all_81_pairs_of_the_conformance_set_are_exact(data: Callable[[str], str]) -> None:
    lines = [line for line in data("ted_pairs.txt").splitlines() if line.strip() and not line.startswith("#")]
    cases = list(zip(lines[::3], lines[1::3], lines[2::3], strict=True))
    assert len(cases) == 81
    for first, second, expected in cases:
        numbers: dict[str, int] = {}
        a, b = (
            Tree(parents, [numbers.setdefault(label, len(numbers)) for label in labels])
            for parents, labels in (bracketed(first), bracketed(second))
        )
        assert tree_distance(a, b) == float(expected), (first, second)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ({}, {}, 0),
        ({"a": 1}, {"a": 1}, 0),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, 0),  # keys are sorted
        ({"a": 1}, {"a": 2}, 1),
        ({"a": 1}, {"a": "1"}, 0),  # written values
        ({"a": None}, {"a": "null"}, 1),
        ({"a": True}, {"a": "true"}, 1),
        ({"a": []}, {"a": {}}, 1),
        ({"a": 1}, {"b": 1}, 1),  # another key is another label
        ({"a": 1}, {}, 2),  # the leaf goes, and the object becomes an empty one
        ({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}}, 1),
        ([1, 2, 3], [1, 2], 1),
        ({"x": {"a": 1, "b": 2}}, {"a": 1, "b": 2}, 1),  # a level too many is one node
        (1, 2, 1),
    ],
)
def test_the_distance_of_small_documents(a: Any, b: Any, expected: int) -> None:
    assert tree_edit_distance(a, b) == tree_edit_distance(b, a) == expected


def test_a_level_too_many_costs_one_node_by_the_exact_distance_and_all_by_the_keyed() -> None:
    report = compare({"x": {"a": 1, "b": 2}}, {"a": 1, "b": 2})
    assert report["ted"] == 1.0
    assert report["ted_keyed"] == 5.0


def test_normalised_by_both_trees_an_all_wrong_document_stays_below_one_half() -> None:
    report = compare({"a": 1, "b": 2, "c": 3}, {"a": 7, "b": 8, "c": 9})
    assert report["nted"] == 3 / 8
    assert report["nted_max"] == 3 / 4


def keyed(a: Any, b: Any) -> int:
    """The key-anchored distance as its definition has it, one node at a time."""

    def children(value: Any) -> dict[Any, Any]:
        return value if isinstance(value, dict) else dict(enumerate(value)) if isinstance(value, list) else {}

    def size(value: Any) -> int:
        return 1 + sum(map(size, children(value).values()))

    def label(value: Any) -> Any:
        if children(value):
            return "container"
        special = value is None or isinstance(value, (bool, dict, list))
        return repr(value) if special else "=" + str(value)

    # An index is not a key, even where the two are written alike.
    ours, theirs = ({(isinstance(value, list), key): item for key, item in children(value).items()} for value in (a, b))
    common = ours.keys() & theirs.keys()
    cost = int(label(a) != label(b)) + sum(keyed(ours[key], theirs[key]) for key in common)
    cost += sum(size(item) for key, item in ours.items() if key not in common)
    return cost + sum(size(item) for key, item in theirs.items() if key not in common)


@given(DOCUMENTS, DOCUMENTS)
@settings(derandomize=True, deadline=None, max_examples=200)
def test_the_keyed_distance_is_its_definition_and_bounds_the_exact_one(a: Any, b: Any) -> None:
    a, b = {"document": a}, {"document": b}
    report = compare(a, b)
    assert report["ted_keyed"] == keyed(a, b)
    assert report["ted"] == tree_edit_distance(a, b) <= keyed(a, b)
    sizes = (report.sums.keyed_nodes, report.sums.ted_larger)
    counted = [len(trees._plant(value, {}).parents) for value in (a, b)]
    assert sizes == (sum(counted), max(counted))


@given(
    DOCUMENTS,
    DOCUMENTS,
    st.tuples(*[st.sampled_from([0.5, 1.0, 3.0])] * 3).map(lambda costs: Costs(*costs)),
    st.sampled_from(["distinct", "same"]),
)
@settings(derandomize=True, deadline=None, max_examples=200)
def test_where_the_kernel_is_spared_it_would_have_said_the_same(a: Any, b: Any, costs: Costs, nulls: Any) -> None:
    comparison = Walk(Ways(nulls=nulls))
    comparison.walk(FieldTree().root, "", b, a)
    exact = distance(a, b, costs)
    assert exact <= comparison.edits.cost(costs) + 1e-9
    if comparison.edits.are_least(costs):
        assert exact == pytest.approx(comparison.edits.cost(costs))


def test_the_kernel_is_spared_where_only_values_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees, "tree_distance", None)
    report = compare({"a": {"b": "x", "c": [1, 2]}, "d": 1}, {"a": {"b": "y", "c": [1, 3]}, "d": 1, "e": 5})
    assert report["ted"] == 3.0


def test_costs_are_settings() -> None:
    prediction, reference = {"a": 1, "x": 1}, {"a": 2, "y": {"z": 3}}
    report = compare(prediction, reference, cost_relabel=0.5, cost_delete=2.0, cost_insert=4.0)
    assert report["ted_keyed"] == 0.5 + 2.0 + 2 * 4.0
    assert report["ted"] == 0.5 + 0.5 + 4.0


def test_beyond_the_node_limit_there_is_no_exact_distance_and_an_issue_says_so() -> None:
    reference = {"rows": list(range(20))}
    assert compare(reference, reference, ted_nodes=22)["ted"] == 0.0
    report = compare(reference, reference, ted_nodes=21)
    assert report["ted"] is report["nted"] is report["nted_max"] is None
    assert report["ted_keyed"] == report["nted_keyed"] == 0.0
    assert "ted_off" in {issue.code for issue in report.issues}


def test_a_pair_too_hard_for_the_kernel_has_no_exact_distance(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> float:
        raise trees.TreeTooLarge("too hard")

    monkeypatch.setattr(trees, "tree_distance", refuse)
    report = compare({"a": [1]}, {"b": {"c": 2}})
    assert report["ted"] is None
    assert report["ted_keyed"] == 4.0


def test_a_prediction_that_cannot_be_read_is_a_tree_without_nodes() -> None:
    report = compare("no json", {"a": 1, "b": [2]})
    assert report["ted"] == report["ted_keyed"] == 4.0
    assert report["nted"] == report["nted_max"] == report["nted_keyed"] == 1.0


def test_equal_numbers_written_differently_are_one_label_apart() -> None:
    report = compare('{"a": 60.0, "b": 1.5, "c": "x"}', '{"a": 60.00, "b": 1.5, "c": "x"}')
    assert report.exact_accuracy == 1.0
    assert report["ted"] == report["ted_keyed"] == tree_edit_distance({"a": "60.0"}, {"a": "60.00"}) == 1.0


def test_in_set_mode_items_stand_where_their_partners_do() -> None:
    reference = {"rows": [{"n": "a"}, {"n": "b"}, {"n": "c"}]}
    prediction = {"rows": [{"n": "c"}, {"n": "a"}]}
    assert compare(prediction, reference, arrays="set")["ted"] == 2.0
    assert compare(prediction, reference)["ted"] == 4.0


@pytest.mark.parametrize("document", [{1: 2}, {"a": object()}, {"a": {1, 2}}, [1j]])
def test_what_is_no_json_has_no_tree(document: Any) -> None:
    with pytest.raises(DataError, match="JSON does not have"):
        tree_edit_distance(document, {})


def test_a_document_too_deep_has_no_tree_and_no_crash() -> None:
    deep: Any = 1
    for _ in range(10_000):
        deep = [deep]
    with pytest.raises(DataError, match="nested deeper"):
        tree_edit_distance(deep, deep)
