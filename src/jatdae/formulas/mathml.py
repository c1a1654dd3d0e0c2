"""Reads MathML into the tree that `reader.py` reads LaTeX into, so that one can be compared with the other.

Presentation MathML is read. Where the source in TeX stands beside it, as an annotation, that is read instead. Nothing
is fetched or expanded, and nothing raises; what is nested too deep is read as its characters, one after another.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from html.entities import html5
from typing import Final

from lxml import etree

from jatdae.formulas.reader import (
    MAX_DEPTH,
    NEW_LINE,
    UPRIGHT,
    Formula,
    Node,
    Row,
    add_character,
    add_script,
    grid_or_lines,
    is_script,
    read_formula,
)
from jatdae.formulas.symbols import MARKS_ABOVE, MARKS_BELOW, MATHML_FONTS, SEVERAL, SYMBOLS

OPENING: Final = r"<(?:[a-z]+:)?math(?=[\s>])"
"""How a formula in MathML begins."""
_BEGIN: Final = re.compile(rf"\s*{OPENING}")
_ENTITY: Final = re.compile(r"&([a-zA-Z][a-zA-Z0-9]*;)")
_OF_XML: Final = frozenset(["lt;", "gt;", "amp;", "quot;", "apos;"])
_TEX: Final = frozenset(["application/x-tex", "tex", "latex", "application/x-latex"])
_UNSEEN: Final = re.compile(r"[\s\u200b\u2061-\u2064\ufeff]+")
_PRIMES: Final = {"'": "′", "’": "′", "′": "′", "″": "′′", "‴": "′′′"}
_ALIGNED: Final = re.compile(r"right\s+left\b")


def is_mathml(text: str) -> bool:
    """Whether a formula is written in MathML."""
    return _BEGIN.match(text) is not None


def read_mathml(source: str) -> Formula:
    """Read a formula in MathML into a tree."""
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, remove_comments=True)
    named = _ENTITY.sub(lambda name: name[0] if name[1] in _OF_XML else html5.get(name[1], name[0]), source)
    root = etree.fromstring(named.encode("utf-8", "replace"), parser)
    if root is None:
        return Formula([], {"unbalanced": "<math>"})
    faults = {"unbalanced": "<math>"} if parser.error_log.filter_from_fatals() else {}
    if _depth(root) > MAX_DEPTH:
        return Formula(_characters(_text(root), ""), faults | {"too_deep": f"more than {MAX_DEPTH} levels"})
    for annotation in root.iter("{*}annotation"):
        if (annotation.get("encoding") or "").lower() in _TEX and annotation.text:
            return read_formula(annotation.text)
    return Formula(_row(root), faults)


def _depth(root: etree._Element) -> int:
    depth = deepest = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        deepest = max(deepest, depth)
    return deepest


def _row(element: etree._Element) -> Row:
    """What the children of an element print."""
    return _printed(_children(element))


def _children(element: etree._Element) -> list[etree._Element]:
    return [child for child in element if isinstance(child.tag, str)]


def _printed(elements: Iterable[etree._Element]) -> Row:
    row: Row = []
    for element in elements:
        name = etree.QName(element).localname.rpartition(":")[2]
        _READERS.get(name, _inner)(element, row)
    return _without_brackets_of_binomials(row)


def _without_brackets_of_binomials(row: Row) -> Row:
    """A fraction without a line is a binomial coefficient, whose brackets are drawn with it."""
    at = 1
    while at < len(row) - 1:
        if type(row[at]) is list and row[at][0] == "binom" and (row[at - 1], row[at + 1]) == ("(", ")"):
            row[at - 1 : at + 2] = [row[at]]
        at += 1
    return row


def _inner(element: etree._Element, row: Row) -> None:
    row += _row(element)


def _nothing(_element: etree._Element, _row: Row) -> None:
    """Print nothing."""


def _space(element: etree._Element, row: Row) -> None:
    if element.get("linebreak") == "newline":
        row.append(NEW_LINE)


def _first(element: etree._Element, row: Row) -> None:
    row += _printed(_children(element)[:1])


def _letters(element: etree._Element, row: Row) -> None:
    """An identifier: one letter as it is, several upright."""
    text = _text(element)
    several = UPRIGHT if len(text) > 1 else ""
    row += _characters(text, MATHML_FONTS.get(element.get("mathvariant") or "", several))


def _digits(element: etree._Element, row: Row) -> None:
    row += _characters(_text(element), MATHML_FONTS.get(element.get("mathvariant") or "", ""))


def _words(element: etree._Element, row: Row) -> None:
    row += _characters(_text(element), UPRIGHT)


def _operator(element: etree._Element, row: Row) -> None:
    text = _text(element)
    if text in _PRIMES:
        add_script(row, "sup", list(_PRIMES[text]))
    else:
        row += _characters(text, UPRIGHT if text.isalpha() and text.isascii() else "")


def _text(element: etree._Element) -> str:
    return _UNSEEN.sub("", "".join(map(str, element.itertext())))


def _characters(text: str, font: str) -> Row:
    row: Row = []
    for sign in text.replace("...", "…"):
        symbol = SYMBOLS.get(sign)
        if sign in SEVERAL:
            row += SEVERAL[sign]
        elif symbol is None:
            add_character(row, sign, font)
        else:
            row.append(["#", symbol, font] if font else symbol)
    return row


def _fraction(element: etree._Element, row: Row) -> None:
    above, below = _parts(element, 2)
    thick = (element.get("linethickness") or "").strip()
    row.append(["binom" if thick.startswith("0") and not thick.strip("0.pxemt") else "frac", above, below])


def _square_root(element: etree._Element, row: Row) -> None:
    row.append(["root", _row(element), []])


def _root(element: etree._Element, row: Row) -> None:
    row.append(["root", *_parts(element, 2)])


def _scripts(*kinds: str) -> Callable[[etree._Element, Row], None]:
    def read(element: etree._Element, row: Row) -> None:
        base, *scripts = _parts(element, len(kinds) + 1)
        row += base
        for kind, script in zip(kinds, scripts, strict=True):
            add_script(row, kind, _unraised(script))

    return read


def _unraised(script: Row) -> Row:
    """A script; a prime is raised by itself."""
    return script[0][1] if len(script) == 1 and is_script(script[0]) else script


def _limits(*kinds: str) -> Callable[[etree._Element, Row], None]:
    """Marks above and below, and what else stands there: a script, as in LaTeX."""

    def read(element: etree._Element, row: Row) -> None:
        base, *scripts = _parts(element, len(kinds) + 1)
        others: list[tuple[str, Row]] = []
        for kind, script in zip(kinds, scripts, strict=True):
            marks = MARKS_ABOVE if kind == "sup" else MARKS_BELOW
            mark = marks.get(str(script[0])) if len(script) == 1 and isinstance(script[0], str) else None
            if mark and base and element.get("accent") != "false":
                base = [["accent", mark, base]]
            else:
                others.append((kind, script))
        row += base
        for kind, script in others:
            add_script(row, kind, _unraised(script))

    return read


def _around(element: etree._Element, row: Row) -> None:
    """Scripts on both sides: pairs of a lower and an upper one, those before the base at last."""
    children = _children(element)
    names = [etree.QName(child).localname for child in children]
    split = names.index("mprescripts") if "mprescripts" in names else len(children)
    for group, base in ((children[split + 1 :], []), (children[1:split], children[:1])):
        row += _printed(base)
        for at, script in enumerate(group):
            add_script(row, "sup" if at % 2 else "sub", _unraised(_printed([script])))


def _fenced(element: etree._Element, row: Row) -> None:
    parts = [_printed([child]) for child in _children(element)]
    separators = _UNSEEN.sub("", element.get("separators", ","))
    row += _characters(element.get("open", "("), "")
    for at, part in enumerate(parts):
        if at and separators:
            row += _characters(separators[min(at, len(separators)) - 1], "")
        row += part
    row += _characters(element.get("close", ")"), "")


def _table(element: etree._Element, row: Row) -> None:
    lines: list[list[Row]] = []
    for line in _children(element):
        cells = _children(line)
        labelled = etree.QName(line).localname == "mlabeledtr"
        lines.append([_row(cell) for cell in (cells[1:] if labelled else cells)])
    aligned = element.get("displaystyle") == "true" or bool(_ALIGNED.match(element.get("columnalign") or ""))
    row += grid_or_lines([line for line in lines if any(line)], aligned)


def _parts(element: etree._Element, count: int) -> Sequence[Row]:
    """The arguments of an element; those that are not there are empty."""
    rows = [_printed([child]) for child in _children(element)[:count]]
    return [*rows, *([] for _ in range(count - len(rows)))]


_READERS: Final[dict[str, Callable[[etree._Element, list[Node]], None]]] = {
    "mi": _letters,
    "mn": _digits,
    "mo": _operator,
    "mtext": _words,
    "ms": _words,
    "mspace": _space,
    "mphantom": _nothing,
    "none": _nothing,
    "mprescripts": _nothing,
    "annotation": _nothing,
    "annotation-xml": _nothing,
    "semantics": _first,
    "maction": _first,
    "mfrac": _fraction,
    "msqrt": _square_root,
    "mroot": _root,
    "msub": _scripts("sub"),
    "msup": _scripts("sup"),
    "msubsup": _scripts("sub", "sup"),
    "munder": _limits("sub"),
    "mover": _limits("sup"),
    "munderover": _limits("sub", "sup"),
    "mmultiscripts": _around,
    "mfenced": _fenced,
    "mtable": _table,
}
