"""Comparing two results: paired by id, tested, corrected, and refused where they are not comparable."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from jatdae import Metric, Sample
from jatdae.core.errors import UsageError
from jatdae.run.api import evaluate
from jatdae.run.stats.compare import Comparison, Difference, PairedValues, compare, holm, sign_flip
from jatdae.run.stats.result import Result
from jatdae.run.stats.verdict import verdict_on


@pytest.mark.parametrize(
    "differences",
    [
        [0.1, 0.4, -0.2, 0.3, 0.5, 0.25],
        [0.3, 0.1, 0.2],
        [1.0, -1.0, 0.5, -0.5, 0.1],
        [0.0, 0.0, 0.2, 0.1, 0.4, -0.1, 0.6, 0.2],
        list(np.random.Generator(np.random.PCG64(5)).normal(0.3, 0.5, 12)),
    ],
)
def test_sign_flips_agree_with_the_exact_permutation_test(differences: list[float]) -> None:
    data = np.array(differences)
    exact = stats.permutation_test((data,), np.mean, permutation_type="samples", n_resamples=np.inf).pvalue
    ours = sign_flip(data, np.arange(len(data)))
    assert ours == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 10_000) + 1e-3)
    assert ours == sign_flip(data, np.arange(len(data)))


def test_whole_clusters_are_flipped_together() -> None:
    data = np.array([0.5, 0.4, 0.6, 0.5, 0.2, 0.3])
    clusters = np.array([0, 0, 0, 0, 1, 1])
    exact = stats.permutation_test((np.array([2.0, 0.5]),), np.sum, permutation_type="samples", n_resamples=np.inf)
    assert sign_flip(data, clusters) == pytest.approx(exact.pvalue, abs=0.02)
    assert sign_flip(data, np.arange(6)) < 0.1


def test_no_difference_has_p_1() -> None:
    assert sign_flip(np.zeros(5), np.arange(5)) == 1.0


@pytest.mark.parametrize(
    ("given", "corrected"),
    [
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
        ([0.5, 0.6], [1.0, 1.0]),
        ([0.02], [0.02]),
        ([0.02, 0.02, 0.02], [0.06, 0.06, 0.06]),
        ([0.001, 0.9, 0.01, 0.02], [0.004, 0.9, 0.03, 0.04]),
        ([], []),
    ],
)
def test_holm_steps_down(given: list[float], corrected: list[float]) -> None:
    assert holm(given) == pytest.approx(corrected)


REFS = {str(n): "abcd" for n in range(12)}
GOOD = {str(n): "abcd" if n < 9 else "abcde" for n in range(12)}
POOR = {str(n): "abcd" if n in (0, 9) else "ab" for n in range(12)}


def result(
    plugin: Any, predictions: dict[str, Any], *, refs: dict[str, Any] = REFS, order: int = 1, **given: Any
) -> Result:
    samples = [Sample(id, predictions[id], refs[id], **given) for id in list(refs)[::order]]
    return evaluate(samples, plugin("marks:Marks"))


def test_two_results_are_paired_by_id_whatever_their_order(plugin: Any) -> None:
    poor, good = result(plugin, POOR), result(plugin, GOOD, order=-1)
    made = compare(poor, good, names=("poor", "good"))
    exact, gap = made["exact"], made["gap"]
    assert (made.a, made.b, exact.n, exact.unpaired) == ("poor", "good", 12, 0)
    assert (exact.a, exact.b, exact.delta) == (2 / 12, 9 / 12, pytest.approx(7 / 12))
    assert (exact.wins, exact.ties, exact.losses) == (8, 3, 1)
    assert exact.regressions == (PairedValues("9", "", 1.0, 0.0),)
    assert exact.improvements == tuple(PairedValues(str(n), "", 0.0, 1.0) for n in range(1, 9))
    assert exact.ci is not None and exact.ci[0] < 7 / 12 < exact.ci[1]
    assert (exact.clusters, exact.too_few, exact.p, exact.p_holm, gap.p) == (12, True, None, None, None)


def test_p_is_given_from_twenty_clusters_on_and_corrected_over_the_metrics(plugin: Any) -> None:
    refs, good, poor = ({f"{n}{copy}": each[n] for n in each for copy in "ab"} for each in (REFS, GOOD, POOR))
    made = compare(result(plugin, poor, refs=refs), result(plugin, good, refs=refs))
    exact, gap = made["exact"], made["gap"]
    assert (exact.clusters, exact.too_few) == (24, False)
    assert exact.p is not None and gap.p is not None and exact.p < 0.05
    assert exact.p_holm == pytest.approx(2 * exact.p if exact.p <= gap.p else max(exact.p, 2 * gap.p))


def test_the_p_of_a_line_of_code_output_is_that_of_the_verdict() -> None:
    """The corrected one stands beside it under the name that it has in tables."""
    metric = Metric("cer", "lower", 1.0, unit="%")
    one = Difference(metric, n=30, a=0.1, b=0.2, delta=0.1, p=0.02, p_holm=0.06, losses=3, clusters=30)
    found = Comparison("A", "B", "", (one, replace(one, p_holm=0.02)))
    assert repr(found) == "Comparison(A → B: Δ cer = +10.00 pp, p = .020, p (Holm) = .060; Δ cer = +10.00 pp, p = .020)"
    assert "p = .020" in verdict_on(found)


def test_lower_is_better_where_the_metric_says_so(plugin: Any) -> None:
    forth: Comparison = compare(result(plugin, POOR), result(plugin, GOOD))
    back: Comparison = compare(result(plugin, GOOD), result(plugin, POOR))
    gap = forth["gap"]
    assert gap.delta is not None and gap.delta < 0
    assert (gap.wins, gap.ties, gap.losses) == (10, 1, 1)
    assert gap.regressions == (PairedValues("9", "", 0.0, 0.25),)
    assert (back["gap"].wins, back["gap"].losses) == (gap.losses, gap.wins)
    assert [each.id for each in back["gap"].regressions] == [str(n) for n in range(1, 9)] + ["10", "11"]
    assert back["gap"].p == gap.p
    assert back["gap"].delta == -gap.delta


def test_samples_without_a_value_on_one_side_are_unpaired(plugin: Any) -> None:
    few = dict.fromkeys(["1", "2", "3"], "abcd")
    a = evaluate(
        [Sample(id, None if id == "1" else "abcd", few[id]) for id in few], plugin("marks:Marks"), missing="skip"
    )
    b = evaluate([Sample(id, "abcd", few[id]) for id in few], plugin("marks:Marks"), missing="skip")
    assert (compare(a, b)["exact"].n, compare(a, b)["exact"].unpaired) == (2, 1)
    none = evaluate([Sample(id, None, few[id]) for id in few], plugin("marks:Marks"), missing="skip")
    nothing = compare(none, b)["exact"]
    assert (nothing.n, nothing.unpaired, nothing.delta, nothing.p, nothing.p_holm) == (0, 3, None, None, None)


def test_systems_of_one_run_with_different_samples_say_so(plugin: Any) -> None:
    samples = [Sample(str(n), "abcd", "abcd", system="A") for n in range(5)]
    samples += [Sample(str(n), "ab", "abcd", system="B") for n in range(3, 10)]
    both = evaluate(samples, plugin("marks:Marks"))
    exact = compare(both, both, system_a="A", system_b="B")["exact"]
    assert (exact.n, exact.unpaired, exact.losses) == (2, 8, 2)


def test_systems_of_one_result_with_other_references_are_refused(tmp_path: Path) -> None:
    rows = {
        "A": [{"id": "1", "prediction": "a", "reference": "a"}],
        "B": [{"id": "1", "prediction": "a", "reference": "b"}],
    }
    files = {}
    for system, given in rows.items():
        files[system] = tmp_path / f"{system}.jsonl"
        files[system].write_text("".join(json.dumps(row) for row in given), "utf-8")
    alone = [evaluate(given, "text").signature.refs for given in rows.values()]
    saved = evaluate(rows, "text").save(tmp_path / "run")
    for both in (evaluate(rows, "text"), evaluate(files, "text"), Result.load(saved)):
        with pytest.raises(UsageError, match=f"cannot be compared: refs: {alone[0]} ≠ {alone[1]}"):
            compare(both)
    same = evaluate({"A": rows["A"], "B": rows["A"]}, "text")
    assert compare(same)["cer"].delta == 0
    assert "references" not in same.summary["input"]


def test_one_pair_is_too_few_to_test(plugin: Any) -> None:
    one = {"1": "abcd"}
    exact = compare(result(plugin, one, refs=one), result(plugin, {"1": "x"}, refs=one))["exact"]
    assert (exact.n, exact.delta, exact.ci, exact.p) == (1, -1.0, None, None)


def test_clusters_widen_the_interval(plugin: Any) -> None:
    def widths(cluster: Any) -> float:
        a, b = (
            evaluate([Sample(id, p[id], REFS[id], cluster=cluster(id)) for id in REFS], plugin("marks:Marks"))
            for p in (POOR, GOOD)
        )
        low, high = compare(a, b)["exact"].ci or (0.0, 0.0)
        return high - low

    assert widths(lambda id: "first" if int(id) < 9 else "last") > widths(lambda id: "")


def test_what_is_not_comparable_is_refused_with_the_reason(plugin: Any) -> None:
    a = result(plugin, GOOD)
    others = {
        r"refs: \w+ ≠ \w+": result(plugin, GOOD, refs={**REFS, "3": "other"}),
        "casefold: no ≠ yes": evaluate(
            [Sample(i, GOOD[i], REFS[i]) for i in REFS], plugin("marks:Marks", casefold=True)
        ),
        "missing: worst ≠ skip": evaluate(
            [Sample(i, GOOD[i], REFS[i]) for i in REFS], plugin("marks:Marks"), missing="skip"
        ),
        "evaluator: marks ≠ choosy": evaluate([Sample("1", "a", "1")], plugin("faults:Choosy")),
    }
    for said, other in others.items():
        with pytest.raises(UsageError, match=f"cannot be compared: .*{said}"):
            compare(a, other)


@pytest.mark.parametrize(
    ("systems", "said"),
    [
        ({}, "The run has several systems: A, B. Name one"),
        ({"system_a": "A", "system_b": "C"}, "Unknown system 'C'"),
        ({"system_a": "A", "system_b": "B"}, ""),
    ],
)
def test_systems_are_named_where_there_are_several(systems: Any, said: str, plugin: Any) -> None:
    samples = [Sample(id, p[id], REFS[id], system=name) for name, p in (("A", POOR), ("B", GOOD)) for id in REFS]
    both = evaluate(samples, plugin("marks:Marks"))
    if said:
        with pytest.raises(UsageError, match=said):
            compare(both, both, **systems)
    else:
        assert compare(both, both, **systems)["exact"].wins == 8
        with pytest.raises(UsageError, match=r"Unknown metric 'exakt'.*'exact'"):
            compare(both, both, **systems)["exakt"]
        with pytest.raises(UsageError, match="several systems"):
            both.value("exact")
        assert both.value("gap", "A") == both.value("gap.macro", "A")
        for name in ("gab", "gap.median"):
            with pytest.raises(UsageError, match=rf"Unknown metric '{name}'.* Did you mean 'gap'"):
                both.value(name, "A")


def test_systems_that_differ_in_name_are_called_by_it(plugin: Any) -> None:
    rows = [Sample("1", "a", "a", system="small"), Sample("1", "b", "a", system="large")]
    both = evaluate(rows, plugin("marks:Marks"))
    found = compare(both, both, system_a="small", system_b="large")
    assert (found.a, found.b) == ("small", "large")
    same = compare(both, both, system_a="small", system_b="small")
    assert (same.a, same.b) == ("A", "B")
