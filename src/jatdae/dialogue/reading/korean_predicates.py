"""Finds the predicates of a Korean sentence, eojeol by eojeol, and what they say.

드시 (take) + 지 + 않 (not) + 는 것이 + 좋습니다 (a judgement) is one predicate of the mood "forbid". Which verb helps
the one before it is decided here; how they add up is in `korean_compounds`, the kind of a verb where it stands in
`korean_kinds`. Kind and mood tell what is meant; the last ending tells how the clause continues.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from jatdae.dialogue.reading.cues import (
    AFFIRM,
    AFTER,
    BEFORE,
    CONDITION,
    EFFECT,
    GENERAL,
    HEDGE,
    RECOMMEND,
    STRONG,
    Found,
)
from jatdae.dialogue.reading.korean_compounds import NEGATED, TOLD, Predicate, composed, ending_with, take_up
from jatdae.dialogue.reading.korean_eojeols import NOTHING, Eojeol, load_predicate_tables, look_up
from jatdae.dialogue.reading.korean_kinds import kind_of
from jatdae.dialogue.reading.korean_meaning import ADNOMINAL, NEAR, cue, meaning
from jatdae.dialogue.reading.korean_verbs import Form, read_form, read_told

_GAP: Final = re.compile(r"[\s,(]")
_OPEN: Final = frozenset(("and", "join", "then"))
"""Endings after which a predicate takes the mood of the next one: 멈추고 … 연락하세요."""
_OWN: Final = frozenset(("have", "ail", "value", "lack", "not", "be", "happen"))
"""Kinds of verbs that keep their own mood there."""
_HELD: Final = frozenset(("thing", "option", "able", "needful", "ever", "not"))
"""Endings that wait for a helping verb."""
_REACH: Final = 2
"""How many words may stand between a verb and its helper: 드시는 것이 건강에 좋습니다."""
_OF_OTHERS: Final = ("환자의", "환자들의", "사람의", "사람들의", "분들의")
_TENSED: Final = frozenset(("able", "ever"))
"""Nouns that follow a verb of the future (드실 수) or of another tense (드신 적)."""
_AMONG: Final = ("에서", "에서는")
"""Particles behind people among whom something happens."""
_PEOPLE: Final = frozenset(("many", "some", "among"))
"""Nouns for people whom the verb before describes."""
_THIS: Final = ("이", "본", "해당", "상기", "위", "우리")
"""Words before 환자 that point to this patient: 이 환자는."""
_GA, _FINALS, _RIEUL = 0xAC00, 28, 8
"""The first syllable in Unicode, the number of finals per vowel, and the index of the final ㄹ: 낮아질 수."""
_OCCASIONS: Final = ("수술", "시술", "검사", "검진", "진료", "입원", "방문")
"""Last letters of what has a time: 백내장 수술 때."""
_OF_THE_PATIENT: Final = ("분의", "님의", "인의", "하의", "신의", "르신의")
_NOMINAL: Final = frozenset(("note", "noun"))
"""Endings of nouns, which a mention may contain: 가슴 답답함."""
_AMOUNT: Final = re.compile(r"(?<=[을를] )[^.?!을를]{2,24}(?:까지|부터|씩|만)[*_) ]*$")
"""How much of something, as plans have it: "타다라필을 가장 낮은 용량부터"."""
_AMOUNT_ENDS: Final = ("까지", "부터", "씩", "만")
_COUNTED: Final = frozenset("세살%회명개월년주일시간분도배gLl0123456789")
"""Last letters of what may have a bound: 18세 이상."""
_ENDING: Final = frozenset(("가능", "불가", "금지", "금물", "금기", "권장", "추천", "허용"))
"""Nouns that end a statement of few words."""
_ENDED: Final = re.compile(r"[\s*_)]*(?:[.,;|/\n]|\Z)")
"""What follows the last word of a note."""
_GIVES: Final = ("줍니", "준다", "주며", "주고", "주므", "주니", "주는", "주기")
_COMING: Final = "coming"
"""In place of the ending before a noun: of something that may come."""
_BIDDING: Final = ("시라고", "으라고", "지 말라고")
_DOSES: Final = ("용량", "용량까지", "용법", "복용량", "투여량")
_DOSED: Final = frozenset(word[-1] for word in _DOSES)
_WHY: Final = frozenset(("까닭은", "이유는", "까닭이", "이유가", "까닭도", "이유도"))
_RAISING: Final = frozenset(("cause", "raise"))
_UNCHANGED: Final = frozenset(("not", "forbid", "free"))
"""Moods in which a dose stays as it is."""
_STATED: Final = frozenset(("state", "gist", "and", "cause", "present", "noun"))
_OBJECTS: Final = frozenset("을를로에의")
"""Particles of what is no subject of an adjective behind it: 콜히친을 낮은 용량으로."""
_FOR_IT: Final = frozenset(("데는", "데에는", "데에", "데"))
_BUT: Final = ("말고", "외에", "이외에")
_DAYTIMES: Final = frozenset(("아침", "점심", "저녁", "밤", "낮", "식전", "식후", "공복", "전", "후", "뒤"))
_TIMES: Final = ("때", "시간", "날", "경우")
_TOPICS: Final = frozenset(("것은", "건", "것도"))
_SUBJECTS: Final = frozenset("이가")
_BEING: Final = ("있", "계", "중이")
"""How a verb of having begins that helps another: 먹고 있다, but not 없어 해당되지 않다."""


def find_predicates(text: str, mentions: dict[int, int], told: tuple[int, ...] = ()) -> list[Found]:
    """Find the predicates of a Korean sentence of an answer as cues, in the order they end.

    A mention (라면은) is never read as a verb; `told` are the places where the stems of phrases end (발목이 부으면).
    """
    reader, place, last, until = _KoreanReader(), 0, 0, 0
    raws = text.replace(",", " ").replace("(", " ").split(" ") if text.isprintable() else _GAP.split(text)
    for raw, eojeol in zip(raws, map(look_up, raws), strict=True):
        if eojeol is not None:
            until = max(until, mentions.get(place + eojeol.lead, 0))
        if eojeol is None:
            pass
        elif told and told[0] <= place + len(raw) and place < told[-1] and (form := _told_in(eojeol, place, told)):
            at = place + eojeol.lead
            last = at + eojeol.size
            reader.tell(eojeol, form, at, last)
        elif eojeol.note and _ENDED.match(text, place + eojeol.lead + eojeol.size):
            at = place + eojeol.lead
            last = at + eojeol.size
            if eojeol.note != "good" or reader.held is not None:
                reader.take(eojeol, Form(eojeol.note, "order", False, False, 0), at, last)
            reader.named = False
        elif eojeol.plain:
            last = last if reader.held is None else 0
            reader.pass_by(eojeol, place + eojeol.lead, place + eojeol.lead < until)
        else:
            at = place + eojeol.lead
            last = at + eojeol.size
            form = eojeol.form
            reader.comma = text.startswith(",", place + len(raw))
            named = form is not None and at in mentions and mentions[at] > at + form.at
            named |= form is not None and form.ending in _NOMINAL and until > at + form.at
            reader.take(eojeol, None if named else form, at, last)
            reader.named = at < until
            if reader.held is not None:
                reader.held.describes = place + len(raw) + 1 in mentions
        place += len(raw) + 1
    reader.close(last)
    reader.settle("state")
    if text.rstrip("*_) \n").endswith(_AMOUNT_ENDS) and (amount := _AMOUNT.search(text)):
        reader.found.append((cue(RECOMMEND, BEFORE, 0, ""), amount.start(), amount.end()))
    return reader.found


@lru_cache(maxsize=1)
def _arising() -> Form | None:
    return read_form("들면")


def _told_in(eojeol: Eojeol, place: int, told: tuple[int, ...]) -> Form | None:
    """The form of an eojeol at a place in which the stem of a phrase ends; None of a noun (무릎 쑤심이)."""
    at = place + eojeol.lead
    for end in told:
        if at < end <= at + eojeol.size:
            form = read_told(eojeol.word, end - at)
            return None if form is not None and form.ending in _NOMINAL else form
    return None


class _KoreanReader:
    """Reads a sentence eojeol by eojeol."""

    def __init__(self) -> None:
        self.found: list[Found] = []
        self.held: Predicate | None = None
        self.waiting: list[Predicate] = []
        self.last = NOTHING
        self.named = False
        """Whether the last eojeol is part of a mention."""
        self.still = self.steady = self.rashly = self.turned = False
        self.at_large = False
        """Whether the sentence is about people at large: 스타틴을 복용하는 사람 가운데."""
        self.of_many = False
        """Whether people whom a verb describes are what it is about: 와파린을 드시는 분들은."""
        self.comma = False
        """Whether a comma follows the eojeol."""
        self.tables = load_predicate_tables()

    def take(self, eojeol: Eojeol, form: Form | None, at: int, to: int) -> None:
        """Read an eojeol that is a verb or belongs to one."""
        if eojeol.word == "들면" and not self.last.word.startswith("예"):
            form = _arising()  # 생각이 들면, unlike 예를 들면
        elif eojeol.adverb:
            self._adverb(eojeol.adverb)
            return
        if eojeol.word.startswith(_BUT) and self._excepts(at):
            return
        if eojeol.word == "빼고" and self.last.word.endswith(("만", "날", "때")):
            return  # 먹는 날만 빼고: except
        if eojeol.word == "들면" and self.last.word in ("예를", "예로"):
            return
        if eojeol.word == "이상" and self.last.word[-1:] in _COUNTED:
            self.wait(eojeol.noun)  # 18세 이상: a bound, not "because"
        elif (eojeol.word in _FOR_IT and self._ails()) or (
            eojeol.head and (head := self._head_of(eojeol)) and self._head(head, eojeol.word, at, to)
        ):
            pass
        elif form is not None:
            self._verb(form, eojeol.word, at, to)
        else:
            self.wait(eojeol.noun)
            if eojeol.role:
                # 아세트아미노펜은 가능, 이부프로펜은 불가
                ended = eojeol.word in _ENDING and self.comma
                scope, cut = (BEFORE, "after") if ended else (BEFORE | AFTER, "")
                self.found.append((cue(eojeol.role, scope, 0, cut), at, to))
        self.last = eojeol

    def _excepts(self, at: int) -> bool:
        """Whether "말고" excepts what is done or its time: "드시는 것 말고는", "운동하실 때 말고"; and read that."""
        held = self.held
        if held is not None and held.ending == "thing":
            held.ending = "cause"
            self.close()
            return True
        if held is None and self.last.word in _DAYTIMES:
            return True  # 아침 말고 저녁에
        if held is not None or not self.found or self.found[-1][2] < at - 1:
            return False
        if not self.last.word.startswith(_TIMES):
            return False
        self.found.pop()  # no condition: a time
        return True

    def _ails(self) -> bool:
        """Whether what ails somebody is what the next word is for: "속이 쓰리신 데는"; and read that."""
        held = self.held
        if held is None or held.sort != "ail" or not held.honoured or held.ending not in ("present", "past"):
            return False
        held.ending = "cause"
        self.close()
        return True

    def pass_by(self, eojeol: Eojeol, at: int, named: bool) -> None:
        """Read an eojeol that says nothing of itself."""
        held = self.held
        if (eojeol.word.startswith(_BUT) and self._excepts(at)) or (eojeol.word in _FOR_IT and self._ails()):
            pass
        elif held is not None:
            if held.lead == "past" and named and self.last.word in _TOPICS:
                self.close()  # 생리양이 늘어난 것은 자궁근종 때문이 아닐까
            self.wait(eojeol.noun)
        self.last, self.named, self.turned = eojeol, named, False

    def tell(self, eojeol: Eojeol, form: Form, at: int, to: int) -> None:
        """Read an eojeol with the stem of a phrase, whatever else it might be: 오한이 들면, unlike 예를 들면."""
        self._verb(form, eojeol.word, at, to)
        self.last, self.named = eojeol, False

    def wait(self, noun: str) -> None:
        """Read another word after a predicate: its helper may still follow."""
        held = self.held
        if held is not None:
            held.gap += 1
            waits = held.ending in _HELD or held.ending in ADNOMINAL
            if held.gap > _REACH or not (waits or noun in self.tables.pairs):
                self.close()

    def close(self, last: int = -1) -> None:
        """End the current predicate; `last` is where the sentence ends."""
        held, self.held = self.held, None
        if held is None:
            return
        if last == held.end and (held.ending == "noun" or (held.ending == "thing" and held.lead == "future")):
            # as notes and lists have it: 제한할 것, 천천히 걷기, 사용하지 말 것
            held.mood, held.ending = composed(held.mood, "order"), "state"
        if held.lead == _COMING and held.ending not in ("if", "even"):
            held.ending = "future"  # 해 볼 일이 있습니다: nothing that was done
        if last == held.end and held.ending == "thing" and held.lead == "present" and held.mood == "state":
            held.ending = "noun"  # "- 소염제를 드시는 것": an item, which the line above the list judges
        if held.ending in _OPEN and held.mood in ("state", "not") and not held.past:
            self.waiting.append(held)
            return
        if self.waiting and held.ending == "cause" and last < 0 and self.waiting[-1].parted:
            self._tell(held)  # "안에서 드시고, 맥박이 좋으니 그대로 드세요": the last verb tells of both
            return
        if self.waiting and held.ending not in ADNOMINAL and held.ending != "whether":
            supposed = held.ending in ("if", "even")
            told = [each for each in self.waiting if supposed and each.honoured]
            self.waiting = [each for each in self.waiting if each not in told]
            self.settle("order" if held.sort == "advise" and held.mood == "state" else held.mood)
            self.waiting = told  # "드셔 보시고, 숨이 차면 오세요": told, and not part of what is supposed
        self._tell(held)

    def settle(self, mood: str) -> None:
        """Give the waiting predicates the mood of the one after them."""
        for held in self.waiting:
            if mood in TOLD and held.sort not in _OWN:
                held.mood = composed(held.mood, "order")
            self._tell(held)
        self.waiting.clear()

    def _adverb(self, name: str) -> None:
        if name == "against":
            self.turned = True
        elif name == "still":
            self.still = True
        elif name == "steady":
            self.steady = True
        elif name == "rashly":
            self.rashly = True

    def _head_of(self, eojeol: Eojeol) -> str:
        """What a noun does here: 분이 is somebody else in "와파린을 드시던 분이 …", unlike 분이라."""
        held = self.held
        done = held is not None and held.honoured and held.ending != "future"
        if eojeol.word.startswith("정도") and eojeol.head == "if" and (held is None or held.ending != "future"):
            return ""  # 하루 한 개 정도면, unlike 물도 못 드실 정도면
        if eojeol.word == "날만" or (done and eojeol.word in _WHY):
            return ""  # 먹는 날만 빼고, 드시는 까닭은
        if eojeol.head == "many" and eojeol.word.endswith(_AMONG):
            return "among"
        if eojeol.word.startswith("것만으로") and held is not None and held.honoured and held.ending == "past":
            return "cause"  # 끊으신 것만으로도: done
        return "many" if eojeol.word == "분이" and held is not None and held.ending == "was" else eojeol.head

    def _head(self, head: str, word: str, at: int, to: int) -> bool:
        """Read a noun that may continue the verb before it; return whether it does."""
        held = self.held
        if held is not None and held.gap and held.ending in ADNOMINAL and head not in _PEOPLE:
            self.close()  # 드시는 혈압약 때문에: the noun between belongs to the verb, what follows does not
            held = None
        if held is None or held.ending not in ADNOMINAL:
            return self._lone_head(head, word, at, to)
        if head == "doubt":
            return self._doubted(held, to)
        if head == "if" and held.sort == "need" and held.loose and held.ending == "future":
            self.held = None  # 필요할 때만 드세요: how it is taken, no condition
        elif head == "plan":
            if held.ending != "future":
                return False
            held.mood, held.ending, held.end = composed(held.mood, "order"), "state", to  # 추가할 계획입니다
            self.close()
        elif head == "often" or (head == "if" and self.at_large and held.ending == "present"):
            # 생기는 경우가 많으니: what follows is said again of the patient
            self.held = None
            self.found.append((cue(GENERAL | EFFECT, BEFORE, 0, "after"), held.start, to))
        elif head in _PEOPLE:
            self.held = None
            self.found.append((cue(GENERAL | EFFECT, BEFORE, 0, "after"), held.start, to))
            self.found.append((cue(GENERAL, AFTER, 0, ""), to, to))
            self.at_large = self.of_many = True
        elif head == "ever" and held.ending == "future":
            held.lead, held.ending, held.end, held.gap = _COMING, head, to, 0  # 처방받을 일이 생기면
        elif (head == "able") != (held.ending == "future") and head in _TENSED:
            return False
        else:
            ending = ending_with(head, held)
            held.past |= ending == "cause" and held.ending == "past" and held.honoured  # 끊으신 까닭에
            held.lead, held.ending, held.end, held.gap = held.ending, ending, to, 0
            held.honoured |= head == "ever"  # 진단받은 적이: what somebody has been through
            if ending in ("if", "cause", "aim"):
                self.close()
        return True

    def _doubted(self, held: Predicate, to: int) -> bool:
        """Read what may be so: 당뇨병이 있었을 가능성은. The noun still belongs to the verb behind it."""
        if held.ending == "future" and held.mood == "state":
            self.held = None
            self.found.append((cue(HEDGE, BEFORE, 0, ""), held.start, to))
        return False

    def _lone_head(self, head: str, word: str, at: int, to: int) -> bool:
        """The same after a noun: 흉통 시, 복용 중에는, 뇌졸중일 수, 관리하기 위해."""
        held = self.held
        if head == "able" and held is None and self.last.word and (ord(self.last.word[-1]) - _GA) % _FINALS == _RIEUL:
            sort = "be" if self.last.word.endswith("일") else ""  # 뇌졸중일 수, but 낮아질 수
            self.held = Predicate(Form(sort, head, False, False, 0), at, to)
        elif head in ("many", "among") and self.last.word and self.last.word not in _THIS:
            self.found.append((cue(GENERAL, AFTER, 0, ""), to, to))
            if head == "among":  # 통풍 환자에서 약을 끊으면: what is supposed is of them
                self.found.append((cue(GENERAL, BEFORE, NEAR, "after"), at, to))
                self.at_large = True
            return False
        elif head == "if" and (self.last.word.endswith(_OCCASIONS) or self._is_day(word)):
            return False  # 수술 때도: when it was, or will be; 행사 날 아침에는
        elif head == "if" and self.last.word and not self.last.word.endswith(_OF_THE_PATIENT):
            self.close()
            role = GENERAL if self.last.word.endswith(_OF_OTHERS) else CONDITION
            self.found.append((cue(role, BEFORE, 0, "after"), at, to))
        elif head == "while" and self.last.noun in self.tables.taking:
            self.found.append((cue(AFFIRM, BEFORE, 0, "after"), at, to))
        elif head in ("cause", "aim"):
            if held is not None and held.ending == "noun":
                held.ending, held.end = head, to
            elif head == "cause" and self.last.word.endswith(("신", "인")):  # 62세이신 만큼
                self.found.append((cue(STRONG, BEFORE, 1, "after"), at, to))
            self.close()
        else:
            return False
        return True

    def _is_day(self, word: str) -> bool:
        """Whether a noun makes a day of the one before it: 행사 날, unlike 아픈 날."""
        return word.startswith("날") and self.last.form is None

    def _verb(self, form: Form, word: str, at: int, to: int) -> None:
        """Read a verb: it helps the predicate before it, or begins another."""
        turned, self.turned = self.turned, False
        sort = kind_of(form, word, self.last, self.named, self.held)
        if self.held is not None and sort == "do" and not form.honoured and self.last.word.endswith("기도"):
            self._tell_sometimes(form, to)
            return
        mood: str | None
        if self._is_under_way(word):
            sort, mood = "have", "going"  # 쉬는 중이십니다
        else:
            mood = self._mood_with(sort) if sort != "have" or word.startswith(_BEING) else None
        if self.held is not None and self.held.sort == "avoid" and word.startswith(_GIVES) and form.ending in _STATED:
            self.held.sort = "prevent"  # 입안 헒을 줄여 줍니다: what it does
        if self.held is not None and mood is not None:
            if word.startswith("오신"):
                form = form._replace(honoured=True)  # 받아 오신 약
            take_up(self.held, form, NEGATED.get(mood, mood) if turned else mood, to)
            return
        self.close()
        self.held = self._begun(form, sort, turned, at, to)
        self.held.bidding = sort != "be" and form.ending == "quote" and word.endswith(_BIDDING)

    def _is_under_way(self, word: str) -> bool:
        """Whether a word says of the verb right before it that it is being done."""
        held = self.held
        return held is not None and not held.gap and held.ending == "present" and word.startswith("중이")

    def _tell_sometimes(self, form: Form, to: int) -> None:
        """Read what happens at times, and so to anybody: 두통으로 시작하기도 하는데."""
        held, self.held = self.held, None
        if held is not None:
            cut = "joining" if form.ending in ("and", "join") else "after"
            self.found.append((cue(GENERAL, BEFORE, 0, cut), held.start, to))

    def _mood_with(self, sort: str) -> str | None:
        """The mood that a verb gives the predicate before it; None if it does not help it."""
        held = self.held
        if held is not None and held.ending == "join" and held.sort in _RAISING and sort in ("take", "taken"):
            held.sort = sort
            return "on"  # 올려 드시고
        return self.tables.moods.get(self.held.ending, {}).get(sort) if self.held is not None and sort else None

    def _begun(self, form: Form, sort: str, turned: bool, at: int, to: int) -> Predicate:
        """A predicate that begins with a verb, with the adverbs before it."""
        held = Predicate(form, at, to)
        held.sort = sort
        held.honoured |= sort == "have" and self.last.noun in self.tables.taking  # 복용 중인, 치료 중이며: by somebody
        held.still = self.still or (self.steady and sort != "taken")
        held.rashly = self.rashly
        particle = self.last.word[-1:]
        held.attributive = particle in _OBJECTS
        held.dosed = self.last.noun[-1:] in _DOSED and self.last.noun.endswith(_DOSES)
        held.loose = particle not in _SUBJECTS
        held.parted = self.comma
        self.still = self.steady = self.rashly = False
        if turned and sort == "become":  # 안 됩니다
            held.sort = "bad"
        elif turned:
            held.mood = NEGATED.get(held.mood, held.mood)
        return held

    def _tell(self, held: Predicate) -> None:
        if held.sort == "degree" and held.describes and held.ending in ADNOMINAL:
            return  # 심한 두통: nothing that is said of it
        if held.sort == "ail" and held.ending in ADNOMINAL:
            return  # 조이는 느낌이 들면: what is said follows
        if held.sort == "value" and held.attributive and held.ending == "past" and not held.past:
            return  # 낮은 용량
        if held.dosed and held.mood in _UNCHANGED:
            held.sort = "miss"  # 용량을 올리지 않습니다: the drug is kept
        if self.of_many and held.ending == "if" and not held.honoured:
            self.found.append((cue(GENERAL, BEFORE, 0, "after"), held.start, held.end))
            return  # 와파린을 드시는 분들은 메트로니다졸이 더해지면: what is supposed of people at large
        before, behind = meaning(held.sort, held.mood, held.ending, held.past, held.honoured, held.still, held.rashly)
        if before is not None:
            self.found.append((before, held.start, held.end))
        if behind is not None:
            self.found.append((behind, held.end, held.end))
