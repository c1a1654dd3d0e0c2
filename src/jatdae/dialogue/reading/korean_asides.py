"""What behind a Korean name makes it a cause, an owner, a subject or an event, and nothing else."""

from __future__ import annotations

import re
from typing import Final

from jatdae.dialogue.reading.cues import AFFIRM, AGAINST, ALLOW, CONDITION, KEEP, NEGATE, PERSONAL, RECOMMEND
from jatdae.dialogue.reading.neighbours import ADVICE
from jatdae.dialogue.reading.statuses import KINDS
from jatdae.dialogue.reading.words import any_in

_CAUSE: Final = re.compile("(?:(?: ?(?:주사|복용|약|치료|흡입기))? (?:때문|탓|덕분?에)|(?:으?로) 인(?:해|한))")
_OWNS: Final = re.compile("의 (?!복용|섭취|사용|투여|투약|음용)")
"""What follows is of something that belongs to it: 심바스타틴의 혈중 농도."""
_OF_EFFECT: Final = re.compile(
    "(?:의)? ?(?:(?:혈중|피 속|체내) ?)?(?:농도|효과|약효|작용|대사|분해|흡수|배설|효능)[를을이가]"
    "|[와과]는? (?:(?:서로|함께|같이|잘) )*(?:맞지|안 맞|부딪|겹치|겹칠|겹쳐|충돌|상호 ?작용)"
)
"""The same of what something else does to a drug: "플라빅스 효과를 줄이므로", "심바스타틴과 맞지 않으니"."""
_ENDS: Final = ("이제", "이상", "더는")
"""Words that end what was needed."""
_NEAR: Final = 16
"""How far behind a name it may stand that it is not needed, in characters."""
_UNNEEDED: Final = re.compile(
    r"[은는이가도]?(?: (?:이제|더 ?이상|더는|전혀|별로|따로|굳이|아직|지금은?|당장은?|특별히|꼭|환자분께|현재))* "
    r"필요(?:가|는|도|성이)? ?(?:없|하지 ?(?:는 )?않|치 ?않|하진 않)"
)
"""What behind a name tells that it is not needed: "아스피린은 필요 없습니다"."""
_AT_TIME: Final = re.compile(
    r"(?:[을를]? (?:한 알 )?(?:드신|드시고 난|드시기|드시고 나서|복용하신|복용한|복용하고 난|복용하기|복용|투여|맞으신"
    r"|맞기"
    r"|쓰신|먹은|먹고 난|먹기|받으신|받기|하신|하고 난|하기))?"
    r" ?(?:전|후|뒤|직전|직후|다음)(?:에|에는|엔|에도|까지|까지는|부터|부터는|,)?(?= )"
)
"""What behind a name makes it a time at which something else is advised: "로라제팜을 드신 뒤에는 운전하지 마세요"."""
_PREFERRED: Final = re.compile(
    r"보다는? (?:[가-힣a-z]+ ?){1,4}?(?:을|를) [^.!?\n]{0,16}?(?:드|쓰|복용|권|추천|고르|선택|사용)"
)
"""What behind a name prefers another to it: "이부프로펜보다 타이레놀을 드세요"."""
_COMPARED: Final = re.compile("보다도? ")
_SPOKEN_OF: Final = re.compile("에 (?:대한|관한) |에[는도만]? (?:[가-힣]+ )?[가-힣]+[이가] ")
"""What is spoken of is something else: 아스피린에 대한 안내, 세팔렉신에는 교차 반응이 있어."""

_ONCE: Final = re.compile(
    r" (?:한|두) ?(?:번|차례)(?:이라도|[이만에]|(?:만)?으로)[도는만]? [^.!?\n]{0,40}?[가-힣] 수[도는가]? ?있"
)
"""What makes a condition an event that may come: "골절 한 번이 생활을 바꿀 수 있습니다"."""
BESIDE: Final = re.compile(
    "에서| (?:이?외에|말고|때문에)| (?:후|뒤|이후)(?:에는|에도|에|로는|로)? |[을를]? 제외|으?로 인해"
)
"""Endings that make a mention an aside, which no negation of the clause reaches."""
PART_OF: Final = re.compile(
    r" ?(?:(?:수술|치료|진단|시술) ?(?:전|후|뒤|당시)|합병증|후유증|전이|재발|발작|악화|약[은을이도물]|주사[는를가]"
    r"|치료[는를가]|수술[은을이]|검사[는를가])"
    r"|으?로 (?:넘어가|진행|이어지|발전|악화)"
)
"""What belongs to a condition or comes after it, of which a denial does not deny the condition."""
REPLACED: Final = re.compile(r"에서 [^.!?\n]{1,24}?(?:으로|로) (?:바꾸|바꿔|바뀌|바꿨|변경|교체|전환|갈아)")
"""What behind a drug tells that another has taken its place: 와파린에서 엘리퀴스로 바꿔 드렸어요."""


def as_advised(text: str, end: int, category: str, roles: int) -> int:
    """The roles of a mention that ends at `end` without advice that is on something else."""
    if roles & ADVICE and _CAUSE.match(text, end):
        return roles & ~ADVICE  # "엠파글리플로진 때문에 … 물을 챙겨 드세요"
    if category == "condition" and roles & AFFIRM and _ONCE.match(text, end):
        return roles & ~(AFFIRM | PERSONAL) | CONDITION
    if KINDS.get(category) == "taken" and _SPOKEN_OF.match(text, end):
        return roles & ~(AFFIRM | NEGATE)  # "안내는 아스피린에 대한 것이고, …"
    if category == "procedure" and roles & KEEP:
        roles = roles & ~KEEP | RECOMMEND  # "위내시경은 거르지 말고 받으세요": to be done again, and no fact
    if roles & (ADVICE | ALLOW) and _COMPARED.match(text, end):
        better = roles & (RECOMMEND | ALLOW) and _PREFERRED.match(text, end)
        roles = roles & ~(ADVICE | ALLOW) | (AGAINST if better else 0)  # "당뇨약보다 더, 스스로 끊으면 안 됩니다"
    unneeded = _UNNEEDED.match(text, end) if "필요" in text[end : end + _NEAR] else None
    if unneeded and (roles & RECOMMEND or (KINDS.get(category) == "taken" and any_in(_ENDS, unneeded[0]))):
        roles = roles & ~RECOMMEND | AGAINST
    if roles & ADVICE and KINDS.get(category) == "taken" and _AT_TIME.match(text, end):
        roles = roles & ~ADVICE | CONDITION
    if roles & ADVICE and (_OWNS.match(text, end) or _OF_EFFECT.match(text, end)):
        roles &= ~ADVICE  # "심바스타틴의 혈중 농도를 높이므로 피하세요": not of itself
    if roles & CONDITION and KINDS.get(category) == "taken" and _OWNS.match(text, end):
        roles &= ~CONDITION  # "심비코트의 스테로이드 성분이 목에 남으면": of something of it
    return roles
