"""Cell F1 counts the cells that say the same in the same place."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import pearsonr, spearmanr

from jatdae.core.contract import Sample
from jatdae.core.errors import UsageError
from jatdae.tables import TableEvaluator, cell_f1
from jatdae.tables.cell_similarity import _common, align_cells, fold_grid, fold_table
from jatdae.tables.elements import find_tables
from jatdae.tables.grid import lay

JUDGED, ANSWERS, PAIRS = (
    [json.loads(line) for line in (Path(__file__).parent / "cases" / name).read_text("utf-8").splitlines()]
    for name in ("judged.jsonl", "answers.jsonl", "pairs.jsonl")
)
Rows = list[list[str]]


def table(rows: Rows) -> str:
    lines = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows)
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def values(prediction: str, reference: str, **settings: Any) -> dict[str, float | None]:
    return dict(TableEvaluator(structured="yes", **settings).score(Sample("x", prediction, reference)).values)


def test_answers_of_models_are_marked_as_a_person_marks_them():
    near = [abs(10 * values(case["prediction"], case["reference"])["cell_f1"] - case["score"]) <= 2 for case in ANSWERS]
    assert sum(near) >= 9, near


ROWS = [["drug", "dose", "n"], ["aspirin", "100", "3"], ["metformin", "500", "4"]]


def test_the_formula_on_a_small_table():
    changed = [["drug", "dose", "n"], ["aspirin", "100", "3"], ["metformin", "50", "4"]]
    assert cell_f1(table(changed), table(ROWS)) == pytest.approx(2 * 8 / 18)
    assert cell_f1(table(ROWS[:2]), table(ROWS)) == pytest.approx(2 * 6 / 15)
    assert cell_f1(table([row[:2] for row in ROWS]), table(ROWS)) == pytest.approx(2 * 6 / 15)


def test_a_row_or_column_too_many_moves_nothing():
    assert cell_f1(table([["x", "y", "z"], *ROWS]), table(ROWS)) == pytest.approx(2 * 9 / 21)
    assert cell_f1(table([[row[0], "", *row[1:]] for row in ROWS]), table(ROWS)) == pytest.approx(2 * 9 / 21)


def test_every_position_of_a_merged_cell_holds_its_text():
    merged = '<table><tr><td colspan="2">a</td></tr><tr><td>b</td><td>c</td></tr></table>'
    assert cell_f1(table([["a", "a"], ["b", "c"]]), merged) == 1.0
    assert cell_f1(table([["a", ""], ["b", "c"]]), merged) == 0.75


def test_empty_cells_count():
    assert cell_f1(table([["a", "", ""]]), table([["a", "", "b"]])) == pytest.approx(2 * 2 / 6)


def test_markdown_html_and_latex_are_the_same_table():
    pipes = "| drug | dose |\n|---|---|\n| **aspirin** | $10^{2}$ |"
    html = "<table><tr><th>Drug</th><th>Dose</th></tr><tr><td>Aspirin</td><td>10<sup>2</sup></td></tr></table>"
    latex = r"\begin{tabular}{ll} Drug & Dose \\ \hline \textbf{Aspirin} & $10^2$ \\ \end{tabular}"
    assert cell_f1(pipes, html) == cell_f1(latex, html) == cell_f1(pipes, latex) == 1.0
    assert cell_f1(html.replace("<sup>2</sup>", "2"), html) == 0.75


def test_no_table_is_zero_and_no_reference_is_not_applicable():
    assert cell_f1("prose", table(ROWS)) == 0.0
    assert cell_f1(table(ROWS), "prose") is None
    assert cell_f1("<table></table>", "<table></table>") == 1.0
    assert cell_f1("<table></table>", table(ROWS)) == 0.0


def test_what_is_no_text_is_told():
    with pytest.raises(UsageError, match="cell_f1"):
        cell_f1(ROWS, table(ROWS))  # type: ignore[arg-type]


def test_the_soft_form_gives_partial_credit():
    found = values(table([["abcd", "x"]]), table([["abce", "x"]]))
    assert found["cell_f1"] == 0.5
    assert found["cell_f1_soft"] == pytest.approx(2 * (1 + 0.75) / 4)


@pytest.mark.parametrize(
    "cell", ["5", "-5.2", "1,200", "50%", "(0.04)", "0.12**", "< 0.001", "2.1×10⁶", "3/4", "5 ± 1", "₩500"]
)
def test_a_number_is_a_number(cell):
    assert values(table([[cell, "a"]]), table([[cell, "a"]]))["cell_numbers"] == 1.0
    assert values(table([["x", "a"]]), table([[cell, "a"]]))["cell_numbers"] == 0.0


@pytest.mark.parametrize("cell", ["a", "B12", "5 mg", "-", "Q1", "2023년"])
def test_what_is_no_number_is_none(cell):
    outcome = TableEvaluator().score(Sample("x", table([[cell]]), table([[cell]])))
    assert outcome.values["cell_numbers"] is None
    assert "no_numbers" in {issue.code for issue in outcome.issues}


def test_a_missed_table_scores_the_worst():
    found = values("# heading", table(ROWS))
    assert (found["cell_f1"], found["cell_f1_soft"], found["cell_numbers"]) == (0.0, 0.0, 0.0)


TABLES = st.integers(1, 4).flatmap(
    lambda width: st.lists(
        st.lists(st.sampled_from(["", "a", "b", "1", "2"]), min_size=width, max_size=width), min_size=1, max_size=4
    )
)


@given(TABLES, TABLES)
def test_between_nought_and_one_and_one_only_for_equals(a, b):
    score = cell_f1(table(a), table(b))
    assert score is not None and 0.0 <= score <= 1.0
    assert (score == 1.0) == (a == b)
    soft = values(table(a), table(b))["cell_f1_soft"]
    assert soft is not None and score <= soft <= 1.0


@given(TABLES, TABLES)
def test_never_more_than_the_cells_both_have(a, b):
    score = cell_f1(table(a), table(b))
    sizes = [len(side) * len(side[0]) for side in (a, b)]
    assert score is not None and score <= 2 * min(sizes) / sum(sizes) + 1e-12


@given(TABLES)
def test_a_table_without_spans_folds_as_its_layout_does(rows):
    element = find_tables(table(rows))[0]
    quick, laid = fold_table(element), fold_grid(*lay(element))
    assert [[quick.texts[at] for at in row] for row in quick.slots] == [
        [laid.texts[at] for at in row] for row in laid.slots
    ]


@given(TABLES, TABLES)
def test_common_texts_are_counted_alike_however_many_there_are(a, b):
    sides = [np.array([["ab12".find(cell) + 1 for cell in row] for row in rows]) for rows in (a, b)]
    many = [side * 1_000_000 for side in sides]
    assert (_common(*sides) == _common(*many)).all()


def test_large_tables_end_soon_or_are_refused():
    wide = table([[str(at) for at in range(3000)] for _ in range(3)])
    tall = table([[str(at), "x"] for at in range(4000)])
    assert cell_f1(wide, wide.replace(">7<", ">8<")) == pytest.approx(1.0, abs=0.01)
    assert cell_f1(tall, tall.replace(">7<", ">8<")) == pytest.approx(1.0, abs=0.01)
    assert cell_f1(table([["x"] * 200] * 200), table([["y"] * 200] * 200)) is None


def test_alignment_is_kept_for_evidence():
    match = align_cells(*(fold_table(find_tables(table(rows))[0]) for rows in (ROWS[1:], ROWS)))
    assert match.rows == ([0, 1], [1, 2]) and match.cols == ([0, 1, 2], [0, 1, 2])


def agreement(scores: list[float], people: list[float]) -> tuple[float, float]:
    return float(pearsonr(scores, people)[0]), float(spearmanr(scores, people)[0])


def test_cases_judged_by_a_person_keep_their_agreement():
    scores = [cell_f1(case["prediction"], case["reference"]) or 0.0 for case in JUDGED]
    r, rho = agreement(scores, [case["score"] for case in JUDGED])
    assert r > 0.73 and rho > 0.73


def test_of_two_predictions_the_one_that_a_person_prefers_is_the_better():
    scores = [[cell_f1(case[name], case["reference"]) or 0.0 for name in ("better", "worse")] for case in PAIRS]
    assert len(PAIRS) == 60
    assert sum(better > worse for better, worse in scores) >= 51


def test_people_agree_with_cell_f1_more_than_with_teds_and_grits(rows):
    rated = rows("human_rated.jsonl")
    people = [mean(row["human"]) for row in rated]
    found = [values(row["prediction"], row["reference"]) for row in rated]
    ours = agreement([each["cell_f1"] or 0.0 for each in found], people)
    assert ours[0] > 0.74 and ours[1] > 0.86
    for name in ("teds", "grits_con"):
        for others in ([each[name] or 0.0 for each in found], [row[name] for row in rated]):
            r, rho = agreement(others, people)
            assert ours[0] > r + 0.08 and ours[1] > rho + 0.08, name
