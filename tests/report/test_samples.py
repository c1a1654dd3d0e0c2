"""Which samples a page embeds: all of a small run, of a large one the worst and an even draw of the rest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jatdae import Metric, Outcome, Sample, evaluator
from jatdae.report import samples
from jatdae.report.samples import choose_rows, find_rows, read_rows, read_values
from jatdae.run.api import evaluate
from jatdae.run.stats.result import Result


@evaluator(
    "three",
    metrics=[
        Metric("first", "higher", worst=0.0, primary=True, family=True),
        Metric("second", "lower", worst=1.0, family=True),
        Metric("third", "higher", worst=0.0),
    ],
)
class Three:
    """Takes its values from the prediction."""

    def score(self, sample: Sample) -> Outcome:
        first, second, third = sample.prediction
        return Outcome({"first": first, "second": second, "third": third}, evidence=sample.id)


def scored(count: int, systems: tuple[str, ...] = ("",)) -> Result:
    """Sample `at` has the value at / count; the second metric is worst at the last one, the third in the middle."""
    rows = [
        Sample(f"s{at}", (at / count, at / count, abs(at - count // 2) / count), "", {"at": str(at)}, system)
        for system in systems
        for at in range(count)
    ]
    return evaluate(rows, Three())


@pytest.fixture
def small_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page of 20 rows, half of them the worst."""
    monkeypatch.setattr(samples, "MOST_VALUES", 20)
    monkeypatch.setattr(samples, "MOST_WORST", 10)


def ids(result: Result, rows: list[int]) -> list[str]:
    values = read_values(result)
    return [values.ids[int(values.samples[row])].as_py() for row in rows]


def test_a_page_keeps_all_rows_from_the_worst_to_the_best() -> None:
    result = scored(30)
    chosen = choose_rows(read_values(result), result.metrics, [], 5)
    assert ids(result, chosen.kept) == [f"s{at}" for at in range(30)]
    assert chosen.worst == 30


def test_evidence_is_kept_for_the_worst_of_every_metric_of_the_family() -> None:
    result = scored(30)
    chosen = choose_rows(read_values(result), result.metrics, [], 10)
    found = ids(result, chosen.explained)
    assert found[:5] == ["s0", "s1", "s2", "s3", "s4"]  # those of the first screen
    assert found[5:] == ["s29", "s28", "s27", "s26", "s25"]
    assert "s15" not in found


def test_evidence_is_kept_for_samples_behind_what_goes_wrong() -> None:
    result = scored(30)
    chosen = choose_rows(read_values(result), result.metrics, [14, 17], 20)
    assert {"s14", "s17"} <= set(ids(result, chosen.explained))


@pytest.mark.parametrize("evidence", [0, 3, None])
def test_as_much_evidence_as_was_asked_for(evidence: int | None) -> None:
    result = scored(8)
    chosen = choose_rows(read_values(result), result.metrics, [7], evidence)
    assert len(chosen.explained) == (8 if evidence is None else evidence)
    assert len(set(chosen.explained)) == len(chosen.explained)


def test_evidence_of_one_sample_is_that_of_all_systems() -> None:
    result = scored(10, ("a", "b"))
    chosen = choose_rows(read_values(result), result.metrics, [], 4)
    assert ids(result, chosen.explained) == ["s0", "s0", "s1", "s1"]


@pytest.mark.usefixtures("small_page")
def test_of_a_large_run_the_worst_and_an_even_draw_are_kept() -> None:
    result = scored(1000)
    values = read_values(result)
    chosen = choose_rows(values, result.metrics, [500], 10)
    kept = ids(result, chosen.kept)
    assert len(kept) == 20
    assert chosen.worst == 10
    assert {"s0", "s1", "s2", "s3", "s4", "s999", "s500"} <= set(kept)  # by both metrics, and behind what goes wrong
    numbers = [int(name[1:]) for name in kept]
    assert numbers == sorted(numbers)
    drawn = [at for at in numbers if 10 < at < 990 and at != 500]
    assert len(drawn) == 10
    assert set(np.diff(drawn) // 10) <= {9, 10}  # evenly spaced: about every hundredth
    assert choose_rows(values, result.metrics, [500], 10) == chosen


@pytest.mark.usefixtures("small_page")
def test_of_a_large_run_all_systems_of_a_sample_stay_together() -> None:
    result = scored(100, ("a", "b", "c"))
    kept = ids(result, choose_rows(read_values(result), result.metrics, [], 6).kept)
    assert len(kept) <= 20
    assert {kept.count(name) for name in set(kept)} == {3}
    assert [name for at, name in enumerate(kept) if at % 3] == [name for name in kept[::3] for _ in range(2)]


@pytest.mark.usefixtures("small_page")
def test_of_a_large_run_evidence_may_be_asked_for_every_row_of_the_page() -> None:
    result = scored(100)
    for evidence in (None, 50):
        chosen = choose_rows(read_values(result), result.metrics, [], evidence)
        assert sorted(chosen.explained) == sorted(chosen.kept)
        assert (len(chosen.kept), chosen.worst) == (20, 10)


def test_rows_are_read_in_the_order_asked_for() -> None:
    result = scored(4, ("a", "b"))
    rows = read_rows(result, read_values(result), [6, 1])
    assert (rows.ids, rows.systems) == (["s2", "s1"], ["b", "a"])
    assert rows.values[0] == [0.5, 0.25]
    assert rows.meta == [{"at": "2"}, {"at": "1"}]
    assert read_rows(result).ids == [f"s{at}" for _ in "ab" for at in range(4)]


def test_rows_are_found_by_id_and_system() -> None:
    values = read_values(scored(4, ("a", "b")))
    assert find_rows(values, [("s2", 1), ("s2", 0), ("none", 0), ("s0", 7)]) == [6, 2, None, None]
    assert find_rows(values, []) == []


def test_baselines_are_no_samples(plugin: Callable[..., Any]) -> None:
    values = read_values(evaluate([Sample("1", "a", "b")], plugin("beaten:Beaten")))
    assert len(values) == 1


def test_a_run_without_rows_has_no_values() -> None:
    result = scored(1)
    empty = Result(result.signature, {**result.summary, "systems": {}}, [])
    values = read_values(empty)
    assert len(values) == 0
    assert choose_rows(values, empty.metrics, [], 5).kept == []


def test_no_label_has_more_digits_than_anybody_reads() -> None:
    told = {"seconds": "0.040968511104583744", "version": "1.5", "pages": "12", "id": "1234567.123456"}
    rows = read_rows(evaluate([Sample("s", (0.1, 0.2, 0.3), "", told)], Three()))
    labels = samples.columns_of(rows, [0], [""])["meta"]
    assert {key: label["known"] for key, label in labels.items()} == {
        "seconds": ["0.04097"],
        "version": ["1.5"],
        "pages": ["12"],
        "id": ["1234567.123456"],
    }
