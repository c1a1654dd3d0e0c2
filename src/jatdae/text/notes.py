"""Footnotes as Markdown writes them: `[^n]` in the text and `[^n]: …` where the note stands."""

from __future__ import annotations

import re
from typing import Final

_DEFINITION: Final = re.compile(
    r"^[^\S\n]*+\[\^[^\[\]\s]++\]:[^\n]*+"
    r"(?:\n(?:[^\S\n]*+\n)*+(?:\t|[ ]{2})[^\S\n]*+\S[^\n]*+)*+",  # indented lines go on with the note
    re.MULTILINE,
)
_REFERENCE: Final = re.compile(r"\[\^[^\[\]\s]++\]")


def footnote_definitions(text: str) -> str:
    """Drop whole `[^n]: text` notes with their indented continuation."""
    return _DEFINITION.sub("", text) if "[^" in text else text


def footnote_references(text: str) -> str:
    """Drop `[^n]`."""
    return _REFERENCE.sub("", text) if "[^" in text else text
