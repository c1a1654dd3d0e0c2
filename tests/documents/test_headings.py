"""The tree of headings: missing ones, extra ones, and those below the wrong one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.core.contract import Sample
from jatdae.documents import DocumentEvaluator
from jatdae.documents.headings import compare_headings

GOLD = [(1, "Title"), (2, "Methods"), (3, "Data"), (2, "Results")]
HEADINGS = st.lists(st.tuples(st.integers(1, 6), st.sampled_from("abc")), max_size=6)


def levels(prediction: list[tuple[int, str]], reference: list[tuple[int, str]]) -> float | None:
    found = compare_headings(prediction, reference, str)
    return None if found is None else 1 - found[0] / found[1]


def test_where_the_first_level_begins_does_not_count() -> None:
    assert levels([(level + 2, text) for level, text in GOLD], GOLD) == 1.0
    assert levels([(level * 2, text) for level, text in GOLD], GOLD) == 1.0


@pytest.mark.parametrize(
    ("prediction", "value"),
    [
        ([], 0.0),
        (GOLD[:3], 6 / 7),
        ([*GOLD, (2, "More")], 8 / 9),
        ([(1, "Title"), (2, "Methods"), (3, "Datx"), (2, "Results")], 1 - 2 * 0.25 / 8),
        ([(1, text) for _, text in GOLD], 1 / 2),
    ],
)
def test_what_a_change_costs(prediction: list[tuple[int, str]], value: float) -> None:
    assert levels(prediction, GOLD) == pytest.approx(value)


def test_without_a_heading_in_the_reference_there_is_nothing_to_measure() -> None:
    assert levels(GOLD, []) is None
    outcome = DocumentEvaluator().score(Sample("d", "# A\n\ntext", "- item\n\ntext"))
    assert outcome.values["heading_levels"] is None
    assert "no_reference_heading" in [issue.code for issue in outcome.issues]


@settings(max_examples=50)
@given(HEADINGS, HEADINGS)
def test_the_value_is_a_share_symmetric_and_1_for_the_same(
    first: list[tuple[int, str]], second: list[tuple[int, str]]
) -> None:
    if first and second:
        assert 0.0 <= levels(first, second) <= 1.0
        assert levels(first, second) == pytest.approx(levels(second, first))
        assert levels(first, first) == 1.0


def test_levels_are_read_from_markdown_and_html() -> None:
    gold = "# A\n\nx\n\n## B\n\ny\n\n## C\n\nz"
    html = "<!doctype html><body><h1>A</h1><p>x</p><h2>B</h2><p>y</p><h3>C</h3><p>z</p></body>"
    scores = DocumentEvaluator().score(Sample("d", html, gold))
    assert scores.values["heading_f1"] == 1.0
    assert scores.values["heading_levels"] == pytest.approx(2 / 3)
    assert (scores.stats["headings.distance"], scores.stats["headings.number"]) == (2.0, 6.0)
