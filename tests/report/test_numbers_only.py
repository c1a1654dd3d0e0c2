"""Reports without texts: nothing of a sample but numbers and codes, in any form, of any evaluator."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import jatdae
from jatdae.cli import main
from jatdae.core.contract import Sample
from jatdae.report.comparison import to_comparison_page
from jatdae.report.differences import ComparedSystem, difference_sheets
from jatdae.report.forest import figures_of_comparison
from jatdae.report.forms import markdown_of
from jatdae.report.junit import to_junit
from jatdae.report.numbers_only import comparisons_without_texts, without_texts
from jatdae.report.pages import to_html
from jatdae.report.samples import read_rows, read_values
from jatdae.report.svg import to_page
from jatdae.run.api import evaluate
from jatdae.run.stats.compare import compare
from jatdae.run.stats.result import Result
from jatdae.structured import StructuredEvaluator

PACKAGE = Path(jatdae.__file__).parent
FORMS = ("html", "md", "csv", "json", "latex", "junit")
PAIRS = {file.parents[1].name: file for file in sorted(PACKAGE.glob("*/samples/pairs.jsonl"))}
PAIRS["documents"] = PAIRS["text"]
PERSON = "홍길동 Hong Gildong 900101"


def texts_in(value: Any) -> Iterator[str]:
    """All texts in a JSON value; names of fields are no texts of a sample."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from texts_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts_in(item)


def phrases(text: str) -> set[str]:
    """What of a text would give it away: runs of four words, and Korean or Chinese runs of eight characters."""
    words = re.findall(r"[A-Za-z]{3,}", text)
    found = {" ".join(words[at : at + 4]) for at in range(len(words) - 3)}
    return found | {run[:8] for run in re.findall(r"[\u3400-\u9fff\uac00-\ud7a3]{8,}", text)}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


@pytest.mark.parametrize("name", PAIRS)
def test_no_text_of_the_bundled_samples_is_in_any_form(name: str, place: Path) -> None:
    rows = [json.loads(line) for line in PAIRS[name].read_text("utf-8").splitlines()]
    given = {phrase for row in rows for text in texts_in(row) for phrase in phrases(text)}
    for row in rows:
        key = "id" if "id" in row else "patient_id"
        row[key] = f"Gildong-{row[key]}"
    (place / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert main(["run", name, str(place / f"{name}.jsonl"), "--out", str(place / name), "--jobs", "1", "--json"]) == 0
    assert given
    for form in FORMS:
        out = place / f"{name}.{form}"
        assert main(["report", str(place / name), "--numbers-only", "-f", form, "-o", str(out)]) == 0
        told = out.read_text("utf-8")
        assert "Gildong" not in told, form
        if form == "html":  # its own scripts and words are no texts of the input
            told = re.sub(r"<(script|style)(?: type=\"module\")?>.*?</\1>", "", told, flags=re.S)
            told = re.sub(r'"words":\{.*?\},"docs"', "", told, flags=re.S)
        assert [phrase for phrase in given if phrase in told] == [], form


@pytest.fixture
def personal(plugin: Callable[..., Any]) -> Result:
    """Two systems whose every text names a person, also ids, clusters, labels, units, issues and keys of counts."""
    samples = [
        Sample(f"{PERSON} {at}", f"{PERSON} {at % 2}", f"{PERSON} 0", {"ward": "b", "note": PERSON}, system, PERSON)
        for at in range(4)
        for system in ("one", "two")
    ]
    return evaluate(samples, plugin("shown:Shown"), slices=["ward"])


def test_a_page_has_rows_by_number_and_no_evidence(personal: Result) -> None:
    html = to_html(without_texts(personal), texts=False)
    for word in PERSON.split():
        assert word not in html
    data = json.loads(re.findall(r'<script type="application/json" id="data">(.*?)</script>', html, re.S)[0])
    assert sorted(set(data["rows"]["ids"])) == ["1", "2", "3", "4"]
    assert data["details"] == {}
    assert list(data["rows"]["meta"]) == ["ward"]
    assert data["rows"]["codes"] == ["told"]
    assert "Numbers only" in html


def test_values_and_systems_stay(personal: Result) -> None:
    bare = without_texts(personal)
    told, before = read_rows(bare), read_rows(personal)
    assert (told.values, told.systems, told.issues) == (before.values, before.systems, before.issues)
    assert told.ids == ["1", "1", "2", "2", "3", "3", "4", "4"]
    assert len(read_values(bare)) == 8
    for name, described in bare.summary["systems"].items():
        assert described["metrics"] == personal.summary["systems"][name]["metrics"]


def test_a_failed_sample_is_told_by_number_and_code(personal: Result) -> None:
    told = to_junit(without_texts(personal))
    assert 'classname="shown.sample" name="2"' in told
    assert 'message="told" type="told"' in told
    assert "Gildong" not in told


def test_labels_of_units_are_numbers_or_numbered(personal: Result) -> None:
    for described in without_texts(personal).summary["systems"].values():
        slices = described["units"]["turn"]["slices"]
        assert list(slices["turn"]) == ["1", "2", "3"]
        assert list(slices["told"]) == ["#1", "#2"]


def test_keys_stay_where_they_are_codes_however_short_others_are(plugin: Callable[..., Any]) -> None:
    rows = [
        {"id": "a", "prediction": {"name": "Lee", PERSON: 1}, "reference": {"name": "Kim", "age": 3}},
        {"id": "b", "prediction": {"name": "Lee", "id": 1}, "reference": {"name": "Kim", "age": 3}},
        {"id": "c", "prediction": {"total": 1, "name": "Kim"}, "reference": {"name": "Kim"}},
        {"id": "d", "prediction": {"total": 1}, "reference": {"total": 1}},
    ]
    schema = {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}, "total": {}}}
    bare = without_texts(evaluate(rows, StructuredEvaluator(schema=schema))).summary
    (described,) = bare["systems"].values()
    assert described["counts"]["fields.mismatch"] == {"name": 2}
    assert described["counts"]["fields.missing"] == {"age": 2}
    assert [key.startswith("#") for key in sorted(described["counts"]["fields.extra"])] == [True, True, False]
    assert described["examples"]["fields.mismatch"]["name"]["worst"] == ["1", "2"]
    assert PERSON not in json.dumps(bare, ensure_ascii=False)


@pytest.mark.parametrize(
    ("config", "kept"),
    [
        ({}, set()),
        ({"types": {"age": "number"}}, {"age"}),
        ({"types": {"ward.**": "number"}}, set()),  # names the ward, and no patient in it
        ({"schema": {"type": "object", "additionalProperties": {"type": "integer"}}}, set()),
        ({"schema": {"$defs": {"a": {"properties": {"age": {}}}}, "$ref": "#/$defs/a"}}, {"age"}),
    ],
)
def test_a_field_stays_only_if_the_configuration_names_each_of_its_keys(config: Any, kept: set[str]) -> None:
    """Free references may have people as keys."""
    rows = [
        {
            "id": str(at),
            "prediction": {"age": 1, "ward": {"홍길동": at}},
            "reference": {"age": 2, "ward": {"홍길동": 0}},
        }
        for at in range(2)
    ]
    bare = without_texts(evaluate(rows, StructuredEvaluator(**config)))
    assert "홍길동" not in json.dumps(bare.summary, ensure_ascii=False)
    (described,) = bare.summary["systems"].values()
    assert {key for key in described["counts"]["fields.mismatch"] if not key.startswith("#")} == kept
    right, wrong = (described["counts"][f"fields.{outcome}"] for outcome in ("match", "mismatch"))
    assert set(right) < set(wrong)  # a field has one number in all tables


def test_an_evaluator_that_is_not_at_hand_has_no_codes(plugin: Callable[..., Any]) -> None:
    result = evaluate([Sample("x", "longer", "0.5")], plugin("letters:Letters"))
    (described,) = without_texts(result).summary["systems"].values()
    assert sorted(described["counts"]["wrong"]) == [f"#{at}" for at in range(1, 7)]


NAMES = ("김훈", "이순", "박동")
CHARACTERS = ("훈", "숙", "쀍")
QUOTING = {
    "text": [("환자 김훈", "환자 "), ("이동", "이숙"), ("쀍", "훈")],
    "formulas": [(r"\text{김훈}+x", r"\text{이순}+x"), ("x^쀍", "x^훈")],
    "structured": [
        ({"name": "김훈", "박동": 1, "쀍": 2}, {"name": "이순", "age": 3}),
        ({"name": "훈"}, {"name": "숙"}),
    ],
}
"""By evaluator: predictions and references whose counts are made of short Korean names and of single characters."""


@pytest.mark.parametrize("name", QUOTING)
def test_no_name_of_two_syllables_and_no_character_is_in_any_form(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        {"id": str(at), "prediction": said, "reference": meant, "system": system}
        for at, (wrong, meant) in enumerate(QUOTING[name])
        for system, said in (("one", wrong), ("two", meant if at else wrong))
    ]
    (tmp_path / "in.jsonl").write_text("\n".join(map(json.dumps, rows)))
    run = str(tmp_path / "run")
    assert main(["run", name, str(tmp_path / "in.jsonl"), "--out", run, "--jobs", "1", "--json"]) == 0
    capsys.readouterr()
    report, compared = ["report", run, "--numbers-only"], ["compare", run, "--systems", "one", "two", "--numbers-only"]
    for command, forms in ((report, FORMS), (compared, ("html", "md", "latex", "json"))):
        assert main(command) == 0
        for form in forms:
            out = tmp_path / f"{command[0]}.{form}"
            assert main([*command, "-f", form, "-o", str(out)]) == 0
            assert _names_in(out.read_text("utf-8")) == [], (command[0], form)
        assert main([*command, "--figures", str(tmp_path / command[0])]) == 0
        for file in sorted((tmp_path / command[0]).rglob("*")):
            assert _names_in(file.read_text("utf-8") if file.suffix in (".svg", ".csv") else file.name) == [], file
    assert _names_in(capsys.readouterr().out) == []


def _names_in(told: str) -> list[str]:
    """Names and characters of samples in a report; a character stands for itself, not in a longer Korean word."""
    alone = [each for each in CHARACTERS if re.search(f"(?<![가-힣]){each}(?![가-힣])", told)]
    return [each for each in NAMES if each in told] + alone


def test_examples_of_bad_rows_are_left_out(personal: Result) -> None:
    summary = {**personal.summary, "input": {**personal.summary["input"], "bad_rows": 1, "bad_examples": [PERSON]}}
    told = without_texts(Result(personal.signature, summary, personal.tables)).summary["input"]
    assert told["bad_examples"] == ["–"]


@pytest.mark.parametrize("systems", [2, 3])
def test_a_comparison_has_no_text_in_any_form(plugin: Callable[..., Any], tmp_path: Path, systems: int) -> None:
    """Two runs whose ids stand in different orders: a number is the same sample in all of them."""
    sides = []
    for n in range(systems):
        samples = [
            Sample(f"{PERSON} {at}", f"{PERSON} {(at + n) % 3}", f"{PERSON} 0", {"ward": "b", "note": PERSON}, f"m{n}")
            for at in range(24)
        ]
        turned = samples[:: -1 if n else 1]
        sides.append(ComparedSystem(f"m{n}", evaluate(turned, plugin("shown:Shown"), slices=["ward"]), f"m{n}"))
    first, *others = sides
    by = [None, "turn"][systems % 2]  # samples, or their units
    made = [compare(first.result, each.result, names=("m0", each.name), by=by) for each in others]
    bare = comparisons_without_texts(sides, made)
    page = to_comparison_page(sides, made, texts=False)
    forms = [page, markdown_of([sheet for each in bare for sheet in difference_sheets(each)]), repr(bare)]
    forms += [to_page(figure.chart) for figure in figures_of_comparison(sides, made, texts=False)]
    for word in PERSON.split():
        assert [form for form in forms if word in form] == []
    assert "Numbers only" in page
    data = json.loads(re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[0])
    assert data["details"] == {}
    assert set(data["rows"]["ids"]) <= {str(at) for at in range(1, 25)}
    for told, whole in zip(bare, made, strict=True):
        assert [each.id for each in told["same"].regressions] == [
            str(int(each.id.removeprefix(PERSON)) + 1) for each in whole["same"].regressions
        ]
        assert replace(told["same"], regressions=(), improvements=()) == replace(
            whole["same"], regressions=(), improvements=()
        )


def test_the_command_compares_without_texts(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        {"id": f"Gildong-{at}", "prediction": "ab"[at % n], "reference": "a", "system": f"m{n}"}
        for at in range(6)
        for n in (1, 2)
    ]
    (place / "two.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert main(["run", "text", str(place / "two.jsonl"), "--out", str(place / "two"), "--jobs", "1", "--json"]) == 0
    capsys.readouterr()
    command = ["compare", str(place / "two"), "--systems", "m1", "m2", "--numbers-only"]
    for form in ("html", "md", "latex", "json"):
        out = place / f"compared.{form}"
        assert main([*command, "-f", form, "-o", str(out)]) == 0
        assert "Gildong" not in out.read_text("utf-8"), form
    assert main(command) == 0
    assert main([*command, "--json"]) == 0
    assert "Gildong" not in capsys.readouterr().out
