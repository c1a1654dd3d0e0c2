"""Items of Korean lists: comments to what is taken, by what a disease is known, and what is to be ticked."""

from __future__ import annotations

import re
from typing import Final

from jatdae.dialogue.reading.ahead import Ahead

TAKEN_SO: Final = re.compile(
    r"(?:현재|지금) ?(?:드시는|쓰시는|맞으시는|복용)|(?:드시는|드시던|쓰시는|맞으시는|복용 중인"
    r"|복용하시는) ?(?:용량|양|대로|시간)"
)
"""What in the comment to a drug tells that it is taken: "현재 드시는 용량을 …"."""
WHETHER: Final = re.compile("(?:시작|추가|사용|처방|투여) 여부")
"""What in it leaves open whether it is taken: "로사르탄: 추가 여부는 …"."""
_HANGUL: Final = re.compile("[가-힣]")
_ON_RECORD: Final = re.compile(
    r"진단|복용|투약|투여|치료|조절|관리|수술|시술|앓|전부터|안정|유지|경과|추적|완치|호전|관해|확인|해당|양호|정상|없"
    r"|중[이인,.) ]|드시|드세|계[시세셔십]|[으하이]시|[으하이]셨|받으|최근|현재|지금|작년|\d{4}|\d ?(?:%|mg|점|년|개월)"
)
"""What in the comment to a condition tells of a patient and not of the condition: "고혈압: 10년 전 진단"."""
_PLAIN: Final = re.compile("(?<!니)다[.)]?[ *_]*$")
"""The end of a line in the plain style of lists to be ticked."""
_BOX: Final = re.compile(r"\s*(?:[-*] )?(?:[□▢◻☐]|\[ ?\])")
_GIVEN_UP: Final = re.compile(
    r"[^.!?\n]*?(?:(?:중단|중지)하|끊|멈추|거르|건너뛰|빼먹|빠뜨리|그만두|(?:임의로|함부로|마음대로|스스로|갑자기)"
    r" [^\n]{0,8}(?:쉬|줄이|빼|바꾸|조절하|변경하))(?:시)?(?:는 (?:것|일|행동)|기)\W*$",
    re.M,
)
"""An item that names what is given up, as nobody should: "- 약을 임의로 중단하는 것"."""
_HOW_TO: Final = re.compile(r"(?:법|요령|수칙|순서|팁|이유|까닭|시간|시기|때)\W*$")
_IF_SO: Final = re.compile("(?:다음|아래|이런|여기)[^.\\n]{0,30}(?:해당|이?면|의심|경우|신호|때)")
"""What above a list tells what holds for whoever ticks its items: "다음 중 세 가지 이상이면"."""


def describes(ahead: Ahead, start: int, end: int) -> bool:
    """Whether the comment at start:end tells by what its label is known: "석회성 건염: 밤에 갑자기 아픔"."""
    return ahead.has(_HANGUL, start, end) and not ahead.has(_ON_RECORD, start, end)


def gives_up(text: str, start: int) -> bool:
    """Whether the line from `start` on names the giving up of what is named there."""
    return _GIVEN_UP.match(text, start) is not None


def teaches(heading: str) -> bool:
    """Whether a heading announces how or when something is done: "잘 드시는 법"."""
    return _HOW_TO.search(heading) is not None


def is_to_check(text: str, start: int, end: int, above: tuple[int, int] | None) -> bool:
    """Whether the line at start:end, of a list below the line `above`, is one to be ticked: "□ 고혈압이 있다"."""
    if not _PLAIN.search(text, start, end):
        return False
    return _BOX.match(text, start) is not None or (above is not None and _IF_SO.search(text, *above) is not None)
