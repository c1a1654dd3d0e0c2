"""Objects and arrays of JSON documents: their content, choices of right answers, and skipped fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from jatdae.structured.field_tree import Field
from jatdae.structured.issue_codes import DocumentError
from jatdae.structured.leaves import MISSING

ANY: Final = "$any"
"""An object with this key alone lists several right answers."""


def is_filled(value: Any) -> bool:
    """Whether a JSON value is a container (object, array) with something in it; an empty one is a leaf."""
    return isinstance(value, (dict, list)) and bool(value)


def is_choice(value: Any) -> bool:
    """Whether a value is a choice: a container in a reference JSON document with several right answers."""
    return isinstance(value, dict) and len(value) == 1 and ANY in value


def alternatives(choice: dict[str, Any]) -> list[Any]:
    """Right answers of a choice, a container in a reference JSON document."""
    found = choice[ANY]
    if not isinstance(found, list) or not found:
        raise DocumentError("bad_any", "bad_choice", key=ANY)
    return found


def settle(value: Any, instead: dict[int, Any]) -> Any:
    """Replace every choice, a container in reference JSON, by its first right answer, recorded in `instead`."""
    if not is_filled(value):
        return value
    if is_choice(value):
        instead[id(value)] = first = alternatives(value)[0]
        return settle(first, instead)
    if isinstance(value, dict):
        return {key: settle(item, instead) for key, item in value.items()}
    return [settle(item, instead) for item in value]


def below(container: Any) -> Any:
    """Values directly in a JSON container, an object or array."""
    return container.values() if isinstance(container, dict) else container


def count_leaves(value: Any, which: Callable[[Any], bool] = lambda _: True) -> int:
    """Count the leaves in all containers of a JSON document for which `which` holds; all by default."""
    count = 0
    stack = [value]
    while stack:
        value = stack.pop()
        if is_filled(value):
            stack += below(value)
        else:
            count += which(value)
    return count


def count_nodes(value: Any) -> int:
    """Count the leaves and containers of a JSON document, which are the nodes of its tree."""
    return 1 + sum(map(count_nodes, below(value))) if is_filled(value) else 1


def prune(value: Any, field: Field, skipped: Counter[str]) -> Any:
    """Remove skipped fields, which count in no number, from JSON containers; MISSING where nothing is left.

    A container that loses all its items is removed as well: an empty one would be a leaf. `skipped` counts the leaves
    that go, by the pattern that skips them.
    """
    if field.skip:
        skipped.update(dict.fromkeys(field.skipping, count_leaves(value)))
        return MISSING
    if isinstance(value, dict) and value:
        if is_choice(value):
            every = [prune(choice, field, skipped) for choice in alternatives(value)]
            choices = [pruned for pruned in every if pruned is not MISSING]
            return {ANY: choices} if choices else MISSING
        below = {key: prune(inside, field.key(key), skipped) for key, inside in value.items()}
        return {key: pruned for key, pruned in below.items() if pruned is not MISSING} or MISSING
    if isinstance(value, list) and value:
        items = [prune(inside, field.item(at), skipped) for at, inside in enumerate(value)]
        return [pruned for pruned in items if pruned is not MISSING] or MISSING
    return value
