"""Hostile formulas and documents: an issue or a low score, never an error, and work that grows with length alone."""

from __future__ import annotations

import pytest

from jatdae import FormulaEvaluator, Sample
from jatdae.formulas.formula_issues import MAX_FORMULA

N = MAX_FORMULA // 20
FORMULAS = {
    "open": "{" * 100_000,
    "close": "}" * N,
    "nested": "{" * N + "x" + "}" * N,
    "fractions": "\\frac" * N,
    "open fractions": "\\frac{" * N,
    "roots": "\\sqrt[" * N,
    "scripts": "x^" * N,
    "nested scripts": "a_{" * N,
    "over": "a\\over " * N,
    "begin": "\\begin{matrix}" * N,
    "no name": "\\begin{" * N,
    "end": "\\end{x}" * N,
    "cells": "&" * N,
    "lines": "\\\\" * N,
    "definitions": "\\def\\x{\\x\\x}\\x" * N,
    "commands": "\\newcommand{\\a}[1]{#1#1}\\a" * (N // 2),
    "backslashes": "\\" * (N + 1),
    "slashes": "a/" * N,
    "bracketed slashes": "(" * 49 + "a" + ")/b" * 49,
    "primes": "'" * N,
    "accents": "\\hat" * N,
    "negations": "\\not" * N,
    "comments": "%\n" * N,
    "chemistry": "\\ce{" + "H2" * N + "}",
    "surrogates": "\ud800" * N,
    "null": "\x00" * N,
    "spaces": " " * N + "x",
    "nothing in dollars": "$$$$",
    "nothing in brackets": r"\[ \]",
    "nothing in parentheses": r"\(\)",
}
DOCUMENTS = {
    "dollars": "$ " * 50_000,
    "display": "$$" * 50_001,
    "money": "$5 " * 50_000,
    "parentheses": "\\(" * 50_000,
    "code": "".join("`" * n + " " for n in range(300)),
    "fences": "```\n" * 30_001,
    "environments": "\\begin{align}" * 20_000,
    "lines": "$\n" * 50_000,
}


@pytest.mark.parametrize("kind", FORMULAS)
def test_a_hostile_formula_on_either_side(kind: str) -> None:
    hostile, plain = FORMULAS[kind], r"x/y+\frac{1}{2}"
    for prediction, reference in ((hostile, plain), (plain, hostile), (hostile, hostile)):
        outcome = FormulaEvaluator(reading="formula").score(Sample("1", prediction, reference))
        score = outcome.values["formula_score"]
        assert score is None or 0.0 <= score <= 1.0
        assert score in (None, 1.0) if prediction == reference else (score or 0.0) < 0.6


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_a_hostile_document_is_read_to_its_end(kind: str) -> None:
    outcome = FormulaEvaluator().score(Sample("1", DOCUMENTS[kind] + "\n\n$x$", "See $x$."))
    assert outcome.values["formula_score"] in (0.0, 1.0)


@pytest.mark.parametrize("empty", ["$$$$", r"\(\)", r"\[\]", "```math\n```"])
def test_signs_with_nothing_in_them_are_no_formula(empty: str) -> None:
    for prediction, reference in ((empty, "x^2"), ([empty], ["x^2"])):
        outcome = FormulaEvaluator().score(Sample("1", prediction, reference))
        assert outcome.values["formula_score"] == 0.0
        assert [issue.code for issue in outcome.issues] == ["no_formula"]
    for reference in (empty, [empty]):
        outcome = FormulaEvaluator().score(Sample("1", "x^2", reference))
        assert outcome.values["formula_score"] is None
        assert [issue.code for issue in outcome.issues] == ["no_reference_formula"]
