"""Settings from flags, a YAML file and a JSON Schema, and what is refused with which place."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jatdae.core.config import build, config_schema
from jatdae.core.contract import Sample
from jatdae.core.errors import UsageError
from jatdae.core.signature import sign
from jatdae.structured import StructuredEvaluator, compare
from jatdae.structured.field_settings import make_rule, rules_from_file, rules_from_schema

Write = Callable[[str, Any], str]

SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "properties": {
        "total": {"x-jatdae": {"type": "number", "weight": 3}},
        "unit.price": {"x-jatdae": {"tolerance": 0.1}},
        "procedures": {
            "type": "array",
            "x-jatdae": {"array": "set"},
            "items": {"$ref": "#/$defs/procedure"},
        },
        "pair": {"prefixItems": [{"x-jatdae": {"tau": 0.3}}, {}]},
        "noise": {"x-jatdae": {"skip": True}},
        "doses": {"additionalProperties": {"x-jatdae": {"type": "number"}}},
        "parent": {"$ref": "#"},
    },
    "additionalProperties": False,
    "$defs": {"procedure": {"allOf": [{"properties": {"name": {"x-jatdae": {"tau": 0.2}}}}]}},
}


def test_a_yaml_file_maps_patterns_to_settings(write: Write) -> None:
    path = write(
        "fields.yaml",
        "total: number\nprocedures: {array: set}\n"
        "'procedures[*].name':\n  tau: 0.2\n  weight: 2\n'**.seen': {skip: true}\n",
    )
    rules = {rule.pattern: rule for rule in rules_from_file(Path(path))}
    assert rules["total"].type == "number"
    assert rules["procedures"].array == "set"
    assert (rules["procedures[*].name"].tau, rules["procedures[*].name"].weight) == (0.2, 2)
    assert rules["**.seen"].skip is True


def test_a_json_schema_carries_settings_where_its_subschemas_apply() -> None:
    rules = {rule.pattern: rule for rule in rules_from_schema(SCHEMA, "s.json")}
    assert rules["$.total"].weight == 3
    assert rules['$["unit.price"]'].tolerance == 0.1
    assert rules["$.procedures"].array == "set"
    assert rules["$.procedures[*].name"].tau == 0.2
    assert rules["$.pair[0]"].tau == 0.3
    assert rules["$.noise"].skip is True
    assert rules["$.doses.*"].type == "number"
    assert rules["$.parent.total"].weight == 3  # a recursive schema is followed once
    assert "$.parent.parent.total" not in rules


def test_settings_in_the_schema_reach_the_comparison() -> None:
    reference = {"procedures": [{"name": "abcde"}, {"name": "fghij"}], "noise": 1}
    prediction = {"procedures": [{"name": "fghij"}, {"name": "abcdX"}], "noise": 2}
    report = compare(prediction, reference, schema=SCHEMA)
    assert report.fuzzy_accuracy == 1.0
    assert report.exact_accuracy == 0.5


def test_the_command_line_comes_before_the_file_and_the_file_before_the_schema(write: Write) -> None:
    schema = write(
        "schema.json", json.dumps({"properties": {"x": {"x-jatdae": {"tau": 0.1, "weight": 2, "type": "date"}}}})
    )
    fields = write("fields.yaml", "x: {tau: 0.2, weight: 3}\n")
    evaluator = StructuredEvaluator(schema=Path(schema), fields=Path(fields), taus={"x": 0.3})
    found = evaluator._judge.fields.root.key("x")
    assert (found.tau, found.weight, found.kind) == (0.3, 3, "date")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"wieght": 2}, "Did you mean 'weight'"),
        ({"type": "nmber"}, "Did you mean 'number'"),
        ({"type": "object"}, "one of string, number, date, identifier, bool"),
        ({"array": "bag"}, "one of order, set"),
        ({"skip": "yes"}, "one of true, false"),
        ({"skip": 1}, "one of true, false"),
        ({"tau": 1.5}, "from 0 to 1"),
        ({"tau": True}, "from 0 to 1"),
        ({"weight": -1}, "from 0 up"),
        ({"weight": float("inf")}, "finite"),
        ({"tolerance": "small"}, "from 0 up"),
        ([1], "settings are a mapping"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_with_its_place(settings: Any, said: str) -> None:
    with pytest.raises(UsageError, match="here: ") as refused:
        make_rule("a.b", settings, "here")
    assert said in str(refused.value)


def test_a_bad_line_of_the_file_is_named(write: Write) -> None:
    path = write("fields.yaml", "total: number\ndate:\n  type: dat\n")
    with pytest.raises(UsageError, match=r"fields\.yaml:2 \(date\)"):
        StructuredEvaluator(fields=Path(path))
    with pytest.raises(UsageError, match="mapping of paths"):
        StructuredEvaluator(fields=Path(write("list.yaml", "- a\n")))


def test_a_bad_setting_in_a_schema_is_named_by_its_pointer() -> None:
    with pytest.raises(UsageError, match=r"s\.json: #/properties/a/x-jatdae: unknown setting"):
        rules_from_schema({"properties": {"a": {"x-jatdae": {"tou": 1}}}}, "s.json")


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {}}, "additionalProperties": {"x-jatdae": {"tau": 0.2}}},
        {"patternProperties": {"^x": {"x-jatdae": {"tau": 0.2}}}},
        {"prefixItems": [{}], "items": {"properties": {"a": {"x-jatdae": {"tau": 0.2}}}}},
        {"if": {"properties": {"a": {"x-jatdae": {"tau": 0.2}}}}},
        {"not": {"x-jatdae": {"tau": 0.2}}},
        {"unevaluatedProperties": {"items": {"x-jatdae": {"tau": 0.2}}}},
        {"propertyNames": {"x-jatdae": {"tau": 0.2}}},
    ],
)
def test_settings_where_no_pattern_says_the_same_are_refused_and_not_ignored(schema: Any) -> None:
    with pytest.raises(UsageError, match="cannot stand here"):
        rules_from_schema(schema, "s.json")


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"tau": 2.0}, "tau is 2; a number from 0 to 1"),
        ({"tolerance": -1.0}, "tolerance is -1; a number from 0 up"),
        ({"alpha": 0.0}, "alpha"),
        ({"alpha": float("nan")}, "alpha"),
        ({"max_depth": 0}, "max_depth"),
        ({"max_depth": 10_000}, "max_depth"),
        ({"types": {"a..b": "number"}}, "a..b"),
        ({"types": {"a": "nubmer"}}, "Did you mean 'number'"),
        ({"arrays": {"a": "sets"}}, "Did you mean 'set'"),
        ({"schema": Path("nowhere.json")}, "nowhere.json: the schema cannot be read"),
        ({"fields": Path("nowhere.yaml")}, "nowhere.yaml"),
    ],
)
def test_settings_that_cannot_be_are_refused_before_anything_is_scored(config: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError) as refused:
        StructuredEvaluator(**config)
    assert said in str(refused.value)


def test_flags_in_plain_text_build_the_evaluator_and_plain_values_build_it_again() -> None:
    evaluator = build(
        StructuredEvaluator, {"weights": {"a": "2"}, "types": {"b": "number"}, "skips": ["c"], "tau": "0.2"}
    )
    assert evaluator.weights == {"a": 2.0}
    assert evaluator.skips == ("c",)
    assert evaluator.tau == 0.2


def test_the_configuration_has_a_schema_for_editors() -> None:
    described = config_schema(StructuredEvaluator)["properties"]
    assert all(option["description"] for option in described.values())
    assert described["nulls"]["enum"] == ["distinct", "same"]


def test_the_signature_tells_the_version_of_the_readers_and_files_by_content(write: Write) -> None:
    path = Path(write("fields.yaml", "a: number\n"))
    first = sign(StructuredEvaluator(fields=path), refs="r", preds="p", kernel="native")
    path.write_text("a: date\n")
    second = sign(StructuredEvaluator(fields=path), refs="r", preds="p", kernel="native")
    assert first.parts["readers"] == "values@1"
    assert first.parts["fields"] != second.parts["fields"]


def test_a_setting_that_matches_nothing_is_seen_in_the_counts() -> None:
    evaluator = StructuredEvaluator(types={"total": "number", "totel": "number"}, arrays={"rows": "set"}, skips=("x",))
    outcome = evaluator.score(Sample("1", {"total": 1}, {"total": 1, "rows": [{"a": 1}, {"a": 2}], "x": 1}))
    assert outcome.counts["settings"] == {"total": 1, "totel": 0, "rows": 2}


def test_a_setting_for_one_index_counts_the_leaves_at_that_index_whatever_was_met_before() -> None:
    evaluator = StructuredEvaluator(types={"rows[1].x": "string"}, taus={"rows[*].x": 0.2})
    three, one = ({"rows": [{"x": "a"}] * rows} for rows in (3, 1))
    for document, counts in ((three, (1, 3)), (one, (0, 1)), (three, (1, 3))):
        found = evaluator.score(Sample("1", document, document)).counts["settings"]
        assert (found["rows[1].x"], found["rows[*].x"]) == counts
