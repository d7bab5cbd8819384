"""The common shape of models and the one way they become bytes."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """A frozen value. Fields it does not know are kept, so that a newer minor version loses nothing here."""

    model_config = ConfigDict(frozen=True, extra="allow", populate_by_name=True)

    def unknown_fields(self) -> list[str]:
        """Names of fields that this version does not define, sorted."""
        return sorted(self.__pydantic_extra__ or {})


def dump(model: Model) -> dict[str, Any]:
    """The JSON object of a model: keys in model order, then unknown ones sorted; nulls and empty lists left out.

    The same holds for models inside it; free JSON (an op's `updates`, where null means "clear") is kept as it is.
    """
    data = model.model_dump(mode="json", by_alias=True)
    for name, field in type(model).model_fields.items():
        value = getattr(model, name)
        if isinstance(value, Model):
            data[field.alias or name] = dump(value)
        elif isinstance(value, list) and value and isinstance(value[0], Model):
            data[field.alias or name] = [dump(item) for item in value]
    known = [field.alias or name for name, field in type(model).model_fields.items()]
    ordered = [*known, *sorted(set(data) - set(known))]
    return {key: data[key] for key in ordered if key in data and data[key] not in (None, [], {})}
