"""Numbers in a text: ages."""

from __future__ import annotations

import pytest

from jatdae.dialogue.reading.quantities import find_ages


@pytest.mark.parametrize(
    ("text", "ages"),
    [
        ("67세, 1234세", [67]),
        ("12.67세", []),
        ("a67세 _67세", []),
        ("나이는 67", [67]),
        ("67", []),
        ("7살 071세", [7, 71]),
    ],
)
def test_an_age_is_a_number_that_is_no_part_of_another(text, ages):
    assert [value.number for _, _, value in find_ages(text, text)] == ages
