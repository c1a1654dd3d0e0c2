"""Events and scripts: schemas, the check command, and events written back."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from jatdae.core.errors import DataError
from jatdae.core.messages import speaking
from jatdae.core.problems import schema_problem
from jatdae.dialogue.commands import check
from jatdae.dialogue.evaluator import DialogueEvaluator
from jatdae.dialogue.events import METRICS, SCHEMAS, check_line, filled, read_given, read_scripts
from jatdae.run.api import execute
from jatdae.run.input.model import Inputs

EVENT: dict[str, Any] = {
    "schema_version": "events_record.v1",
    "run_id": "r",
    "mode": "llm",
    "patient_id": "p",
    "turn_id": 1,
    "question": {"question_id": "q1", "text": "?"},
    "answer": "67세이십니다.",
    "timestamp_utc": "2026-01-01T00:00:00Z",
}
V2 = {
    **EVENT,
    "schema_version": "events_record.v2",
    "slots_truth": {"age": 67},
    "config_hash": "a",
    "lexicon_version": "1",
}


def problems(row: object) -> list[str]:
    return [where for where, _ in check_line(json.dumps(row).encode())]


@pytest.mark.parametrize("event", [EVENT, V2])
def test_good_events_pass(event):
    full = {**event, "usage": {}, "timing_ms": 3, "metadata": None, "metrics": dict.fromkeys(METRICS)}
    assert problems(event) == problems(full) == []


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"schema_version": "events_record.v3"}, ["schema_version"]),
        ({"answer": 3}, ["answer"]),
        ({"mode": ""}, ["mode"]),
        ({"question": {"text": "?"}}, ["question"]),
        ({"metrics": {"SFS": 1.5}}, ["metrics.SFS"]),
        ({"metrics": {"CUS": "high"}}, ["metrics.CUS"]),
        ({"timestamp_utc": "once upon a time"}, ["timestamp_utc"]),
    ],
)
def test_what_is_off_is_named(change, where):
    assert problems({**EVENT, **change}) == where


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"answer": 3}, "빈 값 또는 문자열 자리인데 3입니다"),
        ({"mode": ""}, "항목이나 글자가 1개 이상이어야 합니다"),
        ({"question": {"text": "?"}}, "'question_id' 키가 없습니다"),
        ({"metrics": {"SFS": 1.5}}, "≤ 1이어야 하는데 1.5입니다"),
        ({"metrics": {"CSP": -0.5}}, "≥ 0이어야 하는데 -0.5입니다"),
        ({"timestamp_utc": "once"}, r"'once': 형식이 ^\d{4}-\d{2}-\d{2}에 맞지 않습니다"),
        (
            {"schema_version": "events_record.v3"},
            "'events_record.v3': 알 수 없는 값입니다. 혹시 'events_record.v2'인가요?",
        ),
    ],
)
def test_problems_are_told_in_the_users_language(change, problem):
    with speaking("ko"):
        ((_, told),) = check_line(json.dumps({**EVENT, **change}).encode())
    assert told.startswith(problem)


@pytest.mark.parametrize(
    ("schema", "value", "told"),
    [
        ({"enum": ["a", "b"]}, "c", "'c': unknown value. Choices: a, b"),
        ({"const": "llm"}, "lm", "'lm': unknown value. Did you mean 'llm'? Choices: llm"),
        ({"properties": {"a": {}}, "additionalProperties": False}, {"x": 1}, "unknown keys: 'x'"),
        ({"exclusiveMinimum": 0}, 0, "must be > 0, not 0"),
        ({"maxItems": 1}, [1, 2], "must have at most 1"),
        ({"type": "array"}, True, "must be a list, not true"),
        ({"uniqueItems": True}, [1, 1], "[1, 1] is not accepted (["),
    ],
)
def test_errors_of_any_schema_are_put_into_words(schema, value, told):
    (error,) = Draft202012Validator(schema).iter_errors(value)
    assert schema_problem(error).startswith(told)


@pytest.mark.parametrize(
    "unknown", ["config_hash", "lexicon_version", "slots_truth", "run_id", "timestamp_utc", "question", "turn_id"]
)
def test_version_two_does_not_require_what_a_runner_cannot_know(unknown):
    assert problems({key: value for key, value in V2.items() if key != unknown}) == []


@pytest.mark.parametrize("needed", ["patient_id", "mode", "answer"])
def test_version_two_requires_what_a_run_needs(needed):
    assert problems({key: value for key, value in V2.items() if key != needed}) == [""]


def test_version_two_takes_a_question_as_a_run_does():
    assert problems({**V2, "question": "What now?"}) == problems({**V2, "question": {"text": "What now?"}}) == []


@pytest.mark.parametrize("event", [EVENT, V2])
@pytest.mark.parametrize(
    ("brought", "where"),
    [
        ({"usage": {"total_tokens": "many"}}, ["usage.total_tokens"]),
        ({"usage": {"prompt_tokens": -5, "completion_tokens": 3}}, ["usage.prompt_tokens"]),
        ({"usage": {"total_tokens": 5, "model": "m"}}, []),
        ({"timing_ms": -1}, ["timing_ms"]),
        ({"timing_ms": {"total": -1}}, ["timing_ms.total"]),
        ({"metrics": {"faithfulness": 7}}, ["metrics.faithfulness"]),
        ({"metrics": {"answer_relevance": -0.1, "perplexity": 12.5}}, ["metrics.answer_relevance"]),
    ],
)
def test_numbers_outside_their_range_are_named(event, brought, where):
    assert problems({**event, **brought}) == where


@pytest.mark.parametrize(
    ("event", "given"),
    [
        ({}, {}),
        ({"metrics": {"CUS": 0.5, "perplexity": 12, "SFS": 1.0}}, {"CUS": 0.5, "perplexity": 12.0}),
        ({"usage": {"prompt_tokens": 20, "completion_tokens": 5}}, {"tokens": 25.0}),
        ({"usage": {"total_tokens": 30, "prompt_tokens": 20}, "timing_ms": 850}, {"tokens": 30.0, "timing_ms": 850.0}),
        ({"timing_ms": {"first_token": 100, "rest": 400}}, {"timing_ms": 500.0}),
        ({"timing_ms": {"total": 450, "first_token": 100}}, {"timing_ms": 450.0}),
        ({"metrics": {"CUS": None, "faithfulness": True}, "usage": None, "timing_ms": "fast"}, {}),
        ({"timing_ms": float("nan")}, {}),
    ],
)
def test_numbers_that_an_event_brings_along(event, given):
    assert read_given(event) == given


@pytest.mark.parametrize("line", [b"{", b"[]", b"3", b"\xff\xfe", b'{"a": NaN}'])
def test_a_line_that_is_no_event(line):
    assert len(check_line(line)) == 1


def test_the_command_counts_and_tells(tmp_path: Path, capsys):
    file = tmp_path / "events.jsonl"
    file.write_text(json.dumps(EVENT) + "\n\n" + json.dumps({**EVENT, "answer": 3}) + "\n", "utf-8")
    assert check(file) == 2
    out = capsys.readouterr().out
    assert f"{file}:3 (answer)" in out and "lines checked: 2, problems: 1" in out
    file.write_text(json.dumps(V2) + "\n", "utf-8")
    assert check(file) == 0
    with speaking("ko"):
        check(file)
    assert "검사한 줄 1개, 문제 0건" in capsys.readouterr().out
    with pytest.raises(DataError, match="cannot be read"):
        check(tmp_path / "none.jsonl")


def test_the_command_names_duplicates(tmp_path: Path, capsys):
    file = tmp_path / "events.jsonl"
    rows = [EVENT, {**EVENT, "turn_id": 2}, {**EVENT, "mode": "agent"}, {**EVENT, "turn_id": "1", "answer": "Other."}]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert check(file) == 2
    out = capsys.readouterr().out
    assert f"{file}:4 (turn_id): duplicate of line 1: patient_id 'p', mode 'llm', turn_id '1'\n" in out
    assert "lines checked: 4, problems: 1" in out
    with speaking("ko"):
        check(file)
    assert f"{file}:4 (turn_id): 1번째 줄과 중복됩니다: patient_id 'p'" in capsys.readouterr().out


def test_a_run_refuses_duplicate_turns_with_both_places(tmp_path: Path):
    file = tmp_path / "events.jsonl"
    rows = [V2, {**V2, "turn_id": 2}, {**V2, "answer": "70세이십니다."}]
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    with pytest.raises(DataError, match=r"two rows of 'p' \(system llm\) have the turn_id '1': .*:1 and .*:3\. Remove"):
        execute(DialogueEvaluator(), Inputs(pairs=(("", str(file)),)), out=tmp_path / "run")


def test_a_second_script_of_a_patient_is_refused(tmp_path: Path, capsys):
    file = tmp_path / "scripts.jsonl"
    script = {"patient_id": 7, "slots": {"age": 67}, "turns": [{"turn_id": 1, "question": "?"}]}
    file.write_text(json.dumps(script) + "\n" + json.dumps({**script, "slots": {"age": 70}}) + "\n", "utf-8")
    with pytest.raises(DataError, match=r"scripts.jsonl:2: a second script of patient 7"):
        read_scripts(file)
    assert check(file) == 2
    assert "scripts.jsonl:2 (patient_id): duplicate of line 1: patient_id 7\n" in capsys.readouterr().out


def test_events_written_back_are_valid_version_two_and_keep_the_rest():
    given = {**EVENT, "usage": {"tokens": 3}, "metrics": {"CUS": 0.4, "perplexity": 18.5}}
    made = filled(
        given, {"SFS": 1.0, "CSP": None}, {"config_hash": "a", "lexicon_version": "1", "slots_truth": {"age": 67}}
    )
    assert check_line(json.dumps(made).encode()) == []
    assert made["usage"] == {"tokens": 3}
    assert made["metrics"] == {**dict.fromkeys(METRICS), "CUS": 0.4, "perplexity": 18.5, "SFS": 1.0}


def test_scripts_are_read_by_patient(tmp_path: Path):
    file = tmp_path / "scripts.jsonl"
    script = {"patient_id": 7, "slots": {"age": 67}, "turns": [{"turn_id": 1, "question": "?"}]}
    file.write_text(json.dumps(script) + "\n", "utf-8")
    assert read_scripts(file)["7"]["slots"] == {"age": 67}
    file.write_text(json.dumps({**script, "turns": [{}]}) + "\n", "utf-8")
    with pytest.raises(DataError, match=r"scripts.jsonl:1 \(turns.0\)"):
        read_scripts(file)
    file.write_text(json.dumps(EVENT) + "\n", "utf-8")
    with pytest.raises(DataError, match="this is an event"):
        read_scripts(file)


def test_schemas_ship_and_refer_to_nothing_outside():
    for name in ("events_record.v1", "events_record.v2", "scripts_record.v1"):
        schema = (SCHEMAS / f"{name}.json").read_text("utf-8")
        assert "$ref" not in schema and json.loads(schema)["$id"] == f"urn:jatdae:{name}"


def test_bundled_samples_are_valid_events():
    lines = (resources.files("jatdae.dialogue") / "samples" / "pairs.jsonl").read_bytes().splitlines()
    assert len(lines) == 30 and not any(check_line(line) for line in lines)
    rows = [json.loads(line) for line in lines]
    assert {row["mode"] for row in rows} == {"llm", "agent"} and {row["turn_id"] for row in rows} == {1, 2, 3, 4, 5}
