"""Characters as a reader sees them: extended grapheme clusters of a text (UAX #29), as `regex` finds them."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

VERSION: Final = 2
"""1 was written by hand, without prepended marks and with the Unicode of the Python that ran it."""
_KINDS: Final = ("Extend", "SpacingMark", "ZWJ", "Prepend", "Regional_Indicator", "L", "V", "T")
"""Kinds of characters that may share a cluster with a neighbour; beside them only a line feed after its return does."""


def graphemes(text: str) -> str | list[str]:
    """Split a text into grapheme clusters; returns the text itself where each is one code point."""
    joining, cluster = _patterns()
    if (text.isascii() and "\r" not in text) or not joining.search(text):
        return text
    found: list[str] = cluster.findall(text)
    return found


@cache
def _patterns() -> tuple[Any, Any]:
    """Anything that may not stand alone, which is found faster than clusters are; and a cluster."""
    import regex  # only runs that count clusters need it

    kinds = "".join(rf"\p{{Grapheme_Cluster_Break={kind}}}" for kind in _KINDS)
    return regex.compile(rf"[{kinds}]|\r\n"), regex.compile(r"\X")
