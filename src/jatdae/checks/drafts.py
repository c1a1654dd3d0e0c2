"""Proposes tests from a gold document: what a person might ask of it, spread over the whole, each of which it passes.

| type | is asked |
|---|---|
| present | sentences that stand there once |
| order | the beginnings of two paragraphs, the later not the next but one of those that follow |
| table | cells that stand there once, with the headings of their row and column, or their neighbours |
| math | displayed formulas, the longest first |
| baseline | once for every document |

What must be absent (headers, page numbers) does not stand in the gold: a person adds it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

from jatdae.checks.alphabets import FAMILIAR, count_alphabets
from jatdae.checks.page_tests import read_test
from jatdae.checks.page_text import plain
from jatdae.checks.table_cells import PageTable
from jatdae.checks.verdicts import PageReader
from jatdae.formulas.extraction import extract

SHORTEST: Final = 25
"""Characters of a sentence that is asked for."""
LONGEST: Final = 240
BEGINNING: Final = 60
"""Characters of the beginning of a paragraph in an order test."""
_SENTENCE_END: Final = re.compile(r"(?<=[.!?。])\s+(?=\S)")
_NO_END: Final = re.compile(
    r"(?:^|[\s(])(?:al|e\.g|i\.e|cf|vs|etc|ca|approx|resp|fig|figs|eq|eqs|sec|tab|ref|refs|no|nos|vol|pp?|ch|dr|mr|mrs|ms"
    r"|prof|st|jr|sr|inc|ltd|co|dept|univ|[^\W\d_])\.$",
    re.IGNORECASE,
)
"""A full stop of an abbreviation or an initial, after which the sentence goes on."""
_MARKUP: Final = re.compile(r"^\s*(?:\||<|\$|```|~~~|!\[|\[\^|:::|-{3,}|\\begin)")
_LEADING: Final = re.compile(r"^\s*(?:#{1,6}\s+|[-*+]\s+|>\s+)")
_UNLIKE_TEXT: Final = re.compile(r"[$|<>\\\[\]{}]|https?://")


def draft(document: str, most: int) -> list[dict[str, Any]]:
    """Tests proposed for a document, at most so many of each type."""
    reader = PageReader(document)
    paragraphs = [text for text in map(_bare, re.split(r"\n\s*\n", document)) if text]
    proposed: list[dict[str, Any]] = [
        _baseline(document),
        *_spread([{"type": "present", "text": text} for text in _sentences(paragraphs, reader.text)], most),
        *_spread(list(_orders(paragraphs, reader.text)), most),
        *_spread([test for table in reader.tables for test in _cells(table, reader.tables)], most),
        *_formulas(document, most),
    ]
    asking = PageReader(document, [read_test(test) for test in proposed])
    return [given for given, test in zip(proposed, asking.tests, strict=True) if asking.ask(test).passed]


def _baseline(document: str) -> dict[str, Any]:
    """The baseline test, with the alphabets that the gold has beside the usual ones."""
    alphabets = sorted(count_alphabets(document).keys() - FAMILIAR)
    return {"type": "baseline", "alphabets": alphabets} if alphabets else {"type": "baseline"}


def _bare(block: str) -> str:
    """A paragraph without what begins its lines; "" for a table, code, a formula or an image."""
    if _MARKUP.match(block):
        return ""
    return plain(" ".join(_LEADING.sub("", line) for line in block.splitlines()))


def _sentences(paragraphs: Sequence[str], page: str) -> Iterator[str]:
    for paragraph in paragraphs:
        for sentence in _parted(paragraph):
            if SHORTEST <= len(sentence) <= LONGEST and not _UNLIKE_TEXT.search(sentence) and page.count(sentence) == 1:
                yield sentence


def _parted(paragraph: str) -> Iterator[str]:
    """Sentences of a paragraph; what follows an abbreviation, or begins small or with a number in brackets, goes on."""
    begun = ""
    for part in _SENTENCE_END.split(paragraph):
        goes_on = begun and (_NO_END.search(begun) or part[0].islower() or re.match(r"[(\[]\d", part))
        if begun and not goes_on:
            yield begun
        begun = f"{begun} {part}" if goes_on else part
    if begun:
        yield begun


def _orders(paragraphs: Sequence[str], page: str) -> Iterator[dict[str, Any]]:
    beginnings = [_beginning(text) for text in paragraphs]
    once = [text for text in beginnings if len(text) >= 10 and not _UNLIKE_TEXT.search(text) and page.count(text) == 1]
    for before, after in pairwise(once):
        yield {"type": "order", "before": before, "after": after}


def _beginning(text: str) -> str:
    if len(text) <= BEGINNING:
        return text
    return text[:BEGINNING].rpartition(" ")[0] or text[:BEGINNING]


def _cells(table: PageTable, tables: Sequence[PageTable]) -> Iterator[dict[str, Any]]:
    """Cells that stand once in all tables, by headings that stand once in theirs."""
    number = Counter(text for each in tables for text in each.texts)
    slots = table.grid.slots()
    for cell, text in zip(table.grid.cells, table.texts, strict=True):
        if not text or number[text] > 1 or cell.row == 0 or cell.col == 0:
            continue
        top, left = (int(slots[at]) for at in ((0, cell.col), (cell.row, 0)))
        headings = {
            side: table.texts[index]
            for side, index in (("top_heading", top), ("left_heading", left))
            if index >= 0 and table.texts[index]
        }
        if headings:
            yield {"type": "table", "cell": text, **headings}


def _formulas(document: str, most: int) -> list[dict[str, Any]]:
    found = dict.fromkeys(each.latex for each in extract(document) if each.display and 5 <= len(each.latex) <= 400)
    longest = sorted(found, key=len, reverse=True)[:most]
    return [{"type": "math", "math": latex} for latex in found if latex in longest]


def _spread(tests: list[dict[str, Any]], most: int) -> list[dict[str, Any]]:
    """At most so many, evenly over the document."""
    if len(tests) <= most:
        return tests
    return [tests[number * len(tests) // most] for number in range(most)]
