"""Whether an answer says in so many words that something is, or is not, the patient's.

Only what is said so is ever called wrong: "You take warfarin", "your asthma", "당뇨가 있으시니". What an answer merely
takes for granted supports what is on record, and is not held against it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Final

from jatdae.dialogue.reading import plain_english, plain_korean
from jatdae.dialogue.reading.clauses import HAS_VERB
from jatdae.dialogue.reading.headings import find_record_blocks, is_record, lists_taken
from jatdae.dialogue.reading.korean_discourse import is_said_taken
from jatdae.dialogue.reading.mentions import Mention, Passage

_FAR: Final = 200
"""How far around a mention its predicate is looked for, in characters."""
_ROW: Final = 7
"""How many names may be joined to one another."""
_GAP: Final = 60
"""How far apart they may stand, in characters."""
_JOINED: Final = re.compile(
    r"s?(?:[ ,*]*\([^)\n]*\))?\**(?: \d[\w.,/%-]*(?: ?(?:mg|mcg|g|units?|iu|ml|percent)\b)?)?"
    r"(?:(?: [\w'-]+){0,2}?(?: ?,| and| or| plus| as well as| along with| with| /| &| \+|/| nor)){1,2} "
    r"(?:also |your |the |a |an |[\w-]+ ){0,2}"
)
_KOREAN_JOINED: Final = re.compile(
    r"(?: ?\d[\d.,/]* ?(?:mg|mcg|g|밀리그램|단위|정|%))?(?:\([^)\n]*\))?(?: ?(?:성분|복합제|주사|제|정|약))?"
    r"(?:[·,/+]|[와과]|이?랑|하고|[이인]| 및| 그리고|[은는이가도을를](?: 물론| 포함)){1,3} ?(?:[가-힣]{1,6} ){0,2}?"
)
_LEADS: Final = re.compile(
    r"\byou(?:'re| are|'ve been)? (?:\w+ ){0,2}(?:on|take|taking|have|use|using)\b|\byour\b[^.]{0,40}:?\W*$"
    r"|\bwhere you stand\b|(?:복용|드시|쓰시|맞으시|앓|가지고 계)[가-힣 ]{0,10}(?:약|것|병|질환)|복용 ?약|진단|병력"
    r"|다음과 같"
)
"""A line over a list of what the patient has or takes."""
_SUPPOSES: Final = re.compile(
    r"\b(?:if|when|unless|until|whenever)\b[^.]{0,48}\Z|(?:(?<![보리])(?<!적용하)(?<!정리하)(?<!요약하)(?<!종합하)면|때"
    r"|경우)[^가-힣]*\Z"
)
"""A line over a list of what may come: "Call us if"."""
_OFFERS: Final = re.compile(
    r"\b(?:if|could|might|may|should|can|options?|ask|avoid|alternatives?|questions?|next|risks?|goals?|causes?"
    r"|triggers?|choices|symptoms?|side|steps?|plan|chances|ways?)\b"
    r"|피[해하할]|주의|금[지기]|부작용|대안|후보|옵션|추가|새로|가능|위험|원인|검토|면 |기준"
)
"""What in such a line makes the list one of something else."""
_OF_VALUE: Final = re.compile(r"[\s>*_•·▪-]*[^:\n]{0,24}\d[^:\n]{0,16}: ")
"""A label with a value, of which the rest of the line speaks: "- 혈소판 171: 간경변을 의심할 수치는 아님"."""
_ENDED: Final = re.compile(r"(?<!\d)[.!?] ")
"""The end of a sentence within a line: what stands behind it is said of the item, and is none."""
_LABEL: Final = re.compile(
    r"[\s>*_•·▪◦‣–—|\d.)(-]*(?:[\w가-힣 ]{1,14}(?:[:：] ?| [–—-] ))?(?:[\w가-힣]+[ ,·]+){0,3}[*_]*"
)
"""What may stand before a name in an item of a list."""
_KINDS: Final = {"drug": "taken", "drug_class": "taken", "condition": "had", "procedure": "done"}
"""Categories of what the patient takes or has: all else is told by a value or a word of its own."""
_place: Final = attrgetter("start")
_Tells = Callable[[str, int, int, int, int], bool]


def is_plain(passage: Passage, mention: Mention, bounds: tuple[int, int]) -> bool:
    """Whether the sentence at `bounds` says plainly of the patient what a mention names, or a name joined to it."""
    text, denied = passage.folded, mention.polarity == "negated"
    heading = passage.context.heading_of(mention.start)
    if heading and _SUPPOSES.search(heading):
        return False
    first, last = max(bounds[0], mention.start - _FAR), min(bounds[1], mention.end + _FAR)
    korean = passage.context.is_korean(mention.start)
    language = plain_korean if korean else plain_english
    if not denied and language.is_aside(text, mention.start, mention.end, first, last):
        return False
    tells: _Tells = language.denies if denied else language.says
    if tells(text, mention.start, mention.end, first, last):
        return True
    if not denied and (passage.context.is_noted(mention.start) or _is_listed(passage, mention)):
        return True
    return any(tells(text, *near, first, last) for near in _joined(passage, mention, (first, last), korean))


def _is_listed(passage: Passage, mention: Mention) -> bool:
    """Whether a mention is an item of what is on record, or of what the line above says the patient has or takes."""
    text, start = passage.folded, mention.start
    line = text.rfind("\n", 0, start) + 1
    if _OF_VALUE.match(text, line, start) or _ENDED.search(text, line, start):
        return False
    if any(first <= start and mention.end <= last for first, last in find_record_blocks(text)):
        return True
    if is_said_taken(text, mention):
        return True
    heading = passage.context.heading_of(start)
    if not heading or _OFFERS.search(heading) or not _LABEL.fullmatch(text, line, start):
        return False
    return _LEADS.search(heading) is not None or is_record(heading) or lists_taken(heading)


def _joined(passage: Passage, mention: Mention, bounds: tuple[int, int], korean: bool) -> Iterator[tuple[int, int]]:
    """The names that are joined to a mention in its sentence, by "and" or a comma: before it, then behind it."""
    text = passage.folded
    kind = _KINDS[mention.category]
    mentions = [each for each in passage.mentions if _KINDS.get(each.category) == kind]
    joint = _KOREAN_JOINED if korean else _JOINED
    at = bisect_left(mentions, mention.start, key=_place)
    start, end = mention.start, mention.end
    begins = not korean and HAS_VERB.match(text, end) is not None  # "you take Eliquis, and naproxen would …"
    for each in () if begins else reversed(mentions[max(0, at - _ROW) : at]):
        if each.end > start:
            continue
        if each.start < bounds[0] or start - each.end > _GAP or not joint.fullmatch(text, each.end, start):
            break
        start = each.start
        yield each.start, each.end
    for each in mentions[at : at + _ROW]:
        if each.start < end:
            continue
        if each.end > bounds[1] or each.start - end > _GAP or not joint.fullmatch(text, end, each.start):
            break
        end = each.end
        yield each.start, each.end
