"""The review in a browser: nobody without the token, nobody from elsewhere, and a whole review in real Chromium."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

aiohttp = pytest.importorskip("aiohttp", reason="the extra `web` is not installed")
pytest.importorskip("textual_serve", reason="the extra `web` is not installed")

from store.store import Store  # noqa: E402
from tests.curate.command import NOBODY, curate  # noqa: E402

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PATIENCE = 40.0
"""Seconds until something has to be there, on a machine that does other things too."""

WATCH = """
Object.defineProperty(Object.prototype, 'fitAddon', {
  configurable: true,
  set(value) {
    window.terminal_ = this.terminal;
    Object.defineProperty(this, 'fitAddon', {value, writable: true, configurable: true});
  },
});
"""
"""The terminal paints on a canvas; this keeps hold of it, so that what it shows can be read as text."""

SCREEN = """
(() => {
  const buffer = window.terminal_ && window.terminal_.buffer.active;
  if (!buffer) return '';
  return Array.from({length: buffer.length}, (_, y) => buffer.getLine(y).translateToString(true)).join('\\n');
})()
"""


@pytest.fixture
def served(store: Path) -> Iterator[str]:
    """The address of the review of the sample store."""
    surroundings = {key: value for key, value in os.environ.items() if not key.startswith(("CURATE_", "XDG_"))}
    process = subprocess.Popen(
        [sys.executable, "-m", "curate", "--home", str(store), "web", "--port", "0", "--json"],
        stdout=subprocess.PIPE, text=True, env={**surroundings, "HOME": NOBODY.name},
    )  # fmt: skip
    assert process.stdout is not None
    try:
        yield json.loads(process.stdout.readline())["url"]
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            assert process.wait(15) == 0
        finally:
            process.kill()
            process.stdout.close()


async def test_nobody_gets_in_without_the_token_or_from_elsewhere(served: str) -> None:
    place = urlsplit(served)
    base = f"http://{place.netloc}"
    assert place.hostname == "127.0.0.1", "loopback unless told otherwise"
    token = parse_qs(place.query)["token"][0]
    assert len(token) >= 32
    async with aiohttp.ClientSession() as nobody:
        for path in ("/", "/ws", "/static/js/textual.js", "/?token=wrong", "/?token="):
            async with nobody.get(base + path) as answer:
                assert answer.status == 403, path
                assert token not in await answer.text()
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as person:
        async with person.get(served, allow_redirects=False) as answer:
            assert (answer.status, answer.headers["Location"]) == (303, "/")
            cookie = answer.headers["Set-Cookie"]
            assert "HttpOnly" in cookie
            assert "SameSite=Strict" in cookie
        async with person.get(base + "/") as answer:
            page = await answer.text()
            assert answer.status == 200
            assert token not in page
            assert "http://" not in page.replace(base, "")
            assert "https://" not in page, "nothing is fetched from elsewhere"
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        elsewhere = {"Host": f"evil.example:{place.port}"}, {"Origin": "http://evil.example"}
        for headers in elsewhere:
            async with person.get(base + "/", headers=headers) as answer:
                assert answer.status == 403, headers
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await person.ws_connect(base + "/ws", headers=headers)


def test_a_token_of_ones_own_must_be_long_and_the_port_free(store: Path, served: str) -> None:
    port = urlsplit(served).port
    assert curate("--home", store, "web", "--token", "short").fails(2, "at least 16 characters")
    assert curate("--home", store, "web", "--port", port).fails(2, "cannot be served", "--port")


class Page:
    """A tab of a browser, over the DevTools protocol."""

    def __init__(self, socket: Any) -> None:
        self._socket = socket
        self._number = 0

    async def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self._number += 1
        await self._socket.send_json({"id": self._number, "method": method, "params": params})
        while True:
            message = json.loads((await self._socket.receive(PATIENCE)).data)
            if message.get("id") == self._number:
                assert "error" not in message, message
                return message["result"]

    async def screen(self) -> str:
        found = await self.ask("Runtime.evaluate", expression=SCREEN, returnByValue=True)
        return str(found["result"].get("value", ""))

    async def wait(self, words: str) -> str:
        end = time.monotonic() + PATIENCE
        while words not in (shown := await self.screen()):
            assert time.monotonic() < end, f"{words!r} never came:\n{shown}"
            await asyncio.sleep(0.05)
        return shown

    async def press(self, key: str, code: int | None = None) -> None:
        told: dict[str, Any] = {"key": key, "windowsVirtualKeyCode": code} if code else {"key": key, "text": key}
        await self.ask("Input.dispatchKeyEvent", type="keyDown", **told)
        await self.ask("Input.dispatchKeyEvent", type="keyUp", **{k: v for k, v in told.items() if k != "text"})


@contextlib.asynccontextmanager
async def browser(folder: Path, url: str):
    """Chromium without a window, on one page."""
    process = subprocess.Popen(  # noqa: ASYNC220 - it is only started here
        [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--window-size=1200,800",
         "--remote-debugging-port=0", f"--user-data-dir={folder}", "about:blank"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "HOME": str(folder)},
    )  # fmt: skip
    try:
        port = await _port(folder, process)
        async with aiohttp.ClientSession() as session:
            end = time.monotonic() + PATIENCE
            while True:
                async with session.get(f"http://127.0.0.1:{port}/json/list") as answer:
                    pages = [each for each in await answer.json(content_type=None) if each["type"] == "page"]
                if pages:
                    break
                assert time.monotonic() < end, "no page was opened"
                await asyncio.sleep(0.05)
            async with session.ws_connect(pages[0]["webSocketDebuggerUrl"], max_msg_size=0) as socket:
                page = Page(socket)
                await page.ask("Page.enable")
                await page.ask("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
                await page.ask("Page.navigate", url=url)
                yield page
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()


async def _port(folder: Path, process: subprocess.Popen[bytes]) -> int:
    end = time.monotonic() + PATIENCE
    file = folder / "DevToolsActivePort"
    while True:
        with contextlib.suppress(OSError, IndexError, ValueError):
            return int(file.read_text().splitlines()[0])
        assert process.poll() is None, "the browser ended"
        assert time.monotonic() < end, "the browser did not come up"
        await asyncio.sleep(0.05)


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed (apt-get install chromium)")
async def test_a_whole_review_in_a_real_browser(store: Path, served: str, tmp_path: Path) -> None:
    async with browser(tmp_path / "chromium", served) as page:
        await page.wait("0/15 decided")
        await page.press("]")
        await page.wait("said twice")
        await page.press("a")
        await page.wait("1/15 decided")
        await page.press("x")
        await page.wait("2/15 decided")
        await page.press("u")
        await page.wait("undone: rejected")
        await page.press("p")
        await page.wait("1 accepted: 2 lines in 2 files")
        await page.press("w")
        await page.wait("written: 1 of 1")
        await page.press("Escape", 27)
        await page.wait("1/15 decided")
        await page.press("q")
        ended = "document.body.classList.contains('-closed')"
        end = time.monotonic() + PATIENCE
        while not (await page.ask("Runtime.evaluate", expression=ended, returnByValue=True))["result"]["value"]:
            assert time.monotonic() < end, "the page never said that the review is closed"
            await asyncio.sleep(0.05)
    assert sum(versions.data["status"] == "active" for versions in Store.open(store).state.records.values()) == 4
