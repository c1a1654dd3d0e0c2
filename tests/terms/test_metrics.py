"""Metrics: the formula, silence, negation, alternatives, implication, the ladder, and the assignment."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.core.contract import Outcome, Sample
from jatdae.terms import TermsEvaluator, find_lexicon, metrics, similarity
from jatdae.terms.atom_similarity import ONE, Similarities
from jatdae.terms.metrics import assign, share


def score(prediction: str, reference: str, **config: Any) -> Outcome:
    return TermsEvaluator(**config).score(Sample("x", prediction, reference))


def values(prediction: str, reference: str, **config: Any) -> Any:
    return score(prediction, reference, **config).values


def test_the_published_example_scores_as_published() -> None:
    found = values("舌尖红苔黄腻", "舌尖红苔白滑")
    assert found["LOCATION"] == found["COLOR"] == 1.0
    assert found["COATCOLOR"] == found["NATURE"] == 0.0
    assert found["score"] == similarity("舌尖红苔黄腻", "舌尖红苔白滑") == 0.7


@given(st.integers(0, ONE), st.integers(1, 9))
def test_a_share_is_rounded_once(similarity: int, terms: int) -> None:
    assert share(similarity, 1, terms) == float(Fraction(similarity, ONE * terms))


def test_silence_is_agreement_or_left_out() -> None:
    assert values("舌尖红苔黄腻", "舌尖红苔白滑", empty_category="match")["score"] == 0.7
    skipped = score("舌尖红苔黄腻", "舌尖红苔白滑", empty_category="skip")
    assert skipped.values["score"] == pytest.approx(3 / 4.5)
    assert skipped.values["other"] is None
    assert [issue.code for issue in skipped.issues] == ["empty_category"]


def test_silence_earns_nothing_of_score_spoken() -> None:
    found = values("", "舌红，苔黄")
    assert found["score"] == pytest.approx((1.0 + 0.5) / 5)
    assert found["score_spoken"] == 0.0
    found = values("舌尖红苔黄腻", "舌尖红苔白滑")
    assert (found["score"], found["score_spoken"]) == (0.7, pytest.approx(3 / 4.5))


def test_a_category_or_axis_that_nobody_mentions_is_not_applicable() -> None:
    found = score("舌红，苔黄", "舌红，苔白")
    assert [name for name, value in found.values.items() if value is None] == [
        *("location", "other", "LOCATION", "SHAPE", "THICK", "NATURE", "SUBLINGUAL")
    ]
    assert [issue.code for issue in found.issues] == ["empty_category"]


def test_what_a_model_says_before_its_description_changes_nothing() -> None:
    found = values("根据图像，舌红苔黄腻", "舌红苔黄腻")
    assert {value for name, value in found.items() if name != "coverage"} == {1.0, None}


@pytest.mark.parametrize("text", ["舌尖红苔黄腻", "舌边红苔白滑", "舌根暗苔黑燥"])
@pytest.mark.parametrize("empty", ["match", "skip"])
def test_identical_descriptions_score_one_everywhere(text: str, empty: str) -> None:
    found = values(text, text, empty_category=empty)
    assert all(value == 1.0 for value in found.values() if value is not None)


def test_descriptions_that_differ_in_punctuation_alone_score_one() -> None:
    found = values("舌红，无裂纹、齿痕；苔 薄白。", "舌红无裂纹，齿痕苔薄白")
    assert set(found.values()) == {1.0, None}


def test_a_sign_is_more_than_punctuation() -> None:
    assert values("舌红，齿痕(-)", "舌红，齿痕")["tongue"] == values("舌红，齿痕（－）", "舌红，齿痕")["tongue"] == 0.5


def test_an_empty_prediction_earns_what_the_reference_leaves_unsaid() -> None:
    found = values("", "舌红，苔黄")
    assert found["score"] == pytest.approx((1.0 + 0.5) / 5)
    assert found["precision"] == found["recall"] == found["f1"] == found["exact_f1"] == 0.0
    assert values("", "舌红，苔黄", empty_category="skip")["score"] == 0.0


def test_the_sum_is_divided_by_the_longer_side() -> None:
    assert values("舌红，有裂纹", "舌红")["tongue"] == 0.5
    assert values("舌红", "舌红，有裂纹，有齿痕")["tongue"] == pytest.approx(1 / 3)


def test_a_listed_similarity_counts_and_an_unlisted_one_does_not() -> None:
    assert values("舌红", "舌绛")["COLOR"] == 0.75
    assert values("舌红", "舌青")["COLOR"] == 0.0


def test_the_assignment_is_the_best_not_the_first() -> None:
    assert values("舌红，暗红", "舌淡红，红")["COLOR"] == pytest.approx((0.6 + 0.7) / 2)


def test_a_degree_is_not_compared() -> None:
    assert values("苔微黄", "苔黄")["coat"] == 1.0
    assert values("苔微黄", "苔淡黄")["COATCOLOR"] == 0.85


def test_a_property_said_twice_is_one_property() -> None:
    assert values("舌红，舌尖红", "舌尖红，舌红")["score"] == 1.0
    assert values("舌尖红，舌边红", "舌边尖红")["location_f1"] == 1.0


def test_a_negated_atom_never_meets_its_positive() -> None:
    assert values("舌红，无裂纹", "舌红，有裂纹")["tongue"] == 0.5
    assert values("无裂纹", "无裂纹，舌红")["tongue"] == 0.5


def test_saying_no_is_not_punished_where_the_other_side_is_silent() -> None:
    assert values("舌红，无裂纹，边无齿痕", "舌红")["score"] == 1.0
    assert values("舌红", "舌红，未见瘀斑")["score"] == 1.0


def test_a_location_of_something_stated_does_count() -> None:
    assert values("舌红，边有齿痕", "舌红")["location"] == 0.0


def test_the_best_alternative_counts_and_one_enters_the_length() -> None:
    assert values("舌红", "舌红或绛")["tongue"] == 1.0
    assert values("舌绛", "舌红或绛")["tongue"] == 1.0
    assert values("舌红，绛", "舌红或绛")["tongue"] == 0.5
    assert values("舌暗红", "舌红或绛")["tongue"] == 0.7
    assert values("舌红或绛", "舌绛或红")["score"] == 1.0


def test_alternatives_of_two_axes_settle_where_they_fit() -> None:
    assert values("苔黄", "苔黄或腻")["coat"] == values("苔腻", "苔黄或腻")["coat"] == 1.0
    assert values("苔黄或腻", "苔腻或黄")["score"] == 1.0
    assert values("苔白，苔白或腻", "苔白，苔白或腻")["score"] == 1.0


def test_a_mirror_tongue_meets_a_missing_coat() -> None:
    found = values("舌光红", "舌红无苔")
    assert found["coat"] == 1.0
    assert found["tongue"] == 0.5
    assert values("舌光红", "舌光红")["score"] == 1.0
    assert values("舌光红", "舌红，苔少")["THICK"] == 0.6


def test_what_is_only_implied_is_not_held_against_a_description() -> None:
    assert values("舌光红", "舌光，红，苔黄")["THICK"] == 1.0


def test_soft_precision_recall_and_f1() -> None:
    found = values("舌红，苔黄", "舌绛，苔黄，边有齿痕")
    assert found["precision"] == pytest.approx(1.75 / 2)
    assert found["recall"] == pytest.approx(1.75 / 4)
    assert found["f1"] == pytest.approx(2 * 1.75 / 6)
    assert found["exact_f1"] == pytest.approx(2 / 6)


def test_the_ladder_tells_polarity_and_location_apart() -> None:
    crossed = values("舌尖红边暗", "舌尖暗边红")
    assert (crossed["exact_f1"], crossed["polarity_f1"], crossed["location_f1"]) == (1.0, 1.0, 0.5)
    denied = values("舌红，无裂纹", "舌红，有裂纹")
    assert (denied["exact_f1"], denied["polarity_f1"], denied["location_f1"]) == (1.0, 0.5, 0.5)


def test_the_ladder_takes_the_best_alternative() -> None:
    found = values("舌尖绛", "舌尖红或绛")
    assert found["exact_f1"] == found["polarity_f1"] == found["location_f1"] == 1.0


def test_partial_match_is_off_by_default() -> None:
    assert values("舌绛紫", "舌淡紫")["COLOR"] == 0.0
    assert values("舌绛紫", "舌淡紫", partial_match=True)["COLOR"] == 0.5
    assert values("舌红", "舌绛", partial_match=True)["COLOR"] == 0.75


def test_cancelling_is_left_to_atoms_that_obey_the_triangle_inequality(write: Callable[[str, str], str]) -> None:
    """红 is like 绛 and 淡红, which are not alike: matching 红 with 红 would lose 0.35."""
    assert "COLOR_红" not in Similarities(find_lexicon("tongue")).firm
    assert values("舌红，绛", "舌红，淡红")["COLOR"] == pytest.approx((0.75 + 0.6) / 2)
    assert "COATCOLOR_白" in Similarities(find_lexicon("tongue")).firm


def test_pulses_are_compared_by_their_own_categories() -> None:
    weights = find_lexicon("pulse").weights
    silent = sum(weight for name, weight in weights.items() if name != "form")
    expected = (silent + weights["form"] * 0.7) / sum(weights.values())
    assert similarity("脉弦", "脉紧", "pulse") == pytest.approx(expected)


WEIGHTS = st.integers(0, 10)


def matrices(most: int) -> st.SearchStrategy[list[list[int]]]:
    sizes = st.tuples(st.integers(1, most), st.integers(1, most))
    return sizes.flatmap(
        lambda size: st.lists(st.lists(WEIGHTS, min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0])
    )


def brute(weights: list[list[int]]) -> int:
    """The best total of all one-to-one assignments."""
    rows, columns = len(weights), len(weights[0])
    if rows > columns:
        return brute([list(column) for column in zip(*weights, strict=True)])
    return max(
        sum(weights[row][column] for row, column in enumerate(chosen)) for chosen in permutations(range(columns), rows)
    )


def total(weights: list[list[int]]) -> int:
    return sum(weights[row][column] for row, column in assign(weights))


@settings(derandomize=True, max_examples=300, deadline=None)
@given(matrices(5))
def test_no_assignment_is_better(weights: list[list[int]]) -> None:
    assert total(weights) == brute(weights)


@settings(derandomize=True, max_examples=50, deadline=None)
@given(matrices(5))
def test_scipy_finds_the_same_total(weights: list[list[int]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(metrics, "MOST_STATES", 0)
        assert total(weights) == brute(weights)


@settings(derandomize=True, max_examples=100, deadline=None)
@given(matrices(5))
def test_pairs_are_one_to_one_and_weigh_something(weights: list[list[int]]) -> None:
    pairs = assign(weights)
    assert len({row for row, _ in pairs}) == len({column for _, column in pairs}) == len(pairs)
    assert all(weights[row][column] > 0 for row, column in pairs)


@settings(derandomize=True, max_examples=100, deadline=None)
@given(matrices(5))
def test_the_total_is_the_same_from_either_side(weights: list[list[int]]) -> None:
    assert total(weights) == total([list(column) for column in zip(*weights, strict=True)])


def test_nothing_is_assigned_to_nothing() -> None:
    assert assign([]) == assign([[]]) == assign([[0, 0], [0, 0]]) == []


def test_a_large_assignment_is_solved() -> None:
    size = 40
    weights = [[1 + (row * 7 + column * 3) % 11 for column in range(size)] for row in range(size)]
    assert len(assign(weights)) == size
