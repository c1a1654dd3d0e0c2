"""Korean verb forms: stems and endings."""

from __future__ import annotations

import pytest

from jatdae.dialogue.reading.korean_verbs import read_form


@pytest.mark.parametrize(
    ("word", "sort", "ending", "past", "honoured"),
    [
        ("줄이세요", "avoid", "order", False, True),
        ("줄였습니다", "avoid", "state", True, False),
        ("줄여", "avoid", "join", False, False),
        ("복용하셨으므로", "take", "cause", True, True),
        ("복용하신다면", "take", "if", False, True),
        ("끊으셔야", "stop", "must", False, True),
        ("걸으세요", "take", "order", False, True),
        ("나아", "good", "join", False, False),
        ("좋겠습니다", "good", "order", False, False),
        ("재활하셨습니다", "do", "state", True, True),
    ],
)
def test_a_verb_is_found_in_its_forms(word, sort, ending, past, honoured):
    form = read_form(word)
    assert form is not None
    assert (form.sort, form.ending, form.past, form.honoured) == (sort, ending, past, honoured)


@pytest.mark.parametrize("word", ["당뇨나", "바나나와", "자전거를", "두부를", "매일", "대장암", "확인", "성인"])
def test_nouns_that_end_like_verbs_are_none(word):
    assert read_form(word) is None
