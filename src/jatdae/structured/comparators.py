"""Comparators of the user for JSON fields: functions that say how similar two values are.

    def compare(expected, actual):        # both hold a value
        return 0.8                        # 0 to 1, or a bool; 1 is an exact match, 1 − τ and more a fuzzy one

A setting names one as `package.module:function` or `file.py:function`; in Python it may be the function itself. Since
it is code, no file of settings and no schema may name one, and a suite only with --allow-plugins.
"""

from __future__ import annotations

import inspect
import marshal
import math
import sys
from collections.abc import Callable
from functools import cache
from typing import Any, Final

from jatdae.core.errors import UsageError
from jatdae.core.messages import shown, speaker
from jatdae.core.registry import load_object
from jatdae.core.signature import short_hash

say = speaker(__name__)

Comparator = Callable[[Any, Any], float]
_given: Final[dict[str, Callable[[Any, Any], Any]]] = {}
"""Functions given in Python, by name: a lambda, or a function of a notebook, cannot be imported."""


def is_comparator(type_of_field: Any) -> bool:
    """Whether the type that a setting gives a JSON field is a comparator: a function, or the name of one."""
    return callable(type_of_field) or (isinstance(type_of_field, str) and ":" in type_of_field)


def name_of(comparator: Any) -> str:
    """Name by which a comparator is found again, such as `package.module:function`."""
    if isinstance(comparator, str):
        return comparator
    where, called = comparator.__module__, getattr(comparator, "__qualname__", type(comparator).__qualname__)
    name = f"{where}:{called}"
    found: Any = sys.modules.get(where)
    for part in called.split("."):
        found = getattr(found, part, None)
    if found is not comparator:  # a lambda, or a function inside another
        name += f"#{_code_hash(comparator)}"
    _given[name] = comparator
    return name


@cache
def comparator_of(name: str) -> Comparator:
    """Find a comparator by its name; what it gives is checked at every call."""
    function = _given.get(name) or load_object(name)
    if not callable(function):
        raise UsageError(say("comparator_not_callable", name=name))

    def compare(expected: Any, actual: Any) -> float:
        try:
            found = function(expected, actual)
        except Exception as error:
            problem = shown(f"{type(error).__name__}: {error}", 300)
            raise UsageError(say("comparator_failed", name=name, problem=problem)) from error
        if not isinstance(found, (bool, int, float)) or not math.isfinite(found) or not 0 <= found <= 1:
            raise UsageError(say("comparator_no_share", name=name, value=shown(repr(found), 80)))
        return float(found)

    return compare


def signed_name(name: str) -> str:
    """Name of a comparator in the signature, with the hash of its source."""
    function = _given.get(name) or load_object(name)
    try:
        return f"{name}@{short_hash(inspect.getsource(function).encode())}"
    except (OSError, TypeError):  # typed in, or not written in Python
        return name


def _code_hash(function: Any) -> str:
    """What tells functions apart that cannot be imported: their code and what it holds."""
    code = getattr(function, "__code__", None)
    if code is None:
        return short_hash(repr(function).encode())
    held = [cell.cell_contents for cell in function.__closure__ or ()]
    return short_hash(marshal.dumps(code.replace(co_filename="")) + repr((function.__defaults__, held)).encode())
