"""Descriptions written as forms: items with answers (裂纹：无), headings with values (厚薄：薄), entries, boxes.

裂纹：无  齿痕无  瘀斑(无)      the answer denies the item before it
厚薄：薄  润燥：润  舌脉：迂曲    a heading states nothing: the value is of its axis, or it only names a region
齿痕：有 裂纹：无              a space before an item with a colon begins a new entry, as a comma would
□黄腻 ☑薄白  黄腻( ) 薄白(√)   an option whose box is not ticked is not stated
齿痕|裂纹⏎有|无               the cells of a row answer the items in the first row, or are values of its heads
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal

from jatdae.terms.layout import BOXED, EMPTY, PLAIN, unticked_options
from jatdae.terms.scanner import LexiconWord, Token, has_letters, is_latin

Mark = Literal["denied", "heading", "answer", "absent", "unticked"]

LEAST_COLUMNS: Final = 3
LEAST_BARS: Final = 4
"""Of a table that is more than items with answers: those are read as lines with a colon."""
REACH: Final = 24
"""How many words an item has, and how far its value is looked for: a form that is all colons takes no longer."""
_OPENING: Final = "([{【〔「『"
_CLOSING: Final = ")]}】〕」』"
_ALL: Final = ("均", "都", "皆", "俱", "等")
_ANSWERS: Final = ("not_list", "not_back", "answer")
_CLOSED: Final = re.compile(r" {0,4}(?:$|[;,.|/\n()}])")
"""What follows an answer in Latin letters."""
_SIGN: Final = re.compile(r"\s{0,4}([-–—×✗✘+√✓✔])\s{0,4}(?:$|[^\w\s+-]|(?<=\s))")
_NO: Final = "-–—×✗✘"
"""Signs for yes and no after a colon: 瘀斑：+ 裂纹：-."""
_EMPTY_ALONE: Final = re.compile(rf"\s?[:：]\s?{EMPTY}\s{{0,4}}(?:$|[;；,，。|\n])")
"""An empty box in the place of an answer: 裂纹：□."""


class Form:
    """What the words of a description are as parts of a form."""

    __slots__ = ("entries", "marks", "regions")

    def __init__(self, marks: dict[int, Mark], entries: set[int], regions: dict[int, str]) -> None:
        self.marks, self.entries, self.regions = marks, entries, regions
        """By number of token: what it is; the tokens that begin an entry; the regions of those that begin a cell."""


NO_FORM: Final = Form({}, set(), {})


def read_form(text: str, tokens: Sequence[Token]) -> Form:
    """Find the items, answers and headings of a form among the words of a description."""
    boxed = PLAIN.fullmatch(text) is None and BOXED.search(text) is not None
    if not boxed:
        for token in tokens:
            if token[0].formal:
                break
        else:
            if "|" not in text:
                return Form(_mark_spaced(text, tokens), set(), {}) if " " in text else NO_FORM
    unticked: dict[int, Mark] = _mark_boxes(text, tokens) if boxed else {}
    marks = dict(unticked)
    entries: set[int] = set()
    for number, (word, _, _) in enumerate(tokens):
        if word.role in _ANSWERS:
            _mark_answer(text, tokens, number, marks)
        elif word.mention and word.readings and _is_bracketed(text, tokens, number):
            marks[number] = "heading"
    for number, (word, _, _) in enumerate(tokens):
        if word.role == "colon":
            _mark_heading(text, tokens, number, marks)
            _mark_entry(text, tokens, number, entries)
    regions: dict[int, str] = {}
    if text.count("|") >= LEAST_BARS:
        _mark_table(text, tokens, Form(marks, entries, regions))
    marks |= unticked
    return Form(marks, entries, regions)


def _mark_table(text: str, tokens: Sequence[Token], form: Form) -> None:
    """Mark the items that the rows of a table answer, and note the regions of its other cells.

    The first row names the columns; without such a row the first cell of each row is an item and the second its answer.
    """
    header: list[list[int]] = []
    for cells in _table_rows(text, tokens):
        if len(cells) == len(header):
            for column, cell in zip(header, cells, strict=True):
                _mark_cell(tokens, column, cell, form)
            continue
        header = []
        if len(cells) >= LEAST_COLUMNS:
            if all(any(tokens[at][0].is_content for at in cell) for cell in cells):
                header = cells
            elif cells[0]:
                _mark_cell(tokens, _item_before(text, tokens, cells[0][-1]), cells[1], form)


def _table_rows(text: str, tokens: Sequence[Token]) -> list[list[list[int]]]:
    """The numbers of the words in each cell, by line; a line without cells is an empty row, a rule is left out."""
    rows: list[list[list[int]]] = []
    at = number = 0
    for line in text.splitlines(keepends=True):
        inside = line.strip().removeprefix("|").removesuffix("|")
        if not inside.strip(" |:-"):
            at += len(line)
            continue
        begin = at + line.index(inside)
        at += len(line)
        row: list[list[int]] = []
        for cell in inside.split("|"):
            end = begin + len(cell)
            while number < len(tokens) and tokens[number][1] < begin:
                number += 1
            first = number
            while number < len(tokens) and tokens[number][2] <= end:
                number += 1
            row.append(list(range(first, number)))
            begin = end + 1
        rows.append(row if len(row) > 1 else [])
    return rows


def _mark_cell(tokens: Sequence[Token], column: Sequence[int], cell: Sequence[int], form: Form) -> None:
    """Read a cell as the answer to the item of its column, or as a value of the head of its column."""
    items = [at for at in column if _prefixes(tokens[at][0]) and not tokens[at][0].mention]
    words = [tokens[at][0] for at in cell]
    if len(words) == 1 and (words[0].role == "unknown" or words[0].role in _ANSWERS):
        mark: Mark = "heading" if words[0].role == "unknown" else "denied"
        form.marks |= dict.fromkeys(items, mark)
        form.marks[cell[0]] = "answer"
    elif cell:
        if any(not _prefixes(word).isdisjoint(_prefixes(tokens[at][0])) for word in words for at in items):
            form.marks |= dict.fromkeys(items, "heading")
        heads = [tokens[at][0].head for at in column if tokens[at][0].head]
        if heads:
            form.entries.add(cell[0])
            form.regions[cell[0]] = heads[-1]


def _mark_boxes(text: str, tokens: Sequence[Token]) -> dict[int, Mark]:
    """Mark the words of the options whose box is empty, and items with an empty box in the place of an answer."""
    marks: dict[int, Mark] = {}
    for number, (word, _, end) in enumerate(tokens):
        if (word.readings or word.only) and _EMPTY_ALONE.match(text, end):
            marks[number] = "heading"
    number = 0
    for start, end in unticked_options(text):
        while number < len(tokens) and tokens[number][1] < start:
            number += 1
        first = number
        while number < len(tokens) and tokens[number][2] <= end:
            if number == first or not _heads_next(text, tokens[number], end):
                marks[number] = "unticked"
            number += 1
    return marks


def _heads_next(text: str, token: Token, end: int) -> bool:
    """Whether a head at the end of an option, after a space, is the label of the next item: □淡 □紫 苔 ☑黄."""
    word, start, after = token
    return word.role == "head" and not word.latin and text[start - 1].isspace() and not text[after:end].strip()


def _mark_answer(text: str, tokens: Sequence[Token], number: int, marks: dict[int, Mark]) -> None:
    """Deny the item before an answer: its atoms on one axis, adjacent or joined."""
    word, _, end = tokens[number]
    last = number - 1
    while (
        last >= max(0, number - REACH)
        and _divides(tokens[last][0])
        and not _has_letters(text, tokens[last][2], tokens[last + 1][1])
    ):
        last -= 1
    divided = last + 1 < number
    if divided and last > 0 and _ends_compound(tokens, last):
        last -= 1
    if last < 0:
        return
    gap = text[tokens[last][2] : tokens[last + 1][1]]
    bare = word.role == "answer" and not word.text.isdigit() and not gap.strip(" ")  # 열문 무, 열문무, 裂纹 否
    if word.role != "not_list" and not divided and not bare:
        return
    latin = is_latin(word.text[0])
    if _has_letters(gap, 0, len(gap)) or (not divided and not bare and (latin or gap.strip())):
        return
    if word.role != "not_back" and not _is_closed(text, tokens, number, latin=latin):
        return
    item = _item_before(text, tokens, last)
    if not item:
        if word.role == "answer" and divided and tokens[last][0].role == "head":  # 설태: 무
            marks[number] = "absent"
        return
    marks |= dict.fromkeys(item, "denied")
    marks |= dict.fromkeys(range(last + 1, number + 1), "answer")
    after = tokens[number + 1] if number + 1 < len(tokens) else None
    if after and after[0].text in _CLOSING and after[1] == end:
        marks[number + 1] = "answer"


def _ends_compound(tokens: Sequence[Token], number: int) -> bool:
    """Whether a head ends the name of an item: 胖大舌：否."""
    word, start, _ = tokens[number]
    before = tokens[number - 1]
    return word.role == "head" and before[2] == start and before[0].role in ("atom", "pattern")


def _mark_heading(text: str, tokens: Sequence[Token], number: int, marks: dict[int, Mark]) -> None:
    """Mark what stands before a colon as a heading, unless it is an item."""
    last = number - 1
    if last < 0 or _has_letters(text, tokens[last][2], tokens[number][1]) or last in marks:
        return
    word = tokens[last][0]
    if word.mention and word.readings:
        marks[last] = "heading"
        return
    if word.text in _CLOSING:
        _mark_options(tokens, last, marks)
        return
    item = _item_before(text, tokens, last)
    if not item or any(at in marks for at in item):
        return
    if sign := _SIGN.match(text, tokens[number][2]):
        if sign[1] in _NO:
            marks |= dict.fromkeys(item, "denied")
        return
    value = _value_after(tokens, number)
    same = value is not None and not _prefixes(value).isdisjoint(_prefixes(word))
    opposites = len(item) > 1 and max(item) - min(item) + 1 == len(item) and (value is None or value.is_content)
    if same or opposites:
        marks |= dict.fromkeys(item, "heading")


def _mark_options(tokens: Sequence[Token], closing: int, marks: dict[int, Mark]) -> None:
    """Mark what stands in a bracket before a colon: values to choose from, or the name of an axis: 苔质(腐腻)：腻."""
    for at in range(closing - 1, max(-1, closing - REACH), -1):
        if tokens[at][0].text in _OPENING:
            marks |= {inside: "heading" for inside in range(at + 1, closing) if _prefixes(tokens[inside][0])}
            return


def _mark_spaced(text: str, tokens: Sequence[Token]) -> dict[int, Mark]:
    """Mark the opposites that name an axis before a value and a space: 苔腐腻 腻."""
    marks: dict[int, Mark] = {}
    for number in range(3, len(tokens)):
        word, start, _ = tokens[number]
        if text[start - 1] != " " or word.role != "atom" or tokens[number - 1][2] != start - 1:
            continue
        item = _item_before(text, tokens, number - 1)
        led = len(item) == 2 and tokens[number - 3][0].role == "head"
        if led and any(tokens[at][0] is word for at in item):
            marks |= dict.fromkeys(item, "heading")
    return marks


def _mark_entry(text: str, tokens: Sequence[Token], number: int, entries: set[int]) -> None:
    """Note the first word of what stands before a colon, if white space stands before it."""
    first = number - 1
    if first < 0 or _has_letters(text, tokens[first][2], tokens[number][1]):
        return
    while first > max(0, number - REACH) and not _is_apart(text, tokens, first - 1):
        if _joins_entries(tokens, first - 1):
            break
        first -= 1
    if tokens[first][1] > 0 and (text[tokens[first][1] - 1].isspace() or _joins_entries(tokens, first - 1)):
        entries.add(first)


def _joins_entries(tokens: Sequence[Token], number: int) -> bool:
    """Whether a word for "and" stands after an answer, so that it parts two entries: 裂纹：有、齿痕：无."""
    if number < 1 or tokens[number][0].role != "join":
        return False
    before = tokens[number - 1][0]
    return before.role in _ANSWERS or before.role == "break" or before.text in _CLOSING


def _item_before(text: str, tokens: Sequence[Token], last: int) -> list[int]:
    """Numbers of the atoms of one axis that end at `last`, adjacent to each other or joined."""
    item: list[int] = []
    axis: frozenset[str] = frozenset()
    for at in range(last, max(-1, last - REACH), -1):
        word = tokens[at][0]
        prefixes = _prefixes(word)
        if prefixes and not word.mention and (not axis or prefixes & axis):
            item.append(at)
            axis = axis & prefixes or prefixes
        elif word.role != "join" or not item or (word.text == "/" and text[tokens[at][1] - 1] == " "):
            break
        if at and _is_apart(text, tokens, at - 1):
            break
    return item


def _value_after(tokens: Sequence[Token], colon: int) -> LexiconWord | None:
    """The first word after a colon that is more than glue, up to the end of the clause."""
    ahead = tokens[colon + 1 : colon + 1 + REACH]
    for number, (word, _, _) in enumerate(ahead):
        if word.role == "stop":
            return None
        if word.role not in ("glue", "degree", "endings", "join", "colon"):
            entry = number + 1 < len(ahead) and ahead[number + 1][0].role == "colon"
            return None if entry else word
    return None


def _is_bracketed(text: str, tokens: Sequence[Token], number: int) -> bool:
    """Whether a bracket opens after a word, or closes right after it: 舌脉[青紫], 【舌下络脉】怒张."""
    _, _, end = tokens[number]
    after = text[end : end + 1]
    return bool(after) and (after in _OPENING or after in _CLOSING) and not _is_answered(tokens, number)


def _is_answered(tokens: Sequence[Token], number: int) -> bool:
    return number + 1 < len(tokens) and tokens[number + 1][0].role == "not_back"


def _is_closed(text: str, tokens: Sequence[Token], number: int, *, latin: bool) -> bool:
    """Whether nothing follows an answer that it could deny."""
    _, _, end = tokens[number]
    if end == len(text):
        return True
    after = tokens[number + 1][0] if number + 1 < len(tokens) and tokens[number + 1][1] == end else None
    if after is not None:
        return after.role == "stop" or after.text in "/|" or (after.role == "join" and _asks_next(tokens, number + 1))
    return _CLOSED.match(text, end) is not None if latin else not text[end].isalnum()


def _asks_next(tokens: Sequence[Token], number: int) -> bool:
    """Whether an item with a colon follows a word: 齿痕：无、瘀斑：无."""
    for word, _, _ in tokens[number + 1 : number + 1 + REACH]:
        if word.role == "colon":
            return True
        if not word.is_content and word.role != "join":
            return False
    return False


def _is_apart(text: str, tokens: Sequence[Token], number: int) -> bool:
    """Whether letters or white space stand between a word and the next; Latin words have spaces between them."""
    if number + 1 >= len(tokens) or tokens[number][0].role in ("stop", "colon"):
        return True
    gap = text[tokens[number][2] : tokens[number + 1][1]]
    spaced = is_latin(tokens[number][0].text[-1]) and is_latin(tokens[number + 1][0].text[0])
    return any(character.isalnum() or (character.isspace() and not spaced) for character in gap)


def _divides(word: LexiconWord) -> bool:
    """A colon or bracket, or a word for all of them: 裂纹、齿痕均无."""
    return word.role == "colon" or word.text in _OPENING or word.text in _ALL


def _has_letters(text: str, start: int, end: int) -> bool:
    return has_letters(text[start:end])


def _prefixes(word: LexiconWord) -> frozenset[str]:
    """The axes of the atoms that a word can state, without locations."""
    found = word.only or word.stated
    return frozenset([atom.prefix for atom in found if not atom.place])
