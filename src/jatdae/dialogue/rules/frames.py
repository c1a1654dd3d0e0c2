"""A sentence of an answer as a frame: X for the thing that is asked about, Y for each other drug, food or activity.

Things joined by "and" or 와 are one X. A sentence that goes on with the thing of the one before ("You can drop it")
belongs to its frame.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from operator import itemgetter
from typing import Final

from jatdae.dialogue.reading.lists import Line, find_list_lines
from jatdae.dialogue.reading.mentions import Passage
from jatdae.dialogue.reading.words import any_in

WINDOW: Final = 240
"""How much of a sentence is read on either side of a thing, so that the work stays linear."""
THINGS: Final = frozenset(("drug", "drug_class", "food", "activity"))
_HANGUL: Final = re.compile("[가-힣]")
_JOINED: Final = {
    "english": re.compile(
        r"[XY](?:(?: ?, (?:and |or )?| and | or | and/or |/| & | plus | \()"
        r"(?:an? |the |your |some |any |regular |sweet )?[XY]\)?(?! (?:only|just) (?:on|for) (?:special|rare) ))+"
    ),
    "korean": re.compile(
        r"[XY](?: 같은 \w{1,4}|(?:와|과|이나|나|랑|이랑|하고|에다|,|·|/|, | 및| 또는| 혹은|\() ?[XY](?: 등(?=\)))?\)?)+"
    ),
}
"""Things that are one: ibuprofen and naproxen, 바나나와 감자."""
LINKED: Final = re.compile(
    r" *(?:(?:but|however|that said|unfortunately|no|it|it's|they|those|that|this|then|take|so|just|let's|sure|yes|yep|"
    r"in your (?:case|situation)|for you|"
    r"absolutely|of course|certainly|definitely)\b|"
    r"\d[\d.,]* ?(?:mg|mcg|ml) (?:once|twice|three times|a day|daily|every|at|in|with|each)\b|"
    r"(?:begin|start|use|try|leave|stop|skip|drop|quit|pause|enjoy|have) "
    r"(?:with|at|it|them|one|two|half|\d(?!\d* ?(?:g|grams) of))|"
    r"(?:provided|as long as) [^.,;]{1,60}, (?:go ahead with|take|use|start|have|try) (?:it|them|\d)|"
    r"(?:an? |one |the usual )(?:standardi[sz]ed |dry |daily |normal |low |usual )*"
    r"(?:extract|dose|tablet|capsule|preparation) of \d|"
    r"you (?:can|could|may|should) (?:begin|start|add|take|use|try) "
    r"(?:with |at )?(?:it|them|\d|tonight[.!]|today[.!]|now[.!]|tomorrow[.!])|"
    r"(?:님|어머님|아버님|환자분|어르신|당신|본인)도 |(?:오늘|내일)부터는? (?:빼|끊|중단|멈추|드시지|쉬)|"
    r"(?:(?:매일|하루|아침|저녁|점심|자기|식[후전]|취침)\S* (?:\S+ ){0,2}?)?"
    r"(?:한|두|세|반|\d[\d.,~]*) ?(?:mg|밀리그램|알|정|잔|개|컵|번|캡슐|포)|"
    r"안 (?:됩|돼)|절대|하지만|그러나|그런데|다만|그렇지만|[이그] 약|[이그]건 |[이그]것[은을도])"
)
"""How a sentence begins that goes on with the thing of the one before."""
_POINTS: Final = re.compile(
    r"\b(?:stop|stopping|quit|drop|skip|skipping|leaving|halve|retire|remove|shelve|scrap|park|cut|bin|ditch|"
    r"toss|throw|lose|leave|hold|pause|take|taking|use|using|have|start|try|avoid|keep|"
    r"off|without|give)\b (?:[a-z']+ ){0,2}?(?:it|them|one|the rest)\b(?! (?:easy|slow|seriously|to)\b)"
)
_IT: Final = (" it", " them", " one", " the rest")
_DONE_TO_IT: Final = re.compile(
    r" *(?:오늘|내일|이제|앞으로|다음부터|당분간|며칠|이틀|일주일|우선|그냥)\S* (?:[가-힣]+(?<![은는을를]) ){0,2}?"
    r"(?:빼|끊|중단|멈추|그만|쉬|안 드|드시지)",
)
"""Where a sentence without a thing of its own does something with that of the one before: "You can drop it"."""
_INTO: Final = re.compile(r"(?:이?나 [가-힣]+)?에(?:는|도)? ")
"""What stands behind a thing into which another one goes: 나물에."""
_SHARE: Final = re.compile(
    r"X수?의 ?(?:[7-9]\d|100) ?%(?! ?(?:이하|미만|아래|를|을|이내|안|보다|밑))(?![^.]{0,40}[가-힣]지 ?(?:마|말|않))"
)
"""Nearly all of a thing, which is the thing: 최대심박의 95%까지 올리세요."""
_MARKS: Final = ("*", "__", "`")
MARKUP: Final = re.compile(r"\*|__+|`")
_BULLET: Final = re.compile(r"^\s*\*\s+(?!\*)")
_WISHED: Final = re.compile(
    r"\bif you(?:'d| would)? (?:like|want|need|prefer|fancy)(?: to try)? (?:an? |some |any )?Y, (?=X)"
)
"""A wish that what follows fulfils: "if you'd like a supplement, ginkgo is safe"."""
_line_start: Final = itemgetter(0)


class FrameReader:
    """Finds the sentences of an answer and makes frames of them."""

    def __init__(self, passage: Passage) -> None:
        self.passage: Final = passage
        self._starts = passage.context.starts
        self._found_things: list[tuple[int, int]] | None = None
        self._found_leads: list[tuple[int, Line | None]] | None = None

    def sentence(self, start: int) -> tuple[int, int]:
        """Where the sentence around a place begins and ends."""
        number = bisect_right(self._starts, start) - 1
        after = self._starts[number + 1] if number + 1 < len(self._starts) else len(self.passage.folded)
        return self._starts[number], after

    def before(self, first: int) -> int:
        """Where the sentence before a place begins, past lines that are empty."""
        while first:
            last, first = first, self.sentence(first - 1)[0]
            if not self.passage.folded[first:last].isspace():
                break
        return first

    @property
    def opening(self) -> int:
        """Where the second sentence ends."""
        first = self.sentence(0)[1]
        return self.sentence(first)[1] if first < len(self.passage.folded) else first

    def sentences_between(self, first: int, last: int, most: int) -> int:
        """How many sentences begin and end between two places, up to as many as matter."""
        number = 0
        while first < last and number < most:
            first = self.sentence(first)[1]
            number += 1
        return number

    def lead(self, start: int) -> tuple[int, int] | None:
        """The sentence above the list in which a place stands."""
        if self._found_leads is None:
            self._found_leads = find_list_lines(self.passage.folded)
        return self._found_leads[bisect_right(self._found_leads, start, key=_line_start) - 1][1]

    def names(self, first: int, last: int) -> bool:
        """Whether a drug, food or activity is named in a part of the text."""
        number = bisect_left(self._things, (first, 0))
        runs_over = number > 0 and self._things[number - 1][1] > first  # "St. John's wort"
        return runs_over or (number < len(self._things) and self._things[number][0] < last)

    def names_object(self, first: int, last: int) -> bool:
        """Whether a Korean sentence names a thing, and not only where another one goes: 나물에 쓰셔도 됩니다."""
        text, number = self.passage.folded, bisect_left(self._things, (first, 0))
        if number and self._things[number - 1][1] > first:
            return True
        return any(not _INTO.match(text, end) for start, end in self._things[number:] if start < last)

    def frame(self, start: int, end: int, act: bool = False) -> str:
        """The sentence with X for the thing, or for the list it belongs to, and Y for others; an act is in no list."""
        first, last = self._bounds(start, end)
        text = self.passage.folded
        head, tail = self.masked(first, start), self.masked(word_end(text, end), last)
        joined = _JOINED["korean" if is_korean(text[first:last]) else "english"]
        frame = f"{head}X{tail}"
        if any_in(_MARKS, frame):
            frame = MARKUP.sub("", _BULLET.sub("- ", frame))
        frame = frame.strip()
        if "if you" in frame:
            frame = _WISHED.sub("", frame)
        if "X" in frame and "%" in frame:
            frame = _SHARE.sub("X", frame)
        if act and joined is _JOINED["english"]:
            return frame
        return joined.sub(lambda found: "X" if "X" in found[0] else "Y", frame)

    def _bounds(self, start: int, end: int) -> tuple[int, int]:
        """The part of the sentence around a thing that is read."""
        first, last = self.sentence(start)[0], self.reach(start, end)
        return max(first, start - WINDOW), min(max(last, end), end + WINDOW)

    def reach(self, start: int, end: int) -> int:
        """Where the sentence around a thing ends, or the next one if it goes on with the thing."""
        last = self.sentence(end - 1)[1]  # "st. john's wort" runs over a mark
        if last < len(self.passage.folded) and self._is_linked(last, not self.names(self.sentence(start)[0], start)):
            last = self.sentence(last)[1]
        return last

    def _is_linked(self, first: int, only: bool) -> bool:
        """Whether a sentence goes on with the thing of the one before; `only` if that names no other before it."""
        text, last = self.passage.folded, self.sentence(first)[1]
        if text[first - 1] == ";" or LINKED.match(text, first):
            return True
        return only and _points_back(text[first : min(last, first + WINDOW)]) and not self.names(first, last)

    def masked(self, first: int, last: int) -> str:
        """A part of the text with Y for each thing that lies in it."""
        text, parts, done = self.passage.folded, [], first
        begin = bisect_left(self._things, (first, 0))
        for start, end in self._things[begin : bisect_left(self._things, (last, 0), begin)]:
            if end > last:
                break
            if done <= start:
                parts += [text[done:start], "Y"]
                done = word_end(text, end)
        return "".join([*parts, text[done:last]])

    @property
    def _things(self) -> list[tuple[int, int]]:
        if self._found_things is None:
            self._found_things = [(m.start, m.end) for m in self.passage.mentions if m.concept.category in THINGS]
        return self._found_things


def is_korean(text: str) -> bool:
    """Whether a text has Korean letters."""
    return not text.isascii() and _HANGUL.search(text) is not None


def _points_back(sentence: str) -> bool:
    """Whether a sentence does something with the thing of the one before: "You can drop it", 오늘부터 빼세요."""
    if _DONE_TO_IT.match(sentence):
        return True
    return any_in(_IT, sentence) and _POINTS.search(sentence) is not None


def word_end(text: str, end: int) -> int:
    """Where the word around the end of a thing ends: bananas."""
    return end + (text[end : end + 1] == "s" and not text[end + 1 : end + 2].isalpha())
