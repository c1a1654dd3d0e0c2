"""Strict JSON for configuration files: no duplicate keys or NaN, the line of every key. The twin of `yamlfile`."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from jatdae.core.errors import UsageError
from jatdae.core.messages import say
from jatdae.core.yamlfile import MAX_BYTES, MAX_DEPTH, KeyPath, YamlFile


def parse_json(data: bytes, name: str) -> JsonFile:
    """Parse the text of a JSON file of settings; duplicate keys, NaN and depth are refused as in YAML."""
    if len(data) > MAX_BYTES:
        raise UsageError(say("yaml_too_large", place=name, most=MAX_BYTES >> 20))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise UsageError(say("bad_yaml", place=f"{name}:{line}", problem=say("row_not_utf8"))) from None
    source = JsonFile(name, None, text)
    try:
        value = json.loads(text, object_pairs_hook=_pairs, parse_constant=_refuse_constant, parse_float=_finite)
    except json.JSONDecodeError as error:
        place = f"{name}:{error.lineno}:{error.colno}"
        raise UsageError(say("bad_yaml", place=place, problem=say("json_invalid"))) from None
    except ValueError:  # an integer of more digits than Python converts
        raise UsageError(say("bad_yaml", place=name, problem=say("number_too_large"))) from None
    except RecursionError:
        raise UsageError(say("bad_yaml", place=name, problem=say("yaml_too_deep", most=MAX_DEPTH))) from None
    except _RefusedError as error:
        raise UsageError(say("bad_yaml", place=source.find(error.key), problem=error.problem)) from None
    if _is_deep(value):
        raise UsageError(say("bad_yaml", place=name, problem=say("yaml_too_deep", most=MAX_DEPTH)))
    return JsonFile(name, value, text)


def _is_deep(value: Any) -> bool:
    """Whether a value is nested deeper than YAML may be."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        inside = [each for each in level if isinstance(each, (dict, list))]
        level = [item for each in inside for item in (each.values() if isinstance(each, dict) else each)]
    return bool(level)


class _RefusedError(Exception):
    def __init__(self, key: str, problem: str) -> None:
        self.key, self.problem = key, problem


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise _RefusedError(twice, say("json_twice", key=twice))
    return made


def _refuse_constant(name: str) -> Any:
    raise _RefusedError(name, say("row_without_number", name=name))


def _finite(text: str) -> float | str:
    number = float(text)
    return number if math.isfinite(number) else text


_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+')


@dataclass(frozen=True)
class JsonFile(YamlFile):
    """Content of a JSON file; the lines of its keys are looked for when an error needs them."""

    text: str = ""
    lines: dict[KeyPath, int] = field(default_factory=dict, init=False)

    def line(self, path: KeyPath) -> int:
        """The line of a key, or of the nearest one above it that is there."""
        known = path
        while known and known not in self._found:
            known = known[:-1]
        return self._found.get(known, 1)

    def find(self, token: str) -> str:
        """The place of the last time a key or word stands in the text."""
        at = max(self.text.rfind(json.dumps(token, ensure_ascii=False)), self.text.rfind(token))
        return f"{self.name}:{self.text.count(chr(10), 0, max(at, 0)) + 1}"

    @cached_property
    def _found(self) -> dict[KeyPath, int]:
        """The line of every key and item; the text is known to be valid JSON."""
        found: dict[KeyPath, int] = {(): 1}
        path: list[str | int] = []
        line, end, key_next = 1, 0, False
        for match in _TOKEN.finditer(self.text):
            line += self.text.count("\n", end, match.start())
            end, token = match.start(), match[0]
            if token in "{[":
                found.setdefault(tuple(path), line)
                path.append("" if token == "{" else 0)
                key_next = token == "{"
            elif token in "}]":
                path.pop()
                key_next = False
            elif token == ",":
                key_next = isinstance(path[-1], str)
                if isinstance(path[-1], int):
                    path[-1] += 1
            elif token != ":":
                if key_next and path:
                    path[-1] = json.loads(token)
                found.setdefault(tuple(path), line)
                key_next = False
        return found
