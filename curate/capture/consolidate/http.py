"""One request over HTTP: no proxy, no redirect, no second try; a limit on the whole time and on what is read.

`http.client` knows neither proxies nor redirects, which is why it is used here.
"""

from __future__ import annotations

import contextlib
import json
import socket
import ssl
import threading
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from urllib.parse import urlsplit

from curate.capture.consolidate.fault import NoAnswer, unreachable, useless
from store.secrets import mask
from store.text import one_line, shorten

RESPONSE_LIMIT = 256 * 1024
"""Bytes of an answer; ten statements take a hundredth of it."""
_FAULT_LIMIT = 4096
_CHUNK = 16 * 1024
_BUSY = frozenset({429, 503, 529})
_PLAIN = {
    401: "the key is refused",
    403: "access is refused",
    404: "no such address or model",
    429: "too many requests",
}


def post(url: str, body: bytes, headers: Mapping[str, str], *, timeout: float) -> bytes:
    """The body of a successful answer. Raises `NoAnswer`."""
    call = _Call(url, body, headers, timeout)
    thread = threading.Thread(target=call.run, name="curate-consolidate", daemon=True)
    thread.start()
    # Waiting here, since the timeout of a socket starts anew with every byte, and a look-up of a name has none.
    thread.join(timeout)
    if thread.is_alive():
        call.abandon()
        raise unreachable(f"no whole answer within {timeout:g} s")
    if call.fault is not None:
        raise call.fault
    return call.answer


class _Call:
    """The exchange, in a thread of its own."""

    def __init__(self, url: str, body: bytes, headers: Mapping[str, str], timeout: float) -> None:
        self.answer = b""
        self.fault: NoAnswer | None = None
        self._parts = urlsplit(url)
        self._body, self._headers, self._timeout = body, headers, timeout
        self._socket: socket.socket | None = None

    def run(self) -> None:
        """Send and read; what went wrong is kept in `fault`."""
        try:
            self.answer = self._exchange()
        except NoAnswer as fault:
            self.fault = fault
        except TimeoutError:
            self.fault = unreachable(f"no answer within {self._timeout:g} s")
        except ssl.SSLError as fault:
            why = getattr(fault, "verify_message", "") or fault.reason
            self.fault = unreachable(f"no safe connection: {_words(why)}")
        except OSError as fault:
            self.fault = unreachable(f"not reachable: {_words(fault.strerror or type(fault).__name__)}")
        except (HTTPException, ValueError) as fault:
            self.fault = unreachable(f"not an answer in HTTP: {type(fault).__name__}")

    def abandon(self) -> None:
        """Cut the connection, so that nothing more is sent or read."""
        if self._socket is not None:
            with contextlib.suppress(OSError):
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def _exchange(self) -> bytes:
        connection = self._connection()
        try:
            connection.connect()
            self._socket = connection.sock
            connection.request("POST", self._parts.path, self._body, dict(self._headers))
            response = connection.getresponse()
            with response:
                if not 200 <= response.status < 300:
                    raise self._refusal(response)
                return _read(response)
        finally:
            connection.close()

    def _connection(self) -> HTTPConnection:
        host, port = self._parts.hostname or "", self._parts.port
        if self._parts.scheme == "https":
            return HTTPSConnection(host, port, timeout=self._timeout, context=ssl.create_default_context())
        return HTTPConnection(host, port, timeout=self._timeout)

    def _refusal(self, response: HTTPResponse) -> NoAnswer:
        status = response.status
        if 300 <= status < 400:
            return unreachable(f"HTTP {status}: redirects are not followed; name the final address in consolidate.url")
        told = self._told(response.read(_FAULT_LIMIT))
        says = "; ".join(part for part in (_PLAIN.get(status, ""), told) if part)
        wait = _seconds(response.headers.get("Retry-After")) if status in _BUSY else None
        return unreachable(f"HTTP {status}" + (f": {says}" if says else ""), wait)

    def _told(self, raw: bytes) -> str:
        """What the server says about the fault, as harmless words: it may repeat what was sent, the key included."""
        try:
            data = json.loads(raw)
            error = data.get("error", data) if isinstance(data, dict) else None
            said = error.get("message") if isinstance(error, dict) else error
        except (ValueError, RecursionError):
            return ""
        if not isinstance(said, str):
            return ""
        for value in self._headers.values():
            said = said.replace(value.removeprefix("Bearer "), "[…]") if len(value) >= 8 else said
        return shorten(one_line(mask(said).text), 160)


def _read(response: HTTPResponse) -> bytes:
    if response.headers.get("Content-Encoding", "identity").strip().lower() not in {"", "identity"}:
        raise useless("the answer is compressed, which was not asked for")
    if response.length is not None and response.length > RESPONSE_LIMIT:
        raise useless(f"the answer is longer than {RESPONSE_LIMIT // 1024} KB")
    data = bytearray()
    while chunk := response.read(_CHUNK):
        data += chunk
        if len(data) > RESPONSE_LIMIT:
            raise useless(f"the answer is longer than {RESPONSE_LIMIT // 1024} KB")
    return bytes(data)


def _seconds(text: str | None) -> float | None:
    return float(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 7 else None


def _words(reason: object) -> str:
    words = one_line(str(reason)).replace("_", " ")
    return words[:1].lower() + words[1:] if words[1:2].islower() else words
