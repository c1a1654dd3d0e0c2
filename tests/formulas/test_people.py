"""Agreement with three raters on 123 formula pairs of public data (skipped where it is absent)."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jatdae import FormulaEvaluator, Sample

DATA = Path(os.environ.get("JATDAE_DATA", Path(__file__).parents[3] / "shared" / "data")) / "formulas"


@pytest.fixture(scope="module")
def rated() -> list[dict[str, Any]]:
    path = DATA / "human_rated.jsonl"
    if not path.is_file():
        pytest.skip(f"{path} is not here")
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def correlation(a: list[float], b: list[float]) -> float:
    return float(np.corrcoef(a, b)[0, 1])


def test_formula_score_agrees_with_people_better_than_published_measures(rated: list[dict[str, Any]]) -> None:
    human = [float(np.mean(row["human"])) for row in rated]
    outcomes = [FormulaEvaluator().score(Sample(row["id"], row["prediction"], row["reference"])) for row in rated]
    found = {
        name: correlation([outcome.values[name] or 0.0 for outcome in outcomes], human) for name in outcomes[0].values
    }
    assert found["formula_score"] > 0.67
    assert found["formula_score"] > correlation([row["cdm"] for row in rated], human) + 0.2
    assert found["formula_score"] > max(found["formula_similarity"], found["formula_match"])


def test_no_real_formula_is_misread(rated: list[dict[str, Any]]) -> None:
    """References are sound LaTeX by people: neither unbalanced nor with commands that are not known."""
    faulty = [
        row["id"] for row in rated if FormulaEvaluator().score(Sample("", row["reference"], row["reference"])).issues
    ]
    assert faulty == []
