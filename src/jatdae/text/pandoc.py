"""What pandoc writes into Markdown beyond the text: fenced divs, attribute blocks, cross-references, spans."""

from __future__ import annotations

import re
from typing import Final

FENCE: Final = re.compile(
    r"^[^\S\n]*+:{3,}+[^\S\n]*+"
    r"(?:\{[^{}\n]*+\}|[^\s:{}]++)?+"  # {#id .class} or a bare class name; a closing fence has neither
    r"[^\S\n]*+:*+[^\S\n]*+$",
    re.MULTILINE,
)

_ATTRIBUTE = (
    r"(?:\#\w[\w:.+/&-]*+"  # #id
    r"|\.[^\W\d][\w-]*+"  # .class
    r"|[^\W\d][\w:-]++=(?:\"[^\"]*+\"|'[^']*+'|[^\s{}\"']++)"  # key=value
    r"|=\w++|-)"  # {=latex}, {-}
)
# After `_` or `^` a brace is TeX: \sum_{ii=1}.
_ATTRIBUTES: Final = re.compile(rf"(?<![_^\\])\{{\s*+{_ATTRIBUTE}(?:\s++{_ATTRIBUTE})*+\s*+\}}")

# The text may hold escaped brackets and one level of plain ones; it ends before an unmatched "[",
# so that a row of "[" is read once only.
_SPAN: Final = re.compile(
    r"\[((?:[^\[\]\\]++|\\.|\[[^\[\]]*+\])*+)\]"
    r"(?:\(\#[^()\s]*+\))?"
    rf"\{{\s*+{_ATTRIBUTE}(?:\s++{_ATTRIBUTE})*+\s*+\}}",
    re.DOTALL,
)


def pandoc_blocks(text: str) -> str:
    """Drop `:::` fences and `{#id .class key=val}`; `[text](#id){…}` and `[text]{…}` become their text."""
    if ":::" in text:
        text = FENCE.sub("", text)
    if "{" in text:
        text = _SPAN.sub(r"\1", text)
        text = _ATTRIBUTES.sub("", text)
    return text
