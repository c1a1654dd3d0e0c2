"""What the documentation shows is what the code gives."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from jatdae.cli import main
from jatdae.structured import StructuredEvaluator, compare, confidence
from jatdae.structured.compliance import is_light
from jatdae.structured.issue_codes import ISSUES
from jatdae.structured.metrics import METRICS

PAGE = (Path(__file__).parents[2] / "docs" / "metrics" / "structured.md").read_text("utf-8")


def rows(header: str) -> list[list[str]]:
    """The cells of the table whose header line begins so."""
    lines = PAGE[PAGE.index(f"\n| {header}") + 1 :].splitlines()
    table = lines[: next(at for at, line in enumerate(lines) if not line.startswith("|"))]
    return [[cell.strip(" `*") for cell in line.strip("|").split(" | ")] for line in table[2:]]


def test_the_worked_example_is_the_one_computed(certificate: Any, misread: Any, certificate_schema: Any) -> None:
    report = compare(misread, certificate, tau=0.15, schema=certificate_schema)
    assert {name: f"{value:.4f}" for name, value in report.values.items()} == dict(rows("metric | value |"))
    assert certificate_schema["diagnosis_code"]["pattern"] in PAGE
    assert f"{compare(misread, certificate, similarity='text').similarity:.4f}" in PAGE


def test_the_command_of_the_worked_example_prints_its_numbers_and_the_schema_error(
    certificate: Any,
    misread: Any,
    certificate_schema: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    Path("certificate.jsonl").write_text(json.dumps({"prediction": misread, "reference": certificate}))
    Path("certificate.schema.json").write_text(json.dumps(certificate_schema))
    written = re.search(r"`jatdae (run structured certificate\.jsonl .*?)` prints", PAGE)
    assert written
    command = [*written[1].split(), "--jobs", "1"]
    assert main([*command, "--out", "run"]) == 0
    printed = dict(re.findall(r"^(\w+) [↑↓] +([\d.]+)", capsys.readouterr().out, re.MULTILINE))
    assert printed == dict(rows("metric | value |"))
    assert main([*command, "--out", "again", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["systems"][""]["counts"]["schema"] == {"diagnosis_code: pattern": 1}


def test_the_examples_in_python_give_what_they_say() -> None:
    names: dict[str, Any] = {}
    for code in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(code, names)
        for written, said in re.findall(r"^(\w+\..+?) +# (\S+)$", code, re.MULTILINE):
            found = eval(written, names)
            assert (found if isinstance(found, str) else f"{found:.4f}") == (
                said if said.isalpha() else f"{float(said):.4f}"
            )


def test_every_metric_and_every_issue_is_described() -> None:
    described = PAGE[PAGE.index("## Numbers") : PAGE.index("### A worked example")]
    assert all(f"`{metric.name}`" in described for metric in (*METRICS, *confidence.METRICS))
    assert all(
        f"`{code}`" in PAGE
        for code in [kind.code for kind in ISSUES]
        if code not in ("not_json", "no_fields", "no_weight", "no_schema")
    )


def test_the_light_schema_and_the_settings_shown_can_be_used(tmp_path: Path) -> None:
    schema, settings = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    assert is_light(yaml.safe_load(schema))
    (tmp_path / "schema.yaml").write_text(schema)
    (tmp_path / "fields.yaml").write_text(settings)
    evaluator = StructuredEvaluator(schema=tmp_path / "schema.yaml", fields=tmp_path / "fields.yaml")
    rows_in_any_order = {"total_amount": "5", "procedures": [{"name": "b"}, {"name": "a"}], "confidence": 1}
    report = evaluator.compare(rows_in_any_order, {"total_amount": 5, "procedures": [{"name": "a"}, {"name": "b"}]})
    assert report.exact_accuracy == report.f1 == 1.0
    assert [error.path for error in report.schema_errors] == [
        "patient_name",
        "procedures[0].code",
        "procedures[1].code",
    ]


def test_the_table_of_receipts_is_the_one_counted(data: Callable[[str], str]) -> None:
    evaluator = StructuredEvaluator(arrays={"menu": "set"})
    found: dict[str, Counter[str]] = {}
    for line in data("cord_pairs.jsonl").splitlines():
        row = json.loads(line)
        report = evaluator.compare(row["prediction"], row["reference"])
        for result in (*report.field_results, *report.extra_results):
            for name in (result.pattern, "all fields"):
                counts = found.setdefault(name, Counter())
                counts["leaves"] += result.outcome != "extra"
                counts[result.outcome] += 1
                counts["rewritten"] += result.outcome == "match" and result.gold_value != result.pred_value
    for name, *numbers in rows("field | leaves |"):
        columns = ("leaves", "match", "rewritten", "mismatch", "missing", "extra")
        assert [int(number) for number in numbers] == [found[name][column] for column in columns], name
