"""A model that is none: it listens on loopback, answers real clients from a script, and keeps what they asked.

Which line of the script comes next is told from the request alone, by the replies since the prompt; so a client that
asks twice gets the same answer twice. It is their proxy too, and lets none of them out to any other place.
"""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from tests.agents.dialects import SYSTEM, Dialect, Reply, Said, dialect_of

ASIDE = Reply("A session")
"""For what clients ask beside the conversation, such as a title; such requests offer no tools."""
ENOUGH = Reply("Done.")


@dataclass(frozen=True)
class Asked:
    """One request of a conversation."""

    said: tuple[Said, ...]
    aside: bool
    whole: str
    """As it came, tools and all."""

    @property
    def system(self) -> str:
        """What instructs the model as a whole."""
        return "\n".join(each.text for each in self.said if each.who == SYSTEM)

    @property
    def messages(self) -> list[Said]:
        """Everything else, in order."""
        return [each for each in self.said if each.who != SYSTEM]


Line = Reply | Callable[[Asked], Reply]
"""What comes next, or how it follows from what was asked."""


class Model:
    """Serves while it is entered. `script` has the replies to each prompt, found by a piece of the prompt."""

    def __init__(self, script: Mapping[str, Sequence[Line]]) -> None:
        self.script = script
        self.asked: list[Asked] = []
        self._server = _Server(self)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def conversation(self) -> list[Asked]:
        """What was asked in the conversation, without what was asked beside it."""
        return [each for each in self.asked if not each.aside]

    def reply(self, dialect: Dialect, body: dict[str, Any]) -> Reply:
        """What to say to a request, which is kept."""
        asked = Asked(tuple(dialect.said(body)), aside=not body.get("tools"), whole=json.dumps(body))
        self.asked.append(asked)
        if asked.aside:
            return ASIDE
        said = asked.messages
        for at in range(len(said) - 1, -1, -1):
            prompt = next((key for key in self.script if said[at].who == "user" and key in said[at].text), None)
            if prompt is not None:
                turns = _turns(said[at:])
                replies = self.script[prompt]
                line = replies[turns] if turns < len(replies) else ENOUGH
                return line if isinstance(line, Reply) else line(asked)
        return ENOUGH


def _turns(said: Sequence[Said]) -> int:
    """How often the model has spoken; a text and the call that follows it are one."""
    who = [each.who for each in said]
    return sum(one == "assistant" != before for before, one in zip(["", *who], who, strict=False))


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, model: Model) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.model = model


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_CONNECT(self) -> None:
        self.send_error(403)

    def do_GET(self) -> None:
        if self._is_elsewhere():
            return
        listed = {"id": "fake-model", "object": "model", "type": "model", "display_name": "Fake", "created": 1}
        self._json({"object": "list", "has_more": False, "data": [listed]})

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_POST(self) -> None:
        body = self._body()
        if self._is_elsewhere():
            return
        path = urlsplit(self.path).path
        dialect = dialect_of(path)
        if dialect is None or not isinstance(body, dict):
            self._json({"input_tokens": 9, "totalTokens": 9})
            return
        reply = self.server.model.reply(dialect, body)
        whole, events = dialect.answer(reply, str(body.get("model") or "fake-model"))
        if body.get("stream") or "stream" in path:
            self._stream(events, named=dialect.named_events, done=dialect.path == "/chat/completions")
        else:
            self._json(whole)

    def _is_elsewhere(self) -> bool:
        host = urlsplit(self.path).netloc
        if host and host != urlsplit(self.server.model.url).netloc:
            self.send_error(403)
            return True
        return False

    def _body(self) -> Any:
        if "chunked" in self.headers.get("transfer-encoding", "").lower():
            raw = b""
            while size := int(self.rfile.readline().split(b";")[0], 16):
                raw += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.headers.get("content-encoding") == "gzip":
            raw = gzip.decompress(raw)
        try:
            return json.loads(raw)
        except ValueError:
            return None

    def _json(self, value: object) -> None:
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _stream(self, events: list[dict[str, Any]], *, named: bool, done: bool) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        for event in events:
            head = f"event: {event['type']}\n" if named else ""
            self.wfile.write(f"{head}data: {json.dumps(event)}\n\n".encode())
        if done:
            self.wfile.write(b"data: [DONE]\n\n")
        self.close_connection = True
