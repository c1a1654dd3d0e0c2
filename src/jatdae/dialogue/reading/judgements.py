"""Judgements of what is measured, without its value: "신장 기능은 정상입니다", "your sugars are well controlled"."""

from __future__ import annotations

import re
from typing import Final

from jatdae.dialogue.reading.denials import Judged, turn

_REACH: Final = 32
"""How far after what is judged the judgement may stand, in characters."""
_ENDS: Final = re.compile(r"[.,;!?\n]|\b(?:if|when|unless)\b|지만|는데|[시으하되이]면 |[시으하되이]니 |므로|때라|라서")
_ADVISED: Final = re.compile(
    r"(?:[가-힣]면|[아어여해셔와려져라워]도|[가-힣] (?:[것게건]이?|[편쪽]이|데))\s*(?:더 |가장 |제일 )?$"
)
"""What before 좋습니다 and 괜찮습니다 makes them advice: 걷는 것이 좋습니다."""
_EVENT: Final = re.compile(r"급격|갑자기|순간|과도하게|지나치게|너무 많이|확 |뚝 ")
"""What makes a fall or rise something that may happen, and no state: "혈압이 급격히 떨어져 위험합니다"."""
_WORDS: Final = (
    (
        "normal",
        r"(?<!비)정상|양호|(?<!안 )괜찮|(?<!불)안정적|(?<!안 )좋(?:으시|으십|습|네|은 편|아졌)|(?:이상|문제"
        r"|걱정)[은이가도는]?\s?(?:전혀 "
        r"|할 (?:것|게) )?없|걱정(?:할|하실) (?:정도|수준|단계|필요)[은는가도]? ?(?:아니|아닙|아닌|없)"
        r"|잘 (?:조절|유지|관리|되)"
        r"(?!하(?:시는|는) (?:것|게|편|쪽|일)|해야|하셔야|하시?면|하세요|하십|하시?도록|하기|하려)",
    ),
    (
        "low",
        r"낮(?:으|습|은 편|아졌|네|게 나|(?=지[는도]? ?않))|떨어지(?=지[는도]? 않)|떨어(?:져(?! ?(?:위험|쓰러|어지|실신"
        r"|의식|응급|심|뇌|낙상))|졌|지(?!면"
        r"|거나|는(?! 편)|기|도록|지))|저하되(?!면|거나"
        r"|는|기)|감소[했하되](?!면|거나|는|기)|줄어[들든들](?!면|거나|는|기)",
    ),
    ("high", r"(?<!안 )높(?:으|습|은 편|아졌|네|게 나|아요|아서|(?=지[는도]? ?않))|올라 ?있|상승[했하되]"),
    (
        "abnormal",
        r"나빠[져졌지]|약해[져졌지]|좋지 않|안 (?:좋|괜찮)(?=[으습은아네])|비정상|불안정"
        r"|잘 안 [되돼됩된]|조절[이은]? ?(?:불량|미흡)"
        r"|(?:조절|관리)[이은는가도]? ?(?:잘 |제대로 )?(?:안 [되돼됩된됐]|못 하|(?:되|이루어지|하)지 ?[않못])",
    ),
    ("not_high", r"안 높(?=[으습은아네])"),
    (
        "normal",
        r"\b(?:normal(?:ly)?|fine|good|healthy|okay|spot[- ]on|in range|within range|within (?:the )?limits"
        r"|excellent|great|preserved|adequate|intact|ideal"
        r"|reassuring|(?:well|nicely|beautifully|perfectly|fully|tightly)[- ](?:controlled|managed)"
        r"|under (?:good )?control|(?:on|at|to) (?:goal|target)|where (?:it|we) (?:should|want)|perfect"
        r"|unremarkable)\b",
    ),
    ("low", r"\b(?:low|reduced|decreased|too low|down|impaired|poor)\b"),
    ("high", r"\b(?:high|elevated|raised|too high)\b"),
    (
        "abnormal",
        r"\b(?:abnormal|declining|failing|uncontrolled|out of control|unhealthy|suboptimal|off target|out of range"
        r"|(?:poorly|badly|inadequately) (?:controlled|managed))\b",
    ),
)
_ANY: Final = re.compile("|".join(pattern for _, pattern in _WORDS) + "|problem|issue|trouble|concern")
"""Any of them: most of what is measured is not judged, and one search tells."""
_JUDGED: Final = tuple((says, re.compile(pattern)) for says, pattern in _WORDS)
_VERB: Final = re.compile(
    r"\s*(?:is|are|was|were|being|looks?|remains?|seems?|came back|stays?|works?|:|[-–]\s)"
    r"|.*?(?:\b(?:is|are|was|were|look)\b|:)"
)
_OF_VALUE: Final = re.compile(
    r" ?(?:mm ?hg|mg/dl|mmol/l|meq/l|g/dl|ml/min[^ .,;]*|%|bpm)?[)*_]*(?:,? which|, and (?:that|this|it)"
    r"|(?:[.!]|,? –|,? —)\s+(?:so )?(?:that|this|it|both))?(?:'s| is| are| was| were| falls| sits| lies) "
    r"(?:(?:still|also|all|actually|completely|perfectly|entirely|absolutely|totally|quite|well|right|comfortably"
    r"|nicely"
    r"|pretty much) )*"
    r"(?:normal\b(?! (?:blood|range|limit))|(?:with)?in (?:the |a )?(?:normal|healthy) (?:range|limits)\b)"
    r"(?! (?:after|during|when|in|as|on|with|if|at))"
)
"""A value that is called normal, at once or in the sentence after it: "156/97. That is within the normal range"."""
_FREE: Final = re.compile(r"no (?:\w+ ){0,2}$")
_PROBLEM: Final = re.compile(r"\s*(?:problems?|issues?|trouble|concerns?)\b")
_BEFORE: Final = re.compile(r"(?:정상(?:적인)? |\bnormal )$")


def find_judgement(text: str, start: int, end: int) -> tuple[Judged, int] | None:
    """How what is named at start:end is judged, and where the judgement ends; None if it is not."""
    if not _ANY.search(text, max(0, start - 8), min(len(text), end + _REACH)):
        return None
    if (problem := _PROBLEM.match(text, end)) and _FREE.search(text, max(0, start - 24), start):
        return "normal", problem.end()  # "No potassium problem here."
    stop = min(len(text), end + _REACH)
    if mark := _ENDS.search(text, end, stop):
        stop = mark.start()
    best: tuple[int, Judged, int] | None = None
    for says, pattern in _JUDGED:
        found = pattern.search(text, start, stop)
        if found is None or _ADVISED.search(text, end, found.start()) or _EVENT.search(text, end, found.start()):
            continue
        if found[0].isascii() and not _VERB.match(text, end, found.start() + 1):
            continue
        if best is None or found.start() < best[0]:
            best = found.start(), says, found.end()  # type: ignore[assignment]
    if best:
        at, says, to = best
        turned = turn(text, end, (at, to), says, start)
        return (turned, to) if turned else None
    return ("normal", end) if _BEFORE.search(text, max(0, start - 8), start) else None


def find_called_normal(text: str, end: int) -> int:
    """Where it ends that a value which ends at `end` is called normal in so many words; 0 if it is not."""
    found = _OF_VALUE.match(text, end)
    return found.end() if found else 0
