"""SVG elements for charts, and finished charts as part of a page or as a file.

Text becomes text nodes, so nothing can be markup; colours are CSS classes, so the theme of the page sets them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from copy import deepcopy
from typing import Final
from xml.etree import ElementTree

from jatdae.core.messages import printable

Node = ElementTree.Element

WIDTH: Final = 360
COLOURS: Final = 8
"""Number of colours; systems are always labelled by name as well."""
_TITLE: Final = 16
"""Height of the line of a title."""
MOST_LABELLED: Final = 100
"""Values that the label of a chart lists."""

# A figure is also drawn by programs that take the first font of a list that is installed and, for a character it lacks,
# any font: a text with Hangul or Han gets fonts of its own, all of which have Latin letters too.
_FIGURE_STYLE: Final = """
.chart { font: 11px 'Noto Sans', 'Liberation Sans', Arial, Helvetica, 'DejaVu Sans', system-ui, sans-serif; }
.chart { background: #fff; }
.chart .cjk { font-family: 'Noto Sans KR', 'Noto Sans CJK KR', 'Apple SD Gothic Neo', 'Malgun Gothic', NanumGothic,
  UnDotum, sans-serif; }
.chart text { fill: #1f2933; } .chart .faint { fill: #52606d; } .chart .title { font-weight: 600; }
.chart .axis { stroke: #9aa5b1; } .chart .rule { stroke: #e4e7eb; } .chart .band { fill-opacity: .16; stroke: none; }
.chart .line { fill: none; stroke-width: 1.6; } .chart .interval { stroke-width: 2; } .chart .bar { stroke: none; }
""" + "".join(
    f".chart .s{at} {{ fill: {colour}; stroke: {colour}; }} .chart .line.s{at} {{ fill: none; }}\n"
    for at, colour in enumerate(
        ("#0b7285", "#c2410c", "#5f3dc4", "#2b8a3e", "#a61e4d", "#0a1f7a", "#846200", "#495057")
    )
)


def canvas(height: float, label: str, width: float = WIDTH) -> Node:
    """Make an empty SVG chart; `label` is its name for screen readers."""
    root = Node("svg")
    root.set("viewBox", f"0 0 {_round_off(width)} {_round_off(height)}")
    root.set("class", "chart")
    root.set("role", "img")
    root.set("aria-label", printable(label))
    return root


def draw(parent: Node, tag: str, kind: str = "", **places: float | str) -> Node:
    """Add a shape of CSS class `kind` to an SVG chart; `_` in an attribute name stands for `-`."""
    node = ElementTree.SubElement(parent, tag)
    if kind:
        node.set("class", kind)
    for name, value in places.items():
        node.set(name.replace("_", "-"), value if isinstance(value, str) else _round_off(value))
    return node


def write(parent: Node, text: str, x: float, y: float, kind: str = "", anchor: str = "start") -> Node:
    """Add a line of text to an SVG chart; one with Hangul or Han is of class `cjk`."""
    kinds = f"{kind} cjk".strip() if any(map(_is_wide, text)) else kind
    node = draw(parent, "text", kinds, x=x, y=y)
    if anchor != "start":
        node.set("text-anchor", anchor)
    node.text = printable(text)
    return node


def describe(parent: Node, text: str) -> None:
    """Add a tooltip to a shape of an SVG chart."""
    draw(parent, "title").text = printable(text)


def to_page(root: Node, *, titled: bool = True, along: Mapping[str, str] | None = None) -> str:
    """Write a chart as SVG for inside an HTML page, styled by the page's style sheet; its title may stand outside.

    `along` is the label of its axis in every language of the page, the chosen one first.
    """
    made = _labelled(root)
    if not titled:
        _drop_title(made)
    if along and len(set(along.values())) > 1:
        _say_in_each_language(made, along)
    return ElementTree.tostring(made, encoding="unicode")


def _say_in_each_language(root: Node, along: Mapping[str, str]) -> None:
    for node in [each for each in root if "along" in each.get("class", "").split()]:
        node.text = ""
        for at, (language, text) in enumerate(along.items()):
            said = draw(node, "tspan", lang=language, data_said=language)
            said.text = printable(text)
            if at:
                said.set("hidden", "")


def _drop_title(root: Node) -> None:
    """Remove the title of a chart, and its line if nothing else stands in it."""
    title = next(node for node in root if "title" in node.get("class", "").split())
    root.remove(title)
    if all(node.get("y") != title.get("y") for node in root):
        left, _, width, height = (root.get("viewBox") or "").split()
        root.set("viewBox", f"{left} {_TITLE} {width} {_round_off(float(height) - _TITLE)}")


def to_figure(root: Node) -> str:
    """Write a chart as a stand-alone SVG file, in light colours."""
    root = _labelled(root)
    root.set("xmlns", "http://www.w3.org/2000/svg")
    style = Node("style")
    style.text = _FIGURE_STYLE
    root.insert(0, style)
    _, _, width, height = (root.get("viewBox") or "0 0 0 0").split()
    root.set("width", width)
    root.set("height", height)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _labelled(root: Node) -> Node:
    """A copy of the chart whose label lists its values, for screen readers."""
    told = deepcopy(root)
    values = [node.text or "" for shape in root.iter() for node in shape.findall("title") if shape.tag != "text"]
    told.set("aria-label", ". ".join([root.get("aria-label") or "", *values[:MOST_LABELLED]]))
    return told


def colour(system: int) -> str:
    """CSS class for the colour of the system with this number in SVG charts."""
    return f"s{system % COLOURS}"


def fit(text: str, cells: int) -> str:
    """Cut a label of an SVG chart to a width in columns; Hangul and Han take two, capitals a bit over one."""
    used = 0.0
    for at, character in enumerate(text):
        used += 2 if _is_wide(character) else 1.25 if character.isupper() else 1
        if used > cells:
            return text[: max(at - 1, 1)] + "…"
    return text


def cells_of(text: str) -> int:
    """Width of a label of an SVG chart in columns."""
    return sum(2 if _is_wide(character) else 1 for character in text)


def _is_wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"


def _round_off(value: float) -> str:
    """Write an SVG coordinate as text, with at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
