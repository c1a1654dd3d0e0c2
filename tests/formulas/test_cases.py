"""Pairs of formulas with the mark a person would give (0 to 10): `formula_score` stays as near to it as it has come.

`judged.jsonl` was written by a reader who had not seen the code, `ours.jsonl` before the code, `fresh.jsonl` after it;
the misses of these three were mended by cause. Nothing was mended by `unseen.jsonl`. `answers.jsonl` is how models
answer, with sentences and fences; 8 of its 10 held when first met.
Families by mark: the same formula (9 and above), nearly (7 and above), wrong (below).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from jatdae.formulas import score

CASES = Path(__file__).with_name("cases")
FAMILIES = {"same": (9.0, 10.0), "near": (7.0, 8.99), "wrong": (0.0, 6.99)}
NEAR = 2.0
"""A score within two marks of the person's is right."""
FLOORS = {
    ("judged", "same"): 17, ("judged", "near"): 4, ("judged", "wrong"): 16,
    ("ours", "same"): 21, ("ours", "near"): 3, ("ours", "wrong"): 13,
    ("fresh", "same"): 24, ("fresh", "near"): 9, ("fresh", "wrong"): 32,
    ("unseen", "same"): 9, ("unseen", "near"): 4, ("unseen", "wrong"): 14,
    ("answers", "same"): 5, ("answers", "near"): 1, ("answers", "wrong"): 2,
}  # fmt: skip
"""Of 18, 5, 17; 22, 4, 14; 25, 10, 40; 10, 8, 17 and 5, 2, 3 cases, one less than are reached."""


def read(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CASES / f"{name}.jsonl").read_text("utf-8").splitlines()]


def misjudged(cases: Sequence[dict[str, Any]]) -> list[str]:
    found = []
    for case in cases:
        given = 10 * score(case["prediction"], case["reference"])
        if abs(given - case["score"]) > NEAR:
            found.append(f"{case['id']}: {given:.1f} for {case['score']} ({case['why']})")
    return found


@pytest.mark.parametrize(("name", "family"), FLOORS)
def test_a_family_of_cases_is_judged_as_by_people(name: str, family: str) -> None:
    low, high = FAMILIES[family]
    cases = [case for case in read(name) if low <= case["score"] <= high]
    wrong = misjudged(cases)
    assert len(cases) - len(wrong) >= FLOORS[name, family], wrong


@pytest.mark.parametrize("name", sorted({name for name, _ in FLOORS}))
def test_the_same_formula_never_scores_below_another_one(name: str) -> None:
    marks = {case["id"]: (case["score"], score(case["prediction"], case["reference"])) for case in read(name)}
    least = min(found for mark, found in marks.values() if mark == 10)
    most = max(found for mark, found in marks.values() if mark <= 5)
    assert least > most
