"""How a JSON document writes what may be read in two ways: its grouping separator, and the order of its dates.

    1,234 or 1.234   the separator groups, or it is the decimal point
    03/04/2024       the day comes first, or the month

Another value of the document may force it: `1.234.567` has points that group, `25/04/2024` begins with the day. Where
values contradict each other, nothing is forced.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal

from jatdae.structured.dates import ORDERS, moment_of
from jatdae.structured.notation import CURRENCIES, POINTS_GROUP
from jatdae.structured.numerals import number_of

Grouping = Literal["auto", ".", ","]
_OTHER: Final = {".": ",", ",": "."}
_FORCING: Final = re.compile(
    r"^(?P<before>[^0-9\n]{0,8})(?:"
    r"(?P<groups>[0-9]{1,3}(?:(?P<g>[.,])[0-9]{3})(?:(?P=g)[0-9]{3})+(?![0-9]))"  # 1.234.567
    r"|[0-9]{1,3}(?:(?P<both>[.,])[0-9]{3})(?!(?P=both))[.,][0-9]+(?![0-9.,])"  # 1.234,56
    r"|[0-9]+(?P<point>[.,])(?:[0-9]{1,2}|[0-9]{4,})(?![0-9.,])"  # 12,50
    r"|0(?P<zero>[.,])[0-9]{3}(?![0-9.,])"  # 0.125
    r"|[0-9]{1,3}(?P<price>[.,])[0-9]{3}(?![0-9.,]))"  # Rp 91.000: a price, if it is one
    r"[^\n]*$",
    re.MULTILINE,
)
"""Lines that may be numbers whose separators can be read in one way only."""
MOST_ASKED: Final = 50
"""Values of a document that are asked for its layout."""


MOST_READ: Final = 200_000
"""Characters of a document that are looked through for numbers."""
LONGEST_WORD: Final = max(map(len, POINTS_GROUP))
MOST_DATES: Final = 5000
"""Values of a document that are looked through for dates."""


class Layout:
    """How one JSON document writes its numbers and dates; found out only if a value asks."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._group: str | None = None
        self._orders: frozenset[str] | None = None

    @property
    def group(self) -> str:
        """The separator that groups, as other numbers of the document force it; "" where none does."""
        if self._group is None:
            self._group = self._find_group()
        return self._group

    @property
    def orders(self) -> frozenset[str]:
        """The orders in which all dates of figures of the document can be read; all where there is none."""
        if self._orders is None:
            self._orders = self._find_orders()
        return self._orders

    def _find_group(self) -> str:
        marks: set[str] = set()
        texts = [text for text in self._texts if "." in text or "," in text]
        for asked, found in enumerate(_FORCING.finditer("\n".join(texts)[:MOST_READ])):
            if asked >= MOST_ASKED or len(marks) > 1:
                break
            marks |= _forced_group(found)
        if not marks and any(text.lower() in POINTS_GROUP for text in self._texts if len(text) <= LONGEST_WORD):
            return "."
        return marks.pop() if len(marks) == 1 else ""

    def _find_orders(self) -> frozenset[str]:
        orders = frozenset(ORDERS)
        for text in self._texts[:MOST_DATES]:
            if found := moment_of(text).orders:
                orders &= found
        return orders or frozenset(ORDERS)


def _forced_group(found: re.Match[str]) -> set[str]:
    """The separator that must group in a line that is a number; none where it is no number or either could."""
    text = found[0]
    if found["price"]:
        number = number_of(text)
        return {found["price"]} if number.unit in CURRENCIES and not number.mark else set()
    if moment_of(text).days or not number_of(text).readings:
        return set()
    if group := found["g"] or found["both"]:
        return {group}
    return {_OTHER[found["point"] or found["zero"]]}
