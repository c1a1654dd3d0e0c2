"""What a Korean predicate says of what precedes it, and of the noun it describes: by its kind, mood and ending."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from jatdae.dialogue.reading.cues import (
    AFFIRM,
    AFTER,
    BEFORE,
    CONDITION,
    GENERAL,
    HEDGE,
    KEEP,
    NEGATE,
    PERSONAL,
    STRONG,
    Act,
    Cue,
)
from jatdae.dialogue.reading.korean_eojeols import load_predicate_tables

ADNOMINAL: Final = frozenset(("present", "past", "future", "was"))
"""Endings with which a verb describes the noun after it."""
NEAR: Final = 4
"""How far after a predicate the noun it describes may stand, in characters: 드시는 혈압약은."""
_BAD: Final = 12
"""How far what is bad for somebody reaches: 콩팥에 부담을 주는 약으로는 예를 들어 …"""
_CUT: Final = dict.fromkeys(
    (
        "then",
        "or",
        "but",
        "proviso",
        "cause",
        "so",
        "aim",
        "lest",
        "if",
        "even",
        "must",
        "meanwhile",
        "state",
        "gist",
        "too",
        "whether",
        "note",
        "order",
    ),
    "after",
) | {"and": "joining", "join": "joining"}
"""How the clause continues after an ending."""
_WEAK: Final = frozenset(("", "come", "do", "become", "happen", "cause", "prevent", "plenty"))
"""Kinds of verbs that say nothing by themselves; in the past or honorific they are about the patient."""
_BEFALLING: Final = frozenset(
    ("have", "ail", "get", "take", "change", "begin", "value", "lack", "not", "look", "measure", "deny", "degree")
)
"""Kinds of verbs that in the past, or as a reason for what follows, are about the patient: 진단되었습니다, 통풍이
있으니. Otherwise an honorific tells that, or the style of a note: 관찰됨."""
_DONE: Final = frozenset(
    ("take", "change", "begin", "raise", "do", "avoid", "stop", "get", "measure", "keep", "consider", "tell")
)
"""Kinds of verbs that ask for something where an honorific -고요 ends them: "2년마다 받으시고요"."""
_LIVED: Final = frozenset(("have", "ail", "get"))
"""Kinds of verbs that tell in the past what somebody has been through, even where something does not follow."""
_PRAISING: Final = frozenset(("avoid", "advise", "good", "bad"))


class Predicate(NamedTuple):
    """A Korean predicate with all that its meaning depends on."""

    sort: str
    mood: str
    ending: str
    past: bool
    honoured: bool
    still: bool
    rashly: bool


@lru_cache(maxsize=4096)
def meaning(
    sort: str, mood: str, ending: str, past: bool, honoured: bool, still: bool, rashly: bool
) -> tuple[Cue | None, Cue | None]:
    """Cues of a Korean predicate in an answer: one for what precedes it, one for the noun it describes."""
    said = Predicate(sort, mood, ending, past, honoured, still, rashly)
    role = _role(said)
    if (ending, mood) == ("so", "not"):
        role &= ~NEGATE  # 혈전이 생기지 않도록: what is aimed at
    personal = role in (AFFIRM, NEGATE) and (
        (honoured and (sort != "come" or past))
        or ending == "note"
        or (sort in _BEFALLING and (past or ending == "cause"))
        or (sort == "not" and ending in ("and", "state") and mood == "state")  # 갑상선암은 아니고 갑상선염입니다
    )
    if ending not in ADNOMINAL:
        cut = _CUT.get(ending, "") if said.sort != "amount" else ""  # "하루 한 개 정도라면": no condition of its own
        if ending == "meanwhile" and not honoured and sort in ("value", "happen", "have", "ail"):
            cut = "joining"  # 혈압이 180을 넘으면서 가슴이 아프면, but not 드시면서
        # "천식입니다", "천식 환자이므로", and not all that precedes
        near = NEAR if said.sort == "be" and role == AFFIRM and not (said.honoured or said.past) else 0
        if sort == "not" and role == NEGATE:
            near = NEAR * 2  # "불편감은 협심증이 아니라 …" denies the last only
        if sort == "be" and mood == "can":  # 뇌졸중일 수, 당뇨 초기일 수, but not 고혈압의 증상일 수
            near = NEAR + 2
        if sort == "lack" and role in (NEGATE, AFFIRM) and not personal:
            return _LACKING[role, cut], None
        return (cue(role, BEFORE, near, cut, personal) if role or cut else None), None
    if role in (AFFIRM, NEGATE, GENERAL):
        described = cue(STRONG, AFTER, NEAR, "") if role == AFFIRM and personal and ending != "future" else None
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
    (role, cut): Cue((Act(role, BEFORE, 0), Act(PERSONAL, BEFORE, NEAR)), cut, False, False, False, "")
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


def _is_going_on(sort: str, mood: str) -> bool:
    """Whether what is done still or steadily is to go on."""
    if sort == "move":
        return mood not in ("not", "forbid", "cannot")
    return mood in ("order", "allow") and sort in ("take", "change", "taken", "begin", "do", "have")


def _role(said: Predicate) -> int:
    sort, ending = said.sort, said.ending
    if ending in ("noun", "way") or (sort in ("aux", "consider") and ending == "if" and said.mood == "state"):
        return 0  # 말씀하신 증상을 보면, eGFR을 고려하면
    if ending == "even" and said.past and said.honoured and sort in _LIVED:
        return AFFIRM  # 작년에 뇌경색을 겪으셨어도
    if ending in ("if", "even") and sort != "amount":
        return CONDITION
    if (said.mood == "guess" and sort != "need") or said.mood == "asked" or ending == "whether":
        return HEDGE
    if ending == "aim" and said.mood == "state":
        return 0  # 대장암을 확인하기 위해
    mood = "order" if _is_order(said) else said.mood
    if mood == "state":
        if sort in _WEAK and (said.past or said.honoured):
            return AFFIRM
        if sort == "stop" and not (said.past or ending in ("past", "was") or (said.honoured and ending == "present")):
            return 0  # 와파린을 쉬는 시기
        if sort == "avoid" and said.past and not said.honoured:
            return 0  # 연구에서 위험을 줄였습니다
    if said.rashly and mood == "forbid" and sort not in ("take", "change", "begin", "do"):
        return KEEP  # 임의로 줄이지 마세요
    if said.still and _is_going_on(sort, mood):
        return KEEP  # 꾸준히 드세요, 메트포르민은 계속 가고요
    if sort == "consider" and said.past:
        return AFFIRM  # 드시고 계신 점도 고려했습니다
    roles = load_predicate_tables().roles.get(sort, {})
    return roles.get(mood, roles.get("state", 0) if mood == "told" else 0)
