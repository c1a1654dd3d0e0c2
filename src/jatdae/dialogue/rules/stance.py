"""What an answer tells the patient about a thing: to take or do it, more of it, to go on, to stop, or not to.

A sentence is reduced to a frame in which X is the thing and Y each other drug, food or activity; things joined by "and"
or 와 are one X. The frame is cut into clauses, and patterns of `stance.yaml` are tried on the clause of X, then on the
clauses behind it that speak of nothing else. The verb is thus part of what is read: "혈압약을 임의로 끊지 마세요" keeps
the drug, "혈압약을 끊으세요" stops it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cached_property, lru_cache
from typing import Final

from jatdae.core.signature import short_hash
from jatdae.dialogue.reading.clauses import find_sentences
from jatdae.dialogue.reading.mentions import Passage
from jatdae.dialogue.rules.english_advice import TABLE as ENGLISH
from jatdae.dialogue.rules.english_advice import read_english
from jatdae.dialogue.rules.korean_advice import TABLE as KOREAN
from jatdae.dialogue.rules.korean_advice import read_korean
from jatdae.dialogue.rules.stances import AGAINST, KEEP, MORE, NONE, STOP, TAKE

VERSION: Final = 4
"""Raised when a change of this module changes what is read of an answer."""
_WINDOW: Final = 240
"""How much of a sentence is read on either side of a thing, so that the work stays linear."""
_THINGS: Final = frozenset(("drug", "drug_class", "food", "activity"))
_HANGUL: Final = re.compile("[가-힣]")
_SENTENCE: Final = re.compile(r"[다요죠까][.!]*$")
_JOINED: Final = {
    "english": re.compile(
        r"[XY](?:(?: ?, (?:and |or )?| and | or | and/or |/| & | plus | \()"
        r"(?:an? |the |your |some |any |regular |sweet )?[XY]\)?)+"
    ),
    "korean": re.compile(
        r"[XY](?: 같은 \w{1,4}|(?:와|과|이나|나|랑|이랑|하고|에다|,|·|/|, | 및| 또는| 혹은|\() ?[XY]\)?)+"
    ),
}
"""Things that are one: ibuprofen and naproxen, 바나나와 감자."""
_LINKED: Final = re.compile(
    r" *(?:(?:but|however|that said|unfortunately|no|it|it's|they|those|that|this|then|take|so|just|let's|sure|yes|yep|"
    r"absolutely|of course|certainly|definitely)\b|"
    r"(?:begin|start|use|try|leave|stop|skip|drop|quit|pause|enjoy|have) (?:with|at|it|them|one|two|half|\d)|"
    r"(?:님|어머님|아버님|환자분|어르신|당신|본인)도 |(?:오늘|내일)부터는? (?:빼|끊|중단|멈추|드시지|쉬)|"
    r"하지만|그러나|그런데|다만|그렇지만|[이그] 약|[이그]건 |[이그]것[은을도])"
)
"""How a sentence begins that goes on with the thing of the one before."""
_OTHER_FORM: Final = re.compile(
    r"(?:무알코올|무알콜|논알코올|논알콜|비알코올|non-?alcoholic|"
    r"alcohol-free|zero-alcohol|dealcoholi[sz]ed|virgin|mock) ?\Z"
)
_LIKE_IT: Final = re.compile(r"-free\b|[ -]flavou?red\b|[ -]scented\b| ?향(?![가-힣])| ?맛(?=[\s을를이가은는])")
"""What makes another thing of a word: 무알코올 맥주, "banana-flavoured"."""
_PREFIX: Final = 16
_MOST_WORDS: Final = 5
_CLOSING: Final = "\"') "


class AdviceReader:
    """Tells what an answer advises about spans of it."""

    def __init__(self, passage: Passage) -> None:
        self._passage = passage

    def stance(self, start: int, end: int, act: bool = False, drug: bool = False) -> str:
        """What is advised about the text at start:end.

        `act` if that text has a verb of its own ("skip dinner"), `drug` if it is a drug, which a mere noun phrase
        prescribes ("Motrin 800 as needed.").

        Where the sentence says nothing of it, as in an item of a list, the reading of the whole text decides.
        """
        text = self._passage.folded
        while end > start + 1 and text[end - 1].isspace():  # a pattern may have taken the space behind a word
            end -= 1
        while start < end - 1 and text[start].isspace():
            start += 1
        if _OTHER_FORM.search(text, max(0, start - _PREFIX), start) or _LIKE_IT.match(text, end):
            return NONE
        frame = self._frame(start, end)
        found = read_frame(frame, act, drug)
        if found or act or not _is_name(frame):
            return found
        advice = self._passage.context.read(start, end, "pattern").advice
        return {"for": TAKE, "against": AGAINST}.get(advice, NONE)

    def sentence(self, start: int) -> tuple[int, int]:
        """Where the sentence around a place begins and ends."""
        number = bisect_right(self._starts, start) - 1
        after = self._starts[number + 1] if number + 1 < len(self._starts) else len(self._passage.folded)
        return self._starts[number], after

    @cached_property
    def _starts(self) -> list[int]:
        return find_sentences(self._passage.folded)

    @cached_property
    def _things(self) -> list[tuple[int, int]]:
        return [(m.start, m.end) for m in self._passage.mentions if m.concept.category in _THINGS]

    def _frame(self, start: int, end: int) -> str:
        """The sentence with X for the thing, or for the list it belongs to, and Y for others."""
        first, last = self._bounds(start, end)
        text = self._passage.folded
        head, tail = self._masked(first, start), self._masked(_word_end(text, end), last)
        joined = _JOINED["korean" if _HANGUL.search(text, first, last) else "english"]
        return joined.sub(lambda found: "X" if "X" in found[0] else "Y", f"{head}X{tail}".strip())

    def _bounds(self, start: int, end: int) -> tuple[int, int]:
        """The part of the sentence around a thing that is read."""
        first, last = self.sentence(start)[0], self.sentence(end - 1)[1]  # "st. john's wort" runs over a mark
        text = self._passage.folded
        if last < len(text) and (text[last - 1] == ";" or _LINKED.match(text, last)):
            last = self.sentence(last)[1]
        return max(first, start - _WINDOW), min(max(last, end), end + _WINDOW)

    def _masked(self, first: int, last: int) -> str:
        """A part of the text with Y for each thing that lies in it."""
        text, parts, done = self._passage.folded, [], first
        for start, end in self._things[bisect_left(self._things, (first, 0)) :]:
            if end > last:
                break
            if done <= start:
                parts += [text[done:start], "Y"]
                done = _word_end(text, end)
        return "".join([*parts, text[done:last]])


def _is_name(frame: str) -> bool:
    """Whether a frame may be no more than a name, as an item of a list is: it says what stands above it."""
    return len(frame.split()) <= _MOST_WORDS and not _SENTENCE.search(frame)


def _word_end(text: str, end: int) -> int:
    """Where the word around the end of a thing ends: bananas."""
    return end + (text[end : end + 1] == "s" and not text[end + 1 : end + 2].isalpha())


@lru_cache(maxsize=4096)
def read_frame(frame: str, act: bool, drug: bool = True) -> str:
    """What a frame says of its X; empty if it says nothing that is known."""
    frame = frame.rstrip(_CLOSING)
    asks = "?" if frame.endswith("?") else ""
    frame = frame.rstrip(".!?…") if "X" in frame.rstrip(".!?…") else frame
    if _HANGUL.search(frame):
        return read_korean(frame + asks, act)
    return read_english(frame + asks, act, drug)


def find_consent(passage: Passage) -> tuple[int, int] | None:
    """Where an answer begins by agreeing to what it was asked, without naming it: "Yes, that is fine.", 드셔도 됩니다.

    None if it does not agree, or names a thing of its own there.
    """
    text = passage.folded
    named = [m.start for m in passage.mentions if m.concept.category in _THINGS]
    end = 0
    for last in [*find_sentences(text)[1 : _OPENING + 1], len(text)]:
        opening = not end or _YES.fullmatch(text, 0, end) or _LINKED.match(text, end)
        if not opening or any(end <= place < last for place in named):
            break
        end = last
    return (0, end) if 0 < end <= _WINDOW and _is_consent(text[:end].strip()) else None


@lru_cache(maxsize=4096)
def _is_consent(reply: str) -> bool:
    yes = _YES.match(reply)
    rest = reply[yes.end() :] if yes else reply
    if _NO.match(rest):
        return False
    if not rest.strip(" .!"):
        return yes is not None
    if _HANGUL.search(reply):
        frame = "X은 " + _MEANT["korean"].sub("", rest, count=1)
        return read_korean(frame, False) in (TAKE, KEEP, MORE, STOP)
    back = _MEANT["english"].search(rest)
    frame = f"{rest[: back.start()]}X{rest[back.end() :]}" if back else f"X: {rest}"
    return read_english(frame, False, True) in (TAKE, KEEP, MORE, STOP)


_OPENING: Final = 3
"""Most sentences in which an answer may agree."""
_YES: Final = re.compile(
    r"\W*(?:yes|yep|yeah|sure|of course|absolutely|certainly|definitely|okay|ok|"
    r"네|예|그럼요|물론이죠|물론입니다|물론|응)\b\W*"
)
_NO: Final = re.compile(r"\W*(?:no|not|never|nope|아니|아뇨)\b|\W*(?:아니|아뇨)")
_MEANT: Final = {
    "english": re.compile(
        r"\b(?:that's|it's|they're|(?:that|those|these|this|it|them|they|both)(?: two| one| drug| pill)?)\b"
    ),
    "korean": re.compile(r"(?:[이그저] ?(?:약|것|거|건|음식|운동|정도)[은는도을를이가만]{0,2} ?|[이그저]건 ?)"),
}
"""What stands for the thing that was asked about."""


def asks_to_stop(sentence: str) -> bool:
    """Whether a question is about stopping something or leaving it out."""
    return _STOPPING.search(sentence) is not None


_STOPPING: Final = re.compile(
    r"\b(?:stop|quit|skip|come off|drop|discontinue|without|pause)\b|끊|중단|그만|안 (?:먹|드|맞)|쉬어|걸러|거르"
)


def stance_hash() -> str:
    """Hash of the table by which advice in answers is read, with the version of the code that applies it."""
    return f"{VERSION}.{short_hash(KOREAN.read_bytes() + ENGLISH.read_bytes())}"
