"""Scores by a judge and by embeddings: the sums behind them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jatdae.experiments.judged_scores import MOST_SENTENCES, SlotFacts, cosine, sentences_of, uses_of, weighted

NUMBERS = st.floats(-1e6, 1e6)
VECTORS = st.lists(NUMBERS, min_size=3, max_size=3)


@given(VECTORS, VECTORS, st.floats(0.1, 1e3))
def test_a_cosine_is_symmetric_and_knows_no_length(a: list[float], b: list[float], factor: float) -> None:
    assert -1.0 - 1e-9 <= cosine(a, b) <= 1.0
    assert cosine(a, b) == cosine(b, a)
    assert cosine([factor * x for x in a], b) == pytest.approx(cosine(a, b), abs=1e-6)
    if math.hypot(*a) > 1e-3:
        assert cosine(a, a) == pytest.approx(1.0)


def test_any_all_or_the_mean_of_facts_count() -> None:
    vectors = {"a": [1.0, 0.0], "b": [0.0, 1.0]}
    slots = [SlotFacts(use, 1.0, use, ("a", "b")) for use in ("any", "all", "mean")]
    assert uses_of(slots, vectors, [[1.0, 0.0]]) == {"any": 1.0, "all": 0.0, "mean": 0.5}
    assert uses_of(slots[:1], vectors, []) == {"any": 0.0}, "an answer without sentences uses nothing"


def test_a_weighted_mean() -> None:
    assert weighted([(2.0, 1.0), (1.0, 0.0)]) == pytest.approx(2 / 3)
    assert weighted([]) is None


def test_sentences() -> None:
    assert sentences_of("One. Two!  Three?\n\n- four\nOne.") == ["One.", "Two!", "Three?", "- four"]
    assert sentences_of("약을 드세요. 2.5 mg입니다.") == ["약을 드세요.", "2.5 mg입니다."]
    assert len(sentences_of("\n".join(map(str, range(1000))))) == MOST_SENTENCES
