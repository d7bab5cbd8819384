"""Values of secrets are masked visibly, mentions of secrets stay, and masking costs linear time.

No secret-like string stands in this file whole: each is put together from parts.
"""

from __future__ import annotations

import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.secrets import mask

LONG = "Zq8vT3nL0xW5" + "rB7yK2mD9pF4" + "hJ6sC1gA8uE3iO0t"  # 40 characters, no prefix
DOTTED = "sk-" + "proj.ab12CD34ef56" + ".GH78ij90KL12mn34"
WORD = "hun" + "ter2"
HEX = "9f86d081884c7d65" + "9a2feaa0c55ad015"
UUID = "3b241101-e2bb-4255" + "-8caf-4136c566a962"
GITHUB = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
AWS_ID = "AK" + "IA" + "IOSFODNN7QRSTUVW"
AWS_SECRET = "wJalrXUtnFEMI/" + "K7MDENG/bPxRfiCY" + "zzzzzKEY12"
SLACK = "xo" + "xb-" + "123456789012-1234567890123-" + "AbCdEfGhIjKl"
STRIPE = "sk" + "_live_" + "4eC39HqLyjWDarjtT1zdp7dc"
JWT = "ey" + "JhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0In0" + ".dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
GOOGLE = "AI" + "za" + "SyD4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T"
PEM = "-----BEGIN RSA " + "PRIVATE KEY-----\n" + "MIIEow" + "IBAAKCAQEA7\n" * 3 + "-----END RSA " + "PRIVATE KEY-----"

SECRETS = [
    (f"The api key is {LONG}, use it for maps.", LONG, "The api key is [masked api key], use it for maps."),
    ("the key is " + "Zx9!kLm" + "Q7.", "Zx9!kLm" + "Q7", "the key is [masked key]."),
    (f"key is {LONG} ok", LONG, "key is [masked key] ok"),
    (f"the vendor key {DOTTED} must never be logged", DOTTED, "the vendor key [masked api key] must never be logged"),
    (f"my API key: {DOTTED}.", DOTTED, "my API key: [masked api key]."),
    (f"PGPASSWORD={WORD} psql -h db", WORD, "PGPASSWORD=[masked password] psql -h db"),
    ("PGPASSWORD=secret" + "word psql", "secretword", "PGPASSWORD=[masked password] psql"),
    (f"export DB_PASS='{WORD}'", WORD, "export DB_PASS='[masked password]'"),
    (f"use postgres://app:{WORD}@db/x please", WORD, "use postgres://app:[masked password]@db/x please"),
    ("redis://:p@ss" + "w0rd@cache:6379", "p@ssw0rd", "redis://:[masked password]@cache:6379"),
    (f"clone https://{GITHUB}@github.com/a/b", GITHUB, "clone https://[masked api key]@github.com/a/b"),
    (f"Authorization: Bearer {LONG}", LONG, "Authorization: Bearer [masked token]"),
    (f"curl -H 'authorization: bearer {JWT}' x", JWT, "curl -H 'authorization: bearer [masked token]' x"),
    (f"curl -u admin:{WORD} https://x", WORD, "curl -u admin:[masked password] https://x"),
    (f"run it with --password {WORD} always", WORD, "run it with --password [masked password] always"),
    (f"run it with --token={LONG}", LONG, "run it with --token=[masked token]"),
    (f"Always log in with password {'is'} {WORD}!", WORD, "Always log in with password is [masked password]!"),
    (f"password: {WORD}", WORD, "password: [masked password]"),
    ("the password is sword" + "fish, don't log it", "swordfish", "the password is [masked password], don't log it"),
    (f'"password": "{WORD}",', WORD, '"password": "[masked password]",'),
    (
        'passphrase: "correct horse' + ' battery staple"',
        "correct horse battery staple",
        'passphrase: "[masked password]"',
    ),
    (f"the password for the staging db is {WORD}.", WORD, "the password for the staging db is [masked password]."),
    (f"set the password to {WORD}", WORD, "set the password to [masked password]"),
    (f"use {WORD} as the password", WORD, "use [masked password] as the password"),
    (f"{LONG} is my api key", LONG, "[masked api key] is my api key"),
    (f"set SMTP_PASS={WORD} first", WORD, "set SMTP_PASS=[masked password] first"),
    (f"smtp_pass: {WORD}", WORD, "smtp_pass: [masked password]"),
    (f"dbPasswordProd = '{WORD}'", WORD, "dbPasswordProd = '[masked password]'"),
    (f"tokens: {LONG}", LONG, "tokens: [masked token]"),
    ("the PIN password: 48" + "1516", "481516", "the PIN password: [masked password]"),
    (f"X-API-Key: {HEX}", HEX, "X-API-Key: [masked api key]"),
    (f"the api key is {UUID}", UUID, "the api key is [masked api key]"),
    (f"client_secret={LONG}&grant=x", LONG, "client_secret=[masked secret]&grant=x"),
    (f"https://x.io/cb?token={LONG}&a=1", LONG, "https://x.io/cb?token=[masked token]&a=1"),
    (f"AWS_SECRET_ACCESS_KEY={AWS_SECRET}", AWS_SECRET, "AWS_SECRET_ACCESS_KEY=[masked api key]"),
    (f"the secret access key is {AWS_SECRET}", AWS_SECRET, "the secret access key is [masked api key]"),
    (f"deploy with {AWS_ID} here", AWS_ID, "deploy with [masked api key] here"),
    (f"use {GITHUB} here", GITHUB, "use [masked api key] here"),
    (f"bot {SLACK} posts", SLACK, "bot [masked api key] posts"),
    (f"charge via {STRIPE}", STRIPE, "charge via [masked api key]"),
    (f"maps: {GOOGLE}", GOOGLE, "maps: [masked api key]"),
    (f"cookie {JWT} expires", JWT, "cookie [masked api key] expires"),
    (f"Never print {PEM} anywhere", "MIIEow", "Never print [masked private key] anywhere"),
    (f"cut off {PEM[:60]}", "MIIEow", "cut off [masked private key]"),
    (f"lost its head:\n{PEM[40:]} ok", "MIIEow", "lost its head:\n[masked private key] ok"),
    ("I <private>live in Lima</private> and use tabs", "Lima", "I [masked private text] and use tabs"),
    ("tabs. <private>never closed, Lima", "Lima", "tabs. [masked private text]"),
    (f"das Passwort ist {WORD}, merk dir das", WORD, "das Passwort ist [masked password], merk dir das"),
    (f"le mot de passe est {WORD}", WORD, "le mot de passe est [masked password]"),
    (f"la contraseña es {WORD}", WORD, "la contraseña es [masked password]"),
    (f"пароль: {WORD}", WORD, "пароль: [masked password]"),
    (f"密码是{WORD}，不要提交", WORD, "密码是[masked password]，不要提交"),
    (f"パスワードは{WORD}", WORD, "パスワードは[masked password]"),
]


@pytest.mark.parametrize(("text", "value", "masked"), SECRETS, ids=range(len(SECRETS)))
def test_the_value_goes_and_the_sentence_stays(text: str, value: str, masked: str) -> None:
    done = mask(text)
    assert done.text == masked
    assert value not in done.text
    assert done.kinds


@pytest.mark.parametrize(("text", "value", "masked"), SECRETS, ids=range(len(SECRETS)))
def test_masking_twice_changes_nothing_more(text: str, value: str, masked: str) -> None:
    assert mask(mask(text).text).text == masked


MENTIONS = [
    "There is no API key in this build",
    "apiKey: env.MAPS_KEY",
    "api_key = os.environ['MAPS_KEY']",
    "const apiKey = process.env.API_KEY",
    "token: ${{ secrets.GITHUB_TOKEN }}",
    "PGPASSWORD=$DB_PASSWORD psql",
    "PGPASSWORD=${PW} psql",
    "export API_KEY=<your-api-key>",
    "postgres://user:password@localhost/db",
    "postgres://app:${DB_PASSWORD}@db/x",
    "open http://localhost:8080/@scope/pkg and https://example.com/@user",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN",
    "send the Authorization header as Bearer token",
    "Always validate the password field before submit",
    "Use token-based auth, never cookies",
    "the password is required",
    "the password is wrong.",
    "password: must be at least 12 characters",
    "password: str = Field(min_length=8)",
    "password is case-sensitive",
    "password: 8-64 characters",
    "passwords are hashed with argon2id",
    "password: hashed with sha256",
    "keep secrets in vault2, never in code",
    "the secret is stored in secrets.yaml",
    "the key is to keep functions short",
    "the cache key is user_settings_v2",
    "the key is Ctrl+Shift+P1, the lookup key is User1@example.org",
    "the key is User${Id}1, the React key is itemId1",
    "primary key: customer_id",
    "key: value pairs in config.yaml",
    "max_tokens: 4096",
    "the token is expired",
    "tokenizer = AutoTokenizer.from_pretrained('bert-base-uncased')",
    "token = get_token()",
    "connect(user=user, password=password)",
    "password = form.password",
    "commit 3f786850e387550fdab836ed7e6dc881de23001b broke the token refresh",
    "revert 9f86d081884c7d659a2feaa0c55ad0153f786850",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "session 3b241101-e2bb-4255-8caf-4136c566a962 was lost",
    "fix src/components/UserProfileCard2.tsx and tests/test_login_2fa.py",
    "see https://github.com/acme/shop/blob/main/src/auth/token.ts#L20-L40",
    "sk-learn-like-estimators-version2 are fine",
    "use eslint-plugin-react-hooks@4.6.0 and key-value stores",
    "getUserByEmailAddressAndPasswordHash is too long a name",
    "always press the any key, then Ctrl+K",
    "the `<private>` tag hides text",
    "pwd: /home/me/work",
    "run pwd first, then cd /tmp",
    "secret santa is on 2026-12-24",
    "monkey patching is banned, keyboard shortcuts are fine",
    "Passwort ist falsch",
    "Never log passwords, tokens or API keys.",
    "the api key is missing in CI",
    "rename accessToken to sessionToken everywhere",
    "OAuth2 tokens use RS256, HS256 is banned",
    "base64url-encode the access token",
    "-----BEGIN CERTIFICATE----- is fine to commit",
    "0x7f11a2c42520 in lowerGep at key.cpp",
    "pass the flags to `git-diff(1)`, arguments passed to open_file2 are kept",
    "3 tests PASSED: 12 of 12",
    "login(user='', passwd='', acct='x1y2z3')",
    'tokenize="unicode61 remove_diacritics 0"',
    "bind the key to Keys.ControlShift0 here",
    "the passwordless login = magic2link",
    "",
]


@pytest.mark.parametrize("text", MENTIONS)
def test_a_mention_stays_as_it_is(text: str) -> None:
    done = mask(text)
    assert done.text == text
    assert (done.kinds, done.spans) == ((), ())


def test_several_secrets_in_one_text_are_each_masked() -> None:
    done = mask(f"password: {WORD} and the api key is {LONG}\nthen {GITHUB}")
    assert done.text == "password: [masked password] and the api key is [masked api key]\nthen [masked api key]"
    assert done.kinds == ("password", "api key")
    assert len(done.spans) == 3


def test_spans_move_with_the_text_around_a_mask() -> None:
    text = f"Never log the api key {'is'} {LONG}. Use tabs here."
    done = mask(text)
    start = text.index("Use tabs")
    moved = done.move(start, start + 8)
    assert done.text[slice(*moved)] == "Use tabs"
    inside = text.index(LONG) + 3
    assert done.text[slice(*done.move(inside, inside + 5))] == "[masked api key]"
    assert done.move(0, 5) == (0, 5)


@given(st.text(max_size=120), st.text(max_size=120))
def test_a_known_key_is_masked_whatever_stands_around_it(before: str, after: str) -> None:
    assert GITHUB not in mask(f"{before} {GITHUB} {after}").text


@given(st.text(max_size=200))
def test_unmasked_parts_are_kept_character_by_character(text: str) -> None:
    done = mask(text)
    rest, at = "", 0
    for start, end, new_start, new_end in done.spans:
        assert done.text[new_start:new_end].startswith("[masked ")
        rest += text[at:start]
        at = end
    rest += text[at:]
    bare, at = "", 0
    for *_, new_start, new_end in done.spans:
        bare += done.text[at:new_start]
        at = new_end
    assert rest == bare + done.text[at:]


UNITS = [
    "-----END PRIVATE KEY----- ",
    "-----BEGIN PRIVATE KEY-----! ",
    "a",
    "1",
    "-",
    ":",
    "://",
    "key ",
    "password: ",
    "token=",
    "sk-",
    "a1B2",
    "eyJ",
    '"',
    "密码",
    "http://a:b@",
]


@pytest.mark.parametrize("unit", [*UNITS, "<private>", "bearer ", "x is ", "password for a ", "a1.", "aB1" * 10 + " "])
def test_a_megabyte_of_one_thing_takes_below_two_seconds(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    started = time.process_time()
    mask(text)
    assert time.process_time() - started < 2


def test_text_without_any_suspicious_word_loads_no_library() -> None:
    code = (
        "import sys; from store.secrets import mask; mask('Always use tabs here, and the password is wrong.');"
        "print(any(name.startswith(('detect_secrets', 'requests')) for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_a_password_of_a_command_is_masked_without_any_word_for_it():
    assert mask("mysql -u root -p9sd8f7 shop").text == "mysql -u root -p[masked password] shop"
