"""Numbers in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jatdae.structured.notation import NUMBER_WORDS
from jatdae.structured.number_words import read_words


@pytest.mark.parametrize(
    ("text", "number", "rest"),
    [
        ("twenty-five", "25", ""),
        ("One hundred and twenty", "120", ""),
        ("twelve hundred", "1200", ""),
        ("one million two hundred thousand", "1200000", ""),
        ("a dozen", "12", ""),
        ("half", "0.5", ""),
        ("fünfundzwanzig", "25", ""),
        ("zweihundertdreiundvierzig", "243", ""),
        ("fünfzig Euro", "50", "Euro"),
        ("dua puluh lima", "25", ""),
        ("seratus dua belas", "112", ""),
        ("lima puluh ribu rupiah", "50000", "rupiah"),
        ("이백오십", "250", ""),
        ("삼만 오천원", "35000", "원"),
        ("스물다섯", "25", ""),
        ("두 명", "2", "명"),
    ],
)
def test_numbers_in_words_are_read(text: str, number: str, rest: str) -> None:
    assert read_words(text) == (number, rest)


@pytest.mark.parametrize("text", ["", "forest", "dreieckig", "threesome", "hello", "and", "a"])
def test_other_words_are_no_number(text: str) -> None:
    assert read_words(text) is None


def in_english(number: int) -> str:
    names = {value: word for word, value in NUMBER_WORDS["en"].items() if isinstance(value, int)}
    if number >= 1000:
        return f"{in_english(number // 1000)} thousand" + (f" {in_english(number % 1000)}" if number % 1000 else "")
    if number >= 100:
        return f"{names[number // 100]} hundred" + (f" and {in_english(number % 100)}" if number % 100 else "")
    if number in names:
        return names[number]
    return f"{names[number // 10 * 10]}-{names[number % 10]}"


@given(st.integers(0, 999_999))
def test_every_number_is_read_back_from_its_words(number: int) -> None:
    assert read_words(in_english(number)) == (str(number), "")


@given(st.text(alphabet="일이삼사오육칠팔구십백천만억 ", max_size=40))
def test_no_order_of_words_breaks_the_reader(text: str) -> None:
    found = read_words(text)
    assert found is None or found[0].isdigit()
