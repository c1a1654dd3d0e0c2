"""Errors of paired tables: every case was counted by hand, most of them before there was code to count."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.core.contract import Sample
from jatdae.tables import TableEvaluator
from jatdae.tables.grid import grid_of
from jatdae.tables.grid_similarity import exact_match

_CELL = re.compile(r"(#?)(.*?)(?:>(\d+))?(?:!(\d+))?")


def table(*rows: str) -> str:
    """HTML of a table from rows like `#Year>2|#Sum!2`: # a header cell, >2 a colspan, !2 a rowspan."""
    lines = ("".join(map(_cell, row.split("|"))) for row in rows)
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def _cell(text: str) -> str:
    header, content, cols, rows = _CELL.fullmatch(text).groups()  # type: ignore[union-attr]
    tag = "th" if header else "td"
    return f"<{tag} colspan={cols or 1} rowspan={rows or 1}>{content}</{tag}>"


def errors(prediction: str, reference: str, **options: object) -> dict[str, int]:
    outcome = TableEvaluator(structured="yes", **options).score(Sample("x", prediction, reference))  # type: ignore[arg-type]
    return dict(outcome.counts["table_errors"])


PRICES = ("#item|#price", "pen|1", "ink|2", "pad|3")

CASES = {
    "nothing is wrong": (table(*PRICES), table(*PRICES), {}),
    "one text is wrong": (table("#item|#price", "pen|1", "ink|7", "pad|3"), table(*PRICES), {"text": 1}),
    "a row too many in the middle": (
        table("#item|#price", "pen|1", "cup|9", "ink|2", "pad|3"),
        table(*PRICES),
        {"cells_extra": 2},
    ),
    "the first row is lost": (table("pen|1", "ink|2", "pad|3"), table(*PRICES), {"cells_missed": 2}),
    "a column too many on the left": (
        table("#no|#item|#price", "i|pen|1", "ii|ink|2", "iii|pad|3"),
        table(*PRICES),
        {"cells_extra": 4},
    ),
    "a column is lost, and one text is wrong": (
        table("#item", "pan", "ink", "pad"),
        table(*PRICES),
        {"cells_missed": 4, "text": 1},
    ),
    "header cells are plain cells": (table("item|price", *PRICES[1:]), table(*PRICES), {"headers": 2}),
    "a plain cell is a header cell": (table("#item|#price", "#pen|1", *PRICES[2:]), table(*PRICES), {"headers": 1}),
    "a merged cell comes apart: the empty rest is the same mistake": (
        table("year|", "1|2"),
        table("year>2", "1|2"),
        {"spans": 1},
    ),
    "a merged cell comes apart: its repeated text is the same mistake": (
        table("year|year", "1|2"),
        table("year>2", "1|2"),
        {"spans": 1},
    ),
    "a merged cell comes apart, and there is text that does not belong": (
        table("year|sum", "1|2"),
        table("year>2", "1|2"),
        {"spans": 1, "cells_extra": 1},
    ),
    "two cells are merged, and the text of the second is lost": (
        table("year>2", "1|2"),
        table("year|sum", "1|2"),
        {"spans": 1, "cells_missed": 1},
    ),
    "a cell that goes over two rows comes apart": (
        table("north|1", "|2", "south|3"),
        table("north!2|1", "2", "south|3"),
        {"spans": 1},
    ),
    "one cell is wrong in three ways": (
        table("yeer|", "1|2"),
        table("#year>2", "1|2"),
        {"spans": 1, "headers": 1, "text": 1},
    ),
    "two rows have changed places: one is gone here and comes again there": (
        table("#item|#price", "ink|2", "pen|1", "pad|3"),
        table(*PRICES),
        {"cells_missed": 2, "cells_extra": 2},
    ),
    "no text is right, every cell is there": (
        table("#a|#b", "c|d", "e|f", "g|h"),
        table(*PRICES),
        {"text": 8},
    ),
    "one row is written as two": (
        table("#item|#price", "pen|1", "ink|2", "from|", "pad|3"),
        table("#item|#price", "pen|1", "ink from|2", "pad|3"),
        {"text": 1, "cells_extra": 2},
    ),
    "two rows are written as one": (
        table("#item|#price", "pen ink|1 2", "pad|3"),
        table(*PRICES),
        {"text": 2, "cells_missed": 2},
    ),
    "one of three equal rows is lost": (table("0|0", "0|0"), table("0|0", "0|0", "0|0"), {"cells_missed": 2}),
    "a row too many above a merged cell": (
        table("x|y", "#year>2", "1|2"),
        table("#year>2", "1|2"),
        {"cells_extra": 2},
    ),
    "a column too many below a merged cell that covers it too": (
        table("#prices>3", "pen|x|1", "ink|y|2"),
        table("#prices>2", "pen|1", "ink|2"),
        {"cells_extra": 2},
    ),
    "the first row of a merged cell is lost": (
        table("north|2", "south|3"),
        table("north!2|1", "2", "south|3"),
        {"cells_missed": 1},
    ),
    "a merged cell comes apart, and its text stands in the second": (
        table("|year", "1|2"),
        table("year>2", "1|2"),
        {"spans": 1},
    ),
    "no text is right, and a row is lost": (
        table("#a|#b", "c|d", "e|f"),
        table(*PRICES),
        {"text": 6, "cells_missed": 2},
    ),
    "a row is short: its last cell is missed": (
        table("#item|#price", "pen", "ink|2", "pad|3"),
        table(*PRICES),
        {"cells_missed": 1},
    ),
    "a table is empty": (table(), table("a|b"), {"cells_missed": 2}),
    "a table that should be empty is not": (table("a|b"), table(), {"cells_extra": 2}),
    "white space and markup are no text": (
        "<table><tr><td>\n  pen <td><b>1</b><br>kg</table>",
        table("pen|1 kg"),
        {},
    ),
    "a table that cannot be read is not compared": (
        f"<table><tr><td>{'<b>' * 2000}</td></tr></table>" + table("a|x"),
        table("a|b") + table("a|b"),
        {"text": 1, "not_compared": 1},
    ),
    "a table beyond a limit is not compared": (
        table("|".join("a" * 2000)),
        table(*["|".join("a" * 600)] * 100),
        {"not_compared": 1},
    ),
    "a table is missed": (table(*PRICES), table(*PRICES) + table("a|b"), {"missed": 1}),
    "a table too many": (table(*PRICES) + table("a|b"), table(*PRICES), {"extra": 1}),
    "no table at all": ("nothing", table(*PRICES) + table("a|b"), {"missed": 2}),
    "two tables add up": (
        table("a|x") + table("#c|d"),
        table("a|b") + table("c|e"),
        {"text": 2, "headers": 1},
    ),
}


@pytest.mark.parametrize(("prediction", "reference", "counted"), CASES.values(), ids=CASES)
def test_errors_are_counted_as_a_careful_person_would(prediction, reference, counted):
    assert errors(prediction, reference) == counted


def test_texts_of_one_compatibility_form_are_the_same_where_the_profile_says_so():
    wide, plain = table("２０|m²"), table("20|m2")
    for profile, rewritten in (("standard", {"cells": 2}), ("omnidocbench", {})):
        counts = TableEvaluator(structured="yes", profile=profile).score(Sample("x", wide, plain)).counts
        assert (counts["table_errors"], counts["table_notation"]) == ({}, rewritten)


def test_tables_that_change_places_are_compared_with_those_they_were_assigned_to():
    one, two = table(*PRICES), table("a|b|c")
    assert errors(one + two, two + one, matching="hungarian") == {}


def test_a_table_without_a_value_has_no_errors():
    outcome = TableEvaluator(structured="no").score(Sample("x", "prose", table(*PRICES)))
    assert "table_errors" not in outcome.counts


written_rows = st.lists(st.sampled_from(["", "a", "b", "#c", "a>2", "d!2", "e>2!2"]), min_size=1, max_size=4)
tables = st.lists(written_rows.map("|".join), max_size=4).map(lambda rows: table(*rows))


@settings(derandomize=True, max_examples=300, deadline=None)
@given(tables, tables)
def test_no_kind_has_more_errors_than_there_are_cells(prediction, reference):
    found = errors(prediction, reference)
    if exact_match(grid_of(prediction), grid_of(reference)):
        assert set(found) <= {"headers"}
    cells = [len(grid_of(side).cells) for side in (prediction, reference)]
    for kind in ("spans", "headers", "text"):
        assert found.get(kind, 0) <= min(cells)
    assert found.get("cells_extra", 0) <= cells[0] and found.get("cells_missed", 0) <= cells[1]
    assert set(found) <= {"spans", "headers", "text", "cells_missed", "cells_extra"}


@settings(derandomize=True, max_examples=200, deadline=None)
@given(tables)
def test_a_table_has_no_errors_against_itself(given_table):
    assert errors(given_table, given_table) == {}


def test_a_cell_that_is_only_written_differently_is_no_other_text():
    reference = "<table><tr><td>α</td><td>5</td><td>10²</td></tr></table>"
    prediction = r"<table><tr><td>$\alpha$</td><td>6</td><td>$10^2$</td></tr></table>"
    outcome = TableEvaluator().score(Sample("x", prediction, reference))
    assert outcome.counts["table_errors"] == {"text": 1}
    assert outcome.counts["table_notation"] == {"cells": 2}
