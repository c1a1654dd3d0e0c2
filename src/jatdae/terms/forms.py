"""Descriptions written as forms: items with answers (裂纹：无), headings with values (厚薄：薄), entries, boxes.

裂纹：无  齿痕无  瘀斑(无)      the answer denies the item before it
厚薄：薄  润燥：润  舌脉：迂曲    a heading states nothing: the value is of its axis, or it only names a region
齿痕：有 裂纹：无              a space before an item with a colon begins a new entry, as a comma would
□淡红 ☑红  淡红( ) 红(√)      a value whose box is not ticked is not stated
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal

from jatdae.terms.layout import EMPTY, TICKED, boxes_stand_first
from jatdae.terms.scanner import LexiconWord, Token, has_letters, is_hangul, is_latin

Mark = Literal["denied", "heading", "answer", "absent"]

REACH: Final = 24
"""How many words an item has, and how far its value is looked for: a form that is all colons takes no longer."""
_OPENING: Final = "([{【〔「『"
_CLOSING: Final = ")]}】〕」』"
_ALL: Final = ("均", "都", "皆", "俱")
_ANSWERS: Final = ("not_list", "not_back", "answer")
_BOXES: Final = re.compile(rf"[□☐○]|{TICKED}")
_EMPTY: Final = re.compile(EMPTY)
_CLOSED: Final = re.compile(r" {0,4}(?:$|[;,.|/\n)}])")
"""What follows an answer in Latin letters."""
_SIGN: Final = re.compile(r"\s{0,4}([-–—×✗✘+√✓✔])\s{0,4}(?:$|[^\w\s+-]|(?<=\s))")
_NO: Final = "-–—×✗✘"
"""Signs for yes and no after a colon: 瘀斑：+ 裂纹：-."""
_EMPTY_BEFORE: Final = re.compile(rf"{EMPTY} ?$")


class Form:
    """What the words of a description are as parts of a form."""

    __slots__ = ("entries", "marks")

    def __init__(self, marks: dict[int, Mark], entries: set[int]) -> None:
        self.marks, self.entries = marks, entries
        """By number of token: what it is; and the tokens that begin an entry."""


NO_FORM: Final = Form({}, set())


def read_form(text: str, tokens: Sequence[Token]) -> Form:
    """Find the items, answers and headings of a form among the words of a description."""
    boxed = _BOXES.search(text)
    if not boxed:
        for token in tokens:
            if token[0].formal:
                break
        else:
            return Form(_mark_spaced(text, tokens), set()) if " " in text else NO_FORM
    marks: dict[int, Mark] = _mark_boxes(text, tokens) if boxed else {}
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
    return Form(marks, entries)


def _mark_boxes(text: str, tokens: Sequence[Token]) -> dict[int, Mark]:
    """Mark the values whose box is empty."""
    before = boxes_stand_first(text)
    marks: dict[int, Mark] = {}
    for number, (word, start, end) in enumerate(tokens):
        empty = _EMPTY_BEFORE.search(text, max(0, start - 7), start) if before else _EMPTY.match(text, end)
        if empty and (word.readings or word.only):
            marks[number] = "heading"
    return marks


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
    if last < 0:
        return
    gap = text[tokens[last][2] : tokens[last + 1][1]]
    bare = word.role == "answer" and is_hangul(word.text[0]) and not gap.strip(" ")  # 열문 무, 열문무
    if word.role != "not_list" and not divided and not bare:
        return
    latin = is_latin(word.text[0])
    if _has_letters(gap, 0, len(gap)) or (not divided and (latin or gap.strip())):
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
        first -= 1
    if tokens[first][1] > 0 and text[tokens[first][1] - 1].isspace():
        entries.add(first)


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
        elif word.role != "join" or not item or word.text == "/":
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
        return after.role == "stop" or after.text in "/|"
    return _CLOSED.match(text, end) is not None if latin else not text[end].isalnum()


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
