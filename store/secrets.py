"""Secrets are masked before anything is written anywhere: the value goes, a visible mask and the sentence stay.

Here are the ways in which people write credentials in prose, in addresses and on command lines; `secret_keys` has
the formats of keys, `secret_blocks` what takes several lines. A mere mention is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from store.secret_blocks import pem, private
from store.secret_keys import keys
from store.secret_names import NAMES_OF_AK, NAMES_OF_KEY, NAMES_OF_PW, NAMES_OF_SC, NAMES_OF_TK, TRAILING, Found
from store.secret_shape import is_password, is_reference, is_scrambled, is_token

_NAME = re.compile(
    rf"(?:(?P<password>{NAMES_OF_PW})|(?P<api_key>{NAMES_OF_AK})|(?P<token>{NAMES_OF_TK})|(?P<secret>{NAMES_OF_SC})|(?P<key>{NAMES_OF_KEY}))"
    r"(?P<rest>[A-Za-z0-9_]{0,24}+)"
    r"(?P<between>[\"'`*\])]{0,3}(?:[ \t]{0,2}\([^()\n]{1,40}\))?"
    r"(?:[ \t]{1,2}(?:for|to|of|on|from|für|pour|para)(?:[ \t][\w.:/@'’-]{1,40}){1,4}?)?)"
    r"(?P<sign>[ \t]{0,3}(?:=>|:=|={1,3}|:|：|是|は)[ \t]{0,3}|"
    r"[ \t]{1,3}(?:is|was|be|ist|lautet|est|es|é|è|to|-|—|–|equals)"
    r"(?:[ \t]{1,3}(?:now|still|just|currently|simply|set to|jetzt))?:?[ \t]{1,3})",
    re.IGNORECASE,
)
_FLAG = re.compile(
    r"(?<![\w-])--?(?P<name>(?:[a-z]{1,20}-){0,3}(?:password|passwd|pass|token|secret|api-?key|auth))(?:=|[ \t]{1,9})"
    r"(?P<value>[^\s-]\S{0,4096})",
    re.IGNORECASE,
)
_VALUE = re.compile(
    r"(?P<quote>[\"'`“„«*]{1,3})(?P<quoted>[^\n\"`”“«»]{1,400}?)[\"'`”»*]|"
    r"(?P<bare>[^\s\"`<>{}|\\，。；、！？]{1,4096})"
)
_EMPTY = re.compile(r"([\"'`])\1(?!\1)")
_LONGER_WORD = re.compile(r"(?!s(?![a-z]))[a-z]")
"""`tokenize`, `secretary`, `passwordless`: another word, not the name of a credential."""
_BEFORE = re.compile(
    r"(?<![^\s\"'`,;(){}<>])(?P<value>[^\s\"'`,;(){}<>]{5,512})[\"'`]?[ \t](?:is|as)[ \t]"
    r"(?:(?:my|the|our|your|an?|db|admin|root|prod|test)[ \t]){0,4}"
    rf"(?:(?P<password>{NAMES_OF_PW})|(?P<api_key>{NAMES_OF_AK})|(?P<token>\w*[ ]?token)|(?P<secret>\w*[ ]?secret))",
    re.IGNORECASE,
)
_URL = re.compile(r"://(?P<rest>[^\s\"'`<>]{1,512})")
_PORT = re.compile(r"\d{1,5}/")
_HEADER = re.compile(
    r"(?P<name>authorization[\"']?[ \t]*[:=][ \t]*[\"']?)?(?<![A-Za-z])(?:bearer|basic|token|digest|apikey)[ \t]+"
    r"(?P<value>[A-Za-z0-9._~+/=-]{8,4096})",
    re.IGNORECASE,
)
_CURL_USER = re.compile(r"(?<!\S)(?:-u|--user)[ =]?[\"']?[^\s:\"']{1,100}:(?P<value>[^\s\"']{3,200})")
_SSHPASS = re.compile(r"\bsshpass[ \t]+-p[ \t]*[\"']?(?P<value>[^\s\"']{1,200})")
_MYSQL = re.compile(r"(?<!\S)-p(?P<value>[^\s\"'-][^\s\"']{2,100})")
_HINTS = (
    "pass", "pw", "secret", "token", "key", "bearer", "basic ", "credential", "creds", "://", "private", "auth",
    "curl", "mysql", "jwt", "kennwort", "contrase", "senha", "wachtwoord", "парол", "ключ", "токен", "schlüssel",
    "geheimnis", "clave", "clé", "cle ", "密", "口令", "令牌", "パスワード", "キー", "トークン", "비밀번호", "암호",
)  # fmt: skip
_ASCII_HINTS = tuple(filter(str.isascii, _HINTS))
_PAT = re.compile(r"(?<![a-z])pat(?![a-z])")
"""A personal access token, and no path or patch."""
_NESTED_NAMES = 8
"""Names looked at inside one word, such as `a?token=x&key=y`; a bound that keeps masking linear."""
_PLACEHOLDERS = frozenset(
    ("password", "passwd", "pass", "pwd", "pw", "secret", "token", "user", "key", "x-oauth-basic")
)
_KIND_NAMES = {"password": "password", "api_key": "api key", "token": "token", "secret": "secret", "key": "key"}


@dataclass(frozen=True, slots=True)
class Masked:
    """Text without its secrets, the kinds that were masked, and each masked span of the original text."""

    text: str
    kinds: tuple[str, ...] = ()
    spans: tuple[tuple[int, int, int, int], ...] = ()
    """Per secret: start and end in the original, start and end of its mask in `text`."""

    def move(self, start: int, end: int) -> tuple[int, int]:
        """A span of the original as a span of `text`; an edge inside a secret moves to the edge of its mask."""
        return self._moved(start, False), self._moved(end, True)

    def _moved(self, position: int, to_end: bool) -> int:
        shift = 0
        for start, end, new_start, new_end in self.spans:
            if position <= start:
                break
            if position < end:
                return new_end if to_end else new_start
            shift = new_end - end
        return position + shift


def mask(text: str) -> Masked:
    """Replace every secret by a visible mask such as `[masked api key]`; linear in the length of the text."""
    if not may_hold(text):
        return Masked(text)
    found = _disjoint(sorted(_find(text), key=lambda one: one[0]))
    if not found:
        return Masked(text)
    pieces: list[str] = []
    spans: list[tuple[int, int, int, int]] = []
    done = size = 0
    for start, end, kind in found:
        label = f"[masked {kind}]"
        pieces += (text[done:start], label)
        size += start - done
        spans.append((start, end, size, size + len(label)))
        size += len(label)
        done = end
    pieces.append(text[done:])
    return Masked("".join(pieces), tuple(dict.fromkeys(kind for *_, kind in found)), tuple(spans))


def may_hold(text: str) -> bool:
    """False for most texts without a secret, at little cost; of several texts on lines of their own, for them all."""
    if _is_hinted(text):
        return True
    for word in text.split():  # noqa: SIM110 - this and the next are asked more often than anything, and `any` is slow
        if len(word) >= 16 and not word.isalpha():
            return True
    return False


def _is_hinted(text: str) -> bool:
    """True when the text may name a credential."""
    folded = text.casefold()
    for hint in _ASCII_HINTS if folded.isascii() else _HINTS:
        if hint in folded:
            return True
    return "pat" in folded and _PAT.search(folded) is not None


def _disjoint(found: list[Found]) -> list[Found]:
    """Overlapping finds become one: the widest reach, with the kind of the first."""
    joined: list[Found] = []
    for start, end, kind in found:
        if joined and start < joined[-1][1]:
            first, last, name = joined[-1]
            joined[-1] = (first, max(last, end), name)
        else:
            joined.append((start, end, kind))
    return joined


def _find(text: str) -> Iterator[Found]:
    yield from private(text)
    yield from pem(text)
    yield from _urls(text)
    yield from _headers(text)
    yield from _commands(text)
    if _is_hinted(text):  # most long words are paths, and looking for names is what takes longest
        yield from _named(text)
    yield from keys(text)


def _urls(text: str) -> Iterator[Found]:
    for match in _URL.finditer(text):
        start = match.start("rest")
        for part in match["rest"].split("://"):
            yield from _userinfo(part, start)
            start += len(part) + 3


def _userinfo(part: str, start: int) -> Iterator[Found]:
    """`user:password@host` or `token@host`; a password may hold `@` or, wrongly, `/`."""
    host = part.find("/")
    at = part.rfind("@", 0, host if host >= 0 else len(part))
    if at < 0 and (at := part.find("@")) < 0:
        return
    user, colon, password = part[:at].partition(":")
    if "/" in user or _PORT.match(password):
        return
    if password and password.lower() not in _PLACEHOLDERS and not is_reference(password):
        yield start + len(user) + 1, start + at, "password"
    elif not colon and is_token(user, shortest=16):
        yield start, start + at, "token"


def _headers(text: str) -> Iterator[Found]:
    for match in _HEADER.finditer(text):
        value = match["value"].rstrip(".")
        named = match["name"] is not None and not (value.isalpha() and len(value) < 20) and not is_reference(value)
        if named or is_token(value, shortest=16):
            yield match.start("value"), match.start("value") + len(value), "token"


def _commands(text: str) -> Iterator[Found]:
    for pattern, program in ((_CURL_USER, "curl"), (_SSHPASS, "sshpass"), (_MYSQL, "mysql")):
        for match in pattern.finditer(text):
            line = text[max(0, match.start() - 300) : match.end()].rpartition("\n")[2]
            if program in line and not is_reference(match["value"]):
                yield *match.span("value"), "password"
    for match in _FLAG.finditer(text):
        value = match["value"].strip("\"'`").rstrip(TRAILING)
        start = match.start("value") + match["value"].find(value)
        if "pass" in match["name"].lower():
            if is_password(value, ends_clause=False) or (
                len(value) >= 6 and not is_reference(value) and not value.isalpha()
            ):
                yield start, start + len(value), "password"
        elif is_token(value):
            yield start, start + len(value), "token"


def _named(text: str) -> Iterator[Found]:
    """Values that stand after (or before) the name of a credential."""
    end = nested = 0
    for name in _NAME.finditer(text):
        nested = nested + 1 if name.end() < end else 0
        if nested > _NESTED_NAMES:
            continue
        if _EMPTY.match(text, name.end()) or _LONGER_WORD.match(name["rest"]):
            continue
        if value := _VALUE.match(text, name.end()):
            end = value.end() if not nested else end
            yield from _judged(text, name, value)
    for match in _BEFORE.finditer(text):
        kind = match.lastgroup or "secret"
        value_text = match["value"].rstrip(TRAILING)
        if kind == "password":
            secret = not value_text.isalpha() and is_password(value_text, ends_clause=False)
        else:
            secret = is_token(value_text)
        if secret:
            yield match.start("value"), match.start("value") + len(value_text), _KIND_NAMES[kind]


def _judged(text: str, name: re.Match[str], value: re.Match[str]) -> Iterator[Found]:
    kind = next(group for group in _KIND_NAMES if name[group])
    group = "quoted" if value["quoted"] is not None else "bare"
    quoted = group == "quoted"
    word = value[group] if quoted else _bare(value[group])
    if not word:
        return
    start = value.start(group)
    end = start + len(word)
    full_name = name[kind] + name["rest"]
    tight = "=" in name["sign"] and not name["sign"].strip("=") and not name["between"].strip()
    if (
        tight
        and full_name.isupper()
        and len(word) >= 3
        and not is_reference(word)
        and word.lower() not in ("true", "false")
    ):
        yield start, end, _KIND_NAMES[kind]
    elif _is_call(text, end) and not quoted:
        return
    elif kind == "password":
        if quoted and " " in word and not tight and len(word.split()) > 8:
            return
        if is_password(word, quoted=quoted, ends_clause=_ends_clause(text, end)) or (quoted and _is_passphrase(word)):
            yield start, end, "password"
    elif " " not in word and (
        is_token(word, shortest=20 if kind == "key" else 6 if kind == "secret" else 8)
        or kind == "key"
        and is_scrambled(word)
    ):
        yield start, end, _KIND_NAMES[kind]


def _bare(word: str) -> str:
    """A word without the punctuation of its sentence; a query string or list ends at its separator."""
    word = re.split(r"[,;&](?=\S*[=:]|$)|['’](?=[,;)\]}]|$)|\)(?=[,;.]|$)|\](?=[,;.(]|$)", word, maxsplit=1)[0]
    return word.rstrip(TRAILING) if len(word.rstrip(TRAILING)) >= 3 else ""


def _ends_clause(text: str, end: int) -> bool:
    return bool(re.compile(r"\s*(?:$|[.,;!?)\n]|(?:and|for|on|but|und|et|y)\s)").match(text, end))


def _is_passphrase(words: str) -> bool:
    return words.count(" ") >= 2 and bool(re.fullmatch(r"[a-z0-9]+(?: [a-z0-9]+){2,7}", words)) and "must" not in words


def _is_call(text: str, end: int) -> bool:
    return text[end : end + 1] in ("(", "[")
