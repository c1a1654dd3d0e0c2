"""Asks a page its tests: each passes or fails, with a reason and the place that nearly matched.

`PageReader` keeps what several tests of one page need (its text as it is compared, its tables, its formulas), so each
is made once. `as_published` follows olmOCR-bench in every respect but one: formulas are compared by what they print, by
the formulas room, and not by rendering both in a browser.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

from rapidfuzz import fuzz

from jatdae.checks import published_tables
from jatdae.checks.alphabets import PUBLISHED, count_alphabets, expected_alphabets
from jatdae.checks.near_matches import Match, count_apart, find_near, nearest
from jatdae.checks.page_tests import (
    BaselineTest,
    CountTest,
    MathTest,
    OrderTest,
    PageTest,
    PresentTest,
    RegexTest,
    TableTest,
    UnsupportedTest,
)
from jatdae.checks.page_text import plain, published
from jatdae.checks.patterns import find_pattern
from jatdae.checks.table_cells import PageTable, ask, tables_of
from jatdae.formulas.extraction import extract, without_signs
from jatdae.formulas.similarity import compare
from jatdae.formulas.tokens import Canonical, canonical_form
from jatdae.tables.table_issues import TableError

AROUND: Final = 60
"""Characters shown on both sides of a place."""
LONGEST_PLACE: Final = 400
NEARLY_EMPTY: Final = 10
"""A page with fewer letters and digits is as good as empty: no `absent` passes on it, unless it is to be blank. Half as
many are enough of syllables and characters that each say as much as several letters (Hangul, Chinese, kana)."""
MAX_REPEATS: Final = 30
"""How often such a page may end with the same characters: the default of the baseline test."""
MAX_PUBLISHED: Final = 500_000_000
"""Characters of the text times characters of the page beyond which `--as-published` looks for the exact text."""
STRANGE_SHARE: Final = 0.01
"""Share of the letters of a page that may be of a strange alphabet."""
MOST_FORMULAS: Final = 2_000
MAX_FORMULA: Final = 20_000

_IMAGE: Final = re.compile(r"!\[[^\[\]\n]*\]\([^()\n]*\)")
_NGRAMS: Final = 5
_PUBLISHED_MATH: Final = (("\\(", "\\)"), ("\\[", "\\]"), ("$$", "$$"), ("$", "$"))
"""Signs of formulas in the order in which olmOCR-bench takes them out."""


class Verdict(NamedTuple):
    """What came of a test."""

    passed: bool
    reason: str = ""
    """Code of the reason why it failed, in the count table `check_failures`; "" where it passed."""
    found: str = ""
    """What was found instead: a number, a cell, an alphabet."""
    place: tuple[str, str, str] | None = None
    """The place that matched or nearly did: what stands before it, it, what stands after."""


@dataclass(frozen=True)
class PageReader:
    """A page of which several tests are asked."""

    page: str
    tests: Sequence[PageTest] = ()
    """All tests of the page: they tell which alphabets belong there and whether it is to be blank."""
    as_published: bool = False

    def ask(self, test: PageTest) -> Verdict:
        """Whether the page passes a test."""
        return _ASKED[type(test)](self, test)

    @cached_property
    def text(self) -> str:
        """The text of the page as it is compared."""
        return published(self.page) if self.as_published else plain(self.page)

    @cached_property
    def lowered(self) -> str:
        """The same in lower case."""
        return self.text.lower()

    @cached_property
    def tables(self) -> list[PageTable]:
        """The tables of the page."""
        return tables_of(self.page)

    @cached_property
    def html_tables(self) -> list[PageTable]:
        """Those that are no Markdown."""
        return tables_of(self.page, only_html=True)

    @cached_property
    def formulas(self) -> list[tuple[str, Canonical]]:
        """The formulas of the page with their canonical forms."""
        return _canonical(found.latex for found in extract(self.page))

    @cached_property
    def emptiness(self) -> str:
        """Why the page is as good as empty; "" where it is not, or is to be blank."""
        if any(isinstance(test, BaselineTest) and test.max_length is not None for test in self.tests):
            return ""
        if _count_alnum(self.page) < NEARLY_EMPTY and 2 * _count_wide(self.page) < NEARLY_EMPTY:
            return "baseline_empty"
        return self.degeneration(1, MAX_REPEATS)

    def degeneration(self, least: int, most_repeats: int) -> str:
        """Whether the page is empty or ends with the same characters over and over: baseline_…, or ""."""
        if _count_alnum(self.page) < least:
            return "baseline_empty"
        return "baseline_repetition" if _end_repeats(self.page) > most_repeats else ""

    @cached_property
    def expected(self) -> set[str]:
        """The alphabets that the tests of the page are written in."""
        texts = [
            str(value)
            for test in self.tests
            for name, value in test
            if value and name in ("text", "before", "after", "cell", "up", "down", "left", "right", *_HEADINGS)
        ]
        return expected_alphabets(texts)


_HEADINGS: Final = ("top_heading", "left_heading")


def _ask_present(reader: PageReader, test: PresentTest) -> Verdict:
    return _ask_present_published(reader, test) if reader.as_published else _ask_present_own(reader, test)


def _ask_present_own(reader: PageReader, test: PresentTest) -> Verdict:
    wanted, text = _as_asked(reader, test.text, case_sensitive=test.case_sensitive)
    parts = _parts(text, test.first_n, test.last_n)
    places = [(part, match) for part in parts for match in _find(wanted, part, test.max_diffs)]
    if test.type == "present":
        if places:
            return Verdict(True, place=_excerpt(*places[0]))
        return Verdict(False, "present_missing", place=_nearest(wanted, parts))
    if places:
        return Verdict(False, "absent_found", place=_excerpt(*places[0]))
    if reader.emptiness:
        return Verdict(False, "absent_on_empty_page")
    return Verdict(True)


def _ask_present_published(reader: PageReader, test: PresentTest) -> Verdict:
    """The indel ratio of the best window; of the text in the page or, where the page is shorter, of the page in it."""
    wanted, text = published(test.text), reader.text
    if not test.case_sensitive:
        wanted, text = wanted.lower(), reader.lowered
    text = "".join(_parts(text, test.first_n, test.last_n))
    if len(wanted) * len(text) > MAX_PUBLISHED:
        is_there = wanted in text
    else:
        is_there = fuzz.partial_ratio(wanted, text) / 100.0 >= 1.0 - test.max_diffs / (len(wanted) or 1)
    passed = is_there == (test.type == "present")
    reason = "" if passed else "present_missing" if test.type == "present" else "absent_found"
    return Verdict(passed, reason, place=_nearest(wanted, [text]))


def _ask_count(reader: PageReader, test: CountTest) -> Verdict:
    wanted, text = _as_asked(reader, test.text, case_sensitive=test.case_sensitive)
    matches = _find(wanted, text, test.max_diffs)
    number = count_apart(matches)
    least = test.at_least if test.count is None else test.count
    most = test.at_most if test.count is None else test.count
    if (least is not None and number < least) or (most is not None and number > most):
        place = _excerpt(text, matches[0]) if matches else _nearest(wanted, [text])
        return Verdict(False, "count_differs", str(number), place)
    return Verdict(True, found=str(number))


def _ask_order(reader: PageReader, test: OrderTest) -> Verdict:
    clean = published if reader.as_published else plain
    sides = []
    for name in ("before", "after"):
        wanted = clean(getattr(test, name))
        find = find_near if reader.as_published else _find
        matches = find(wanted, reader.text, test.max_diffs)
        if not matches:
            return Verdict(False, "order_text_missing", name, _nearest(wanted, [reader.text]))
        sides.append(matches)
    first, last = min(sides[0]), max(sides[1])
    if first.start < last.start:
        return Verdict(True, place=_excerpt(reader.text, first))
    return Verdict(False, "order_wrong", place=_excerpt(reader.text, first))


def _ask_table(reader: PageReader, test: TableTest) -> Verdict:
    try:
        if reader.as_published:
            passed, reason = published_tables.passes(test, reader.page)
            return Verdict(passed, reason and f"table_{reason}")
        asked = ask(test, reader.html_tables if test.ignore_markdown_tables else reader.tables)
    except TableError:
        return Verdict(False, "table_unreadable")
    if asked.passed:
        return Verdict(True)
    found = f"{asked.where}: {asked.found}" if asked.where not in ("", "cell") else asked.found
    return Verdict(False, f"table_{asked.reason}", found)


def read_wanted(test: MathTest) -> Canonical:
    """The formula that a test asks for, as formulas are compared."""
    return canonical_form(without_signs(test.math)[:MAX_FORMULA])


def _ask_math(reader: PageReader, test: MathTest) -> Verdict:
    formulas = reader.formulas
    if reader.as_published or test.ignore_dollar_delimited:
        written = _published_math(reader.page, dollars=not test.ignore_dollar_delimited)
        if reader.as_published and test.math in written:
            return Verdict(True)
        formulas = _canonical(written)
    wanted = read_wanted(test)
    if any(compare(form, wanted).match for _, form in formulas):
        return Verdict(True)
    nearest_one = max(formulas, key=lambda each: fuzz.ratio(each[0], test.math), default=None)
    return Verdict(False, "math_missing", nearest_one[0][:LONGEST_PLACE] if nearest_one else "")


def _ask_baseline(reader: PageReader, test: BaselineTest) -> Verdict:
    if test.max_length is not None:
        page = _IMAGE.sub("", reader.page) if test.max_length_skips_image_alt_tags else reader.page
        number = _count_alnum(page)
        return Verdict(
            number <= test.max_length, "" if number <= test.max_length else "baseline_not_blank", str(number)
        )
    if reason := reader.degeneration(test.min_length, test.max_repeats):
        return Verdict(False, reason)
    if test.check_disallowed_characters and (strange := _strange_letters(reader, test)):
        return Verdict(False, "baseline_alphabet", strange)
    return Verdict(True)


def _ask_regex(reader: PageReader, test: RegexTest) -> Verdict:
    found = find_pattern(test.pattern, reader.page, case_sensitive=test.case_sensitive)
    place = _excerpt(reader.page, Match(*found)) if found else None
    if test.found == (found is not None):
        return Verdict(True, place=place)
    return Verdict(False, "regex_missing" if test.found else "regex_found", place=place)


def _ask_unsupported(reader: PageReader, test: UnsupportedTest) -> Verdict:
    raise NotImplementedError  # left out before anything is asked


_ASKED: Final[dict[type, Callable[[PageReader, Any], Verdict]]] = {
    PresentTest: _ask_present,
    CountTest: _ask_count,
    OrderTest: _ask_order,
    TableTest: _ask_table,
    MathTest: _ask_math,
    BaselineTest: _ask_baseline,
    RegexTest: _ask_regex,
    UnsupportedTest: _ask_unsupported,
}


def _as_asked(reader: PageReader, text: str, *, case_sensitive: bool) -> tuple[str, str]:
    wanted = published(text) if reader.as_published else plain(text)
    return (wanted, reader.text) if case_sensitive else (wanted.lower(), reader.lowered)


def _parts(text: str, first: int | None, last: int | None) -> list[str]:
    """What of a page is looked at: its beginning, its end, both, or all."""
    if first and last:
        return [text[:first], text[-last:]]
    return [text[:first] if first else text[-last:] if last else text]


def _find(wanted: str, text: str, most: int) -> list[Match]:
    """Where a text is found; a number only where it is whole: no 62 in 1,625."""
    if not wanted:
        return []
    most = min(most, len(wanted) // 2)
    return [match for match in find_near(wanted, text, most) if most or _is_whole(wanted, text, match)]


def _is_whole(wanted: str, text: str, match: Match) -> bool:
    before, after = text[max(0, match.start - 2) : match.start], text[match.end : match.end + 2]
    return not (wanted[0].isdigit() and _DIGIT_BEFORE.search(before)) and not (
        wanted[-1].isdigit() and _DIGIT_AFTER.match(after)
    )


_DIGIT_BEFORE: Final = re.compile(r"\d[.,]?\Z")
_DIGIT_AFTER: Final = re.compile(r"[.,]?\d")


def _nearest(wanted: str, parts: Sequence[str]) -> tuple[str, str, str] | None:
    found = [(part, place) for part in parts if (place := nearest(wanted, part))]
    return _excerpt(*found[0]) if found else None


def _excerpt(text: str, match: Match) -> tuple[str, str, str]:
    start, end = match.start, min(match.end, match.start + LONGEST_PLACE)
    return text[max(0, start - AROUND) : start], text[start:end], text[end : end + AROUND]


def _canonical(formulas: Any) -> list[tuple[str, Canonical]]:
    kept = [latex for latex in formulas if len(latex) <= MAX_FORMULA][:MOST_FORMULAS]
    return [(latex, canonical_form(latex.encode("utf-8", "replace").decode())) for latex in kept]


def _published_math(page: str, *, dollars: bool) -> list[str]:
    """The formulas of a page as olmOCR-bench finds them: kind by kind, each taken out before the next is looked for."""
    found: list[str] = []
    for opening, closing in _PUBLISHED_MATH if dollars else _PUBLISHED_MATH[:2]:
        left, at = [], 0
        while (start := page.find(opening, at)) >= 0:
            inside = start + len(opening)
            end = page.find(closing, inside + 1)  # a formula has at least one character
            if end < 0:
                break
            found.append(page[inside:end].strip())
            left.append(page[at:start])
            at = end + len(closing)
        page = "".join(left) + page[at:]
    return found


def _count_alnum(text: str) -> int:
    return sum(map(str.isalnum, text))


def _count_wide(text: str) -> int:
    return sum(letter.isalnum() and unicodedata.east_asian_width(letter) in "WF" for letter in text[:1_000])


def _end_repeats(page: str) -> int:
    """How often the page ends with the same one to five characters, white space as one space."""
    text = re.sub(r"\s+", " ", page)
    most = 0
    for size in range(1, _NGRAMS + 1):
        last, at, number = text[-size:], len(text) - size, 0
        while at >= 0 and text[at : at + size] == last:
            number, at = number + 1, at - size
        most = max(most, number)
    return most


def _strange_letters(reader: PageReader, test: BaselineTest) -> str:
    """The strange alphabet of a page: in published form some of its characters, else its name; "" without one."""
    if reader.as_published:
        return "".join(PUBLISHED.findall(reader.page)[:10])
    counted = count_alphabets(reader.page)
    allowed = reader.expected | set(test.alphabets)
    strange = {name: number for name, number in counted.items() if name not in allowed}
    worst = max(strange, key=lambda name: (strange[name], name), default="")
    return worst if worst and strange[worst] > STRANGE_SHARE * sum(counted.values()) else ""
