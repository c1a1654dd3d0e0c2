"""Parse one line of input to a row, and find the fields of id, prediction and reference."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Final

import numpy as np
import orjson

from jatdae.core.errors import UsageError
from jatdae.core.evaluator import GroupBy
from jatdae.core.messages import flag_of, near, say, shown

PREDICTION_NAMES: Final = ("prediction", "predict", "pred", "output", "hypothesis")
REFERENCE_NAMES: Final = ("reference", "label", "gold", "target", "ground_truth")
"""Of several such fields the first counts."""
MORE_PREDICTION_NAMES: Final = ("response", "model_output", "completion", "generated_text", "y_pred", "예측")
MORE_REFERENCE_NAMES: Final = ("expected", "y_true", "정답", "정답지")
"""These are taken only if a row has none of the names above, and only one of these."""
EITHER_NAMES: Final = ("answer", "답변")
"""These may be the model's or the right one: taken only if the other side is known and nothing else is left."""
MAX_ROW_BYTES: Final = 64 << 20
MAX_LINE_BYTES: Final = 4 * MAX_ROW_BYTES
"""A line longer than a row may be is a bad row; one longer than this is not even read."""
MAX_DEPTH: Final = 200
"""Levels of nesting in a row: what every reader and writer of JSON here can take, however deep its own stack."""
PROBLEM: Final = b"\0!"
"""A spooled line that begins so is no row but what was wrong with one."""
SEEN_ROWS: Final = 1000
"""How many rows are looked at to find the names of the fields."""


_LONE_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)


class BadRow(ValueError):
    """Error for an input row that cannot be read; `column` counts bytes from 1."""

    def __init__(self, problem: str, column: int = 1) -> None:
        super().__init__(problem)
        self.problem = problem
        self.column = column


class NotUtf8(BadRow):
    """Error for an input row that is not UTF-8: its file may be in another encoding."""


class Pairs(dict[str, Any]):
    """A JSON object of the input that remembers which of its keys were written more than once."""

    duplicates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fields:
    """Names of the input fields for id, prediction and reference; "" where the input has no such field."""

    id: str = ""
    prediction: str = ""
    reference: str = ""


def parse(line: bytes) -> dict[str, Any]:
    """Parse an input line to a row, a JSON object, with orjson: fast, with decimals as floats."""
    if len(line) > 2 * MAX_DEPTH:
        _refuse_depth(line)
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise _bad_row(line, error) from None
    if type(row) is not dict:
        raise BadRow(say("row_not_object", kind=_kind(row)))
    return row


def parse_exact(line: bytes) -> dict[str, Any]:
    """Parse an input line to a row, a JSON object, with exact numbers (Decimal) and duplicate keys remembered."""
    if len(line) > 2 * MAX_DEPTH:
        _refuse_depth(line)
    try:
        row = json.loads(line.decode(), parse_float=Decimal, parse_constant=_no_number, object_pairs_hook=_pairs)
    except UnicodeDecodeError as error:
        raise NotUtf8(say("row_not_utf8"), error.start + 1) from None
    except json.JSONDecodeError as error:
        raise _bad_row(line, error) from None
    except BadRow:  # NaN
        raise
    except ValueError as error:  # an integer of more digits than Python converts
        raise BadRow(say("row_not_json", problem=error)) from None
    except InvalidOperation:
        raise BadRow(say("number_too_large")) from None
    if not isinstance(row, dict):
        raise BadRow(say("row_not_object", kind=_kind(row)))
    if _LONE_SURROGATE.search(line.replace(b"\\\\", b"")):
        try:
            json.dumps(row, ensure_ascii=False, default=str).encode()
        except UnicodeEncodeError:
            raise BadRow(say("row_not_utf8")) from None
    return row


def row_id(row: Mapping[str, Any], field: str) -> str:
    """Id of an input row as text."""
    value = row.get(field)
    if type(value) is str:
        return value
    if type(value) is int:
        return str(value)
    if value is None:
        raise BadRow(say("row_without_id", field=field))
    raise BadRow(say("bad_id", field=field, kind=_kind(value)))


def find_fields(
    rows: Iterable[Mapping[str, Any]],
    *,
    place: str,
    wants_prediction: bool,
    wants_reference: bool,
    given: Fields,
    flag: Callable[[str], str] = lambda side: flag_of(f"{side}_field"),
) -> Fields:
    """Find the names of the id, prediction and reference fields in the first rows, or check those given.

    One error names all fields that are missing; `flag` is how a user names the field of a side.
    """
    if wants_prediction and wants_reference and given.prediction and given.prediction == given.reference:
        named = {"prediction": flag("prediction"), "reference": flag("reference")}
        raise UsageError(say("fields_same", place=place, field=shown(given.prediction), **named))
    seen: dict[str, None] = {}
    for row in rows:
        seen |= dict.fromkeys(row)
    sides = [_Side(flag("id"), ("id",), (), given.id)] if given.id else []
    if wants_prediction:
        sides.append(_Side(flag("prediction"), PREDICTION_NAMES, MORE_PREDICTION_NAMES, given.prediction))
    if wants_reference:
        sides.append(_Side(flag("reference"), REFERENCE_NAMES, MORE_REFERENCE_NAMES, given.reference))
    found = {side.flag: side.find(seen) for side in sides}
    either = [name for name in EITHER_NAMES if name in seen and name not in found.values()]
    lacking = [side for side in sides if not found[side.flag]]
    if len(lacking) == 1 and len(either) == 1 and not lacking[0].candidates(seen) and not lacking[0].given:
        found[lacking.pop().flag] = either[0]
    if lacking:
        problems = "; ".join(side.problem(seen) for side in lacking)
        hints = dict.fromkeys(side.near(seen) for side in lacking)
        named = {"prediction": flag("prediction"), "reference": flag("reference")}
        hint = say("either_field", names=_list(either), **named) if either else "".join(hints)
        raise UsageError(say("missing_fields", place=place, problems=problems, hint=hint, seen=_list(seen)))
    return Fields(
        id=found.get(flag("id"), "id" if "id" in seen else ""),
        prediction=found.get(flag("prediction"), ""),
        reference=found.get(flag("reference"), ""),
    )


def refuse_other_rows(rows: Sequence[Mapping[str, Any]], group_by: GroupBy, evaluator: str, place: str) -> None:
    """Refuse input whose first rows all lack a field by which rows are grouped; say what rows look like."""
    seen = dict.fromkeys(name for row in rows for name in row)
    missing = [repr(name) for name in (group_by.id, group_by.system) if name and name not in seen]
    if seen and missing:
        raise UsageError(
            say(
                "other_rows",
                place=place,
                missing=", ".join(missing),
                evaluator=evaluator,
                example=group_by.example_row(),
                seen=_list(seen),
            )
        )


@dataclass(frozen=True, slots=True)
class _Side:
    """A field that rows must have: the flag that names it, the names it is known by, and the one given."""

    flag: str
    names: tuple[str, ...]
    more: tuple[str, ...]
    given: str

    def find(self, seen: Collection[str]) -> str:
        """The name of the field, "" if it is not among those seen or cannot be told."""
        if not seen:
            return self.given or self.names[0]
        if self.given:
            return self.given if self.given in seen else ""
        if usual := next((name for name in self.names if name in seen), ""):
            return usual
        candidates = self.candidates(seen)
        return candidates[0] if len(candidates) == 1 else ""

    def candidates(self, seen: Collection[str]) -> list[str]:
        """Fields that may be meant where none has a usual name."""
        return [name for name in self.more if name in seen]

    def problem(self, seen: Collection[str]) -> str:
        """Why the field was not found."""
        if self.given:
            return say("no_such_field", field=shown(self.given), flag=self.flag)
        if candidates := self.candidates(seen):
            return say("unclear_field", names=_list(candidates), flag=self.flag)
        return say("no_field", names=" | ".join((*self.names, *self.more)), flag=self.flag)

    def near(self, seen: Collection[str]) -> str:
        """A field that may be meant, as a question; "" where none is near or the candidates are named already."""
        if self.given:
            return near(self.given, seen)
        names = () if self.candidates(seen) else (*self.names, *self.more)
        return next(filter(None, (near(name, seen) for name in names)), "")


def meta_of(row: Mapping[str, Any], slices: tuple[str, ...]) -> dict[str, str]:
    """Slice keys of an input row with their values as text: from "meta", and from its own fields sliced by."""
    given = row.get("meta")
    if given is None or given == "":
        given = {}
    if not isinstance(given, Mapping):
        raise BadRow(say("bad_meta"))
    made = {}
    for key, value in given.items():
        if isinstance(value, (dict, list)):
            raise BadRow(say("bad_meta"))
        made[key] = _text(value)
    for key in slices:
        if key not in made:
            value = row.get(key)
            if isinstance(value, (dict, list)):
                raise BadRow(say("bad_slice", key=key))
            made[key] = _text(value)
    return made


def _refuse_depth(line: bytes) -> None:
    """Count brackets outside strings, where there are enough of them to matter."""
    if line.count(b"[") + line.count(b"{") <= MAX_DEPTH:
        return
    marks = np.frombuffer(_STRING.sub(b"", line), np.uint8)
    steps = ((marks == 0x5B) | (marks == 0x7B)).astype(np.int64) - ((marks == 0x5D) | (marks == 0x7D))
    if len(steps) and np.cumsum(steps).max() > MAX_DEPTH:
        raise BadRow(say("row_too_deep", most=MAX_DEPTH))


def _no_number(name: str) -> Any:
    raise BadRow(say("row_without_number", name=name))


def _pairs(pairs: list[tuple[str, Any]]) -> Pairs:
    made = Pairs(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        made.duplicates = tuple(dict.fromkeys(k for k, _ in pairs if k in seen or seen.add(k)))  # type: ignore[func-returns-value]
    return made


def _bad_row(line: bytes, error: json.JSONDecodeError) -> BadRow:
    """A decoder counts characters and stops at the first bad one; say which byte of the line it was."""
    try:
        text = line.decode()
    except UnicodeDecodeError as undecodable:
        return NotUtf8(say("row_not_utf8"), undecodable.start + 1)
    if b"\0" in line:
        return BadRow(say("row_with_nul"), line.index(b"\0") + 1)
    problem = re.sub(r": line \d+ column \d+ \(char \d+\)$", "", str(error))
    return BadRow(say("row_not_json", problem=problem), len(text[: error.pos].encode()) + 1)


def _kind(value: Any) -> str:
    names = {dict: "object", list: "array", str: "string", bool: "boolean", type(None): "null"}
    return next((name for kind, name in names.items() if isinstance(value, kind)), "number")


def _list(names: Iterable[str], most: int = 12) -> str:
    listed = [shown(name, 40) for name in names]
    return ", ".join(listed[:most]) + (" …" if len(listed) > most else "")


def _text(value: Any) -> str:
    if type(value) is str:
        return value
    return "" if value is None else str(value).lower() if type(value) is bool else str(value)
