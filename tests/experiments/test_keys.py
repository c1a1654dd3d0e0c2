"""The key of an endpoint, however short, stands in no error, log, event, traceback, cache or report."""

from __future__ import annotations

import json
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jatdae.cli import main
from jatdae.core.errors import UsageError
from jatdae.experiments.endpoint import ATTEMPTS, Endpoint
from jatdae.experiments.keys import MASK, Key, read_key
from jatdae.experiments.targets import Asked, TurnFailed

from . import server as faults
from .events import event, write
from .server import ChatServer, Handler, serving

pytest.importorskip("httpx", reason="the chat extra is not installed")
KEYS = ("q7Zx", "q7Zx9", "sk-very-secret-0123456789", 'a"b\\c/d=e+f')
KEY_CHARACTERS = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=4)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    monkeypatch.setattr("jatdae.experiments.endpoint.FIRST_PAUSE", 0.001)
    with serving() as running:
        yield running


@given(KEY_CHARACTERS, st.text(), st.text())
def test_no_error_holds_the_key(key: str, before: str, after: str) -> None:
    hidden = Key(key)
    for told in (f"{before}{key}{after}", json.dumps({before: key})):
        assert key not in hidden.hide(told).replace(MASK, "") or key in f"{before}{after}{json.dumps({before: ''})}"
    assert key not in repr(hidden)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    "said",
    [
        "{key}", "no such key: {key}.", "x{key}y", '{{"error": {{"message": "bad {key}"}}}}', '{{"detail": ["{key}"]}}',
        '{{"error": "{escaped}"}}', '{{"unclosed": "{escaped}', '{{"error": {{"Authorization": "Bearer {key}"}}}}',
        "{long}{key}",
    ],
)  # fmt: skip
@pytest.mark.parametrize("code", [200, 400, 401, 503])
def test_a_server_that_repeats_the_key_in_an_error(server: ChatServer, key: str, said: str, code: int) -> None:
    written = json.dumps(key)[1:-1]
    escaped = "".join(f"\\u{ord(each):04X}" for each in key)
    body = said.format(key=written if said.startswith("{{") else key, escaped=escaped, long="x" * 195)
    server.faults = [lambda handler, _: handler.send(code, body.encode())] * ATTEMPTS
    target = Endpoint(server.url, "m", Key(key), sleep=lambda _: None)
    with pytest.raises(Exception) as told:
        target.answer(Asked([{"role": "user", "content": "?"}], "llm", "p1", "1", 1))
    target.close()
    shown = "".join(traceback.format_exception(told.value)).split("Error: ")[-1] + str(told.value)
    for form in (key, written, escaped, key[:3]):
        assert form not in shown


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("stream", [False, True])
def test_an_answer_holds_no_key_that_stands_as_one(server: ChatServer, key: str, stream: bool) -> None:
    def echo(handler: Handler, _: dict[str, Any]) -> None:
        message = {"content": f"Authorization: Bearer {key} and api_key={key}, take none."}
        if stream:
            pieces = [{"choices": [{"delta": {"content": each}}]} for each in message["content"]]
            faults.stream(handler, [*pieces, {"choices": [{"delta": {}, "finish_reason": key}]}])
        else:
            handler.send(200, json.dumps({"choices": [{"message": message, "finish_reason": key}]}).encode())

    server.faults = [echo]
    target = Endpoint(server.url, "m", Key(key), stream=stream)
    reply = target.answer(Asked([{"role": "user", "content": "?"}], "llm", "p1", "1", 1))
    target.close()
    assert reply.answer == "Authorization: Bearer *** and api_key=***, take none."
    assert reply.finish == MASK


def test_a_word_that_is_a_key_stays_a_word_in_an_answer() -> None:
    key = Key("none")
    assert key.hide_in_answer("Your key question: take none of it.") == "Your key question: take none of it."
    assert key.hide_in_answer('{"api_key": "none"} none') == '{"api_key": "***"} none'
    assert key.hide("none of it") == "*** of it"


@pytest.mark.parametrize(
    ("given_key", "said"), [("x", "fewer than 4"), ("비밀번호", "cannot be"), ("a b c d", "cannot be")]
)
def test_a_key_that_cannot_be_sent_or_hidden_is_refused_and_not_repeated(
    monkeypatch: pytest.MonkeyPatch, given_key: str, said: str
) -> None:
    monkeypatch.setenv("MY_KEY", given_key)
    with pytest.raises(UsageError, match=said) as told:
        read_key("MY_KEY")
    assert "MY_KEY" in str(told.value)
    assert given_key not in str(told.value).split()


def test_line_breaks_around_a_key_are_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `export KEY="$(cat file)"` with an odd file: the library would repeat the whole header in its error."""
    monkeypatch.setenv("MY_KEY", "  sk-abcdef\r\n")
    assert read_key("MY_KEY").headers == {"Authorization": "Bearer sk-abcdef"}


@pytest.mark.parametrize("key", ["q7Zx", "sk-very-secret-0123456789"])
def test_no_file_of_an_experiment_and_nothing_printed_holds_the_key(
    server: ChatServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any, key: str
) -> None:
    """Answers and verdicts that repeat it, faults between them, and a refusal at last."""
    monkeypatch.setenv("OPENAI_API_KEY", key)
    scripts = tmp_path / "scripts.jsonl"
    turns = [{"turn_id": 1, "question": "Question 1?"}]
    script = {"schema_version": "scripts_record.v1", "patient_id": "p", "slots": {"age": 67}, "turns": turns}
    scripts.write_text(json.dumps(script) + "\n", "utf-8")

    def says(text: str) -> faults.Fault:
        choice = {"message": {"content": text}, "finish_reason": "stop"}
        return lambda handler, _: handler.send(200, json.dumps({"choices": [choice]}).encode())

    out = tmp_path / "x"
    asked = ["--model", "m", "--base-url", server.url]
    server.faults = [faults.status(500, f"no room for {key}"), says(f"You are 67. Bearer {key}")]
    assert main(["experiment", str(scripts), *asked, "--out", str(out)]) == 0
    server.faults = [says(f"my key={key} is no verdict"), says('{"relevance": 4}')]
    assert main(["judge", str(out), *asked, "--metrics", "answer_relevance", "--repeats", "2"]) == 0
    assert main(["experiment", str(out)]) == 0
    server.faults = [faults.status(401, f"no such key {key}")] * 2
    write(tmp_path, [event("llm", 1)])
    assert main(["judge", str(tmp_path), *asked, "--metrics", "answer_relevance"]) == 3
    told = "".join(capsys.readouterr())
    assert MASK in told
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert {"events.jsonl", "verdicts.jsonl", "experiment.html", "report.html"} <= {file.name for file in files}
    assert [file.name for file in files if key.encode() in file.read_bytes()] == []
    assert key not in told


def test_what_fails_for_good_is_told_without_the_key(server: ChatServer) -> None:
    target = Endpoint(server.url, "m", Key("q7Zx"), sleep=lambda _: None)
    server.faults = [faults.status(503, "q7Zx is busy")] * ATTEMPTS
    with pytest.raises(TurnFailed, match=r"503 \*\*\* is busy"):
        target.answer(Asked([{"role": "user", "content": "?"}], "llm", "p1", "1", 1))
    target.close()
