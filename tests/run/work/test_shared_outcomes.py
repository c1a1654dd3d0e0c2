"""Equal pairs of a pure evaluator are scored once, and nobody can tell from what comes out."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from jatdae import Issue, Metric, Outcome, Sample, Unit, evaluator
from jatdae.run.api import evaluate
from jatdae.run.input.batches import columns_of
from jatdae.run.work import score
from jatdae.run.work.score import score_samples

METRICS = [Metric("same", "higher", worst=0.0), Metric("length", "higher", worst=0.0)]
CALLS: Counter[Any] = Counter()


def outcome(sample: Sample) -> Outcome:
    """Something in every column."""
    CALLS[sample.prediction, sample.reference] += 1
    long = len(sample.prediction) > 1
    return Outcome(
        {
            "same": float(sample.prediction == sample.reference),
            "length": float(len(sample.prediction)) if long else None,
        },
        stats={"n": 1.0, **({"long": 1.0} if long else {})},
        counts={"letters": Counter(sample.prediction)},
        units=(Unit("u", "half", {"k": "v"}, {"same": 0.5}, {"n": 1.0}),) if long else (),
        evidence={"prediction": sample.prediction} if long else None,
        issues=() if long else (Issue("short"),),
    )


@evaluator("pure", metrics=METRICS, pure=True)
class Pure:
    """Says that it looks at prediction and reference alone."""

    def score(self, sample: Sample) -> Outcome:
        return outcome(sample)


@evaluator("plain", metrics=METRICS)
class Plain:
    """Does not say so."""

    def score(self, sample: Sample) -> Outcome:
        return outcome(sample)


SAMPLES = [
    Sample(f"{n}", prediction, reference, {"odd": str(n % 2)}, system, f"c{n % 3}")
    for n, (prediction, reference) in enumerate(
        [("a", "a"), ("가나", "가나"), ("a", "b"), ("a", "a"), ("가나", "가나")] * 3
    )
    for system in ("S", "T")
]
BATCHES = [columns_of(SAMPLES[start : start + 10]) for start in (0, 10, 20)]


def test_equal_pairs_are_scored_once_a_system() -> None:
    CALLS.clear()
    shared = score_samples(Pure(), BATCHES, "worst", {})
    assert set(CALLS.values()) == {2}
    assert shared.equals(score_samples(Plain(), BATCHES, "worst", {}))


def test_what_recurs_is_kept_from_shard_to_shard() -> None:
    CALLS.clear()
    judge = Pure()
    tables = [score_samples(judge, BATCHES[:1], "worst", {}) for _ in range(4)]
    assert CALLS == {("a", "a"): 2, ("가나", "가나"): 2, ("a", "b"): 4}  # what comes once is kept the second time
    assert all(table.equals(tables[0]) for table in tables)


def test_an_evaluator_never_gets_the_outcomes_of_another() -> None:
    CALLS.clear()
    for _ in range(3):
        score_samples(Pure(), BATCHES[:1], "worst", {})
    assert set(CALLS.values()) == {6}


def test_summaries_and_rows_are_what_they_are_without_sharing() -> None:
    apart, shared = (evaluate(SAMPLES, made, slices=("odd",)) for made in (Plain(), Pure()))
    assert list(shared.rows()) == list(apart.rows())
    assert shared.summary["systems"] == apart.summary["systems"]


@pytest.mark.parametrize("odd", [None, {"$any": ["a", "b"]}])
def test_what_is_no_text_is_scored_each_time(odd: Any) -> None:
    CALLS.clear()
    samples = [columns_of([Sample(str(n), "a", odd) for n in range(3)])]
    assert score_samples(Pure(), samples, "worst", {}).equals(score_samples(Plain(), samples, "worst", {}))


def test_texts_and_others_in_one_batch_are_what_they_are_without_sharing() -> None:
    odd = [Sample("none", None, "a", {}, "S"), Sample("any", "a", {"$any": ["a", "b"]}, {}, "S")]
    batches = [columns_of([*SAMPLES[:4], *odd, *SAMPLES[4:8]])]
    judge, plain = Pure(), Plain()
    for _ in range(3):  # new, then some kept, then all
        assert score_samples(judge, batches, "skip", {}).equals(score_samples(plain, batches, "skip", {}))


def test_no_more_outcomes_are_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score, "MOST_PAIRS", 3)
    judge, plain = Pure(), Plain()
    for first in range(6):  # texts leave and come back
        texts = [chr(ord("a") + (first * step) % 7) * 2 for step in range(9)]
        batches = [columns_of([Sample(str(at), text, "aa") for at, text in enumerate(texts)])]
        assert score_samples(judge, batches, "worst", {}).equals(score_samples(plain, batches, "worst", {}))
        kept, _ = score._kept_outcomes(judge)
        assert len(kept.numbers) == len(kept.evidence) <= 3
