"""Strict JSON for configuration files: no duplicate keys or NaN, the line of every key. The twin of `yamlfile`."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from jatdae.core.errors import UsageError
from jatdae.core.messages import say
from jatdae.core.yamlfile import MAX_BYTES, MAX_DEPTH, KeyPath, YamlFile


def parse_json(data: bytes, name: str, *, allow_twice: bool = False) -> JsonFile:
    """Parse the text of a JSON file of settings; duplicate keys, NaN and depth are refused as in YAML.

    With `allow_twice` the last of duplicate keys counts, and `JsonFile.twice` tells of the others.
    """
    if len(data) > MAX_BYTES:
        raise UsageError(say("yaml_too_large", place=name, most=MAX_BYTES >> 20))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise UsageError(say("bad_yaml", place=f"{name}:{line}", problem=say("row_not_utf8"))) from None
    faults: list[str] = []
    try:
        value = json.loads(
            text,
            object_pairs_hook=lambda pairs: _mapping(pairs, faults),
            parse_constant=faults.append,
            parse_float=_finite,
        )
    except json.JSONDecodeError as error:
        place = f"{name}:{error.lineno}:{error.colno}"
        raise UsageError(say("bad_yaml", place=place, problem=say("json_invalid"))) from None
    except ValueError:  # an integer of more digits than Python converts
        raise UsageError(say("bad_yaml", place=name, problem=say("number_too_large"))) from None
    except RecursionError:
        raise UsageError(say("bad_yaml", place=name, problem=say("yaml_too_deep", most=MAX_DEPTH))) from None
    source = JsonFile(name, value, text)
    if any(faults) or (faults and not allow_twice):
        raise source.first_fault()
    if _is_deep(value):
        raise UsageError(say("bad_yaml", place=name, problem=say("yaml_too_deep", most=MAX_DEPTH)))
    return source


def _is_deep(value: Any) -> bool:
    """Whether a value is nested deeper than YAML may be."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        inside = [each for each in level if isinstance(each, (dict, list))]
        level = [item for each in inside for item in (each.values() if isinstance(each, dict) else each)]
    return bool(level)


def _mapping(pairs: list[tuple[str, Any]], faults: list[str]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        faults.append("")
    return made


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

    def first_fault(self) -> UsageError:
        """The error for the first key that stands twice in a mapping, or for the first NaN or Infinity."""
        keys: dict[tuple[KeyPath, int], int] = {}
        for path, token, line, owner in self._tokens():
            problem = ""
            if owner and (path, owner) in keys:
                problem = say("yaml_twice", key=path[-1], first=keys[path, owner])
            elif token in ("NaN", "Infinity", "-Infinity"):
                problem = say("row_without_number", name=token)
            if problem:
                return UsageError(say("bad_yaml", place=f"{self.name}:{line}", problem=problem))
            if owner:
                keys[path, owner] = line
        return UsageError(say("bad_yaml", place=self.name, problem=say("json_invalid")))

    def twice(self) -> Iterator[tuple[KeyPath, str, int]]:
        """Path, key and line of every key that stood in its mapping before."""
        keys: set[tuple[KeyPath, int]] = set()
        for path, _, line, owner in self._tokens():
            if owner and (path, owner) in keys:
                yield path, str(path[-1]), line
            if owner:
                keys.add((path, owner))

    @cached_property
    def _found(self) -> dict[KeyPath, int]:
        """The line of every key and item."""
        found: dict[KeyPath, int] = {(): 1}
        for path, _, line, _ in self._tokens():
            found.setdefault(path, line)
        return found

    def _tokens(self) -> Iterator[tuple[KeyPath, str, int, int]]:
        """Path, token and line of every key and value; of a key also the number of the mapping it is in, else 0.

        The text is known to be valid JSON.
        """
        path: list[str | int] = []
        owners: list[int] = []
        line, end, mappings, key_next = 1, 0, 0, False
        for match in _TOKEN.finditer(self.text):
            line += self.text.count("\n", end, match.start())
            end, token = match.start(), match[0]
            if token in "{[":
                yield tuple(path), token, line, 0
                mappings += 1
                owners.append(mappings)
                path.append("" if token == "{" else 0)
                key_next = token == "{"
            elif token in "}]":
                path.pop()
                owners.pop()
                key_next = False
            elif token == ",":
                key_next = isinstance(path[-1], str)
                if isinstance(path[-1], int):
                    path[-1] += 1
            elif token != ":":
                if key_next:
                    path[-1] = json.loads(token)
                yield tuple(path), token, line, owners[-1] if key_next else 0
                key_next = False
