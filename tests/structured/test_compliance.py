"""Schemas: three drafts of JSON Schema, the light dialect, and what is broken in them."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from jatdae.core.contract import Sample
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import micro_of
from jatdae.core.messages import speaking
from jatdae.core.yamlfile import YamlFile
from jatdae.structured import StructuredEvaluator, compare
from jatdae.structured.compliance import MAX_ERRORS, Dialect, Schema, is_light, make_schema
from jatdae.structured.field_settings import rules_from_schema
from jatdae.structured.schema_work import SchemaWork

Write = Callable[[str, Any], str]

DRAFTS = {
    "draft-07": "http://json-schema.org/draft-07/schema#",
    "2019-09": "https://json-schema.org/draft/2019-09/schema",
    "2020-12": "https://json-schema.org/draft/2020-12/schema",
}


def made(schema: Any, dialect: Dialect = "auto") -> Schema:
    return make_schema(YamlFile("schema", schema, {}), dialect)


def found(schema: Any, value: Any, dialect: Dialect = "auto") -> list[tuple[str, str]]:
    return [(error.path, error.keyword) for error in made(schema, dialect).errors(value)]


@pytest.mark.parametrize("draft", DRAFTS)
def test_every_error_is_listed_with_its_path(draft: str) -> None:
    schema = {
        "$schema": DRAFTS[draft],
        "type": "object",
        "required": ["id", "total"],
        "properties": {
            "total": {"type": "number"},
            "unit.price": {"minimum": 0},
            "rows": {"items": {"properties": {"n": {"type": "integer"}}}},
        },
    }
    document = {"total": "5", "unit.price": -1, "rows": [{"n": 1}, {"n": "x"}]}
    assert sorted(found(schema, document)) == [
        ('["unit.price"]', "minimum"),
        ("id", "required"),
        ("rows[1].n", "type"),
        ("total", "type"),
    ]


@pytest.mark.parametrize(
    ("draft", "schema", "valid", "invalid"),
    [
        ("draft-07", {"items": [{"type": "string"}], "additionalItems": False}, ["a"], ["a", "b"]),
        ("2019-09", {"dependentRequired": {"a": ["b"]}}, {"a": 1, "b": 2}, {"a": 1}),
        ("2020-12", {"prefixItems": [{"type": "string"}], "items": False}, ["a"], ["a", "b"]),
    ],
)
def test_each_draft_has_its_own_keywords(draft: str, schema: Any, valid: Any, invalid: Any) -> None:
    schema = {"$schema": DRAFTS[draft], **schema}
    assert not found(schema, valid)
    assert found(schema, invalid)


def test_local_references_are_followed_and_numbers_are_exact() -> None:
    schema = {"$defs": {"m": {"maximum": 0.3}}, "properties": {"a": {"$ref": "#/$defs/m"}}}
    assert not found(schema, {"a": Decimal("0.3")})
    assert found(schema, {"a": Decimal("0.30000000000000000001")}) == [("a", "maximum")]


def test_a_json_schema_pattern_is_not_anchored_and_a_light_one_is_at_the_start() -> None:
    assert not found({"properties": {"a": {"pattern": "[0-9]{2}"}}}, {"a": "x12"})
    assert found({"a": {"pattern": "[0-9]{2}"}}, {"a": "x12"}) == [("a", "pattern")]
    assert not found({"a": {"pattern": "[0-9]{2}"}}, {"a": "12x"})


@pytest.mark.parametrize(
    ("schema", "light"),
    [
        ({"a": {"type": "string"}}, True),
        ({"type": {"type": "string", "required": True}}, True),
        ({"a": {"children": {"b": {"type": "number"}}}}, True),
        ({"type": "object", "properties": {"a": {"type": "string"}}}, False),
        ({"properties": {"type": {"type": "string"}, "items": {}}}, False),
        ({"properties": {"pattern": {"type": "string"}}}, False),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}}, False),
        ({"a": {"typ": "string"}}, True),  # to be refused by its name, not to be passed over as no keyword
        ({"a": {"type": "number", "x-jatdae": {"tau": 0.1}}}, True),
        ({"definitions": {"a": {"typ": "string"}}}, False),
        ({"x-jatdae": {"tau": 0.1}}, False),
        ({}, False),
        (True, False),
    ],
)
def test_the_dialect_is_told_by_the_shape(schema: Any, light: bool) -> None:
    assert is_light(schema) is light


def test_the_dialect_can_be_said() -> None:
    schema = {"a": {"type": "string"}}
    assert found(schema, {"a": 1}, "light") == [("a", "type")]
    assert found(schema, {"a": 1}, "json-schema") == []


@pytest.mark.parametrize(
    ("wanted", "value", "errors"),
    [
        ({"type": "string"}, "x", []),
        ({"type": "string"}, 5, ["type"]),
        ({"type": "string"}, None, ["type"]),
        ({}, "x", []),
        ({"required": True}, 5, ["type"]),  # without a type it is text
        ({"type": "number"}, 5, []),
        ({"type": "number"}, "1,500,000원", []),  # a number written as text counts as one
        ({"type": "number"}, "many", ["type"]),
        ({"type": "number"}, True, ["type"]),
        ({"type": "date"}, "2024년 3월 15일", []),
        ({"type": "date"}, "2024-02-30", ["type"]),
        ({"type": "boolean"}, True, []),
        ({"type": "boolean"}, 1, ["type"]),
        ({"type": "object"}, {}, []),
        ({"type": "object"}, [], ["type"]),
        ({"type": "array"}, [], []),
        ({"type": "array"}, {}, ["type"]),
        ({"type": "string", "min_length": 2}, "x", ["min_length"]),
        ({"type": "string", "max_length": 2}, "xyz", ["max_length"]),
        ({"type": "string", "min_length": 2, "max_length": 2}, "한글", []),
        ({"type": "string", "pattern": r"^\d+$"}, "x", ["pattern"]),
        ({"type": "array", "items": {"type": "number"}}, [1, "x", "2"], ["type"]),
        ({"items": {"children": {"n": {"required": True}}}}, [{}, 5], ["required", "type"]),
        ({"children": {"n": {"type": "number", "required": True}}}, {"n": "x"}, ["type"]),
    ],
)
def test_the_light_dialect(wanted: Any, value: Any, errors: list[str]) -> None:
    schema = made({"f": wanted}, "light")
    assert [error.keyword for error in schema.errors({"f": value})] == errors


def test_a_light_schema_wants_an_object_and_names_places() -> None:
    schema = {"rows": {"type": "array", "items": {"children": {"n": {"required": True}}}}, "id": {"required": True}}
    assert found(schema, [1]) == [("$", "type")]
    assert found(schema, {"rows": [{"n": "x"}, {}]}) == [("rows[1].n", "required"), ("id", "required")]


def test_a_document_with_very_many_errors_lists_the_first() -> None:
    light = {"rows": {"type": "array", "items": {"type": "number"}}}
    standard = {"properties": {"rows": {"items": {"type": "number"}}}}
    for schema in (light, standard):
        assert len(found(schema, {"rows": ["x"] * 5000})) == MAX_ERRORS


BROKEN = [
    ({"type": "objct"}, "type"),
    ({"properties": {"a": {"minimum": "x"}}}, "properties.a.minimum"),
    ({"properties": {"a": {"pattern": "(?=a)b"}}}, "properties.a.pattern"),
    ({"properties": {"a": {"$ref": "#/$defs/none"}}}, "properties.a.$ref"),
    ({"properties": {"a": {"$ref": "http://example.org/s.json"}}}, "properties.a.$ref"),
    ({"properties": {"a": {"$ref": "file:///etc/hostname"}}}, "properties.a.$ref"),
    ({"items": {"$ref": "other.json"}}, "items.$ref"),
    ({"a": {"type": "nmber"}}, "(a.type"),
    ({"a": {"type": "string", "pattern": "(?=a)b"}}, "(a.pattern"),
    ({"a": {"type": "string", "min_length": -1}}, "(a.min_length"),
    ({"a": {"children": {"b": {"pattern": "("}}}}, "(a.children.b.pattern"),
    ({"a": {"items": {"type": "numbr"}}}, "(a.items.type"),
    ([1], "a JSON Schema must be an object"),
    ("x", "a JSON Schema must be an object"),
]


@pytest.mark.parametrize(("schema", "place"), BROKEN)
def test_a_broken_schema_is_refused_with_its_place(schema: Any, place: str, write: Write) -> None:
    path = Path(write("schema.json", json.dumps(schema)))
    with pytest.raises(UsageError) as refused:
        StructuredEvaluator(schema=path)
    assert str(path) in str(refused.value)
    assert place in str(refused.value)


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"a": {"tpye": "string"}}, "schema (a.tpye): unknown key 'tpye'. Did you mean 'type'?"),
        ({"a": 5}, "schema (a): must be a mapping"),
        ([], "schema: must be a mapping"),
        ({"a": {"required": "yes"}}, "true or false"),
        ({"a": {"pattern": 5}}, "must be a string"),
        ({"a": {"min_length": True}}, "must be an integer"),
        ({"a": {"items": {"children": {"b": {"max_length": -1}}}}}, "(a.items.children.b.max_length): must be ≥ 0"),
    ],
)
def test_what_the_light_dialect_does_not_know_is_refused_when_it_is_asked_for(schema: Any, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        made(schema, "light")
    assert said in str(refused.value)


def test_all_mistakes_of_a_light_schema_are_told_at_once_with_their_lines(write: Write) -> None:
    path = write("s.yaml", "a: {type: nmber}\nb:\n  pattern: '('\n  requierd: true\n")
    with pytest.raises(UsageError) as refused:
        StructuredEvaluator(schema=Path(path))
    places = [line.removeprefix(path).partition(": ")[0] for line in str(refused.value).splitlines()]
    assert places == [":1 (a.type)", ":3 (b.pattern)", ":4 (b.requierd)"]


def test_a_light_schema_nested_very_deep_is_refused() -> None:
    wanted: Any = {"type": "string"}
    for _ in range(400):
        wanted = {"items": wanted}
    with pytest.raises(UsageError):
        made({"a": wanted}, "light")


@pytest.mark.parametrize(("schema", "_"), BROKEN)
def test_a_broken_schema_is_told_in_korean(schema: Any, _: str) -> None:
    with speaking("ko"), pytest.raises(UsageError, match=r"[가-힣]"):
        made(schema)


def test_a_schema_file_that_is_no_json_is_refused_with_line_and_column(write: Write) -> None:
    with pytest.raises(UsageError, match=r"schema\.json:2:7: not valid JSON"):
        StructuredEvaluator(schema=Path(write("schema.json", '{\n "a": }')))


def test_a_number_that_python_does_not_convert_is_refused_in_a_schema(write: Write) -> None:
    with pytest.raises(UsageError, match="a number is too large"):
        StructuredEvaluator(schema=Path(write("schema.json", f'{{"maximum": {"9" * 5000}}}')))


def test_a_yaml_schema_may_be_written_in_braces(write: Write) -> None:
    path = Path(write("schema.yaml", "{type: object, properties: {total: {type: number}}}\n"))
    assert StructuredEvaluator(schema=path).compare({"total": "x"}, {"total": 5}).schema_errors[0].path == "total"


def test_a_schema_may_be_yaml(write: Write) -> None:
    path = Path(write("schema.yaml", "total: {type: number, required: true}\nwhen: {type: date}\n"))
    evaluator = StructuredEvaluator(schema=path)
    assert evaluator.compare({"total": "5", "when": "no"}, {"total": 5}).schema_errors[0].path == "when"


def test_no_reference_is_ever_fetched(write: Write, tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text('{"type": "number"}')
    for ref in ("other.json", (tmp_path / "other.json").as_uri(), "https://json-schema.org/learn/x.json"):
        with pytest.raises(UsageError, match=r"outside the given file|No base URI"):
            StructuredEvaluator(schema=Path(write("schema.json", json.dumps({"properties": {"a": {"$ref": ref}}}))))


def test_compliance_is_the_share_of_predictions_that_validate(write: Write) -> None:
    path = Path(write("schema.json", json.dumps({"total": {"type": "number", "required": True}})))
    evaluator = StructuredEvaluator(schema=path)
    predictions = [{"total": 1}, {"total": "x"}, {}, "no json", {"total": "2"}]
    outcomes = [evaluator.score(Sample(str(at), value, {"total": 1})) for at, value in enumerate(predictions)]
    assert [outcome.values["schema_compliance"] for outcome in outcomes] == [1.0, 0.0, 0.0, 0.0, 1.0]
    summed = {name: sum(outcome.stats.get(name, 0) for outcome in outcomes) for name in outcomes[0].stats}
    assert micro_of(evaluator, summed)["schema_compliance"] == pytest.approx(2 / 5)
    assert outcomes[1].counts["schema"] == {"total: type": 1}
    assert outcomes[1].evidence["schema_errors"][0]["path"] == "total"


def test_without_a_schema_compliance_does_not_apply() -> None:
    report = compare({"a": 1}, {"a": 1})
    assert report["schema_compliance"] is None
    assert "no_schema" in {issue.code for issue in report.issues}


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|a)*$", "(.*)*x"])
def test_a_pattern_that_would_run_for_ever_elsewhere_runs_in_linear_time(pattern: str) -> None:
    hostile = {"a": "a" * 50_000 + "!"}
    assert found({"a": {"type": "string", "pattern": "^" + pattern}}, hostile) == [("a", "pattern")]
    assert found({"properties": {"a": {"pattern": "^" + pattern}}}, hostile) == [("a", "pattern")]


def test_a_misspelt_keyword_of_the_light_dialect_does_not_let_everything_pass() -> None:
    with pytest.raises(UsageError, match=r"\(total\.requierd\): unknown key 'requierd'.*Did you mean 'required'"):
        made({"total": {"type": "number", "requierd": True}})


def test_a_schema_file_that_writes_a_key_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_text('{"type": "object", "properties": {"a": {}},\n"type": "array"}')
    with pytest.raises(UsageError, match=r"s\.json:2: duplicate key 'type'"):
        StructuredEvaluator(schema=path)


def doubling(levels: int, keyword: str = "oneOf") -> dict[str, Any]:
    """A schema in which every definition refers to the next one twice."""
    twice = {at: {keyword: [{"$ref": f"#/$defs/{at - 1}"}] * 2} for at in range(1, levels + 1)}
    return {"$defs": {"0": {"type": "string"}, **{str(at): twice[at] for at in twice}}, "$ref": f"#/$defs/{levels}"}


def tree(keyword: str) -> dict[str, Any]:
    """A schema of trees in which two branches lead to the same child."""
    branch = {"type": "object", "properties": {"a": {"$ref": "#"}}}
    return {keyword: [branch, {**branch, "minProperties": 1}, *([{"type": "string"}] if keyword == "anyOf" else [])]}


def chained(levels: int, value: Any) -> Any:
    for _ in range(levels):
        value = {"a": value}
    return value


@pytest.mark.parametrize("keyword", ["oneOf", "anyOf", "allOf"])
def test_a_schema_whose_references_multiply_is_refused_by_their_number(keyword: str, write: Write) -> None:
    path = Path(write("schema.json", json.dumps(doubling(60, keyword))))
    with pytest.raises(UsageError, match=r"schema\.json:1: .* 10,000,000 subschemas with its references written out"):
        StructuredEvaluator(schema=path)


@pytest.mark.parametrize("schema", [doubling(16), tree("oneOf"), tree("anyOf"), tree("allOf")])
def test_errors_that_take_too_many_steps_to_list_are_told_as_one(schema: Any, write: Write) -> None:
    path = Path(write("schema.json", json.dumps(schema)))
    outcome = StructuredEvaluator(schema=path).score(Sample("1", chained(150, 1), {"a": 1}))
    assert outcome.values["schema_compliance"] == 0.0
    assert [issue.code for issue in outcome.issues] == ["schema_unlisted", "ted_off"][: len(outcome.issues)]
    assert outcome.counts["schema"] == {"$: unlisted": 1}


def test_a_valid_document_is_valid_however_often_subschemas_are_applied() -> None:
    assert found(tree("anyOf"), chained(150, "x")) == []
    assert found({"anyOf": [{"type": "object"}, tree("allOf")]}, chained(150, {})) == []


def test_errors_of_documents_with_few_repeats_are_listed_as_ever() -> None:
    node = {"type": "object", "properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}, "n": {"type": "number"}}}
    full: Any = {"n": "x"}
    for _ in range(9):
        full = {"left": full, "right": full, "n": 1}
    assert SchemaWork(node).counted
    assert len(found(node, full)) == 512


def test_settings_of_a_schema_whose_references_multiply_are_refused(write: Write) -> None:
    schema = doubling(20)
    assert rules_from_schema(YamlFile("s", doubling(1000), {})) == []
    schema["$defs"]["0"]["x-jatdae"] = {"type": "date"}
    with pytest.raises(UsageError, match=r"s \(.*lead to more than 100,000 places"):
        rules_from_schema(YamlFile("s", schema, {}))


@pytest.mark.parametrize("ref", ["#/$defs/a~1b", "#name", "https://example.org/s", "https://example.org/t#/$defs/a~1b"])
def test_references_are_found_by_pointer_anchor_and_id(ref: str) -> None:
    target = {"$id": "https://example.org/s", "$anchor": "name", "not": {"$ref": ref}}
    assert SchemaWork({"$id": "https://example.org/t", "$defs": {"a/b": target}}).counted
