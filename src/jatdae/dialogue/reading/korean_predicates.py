"""Finds the predicates of a Korean sentence: its eojeols, how verbs and auxiliaries combine, what they say.

드시 (take) + 지 + 않 (not) + 는 것이 + 좋습니다 (a judgement) is one predicate of the mood "forbid". The kind of verb
and the mood tell what is meant; the last ending tells how the clause continues.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

from jatdae.dialogue.reading.cues import (
    AFFIRM,
    AFTER,
    BEFORE,
    BITS,
    CONDITION,
    EFFECT,
    GENERAL,
    HEDGE,
    KEEP,
    NEGATE,
    PERSONAL,
    STRONG,
    Act,
    Cue,
    Found,
)
from jatdae.dialogue.reading.korean_verbs import Form, load_korean_yaml, read_form
from jatdae.dialogue.reading.words import WORDS, BoundedCache, expand

_GAP: Final = re.compile(r"[\s,]")
_OPEN: Final = frozenset(("and", "join", "then"))
"""Endings after which a predicate takes the mood of the next one: 멈추고 … 연락하세요."""
_OWN: Final = frozenset(("have", "value", "lack", "not", "be", "happen"))
"""Kinds of verbs that keep their own mood there."""
_HELD: Final = frozenset(("thing", "able", "needful", "ever", "not"))
"""Endings that wait for a helping verb."""
_REACH: Final = 2
"""How many words may stand between a verb and its helper: 드시는 것이 건강에 좋습니다."""
_OF_OTHERS: Final = ("환자의", "환자들의", "사람의", "사람들의", "분들의")
_AMONG: Final = ("에서", "에서는")
"""Particles behind people among whom something happens."""
_PEOPLE: Final = frozenset(("many", "some", "among"))
"""Nouns for people whom the verb before describes."""
_THIS: Final = ("이", "본", "해당", "상기", "위", "우리")
"""Words before 환자 that point to this patient: 이 환자는."""
_GA, _FINALS, _RIEUL = 0xAC00, 28, 8
"""The first syllable in Unicode, the number of finals per vowel, and the index of the final ㄹ: 낮아질 수."""
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
    ("not", "going"): "not",
    ("order", "can"): "guess",
    ("guess", "not"): "guess",
}
"""The mood that two moods together give: 드시지 않아도 됩니다 (`not`, `allow`) is `free`."""
_NEGATED: Final[Mapping[str, str]] = {
    "state": "not", "going": "not", "on": "not",
    "order": "forbid", "fine": "forbid", "allow": "forbid", "can": "cannot",
}  # fmt: skip
ADNOMINAL: Final = frozenset(("present", "past", "future", "was"))
"""Endings with which a verb describes the noun after it."""
TOLD: Final = frozenset(("order", "fine", "forbid", "allow", "free"))
"""Moods of advice."""
_NEAR: Final = 4
"""How far after a predicate the noun it describes may stand, in characters: 드시는 혈압약은."""
_BAD: Final = 12
"""How far what is bad for somebody reaches: 콩팥에 부담을 주는 약으로는 예를 들어 …"""
_CUT: Final = dict.fromkeys(
    (
        "then",
        "or",
        "but",
        "cause",
        "meanwhile",
        "so",
        "aim",
        "lest",
        "if",
        "even",
        "must",
        "state",
        "gist",
        "too",
        "note",
        "order",
    ),
    "after",
) | {"and": "joining", "join": "joining"}
"""How the clause continues after an ending."""
_WEAK: Final = frozenset(("", "come", "do", "become", "happen", "cause", "prevent", "plenty"))
"""Kinds of verbs that say nothing by themselves; in the past or honorific they are about the patient."""
_BEFALLING: Final = frozenset(
    ("have", "get", "take", "begin", "value", "lack", "not", "look", "measure", "deny", "degree")
)
"""Kinds of verbs that in the past, or as a reason for what follows, are about the patient: 진단되었습니다, 통풍이
있으니. Otherwise an honorific tells that, or the style of a note: 관찰됨."""
_DONE: Final = frozenset(
    ("take", "begin", "raise", "do", "avoid", "stop", "get", "measure", "keep", "consider", "tell")
)
"""Kinds of verbs that ask for something where an honorific -고요 ends them: "2년마다 받으시고요"."""
_PRAISING: Final = frozenset(("avoid", "advise", "good", "bad"))
_COUNTED: Final = frozenset("세살%회명개월년주일시간분도배gLl0123456789")
"""Last letters of what may have a bound: 18세 이상."""
_AROUND: Final = "([{\"'*-–—_#<>→•·"
_BEHIND: Final = ")]}\"'*:;.!?…~_<>。"
_ENDED: Final = re.compile(r"[\s*_)]*(?:[.,;|/\n]|\Z)")
"""What follows the last word of a note."""
_COME: Final = ("왔", "와", "온", "올", "오")
_AMOUNTS: Final = ("량", "양", "섭취", "횟수", "음식", "간식", "식사")
"""Last letters of what is eaten less of, not of what a medicine lessens."""
_PARTICLES: Final = "이가을를은는도의만"


def find_predicates(text: str, mentions: dict[int, int]) -> list[Found]:
    """Find the predicates of a Korean sentence of an answer as cues, in the order they end.

    A mention (라면은) is never read as a verb.
    """
    reader, place, last, until = _KoreanReader(), 0, 0, 0
    raws = text.replace(",", " ").split(" ") if text.isprintable() else _GAP.split(text)
    for raw, eojeol in zip(raws, map(look_up, raws), strict=True):
        if eojeol is not None:
            until = max(until, mentions.get(place + eojeol.lead, 0))
        if eojeol is None:
            pass
        elif eojeol.note and _ENDED.match(text, place + eojeol.lead + eojeol.size):
            at = place + eojeol.lead
            last = at + eojeol.size
            if eojeol.note != "good" or reader.held is not None:
                reader.take(eojeol, Form(eojeol.note, "order", False, False, 0), at, last)
            reader.named = False
        elif eojeol.plain:
            if reader.held is not None:
                reader.wait(eojeol.noun)
                last = 0
            reader.last, reader.named, reader.turned = eojeol, place + eojeol.lead < until, False
        else:
            at = place + eojeol.lead
            last = at + eojeol.size
            form = eojeol.form
            named = form is not None and at in mentions and mentions[at] > at + form.at
            reader.take(eojeol, None if named else form, at, last)
            reader.named = at < until
        place += len(raw) + 1
    reader.close(last)
    reader.settle("state")
    return reader.found


class _Held:
    """A predicate that is being read."""

    def __init__(self, form: Form, start: int, end: int) -> None:
        self.lead = ""
        """The ending it had before a noun followed."""
        self.gap = 0
        self.still = False
        self.rashly = False
        self.loose = False
        """Whether no subject stands before it: 필요할 때, but not 수술이 필요할 때."""
        self.sort, self.ending, self.past, self.honoured, at = form
        self.start, self.end = start + at, end
        self.mood = "order" if self.ending == "order" else "state"


class _KoreanReader:
    """Reads a sentence eojeol by eojeol."""

    def __init__(self) -> None:
        self.found: list[Found] = []
        self.held: _Held | None = None
        self.waiting: list[_Held] = []
        self.last = _NOTHING
        self.named = False
        """Whether the last eojeol is part of a mention."""
        self.still = self.rashly = self.turned = False
        self.at_large = False
        """Whether the sentence is about people at large: 스타틴을 복용하는 사람 가운데."""
        self.tables = load_predicate_tables()

    def take(self, eojeol: Eojeol, form: Form | None, at: int, to: int) -> None:
        """Read an eojeol that is a verb or belongs to one."""
        if eojeol.adverb:
            self._adverb(eojeol.adverb)
            return
        if eojeol.word == "이상" and self.last.word[-1:] in _COUNTED:
            self.wait(eojeol.noun)  # 18세 이상: a bound, not "because"
        elif eojeol.head and self._head(self._head_of(eojeol), at, to):
            pass
        elif form is not None:
            self._verb(form, eojeol.word, at, to)
        else:
            self.wait(eojeol.noun)
            if eojeol.role:
                self.found.append((cue(eojeol.role, BEFORE | AFTER, 0, ""), at, to))
        self.last = eojeol

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
            held.mood, held.ending = _composed(held.mood, "order"), "state"
        if held.ending in _OPEN and held.mood in ("state", "not") and not held.past:
            self.waiting.append(held)
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

    def _head_of(self, eojeol: Eojeol) -> str:
        """What a noun does here: 분이 is somebody else in "와파린을 드시던 분이 …", unlike 분이라."""
        held = self.held
        if eojeol.head == "many" and eojeol.word.endswith(_AMONG):
            return "among"
        return "many" if eojeol.word == "분이" and held is not None and held.ending == "was" else eojeol.head

    def _head(self, head: str, at: int, to: int) -> bool:
        """Read a noun that may continue the verb before it; return whether it does."""
        held = self.held
        if held is not None and held.gap and held.ending in ADNOMINAL and head not in _PEOPLE:
            self.close()  # 드시는 혈압약 때문에: the noun between belongs to the verb, what follows does not
            held = None
        if held is None or held.ending not in ADNOMINAL:
            return self._lone_head(head, held, at, to)
        if head == "if" and held.sort == "need" and held.loose and held.ending == "future":
            self.held = None  # 필요할 때만 드세요: how it is taken, no condition
        elif head == "plan":
            if held.ending != "future":
                return False
            held.mood, held.ending, held.end = _composed(held.mood, "order"), "state", to  # 추가할 계획입니다
            self.close()
        elif head == "often" or (head == "if" and self.at_large and held.ending == "present"):
            # 생기는 경우가 많으니: what follows is said again of the patient
            self.held = None
            self.found.append((cue(GENERAL | EFFECT, BEFORE, 0, "after"), held.start, to))
        elif head in _PEOPLE:
            self.held = None
            self.found.append((cue(GENERAL | EFFECT, BEFORE, 0, "after"), held.start, to))
            self.found.append((cue(GENERAL, AFTER, 0, ""), to, to))
            self.at_large = True
        elif head == "able" and held.ending != "future":
            return False
        else:
            ending = "cause" if head in ("one", "while") else head
            if ending == "cause" and held.ending == "future":
                ending = "so"  # 경험할 만큼 흔합니다: how much, not why
            held.lead, held.ending, held.end, held.gap = held.ending, ending, to, 0
            held.honoured |= head == "ever"  # 진단받은 적이: what somebody has been through
            if ending in ("if", "cause", "aim"):
                self.close()
        return True

    def _lone_head(self, head: str, held: _Held | None, at: int, to: int) -> bool:
        """The same after a noun: 흉통 시, 복용 중에는, 뇌졸중일 수, 관리하기 위해."""
        if head == "able" and held is None and self.last.word and (ord(self.last.word[-1]) - _GA) % _FINALS == _RIEUL:
            sort = "be" if self.last.word.endswith("일") else ""  # 뇌졸중일 수, but 낮아질 수
            self.held = _Held(Form(sort, head, False, False, 0), at, to)
        elif head in ("many", "among") and self.last.word and self.last.word not in _THIS:
            self.found.append((cue(GENERAL, AFTER, 0, ""), to, to))
            if head == "among":  # 통풍 환자에서 약을 끊으면: what is supposed is of them
                self.found.append((cue(GENERAL, BEFORE, _NEAR, "after"), at, to))
                self.at_large = True
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
            elif head == "cause" and self.last.word.endswith(("신", "인")):  # 62세이신 만큼
                self.found.append((cue(STRONG, BEFORE, 1, "after"), at, to))
            self.close()
        else:
            return False
        return True

    def _verb(self, form: Form, word: str, at: int, to: int) -> None:
        """Read a verb: it helps the predicate before it, or begins another."""
        turned, self.turned = self.turned, False
        sort = self._sort_of(form, word)
        mood = self._mood_with(sort)
        if self.held is not None and mood is not None:
            _take_up(self.held, form, _NEGATED.get(mood, mood) if turned else mood, to)
            return
        self.close()
        self.held = self._begun(form, sort, turned, at, to)

    def _sort_of(self, form: Form, word: str) -> str:
        """The kind of a verb here: nouns before it (도움이 되다) and what it helps (-지 마시고) may change it."""
        copula = form.sort == "be" or (not form.sort and form.ending == "if")  # 정도이면, 정도라면
        paired = _pairs_of(word[: form.at]) if copula else self.last.pairs
        sort = paired.get("be" if copula else form.sort, form.sort) if paired else form.sort
        if sort == "lack" and not self.named and self.held is None and self._has_subject(form):
            return "say"  # 엘리퀴스는 음식 제한이 없습니다: the restriction is lacking
        if word.startswith("계세"):
            return "have"  # 드시고 계세요, of 계시다
        if sort == "look" and self.last.word.endswith("로"):
            return "fear"  # 편두통으로 보입니다
        if sort == "move" and word.startswith(_COME) and self.named and self.last.word.endswith(("이", "가")):
            return "happen"  # 저혈당이 왔어요
        if sort == "seem" and self.held is None and self.last.word.endswith(("와", "과")):
            return "say"  # 다음과 같습니다
        if sort == "good" and form.ending == "then" and not self.named and self.last.word.endswith(("이", "가")):
            return "say"  # 속이 안 좋아서
        if sort == "avoid" and self._is_effect(form, word):
            return "say"
        if sort and self.held is not None and self.held.ending == "not" and word.startswith("마시"):
            return "forbid"  # 조절하지 마시고: told not to, and nothing is drunk
        return sort

    def _is_effect(self, form: Form, word: str) -> bool:
        """Whether something is said to lessen what stands right before it: "기도 염증을 줄이고 넓혀 줌"."""
        described = (
            word.startswith("줄") and not self.named and not form.honoured and form.ending in ("and", "note", "join")
        )
        return described and self.last.word.endswith(("을", "를")) and not self.last.noun.endswith(_AMOUNTS)

    def _has_subject(self, form: Form) -> bool:
        """Whether the last word is a subject that says nothing of a mention before it."""
        word, noun = self.last.word, self.last.noun
        subject = word.endswith(("이", "가")) or (word == noun and form.ending == "note")  # 상호작용 없음
        return subject and len(noun) > 1 and not noun.endswith(self.tables.bearing)

    def _mood_with(self, sort: str) -> str | None:
        """The mood that a verb gives the predicate before it; None if it does not help it."""
        return self.tables.moods.get(self.held.ending, {}).get(sort) if self.held is not None and sort else None

    def _begun(self, form: Form, sort: str, turned: bool, at: int, to: int) -> _Held:
        """A predicate that begins with a verb, with the adverbs before it."""
        held = _Held(form, at, to)
        held.sort = sort
        held.honoured |= sort == "have" and self.last.noun in self.tables.taking  # 복용 중인, 치료 중이며: by somebody
        held.still, held.rashly = self.still, self.rashly
        held.loose = not self.last.word.endswith(("이", "가"))
        self.still = self.rashly = False
        if turned and sort == "become":  # 안 됩니다
            held.sort = "bad"
        elif turned:
            held.mood = _NEGATED.get(held.mood, held.mood)
        return held

    def _tell(self, held: _Held) -> None:
        before, behind = meaning(held.sort, held.mood, held.ending, held.past, held.honoured, held.still, held.rashly)
        if before is not None:
            self.found.append((before, held.start, held.end))
        if behind is not None:
            self.found.append((behind, held.end, held.end))


def _take_up(held: _Held, form: Form, mood: str, to: int) -> None:
    """Add a helping verb to the predicate before it."""
    mood = held.mood if mood == "on" else _composed(held.mood, mood)
    told = form.ending == "order" and mood not in ("going", "can")  # 드시고 계세요 states, 있겠습니다 supposes
    held.mood = _composed(mood, "order") if told else mood
    if held.ending == "way" and form.sort == "become":
        held.sort = "come"  # 복용하게 되니: it comes to that, and is not said of the patient
    held.ending, held.end, held.gap = form.ending, to, 0
    held.past |= form.past
    held.honoured |= form.honoured or form.ending == "order"


def _composed(first: str, second: str) -> str:
    """The mood that two moods together give; what is forbidden stays forbidden in a request."""
    turned = _TURNED.get((first, second))
    if turned is None:
        return first if second in ("order", "fine", "guess") and first in TOLD else second
    return turned


@dataclass(frozen=True, eq=False)
class Eojeol:
    """An eojeol, the text between two spaces of a Korean sentence, with what it can be."""

    word: str
    lead: int
    """How many marks stand before the word."""
    noun: str
    """The word without its particles."""
    adverb: str = ""
    """`skip`, `against`, `still` or `rashly` if it is such an adverb, else empty."""
    head: str = ""
    """How it continues a verb before it, if it is such a noun."""
    form: Form | None = None
    role: int = 0
    """Its role as a noun or as a heading (피하기:)."""
    pairs: Mapping[str, str] | None = None
    """The kinds of verbs it forms with the verb after it."""
    plain: bool = False
    """Whether it is none of these."""
    size: int = 0
    """How long the word is."""
    note: str = ""
    """The kind of verb that it stands for at the end of a note: 복용 지속."""


_NOTHING: Final = Eojeol("", 0, "")


class Predicate(NamedTuple):
    """A Korean predicate with all that its meaning depends on."""

    sort: str
    mood: str
    ending: str
    past: bool
    honoured: bool
    still: bool
    rashly: bool


class PredicateTables(NamedTuple):
    """Tables on Korean predicates: moods, roles, noun and verb pairs, adverbs."""

    moods: Mapping[str, Mapping[str, str]]
    roles: Mapping[str, Mapping[str, int]]
    pairs: Mapping[str, Mapping[str, str]]
    taking: frozenset[str]
    bearing: tuple[str, ...]
    adverbs: Mapping[str, str]
    heads: Mapping[str, str]
    nouns: Mapping[str, int]
    notes: Mapping[str, str]


@lru_cache(maxsize=1)
def load_predicate_tables() -> PredicateTables:
    """Load the bundled tables on Korean predicates in answers."""
    content: dict[str, Any] = load_korean_yaml()
    return PredicateTables(
        content["moods"],
        {
            sort: {m: sum(BITS[r] for r in roles.split()) for m, roles in row.items()}
            for sort, row in content["roles"].items()
        },
        content["pairs"],
        frozenset(content["taking"]),
        tuple(content["bearing"]),
        {word: name for name, words in content["adverbs"].items() for word in words},
        {form: head for head, given in content["heads"].items() for word in given for form in expand(word)},
        {form: BITS[role] for role, given in content["nouns"].items() for word in given for form in expand(word)},
        {word: sort for sort, words in content["notes"].items() for word in words},
    )


def _eojeol(raw: str) -> Eojeol | None:
    word = raw.strip(_AROUND).rstrip(_BEHIND)
    if not word:
        return None
    known = load_predicate_tables()
    adverb, head = known.adverbs.get(word, ""), known.heads.get(word, "")
    form = read_form(word) if not adverb and "가" <= word[-1] <= "힣" else None
    role = known.nouns.get(word, 0)
    if form is not None and form.ending == "noun" and raw.rstrip("*_").endswith(":"):
        role, form = known.roles.get(form.sort, {}).get("order", 0), None
    noun = word.rstrip(_PARTICLES) or word
    plain = not (adverb or head or form or role)
    return Eojeol(
        word,
        raw.index(word),
        noun,
        adverb,
        head,
        form,
        role,
        _pairs_of(noun),
        plain,
        len(word),
        known.notes.get(word, ""),
    )


look_up: Final = BoundedCache(_eojeol, WORDS).__getitem__
"""What an eojeol is; None if it consists of marks only."""


def _pairs_of(noun: str) -> Mapping[str, str] | None:
    """Kinds of verbs that a Korean noun, or the last part of a compound, forms with the verb after it."""
    pairs = load_predicate_tables().pairs
    return pairs.get(noun) or pairs.get(noun[-2:]) or pairs.get(noun[-1:])


@lru_cache(maxsize=4096)
def meaning(
    sort: str, mood: str, ending: str, past: bool, honoured: bool, still: bool, rashly: bool
) -> tuple[Cue | None, Cue | None]:
    """Cues of a Korean predicate in an answer: one for what precedes it, one for the noun it describes."""
    said = Predicate(sort, mood, ending, past, honoured, still, rashly)
    role = _role(said)
    personal = role in (AFFIRM, NEGATE) and (
        (honoured and (sort != "come" or past))
        or ending == "note"
        or (sort in _BEFALLING and (past or ending == "cause"))
        or (sort == "not" and ending == "and")  # 갑상선암은 아니고 갑상선염입니다
    )
    if ending not in ADNOMINAL:
        cut = _CUT.get(ending, "") if said.sort != "amount" else ""  # "하루 한 개 정도라면": no condition of its own
        # "천식입니다", "천식 환자이므로", and not all that precedes
        near = _NEAR if said.sort == "be" and role == AFFIRM and not (said.honoured or said.past) else 0
        if sort == "not" and role == NEGATE:
            near = _NEAR * 2  # "불편감은 협심증이 아니라 …" denies the last only
        if sort == "be" and mood == "can":  # 뇌졸중일 수, 당뇨 초기일 수, but not 고혈압의 증상일 수
            near = _NEAR + 2
        if sort == "lack" and role in (NEGATE, AFFIRM) and not personal:
            return _LACKING[role, cut], None
        return (cue(role, BEFORE, near, cut, personal) if role or cut else None), None
    if role in (AFFIRM, NEGATE, GENERAL):
        described = cue(STRONG, AFTER, _NEAR, "") if role == AFFIRM and personal and ending != "future" else None
        return cue(role, BEFORE, 0, "after", personal), described
    if role and (said.mood != "state" or said.sort in _PRAISING):
        effect = said.mood == "state" and said.sort == "avoid"  # 포도당 생성을 줄이는 약: what it does, no advice
        return (None if effect else cue(role, BEFORE | AFTER, _BAD if said.sort == "bad" else 0, "")), None
    return None, None


@lru_cache(maxsize=256)
def cue(role: int, scope: int, near: int, cut: str, personal: bool = False) -> Cue:
    """Make a cue for a Korean predicate in an answer; a `personal` one is about the patient and nobody else."""
    acts = (Act(role, scope, near),) if role else ()
    return Cue((*acts, Act(PERSONAL, scope, near)) if role and personal else acts, cut, False, False, False, "")


_LACKING: Final = {
    (role, cut): Cue((Act(role, BEFORE, 0), Act(PERSONAL, BEFORE, _NEAR)), cut, False, False, False, "")
    for role in (NEGATE, AFFIRM)
    for cut in ("", *_CUT.values())
}
"""Of what is right before it, 없습니다 is about the patient: 당뇨는 없습니다, but not 고혈압은 완치가 없습니다."""


def _is_order(said: Predicate) -> bool:
    """Whether a predicate asks for what it names, or plans it: 드셔야, "2년마다 받으시고요", 다시 확인해요."""
    if said.mood != "state":
        return said.mood in ("fine", "guess")
    asked = said.ending == "too" and said.honoured and said.sort in _DONE
    planned = said.ending == "gist" and not said.honoured and said.sort == "measure"
    return said.ending == "must" or ((asked or planned) and not said.past)


def _role(said: Predicate) -> int:
    sort, ending = said.sort, said.ending
    if ending in ("noun", "way") or (sort == "aux" and ending == "if"):
        return 0  # 말씀하신 증상을 보면
    if ending in ("if", "even") and sort != "amount":
        return CONDITION
    if (said.mood == "guess" and sort != "need") or ending == "whether":
        return HEDGE
    if ending == "aim" and said.mood == "state":
        return 0  # 대장암을 확인하기 위해
    mood = "order" if _is_order(said) else said.mood
    if mood == "state":
        if sort in _WEAK and (said.past or said.honoured):
            return AFFIRM
        if sort == "stop" and not said.past and ending not in ADNOMINAL:
            return 0
        if sort == "avoid" and said.past and not said.honoured:
            return 0  # 연구에서 위험을 줄였습니다
    if said.rashly and mood == "forbid" and sort not in ("take", "begin", "do"):
        return KEEP  # 임의로 줄이지 마세요
    if said.still and mood in ("order", "allow") and sort in ("take", "begin", "do", "have"):
        return KEEP  # 꾸준히 드세요
    if sort == "consider" and said.past:
        return AFFIRM  # 드시고 계신 점도 고려했습니다
    roles = load_predicate_tables().roles.get(sort, {})
    return roles.get(mood, roles.get("state", 0) if mood == "told" else 0)
