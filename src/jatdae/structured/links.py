"""Compares addresses of the web and of mail in JSON documents."""

from __future__ import annotations

import re
from typing import Final

MAX_LINK: Final = 2000
_EMAIL: Final = re.compile(r"<?(?:mailto:)?([^\s@<>]+@[^\s@<>]+\.[^\s@<>]+)>?", re.IGNORECASE)
_LINK: Final = re.compile(
    r"<?(?P<scheme>https?://)?(?:www\.)?(?P<host>[^\W_](?:[^\W_]|-)*(?:\.(?:[^\W_]|-)+)*\.[a-z]{2,})(?P<port>:[0-9]+)?"
    r"(?P<path>[/?#][^\s>]*)?>?",
    re.IGNORECASE,
)


_AT: Final = re.compile(r"\s?[\[(]\s?at\s?[\])]\s?", re.IGNORECASE)
"""How an address of mail is hidden from programs."""


def compare_links(a: str, b: str) -> tuple[bool, bool] | None:
    """Whether two addresses of the web or of mail in JSON are the same, and whether they are near; None for others.

    Case counts in a path alone. One may leave out its scheme, www. and the closing slash; http for https is near.
    """
    if "at" in a or "at" in b:
        a, b = _AT.sub("@", a), _AT.sub("@", b)
    if "." not in a or "." not in b or " " in a or " " in b or max(len(a), len(b)) > MAX_LINK:
        return None
    if (ours := _EMAIL.fullmatch(a)) and (theirs := _EMAIL.fullmatch(b)):
        same = ours[1].lower() == theirs[1].lower()
        return same, same
    if not ((ours := _LINK.fullmatch(a)) and (theirs := _LINK.fullmatch(b))):
        return None
    places = [(found["host"].lower(), found["port"], (found["path"] or "").rstrip("/")) for found in (ours, theirs)]
    if places[0] != places[1]:
        return False, False
    schemes = {(found["scheme"] or "").lower() for found in (ours, theirs)} - {""}
    return len(schemes) < 2, True
