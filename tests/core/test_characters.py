"""Characters as a reader sees them."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.core.characters import as_seen


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("", ""),
        ("plain", "plain"),
        (unicodedata.normalize("NFD", "한글 é"), "한글 é"),
        ("\ufeffa\u200bb\u2060", "ab"),
        ("exam\u00ad\nple", "example"),
        ("10\u00a0mg\u202f5\u20076", "10 mg 5 6"),
        ("COVID\u201119", "COVID-19"),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("\u0646\u200c\u0645", "\u0646\u200c\u0645"),
    ],
)
def test_what_looks_the_same_is_the_same(text: str, seen: str) -> None:
    assert as_seen(text) == seen


@settings(derandomize=True, deadline=None)
@given(st.text())
def test_forms_of_one_text_look_the_same(text: str) -> None:
    assert as_seen(unicodedata.normalize("NFD", text)) == as_seen(unicodedata.normalize("NFC", text))
