"""The worked example of a medical certificate, and real data where it is at hand."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jatdae.structured import field_report
from jatdae.structured.leaves import Budget
from jatdae.structured.walk import Walk


@pytest.fixture
def certificate() -> dict[str, Any]:
    """What stands in the document."""
    return {
        "patient_name": "김철수",
        "diagnosis_code": "K35.80",
        "total_amount": 1500000,
        "admission_date": "2024-03-10",
        "discharge_date": "2024-03-15",
        "procedures": [
            {"code": "Q2861", "name": "충수절제술", "cost": 800000},
            {"code": "N0501", "name": "전신마취", "cost": 200000},
        ],
    }


@pytest.fixture
def misread() -> dict[str, Any]:
    """What a parser made of it: two letters O for zeros, a number as text, a date in another form."""
    return {
        "patient_name": "김철수",
        "diagnosis_code": "K35.8O",
        "total_amount": "1,500,000",
        "admission_date": "2024.03.10",
        "discharge_date": "2024-03-15",
        "procedures": [
            {"code": "Q2861", "name": "충수절제술", "cost": 800000},
            {"code": "NO501", "name": "전신마취", "cost": 200000},
        ],
    }


@pytest.fixture
def certificate_schema() -> dict[str, Any]:
    """What such a document has to look like, in the light dialect."""
    return {
        "patient_name": {"type": "string", "required": True, "min_length": 2},
        "diagnosis_code": {"type": "string", "required": True, "pattern": r"^[A-Z]\d{2,4}(\.\d{1,2})?$"},
        "total_amount": {"type": "number", "required": True},
        "admission_date": {"type": "string", "required": True},
        "discharge_date": {"type": "string", "required": True},
        "procedures": {
            "type": "array",
            "required": False,
            "items": {
                "children": {
                    "code": {"type": "string", "required": True},
                    "name": {"type": "string", "required": True},
                    "cost": {"type": "number", "required": True},
                }
            },
        },
    }


@pytest.fixture(scope="session")
def data() -> Callable[[str], str]:
    """The text of a file of the data folder."""
    folder = Path(os.environ.get("JATDAE_DATA") or Path(__file__).parents[3] / "shared" / "data") / "structured"

    def read(name: str) -> str:
        path = folder / name
        if not path.is_file():
            pytest.skip(f"{path} is not here; set JATDAE_DATA to the folder with the conformance data")
        return path.read_text("utf-8")

    return read


@pytest.fixture
def limit_budget(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """A function that lets a comparison do less work than usual: `limit_budget(cells=10)`."""

    def limit(**most: int) -> None:
        monkeypatch.setattr(field_report, "Walk", lambda ways, sides: Walk(ways, sides, Budget(**most)))

    return limit
