"""Rates of keys: sides of arrows, groups, what stands instead, pooled keys."""

from __future__ import annotations

from typing import Any

from jatdae.run.stats.rates import rate_keys, rate_of, rate_tables

RECALL = {
    "above": ["right"],
    "below": ["right", "missed", "confused→"],
    "shown": True,
    "group": "_",
    "instead": ["confused"],
}
PRECISION = {"above": ["right"], "below": ["right", "→confused"], "shown": True, "group": "_", "instead": []}
COUNTS = {
    "right": {"A_red": 3, "B_dry": 1},
    "missed": {"A_red": 1},
    "confused": {"A_red→A_pink": 2, "A_blue→A_red": 1},
}


def summary(**systems: Any) -> dict[str, Any]:
    return {"rates": {"recall": RECALL, "precision": PRECISION}, "systems": systems}


def test_an_arrow_counts_one_side_of_a_pair() -> None:
    assert rate_of(RECALL, "A_red", COUNTS) == 3 / 6
    assert rate_of(RECALL, "A_blue", COUNTS) == 0
    assert rate_of(PRECISION, "A_red", COUNTS) == 3 / 4
    assert rate_of(RECALL, "A_pink", COUNTS) is None


def test_a_group_of_keys_has_a_rate_too() -> None:
    assert rate_of(RECALL, "A", COUNTS) == 3 / 7
    assert rate_of({**RECALL, "group": ""}, "A", COUNTS) is None


def test_a_key_that_may_be_pooled_has_no_rate() -> None:
    assert rate_of(RECALL, "A_blue", {**COUNTS, "missed": {"A_red": 1, "<other>": 2}}) is None
    assert rate_keys(RECALL, summary(a={"counts": {"missed": {"<other>": 2}}})) == []


def test_groups_come_first_then_what_is_lost_most_often() -> None:
    found = rate_tables(summary(a={"counts": COUNTS}, b={"counts": {"missed": {"B_dry": 9}}}))[""]
    assert [each.key for each in found] == ["B", "A", "B_dry", "A_red", "A_blue", "A_pink"]
    red = found[3]
    assert (red.size, red.instead) == (6, {"A_pink": 2})
    assert red.values["recall"] == {"a": 0.5, "b": None}


def test_a_run_without_rates_to_show_has_none() -> None:
    assert rate_tables({"rates": {"field": {"above": ["right"], "below": ["right"]}}, "systems": {}}) == {}


FIELD = {"above": ["right"], "below": ["right", "wrong"], "shown": True, "millionths": ["similar"]}
WRONG = {"above": ["wrong"], "below": [], "shown": True, "better": "lower"}
DEPTH = {"above": ["flat"], "below": ["all"], "shown": True, "table": "depth"}


def test_millionths_are_added_above() -> None:
    assert rate_of(FIELD, "a", {"right": {"a": 1}, "wrong": {"a": 1}, "similar": {"a": 500_000}}) == 0.75


def test_a_rate_without_tables_below_is_a_count() -> None:
    assert rate_of(WRONG, "a", {"wrong": {"a": 3}}) == 3
    assert rate_of(WRONG, "b", {"wrong": {"a": 3}}) == 0


def test_rates_of_other_keys_stand_in_a_table_of_their_own_and_numbers_in_order() -> None:
    counts = {"right": {"a": 1}, "wrong": {"a": 1, "b": 2}, "flat": {"2": 1, "10": 3}, "all": {"2": 9, "10": 4}}
    found = rate_tables({"rates": {"f": FIELD, "w": WRONG, "d": DEPTH}, "systems": {"": {"counts": counts}}})
    assert {table: [each.key for each in keys] for table, keys in found.items()} == {
        "": ["b", "a"],
        "depth": ["2", "10"],
    }
    assert found[""][0].values == {"f": {"": 0.0}, "w": {"": 2}}
