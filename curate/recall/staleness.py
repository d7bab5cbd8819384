"""How old a record looks: a mark from 30 days on, another from 90, by the date that the request gives."""

from __future__ import annotations

OLD, VERY_OLD = 30, 90


def mark(updated: str, today: str) -> str:
    """` ⚠️ 45d`, ` 🔴 120d`, or nothing."""
    age = days_between(updated, today)
    if age is None or age < OLD:
        return ""
    return f" 🔴 {age}d" if age >= VERY_OLD else f" ⚠️ {age}d"


def days_between(before: str, after: str) -> int | None:
    """Days from one date to another (`2026-11-29`, what follows does not matter); None where one is no date."""
    first, second = _day(before), _day(after)
    return None if first is None or second is None else second - first


def _day(moment: str) -> int | None:
    """Number of a day in the Gregorian calendar."""
    year, month, day = moment[:4], moment[5:7], moment[8:10]
    if not (year.isdigit() and month.isdigit() and day.isdigit() and moment.isascii()):
        return None
    years, months = int(year), int(month)
    if months < 3:
        years, months = years - 1, months + 12
    return 365 * years + years // 4 - years // 100 + years // 400 + (153 * (months - 3) + 2) // 5 + int(day)
