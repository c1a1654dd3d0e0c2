"""Identifiers: what may differ in a code, a telephone number or the label before it."""

from __future__ import annotations

import pytest

from jatdae.structured.identifiers import are_same_identifiers, differs_in_capitals, lacks_label, lacks_name_of_code


def test_a_short_number_needs_its_label() -> None:
    assert not lacks_label("Room 12", "12")
    assert not lacks_label("not 450001", "450001")


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("010-1234-5678", "01012345678", True),
        ("+82 10-1234-5678", "010-1234-5678", True),
        ("82-10-1234-5678", "010-1234-5678", True),
        ("1-800-555-0199", "800-555-0199", True),
        ("☎ 02-345-6789", "023456789", True),
        ("K35.80", "K3580", True),
        ("A-12", "A-21", False),
        ("12-3", "1-23", True),
        ("AB-12-3", "AB-1-23", False),
    ],
)
def test_identifiers_are_compared_without_their_separators(a: str, b: str, same: bool) -> None:
    assert are_same_identifiers(a, b) is same


@pytest.mark.parametrize(
    ("labelled", "code"),
    [
        ("Invoice No. INV-20817", "INV-20817"),
        ("Kd.-Nr. 100284", "100284"),
        ("Flight KE 085", "KE085"),
        ("Sertifikat No. 123/SK/2020", "123/SK/2020"),
        ("사업자등록번호 123-45-67890", "1234567890"),
        ("#A-100", "A-100"),
    ],
)
def test_words_that_name_a_code_may_be_left_out(labelled: str, code: str) -> None:
    assert lacks_name_of_code(labelled, code) and lacks_name_of_code(code, labelled)
    assert not lacks_name_of_code(labelled, code[:-1] + "9")


@pytest.mark.parametrize(
    ("labelled", "code"), [("Seat 12A", "12A"), ("제2024-15호", "2024-15"), ("not 450001", "450001")]
)
def test_other_words_before_a_code_count(labelled: str, code: str) -> None:
    assert not lacks_name_of_code(labelled, code)


def test_a_code_in_small_letters_is_the_same_but_not_one_in_mixed_case() -> None:
    assert differs_in_capitals("wvwzzz1jz3w386752", "WVWZZZ1JZ3W386752")
    assert not differs_in_capitals("aB12", "Ab12")
