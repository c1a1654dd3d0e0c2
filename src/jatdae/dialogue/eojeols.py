"""The predicates of a Korean sentence: verbs folded with what helps them, read eojeol by eojeol.

드시 (take) + 지 + 않 (not) + 는 것이 + 좋습니다 (a judgement) is one predicate of the mood "forbid". Kind of verb and
mood say what is meant; the last ending says how the clause goes on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from jatdae.dialogue.cues import AFFIRM, AFTER, BEFORE, CONDITION, EFFECT, GENERAL, STRONG, Cue
from jatdae.dialogue.hangul import Form
from jatdae.dialogue.korean import ADNOMINAL, TOLD, Eojeol, cue, look_up, meaning, pairs_of, tables

_GAP: Final = re.compile(r"[\s,]")
_OPEN: Final = frozenset(("and", "join", "then"))
"""Endings behind which the mood is that of the predicate to come: 멈추고 … 연락하세요."""
_OWN: Final = frozenset(("have", "value", "lack", "not", "be", "happen"))
"""Kinds that keep their mood all the same."""
_HELD: Final = frozenset(("thing", "able", "needful", "ever", "not"))
"""Endings that wait for a verb to take them up."""
_REACH: Final = 2
"""Words that may stand between a verb and what helps it: 드시는 것이 건강에 좋습니다."""
_OF_OTHERS: Final = ("환자의", "환자들의", "사람의", "사람들의", "분들의")
_THIS: Final = ("이", "본", "해당", "상기", "위", "우리")
"""이 환자는: the one who is spoken of."""
_GA, _FINALS, _RIEUL = 0xAC00, 28, 8
"""Where syllables begin, how many end alike, and the ending ㄹ: 낮아질 수."""
_OF_THE_PATIENT: Final = ("분의", "님의", "인의", "하의", "신의", "르신의")
_TURNED: Final[Mapping[tuple[str, str], str]] = {
    ("not", "order"): "forbid",
    ("not", "fine"): "forbid",
    ("fine", "not"): "forbid",
    ("not", "allow"): "free",
    ("not", "forbid"): "order",
    ("not", "not"): "state",
    ("not", "can"): "free",
    ("order", "not"): "free",
    ("can", "not"): "cannot",
    ("forbid", "not"): "order",
}
"""Moods of a mood: 드시지 않아도 됩니다 is free to, and need not."""
_NEGATED: Final[Mapping[str, str]] = {
    "state": "not", "going": "not", "on": "not",
    "order": "forbid", "fine": "forbid", "allow": "forbid", "can": "cannot",
}  # fmt: skip
_NOTHING: Final = Eojeol("", 0, "")

Found = tuple[Cue, int, int]


def find_predicates(text: str, mentions: Mapping[int, int]) -> list[Found]:
    """The predicates of a sentence as cues, as they are completed; no verb is read in a mention (라면은)."""
    reader, place, last = _Reader(), 0, 0
    raws = text.replace(",", " ").split(" ") if text.isprintable() else _GAP.split(text)
    for raw, eojeol in zip(raws, map(look_up, raws), strict=True):
        if eojeol is None:
            pass
        elif eojeol.plain:
            if reader.held is not None:
                reader.wait(eojeol.noun)
                last = 0
            reader.last = eojeol
        else:
            at = place + eojeol.lead
            last = at + eojeol.size
            form = eojeol.form
            named = form is not None and at in mentions and mentions[at] > at + form.at
            reader.take(eojeol, None if named else form, at, last)
        place += len(raw) + 1
    reader.close(last)
    reader.settle("state")
    return reader.found


class _Held:
    """A predicate that is being read."""

    lead = ""
    """The ending before a noun took it up."""
    gap = 0
    still = rashly = False

    def __init__(self, form: Form, start: int, end: int) -> None:
        self.sort, self.ending, self.past, self.honoured, at = form
        self.start, self.end = start + at, end
        self.mood = "order" if self.ending == "order" else "state"


class _Reader:
    """The state between two eojeols."""

    def __init__(self) -> None:
        self.found: list[Found] = []
        self.held: _Held | None = None
        self.waiting: list[_Held] = []
        self.last = _NOTHING
        self.still = self.rashly = self.turned = False
        self.tables = tables()

    def take(self, eojeol: Eojeol, form: Form | None, at: int, to: int) -> None:
        """Take in an eojeol that is a verb, or is something to one."""
        if eojeol.adverb:
            self._adverb(eojeol.adverb)
            return
        if eojeol.head and self._head(eojeol.head, at, to):
            pass
        elif form is not None:
            self._verb(form, eojeol.word, at, to)
        else:
            self.wait(eojeol.noun)
            if eojeol.role:
                self.found.append((cue(eojeol.role, BEFORE | AFTER, 0, ""), at, to))
        self.last = eojeol

    def wait(self, noun: str) -> None:
        """A word stands between a predicate and what may help it."""
        held = self.held
        if held is not None:
            held.gap += 1
            if held.gap > _REACH or (held.ending not in _HELD and noun not in self.tables.pairs):
                self.close()

    def close(self, last: int = -1) -> None:
        """The predicate is complete; `last` is where the sentence ends."""
        held, self.held = self.held, None
        if held is None:
            return
        if last == held.end and (held.ending == "noun" or (held.ending == "thing" and held.lead == "future")):
            held.mood, held.ending = "order", "state"  # as notes and lists have it: 제한할 것, 천천히 걷기
        if held.ending in _OPEN and held.mood in ("state", "not") and not held.past:
            self.waiting.append(held)
            return
        if self.waiting and held.ending not in ADNOMINAL:
            self.settle(held.mood)
        self._tell(held)

    def settle(self, mood: str) -> None:
        """Predicates that waited for the mood of the one behind them."""
        for held in self.waiting:
            if mood in TOLD and held.sort not in _OWN:
                held.mood = _composed(held.mood, "order")
            self._tell(held)
        self.waiting.clear()

    def _adverb(self, name: str) -> None:
        if name == "against":
            self.turned = True
        elif name == "still":
            self.still = True
        elif name == "rashly":
            self.rashly = True

    def _head(self, head: str, at: int, to: int) -> bool:
        """A noun that takes up the verb before it; whether it does."""
        held = self.held
        if held is None or held.ending not in ADNOMINAL:
            return self._lone_head(head, held, at, to)
        if head == "many":
            self.held = None
            self.found.append((cue(GENERAL | EFFECT, BEFORE, 0, "after"), held.start, to))
            self.found.append((cue(GENERAL, AFTER, 0, ""), to, to))
        elif head == "able" and held.ending != "future":
            return False
        else:
            ending = "cause" if head in ("one", "while") else head
            held.lead, held.ending, held.end, held.gap = held.ending, ending, to, 0
            if ending in ("if", "cause", "aim"):
                self.close()
        return True

    def _lone_head(self, head: str, held: _Held | None, at: int, to: int) -> bool:
        """The same behind a noun: 흉통 시, 복용 중에는, 뇌졸중일 수, 관리하기 위해."""
        if head == "able" and held is None and self.last.word and (ord(self.last.word[-1]) - _GA) % _FINALS == _RIEUL:
            self.held = _Held(Form("", head, False, False, 0), at, to)
        elif head == "many" and self.last.word and self.last.word not in _THIS:
            self.found.append((cue(GENERAL, AFTER, 0, ""), to, to))
            return False
        elif head == "if" and self.last.word and not self.last.word.endswith(_OF_THE_PATIENT):
            self.close()
            role = GENERAL if self.last.word.endswith(_OF_OTHERS) else CONDITION
            self.found.append((cue(role, BEFORE, 0, "after"), at, to))
        elif head == "while" and self.last.noun in self.tables.taking:
            self.found.append((cue(AFFIRM, BEFORE, 0, "after"), at, to))
        elif head in ("cause", "aim"):
            if held is not None and held.ending == "noun":
                held.ending, held.end = head, to
            elif head == "cause":
                self.found.append((cue(STRONG, BEFORE, 1, ""), at, to))
            self.close()
        else:
            return False
        return True

    def _verb(self, form: Form, word: str, at: int, to: int) -> None:
        held = self.held
        turned, self.turned = self.turned, False
        sort = form.sort
        copula = sort == "be" or (not sort and form.ending == "if")  # 정도이면, 정도라면
        paired = pairs_of(word[: form.at]) if copula else self.last.pairs
        if paired:
            sort = paired.get("be" if copula else sort, sort)
        if held is not None and sort:
            if held.ending == "not" and word.startswith("마시"):
                sort = "forbid"  # 조절하지 마시고: told not to, and nothing is drunk
            mood = self.tables.moods.get(held.ending, {}).get(sort)
            if mood is not None:
                _take_up(held, form, _NEGATED.get(mood, mood) if turned else mood, to)
                return
        if held is not None:
            self.close()
        held = self.held = _Held(form, at, to)
        held.sort = sort
        if self.still or self.rashly:
            held.still, held.rashly = self.still, self.rashly
            self.still = self.rashly = False
        if turned and sort == "become":  # 안 됩니다
            held.sort = "bad"
        elif turned:
            held.mood = _NEGATED.get(held.mood, held.mood)

    def _tell(self, held: _Held) -> None:
        before, behind = meaning(held.sort, held.mood, held.ending, held.past, held.honoured, held.still, held.rashly)
        if before is not None:
            self.found.append((before, held.start, held.end))
        if behind is not None:
            self.found.append((behind, held.end, held.end))


def _take_up(held: _Held, form: Form, mood: str, to: int) -> None:
    """A verb that helps the one before it."""
    mood = held.mood if mood == "on" else _composed(held.mood, mood)
    held.mood = _composed(mood, "order") if form.ending == "order" else mood
    held.ending, held.end, held.gap = form.ending, to, 0
    held.past |= form.past
    held.honoured |= form.honoured


def _composed(first: str, second: str) -> str:
    """The mood of a mood: what is forbidden stays so where it is also asked for."""
    turned = _TURNED.get((first, second))
    if turned is None:
        return first if second in ("order", "fine") and first in TOLD else second
    return turned
