"""opendataloader-bench: reading order (NID), tables (TEDS) and heading hierarchy (MHS) of single pages.

    NID   = 2 · LCS(prediction, reference) / (|prediction| + |reference|)      over characters, white space collapsed
    MHS   = 1 − TED(prediction, reference) / larger number of nodes            over trees of headings and their contents
    TEDS  = the profile `opendataloader` of the tables room, all tables of a page under one root
    overall = mean of NID, TEDS and MHS, of those that apply

NID-S leaves the tables out, MHS-S and TEDS-S the texts. The level of a heading counts in neither MHS: every heading
hangs below the root. Before anything is compared, pipe tables become HTML: their header, a row of nothing left out.

Source: https://github.com/opendataloader-project/opendataloader-bench, as of December 2025.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, Final

from rapidfuzz import fuzz

from jatdae.core.contract import Sample, add_up
from jatdae.documents.benchmarks.benchmark import Benchmark, Row, folders_in, metrics_of, page_text, read_json, text_of
from jatdae.kernels.tree import Tree, TreeTooLarge, tree_distance
from jatdae.tables import TableEvaluator

VERSION: Final = "2025.12"

_HEADING: Final = re.compile(r"#{1,6}\s+(.*)")
_TABLE: Final = re.compile(r"<table[^>]*?>.*?</table>", re.IGNORECASE | re.DOTALL)
_ROOT, _SECTION, _CONTENT = range(3)


def fits(folder: Path) -> bool:
    """Whether a folder is the benchmark's."""
    return (folder / "ground-truth" / "markdown").is_dir() and (folder / "prediction").is_dir()


def systems(folder: Path) -> list[str]:
    """Its engines."""
    return folders_in(folder / "prediction", "markdown")


def rows(folder: Path, system: str) -> Iterator[Row]:
    """The pages of an engine; the mean seconds that its evaluation tells are those of each page."""
    seconds = _seconds(folder / "prediction" / system / "evaluation.json")
    meta = {} if seconds is None else {"meta": {"seconds": seconds, "pages": 1}}
    for gold in sorted((folder / "ground-truth" / "markdown").glob("*.md")):
        row: Row = {"id": gold.stem, "reference": page_text(gold), **meta}
        written = page_text(folder / "prediction" / system / "markdown" / gold.name)
        yield row if written is None else row | {"prediction": written}


def _seconds(path: Path) -> float | None:
    summary = read_json(path, dict).get("summary") if path.is_file() else None
    seconds = summary.get("elapsed_per_doc") if isinstance(summary, dict) else None
    return float(seconds) if isinstance(seconds, int | float) else None


def score(given: Any, gold: Any) -> dict[str, float | None]:
    """Every number of the benchmark for one page."""
    prediction, reference = text_of(given), text_of(gold)
    values = _reading_order(prediction, reference) | _tables(prediction, reference) | _headings(prediction, reference)
    known = [value for name in ("nid", "teds", "mhs") if (value := values[name]) is not None]
    values["overall"] = add_up(known) / len(known) if known else None
    return values


def _reading_order(prediction: str, reference: str) -> dict[str, float | None]:
    sides = [with_html_tables(text) for text in (reference, prediction)]
    if not sides[0].strip():
        return {"nid": None, "nid_s": None}
    whole = [_collapsed(side) for side in sides]
    rest = [_collapsed(_TABLE.sub(" ", side)) for side in sides]
    return {"nid": fuzz.ratio(*whole) / 100.0, "nid_s": fuzz.ratio(*rest) / 100.0}


def _tables(prediction: str, reference: str) -> dict[str, float | None]:
    found = _evaluator().score(Sample("", prediction, reference)).values
    return {name: found[name] for name in ("teds", "teds_s")}


@cache
def _evaluator() -> TableEvaluator:
    return TableEvaluator(profile="opendataloader", structured="yes")


def _headings(prediction: str, reference: str) -> dict[str, float | None]:
    texts: list[str] = []
    expected, found = (_tree(with_html_tables(text), texts) for text in (reference, prediction))
    if _SECTION not in expected.kinds:
        return {"mhs": None, "mhs_s": None}
    if _SECTION not in found.kinds:
        return {"mhs": 0.0, "mhs_s": 0.0}
    most = max(len(expected.kinds), len(found.kinds))
    bare, bare_found = (Tree(tree.parents, tree.kinds) for tree in (expected, found))
    try:
        distances = tree_distance(expected, found, texts), tree_distance(bare, bare_found)
    except TreeTooLarge:
        return {"mhs": 0.0, "mhs_s": 0.0}
    mhs, mhs_s = (max(0.0, 1.0 - distance / most) for distance in distances)
    return {"mhs": mhs, "mhs_s": mhs_s}


def _tree(text: str, texts: list[str]) -> Tree:
    """Headings below the root, and what follows each, as one content, below it; new texts are added to `texts`."""
    parents, kinds, places = [-1], [_ROOT], [-1]
    parent = 0
    pending: list[str] = []

    def add(below: int, kind: int, content: str) -> None:
        parents.append(below)
        kinds.append(kind)
        places.append(len(texts))
        texts.append(content)

    for line in [*text.splitlines(), "# "]:  # the last ends what is pending
        heading = _HEADING.match(line)
        if heading is None:
            pending.append(line)
            continue
        if content := _collapsed(" ".join(pending)):
            add(parent, _CONTENT, content)
        pending.clear()
        parent = len(kinds)
        add(0, _SECTION, _collapsed(heading[1]))
    for column in (parents, kinds, places):
        column.pop()
    return Tree(parents, kinds, places)


def with_html_tables(text: str) -> str:
    """A Markdown text with its pipe tables written as HTML, by the benchmark's own rules.

    Code is not looked at, a backslash does not keep a pipe, a row without outer pipes counts, and a row of three cells
    in a wider table is stretched: its middle cell is repeated.
    """
    lines = text.splitlines(keepends=True)
    made: list[str] = []
    at = 0
    while at < len(lines):
        header, rule = _cells(lines[at]), _cells(lines[at + 1]) if at + 1 < len(lines) else []
        if not header or not _is_rule(rule):
            made.append(lines[at])
            at += 1
            continue
        first, at, width = lines[at], at + 2, max(len(header), len(rule))
        rows = [_stretched(header, width)]
        while at < len(lines) and (cells := _cells(lines[at])):
            rows.append(_stretched(cells, width))
            at += 1
        if len(rows) > 1 and not any(rows[0]):
            del rows[0]
        made.append(_html(rows) + first[len(first.rstrip("\r\n")) :])
    return "".join(made)


def _cells(line: str) -> list[str]:
    line = line.strip()
    if "|" not in line:
        return []
    return [cell.strip() for cell in line.removeprefix("|").removesuffix("|").split("|")] if line != "|" else []


def _is_rule(cells: list[str]) -> bool:
    bare = [cell.replace(" ", "") for cell in cells]
    return bool(bare) and all(cell and not cell.strip("-:") for cell in bare)


def _stretched(cells: list[str], width: int) -> list[str]:
    if len(cells) == 3 < width:
        return [cells[0], *[cells[1]] * (width - 2), cells[2]]
    return cells[:width] + [""] * (width - len(cells))


def _html(rows: list[list[str]]) -> str:
    tags = ["th"] + ["td"] * len(rows)
    lines = ("".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row) for tag, row in zip(tags, rows, strict=False))
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def _collapsed(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


BENCHMARK: Final = Benchmark(
    "opendataloader",
    VERSION,
    fits,
    systems,
    rows,
    metrics_of("opendataloader", better="higher", names=("overall", "nid", "nid_s", "teds", "teds_s", "mhs", "mhs_s")),
    score,
    of_texts=True,
)
