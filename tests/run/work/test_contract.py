"""Evaluators that break the contract, and samples that are not what they should be."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

import jatdae
from jatdae import Metric, Outcome, Sample, evaluator
from jatdae.core.errors import DataError, EngineError, JatdaeError, UsageError
from jatdae.run.api import evaluate
from jatdae.run.work.engine import Engine

ROWS = [{"id": str(n), "pred": "boom" if n == 2 else "fine", "gold": "x"} for n in range(4)]

REFUSED = {
    "raises": "faults failed on sample '2': RuntimeError: no luck",
    "recurses": "faults failed on sample '2': RecursionError",
    "exits": "faults failed on sample '2': SystemExit: 0",
    "no_outcome": r"faults returned dict for sample '2'; score\(\) must return an Outcome",
    "text_value": "Sample '2': invalid outcome: a value is a string",
    "number_as_text": "Sample '2': invalid outcome: a value is a string",
    "list_value": "Sample '2': invalid outcome",
    "misspelt": "Sample '2' has values for undeclared metrics: skore",
    "undeclared": "Sample '2' has values for undeclared metrics: other",
    "text_stat": "Sample '2': invalid outcome",
    "nan_stat": "Sample '2': invalid outcome: a statistic is infinite or not a number",
    "inf_stat": "Sample '2': invalid outcome: a statistic is infinite",
    "vast_stat": "Sample '2': invalid outcome: a statistic is infinite",
    "number_key": "Sample '2': invalid outcome",
    "half_count": "Sample '2': invalid outcome",
    "bad_unit": "Sample '2': invalid outcome",
    "nan_unit_stat": "Sample '2': invalid outcome: a statistic is infinite",
    "no_unit": "Sample '2': invalid outcome",
    "no_issue": "Sample '2': invalid outcome",
    "looped_evidence": "Sample '2': the evidence is not JSON",
}


@pytest.mark.parametrize("fault", REFUSED)
def test_a_broken_outcome_is_an_engine_error_that_names_the_sample(
    fault: str, write: Any, run: Any, plugin: Any
) -> None:
    evaluator = plugin("faults:Faults", fault=fault)
    with pytest.raises(EngineError, match=REFUSED[fault]) as error:
        run(write("p.jsonl", ROWS), evaluator=evaluator)
    assert error.value.exit_status == 3
    with pytest.raises(EngineError, match=REFUSED[fault]):
        evaluate(({"id": r["id"], "prediction": r["pred"], "reference": "x"} for r in ROWS), evaluator)


@pytest.mark.parametrize(
    ("fault", "issue"),
    [
        ("nan_value", {"not_finite": {"error": 1}}),
        ("inf_value", {"not_finite": {"error": 1}}),
        ("vast_value", {"not_finite": {"error": 1}}),
        ("no_value", {"not_applicable": {"warning": 1}}),
    ],
)
def test_a_value_that_is_no_number_is_not_applicable_and_counted(
    fault: str, issue: Any, write: Any, run: Any, plugin: Any
) -> None:
    system = run(write("p.jsonl", ROWS), evaluator=plugin("faults:Faults", fault=fault)).summary["systems"][""]
    score = system["metrics"]["score"]
    assert (score["macro"], score["n"], score["na"], system["issues"]) == (1.0, 3, 1, issue)


def test_a_unit_value_that_is_no_number_is_not_applicable(write: Any, run: Any, plugin: Any) -> None:
    done = run(write("p.jsonl", ROWS), evaluator=plugin("faults:Faults", fault="nan_unit"))
    turn = done.summary["systems"][""]["units"]["turn"]
    assert (turn["n"], turn["metrics"]["score"]["n"], turn["metrics"]["score"]["na"]) == (1, 0, 1)


def test_evidence_keeps_what_json_can_say(write: Any, run: Any, outcomes: Any, plugin: Any) -> None:
    rows = outcomes(run(write("p.jsonl", ROWS), evaluator=plugin("faults:Faults", fault="odd_evidence")))
    assert rows[2]["evidence"] == {"big": 10**30, "lone": "\ud800", "set": ["e", "s", "t"]}


@pytest.mark.parametrize(
    ("how", "rows", "micro"),
    [("divide", ["a", "nothing"], 1.0), ("divide", ["nothing"] * 3, None), ("infinite", ["a", "b"], None)],
)
def test_a_micro_average_that_cannot_be_had_is_not_applicable(
    how: str, rows: list[str], micro: Any, plugin: Any
) -> None:
    samples = [{"id": str(n), "prediction": text, "reference": "x"} for n, text in enumerate(rows)]
    result = evaluate(samples, plugin("faults:Reducer", how=how))
    assert result.value("score.micro") == micro
    json.dumps(result.summary, allow_nan=False)


@pytest.mark.parametrize("how", ["raises", "text", "nothing"])
def test_a_reduce_that_fails_is_an_engine_error(how: str, plugin: Any) -> None:
    with pytest.raises(EngineError, match=r"reducer failed in reduce\(\): "):
        evaluate([Sample("1", "a", "a")], plugin("faults:Reducer", how=how))


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_survey_informs_the_evaluator_of_each_system(
    jobs: int, write: Any, run: Any, outcomes: Any, plugin: Any
) -> None:
    rows = [
        {"id": n, "system": s, "pred": "x" * (n % 9), "gold": "g" * 200}
        for s in "AB"
        for n in range(300 if s == "A" else 20)
    ]
    rows.append({"id": "none", "system": "B", "pred": None, "gold": "g"})
    done = run(write("p.jsonl", rows), evaluator=plugin("surveyed:Surveyed"), engine=Engine(jobs))
    total = {s: sum(len(r["pred"] or "") for r in rows if r["system"] == s) for s in "AB"}
    assert [r["values"]["share"] for r in outcomes(done)] == [len(r["pred"] or "") / total[r["system"]] for r in rows]
    samples = (Sample(str(r["id"]), r["pred"], r["gold"], system=r["system"]) for r in rows)
    assert evaluate(samples, plugin("surveyed:Surveyed"), jobs=jobs).summary["systems"] == done.summary["systems"]


def test_a_survey_that_fails_names_the_sample(write: Any, run: Any, plugin: Any) -> None:
    file = write("p.jsonl", [{"id": "u", "pred": "unsurveyable", "gold": "x"}])
    with pytest.raises(EngineError, match="surveyed failed on sample 'u': ValueError: no survey of this"):
        run(file, evaluator=plugin("surveyed:Surveyed"))


def test_a_missing_prediction_is_worst_only_where_a_metric_applies(
    write: Any, run: Any, outcomes: Any, plugin: Any
) -> None:
    rows = [
        {"id": n, "pred": pred, "gold": gold} for n, (pred, gold) in enumerate([("a", "a"), (None, "a"), (None, "7")])
    ]
    done = run(write("p.jsonl", rows), evaluator=plugin("hooked:Hooked"))
    assert [(r["values"]["words"], r["values"]["numbers"]) for r in outcomes(done)] == [
        (1.0, None),
        (0.0, None),
        (None, 0.0),
    ]
    assert done.summary["systems"][""]["issues"]["missing_prediction"] == {"error": 2}
    assert (done.folder / "words.txt").read_text() == "2"


def test_an_evaluator_that_other_processes_cannot_find_needs_one_job() -> None:
    @jatdae.evaluator("local", metrics=[jatdae.Metric("a", "higher", worst=0.0)])
    class Local:
        def score(self, sample: Sample) -> jatdae.Outcome:
            return jatdae.Outcome({"a": 1.0})

    samples = [Sample(str(n), "a", "a") for n in range(5)]
    assert evaluate(samples, Local()).value("a") == 1.0
    with pytest.raises(UsageError, match="is not defined at the top level of a file"):
        evaluate(samples, Local(), jobs=2)


@pytest.mark.parametrize(
    ("samples", "said"),
    [
        ([Sample("1", "a", "a"), Sample("1", "b", "b")], r"two samples have the id '1'\. Ids"),
        ([Sample("1", "a", "a", system="S")] * 2, r"'1' \(system S\)"),
        (["text"], r"samples\[0\]: a sample must be a Sample or a mapping like .* not str"),
        ([("a", "b")], r"samples\[0\]: a sample must be a Sample or a mapping like .* not tuple"),
        ([{"prediction": "a", "reference": "a"}, "b"], r"samples\[1\]: a sample must be .* not str"),
        ([{"id": ["x"], "prediction": "a", "reference": "a"}], r"samples\[0\]: .*'id' has type array"),
        ([{"id": "\ud800", "prediction": "a", "reference": "a"}], r"samples\[0\]: not valid UTF-8"),
        ([Sample("1", "a", "a", meta={"k": "\udfff"})], r"samples\[0\]: not valid UTF-8"),
        ([Sample("1", "a", "a", meta={"k": []})], r"samples\[0\]: .meta. must be"),  # type: ignore[dict-item]
        ([Sample("1", "a", "a", cluster=None)], r"samples\[0\]: .*'cluster' must be a string"),  # type: ignore[arg-type]
        ([Sample("1", {1: "a", "b": 2}, "a")], r"samples\[0\]: "),
        ([Sample("1", "a", "a", system=7)], r"samples\[0\]: .*'system' must be a string"),  # type: ignore[arg-type]
    ],
)
def test_samples_in_memory_are_checked_like_rows(samples: Any, said: str, plugin: Any) -> None:
    with pytest.raises(DataError, match=said):
        evaluate(samples, plugin("marks:Marks"))


ROW = {"prediction": "a", "reference": "a"}


@pytest.mark.parametrize(
    ("samples", "evaluator", "said"),
    [
        ("text", [ROW], "the evaluator must be a name .* not list. The data come first: "),
        ([ROW], None, "name an evaluator: "),
        ([ROW], dict, "the evaluator must be .* not type"),
        (jatdae.TextEvaluator(), [ROW], "the evaluator must be .* not list"),
        (b"pairs.jsonl", "text", "the data must be a frame, .* not bytes"),
        ({"text": 1}, "text", "the data must be a frame, .* not dict"),
        (None, "text", "the data must be a frame, .* not NoneType"),
        (jatdae.TextEvaluator, "text", "the data must be a frame, .* not type"),
    ],
)
def test_arguments_that_are_no_samples_or_no_evaluator_are_told(samples: Any, evaluator: Any, said: str) -> None:
    with pytest.raises(UsageError, match=r"evaluate\(data, evaluator\): " + said):
        evaluate(samples, evaluator)


def test_a_choice_that_there_is_not_is_refused_in_memory_too() -> None:
    with pytest.raises(UsageError, match=r"missing 'wrost': unknown value\. Did you mean 'worst'"):
        evaluate([ROW], "text", missing="wrost")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="jobs='2': must be a whole number of 1 or more"):
        evaluate([ROW], "text", jobs="2")  # type: ignore[arg-type]
    result = evaluate([{**ROW, "meta": {"page": "1"}}], "text", slices="page")
    assert set(result.summary["systems"][""]["slices"]) == {"page"}


@pytest.mark.parametrize(("locale", "said"), [("ko_KR.UTF-8", "알 수 없는 평가기"), ("C.UTF-8", "Unknown evaluator")])
def test_errors_are_told_in_the_language_of_the_locale(locale: str, said: str) -> None:
    call = "import jatdae\ntry: jatdae.evaluate([], 'nonsense')\nexcept jatdae.core.errors.UsageError as e: print(e)"
    spoken = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", call],
        env={**os.environ, "LC_ALL": locale}, capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    assert said in spoken.stdout


def test_samples_in_memory_may_be_plain_and_numbered(plugin: Any) -> None:
    samples = [{"prediction": "a", "reference": "a"}, {"id": 7, "prediction": None, "reference": "b"}]
    result = evaluate(samples, plugin("marks:Marks"))
    assert [row["id"] for row in result.rows()] == ["1", "7"]
    assert (result.value("exact"), result.value("exact.micro")) == (0.5, 0.5)
    with pytest.raises(DataError, match="first is for id '7'"):
        evaluate([{"id": 7, "prediction": None, "reference": "b"}], plugin("marks:Marks"), missing="error")


def test_odd_text_in_memory_is_scored_like_any_other(plugin: Any) -> None:
    odd = ["\ud800", "a\0b", "\u202e", {"deep": [10**30, "\udfff"]}]
    result = evaluate([Sample(str(n), text, text) for n, text in enumerate(odd)], plugin("marks:Marks"))
    assert result.value("exact") == 1.0
    assert [row["evidence"]["prediction"] for row in result.rows()] == odd


def test_a_name_takes_settings_and_an_instance_does_not(plugin: Any) -> None:
    with pytest.raises(UsageError, match=r"already an instance\. Set these on it instead: casefold"):
        evaluate([], plugin("marks:Marks"), casefold=True)
    with pytest.raises(JatdaeError, match="Unknown evaluator 'nonsense'"):
        evaluate([], "nonsense")
    assert evaluate([], plugin("marks:Marks")).summary["systems"] == {}


def test_samples_in_memory_are_scored_as_they_come() -> None:
    """A generator of any length is never held whole."""
    ahead: list[int] = []
    scored = 0

    @evaluator("counting", metrics=[Metric("one", "higher", worst=0.0)])
    class Counting:
        def score(self, sample: Sample) -> Outcome:
            nonlocal scored
            scored += 1
            return Outcome({"one": 1.0})

    def samples() -> Iterator[Sample]:
        for number in range(2000):
            ahead.append(number - scored)
            yield Sample(str(number), "", "")

    assert evaluate(samples(), Counting()).value("one") == 1.0
    assert max(ahead) < 600
