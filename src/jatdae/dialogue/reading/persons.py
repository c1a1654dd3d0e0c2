"""Whose an age or a sex is: the patient's, or nobody's in particular."""

from __future__ import annotations

import re
from typing import Final

from jatdae.dialogue.reading.statuses import FACT, NOT_PATIENT
from jatdae.dialogue.reading.words import any_in

_ADDRESSED: Final = re.compile(
    r"분?(?:이시|이신|이세|이십|이셔)| (?:of )?your age\b| like you(?:rself)?\b| in your (?:position|situation|shoes)\b"
)
"""What behind an age or a sex makes it the patient's: "여성이신 만큼", "for a woman of your age"."""
_AS: Final = re.compile(r"(?:^|[\s(])as an? (?:[a-z-]+ ){0,2}(?:of )?$")
_HONOURED: Final = re.compile("분?이(?:신(?! 분들| 경우)|시니|시고|시므로|십니다|세요)")
_AS_SUCH: Final = re.compile(r"분?(?:으?로서|치고|에 [가-힣a-z0-9 ]{2,12} \d[\d./]*%?(?:이|이?시)?면 )")
_AGE: Final = re.compile(r"\d세 $")
"""Around a sex that is a person's: "68세 여성분으로서는"."""
_GIVEN: Final = re.compile(
    r"(?: ?(?:남성|여성|남자|여자|어르신)분?)?에 [가-힣a-z0-9 ]{2,12} \d[\d./]*%?(?:이|이?시)?면 "
    r"|,? ?(?:남성|여성|남자|여자|어르신)(?:분)?(?:으?로서는?|치고는?|이시면 |이신 만큼)"
    r"|(?:이?시라?면|의 연세)[ ,]"
    r"|(?:이)?면 (?:아직|한창|이제|벌써|충분히)[^.!?\n]{0,24}(?:나이|편|때|연세|젊|늦지)"
)
"""What behind an age makes it the patient's: "33세에 체질량지수 24.6이면"."""
_AS_ONE: Final = re.compile(
    r"(?:\d|\b(?:that|this) is|\bthat's)[^.;!?\n]{0,40}\b(?:reassuring|good|fine|excellent|reasonable|great|target|goal"
    r"|normal|acceptable|okay|ok|decent"
    r"|respectable|right|ideal|better|best|well|expected|typical|bad|high|low|fair|solid)\b[^.;!?\n]{0,16} "
    r"(?:for|in|at) (?:an? |someone |somebody |(?:an? |your )?(?:man|woman|person|patient|lady|gentleman) )"
    r"(?:of |who is |who's |aged )?$"
    r"|(?:(?:–|—|,)(?: and)? |\A|\n|[.!?(] ?)(?:for|in) "
    r"(?:an? (?:[\w-]+ )?|someone (?:of |who is )|(?:an? )?(?:man|woman) of )$"
)
"""What before an age or a sex makes the patient one of them: "an eGFR of 78 is reassuring for a man of 61"."""
_BEFORE_ONE: Final = (
    " of ", " is ", "'s ", " aged ", "for a ", "in a ", "at a ", "for an ", "in an ", "at an ", "someone ", "somebody ",
    "man ", "person ", "patient ", "lady ",
)  # fmt: skip
"""How it ends: asked first, because that is much faster."""
_WHO_HAS: Final = re.compile(r" (?:with|who (?:has|takes)|on|of \d\d)\b")
"""What behind a sex makes the patient one of it: "For a man with Parkinson's, that is …"."""
_JUDGED_FOR: Final = 90
"""How far before an age or a sex the value may stand that is judged by it, in characters."""
_FEW: Final = 24
_SENTENCE: Final = 400
"""How far around an age its sentence is looked at, in characters."""
_GROUP: Final = re.compile(
    r"(?: ?환자)?(?:의|들|에게|에서|보다)? ?(?:기준|평균|발생률|발병률|유병률|비율|정상|권장|검진|건강|\d+(?:명"
    r"|%)|(?:만 ?)?\d\d세 (?:이상|미만|이하|부터)"
    r"|[은는이가]? ?\d+명)"
    r"|(?:들|에게서|에게는|에서는|에서|보다)[ ,.]"
    r"| ?(?:\d+|한|두|둘|셋|넷|다섯|여섯|일곱|여덟|아홉|열\w{0,2}|백)(?: ?명)? (?:중|가운데)"
    r"|[ -](?:f(?:o)?etus|bab(?:y|ies)|infants?|child(?:ren)?|partner|doctor|nurse|hormones?|pattern|condoms?|friend"
    r"|relatives?|sex|carriers?)\b"
)
_GROUPED: Final = re.compile(r"(?:성인|가임기|젊은|중년|고령|이상|이하|미만)(?:의)? $")
_ANY: Final = re.compile(r"\b(?:every|each|any|all|most|many|some|other|another|younger|older|few) (?:[a-z]+ )?$")
"""What around a sex makes it one of people at large."""
_FIRST: Final = re.compile(r"(?:\A|[.!?\n] ?)an? $")
_PEER: Final = re.compile(r" (?:of )?your age\b")
"""Around a sex that is another's: "A man your age without any vessel disease would be …"."""
_ANYBODY: Final = re.compile(r"(?<!\bas )\b(?:a|an|any|another|for|average) (?:healthy |typical |average )?$")
_MAYBE_ANYBODY: Final = ("a", "for")
_AGE_GROUP: Final = re.compile(
    r"\d0대\s?(?:초반|중반|후반)?\s?(?:여성|남성|환자|성인|여자|남자)?(?:[은는이가의에]|에서|에게|들| (?:권장"
    r"|평균|건강|검진|기준|\S{1,3} 중|가운데|절반|다수|대부분|열에))"
)
"""People of a decade, not one of them: "40대는 …", "60대 여성에게는 …"."""
_SOMEBODY: Final = re.compile(
    r"\b(?:you|your|you're|patient|pt|she|he|yourself)\b|이시|이신|이십|으신|으시|계시|계신|계십|드시|환자분|[가-힣]님"
)
PERSON: Final = "(?:woman|man|lady|gentleman|girl|boy|person|someone|somebody)"
_ANYBODY_OF: Final = re.compile(rf"(?<!\bas )\b(?:an?|any|average) (?:[a-z]+ )?{PERSON} of $")


def is_addressed(text: str, start: int, end: int) -> bool:
    """Whether an age or a sex is told to the patient: "여성이신 만큼", "as a woman of 56"."""
    if _ADDRESSED.match(text, end):
        return True
    before = max(0, start - _FEW)
    return text.find("as a", before, start) >= 0 and _AS.search(text, before, start) is not None


def is_of_patient(text: str, start: int, end: int, category: str, status: str) -> bool:
    """Whether an age or a sex is the patient's, whatever its clause makes of it."""
    of_sex = category == "sex"
    if of_sex:
        if _HONOURED.match(text, end):
            return True
        if _AS_SUCH.match(text, end) and _AGE.search(text, max(0, start - 4), start):
            return True
    elif status != FACT and _GIVEN.match(text, end):
        return True
    if status != NOT_PATIENT or (of_sex and not _WHO_HAS.match(text, end)):
        return False
    return _is_as_one(text, start, of_sex)


def _is_as_one(text: str, start: int, of_sex: bool) -> bool:
    """Whether what begins at `start` is that of one person by whom something is judged: "fine for a man of 61"."""
    if not (of_sex or text.endswith(_BEFORE_ONE, 0, start)):
        return False
    return _AS_ONE.search(text, max(0, start - _JUDGED_FOR), start) is not None


def is_of_nobody(text: str, start: int, end: int, category: str) -> bool:
    """Whether an age or a sex is of nobody in particular: "성인 여성 기준", "A 60-year-old smoker has …"."""
    if category == "sex":
        if _GROUP.match(text, end) or _GROUPED.search(text, max(0, start - 12), start):
            return True
        if _PEER.match(text, end):
            return _FIRST.search(text, max(0, start - 4), start) is not None
        return _ANY.search(text, max(0, start - 20), start) is not None
    if _is_as_one(text, start, False):
        return False
    if text.endswith(" of ", 0, start):
        found = _ANYBODY_OF.search(text, max(0, start - 40), start) is not None
    else:
        near = any_in(_MAYBE_ANYBODY, text[max(0, start - 12) : start])
        found = near and _ANYBODY.search(text, max(0, start - 12), start) is not None
    if not found and not _AGE_GROUP.match(text, start):
        return False
    early, late = max(0, start - _SENTENCE), start + _SENTENCE
    first = max(text.rfind(mark, early, start) for mark in (". ", "\n", "! ", "? ")) + 1 or early
    last = min((place for mark in (". ", "\n") if (place := text.find(mark, start, late)) >= 0), default=late)
    return _SOMEBODY.search(text, first, last) is None
