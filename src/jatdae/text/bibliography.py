"""Finds the bibliographies of a document: where each starts, where it ends, and the text without them.

One starts at a heading, at pandoc's `refs` or `thebibliography` div, or at a run of entries, and ends after its last
entry. What stands between two entries (a running head, a page number, a figure) belongs to it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from jatdae.text.literal_rules import heading_split
from jatdae.text.section_titles import begins_section

VERSION: Final = 4
"""1 cut a single list, and below a heading without marks everything to the end of the text; 2 did so where no entry was
recognised below it; 3 knew no entries with labels of letters."""
_UNMARKED_LEVEL: Final = 7
"""The level of a heading without marks: below every marked one."""
_FIRST_ENTRY_WITHIN: Final = 3000
"""Characters after a heading within which its first entry has to stand."""
_MOST_HEADINGS: Final = 64
"""Headings looked at, the last ones of a text."""
_FEWEST_BESIDE: Final = 3
"""Entries below a heading that is not the one with most of them."""
_MOST_UNSEEN: Final = 0.5
"""A heading without recognisable entries may cut no more than this share of a text."""
_MOST_BETWEEN: Final = 2
"""Paragraphs between two that name a source: a running head, a page number."""
_FEWEST_WORDS: Final = 12
_PROSE_SHARE: Final = 0.75
"""Words, and the share of small ones among them, that make a paragraph prose."""
_LONGEST_TITLE: Final = 30
"""Characters of a Korean paragraph that may end like a sentence and be a title."""
_SET_APART: Final = re.compile(r"\n\n|\f")
_PARAGRAPH: Final = re.compile(r"[^\s](?:[^\n]++|\n(?![^\S\n]*+(?:\n|\Z)))*+")
_LINE: Final = re.compile(r"[^\n]+")
_NUMBERED: Final = re.compile(r"\\?[\[(]?\d{1,3}[\]).](?!\d)")
_LETTERS: Final = re.compile(r"[A-Za-zÀ-ɏ]{2,}")
_HANGUL_END: Final = re.compile(r"[가-힣](?:다|요|까)[.。](?:\s|\Z)")


@dataclass(frozen=True, slots=True)
class Bibliography:
    """A bibliography of a document as positions in its text."""

    start: int
    end: int
    how: Literal["heading", "div", "entries"]

    @property
    def characters(self) -> int:
        """Its length."""
        return self.end - self.start


def find_bibliographies(text: str, how: str = "block") -> list[Bibliography]:
    """Find the bibliographies of a document, in order.

    `how` is `block` (the rules of this module), `heading` (the literal rule) or `none` (never look).
    """
    if "\n" not in text or how == "none":
        return []
    if how == "heading":
        start = heading_split(text)
        return [] if start is None else [Bibliography(start, len(text), "heading")]
    divs = _divs(text)
    return sorted([*divs, *_lists(text, divs)], key=lambda block: block.start)


def cut(text: str, blocks: Iterable[Bibliography]) -> str:
    """`text` without its bibliographies."""
    kept, at = [], 0
    for block in blocks:
        kept.append(text[at : block.start])
        at = block.end
    return "\n\n".join(part for part in map(str.strip, [*kept, text[at:]]) if part) if at else text


def text_of(text: str, blocks: Iterable[Bibliography]) -> str:
    """The bibliographies of `text` alone."""
    return "\n\n".join(text[block.start : block.end].strip() for block in blocks)


def _divs(text: str) -> list[Bibliography]:
    """Pandoc's divs, each together with the heading right above it."""
    found: list[Bibliography] = []
    if ":::" not in text and "<div" not in text:
        return found
    at = 0
    while opening := _DIV.search(text, at):
        start = opening.start()
        above = deque(_HEADING.finditer(text, at, start), maxlen=1)
        if above and not text[above[0].end() : start].strip():
            start = above[0].start()
        at = _div_end(text, opening)
        found.append(Bibliography(start, at, "div"))
    return found


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


def _lists(text: str, divs: Sequence[Bibliography]) -> list[Bibliography]:
    """Lists below headings; else runs of entries; else, where there is no div either, a heading near the end."""
    headings = [found for found in deque(_HEADING.finditer(text), maxlen=_MOST_HEADINGS) if not _inside(found, divs)]
    entries = [entry for entry in _find_entries(text) if not any(d.start <= entry.start < d.end for d in divs)]
    if blocks := _below_headings(text, headings, entries):
        return blocks
    if divs:
        return []
    if runs := _runs(entries):
        return [Bibliography(run[0].start, _list_end(text, run, len(text)), "entries") for run in runs]
    return _below_last(text, headings[-1]) if headings else []


def _below_last(text: str, heading: re.Match[str]) -> list[Bibliography]:
    """What is listed below a heading in a form that is not known: the paragraphs down to the last that names a source.

    Where none does, as where a parser drops the list, the heading stands alone: what follows is body. One early in a
    text that nothing sets apart is a line of its contents.
    """
    limit = _section_end(text, heading, heading.end())
    end = heading.end()
    if limit - heading.start() > _MOST_UNSEEN * len(text):
        apart = heading["marks"] or _SET_APART.match(text[max(0, heading.start() - 2) : heading.start()])
        return [Bibliography(heading.start(), end, "heading")] if apart else []
    skipped = 0
    for paragraph in _PARAGRAPH.finditer(text, heading.end(), limit):
        if _is_source(paragraph[0]):
            end, skipped = paragraph.end(), 0
        elif skipped == _MOST_BETWEEN or _is_prose(paragraph[0]):
            break
        else:
            skipped += 1
    return [Bibliography(heading.start(), end, "heading")]


def _is_source(paragraph: str) -> bool:
    """Whether a paragraph is an entry, or several, by its years, addresses or numbers, and its short sentences."""
    return not _is_prose(paragraph) and (_DATED.search(paragraph) or _NUMBERED.match(paragraph)) is not None


def _is_prose(paragraph: str) -> bool:
    """Whether a paragraph is sentences of a body: most of its words are small, as they are in no list of names."""
    words = _LETTERS.findall(paragraph)
    if len(_HANGUL_END.findall(paragraph)) and len(paragraph) > _LONGEST_TITLE:
        return True
    small = sum(word[0].islower() for word in words)
    return len(words) >= _FEWEST_WORDS and small > _PROSE_SHARE * len(words)


def _inside(found: re.Match[str], divs: Sequence[Bibliography]) -> bool:
    return any(div.start <= found.start() < div.end for div in divs)


def _below_headings(text: str, headings: Sequence[re.Match[str]], entries: Sequence[Entry]) -> list[Bibliography]:
    """The heading followed by most entries, the last of equals, and every other one with a few of them."""
    starts = [entry.start for entry in entries]
    found: list[tuple[int, Bibliography]] = []
    for at, heading in enumerate(headings):
        if found and heading.start() < found[-1][1].end:
            continue
        limit = _section_end(text, heading, heading.end())
        if at + 1 < len(headings):
            limit = min(limit, headings[at + 1].start())
        below = entries[bisect_left(starts, heading.end()) : bisect_left(starts, limit)]
        if listed := _listed(text, heading.end(), limit, below):
            block = Bibliography(heading.start(), _list_end(text, listed, limit), "heading")
            found.append((len(listed), block))
    most = max((count for count, _ in found), default=0)
    best = next((block for count, block in reversed(found) if count == most), None)
    return [block for count, block in found if block is best or count >= _FEWEST_BESIDE]


def _listed(text: str, start: int, limit: int, entries: Sequence[Entry]) -> list[Entry]:
    """The list below a heading: its entries, and the lines that count on from them, or from 1, whatever they name."""
    both = sorted([*entries, *_find_counted(text, start, limit, entries)], key=lambda entry: entry.start)
    if both and both[0].counted and not _counts_from_one(text, start, both):
        both = list(entries)
    return _chain(text, both) if both and both[0].start - start <= _FIRST_ENTRY_WITHIN else []


def _counts_from_one(text: str, start: int, entries: Sequence[Entry]) -> bool:
    """Whether lines with numbers make a list: the first stands right below the heading, and some follow it."""
    first = entries[0]
    if first.number != 1 or first.start - start > _FIRST_ENTRY_WITHIN:
        return False
    lines = _LINE.finditer(text, start, first.start)
    if any(_MARKED_HEADING.match(text, line.start()) or begins_section(text, *line.span()) for line in lines):
        return False
    return len(_chain(text, entries)) >= _FEWEST_BESIDE


def _section_end(text: str, heading: re.Match[str], after: int) -> int:
    """Where the section of a heading ends by marks or by a known title; the end of the text, if by neither."""
    level = len(heading["marks"]) or _UNMARKED_LEVEL
    end = len(text)
    for marked in _MARKED_HEADING.finditer(text, after):
        if len(marked[1]) <= level:
            end = marked.start()
            break
    section = _SECTION_AFTER.search(text, after, end)
    return section.start() if section else end


def _list_end(text: str, listed: Sequence[Entry], limit: int) -> int:
    """Where the last entry ends: at an empty line, a new page or the title of a section, once its year was named.

    It is no longer than the longest entry before it.
    """
    last = listed[-1].start
    longest = max((other.start - one.start for one, other in pairwise(listed)), default=_LONGEST_ENTRY)
    farthest = min(limit, _line_end(text, last + max(longest, _SHORTEST_LAST)))
    dated = _DATED.search(text, last, farthest)
    named = dated.end() if dated else last
    end = _line_end(text, last)
    while end < farthest:
        after = _line_end(text, end + 1)
        line = text[end + 1 : after]
        if named <= end and (not line.strip() or _PAGE_EDGE.match(line) or _ends_list(text, end + 1, after)):
            return end
        end = after
    return farthest


def _ends_list(text: str, start: int, end: int) -> bool:
    """Whether the line after a whole entry begins a section: a marked heading, a caption, capitals, a title."""
    if _MARKED_HEADING.match(text, start) or _PERHAPS_SECTION.match(text, start):
        return True
    before = text[max(0, start - _LONGEST_ENTRY) : start].rstrip()
    return before[-1:] in _ENTRY_CLOSES and begins_section(text, start, end)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


# Entries

_LONGEST_ENTRY: Final = 1200
"""Characters within which an entry names its year, or a DOI, an arXiv number or an address."""
_SHORTEST_LAST: Final = 200
"""The last entry may be that long even where those before it are shorter."""
_FEWEST_ENTRIES: Final = 5
"""Entries that make a list without a heading."""
_NUMBERED_GAP: Final = 2500
"""Characters between two numbered entries of one list: a long entry, or a column of other text in between."""
_PLAIN_GAP: Final = 800
"""The same without numbers, where only closeness tells a list from lines that happen to begin with a name."""
_FLOAT_GAP: Final = 6000
"""The same where a list goes on after a page of figures or tables."""
_GOES_ON: Final = 3
"""Entries by which a list shows that it goes on there."""
_ENTRY_CLOSES: Final = frozenset(".。)]”\"'’>/0123456789")
"""What the last line of an entry may end with; after anything else the next line goes on with it."""
_PAGE_EDGE: Final = re.compile(r"\f|[^\S\n]*+\[Page\s")

_BOLD = r"(?:\*{1,3}|_{1,3})?"
_CAPITAL = "[A-ZÀ-ÖØ-ÞĀ-Ž]"
_WORD = rf"{_CAPITAL}[\w'’´`¨˚˝ˇ˜-]*+"
_SURNAME = rf"(?:(?:de|del|den|der|di|da|du|la|le|van|von|zu|ter|The)\s){{0,3}}+{_WORD}(?:\s{_WORD})??"
_INITIALS = rf"{_SURNAME}(?:,\s{_CAPITAL}[.,\s]|\s{_CAPITAL}{{1,4}}[,.])"  # Abbott, B. · Agol E,
_FIRST_NAME = rf"{_SURNAME},\s{_WORD}[,.\s]"  # Agol, Eric,
_FULL_NAME = (
    rf"{_WORD}(?:[\s-](?:{_CAPITAL}\.|{_WORD}|de|van|von|der)){{1,3}}+(?:,\s|\.\s|\sand\s|\s&\s)"  # Eric Agol and
)
_INITIALS_FIRST = rf"{_CAPITAL}\.(?:[\s-]?{_CAPITAL}\.){{0,3}}\s{_SURNAME}(?:,|\sand\s|\s&\s)"  # E. Agol,
_CJK_NAMES = r"[가-힣一-鿿]{2,5}(?:\s?[,，、·ㆍ]\s?[가-힣一-鿿]{2,5}){0,9}+(?:\s?[외等등])?"
_CJK_AUTHOR = rf"{_CJK_NAMES}(?:[\s,.，]{{0,2}}\(?(?:19|20)\d\d|[,.，]?\s?[「『“\"〈《<])"
_RAISED_PLUS = r"(?:\\?\+|\$\^\{?\+\}?\$|\^\{?\+\}?\^?|<sup>\+</sup>)"
_LABEL = (
    rf"(?:[A-Za-zÀ-ž]{{1,8}}{_RAISED_PLUS}?(?:\d\d){{1,2}}[a-z]?"  # KP20 · Abc+21 · Lee1999b
    rf"|{_CAPITAL}[^\[\]()\n]{{0,60}}+\((?:1[6-9]|20)\d\d[a-z]?\))"  # Kim and Park(2020)
)
_ENTRY_START: Final = re.compile(
    rf"^[^\S\n]*+(?:[-*•]\s)?"
    rf"(?:{_BOLD}\\?\[(?P<bracket>\d{{1,4}})\\?\]{_BOLD}(?=[^\S\n]*+\S)"
    rf"|(?P<label>\\?\[{_LABEL}\\?\])(?=[^\S\n]*+\S)"
    rf"|(?P<number>\d{{1,3}})[.)][^\S\n]++(?={_INITIALS}|{_FIRST_NAME}|{_FULL_NAME}|{_INITIALS_FIRST}|{_CJK_AUTHOR})"
    rf"|(?:[—–]|---)[—–]{{0,2}}[.,]?\s?(?=\d{{4}})"  # the author above once more
    rf"|\[?(?={_INITIALS}|{_CJK_AUTHOR}|(?P<likely>{_FIRST_NAME}|{_FULL_NAME}|{_INITIALS_FIRST})))",
    re.MULTILINE,
)
_COUNTED: Final = re.compile(
    rf"^[^\S\n]*+{_BOLD}(?:\d{{1,3}}[.)]{_BOLD}[^\S\n]|\(\d{{1,3}}\){_BOLD}|<sup>\[?\d{{1,3}}\]?</sup>|\^\d{{1,3}}\^)[^\S\n]*+(?=\S)",
    re.MULTILINE,
)
"""A line with a number, whoever wrote what it lists: an entry only where it counts up from 1 below a heading."""
_DIGITS: Final = re.compile(r"\d+")
_DATED: Final = re.compile(r"(?<!\d)(?:1[6-9]|20)\d\d(?!\d)|doi\b|arXiv|https?://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Entry:
    """Position of an entry in a bibliography, and its number in the list; 0 where it has none."""

    start: int
    number: int
    sure: bool
    """"Agol, Eric, …" may begin an entry, but so may "London, England" begin another line, and a citation [KP20]."""
    counted: bool = False
    """Told by nothing but its number."""


def _find_entries(text: str) -> list[Entry]:
    """Lines that begin a reference entry."""
    begun = [
        Entry(found.start(), int(found["bracket"] or found["number"] or 0), (found["label"] or found["likely"]) is None)
        for found in _ENTRY_START.finditer(text)
    ]
    return _dated(text, begun)


def _find_counted(text: str, start: int, end: int, known: Sequence[Entry]) -> list[Entry]:
    """Lines in a part of a text that have a number and name a year or an address, beside entries that are known."""
    begins = {entry.start for entry in known}
    begun = [
        Entry(found.start(), int(_DIGITS.findall(found[0])[0]), sure=False, counted=True)
        for found in _COUNTED.finditer(text, start, end)
        if found.start() not in begins
    ]
    return _dated(text, begun)


def _dated(text: str, begun: Sequence[Entry]) -> list[Entry]:
    """The entries that name a year, a DOI or an address before the next one begins."""
    ends = [*(entry.start for entry in begun[1:]), len(text)]
    return [
        entry
        for entry, end in zip(begun, ends, strict=False)
        if _DATED.search(text, entry.start, min(end, entry.start + _LONGEST_ENTRY))
    ]


def _chain(text: str, entries: Sequence[Entry]) -> list[Entry]:
    """The entries below a heading that belong to one list; it ends where too much stands before the next of them."""
    if not entries:
        return []
    numbered = bool(entries[0].number)
    found = [entries[0]]
    seen = {entries[0].number}
    for at, entry in enumerate(entries[1:], 1):
        if bool(entry.number) != numbered or (numbered and entry.number in seen):
            continue
        if entry.counted and entry.number != found[-1].number + 1:
            continue
        gap = entry.start - found[-1].start
        if gap > (_NUMBERED_GAP if numbered else _PLAIN_GAP):
            if gap > _FLOAT_GAP or not _goes_on(entries, at):
                break
        elif not entry.sure and _section_between(text, found[-1].start, entry.start):
            break
        found.append(entry)
        seen.add(entry.number)
    return found


def _goes_on(entries: Sequence[Entry], at: int) -> bool:
    """Whether some entries stand close together there."""
    run = entries[at : at + _GOES_ON]
    return len(run) == _GOES_ON and all(
        other.sure and other.start - one.start <= _PLAIN_GAP for one, other in pairwise(run)
    )


def _section_between(text: str, start: int, end: int) -> bool:
    """Whether a section begins after the first line there."""
    at = _line_end(text, start) + 1
    while at < end:
        after = _line_end(text, at)
        if text[at:after].strip() and _ends_list(text, at, after):
            return True
        at = after + 1
    return False


def _runs(entries: list[Entry]) -> list[list[Entry]]:
    """Runs of at least five entries that stand close together; numbered ones, where there are any."""
    numbered = [entry for entry in entries if entry.number]
    plain = [entry for entry in entries if entry.sure and not entry.number]
    return list(_close_runs(numbered, _NUMBERED_GAP)) or list(_close_runs(plain, _PLAIN_GAP))


def _close_runs(entries: list[Entry], gap: int) -> Iterator[list[Entry]]:
    runs: list[list[Entry]] = []
    for entry in entries:
        if runs and _follows(runs[-1][-1], entry, gap):
            runs[-1].append(entry)
        else:
            runs.append([entry])
    return (run for run in runs if len(run) >= _FEWEST_ENTRIES)


def _follows(one: Entry, other: Entry, gap: int) -> bool:
    counts_up = one.number < other.number <= one.number + 3 or not other.number
    return counts_up and other.start - one.start <= gap


# Headings

_SPREAD: Final = tuple(
    r"[^\S\n]{0,3}".join(title)  # R EFERENCES in small capitals, 참 고 문 헌 set wide
    for title in ("references", "bibliography", "참고문헌", "인용문헌", "参考文献", "參考文獻", "引用文献", "文献")
)
_TITLES: Final = (
    *_SPREAD,
    r"references?(?: and notes| cited)?",
    r"notes and references",
    r"(?:selected )?bibliography",
    r"literature cited",
    r"works cited",
    r"références(?: bibliographiques)?",
    r"bibliographie",
    r"literatur(?:verzeichnis)?",
    r"referencias",
    r"bibliograf[íi]a",
    r"referências(?: bibliográficas)?",
    r"riferimenti(?: bibliografici)?",
    r"список литературы",
)
_TITLES_AFTER: Final = (
    r"appendi(?:x|ces)(?: [A-Z\d]{1,3}\b[^\n]{0,80})?",
    r"annexe?s?(?: [A-Z\d]\b[^\n]{0,80})?",
    r"anhang",
    r"(?:부[^\S\n]{0,3}록|附录|付録)[^\n]{0,60}",
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
_BEFORE_TITLE = (
    rf"^{_SPACE}(?:<h[1-6][^<>\n]*+>)?(?P<marks>\#{{0,6}}){_SPACE}{_BOLD}(?:[■□▣◆◇●○▶※<\[【〔〈《「『]{_SPACE})?"
)
_NUMBERING = r"(?:(?:\d{1,2}(?:\.\d{1,2}){0,3}|[IVX]{1,6}|[Ⅰ-Ⅻ]|[A-Z])[.)]?[^\S\n]++)?"
_AFTER_TITLE = (
    rf"{_SPACE}[>\]】〕〉》」』]?{_SPACE}[:.]?{_BOLD}{_SPACE}(?:</h[1-6]>)?(?:\{{[^{{}}\n]*+\}})?{_SPACE}\#*+{_SPACE}$"
)


def _line_of(titles: tuple[str, ...]) -> re.Pattern[str]:
    """A line with one of `titles` and nothing else but marks, brackets, numbering and bold."""
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
