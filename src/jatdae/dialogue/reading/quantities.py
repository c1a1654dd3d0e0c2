"""Numbers with units in a text: values of measurements, doses and ages, and whether they equal a known one."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from jatdae.dialogue.reading.concepts import Concept
from jatdae.dialogue.reading.tables import find_timed_cells
from jatdae.dialogue.reading.words import any_in

_REACH: Final = 36
"""How far after the name of a measurement its number may stand, in characters."""
_BARE_REACH: Final = 14
"""The same for a number without a unit, which may be of something else."""

_NUMBER: Final = re.compile(r"(\d(?<![\w.].)(?:\d{0,2}(?:,\d{3})+|\d*))(?:\.(\d+))?")
"""A number. The pattern begins with a digit because that is fastest."""
_PAIR: Final = re.compile(r"\s*(?:/|에|over)\s*(\d{2,3})(?![\d/])")
_RANGE: Final = re.compile(r"[ ]*(?:[-~–∼]|에서|to|between)[ ]*(?=\d)")
_CHANGED: Final = re.compile(r"\s*(?:에서|이?던 [가-힣]{1,6}|[(]|→|->|to|down to|up to)")
_FROM: Final = re.compile(r"\s*(?:mmhg)?\s*에서 (?:[가-힣]{1,4} )?\d{2,3}/\d{2,3}\s*(?:mmhg)?\s*으?로")
_NOW: Final = re.compile(
    r"이번|지금|현재|올해|오늘|최근|\b(?:now|today|currently|this (?:time|month|week|year|visit))\b"
)
"""Words between two values that make the first one of then."""
_THEN: Final = re.compile(
    r"작년|지난해|예전|이전에|전에는|한때|과거|그때|당시|년도에|년에(?<=[0-9]년에)"
    r"|개월 전(?!부터)|달 전(?!부터)|년 전(?!부터)|주 전(?!부터)"
    r"|처음(?:에는| 오셨| 뵈었| 뵀)|이었(?:다가|던 (?:것|때|데))|였(?:다가|던 (?:것|때|데))"
    r"|에서(?:(?<=\d에서)|(?<=\d%에서)) (?:시작|출발|올라|올랐|내려|떨어|줄어|줄었|좋아|회복|개선|호전|감소|상승)"
    r"|in(?<!\win) (?:19|20)\d\d|since(?<!\wsince) (?:19|20)\d\d|back in \w|last year|year ago|years ago"
    r"|month ago|months ago|used to|previously|formerly|at diagnosis|initially|at the time"
)
"""Words that put a value into the past. "지난번" and "last visit" do not: that is the latest the record has.

Each begins with a letter of its own, so that the search stops at these letters only.
"""
_OF_YEAR: Final = re.compile(r"[\s*_•▪–—-]*(?:in |[a-z]{3,9} )?((?:19|20)\d\d)\b")
_OF_NOW: Final = re.compile(r"[\s*_•▪–—-]*(?:now|today|current(?:ly)?|latest|this (?:year|month|week|time|visit))\b")
_ITEMS: Final = 6
"""How many items of a list are looked at for a later one."""
_TREND: Final = re.compile(r"trend|추이|경과|변화")
_PARTS: Final = (". ", "\n", "! ", "? ", "; ", ", and ", ", but ", ", while ", " – ", " — ")
"""What ends the part of a sentence to which a time belongs: "on warfarin since 2019, and your last INR of 3.4"."""
_BACK: Final = re.compile(r"^[^.;]{0,12}\b(?:from|compared (?:with|to)|versus|vs)\b")
_GIVEN: Final = re.compile(
    r"(?:, [^,.\n]{2,16}? \d[\d./]*%?){0,3}"
    r"(?:\)?\s?[을를]?\s?(?:고려|감안|참고|반영)하"
    r"|(?:이)?면 [^.!?\n]{0,24}?(?:편|셈|괜찮|잘하|양호|안정|적당|정상이|훌륭|무난|합격|걱정"
    r"|좋습|좋네|좋은 (?:편|수치)|낮으|높으"
    r"|느린|빠른)(?![^.!?\n]{0,12}(?:진단|분류|합니다\b))"
    r"|이?시(?:면|니|라면) |(?:이)?면 [^.!?\n]{0,24}?(?:그대로|유지)"
    r"|(?:이)?면 [^.!?\n]{0,12}?(?:흠잡|나무랄|손색|더할 나위|경고등|이만하면|충분합|충분하|됐습|됐고|됐어)"
    r"|(?:까지|으?로|이|가)? ?(?:내려온|내려간|떨어진|오른|올라온|올라간|찍힌|회복된) (?:것|건|게|걸|점|덕)"
    r"|(?:이)?면 [^.!?\n]{0,12}?(?:만점|조금만|그럴 (?:확률|가능성)|아쉬|아쉽|칭찬|훌륭))"
)
_ASIDE: Final = re.compile(r"[ %a-z/0-9²가-힣.]{0,20}\)")
_BY_AGE: Final = re.compile(r"\d세(?:에|이?시?고|이?신데|의 나이에)?,? $")
_IS: Final = re.compile("(?:이)?면 ")
_RECENT: Final = 8
_GIVEN_AGE: Final = re.compile(
    r"에 [가-힣a-z0-9 ]{2,12} \d[\d./]*%?(?:이)?면 "
    r"|,? ?(?:남성|여성|남자|여자|어르신)(?:분)?(?:으?로서는?|치고는?|이시면 |이신 만큼)"
    r"|(?:이?시라?면|의 연세)[ ,]"
    r"|(?:이)?면 (?:아직|한창|이제|벌써|충분히)[^.!?\n]{0,24}(?:나이|편|때|연세|젊|늦지)"
)
_ANYBODY: Final = re.compile(r"(?<!\bas )\b(?:a|an|any|another|for|average) (?:healthy |typical |average )?$")
_AS_ONE: Final = re.compile(
    r"(?:\d|\b(?:that|this) is|\bthat's)[^.;!?\n]{0,40}\b(?:reassuring|good|fine|excellent|reasonable|great|target|goal"
    r"|normal|acceptable|okay|ok|decent"
    r"|respectable|right|ideal|better|best|well|expected|typical|bad|high|low|fair|solid)\b[^.;!?\n]{0,16} "
    r"(?:for|in|at) (?:an? |someone |somebody |(?:an? |your )?(?:man|woman|person|patient|lady|gentleman) )"
    r"(?:of |who is |who's |aged )?$"
    r"|(?:(?:–|—|,)(?: and)? |\A|\n|[.!?] )(?:for|in) (?:an? |someone (?:of |who is )|(?:an? )?(?:man|woman) of )$"
)
_BEFORE_ONE: Final = (
    " of ", " is ", "'s ", " aged ", "for a ", "in a ", "at a ", "for an ", "in an ", "at an ", "someone ", "somebody ",
    "man ", "person ", "patient ", "lady ",
)  # fmt: skip
"""How it ends: asked first, because that is much faster."""
_JUDGED_FOR: Final = 90
"""How far before an age the value may stand that is judged by it, in characters."""
_MAYBE_ANYBODY: Final = ("a", "for")
_AGE_GROUP: Final = re.compile(
    r"\d0대\s?(?:초반|중반|후반)?\s?(?:여성|남성|환자|성인|여자|남자)?(?:[은는이가의에]|에서|에게|들| (?:권장"
    r"|평균|건강|검진|기준|\S{1,3} 중|가운데|절반|다수|대부분|열에))"
)
"""People of a decade, not one of them: "40대는 …", "60대 여성에게는 …"."""
_SOMEBODY: Final = re.compile(
    r"\b(?:you|your|you're|patient|pt|she|he|yourself)\b|이시|이신|이십|으신|으시|계시|계신|계십|드시|환자분|[가-힣]님"
)
_BACK_THEN: Final = re.compile(r"%? (?:last|in|a|\w+ (?:months?|weeks?|years?)) [\w ]{2,16} to $")
"""What between two values makes the first one of then: "from 9.4% last fall to 6.6% now"."""
_LEAST_SYSTOLIC: Final = 70.0
_LEAST_WEIGHT: Final = 15.0
"""The least number that is a pressure before a stroke, and the weight of a body: below it, it is a difference."""
_ANOTHER: Final = re.compile(
    r"[고며만데니,] (?!이번|지금|현재|최근|오늘|올해)[가-힣]{2,6}(?: [가-힣]{2,4})?[은는이가] "
)
"""A subject between two numbers of which the second is its own."""
_DATED: Final = re.compile(
    r"\s?(?:년|월|주|개월|달|일)(?!\w*당)\s?(?:전|에|의|간|째)|월(?= \d{1,2}일)|일(?= \d)"
    r"|(?<=(?:19|20)\d\d)(?![\d.%/])(?:\s|,)|월 (?=\d)|(?<=0)s\b"
)
"""What makes a number a date: 3월에, 2년 전, in 2023."""
_BY_SO_MUCH: Final = re.compile(
    r"p(?![a-z])|\s?포인트|\s?씩|\s?[을를만] ?(?=[빼뺐줄감])|\s?(?:정도|가량|쯤|이나|나|만큼|만|씩"
    r"|[을를이가])? ?(?:줄|늘|빠[졌지진]|[빼뺐]|감소|감량|증가"
    r"|올랐|올라|오(?:르(?!내)|른|릅)|내[려렸린립]|떨어|낮[아추춥]|높[아이]|상승|하락)"
)
_MORE: Final = re.compile(r"\b(?:by|lost|gained|another|(?<!back )(?:up|down))(?: about| roughly| around| almost)? $")
"""What makes a number the size of a change, not a value: 체중이 4kg 줄었고, "your weight is down 4 kg"."""
_WITHIN: Final = re.compile(r"\s*[^\s\d]{0,6}\s*(?:사이|범위|구간)")
_COUNTED: Final = re.compile(
    r"\s*-?\s*(?:회|개월|달|주|일|년|시간|분|번|잔|정(?!상|도|확)|알|세|살|대|배|끼|컵|차|가지|단계|기(?!\w)|월"
    r"|점|명|단위|"
    r"킬로|리터|센티|(?:kg|km|cm|lbs?|pounds?|lit(?:er|re)s?)(?![a-z])|kcal|iu(?![a-z])|mg|mcg|µg|g(?![a-z/])|months?"
    r"|weeks?|days?|hours?|times?|minutes?|mins?|years?|yrs?|tablets?|pills?|units?|"
    r"st\b|nd\b|rd\b|th\b)"
)
_RHYTHM: Final = re.compile(r"하루|매일|매주|일주일|다음|이내|every|daily|per |within|in the next|\n|[.!?]\s")
_LEADING: Final = re.compile(r"\($|\b(?:at|of|is|was|from|to|stands?)\s+$|[은는이가]\s$")
"""What may stand between a name and its number where they are far apart."""
_LEADS: Final = re.compile(r"\s*(?:의|인|이던|였던|이었던|of)?\s*")
_WAS: Final = re.compile(r"\s*(?:이던|였던|이었던)")
_AT: Final = re.compile(r"(?:.*\s)?at \d+(?:\.\d+)?%?,? (?:your|the) ")
"""At 52, your eGFR …"""
_ABOVE: Final = re.compile(
    r"(?:\s?mmhg)?\s*(?:[을를]|으로|로)?\s*(이상(?!(?:[은이도가]| 소견[이은]?)? ?없)|이하|미만|초과|넘|아래|밑|위로"
    r"|부터|보다 낮|보다 적|보다 높"
    r"|보다 많|or (?:higher|more|above"
    r"|lower|less|below))"
)
_BELOW: Final = re.compile(
    r"(<=|>=|≤|≥|<|>|below|under|above|over|(?:less|lower|more|greater|higher) than|at least|exceed\w*)\s*$"
)
_COMPARE: Final = {
    "이상": ">=", "이하": "<=", "미만": "<", "초과": ">", "넘": ">",
    "보다 낮": "<", "보다 적": "<", "보다 높": ">", "보다 많": ">", "아래": "<", "밑": "<", "위로": ">", "부터": ">=",
    "or higher": ">=", "or more": ">=",
    "or above": ">=", "or lower": "<=", "or less": "<=", "or below": "<=", "<=": "<=", ">=": ">=", "≤": "<=", "≥": ">=",
    "<": "<",
    ">": ">", "below": "<", "under": "<", "less than": "<", "lower than": "<", "above": ">", "over": ">",
    "more than": ">", "greater than": ">", "higher than": ">", "at least": ">=",
}  # fmt: skip
_ABOUT: Final = re.compile(r"(?:약|대략|거의|about|around|approximately|roughly|nearly|almost|~)\s*$")
_ROUGHLY: Final = re.compile(r"\s*(?:정도|쯤|가량|안팎|전후|대(?!\w))")
_DOSE: Final = re.compile(r"\s*[(]?\s*(\d+(?:\.\d+)?)\s*(mg|밀리그램|mcg|µg|μg|g|그램|iu|units?|단위)(?![a-z/])")
_MILLIGRAMS: Final = {"mg": 1.0, "밀리그램": 1.0, "g": 1000.0, "그램": 1000.0, "mcg": 0.001, "µg": 0.001, "μg": 0.001}
_DIGITS: Final = re.compile(r"[0-9](?<![\w.].)[0-9]{0,2}(?![0-9])")
"""A number of up to three digits, not part of another. The pattern begins with a digit because that is fastest."""
_YEARS: Final = re.compile(
    r"\s*(?:세(?!대|트|기|션|포|균)|살(?!균|이\s?찌))|(?:\s|-)?(?:years?|yrs?)(?:\s|-)?old| years of age"
    r"|\s?y/?o(?![a-z])|(?=[mf](?![a-z]))"
)
_DECADE: Final = re.compile(r"0대(?!\w*(?:%|mg))")
_PERSON: Final = "(?:woman|man|lady|gentleman|girl|boy|person|someone|somebody)"
_ANYBODY_OF: Final = re.compile(rf"(?<!\bas )\b(?:an?|any|average) (?:[a-z]+ )?{_PERSON} of $")
_AGE_OF_LAW: Final = re.compile(
    r"\b(?:drinking|legal|retirement|voting|minimum|average|mean|median|screening|usual|typical) age"
    r" (?:is|of|was|for \w+) $"
)
_AGED: Final = re.compile(
    r"(?:(?:\bage[ds]?|나이)(?: +is| +of|는|가|:| )|\b(?:you're|you are|you yourself are|she is|he is|she's|he's"
    r"|pt is|patient is|being|(?:someone|somebody) (?:who is|who's))(?: now| only| just| already| still)?"
    rf"|\b(?:{_PERSON}|patient) (?:of|aged)) *$"
)
_AT_AGE: Final = re.compile(
    r",? (?:you(?:'re|'ve)?|it's|it is|we|i|(?:and )?with)\b"
    r"| your (?!(?:e?gfr|[lh]dl|(?:hb)?a1c|bmi|inr|tsh|h(?:a|ae)moglobin|heart rate|pulse|potassium|sodium|creatinine"
    r"|ferritin|weight|glucose|blood|sugar|systolic|platelet|cholesterol)\b)"
)
_BEGINNING: Final = re.compile(
    r"(?:\A|[.!?:;\n(*_—–-]|,(?: and| but)?|\b(?:and|but|that|because|since|so|while)) *at $"
)
"""Before an age that a clause begins with: "And no, at 39 and without …", "At 81 progress comes in small steps"."""
_NO_AGE: Final = re.compile(
    r",? (?:your|the) (?:\w+ )?(?:e?gfr|[lh]dl|(?:hb)?a1c|bmi|inr|tsh|h(?:a|ae)moglobin|heart rate|pulse|potassium"
    r"|sodium|creatinine|ferritin|weight|glucose|blood|sugar|systolic|diastolic|platelet|cholesterol|pressure|reading"
    r"|level|value|number)\b"
    r"| (?:go|call|dial|seek|come|phone|ring|head|stop|press|get help)\b"
    r"|,? (?:systolic|diastolic|over|bpm|beats|units?|percent|degrees|points?|reps?|repetitions|o'clock|am|pm|a\.m|p\.m"
    r"|ng|ml|mmol|meq|u/l|x|times|per|watts|mph|steps|calories|grams?|milli\w*|micro\w*)\b"
)
_OF_MEASURE: Final = re.compile(
    r"\b(?:[lh]dl|(?:hb)?a1c|e?gfr|bmi|inr|tsh|pressure|pulse|heart rate|potassium|sodium|creatinine|ferritin|sugar"
    r"|glucose|saturation|oxygen|h(?:a|ae)moglobin|cholesterol)\b[^.!?;\n]*$"
)
_SAME_SENTENCE: Final = 64
_PLAIN: Final = re.compile(
    r"(?!\.\d|%|/|[ ]*(?:or\b|to\b|-\s?\d|[a-z]{2}/|mg|kg|lbs?|cm|feet|pounds|months?|weeks?|days?|and \d"
    r"|minutes|hours))"
)
_AGE_BOUND: Final = re.compile(
    r"\s*(?:이상|이하|미만|초과|이후|이전|전후|무렵|전(?:에|이라|까지)|넘|[가을를이] ?(?:넘|지나|지난)|사이|에서 \d"
    r"|and (?:over|older|above|up)|or (?:older"
    r"|over|above|younger)|부터|까지|또는|s\b"
    r"|[-–~]\s?\d|to \d)"
)
_AGE_LIMIT: Final = re.compile(
    r"\b(?:start(?:s|ed|ing)?|begin(?:s|ning)?|began) (?:screening |testing )?(?:at|from|by)\s+(?:the )?"
    r"(?:age (?:of )?)?$"
    r"|\b(?:over|under|until|by|after|before|from|since|through|above|below|around|between|than|to|least|most"
    r"|about|ages)\s+(?:the )?(?:age (?:of )?)?$"
    r"|(?:남성|여성|남자|여자|성인|men|women|adults)(?:의 경우|에서|[은는])?,? (?:만 ?|at |from )?$"
    r"|\d ?(?:세|살)?(?:[-–~∼]|부터|에서) ?$"
)
"""What before a number makes it a limit, not the age of anybody: "until age 3", "남성은 45세"."""


_TENS: Final = {
    "열": 10,
    "스물": 20,
    "스무": 20,
    "서른": 30,
    "마흔": 40,
    "쉰": 50,
    "예순": 60,
    "일흔": 70,
    "여든": 80,
    "아흔": 90,
}
_ONES: Final = {
    "한": 1, "하나": 1, "두": 2, "둘": 2, "세": 3, "셋": 3, "네": 4, "넷": 4, "다섯": 5, "여섯": 6, "일곱": 7,
    "여덟": 8, "아홉": 9,
}  # fmt: skip
_FIRST: Final = "".join(sorted({word[0] for word in (*_TENS, *_ONES)}))
_SPELT: Final = re.compile(
    rf"(?<![가-힣])(?=[{_FIRST}])({'|'.join(_TENS)})?({'|'.join(sorted(_ONES, key=len, reverse=True))})?"
    r"(?:\s?살(?!이\s?찌)|(?=이(?:시|신|십|세요)))"
)
"""An age in Korean words: 스물세 살, 예순둘이신."""
_LAST: Final = frozenset(word[-1] for word in (*_TENS, *_ONES))
_BEHIND_AGE: Final = ("살", "이시", "이신", "이십", "이세")


class Quantity(NamedTuple):
    """A number with its unit as it is written in a text."""

    number: float
    decimals: int
    unit: str = ""
    """Folded; empty if none is written."""
    second: float | None = None
    """The diastolic pressure of a pair."""
    compare: str = ""
    """`<`, `<=`, `>`, `>=`, `range`, or empty for an exact number."""
    about: bool = False
    end: int = 0
    then: bool = False
    """Whether it is said of an earlier time: 160/98에서 148/92로."""


def find_quantities(text: str, concept: Concept, start: int, end: int, limit: int) -> list[tuple[int, Quantity]]:
    """Find the quantities of the measurement mentioned at start:end of an answer, each with where it begins.

    The next measurement begins at `limit`. Two of them are then and now; the one that holds now comes last.
    """
    if "|" in text and (cells := find_timed_cells(text, start)):
        return _in_cells(text, concept, end, cells)
    stop = min(limit, end + _REACH, len(text))
    found = _NUMBER.search(text, end, stop)
    while found is not None and _DATED.match(text, found.end()):  # "혈압은 3월에 150/90", "LDL in 2023 was 160"
        found = _NUMBER.search(text, found.end(), stop)
    if found is None or _RHYTHM.search(text, end, found.start()):
        return _value_before(text, concept, start)
    value = _read(text, concept, found, text[end : found.start()])
    if value is None:
        return _value_before(text, concept, start)
    far = found.start() - end > _BARE_REACH and not _LEADING.search(text, end, found.start())
    if not value.unit and value.second is None and far:
        return []
    before = _value_before(text, concept, start)
    if before and not (concept.pair or _WAS.match(text, before[0][1].end)):
        before = []  # "AST 35 U/L ALT 40 U/L": of the neighbour
    first = found.start(), value
    if before and not value.compare:  # "154/96이던 혈압이 138/86입니다"
        return [(before[0][0], before[0][1]._replace(then=True)), first]
    return _then_and_now(text, concept, first, text[end : found.start()], limit)


def _in_cells(text: str, concept: Concept, end: int, cells: list[tuple[int, int, bool]]) -> list[tuple[int, Quantity]]:
    """The values of a row of a table with columns for then and now, those of then first."""
    values: list[tuple[int, Quantity]] = []
    for first, last, then in sorted(cells, key=lambda cell: not cell[2]):
        found = _NUMBER.search(text, max(first, end), last)
        value = _read(text, concept, found, text[first : found.start()]) if found else None
        if found and value:
            values.append((found.start(), value._replace(then=then)))
    return values


def _then_and_now(
    text: str, concept: Concept, first: tuple[int, Quantity], filler: str, limit: int
) -> list[tuple[int, Quantity]]:
    """A value, or two where the text tells of a change: "8.1%에서 7.2%로", "from 8.1 to 7.2", "to 84 from 91"."""
    value = first[1]
    later = _NUMBER.search(text, value.end, min(limit, value.end + _REACH, len(text)))
    while later is not None and _DATED.match(text, later.end()):
        later = _NUMBER.search(text, later.end(), min(limit, value.end + _REACH, len(text)))
    if later is not None and value.compare in ("", "range"):
        gap = text[value.end : later.start()]
        if _ANOTHER.search(gap):  # "칼륨이 3.8이고 콩팥 수치는 83이니": of something else
            return [first]
        second = _read(text, concept, later, gap.replace("->", " "))
        if second is not None and not second.compare and not _WITHIN.match(text, second.end) and "\n" not in gap:
            if _BACK.search(gap):
                return [(later.start(), second._replace(then=True)), (first[0], value._replace(compare=""))]
            if _NOW.search(filler):  # "지금의 8.2%에서 7.0%로": where it is to go
                return [(first[0], value._replace(compare=""))]
            changed = (_CHANGED.match(gap) or (_BACK_THEN.match(gap) and "from" in filler)) and (
                "에서" in gap or "던 " in gap or "→" in gap or "->" in gap or "from" in filler
            )
            if changed or _NOW.search(text, value.end, second.end + 12) or (_TREND.search(filler) and "," in gap):
                rest = _then_and_now(text, concept, (later.start(), second), filler, limit)
                return [(first[0], value._replace(then=True, compare="")), *rest]
    return [first]


def is_of_then(text: str, start: int, end: int) -> bool:
    """Whether the words around a value say that it is of an earlier time: 작년, 3개월 전, in 2023, used to be."""
    if not _THEN.search(text, max(0, start - 40), end + 24):
        return _is_of_earlier_row(text, start)
    first = max(text.rfind(mark, 0, start) for mark in _PARTS) + 1
    last = min((place for mark in (".", "\n", ",", "!") if (place := text.find(mark, end)) >= 0), default=len(text))
    around = text[max(first, start - 40) : min(last, end + 24)]
    return _THEN.search(around) is not None and _NOW.search(text, max(first, start - 40), end) is None


def _is_of_earlier_row(text: str, place: int) -> bool:
    """Whether a table has a later row of today than the one at a place: "| March | 170/100 |", "| Today | 138/84 |"."""
    row = text.rfind("\n", 0, place) + 1
    if label := _OF_YEAR.match(text, row):
        return _is_followed_by_later(text, row, label[1])
    if not text.startswith("|", row) or _NOW.search(_line(text, row)):
        return False
    while (row := text.find("\n", row) + 1) and text.startswith("|", row):
        if _NOW.search(_line(text, row)):
            return True
    return False


def _is_followed_by_later(text: str, row: int, year: str) -> bool:
    """Whether an item below one of a year is of a later year or of today: "- 2021: eGFR 58", "- now: 42"."""
    for _ in range(_ITEMS):
        row = text.find("\n", row) + 1
        label = _OF_YEAR.match(text, row) if row else None
        if not row or label is None:
            return bool(row and _OF_NOW.match(text, row))
        if label[1] > year:
            return True
    return False


def _line(text: str, start: int) -> str:
    end = text.find("\n", start)
    return text[start : end if end >= 0 else len(text)]


def changed_from(text: str, start: int, end: int) -> bool:
    """Whether a blood pressure is what another came from: "160/98에서 148/92로", "from 160/98 to 148/92"."""
    return bool(_FROM.match(text, end) or (text.endswith("from ", 0, start) and _CHANGED.match(text, end)))


def is_given(text: str, start: int, end: int) -> bool:
    """Whether a value is given, not supposed: "6.8%면 아주 잘하고 계신 거예요", "(eGFR 44)", but not "9.0%라면"."""
    if _GIVEN.match(text, end):
        return True
    if text.endswith("(", 0, start):
        return _ASIDE.match(text, end) is not None and not text.endswith("면(", 0, start)
    return _BY_AGE.search(text, max(0, start - _RECENT), start) is not None and _IS.match(text, end) is not None


def is_given_age(text: str, end: int) -> bool:
    """Whether an age is given with a value, or as a person's: "33세에 체질량지수 24.6이면", "68세 여성분으로서는"."""
    return _GIVEN_AGE.match(text, end) is not None


def is_of_this_one(text: str, start: int) -> bool:
    """Whether an age is the patient's, by whom a value is judged: "an eGFR of 78 is reassuring for a man of 61"."""
    if not text.endswith(_BEFORE_ONE, 0, start):
        return False
    return _AS_ONE.search(text, max(0, start - _JUDGED_FOR), start) is not None


def is_of_nobody(text: str, start: int) -> bool:
    """Whether an age is of nobody in particular: "A 60-year-old smoker has …", in a sentence that speaks to nobody."""
    if is_of_this_one(text, start):
        return False
    if text.endswith(" of ", 0, start):
        found = _ANYBODY_OF.search(text, max(0, start - 40), start) is not None
    else:
        near = any_in(_MAYBE_ANYBODY, text[max(0, start - 12) : start])
        found = near and _ANYBODY.search(text, max(0, start - 12), start) is not None
    if not found and not _AGE_GROUP.match(text, start):
        return False
    first = max(text.rfind(mark, 0, start) for mark in (". ", "\n", "! ", "? ")) + 1
    last = min((place for mark in (". ", "\n") if (place := text.find(mark, start)) >= 0), default=len(text))
    return _SOMEBODY.search(text, first, last) is None


def find_comparison(text: str, start: int, end: int) -> str:
    """How a value at start:end is compared (140/90 이상, below 130/80), or empty."""
    if after := _ABOVE.match(text, end):
        return _COMPARE[after[1]]
    before = _BELOW.search(text, max(0, start - 16), start)
    return _COMPARE.get(before[1], ">") if before else "range" if _RANGE.match(text, end) else ""


def find_dose(text: str, end: int) -> Quantity | None:
    """Find the quantity (dose) right after a drug mentioned in an answer, in milligrams if it is a mass."""
    found = _DOSE.match(text, end)
    if not found:
        return None
    number, unit = float(found[1]), found[2]
    factor = _MILLIGRAMS.get(unit)
    return Quantity(number * (factor or 1.0), 0, "mg" if factor else "unit", end=found.end())


def find_ages(written: str, text: str) -> list[tuple[int, int, Quantity]]:
    """Find quantities in an answer that are ages in years, as (start, end, age).

    A decade ("60대") is a range, "65세 이상" is no age, and 71M is one but 100m is not.
    """
    found = _spelt_ages(text)
    spoken = "age" in text or "나이" in text
    for match in _DIGITS.finditer(text):
        start, end = match.span()
        unit = "years"
        if (told := _YEARS.match(text, end)) and not (told.end() == end and written[end] in "mf"):
            end = told.end()
        elif match[0].endswith("0") and len(match[0]) == 2 and _DECADE.match(text, end - 1):
            unit, end = "decade", end + 1
        elif text[start - 2 : start] in ("f/", "m/"):
            pass  # F/54
        elif not ((spoken or end - start == 2) and _is_told_age(text, start, end)):
            continue
        years = float(match[0])
        if years <= 130 and not _AGE_BOUND.match(text, end) and not _AGE_LIMIT.search(text, max(0, start - 24), start):
            found.append((start, end, Quantity(years, 0, unit, end=end)))
    return found


def _spelt_ages(text: str) -> list[tuple[int, int, Quantity]]:
    """Ages in Korean words: 스물세 살, 예순둘이신."""
    found: list[tuple[int, int, Quantity]] = []
    if text.isascii() or not _may_spell_age(text):
        return found
    for match in _SPELT.finditer(text):
        start, end = match.span()
        years = _TENS.get(match[1] or "", 0) + _ONES.get(match[2] or "", 0)
        alone = match[2] is not None and match[1] is None and not match[0].endswith("살")  # 둘이시고: two of them
        if years and not alone and not _AGE_BOUND.match(text, end):
            found.append((start, end, Quantity(float(years), 0, "years", end=end)))
    return found


def _may_spell_age(text: str) -> bool:
    """Whether an age in Korean words may end somewhere; its end is found faster than its beginning."""
    for end in _BEHIND_AGE:
        place = text.find(end, 1)
        while place > 0:
            before = text[place - 1]
            if before.isspace() and end == "살" and place > 1:
                before = text[place - 2]
            if before in _LAST:
                return True
            place = text.find(end, place + 1)
    return False


def _is_told_age(text: str, start: int, end: int) -> bool:
    """Whether a bare number is an age: "You're 61, and …", "At 63 you …", "Age: 76"."""
    if not _PLAIN.match(text, end):
        return False
    if text[max(0, start - 3) : start] == "at ":
        if _AT_AGE.match(text, end):
            return True
        first = _BEGINNING.search(text, max(0, start - 16), start) is not None
        if first and _OF_MEASURE.search(text, max(0, start - _SAME_SENTENCE), start):
            return False  # "the aim has been an LDL under 70, and at 88 …"
        return first and start - 3 >= 0 and text[end : end + 1] in " ,." and not _NO_AGE.match(text, end)
    if _AGED.search(text, max(0, start - 20), start) is None:
        return False
    return _AGE_OF_LAW.search(text, max(0, start - 40), start) is None


def in_base_unit(value: float, concept: Concept, unit: str) -> float | None:
    """Convert a measured quantity of an answer or patient to its base unit; None if the unit is unknown."""
    if not unit or unit == concept.unit:
        return value
    if unit not in concept.units:
        return None
    factor, offset = concept.units[unit]
    return value * factor + offset


def agrees(said: Quantity, truth: float, concept: Concept, unit: str) -> bool:
    """Whether a quantity written in an answer equals the true one, in the unit and to the precision written."""
    base = in_base_unit(truth, concept, unit)
    factor, offset = concept.units.get(said.unit or unit or concept.unit, (1.0, 0.0))
    if base is None:
        base, factor, offset = truth, 1.0, 0.0
    there = (base - offset) / factor
    if said.compare and said.compare != "range":
        return {"<": there < said.number, "<=": there <= said.number, ">": there > said.number}.get(
            said.compare, there >= said.number
        )
    slack = 0.5 * 10.0**-said.decimals + 1e-9
    if (said.unit or unit) != (unit or concept.unit):
        slack += 0.005 * abs(there)  # published conversion factors differ in their third digit
    if said.about:
        slack = max(slack, 0.05 * abs(there))
    return abs(said.number - there) <= slack


def _read(text: str, concept: Concept, found: re.Match[str], filler: str) -> Quantity | None:
    number, decimals, end = _figure(found)
    second = None
    if concept.pair and (pair := _PAIR.match(text, end)):
        second, end = float(pair[1]), pair.end()
    elif not concept.pair and number >= _LEAST_SYSTOLIC and _PAIR.match(text, end):
        return None  # "혈압과 맥박도 122/76, 80회": the pressure
    unit, end = _unit(text, end, concept)
    if concept.key == "weight" and number < _LEAST_WEIGHT:
        return None  # "체중 1kg": what is gained or lost
    if _BY_MICROLITRE in concept.units and (myriads := _MYRIADS.match(text, end)):
        number, decimals, end = (
            number * 1e4 + float(myriads[1] or 0) * 1e3,
            decimals - (3 if myriads[1] else 4),
            myriads.end(),
        )
        unit = _BY_MICROLITRE
    elif second is None and (tens := _TENS_OF.match(text, end)) and (unit == "%" or number >= _LEAST_OF_TENS):
        step = 1.0 if unit == "%" else 10.0  # 160대, 7%대
        return Quantity(number + step / 2, 0 if unit == "%" else -1, unit, end=tens.end())
    if not unit and (_COUNTED.match(text, end) or text.startswith("%", end)):
        return None
    if text.startswith("당 ", end):  # 체중 1kg당
        return None
    if second is None and (_BY_SO_MUCH.match(text, end) or _MORE.search(filler)):
        return None
    compare = ""
    if _RANGE.match(text, end) or "between" in filler:
        compare = "range"
    elif after := _ABOVE.match(text, end):
        compare = _COMPARE[after[1]]
    elif before := _BELOW.search(filler):
        compare = _COMPARE.get(before[1], ">")
    about = bool(_ABOUT.search(filler) or _ROUGHLY.match(text, end))
    return Quantity(number, decimals, unit, second, compare, about, end)


_MYRIADS: Final = re.compile(r"만(?: ?(\d)천)?(?![가-힣]{0,2}(?:원|명|보|번))")
_BY_MICROLITRE: Final = "/ul"
_TENS_OF: Final = re.compile(r" ?(?:초반|중반|후반)?대(?=[를로에은는가이의였, .]|입니|까지)")
_LEAST_OF_TENS: Final = 100.0
"""Least number that is read as ten values and not as an age: 160대, but not 60대."""


def _figure(found: re.Match[str]) -> tuple[float, int, int]:
    digits = found[1].replace(",", "")
    fraction = found[2] or ""
    return float(f"{digits}.{fraction}" if fraction else digits), len(fraction), found.end()


def _unit(text: str, end: int, concept: Concept) -> tuple[str, int]:
    """The longest unit of the measurement at a place, and where it ends."""
    at = end + 1 if text.startswith(" ", end) else end
    best = ""
    for unit in concept.units:
        if unit and len(unit) > len(best) and text.startswith(unit, at):
            after = text[at + len(unit) : at + len(unit) + 1]
            if not (unit[-1].isascii() and unit[-1].isalpha() and after.isascii() and after.isalnum()):
                best = unit
    return (best, at + len(best)) if best else ("", end)


def _value_before(text: str, concept: Concept, start: int) -> list[tuple[int, Quantity]]:
    """ "a 9.9% HbA1c", "9.9%의 당화혈색소": only with a unit, for any number may precede a word."""
    for found in _NUMBER.finditer(text, max(0, start - 24), start):
        number, decimals, end = _figure(found)
        second = None
        if concept.pair and (pair := _PAIR.match(text, end)):
            second, end = float(pair[1]), pair.end()
        unit, end = _unit(text, end, concept)
        if (unit or second) and end <= start and _LEADS.fullmatch(text, end, start):
            return [(found.start(), Quantity(number, decimals, unit, second, end=end))]
        if not unit and end <= start and _AT.fullmatch(text, max(0, found.start() - 4), start):
            return [(found.start(), Quantity(number, decimals, end=end))]
    return []
