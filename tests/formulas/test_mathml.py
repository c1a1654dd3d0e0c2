"""MathML is read as the LaTeX that prints the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jatdae.core.contract import Sample
from jatdae.formulas import FormulaEvaluator, extract, score
from jatdae.formulas.tokens import canonical_form

CASES = [
    json.loads(line) for line in (Path(__file__).parent / "cases" / "mathml.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_mathml_is_the_latex_that_prints_the_same(case):
    assert canonical_form(case["mathml"]).outline == canonical_form(case["latex"]).outline


def test_both_notations_are_found_in_one_document():
    page = "Let <math><mi>x</mi></math> be $y$.\n\n<math display='block'><mi>z</mi></math>"
    assert [(found.latex[:5], found.display) for found in extract(page)] == [
        ("<math", False),
        ("y", False),
        ("<math", True),
    ]


def test_mathml_in_code_or_never_closed_is_no_formula():
    assert extract("`<math><mi>x</mi></math>`") == []
    assert extract("<math><mi>x</mi>") == []
    assert extract("<mathematics>x</mathematics>") == []


def test_a_wrong_symbol_costs_as_much_as_in_latex():
    mathml = "<math><mi>x</mi><mo>=</mo><mn>2</mn><mi>y</mi></math>"
    assert score(mathml, "$x=3y$") == score("$x=2y$", "$x=3y$") < 1.0


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("<math>" + "<mrow>" * 500 + "<mi>x</mi>" + "</mrow>" * 500 + "</math>", "too_deep"),
        ("<math><mfrac><mi>a</mi></math>", "unbalanced"),
        ("<math>&bogus;<mi>x</mi></math>", None),
        ("<math><!ENTITY a 'b'>&a;<mi>x</mi></math>", None),
        ("<math><mfrac/><mroot/><msup/><mmultiscripts/><mtable/><mfenced/><mi>x</mi></math>", None),
        ("<math><mi>\udc80x</mi></math>", None),
        ("<math><munderover/><mi>x</mi><mglyph src='http://nowhere.invalid/a.png'/></math>", None),
    ],
)
def test_hostile_mathml_is_read_or_told(source, code):
    outcome = FormulaEvaluator().score(Sample("x", source, "$x$"))
    assert outcome.values["formula_score"] is not None
    assert code is None or code in {issue.code for issue in outcome.issues}
