"""What a Korean answer takes for granted of the patient: "엠파글리플로진 때문에", "비염이 심해지는 계절엔".

Nothing in such a clause says that the patient takes or has it, but somebody who does not would not be told so. It is
read as the patient's, and never counted against the answer.
"""

from __future__ import annotations

import re
from typing import Final

from jatdae.dialogue.reading.mention import Mention

_TAKEN: Final = re.compile(
    r"\)?(?: ?(?:성분|복합제|제제|흡입기|주사|정))?(?:의)? ?"
    r"(?:영향|때문|효과[가를는로]|덕분|탓|(?:복용|용량|투여|먹는|드시는|맞는) ?(?:시간|시각|간격|방법|법|량|중"
    r"|전|후|을 잊|을 거)"
    r"|까지 \S{1,4} ?가지 약|[와과]의? (?:간격|시간)|[와과] (?:\d|두|세|네)\S{0,2} ?시간|으?로 인해|으?로 인한"
    r"|[은는이가도] [^.!?\n]{2,24}[는은] 약[은이도]? ?아[니닙]"
    r"|까지 (?:합치|합하|치)면|(?:의 (?:[가-힣]+ )?)?성분[이은] [가-힣]+에 남"
    r"|[을를] 드시기 (?:전|때)"
    r"|[을를] 드신 (?:뒤|후|지)|[을를] 드실 때|[을를] 맞으실 때|[은는이가] (?:이미|이번에|지금|현재))"
)
"""What behind a drug takes it for granted that the patient takes it."""
_WORKS: Final = re.compile(
    r"(?: ?\d[\d.]* ?(?:mg|mcg|g|밀리그램|단위))?[이가은는도] ?(?:아주 |꽤 |비교적 )?(?:잘 )?(?:듣고 있|맞고 있|받고 있"
    r"|작용하고 있|효과를 (?:내|보)|제 역할을)"
)
"""What says of a drug that it works for the patient: "알로푸리놀 100mg이 잘 듣고 있다는 뜻이에요"."""
_COMBINED: Final = re.compile(
    r"복합제|복합 ?제제|한 알에 (?:함께 |같이 )?(?:들어|담)|[이가] (?:함께 |같이 |모두 )?들어 ?있"
)
"""What explains of which drugs another is made: "아모잘탄은 암로디핀과 로사르탄이 들어 있는 복합제입니다"."""
_IF_TAKEN: Final = re.compile("예를|가령|대안|대신|바꾸|바꿀|추가|새로|고려|피[하할]|주의|시중|감기약|종합|제품")
"""What makes such a sentence one on what could be taken, or is sold."""
_SPOKEN_OF: Final = re.compile(
    r"\)?(?: ?(?:\d[\d.]* ?(?:mg|mcg|g|밀리그램|단위)|흡입기|주사|정|복용))*"
    "(?:[은는이가도](?! (?:중요|필요|기본|표준|원칙|우선|먼저|대표|있[으는어다]))|또한|의 경우|[와과] )"
)
"""What behind a drug makes it what the sentence is about."""
_DEFINED: Final = re.compile(
    "약으로|약입|약이[에고며라지]|제입|제로[,서 ]|제[이]?며|쓰는 약|쓰이|계열|개발|비하면|비해|추가|표준|기준|수 있"
    "|[기키]도 [하합]"
    "|대신|후보|바꾸|바꿀|새로|고려|대안|선택|예를|가령|상의|의논|허가|시중|약국|감기|종합|사용됩|처방됩|알려져|성분"
    "|쓰지 않|먹지 않|달리|비교|미만|이상에|참고로|권하지"
    "|[는은] (?:분|사람|환자)"
)
"""What makes a sentence tell what a drug is, or name it as one to choose."""
_HAD: Final = re.compile(
    r" ?(?:자체|진료|약[은을이도과와]|때문|관리|치료 (?:중|목적|계획)|조절|악화[를가]|의 (?:경과|진행|재발|정도)"
    r"|부터 다스|이 더 나빠|이? ?심해지[는지]"
    r"|[이가] (?:잘 )?(?:심해지|도지|재발하|악화되|조절되|관리되)지 않"
    r"|[은는이가도] ?(?:한결 |훨씬 |많이 )?(?:나아|좋아)[집질지졌]|[은는이가도] [^.\n]{0,12}지켜보"
    r"|이? ?심[한하] (?:날|때|철|계절|시기)|[은는이가도] [^.\n]{0,16}(?:줄었|나았|가라앉았|사라졌|옅어졌|호전됐"
    r"|호전되었)"
    r"|[이가] (?:잠잠|가라앉|안정)"
    r"|[은는도] (?:함께|같이|이어서|마저|계속) (?:보|살펴|말씀)|에 맞[는게은]|에 (?:좋지 않|해로|해롭"
    r"|무리|나쁘)|[을를] (?:앓|가지|관리|고려|감안))"
)
"""What behind a condition takes it for granted that the patient has it."""
_GIVEN_UP: Final = re.compile(
    "(?:거르|빼먹|끊|쉬|멈추|빠뜨리|건너뛰|줄이|놓치|(?:중단|소홀히 |게을리 )하)으?시?(?:면|다가|다 보면)|[가-힣]시면"
)
"""A condition of what the patient may do or leave."""
_GETS_WORSE: Final = re.compile(
    "[이가은는도] (?:[가-힣]{1,4} ){0,2}(?:나빠[지집질졌]|악화[되됩될]|심해[지집질]|도[지집질]|재발[하합할]"
    "|올라[가갑갈])"
)
_GETS_BETTER: Final = re.compile(
    "[이가은는도] (?:[가-힣]{1,4} ){0,3}(?:좋아[지집질]|나아[지집질]|호전[되됩될]|가벼워[지집질])"
)
"""What a condition comes to that is there already: "천식이 금방 나빠집니다", "지방간이 눈에 띄게 좋아집니다"."""
_AS_CAUSE: Final = re.compile(" ?(?:때문|탓)|[이은는가] ?(?:원인|이유)")
_SAID_TAKEN: Final = re.compile(
    r"(?::|[.!?])[*_]* (?:지금|현재|이미|요즘|그동안)(?: (?:하루|매일|매주|\d+[가-힣]+|한|두|세|번|번씩|알씩"
    r"|용량을|잘|꾸준히))* (?:드시고|맞으시고|맞고|쓰시고|쓰고|복용하시고|복용하고|복용 중|투여 중)"
)
"""A sentence without an object that tells that something is taken."""
_WORSENS: Final = re.compile(
    "[이가] (?:다시 |더 |또 )?(?:심해|나빠|악화되|도|재발하)(?:지면|지시면|면|시면|질 때|져도|지거든)|[이가] 올 때"
    "|[이가] (?:다시|또|도로|덜|잘 안|더 이상) "
)
_STEADILY: Final = re.compile("꾸준히|지속적으로|빠짐없이|규칙적으로")
_SO_FAR: Final = re.compile(
    "계속|그대로|지금|현재|처럼|이미|처방|평소|드시던|드시고|드셔 ?[오왔온]|복용 ?중|거르|끊|중단"
    "|(?:드시|쓰시|맞으시|복용하시)는 (?![것게편일])"
)
"""What tells that a drug is taken already."""
_DONE: Final = re.compile(r" ?[을를]? ?(?:받으신|하신|받은) (?:뒤|후|지|이후|다음)")
"""What behind a procedure takes it for granted that it was done."""
_LABEL: Final = re.compile(r"[*_)]*\s?(?:\([^()\n]{1,24}\))?[*_]*\s?(?::[*_]*|[–—])\s")
_OF_OTHERS: Final = re.compile(
    r"환자(?:들|에서|에게|의|는|군)|분들|사람|경우가|연구|지침|가이드라인|일반적|보통|흔[히한하]|누구|대부분"
    r"|원인|부작용|위험[이을 ]|예방|가능성|의심|있으면|있다면|드신다면|[은는던] 분(?![이은])"
)
"""What makes a sentence speak of people at large, or suppose."""
_FOR: Final = re.compile("에는? ")
_TOLD_TO: Final = re.compile("세요|십시오|시면 (?:됩|돼|좋)|시는 (?:게|것이)|[는은] (?:것이|게|편이) 좋(?!은)|릴게요")
_TOPIC: Final = re.compile("[은는도] ")
_WHEN: Final = re.compile(
    "[은는도] (?:(?:지금처럼|매일|하루 한 ?번|꼭|그냥|늘|항상) ){0,2}"
    "(?:아침|저녁|점심|식후|식전|자기 전|주무시기|취침|잠들기|밤|공복|일어나|식사|같은 시간|정해진|제시간|시간)"
    "[^.,!?\\n]{0,24}?(?:드세요|드시면 됩|드시면 돼|드십시오|드시는 게|드시는 것이|드시고|맞으세요|쓰세요|복용하세요"
    "|복용하시면)"
)
"""When a drug is to be taken, and nothing else of it."""
_NEW: Final = re.compile(
    "새로|추가|처방해|시작|대신|바꾸|바꿔|드릴|드려|필요하|아프|때만|동안|일치|까지|며칠|약국|\\d ?mg|밀리그램"
)
_LEVEL: Final = re.compile(
    r"[\"'”’」]? ?(?:수준|범위|단계|영역|구간|기준"
    r"|에 (?:해당하는|들어가는|속하는) (?:수치|값|범위|수준))"
)
_BELONGS: Final = re.compile("[\"'”’」]?에 해당")
_HEADING: Final = re.compile(r"[\s>*_•·▪-]*(?:\d{1,2}[.)]|[①-⑩])?\s*\*\*(?=[^*\n]*\*\*)")
"""The beginning of a line whose first words are in bold."""
_CHOICES: Final = re.compile(
    "후보|선택지|대안|옵션|고려|추가|예방약|종류|계열|피[하할]|주의|금[지기]|예를|예시|가능한 약|치료제로는"
)
"""What makes a list one of what could be taken."""
_BACK: Final = 120
_LINE: Final = 400
"""How far behind the drug that a line begins the line may tell that it is taken, in characters."""
_LONG: Final = 160


def is_presupposed(text: str, mention: Mention, bounds: tuple[int, int], valued: frozenset[int]) -> bool:
    """Whether the sentence at `bounds` of a folded answer takes it for granted that a mention is the patient's.

    `valued` are the lines that have a value of the patient, by where they begin."""
    first, last = bounds[0], min(bounds[1], bounds[0] + _LONG)
    if _OF_OTHERS.search(text, first, last):
        return False
    if mention.category in ("drug", "drug_class"):
        if _HEADING.match(text, first) and first <= mention.start and text.startswith("**", mention.start - 2):
            return _CHOICES.search(text, max(0, first - _BACK), last) is None
        if _TAKEN.match(text, mention.end) or _WORKS.match(text, mention.end):
            return True
        return mention.category == "drug" and _is_explained(text, (first, last))
    if mention.category == "procedure":
        return _DONE.match(text, mention.end) is not None
    if mention.category != "condition":
        return False
    if _HAD.match(text, mention.end):
        return True
    if _GETS_WORSE.match(text, mention.end) and _GIVEN_UP.search(text, first, mention.start):
        return True
    line = text.rfind("\n", 0, mention.start) + 1
    return line in valued and _LABEL.match(text, mention.end) is not None


def is_spoken_of(text: str, mention: Mention, bounds: tuple[int, int]) -> bool:
    """Whether a sentence is about a drug as one that both sides know of: "몬테루카스트도 크게 걱정하지 않습니다"."""
    last = min(bounds[1], bounds[0] + _LONG)
    if mention.category != "drug" or mention.text.endswith("제") or not _SPOKEN_OF.match(text, mention.end):
        return False
    return not (_OF_OTHERS.search(text, bounds[0], last) or _DEFINED.search(text, bounds[0], last))


def _is_explained(text: str, bounds: tuple[int, int]) -> bool:
    """Whether a sentence tells of which drugs a medicine is made, which is told of what somebody takes."""
    return _COMBINED.search(text, *bounds) is not None and _IF_TAKEN.search(text, *bounds) is None


def is_said_taken(text: str, mention: Mention) -> bool:
    """Whether the line that a drug begins tells later that it is taken: "**휴미라**: … 지금 2주마다 맞고 계시지요"."""
    if mention.category not in ("drug", "drug_class") or not _LABEL.match(text, mention.end):
        return False
    last = text.find("\n", mention.end, mention.end + _LINE)
    return _SAID_TAKEN.search(text, mention.end, last if last >= 0 else mention.end + _LINE) is not None


def worsens(text: str, end: int) -> bool:
    """Whether what ends here is supposed to come again or worse, or to get better: "비염이 심해지면"."""
    return _WORSENS.match(text, end) is not None or _GETS_BETTER.match(text, end) is not None


def is_treated(text: str, mention: Mention, bounds: tuple[int, int]) -> bool:
    """Whether the patient is told what to do for a condition: "비염에는 코를 씻는 것이 좋습니다"."""
    if mention.category != "condition" or not _FOR.match(text, mention.end):
        return False
    last = min(bounds[1], bounds[0] + _LONG)
    return _TOLD_TO.search(text, mention.end, last) is not None and not _OF_OTHERS.search(text, bounds[0], last)


def is_timed(text: str, mention: Mention, bounds: tuple[int, int]) -> bool:
    """Whether only the time of a drug is told, as of one that is taken: "로수바스타틴은 저녁 식후에 드세요"."""
    if mention.category != "drug" or mention.text.endswith("제") or not _TOPIC.match(text, mention.end):
        return False
    if not _WHEN.match(text, mention.end):
        return False
    return _NEW.search(text, bounds[0], min(bounds[1], bounds[0] + _LONG)) is None


def is_loosely_kept(text: str, mention: Mention, bounds: tuple[int, int]) -> bool:
    """Whether a drug is to be taken on without a word that it is taken already: "항히스타민제를 꾸준히 드세요"."""
    if mention.advice != "for" or mention.category not in ("drug", "drug_class"):
        return False
    return _STEADILY.search(text, *bounds) is not None and _SO_FAR.search(text, *bounds) is None


def is_denied_as_cause(text: str, mention: Mention) -> bool:
    """Whether only an effect of what is named is denied: "이 증상은 천식 때문이 아닙니다"."""
    return mention.polarity == "negated" and _AS_CAUSE.match(text, mention.end) is not None


def is_of_level(text: str, mention: Mention) -> bool:
    """Whether a condition only names the level of a value, which no record lists: "5.9%는 당뇨 전단계 수준이에요"."""
    if mention.category != "condition":
        return False
    before = (
        mention.text.endswith(("전단계", "전 단계", "과체중", "혈당장애", "내당능장애", "내당능 장애"))
        and _BELONGS.match(text, mention.end) is not None
    )
    return before or _LEVEL.match(text, mention.end) is not None
