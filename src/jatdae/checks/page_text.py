"""The text of a page as tests compare it, and the same as olmOCR-bench compares it.

What a reader does not see (emphasis, tags, entities, invisible characters) or does not tell apart (curly and straight
quotes, kinds of dashes) is the same on both sides. `*`, `_` and the backtick go on both sides wherever they stand, so
`snake_case` is the same with its underscore and without: whether one is emphasis cannot be told of a part of a page.
"""

from __future__ import annotations

import re
import unicodedata
from html import unescape
from typing import Final

from jatdae.core.characters import invisible
from jatdae.text.normaliser import nfkc, quotes

VERSION: Final = 1
"""Bumped when a text is compared otherwise: in the signature."""

_BREAKING: Final = re.compile(
    r"</?(?:br|p|div|td|th|tr|table|thead|tbody|li|ul|ol|h[1-6]|caption|hr)\b[^<>]*>", re.IGNORECASE
)
_TAG: Final = re.compile(r"</?[a-zA-Z][^<>]*>|<!--(?:[^<]|<(?!!--))*?-->")
_ESCAPED: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_DASHES: Final = str.maketrans(dict.fromkeys("‐‑‒–—―−﹣－", "-") | {"′": "'", "″": '"'})
_EMPHASIS: Final = str.maketrans("", "", "*_`")


def plain(text: str) -> str:
    """A text as tests compare it."""
    text = _TAG.sub("", _BREAKING.sub(" ", text)) if "<" in text else text
    text = unescape(text) if "&" in text else text
    text = _ESCAPED.sub(r"\1", text) if "\\" in text else text
    text = text.translate(_EMPHASIS).replace("~~", "")
    if not text.isascii():
        text = quotes(invisible(nfkc(text))).translate(_DASHES)
    return " ".join(text.split())


_PUBLISHED_STEPS: Final = (
    (re.compile(r"<br/?>"), " "),
    (re.compile(r"\s+"), " "),
    (re.compile(r"\*\*(.*?)\*\*"), r"\1"),
    (re.compile(r"__(.*?)__"), r"\1"),
    (re.compile(r"</?b>"), ""),
    (re.compile(r"</?i>"), ""),
    (re.compile(r"\*(.*?)\*"), r"\1"),
    (re.compile(r"_(.*?)_"), r"\1"),
)
"""olmOCR-bench: emphasis is what stands between two signs, wherever they stand."""
_PUBLISHED_LETTERS: Final = str.maketrans(
    dict.fromkeys("‘’‚", "'") | dict.fromkeys("“”„", '"') | dict.fromkeys("–—‑‒−", "-") | {"＿": "_", "µ": "μ"}
)


def published(text: str) -> str:
    """A text as olmOCR-bench compares it."""
    for pattern, instead in _PUBLISHED_STEPS:
        text = pattern.sub(instead, text)
    return unicodedata.normalize("NFC", text).translate(_PUBLISHED_LETTERS)
