"""What behind a Korean name makes it a cause, an owner, a subject or an event, and nothing else."""

from __future__ import annotations

import re
from typing import Final

CAUSE: Final = re.compile(" (?:때문|탓)|(?:으?로) 인(?:해|한)")
OWNS: Final = re.compile("의 (?!복용|섭취|사용|투여|투약|음용)")
"""What follows is of something that belongs to it: 심바스타틴의 혈중 농도."""
SPOKEN_OF: Final = re.compile("에 (?:대한|관한) |에[는도만]? (?:[가-힣]+ )?[가-힣]+[이가] ")
"""What is spoken of is something else: 아스피린에 대한 안내, 세팔렉신에는 교차 반응이 있어."""

ONCE: Final = re.compile(
    r" (?:한|두) ?(?:번|차례)(?:이라도|[이만에]|(?:만)?으로)[도는만]? [^.!?\n]{0,40}?[가-힣] 수[도는가]? ?있"
)
"""What makes a condition an event that may come: "골절 한 번이 생활을 바꿀 수 있습니다"."""
_ASKED: Final = re.compile(r"(?:드|쓰|맞으|바르|하|받으)시고,? *\Z")


def is_asked_for(text: str, start: int, end: int) -> bool:
    """Whether a clause after a condition asks for what it names: "머리가 아플 때는 타이레놀을 쓰시고"."""
    return _ASKED.search(text, start, end) is not None
