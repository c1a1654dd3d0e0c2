"""The formulas, and equality with jiwer."""

from __future__ import annotations

import random

import jiwer
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.core.contract import Sample
from jatdae.kernels.edit import EditCounts, edit_counts, edit_runs
from jatdae.text import TextEvaluator, cer
from jatdae.text.error_rates import bag_errors, counts_of, normalised_rate, rate

ALPHABETS = (
    "abcdef ",
    "한글자모가나다 ",
    "测量文字舌象 ",
    "👍🏽👩\u200d🔬🇰🇷❤\ufe0f ",
    "e\u0301a\u0308o\u0302n ",
    "ab한측e\u0301👍 ",
)
CHARACTERS = jiwer.Compose([jiwer.ReduceToListOfListOfChars()])
WORDS = jiwer.Compose([jiwer.ReduceToListOfListOfWords(word_delimiter=" ")])


def random_pairs(count: int) -> list[tuple[str, str]]:
    """Pairs of which the second is the first with some errors."""
    chance = random.Random(0)
    pairs = []
    for _ in range(count):
        alphabet = chance.choice(ALPHABETS)
        reference = "".join(chance.choices(alphabet, k=chance.randint(1, 40)))
        prediction = list(reference)
        for _ in range(chance.randint(0, 12)):
            at = chance.randrange(len(prediction) + 1)
            prediction[at : at + chance.randint(0, 2)] = chance.choices(alphabet, k=chance.randint(0, 2))
        pairs.append(("".join(prediction), reference))
    return pairs


def test_counts_equal_jiwers_on_ten_thousand_pairs() -> None:
    for prediction, reference in random_pairs(10_000):
        theirs = jiwer.process_characters(reference, prediction, CHARACTERS, CHARACTERS)
        expected = EditCounts(theirs.hits, theirs.substitutions, theirs.deletions, theirs.insertions)
        assert edit_counts(prediction, reference) == expected
        assert counts_of(edit_runs(prediction, reference)) == expected


def test_evaluator_equals_jiwer_on_words_and_characters() -> None:
    evaluator = TextEvaluator(normaliser="whitespace", bibliography="none")
    for prediction, reference in random_pairs(1_000):
        predicted, expected = " ".join(prediction.split()), " ".join(reference.split())
        if not expected:
            continue
        values = evaluator.score(Sample("x", prediction, reference)).values
        assert values["cer"] == jiwer.process_characters(expected, predicted, CHARACTERS, CHARACTERS).cer
        assert values["wer"] == jiwer.process_words(expected, predicted, WORDS, WORDS).wer


@pytest.mark.parametrize(
    ("prediction", "reference", "value"),
    [
        ("abd", "abc", 1 / 3),
        ("", "abc", 1.0),
        ("abcabcabc", "abc", 2.0),
        ("", "", 0.0),
        ("  ", "**", 1.0),
        ("---", " \n", 0.0),
        ("x", "", None),
        ("x", "[1]", None),
    ],
)
def test_cer_of_the_normalised_texts(prediction: str, reference: str, value: float | None) -> None:
    assert cer(prediction, reference) == value


def test_cer_takes_any_normaliser() -> None:
    assert cer("A", "a", "casefold") == 0.0
    assert cer("**a**", "a", "raw") == 4.0


def test_normalised_rate_counts_all_aligned_positions() -> None:
    assert normalised_rate(EditCounts(hits=6, substitutions=1, deletions=2, insertions=3)) == 6 / 12
    assert normalised_rate(EditCounts(0, 0, 0, 5)) is None
    assert normalised_rate(EditCounts(0, 0, 0, 0)) == 0.0


def test_rate_without_reference_is_zero_only_without_errors() -> None:
    assert rate(3, 4) == 0.75
    assert rate(0, 0) == 0.0
    assert rate(1, 0) is None


@pytest.mark.parametrize(
    ("prediction", "reference", "errors"),
    [
        ("b a", "a b", 0),
        ("a a b", "a b b", 1),
        ("a", "a b c", 2),
        ("a b c d", "a", 3),
        ("x y", "a b", 2),
        ("", "", 0),
    ],
)
def test_order_free_errors_forget_order_but_not_number(prediction: str, reference: str, errors: int) -> None:
    assert bag_errors(prediction.split(), reference.split()) == errors


@settings(derandomize=True, max_examples=300, deadline=None)
@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abc"), max_size=12))
def test_order_free_error_is_the_published_formula_and_at_most_the_wer(one: list[str], other: list[str]) -> None:
    apart = sum(abs(one.count(word) - other.count(word)) for word in "abc")
    assert bag_errors(one, other) == (abs(len(one) - len(other)) + apart) / 2
    assert bag_errors(one, other) <= edit_counts(one, other).distance
