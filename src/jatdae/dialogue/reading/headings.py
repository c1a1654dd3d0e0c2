"""Headings and labels of an answer under which the patient's own record stands: "Your medicines", "Meds: …"."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from jatdae.dialogue.reading.patterns import Span

_RECORD: Final = re.compile(
    r"(?:복용|투약|처방|현재|진단|병력|질환|검사|검진|혈액|측정|활력|환자|오늘|이번|최근|기저|드시는|약|나의"
    r"|내)[가-힣]{0,4}\s?"
    r"(?:[가-힣]{1,6}\s){0,3}(?:목록|리스트|내역|소견|결과|수치|기록|현황|요약|정보|약물|약|질환|징후"
    r"|상태)(?: (?:확인|요약|정리|점검|보기"
    r"|안내))?(?:[은는:\s*_]|입니다|$)"
    r"|\A[\W\d]*(?:(?:과거|현재|주요|동반|환자분?의?|본인의?) ?)?(?:병력|과거력|기왕력|현병력|지병|진단명|진단받으신 병"
    r"|(?:앓고|가지고|갖고|관리하고) (?:계신|있는) (?:병|질환|질병)들?)\W*\Z"
    r"|\b(?:your|current|active|home|pre-?op|post-?op|discharge|admission|today's|latest|recent|lab|test|medication"
    r"|medicine|problem|vital|patient|medical|blood)\b[\w' -]{0,16}"
    r"\b(?:list|lists|results?|readings?|numbers|values|findings|medications|meds|medicines|conditions|problems|signs"
    r"|diagnos[ie]s|history|labs|vitals|summary|record|records|figures|overview|snapshot|profile|tablets|pills|inhalers"
    r"|drugs|regimen|prescriptions)\b"
    r"|\bwhat you(?:'re| are| already| currently| now)* (?:use|using|take|taking|have|on|live with|living with)\b"
    r"|\b(?:per|from|in|on) (?:your|the) (?:chart|records?|file|notes|list)\b"
    r"|^\W*(?:meds?|medicines|medications|conditions|diagnos[ie]s|rx|pmhx?|past medical history|on file|on record)\b"
)
"""Headings over what is on the patient's record."""
_TAKEN: Final = re.compile(
    r"(?:복용|드시는|드시고|투약|처방|사용|쓰시는|맞으시는|맞고|쓰고|먹는|먹고)[가-힣 ]{0,8}"
    r"(?:약|약물|약제|약들|의약품|목록|내역|리스트|현황|흡입제|주사제?|치료제)(?:[은는:\s*_|]|입니다|$)"
    r"|\A[\W\d]*(?:(?:환자분|본인)의? )?(?:현재|지금|요즘)[의은는]? ?(?:약물? ?)?"
    r"(?:약|약물|약제|처방|투약|복용|치료|치료제|치료약|흡입제|주사제?)\W*\Z"
    r"|\A[\W\d]*(?:투약|복용 ?약|복약|복용 ?약물|처방 ?약|투약 ?약물|상용 ?약)\W*\Z"
)
_NO_RECORD: Final = re.compile(
    r"정상|목표|기준|참고|권장|추천|주의|피해|피할|금지|위험|부작용|다음|앞으로|필요|새로|추가|검토|가능|수 있|대체"
    r"|대안|후보|옵션|선택|흔[히한]|주로|대표|표준|되는"
    r"|(?<![침녁심전후밤복])에 (?:[가-힣]{2} )?(?:쓰|먹는|사용|처방)"
    r"|\b(?:normal|target|goal|goals|reference|recommended|suggested|avoid|options?|next|new|possible|common|typical"
    r"|side|if|should|questions?|ask|to|that|which|might|may|can|could|used|other|alternatives?|ideas?|check|tests)\b"
)
_LABEL: Final = re.compile(r"[\s#>*_•·▪◦‣–—☐☑✓✅-]*(?:\[[ x]?\]\s*)?(?:\d{1,2}[.)]\s*)?([^:\n.!?|]{1,48}):[*_]*(?=\s)")
"""What stands before a colon at the beginning of a line: "Medicines in hand luggage: …"."""
_NOTE: Final = re.compile(
    r"(?:s|o|a|a/p|assessment|impression|dx|diagnos[ie]s|problems?|problem list|hx)\Z"
    r"|(?:every |in the |at |with |after |before )?(?:morning|noon|midday|evening|bedtime|night)s?(?: \(.*)?\Z"
    r"|(?:once a week|weekly|as needed)\Z"
)
"""Labels of a note under which the patient's conditions stand, and of times at which medicines are taken."""
_ASKS_WHAT: Final = re.compile(r"[\W\d]*(?:why|what|how|which|when|where|who)\b(?! (?:could|might|may) )[^?]*\?")
"""A heading that asks for what its items answer, and doubts none of them: "Why not?"."""
_OFFERS: Final = re.compile(
    r"[\W\d]*(?:(?:the |your |my |some |possible )?next steps?\b|what (?:i'd|i would|we'd|we would|we could|we can"
    r"|you can|you could|could|can) (?:be done|suggest|propose|recommend|do|help|try|take|like|discuss|use|add|offer)"
    r"|what (?:to (?:do|try|take|use)|helps)\b|(?:my |the |our )?(?:plan|proposal|suggestions?|recommendations?)\b"
    r"|at home\W*$|things (?:to|you can) try|until (?:then|we know|you)|for (?:the (?:next|coming|time)|now\b)"
    r"|in the meantime|meanwhile|this week|today|tonight|right now|(?:self|home)[- ]care|(?:symptom )?relief|what"
    r" (?:may|might)"
    r" help|dos?\W*$|first aid|(?:safer|better|other|gentle|good|simple|safe|more) (?:ways?|options?|choices"
    r"|alternatives?|things|painkillers)\b"
    r"|what (?:is|'s) (?:usually |often )?(?:given|used|safe|left|allowed)\b|ways to\b)"
)
"""A heading over what is proposed: "Next steps I'd discuss"."""
_SHORT: Final = 60
"""Longest line that is a heading."""


_INLINE: Final = re.compile(
    r"\byour (?:\w+ ){0,2}(?:list|medicines|medications|meds|tablets|pills|drugs|prescriptions|conditions|diagnoses"
    r"|inhalers)(?: – | — |: | \()"
)
"""What a sentence itself lists as the patient's: "your list – metformin, losartan – …"."""
_RUN: Final = re.compile(r"[^–—.()\n]*")
_SENTENCE: Final = re.compile(r"[.!?] ")


def is_record(heading: str) -> bool:
    """Whether what stands under a folded heading is on the patient's record."""
    return _RECORD.search(heading) is not None and _NO_RECORD.search(heading) is None


def lists_taken(heading: str) -> bool:
    """Whether what stands under a folded Korean heading is what the patient takes: 현재 복용 중인 약."""
    return _TAKEN.search(heading) is not None and _NO_RECORD.search(heading) is None


def asks_what(heading: str) -> bool:
    """Whether a folded English heading asks for what its items answer."""
    return _ASKS_WHAT.match(heading) is not None


def offers(heading: str) -> bool:
    """Whether what stands under a folded English heading is proposed."""
    return _OFFERS.match(heading) is not None


def _is_own(heading: str) -> bool:
    """Whether what stands under a folded heading is the patient's: on record, or taken."""
    return is_record(heading) or lists_taken(heading)


@lru_cache(maxsize=16)
def find_record_blocks(text: str) -> list[Span]:
    """Where an answer lists what is on the patient's record: the text under such headings and behind such labels."""
    blocks: list[Span] = []
    if "your " in text:
        for found in _INLINE.finditer(text):
            run = _RUN.match(text, found.end())
            blocks.append((found.end(), run.end() if run else found.end()))
    if ":" not in text and "#" not in text and "*" not in text:
        return blocks
    place = 0
    under = -1  # where the block of the last heading begins
    filled = False
    for line in text.split("\n"):
        bare = line.strip().rstrip("*_ ")
        end = place + len(line)
        if under >= 0 and ((not bare and filled) or _is_title(line, bare)):
            blocks.append((under, place))
            under = -1
        label = _LABEL.match(line)
        if under >= 0:
            filled = filled or bool(bare)
        elif label and (_is_own(label[1].strip()) or _NOTE.match(label[1].strip())):
            blocks.append((place + label.end(), end))
        elif bare and _is_title(line, bare) and _is_own(_SENTENCE.split(bare)[-1]):
            under, filled = end, False
        place = end + 1
    if under >= 0:
        blocks.append((under, len(text)))
    return sorted(blocks)


def _is_title(line: str, bare: str) -> bool:
    """Whether a line is a heading: "## …", "**…**", "…:"."""
    if len(bare) > _SHORT:
        return False
    return bare.endswith(":") or line.startswith("#") or (line.startswith("**") and line.rstrip().endswith("**"))
