"""How forms are laid out on a page: tables, answers on lines of their own, boxes for yes and no, signs in brackets.

Each is rewritten, at the same positions, as the item with a colon and an answer that `forms.py` reads:

| 裂纹 | 无 |   裂纹⇥无   裂纹⏎无      裂纹:无
裂纹：有□ 无☑   裂纹：[ ]有 [x]无      裂纹：无
裂纹(—)  裂纹[–]                     裂纹(-)
裂纹 ✗                               裂纹 无
"裂纹": false                        "裂纹": no
"""

from __future__ import annotations

import re
from typing import Final

EMPTY: Final = r"(?:[□☐○]|[(（\[]\s{0,4}[)）\]])"
"""A box that is not ticked."""
TICKED: Final = r"(?:[☑☒■●√✓✔]|[(（\[]\s?[xXvV√✓✔■●]\s?[)）\]])"
_ANSWER: Final = r"(?:有|无|無|是|否|유|무|있음|없음|예|아니오|yes|no|present|absent)"
_NO: Final = r"(?:无|無|未见|未見|没有|沒有|否|없음|무|none|no|absent)"

_LAID_OUT: Final = re.compile(
    r"[\n\t|–—−－×✗✘□☐○☑☒■●√✓✔]|[(（\[]\s{0,4}[xXvV)）\]有是유-]|\b(?:false|true)\b", re.IGNORECASE
)
"""Finds a reason to look closer: most descriptions have none."""
_BOXED: Final = re.compile(rf"[□☐○]|{TICKED}")
_BOX: Final = re.compile(rf"{EMPTY}|{TICKED}")
_BOX_FIRST: Final = re.compile(rf"{EMPTY}\s?{_ANSWER}(?!\w)|{TICKED}(?=\s?{_ANSWER}(?!\w))", re.IGNORECASE)
_BOX_LAST: Final = re.compile(rf"{_ANSWER}\s?{EMPTY}|(?<=[有无無是否유무음예오osent])\s?{TICKED}", re.IGNORECASE)
_SIGN: Final = re.compile(r"[(（\[]\s?[-–—−－×✗✘]{1,3}\s?[)）\]]")
_CROSS: Final = re.compile(r"(?<=[^\W\d_])(\s?)[×✗✘](?=[\s;；,，。、|)]|$)")
_LETTER_TICK: Final = re.compile(r"(?<=[(（\[])[xXvV](?=[)）\]])")
_OFFER: Final = re.compile(r"[(（\[](?:有|是|유)\s?[/、|]\s?(?:无|無|否|무)[)）\]](?=\s?[:：])")
"""Answers to choose from: 瘀斑(有/无)：无."""
_LINE: Final = re.compile(r"^.*\|.*$", re.MULTILINE)
_TABBED: Final = re.compile(r"^([^\t\n]+)\t(?=[^\t\n]+$)", re.MULTILINE)
_OWN_LINE: Final = re.compile(rf"(?<=\w)[ \t]{{0,4}}\n(?=[ \t]{{0,4}}{_NO}[ \t]{{0,4}}$)", re.MULTILINE | re.IGNORECASE)
_TRUTH: Final = re.compile(r"(?<=[:：])(\s?)(false|true)\b", re.IGNORECASE)


def unfold(text: str) -> str:
    """A description with its layout rewritten as items and answers; every other character keeps its position."""
    if _LAID_OUT.search(text) is None:
        return text
    text = _OFFER.sub(lambda found: " " * len(found[0]), text)
    text = _SIGN.sub(lambda found: "(-)".ljust(len(found[0])), text)
    text = _CROSS.sub(r"\1无", text)
    if _BOXED.search(text):
        text = _LETTER_TICK.sub("√", text)
        text = (_BOX_FIRST if boxes_stand_first(text) else _BOX_LAST).sub(lambda found: " " * len(found[0]), text)
    if "|" in text:
        text = _LINE.sub(_join_cells, text)
    text = _TABBED.sub(r"\1:", text)
    text = _OWN_LINE.sub(lambda found: ":".ljust(len(found[0])), text)
    return _TRUTH.sub(lambda found: found[1] + ("no" if found[2].lower() == "false" else "").ljust(len(found[2])), text)


def _join_cells(line: re.Match[str]) -> str:
    """A line of a table with a colon between its cells, if it has two."""
    row = line[0]
    inside = row.strip(" \t\r").removeprefix("|").removesuffix("|")
    if inside.count("|") != 1 or inside.strip(" |:-") == "":
        return row
    bar = row.index(inside) + inside.index("|")
    return f"{row[:bar]}:{row[bar + 1 :]}"


def boxes_stand_first(text: str) -> bool:
    """Whether boxes stand before what they tick (□红 ☑绛), not after it (红□ 绛☑), in a clinical form.

    Between two words (红□绛☑, 色□红☑绛) the last box decides.
    """
    boxes = list(_BOX.finditer(text))
    if not boxes:
        return False
    before, after = _beside(text, boxes[0])
    if before and after:
        return _beside(text, boxes[-1])[1]
    return not before


def _beside(text: str, box: re.Match[str]) -> tuple[bool, bool]:
    """Whether a letter stands right before a box, and right after it."""
    return text[: box.start()][-1:].isalnum(), text[box.end() : box.end() + 1].isalnum()
