"""Structure F1: the formula, the matching, and what is too much."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from jatdae.documents import structure
from jatdae.documents.outline import KINDS, Outline
from jatdae.documents.structure import Counts, TooLarge, compare, counts_from, match, stats_of, total, values_of

WORDS = st.text(alphabet="ab", max_size=6)


def only(**kinds: list[str]) -> Outline:
    return {kind: kinds.get(kind, []) for kind in KINDS}


def test_f1_precision_and_recall_are_over_all_kinds_together() -> None:
    predicted = only(heading=["Introduction", "Extra"], list_item=["one item"])
    expected = only(heading=["Introduction"], list_item=["one item", "another item"], table_row=["a b"])
    values = values_of(compare(predicted, expected, str).counts)
    assert values == {
        "structure_f1": pytest.approx(2 * 2 / (3 + 4)),
        "structure_precision": pytest.approx(2 / 3),
        "structure_recall": pytest.approx(2 / 4),
        "heading_f1": pytest.approx(2 / 3),
        "list_item_f1": pytest.approx(2 / 3),
        "table_row_f1": 0.0,
        "code_block_f1": None,
    }


def test_where_neither_side_has_anything_nothing_applies() -> None:
    assert set(values_of(compare(only(), only(), str).counts).values()) == {None}


def test_what_nobody_asked_for_is_wrong_and_not_absent() -> None:
    values = values_of(compare(only(heading=["x"]), only(), str).counts)
    assert (values["structure_f1"], values["structure_precision"], values["structure_recall"]) == (0.0, 0.0, None)


def test_an_element_matches_its_own_kind_only() -> None:
    found = compare(only(heading=["same text"]), only(list_item=["same text"]), str)
    assert total(found.counts) == Counts(0, 1, 1)


@pytest.mark.parametrize(
    ("a", "b", "pairs"),
    [
        ("abcde", "abcdx", 1),  # 1 − 1/5 is 0.8 and enough
        ("abcdefghij", "abcdefghxy", 1),
        ("abcd", "abcx", 0),
        ("abcdefghi", "abcdefgxy", 0),
        ("", "", 1),
        ("", "a", 0),
        ("제1장 서론", "제1장 서른", 1),
    ],
)
def test_a_similarity_of_four_fifths_is_enough(a: str, b: str, pairs: int) -> None:
    assert len(match([a], [b])) == pairs


def test_each_element_matches_at_most_one() -> None:
    assert len(match(["same"] * 5, ["same"] * 2)) == 2
    assert len(match(["same"], ["same"] * 3)) == 1


def test_as_many_pairs_as_can_be_even_where_a_greedy_choice_makes_fewer() -> None:
    """The best partner of the first is the only partner of the second."""
    predicted, expected = ["aaaaaaaaaa", "aaaaaaaabb"], ["aaaaaaaaaa", "ccaaaaaaaa"]
    first_choice = match(predicted[:1], expected)
    assert first_choice == [(0, 0)]
    assert Levenshtein.normalized_similarity(predicted[1], expected[1]) < 0.8
    assert sorted(match(predicted, expected)) == [(0, 1), (1, 0)]


def test_among_as_many_pairs_the_most_similar_are_taken() -> None:
    assert sorted(match(["abcdefghij", "abcdefghiX"], ["abcdefghiX", "abcdefghij"])) == [(0, 1), (1, 0)]


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(WORDS, max_size=5), st.lists(WORDS, max_size=5))
def test_no_one_to_one_choice_makes_more_pairs_or_more_similar_ones(a: list[str], b: list[str]) -> None:
    def similarity(pair: tuple[int, int]) -> float:
        return float(Levenshtein.normalized_similarity(a[pair[0]], b[pair[1]]))

    def worth(pairs: list[tuple[int, int]]) -> tuple[int, float]:
        return len(pairs), round(sum(map(similarity, pairs)), 9)

    pairs = match(a, b)
    assert all(similarity(pair) > 0.7999999 for pair in pairs)
    assert len({x for x, _ in pairs}) == len({y for _, y in pairs}) == len(pairs)
    choices = (
        [pair for pair in zip(order, range(len(b)), strict=False) if similarity(pair) > 0.7999999]
        if len(a) >= len(b)
        else [pair for pair in zip(range(len(a)), order, strict=False) if similarity(pair) > 0.7999999]
        for order in permutations(range(max(len(a), len(b))), min(len(a), len(b)))
    )
    assert worth(pairs) == max(map(worth, choices))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(WORDS, max_size=8), st.lists(WORDS, max_size=8))
def test_sides_may_change_places_and_precision_becomes_recall(a: list[str], b: list[str]) -> None:
    there = compare(only(heading=a), only(heading=b), str).counts["heading"]
    back = compare(only(heading=b), only(heading=a), str).counts["heading"]
    assert (there.precision, there.recall, there.f1) == (back.recall, back.precision, back.f1)
    assert compare(only(heading=a), only(heading=a), str).counts["heading"] == Counts(len(a), len(a), len(a))


def test_texts_are_cleaned_and_code_is_not() -> None:
    found = compare(
        only(heading=["[1] Intro"], code_block=["x[1]  = 2\n"]),
        only(heading=["Intro"], code_block=["x[1] = 2"]),
        lambda text: text.replace("[1]", ""),
    )
    assert (found.counts["heading"].matched, found.counts["code_block"].matched) == (1, 1)
    assert found.unmatched["heading"] == ([], [])


def test_statistics_of_documents_add_up() -> None:
    documents = [
        (only(heading=["one"]), only(heading=["one", "two"])),
        (only(table_row=["a b", "c d"]), only(table_row=["a b"])),
    ]
    stats = [stats_of(compare(*sides, str)) for sides in documents]
    summed = {name: stats[0].get(name, 0) + stats[1].get(name, 0) for name in {**stats[0], **stats[1]}}
    assert total(counts_from(summed)) == Counts(2, 3, 3)
    assert all("list_item" not in name for name in summed)


def test_evidence_names_what_was_missed_and_what_is_too_much() -> None:
    shown = compare(only(heading=["a" * 200]), only(heading=[f"missed {n}" for n in range(30)]), str).evidence()
    assert list(shown) == ["heading"]
    assert shown["heading"]["missed"][0] == "missed 0"
    assert shown["heading"]["missed"][-1] == "… 10 more"
    assert len(shown["heading"]["extra"][0]) == structure.LONGEST_SHOWN


@pytest.mark.parametrize(
    ("predicted", "expected", "side"),
    [
        (only(heading=["x"]), only(heading=["x"] * (structure.MAX_REFERENCE + 1)), "reference"),
        (only(heading=["x"] * (structure.MAX_PREDICTED + 1)), only(), "prediction"),
        (only(list_item=["x"] * 8_001), only(list_item=["x"] * 1_000), "prediction"),
        (only(code_block=["x"]), only(code_block=["x" * (structure.MAX_CHARS + 1)]), "reference"),
        (only(code_block=["x" * 1_000_000]), only(code_block=["y" * 250_000]), "prediction"),
    ],
)
def test_too_much_is_refused_and_somebody_has_to_answer_for_it(
    predicted: Outline, expected: Outline, side: str
) -> None:
    with pytest.raises(TooLarge) as told:
        compare(predicted, expected, str)
    assert told.value.side == side


def test_what_is_just_not_too_much_is_matched() -> None:
    lines = [f"row {n:06d} with some text" for n in range(structure.MAX_REFERENCE)]
    assert total(compare(only(table_row=[*lines[1:], "new"]), only(table_row=lines), str).counts).matched >= 1_999
