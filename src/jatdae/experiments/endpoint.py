"""A chat endpoint that speaks the protocol of OpenAI: tools, streams, and every fault that can be waited out.

Tried again, with longer and longer pauses: no connection, a time-out, 408, 409, 425, 429, 5xx, a body that is no JSON,
a stream that breaks off. A pause that the server asks for (Retry-After) is kept, up to ten minutes. A request that is
refused for what it says (400, 413, 422) ends its conversation; everything else ends the run. The key is
sent in a header and stands nowhere else: whatever a server says is taken only with the key hidden.
"""

from __future__ import annotations

import email.utils
import json
import math
import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from jatdae.core.errors import EngineError, UsageError
from jatdae.core.messages import shown, speaker
from jatdae.experiments.keys import Key
from jatdae.experiments.targets import Asked, Reply, TurnFailed, read_usage, whole_characters

AGAIN: Final = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 529))
ATTEMPTS: Final = 8
FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 60.0
LONGEST_ASKED: Final = 600.0
"""Seconds that a server may ask to wait; beyond it the turn fails, and says so."""
OF_ONE: Final = frozenset((400, 413, 422))
"""Statuses that refuse one request for what it says, such as one that is too long for the model."""
MOST_ROUNDS: Final = 8
"""Rounds of tool calls before a model has to answer."""
MOST_BYTES: Final = 16 << 20
"""Longest body of an answer."""

NO_KEY: Final = Key()

Got = TypeVar("Got")

say = speaker(__name__)


class _Fault(Exception):
    """Something that may be better at the next attempt; `pause` is what the server asked for."""

    def __init__(self, problem: str, pause: float | None = None) -> None:
        super().__init__(problem)
        self.pause = pause


@dataclass
class _Said:
    """One message of a model, put together from its parts."""

    text: str = ""
    calls: list[dict[str, str]] = field(default_factory=list)
    usage: Mapping[str, int] = field(default_factory=dict)
    finish: str = ""
    first_ms: float | None = None


class Endpoint:
    """A model behind an address."""

    def __init__(
        self,
        base_url: str,
        model: str,
        key: Key = NO_KEY,
        *,
        stream: bool = False,
        timeout: float = 120.0,
        options: Mapping[str, Any] | None = None,
        sleep: Callable[[float], None] | None = None,
    ) -> None:
        try:
            import httpx
        except ImportError:
            raise EngineError(say("no_httpx")) from None
        _check_address(base_url)
        self._errors = httpx
        self._key = key
        self._client = httpx.Client(base_url=base_url.rstrip("/") + "/", headers=key.headers, timeout=timeout)
        self._given = {"model": model, **(options or {})}
        self._stream = stream
        self._sleep = sleep

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def answer(self, asked: Asked) -> Reply:
        """The answer to the last message, after as many rounds of tool calls as the model wants, up to a limit."""
        messages = list(asked.messages)
        begun = time.monotonic()
        usage: dict[str, int] = {}
        told: list[Mapping[str, str]] = []
        attempts = 0
        for rounds in range(MOST_ROUNDS + 1):
            body = {**self._given, "messages": messages, "seed": asked.seed}
            if asked.tools:
                body |= {"tools": list(asked.tools), "tool_choice": "auto" if rounds < MOST_ROUNDS else "none"}
            said, tried = self._ask(body, asked.stop)
            attempts += tried
            for name, count in said.usage.items():
                usage[name] = usage.get(name, 0) + count
            if not said.calls or not asked.call or rounds == MOST_ROUNDS:
                timing = {"total": (time.monotonic() - begun) * 1000}
                if said.first_ms is not None:
                    timing["first_token"] = said.first_ms
                return Reply(said.text, usage, timing, tuple(told), attempts, said.finish)
            messages.append(_assistant(said))
            for call in said.calls:
                result = asked.call(call["name"], call["arguments"])
                told.append({"name": call["name"], "arguments": call["arguments"], "result": result})
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
        raise AssertionError  # the last round returns

    def log_probabilities(self, before: str, text: str) -> list[float]:
        """Log-probabilities of the tokens of a text after another; none where the endpoint does not give them.

        One token more than the text is asked for, because not every server takes 0 for "none", and left out here.
        """
        asked = {"prompt": before + text, "max_tokens": 1, "echo": True, "logprobs": 1, "temperature": 0}
        given, _ = self._try(lambda: self._json("completions", {**self._given, **asked}))
        try:
            found = given["choices"][0]["logprobs"]
            return [
                float(value)
                for value, at in zip(found["token_logprobs"], found["text_offset"], strict=True)
                if value is not None and len(before) <= at < len(before + text)
            ]
        except (LookupError, TypeError, ValueError):
            return []

    def embeddings(self, texts: Sequence[str]) -> list[list[float]] | None:
        """The vector of each text; None where the endpoint does not give them, all of one length."""
        given, _ = self._try(lambda: self._json("embeddings", {**self._given, "input": list(texts)}))
        try:
            rows = sorted(given["data"], key=lambda row: row["index"])
            vectors = [[float(number) for number in row["embedding"]] for row in rows]
        except (LookupError, TypeError, ValueError):
            return None
        whole = len(vectors) == len(texts) and len({len(each) for each in vectors}) == 1 and bool(vectors[0])
        return vectors if whole and all(math.isfinite(number) for each in vectors for number in each) else None

    def _ask(self, body: dict[str, Any], stop: threading.Event | None) -> tuple[_Said, int]:
        """One message of the model, and how many attempts it took."""
        said, tried = self._try(lambda: self._streamed(body) if self._stream else self._whole(body), stop)

        def hide(text: str) -> str:  # of the whole message: pieces of a stream would part the key, and characters
            return self._key.hide_in_answer(whole_characters(text))

        calls = [{name: hide(each) for name, each in call.items()} for call in said.calls]
        return replace(
            said, text=hide(said.text), calls=calls, finish=self._key.hide(whole_characters(said.finish))
        ), tried

    def _try(self, ask: Callable[[], Got], stop: threading.Event | None = None) -> tuple[Got, int]:
        """What is asked for, and how many attempts it took; faults that pass are waited out, unless all stops."""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return ask(), attempt
            except self._errors.InvalidURL:
                raise UsageError(say("bad_base_url", url=self._client.base_url)) from None
            except (self._errors.TransportError, _Fault) as error:
                problem = shown(self._key.hide(whole_characters(str(error) or type(error).__name__)), 300)
                pause = _pause(attempt, getattr(error, "pause", None))
                if pause > LONGEST_ASKED:
                    told = {"seconds": f"{pause:.0f}", "most": f"{LONGEST_ASKED:.0f}"}
                    raise TurnFailed(say("asked_to_wait", problem=problem, **told)) from None
                if attempt == ATTEMPTS or (stop and stop.is_set()):
                    raise TurnFailed(say("gave_up", attempts=attempt, problem=problem)) from None
                self._wait(pause, stop)
        raise AssertionError  # the last attempt raises

    def _wait(self, seconds: float, stop: threading.Event | None) -> None:
        """Wait, but no longer than until all stops: a person who stops it should not wait for a server."""
        if self._sleep:
            self._sleep(seconds)
        else:
            (stop or threading.Event()).wait(seconds)

    def _json(self, path: str, body: dict[str, Any]) -> Any:
        with self._client.stream("POST", path, json=body) as response:
            data = self._read(response)
        try:
            return json.loads(data)
        except (ValueError, RecursionError):
            raise self._malformed(data.decode("utf-8", "replace")) from None

    def _whole(self, body: dict[str, Any]) -> _Said:
        given = self._json("chat/completions", body)
        try:
            choice = given["choices"][0]
            message = choice["message"]
            return _Said(
                _text(message.get("content")), [_call(each) for each in message.get("tool_calls") or ()],
                read_usage(given.get("usage")), str(choice.get("finish_reason") or ""),
            )  # fmt: skip
        except (ValueError, LookupError, TypeError, AttributeError):
            raise self._malformed(json.dumps(given, ensure_ascii=False)) from None

    def _read(self, response: Any) -> bytes:
        """The body of a response; a status that is an error is raised."""
        data = b""
        for block in response.iter_bytes():
            data += block
            if len(data) > MOST_BYTES:
                raise _Fault(say("reply_too_long", megabytes=MOST_BYTES >> 20))
        self._refuse(response, data)
        return data

    def _refuse(self, response: Any, data: bytes) -> None:
        status = response.status_code
        if status < 300:
            return
        problem = f"{status} {self._key.hide(whole_characters(_problem(data)))}".strip()
        if status in AGAIN:
            raise _Fault(problem, _retry_after(response.headers.get("retry-after")))
        key = "refused_key" if status in (401, 403) else "refused"
        kind = TurnFailed if status in OF_ONE else EngineError
        raise kind(say(key, problem=shown(problem, 300), url=self._client.base_url))

    def _streamed(self, body: dict[str, Any]) -> _Said:
        said = _Said()
        parts: dict[int, dict[str, str]] = {}
        begun = time.monotonic()
        asked = {**body, "stream": True, "stream_options": {"include_usage": True}}
        ended = False
        with self._client.stream("POST", "chat/completions", json=asked) as response:
            if response.status_code >= 300:
                self._read(response)
            for event in _events(response.iter_lines()):
                if event == "[DONE]":
                    ended = True
                    break
                try:
                    ended = _add(said, parts, event) or ended
                except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
                    raise self._malformed(event) from None
                if said.first_ms is None and (said.text or parts):
                    said.first_ms = (time.monotonic() - begun) * 1000
                if len(said.text) > MOST_BYTES:
                    raise _Fault(say("reply_too_long", megabytes=MOST_BYTES >> 20))
        if not ended:
            raise _Fault(say("stream_broke"))
        said.calls = [parts[number] for number in sorted(parts)]
        return said

    def _malformed(self, said: str) -> _Fault:
        """What is told of an answer that is not understood; the key is hidden before the answer is cut."""
        return _Fault(say("malformed_reply", start=shown(self._key.hide(said)[:200])))


def _check_address(base_url: str) -> None:
    """Refuse what is no address, and an address that holds what belongs into the environment."""
    try:
        parts = urlsplit(base_url)
        _ = parts.port
    except ValueError:
        raise UsageError(say("bad_base_url", url=base_url)) from None
    if parts.username or parts.password or parts.query or parts.fragment:
        raise UsageError(say("key_in_url"))
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(say("bad_base_url", url=base_url))


def _events(lines: Iterator[str]) -> Iterator[str]:
    """The data of server-sent events."""
    for line in lines:
        if line.startswith("data:"):
            yield line.removeprefix("data:").strip()


def _add(said: _Said, parts: dict[int, dict[str, str]], event: str) -> bool:
    """Add one piece of a stream to what was said; whether the message has ended with it."""
    given = json.loads(event)
    if given.get("error"):
        raise _Fault(_told(given["error"]))
    said.usage = read_usage(given.get("usage")) or said.usage
    if not given.get("choices"):
        return False
    choice = given["choices"][0]
    delta = choice.get("delta") or {}
    said.text += _text(delta.get("content"))
    for each in delta.get("tool_calls") or ():
        call = parts.setdefault(int(each.get("index") or 0), {"id": "", "name": "", "arguments": ""})
        function = each.get("function") or {}
        call["id"] = each.get("id") or call["id"]
        call["name"] = function.get("name") or call["name"]
        call["arguments"] += function.get("arguments") or ""
    said.finish = str(choice.get("finish_reason") or said.finish)
    return bool(choice.get("finish_reason"))


def _text(content: Any) -> str:
    """The text of a message: as it is, or joined from its text parts where it comes in parts."""
    if content is None or isinstance(content, str):
        return content or ""
    texts = [part["text"] for part in content if isinstance(part, Mapping) and isinstance(part.get("text"), str)]
    if not isinstance(content, list) or (content and not texts):
        raise TypeError
    return "".join(texts)


def _assistant(said: _Said) -> dict[str, Any]:
    calls = [
        {"id": each["id"], "type": "function", "function": {"name": each["name"], "arguments": each["arguments"]}}
        for each in said.calls
    ]
    return {"role": "assistant", "content": said.text or None, "tool_calls": calls}


def _call(given: Mapping[str, Any]) -> dict[str, str]:
    function = given["function"]
    arguments = function.get("arguments") or "{}"
    written = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"id": str(given.get("id") or ""), "name": str(function["name"]), "arguments": written}


def _problem(data: bytes) -> str:
    """What a server says is wrong: its message, else its body."""
    try:
        given = json.loads(data)
    except (ValueError, RecursionError):
        return data.decode("utf-8", "replace").strip()
    return _told(given.get("error") or given if isinstance(given, Mapping) else given)


def _told(error: Any) -> str:
    """The message of an error, else all of it, as JSON without escapes, which could part a key."""
    message = error.get("message") if isinstance(error, Mapping) else error
    return message if isinstance(message, str) else json.dumps(error, ensure_ascii=False)


def _retry_after(given: str | None) -> float | None:
    """Seconds that a server asks to wait, given as seconds or as a date."""
    if not given:
        return None
    try:
        return max(0.0, float(given))
    except ValueError:
        pass
    try:
        return max(0.0, float(email.utils.parsedate_to_datetime(given).timestamp() - time.time()))
    except (TypeError, ValueError):
        return None


def _pause(attempt: int, asked: float | None) -> float:
    """Seconds before the next attempt: what the server asks for, else twice as long each time, with jitter."""
    if asked is not None:
        return asked
    longest: float = min(FIRST_PAUSE * 2.0 ** (attempt - 1), LONGEST_PAUSE)
    return longest * random.uniform(0.5, 1.0)  # noqa: S311
