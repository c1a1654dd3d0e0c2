"""Whether a Korean sentence tells the patient to stop a thing in so many words: 끊으세요, 안 드셔도 됩니다.

A stop is held against an answer only where the words for it stand behind the thing, and no other thing between them.
What only follows from other words is none: 와파린보다 … 우선 씁니다; 메트포르민만으로는 … 굶지 마세요.
"""

from __future__ import annotations

import re
from typing import Final

_DAYS: Final = r"이틀|사흘|나흘|닷새|격일|하루 ?걸러|[가-힣][는은] (?:날|때)에?만"
_UNTAKEN: Final = (
    r"안 ?(?:드|먹|맞|쓰|바르|챙|놓|붙)"
    r"|(?:드|맞|쓰|먹|챙기|바르|놓|붙이|넣|삼키|드리|먹이|주|(?:복용|투여|사용|주사|흡입|섭취)하)(?:으?시)?지"
    r"(?:는|도)? ?(?:말|마|않)"
)
_FORGOTTEN: Final = re.compile(
    r"깜빡|잊(?:으셨|었|어버|으신|은)|빠뜨[리린렸]|빼먹[은었으]|놓[치친쳤]|못 드[신셨]|생각나|이미 (?:드|맞"
    r"|복용하)[신셨]"
)
"""What is told of a dose that was forgotten, or taken already: 깜빡하셨다면 그날은 건너뛰고 …."""
_NOT_TAKEN: Final = re.compile(_UNTAKEN)
_STOPPED: Final = re.compile(
    r"\b(?:stop|hold|skip|quit|discontinue)\b|끊|생략|중단|중지|멈추|멈춰|멈출|멈춥|그만|관두"
    r"|쉬(?:[고세시어는셔면었도다]|게)|쉽시|쉴|거르|걸러|거릅|건너뛰"
    r"|건너뛸"
    r"|건너뛴|빼(?:[고세시는셔야기두면도]|먹| )|뺄|뺍|빠뜨|빠트|접[으고는어]|치우|치워|버리|버려|정리|끝내|끝낼|졸업"
    r"|내려놓|떼[고세시어는셔]|작별|이별|놓아|놔주|떠나보|은퇴|마무리|두고 |마치|비[워우]|안녕|손을 |서랍|넣어 두|피하"
    r"|헤어[지질져집]|스킵|패스|휴약|휴가|보류|유보|해방|벗어[나날]|지우[고세시]|지워|제외|종료|마침표|종지부|처분"
    r"|골라내|미루|미뤄|멀리|소임"
    r"|끝입|끝이[에고]|까닭이? ?없|마지막으로|평일에만|주말에만|(?:기대|의존하|의지하|매달리|이어 ?가|계속하|유지하"
    r"|타러 오|타 ?오"
    r"|(?:처방 ?)?받|꺼내|찾)(?:으?시)?지 (?:않|말|마)|(?:주|일주일에|한 주에) ?\S+ ?(?:회|번)만"
    rf"|{_UNTAKEN}|(?<=X )없[이는]|필요\S{{0,2}} ?없|필요(?:하지|치) 않|이유\S? ?없|반 ?알|절반|반만|까지만|{_DAYS}"
    r"|(?:드실|맞으실|쓰실|복용하실|챙기실) (?:것|건|거)\S{0,3} (?:\S+ )?없"
    r"|대신 (?:\S+ )?(?:드|쓰|맞|복용|하[시세면]|해[ 도])"
)
"""Words for stopping a thing, leaving it out or taking it less often."""
_OBJECT: Final = re.compile(
    r" (?!복용|투여|투약|사용|주사|치료|처방|약을|통을|병을|상자를|손을|이를|그걸|이걸|하루|이틀|일주일|할 일)"
    r"(?:Y|[가-힣]+(?<![있없앉맞먹좋])(?=을 |를 ))[을를] (?!때)(?:[가-힣]+ )?\Z"
)
"""A thing of its own before such a word: 끼니를 거르지 마세요."""
_HOW: Final = re.compile(
    r"(?:(?:공복|빈속|식[전후]|아침|점심|저녁|밤|낮|분|사람|가족)(?:에|과|이랑|께|에게)(?:는|만)?|함께|같이|나눠|나누어"
    r"|씹어서?|쪼개서?"
    r"|부숴|갈아서?|녹여|누워서?|몰아서?|한꺼번에|한 번에|없이|너무|많이|지나치게|급하게) \Z"
)
"""How it is not to be taken, right before the words for that: 빈속에는 드시지 마세요."""
_WITH: Final = re.compile(r"[와과랑고] (?:함께|같이) X")
_ENOUGH: Final = re.compile(
    r"(?:알|정|번|캡슐)\S? 더 (?:드|복용|먹|맞|쓰)|추가 (?:복용|투여|주사)"
    r"|(?:(?:두|세|네|몇|여러|[2-9]) ?(?:알|정|캡슐|배|번|개|포|회분|번분)\S{0,3}|더 (?:자주|많이|늘려|올려)|많이|늘려"
    r"|올려|겹쳐|몰아|몰아서|한 번에) "
    r"(?:\S+ )?(?:드|복용하|먹|맞|쓰|삼키|바르)(?:으?시)?(?:지|는)|들어 ?있|겹치|중복|같은 성분|(?:추가로|따로|또"
    r"|한꺼번에) (?:드|먹|복용)"
)
"""More than is taken, or what is taken already: Y에 다 들어 있으니 더 드실 필요는 없어요."""
_MAY: Final = re.compile(
    r"(?:끊[을으]|중단할|중단하|멈출|멈추|뺄|빼|쉴|쉬|그만두|그만둘|줄일|줄이|거를)(?:실)? "
    r"수(?:도 있|(?: 있)?는지| 있을지)"
    r"|면 [^.]*(?:끊[을으]|중단할|중단하|멈출|멈추|뺄|빼|그만두|그만둘|줄일|줄이)(?:실)? 수 있"
)
"""What may come to pass: 체중이 줄면 끊을 수도 있습니다."""
_PRACTICE: Final = re.compile(
    r"(?:(?:중단|중지|보류)\S{0,2}합|쉬게 합|마무리합|끝냅|끊습|줄입|쉽|뺍|거릅|멈춥|[쓰드맞먹]\S?지 않습)니다[.!]?\Z"
)
_NOW: Final = re.compile(r"오늘|내일|지금|이제|이번|당분간|드립니다")
"""What is commonly done: 보통 분만 당일부터 중단합니다; but not 오늘부터 중단합니다."""
_IS_X: Final = re.compile(r"(?:끊|중단|뺄|빼|쉴|쉬|줄|그만)\S*(?: \S+){0,3} (?:약|것|건|게)\S? X")
"""That X is the one to be stopped: 먼저 뺄 수 있는 약은 X입니다."""


_ON_ALARM: Final = re.compile(
    r"(?:[가-힣](?:면|[는은한할될날] (?:때|날|경우|동안))\S{0,2},? |[가-힣]X )(?:[^\s.]+ ){0,5}?"
    r"\S*(?:멈추|멈춘|중단하|중단한|중지하|끊|쉬|빼|그만)\S*(?:고| 뒤| 다음| 후),? (?:(?!\S*[면때],? )[^\s.]+ ){0,5}?"
    r"\S*(?:연락|전화|내원|진료|병원|응급|119|알려|알리|오셔|오세요|오십|찾아|상의|문의|보여)"
)
"""What is to be done when an alarm sign comes: 가슴이 아프면 약을 멈추고 연락 주세요."""
_EXCHANGED: Final = re.compile(
    r"X\S{0,3} [^.]{0,60}?[으가-힣YX)]로 (?:바꾸|바꿔|바꿀|바꿉|교체|대체|전환|변경|갈아|옮기|옮겨)"
)


def is_exchanged(frame: str) -> bool:
    """Whether another thing takes the place of X: X를 Y로 바꾸면."""
    return _EXCHANGED.search(frame) is not None


def stops_plainly(frame: str) -> bool:
    """Whether a sentence with X says in so many words that X is stopped, left out or taken less often."""
    place = frame.find("X")
    if place < 0 or any(pattern.search(frame) for pattern in (_ENOUGH, _MAY, _FORGOTTEN)):
        return False
    if (alarm := _ON_ALARM.search(frame)) and not _STOPPED.search(frame, place, max(place, alarm.start())):
        return False
    if _PRACTICE.search(frame.rstrip(), place) and not _NOW.search(frame):
        return False
    said = any(
        not _OBJECT.search(frame, place, found.start()) and not _is_of_manner(frame, place, found)
        for found in _STOPPED.finditer(frame, place)
    )
    return said or _IS_X.search(frame) is not None


def _is_of_manner(frame: str, place: int, found: re.Match[str]) -> bool:
    """Whether words for not taking a thing only tell how it is not to be taken."""
    if not _NOT_TAKEN.match(found[0]):
        return False
    return _HOW.search(frame, place, found.start()) is not None or _WITH.search(frame) is not None
