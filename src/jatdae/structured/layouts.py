"""How a JSON document writes what may be read in two ways: its grouping separator, and the order of its dates.

    1,234 or 1.234   the separator groups, or it is the decimal point
    03/04/2024       the day comes first, or the month

Another value of the document may force it: `1.234.567` has points that group, `25/04/2024` begins with the day. Where
values contradict each other, nothing is forced.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any, Final

from jatdae.structured.dates import MAX_LENGTH, ORDERS, moment_of
from jatdae.structured.numerals import CURRENCY_CODES, number_of

_OTHER: Final = {".": ",", ",": "."}
_GROUPS: Final = re.compile(r"(?<![0-9.,])[0-9]{1,3}(?:([.,])[0-9]{3})(?:\1[0-9]{3})+(?![0-9])")
_BOTH: Final = re.compile(r"(?<![0-9.,])[0-9]{1,3}(?:([.,])[0-9]{3})+[.,][0-9]+(?![0-9.,])")
_DECIMAL: Final = re.compile(
    r"(?<![0-9.,])[0-9]+([.,])(?:[0-9]{1,2}|[0-9]{4,})(?![0-9.,])|(?<![0-9.,])0([.,])[0-9]{3}(?![0-9])"
)
_PRICE: Final = re.compile(r"[0-9]([.,])[0-9]{3}(?![0-9])")
_MONEY: Final = re.compile(rf"[₩￦¥₫]|원|円|엔|(?<![A-Za-z])(?:{'|'.join(CURRENCY_CODES)})(?![A-Za-z])", re.IGNORECASE)


class Layout:
    """How one JSON document writes its numbers and dates; found out only if a value asks."""

    def __init__(self, document: Any) -> None:
        self._document = document

    @cached_property
    def group(self) -> str:
        """The separator that groups, as other numbers of the document force it; "" where none does."""
        found = {mark for text in self._texts if (mark := _forced_group(text))}
        return found.pop() if len(found) == 1 else ""

    @cached_property
    def orders(self) -> frozenset[str]:
        """The orders in which all dates of figures of the document can be read; all where there is none."""
        orders = frozenset(ORDERS)
        for text in self._texts:
            if len(text) <= MAX_LENGTH and (found := moment_of(text).orders):
                orders &= found
        return orders or frozenset(ORDERS)

    @cached_property
    def _texts(self) -> list[str]:
        found: list[str] = []
        stack = [self._document]
        while stack:
            value = stack.pop()
            if isinstance(value, str):
                found.append(value)
            elif isinstance(value, dict):
                stack += value.values()
            elif isinstance(value, list):
                stack += value
        return [text for text in found if len(text) <= MAX_LENGTH]


def _forced_group(text: str) -> str:
    """The separator that must group in a text that is a number; "" where it is none or either could."""
    if not any(figure in text for figure in "0123456789") or not ("." in text or "," in text):
        return ""
    if not number_of(text).readings or moment_of(text).days:
        return ""
    if found := _GROUPS.search(text) or _BOTH.search(text):
        return found[1]
    if found := _DECIMAL.search(text):
        return _OTHER[found[1] or found[2]]
    if (found := _PRICE.search(text)) and _MONEY.search(text):
        return found[1]
    return ""
