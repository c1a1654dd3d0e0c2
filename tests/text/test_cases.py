"""Cases with the right answer, by family: what a reader of papers, forms and notes expects of the clean-up.

A case is a text and what is left of it, a text and its body, or a pair and its numbers. The shares reached are held, so
that no change loses a family unseen.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from jatdae.core.contract import Sample
from jatdae.text import TextEvaluator, normalise
from jatdae.text.bibliography import cut, find_bibliographies

CASES = [json.loads(line) for path in sorted(Path(__file__).parent.glob("cases/*.jsonl")) for line in path.open()]
FAMILIES = sorted({case["family"] for case in CASES})
FLOORS: dict[str, float] = {}
"""The least share of a family that holds; 1 where none stands here."""


def holds(case: dict[str, Any]) -> bool:
    if "left" in case:
        return normalise(case["text"]) == case["left"]
    if "body" in case:
        blocks = find_bibliographies(case["text"])
        return (cut(case["text"], blocks), len(blocks)) == (case["body"], case["blocks"])
    evaluator = TextEvaluator(**case.get("settings", {}))
    outcome = evaluator.score(Sample(case["id"], case["prediction"], case["reference"]))
    if "passages" in case:
        found = {(each["kind"], each["where"]) for each in outcome.evidence.get("passages", [])}
        return found == set(map(tuple, case["passages"]))
    codes = {issue.code for issue in outcome.issues}
    cer, body_cer = outcome.values["cer"], outcome.values["body_cer"]
    assert cer is not None
    assert body_cer is not None
    return (
        cer == case.get("cer", cer)
        and cer > case.get("cer_above", -1.0)
        and body_cer == case.get("body_cer", body_cer)
        and body_cer < case.get("body_cer_below", float("inf"))
        and case.get("issue", "") in {"", *codes}
        and case.get("no_issue") not in codes
    )


@pytest.mark.parametrize("family", FAMILIES)
def test_the_share_of_a_family_is_held(family: str) -> None:
    cases = [case for case in CASES if case["family"] == family]
    failed = [case["id"] for case in cases if not holds(case)]
    assert 1 - len(failed) / len(cases) >= FLOORS.get(family, 1.0), failed


def test_there_are_cases_of_each_kind_in_both_languages() -> None:
    languages = defaultdict(set)
    for case in CASES:
        languages[case["family"]].add(case["lang"])
    assert {family for family, known in languages.items() if "ko" not in known} == set()
    assert len({case["id"] for case in CASES}) == len(CASES)
