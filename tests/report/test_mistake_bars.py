"""What goes wrong on a page: bars by system, with the rows behind each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jatdae.core.contract import Sample
from jatdae.report import mistake_bars
from jatdae.report.mistake_bars import mistake_tables, rows_behind
from jatdae.report.samples import read_values
from jatdae.run.api import evaluate
from jatdae.run.stats.result import Result


@pytest.fixture
def result(plugin: Callable[..., Any]) -> Result:
    given = {"A": ["cc", "b", "a"], "B": ["c", "", "b"]}
    samples = [
        Sample(f"{at}", text, "0.5", system=name) for name, texts in given.items() for at, text in enumerate(texts)
    ]
    return evaluate(samples, plugin("letters:Letters"))


def test_bars_are_as_long_as_their_counts_and_know_their_rows(result: Result) -> None:
    (table,) = mistake_tables(result.summary, read_values(result))
    assert [each.mistake.key for each in table.ranked] == ["c", "b", "a"]
    assert [[(bar.system, bar.count, bar.width) for bar in each.bars] for each in table.ranked] == [
        [(0, 2, 100.0), (1, 1, 50.0)],
        [(0, 1, 50.0), (1, 1, 50.0)],
        [(0, 1, 50.0), (1, 0, 0.0)],
    ]
    assert [[bar.rows for bar in each.bars] for each in table.ranked] == [[(0,), (3,)], [(1,), (5,)], [(2,), ()]]
    assert [bar.number for each in table.ranked for bar in each.bars] == [0, 1, 2, 3, 4, 5]


def test_the_rows_behind_come_rank_by_rank(plugin: Callable[..., Any]) -> None:
    samples = [Sample(str(at), text, "0.5") for at, text in enumerate(["aa", "bbb", "a", "b"])]
    run = evaluate(samples, plugin("letters:Letters"))
    assert rows_behind(mistake_tables(run.summary, read_values(run))) == [1, 0, 3, 2]
    assert rows_behind([]) == []


def test_few_are_in_view_some_unfold_and_the_rest_is_counted(
    plugin: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mistake_bars, "MOST_LISTED", 12)
    run = evaluate([Sample("1", "abcdefghijklmno", "0.5")], plugin("letters:Letters"))
    (table,) = mistake_tables(run.summary, read_values(run))
    assert (len(table.shown), len(table.folded), table.left_out) == (8, 4, 3)
