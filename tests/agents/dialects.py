"""The four languages in which agents talk to a model: what a request says, and a reply as each expects it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

SYSTEM = "system prompt"
_ids = count(1)


@dataclass(frozen=True)
class Tool:
    """A call of one of the agent's tools. Some take free text instead of arguments."""

    name: str
    arguments: dict[str, Any] | None = None
    text: str = ""


@dataclass(frozen=True)
class Reply:
    """What the model says next."""

    text: str
    tool: Tool | None = None


@dataclass(frozen=True)
class Said:
    """A message of a request: whose it is, and its text. What instructs the model as a whole is the system prompt."""

    who: str
    text: str


def ident(kind: str) -> str:
    return f"{kind}_{next(_ids):08d}"


def texts(content: Any) -> str:
    """The text in the content of a message, whatever its shape; what tools gave is not text."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(filter(None, map(texts, content)))
    if isinstance(content, dict) and content.get("type") != "tool_result":
        return texts(content.get("text"))
    return ""


class Messages:
    """Anthropic Messages."""

    path = "/messages"
    named_events = True

    def said(self, body: dict[str, Any]) -> Iterator[Said]:
        yield Said(SYSTEM, texts(body.get("system")))
        for message in body["messages"]:
            content = message["content"]
            tool = isinstance(content, list) and any(block.get("type") == "tool_result" for block in content)
            yield Said("tool" if tool else message["role"], texts(content))

    def answer(self, reply: Reply, model: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        blocks: list[dict[str, Any]] = [{"type": "text", "text": reply.text}]
        if reply.tool:
            blocks.append(
                {"type": "tool_use", "id": ident("toolu"), "name": reply.tool.name, "input": reply.tool.arguments}
            )
        stop = "tool_use" if reply.tool else "end_turn"
        usage = {"input_tokens": 9, "output_tokens": 9}
        whole = {"id": ident("msg"), "type": "message", "role": "assistant", "model": model, "content": blocks,
                 "stop_reason": stop, "stop_sequence": None, "usage": usage}  # fmt: skip
        events: list[dict[str, Any]] = [
            {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}}
        ]
        for index, block in enumerate(blocks):
            if block["type"] == "text":
                empty, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}
            else:
                empty = {**block, "input": {}}
                delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
            events += [
                {"type": "content_block_start", "index": index, "content_block": empty},
                {"type": "content_block_delta", "index": index, "delta": delta},
                {"type": "content_block_stop", "index": index},
            ]
        end = {"stop_reason": stop, "stop_sequence": None}
        events += [
            {"type": "message_delta", "delta": end, "usage": {"output_tokens": 9}},
            {"type": "message_stop"},
        ]
        return whole, events


class Completions:
    """OpenAI Chat Completions."""

    path = "/chat/completions"
    named_events = False

    def said(self, body: dict[str, Any]) -> Iterator[Said]:
        for message in body["messages"]:
            role = message["role"]
            yield Said(SYSTEM if role in {"system", "developer"} else role, texts(message.get("content")))

    def answer(self, reply: Reply, model: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        base = {"id": ident("chatcmpl"), "created": 1, "model": model}
        usage = {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18}
        message: dict[str, Any] = {"role": "assistant", "content": reply.text}
        end = "stop"
        if reply.tool:
            function = {"name": reply.tool.name, "arguments": json.dumps(reply.tool.arguments)}
            message["tool_calls"] = [{"id": ident("call"), "type": "function", "function": function}]
            end = "tool_calls"
        whole = {**base, "object": "chat.completion", "usage": usage,
                 "choices": [{"index": 0, "message": message, "finish_reason": end}]}  # fmt: skip
        calls = [{"tool_calls": [{"index": 0, **call}]} for call in message.get("tool_calls", ())]
        deltas = [({"role": "assistant", "content": reply.text}, None), *((call, None) for call in calls), ({}, end)]
        events = [
            {**base, "object": "chat.completion.chunk",
             "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
            for delta, finish in deltas
        ]  # fmt: skip
        return whole, [*events, {**base, "object": "chat.completion.chunk", "choices": [], "usage": usage}]


class Responses:
    """OpenAI Responses."""

    path = "/responses"
    named_events = True

    def said(self, body: dict[str, Any]) -> Iterator[Said]:
        yield Said(SYSTEM, texts(body.get("instructions")))
        items = body["input"]
        for item in [{"role": "user", "content": items}] if isinstance(items, str) else items:
            kind = item.get("type", "message")
            who = item.get("role", "assistant") if kind == "message" else "assistant"
            yield Said("tool" if kind.endswith("_output") else who, texts(item.get("content")))

    def answer(self, reply: Reply, model: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        words = {"type": "output_text", "text": reply.text, "annotations": []}
        output: list[dict[str, Any]] = [
            {"type": "message", "id": ident("msg"), "role": "assistant", "status": "completed", "content": [words]}
        ]
        if reply.tool:
            call = {"id": ident("fc"), "call_id": ident("call"), "status": "completed", "name": reply.tool.name}
            if reply.tool.text:
                output.append({"type": "custom_tool_call", **call, "input": reply.tool.text})
            else:
                output.append({"type": "function_call", **call, "arguments": json.dumps(reply.tool.arguments)})
        usage = {"input_tokens": 9, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 9,
                 "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 18}  # fmt: skip
        whole = {"id": ident("resp"), "object": "response", "created_at": 1, "model": model, "status": "completed",
                 "error": None, "incomplete_details": None, "output": output, "usage": usage}  # fmt: skip
        events: list[dict[str, Any]] = [
            {"type": "response.created", "response": {**whole, "status": "in_progress", "output": [], "usage": None}}
        ]
        for index, item in enumerate(output):
            started = {**item, "status": "in_progress", **({"content": []} if "content" in item else {})}
            events += [
                {"type": "response.output_item.added", "output_index": index, "item": started},
                {"type": "response.output_item.done", "output_index": index, "item": item},
            ]
        events.append({"type": "response.completed", "response": whole})
        return whole, [{**event, "sequence_number": number} for number, event in enumerate(events)]


class GenerateContent:
    """Gemini."""

    path = "enerateContent"
    named_events = False

    def said(self, body: dict[str, Any]) -> Iterator[Said]:
        yield Said(SYSTEM, texts((body.get("systemInstruction") or {}).get("parts")))
        for content in body["contents"]:
            tool = any("functionResponse" in part for part in content["parts"])
            who = {"model": "assistant"}.get(content.get("role", "user"), content.get("role", "user"))
            yield Said("tool" if tool else who, texts(content["parts"]))

    def answer(self, reply: Reply, model: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        parts: list[dict[str, Any]] = [{"text": reply.text}]
        if reply.tool:
            call = {"id": ident("call"), "name": reply.tool.name, "args": reply.tool.arguments}
            parts.append({"functionCall": call})
        content = {"role": "model", "parts": parts}
        usage = {"promptTokenCount": 9, "candidatesTokenCount": 9, "totalTokenCount": 18}
        whole = {"responseId": ident("resp"), "modelVersion": model, "usageMetadata": usage,
                 "candidates": [{"index": 0, "content": content, "finishReason": "STOP"}]}  # fmt: skip
        return whole, [whole]


Dialect = Messages | Completions | Responses | GenerateContent
DIALECTS: tuple[Dialect, ...] = (Completions(), Messages(), Responses(), GenerateContent())


def dialect_of(path: str) -> Dialect | None:
    """The language that is spoken at a path."""
    return next((each for each in DIALECTS if path.endswith(each.path)), None)
