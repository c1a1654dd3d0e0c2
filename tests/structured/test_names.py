"""Names of persons and companies: who is the same, who is somebody else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.structured.names import (
    are_other_companies,
    are_other_persons,
    are_same_companies,
    are_same_names,
    have_other_titles,
    lacks_last_name,
    lacks_middle_name,
    lacks_office,
    lacks_title,
)


@pytest.mark.parametrize(
    ("a", "b", "never"),
    [
        ("O'Connor, Mary Jane", "Mary Jane O’Connor", "Mary Joan O’Connor"),
        ("Herr Dr. Jürgen Weiß", "Dr. Juergen Weiss", "Frau Dr. Jürgen Weiß"),
        ("SMITH, John", "John Smith", "John Smyth"),
        ("홍길동 귀하", "홍길동", "홍길순"),
        ("김민수 (인)", "김민수", "김민서"),
        ("Hj. Siti Aminah, S.Pd.", "Siti Aminah", "Siti Amanah"),
        ("Muh. Rizal", "Muhammad Rizal", "Muh. Rizki"),
        ("von Stein, Eva", "Eva von Stein", "Eva vom Stein"),
    ],
)
def test_one_person_in_other_words(a: str, b: str, never: str) -> None:
    assert are_same_names(a, b) and are_same_names(b, a)
    assert not are_same_names(a, never) and not are_same_names(never, a)


@pytest.mark.parametrize(("a", "b"), [("Dr. Kim", "Mr. Kim"), ("Prof. Weber", "Dr. Weber"), ("red, blue", "blue red")])
def test_other_titles_and_words_in_another_order_are_not_one_person(a: str, b: str) -> None:
    assert not are_same_names(a, b)


def test_a_man_is_not_a_woman() -> None:
    assert have_other_titles("Mr. Cole", "Mrs. Cole")
    assert not have_other_titles("Dr. Cole", "Mrs. Cole")


@pytest.mark.parametrize(("a", "b"), [("Joan Petersen", "John Petersen"), ("Anna Schmidt", "Anna Schmitt")])
def test_a_name_that_differs_is_somebody_else(a: str, b: str) -> None:
    assert are_other_persons(a, b) and are_other_persons(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Alexandra Konstantinopoulos", "Alexandra Konstantinopolous"),
        ("Nasi Goreng Spesial", "Nasi Goreng Spesal"),
        ("john came late", "joan came late"),
        ("Müller, Hans", "Mueller, Hans"),
    ],
)
def test_slips_and_other_texts_are_not(a: str, b: str) -> None:
    assert not are_other_persons(a, b)


@pytest.mark.parametrize(
    ("full", "name", "never"),
    [
        ("Jane Doe, Chief Financial Officer", "Jane Doe", "Joan Doe"),
        ("Dr. Jane Doe, Head of Surgery", "Jane Doe", "Jane Roe"),
        ("Sabine Kraus, Abteilungsleiterin", "Sabine Kraus", "Sabine Krause"),
        ("Direktur Budi Santoso", "Budi Santoso", "Budi Sentosa"),
        ("내과 과장 박지현", "박지현", "박지연"),
        ("박지현 영업부장", "박지현", "박지연"),
    ],
)
def test_what_a_person_is_may_be_left_out(full: str, name: str, never: str) -> None:
    assert lacks_office(full, name) and lacks_office(name, full)
    assert not lacks_office(full, never)


def test_an_office_without_a_name_is_not_left_out() -> None:
    assert not lacks_office("Chief Medical Officer, Deputy Director", "Chief Medical Officer")
    assert not lacks_office("영업부 과장", "영업부") and not lacks_title("영업부 과장", "영업부")
    assert not lacks_office("Room 5, Head of Sales", "Room 5")


def test_a_given_name_in_the_middle_may_be_left_out() -> None:
    assert lacks_middle_name("Anna Maria Keller", "Anna Keller")
    assert not lacks_middle_name("Anna Keller Braun", "Anna Braun")
    assert not lacks_middle_name("Anna Maria Keller", "Maria Keller")


def test_a_legal_form_in_full_is_the_same_form() -> None:
    full = "Bauer Gesellschaft mit beschränkter Haftung"
    assert are_same_companies(full, "Bauer GmbH") and are_same_companies("BAUER GMBH", full)
    assert not are_same_companies(full, "Bauer AG")


def test_a_word_that_differs_is_another_company() -> None:
    assert are_other_companies("Müller Bau GmbH", "Möller Bau GmbH")
    assert not are_other_companies("Mueller Bau GmbH", "Müller Bau GmbH")
    assert not are_other_companies("Business Machines Inc", "Buisness Machines Inc")
    assert not are_other_companies("Nasi Goreng", "Nasi Gorang")


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.text(st.sampled_from("AaBb,. ()"), max_size=16), st.text(st.sampled_from("AaBb,. ()"), max_size=16))
def test_names_are_compared_alike_from_both_sides(a: str, b: str) -> None:
    assert are_same_names(a, b) == are_same_names(b, a)
    assert are_other_persons(a, b) == are_other_persons(b, a)


@pytest.mark.parametrize(
    ("longer", "shorter", "lacks"),
    [
        ("Siti Rahmawati Putri", "Siti Rahmawati", True),
        ("Muhammad Rizki Surya Putra", "Muhammad Rizki Surya", True),
        ("Siti Rahmawati Putri", "Siti Putri", False),
        ("Anna Maria Keller", "Anna Maria", False),  # the name of her family
        ("Nur Aini Motor", "Nur Aini", False),
        ("Siti Putri", "Siti", False),
    ],
)
def test_the_last_of_several_given_names_may_be_left_out(longer: str, shorter: str, lacks: bool) -> None:
    assert lacks_last_name(longer, shorter) is lacks_last_name(shorter, longer) is lacks
