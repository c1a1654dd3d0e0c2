"""What makes a Korean sentence say plainly that something is, or is not, the patient's: "…을 드시고 계시니"."""

from __future__ import annotations

import re
from typing import Final

_CLOSED: Final = r"[*\"'”’」)]*(?:\([^)\n]{0,40}\))?[*]*"
_AMOUNT: Final = r"(?: ?(?:\d[\d.,/]*|한|두|세|반) ?(?:mg|mcg|g|밀리그램|단위|정|알|%|번|회)?[a-z]*(?:씩)?)?"
_NOUN: Final = (
    r"(?: ?(?:성분|복합제|서방정|제제|흡입제|흡입기|주사제|주사|패치|연고|점안액|환자|보유자|병력|과거력|진단|증상|소견"
    r"|자체"
    r"|이라는|라는|하는|기|증|병|제|정|약))*"
)
_PARTICLE: Final = (
    r"(?:까지도|까지| ?때문에| 탓에| 덕분에| 덕에| 덕| 외에도| 말고도|으로|로|에|의|도|만)?(?:[은는이가도을를])?"
    r"(?: ?(?:치료|수술|시술|진단|병력|과거력|이력|기왕력|약)[을를은는이가도]?)?,?"
)
_NAME: Final = _CLOSED + _AMOUNT + _NOUN + _PARTICLE
"""What belongs to a name, up to its particle: " 50mg(성분) 서방정까지도"."""
_ENDED: Final = (
    r"지만|는데|면서?|으니|[시으]니|므로|어서|아서|셔서|니까|[다요까죠][.!?]|니다|[어아네]요|것[이은을도]?|때|경우"
    r"|분[은이께도들]?|사람|환자들?[은이]?|[하되시으있계보받먹쓰앓없많높낮좋]고|며|거나|도록|두고|들어|담겨|섞여"
    r"|포함\S*|[다라자냐]고|[는은]"
    r" (?:데|것)|보다"
    r"|보다는"
    r"|에는|에게|일[은이도](?= (?!있으))|[드키기오되나]는"
    r"|(?:선생님|의사|교수|전문가)[은이도들]?"
)
_BETWEEN: Final = rf"(?: (?!\S*(?:{_ENDED})(?: |$))[\w가-힣/%.~()-]{{1,10}}){{0,6}}? ?"
"""Words between a name and its predicate, of which none ends a clause or names somebody else."""
_HAS: Final = (
    r"있으[시신십셨세셔]|있으니|있으므로|있는 (?:상태|분이|편이|만큼)|있습니다|있어서(?! (?:드리|쓰는|처방|생기|생긴"
    r"|오는))|있어(?!서)|있고|있는데|있지만|있네|있었"
    r"|있던"
    r"|계[시신십셨세셔]|앓[고으은았]|앓아 |진단(?:을|도)? ?받|진단되|겪으[시신셨셔]|겪고|지니|[가갖](?:지)?고 계|가지신"
    r"|동반(?:되[어었신]|된|돼|하고 계|하신|하셨)"
    r"|관리 ?중|관리(?:하고|받)|(?:치료|추적|추적 관찰|조절) ?중|치료(?:를|도)? ?(?:받|하고)|조절하고 계|조절되고"
    r"|지내고 계"
    r"|입원하[셨셔신]|이신|이시|이세요|이십|인 데다|인 만큼"
    r"|을? ?받으(?:셨|셔|신 (?:뒤|후|적|분|상태|이후|지|만큼|데|이력|쪽))|하신|하셨|하셔서|넣으[신셨셔]|제거하[신셨셔]"
    r"|생기셨|생겼"
    r"|걸리[셨신셔]|부러지[셨신]|남아 ?있|심[어으]|삽입|확인되|나와 있|기록되|적혀 ?있|올라와 ?있"
)
"""Predicates of having, honorific or as a record has them."""
_TAKES: Final = (
    r"복용 ?(?:중|이력)|복용하(?:고|시고|시는 (?:중|만큼|데|상태)|시니|시며|시므로|시기 때문|십|셨|신|셔|다)|복용해"
    r" ?[오왔]"
    r"|병용(?: ?중|하고|하시)|투여 ?(?:중|받)|투약 ?중|처방 ?(?:받|되|중)|드시고(?! (?:싶|나))|드시는 (?:중|만큼|데"
    r"|상태|동안에도|터라|것으로)"
    r"|드시(?:니|므로|며|기 때문|네|지만|다 ?보|면서|던)|드십니|드신 ?(?:지|다|적|뒤로)|드셨|드셔 ?[오왔서]|먹고|쓰시고"
    r"|쓰고"
    r"|쓰시(?:는 (?:중|만큼|데)|니|므로|며|지만)|쓰십니|사용 ?중|사용하(?:고|시고|시는 (?:중|데)|시니|시므로|십니)|맞고"
    r"|맞으시(?:고|는 (?:중|데)|니|므로|며)|맞으십니|맞으신 지|맞으셨|흡입하고|흡입 ?중|붙이고|바르고|유지 ?중|유지하고"
    r" 계"
    r"|시작하[셨신]|추가로 드|나가고 있|(?<=로 )(?:드시는|쓰시는|맞으시는|복용하시는) "
)
"""Predicates of taking, in forms that state and neither advise nor suppose."""
_SAYS: Final = re.compile(
    rf"{_NAME}{_BETWEEN}(?:{_HAS}|{_TAKES})|{_CLOSED}으?로 (?:수술|시술|치료|입원)[을를] 앞두고 계"
)
_COMMENT: Final = re.compile(
    rf"{_CLOSED}{_AMOUNT}{_CLOSED} ?(?:[:：–—|-]|→)+[* ]*[^\n]{{0,60}}?"
    r"(?:(?:현재|지금) [^\n.]{0,12}?(?:드시|쓰시|맞으시|복용|투여)"
    r"|(?:드시는|드시던|쓰시는|맞으시는|복용 중인|복용하시는|처방받으신) ?(?:용량|양|대로|시간)"
    r"|(?:드시고|맞고|쓰고|복용하고|맞으시고) 계|복용 ?중|투여 ?중|사용 ?중)"
)
_KEPT: Final = re.compile(
    rf"{_CLOSED}{_AMOUNT}{_NOUN}[은는을를도]? (?:지금처럼|그대로|하던 대로|드시던 대로|지금 용량|기존대로|계속 (?:드"
    rf"|복용|유지|쓰|맞))"
)
_BEHIND: Final = (_SAYS, _COMMENT, _KEPT)
_OWNED: Final = re.compile(
    r"(?:복용 ?중(?:이신|인|이시던)?|복용하(?:시는|고 계신|시던)|드시(?:는|던)|드시고 (?:계신|있는)|(?:먹|맞|쓰|바르"
    r"|복용하|사용하|흡입하)고 있는|먹는|맞으시는|맞고"
    r" 계신"
    r"|앓고 (?:계신|있는)|앓으신|앓으셨던|있으신|[가갖](?:지)?고 계신|가지신|처방받으신|처방된|처방받은|쓰시는|쓰고"
    r" 계신|쓰던"
    r"|쓰시던|사용하시는|사용 ?중인|진단받으신|진단받은|받으신|받고 계신|투여 ?중인|환자분처럼|기저질환(?:인|으로|은)?"
    r"|지병인"
    r"|겪으신|관리하시는|치료받으시는|맞고 계시는) (?:[가-힣]{1,6}(?:약|제|질환|병)?(?:인)? ){0,2}[*\"'‘“]*$"
)
_NOTED: Final = re.compile(
    r"(?:^[\W\d]*(?:진단|질환|약|병명|약물)(?= ?:)|\d세(?: ?(?:남|여)(?:성|자)?)?|병력|과거력|기저질환|동반 ?질환"
    r"|진단명"
    r"|복용 ?약|투약|처방|현병력|s/p)[,:：)]* "
    r"(?:(?!\S*(?:지만|는데|면|니|므로|서|[다요]|것|때|는|은|보다|보다는|고|며)(?: |$))[\w가-힣/%.,·()+-]{1,14}"
    r" ){0,4}$",
    re.M,
)
_IN_ENGLISH: Final = re.compile(
    r"(?:환자분?|본인|[가-힣]님)[은이께]? (?:[a-z]+ )?(?:taking|takes|on|using|has|having|had|diagnosed with) (?:[a-z]+"
    r" )?$"
)
_BEFORE: Final = (_OWNED, _NOTED, _IN_ENGLISH)
_DENIES: Final = re.compile(
    rf"{_NAME}{_BETWEEN}"
    r"(?:(?:앓|드|복용하|복용한|맞으|쓰|사용하|받으|진단받으|겪으|있으|먹은|걸리|하)[가-힣]{0,3} ?(?:적|경험|일|이력|것"
    r"|상태|중)?"
    r"[은는이도]? ?(?:없|아니|않)|(?:드시|복용하|쓰|쓰시|맞|맞으시|먹|사용하|하|가지|앓|받)고 (?:있지|계시지)는? ?(?:않"
    r"|못)"
    r"|없[으습는다고어네지]|없었|안 (?:드시|드십|계|쓰|맞|먹|하고|하시)|(?:드시|복용하시|쓰시|복용하|먹)지 (?:않|는 않)"
    r"|해당[되하]지 않|아니(?:시|십|므로|니|라서|고|지만)|아닙|음성|배제)"
    rf"|{_CLOSED} ?(?:[:：–—|-]|→)+[* ]*(?:[가-힣]{{1,5}} )?(?:없음|없으|없습|음성|해당 없|미복용|복용 안|\(-\))"
    r"|[이가] 아니라 [^.!?\n]{0,30}(?:드시|복용|맞으시|쓰시)"
)


_CHOICES: Final = re.compile("(?:선택지|대안|후보|다른 방법|다른 약|종류)(?:로|으로|에)?[는은도] ")
"""What before a name makes it one of what there is to choose: "다른 선택지로는 …이 있습니다"."""
_MEETS: Final = re.compile("[이가을를과와]? ?(?:함께 |같이 )?(?:겹[치쳐]|만나|섞|더하)[가-힣]{0,2}면?")
"""What makes a name one of two that may come together: "리리카와 졸피뎀이 겹치면"."""


def is_aside(text: str, start: int, end: int, first: int, last: int) -> bool:
    """Whether what start:end names is only spoken of: "리리카와 졸피뎀이 겹치면"."""
    return _MEETS.match(text, end, last) is not None or _CHOICES.search(text, first, start) is not None


def says(text: str, start: int, end: int, first: int, last: int) -> bool:
    """Whether the sentence at first:last of a folded text says plainly that the patient has what start:end names."""
    name = text[start:end]
    for each in _BEHIND:
        found = each.match(text, end, last)
        if found and name not in found[0]:  # "**파킨슨병** 파킨슨병을 앓고 계셔서": said where it is named again
            return True
    return any(each.search(text, first, start) for each in _BEFORE)


def denies(text: str, start: int, end: int, first: int, last: int) -> bool:
    """Whether the sentence at first:last says plainly that the patient does not have what start:end names."""
    return start < last and first <= start and _DENIES.match(text, end, last) is not None
