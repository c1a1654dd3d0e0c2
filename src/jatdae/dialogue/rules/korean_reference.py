"""Finds where a Korean answer leaves out the drug that it speaks of: 매일 같은 시간에 5mg 한 알을 드시면 됩니다.

Korean leaves out what is known, over headings too. A sentence that names no thing of its own, but an amount to be
taken, goes on with the one drug that was spoken of last, unless the answer refuses that drug.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from jatdae.dialogue.reading.mentions import Mention, Passage
from jatdae.dialogue.reading.patterns import PatternSet
from jatdae.dialogue.rules.advice import AdviceReader
from jatdae.dialogue.rules.frames import THINGS
from jatdae.dialogue.rules.stances import AGAINST, STOP, UNFIT

_DRUGS: Final = ("drug", "drug_class")
_TAKEN: Final = "드시|드세|드셔|드실|복용|맞으|시작|쓰시|쓰세|늘리|늘려|바르"
_UNIT: Final = r"(?:mg|밀리그램|mcg|마이크로그램|알|정|캡슐|포|단위)(?![가-힣]*(?:이하|이상))"
_AMOUNT: Final = re.compile(
    rf"(?=[\d하한두세반네남])(?:(?<![\d.,가-힣])(?:하루(?:에)? )?(?:\d[\d.,~]* ?|(?:한|두|세|반|네) ){_UNIT}|"
    rf"(?<![\d.,가-힣])하루(?:에)? (?:한|두|세|네|\d) ?(?:번|차례|회|{_UNIT})|"
    r"(?<![가-힣])남은 (?:\d+ ?(?:주|일|달|개월)(?:치|분)? ?)?(?:분량|것|약|알약|치)(?=[은을까도만 ]))"
)
"""The first letters are asked for first, because that is faster."""
_LIKELY: Final = PatternSet(
    [
        ("amount", rf"(?:\d|한|두|세|반|네) ?(?:mg|밀리그램|mcg|알|정|캡슐|포|단위|번|회)[^\n]*(?:{_TAKEN})"),
        ("left", rf"남은 [^\n]*(?:{_TAKEN})"),
        ("item", r"(?:^|\n)\s*(?:[-*•]|\d)[^\n]*(?:\d|한|두|세|반|네) ?(?:mg|밀리그램|mcg|알|정|캡슐|포|단위)"),
    ]
)
"""What such sentences look like, searched first because that is faster."""
_TAKING: Final = re.compile(_TAKEN)
_OBJECT: Final = re.compile(
    r"[가-힣](?<![알정캡슐포번위것약량앞안상분을])(?<!용량)(?<!효과)(?<!간격)(?<!처방)[을를] (?=\S)"
    r"|(?:물|밥|과일|채소|간식|식사|우유|죽|차)[은는도] "
)
"""An object of its own, before the amount."""
_TOPIC: Final = re.compile(
    r"\)?\*\*|\W{0,3}(?:\([^)]*\)\W{0,3})?(?:\d[\d.,]* ?(?:mg|밀리그램)\S{0,2})?\W{0,3}"
    r"(?:[은는이가을를도로]|으로|$|\n|:|–|-)"
)
"""What stands behind a drug that is spoken of by itself."""
_MAIN: Final = re.compile(r"\)?\*\*|(?:\([^)]*\))?(?: ?\d[\d.,]* ?(?:mg|밀리그램))?[은는] ")
"""What stands behind the one that its sentence is about."""
_ITEM: Final = re.compile(r"\s*(?:[-*•·▪◦‣]|\d{1,2}[.)]|[①-⑳])\s")
_REST: Final = re.compile(
    r"(?: ?(?:한|두|반|\d) ?(?:알|정|캡슐))?(?:으?로|씩|까지|부터)?"
    r"(?:[ ,(](?:하루|아침|저녁|식[후전]|자기|공복|빈속|\d)[^\n]*)?\s*"
)
_COMPANY: Final = re.compile(r"[와과랑](?:는)? (?:\S+ )?(?:같이|함께|병용|동시)|에 (?:더해|추가)")
"""What stands behind a drug beside which another one is taken."""
_JOINED: Final = 4
"""How much may stand between two drugs of which as one is spoken: 이부프로펜과 아스피린은."""
_REACH: Final = 6
"""How many sentences further on the drug may still be meant."""


def find_left_out(reader: AdviceReader, answer: Passage, asked: str | None) -> Iterator[tuple[int, str]]:
    """Each place where the drug is left out, and the name that belongs there."""
    if not _LIKELY.likely(answer.encoded):
        return
    named = [mention for mention in answer.mentions if mention.concept.category in THINGS]
    text, done = answer.folded, 0
    for amount in _AMOUNT.finditer(text):
        first, last = reader.sentence(amount.start())
        verb = _TAKING.search(text, amount.end(), last)
        taken = verb or _is_prescribed(text, first, amount.end(), last)
        if first < done or not taken or _OBJECT.search(text, first, amount.start()):
            continue
        until = verb.start() if verb else last
        if any(first <= m.start < until and not _COMPANY.match(text, m.end) for m in named):
            continue
        drug = _meant(reader, answer, named, first)
        if drug is None and any(m.start < first for m in named):
            continue
        name = drug.text if drug else asked
        if name:
            done = last
            yield amount.start(), name


def _is_prescribed(text: str, first: int, end: int, last: int) -> bool:
    """Whether an item of a list is no more than an amount to be taken: "- 처음에는 50mg 반 알로"."""
    return _ITEM.match(text, first) is not None and _REST.fullmatch(text, end, last) is not None


def _meant(reader: AdviceReader, answer: Passage, named: list[Mention], first: int) -> Mention | None:
    """The drug that a sentence goes on with: the last one named, if it is spoken of by itself and not refused."""
    before = [mention for mention in named if mention.start < first]
    if not before:
        return None
    start, end = reader.sentence(before[-1].start)
    spoken_of = [m for m in before if m.start >= start and _TOPIC.match(answer.folded, m.end)]
    drug = next((m for m in spoken_of if _MAIN.match(answer.folded, m.end)), spoken_of[-1] if spoken_of else None)
    if drug is None or drug.concept.category not in _DRUGS or reader.sentences_between(end, first, _REACH) >= _REACH:
        return None
    others = [m for m in before if m.start >= start and not _is_same(m, drug)]
    if any(_MAIN.match(answer.folded, m.end) or 0 <= drug.start - m.end <= _JOINED for m in others):
        return None
    if others and not _MAIN.match(answer.folded, drug.end):
        return None
    same = [mention for mention in named if _is_same(mention, drug)]
    refused = (AGAINST, STOP, UNFIT)
    if any(reader.stance(m.start, m.end, drug=True) in refused for m in same):
        return None
    return next((m for m in same if start <= m.start and m.concept.category == "drug"), drug)


def _is_same(one: Mention, other: Mention) -> bool:
    return one.concept.id in other.concept.above or other.concept.id in one.concept.above
