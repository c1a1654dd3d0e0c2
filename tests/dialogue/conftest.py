"""A patient, the gold sentences, and the mentions of a text in short."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from jatdae.dialogue import extract
from jatdae.dialogue.reading.statuses import STATUSES

HERE = Path(__file__).parent
SHORT = dict(zip(("fact", "rec", "against", "cond", "ex", "gen", "fam", "hedge"), STATUSES, strict=True))


class Expected(NamedTuple):
    """A mention as it is annotated."""

    key: str
    value: float | None
    status: str
    polarity: str


def read_gold(name: str) -> Iterator[tuple[str, list[Expected]]]:
    """Sentences with their mentions."""
    for line in (HERE / name).read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            text, arrow, annotated = line.partition("=>")
            assert arrow, line
            yield text.strip(), [_expected(part) for part in annotated.split(",") if part.strip()]


def _expected(part: str) -> Expected:
    named, status, *rest = part.split()
    assert rest in ([], ["not"]), part
    key, _, value = named.partition("=")
    return Expected(key, float(value) if value else None, SHORT[status], "negated" if rest else "affirmed")


@pytest.fixture
def patient() -> dict[str, Any]:
    return {
        "age": 67,
        "sex": "female",
        "primary_condition": "Type 2 diabetes mellitus",
        "comorbidities": ["Hypertension", "Chronic kidney disease stage 3"],
        "active_meds": ["24 HR Metformin hydrochloride 500 MG Extended Release Oral Tablet", "Amlodipine 5 MG"],
        "vitals": {"blood_pressure": {"value": "152/94", "unit": "mmHg"}, "heart_rate": 78},
        "labs": {"HbA1c": {"value": 6.24, "unit": "%"}, "eGFR": 45, "glucose": {"value": 126, "unit": "mg/dL"}},
        "major_procedures": ["Colonoscopy"],
        "chief_symptom": "부종",
    }


def statuses(text: str) -> list[tuple[str, str, str]]:
    """Key, status and polarity of each mention."""
    return [(m.concept.key, m.status, m.polarity) for m in extract(text)]
