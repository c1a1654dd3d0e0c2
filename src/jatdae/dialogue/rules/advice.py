"""What an answer tells the patient about a thing: to take or do it, more of it, to go on, to stop, or not to.

`frames` reduces a sentence to a frame, in which X is the thing. `english_advice` and `korean_advice` read the frame by
the words of their tables: the clause of X, then the clauses behind it that speak of nothing else. The verb is thus part
of what is read: "혈압약을 임의로 끊지 마세요" keeps the drug, "혈압약을 끊으세요" stops it. Where the frame says
nothing, what stands around it may: a heading, the list or table it is in, the next sentence.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from jatdae.core.signature import short_hash
from jatdae.dialogue.reading.mentions import Passage
from jatdae.dialogue.reading.words import any_in
from jatdae.dialogue.rules.columns import read_heading
from jatdae.dialogue.rules.english_advice import is_account, is_told, read_english
from jatdae.dialogue.rules.english_pieces import TABLE as ENGLISH
from jatdae.dialogue.rules.english_stop import is_usual, keeps_for_now, tells_to_stop
from jatdae.dialogue.rules.english_undecided import leaves_open
from jatdae.dialogue.rules.english_verdict import (
    comes_to,
    is_doubt,
    is_offered,
    is_refused,
    is_swapped,
    turns,
    withdraws,
)
from jatdae.dialogue.rules.frames import MARKUP, WINDOW, FrameReader, is_korean, word_end
from jatdae.dialogue.rules.korean_advice import is_told as is_told_outright
from jatdae.dialogue.rules.korean_advice import read_forbidden, read_korean, turns_back
from jatdae.dialogue.rules.korean_links import read_next
from jatdae.dialogue.rules.korean_pieces import TABLE as KOREAN
from jatdae.dialogue.rules.korean_stop import is_exchanged, stops_plainly
from jatdae.dialogue.rules.korean_undecided import is_left_open, is_left_to
from jatdae.dialogue.rules.plans import HOW, PLANNED
from jatdae.dialogue.rules.replies import OPENING, YES, allows, asked_of, read_reply
from jatdae.dialogue.rules.stances import AGAINST, NONE, STOP, TAKE

VERSION: Final = 9
"""Raised when a change of this module changes what is read of an answer."""
_SENTENCE: Final = re.compile(r"[다요죠까][.!]*$")
_OTHER_FORM: Final = re.compile(
    r"(?:무알코올|무알콜|논알코올|논알콜|비알코올|제로|무설탕|무가당|무당|"
    r"non-?alcoholic|alcohol-free|zero-alcohol|dealcoholi[sz]ed|"
    r"(?<![\d.,])0(?:\.0+)? ?%(?:(?:이라고|라고)? ?(?:표시|적|쓰)\S*)?(?: 있는| 된)?|"
    r"non-|virgin|mock|baking|lemon|lime|blood|rubbing|wet|isopropyl|surgical|diet|zero|sugar-free|sugarless|"
    r"unsweetened|low-sugar)(?: (?:sparkling|red|white|dry|sweet|light|dark|craft|pale|house|fruit|mulled))? ?\Z"
)
_LIKE_IT: Final = re.compile(
    r"-free\b|[ -](?:wipes?|swabs?|prep pads?|hand (?:gel|rub)|saniti[sz]ers?)\b|[ :](?:labell?ed |marked |"
    r"with |at )?0(?:\.0+)? ?%"
    r"|(?:이|을)? ?(?:들어간|든|넣은) [가-힣]+ [^.\n]{0,30}?(?:날아|증발)"
    r"|(?:이|은)? ?(?:다 |모두 |대부분 |거의 )?(?:날아|증발)"
    r"|[ -]flavou?red\b|[ -]scented\b| ?향(?![가-힣])| ?맛(?=[\s을를이가은는])"
)
"""What makes another thing of a word: 무알코올 맥주, "banana-flavoured", 알코올 0.0%."""
_TOPIC: Final = re.compile("[은는] ")
_WHILE: Final = re.compile(
    r"X\S{0,3} (?:\S+ )?\S*[실할는을들뛸쓸탈갈] (?:때|동안)"
    r"(?![^.]*(?:상의|의논|문의|상담|피하|쉬|멈추|삼가|안 됩|안 돼))"
    r"|\b(?:when|while|whenever) you(?:'re| are)? (?:[a-z]+ ){0,2}X"
    r"(?!.*\b(?:doctor|cardiologist|pharmacist|avoid|stop|ask|call)\b)"
)
"""What is to be heeded while X is done."""
_QUOTES: Final = ('"', "“", "”", "‘", "'", "「", "❌", "✗", "✘", "✖", "🚫", "⛔", "오해", "속설", "거짓", "잘못된")
"""One of these stands in every text in which something is quoted or marked as wrong."""
_QUOTED: Final = re.compile(
    r"[\"“”]\S+(?: [^\s\"“”]+)+[\"“”]|['‘](?:[^\s'‘’]+ ){2,}[^\s'‘’]+['’]|「\S+(?: [^\s「」]+)+」"
)
"""A sentence in quotation marks, and not only a name."""
_TO_SAY: Final = re.compile(r"(?:이?라고|하고|고)? ?(?:꼭 |미리 )?(?:말씀하|하시|하세|달라|요청|주문|부탁)")
"""Behind what the patient is to say: "…" 하고 말씀하세요."""
_WRONG: Final = re.compile(r"[-*•·\d.) ]*(?:❌|✗|✘|✖|🚫|⛔|(?:오해|속설|거짓|잘못된 (?:정보|믿음))(?: ?\d)?[:.)] )")
"""How a line begins that tells what is wrong."""
_OF_CAUSES: Final = re.compile(
    r"원인|요인|이유|유발|악화|위험|피(?:할|해야|하실|하세)|주의|부작용|증상|금지|금기|나쁜|해로운|줄(?:일|이실|여야)|방해"
)
"""What makes a heading one over causes, or over what is to be shunned."""
_OTHERS: Final = re.compile(
    r"\b(?:friends?|neighbou?rs?|sisters?|brothers?|aunts?|uncles?|cousins?|colleagues?|coworkers?|relatives?|"
    r"husband|wife|"
    r"mother|father|mum|mom|dad|son|daughter|nephew|niece|grandm\w+|grandf\w+|people|someone|somebody|patients?|"
    r"doctors?|he (?:said|says|told)|she (?:said|says|told))\b"
)
_SOMEBODY: Final = re.compile(r"he(?:(?<=\bhe)|(?<=\bshe))r?\b|his(?<=\bhis)\b")
"""Somebody spoken of; the pattern begins with a letter because that is fastest."""
_CARED_FOR: Final = re.compile(r"\b(?<!')s?he(?= (?:can|could|may|should|needs|must|will|might|has to)\b)")
_CARER: Final = re.compile(
    r"\b(?:nurse|midwife|pharmacist|dietitian|specialist|surgeon|dentist|(?:cardio|neuro|rheumato|endocrino"
    r"|nephro)logist|"
    r"psychiatrist)\b[^.]*\bs?he\b"
)
"""Somebody of whom a sentence goes on to speak: "call the nurse; she may halve X"."""
_FOR_THEM: Final = re.compile(r"\bso (?:that )?s?he\b")
_THEIRS: Final = re.compile(r"\b(?:her|his)\b")
"""The patient, where an answer speaks of nobody else: "At bedtime she can have one"."""
_ITEM: Final = re.compile(r"(?:[-*•·▪◦‣]|\d{1,2}[.)])\s")
"""How an item of a list begins."""
_ARROW: Final = re.compile(r"([^→⇒➜>]{1,60}?)(?:→|⇒|➜|[-=]>)")
_ROW_REFUSED: Final = re.compile(
    r"\W*\|[^|]*X[^|]*\|(?:[^|]*\|)*?\s*(?:❌|✗|🚫|no ?(?:$|[|:–—,.(])|"
    r"not (?:safe|for you|with|recommended|suitable|advised|allowed)\b|"
    r"avoid\b|skip\b|leave (?:it|out|off)\b|never\b|stay away\b|off limits\b)"
)
"""The row of a table with a cell that refuses what the first one names: "| X | raises serotonin | No |"."""
_NAMED: Final = re.compile(
    r"(?:[-*•·▪◦‣✗❌✖]|\d{1,2}[.)])\s(?:(?:an?|the|any|all|your|oral|regular) )?X"
    r"(?: (?:tablets?|pills?|capsules?|drops|powder|products?|juices?|salads?|soups?))?"
    r"(?:,? (?:and|or) [^.:;]{1,60}| ?[(:–—].*|, [^.]*)?\W*$"
)
"""An item of a list that names a thing, and at most says why: "- X tablets", "- X: narrows vessels"."""
_FORBIDS: Final = re.compile(
    r"\W*(?:(?:so|and|but|please|again)\b\W*)*(?:don't|do not|never|you (?:can't|cannot|mustn't|shouldn't))\b"
    r" (?:ever )?(?:take|use|have|try|start|buy|add|touch|reach for|drink|eat) (?:the |your |any )?X"
)
"""How an order not to take a thing begins."""
_WHY_NOT: Final = re.compile(r"\W*why not (?:the |your |some |an? |any )?X\W*$")
"""What proposes a thing, or asks why it is not the one: "Why not X? It narrows …"."""
_PREFIX: Final = 16
_MOST_WORDS: Final = 5
_FOLLOWING: Final = 2
"""How many sentences may go on with a thing without naming it."""
_CLOSING: Final = "\"') "


_RAISES: Final = {
    "english": re.compile(
        r"^\W*(?:(?:so|and|but|well|now|oh|ok|okay),? )*"
        r"(?!what|why|who|how|when|where|which|did|do|does|have|has|had|are|were|was|will|would|if)[^.?!]{0,80}\?\W*$"
    ),
    "korean": re.compile(r"X\S{0,3}요\?\W*$|X[^.?!]{0,40}(?:도|면|게) (?:되|될|돼|괜찮|좋)\S*\?\W*$|X\?\W*$"),
}
"""Questions with which an answer raises a thing, to say something of it."""


class AdviceReader(FrameReader):
    """Tells what an answer advises about spans of it."""

    def __init__(self, passage: Passage) -> None:
        super().__init__(passage)
        self._found_other: int | None = None
        self._found_quotes: bool | None = None

    def stance(self, start: int, end: int, act: bool = False, drug: bool = False) -> str:
        """What is advised about the text at start:end.

        `act` if that text has a verb of its own ("skip dinner"), `drug` if it is a drug, which a mere noun phrase
        prescribes ("Motrin 800 as needed.").

        Where the sentence says nothing of it, as in an item of a list, the reading of the whole text decides.
        """
        text = self.passage.folded
        while end > start + 1 and text[end - 1].isspace():  # a pattern may have taken the space behind a word
            end -= 1
        while start < end - 1 and text[start].isspace():
            start += 1
        if (
            _OTHER_FORM.search(text, max(0, start - 2 * _PREFIX), start)
            or _LIKE_IT.match(text, end)
            or (self._quotes and self._is_quoted(start, end))
        ):
            return NONE
        frame = self._addressed(start, end, act)
        found = read_frame(frame, act, drug)
        if refused := self._refused(start, end, frame, found):
            return refused
        if not found and (
            self._is_in_plan(start, frame) or self._follows_yes(start) or (drug and self._is_remedy(start))
        ):
            return TAKE
        if found == NONE and _is_planned(frame, act, drug):
            return TAKE
        if found in ("", NONE) and self._is_taken_as_done(start, frame):
            return TAKE
        if found in ("", NONE) and (answered := self._answered(start, end, act)):
            return answered
        if not found and not act and self._is_listed_as_good(start, frame):
            return TAKE
        if found in ("", NONE) and not act and (told := self._told_next(start, end)):
            return told
        if found or act or not _is_name(frame):
            return found
        advice = self.passage.context.read(start, end, "pattern").advice
        return {"for": TAKE, "against": AGAINST}.get(advice, NONE)

    def _addressed(self, start: int, end: int, act: bool = False) -> str:
        """The frame of a thing, with "you" for a patient who is spoken of: "At bedtime she can have one"."""
        frame = self.frame(start, end, act)
        if _SOMEBODY.search(frame) and end <= self._first_other and not self._is_of_carer(start):
            place = frame.index("X")
            frame = _CARED_FOR.sub("you", frame[:place]) + _THEIRS.sub(
                "your", _FOR_THEM.sub("so that you", frame[place:])
            )
        return frame

    @property
    def _quotes(self) -> bool:
        """Whether anything is quoted, or marked as wrong, in the text."""
        if self._found_quotes is None:
            self._found_quotes = any_in(_QUOTES, self.passage.context.text)
        return self._found_quotes

    def _is_quoted(self, start: int, end: int) -> bool:
        """Whether a thing stands in a Korean sentence that is only quoted, or in a line marked as wrong."""
        text = self.passage.folded
        first = text.rfind("\n", 0, start) + 1
        last = text.find("\n", end)
        last = min(last if last >= 0 else len(text), end + WINDOW)
        first = max(first, start - WINDOW)
        if not is_korean(text[first:last]):
            return False
        if _WRONG.match(text, first, start):
            return True
        return any(
            found.start() <= start < found.end() and not _TO_SAY.match(text, found.end())
            for found in _QUOTED.finditer(text, first, last)
        )

    def _is_in_plan(self, start: int, frame: str) -> bool:
        """Whether a thing stands in a line of a plan, and not in one of a list of causes or of what to beware of."""
        return PLANNED.match(frame) is not None and not _OF_CAUSES.search(self.passage.context.heading_of(start))

    def _is_of_carer(self, start: int) -> bool:
        """Whether "she" before a place is one whom the sentence, or the part before a semicolon, tells to ask."""
        first = self.sentence(start)[0]
        first = self.sentence(first - 1)[0] if first else 0
        return _CARER.search(self.passage.folded, max(first, start - WINDOW), start) is not None

    def is_told(self, start: int, end: int) -> bool:
        """Whether the patient is told outright what to do with a thing: "take it", "you can have it", "it is fine"."""
        frame = self.frame(start, end)
        if _WHY_NOT.match(frame):
            return False
        if is_korean(frame):
            if is_told_outright(frame) or PLANNED.match(frame):
                return True
            return bool(self._told_next(start, end) or self._answered(start, end, False))
        if is_told(frame):
            return True
        return PLANNED.match(frame) is not None or self._is_listed_as_good(start, frame)

    def is_forbidden(self, start: int, end: int) -> bool:
        """Whether an English sentence that speaks against a thing does so outright: "don't take X", "I'd avoid X"."""
        frame = self.frame(start, end)
        return not is_korean(frame) and (is_told(frame) or _FORBIDS.match(frame) is not None)

    def is_plainly_stopped(self, start: int, end: int) -> bool:
        """Whether the sentence of a thing that is read as stopped has words for it, or another one tells it."""
        frame = self._addressed(start, end)
        if is_korean(frame):
            return stops_plainly(frame) or read_frame(frame, False) not in (STOP, AGAINST)
        if is_usual(frame) and self.is_kept_for_now(start, end):
            return False
        return tells_to_stop(frame)

    def is_exchanged(self, start: int, end: int) -> bool:
        """Whether a Korean sentence puts another thing in the place of one: A를 B로 바꾸면."""
        frame = self.frame(start, end)
        return is_korean(frame) and is_exchanged(frame)

    def is_left_open(self, start: int, end: int) -> bool:
        """Whether a sentence only leaves it open that a thing may be taken: "X may be added later", 추가할 수도."""
        frame = self.frame(start, end)
        if not is_korean(frame):
            return leaves_open(frame)
        if is_left_open(frame):
            return True
        first = self.sentence(end - 1)[1]
        last = self.sentence(first)[1] if first < len(self.passage.folded) else first
        return is_left_to(frame, self.passage.folded[first : min(last, first + WINDOW)])

    def is_kept_for_now(self, start: int, end: int) -> bool:
        """Whether an English answer keeps a thing only until an expert has been asked: "don't stop it on your own"."""
        first, last = self.sentence(start)[0], self.sentence(end - 1)[1]
        text = self.passage.folded
        after = self.sentence(last)[1] if last < len(text) else last
        return keeps_for_now(text[max(first, start - WINDOW) : min(after, end + WINDOW)])

    def is_account(self, start: int, end: int) -> bool:
        """Whether a sentence only says what a thing does, and the next one tells of a harm or offers another thing."""
        frame = self.frame(start, end)
        return not is_korean(frame) and is_account(frame) and self._is_doubted_next(end)

    def _is_doubted_next(self, end: int) -> bool:
        """Whether the sentence behind that of a thing tells of a harm or offers another thing."""
        first = self.sentence(end - 1)[1]
        last = self.sentence(first)[1] if first < len(self.passage.folded) else first
        return last > first and is_doubt(self.masked(first, min(last, first + WINDOW)))

    def is_turned(self, end: int, act: bool = False) -> bool:
        """Whether one of the sentences behind that of a thing turns to the patient with a doubt, or takes it back.

        "Your kidneys can't …", "… So it's not for you".
        """
        first, size = self.sentence(end - 1)[1], len(self.passage.folded)
        for number in range(_FOLLOWING + 1):
            last = self.sentence(first)[1] if first < size else first
            if last == first:
                return False
            until = min(last, first + WINDOW)
            told = self.passage.folded[first:until]
            if (not number and turns(told)) or turns_back(told.strip()):
                return True
            if number and comes_to(told):
                return True
            if not act and withdraws(self.masked(first, until)):
                return True
            first = last
        return False

    def _answered(self, start: int, end: int, act: bool) -> str:
        """What the next sentence says of a thing that a question raises: "Naproxen? Sure, have one."."""
        first, last = self.sentence(start)[0], self.sentence(end - 1)[1]
        text = self.passage.folded
        if last - first > WINDOW or "?" not in text[end:last]:
            return ""
        asked = f"{text[first:start]}X{text[word_end(text, end) : last]}"
        if not _RAISES["korean" if is_korean(asked) else "english"].search(asked):
            return ""
        until = last
        for _ in range(OPENING):
            after = self.sentence(until)[1] if until < len(text) else until
            if after == until or after - last > WINDOW or self.names(until, after):
                break
            until = after
            if not YES.fullmatch(text, last, until):
                break
        asked = TAKE if act else asked_of(text[first:last])
        return read_reply(text[last:until].strip(), asked) if until > last else ""

    def _is_listed_as_good(self, start: int, frame: str) -> bool:
        """Whether a thing stands in a list under an English heading that offers what it lists."""
        if is_korean(frame) or not _ITEM.match(frame):
            return False
        lead = self.lead(start)
        return lead is not None and is_offered(MARKUP.sub("", self.passage.folded[lead[0] : lead[1]]), frame)

    def _refused(self, start: int, end: int, frame: str, found: str) -> str:
        """What is said of a thing that its sentence names without a word against it, by what stands around it."""
        if exchanged := self._exchanged(start, frame):
            return exchanged
        if _ROW_REFUSED.match(frame):
            return AGAINST
        if frame.startswith("|") and (headed := read_heading(self.passage.folded, start)):
            return headed
        if is_korean(frame):
            lead = self.lead(start) if found and _ITEM.match(frame) else None
            return read_forbidden(self.passage.folded[lead[0] : lead[1]], frame, found) if lead else ""
        if found in ("", TAKE) and _NAMED.match(frame) and self._is_listed_as_refused(start):
            return AGAINST
        return NONE if found == TAKE and _WHY_NOT.match(frame) and self._is_doubted_next(end) else ""

    def _is_listed_as_refused(self, start: int) -> bool:
        """Whether a thing stands in a list under an English heading that refuses what it lists."""
        lead = self.lead(start)
        return lead is not None and is_refused(MARKUP.sub("", self.passage.folded[lead[0] : lead[1]]))

    def _exchanged(self, start: int, frame: str) -> str:
        """What an arrow says of a thing that it puts in the place of another: "Banana → a small apple"."""
        side = _ARROW.match(frame)
        lead = self.lead(start) if side else None
        if side is None or lead is None or not is_swapped(self.passage.folded[lead[0] : lead[1]]):
            return ""
        return AGAINST if "X" in side[1] else TAKE

    def _told_next(self, start: int, end: int) -> str:
        """What the next Korean sentences say of a thing without naming it; only of the one thing of its sentence."""
        text = self.passage.folded
        first, last = self.sentence(start)[0], self.sentence(end - 1)[1]
        if not is_korean(text[first:last]) or self.names(first, start):
            return ""
        if self.names(end, last) and not _TOPIC.match(text, end):
            return ""
        for _ in range(_FOLLOWING):
            after = self.sentence(last)[1] if last < len(text) else last
            if (
                after == last
                or after - last > WINDOW
                or "\n" in text[last - 1 : last]
                or self.names_object(last, after)
            ):
                return ""
            if told := read_next(text[last:after].strip()):
                return told
            last = after
        return ""

    def _is_remedy(self, start: int) -> bool:
        """Whether a sentence that follows a question begins with a thing: "A cold? Aspirin and straight to bed."."""
        first, text = self.sentence(start)[0], self.passage.folded
        if start - first > _PREFIX or text[first:start].strip() not in ("", "a", "an", "some"):
            return False
        return text[max(0, first - _PREFIX) : first].rstrip().endswith("?")

    def _follows_yes(self, start: int) -> bool:
        """Whether the sentence of a thing follows an opening consent: "Of course! A slice of cake is …"."""
        first = self.sentence(start)[0]
        return 0 < first <= _PREFIX and YES.fullmatch(self.passage.folded, 0, first) is not None

    def _is_taken_as_done(self, start: int, frame: str) -> bool:
        """Whether an answer begins by allowing something and goes on to say how: 네, 가셔도 됩니다. X를 드실 때는 …."""
        first = self.sentence(start)[0]
        if not 0 < first <= WINDOW or not _WHILE.search(frame) or self.names(0, first):
            return False
        opening = self.passage.folded[:first].strip()
        yes = YES.match(opening)
        return yes is not None and read_reply(opening, TAKE) in ("", TAKE) and allows(opening[yes.end() :], False)

    @property
    def _first_other(self) -> int:
        """Where somebody else is first named."""
        if self._found_other is None:
            found = _OTHERS.search(self.passage.folded)
            self._found_other = found.start() if found else len(self.passage.folded)
        return self._found_other


def _is_planned(frame: str, act: bool, drug: bool) -> bool:
    """Whether a line of a plan has X, and what stands behind it tells how: "Wed: 8 X with slow walking"."""
    if not PLANNED.match(frame):
        return False
    place = frame.index("X") + 1
    how = HOW.match(frame, place)
    return how is not None and read_frame(frame[:place], act, drug) in ("", TAKE)


def _is_name(frame: str) -> bool:
    """Whether a frame may be no more than a name, as an item of a list is: it says what stands above it."""
    return len(frame.split()) <= _MOST_WORDS and not _SENTENCE.search(frame)


@lru_cache(maxsize=4096)
def read_frame(frame: str, act: bool, drug: bool = True) -> str:
    """What a frame says of its X; empty if it says nothing that is known."""
    frame = frame.rstrip(_CLOSING)
    asks = "?" if frame.endswith("?") else ""
    frame = frame.rstrip(".!?…") if "X" in frame.rstrip(".!?…") else frame
    if is_korean(frame):
        return read_korean(frame + asks, act)
    return read_english(frame + asks, act, drug)


def advice_hash() -> str:
    """Hash of the table by which advice in answers is read, with the version of the code that applies it."""
    return f"{VERSION}.{short_hash(KOREAN.read_bytes() + ENGLISH.read_bytes())}"
