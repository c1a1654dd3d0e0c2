"""Is a value JSON, and of a size that can be compared?"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from jatdae.core.contract import Issue
from jatdae.kernels.fields import survey
from jatdae.structured.issues import DocumentError, issue
from jatdae.structured.numbers import written_number

MAX_NAMED: Final = 5
"""Keys a message names."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a document may be on either side."""

    chars: int = 20_000_000
    depth: int = 200
    leaves: int = 200_000


def check(value: Any, side: str, limits: Limits) -> tuple[Any, tuple[Issue, ...]]:
    """The value, mended where it cannot be written, and its issues; a DocumentError where it cannot be compared."""
    found = survey(value, limits.depth, limits.leaves)
    odd = sum([_is_odd(item, side) for item in found.others])
    if found.deeper:
        raise DocumentError("too_deep", f"the {side} is nested deeper than max_depth, {limits.depth}")
    if found.values > limits.leaves:
        raise DocumentError("too_large", f"the {side} has more than max_leaves, {limits.leaves:,} values")
    if not found.named:
        raise DocumentError("not_json", f"the {side} has a key that is not text, which no JSON has")
    if found.characters > limits.chars:
        raise DocumentError(
            "too_large", f"the {side} has {found.characters:,} characters; max_chars is {limits.chars:,}"
        )
    twice = [key for container in found.special for key in getattr(container, "duplicates", ())]
    if not (twice or odd or found.halves):
        return value, ()
    return _mend(value) if odd or found.halves else value, tuple(_issues(side, twice, odd, found.halves))


def _issues(side: str, twice: list[str], odd: int, halves: bool) -> Iterator[Issue]:
    if twice:
        named = ", ".join(map(repr, twice[:MAX_NAMED])) + (" …" if len(twice) > MAX_NAMED else "")
        yield issue("duplicate_keys", f"the {side} writes {named} more than once; the last one counts")
    if odd:
        yield issue("nan", f"the {side} holds {odd} of NaN and Infinity, which JSON does not have; taken as text")
    if halves:
        yield issue("lone_surrogate", f"the {side} holds half characters (lone surrogates); replaced")


def _is_odd(item: Any, side: str) -> bool:
    """Whether an item of an unusual type is NaN or infinite; a DocumentError where no JSON has the like."""
    if isinstance(item, Decimal):
        return not item.is_finite()
    if isinstance(item, float):
        return not math.isfinite(item)
    if not isinstance(item, (str, int)):
        raise DocumentError("not_json", f"the {side} holds a {type(item).__name__}, which no JSON has")
    return False


def _mend(value: Any) -> Any:
    """The value with half characters replaced and with NaN and infinity as text, so that all of it can be written."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_mend(key): _mend(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_mend(item) for item in value]
    if isinstance(value, Decimal):
        return value if value.is_finite() else str(value)
    return written_number(value) if isinstance(value, float) and not math.isfinite(value) else value
