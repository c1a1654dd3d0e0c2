"""`jatdae chat` against a real server: arms, resuming after kills, fairness, replay, and other targets."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jatdae.cli import main
from jatdae.experiments.fairness import find_unequal

from . import server as faults
from .conftest import record
from .server import ChatServer, Handler, serving

pytest.importorskip("httpx", reason="the chat extra is not installed")
KEY = "sk-very-secret-0123456789"
ARMS = ("llm", "llm+history", "llm+record", "agent")
VARYING = ("timestamp_utc", "usage", "timing_ms")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setattr("jatdae.experiments.endpoint.FIRST_PAUSE", 0.001)
    with serving() as running:
        yield running


@pytest.fixture
def scripts(written: Any, tmp_path: Path) -> Path:
    """Scripts of two patients; their records are beside them."""
    second = [
        {**each, "id": "p2"} if each["resourceType"] == "Patient" else json.loads(json.dumps(each).replace("p1", "p2"))
        for each in record()
    ]
    written("fhir/a.json", *record())
    written("fhir/b.json", *second)
    assert main(["scripts", "from-fhir", str(tmp_path / "fhir"), "--out", str(tmp_path / "s.jsonl")]) == 0
    return tmp_path / "s.jsonl"


def command(scripts: Path, url: str, out: str, *flags: object, arms: tuple[str, ...] = ARMS) -> list[str]:
    named = [word for arm in arms for word in ("--arm", arm)]
    folder = scripts.parent
    given = [
        "chat",
        scripts,
        *named,
        "--model",
        "m",
        "--base-url",
        url,
        "--records",
        folder / "fhir",
        "--out",
        folder / out,
    ]
    return [*map(str, given), *map(str, flags)]


def events_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "events.jsonl").read_text("utf-8").splitlines()]


def lasting(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What of events does not vary from run to run, in one order."""
    kept = [{name: value for name, value in event.items() if name not in VARYING} for event in events]
    return sorted(kept, key=lambda event: (event["mode"], event["patient_id"], event["turn_id"]))


def test_four_arms_are_shown_what_they_should_be(server: ChatServer, scripts: Path, capsys: Any) -> None:
    server.tool_calls = [("medications", "{}")]
    assert main(command(scripts, server.url, "x")) == 0
    events = events_of(scripts.parent / "x")
    assert len(events) == 4 * 2 * 5
    assert main(["dialogue", "check", str(scripts.parent / "x" / "events.jsonl")]) == 0
    assert find_unequal(events) == []
    by_arm = {arm: [e for e in events if e["mode"] == arm and e["patient_id"] == "p1"] for arm in ARMS}
    counts = {arm: [int(e["answer"].split()[2]) for e in found] for arm, found in by_arm.items()}
    assert counts["llm"] == [2] * 5
    assert counts["llm+history"] == counts["llm+record"] == [2, 4, 6, 8, 10]
    assert counts["agent"] == [4, 6, 8, 10, 12]
    assert "Amlodipine" in by_arm["llm+record"][0]["metadata"]["contexts"][0]
    assert not any(
        "Amlodipine" in e["metadata"]["contexts"][0] for arm in ("llm", "llm+history", "agent") for e in by_arm[arm]
    )
    assert by_arm["agent"][0]["metadata"]["tool_calls"][0]["name"] == "medications"
    assert by_arm["agent"][0]["usage"]["total_tokens"] == 36
    everything = (scripts.parent / "x" / "events.jsonl").read_text() + (
        scripts.parent / "x" / "experiment.json"
    ).read_text()
    assert KEY not in everything + "".join(capsys.readouterr())
    shown = json.dumps([request["messages"] for request in server.asked])
    assert "slots" not in shown
    assert "synthetic" not in shown


def test_the_events_are_scored(server: ChatServer, scripts: Path) -> None:
    folder = scripts.parent
    assert main(command(scripts, server.url, "x", "--repeats", 2, arms=("llm", "llm+record"))) == 0
    assert main(["run", "dialogue", str(folder / "x" / "events.jsonl"), "--out", str(folder / "run")]) == 0
    summary = json.loads((folder / "run" / "summary.json").read_text())
    assert set(summary["systems"]) == {"llm", "llm+record"}
    assert summary["systems"]["llm"]["metrics"]["CUS_improved"]["n"] == 4


def test_a_run_that_was_killed_goes_on_and_asks_nothing_twice(scripts: Path) -> None:
    """Killed at ten random moments: the events are those of an undisturbed run, but for times."""
    kills, at_a_time, chance = 10, 2, random.Random(7)
    with serving() as server:
        assert main(command(scripts, server.url, "whole")) == 0
        turns = len(server.asked)
    with serving() as server:
        words = [sys.executable, "-m", "jatdae", *command(scripts, server.url, "killed", "--concurrency", at_a_time)]
        for _ in range(kills):
            wanted = len(server.asked) + chance.randrange(1, 5)
            process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while process.poll() is None and len(server.asked) < wanted:
                time.sleep(0.002)
            process.kill()
            process.wait()
        assert subprocess.run(words, capture_output=True, check=False).returncode == 0
        assert turns <= len(server.asked) <= turns + kills * at_a_time, "only turns in flight are asked again"
    assert lasting(events_of(scripts.parent / "killed")) == lasting(events_of(scripts.parent / "whole"))


def test_a_torn_line_is_cut_off(server: ChatServer, scripts: Path) -> None:
    words = command(scripts, server.url, "x", arms=("llm",))
    assert main(words) == 0
    file = scripts.parent / "x" / "events.jsonl"
    whole, asked = file.read_bytes(), len(server.asked)
    file.write_bytes(whole[:-40])
    assert main(words) == 0
    assert lasting(events_of(file.parent)) == lasting([json.loads(line) for line in whole.splitlines()])
    assert len(server.asked) == asked + 1
    file.write_bytes(b'{"a": 1}\n')
    assert main(words) == 2


def test_a_turn_that_fails_stops_its_conversation_alone(server: ChatServer, scripts: Path, capsys: Any) -> None:
    server.faults = [faults.status(503)] * 8
    words = command(scripts, server.url, "x", "--concurrency", 1, arms=("llm",))
    assert main(words) == 3
    told = capsys.readouterr()
    assert "llm, p1: no answer after 8 attempts: 503 busy" in told.out
    assert "Conversations that stopped before their end: 1. The same command goes on with them." in told.err
    assert len(events_of(scripts.parent / "x")) == 5
    assert main(words) == 0
    assert len(events_of(scripts.parent / "x")) == 10


def test_a_refused_key_ends_the_run_at_once(server: ChatServer, scripts: Path, capsys: Any) -> None:
    server.faults = [faults.status(401, f"no such key: {KEY}")] * 99
    assert main(command(scripts, server.url, "x", "--debug")) == 3
    told = capsys.readouterr()
    assert "The endpoint refused the key: 401 no such key: ***" in told.err
    assert KEY not in told.err + told.out


def test_another_model_in_the_same_folder_is_refused(server: ChatServer, scripts: Path, capsys: Any) -> None:
    words = command(scripts, server.url, "x", arms=("llm",))
    assert main(words) == 0
    words[words.index("m")] = "other"
    assert main(words) == 2
    assert "was begun with another model: m, now other" in capsys.readouterr().err


def test_an_experiment_is_replayed(server: ChatServer, scripts: Path) -> None:
    folder = scripts.parent
    assert main(command(scripts, server.url, "x")) == 0
    arms = [word for arm in ARMS for word in ("--arm", arm)]
    again = ["chat", scripts, *arms, "--records", folder / "fhir", "--replay", folder / "x" / "events.jsonl"]
    assert main([*map(str, again), "--out", str(folder / "again")]) == 0
    first, second = lasting(events_of(folder / "x")), lasting(events_of(folder / "again"))
    assert [event["answer"] for event in first] == [event["answer"] for event in second]


def test_other_targets(scripts: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    folder = scripts.parent
    (folder / "my_system.py").write_text(
        "def reply(messages):\n    return {'answer': messages[-1]['content'].upper(), 'usage': {'prompt_tokens': 3}}\n"
        "def nothing(messages):\n    return None\n"
        "def broken(messages):\n    raise ValueError('no luck')\n"
        "def odd(messages):\n    return {'answer': 'x', 'usage': {'prompt_tokens': 'many', 'total_tokens': -1}}\n"
    )
    (folder / "echo.py").write_text("import json, sys\nprint(json.load(sys.stdin)['messages'][-1]['content'])\n")
    monkeypatch.syspath_prepend(folder)

    def run(target: str, out: str) -> int:
        return main(["chat", str(scripts), "--target", target, "--out", str(folder / out)])

    assert run("python:my_system:reply", "a") == 0
    assert all(event["answer"] == event["question"]["text"].upper() for event in events_of(folder / "a"))
    assert run(f"command:{sys.executable} {folder / 'echo.py'}", "b") == 0
    assert all(event["answer"] == event["question"]["text"] for event in events_of(folder / "b"))
    assert all(event["timing_ms"]["total"] > 0 for name in "ab" for event in events_of(folder / name))
    assert run("python:my_system:nothing", "c") == 3
    assert run("python:my_system:broken", "e") == 3
    assert "python:my_system:broken failed: ValueError: no luck" in capsys.readouterr().out
    assert run("python:my_system:odd", "f") == 0
    assert events_of(folder / "f")[0]["usage"] is None
    assert run(f"command:{sys.executable} -c 1/0", "d") == 3
    assert "ZeroDivisionError" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--arm", "lmm"], "no such arm. Did you mean 'llm'?"),
        (["--arm", "agent"], "needs the record of each patient (--records). Missing: p1"),
        ([], "one of --base-url, --target and --replay"),
        (["--base-url", "http://x/v1", "--replay", "y"], "one of --base-url"),
        (["--base-url", "http://x/v1"], "--model"),
        (["--target", "mine"], "python:MODULE:FUNCTION or command:COMMAND"),
        (["--target", "python:no_such_module:f"], "no_such_module"),
        (["--target", "python:json"], "write python:MODULE:FUNCTION"),
        (["--target", "command:"], "names no command"),
        (["--target", "command:no-such-program"], "no-such-program"),
        (["--replay", "none.jsonl"], "none.jsonl"),
        (["--replay", "{scripts}"], "not an event with mode"),
        (["--dry-run", "--repeats", "0"], "--repeats 0: must be a positive number"),
        (["--dry-run", "--price", "input=cheap"], "--price cheap"),
        (["--dry-run", "--timeout", "-1"], "--timeout -1: give seconds"),
        (["--dry-run", "--timeout", "1e300"], "at most 86400"),
        (["--dry-run", "--temperature", "nan"], "--temperature nan: give a number from 0 on"),
        (["--dry-run", "--temperature", "-0.5"], "--temperature -0.5"),
        (["--base-url", "http://x/v1?api_key=X", "--model", "m"], "everything from ?"),
    ],
)
def test_what_is_wrong_is_told(scripts: Path, capsys: Any, flags: list[str], said: str) -> None:
    words = [word.replace("{scripts}", str(scripts)) for word in flags]
    assert main(["chat", str(scripts), "--out", str(scripts.parent / "x"), *words]) == 2
    assert said in capsys.readouterr().err


def test_a_dry_run_asks_nothing_and_knows_the_price_only_if_told(scripts: Path, capsys: Any) -> None:
    words = [
        "chat",
        str(scripts),
        "--arm",
        "llm",
        "--arm",
        "llm+history",
        "--out",
        str(scripts.parent / "x"),
        "--dry-run",
    ]
    assert main(words) == 0
    assert "Turns: 20, about" in (said := capsys.readouterr().out)
    assert "cost unknown" in said
    assert main([*words, "--price", "input=2", "--price", "output=8"]) == 0
    assert "cost 0.1" in capsys.readouterr().out
    assert not (scripts.parent / "x").exists()


def test_empty_answers_and_uncounted_tokens_are_told(server: ChatServer, scripts: Path, capsys: Any) -> None:
    def nothing(handler: Handler, _: dict[str, Any]) -> None:
        handler.send(200, json.dumps({"choices": [{"message": {"content": None}}]}).encode())

    server.faults = [nothing]
    flags = ("--concurrency", "1", "--price", "input=2", "--price", "output=8", "--lang", "en")
    assert main(command(scripts, server.url, "x", *flags, arms=("llm",))) == 0
    said = capsys.readouterr().out
    assert "Turns answered: 10 (tokens asked: unknown, answered: unknown; cost: unknown)" in said
    assert "Warning: empty answers: 1 (arm, patient, turn: llm, p1, 1)" in said


def test_settings_that_were_tampered_with_are_told(server: ChatServer, scripts: Path, capsys: Any) -> None:
    words = command(scripts, server.url, "x", "--lang", "en", arms=("llm",))
    assert main(words) == 0
    for written in ("[]", "{", '{"prices": {"input": "cheap"}}', '{"prices": 7}'):
        (scripts.parent / "x" / "experiment.json").write_text(written)
        assert main(words) == 2
        assert "experiment.json: not what" in capsys.readouterr().err


def test_a_request_that_is_too_long_ends_its_conversation_alone(server: ChatServer, scripts: Path, capsys: Any) -> None:
    server.faults = [faults.status(400, "context length exceeded")]
    assert main(command(scripts, server.url, "x", "--concurrency", 1, "--lang", "en", arms=("llm", "llm+history"))) == 3
    said = capsys.readouterr()
    assert "refused: 400 context length exceeded" in said.out
    assert "stopped before their end: 1." in said.err
    assert len(events_of(scripts.parent / "x")) == 15


def test_half_a_character_at_the_end_of_an_answer_is_stored(server: ChatServer, scripts: Path) -> None:
    broken = {"choices": [{"message": {"content": "Well \ud83d"}, "finish_reason": "length"}]}
    server.faults = [lambda handler, _: handler.send(200, json.dumps(broken).encode())]
    assert main(command(scripts, server.url, "x", "--concurrency", 1, arms=("llm+history",))) == 0
    assert events_of(scripts.parent / "x")[0]["answer"] == "Well \ufffd"
