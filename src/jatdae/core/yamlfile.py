"""Strict YAML for configuration files: YAML 1.2 scalars, no aliases or duplicate keys, the line of every key."""

from __future__ import annotations

import math
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

import yaml

from jatdae.core.errors import UsageError
from jatdae.core.messages import os_problem, say, shown

MAX_BYTES: Final = 16 << 20
MAX_FILE_BYTES: Final = 64 << 20
"""Of a file of settings in any format."""
MAX_DEPTH: Final = 100
MAX_VALUES: Final = 1_000_000

KeyPath = tuple[str | int, ...]


def _float(text: str) -> float | str:
    """A number, or the text itself where it is beyond what a float can hold."""
    number = float(text)
    return number if math.isfinite(number) else text


_SCALARS: Final[list[tuple[re.Pattern[str], Any]]] = [
    (re.compile(r"(?:~|null|Null|NULL|)\Z"), lambda _: None),
    (re.compile(r"(?:true|True|TRUE)\Z"), lambda _: True),
    (re.compile(r"(?:false|False|FALSE)\Z"), lambda _: False),
    (re.compile(r"[-+]?[0-9]{1,4000}\Z"), int),
    (re.compile(r"0o[0-7]{1,1000}\Z"), lambda text: int(text[2:], 8)),
    (re.compile(r"0x[0-9a-fA-F]{1,1000}\Z"), lambda text: int(text[2:], 16)),
    (re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z"), _float),
]
_FIRST: Final = frozenset(("", *"~nNtTfF+-.0123456789"))
"""First characters of scalars that are no strings: most words need no look at the patterns."""
_TAGS: Final = {
    yaml.ScalarEvent: "tag:yaml.org,2002:str",
    yaml.SequenceStartEvent: "tag:yaml.org,2002:seq",
    yaml.MappingStartEvent: "tag:yaml.org,2002:map",
}
_FORBIDDEN: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
"""Characters YAML does not know (YAML 1.2, 5.1)."""


@dataclass(frozen=True)
class YamlFile:
    """Content of a YAML file with the line of every key."""

    name: str
    value: Any
    lines: dict[KeyPath, int]

    def place(self, path: KeyPath) -> str:
        """`file:line (key.path)` of a key, or of the nearest one above it that is there."""
        key = "".join(f"[{part}]" if isinstance(part, int) else f".{shown(part)}" for part in path).lstrip(".")
        line = self.line(path)
        return self.name + (f":{line}" if line else "") + (f" ({key})" if key else "")

    def line(self, path: KeyPath) -> int:
        """The line of a key, or of the nearest one above it that is there; 0 for content that is not from a file."""
        known = path
        while known and known not in self.lines:
            known = known[:-1]
        return self.lines.get(known, 1 if self.lines else 0)


def read_yaml(path: str | Path) -> YamlFile:
    """Read a YAML file of settings; anything but plain values is refused with its line."""
    return parse_yaml(read_whole(path, MAX_BYTES), str(path))


def read_whole(path: str | Path, most: int = MAX_FILE_BYTES) -> bytes:
    """Read a file of settings; a device, a pipe or a file of more than `most` bytes is refused before it is read."""
    try:
        refuse_endless(Path(path))
        if Path(path).stat().st_size <= most:
            with Path(path).open("rb") as file:
                data = file.read(most + 1)
            if len(data) <= most:  # files under /proc say that they are empty, and others still grow
                return data
    except OSError as error:
        raise UsageError(say("cannot_read", place=path, problem=os_problem(error))) from None
    raise UsageError(say("yaml_too_large", place=path, most=most >> 20))


def refuse_endless(path: Path, name: str = "") -> None:
    """Refuse a device or a pipe where a file is wanted, called `name` in the message: reading it may never end."""
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise UsageError(say("not_regular", place=name or path))


def parse_yaml(data: bytes | str, name: str) -> YamlFile:
    """Parse the text of a YAML file of settings, called `name` in messages; only plain values are taken."""
    if len(data) > MAX_BYTES:
        raise UsageError(say("yaml_too_large", place=name, most=MAX_BYTES >> 20))
    try:
        text = data if isinstance(data, str) else data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise UsageError(say("bad_yaml", place=f"{name}:{line}", problem=say("row_not_utf8"))) from None
    if forbidden := _FORBIDDEN.search(text):
        line, code = text.count("\n", 0, forbidden.start()) + 1, ord(forbidden[0])
        raise UsageError(say("bad_yaml", place=f"{name}:{line}", problem=say("yaml_character", code=f"U+{code:04X}")))
    builder = _Builder(text, name)
    try:
        return YamlFile(name, builder.document(), builder.lines)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise UsageError(say("bad_yaml", place=f"{name}:{line}", problem=_words(error))) from None


def _words(error: yaml.MarkedYAMLError) -> str:
    return say("yaml_syntax", problem=error.problem or error.context)


class _Builder:
    """Plain values from the parser's events."""

    def __init__(self, text: str, name: str) -> None:
        self._events: Iterator[Any] = iter(yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
        self._name = name
        self._values = 0
        self.lines: dict[KeyPath, int] = {}

    def document(self) -> Any:
        value: Any = None
        documents = 0
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self._refuse(event, say("yaml_second_document"))
                value = self._value(next(self._events), ())
        return value

    def _value(self, event: Any, path: KeyPath) -> Any:
        self._values += 1
        if self._values > MAX_VALUES:
            self._refuse(event, say("yaml_too_many", most=MAX_VALUES))
        if len(path) > MAX_DEPTH:
            self._refuse(event, say("yaml_too_deep", most=MAX_DEPTH))
        if isinstance(event, yaml.AliasEvent):
            self._refuse(event, say("yaml_alias", name=event.anchor))
        self._check_tag(event)
        self.lines.setdefault(path, _line(event))
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event)
        if isinstance(event, yaml.SequenceStartEvent):
            items: list[Any] = []
            while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
                items.append(self._value(event, (*path, len(items))))
            return items
        return self._mapping(path)

    def _mapping(self, path: KeyPath) -> dict[str, Any]:
        made: dict[str, Any] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            if not isinstance(event, yaml.ScalarEvent):
                self._refuse(event, say("yaml_key"))
            self._check_tag(event)
            key = event.value
            if key in made:
                self._refuse(event, say("yaml_twice", key=key, first=self.lines[(*path, key)]))
            self.lines[(*path, key)] = _line(event)
            made[key] = self._value(next(self._events), (*path, key))
        return made

    def _scalar(self, event: Any) -> Any:
        text = event.value
        if event.implicit[0] and not event.tag and text[:1] in _FIRST:
            for pattern, convert in _SCALARS:
                if pattern.match(text):
                    return convert(text)
        return text

    def _check_tag(self, event: Any) -> None:
        """Only the tags that say what is plain anyway."""
        if event.tag and event.tag != _TAGS[type(event)]:
            self._refuse(event, say("yaml_tag", tag=event.tag))

    def _refuse(self, event: Any, problem: str) -> NoReturn:
        raise UsageError(say("bad_yaml", place=f"{self._name}:{_line(event)}", problem=problem))


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1
