"""What is wrong with tables, in words."""

from __future__ import annotations

from jatdae import TableEvaluator
from jatdae.core.contract import Sample

TABLE = "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>"

OTHER = "<table><tr><td>left</td><td>right</td></tr><tr><td>up</td><td>down</td></tr></table>"


def lines(prediction: str, reference: str) -> list[str]:
    return list(TableEvaluator.findings(TableEvaluator().score(Sample("1", prediction, reference)).evidence))


def test_a_line_per_cell_that_differs() -> None:
    title, *cells = lines(TABLE.replace("2", "7"), TABLE)
    assert title.startswith("Table ") and "TEDS" in title
    assert cells == ["  row 2, column 2: text differs: 2 → 7"]


def test_tables_that_are_equal_missing_or_extra_are_told_in_a_line() -> None:
    assert lines(TABLE, TABLE) == ["The two tables agree."]
    assert lines(TABLE, TABLE + OTHER)[1] == "  The prediction has no such table."
    assert "Table that only the prediction has" in lines(TABLE + OTHER, TABLE)
