"""Boxes of forms: which answer is ticked."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.structured.choices import MAX_CHOICE, chosen, count_boxes
from jatdae.structured.kinds import bool_of


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("[x] ja [ ] nein", "ja"),
        ("☐ Yes ☒ No", "No"),
        ("예 ■ 아니오 □", "예"),
        ("Ya ( ) Tidak (v)", "Tidak"),
        ("Geschlecht: ☐ m ☒ w", "w"),
        ("☑ ja / ☐ nein", "ja"),
        ("☒ ja ☒ nein", ""),
        ("☐ ja ☐ nein", ""),
        ("☒ ja", "ja"),
        ("ja", ""),
    ],
)
def test_the_answer_is_beside_the_only_ticked_box(text: str, answer: str) -> None:
    assert chosen(text) == answer


@pytest.mark.parametrize(("text", "truth"), [("☒ Nein ☐ Ja", "false"), ("예(V) 아니오( )", "true"), ("☒ A ☐ B", "")])
def test_a_ticked_yes_is_true(text: str, truth: str) -> None:
    assert bool_of(text) == truth


@pytest.mark.parametrize(
    ("text", "truth"),
    [("Belum", "false"), ("yes, I agree", "true"), ("예, 아니오", ""), ("동의하지 않음", "false"), ("해당 없음", "")],
)
def test_words_for_yes_and_no_beside_a_truth_value(text: str, truth: str) -> None:
    assert bool_of(text) == truth


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.text(st.sampled_from("☐☒[]x() ab"), max_size=20))
def test_an_answer_is_a_part_of_the_text(text: str) -> None:
    assert chosen(text) in text
    assert not chosen(text) or count_boxes(text)


def test_long_texts_have_no_boxes() -> None:
    assert count_boxes("☒ " * MAX_CHOICE) == 0
