"""`--strict`: resources that are not as FHIR has them are refused with place and field."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from jatdae.cli import main

from .conftest import condition, encounter, patient, record

EXAMPLE = Path(__file__).parents[2] / "examples" / "experiment" / "fhir"


def strict(files: Path, out: Path) -> int:
    return main(["scripts", "from-fhir", str(files), "--out", str(out), "--strict", "--lang", "en"])


def test_valid_bundles_pass(tmp_path: Path) -> None:
    pytest.importorskip("fhir.resources", reason="the fhir extra is not installed")
    assert strict(EXAMPLE, tmp_path / "s.jsonl") == 0


def test_what_does_not_hold_is_named_with_place_and_field(written: Any, tmp_path: Path, capsys: Any) -> None:
    pytest.importorskip("fhir.resources", reason="the fhir extra is not installed")
    broken = condition("Gout", "2020-01-01", bodySite="knee")
    file = written("a.json", patient(birthDate="May 1958"), encounter("2026-01-01"), broken, {"resourceType": "Odd"})
    assert strict(file, tmp_path / "s.jsonl") == 2
    said = capsys.readouterr().err
    assert "a.json (entry[0]): Patient 'p1': birthDate is not as FHIR R4 has it" in said
    assert "a.json (entry[2]): Condition 'Gout': bodySite" in said
    assert "without --strict" in said
    assert not (tmp_path / "s.jsonl").exists()


def test_many_problems_are_not_all_named(written: Any, tmp_path: Path, capsys: Any) -> None:
    pytest.importorskip("fhir.resources", reason="the fhir extra is not installed")
    file = written("a.ndjson", *(patient(f"p{at}", birthDate="soon") for at in range(40)))
    assert strict(file, tmp_path / "s.jsonl") == 2
    said = capsys.readouterr().err
    assert "… and 30 more" in said
    assert len(said.splitlines()) == 12


def test_without_the_extra_it_is_named(
    written: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setitem(sys.modules, "fhir.resources.R4B", None)
    assert strict(written("a.json", *record()), tmp_path / "s.jsonl") == 3
    assert "jatdae[fhir]" in capsys.readouterr().err
