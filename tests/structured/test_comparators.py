"""Comparators of the user: functions and their names, what they may give, and who may name them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jatdae import Sample, StructuredEvaluator, structured
from jatdae.core.errors import JatdaeError, UsageError
from jatdae.core.signature import sign
from jatdae.run.api import evaluate
from jatdae.run.suite import read_suite

ROWS = [{"id": "1", "prediction": {"a": "Seoul 1"}, "reference": {"a": "Seoul 2"}}]


def first_letter(expected: Any, actual: Any) -> bool:
    return str(expected)[:1] == str(actual)[:1]


def signature(**settings: Any) -> str:
    return str(sign(StructuredEvaluator(**settings), refs="", preds="", kernel=""))


@pytest.mark.parametrize("given", [first_letter, f"{__name__}:first_letter", lambda *_: 1.0])
def test_a_function_or_its_name_decides(given: Any) -> None:
    (found,) = structured.compare({"a": "Seoul 1"}, {"a": "Seoul 2"}, types={"a": given}).field_results
    assert (found.field_type, found.exact_match, found.outcome) == ("custom", True, "match")


def test_a_file_may_hold_it(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def half(expected, actual): return 0.5\n")
    (found,) = structured.compare({"a": 1}, {"a": 2}, types={"a": f"{file}:half"}, tau=0.5).field_results
    assert (found.exact_match, found.fuzzy_match, found.similarity) == (False, True, 0.5)


def test_it_is_asked_of_numbers_too_but_not_of_what_is_missing() -> None:
    asked: list[Any] = []
    structured.compare({"a": 1, "b": None}, {"a": 2, "b": 3, "c": 4}, types={"*": lambda *pair: not asked.append(pair)})
    assert asked == [(2, 1)]


@pytest.mark.parametrize("bad", [lambda *_: 2, lambda *_: float("nan"), lambda *_: "same", lambda *_: 1 / 0, lambda: 1])
def test_what_is_no_share_is_refused_with_the_name(bad: Any) -> None:
    with pytest.raises(UsageError, match="test_comparators"):
        structured.compare({"a": 1}, {"a": 2}, types={"a": bad})


@pytest.mark.parametrize("name", ["os:nothing", "no_such_module:f", "os:sep", "missing.py:f", ":f", "os:a b"])
def test_a_name_that_leads_nowhere_is_told(name: str) -> None:
    with pytest.raises(JatdaeError):
        StructuredEvaluator(types={"a": name}).compare({"a": 1}, {"a": 2})


def test_its_code_stands_in_the_signature(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    found = []
    for source in ("def f(a, b): return 1\n", "def f(a, b): return 0\n"):
        file.write_text(source)
        found.append(signature(types={"a": f"{file}:f"}))
    assert found[0] != found[1]
    assert "comparators:" not in signature(types={"a": "number"})


def test_lambdas_of_one_name_are_told_apart() -> None:
    one, other = (lambda *_: 1.0), (lambda *_: 0.0)
    results = [evaluate(ROWS, StructuredEvaluator(types={"a": each})).value("exact_accuracy") for each in (one, other)]
    assert results == [1.0, 0.0]


def test_neither_a_schema_nor_a_file_of_settings_may_name_code(tmp_path: Path) -> None:
    file = tmp_path / "fields.yaml"
    file.write_text("a: os:system\n")
    with pytest.raises(UsageError, match="fields"):
        StructuredEvaluator(fields=file)
    with pytest.raises(UsageError, match="x-jatdae"):
        StructuredEvaluator(schema={"properties": {"a": {"x-jatdae": {"type": "os:system"}}}})


def test_a_suite_may_name_code_only_where_it_is_allowed_to(tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text('{"id": 1, "prediction": {}, "reference": {}}\n')
    suite = tmp_path / "suite.yaml"
    suite.write_text(
        "name: s\ndatasets: {d: {pairs: {m: rows.jsonl}}}\n"
        "evaluators: {structured: {config: {types: {a: 'os.path:samefile'}, fields: {b: number}}}}\n"
    )
    with pytest.raises(UsageError, match="allow-plugins"):
        read_suite(str(suite))
    assert read_suite(str(suite), allow_plugins=True)[0].evaluator.fields == {"b": "number"}


def test_a_sample_scores_the_same_by_function_and_by_name() -> None:
    sample = Sample("1", {"a": "Busan"}, {"a": "Seoul"})
    by_function, by_name = (
        StructuredEvaluator(types={"a": each}).score(sample) for each in (first_letter, f"{__name__}:first_letter")
    )
    assert by_function == by_name
