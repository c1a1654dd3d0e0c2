"""Reads the boxes of a form in JSON texts: of `☐ ja ☒ nein` the answer is nein."""

from __future__ import annotations

import re
from typing import Final

from jatdae.kernels.texts import BRACKET, FOREIGN, look
from jatdae.structured.notation import TICKED, UNTICKED

MAX_CHOICE: Final = 500
"""Characters of the longest text that is read as boxes with their answers."""
_TICKED: Final = frozenset(TICKED)
_BOX: Final = re.compile("|".join(map(re.escape, (*TICKED, *UNTICKED))))
_MAYBE: Final = re.compile(r"[\[(\x80-¿ɐ-\uabff\ud7a4-\U0010ffff](?:(?<![\[(])|[\sxXvV]?[\])])")
"""Every box matches this, and few other texts do."""
_AROUND: Final = " \t,;/|:"


def count_boxes(text: str) -> int:
    """Number of boxes in a JSON text."""
    if len(text) > MAX_CHOICE or not look(text) & (BRACKET | FOREIGN) or not _MAYBE.search(text):
        return 0
    return len(_BOX.findall(text))


def chosen(text: str) -> str:
    """The answer beside the only ticked box of a JSON text; "" where none is ticked, or more than one.

    Boxes stand before their answers if the text begins with one, or has but a label before it.
    """
    boxes = list(_BOX.finditer(text))
    ticked = [at for at, box in enumerate(boxes) if box[0] in _TICKED]
    if len(ticked) != 1:
        return ""
    at = ticked[0]
    label = text[: boxes[0].start()].strip()
    if not label or label.endswith((":", "：")):
        end = boxes[at + 1].start() if at + 1 < len(boxes) else len(text)
        answer = text[boxes[at].end() : end]
    else:
        answer = text[boxes[at - 1].end() if at else 0 : boxes[at].start()]
    return answer.strip(_AROUND)
