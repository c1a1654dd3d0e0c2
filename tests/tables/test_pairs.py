"""Which predicted table goes with which reference table."""

from __future__ import annotations

import subprocess
import sys

import pytest

from jatdae.core.contract import Sample
from jatdae.tables import TableEvaluator
from jatdae.tables.pairs import by_assignment, by_order
from jatdae.tables.table_issues import TableError


def table(text: str) -> str:
    return f"<table><tr><td>{text}</td><td>{text[::-1]}</td></tr></table>\n\n"


def test_by_order():
    assert by_order(3, 2) == [0, 1, None]
    assert by_order(1, 3) == [0]
    assert by_order(2, 0) == [None, None]


def test_by_assignment_maximises_the_total_and_not_each_in_turn():
    scores = [[0.9, 0.8], [0.8, 0.0]]  # [prediction][reference]
    assert by_assignment(2, 2, lambda p, r: scores[p][r]) == [1, 0]


def test_by_assignment_with_too_few_and_too_many_predictions():
    assert by_assignment(2, 1, lambda p, r: float(r)) == [None, 0]
    assert by_assignment(1, 3, lambda p, r: float(p == 2)) == [2]
    assert by_assignment(2, 0, lambda p, r: 1.0) == [None, None]


def test_an_assignment_beyond_the_limit_is_refused_before_any_pair_is_scored():
    def never(prediction: int, reference: int) -> float:
        raise AssertionError("scored")

    with pytest.raises(TableError, match="at most 10,000 pairs") as caught:
        by_assignment(101, 100, never)
    assert caught.value.code == "too_large"


def test_swapped_tables_are_put_right_by_assignment_only():
    sample = Sample("x", table("abc") + table("xyz"), table("xyz") + table("abc"))
    assert TableEvaluator().score(sample).values["teds"] < 0.8
    outcome = TableEvaluator(matching="hungarian").score(sample)
    assert outcome.values["teds"] == 1.0
    assert [pair["number"] for pair in outcome.evidence["pairs"]] == [1, 0]


def test_scipy_is_imported_only_for_an_assignment():
    code = "import sys, jatdae.tables; sys.exit('scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
