"""TEDS: tree-edit-distance-based similarity of two tables, and the trees it compares.

    TEDS(a, b) = 1 − TED(a, b) / max(|a|, |b|)          table ─ thead, tbody, tr, … ─ td

A cell is a leaf with its spans and its content: the tokens `<tag>`, characters, `</tag>` of what it holds. Every other
element is a node that compares by its tag. |T| counts all elements below the root, those inside cells too. TEDS-S is
the same with the content of all cells taken away. Zhong, ShafieiBavani and Jimeno Yepes, "Image-based table
recognition: data, model, and evaluation", ECCV 2020; profile `pubtabnet` gives what their implementation gives.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from lxml import etree

from jatdae.core.errors import UsageError
from jatdae.core.messages import speaker
from jatdae.kernels.tree import MAX_PAIRS, MAX_STEPS, Tree, TreeTooLarge, tree_distance, tree_mapping
from jatdae.tables.elements import find_official, find_tables
from jatdae.tables.extraction import find_elements, read_text
from jatdae.tables.grid import seen_text, text_of
from jatdae.tables.profiles import Profile, profile_of
from jatdae.tables.table_issues import TableError

Part = str | bytes
"""A piece of a cell: text, or a tag (as bytes, so that no text can be mistaken for one)."""
Content = str | tuple[Part, ...]

say = speaker(__name__)

_JOINED: Final = "#document"
_PLAIN: Final = (1, 1)
_SPACE: Final = re.compile(r"\s+")
_FIRST_TAG: Final = 0x110000  # the first number that is no character
_NEVER_CLOSED: Final = "unk"
_SURELY_NODES: Final = 2000  # a tree up to this size, with no more tokens than below, is within the kernel's limits
_SURELY_TOKENS: Final = 100_000


def teds(
    prediction_html: str, reference_html: str, *, structure_only: bool = False, profile: str = "standard"
) -> float | None:
    """TEDS, the tree similarity of the first tables of two texts, HTML or Markdown; None if not comparable.

    A prediction without a table scores 0; a reference without one is None. Profile `pubtabnet` takes nothing but the
    table of a full HTML document, as the official implementation does: anything else is 0 on either side.
    """
    chosen = profile_of(profile)
    try:
        reference = _tables(reference_html, chosen)
        if not reference and chosen.anywhere:
            return None
        prediction = _tables(prediction_html, chosen)
        if not reference or not prediction:
            return 0.0
        return score(plant(prediction, chosen), plant(reference, chosen), chosen, structure_only=structure_only)
    except TableError:
        return None


def score(prediction: TableTree, reference: TableTree, profile: Profile, *, structure_only: bool = False) -> float:
    """TEDS of two table trees made by a profile; raises TableError where it is not applicable."""
    return finish(ratio(prediction, reference, structure_only=structure_only), profile)


def ratio(prediction: TableTree, reference: TableTree, *, structure_only: bool) -> float | None:
    """Similarity of two table trees, 1 − TED / max(|a|, |b|); None where both are empty."""
    size = max(prediction.size, reference.size)
    return 1.0 - distance(prediction, reference, structure_only=structure_only) / size if size else None


def finish(ratio: float | None, profile: Profile) -> float:
    """Turn the similarity of two table trees into the value the profile reports: clamped, or that of empty ones."""
    if ratio is not None:
        return max(ratio, 0.0) if profile.clamp else ratio
    if profile.both_empty is None:
        raise TableError("empty_table", "both_tables_empty")
    return profile.both_empty


def _tables(text: str, profile: Profile) -> Sequence[etree._Element]:
    if not isinstance(text, str):
        raise UsageError(say("teds_of_no_text", kind=type(text).__name__))
    if not text.strip():
        return ()
    if profile.rewrite:
        return [find_rewritten(table.html, profile) for table in read_text(text, verbatim=profile.verbatim).tables]
    if profile.anywhere:
        return find_elements(text, verbatim=profile.verbatim)
    table = find_official(text)
    return () if table is None else (table,)


def find_rewritten(html: str, profile: Profile) -> etree._Element:
    """Find the table element in the source of a table as the profile rewrites it."""
    found = find_tables(profile.rewrite(html) if profile.rewrite else html)
    if not found:
        raise TableError("parse_error", "no_table_in_text")
    return found[0]


@dataclass(slots=True)
class TableTree:
    """Tree of a table, its nodes in preorder: parent, label (tag or cell spans), content and element."""

    parents: list[int] = field(default_factory=list)
    labels: list[Hashable] = field(default_factory=list)
    contents: list[Content] = field(default_factory=list)
    nodes: list[etree._Element | None] = field(default_factory=list, compare=False)
    size: int = 0
    """|T|: elements below the root."""

    @property
    def inner(self) -> int:
        """Elements inside cells: they count in |T| and are no nodes."""
        return self.size + 1 - len(self.parents)


def plant(tables: Sequence[etree._Element], profile: Profile) -> TableTree:
    """Make the tree of a table, or of several under one root where the profile joins them."""
    if profile.joined:
        tree = TableTree([-1], [_JOINED], [""], [None])
        stack = [(table, 0) for table in reversed(tables)]
    else:
        tree = TableTree(size=-1)  # the root itself does not count
        stack = [(tables[0], -1)]
    parents, labels, contents, nodes = tree.parents, tree.labels, tree.contents, tree.nodes
    rename, unwrap, gone = profile.rename, profile.unwrap, profile.drop | profile.written.keys()
    while stack:
        node, parent = stack.pop()
        tag = rename.get(node.tag, node.tag)
        if tag == "td":
            content, inner = _content(node, profile)
            tree.size += inner
            contents.append(content)
            labels.append(_spans(node))
        elif tag in gone:
            continue
        elif tag in unwrap:
            stack.extend([(child, parent) for child in node.iterchildren(reversed=True)])
            continue
        else:
            stack.extend([(child, len(parents)) for child in node.iterchildren(reversed=True)])
            contents.append("")
            labels.append(tag)
        parents.append(parent)
        nodes.append(node)
        tree.size += 1
    return tree


def distance(a: TableTree, b: TableTree, *, structure_only: bool) -> float:
    """Tree edit distance of two table trees."""
    try:
        return tree_distance(*_number(a, b, structure_only))
    except TreeTooLarge as error:
        raise _too_large(a, b) from error


def check_alone(tree: TableTree) -> None:
    """Refuse a table whose tree is too large to be compared even with a copy of itself."""
    tokens = sum(len(content) if isinstance(content, str) else sum(map(len, content)) for content in tree.contents)
    if len(tree.parents) > _SURELY_NODES or tokens > _SURELY_TOKENS:
        distance(tree, tree, structure_only=False)


def mapping(a: TableTree, b: TableTree) -> list[tuple[int, int]]:
    """Cheapest edit mapping of two table trees: node pairs, -1 on one side for a deletion or insertion."""
    try:
        return tree_mapping(*_number(a, b, structure_only=False))
    except TreeTooLarge as error:
        raise _too_large(a, b) from error


def _too_large(a: TableTree, b: TableTree) -> TableError:
    sizes = {"a": len(a.parents), "b": len(b.parents)}
    return TableError("too_large", "trees_too_large", **sizes, steps=MAX_STEPS, pairs=MAX_PAIRS)


def tokens_of(content: Content, tags: dict[bytes, int]) -> str | list[int]:
    """Tokens of a cell in the tree of a table: its text, or numbers where there are tags in it."""
    if isinstance(content, str):
        return content
    tokens: list[int] = []
    for part in content:
        if isinstance(part, str):
            tokens.extend(map(ord, part))
        else:
            tokens.append(_FIRST_TAG + tags.setdefault(part, len(tags)))
    return tokens


def _number(a: TableTree, b: TableTree, structure_only: bool) -> tuple[Tree, Tree, list[str | list[int]]]:
    """Both trees with labels and contents numbered alike."""
    labels: dict[Hashable, int] = {}
    texts: dict[Content, int] = {}
    made = []
    for tree in (a, b):
        kinds = [labels.setdefault(label, len(labels)) for label in tree.labels]
        numbers = (
            [] if structure_only else [texts.setdefault(text, len(texts)) if text else -1 for text in tree.contents]
        )
        made.append(Tree(tree.parents, kinds, numbers))
    tags: dict[bytes, int] = {}
    tokens = [tokens_of(text, tags) for text in texts]
    return made[0], made[1], tokens


def _spans(cell: etree._Element) -> tuple[int, int]:
    """colspan and rowspan; what Python's int() refuses is an error, as in the official implementation."""
    attributes = cell.attrib
    if not attributes:
        return _PLAIN
    try:
        return int(attributes.get("colspan", "1")), int(attributes.get("rowspan", "1"))
    except ValueError:
        spans = ", ".join(f'{name}="{cell.get(name)}"' for name in ("colspan", "rowspan") if name in attributes)
        raise TableError("bad_span", "span_not_integer", spans=spans[:80]) from None


def _content(cell: etree._Element, profile: Profile) -> tuple[Content, int]:
    """What a cell holds, and how many elements are in it."""
    if profile.text_only:
        return (seen_text(cell) if profile.as_seen else text_of(cell)), 0
    if not len(cell):
        text = cell.text or ""
        return (_written_by(text, profile).strip() if profile.collapse else _written_by(text, profile)), 0
    parts: list[Part] = [cell.text or ""]
    inner = 0
    walk = etree.iterwalk(cell, events=("start", "end"))
    for event, node in walk:
        if node is cell:
            continue
        tag = profile.rename.get(node.tag, node.tag)
        kept = not (tag in profile.unwrap or tag in profile.drop or tag in profile.written)
        if event == "start":
            inner += kept
            if kept:
                parts.append(f"<{tag}>".encode())
            if tag in profile.drop:
                walk.skip_subtree()
            else:
                parts.append(profile.written.get(tag) or node.text or "")
        else:
            if kept and tag != _NEVER_CLOSED:
                parts.append(f"</{tag}>".encode())
            if tag != "td":
                parts.append(node.tail or "")
    return _normalised(parts, profile), inner


def _normalised(parts: Iterable[Part], profile: Profile) -> Content:
    """The parts with neighbouring texts joined and written as the profile wants them."""
    made: list[Part] = []
    for is_text, group in groupby(parts, key=lambda part: isinstance(part, str)):
        if is_text:
            made.append(_written_by("".join(group), profile))  # type: ignore[arg-type]
        else:
            made.extend(group)
    if profile.collapse:
        first, last = made[0], made[-1]
        if isinstance(first, str):
            made[0] = first.lstrip()
        if isinstance(last, str):
            made[-1] = made[-1].rstrip()
    return made[0] if len(made) == 1 and isinstance(made[0], str) else tuple(made)


def _written_by(text: str, profile: Profile) -> str:
    """A piece of text as the profile reads it."""
    if profile.nfkc:
        text = unicodedata.normalize("NFKC", text)
    return _SPACE.sub(" ", text) if profile.collapse else text
