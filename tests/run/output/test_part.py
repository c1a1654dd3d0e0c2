"""The counts of a part: tables in order, whatever their keys, and only whole numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from jatdae.core.contract import Metric, Outcome, Sample
from jatdae.core.errors import EngineError
from jatdae.run.output.part import PartBuilder

METRIC = Metric("m", "higher", worst=0.0)


def kept(*counts: Mapping[str, Mapping[str, Any]]) -> list[Any]:
    part = PartBuilder([METRIC])
    for at, each in enumerate(counts):
        part.add(Sample(str(at), "", ""), Outcome({"m": 1.0}, counts=each))
    return part.table().column("counts").to_pylist()


def test_names_and_keys_are_in_order() -> None:
    assert kept({"z": {"b": 1, "a": 2}, "c": {"红": 3, "Z": 4, "é": 5}}, {}, {"a": {"x": 1}, "z": {}}) == [
        [("c", [("Z", 4), ("é", 5), ("红", 3)]), ("z", [("a", 2), ("b", 1)])],
        [],
        [("a", [("x", 1)]), ("z", [])],
    ]


def test_rows_without_counts_and_empty_tables() -> None:
    assert kept({}, {}) == [[], []]
    assert kept({"a": {}}, {}) == [[("a", [])], []]


def test_a_shared_outcome_has_its_counts() -> None:
    part = PartBuilder([METRIC])
    first = part.add(Sample("1", "", ""), Outcome({"m": 1.0}, counts={"a": {"x": 2}}))
    part.add(Sample("2", "", ""), Outcome({"m": 1.0}))
    part.add_samples(["3"], [""], [""], [{}], [first])
    assert part.table().column("counts").to_pylist() == [[("a", [("x", 2)])], [], [("a", [("x", 2)])]]


def test_a_lone_surrogate_in_a_key_is_written_out() -> None:
    assert kept({"a": {"\ud800": 1, "b": 2}}) == [[("a", [("\\ud800", 1), ("b", 2)])]]


@pytest.mark.parametrize("number", [1.5, "1", None, 1 << 70])
def test_a_count_that_is_no_whole_number_of_64_bits_is_refused(number: Any) -> None:
    with pytest.raises(EngineError, match="Sample '1'"):
        kept({"a": {"x": 1}}, {"a": {"x": number}})
