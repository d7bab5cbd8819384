"""A scripted model on 127.0.0.1 that speaks the two protocols of `curate consolidate` and keeps what it received."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = Callable[["Handler"], None]


@dataclass
class Received:
    """One request, byte for byte."""

    path: str
    headers: dict[str, str]
    raw: bytes

    @property
    def body(self) -> Any:
        return json.loads(self.raw)

    @property
    def messages(self) -> list[dict[str, str]]:
        """The document that the model was given."""
        return json.loads(self.body["messages"][-1]["content"])["messages"]


@dataclass
class Model:
    """The server as a test sees it: replies in order, the last one again and again."""

    url: str
    replies: list[Reply] = field(default_factory=list)
    received: list[Received] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)

    def answers(self, *replies: Reply) -> None:
        self.replies[:] = replies


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: Model

    def log_message(self, *args: object) -> None:
        return

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        seen = Received(self.path, {name.lower(): value for name, value in self.headers.items()}, raw)
        number = len(self.model.received)
        self.model.received.append(seen)
        try:
            self.model.replies[min(number, len(self.model.replies) - 1)](self)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def give(self, raw: bytes, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(raw)


def text(words: str, *, cut: bool = False) -> Reply:
    """The model says these words, in the protocol that it was asked in."""

    def reply(handler: Handler) -> None:
        if handler.path.endswith("/messages"):
            stop = "max_tokens" if cut else "end_turn"
            data: Any = {"type": "message", "content": [{"type": "text", "text": words}], "stop_reason": stop}
        elif handler.path.endswith("/chat/completions"):
            choice = {"message": {"role": "assistant", "content": words}, "finish_reason": "length" if cut else "stop"}
            data = {"object": "chat.completion", "choices": [choice]}
        else:
            return handler.give(b'{"error": {"message": "no such path"}}', 404)
        return handler.give(json.dumps(data).encode())

    return reply


def item(statement: str, quote: str | None = None, intent: str = "project_convention", **more: Any) -> dict[str, Any]:
    return {"statement": statement, "quote": statement if quote is None else quote, "intent": intent, **more}


def items(*given: Any) -> Reply:
    """The model answers as it was asked to."""
    return text(json.dumps({"items": list(given)}, ensure_ascii=False))


def raw(data: bytes, status: int = 200, **headers: str) -> Reply:
    return lambda handler: handler.give(data, status, **headers)


def silent(handler: Handler) -> None:
    """No answer as long as the test lasts."""
    handler.model.closing.wait(30)
    handler.close_connection = True


def dripping(handler: Handler) -> None:
    """A byte now and then: each comes in time, the whole never does."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    while not handler.model.closing.wait(0.02):
        handler.wfile.write(b" ")
        handler.wfile.flush()
    handler.close_connection = True


def endless(handler: Handler) -> None:
    """An answer without a length that does not end."""
    handler.send_response(200)
    handler.send_header("Connection", "close")
    handler.end_headers()
    while not handler.model.closing.is_set():
        handler.wfile.write(b" " * 65536)


@contextmanager
def serving() -> Iterator[Model]:
    """The server for the time of a test."""

    class Mine(Handler):
        pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Mine)
    server.daemon_threads = True
    model = Model(f"http://127.0.0.1:{server.server_port}")
    Mine.model = model
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield model
    finally:
        model.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()
