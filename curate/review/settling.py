"""How a dispute is settled: each way as a command for a person, and as the ops that carry it out. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from store.errors import InputError
from store.model import Op, Patch
from store.patch.build import days_after, joined, moment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curate.review.contested import Case
    from store.log.fold import Versions
    from store.state import State

SHORT = 12
"""Digits by which a version is named."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to settle it."""

    does: str
    command: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a person asks for. Exactly one of the first five is given."""

    keep: bool = False
    supersede: str | None = None
    narrow: str | None = None
    exception: str | None = None
    until: str | None = None
    over: tuple[str, ...] = ()
    """Records that lose against the one that is kept."""
    version: str | None = None
    """Of a fork: the version that is kept, by the start of its hash."""
    beside: str | None = None
    """The other record, that is narrowed too."""
    beside_when: str | None = None
    because: str | None = None


WAYS = {
    "keep": "kept", "supersede": "superseded", "narrow": "narrowed", "exception": "exception added",
    "until": "contested until",
}  # fmt: skip
"""The ways to settle a dispute, and what the history says of each."""


class CannotSettle(InputError):
    """The dispute cannot be settled in the way that was asked for."""


def ways(ident: str, case: Case | None, versions: Versions, rivals: Sequence[str]) -> list[Way]:
    """The ways that there are, most usual first."""
    audit = f"curate audit {ident}"
    if versions.forked:
        heads = sorted(versions.heads, key=lambda head: (head.at, head.hash))
        return [
            Way(f"keep version {chr(ord('A') + number)}", f"{audit} --keep --version {head.hash[:SHORT]}")
            for number, head in enumerate(heads)
        ]
    if case is None and not rivals:
        return [Way("contest it", f'{audit} --until DATE --because "WHY"')]
    over = f" --over {' --over '.join(rivals)}" if rivals else ""
    out = [Way("keep it" + (", and let it take the place of the other" if rivals else ""), f"{audit} --keep{over}")]
    out += [Way(f"let {other} take its place", f"{audit} --supersede {other}") for other in rivals]
    if not rivals:
        out.append(Way("let another memory take its place", f"{audit} --supersede ID"))
    for other in rivals:
        told = f'{audit} --narrow "WHEN" --beside {other} --beside-when "WHEN"'
        out.append(Way(f"narrow both: each holds in its own case, beside {other}", told))
    if not rivals:
        out.append(Way("narrow it to a case", f'{audit} --narrow "WHEN"'))
    out += [
        Way("keep it, with an exception", f'{audit} --exception "CASE"'),
        Way("leave it contested until a day", f'{audit} --until DATE --because "WHY"'),
    ]
    return out


def settling(state: State, ident: str, wanted: Wanted, *, patch_id: str, at: str) -> Patch:
    """The patch that settles it. Raises `CannotSettle`."""
    way = next(name for name in WAYS if getattr(wanted, name))
    summary = f"audit of {ident}: {WAYS[way]} {(wanted.until or '')[:10]}".rstrip()
    return Patch(patch_id=patch_id, created_at=at, summary=summary, ops=settle(state, ident, wanted))


def day_to_come(text: str, at: str) -> str:
    """A day after the moment `at`: a date, a time, or in how many days. Raises `CannotSettle`."""
    named = text.strip().lower()
    if named.endswith("d") and named[:-1].isdigit():
        return days_after(at, int(named[:-1]))
    try:
        day = moment(text.strip())
    except ValueError:
        raise CannotSettle(f"{text}: neither a day (2026-12-24) nor a number of days (30d)") from None
    if day <= moment(at):
        raise CannotSettle(f"{text}: that day has passed; name one to come")
    return text.strip() if "T" in text else f"{text.strip()}T00:00:00.000Z"


def settle(state: State, ident: str, wanted: Wanted) -> list[Op]:
    """The ops that settle it. Raises `CannotSettle`."""
    versions = state.records[ident]
    if versions.forked:
        return [_kept_version(versions, wanted)]
    if wanted.version is not None:
        raise CannotSettle(f"{ident} has one version only; leave out --version")
    if wanted.keep:
        ops = _uncontested(state, ident, wanted)
        ops += [_op("supersede", other, wanted, updates={"by": ident}) for other in wanted.over]
        if not ops:
            raise CannotSettle(f"{ident} is not contested; name with --over what it is kept over, see `curate audit`")
    elif wanted.supersede is not None:
        ops = [*_uncontested(state, wanted.supersede, wanted), _op("supersede", ident, wanted,
                                                                     updates={"by": wanted.supersede})]  # fmt: skip
    elif wanted.narrow is not None:
        ops = [_narrowed(state, ident, wanted.narrow, wanted)]
        if wanted.beside is not None and wanted.beside_when is not None:
            ops.append(_narrowed(state, wanted.beside, wanted.beside_when, wanted))
            ops += _uncontested(state, wanted.beside, wanted)
        ops += _uncontested(state, ident, wanted)
    elif wanted.exception is not None:
        ops = [_op("add_exception", ident, wanted, updates={"known_exceptions": [wanted.exception]})]
        ops += _uncontested(state, ident, wanted)
    else:
        contested = state.records[ident].data.get("status") == "contested"
        name = "flag_for_review" if contested else "contest"
        ops = [_op(name, ident, wanted, updates={"next_review": wanted.until})]
    return [op.model_copy(update={"op_id": f"op_{number:03}"}) for number, op in enumerate(ops, 1)]


def _kept_version(versions: Versions, wanted: Wanted) -> Op:
    if not wanted.keep or wanted.version is None:
        raise CannotSettle(f"{versions.id} has two versions; name the one to keep with --keep --version HASH")
    named = [head for head in versions.heads if head.hash.startswith(wanted.version)]
    if len(named) != 1:
        known = ", ".join(head.hash[:SHORT] for head in versions.heads)
        raise CannotSettle(f"no version {wanted.version} of {versions.id}; its versions are {known}")
    gone = [head for head in versions.heads if head.data.get("status") == "deleted"]
    lift = {"lift_tombstone": True} if gone and named[0] not in gone else {}
    return _op("resolve_fork", versions.id, wanted, updates={"keep": named[0].hash, **lift}, op_id="op_001")


def _uncontested(state: State, ident: str, wanted: Wanted) -> list[Op]:
    versions = state.records.get(ident)
    if versions is None or versions.forked or versions.data.get("status") != "contested":
        return []
    return [_op("uncontest", ident, wanted)]


def _narrowed(state: State, ident: str, when: str, wanted: Wanted) -> Op:
    if ident not in state.records:
        raise CannotSettle(f"no record {ident}; list them with `curate records`")
    known = state.records[ident].data.get("applies_when") or ()
    return _op("update", ident, wanted, updates={"applies_when": joined(known, [when])})


def _op(name: Any, target: str, wanted: Wanted, **more: Any) -> Op:
    told = {"op_id": "op", "reason": wanted.because, **more}
    return Op(op=name, target_id=target, **told)
