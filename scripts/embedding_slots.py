"""Writes the hash table over the pieces of store/index/table/vocab.txt: `slots.u16` and `offsets.u32`."""

from __future__ import annotations

from pathlib import Path

from store.index.pieces import COUNT, FOLDER, PRIME, SLOTS

EMPTY = 0xFFFF


def main() -> None:
    """Place each piece in the first free slot from where its bytes lead."""
    folder = Path(FOLDER)
    raw = (folder / "vocab.txt").read_bytes()
    pieces = raw.split(b"\n")[:COUNT]
    slots = [EMPTY] * SLOTS
    offsets = []
    offset = 0
    for ident, piece in enumerate(pieces):
        offsets.append(offset)
        offset += len(piece) + 1
        slot = int.from_bytes(piece, "little") % PRIME
        while slots[slot] != EMPTY:
            slot = (slot + 1) % SLOTS
        slots[slot] = ident
    (folder / "slots.u16").write_bytes(b"".join(slot.to_bytes(2, "little") for slot in slots))
    (folder / "offsets.u32").write_bytes(b"".join(at.to_bytes(4, "little") for at in offsets))


if __name__ == "__main__":
    main()
