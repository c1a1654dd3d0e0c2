"""Building SVG. Text becomes text nodes; colours are classes, so that the page's theme decides them."""

from __future__ import annotations

import unicodedata
from copy import deepcopy
from typing import Final
from xml.etree import ElementTree

Node = ElementTree.Element

WIDTH: Final = 360
COLOURS: Final = 8
"""Systems are told apart by this many colours, and always by their names as well."""
MOST_TOLD: Final = 100
"""Values that the label of a chart says."""

_FIGURE_STYLE: Final = """
.chart { font: 11px system-ui, 'Noto Sans', 'Noto Sans KR', sans-serif; background: #fff; }
.chart text { fill: #1f2933; } .chart .faint { fill: #52606d; } .chart .title { font-weight: 600; }
.chart .axis { stroke: #9aa5b1; } .chart .rule { stroke: #e4e7eb; } .chart .band { fill-opacity: .16; stroke: none; }
.chart .line { fill: none; stroke-width: 1.6; } .chart .interval { stroke-width: 2; }
""" + "".join(
    f".chart .s{at} {{ fill: {colour}; stroke: {colour}; }} .chart .line.s{at} {{ fill: none; }}\n"
    for at, colour in enumerate(
        ("#0b7285", "#c2410c", "#5f3dc4", "#2b8a3e", "#a61e4d", "#1864ab", "#846200", "#495057")
    )
)


def canvas(height: float, label: str, width: float = WIDTH) -> Node:
    """An empty chart that a screen reader calls `label`."""
    root = Node("svg")
    root.set("viewBox", f"0 0 {round_off(width)} {round_off(height)}")
    root.set("class", "chart")
    root.set("role", "img")
    root.set("aria-label", shown(label))
    return root


def draw(parent: Node, tag: str, kind: str = "", **places: float | str) -> Node:
    """A shape of class `kind`; `_` in a name stands for `-`."""
    node = ElementTree.SubElement(parent, tag)
    if kind:
        node.set("class", kind)
    for name, value in places.items():
        node.set(name.replace("_", "-"), value if isinstance(value, str) else round_off(value))
    return node


def write(parent: Node, text: str, x: float, y: float, kind: str = "", anchor: str = "start") -> Node:
    """A line of text."""
    node = draw(parent, "text", kind, x=x, y=y)
    if anchor != "start":
        node.set("text-anchor", anchor)
    node.text = shown(text)
    return node


def describe(parent: Node, text: str) -> None:
    """What a pointer resting on a shape is told."""
    draw(parent, "title").text = shown(text)


def to_page(root: Node) -> str:
    """The chart as a part of a page, whose style sheet it takes."""
    return ElementTree.tostring(_told(root), encoding="unicode")


def to_figure(root: Node) -> str:
    """The chart as a file of its own, in light colours."""
    root = _told(root)
    root.set("xmlns", "http://www.w3.org/2000/svg")
    style = Node("style")
    style.text = _FIGURE_STYLE
    root.insert(0, style)
    _, _, width, height = (root.get("viewBox") or "0 0 0 0").split()
    root.set("width", width)
    root.set("height", height)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _told(root: Node) -> Node:
    """The chart with a label that says its values too: whoever cannot see it hears them."""
    told = deepcopy(root)
    values = [node.text or "" for shape in root.iter() for node in shape.findall("title") if shape.tag != "text"]
    told.set("aria-label", ". ".join([root.get("aria-label") or "", *values[:MOST_TOLD]]))
    return told


def colour(at: int) -> str:
    """The class of the at-th system."""
    return f"s{at % COLOURS}"


def fit(text: str, cells: int) -> str:
    """`text` cut to so many columns, of which a Hangul or Han character takes two."""
    used = 0
    for at, character in enumerate(text):
        used += 2 if unicodedata.east_asian_width(character) in "WF" else 1
        if used > cells:
            return text[: max(at - 1, 1)] + "…"
    return text


def shown(text: str) -> str:
    """Text that XML can carry: no control characters."""
    return "".join(c if c.isprintable() else "�" for c in text)


def round_off(value: float) -> str:
    """A coordinate: two digits are finer than any screen."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
