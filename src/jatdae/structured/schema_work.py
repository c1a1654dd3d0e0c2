"""How much work a JSON Schema with references makes: jsonschema-rs follows them again wherever they stand.

Two references to one subschema double the work, and if that has two references too, it doubles again: thirty lines of
schema can take days. Without references the work is at most schema times document, and nothing is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from graphlib import TopologicalSorter
from itertools import chain
from typing import Any, Final
from urllib.parse import unquote

from jatdae.core.yamlfile import KeyPath

MAX_SUBSCHEMAS: Final = 10_000_000
"""Subschemas of a schema with every reference written out; a reference into a circle counts as one."""
MAX_TARGETS: Final = 5_000
"""Different references of one schema."""
MAX_REPEATS: Final = 50_000
"""Times that a subschema is applied to a value of a document again, after the first time."""
FEW_SUBSCHEMAS: Final = 10_000
"""A schema of no more than these, without circles, needs no count for each document."""

_REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")
_HERE: Final = ("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies")
"""Keywords whose subschemas apply to the same value."""
_IN_OBJECTS: Final = ("patternProperties", "additionalProperties", "unevaluatedProperties", "propertyNames")
_IN_ARRAYS: Final = ("prefixItems", "items", "additionalItems", "unevaluatedItems", "contains")

Node = Mapping[str, Any]


class SchemaWork:
    """The references of a JSON Schema, and the work they make."""

    def __init__(self, document: Any) -> None:
        self._root = document
        self._named: dict[str, Any] = {}
        self._targets: dict[str, Any] = {}
        for node in objects_in(document):
            for keyword in ("$id", "$anchor", "$dynamicAnchor"):
                if isinstance(name := node.get(keyword), str):
                    self._named.setdefault(name if keyword == "$id" else f"#{name}", node)
        for ref in chain.from_iterable(map(_refs, objects_in(document))):
            self._targets.setdefault(ref, self._find(ref))

    @cached_property
    def too_much(self) -> bool:
        """Whether the schema has too many references, or too many subschemas with the references written out."""
        return len(self._targets) > MAX_TARGETS or self._size > MAX_SUBSCHEMAS

    @cached_property
    def counted(self) -> bool:
        """Whether the work on a document has to be counted before its errors are listed."""
        return bool(self._targets) and (bool(self._circular) or self._size > FEW_SUBSCHEMAS)

    def is_too_much_for(self, value: Any) -> bool:
        """Whether the subschemas are applied too often to the same values of a document."""
        repeats = 0
        stack: list[tuple[Any, list[tuple[Node, int]]]] = [(value, [(self._root, 1)])]
        while stack:
            value, starts = stack.pop()
            nodes: dict[int, Node] = {}
            times: Counter[int] = Counter()
            while starts:  # from subschemas to those that they apply to the same value, until there are no more
                for node, count in starts:
                    nodes[id(node)] = node
                    times[id(node)] += count
                if repeats + times.total() - len(times) > MAX_REPEATS:
                    return True
                starts = _added_up((sub, count) for node, count in starts for sub in self._here(node))
            repeats += times.total() - len(times)
            applied = [(node, times[at]) for at, node in nodes.items()]
            for key, item in _items(value):
                if below := _added_up((sub, count) for node, count in applied for sub in _below(node, key)):
                    stack.append((item, below))
        return False

    @cached_property
    def _references(self) -> dict[str, Counter[str]]:
        """For each reference how often other references stand in what it points at; that of the whole is ""."""
        whole = {"": self._root, **self._targets}
        return {ref: Counter(chain.from_iterable(map(_refs, objects_in(target)))) for ref, target in whole.items()}

    @cached_property
    def _circular(self) -> set[str]:
        """The references that lead back to themselves. Sets of references are the bits of integers."""
        bits = {ref: 1 << at for at, ref in enumerate(self._references)}
        reached = {ref: sum(bits[other] for other in found) for ref, found in self._references.items()}
        for middle, bit in bits.items():
            for ref, found in reached.items():
                if found & bit:
                    reached[ref] |= reached[middle]
        return {ref for ref, bit in bits.items() if reached[ref] & bit}

    @cached_property
    def _size(self) -> int:
        """Subschemas with the references written out."""
        straight = {
            ref: {other for other in found if other not in self._circular} for ref, found in self._references.items()
        }
        sizes = dict.fromkeys(self._circular, 1)
        for ref in TopologicalSorter(straight).static_order():
            own = sum(1 for _ in objects_in(self._targets[ref] if ref else self._root))
            size = own + sum(count * sizes[other] for other, count in self._references[ref].items())
            sizes[ref] = 1 if ref in self._circular else size
        return sizes[""]

    def _find(self, ref: str) -> Any:
        """What a reference points at; None where that is not in the schema."""
        if ref in self._named:
            return self._named[ref]
        base, _, pointer = ref.partition("#")
        return pointed_at(self._named.get(base) if base else self._root, pointer)[1]

    def _here(self, node: Node) -> Iterator[Node]:
        """The subschemas that one applies to the same value as itself."""
        for ref in _refs(node):
            if isinstance(target := self._targets[ref], Mapping):
                yield target
        for keyword in _HERE:
            yield from _schemas(node.get(keyword), named=keyword.startswith("depend"))


def pointed_at(document: Any, pointer: str) -> tuple[KeyPath, Any]:
    """The place that a JSON Pointer leads to in a JSON Schema, and what is there; None where there is nothing."""
    found = document
    place: list[str | int] = []
    for part in pointer.split("/")[1:]:
        name = unquote(part).replace("~1", "/").replace("~0", "~")
        if isinstance(found, list) and name.isdigit() and int(name) < len(found):
            place.append(int(name))
            found = found[int(name)]
        else:
            place.append(name)
            found = found.get(name) if isinstance(found, Mapping) else None
    return tuple(place), found


def objects_in(document: Any) -> Iterator[Node]:
    """All objects in a JSON Schema or another JSON value, itself included."""
    stack = [document]
    while stack:
        value = stack.pop()
        if isinstance(value, Mapping):
            yield value
            stack.extend(value.values())
        elif isinstance(value, list):
            stack.extend(value)


def _refs(node: Node) -> list[str]:
    return [ref for keyword in _REFERENCES if isinstance(ref := node.get(keyword), str)]


def _schemas(value: Any, *, named: bool = False) -> Iterator[Node]:
    """The subschemas that are the value of a keyword: one, or several in a list or by name."""
    several = value if isinstance(value, list) else value.values() if named and isinstance(value, Mapping) else [value]
    return (schema for schema in several if isinstance(schema, Mapping))


def _below(node: Node, key: str | int) -> Iterator[Node]:
    """The subschemas that one applies to the value under a key or at an index, and some that it may not apply."""
    if isinstance(key, int):
        for keyword in _IN_ARRAYS:
            yield from _schemas(node.get(keyword))
        return
    properties = node.get("properties")
    if isinstance(properties, Mapping) and key in properties:
        yield from _schemas(properties[key])
    for keyword in _IN_OBJECTS:
        yield from _schemas(node.get(keyword), named=keyword == "patternProperties")


def _items(value: Any) -> Iterator[tuple[str | int, Any]]:
    if isinstance(value, Mapping):
        yield from value.items()
    elif isinstance(value, list):
        yield from enumerate(value)


def _added_up(found: Iterator[tuple[Node, int]]) -> list[tuple[Node, int]]:
    nodes: dict[int, Node] = {}
    times: Counter[int] = Counter()
    for node, count in found:
        nodes[id(node)] = node
        times[id(node)] += count
    return [(node, times[at]) for at, node in nodes.items()]
