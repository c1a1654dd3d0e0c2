"""Judgements turned round or taken back: "not normal", "정상이 아닙니다", "lower than normal", "once it is normal".

Asked of a judgement that was found: what it says with the words around it, or None if they leave nothing said.
"""

from __future__ import annotations

import re
from typing import Final, Literal

from jatdae.dialogue.reading.quantities import is_of_then
from jatdae.dialogue.reading.words import any_in

Judged = Literal["normal", "high", "low", "abnormal", "not_high", "not_low"]

_OPPOSITE: Final[dict[Judged, Judged]] = {
    "normal": "abnormal",
    "abnormal": "normal",
    "high": "not_high",
    "low": "not_low",
    "not_high": "high",
    "not_low": "low",
}
_LEAD: Final = 40
"""How far before what is judged the words may stand that suppose, doubt or deny it, in characters."""
_TAIL: Final = 32
"""The same behind the judgement."""
_PART: Final = re.compile(r"[.!?;\n]|, (?=and |but |so )")

# English: between what is judged and the judgement.
_ANEW: Final = re.compile(
    r"\b(?:and|(?<!anything )but|which|that|so|because)\b(?! (?:not|isn't|aren't|never|no longer)\b)"
)
"""What begins another predicate."""
_NOT: Final = re.compile(
    r"\b(?:not(?! (?:only|just|merely|bad))|never|cannot|no longer|hardly|scarcely|barely|rarely|seldom"
    r"|far from|nowhere near|anything but|by no means|in no way|a long way from|neither|nor|fail(?:s|ed)? to)\b"
    r"|n't\b(?! (?:only|just|merely))|\b(?:outside|out of|off)(?: of)?(?: the| your)? $"
)
_TWICE: Final = re.compile(r"(?:\bnot|n't) (?:\w+ )?(?:far from|outside|out of|nowhere|uncommonly|necessarily)\b")
_THAN: Final = (
    r"(?: (?:than|the|your|is|was|what|what's|what is|we|i'd|call|considered|it|should be|upper|lower|end of))* $"
)
_MORE: Final = re.compile(rf"\b(?:higher|greater|faster|above|over|beyond|past|exceed(?:s|ed|ing)?|upwards of){_THAN}")
_LESS: Final = re.compile(rf"\b(?:lower|less|fewer|slower|smaller|under|below|beneath|short of|shy of){_THAN}")
_BETTER: Final = re.compile(rf"\b(?:better|healthier|more){_THAN}")
_WORSE: Final = re.compile(rf"\b(?:worse|poorer|different|away|far)(?: from)?{_THAN}")
_GRADED: Final = re.compile(r"normal|fine|good|healthy|okay|in range|within range")
"""Judgements of which there is more and less on either side; of what is perfect there is only less."""
_ALMOST: Final = re.compile(
    r"\b(?:almost|nearly|near|close to|closer to|approaching|towards?|borderline|half|(?:half|third|fraction|part"
    r"|percent|%) of|said|thought|believed|presumed|reported|sometimes|occasionally|usually"
    r"|often|mostly|at times|probably|possibly|perhaps|maybe|presumably|hopefully|likely|supposed|expected|meant"
    r"|going|able|trying|hoping|once|until|to get|to stay|high|low|as|so|falsely|deceptively|otherwise|if|when|unless"
    r"|whether)(?: to)?(?: be| get| stay| become| look)?[ -]$"
)

# English: before what is judged, and behind the judgement.
_OF: Final = (
    r"(?: (?:that|if|whether|to|how|all|is|are))*(?:(?: of)? (?:your|the|my|his|her|this|these|those)(?: \w+)?)? $"
)
_SUPPOSED: Final = re.compile(
    r"\b(?:once|until|till|unless|whether|if|when(?:ever)?|as soon as|(?:as|so) long as|provided|suppos(?:e|ing)"
    r"|assum(?:e|es|ing)|before|after|by the time|in case|imagine|hop(?:e|es|ing)|want|wish|like|keep|keeps|keeping"
    r"|get|gets|getting|bring|make|making|make sure|making sure|ensure|ensuring|to see|check|checking|to confirm"
    r"|to verify"
    r"|find out|unsure|not (?:sure|certain|convinced|assume|clear)|n't (?:sure|certain|convinced|assume|clear|tell|say)"
    rf"|cannot (?:say|tell)|hard to say|doubt|(?:wrong|untrue|false|misleading|mistaken|a mistake|too (?:early|soon))"
    rf" to (?:say|call|think|assume)|(?:wrong|untrue|false) that|you (?:say|said|think|thought|believe|feel"
    rf"|mentioned)){_OF}"
)
_DENIED: Final = re.compile(
    r"(?:(?:n't|\bnot) (?:\w+ )?(?:think|believe|call|consider|describe|feel|true|the case|right|correct)"
    rf"|wouldn't say|would not say|\b(?:it's|it is) not|\bno one would (?:say|call)|\bneither|\bnor|\bnone|\bnot){_OF}"
)
_ONLY: Final = re.compile(
    r",? (?:only|except|if|when(?:ever)?|unless|(?:as|so) long as|provided|until|in theory|on paper|at times|as(?!"
    r" (?:well|it should))"
    r"|sometimes|on some days|some days|enough to|or (?:not|abnormal|high|low)|means?|again (?:once|when|after|if)"
    r"|for (?:someone|somebody|most|a person|people)|compared|than|relative to|before|during|in the past|at first"
    r"|back then|is (?:about|around|between|under|below|\d)|by (?:next|then|spring|summer|autumn|winter))\b"
    r"|[- ]?to[- ](?:high|low|normal)\b|[- ]normal\b|-risk\b| risk\b|\?"
)

# Korean, behind the judgement.
_LIGHT: Final = (
    r"(?:적|스럽|이라|라고|다고|으로|인|이|하|해|한|되|된|돼|져|진|졌|고는|고|는|은|게|지(?!만)|질|치|도|만은|가|을|를"
    r"|으|시|었|였|았"
    r"|있|계|습|셨|신|까지|범위|수치|수준|상태|값|혈압|혈당|것|건|편|보기|보|판단|말|말씀드리|생각|단정|단언|장담|확신"
    r"|여기|볼|할|말할"
    r"|수|하기|기|들|어|로|에|안에|내에"
    r"|거라|꼭|반드시|결코|전혀|그다지|별로|아직|썩|아주|그리|완전히|완전|더 ?이상| )"
)
_NOT_KO: Final = re.compile(
    rf"{_LIGHT}{{0,14}}?(?:[지진질치](?:는|도|를|만은)? ?[않못]|아[니닌닙닐녜냐님녔]"
    r"|어렵|어려|힘들|힘듭|힘든|(?<=수 )없|(?<=수는 )없|(?<=거리가 )[멀먼멉])"
)
_BACK_KO: Final = re.compile(
    r"(?:라는|다는|다고|라고|뜻|말|의미|소리|얘기|이야기|습니|[고것수건게도은는이을를었았였할볼지라다 ])*(?:않"
    r"|아[니닌닙닐]|없)"
)
"""A second denial, which leaves open what is said: 정상이 아니라는 뜻은 아닙니다."""
_MAYBE_KO: Final = re.compile(
    r"[을를는은]?(?: ?수(?:도|는)? (?:있|없)| ?지 | ?지도 |더라도|도록|까[ 요]|면|으면|라면|니면|더라면| ?경우| ?때)"
    r"|아도|어도"
)
_SURE_KO: Final = ("단정", "단언", "장담", "확신")
"""Verbs of being sure, whose denial leaves open what is judged."""
_FRAME: Final = (
    r"(?:\s?(?:범위|수치|치|값|수준|상한|하한|기준|혈압|혈당|평균|상한선|하한선|기준치|참고치"
    r"|한계)){0,4}(?:\([^)\n]{1,24}\))?"
)
_VERY: Final = (
    r"(?: ?(?:훨씬|많이|조금|약간|다소|꽤|살짝|상당히|한참|크게|아주|더|좀|꽤나|제법|매우|현저히|뚜렷이)){0,3}"
)
_FROM_KO: Final = r"(?:보다는|보다|을|를|에서|에는|에|의|과는|과|와는|와|이라기엔|이라기보다는|이라기에는|선을)?"
_HIGHER_KO: Final = re.compile(
    rf"{_FRAME}{_FROM_KO}{_VERY} ?(?:높|웃[돌도돈돕]|넘|초과|상회"
    r"|이상(?!이? ?없|은 없)|위(?:로|에|이|입)|위 |올라|큽|빠르|빨)"
)
_LOWER_KO: Final = re.compile(
    rf"{_FRAME}{_FROM_KO}{_VERY} ?(?:낮|밑[돌도돈돕]|못 ?미치|못 ?미칩|못 ?미쳐|미치지 못|미달|하회|떨어|아래|이하|미만"
    rf"|모자라|모자랍|부족|느리|작)"
)
_OUT_KO: Final = re.compile(
    rf"{_FRAME}{_FROM_KO}{_VERY} ?(?:벗어|벗어|밖|바깥|이탈|거리가|다르|다릅|다른|나쁘|나쁩|못하|못합|안 좋|비정상)"
)
_NOT_OUT: Final = re.compile(r"[가-힣]{0,4}(?:지(?:는|도)? (?:않|못)|진 않|지 ?않)")
_OPEN_KO: Final = re.compile(
    r"(?:적|으로|으시|이시|하시|되시|이|인|으|하|되|된|해|돼|시| ){0,4}"
    r"(?:면(?!서)|[었였]으면|[었였]다면|[는은인던신]지|[일될할을실] ?지|[일될할을실] ?(?:때|리|수(?:도|는)? 있|거[예라]"
    r"|겁|가능)|[일될할을]까|어야|여야|이어야|돼야|되어야|해야"
    r"|도록|더라도|라도|라면|다면|려면|기를|기 위해|는 경우|은 경우|인 경우|인 분|인 사람|인가|다고 해[도서]|라고"
    r" 해[도서]|고 하셨|고 들으|줄 알|줄로|줄만"
    r"|을 목표|에 가깝|에 가까|까지|화되|화를|화하|처럼 보)"
    r"|(?:[아어]서)?라기 ?보다|기보다|이?라는 (?:말|주장|이야기|얘기|보장|법)|이?라고 (?:합니다|하네요|들었|들으|하시"
    r"|하던|알려)"
    r"|으?로 (?:유지|돌아(?!왔|오셨)|회복(?!됐|되었|되셨|하셨)|만들|되돌|낮추|조절되면|관리)|이 되(?!셨|었)|이 된 (?:뒤"
    r"|후|다음|이후)|이 될|이 돼[도야]|을 유지"
    r"|수치는|범위는|범위가 |은 \d|은\s(?!아니|아닙|아닌|아녜)|보다(?!는? ?(?:더 )?[높낮])"
    r"|적인? (?:혈압|혈당|수치)은|(?:이)?었다가|였다가|(?:이)?었던 (?:때|적)|였던 (?:때|적)"
)


_ONCE_KO: Final = re.compile("(?:젊|어[리린렸릴]|좋|건강)[가-힣]{0,4} 때|던 때|시절|시기에")
"""Times of long ago."""
_BESIDE_KO: Final = re.compile(rf"(?:보다|만큼|비해|비하면|비교해)(?:는|도|서)?{_VERY} $")
"""What compares with another time or person: "지난번보다 높습니다" may be normal all the same."""


def turn(text: str, end: int, found: tuple[int, int], says: Judged, start: int) -> Judged | None:
    """What a judgement at `found` says of what stands at start:end with the words around it; None if nothing."""
    at, to = found
    if is_of_then(text, start, to):
        return None
    if text[at:to].isascii():
        return _in_english(text, start, end, found, says)
    return _in_korean(text, end, at, to, says)


def _in_english(text: str, start: int, end: int, found: tuple[int, int], says: Judged) -> Judged | None:
    at, to = found
    between = text[end:at]
    if anew := _ANEW.search(between):
        between = between[anew.end() :]
    lead = _PART.split(text[max(0, start - _LEAD) : start])[-1]
    if _SUPPOSED.search(lead) or _ONLY.match(text, to) or _TWICE.search(between):
        return None
    denied = _NOT.search(between) is not None
    if _ALMOST.search(between) and not denied:
        return None
    if says == "normal" and between:
        compared = _compared(between, text[at:to])
        if compared is None or (compared == "normal" and _BETTER.search(between)):
            return compared if not denied else None
        if compared != says:
            denied = denied and re.search(r"\bnot\b|n't\b|\bno longer\b|\bnever\b", between) is not None
        says = compared
    before = _DENIED.search(lead)
    if before and denied and "nei" not in before[0]:
        return None  # "I don't think your potassium isn't normal"
    return _OPPOSITE[says] if before or denied else says


def _compared(between: str, judged: str) -> Judged | None:
    """What is said by a comparison with the normal: higher than normal, less than perfect; None if nothing."""
    if _BETTER.search(between):
        return "normal"
    graded = _GRADED.search(judged) is not None
    if _MORE.search(between):
        return "high" if graded else None
    if _LESS.search(between):
        return "low" if graded else "abnormal"
    return "abnormal" if _WORSE.search(between) else "normal"


def _in_korean(text: str, end: int, at: int, to: int, says: Judged) -> Judged | None:
    if _ONCE_KO.search(text, max(0, end - _LEAD), at) or _BESIDE_KO.search(text, end, at):
        return None
    stem = text[at:to]
    if stem.startswith("정상"):
        for pattern, other in ((_HIGHER_KO, "high"), (_LOWER_KO, "low"), (_OUT_KO, "abnormal")):
            if compared := pattern.match(text, to):
                out = _NOT_OUT.match(text, compared.end())
                if out and other == "abnormal":
                    return "normal"
                return None if out else other  # type: ignore[return-value]
    denied = _NOT_KO.match(text, to, to + _TAIL)
    if denied:
        if any_in(_SURE_KO, denied[0]):
            return None
        behind = text[denied.end() : denied.end() + 12]
        return None if _MAYBE_KO.match(behind) or _BACK_KO.match(behind) else _OPPOSITE[says]
    return None if _OPEN_KO.match(text, to) else says
