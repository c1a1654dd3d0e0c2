"""Boxes and floats around tables and figures, written so that pandoc reads what is in them.

pandoc drops the table in a `\\resizebox` and the caption of a `sidewaystable`, a `wrapfigure` or a figure that is
drawn, takes options of boxes and of columns for text, and numbers what is left and has a label: every later number
would be another one.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from jatdae.corpus.latex_citations import GROUP

_BOXES: Final = {
    "resizebox": 2, "scalebox": 1, "rotatebox": 1, "adjustbox": 1, "raisebox": 1, "makebox": 0, "centerline": 0,
}  # fmt: skip
"""Commands around a content, with how many arguments stand before it."""
_PLAIN: Final = {
    "adjustbox": 1,
    "landscape": 0,
    "turn": 1,
    "rotate": 1,
    "sideways": 0,
    "spacing": 1,
    "threeparttable": 0,
    "multicols": 1,
}
"""Environments around a content, likewise."""
_FLOATS: Final = {
    "sidewaystable": ("table", 0), "sidewaysfigure": ("figure", 0), "wraptable": ("table", 2),
    "wrapfigure": ("figure", 2), "SCtable": ("table", 0), "SCfigure": ("figure", 0),
}  # fmt: skip
"""Environments that are tables and figures by another name, with their arguments."""
_TABLES: Final = {"tabular": 0, "tabular*": 1, "tabularx": 1, "tabulary": 1, "longtable": 0}
"""Environments whose columns are told, with how many arguments stand before."""
_STARTS: Final = re.compile(
    r"\\(?P<box>" + "|".join(_BOXES) + r")(?![A-Za-z])\*?"
    r"|\\(?P<part>subfloat|subfigure|subtable)(?![A-Za-z])\s*(?=[\[{])"
    r"|\\(?P<end>begin|end)\s*\{(?P<name>[A-Za-z]+)(?P<star>\*?)\}"
)
_OPTIONS: Final = re.compile(rf"\s*((?:\[(?:[^\[\]{{}}]|{GROUP})*+\]\s*)*+)")
_LAST_OPTION: Final = re.compile(rf"\[((?:[^\[\]{{}}]|{GROUP})*+)\]\s*\Z")
_SIGN: Final = re.compile(r"\\.|[{}]", re.DOTALL)
_FIGURE: Final = re.compile(r"\\begin\{figure\*?\}((?:[^\\]|\\(?!(?:begin|end)\{figure\*?\}))*+)\\end\{figure\*?\}")
_FLOAT: Final = re.compile(
    r"\\begin\{(table|figure|longtable)\*?\}((?:[^\\]|\\(?!(?:begin|end)\{(?:table|figure|longtable)\*?\}))*+)"
    r"\\end\{\1\*?\}"
)
_MINIPAGE: Final = re.compile(
    r"\\begin\{minipage\}\s*(?:\[[^\[\]]*\]\s*)*+\{[^{}]*\}((?:[^\\]|\\(?!(?:begin|end)\{minipage\}))*+)\\end\{minipage\}"
)
_CAPTION: Final = re.compile(r"\\caption(?![A-Za-z*])")
_WHOLE_CAPTION: Final = re.compile(rf"\\caption(?![A-Za-z*])\s*(?:\[[^\[\]]*\])?\s*{GROUP}")
_TRIMMED_RULE: Final = re.compile(r"\\cmidrule\s*(?:\[[^\[\]]*\])?\s*\([^()]{0,40}\)")
_MOST_COLUMNS: Final = 500


def with_plain_floats(text: str) -> str:
    """A source without boxes, whose floats are tables and figures, with columns that are letters."""
    closing = _closings(text)
    edits: list[tuple[int, int, str]] = []
    float_kind = "figure"

    def content(at: int, arguments: int) -> tuple[int, str]:
        """Where the content behind so many arguments opens, and the options before it; -1 where there is none."""
        options = ""
        for left in range(arguments, -1, -1):
            if found := _OPTIONS.match(text, at):
                options, at = options + found[1], found.end()
            if left and at not in closing:
                return -1, ""
            at = closing[at] + 1 if left else at
        return at, options

    for start in _STARTS.finditer(text):
        name = start["name"]
        if box := start["box"] or start["part"]:
            opens, options = content(start.end(), _BOXES.get(box, 0))
            if opens not in closing:
                continue
            said = _LAST_OPTION.search(options) if start["part"] else None
            begin, end = (
                (f"\\begin{{sub{float_kind}}}{{0pt}}", f"\\end{{sub{float_kind}}}") if start["part"] else ("", "")
            )
            caption = f"\\caption{{{said[1]}}}" if said and said[1].strip() else ""
            edits += [(start.start(), opens + 1, begin), (closing[opens], closing[opens] + 1, caption + end)]
        elif name in _FLOATS or name in _PLAIN:
            kind, arguments = _FLOATS.get(name) or ("", _PLAIN[name])
            stop = start.end()
            if start["end"] == "begin":
                stop, _ = content(stop, arguments)
            if stop >= 0:
                edits.append((start.start(), stop, f"\\{start['end']}{{{kind}}}" if kind else ""))
        elif start["end"] == "begin" and name + start["star"] in _TABLES:
            opens, _ = content(start.end(), _TABLES[name + start["star"]])
            columns = _columns(text[opens + 1 : closing[opens]]) if opens in closing else None
            if columns:
                edits.append((opens + 1, closing[opens], columns))
        if name in ("table", "figure") or name in _FLOATS:
            float_kind = _FLOATS[name][0] if name in _FLOATS else name
    text = _TRIMMED_RULE.sub(r"\\cmidrule", _edited(text, edits))
    return _FIGURE.sub(_with_image, _FLOAT.sub(_apart, text))


def with_labels(text: str) -> str:
    """A source in which every float with a caption has a label: pandoc counts no other where it prints references."""

    def labelled(found: re.Match[str]) -> str:
        caption = _WHOLE_CAPTION.search(found[0])
        if caption is None or "\\label" in found[0]:
            return found[0]
        return f"{found[0][: caption.end()]}\\label{{jatdae-float-{found.start()}}}{found[0][caption.end() :]}"

    return _FLOAT.sub(labelled, text)


def count_captions(text: str) -> Counter[str]:
    """How many numbered captions a source has, by what they are called."""
    found: Counter[str] = Counter()
    for each in _FLOAT.finditer(text):
        found["Figure" if each[1] == "figure" else "Table"] += len(_CAPTION.findall(each[2]))
    return found


def _closings(text: str) -> dict[int, int]:
    """By the place of each brace that opens, that of the one that closes it."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for sign in _SIGN.finditer(text):
        if sign[0] == "{":
            opened.append(sign.start())
        elif sign[0] == "}" and opened:
            found[opened.pop()] = sign.start()
    return found


def _edited(text: str, edits: list[tuple[int, int, str]]) -> str:
    pieces, last = [], 0
    for start, end, new in sorted(edits):
        if start >= last:
            pieces += [text[last:start], new]
            last = end
    return "".join([*pieces, text[last:]])


def _apart(found: re.Match[str]) -> str:
    """Floats that stand side by side in one: pandoc would give all of them the last caption."""
    boxes = [box[1] for box in _MINIPAGE.finditer(found[2]) if len(_CAPTION.findall(box[1])) == 1]
    if len(boxes) < 2 or len(boxes) != len(_CAPTION.findall(found[2])):
        return found[0]
    return "\n\n".join(f"\\begin{{{found[1]}}}{box}\\end{{{found[1]}}}" for box in boxes)


def _with_image(figure: re.Match[str]) -> str:
    """A figure with something that pandoc takes for an image: only then it keeps the caption."""
    caption = _CAPTION.search(figure[1])
    if "\\includegraphics" in figure[1] or "\\begin{sub" in figure[1] or caption is None:
        return figure[0]
    at = figure.start(1) - figure.start() + caption.start()
    return f"{figure[0][:at]}\\includegraphics{{drawing}}{figure[0][at:]}"


def _columns(told: str) -> str | None:
    """Columns as pandoc reads them: a letter each, with what stands before and behind cells; None if one is unclear."""
    closing = _closings(told)
    columns, at = "", 0
    while at < len(told):
        sign = told[at]
        at += 1
        if sign in "@!<>*" or sign.isalpha():
            groups = []
            while (options := _OPTIONS.match(told, at)) and (options.end() in closing or options[1]):
                at = options.end()
                if at in closing:
                    groups.append(told[at + 1 : closing[at]])
                    at = closing[at] + 1
                if sign in "@!<>" or (sign == "*" and len(groups) == 2):
                    break
            if sign in "<>" and groups:
                columns += f"{sign}{{{groups[0]}}}"
            elif sign == "*":
                if len(groups) != 2 or not groups[0].strip().isdecimal() or (inner := _columns(groups[1])) is None:
                    return None
                columns += inner * min(int(groups[0]), _MOST_COLUMNS)
            elif sign.isalpha():
                columns += sign if sign in "lcr" else "l"
        elif sign not in "|:~ \t\n":
            return None
        if len(columns) > 10 * _MOST_COLUMNS:
            return None
    return columns
