"""The verdict in words: one system, two, several; ties, no value, too few clusters; both languages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from jatdae import Metric, Sample
from jatdae.core.messages import speaking
from jatdae.run.api import evaluate
from jatdae.run.stats import verdict as module
from jatdae.run.stats.compare import Comparison, Difference, together
from jatdae.run.stats.result import Result, narrowed
from jatdae.run.stats.verdict import best_system, compare_with_best, verdict, verdict_on, verdict_on_all


def result(plugin: Any, better: str = "higher", **values: Sequence[Any]) -> Result:
    """A result of systems with these values of the metric `good`."""
    samples = [
        Sample(str(at), "x", str(value), system=name)
        for name, given in values.items()
        for at, value in enumerate(given)
    ]
    return evaluate(samples, plugin("letters:Letters", better=better))


def said(given: Result) -> str:
    return verdict(given.summary, compare_with_best(given.summary, lambda: given))


def shifted(base: float, by: float = 0.0, n: int = 30) -> list[float]:
    """Values that are all better by the same amount, so that any test tells the systems apart."""
    return [round(base + by + at / 1000, 6) for at in range(n)]


def difference(metric: Metric, delta: float | None, **given: Any) -> Difference:
    """The difference of a metric between two systems."""
    usual = {"n": 200, "unpaired": 0, "a": 0.5, "b": 0.5, "ci": None, "p": None, "p_holm": None, "wins": 90, "ties": 40,
             "losses": 70, "regressions": (), "clusters": 200}  # fmt: skip
    return Difference(metric, delta=delta, **{**usual, **given})


CER = Metric("cer", "lower", worst=1.0, unit="%", primary=True)
WER = Metric("wer", "lower", worst=1.0, unit="%")


def test_one_system_has_a_value(plugin: Any) -> None:
    assert said(result(plugin, A=[0.25, 0.75])) == "good is 0.5000 [0.2500, 0.7500]; n = 2."
    assert said(result(plugin, A=[0.25])) == "good is 0.2500; n = 1."
    assert said(result(plugin, A=[0.25, "none"])) == "good is 0.2500 (1 N/A); n = 1."


def test_without_a_value_it_says_so(plugin: Any) -> None:
    assert said(result(plugin, A=["none"])) == "No sample has a value of good."
    assert said(result(plugin, A=["none"], B=["none"])) == "No sample has a value of good."
    assert said(result(plugin)) == ""


def test_two_systems_of_200_documents_that_differ_by_little() -> None:
    """The other metrics do not take the words away: p is of the primary metric alone, with Holm's where it differs."""
    row = difference(CER, -0.0069, ci=(-0.0118, -0.0018), p=0.0074, p_holm=0.015)
    other = difference(WER, -0.001, p=0.6, p_holm=1.0)
    told = "B is better than A by 0.69 pp [0.18, 1.18] in cer, p = .007; n = 200."
    assert verdict_on(Comparison("A", "B", "", (other, row))) == told
    lost = replace(row, p_holm=0.089)
    corrected = f"{told} Corrected for all 2 tests shown (Holm), p = .089."
    assert verdict_on(Comparison("A", "B", "", (other, lost))) == corrected


def test_what_is_paired_and_what_is_not_is_said() -> None:
    turns = difference(CER, -0.0069, p=0.0074, by="turn", n=15, samples=3)
    pair = Comparison("A", "B", "jatdae 1 | dialogue | refs:0", (turns,), "dialogue")
    assert verdict_on(pair).endswith("n = 15 (paired by turn; samples: 3).")
    with speaking("ko"):
        assert verdict_on(pair).endswith("n = 15(턴 단위로 짝지음, 샘플 3건).")
    alone = replace(pair, differences=(replace(turns, unpaired=3),))
    assert verdict_on(alone).endswith("n = 15 (paired by turn; samples: 3) (unpaired: 3).")


def test_a_run_says_that_its_means_are_not_over_what_is_paired(plugin: Any) -> None:
    summary = result(plugin, A=[0.1, 0.2], B=[0.3, 0.4]).summary
    turns = difference(CER, -0.0069, p=0.0074, by="turn", n=15, samples=3)
    told = verdict(summary, [Comparison("A", "B", "jatdae 1 | dialogue | refs:0", (turns,), "dialogue")])
    assert told.endswith("n = 15 (paired by turn; samples: 3; the means of the systems are over samples).")


def test_several_systems_are_better_worse_or_neither_after_holm() -> None:
    deltas = {"B": (-0.02, 0.001), "C": (0.03, 0.004), "D": (-0.01, 0.03), "E": (0.0, 0.9), "F": (-0.03, 0.0002)}
    pairs = together([Comparison("A", name, "", (difference(CER, delta, p=p),)) for name, (delta, p) in deltas.items()])
    assert verdict_on_all(pairs) == (
        "cer: Ahead of A on these samples: F 3.00 pp, B 2.00 pp, D 1.00 pp; n = 200. Level with A: E 0.00 pp; n = 200. "
        "Behind A: C 3.00 pp; n = 200. "
        "A is better than C (p = .012 after Holm over 5 tests). On the samples that both have, A is worse "
        "than B, F (p ≤ .004 after Holm over 5 tests). No difference is shown between A and D, E."
    )
    # Other metrics that were tested with it are of the same family, as in the table on the same screen.
    more = together([replace(each, differences=(*each.differences, difference(WER, 0.0, p=0.8))) for each in pairs])
    assert max(each.differences[0].p_holm or 0.0 for each in more if each.b in "BF") == pytest.approx(0.009)
    assert "A is worse than B, F (p ≤ .009 after Holm over 10 tests)." in verdict_on_all(more)
    nothing = [replace(each, differences=(difference(CER, None, n=0, clusters=0),)) for each in pairs[:2]]
    assert verdict_on_all(nothing) == "cer: A has no sample with a value in common with B, C."


def test_below_20_clusters_several_are_told_apart_by_size_and_interval_alone() -> None:
    rows = [("B", -0.02, (-0.03, -0.01), 9), ("C", 0.03, (-0.01, 0.05), 8)]
    few = [Comparison("A", name, "", (difference(CER, by, ci=ci, clusters=5, n=n),)) for name, by, ci, n in rows]
    assert verdict_on_all(few) == (
        "cer: Ahead of A on these samples: B 2.00 pp [1.00, 3.00]; n = 8–9. "
        "Behind A: C 3.00 pp [-1.00, 5.00]; n = 8–9. No p-value against B, C: fewer than 20 clusters."
    )
    with speaking("ko"):
        assert verdict_on_all(few).startswith("cer: 이 샘플에서 A 대비 앞선 시스템: B 2.00 pp [1.00, 3.00]; n = 8–9.")


def test_the_better_system_is_named_first_wherever_it_stands() -> None:
    worse = difference(CER, 0.0069, ci=(0.0018, 0.0118), p=0.0074)
    assert verdict_on(Comparison("A", "B", "", (worse,))) == (
        "A is better than B by 0.69 pp [0.18, 1.18] in cer, p = .007; n = 200."
    )


def test_an_interval_across_zero_keeps_its_sign() -> None:
    row = difference(CER, 0.0069, ci=(-0.0018, 0.0118), p=0.3)
    assert verdict_on(Comparison("A", "B", "", (row,))) == (
        "No difference in cer is shown between A and B: B − A = +0.69 pp [-0.18, 1.18], p = .300; n = 200."
    )


@pytest.mark.parametrize("sign", [1, -1])
def test_where_test_and_interval_part_it_is_said_which_decides(sign: int) -> None:
    low, high = sorted((sign * 0.0018, sign * 0.0118))
    row = difference(CER, sign * 0.0069, ci=(low, high), p=0.085)
    assert verdict_on(Comparison("A", "B", "", (row,))).endswith(
        "p = .085; n = 200. The interval is clear of 0, but the test decides: the interval resamples clusters and may "
        "be too narrow where they are few."
    )


def test_pairs_that_do_not_exist_or_do_not_differ() -> None:
    nothing = difference(CER, None, n=0, a=None, b=None, wins=0, ties=0, losses=0, clusters=0)
    assert verdict_on(Comparison("A", "B", "", (nothing,))) == "A and B have no sample with a value of cer in common."
    same = difference(CER, 0.0, p=1.0, wins=0, ties=200, losses=0)
    assert verdict_on(Comparison("A", "B", "", (same,))) == "A and B have the same cer on all samples (n = 200)."


def test_below_20_clusters_the_better_is_named_without_p(plugin: Any) -> None:
    given = result(plugin, A=shifted(0.5, n=19), B=shifted(0.5, 0.1, n=19))
    assert said(given) == (
        "B is ahead of A by 0.1000 [0.1000, 0.1000] in good on these samples; n = 19. "
        "No p-value: 19 clusters, and at least 20 are needed."
    )
    enough = result(plugin, A=shifted(0.5, n=20), B=shifted(0.5, 0.1, n=20))
    assert said(enough) == "B is better than A by 0.1000 [0.1000, 0.1000] in good, p < .001; n = 20."


def test_clusters_count_and_not_samples(plugin: Any) -> None:
    samples = [
        Sample(str(at), "x", str(0.5 + at / 1000 + bonus), system=name, cluster=f"book {at % 4}")
        for name, bonus in (("A", 0.0), ("B", 0.1))
        for at in range(40)
    ]
    assert "n = 40. No p-value: 4 clusters" in said(evaluate(samples, plugin("letters:Letters")))


def test_of_several_the_best_is_named_and_what_it_is_better_than(plugin: Any) -> None:
    given = result(plugin, A=shifted(0.5), B=shifted(0.5, 0.1), C=shifted(0.5, 0.05))
    assert said(given) == (
        "B has the best good: 0.6145 [0.6114, 0.6176]. Next is C, behind by 0.0500 [0.0500, 0.0500]; n = 30. "
        "B is better than A, C (p < .001 after Holm over 2 tests)."
    )
    lower = result(plugin, "lower", A=shifted(0.5), B=shifted(0.5, 0.1), C=shifted(0.5, 0.05))
    assert said(lower).startswith("A has the best good: 0.5145 ")


def test_a_lead_that_is_not_shown_has_an_interval_across_zero(plugin: Any) -> None:
    uneven = [round(value + (0.09 if at % 2 else -0.1), 6) for at, value in enumerate(shifted(0.6))]
    told = said(result(plugin, A=shifted(0.3), B=shifted(0.6), C=uneven))
    assert "Next is C, behind by 0.0050 [-0.0" in told
    assert told.endswith("No difference is shown between B and C.")
    lower = result(plugin, "lower", A=shifted(0.9), B=shifted(0.6), C=shifted(0.3))
    assert "Next is B, behind by 0.3000 " in said(lower)


def test_many_that_are_behind_are_not_listed(plugin: Any) -> None:
    given = result(plugin, A=shifted(0.5), B=shifted(0.6), C=shifted(0.55), D=shifted(0.3))
    assert "B is better than all 3 others (p < .001 after Holm over 3 tests)." in said(given)


def test_the_best_mean_may_lose_on_the_samples_that_both_have(plugin: Any) -> None:
    """B has no value where the samples are hard, so that its mean is the best; A is better wherever both have one."""
    easy, hard = [0.8] * 30, ["none"] * 30
    given = result(plugin, A=[0.9] * 30 + [0.1] * 30, B=[*easy, *hard], C=[0.05] * 60)
    assert said(given) == (
        "B has the best good: 0.8000 [0.8000, 0.8000] (30 N/A). "
        "Next is A, which is ahead by 0.1000 [0.1000, 0.1000] on the samples that both have; n = 30 (unpaired: 30). "
        "B is better than C (p < .001 after Holm over 2 tests). "
        "On the samples that both have, B is worse than A (p < .001 after Holm over 2 tests)."
    )


def test_systems_without_a_sample_in_common_are_not_compared(plugin: Any) -> None:
    given = result(plugin, A=[0.5] * 20 + ["none"] * 20, B=["none"] * 20 + [0.4] * 20, C=[0.3] * 40)
    assert "Next is B: 0.4000 [0.4000, 0.4000] (20 N/A). " in said(given)
    assert "A has no sample with a value in common with B." in said(given)


def test_what_cannot_be_told_apart_from_the_best_is_said(plugin: Any) -> None:
    noise = np.random.Generator(np.random.PCG64(7)).normal(0, 0.05, 30)
    close = [round(float(value), 6) for value in np.array(shifted(0.5, 0.1)) - 0.001 + noise - noise.mean()]
    given = result(plugin, A=shifted(0.3), B=shifted(0.5, 0.1), C=close)
    assert said(given).endswith(
        "B is better than A (p < .001 after Holm over 2 tests). No difference is shown between B and C."
    )


def test_the_largest_p_of_those_behind_is_given(plugin: Any) -> None:
    mostly_worse = [round(value - (0.05 if at % 4 else -0.06), 6) for at, value in enumerate(shifted(0.5, 0.1))]
    given = result(plugin, A=shifted(0.3), B=shifted(0.5, 0.1), C=mostly_worse)
    told = said(given)
    assert "(p ≤ .0" in told
    assert told.endswith(").")


def test_several_with_too_few_clusters_are_not_tested(plugin: Any) -> None:
    given = result(plugin, A=shifted(0.5, n=3), B=shifted(0.6, n=3), C=shifted(0.7, n=3))
    assert said(given) == (
        "C has the best good: 0.7010 [0.7000, 0.7020]. Next is B, behind by 0.1000 [0.1000, 0.1000]; n = 3. "
        "No p-value against A, B: fewer than 20 clusters."
    )


def test_the_best_may_be_shared(plugin: Any) -> None:
    given = result(plugin, A=[0.5, 0.7], B=[0.7, 0.5], C=[0.1, 0.2])
    assert said(given).startswith(
        "A, B share the best good: 0.6000 [0.5000, 0.7000]. Next is C, behind by 0.4500 [0.4000, 0.5000]; n = 2. "
    )
    assert "Next" not in said(result(plugin, A=[0.5, 0.7], B=[0.7, 0.5], C=[0.6, 0.6]))


def test_a_system_without_values_is_not_compared(plugin: Any) -> None:
    given = result(plugin, A=shifted(0.5), B=["none"] * 30, C=shifted(0.6))
    assert said(given).startswith("C has the best good: 0.6145 ")
    assert said(given).endswith("C is better than A (p < .001). No value of good: B.")


def test_of_two_systems_one_may_have_no_values(plugin: Any) -> None:
    assert said(result(plugin, A=[0.5], B=["none"])) == "Only A has a value of good: 0.5000."


def test_a_run_with_too_many_rows_is_not_loaded(plugin: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    given = result(plugin, A=shifted(0.5), B=shifted(0.6))
    monkeypatch.setattr(module, "MOST_TESTED", 59)
    assert compare_with_best(given.summary, lambda: pytest.fail("loaded")) == []
    assert verdict(given.summary) == (
        "B has the best good: 0.6145 [0.6114, 0.6176]. Next is A: 0.5145 [0.5114, 0.5176]. "
        "Differences are not tested in runs of more than 59 rows; jatdae compare tests them."
    )


def test_metrics_asked_for_move_the_verdict(plugin: Any) -> None:
    given = evaluate([Sample("1", "ab", "abcd"), Sample("2", "x", "abc")], plugin("marks:Marks"))
    assert said(given).startswith("exact is 0.00 %")
    assert verdict(narrowed(given.summary, ["gap"])).startswith("gap is 0.5833")


def test_a_system_without_a_name_is_called_all(plugin: Any) -> None:
    row = difference(CER, -0.0069, p=0.0074)
    assert verdict_on(Comparison("", "new", "", (row,))).startswith("new is better than all by ")
    assert best_system(result(plugin, **{"": [0.5]}).summary) == ""


def test_in_korean(plugin: Any) -> None:
    row = difference(CER, -0.0069, ci=(-0.0118, -0.0018), p=0.0074)
    three = result(plugin, A=shifted(0.5), B=shifted(0.5, 0.1), C=shifted(0.5, 0.05))
    with speaking("ko"):
        assert verdict_on(Comparison("A", "B", "", (row,))) == (
            "A보다 B 쪽이 좋습니다: cer 차이 0.69 pp [0.18, 1.18], p = .007; n = 200."
        )
        assert said(three) == (
            "good 값은 B 시스템이 가장 좋습니다: 0.6145 [0.6114, 0.6176]. "
            "그다음은 C 시스템으로 0.0500 [0.0500, 0.0500] 뒤처집니다; n = 30. "
            "A, C보다 B 쪽이 좋습니다(검정 2건을 Holm으로 보정한 p < .001)."
        )
        assert verdict_on(Comparison("기준", "개선판", "", (row,))).startswith("기준보다 개선판 쪽이 좋습니다")
        assert said(result(plugin, A=["none"])) == "good 값이 있는 샘플이 없습니다."


def test_large_numbers_of_samples_are_grouped() -> None:
    row = difference(CER, -0.0069, p=0.007, n=12_345, unpaired=1_000)
    assert verdict_on(Comparison("A", "B", "", (row,))).endswith("n = 12,345 (unpaired: 1,000).")
