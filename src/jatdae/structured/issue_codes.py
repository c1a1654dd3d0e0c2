"""Issue codes of the structured evaluator; every summary counts them, so they are part of the interface."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jatdae.core.contract import Issue, Severity
from jatdae.core.errors import IssueError

SEVERITIES: Final[Mapping[str, Severity]] = {
    "json_extracted": "info",  # the JSON stood among other text
    "json_repaired": "warning",  # it did not parse, and was repaired on request
    "invalid_json": "error",  # it does not parse: every leaf is missing
    "not_json": "error",  # a Python object that JSON cannot hold: every leaf is missing
    "duplicate_keys": "warning",  # a key is written twice; the last one counts
    "nan": "warning",  # NaN or Infinity, which JSON does not have; compared as text
    "lone_surrogate": "warning",  # half a character; replaced by U+FFFD
    "too_deep": "error",  # nested beyond the limit: every leaf is missing
    "too_large": "error",  # longer or with more leaves than the limit: every leaf is missing
    "long_text": "warning",  # two texts too long to align; unequal, so similarity 0
    "array_too_large": "warning",  # too many items to assign; paired by order
    "bad_reference": "error",  # the reference cannot be used: the sample is left out
    "bad_any": "error",  # "$any" without a list of references: the sample is left out
    "no_fields": "warning",  # everything in the reference is skipped: N/A
    "no_weight": "warning",  # every field of the sample has weight 0: json_accuracy is N/A
    "ted_off": "info",  # trees beyond the node limit: ted, nted and nted_max are N/A
    "schema_unlisted": "warning",  # it breaks the schema; listing where would take too many steps
    "no_schema": "info",  # schema_compliance is N/A
}


class DocumentError(IssueError):
    """Error for a JSON document that cannot be compared; its code is that of the issue it becomes."""

    severities = SEVERITIES


def issue(code: str, message: str) -> Issue:
    """Make an issue of a JSON document, with the severity that belongs to its code."""
    return Issue(code, message, SEVERITIES[code])
