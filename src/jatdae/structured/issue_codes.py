"""Issues of the structured evaluator; every summary counts them by code, so the codes are part of the interface."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jatdae.core.contract import IssueKind
from jatdae.core.errors import IssueError
from jatdae.core.messages import speaker

say = speaker(__name__)

ISSUES: Final = (
    IssueKind("json_extracted", "info"),
    IssueKind("think_dropped", "info"),
    IssueKind("json_twice"),
    IssueKind("json_repaired"),
    IssueKind("invalid_json", "error"),
    IssueKind("not_json", "error"),
    IssueKind("duplicate_keys"),
    IssueKind("nan"),
    IssueKind("lone_surrogate"),
    IssueKind("too_deep", "error"),
    IssueKind("too_large", "error"),
    IssueKind("unit_missing", "info"),
    IssueKind("unit_converted", "info"),
    IssueKind("time_missing", "info"),
    IssueKind("guessed_grouping"),
    IssueKind("ambiguous_date"),
    IssueKind("long_text"),
    IssueKind("array_too_large"),
    IssueKind("bad_reference", "error"),
    IssueKind("bad_any", "error"),
    IssueKind("no_fields"),
    IssueKind("no_weight"),
    IssueKind("no_confidence", "info"),
    IssueKind("bad_confidence"),
    IssueKind("all_alike", "info"),
    IssueKind("ted_off", "info"),
    IssueKind("schema_unlisted"),
    IssueKind("no_schema", "info"),
)

_REASONS: Final[Mapping[str, str]] = {
    "Expecting value": "json_value",
    "Expecting property name enclosed in double quotes": "json_name",
    "Expecting ':' delimiter": "json_colon",
    "Expecting ',' delimiter": "json_comma",
    "Illegal trailing comma before end of object": "json_comma_in_object",
    "Illegal trailing comma before end of array": "json_comma_in_array",
    "Unterminated string starting at": "json_open_string",
    "Invalid control character at": "json_control",
    "Invalid \\escape": "json_escape",
    "Invalid \\uXXXX escape": "json_unicode",
    "Extra data": "json_extra",
}
"""Messages for what Python's JSON reader says; in English they say the same."""


def _say_of_document(key: str, /, **values: object) -> str:
    """A message about a document, with its side, the reason and a remark in the same language."""
    if "side" in values:
        values["side"] = say(f"side_{values['side']}")
    if (reason := values.get("reason")) in _REASONS:
        values["reason"] = say(_REASONS[str(reason)])
    if remark := values.get("remark"):
        values["remark"] = say(str(remark), **values)
    return say(key, **values)


class DocumentError(IssueError):
    """Error for a JSON document that cannot be compared; its code is that of the issue it becomes."""

    say = staticmethod(_say_of_document)
