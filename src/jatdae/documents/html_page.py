"""A whole HTML page is its body: what stands around it is neither text nor structure of the document."""

from __future__ import annotations

import re
from typing import Any, Final

_BODY: Final = re.compile(r"<body(?=[\s/>])", re.IGNORECASE)
_END: Final = re.compile(r"</body(?=[\s>])", re.IGNORECASE)


def page_body(text: Any) -> Any:
    """What stands between `<body>` and `</body>` of a whole HTML page; anything else as it is."""
    if not isinstance(text, str) or not is_page(text):
        return text
    opened = _BODY.search(text)
    start = text.find(">", opened.end()) + 1 if opened else 0
    if not start:
        return text
    ends = [found.start() for found in _END.finditer(text, start)]
    return text[start : ends[-1]] if ends else text[start:]


def is_page(text: str) -> bool:
    """Whether a text is a whole HTML page, and not Markdown with HTML in it."""
    return text[:1000].lstrip().lower().startswith(("<!doctype", "<html", "<?xml"))
