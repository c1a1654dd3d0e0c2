"""How texts are told apart: differences of print, of what stands beside a name or code, and of sense."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.structured.identifiers import are_same_extensions, are_same_identifiers, is_near_identifier, lacks_label
from jatdae.structured.links import compare_links
from jatdae.structured.names import abbreviates_name, is_inverted, lacks_form, lacks_title
from jatdae.structured.wording import (
    are_same_words,
    differs_in_numerals,
    differs_in_spelling,
    has_other_order,
    has_same_sense,
    have_other_letters,
    is_print_alike,
    lacks_ordinal,
    lacks_units,
    may_be_read,
    print_key,
    read_quantities,
    without_remarks,
)

TEXTS = st.text(st.characters(codec="utf-8"), max_size=30)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("㈜한국", "(주)한국"),
        ("Main Street 5", "Main St. 5"),
        ("5 mcg", "5 µg"),
        ("- Pedas", "Pedas"),
        ("불고기 덮밥", "불고기덮밥"),
        ("AT&T", "AT and T"),
        ("2~3 days", "2-3 days"),
    ],
)
def test_print_does_not_count(a: str, b: str) -> None:
    assert is_print_alike(a, b)
    assert not have_other_letters(a, b) or may_be_read(a, b)


@pytest.mark.parametrize(("a", "b"), [("12 3", "123"), ("1.5", "15"), ("10²", "102"), ("a-1", "a1")])
def test_what_parts_figures_counts(a: str, b: str) -> None:
    assert print_key(a) != print_key(b)


def test_quantities_keep_their_order_and_units() -> None:
    assert read_quantities("5 mg, then 1,000 ml")[:2] == (("5", "1000"), ("mg", "mL"))
    assert lacks_units("120/80 mmHg", "120/80") and not lacks_units("120/80 mmHg", "130/80")


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("5mg", "50mg"),
        ("with food", "without food"),
        ("(L)", "(S)"),
        ("이상 없음", "이상 있음"),
        ("Stage III", "Stage II"),
    ],
)
def test_another_sense_is_never_near(a: str, b: str) -> None:
    assert not has_same_sense(a, b)


@pytest.mark.parametrize(
    ("test", "a", "b", "never"),
    [
        (is_inverted, "Smith, Jane", "Jane Smith", "John Smith"),
        (lacks_title, "Dr. Jane Smith", "Jane Smith", "Jane Smyth"),
        (lacks_title, "김철수 과장", "김철수", "김철순"),
        (lacks_form, "㈜한국전자", "한국전자(주)", "(유)한국전자"),
        (lacks_form, "Orion LLC", "Orion", "Orion Ltd"),
        (lacks_label, "Invoice No. 2024-0007", "2024-0007", "2024-0001"),
        (lacks_label, "제2024-15호", "2024-15", "2024-51"),
        (lacks_ordinal, "1. 수액 치료", "수액 치료", "2. 수액 치료"),
        (differs_in_numerals, "Type II diabetes", "Type 2 diabetes", "Type 3 diabetes"),
    ],
)
def test_what_stands_beside_a_text_may_be_left_out(test: object, a: str, b: str, never: str) -> None:
    assert callable(test)
    assert test(a, b) and test(b, a)
    assert not test(a, never) and not test(never, a)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(TEXTS, TEXTS)
def test_every_question_is_the_same_from_both_sides(a: str, b: str) -> None:
    for test in (are_same_identifiers, has_same_sense, is_inverted, is_print_alike, lacks_form, lacks_label):
        assert test(a, b) == test(b, a)
    for test in (lacks_ordinal, lacks_title, lacks_units, differs_in_numerals):
        assert test(a, b) == test(b, a)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(TEXTS)
def test_a_text_is_like_itself_and_lacks_nothing(text: str) -> None:
    assert is_print_alike(text, text) and are_same_identifiers(text, text) and has_same_sense(text, text)
    assert not (lacks_label(text, text) or lacks_title(text, text) or lacks_ordinal(text, text))


@pytest.mark.parametrize(
    ("a", "b"),
    [("Yes", "Y"), ("예", "yes"), ("male", "남"), ("Mon", "Monday"), ("KRW", "₩"), ("mg", "milligrams"), ("N/A", "-")],
)
def test_spellings_of_one_word_are_one(a: str, b: str) -> None:
    assert are_same_words(a, b) and are_same_words(b, a)


@pytest.mark.parametrize(
    ("a", "b"), [("M", "L"), ("Yes", "No"), ("N/A", "0"), ("mg", "g"), ("Mon", "Tue"), ("m", "M1")]
)
def test_other_words_are_not(a: str, b: str) -> None:
    assert not are_same_words(a, b)


@pytest.mark.parametrize(
    ("test", "a", "b", "never"),
    [
        (abbreviates_name, "John A. Smith", "John Smith", "John B. Jones"),
        (abbreviates_name, "J. Smith", "John Smith", "Robert Smith"),
        (has_other_order, "fever, cough", "cough, fever", "cough, chills"),
        (has_other_order, "Minsu Kim", "Kim Minsu", "Kim Minji"),
        (differs_in_spelling, "anaemia", "anemia", "enema"),
        (differs_in_spelling, "take two tablets", "take 2 tablets", "take 3 tablets"),
        (differs_in_spelling, "500 mg twice daily", "500 mg bid", "500 mg tid"),
        (is_near_identifier, "INV/2024/17", "INV-2024-17", "INV-2024-71"),
        (is_near_identifier, "415-555-0100 ext. 5", "415-555-0100", "415-555-0101"),
        (are_same_extensions, "02-345-6789 내선 12", "02-345-6789 ext 12", "02-345-6789 ext 21"),
    ],
)
def test_near_texts_and_what_is_never_near(test: Callable[[str, str], bool], a: str, b: str, never: str) -> None:
    assert test(a, b) and test(b, a)
    assert not test(a, never) and not test(never, a)


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("금액: 35,000원", "35,000원"),
        ("김영수(金永洙)", "김영수"),
        ("(04533) 을지로 30", "을지로 30"),
        ("early March 2025", "March 2025"),
        ("3.75% p.a.", "3.75%"),
        ("latte (L)", "latte (L)"),
        ("Aspirin (100 mg)", "Aspirin (100 mg)"),
        ("결과 (음성)", "결과 (음성)"),
        ("Keep cool (do not freeze)", "Keep cool"),
        ("Bitte kühl lagern (nicht einfrieren)", "Bitte kühl lagern"),
        ("Werte nachgetragen (nicht angegeben)", "Werte nachgetragen (nicht angegeben)"),
        ("Fraktur (nicht verschoben)", "Fraktur (nicht verschoben)"),
        ("35,000원(부가세 포함)", "35,000원"),
        ("https://a.com", "https://a.com"),
    ],
)
def test_remarks_are_left_out_but_what_turns_the_meaning_stays(text: str, bare: str) -> None:
    assert without_remarks(text) == bare


@pytest.mark.parametrize("text", ["(" * 9_000, "1 " * 4_000, "x, " * 3_000, "a." * 4_000, "½" * 9_000, "ext " * 2_000])
def test_long_texts_take_no_time(text: str) -> None:
    for test in (are_same_words, are_same_extensions, compare_links):
        test(text, text + "1")


@pytest.mark.parametrize(
    ("a", "b"),
    [("Invoice was paid in full", "Invoice was unpaid in full"), ("환자는 흡연자 상태임", "환자는 비흡연자 상태임")],
)
def test_a_word_that_is_denied_is_another(a: str, b: str) -> None:
    assert not has_same_sense(a, b) and not has_same_sense(b, a)
    assert has_same_sense(a, a + ".")
