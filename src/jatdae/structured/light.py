"""The light schema dialect: names mapped to what is wanted of each.

    total_amount: {type: number, required: true}
    diagnosis_code: {type: string, pattern: "[A-Z]\\\\d{2}"}        # anchored at the start
    procedures: {type: array, items: {children: {code: {type: string, required: true}}}}

`type` is string, number, date, boolean, object or array; without it a field with `children` is an object, one with
`items` an array, any other a string. A number or date written as text counts as one. Patterns run on RE2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import re2  # type: ignore[import-untyped]

from jatdae.core.errors import UsageError
from jatdae.core.messages import near
from jatdae.structured.dates import date_of
from jatdae.structured.kinds import kind_of
from jatdae.structured.numerals import number_of
from jatdae.structured.paths import ROOT, written_key
from jatdae.structured.schema import MAX_ERRORS, SchemaError

TYPES: Final = ("string", "number", "date", "boolean", "object", "array")
_KEYWORDS: Final = ("type", "required", "pattern", "min_length", "max_length", "children", "items")
_MAX_DEPTH: Final = 100


class LightSchema:
    """A schema in the light dialect, checked and with its patterns compiled."""

    def __init__(self, document: Any, place: str) -> None:
        self._place = place
        self._patterns: dict[str, Any] = {}
        self._check_fields(document, ROOT, 0)
        self._fields: Mapping[str, Any] = document

    def errors(self, value: Any) -> list[SchemaError]:
        """Everything wrong with a document."""
        found: list[SchemaError] = []
        if not isinstance(value, dict):
            return [SchemaError(ROOT, "type", f"an object is wanted, this is {_name(value)}")]
        for error in self._in_object(value, self._fields, ""):
            found.append(error)
            if len(found) == MAX_ERRORS:
                break
        return found

    def _in_object(self, value: dict[str, Any], fields: Mapping[str, Any], path: str) -> Iterator[SchemaError]:
        for name, wanted in fields.items():
            step = written_key(name)
            place = path + step if path else step.removeprefix(".")
            if name in value:
                yield from self._in_value(value[name], wanted, place, _type_of(wanted, "string"))
            elif wanted.get("required", False):
                yield SchemaError(place, "required", "a required field is missing")

    def _in_value(self, value: Any, wanted: Mapping[str, Any], place: str, kind: str | None) -> Iterator[SchemaError]:
        if kind and not _is(value, kind):
            yield SchemaError(place, "type", f"{kind} is wanted, this is {_name(value)}")
        if isinstance(value, str):
            yield from self._in_text(value, wanted, place)
        if isinstance(value, dict) and "children" in wanted:
            yield from self._in_object(value, wanted["children"], place)
        if isinstance(value, list) and "items" in wanted:
            items = wanted["items"]
            for at, item in enumerate(value):
                yield from self._in_value(item, items, f"{place}[{at}]", _type_of(items, None))

    def _in_text(self, value: str, wanted: Mapping[str, Any], place: str) -> Iterator[SchemaError]:
        pattern = wanted.get("pattern")
        if pattern is not None and not self._patterns[pattern].match(value):
            yield SchemaError(place, "pattern", f"{value!r:.80} does not match {pattern!r}")
        if len(value) < wanted.get("min_length", 0):
            yield SchemaError(
                place, "min_length", f"{len(value)} characters, at least {wanted['min_length']} are wanted"
            )
        if len(value) > wanted.get("max_length", len(value)):
            yield SchemaError(
                place, "max_length", f"{len(value)} characters, at most {wanted['max_length']} are wanted"
            )

    def _check_fields(self, fields: Any, path: str, depth: int) -> None:
        if not isinstance(fields, Mapping) or depth > _MAX_DEPTH:
            self._refuse(path, "names mapped to what is wanted of each are needed here")
        for name, wanted in fields.items():
            self._check_wanted(wanted, path + written_key(str(name)), depth)

    def _check_wanted(self, wanted: Any, path: str, depth: int) -> None:
        if not isinstance(wanted, Mapping) or depth > _MAX_DEPTH:
            self._refuse(path, f"a mapping with {', '.join(_KEYWORDS)} is needed here")
        for keyword, said in wanted.items():
            if keyword not in _KEYWORDS:
                self._refuse(
                    path,
                    f"unknown keyword {keyword!r}; there are {', '.join(_KEYWORDS)}.{near(str(keyword), _KEYWORDS)}",
                )
            self._check_keyword(keyword, said, f"{path}.{keyword}", depth)

    def _check_keyword(self, keyword: str, said: Any, path: str, depth: int) -> None:
        if keyword == "type" and said not in TYPES:
            self._refuse(path, f"{said!r} is no type; there are {', '.join(TYPES)}.{near(str(said), TYPES)}")
        if keyword == "required" and not isinstance(said, bool):
            self._refuse(path, "true or false is needed")
        if keyword in ("min_length", "max_length") and (
            isinstance(said, bool) or not isinstance(said, int) or said < 0
        ):
            self._refuse(path, "a whole number from 0 up is needed")
        if keyword == "pattern":
            self._compile(said, path)
        if keyword == "children":
            self._check_fields(said, path, depth + 1)
        if keyword == "items":
            self._check_wanted(said, path, depth + 1)

    def _compile(self, pattern: Any, path: str) -> None:
        if not isinstance(pattern, str):
            self._refuse(path, "a pattern is text")
        options = re2.Options()
        options.log_errors = False
        try:
            self._patterns[pattern] = re2.compile(pattern, options)
        except re2.error as error:
            said = error.args[0].decode() if error.args and isinstance(error.args[0], bytes) else error
            self._refuse(path, f"the pattern {pattern!r} cannot be taken by RE2: {said}")

    def _refuse(self, path: str, problem: str) -> None:
        raise UsageError(f"{self._place}: the schema is broken at {path}: {problem}")


def _type_of(wanted: Mapping[str, Any], otherwise: str | None) -> str | None:
    """The type a field is to have; without `type` its children or items tell."""
    if "type" in wanted:
        return str(wanted["type"])
    return "object" if "children" in wanted else "array" if "items" in wanted else otherwise


def _is(value: Any, kind: str) -> bool:
    if kind == "number":
        return bool(number_of(value).readings)
    if kind == "date":
        return bool(date_of(value))
    return isinstance(value, {"string": str, "boolean": bool, "object": dict, "array": list}[kind])


def _name(value: Any) -> str:
    kind = kind_of(value)
    return "text" if isinstance(value, str) else kind
