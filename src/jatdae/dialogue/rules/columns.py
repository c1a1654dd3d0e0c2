"""What the heading of a column says of what stands below it in a table: "Instead of", "Try"."""

from __future__ import annotations

import re
from typing import Final

from jatdae.dialogue.rules.stances import AGAINST, NONE, TAKE

_REACH: Final = 1000
"""How far above a row the heading of its table may stand."""
_RULED: Final = re.compile(r"\|[\s:|-]+$", re.MULTILINE)
_LEFT: Final = re.compile(
    r"\W*(?:(?:please|foods?|drinks?|drugs?|things?|what|items?)(?: to)? )?(?:instead of|rather than|swap(?: out)?"
    r"|replace|avoid|skip|limit|leave (?:out|off|alone)|not\b|don't|stay away from|never|less\b|cut (?:down|back|out)"
    r"|high(?:er)?(?: in|-)? ?potassium|too much)"
)
"""The heading of a column of things that are not to be taken."""
_TAKEN: Final = re.compile(
    r"\W*(?:try|have|choose|pick|go for|eat|drink|pack|take|enjoy|better (?:choices?|options?|picks?)"
    r"|(?:good )?alternatives?|swap (?:for|in|with))\b"
)
"""The heading of the column beside it."""


def read_heading(text: str, start: int) -> str:
    """What the heading of its column says of the thing at a place in the row of a table; empty if nothing."""
    row = text.rfind("\n", 0, start) + 1
    if _RULED.match(text, text.find("\n", start) + 1):
        return NONE  # the heading itself
    head = row
    while head and text.startswith("|", above := text.rfind("\n", 0, head - 1) + 1) and row - head < _REACH:
        head = above
    titles = text[head : text.find("\n", head)].split("|") if head < row else []
    column = text.count("|", row, start)
    if column >= len(titles):
        return ""
    if _LEFT.match(titles[column]):
        return AGAINST
    offered = _TAKEN.match(titles[column]) and any(map(_LEFT.match, titles))
    return TAKE if offered else ""
