"""The kind of a Korean verb where it stands: the word before it, or the predicate it helps, may give it another.

되다 is to become, but 도움이 되다 to help; 마시다 is to drink, but 들지 마시고 forbids.
"""

from __future__ import annotations

import re
from typing import Final

from jatdae.dialogue.reading.korean_compounds import Predicate
from jatdae.dialogue.reading.korean_eojeols import Eojeol, load_predicate_tables, pairs_of
from jatdae.dialogue.reading.korean_verbs import Form

_NUMBER: Final = re.compile(r"[\d./]+(?:%|mg|점)?으?로$")
_COUNTERS: Final = frozenset(("알", "정", "포", "번", "봉", "봉지", "캡슐", "방울", "회", "잔", "단위", "장", "모금"))
"""What is counted where a medicine is: 한 알이면 됩니다."""
_TERMS: Final = ("달", "개월", "주일", "날짜", "예정일", "시기", "때")
_NO_STEM: Final = ("까지", "버지", "너지", "러지")
"""Ends of nouns that look like a verb that is not to be done: 커피까지 마시고."""
_ONLY: Final = ("만이", "만은", "뿐만", "만도")
_ALIKE: Final = frozenset(("비슷하게", "유사하게", "똑같이", "비슷한", "흔히", "다양하게"))
"""Words for how something shows itself in anybody."""
_WORDED: Final = "넘생절오"
"""How the verbs begin that have another kind with a word before them or with their ending."""
_COME: Final = ("왔", "와", "온", "올", "오")
_AMOUNTS: Final = ("량", "양", "섭취", "횟수", "음식", "간식", "식사")
"""Last letters of what is eaten less of, not of what a medicine lessens."""


def kind_of(form: Form, word: str, last: Eojeol, named: bool, held: Predicate | None) -> str:
    """The kind of a verb here: nouns before it (도움이 되다) and what it helps (-지 마시고) may change it."""
    copula = form.sort == "be" or (not form.sort and form.ending == "if")  # 정도이면, 정도라면
    if copula and form.ending == "if" and word[: form.at] in _COUNTERS:
        return "amount"  # 한 알이면 됩니다
    paired = pairs_of(word[: form.at]) if copula else last.pairs
    sort = paired.get("be" if copula else form.sort, form.sort) if paired else form.sort
    first = word[:1]
    if first == "없" and sort in ("lack", "say"):
        return _lacking(form, sort, last, named, held)
    if first == "계" and word.startswith("계세"):
        return "have"  # 드시고 계세요, of 계시다
    if sort == "not" and last.word.endswith(_ONLY):
        return "also"  # 방광만이 아니라
    if sort == "value" and last.word in _ALIKE:
        return "mean"  # 천식도 비슷하게 나타나므로
    if first in _WORDED and (worded := _sort_by_word(form, word, last, named, held)):
        return worded
    if sort == "look" and last.word.endswith("로"):
        return "fear"  # 편두통으로 보입니다
    if sort == "move" and word.startswith(_COME) and named and last.word.endswith(("이", "가")):
        return "happen"  # 저혈당이 왔어요
    if sort == "seem" and held is None and last.word.endswith(("와", "과")):
        return "say"  # 다음과 같습니다
    if sort == "good" and form.ending == "then" and not named and last.word.endswith(("이", "가")):
        return "say"  # 속이 안 좋아서
    if sort == "avoid" and _is_effect(form, word, last, named):
        return "say"
    if sort and word.startswith("마시") and _is_kept_from_doing(last, named, held):
        return "forbid"  # 조절하지 마시고: told not to, and nothing is drunk
    return sort


def _is_kept_from_doing(last: Eojeol, named: bool, held: Predicate | None) -> bool:
    """Whether what stands before is not to be done, even of a verb that no table holds: 들지 마시고."""
    if held is not None:
        return held.ending == "not"
    word = last.word
    return len(word) > 1 and word.endswith("지") and not word.endswith(_NO_STEM) and not named


def _sort_by_word(form: Form, word: str, last: Eojeol, named: bool, held: Predicate | None) -> str:
    """The kind of a verb that has another with a word before it, or with its ending."""
    if word.startswith("넘기") and last.noun.endswith(_TERMS):
        return "miss"  # 여섯 달을 넘기지 마세요
    if word.startswith("생각") and named and last.word.endswith("도"):
        return "fear"  # 폐색전증도 생각해야 합니다
    if word.startswith("절제") and (form.past or form.ending == "past"):
        return "get"  # 위를 절제했습니다, unlike 술을 절제하세요
    if word.startswith(("오신", "오셨")) and held is not None and held.ending == "join":
        return "move"  # 받아 오신 약
    if word.startswith("맞") and form.sort == "take" and last.word.endswith(("와", "과", "와는", "과는")):
        return "say"  # 심바스타틴과 맞지 않으니
    if word.startswith("좋") and form.ending == "cause" and _NUMBER.match(last.word):
        return "value"  # 맥박이 70으로 좋으니
    return "consider" if word == "생각하면" else ""


def _lacking(form: Form, sort: str, last: Eojeol, named: bool, held: Predicate | None) -> str:
    """Whether somebody is without what is named, or something without what stands right before."""
    if sort == "say":
        return "lack" if form.honoured and last.noun.endswith("증상") else sort  # 숨찬 증상도 없으시고요
    if not named and held is None and _has_subject(form, last):
        return "say"  # 엘리퀴스는 음식 제한이 없습니다: the restriction is lacking
    return sort


def _is_effect(form: Form, word: str, last: Eojeol, named: bool) -> bool:
    """Whether something is said to lessen what stands right before it: "기도 염증을 줄이고 넓혀 줌"."""
    described = word.startswith("줄") and not named and not form.honoured and form.ending in ("and", "note", "join")
    return described and last.word.endswith(("을", "를")) and not last.noun.endswith(_AMOUNTS)


def _has_subject(form: Form, last: Eojeol) -> bool:
    """Whether the last word is a subject that says nothing of a mention before it."""
    word, noun = last.word, last.noun
    subject = word.endswith(("이", "가")) or (word == noun and form.ending == "note")  # 상호작용 없음
    return subject and len(noun) > 1 and not noun.endswith(load_predicate_tables().bearing)
