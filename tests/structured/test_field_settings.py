"""Settings from flags, a YAML file and a JSON Schema, what is refused where, and which settings hold at which place."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from jatdae.cli import main
from jatdae.core.config import build, config_schema
from jatdae.core.contract import Sample
from jatdae.core.errors import UsageError
from jatdae.core.messages import speaking
from jatdae.core.signature import sign
from jatdae.core.yamlfile import YamlFile
from jatdae.structured import StructuredEvaluator, compare
from jatdae.structured.field_settings import (
    FieldRule,
    rules_from_file,
    rules_from_options,
    rules_from_schema,
)
from jatdae.structured.field_tree import MAX_FIELDS, Field, FieldTree
from jatdae.structured.paths import parse_pattern, specificity

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
    rules = {rule.pattern: rule for rule in rules_from_schema(YamlFile("s.json", SCHEMA, {}))}
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
    found = evaluator._comparer.fields.root.key("x")
    assert (found.tau, found.weight, found.kind) == (0.3, 3, "date")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"wieght": 2}, "unknown key 'wieght'. Did you mean 'weight'?"),
        ({"type": "nmber"}, "Did you mean 'number'?"),
        ({"type": "object"}, "Choices: string, number, date, datetime, time, identifier, bool"),
        ({"array": "bag"}, "Choices: order, set"),
        ({"skip": "yes"}, "must be true or false"),
        ({"skip": 1}, "must be true or false"),
        ({"tau": 1.5}, "must be ≤ 1"),
        ({"tau": True}, "must be a number"),
        ({"weight": -1}, "must be ≥ 0"),
        ({"weight": "2"}, "must be a number"),
        ({"tolerance": "small"}, "must be a number"),
        ("nmber", "Did you mean 'number'?"),
        ([1], "[1]"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_with_its_place(settings: Any, said: str, write: Write) -> None:
    with pytest.raises(UsageError, match=r"fields\.json:3 \(a\.b") as refused:
        rules_from_file(Path(write("fields.json", f'{{\n"total": "number",\n"a.b": {json.dumps(settings)}\n}}')))
    assert said in str(refused.value)
    with pytest.raises(UsageError, match=r"s\.json \(properties\.a\.x-jatdae") as refused:
        rules_from_schema(YamlFile("s.json", {"properties": {"a": {"x-jatdae": settings}}}, {}))
    assert said in str(refused.value)


def test_all_mistakes_of_a_file_are_told_at_once_with_their_lines(write: Write) -> None:
    path = write("fields.yaml", "total: number\ndate:\n  type: dat\n  tou: 1\n'a..b': date\nrows: {array: sets}\n")
    with pytest.raises(UsageError) as refused:
        StructuredEvaluator(fields=Path(path))
    places = [line.removeprefix(str(path)).partition(": ")[0] for line in str(refused.value).splitlines()]
    assert places == [":3 (date.type)", ":4 (date.tou)", ":5 (a..b)", ":6 (rows.array)"]
    with pytest.raises(UsageError, match="must be a mapping"):
        StructuredEvaluator(fields=Path(write("list.yaml", "- a\n")))


def test_all_mistakes_of_flags_are_told_at_once() -> None:
    with pytest.raises(UsageError) as refused:
        rules_from_options(types={"a": "nmber", "b": "date"}, weights={"c": -1.0}, skips={"d..e": True})
    assert [line.partition(": ")[2].partition(": ")[0] for line in str(refused.value).splitlines()] == [
        "types.a",
        "weights.c",
        "skips.d..e",
    ]


def test_a_weight_must_be_finite() -> None:
    with pytest.raises(UsageError, match="must be a finite number"):
        rules_from_options(weights={"a": float("inf")})


def test_mistakes_are_told_in_korean() -> None:
    for config in (
        {"types": {"a": "nmber"}},
        {"skips": ("a..b",)},
        {"skips": ("",)},
        {"skips": ("a]",)},
        {"tau": 2.0},
        {"nulls": "some"},
        {"fields": Path("nowhere.yaml")},
        {"schema": Path("nowhere.json")},
    ):
        with speaking("ko"), pytest.raises(UsageError, match=r"[가-힣]"):
            StructuredEvaluator(**config)  # type: ignore[arg-type]


def test_mistakes_in_a_schema_are_told_at_once_where_they_are_defined(write: Write) -> None:
    path = write(
        "s.json",
        """{
  "properties": {
    "a": {"x-jatdae": {"tou": 1}},
    "b": {"$ref": "#/$defs/b"},
    "c": {"patternProperties": {"x": {"x-jatdae": {"tau": 0.1}}}}
  },
  "$defs": {
    "b": {"x-jatdae": {"tau": 2}}
  }
}""",
    )
    with pytest.raises(UsageError) as refused:
        StructuredEvaluator(schema=Path(path))
    lines = [line.removeprefix(str(path)) for line in str(refused.value).splitlines()]
    assert [line.partition(": ")[0] for line in lines] == [
        ":3 (properties.a.x-jatdae.tou)",
        ":5 (properties.c.patternProperties.x.x-jatdae)",
        ":8 ($defs.b.x-jatdae.tau)",
    ]


def test_the_file_has_a_schema_for_editors(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "structured.fields"]) == 0
    valid = jsonschema_rs.validator_for(json.loads(capsys.readouterr().out)).is_valid
    assert valid({"total": "number", "rows[*].cost": {"tau": 0.2, "weight": 2, "array": "set", "skip": True}})
    assert not valid({"total": "nmber"})
    assert not valid({"total": {"tou": 1}})
    assert not valid({"total": {"tau": 2}})


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
    with pytest.raises(UsageError, match="is not supported here"):
        rules_from_schema(YamlFile("s.json", schema, {}))


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"tau": 2.0}, "structured: tau = 2.0: must be from 0 to 1."),
        ({"tolerance": -1.0}, "structured: tolerance = -1.0: must be 0 or more."),
        ({"tolerance": float("inf")}, "tolerance"),
        ({"nulls": "som"}, "Did you mean 'same'?"),
        ({"alpha": 0.0}, "alpha"),
        ({"alpha": float("nan")}, "alpha"),
        ({"max_depth": 0}, "max_depth"),
        ({"max_depth": 10_000}, "max_depth"),
        ({"types": {"a..b": "number"}}, "a..b"),
        ({"types": {"a": "nubmer"}}, "Did you mean 'number'"),
        ({"arrays": {"a": "sets"}}, "Did you mean 'set'"),
        ({"schema": Path("nowhere.json")}, "nowhere.json: cannot be read (no such file"),
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
    assert first.parts["readers"] == "values@6"
    assert first.parts["fields"] != second.parts["fields"]


def test_a_setting_that_matches_nothing_is_seen_in_the_counts() -> None:
    evaluator = StructuredEvaluator(types={"total": "number", "totel": "number"}, arrays={"rows": "set"}, skips=("x",))
    outcome = evaluator.score(Sample("1", {"total": 1}, {"total": 1, "rows": [{"a": 1}, {"a": 2}], "x": 1}))
    assert outcome.counts["settings"] == {"total": 1, "totel": 0, "rows": 2, "x": 1}


def test_a_setting_for_one_index_counts_the_leaves_at_that_index_whatever_was_met_before() -> None:
    evaluator = StructuredEvaluator(types={"rows[1].x": "string"}, taus={"rows[*].x": 0.2})
    three, one = ({"rows": [{"x": "a"}] * rows} for rows in (3, 1))
    for document, counts in ((three, (1, 3)), (one, (0, 1)), (three, (1, 3))):
        found = evaluator.score(Sample("1", document, document)).counts["settings"]
        assert (found["rows[1].x"], found["rows[*].x"]) == counts


def place(fields: FieldTree, *way: str | int) -> Field:
    found = fields.root
    for step in way:
        found = found.item(step) if isinstance(step, int) else found.key(step)
    return found


@pytest.mark.parametrize(
    ("weaker", "stronger"),
    [
        ("**", "*"),
        ("**", "date"),
        ("**.date", "*.date"),
        ("**.date", "visit.date"),
        ("visit.*", "*.date"),
        ("visits[*].date", "visits[0].date"),
        ("**.date", "visits[*].date"),
    ],
)
def test_the_most_specific_pattern_wins_in_any_order(weaker: str, stronger: str) -> None:
    assert specificity(parse_pattern(weaker)) < specificity(parse_pattern(stronger))
    way = {"date": ("date",), "*": ("x",)}.get(
        stronger, ("visits", 0, "date") if "visits" in stronger else ("visit", "date")
    )
    rules = [FieldRule(weaker, tau=0.3), FieldRule(stronger, tau=0.7)]
    for given_rules in (rules, rules[::-1]):
        assert place(FieldTree(given_rules), *way).tau == 0.7


def test_each_setting_comes_from_the_most_specific_rule_that_has_it() -> None:
    fields = FieldTree(
        [FieldRule("visits[*].date", weight=3), FieldRule("**.date", type="date", weight=2), FieldRule("**", tau=0.5)]
    )
    found = place(fields, "visits", 1, "date")
    assert (found.kind, found.weight, found.tau, found.tolerance) == ("date", 3, 0.5, 0.0)


def test_of_equally_specific_rules_the_last_holds() -> None:
    assert place(FieldTree([FieldRule("a", tau=0.3), FieldRule("a", tau=0.4)]), "a").tau == 0.4


@pytest.mark.parametrize(
    ("pattern", "ways", "others"),
    [
        ("**.date", [("date",), ("a", "date"), ("a", 0, "b", "date")], [("dates",), ("date", "x")]),
        ("a.**", [("a",), ("a", "b"), ("a", 0, "b")], [("b",), ("b", "a")]),
        ("a.**.z", [("a", "z"), ("a", "b", 0, "z")], [("z",), ("a",)]),
        ("*", [("a",), ("b",)], [("a", "b"), (0,)]),
        ("[*]", [(0,), (7,)], [("a",), (0, 0)]),
        ("[1]", [(1,)], [(0,), (2,), ("1",)]),
        ("$", [()], [("a",), (0,)]),
    ],
)
def test_a_pattern_matches_the_places_it_stands_for(
    pattern: str, ways: list[tuple[str | int, ...]], others: list[tuple[str | int, ...]]
) -> None:
    fields = FieldTree([FieldRule(pattern, tau=0.9)])
    assert [place(fields, *way).tau for way in ways] == [0.9] * len(ways)
    assert [place(fields, *way).tau for way in others] == [0.1] * len(others)


def test_a_field_is_named_by_its_pattern_and_knows_its_depth() -> None:
    found = place(FieldTree(), "procedures", 3, "unit.price")
    assert found.name == 'procedures[*]["unit.price"]'
    assert found.depth == 2


def test_a_weight_is_found_by_the_name_of_its_field() -> None:
    fields = FieldTree([FieldRule("rows[*].cost", weight=5), FieldRule("rows[0].cost", weight=9)])
    assert fields.weights(["rows[*].cost", "total", "<other>"]) == [5, 1, 1]
    assert FieldTree([FieldRule("**", weight=3)]).weights(["<b>", "<other>"]) == [3, 1]


def test_settings_by_path_reach_the_comparison() -> None:
    reference = {"name": "Consulting services", "note": "Consulting services", "total": 100, "tax": 100}
    prediction = {"name": "Consulting servlces", "note": "Consulting servlces", "total": 101, "tax": 101}
    report = compare(prediction, reference, taus={"note": 0.01}, tolerances={"total": 0.02})
    assert [result.fuzzy_match for result in report.field_results] == [True, False, True, False]


def test_skipped_fields_are_in_no_number() -> None:
    reference = {"id": 1, "meta": {"model": "a", "score": 1}, "rows": [{"n": 1, "conf": 0.5}, {"n": 2, "conf": 0.5}]}
    prediction = {"id": 1, "meta": {"model": "b"}, "rows": [{"n": 1, "conf": 0.9}, {"n": 2}], "seen": True}
    report = compare(prediction, reference, skips=("meta", "**.conf", "seen"))
    assert report.exact_accuracy == report.f1 == report.structural_accuracy == 1.0
    assert report["ted"] == report["ted_keyed"] == 0.0
    assert len(report.field_results) == 3


def test_a_container_that_loses_all_it_has_is_not_an_empty_one() -> None:
    report = compare({"a": 1, "b": {"x": 2}}, {"a": 1, "b": {"x": 1}}, skips=("b.x",))
    assert [result.field_name for result in report.field_results] == ["a"]


def test_a_reference_with_nothing_left_has_no_numbers_and_says_so() -> None:
    report = compare({"a": 1}, {"a": 1}, skips=("**",))
    assert set(report.values.values()) == {None}
    assert [issue.code for issue in report.issues] == ["no_fields"]


def test_keys_that_are_data_do_not_fill_the_memory() -> None:
    fields = FieldTree([FieldRule("**.x", tau=0.3)])
    for number in range(MAX_FIELDS + 10):
        fields.root.key(str(number))
    fields.trim()
    assert not fields.root.keys
    assert place(fields, "y", "x").tau == 0.3
