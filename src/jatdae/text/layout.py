"""Marks that belong to a page or a file, not to its text: page markers, sizes, rules, image syntax."""

from __future__ import annotations

import re
from typing import Final

# A caption may hold escaped brackets and one level of plain ones.
_IMAGE: Final = re.compile(
    r"!\[((?:[^\[\]\\]++|\\.|\[[^\[\]]*+\])*+)\]"
    r"(?:\(\s*+<?(?:[^()\s<>]++|\([^()\s]*+\))*+>?(?:\s++(?:\"[^\"]*+\"|'[^']*+'))?+\s*+\)|\[[^\[\]]*+\])",
    re.DOTALL,
)
_HTML_IMAGE: Final = re.compile(r"</?(?:figure|figcaption|img|embed|picture|source)\b[^<>]*+>", re.IGNORECASE)
_PAGE: Final = re.compile(r"\[\s*+(?:Page|페이지|쪽)\s++\d++(?:\s++of\s++\d++)?\s*+\]", re.IGNORECASE)
_SIZE: Final = re.compile(
    r"(?<![\w-])(?:width|height)=(?:\"[^\"<>]{0,40}+\"|'[^'<>]{0,40}+'|\d[\d.]*+(?:%|\\?[a-z]++)?)", re.IGNORECASE
)
_RULE: Final = re.compile(
    r"^[^\S\n]*+(?:-(?:[^\S\n]*+-){2,}+|\*(?:[^\S\n]*+\*){2,}+|_(?:[^\S\n]*+_){2,}+)[^\S\n]*+$", re.MULTILINE
)


def images(text: str) -> str:
    """Replace `![caption](file)` by its caption and drop the tags of HTML figures."""
    if "![" in text:
        text = _IMAGE.sub(r"\1", text)
    return _HTML_IMAGE.sub(" ", text) if "<" in text else text


def page_markers(text: str) -> str:
    """Drop `[Page N]`."""
    return _PAGE.sub("", text) if "[" in text else text


def size_attributes(text: str) -> str:
    """Drop `width=…` and `height=…`."""
    return _SIZE.sub("", text) if "idth=" in text or "eight=" in text else text


def horizontal_rules(text: str) -> str:
    """Drop lines of `---`, `***` or `___`, spaced or not; pandoc's rules of simple tables are such lines."""
    if "-" in text or "*" in text or "_" in text:
        return _RULE.sub("", text)
    return text
