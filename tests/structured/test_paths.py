"""Written paths, and patterns that stand for many of them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.core.errors import UsageError
from jatdae.structured.paths import (
    ANY_DEPTH,
    ANY_INDEX,
    ANY_KEY,
    as_pattern,
    parse_pattern,
    written_path,
)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("total", ("total",)),
        ("$", ()),
        ("$.total", ("total",)),
        ("procedures[*].cost", ("procedures", ANY_INDEX, "cost")),
        ("procedures[12].cost", ("procedures", 12, "cost")),
        ("[*].cost", (ANY_INDEX, "cost")),
        ("$[0]", (0,)),
        ("**.date", (ANY_DEPTH, "date")),
        ("meta.*", ("meta", ANY_KEY)),
        ('a["b.c"].d', ("a", "b.c", "d")),
        ('["*"]', ("*",)),
        ("합계.금액", ("합계", "금액")),
        ("two words", ("two words",)),
    ],
)
def test_a_pattern_is_read_part_by_part(text: str, parts: tuple[Any, ...]) -> None:
    read = parse_pattern(text)
    assert read == parts
    assert [type(part) for part in read] == [type(part) for part in parts]


@pytest.mark.parametrize("text", ["", "a..b", "a.", "a[", "a[x]", "a]b", "a*b", '["a', "a[-1]", '["\\x"]'])
def test_a_pattern_that_cannot_be_read_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(UsageError, match=r"path|empty"):
        parse_pattern(text)


@given(st.lists(st.one_of(st.text(max_size=8), st.integers(0, 99)), max_size=5))
@settings(derandomize=True, deadline=None, max_examples=200)
def test_a_written_path_reads_back_as_its_keys_and_indices(way: list[str | int]) -> None:
    assert parse_pattern(written_path(way)) == tuple(way)


def test_a_path_becomes_a_pattern_by_opening_its_indices() -> None:
    assert as_pattern("a[0].b[12]") == "a[*].b[*]"
