"""Forms of Korean words: the classes of a grammar, not lists."""

from __future__ import annotations

import pytest

from jatdae.terms.korean import is_dictionary_form, is_past, word_forms


@pytest.mark.parametrize(
    ("word", "forms"),
    [
        ("붉다", {"붉", "붉은", "붉음", "붉어", "붉었"}),
        ("얇다", {"얇은", "얇아", "얇았"}),
        ("두껍다", {"두껍", "두꺼운", "두꺼우", "두꺼워", "두꺼웠"}),
        ("누렇다", {"누렇", "누런", "누래"}),
        ("하얗다", {"하얀", "하얘"}),
        ("붓다", {"붓", "부은", "부어", "부었"}),
        ("거칠다", {"거칠", "거친", "거칠어"}),
        ("마르다", {"마르", "마른", "말라", "말랐"}),
        ("크다", {"크", "큰", "커", "컸"}),
        ("벗겨지다", {"벗겨지", "벗겨진", "벗겨져", "벗겨졌"}),
        ("희다", {"희", "흰", "희어"}),
        ("뚜렷하다", {"뚜렷하", "뚜렷한", "뚜렷해", "뚜렷했"}),
        ("없다", {"없", "없음", "없어", "없었"}),
    ],
)
def test_a_verb_has_the_forms_of_its_class(word: str, forms: set[str]) -> None:
    assert forms <= set(word_forms(word))


@pytest.mark.parametrize("word", ["홍", "담홍색", "다", "红", "red", "a다", ""])
def test_what_is_no_dictionary_form_is_its_only_form(word: str) -> None:
    assert not is_dictionary_form(word)
    assert word_forms(word) == (word,)


def test_a_syllable_of_the_past_ends_in_a_double_s() -> None:
    assert all(map(is_past, "였었았했졌웠컸"))
    assert not any(map(is_past, "있겠나어a ㅆ"))
