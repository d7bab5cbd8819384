"""Keys in every shape are masked before anything is written; a mention without a value stays."""

from __future__ import annotations

import subprocess
import zlib
from pathlib import Path

import pytest

from tests.curate.command import curate
from tests.curate.scanning import Session, evidence_of, open_store, raw_bytes, scan, waiting
from tests.store.repositories import repository

VENDOR = "sk-" + "proj.ab12CD34ef56" + ".GH78ij90KL12mn34"
PLAIN = "Zq8vT3nL0xW5" + "rB7yK2mD9pF4" + "hJ6sC1gA8uE3iO0t"
PASSWORD = "kor" + "rekt42horse"
BEARER = "tok9" + "A8b7C6d5E4f3G2h1"
BODY = "MIIEow" + "IBAAKCAQEA7"
PEM = "-----BEGIN RSA " + f"PRIVATE KEY-----\n{BODY}\n-----END RSA " + "PRIVATE KEY-----"
PRIVATE = "my landlord is " + "Ms Okafor"

SAID = {
    "a vendor key with a dot": (f"Never print {VENDOR} in logs, always mask it in this repo.", VENDOR),
    "a key without prefix": (f"The api key is {PLAIN}, never commit it to this repo.", PLAIN),
    "an environment variable": (
        f"Always run PGPASSWORD={PASSWORD} psql -h db before you change a migration in this repo.",
        PASSWORD,
    ),
    "a url": (f"In this repo always use postgres://app:{PASSWORD}@db/x for the tests, never sqlite.", PASSWORD),
    "a pem block": (f"Never commit keys like this to this repo.\n{PEM}\nAlways use the vault.", BODY),
    "a private span": (f"Never push on Fridays in this repo. <private>{PRIVATE}</private> Always ask first.", PRIVATE),
    "a header": (f"Always call it with Authorization: Bearer {BEARER} in this repo, never without.", BEARER),
}


@pytest.mark.parametrize(("said", "secret"), SAID.values(), ids=SAID)
def test_the_rest_of_the_sentence_is_kept_around_a_visible_mask(tmp_path: Path, said: str, secret: str):
    shop = repository(tmp_path / "shop", "git@github.com:acme/shop.git")
    store = open_store(tmp_path / "store")
    file = Session(tmp_path / "t" / "s1.jsonl", shop).says(said, wrote=(shop / "a.ts",)).save()
    assert scan(store, file).created >= 1
    evidence = [one for candidate in waiting(store) for one in evidence_of(store, candidate)]
    assert all("[masked " in one.excerpt and "this repo" in one.excerpt and one.redacted for one in evidence)
    assert secret.encode() not in raw_bytes(store.root)


def test_no_byte_of_a_key_is_written_or_shown_anywhere(tmp_path: Path):
    shop = repository(tmp_path / "shop", "git@github.com:acme/shop.git")
    home = tmp_path / "store"
    session = Session(tmp_path / "t" / "s1.jsonl", shop)
    for said, _ in SAID.values():
        session.says(said, wrote=(shop / "a.ts",)).says(f"never mind: {said}")
    session.records.append(f'{{"broken": "{VENDOR} password: {PASSWORD}'.encode())
    shown = [curate(*command, "--home", home) for command in (["scan", session.save()], ["inbox", "--json"])]
    proposed = curate("propose", "--json", "--home", home)
    applied = curate("apply", "-", "--json", "--home", home, stdin=proposed.out)
    assert applied.code == 0
    shown += [proposed, applied, curate("records", "--json", "--home", home)]
    subprocess.run(["git", "init", "-q"], cwd=home, check=True)
    subprocess.run(["git", "add", "-A"], cwd=home, check=True)
    everything = raw_bytes(home) + b"".join(one.out + one.err.encode() for one in shown)
    for path in (home / ".git" / "objects").glob("??/*"):
        everything += zlib.decompress(path.read_bytes())
    leaked = [
        name
        for name, (_, secret) in SAID.items()
        for part in (secret, secret[:12], secret[-12:])
        if part.encode() in everything
    ]
    assert leaked == []


@pytest.mark.parametrize(
    "said",
    [
        "There is no API key in this build, never ask for one in this repo.",
        "Always write apiKey: env.MAPS_KEY in this repo, never a literal.",
    ],
)
def test_a_mention_without_a_value_is_unchanged(tmp_path: Path, said: str):
    store = open_store(tmp_path / "store")
    scan(store, Session(tmp_path / "t" / "s1.jsonl", tmp_path).says(said).save())
    excerpts = [one.excerpt for candidate in waiting(store) for one in evidence_of(store, candidate)]
    assert excerpts
    assert set(excerpts) == {said}
