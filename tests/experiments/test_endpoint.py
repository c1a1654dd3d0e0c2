"""A chat endpoint over real HTTP: every fault is survived or told, and the key is never repeated."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from jatdae.core.errors import EngineError, UsageError
from jatdae.experiments import endpoint
from jatdae.experiments.endpoint import ATTEMPTS, Endpoint
from jatdae.experiments.keys import Key
from jatdae.experiments.targets import Asked, TurnFailed

from . import server as faults
from .server import ChatServer, serving

pytest.importorskip("httpx", reason="the chat extra is not installed")
KEY = "sk-very-secret-0123456789"
QUESTION = [{"role": "user", "content": "What may I eat?"}]


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with serving() as running:
        yield running


def ask(server: ChatServer, pauses: list[float] | None = None, *, stream: bool = False, **more: Any) -> Any:
    slept: list[float] = pauses if pauses is not None else []
    target = Endpoint(server.url, "m", Key(KEY), stream=stream, timeout=more.pop("timeout", 5.0), sleep=slept.append)
    try:
        return target.answer(Asked(QUESTION, "llm", "p1", "1", 1, **more))
    finally:
        target.close()


@pytest.mark.parametrize("stream", [False, True])
def test_an_answer(server: ChatServer, stream: bool) -> None:
    reply = ask(server, stream=stream)
    assert reply.answer.strip() == "Answer to 1 messages: What may I eat?"
    assert reply.usage == {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    assert (reply.finish, reply.attempts) == ("stop", 1)
    assert ("first_token" in reply.timing_ms) == stream
    assert server.keys == {f"Bearer {KEY}"}
    assert server.asked[0]["model"] == "m"


SURVIVED = {
    "429": faults.status(429), "500": faults.status(500), "503": faults.status(503), "hung up": faults.hang_up,
    "half a body": faults.half, "no JSON": faults.no_json, "other JSON": faults.other_json,
}  # fmt: skip
IN_STREAMS = {"broken stream": faults.broken_stream, "error in a stream": faults.error_in_stream}


OF_BODIES = ("half a body", "no JSON", "other JSON")


@pytest.mark.parametrize(
    ("fault", "stream"), [*((f, False) for f in SURVIVED), *((f, True) for f in SURVIVED if f not in OF_BODIES)]
)
def test_a_fault_is_survived(server: ChatServer, fault: str, stream: bool) -> None:
    server.faults = [SURVIVED[fault]] * 2
    pauses: list[float] = []
    reply = ask(server, pauses, stream=stream)
    assert reply.answer.startswith("Answer to 1")
    assert (reply.attempts, len(pauses)) == (3, 2)
    assert 0.25 <= pauses[0] <= 0.5 <= pauses[1] <= 1


@pytest.mark.parametrize("fault", IN_STREAMS)
def test_a_fault_of_a_stream_is_survived_and_leaves_nothing_in_the_answer(server: ChatServer, fault: str) -> None:
    server.faults = [IN_STREAMS[fault]]
    assert ask(server, stream=True).answer.startswith("Answer to 1")


def test_a_slow_server_is_asked_again(server: ChatServer) -> None:
    awake = threading.Event()

    def late(handler: Any, body: dict[str, Any]) -> None:
        awake.wait(20)

    server.faults = [late]
    assert ask(server, timeout=0.2).attempts == 2
    awake.set()


def test_the_pause_that_a_server_asks_for_is_kept(server: ChatServer) -> None:
    then = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    headers = ["3", then, "590", "soon"]
    server.faults = [faults.status(429, Retry_After=each) for each in headers]
    pauses: list[float] = []
    ask(server, pauses)
    assert pauses[0] == 3
    assert 20 < pauses[1] <= 30
    assert pauses[2] == 590
    assert 2 <= pauses[3] <= 4


def test_a_pause_beyond_the_limit_is_told_and_not_cut(server: ChatServer) -> None:
    server.faults = [faults.status(429, Retry_After="3600")]
    pauses: list[float] = []
    with pytest.raises(TurnFailed, match="asks to wait 3600 s, more than the 600 s that are waited: 429 busy"):
        ask(server, pauses)
    assert pauses == []


def test_a_pause_ends_when_all_stops(server: ChatServer) -> None:
    server.faults = [faults.status(429, Retry_After="500")] * 2
    stop = threading.Event()
    stop.set()
    target = Endpoint(server.url, "m", Key(KEY))
    with pytest.raises(TurnFailed, match="after 1 attempts: 429"):
        target.answer(Asked(QUESTION, "llm", "p1", "1", 1, stop=stop))
    target.close()


def saying(*contents: Any, stream: bool) -> faults.Fault:
    """A server that says a text, or parts of one."""

    def say(handler: faults.Handler, _: dict[str, Any]) -> None:
        if stream:
            faults.stream(handler, [{"choices": [{"delta": {"content": each}}]} for each in contents])
        else:
            whole = "".join(contents) if isinstance(contents[0], str) else contents[0]
            handler.send(200, json.dumps({"choices": [{"message": {"content": whole}}]}).encode())

    return say


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("said", "heard"),
    [
        (("Well \ud83d", "\ude00!"), "Well \U0001f600!"),
        (("Well \ud83d",), "Well \ufffd"),
        (("\ude00 well",), "\ufffd well"),
    ],
)
def test_halves_of_characters_are_joined_or_replaced(
    server: ChatServer, said: tuple[str, ...], heard: str, stream: bool
) -> None:
    server.faults = [saying(*said, stream=stream)]
    assert ask(server, stream=stream).answer == heard


def test_half_a_character_in_an_error_is_replaced(server: ChatServer) -> None:
    server.faults = [faults.status(400, "bad \ud83d")]
    with pytest.raises(TurnFailed, match="bad \ufffd"):
        ask(server)


@pytest.mark.parametrize("stream", [False, True])
def test_a_message_in_parts_is_joined_from_its_texts(server: ChatServer, stream: bool) -> None:
    parts = [
        {"type": "text", "text": "Eat "},
        {"type": "image_url", "image_url": {}},
        {"type": "text", "text": "fish."},
    ]
    server.faults = [saying(parts, stream=stream)]
    assert ask(server, stream=stream).answer == "Eat fish."


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("content", [[{"type": "image_url"}], ["x"], {"text": "x"}, 7, True])
def test_a_message_without_text_is_malformed(server: ChatServer, content: Any, stream: bool) -> None:
    server.faults = [saying(content, stream=stream)] * ATTEMPTS
    with pytest.raises(TurnFailed, match="in a form that is not understood"):
        ask(server, stream=stream)


@pytest.mark.parametrize("stream", [False, True])
def test_it_gives_up_in_the_end(server: ChatServer, stream: bool) -> None:
    server.faults = [faults.status(503, f"no room for {KEY}")] * ATTEMPTS
    with pytest.raises(TurnFailed, match=rf"no answer after {ATTEMPTS} attempts: 503 no room for \*\*\*"):
        ask(server, stream=stream)


@pytest.mark.parametrize(
    ("code", "said"), [(400, "refused: 400"), (401, "refused the key: 401"), (404, "refused: 404")]
)
def test_what_no_waiting_mends_is_told_at_once_without_the_key(server: ChatServer, code: int, said: str) -> None:
    server.faults = [faults.status(code, f"bad key {KEY}")]
    with pytest.raises(EngineError, match=said) as told:
        ask(server)
    assert KEY not in str(told.value)
    assert len(server.asked) == 1


@pytest.mark.parametrize("stream", [False, True])
def test_tools_are_called_until_the_model_answers(server: ChatServer, stream: bool) -> None:
    server.tool_calls = [("search", '{"kind": "condition"}'), ("medications", "{}")]
    called: list[tuple[str, str]] = []

    def call(name: str, arguments: str) -> str:
        called.append((name, arguments))
        return "[]"

    reply = ask(server, stream=stream, tools=({"type": "function"},), call=call)
    assert called == server.tool_calls
    assert [each["name"] for each in reply.tool_calls] == ["search", "medications"]
    assert reply.usage["total_tokens"] == 3 * 18
    assert server.asked[-1]["messages"][-1] == {"role": "tool", "tool_call_id": "c1", "content": "[]"}


def test_a_model_that_never_stops_calling_tools_has_to_answer(server: ChatServer) -> None:
    server.tool_calls = [("medications", "{}")] * 100
    reply = ask(server, tools=({"type": "function"},), call=lambda *_: "[]")
    assert reply.answer.startswith("Answer")
    assert len(reply.tool_calls) == endpoint.MOST_ROUNDS
    assert server.asked[-1]["tool_choice"] == "none"


@pytest.mark.parametrize("url", ["localhost:80", "ftp://x/v1", "http://", "", "http://[::1/v1", "http://x:port/v1"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="not an address"):
        Endpoint(url, "m")


@pytest.mark.parametrize(
    "url", [f"http://me:{KEY}@127.0.0.1/v1", f"http://127.0.0.1/v1?api_key={KEY}", f"127.0.0.1/v1#{KEY}"]
)
def test_a_key_in_the_address_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(UsageError, match="leave user, password and everything from") as told:
        Endpoint(url, "m")
    assert KEY not in str(told.value)


def test_nobody_at_the_address() -> None:
    target = Endpoint("http://127.0.0.1:9/v1", "m", sleep=lambda _: None)
    with pytest.raises(TurnFailed, match="no answer after"):
        target.answer(Asked(QUESTION, "llm", "p1", "1", 1))


def echoing(stream: bool) -> faults.Fault:
    """A server that says the key, in a stream in halves, and hands it to a tool as well."""

    def say(handler: faults.Handler, body: dict[str, Any]) -> None:
        if body["messages"][-1]["role"] != "tool":
            call = {"id": "c", "function": {"name": "search", "arguments": f'{{"text": "{KEY}"}}'}}
            message: dict[str, Any] = {"content": None, "tool_calls": [call]}
        else:
            message = {"content": f"Your key is {KEY[:9]} {KEY[9:]}!".replace(f"{KEY[:9]} ", KEY[:9])}
        if stream:
            halves = (
                [{"content": message["content"][:18]}, {"content": message["content"][18:]}]
                if message["content"]
                else [{"tool_calls": [{"index": 0, **call}]}]
            )
            faults.stream(handler, [{"choices": [{"delta": each}]} for each in halves])
        else:
            handler.send(200, json.dumps({"choices": [{"message": message}]}).replace("sk-v", "s\\u006b-v").encode())

    return say


@pytest.mark.parametrize("stream", [False, True])
def test_a_key_that_a_server_repeats_is_masked(server: ChatServer, stream: bool) -> None:
    server.faults = [echoing(stream)] * 2
    called: list[str] = []
    reply = ask(server, stream=stream, tools=({"type": "function"},), call=lambda *given: called.append(given[1]) or "")
    assert reply.answer == "Your key is ***!"
    assert called == ['{"text": "***"}']
    assert KEY not in str(reply)


def test_a_key_at_the_edge_of_what_is_repeated_is_masked_whole(server: ChatServer) -> None:
    server.faults = [lambda handler, _: handler.send(200, b"x" * 190 + KEY.encode())] * ATTEMPTS
    with pytest.raises(TurnFailed) as told:
        ask(server)
    assert KEY[:5] not in str(told.value)


def test_a_placeholder_for_a_key_is_no_secret(server: ChatServer) -> None:
    target = Endpoint(server.url, "m", Key("none"))
    reply = target.answer(Asked([{"role": "user", "content": "none of it"}], "llm", "p1", "1", 1))
    assert reply.answer.endswith("none of it")
    target.close()
