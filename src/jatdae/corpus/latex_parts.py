"""Tables and figures of several parts (`subtable`, `subfigure`), written so that pandoc reads them as one.

pandoc knows no parts: it takes each for a table or figure of its own, with a number, and the width of a part for text.
Here the first part has the caption and the number of the whole, and every part its own caption, `(a) …`, before it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

NEXT_PART: Final = "JATDAENEXTPARTSTANDSHERE"
"""Word that stands in a caption where the caption of a part begins."""
_FLOAT: Final = re.compile(
    r"\\begin\{(table|figure)(\*?)\}((?:[^\\]|\\(?!(?:begin|end)\{(?:table|figure)\*?\}))*+)\\end\{\1\2\}"
)
_PART: Final = re.compile(
    r"\\begin\{(sub(?:table|figure))\}((?:[^\\]|\\(?!(?:begin|end)\{sub(?:table|figure)\}))*+)\\end\{\1\}"
)
_PLACING: Final = re.compile(r"\A\s*(?:\[[^\]]*\]\s*)*")
_CAPTION: Final = re.compile(r"\\caption(?![A-Za-z*])\s*(?:\[[^\]]*\])?\s*(?=\{)")
_LABEL: Final = re.compile(r"\\label\s*\{([^{}]*)\}")
_COMMAND: Final = re.compile(r"\\[A-Za-z]+\*?(?:\[[^\]]*\])?(?:\{[^{}]*\})?")
_REFERENCE: Final = re.compile(r"\\(ref|subref)\*?\s*\{([^{}]*)\}")
_CONTENT: Final = {"table": re.compile(r"\\begin\s*\{tabular"), "figure": re.compile(r"\\includegraphics(?![A-Za-z])")}
"""What pandoc makes a table or a figure of."""
_MOST: Final = 26


@dataclass(frozen=True)
class _Piece:
    """A float or a part of one: what is in it, its captions and its labels."""

    content: str
    captions: list[str]
    labels: list[str]


def with_parts(text: str) -> str:
    """A text in which each table or figure of several parts is one; those that are not understood stay as they are."""
    letters: dict[str, tuple[str, str]] = {}
    """By label of a part, the label of the whole and the letter of the part."""

    def joined(match: re.Match[str]) -> str:
        if not _PART.search(match[3]):
            return match[0]
        return _joined(match[1], match[3], letters) or match[0]

    def referred(match: re.Match[str]) -> str:
        if match[2] not in letters:
            return match[0]
        whole, letter = letters[match[2]]
        return f"\\ref{{{whole}}}{letter}" if match[1] == "ref" else f"({letter})"

    text = _FLOAT.sub(joined, text)
    return _REFERENCE.sub(referred, text) if letters else text


def _joined(kind: str, inside: str, letters: dict[str, tuple[str, str]]) -> str:
    """A float of several parts as one, "" where it cannot be told what is in it."""
    whole = _piece(_PART.sub(" ", inside))
    parts = [_piece(_without_width(part[2])) for part in _PART.finditer(inside)]
    captioned = [part for part in parts if part.captions]
    if len(whole.captions) != 1 or len(captioned) > _MOST or any(len(part.captions) > 1 for part in parts):
        return ""
    found = [len(_CONTENT[kind].findall(part.content)) for part in parts]
    if min(found) < 1 or (kind == "table" and max(found) > 1):
        return ""
    label = whole.labels[0] if whole.labels else f"jatdae-parts-{len(letters)}"
    said: list[str] = []
    for part in parts:
        letter = chr(ord("a") + sum(map(bool, said)))
        said.append(f"({letter}) {part.captions[0]}" if part.captions else "")
        if part.captions:
            letters.update((name, (label, letter)) for name in part.labels)
    notes = whole.content if re.search(r"\w", _COMMAND.sub("", whole.content)) else ""
    if kind == "figure":
        image = "\\includegraphics{parts}"
        return _float(kind, image, [whole.captions[0], *filter(None, said)], label) + f"\n\n{notes}\n\n"
    first = _float(kind, parts[0].content, [whole.captions[0], *filter(None, said[:1])], label)
    others = [f"{said[at]}\n\n{part.content}" for at, part in enumerate(parts) if at]
    return "\n\n".join(["", first, *others, notes, ""])


def _float(kind: str, content: str, captions: list[str], label: str) -> str:
    caption = f" {NEXT_PART} ".join(captions)
    return f"\\begin{{{kind}}}{content}\n\\caption{{{caption}}}\\label{{{label}}}\\end{{{kind}}}"


def _without_width(inside: str) -> str:
    inside = _PLACING.sub("", inside)
    return inside[_group_end(inside, 0) :] if inside.startswith("{") else inside


def _piece(inside: str) -> _Piece:
    """What is inside a float, without where it is placed."""
    inside = _PLACING.sub("", inside)
    labels = _LABEL.findall(inside)
    left = _LABEL.sub("", inside)
    captions = []
    while caption := _CAPTION.search(left):
        end = _group_end(left, caption.end())
        captions.append(left[caption.end() + 1 : end - 1].strip())
        left = left[: caption.start()] + left[end:]
    return _Piece(left.strip(), captions, labels)


def _group_end(text: str, at: int) -> int:
    """Where a group that opens at a place ends; the end of the text if it is never closed."""
    depth = 0
    for sign in re.finditer(r"\\.|[{}]", text[at:], re.DOTALL):
        depth += {"{": 1, "}": -1}.get(sign[0], 0)
        if depth == 0 and sign[0] == "}":
            return at + sign.end()
    return len(text)
