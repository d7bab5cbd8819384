"""The service in OpenAPI 3.1, from the models that check its requests."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from pydantic.json_schema import models_json_schema

from curate import __version__
from curate.service.asked import Context, Event, Outcome, Remember, Retrieve

_OBJECT: dict[str, Any] = {"type": "object"}
_STRINGS = {"type": "array", "items": {"type": "string"}}


def _answer(says: str, *required: str, **properties: Any) -> dict[str, Any]:
    schema = {"type": "object", "required": list(required), "properties": properties}
    return {"description": says, "content": {"application/json": {"schema": schema}}}


_ERROR = _answer(
    "What was wrong, and what to do.", "error",
    error={"type": "object", "required": ["code", "message"],
           "properties": {"code": {"type": "string"}, "message": {"type": "string"}}},
)  # fmt: skip
_NUMBER, _STRING, _FLAG = {"type": "integer"}, {"type": "string"}, {"type": "boolean"}
_MAYBE = {"type": ["string", "null"]}
_OBJECTS = {"type": "array", "items": _OBJECT}


@lru_cache(maxsize=2)
def description(*, hooks: bool = False) -> dict[str, Any]:
    """The document that `/openapi.json` serves, with the events of `hooks` where those are answered."""
    models = (Retrieve, Context, Remember, Outcome, *((Event,) if hooks else ()))
    _, schemas = models_json_schema(
        [(model, "validation") for model in models], ref_template="#/components/schemas/{model}"
    )
    capture = {"task_id": _MAYBE, "turn": _NUMBER, "capturedAt": _MAYBE, "meta": _OBJECT, "items": _OBJECTS,
               "trace": _OBJECT, "turns": _OBJECTS}  # fmt: skip
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "curate", "version": __version__,
            "description": "Memory for coding agents: what a turn needs to know, and what to propose for keeping.",
        },
        "components": {
            "schemas": schemas.get("$defs", {}),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}],
        "paths": {
            "/health": {"get": _get("Whether it runs.", _answer("It runs.", "ok", "version", ok=_FLAG, version=_STRING),
                                    open_to_all=True)},
            "/openapi.json": {"get": _get("This document.", _answer("The document."), open_to_all=True)},
            "/metrics": {"get": _get("Figures for Prometheus.", {
                "description": "Text.", "content": {"text/plain": {"schema": {"type": "string"}}}})},
            "/api/retrieve": {"post": _post(
                "What is known about a prompt.", "Retrieve", 200,
                _answer("The block, its items and the funnel.", "markdown", "items", "trace", "meta",
                        markdown=_STRING, items=_OBJECTS, trace=_OBJECT, meta=_OBJECT))},
            "/api/retrieve-capture": {"get": _get(
                "What a session's turns were given.", _answer("A turn, and all of them.", *capture, **capture),
                parameters=[
                    {"name": "task_id", "in": "query", "required": True, "schema": {"type": "string", "minLength": 1}},
                    {"name": "turn", "in": "query", "schema": {"type": "integer", "minimum": 0, "maximum": 999999999}},
                ], missing=True)},
            "/v1/context": {"post": _post(
                "The block for a turn.", "Context", 200,
                _answer("The block and what each line cost.", "text", "entries", "totalTokens", "truncated",
                        text=_STRING, entries=_OBJECTS, totalTokens=_NUMBER, truncated=_FLAG))},
            "/v1/remember": {"post": _post(
                "Propose something to remember: a candidate, never a record.", "Remember", 202,
                _answer("What became of it.", "created", "reinforced", "candidates", created=_NUMBER,
                        reinforced=_NUMBER, known=_NUMBER, tombstoned=_NUMBER, candidates=_STRINGS))},
            "/v1/outcomes": {"post": _post(
                "Say how work of one kind went.", "Outcome", 201, _answer("As it was written.", "domain", "ok",
                                                                          domain=_STRING, ok=_FLAG))},
            **({"/hooks/claude-code": {"post": _post(
                "An event of Claude Code: memory for a prompt, a capture at the end of a turn.", "Event", 200,
                _answer("What Claude Code takes; empty where there is nothing to say.",
                        hookSpecificOutput=_OBJECT))}} if hooks else {}),
        },
    }  # fmt: skip


def _get(says: str, answer: dict[str, Any], *, parameters: list[dict[str, Any]] | None = None,
         open_to_all: bool = False, missing: bool = False) -> dict[str, Any]:  # fmt: skip
    refused = {} if open_to_all else {"401": _ERROR}
    if parameters:
        refused |= {"422": _ERROR}
    if missing:
        refused |= {"404": _ERROR}
    return {
        "summary": says,
        **({"security": []} if open_to_all else {}),
        **({"parameters": parameters} if parameters else {}),
        "responses": {"200": answer, **refused, "503": _ERROR, "504": _ERROR},
    }


def _post(says: str, model: str, status: int, answer: dict[str, Any]) -> dict[str, Any]:
    body = {"required": True, "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{model}"}}}}
    refused = {str(code): _ERROR for code in (400, 401, 413, 422, 503, 504)}
    return {"summary": says, "requestBody": body, "responses": {str(status): answer, **refused}}
