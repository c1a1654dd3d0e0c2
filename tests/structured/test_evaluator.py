"""The evaluator in a run: outcomes, sums, evidence, the bundled samples, and what the command line prints."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

import jatdae.structured
from jatdae.cli import main
from jatdae.core.contract import Sample
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import options_of, spec_of
from jatdae.core.meanings import missing_meanings
from jatdae.run.api import Finished, evaluate, execute
from jatdae.run.input.model import Inputs, alone
from jatdae.run.stats.result import Result
from jatdae.run.work.score import Scorer
from jatdae.structured import StructuredEvaluator
from jatdae.structured.metrics import METRICS

Write = Callable[[str, Any], str]
Run = Callable[..., Finished]


def test_an_outcome_has_everything_a_run_needs(certificate: Any, misread: Any) -> None:
    outcome = StructuredEvaluator().score(Sample("1", misread, certificate))
    assert list(outcome.values) == [metric.name for metric in METRICS]
    assert outcome.counts["fields.mismatch"] == {"diagnosis_code": 1, "procedures[*].code": 1}
    assert outcome.evidence["field_results"][1] == {
        "field_name": "diagnosis_code",
        "field_type": "identifier",
        "gold_value": "K35.80",
        "pred_value": "K35.8O",
        "exact_match": False,
        "fuzzy_match": False,
        "similarity": pytest.approx(5 / 6),
        "depth": 0,
        "outcome": "mismatch",
        "status": "FAIL",
    }
    assert set(outcome.evidence) >= {"missing_fields", "extra_fields", "schema_valid", "schema_errors"}
    assert orjson.loads(orjson.dumps(outcome.evidence)) == outcome.evidence


def test_evidence_shows_numbers_that_json_readers_would_round_as_text() -> None:
    reference = '{"a": 12345678901234567890, "b": 0.10000000000000000001, "c": 1.50, "d": NaN, "e": [1], "f": {"k": 1}}'
    outcome = StructuredEvaluator().score(
        Sample("1", reference.replace("[1]", "5").replace('{"k": 1}', "[]"), reference)
    )
    shown = [result["gold_value"] for result in outcome.evidence["field_results"]]
    assert shown == ["12345678901234567890", "0.10000000000000000001", "1.50", "NaN", 1, 1]


def test_a_missing_prediction_takes_the_worst_with_the_sums_of_one_that_says_nothing() -> None:
    scorer = Scorer(StructuredEvaluator())
    outcome = scorer.score(Sample("1", None, {"a": 1, "b": 2}))
    assert outcome.values == {metric.name: metric.worst for metric in METRICS} | {"schema_compliance": None}
    assert (outcome.stats["leaves"], outcome.stats["exact"], outcome.stats["paths_missing"]) == (2, 0, 2)
    assert [issue.code for issue in outcome.issues] == ["no_schema", "missing_prediction"]
    for metric in METRICS:
        worst = StructuredEvaluator().score(Sample("1", "", {"a": 1})).values[metric.name]
        assert worst is None or (metric.worst <= worst if metric.better == "higher" else metric.worst >= worst)


def test_a_missing_prediction_does_not_comply_with_a_schema(tmp_path: Path) -> None:
    schema = tmp_path / "schema.json"
    schema.write_text('{"type": "object"}')
    outcome = Scorer(StructuredEvaluator(schema=schema)).score(Sample("1", None, {"a": 1}))
    assert outcome.values["schema_compliance"] == 0.0
    assert [issue.code for issue in outcome.issues] == ["missing_prediction"]


def test_per_field_statistics_over_a_batch() -> None:
    reference = {"id": "A1", "rows": [{"cost": 1}, {"cost": 2}]}
    samples = [
        Sample("1", {"id": "A1", "rows": [{"cost": 1}, {"cost": 2}]}, reference),
        Sample("2", {"id": "A2", "rows": [{"cost": 1}]}, reference),
        Sample("3", {"rows": [{"cost": 9}, {"cost": 2}], "seen": True}, reference),
    ]
    result = evaluate(samples, StructuredEvaluator())
    (system,) = result.summary["systems"].values()
    counts = system["counts"]
    assert counts["fields.match"] == {"rows[*].cost": 4, "id": 1}
    assert counts["fields.missing"] == {"rows[*].cost": 1, "id": 1}
    assert counts["fields.mismatch"] == {"rows[*].cost": 1, "id": 1}
    assert counts["fields.extra"] == {"seen": 1}
    assert system["stats"]["field.exact:rows[*].cost"] / system["stats"]["field.leaves:rows[*].cost"] == pytest.approx(
        4 / 6
    )
    assert result.value("json_accuracy.micro") == pytest.approx((1 / 3 + 4 / 6) / 2)
    assert result.value("exact_accuracy.micro") == pytest.approx(5 / 9)


def test_rows_of_a_file_keep_their_numbers_and_their_duplicate_keys(write: Write, run: Run) -> None:
    rows = (
        '{"id": "1", "prediction": {"x": 12345678901234567891}, "reference": {"x": 12345678901234567890}}\n'
        '{"id": "2", "prediction": {"x": 1, "x": 60.000}, "reference": {"x": "60,000"}}\n'
        '{"id": "3", "prediction": "```json\\n{\\"x\\": 5}\\n```", "reference": {"x": {"$any": [4, 5]}}}\n'
        '{"id": "4", "prediction": "nothing", "reference": {"x": 1}}\n'
        '{"id": "5", "prediction": {"x": 2}, "reference": {"$any": [{"x": 1}, {"x": 2}]}}\n'
    )
    done = run(write("pairs.jsonl", rows), evaluator=StructuredEvaluator())
    found = list(Result.load(done.folder).rows())
    assert [row["values"]["exact_accuracy"] for row in found] == [0.0, 1.0, 1.0, 0.0, 1.0]
    codes = [{issue["code"] for issue in row["issues"]} - {"no_schema"} for row in found]
    assert codes == [set(), {"duplicate_keys", "guessed_grouping"}, {"json_extracted"}, {"invalid_json"}, set()]


def test_a_run_gives_the_same_bytes_however_it_is_cut(write: Write, run: Run, certificate: Any, misread: Any) -> None:
    pairs = write("pairs.jsonl", [{"id": str(at), "prediction": misread, "reference": certificate} for at in range(30)])
    first = run(pairs, evaluator=StructuredEvaluator(arrays={"procedures": "set"}))
    second = run(pairs, evaluator=StructuredEvaluator(arrays={"procedures": "set"}))
    assert (Path(first.folder) / "summary.json").read_bytes() == (Path(second.folder) / "summary.json").read_bytes()


def test_the_command_line_prints_the_worked_example(
    write: Write,
    certificate: Any,
    misread: Any,
    certificate_schema: Any,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    pairs = write("pairs.jsonl", [{"id": "1", "prediction": misread, "reference": certificate}])
    schema = write("schema.json", json.dumps(certificate_schema))
    arguments = [
        "run",
        "--plugin",
        "jatdae.structured.evaluator:StructuredEvaluator",
        pairs,
        "--out",
        str(tmp_path / "run"),
    ]
    arguments += ["--types", "total_amount=number", "--types", "**.admission_date=date", "--tau", "0.15"]
    assert main([*arguments, "--schema", schema, "--metrics", "all"]) == 0
    printed = capsys.readouterr().out
    for name, value in {
        "exact_accuracy": "0.8182",
        "fuzzy_accuracy": "0.8182",
        "similarity": "0.9667",
        "structural_accuracy": "1.0000",
        "nested_accuracy": "0.8067",
        "nested_raw": "1.0083",
        "nted_keyed": "0.1333",
        "schema_compliance": "0.0000",
    }.items():
        (line,) = [line for line in printed.splitlines() if line.startswith((f"{name} ↑", f"{name} ↓"))]
        assert value in line


def test_the_bundled_samples_show_what_the_evaluator_sees() -> None:
    path = Path(jatdae.structured.__file__).parent / "samples" / "pairs.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    outcomes = {
        row["id"]: StructuredEvaluator().score(Sample(row["id"], row["prediction"], row["reference"])) for row in rows
    }
    assert 4 <= len(rows) <= 6
    seen = {name.removeprefix("fields.") for outcome in outcomes.values() for name in outcome.counts}
    assert seen >= {"match", "mismatch", "missing", "null_instead", "extra"}
    codes = {issue.code for outcome in outcomes.values() for issue in outcome.issues}
    assert codes == {"no_schema", "json_extracted", "ambiguous_date"}
    assert all(0.5 < (outcome.values["exact_accuracy"] or 0) <= 1.0 for outcome in outcomes.values())


def test_every_setting_is_a_flag_with_help_and_the_evaluator_asks_for_exact_numbers() -> None:
    assert all(option.help for option in options_of(StructuredEvaluator))
    spec = spec_of(StructuredEvaluator)
    assert spec.exact_numbers
    assert spec.primary.name == "exact_accuracy"


def test_the_report_answers_by_name(certificate: Any, misread: Any) -> None:
    report = jatdae.structured.compare(misread, certificate)
    for name in ("exact_accuracy", "fuzzy_accuracy", "similarity", "structural_accuracy", "f1"):
        assert getattr(report, name) == report[name]


def test_every_name_has_a_meaning_in_both_languages() -> None:
    assert missing_meanings(StructuredEvaluator) == []


def test_every_table_that_comes_out_is_declared(tmp_path: Path) -> None:
    schema = tmp_path / "s.json"
    schema.write_text('{"properties": {"a": {"type": "string"}}}')
    reference = {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": None, "h": 8, "i": "an old oak tree"}
    prediction = {"a": 1, "b": 9, "d": None, "e": "", "f": None, "g": 7, "h": [8], "i": "an old oak trec", "sure": 0.5}
    evaluator = StructuredEvaluator(schema=schema, types={"a": "number"}, confidence="sure")
    outcome = evaluator.score(Sample("1", prediction, reference))
    declared = {count.name: count.error for count in spec_of(StructuredEvaluator).counts}
    assert outcome.counts.keys() == declared.keys()
    assert {name for name, error in declared.items() if not error} == {
        *("fields.match", "fields.wrapped", "fields.both_absent", "settings"),
        *("fields.near", "fields.similar", "fields.confused", "depths.right", "depths.all"),
        *("kept.right", "kept.all", "kept.values"),
    }


def test_a_path_that_matches_nothing_is_told_with_a_near_name(write: Write, run: Run) -> None:
    pairs = write("pairs.jsonl", [{"id": "1", "prediction": {"total": 5}, "reference": {"total": "5"}}])
    done = run(pairs, evaluator=StructuredEvaluator(types={"totl": "number", "total": "number"}))
    [note] = [note for note in done.notes if "totl" in note]
    assert "'total'" in note


def test_a_path_that_matches_nothing_is_told_in_python_too() -> None:
    rows = [{"id": "1", "prediction": {"total": 1}, "reference": {"total": 1}}]
    with pytest.warns(UserWarning, match=r"'totl'.*'total'"):
        result = evaluate(rows, StructuredEvaluator(types={"totl": "number"}))
    assert len(result.notes) == 1


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ({"skips": ["totl"]}, ["'totl'.*'total'"]),
        ({"skips": ["total"]}, []),
        ({"skips": ["only_predicted", "items[*].price"]}, []),
        ({"skips": ["**.confidence"]}, ["'**.confidence'"]),
        ({"arrays": {"items": "key:cod"}}, ["'items[*].cod'.*'items[*].code'"]),
        ({"arrays": {"items": "key:code"}}, []),
        ({"arrays": {"items": {"key": ["code", "price"]}}}, []),
        ({"arrays": {"$.items": "key:code"}}, []),
    ],
)
def test_a_skipped_path_or_a_key_of_rows_that_matches_nothing_is_told(
    config: dict[str, Any], told: list[str], recwarn: pytest.WarningsRecorder
) -> None:
    document = {"total": 1, "items": [{"code": "A1", "price": 5}, {"code": "B2", "price": 6}]}
    rows = [{"id": "1", "prediction": document | {"only_predicted": 1}, "reference": document}]
    notes = evaluate(rows, StructuredEvaluator(**config)).notes
    assert len(notes) == len(told)
    for note, wanted in zip(notes, told, strict=True):
        assert all(part in note for part in wanted.split(".*"))


SCHEMA = {"required": ["a"], "properties": {"a": {"type": "integer"}}}


def test_without_references_only_the_schema_is_checked() -> None:
    evaluator = StructuredEvaluator(schema=SCHEMA).unreferenced()
    assert [metric.name for metric in spec_of(evaluator).metrics] == ["schema_compliance"]
    outcomes = [evaluator.score(Sample("1", prediction, None)) for prediction in ({"a": 1}, {"a": "x"}, "{", {})]
    assert [outcome.values["schema_compliance"] for outcome in outcomes] == [1.0, 0.0, 0.0, 0.0]
    assert [dict(outcome.counts.get("schema", {})) for outcome in outcomes] == [
        {},
        {"a: type": 1},
        {},
        {"a: required": 1},
    ]
    assert [issue.code for issue in outcomes[2].issues] == ["invalid_json"]


def test_without_references_and_schema_there_is_nothing_to_check() -> None:
    with pytest.raises(UsageError, match="--schema"):
        StructuredEvaluator().unreferenced()


@pytest.mark.parametrize("folder", [True, False])
def test_a_run_of_predictions_alone(tmp_path: Path, folder: bool) -> None:
    given = tmp_path / "given"
    if folder:
        given.mkdir()
        for name, text in (("x", '{"a": 1}'), ("y", '{"a": "1"}')):
            (given / f"{name}.json").write_text(text)
    else:
        given.write_text('{"id": "x", "output": {"a": 1}}\n{"id": "y", "output": {"a": "1"}}\n')
    inputs = alone(Inputs(predictions=(("", str(given)),)))
    summary = execute(StructuredEvaluator(schema=SCHEMA).unreferenced(), inputs, out=tmp_path / "run").summary
    assert summary["systems"][""]["metrics"]["schema_compliance"]["macro"] == 0.5
    assert summary["systems"][""]["counts"] == {"schema": {"a: type": 1}}
