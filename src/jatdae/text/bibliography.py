"""Finds the bibliography of a document: where it starts, where it ends, and the text without it.

It starts at a heading, at pandoc's `refs` or `thebibliography` div, or at a run of entries; it ends before the next
section, or at the end of the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import deque
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from jatdae.text.literal_rules import heading_split

VERSION: Final = 1
_UNMARKED_LEVEL: Final = 7
"""The level of a heading without marks: below every marked one."""
_FIRST_ENTRY_WITHIN: Final = 3000
"""Characters after a heading within which its first entry has to stand."""
_MOST_HEADINGS: Final = 32
"""Headings weighed against each other, the last ones of a text."""
_MOST_UNSEEN: Final = 0.5
"""A heading without recognisable entries may cut no more than this share of a text."""
_BLANK_LINE: Final = re.compile(r"\n[^\S\n]*+\n|\n[^\S\n]*+(?=\[Page\s)")


@dataclass(frozen=True, slots=True)
class Bibliography:
    """Bibliography of a document as positions in its text."""

    start: int
    end: int
    how: Literal["heading", "div", "entries"]

    @property
    def characters(self) -> int:
        """Its length."""
        return self.end - self.start

    def cut(self, text: str) -> str:
        """`text` without it."""
        return f"{text[: self.start].rstrip()}\n\n{text[self.end :].lstrip()}".strip()


def find_bibliography(text: str, how: str = "block") -> Bibliography | None:
    """Find the bibliography of a document, or None.

    `how` is `block` (the rules of this module), `heading` (the literal rule) or `none` (never look).
    """
    if "\n" not in text or how == "none":
        return None
    if how == "heading":
        start = heading_split(text)
        return None if start is None else Bibliography(start, len(text), "heading")
    return _div(text) or _list(text)


def _div(text: str) -> Bibliography | None:
    """Pandoc's div, together with the heading right above it."""
    found = _DIV.search(text) if ":::" in text or "<div" in text else None
    if found is None:
        return None
    start = found.start()
    above = deque(_HEADING.finditer(text, 0, start), maxlen=1)
    if above and not text[above[0].end() : start].strip():
        start = above[0].start()
    return Bibliography(start, _div_end(text, found), "div")


def _div_end(text: str, opening: re.Match[str]) -> int:
    html = opening[0].lstrip().startswith("<")
    depth = 0
    for edge in _DIV_EDGE.finditer(text, opening.start()):
        if html != (edge["tag"] is not None):
            continue
        closes = edge["tag"] == "/" if html else edge["name"] is None
        depth += -1 if closes else 1
        if depth == 0:
            return _line_end(text, edge.end())
    return len(text)


def _list(text: str) -> Bibliography | None:
    """The heading followed by most entries; else the last run of entries; else a heading near the end."""
    headings = deque(_HEADING.finditer(text), maxlen=_MOST_HEADINGS)
    entries = _find_entries(text)
    starts = [entry.start for entry in entries]
    best: tuple[int, Bibliography] | None = None
    for heading in headings:
        first = bisect_left(starts, heading.end())
        if first == len(starts) or starts[first] - heading.end() > _FIRST_ENTRY_WITHIN:
            continue
        block = _block_after(text, heading, starts)
        count = bisect_left(starts, block.end) - first
        if best is None or count >= best[0]:
            best = count, block
    if best:
        return best[1]
    if run := _last_list(entries):
        return Bibliography(run[0].start, _entry_end(text, run), "entries")
    if headings:
        block = _block_after(text, headings[-1], starts)
        if block.characters <= _MOST_UNSEEN * len(text):
            return block
    return None


def _block_after(text: str, heading: re.Match[str], starts: list[int]) -> Bibliography:
    """From a heading to the next section."""
    level = len(heading["marks"]) or _UNMARKED_LEVEL
    end = len(text)
    for marked in _MARKED_HEADING.finditer(text, heading.end()):
        if len(marked[1]) <= level:
            end = marked.start()
            break
    if section := _SECTION_AFTER.search(text, heading.end(), end):
        end = section.start()
    last_entry = bisect_left(starts, end) - 1
    after = max(heading.end(), starts[last_entry] if last_entry >= 0 else 0)
    if perhaps := _PERHAPS_SECTION.search(text, after + 1, end):
        end = perhaps.start()
    return Bibliography(heading.start(), end, "heading")


def _entry_end(text: str, run: list[Entry]) -> int:
    """The last entry ends at a blank line, and is no longer than the longest before it."""
    last = run[-1].start
    longest = max(other.start - one.start for one, other in pairwise(run))
    if blank := _BLANK_LINE.search(text, last, min(len(text), last + longest)):
        return blank.start()
    return _line_end(text, last + longest)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


# Entries

_LONGEST_ENTRY: Final = 1200
"""Characters within which an entry names its year, or a DOI, an arXiv number or an address."""
_FEWEST_ENTRIES: Final = 5
"""Entries that make a list without a heading."""
_NUMBERED_GAP: Final = 2500
"""Characters between two numbered entries of one list: a long entry, or a column of other text in between."""
_PLAIN_GAP: Final = 800
"""The same without numbers, where only closeness tells a list from lines that happen to begin with a name."""

_CAPITAL = "[A-ZÀ-ÖØ-ÞĀ-Ž]"
_WORD = rf"{_CAPITAL}[\w'’´`¨˚˝ˇ˜-]*+"
_SURNAME = rf"(?:(?:de|del|den|der|di|da|du|la|le|van|von|zu|ter|The)\s){{0,3}}+{_WORD}(?:\s{_WORD})??"
_INITIALS = rf"{_SURNAME}(?:,\s{_CAPITAL}[.,\s]|\s{_CAPITAL}{{1,4}}[,.])"  # Abbott, B. · Agol E,
_FIRST_NAME = rf"{_SURNAME},\s{_WORD}[,.\s]"  # Agol, Eric,
_CJK_AUTHOR = r"[가-힣一-鿿]{2,5}(?:\s?[,，、·]\s?[가-힣一-鿿]{2,5}){0,9}+(?:\s?[외等등])?[\s,.，]{0,2}\(?(?:19|20)\d\d"
_ENTRY_START: Final = re.compile(
    rf"^[^\S\n]*+(?:[-*•]\s)?"
    rf"(?:\\?\[(?P<bracket>\d{{1,4}})\\?\](?=[^\S\n]*+\S)"
    rf"|(?P<number>\d{{1,3}})[.)][^\S\n]++(?={_INITIALS}|{_FIRST_NAME}|{_CJK_AUTHOR})"
    rf"|(?:[—–]|---)[—–]{{0,2}}[.,]?\s?(?=\d{{4}})"  # the author above once more
    rf"|\[?(?={_INITIALS}|{_CJK_AUTHOR}|(?P<likely>{_FIRST_NAME})))",
    re.MULTILINE,
)
_DATED: Final = re.compile(r"(?<!\d)(?:1[6-9]|20)\d\d(?!\d)|doi\b|arXiv|https?://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Entry:
    """Position of an entry in a bibliography, and its number in the list; 0 where it has none."""

    start: int
    number: int
    sure: bool
    """"Agol, Eric, …" may begin an entry, but so may "London, England" begin another line."""


def _find_entries(text: str) -> list[Entry]:
    """Lines that begin a reference entry."""
    begun = [
        Entry(found.start(), int(found["bracket"] or found["number"] or 0), found["likely"] is None)
        for found in _ENTRY_START.finditer(text)
    ]
    ends = [*(entry.start for entry in begun[1:]), len(text)]
    return [
        entry
        for entry, end in zip(begun, ends, strict=False)
        if _DATED.search(text, entry.start, min(end, entry.start + _LONGEST_ENTRY))
    ]


def _last_list(entries: list[Entry]) -> list[Entry]:
    """The last run of at least five entries that stand close together; a numbered one, where there is one."""
    numbered = [entry for entry in entries if entry.number]
    plain = [entry for entry in entries if entry.sure and not entry.number]
    return _last_run(numbered, _NUMBERED_GAP) or _last_run(plain, _PLAIN_GAP)


def _last_run(entries: list[Entry], gap: int) -> list[Entry]:
    runs: list[list[Entry]] = []
    for entry in entries:
        if runs and _follows(runs[-1][-1], entry, gap):
            runs[-1].append(entry)
        else:
            runs.append([entry])
    return next((run for run in reversed(runs) if len(run) >= _FEWEST_ENTRIES), [])


def _follows(one: Entry, other: Entry, gap: int) -> bool:
    counts_up = one.number < other.number <= one.number + 3 or not other.number
    return counts_up and other.start - one.start <= gap


# Headings

_TITLES: Final = (
    r"references?(?: and notes| cited)?",
    r"notes and references",
    r"(?:selected )?bibliography",
    r"literature cited",
    r"works cited",
    r"참고 ?문헌",
    r"인용 ?문헌",
    r"参考文献",
    r"參考文獻",
    r"引用文献",
    r"références(?: bibliographiques)?",
    r"bibliographie",
    r"literatur(?:verzeichnis)?",
    r"referencias",
    r"bibliografía",
)
_TITLES_AFTER: Final = (
    r"appendi(?:x|ces)(?: [A-Z\d]{1,3}\b[^\n]{0,80})?",
    r"annexe?s?(?: [A-Z\d]\b[^\n]{0,80})?",
    r"anhang",
    r"(?:부록|附录|付録)[^\n]{0,60}",
    r"(?:supplement(?:ary|al)|supporting) (?:materials?|information|data|text|figures|tables|notes)\b[^\n]{0,120}",
    r"acknowledge?ments?",
    r"author contributions?",
    r"about the authors?",
    r"biograph(?:y|ies)",
    r"related resources",
    r"data availability[^\n]{0,20}",
    r"conflicts? of interests?",
    r"funding",
    r"figure (?:captions|legends)",
    r"감사의 글",
    r"저자 소개",
    r"謝辞",
)

_SPACE = r"[^\S\n]*+"
_BOLD = r"(?:\*\*|__)?"
_BEFORE_TITLE = rf"^{_SPACE}(?:<h[1-6][^<>\n]*+>)?(?P<marks>\#{{0,6}}){_SPACE}{_BOLD}"
_NUMBERING = r"(?:(?:\d{1,2}(?:\.\d{1,2}){0,3}|[IVX]{1,6}|[A-Z])[.)]?[^\S\n]++)?"
_AFTER_TITLE = rf"{_SPACE}[:.]?{_BOLD}{_SPACE}(?:</h[1-6]>)?(?:\{{[^{{}}\n]*+\}})?{_SPACE}\#*+{_SPACE}$"


def _line_of(titles: tuple[str, ...]) -> re.Pattern[str]:
    """A line with one of `titles` and nothing else but marks, numbering and bold."""
    return re.compile(f"{_BEFORE_TITLE}{_NUMBERING}(?:{'|'.join(titles)}){_AFTER_TITLE}", re.MULTILINE | re.IGNORECASE)


_HEADING: Final = _line_of(_TITLES)
_SECTION_AFTER: Final = _line_of(_TITLES_AFTER)
_MARKED_HEADING: Final = re.compile(r"^[^\S\n]*+(\#{1,6})[^\S\n]++\S", re.MULTILINE)
_PERHAPS_SECTION: Final = re.compile(
    r"^[^\S\n]*+(?:[A-Z]{3,}(?:[ ][A-Z&-]{2,}){0,7}|(?:Figure|Fig\.|FIG\.|Table|TABLE)[ ][A-Z\d][^\n]*+)[^\S\n]*+$",
    re.MULTILINE,
)
"""A line of capitals, or a caption: the end of a list only where no entry follows."""

_DIV_NAMES = r"(?:refs|references|thebibliography|bibliography)"
_DIV: Final = re.compile(
    rf"^[^\S\n]*+:{{3,}}[^\S\n]*+"
    rf"(?:{_DIV_NAMES}\b|\{{[^{{}}\n]*?(?:[\#.]{_DIV_NAMES}|\.csl-bib-body)(?![\w-])[^{{}}\n]*+\}})[^\n]*+$"
    rf"|^[^\S\n]*+<div[ ][^<>\n]*?(?:id=\"{_DIV_NAMES}\"|class=\"(?:{_DIV_NAMES}|csl-bib-body)\b)[^<>\n]*+>",
    re.MULTILINE | re.IGNORECASE,
)
_DIV_EDGE: Final = re.compile(r"^[^\S\n]*+:{3,}+(?P<name>[^\S\n]*+[^\s:][^\n]*+)?|<(?P<tag>/?)div\b", re.MULTILINE)
