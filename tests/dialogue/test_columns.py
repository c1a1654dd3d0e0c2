"""What the heading of a column says of what stands below it."""

from __future__ import annotations

import pytest

from jatdae.dialogue.rules.columns import read_heading
from jatdae.dialogue.rules.stances import AGAINST, NONE, TAKE

TABLE = "swaps:\n| **instead of** | try |\n|---|---|\n| orange juice | apple juice |\n| banana | blueberries |\n"


@pytest.mark.parametrize(
    ("thing", "said"),
    [("orange", AGAINST), ("banana", AGAINST), ("apple", TAKE), ("blueberries", TAKE), ("instead", NONE)],
)
def test_the_heading_of_a_column_holds_for_what_stands_below(thing, said):
    assert read_heading(TABLE, TABLE.index(thing)) == said


def test_a_column_that_offers_needs_one_that_refuses_beside_it():
    table = "| try | when |\n|---|---|\n| banana | never after six |\n"
    assert read_heading(table, table.index("banana")) == ""


def test_a_heading_that_says_nothing_and_a_row_without_one():
    assert read_heading("| food | potassium |\n|---|---|\n| banana | high |\n", 40) == ""
    assert read_heading("| banana | high |", 2) == ""
