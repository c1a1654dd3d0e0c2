"""A real HTTP server that speaks the chat protocol, with every fault a client has to live through."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Fault = Callable[["Handler", dict[str, Any]], None]


class ChatServer(ThreadingHTTPServer):
    """Answers what it is asked; `faults` come first, one per request."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[dict[str, Any]] = []
        self.keys: set[str] = set()
        self.faults: list[Fault] = []
        self.tool_calls: list[tuple[str, str]] = []
        """Tools (name, arguments) that the model wants before it answers, one per round."""
        self.answers: Counter[str] = Counter()
        """How often each last message was answered."""
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def handle_error(self, *_: Any) -> None:
        """A client that was killed is no news."""


class Handler(BaseHTTPRequestHandler):
    """One request."""

    server: ChatServer
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.server.asked.append(body)
            self.server.keys.add(self.headers.get("Authorization", ""))
            fault = self.server.faults.pop(0) if self.server.faults else None
        (fault or answer)(self, body)

    def send(self, status: int, data: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def message_of(server: ChatServer, body: dict[str, Any]) -> dict[str, Any]:
    """A tool call as long as there are some to make, then an answer that depends on the messages alone."""
    done = sum(message["role"] == "tool" for message in body["messages"])
    if "tools" in body and body.get("tool_choice") != "none" and done < len(server.tool_calls):
        name, arguments = server.tool_calls[done]
        call = {"id": f"c{done}", "type": "function", "function": {"name": name, "arguments": arguments}}
        return {"role": "assistant", "content": None, "tool_calls": [call]}
    last = [message["content"] for message in body["messages"] if message["role"] == "user"][-1]
    with server.lock:
        server.answers[last] += 1
    return {"role": "assistant", "content": f"Answer to {len(body['messages'])} messages: {last}"}


def answer(handler: Handler, body: dict[str, Any]) -> None:
    message = message_of(handler.server, body)
    usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    if body.get("stream"):
        stream(handler, [*pieces(message), {"choices": [], "usage": usage}])
        return
    finish = "tool_calls" if message.get("tool_calls") else "stop"
    choice = {"index": 0, "message": message, "finish_reason": finish}
    handler.send(200, json.dumps({"choices": [choice], "usage": usage}).encode())


def pieces(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A message as a stream has it: text by words, arguments of tools in halves."""
    for call in message.get("tool_calls") or ():
        arguments = call["function"]["arguments"]
        half = len(arguments) // 2
        first = {
            "index": 0,
            "id": call["id"],
            "function": {"name": call["function"]["name"], "arguments": arguments[:half]},
        }
        yield {"choices": [{"delta": {"tool_calls": [first]}}]}
        yield {"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"arguments": arguments[half:]}}]}}]}
    for word in (message["content"] or "").split(" "):
        yield {"choices": [{"delta": {"content": f"{word} "}}]}
    yield {"choices": [{"delta": {}, "finish_reason": "tool_calls" if message.get("tool_calls") else "stop"}]}


def stream(handler: Handler, events: list[Any], *, breaks: bool = False) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "text/event-stream")
    handler.send_header("Connection", "close")
    handler.end_headers()
    for event in events:
        handler.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
    if not breaks:
        handler.wfile.write(b": a comment\n\ndata: [DONE]\n\n")
    handler.close_connection = True


def status(code: int, text: str = "busy", **headers: str) -> Fault:
    return lambda handler, _: handler.send(code, json.dumps({"error": {"message": text}}).encode(), **headers)


def hang_up(handler: Handler, _: dict[str, Any]) -> None:
    """The connection is gone before a word was said."""
    handler.close_connection = True
    handler.connection.close()


def half(handler: Handler, _: dict[str, Any]) -> None:
    """More was promised than comes."""
    handler.send_response(200)
    handler.send_header("Content-Length", "5000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [')
    handler.close_connection = True


def no_json(handler: Handler, _: dict[str, Any]) -> None:
    handler.send(200, b"<html>502 Bad Gateway</html>")


def other_json(handler: Handler, _: dict[str, Any]) -> None:
    handler.send(200, b'{"choices": []}')


def broken_stream(handler: Handler, _: dict[str, Any]) -> None:
    stream(handler, [{"choices": [{"delta": {"content": "Half an ans"}}]}], breaks=True)


def error_in_stream(handler: Handler, _: dict[str, Any]) -> None:
    stream(handler, [{"error": {"message": "overloaded"}}])


@contextmanager
def serving() -> Iterator[ChatServer]:
    server = ChatServer()
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
