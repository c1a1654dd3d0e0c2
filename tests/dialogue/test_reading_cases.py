"""The eleven families of reading, on labelled answers: no later change may lose silently what was reached."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from jatdae.dialogue import score_turn

from .planting import NOBODY, plant
from .readings import measure, read_cases

SETS = ("a", "b", "c", "d")
STATUS = {
    "ko": (0.95, 0.93, 0.84, 0.92, 0.95, 0.9, 0.91, 0.94, 0.97, 0.97, 0.95),
    "en": (0.92, 0.86, 0.8, 0.94, 0.95, 0.87, 0.97, 0.87, 0.97, 0.88, 0.93),
}
"""Least share of mentions with the right status, by family."""
DATA = Path(os.environ.get("JATDAE_DATA", Path(__file__).parents[3] / "shared" / "data"))
REAL = DATA / "dialogue" / "answers_en.jsonl"


@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("family", range(1, 12))
def test_each_family_keeps_the_share_it_reached(language, family):
    cases = [case for case in read_cases("reading", *SETS) if case["family"] == family and case["lang"] == language]
    assert len(cases) >= 25
    assert measure(cases).status() >= STATUS[language][family - 1]


@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("name", [*SETS, "e"])
def test_hallucinations_are_flagged_and_little_else(name, language):
    measured = measure([case for case in read_cases("reading", name) if case["lang"] == language])
    assert measured.precision() >= 0.9 and measured.recall() >= 0.9


@pytest.mark.parametrize(
    ("name", "language", "status", "precision", "recall"),
    [
        ("g", "ko", 0.94, 0.98, 0.96),
        ("g", "en", 0.94, 0.98, 0.96),
        ("h", "ko", 0.92, 0.93, 0.93),
        ("h", "en", 0.87, 0.93, 0.93),
        ("i", "ko", 0.95, 0.9, 0.9),
        ("i", "en", 0.91, 0.9, 0.9),
        ("j", "ko", 0.89, 0.98, 0.84),
        ("j", "en", 0.92, 0.98, 0.91),
        ("k", "ko", 0.83, 0.98, 0.98),
        ("k", "en", 0.86, 0.98, 0.98),
        ("l", "ko", 0.88, 0.98, 0.98),
        ("l", "en", 0.91, 0.98, 0.98),
        ("m", "ko", 0.9, 0.98, 0.96),
        ("m", "en", 0.89, 0.96, 0.98),
        ("o", "ko", 0.87, 0.98, 0.98),
        ("o", "en", 0.91, 0.98, 0.98),
        ("p", "ko", 0.77, 0.98, 0.98),
        ("p", "en", 0.8, 0.98, 0.8),
        ("aa", "en", 0.87, 0.83, 0.71),
        ("w", "ko", 0.93, 0.98, 0.98),
        ("ad", "en", 0.96, 0.98, 0.98),
        ("ab", "ko", 0.77, 0.9, 0.98),
        ("ad", "ko", 0.97, 0.98, 0.98),
    ],
)
def test_later_sets_keep_what_they_reached(name, language, status, precision, recall):
    measured = measure([case for case in read_cases("reading", name) if case["lang"] == language])
    assert measured.status() >= status and measured.precision() >= precision and measured.recall() >= recall


@pytest.mark.parametrize(
    ("name", "language"),
    [(name, "ko") for name in ("f", "n", "q", "r", "t", "u", "v", "x", "y", "z", "af", "ag", "ai")]
    + [(name, "en") for name in ("f", "q", "r", "s", "t", "u", "v", "x", "y", "z", "af", "ag", "ai")],
)
def test_false_claims_in_mostly_true_answers_are_flagged_and_nothing_else(name, language):
    flags = right = claims = found = 0
    for case in read_cases("reading", name):
        if case["lang"] != language:
            continue
        earlier = [each["question"] if isinstance(each, dict) else each for each in case.get("earlier", [])]
        results = score_turn(case["answer"], case["question"], case["truth"], earlier_questions=earlier)
        details = results["SFS"]["hallucinated_details"]
        spans = [tuple(detail["span"]) for detail in details]
        false = [(case["answer"].index(text), case["answer"].index(text) + len(text)) for text in case["false"]]
        flags, claims = flags + len(spans), claims + len(false)
        right += sum(any(start < last and first < end for first, last in false) for start, end in spans)
        found += sum(any(start < last and first < end for start, end in spans) for first, last in false)
    assert right >= 0.95 * flags and found >= 0.85 * claims


@pytest.mark.parametrize("name", ["a", "b", "c", "d", "e", "f"])
def test_general_korean_answers_are_hardly_ever_flagged(name):
    clean = [case for case in read_cases("answers_ko", name) if not case["flag"]]
    scores = [score_turn(case["answer"], case["question"], NOBODY)["SFS"]["score"] for case in clean]
    assert sum(score is not None and score < 1 for score in scores) / len(clean) <= 0.04
    told = [score for score in scores if score is not None]
    assert sum(told) / len(told) >= 0.9


@pytest.mark.parametrize("name", ["a", "b", "c", "d", "e", "f"])
def test_false_facts_planted_in_korean_answers_are_found(name):
    clean = [case for case in read_cases("answers_ko", name) if not case["flag"]]
    assert _found(clean, "ko") >= 0.95


def test_real_english_answers_are_hardly_ever_flagged_and_planted_facts_found():
    if not REAL.is_file():
        pytest.skip(f"{REAL} is not here")
    rows = [json.loads(line) for line in REAL.read_text("utf-8").splitlines()]
    rows.sort(key=lambda row: hashlib.sha256(row["id"].encode()).hexdigest())
    some = rows[243:443]
    flagged = [_flags(row["answer"], row["question"]) for row in some]
    assert sum(map(bool, flagged)) / len(some) <= 0.03
    assert _found(some[:100], "en") >= 0.9


def _found(rows: list[dict[str, Any]], language: str) -> float:
    """Share of planted facts that are flagged."""
    hits = 0
    for seed, row in enumerate(rows):
        planted = plant(row["answer"], language, seed)
        spans = _flags(planted.text, row["question"])
        hits += any(start < planted.end and end > planted.start for start, end in spans)
    return hits / len(rows)


def _flags(answer: str, question: str) -> list[tuple[int, int]]:
    details = score_turn(answer, question, NOBODY)["SFS"]["hallucinated_details"]
    return [tuple(detail["span"]) for detail in details]
