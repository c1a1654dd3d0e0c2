"""Safe parsing of HTML tables: bounded depth, nothing truncated silently, no entities of the document's own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from lxml import etree

from jatdae.tables.table_issues import MAX_ATTRIBUTES, MAX_DEPTH, TableError

CELLS: Final = frozenset({"td", "th"})

_FULL: Final = re.compile(r"\s*<(?:html|!doctype)", re.IGNORECASE)
_TAG: Final = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")
_ATTRIBUTE: Final = r"""[\s/]*+ [^\s/>][^\s/>=]*+
    (?: \s*+ = \s*+ (?: "[^"]*+(?:"|\Z) | '[^']*+(?:'|\Z) | [^\s>"'][^\s>]*+ )?+ )?+"""
_FEW_ATTRIBUTES: Final = re.compile(
    rf"""(?: [^<]*+ < (?: [^a-zA-Z]
        | [a-zA-Z][^\s/>]*+ (?: > | (?:{_ATTRIBUTE}){{0,{MAX_ATTRIBUTES}}}+ [\s/]*+ (?: > | \Z ) ) ) )*+ [^<]*+ <?+""",
    re.VERBOSE,
)
"""A text none of whose tags has too many attributes. Nothing in it is ever tried again, so its time is linear."""
_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_CELL_LEVELS: Final = 4  # table, tbody, tr, td
_CELL_TAGS: Final = ("<td", "</td", "<th", "</th", "<tr", "</tr")
# These close what is open in the cell before them, as the parser does, so they never add to the depth.
_RESETTING: Final = CELLS | {"tr", "thead", "tbody", "tfoot", "caption", "colgroup"}
# These hold nothing or are closed by their next sibling.
_SHALLOW: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
    | {"p", "li", "dt", "dd", "option"}
)


def find_tables(markup: str) -> list[etree._Element]:
    """Find the outermost table elements anywhere in an HTML text, in document order."""
    root = parse(markup)
    return [] if root is None else list(_outermost(root))


def find_official(markup: str) -> etree._Element | None:
    """Table element that the PubTabNet implementation takes: the first `body/table` of a full page, or None."""
    root = parse(markup) if _FULL.match(markup) else None
    return None if root is None else root.find("body/table")


def parse(markup: str) -> etree._Element | None:
    """Parse an HTML text with tables to its root element, without comments; None where it is empty."""
    check_depth(markup)
    check_attributes(markup)
    parser = etree.HTMLParser(remove_comments=True, remove_pis=True, encoding="utf-8", huge_tree=True)
    try:
        root: etree._Element | None = etree.fromstring(_encode(markup), parser)
    except etree.LxmlError as error:
        raise TableError("parse_error", "html_given_up", problem=error) from error
    last = parser.error_log.last_error
    if last is not None and last.level == etree.ErrorLevels.FATAL:
        raise TableError("parse_error", "html_given_up_at", line=last.line, problem=last.message)
    return root


def check_depth(markup: str) -> None:
    """Refuse an HTML text with tables whose elements nest deeper than MAX_DEPTH, before it is parsed."""
    cells = sum(map(markup.count, _CELL_TAGS))
    if markup.count("<") - cells + _CELL_LEVELS * markup.count("<table") <= MAX_DEPTH:
        return  # too few tags to nest that deep: nearly every document, found without a look at each tag
    bases: list[int] = []  # the depth each open table stands at
    depth = floor = 0  # floor: the depth of the cell being read
    for closing, name in _TAG.findall(markup):
        tag = name.lower()
        if tag == "table":
            if not closing:
                bases.append(depth)
                depth += _CELL_LEVELS
            elif bases:
                depth = bases.pop()
            floor = bases[-1] + _CELL_LEVELS if bases else 0
        elif tag in _RESETTING:
            depth = floor
        elif closing:
            depth -= depth > floor
        elif tag not in _SHALLOW:
            depth += 1
        if depth > MAX_DEPTH:
            raise TableError("parse_error", "nested_too_deep", most=MAX_DEPTH)


def check_attributes(markup: str) -> None:
    """Refuse an HTML text with tables if a tag has more than MAX_ATTRIBUTES, before it is parsed.

    The parser compares each attribute with all before it.
    """
    if len(markup) > 2 * MAX_ATTRIBUTES and not _FEW_ATTRIBUTES.fullmatch(markup):
        raise TableError("too_large", "too_many_attributes", most=MAX_ATTRIBUTES)


def _outermost(root: etree._Element) -> Iterator[etree._Element]:
    """Tables that stand in no other table."""
    walk = etree.iterwalk(root, events=("start",), tag="table")
    for _, table in walk:
        yield table
        walk.skip_subtree()


def _encode(markup: str) -> bytes:
    """UTF-8; what has no UTF-8 form, and NUL, becomes U+FFFD, where the parser would stop reading."""
    if "\0" in markup:
        markup = markup.replace("\0", "\ufffd")
    try:
        return markup.encode()
    except UnicodeEncodeError:
        return _SURROGATES.sub("\ufffd", markup).encode()
