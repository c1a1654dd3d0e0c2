"""The lists of an answer: where their items stand, and what the line above a list says of each of them."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

from jatdae.dialogue.reading.cues import (
    ABOUT,
    AFFIRM,
    AGAINST,
    CONDITION,
    EXAMPLE,
    FAMILY,
    GENERAL,
    HEDGE,
    KEEP,
    NEGATE,
    PATIENT,
    PERSONAL,
    RECOMMEND,
    STRONG,
    TITLE,
)
from jatdae.dialogue.reading.headings import asks_what, is_record, lists_taken, offers
from jatdae.dialogue.reading.items import gives_up, is_to_check, teaches
from jatdae.dialogue.reading.neighbours import ADVICE
from jatdae.dialogue.reading.sentences import Sentences
from jatdae.dialogue.reading.statuses import KINDS
from jatdae.dialogue.reading.tables import find_head

_ITEM: Final = re.compile(r"\s*(?:[-–—*•·▪◦‣□▢◻▷➤☐☑✓✔✅✖✗❌○→]|\[[ x]?\]|\d{1,2}[.)]|[a-h]\)|[①-⑩])\s+")
_FOLLOWS: Final = re.compile(
    r"(?:다음|아래)[^.]{0,36}\.$|\bfollowing[^.]{0,20}\.$|\bhere(?:'s| is| are)\b[^.]{0,40}\.$"
    r"|(?:목록|리스트|내역|결과|소견|수치|현황|요약)(?:입니다|이에요|예요)[.!]?$"
    r"|가능성[^.]{0,24}\.$|갈래[^.]{0,12}\.$|종류[^.]{0,12}\.$|원인[은이][^.]{0,24}\.$"
)
"""A sentence that announces a list: 다음과 같이 해 보세요."""
_TOLD_FULLY: Final = re.compile(r"[가-힣][다요죠][.!]?[^가-힣a-z0-9]*$")
"""How a Korean line ends that is a sentence of its own, and no heading, although it is in bold."""
_BARE: Final = 40
"""Longest line without a period that can be a heading over a list."""
_TICKED: Final = re.compile(r"[✅✓✔✖✗❌]️?\s")
_DASHED: Final = re.compile(r"\s*[-*•·]\s")
"""A line with a tick or a cross over items with a dash is a heading: "❌ **Not for you**"."""
_ANSWERED: Final = re.compile(r"\*\*[^*\n]{1,40}:\*\* [^*\n]{24,}[.!]\s*\Z", re.ASCII)
"""A label with a whole sentence behind it, which heads no list: "**Short answer:** your kidneys are fine."."""
_IN_LABEL: Final = re.compile(r"[\s>#*_•·▪◦‣–—☐☑✓✔✅-]*[^\n:–—|→=]*")
"""What may stand before the names that a line of a list begins with."""
_CAUSES: Final = re.compile(r"(?:원인|이유|까닭)[은이도]? [^.!?]{0,24}[다요][.!] *$")
"""A sentence over a list of causes."""
_NORMAL: Final = re.compile("정상(?!이면|이라면|이 아니)|양호|(?:문제|이상)[가은는이도]? 없")
_ENDS_WITH_IF: Final = re.compile(r"\b(?:if|when)(?: (?:you|he|she|your \w+))?\W*\Z")
_OVER_ITEMS: Final = GENERAL | CONDITION | FAMILY | EXAMPLE
"""Roles of a heading that hold for every item below it: "### 흔한 부작용"."""
_OVERRULING: Final = AGAINST | GENERAL | CONDITION
"""Roles of a heading under which a label such as "약:" says nothing of the patient."""
_BEFORE: Final = re.compile(r"\W*(?:\d\W+)?(?:before |after |during |if (?:none|not)\b)")
"""Headings that name a time and no condition: "Before you go"."""
Line = tuple[int, int]
"""Where a line begins and ends."""


def find_list_lines(text: str) -> list[tuple[int, Line | None]]:
    """Position of each line of an answer, to be cut into clauses; for a list item, also the line above the list."""
    found: list[tuple[int, Line | None]] = []
    lead: Line | None = None
    place = 0
    lines = text.split("\n")
    for number, line in enumerate(lines):
        bare = line.strip().rstrip("*_ ")
        item = _ITEM.match(line) and not (bare.endswith(":") and not line.startswith((" ", "\t")))
        if item and _TICKED.match(line) and _DASHED.match("\n".join(lines[number + 1 : number + 3])):
            item = False
        if bare and not item:
            lead = None
            if _is_heading(line, bare):
                begin = place + max(line.rfind(mark, 0, -1) + 1 for mark in (". ", "! ", "? ", ".** ", "!** ", "?** "))
                lead = begin, place + len(line)
        found.append((place, lead if item else None))
        place += len(line) + 1
    return found


def _is_heading(line: str, bare: str) -> bool:
    """Whether a line may introduce a list, as "피해야 할 음식:" or a heading does."""
    if bare.endswith(":") or _FOLLOWS.search(bare):
        return True
    if line.startswith(("#", "**")):
        return not (_TOLD_FULLY.search(bare) or _ANSWERED.match(line))
    return len(bare) <= _BARE and not bare.endswith((".", "!", "?", "다", "요"))


class Lists:
    """The lists of a text, whose items take on what the line above them says."""

    def __init__(self, sentences: Sentences) -> None:
        self._sentences = sentences
        self.text = sentences.text
        self.lines = find_list_lines(self.text) if "\n" in self.text else []
        self._led: dict[Line, tuple[int, int]] = {}

    def line_above(self, place: int) -> Line | None:
        """The line above the list in which a place is."""
        return self.lines[bisect_right(self.lines, place, key=_first) - 1][1] if self.lines else None

    def with_heading(self, start: int, category: str, roles: int, negations: int, valued: bool) -> tuple[int, int]:
        """The roles of a list item with those of the line above the list; what it says itself goes before."""
        listed = self.line_above(start)
        if is_to_check(self.text, self.text.rfind("\n", 0, start) + 1, self.line_end(start), listed):
            return roles & ~(AFFIRM | PERSONAL | PATIENT | ABOUT | NEGATE) | CONDITION, 0
        above, turns = self._over_item(start)
        if above & CONDITION and _ENDS_WITH_IF.search(self.heading_of(start)) and not roles & ADVICE:
            roles |= CONDITION  # "Go to the ER if": "- he has trouble breathing"
        if valued and roles & AFFIRM and above & GENERAL and self._is_ruled_out(start):
            above &= ~GENERAL
        if self.text.startswith("|", self.text.rfind("\n", 0, start) + 1) and lists_taken(find_head(self.text, start)):
            above |= STRONG
        elif above & STRONG and not self._is_label(start):
            above &= ~STRONG
        if above & AGAINST and KINDS.get(category) == "taken" and gives_up(self.text, start):
            return roles & ~AGAINST | KEEP, 0  # "하지 말아야 할 것": "- 약을 임의로 중단하는 것"
        if above & STRONG and roles & GENERAL and category == "condition":
            above &= ~(STRONG | PATIENT)  # "드시는 약": "- 엘리퀴스는 뇌졸중을 막아 줍니다"
        if roles & NEGATE and above & ABOUT and above & HEDGE:
            return roles | ABOUT, negations  # "Your labs rule out a few things": "- hemoglobin 14.8, no anemia"
        if above & STRONG and not roles & (NEGATE | FAMILY):
            return roles & ~(AGAINST | CONDITION) | above, negations
        told = AGAINST if roles & EXAMPLE else _OVERRULING
        if above & told and not roles & (PERSONAL | STRONG | AFFIRM | ADVICE):
            return roles & ~PATIENT | above, negations + turns  # "피하면 좋은 것들": "- 약: …" below it is no record
        if not roles & ~(PATIENT | ABOUT):
            return roles | above, negations + turns
        if not roles & (PERSONAL | STRONG | PATIENT):
            roles |= above & (_OVER_ITEMS & ~GENERAL if roles & ADVICE else _OVER_ITEMS)
        return roles, negations

    def _over_item(self, start: int) -> tuple[int, int]:
        """The roles and negations of the line above a list; what forbids or denies holds for an item's beginning."""
        above, turns = self.above(start)
        if (above & AGAINST or turns) and self.text.find(". ", self.text.rfind("\n", 0, start) + 5, start) >= 0:
            return above & ~(AGAINST | NEGATE), 0
        return above, turns

    def _is_ruled_out(self, start: int) -> bool:
        """Whether a test in a list of causes is normal, as only the patient's is: "TSH 1.6이라 문제가 없어요"."""
        line = self.line_above(start)
        if line is None or not _CAUSES.search(self.text, line[0], line[1]):
            return False
        return _NORMAL.search(self.text, start, self._sentences.span_at(start)[1]) is not None

    def _is_label(self, start: int) -> bool:
        """Whether nothing but other names stands before a mention in the line of a list."""
        line = self.text.rfind("\n", 0, start) + 1
        read = _IN_LABEL.match(self.text, line)
        return read is not None and read.end() >= start

    def heading_of(self, place: int) -> str:
        """What stands above the list or table in which a place is; empty if it is in none."""
        if not self.lines:
            return ""
        line = self.line_above(place)
        return self.text[line[0] : line[1]] if line else find_head(self.text, place)

    def line_end(self, place: int) -> int:
        """Where the line of a place ends."""
        end = self.text.find("\n", place)
        return end if end >= 0 else len(self.text)

    def above(self, place: int) -> tuple[int, int]:
        """The roles and negations of the line above a list, for an item of the list."""
        line = self.line_above(place)
        if line is None:
            return 0, 0
        if line not in self._led:
            roles = turns = 0
            for number in range(self._sentences.number_at(line[0]), self._sentences.number_at(line[1]) + 1):
                for clause in self._sentences.read(number).clauses:
                    for role, *_ in clause.acts:
                        roles |= role & ~(TITLE | STRONG)
                        turns += role == NEGATE
            heading = self.text[line[0] : line[1]]
            if _BEFORE.match(heading):
                roles &= ~CONDITION
            if teaches(heading):
                roles &= ~(AFFIRM | PERSONAL)
            if asks_what(heading):
                roles, turns = roles & ~(HEDGE | NEGATE), 0  # "Why not?"
            if lists_taken(heading):
                roles, turns = PATIENT | STRONG, 0
            elif is_record(heading):
                roles |= PATIENT
                if not heading.isascii():
                    roles &= ~(RECOMMEND | CONDITION)  # 환자 정보 확인
            elif offers(heading) and not roles & (AGAINST | CONDITION):
                roles = roles & ~GENERAL | RECOMMEND
            self._led[line] = roles, turns
        return self._led[line]


def _first(line: tuple[int, Line | None]) -> int:
    return line[0]
