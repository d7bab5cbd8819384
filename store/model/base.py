"""The common shape of models and the one way they become bytes."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import BaseModel, ConfigDict

_SCALARS = frozenset({str, bool, float, int})


class Model(BaseModel):
    """A frozen value. Fields it does not know are kept, so that a newer minor version loses nothing here."""

    model_config = ConfigDict(frozen=True, extra="allow", populate_by_name=True)


def dump(model: Model) -> dict[str, Any]:
    """The JSON object of a model: keys in model order, then unknown ones sorted; nulls and empty lists left out.

    The same holds for models inside it; free JSON (an op's `updates`, where null means "clear") is kept as it is.
    """
    values = model.__dict__
    data: dict[str, Any] = {}
    for name, key in _keys(type(model)):
        value = values[name]
        if type(value) in _SCALARS:  # most are; subclasses take the long way
            data[key] = value
        elif value:
            _put(data, key, value)
    extra = model.__pydantic_extra__
    if extra:
        for key in sorted(extra):
            _put(data, key, extra[key])
    return data


def _put(data: dict[str, Any], key: str, value: Any) -> None:
    plain = _plain(value)
    if plain is not None and plain not in ([], {}):
        data[key] = plain


def _plain(value: Any) -> Any:
    """A field's value as JSON has it. Fields hold nothing but text, numbers, lists, models and free JSON."""
    if type(value) in _SCALARS:
        return value
    if isinstance(value, Model):
        return dump(value)
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value


@cache
def _keys(model: type[Model]) -> list[tuple[str, str]]:
    """Attribute and JSON key of each field, in model order."""
    return [(name, field.alias or name) for name, field in model.model_fields.items()]
