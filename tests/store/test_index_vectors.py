"""Meaning by arithmetic on whole numbers: it must be the arithmetic of vectors."""

from __future__ import annotations

import math
import random
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from store.index.chunks import BYTES, distances
from store.index.encoder import DIMS, Encoder, cosines, length, signature, small
from store.index.pieces import FOLDER, Pieces


def likeness(one: str, other: str) -> float:
    encoder = Encoder()
    packed = small(encoder.record(other)[0])
    (value,) = cosines(encoder.query(one, lambda _: {}), [packed], [length(packed)])
    encoder.close()
    return value


def test_what_means_the_same_is_nearer_than_what_does_not():
    asked = "speed up the boot of the service"
    assert likeness(asked, "Do not add pandas: it doubled the cold start.") > likeness(
        asked, "Name branches by ticket."
    )
    assert likeness("commit this", "Commit messages are in the imperative.") > 0.5
    assert likeness("what time is it in Lima?", "Handlers are async.") < 0.2


def test_pieces_are_those_of_the_vocabulary():
    vocabulary = (Path(FOLDER) / "vocab.txt").read_text("utf-8").split("\n")
    pieces = Pieces()
    split = [vocabulary[piece] for piece in pieces.of("Tokenization of pnpm-lock.yaml, naïvely: 安装")]
    assert split == [
        "token", "##ization", "of", "p", "##np", "##m", "-", "lock", ".", "ya", "##ml", ",", "naive", "##ly", ":",
        "安", "[UNK]",
    ] or "".join(split).replace("##", "").startswith("tokenizationofpnpm-lock.yaml,naively:")  # fmt: skip
    assert all(0 <= piece < len(vocabulary) for piece in pieces.of("\x00 ''' ∑ 🎉 " + "x" * 200))


@settings(deadline=None, max_examples=25)
@given(st.lists(st.lists(st.integers(-1000, 1000), min_size=DIMS, max_size=DIMS), min_size=2, max_size=6))
def test_cosines_are_cosines(vectors: list[list[int]]):
    query, rest = vectors[0], vectors[1:]
    packed = [small(vector) for vector in rest]
    found = cosines(query, packed, [length(each) for each in packed])
    for vector, value in zip(rest, found, strict=True):
        norm = math.hypot(*query) * math.hypot(*vector)
        expected = sum(a * b for a, b in zip(query, vector, strict=True)) / norm if norm else 0.0
        assert abs(value - expected) < 0.03


def test_distances_count_bits():
    rng = random.Random(5)
    signatures = [rng.getrandbits(8 * BYTES) for _ in range(5000)]
    asked = rng.getrandbits(8 * BYTES)
    packed = b"".join(each.to_bytes(BYTES, "little") for each in signatures)
    assert list(distances(packed, asked)) == [(each ^ asked).bit_count() for each in signatures]


def test_a_signature_has_a_bit_for_each_number():
    assert signature([1] * DIMS) == (1 << DIMS) - 1
    assert signature([-1, 0] * (DIMS // 2)) == 0
