"""Comparing two results inside slices: paired as the whole is, without tests, the largest where there are many."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jatdae import Sample
from jatdae.run.api import evaluate
from jatdae.run.stats.compare import compare, compare_slices
from jatdae.run.stats.result import Result

Plugin = Callable[..., Any]


def scored(plugin: Plugin, texts: list[str], kinds: list[str]) -> Result:
    """Samples in clusters of two, each with a label; one without a label is in the slice "" of a run."""
    samples = [
        Sample(f"s{at}", text, "abcd", {"kind": kind} if kind else {}, cluster=f"c{at // 2}")
        for at, (text, kind) in enumerate(zip(texts, kinds, strict=True))
    ]
    return evaluate(samples, plugin("marks:Marks"), slices=["kind"])


WRITTEN = st.sampled_from(["abcd", "abc", "a", "abcde"])


@settings(derandomize=True, max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(WRITTEN, WRITTEN), min_size=1, max_size=30))
def test_a_slice_that_holds_all_pairs_has_the_numbers_of_the_whole(
    plugin: Plugin, pairs: list[tuple[str, str]]
) -> None:
    n = len(pairs)
    a, b = (scored(plugin, [pair[side] for pair in pairs], ["page"] * n) for side in (0, 1))
    one_more = scored(plugin, [*(pair[0] for pair in pairs), "abcd"], [*["page"] * n, "line"])
    for metric in ("exact", "gap"):
        (sliced,) = compare_slices(one_more, b, metric)
        assert sliced.key == "kind"
        assert sliced.slices["page"] == replace(compare(a, b)[metric], p=None, p_holm=None)
        assert (sliced.slices["line"].n, sliced.slices["line"].unpaired) == (0, 1)


@settings(derandomize=True, max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(WRITTEN, WRITTEN, st.sampled_from(["page", "line", ""])), min_size=1, max_size=30))
def test_slices_add_up_to_the_whole(plugin: Plugin, rows: list[tuple[str, str, str]]) -> None:
    kinds = [kind for _, _, kind in rows]
    a, b = (scored(plugin, [row[side] for row in rows], kinds) for side in (0, 1))
    whole, found = compare(a, b)["gap"], compare_slices(a, b, "gap")
    assert [list(each.slices) for each in found] == ([sorted(set(kinds))] if len(set(kinds)) > 1 else [])
    for each in found:
        parts = each.slices.values()
        for name in ("n", "wins", "ties", "losses"):
            assert sum(getattr(row, name) for row in parts) == getattr(whole, name)
        assert sum(row.n * (row.delta or 0.0) for row in parts) == pytest.approx(whole.n * (whole.delta or 0.0))


def test_of_many_slices_the_largest_are_compared_in_their_order(plugin: Plugin) -> None:
    kinds = ["10", "10", "9", "2", "2", "2"]
    a, b = scored(plugin, ["abcd"] * 6, kinds), scored(plugin, ["ab"] * 6, kinds)
    (sliced,) = compare_slices(a, b, "gap", most=2)
    assert (list(sliced.slices), sliced.left_out) == (["2", "10"], 1)
    assert all(row.p is None for row in sliced.slices.values())


def test_labels_are_those_of_the_first_result(plugin: Plugin) -> None:
    a = scored(plugin, ["abcd", "abcd"], ["page", "line"])
    b = scored(plugin, ["ab", "abcd"], ["", ""])
    (sliced,) = compare_slices(a, b, "gap")
    assert {value: row.losses for value, row in sliced.slices.items()} == {"line": 0, "page": 1}


def test_units_are_sliced_by_their_own_labels_and_by_those_of_their_sample(plugin: Plugin) -> None:
    samples = [Sample(f"s{at}", "ab"[at % 2], "a", {"mode": "xy"[at // 3]}) for at in range(6)]
    result = evaluate(samples, plugin("shown:Shown"), slices=["mode"])
    found = {each.key: each.slices for each in compare_slices(result, result, "same", by="turn")}
    assert {key: {value: row.n for value, row in slices.items()} for key, slices in found.items()} == {
        "mode": {"x": 9, "y": 9},
        "told": {"a": 9, "b": 9},
        "turn": {"1": 6, "2": 6, "3": 6},
    }
    assert {row.clusters for row in found["turn"].values()} == {6}
