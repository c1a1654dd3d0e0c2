"""Numbers that are not the patient's: aims, what others are judged by, what was measured at home."""

from __future__ import annotations

import re
from typing import Final

_AIMED: Final = re.compile(
    r"(?: ?(?:mmhg|mg/dl|kg|%))?\s?(?:\(?(?:이하|미만|이내|아래|밑|이상|정도|안팎|수준|대|선)\)?)*"
    r"(?:[을를이가]? ?목표(?:로|입|이[며고에]|예|치로)|(?:까지|으?로|[을를])(?:만| 정도)? ?"
    r"(?:(?:더|서서히|천천히|꾸준히|잘|계속|점차|우선|먼저) )?"
    r"(?:기대|예상|낮[추춰출춥]|줄[이여일입]|올[리려릴립]|늘[리려릴립]|빼|뺄|맞(?:[추출춥]|춰(?![져졌진지]))"
    r"|지[키켜킬킵]|떨어뜨[리려릴립]"
    r"|(?:유지|조절|관리|감량|개선)[하해할합])(?!셨|신 |고 [계있]|여? ?[왔오]|[며면]서 |[고며] 계|였|했|하신"
    r"|하셨|시네|니 ))"
)
"""What behind a value makes it one to be reached: "130/80 미만을 목표로", "68 kg까지 줄이는 것"."""
_STANDARD: Final = re.compile(
    r"(?: ?(?:mmhg|mg/dl|kg|%))?(?:[이가]|부터|에서)? ?(?:(?!\S*(?:시니|므로|지만|셔서) )[가-힣]{2,8} ){0,2}"
    r"(?:진단 ?기준|기준치|기준[이입에예]"
    r"|진단 기준|정상 상한|정상 하한|경계[이입예])"
    r"|(?: ?%)?(?: 안팎| 정도| 근처| 언저리| 선)?(?:이어도|여도|이라도|라도|까지도|까지는) (?:충분|괜찮|무방|됩니|돼요"
    r"|좋)"
)
"""What behind a value makes it a standard, and nobody's: "6.5%가 당뇨병 진단 기준이에요"."""
_BEGINS_AT: Final = re.compile(
    r"(?:\b(?:starts?|begins?|kicks? in|sets? in|defined|diagnosed|cut-?off|threshold|limit|line) "
    r"(?:\w+ )?(?:at|as|from|of|is|to be|being)"
    r"|\b(?:treatment|tablets|drugs|medicines|medication) (?:is |are )?(?:\w+ ){0,2}(?:at|from))"
    r" (?:about |around )?(?:[\d./]+(?: ?mmhg| ?%)?,? (?:or|and) (?:at |from |already at )?)?$"
)
"""What before a value makes it where something begins: "treatment with drugs starts at 140/90, or at 130/80 if …"."""
_CALLED: Final = re.compile(
    r"(?: ?mm ?hg| ?mg/dl| ?%)?[*_]* (?:[^.;:!?\n]{0,20} )?would be\b"
    r"|(?: ?mm ?hg| ?mg/dl| ?%)? (?:is|are|remains?) (?:the (?:\w+ )?(?:threshold|cut-?off|limit|line|border|boundary"
    r"|definition|mark)\b|(?:where|when|the (?:point|level) (?:where|at which)) (?!you|we |i |it ))"
)
_BEYOND: Final = re.compile(r"\b(?:above|below|over|under|than|beyond|within) (?:the|a) $")
_NAMED: Final = re.compile(
    r"(?: ?mm ?hg| ?mg/dl| ?%)? (?:that (?:most|many|the|some|guidelines?|doctors|we (?:want|like|aim|ask))\b"
    r"|we (?:ask|aim|want|like|look|hope)\b|(?:limit|cut-?off|threshold|target|goal|mark|line|most|guidelines?)\b"
    r"|recommended\b)"
)
"""What around a value makes it a limit: "above the 130/80 that most guidelines name"."""
_BEGINNING: Final = 48
"""How far before a value the words may stand that make it a beginning, in characters."""
_TOLD: Final = re.compile(
    r"(?: ?(?:mmhg|mg/dl|kg|%))?(?:(?:으?로|이고|이며|이라|이니|인데|이어서),? "
    r"(?!보|정의|진단|판단|유지|조절|낮추|올리|시작|치료|나오면|나온)|: (?=[가-힣])|, [^.:\n]{1,16}\d: )"
)
"""What behind a value states it, whatever comes next."""
_OF_MANY: Final = re.compile(
    "정상|목표|기준|일반|보통|평균|권장|대개|대부분|연구|지침|경우|사람|환자[들는가의에]|분들|이상|미만"
)
_HOME: Final = re.compile(
    r"집에서|댁에서|가정 ?혈압|자가 ?(?:혈당|혈압|측정)|재신|재셨|측정[되하][신셨]|말씀하신|알려 ?주신"
    r"|적어 ?[오주]신|신다[니고]|셨다[니고]"
)
_FAR_BACK: Final = 24
_FAR_AHEAD: Final = 14
"""How far around a value the words may stand that say where it was measured, in characters."""


def is_aimed(text: str, end: int) -> bool:
    """Whether a value that ends here is one to be reached: "130/80 미만을 목표로 합니다", "68 kg까지 줄이는 것이"."""
    return _AIMED.match(text, end) is not None


def is_standard(text: str, start: int, end: int) -> bool:
    """Whether a value is what others are judged by: "6.5%가 당뇨병 진단 기준이에요", "a crisis starts at 180/120"."""
    if _STANDARD.match(text, end) or _CALLED.match(text, end):
        return True
    if _BEYOND.search(text, max(0, start - _FAR_BACK), start) and _NAMED.match(text, end):
        return True
    found = _BEGINS_AT.search(text, max(0, start - _BEGINNING), start)
    return found is not None and "your" not in text[max(0, found.start() - _FAR_BACK) : found.start()]


def is_told(text: str, start: int, end: int) -> bool:
    """Whether a value at start:end is told before what is then said of people: "LDL 66으로 환자의 목표인 …"."""
    if not _TOLD.match(text, end):
        return False
    first = max(text.rfind(mark, 0, start) for mark in (". ", "\n", "! ", "? ")) + 1
    return _OF_MANY.search(text, first, start) is None


def is_of_home(text: str, start: int, end: int) -> bool:
    """Whether a value is one that patients have measured themselves, which no record has: "집에서 재신 155/95"."""
    return _HOME.search(text, max(0, start - _FAR_BACK), end + _FAR_AHEAD) is not None
