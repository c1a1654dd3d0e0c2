"""Documents without the fields that are to be skipped: what is gone here is in no number at all."""

from __future__ import annotations

from typing import Any

from jatdae.structured.containers import ANY, alternatives, is_choice
from jatdae.structured.fields import Field
from jatdae.structured.outcomes import MISSING


def prune(value: Any, field: Field) -> Any:
    """The value without skipped fields; MISSING where nothing is left of it.

    A container that loses all it has goes too, so that it does not become an empty one, which would be a leaf.
    """
    if field.skip:
        return MISSING
    if isinstance(value, dict) and value:
        if is_choice(value):
            choices = [pruned for choice in alternatives(value) if (pruned := prune(choice, field)) is not MISSING]
            return {ANY: choices} if choices else MISSING
        kept = {key: pruned for key, below in value.items() if (pruned := prune(below, field.key(key))) is not MISSING}
        return kept or MISSING
    if isinstance(value, list) and value:
        items = [pruned for at, below in enumerate(value) if (pruned := prune(below, field.item(at))) is not MISSING]
        return items or MISSING
    return value
