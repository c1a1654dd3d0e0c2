"""Schemas of benchmarks: every name of an evaluation_config gives settings, and real ones load."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from jatdae import StructuredEvaluator
from jatdae.core.errors import UsageError
from jatdae.structured.benchmark_schemas import _policies
from jatdae.structured.field_settings import FieldFile

DATA = (
    Path(os.environ.get("JATDAE_DATA", Path(__file__).parents[3] / "shared" / "data")) / "structured" / "extract_bench"
)


def exact(config: Any, prediction: Any, reference: Any) -> bool:
    evaluator = StructuredEvaluator(schema={"properties": {"a": {"evaluation_config": config}}})
    return evaluator.compare({"a": prediction}, {"a": reference}).exact_accuracy == 1.0


def fuzzy(config: Any, prediction: Any, reference: Any) -> bool:
    evaluator = StructuredEvaluator(schema={"properties": {"a": {"evaluation_config": config}}})
    return evaluator.compare({"a": prediction}, {"a": reference}).fuzzy_accuracy == 1.0


def test_every_policy_is_a_setting_of_fields() -> None:
    for name, settings in _policies().items():
        FieldFile.model_validate({name: settings})


def test_texts_are_judged_as_the_schema_says() -> None:
    assert not exact("string_exact", "kim", "Kim")
    assert exact("string_case_insensitive", "kim", "Kim")
    assert not fuzzy("string_exact", "Kim Chul-su", "Kim Chul-so")
    assert fuzzy("string_fuzzy", "Kim Chul-su", "Kim Chul-so")
    assert exact("string_semantic", "Acme, Inc.", "Acme Inc")


def test_numbers_and_arrays_are_judged_as_the_schema_says() -> None:
    assert exact("integer_exact", "1,200", 1200)
    assert not exact("boolean_exact", 1, True)
    near = {"metrics": [{"metric_id": "number_tolerance", "params": {"tolerance": 0.01}}]}
    assert fuzzy(near, 100.5, 100)
    assert not fuzzy(near, 102, 100)
    assert exact("array_llm", [2, 1], [1, 2])
    assert not exact("array_ordered", [2, 1], [1, 2])


def test_the_settings_of_this_package_come_first() -> None:
    schema = {"properties": {"a": {"evaluation_config": "string_exact", "x-jatdae": {"type": "number"}}}}
    assert StructuredEvaluator(schema=schema).compare({"a": "1,200"}, {"a": "1200"}).exact_accuracy == 1.0


def test_a_file_that_holds_the_schema_beside_its_name(tmp_path: Path) -> None:
    file = tmp_path / "s.json"
    inside = {"type": "object", "required": ["a"], "properties": {"a": {"evaluation_config": "string_fuzy"}}}
    file.write_text(json.dumps({"name": "n", "schema_definition": inside}))
    with pytest.raises(UsageError, match=r"properties\.a\.evaluation_config.*string_fuzzy"):
        StructuredEvaluator(schema=file)
    inside["properties"] = {}
    file.write_text(json.dumps({"name": "n", "schema_definition": inside}))
    assert StructuredEvaluator(schema=file).compare({}, {"a": 1}).schema_valid is False


@pytest.mark.parametrize("odd", [5, None, {"metrics": 3}, {"metrics": ["x"]}, {"metrics": [{"metric_id": []}]}, []])
def test_what_is_no_policy_is_refused(odd: Any) -> None:
    with pytest.raises(UsageError, match="evaluation_config"):
        exact(odd, 1, 1)


@pytest.mark.skipif(not DATA.is_dir(), reason=f"no public schemas at {DATA}")
def test_public_schemas_load_and_their_gold_matches_itself() -> None:
    schemas = sorted(DATA.rglob("*schema.json"))
    assert len(schemas) == 5
    for schema in schemas:
        evaluator = StructuredEvaluator(schema=schema)
        for gold in sorted(schema.parent.joinpath("pdf+gold").glob("*.json"), key=lambda file: file.stat().st_size)[:2]:
            document = json.loads(gold.read_text("utf-8"))
            assert evaluator.compare(document, document)["f1"] == 1.0
