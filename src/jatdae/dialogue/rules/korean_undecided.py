"""Whether a Korean sentence that speaks for a thing leaves open that this patient takes it now: 추가할 수도 있습니다.

What may be added later, what depends on a test, what a prescriber would choose, and how a taper usually goes is no
advice to take anything today.
"""

from __future__ import annotations

import re
from typing import Final

_GIVEN: Final = (
    r"(?:추가|시작|처방|도입|변경|전환|병용|증량|투여|더|올리|바꾸|바꿔 ?드리|넣|보태|권하|권해 ?드리|고려|검토)"
)
_TESTED: Final = (
    r"(?:검사|결과|수치|칼륨|콩팥|신장|크레아티닌|경과|상태|심장 초음파|내시경|외래|진료|진찰|간 수치|소변)"
)
_OPEN: Final = re.compile(
    rf"X[^.]{{0,40}}? {_GIVEN}\S{{0,4}} 수도 있"
    rf"|X[^.]{{0,40}}? (?:\S+게 (?:될|되실) (?:수도?|가능성)|{_GIVEN}\S{{0,3}}지도 모)"
    r"|X[^.,]{0,24}? [가-힣]+게 (?:되면|되시면|된다면|되신다면|될 때|되실 때|되는 경우|될 경우)(?! (?:됩|돼|되|좋"
    r"|괜찮))"
    r"|X[^.,]{0,24}? 처방(?:받으시면|받으면|되면|받게|받는 경우|될 때|받으실 때|받으셨다면|받았다면)(?! (?:됩|돼|되|좋"
    r"|괜찮))"
    rf"|{_TESTED}\S{{0,3}} (?:\S+ ){{0,5}}?\S*(?:면|서|고|아|따라|뒤|후|다음)(?:에|에는|에야)? (?:\S+ )?X[^.]{{0,30}} "
    r"(?:\S+ 수도 있|\S*(?:계획|예정|생각|검토|고려)\S*|"
    r"\S+ (?:것|수)도 (?:좋|방법|가능)|[가-힣]+ (?:방법|길|선택)[도이] 있)"
    r"|(?:보통|대개|흔히|일반적으로|통상)\S{0,2} [^.]*X[^.]* (?:식으로|순서로|방식으로|차례로) (?:가|진행|줄|합|해|하)"
    r"|X[^.]{0,40}? (?:쓰는|쓰기도|처방하는|택하는|고르는) (?:분|의사|병원|의료진|선생님|나라|경우)\S{0,2} (?:있|많|계)"
)
_DECIDED: Final = re.compile(
    r"(?:[가-힣]+과|병원|의사|전문의|주치의|담당의?|선생님|진료|외래|약사)\S{0,3} [^.?!\n]{0,40}"
    r"(?:보고|살펴|진찰|검사|확인)[^.?!\n]{0,24}(?:정하|정할|결정|판단|처방|고르|고릅|골라)"
    r"|(?:처방|선택|결정|시작 여부)\S{0,6} [^.?!\n]{0,20}(?:의사|전문의|주치의|담당|선생님|[가-힣]+과)\S{0,3}"
    r" [^.?!\n]{0,16}(?:정하|정합|결정|판단|몫)"
)
"""Who decides on it, behind what is said for it: 이비인후과에서 콧속을 보고 정하는 것이 순서입니다."""
_HELPS: Final = re.compile(
    r"X\S{0,2} (?:\S+ ){0,3}?(?:도움이 (?:됩|돼|되)|효과가 (?:있|좋)|효과적|잘 듣|쓰입|쓰이|쓰여|필요합|필요할)"
)


def is_left_open(frame: str) -> bool:
    """Whether a sentence with X leaves open that the patient takes X."""
    return _OPEN.search(frame) is not None


def is_left_to(frame: str, after: str) -> bool:
    """Whether a sentence says what X is good for, and the one behind it who decides on it."""
    return _HELPS.search(frame) is not None and _DECIDED.search(after) is not None
