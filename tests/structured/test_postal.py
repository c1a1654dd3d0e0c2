"""Postal addresses: what is cut short in one is the same, another number or place is not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.structured.postal import MAX_ADDRESS, are_other_places, are_same_addresses, lacks_part

PAIRS = [
    (
        "8 Elm St., Apt. 2, Reno, NV 89501",
        "8 Elm Street Apartment 2 Reno Nevada 89501",
        "8 Elm St., Apt. 3, Reno, NV",
    ),
    ("Lindenstr. 12a, 50674 Köln", "Lindenstraße 12 a, D-50674 Koeln", "Lindenstr. 12b, 50674 Köln"),
    ("Jl. Melati No. 8 RT 003/RW 05", "Jalan Melati 8, RT 03 RW 05", "Jl. Melati No. 8 RT 005/RW 03"),
    ("부산광역시 중구 중앙로 9, 101동 1203호", "부산 중구 중앙로 9, 101-1203", "부산 중구 중앙로 9, 102-1203"),
    ("15 Fifth Avenue, NY 10011", "15 5th Ave, New York 10011, USA", "15 6th Ave, NY 10011"),
    ("77 King St #12", "77 King Street, Suite 12", "77 King Street, Suite 21"),
    ("Dayton, Ohio", "Dayton, OH", "Dayton, OR"),
]


@pytest.mark.parametrize(("a", "b", "never"), PAIRS)
def test_what_is_cut_short_is_the_same(a: str, b: str, never: str) -> None:
    assert are_same_addresses(a, b) and are_same_addresses(b, a)
    assert not are_same_addresses(a, never) and not are_same_addresses(never, a)


def test_a_word_that_differs_is_another_place() -> None:
    assert are_other_places("12 Park Lane", "12 Park Place")
    assert not are_other_places("1 Main St, Springfield", "1 Main Street, Springfeild")
    assert not are_other_places("Table 12", "Tabel 12")


@pytest.mark.parametrize(
    ("full", "shorter", "never"),
    [
        ("8 Elm St, Apt 2, Reno, NV 89501", "8 Elm Street, Reno, NV 89501", "8 Elm Street, Apt 3, Reno"),
        ("8 Elm St, Reno, NV 89501", "8 Elm St, Reno", "Reno, NV 89501"),
        ("18 Bridge Street, Leeds LS1 4AP", "18 Bridge Street, Leeds", "18 Bridge Street, York"),
        ("Lindenstr. 12a, 2. OG, 50674 Köln", "Lindenstraße 12a, Köln", "Lindenstraße, Köln"),
        ("Ringstr. 5, 1010 Wien", "Ringstr. 5, Wien", "1010 Wien"),
        ("Jl. Melati No. 8, RT 03/RW 05, Kel. Menteng, Jakarta", "Jalan Melati 8, Jakarta", "Kel. Menteng, Jakarta"),
        ("서울 중구 을지로 30, 지하 1층", "서울특별시 중구 을지로 30", "서울 중구 을지로, 지하 1층"),
        ("부산광역시 중구 중앙로 9, 101동 1203호", "중구 중앙로 9", "중구 중앙로 9, 102동"),
    ],
)
def test_a_part_that_is_left_out(full: str, shorter: str, never: str) -> None:
    assert lacks_part(full, shorter) and lacks_part(shorter, full)
    assert not lacks_part(full, never) and not lacks_part(never, full)


def test_what_is_no_address_is_not_read_as_one() -> None:
    assert not are_same_addresses("No. 7", "7")
    assert not are_same_addresses("ohio", "oh")


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.text(max_size=30), st.text(max_size=30))
def test_addresses_are_compared_alike_from_both_sides(a: str, b: str) -> None:
    ours, theirs = f"5 St {a}", f"5 Street {b}"
    assert are_same_addresses(ours, theirs) == are_same_addresses(theirs, ours)


def test_long_texts_are_not_read() -> None:
    assert not are_same_addresses("1 St. " * MAX_ADDRESS, "1 Street " * MAX_ADDRESS)
