"""Alarm signs: a symptom that an answer names as a reason to seek care at once is a condition, whoever has it.

"Black stools mean a call to us the same day", "Warning signs are …", "검은 변은 응급 신호입니다".
"""

from __future__ import annotations

import re
from typing import Final

from jatdae.dialogue.reading.context import Context
from jatdae.dialogue.reading.mention import Mention
from jatdae.dialogue.reading.statuses import CONDITIONAL, HEDGED, NOT_PATIENT
from jatdae.dialogue.reading.words import any_in

_AT_ONCE: Final = re.compile(
    r"\b(?:warning|danger|alarm) signs?\b|\bred flags?\b|\b(?:is|are|would be) (?:an emergency|emergencies)\b"
    r"|\breasons? to (?:call|stop|come|go|ring|seek|phone|be seen)\b"
    r"|\b(?:mean|means|calls? for|needs?|warrants?|deserves?|requires?) (?:that |a |an |you |we |us |the |to |stop "
    r"|come "
    r"|go |get |prompt |urgent |immediate |same-day |emergency )*(?:call|visit|pause|stop|ambulance|emergency|hospital"
    r"|er\b|care|review|ring|911|999|seen|checked)"
    r"|\b(?:call|ring|come|go|seek|phone|get)\b[^.]{0,40}(?:911|999|ambulance|emergency|hospital|at once|immediately"
    r"|right away|straight away|the same day|without delay)"
    r"|(?:경고|위험|응급) ?(?:신호|증상|징후)|응급실|119|지체 ?(?:없이|말고|하지)|즉시|곧장|곧바로|그날 바로|바로 (?:오"
    r"|연락|병원|내원|알려)"
)
_MAYBE: Final = (
    "sign", "red flag", "emergenc", "reason", "mean", "call", "need", "warrant", "deserve", "require", "911", "999",
    "ambulance", "hospital", "at once", "immediately", "right away", "straight away", "the same day", "without delay",
    "경고", "위험", "응급", "119", "지체", "즉시", "곧장", "바로",
)  # fmt: skip
"""One of these is in such a sentence: asked first, because that is much faster."""
_NOT: Final = re.compile(
    r"\bnot an? (?:emergency|red flag|reason)|\bno need\b|\bneed not\b|\bdon't need\b"
    r"|\?\s*$|필요는 없|아닙니다|아니에요"
)


def mark_alarms(mentions: list[Mention], text: str, context: Context) -> None:
    """Make conditions of symptoms of which nothing is said of the patient, where their sentence sends them to care."""
    sends, end = False, -1
    for at, mention in enumerate(mentions):
        if mention.status in (NOT_PATIENT, HEDGED) and mention.concept.category == "symptom":
            if mention.start >= end:
                first, end = context.sentence_at(mention.start)
                sends = any_in(_MAYBE, text[first:end]) and _AT_ONCE.search(text, first, end) is not None
                sends = sends and _NOT.search(text, first, end) is None
            if sends:
                mentions[at] = mention._replace(status=CONDITIONAL, subject="patient")
