"""What is only supposed: what would be done in a case, and what would have been."""

from __future__ import annotations

import itertools
import re
from typing import Final

from jatdae.dialogue.reading.clause import Clause
from jatdae.dialogue.reading.cues import AFFIRM, AFTER, AGAINST, CONDITION, RECOMMEND, STRONG
from jatdae.dialogue.reading.words import any_in

_PROPOSED: Final = re.compile(
    r"(?:\b(?:would|may|might|could|will)|'ll|'d)(?: also| then| probably| only)? (?:need\b|be (?:\w+ly )?"
    r"(?:prescribed|started|considered|added|needed|required|given|put|tried|discussed|switched|offered|raised|adjusted"
    r"|changed)\b)"
    r"|\byou'll (?:get|need|be (?:given|put|started))\b|\bwe can (?:switch|start|add|try|move|go|consider)\b"
    r"|\bwe (?:could|might|may|would)\b|\bis something to (?:discuss|consider|talk)\b"
    r"|\b(?:would|may|might|could)(?: also| then| well)? be (?:an?|another|one|my|our|the|what|your) "
    r"(?:good |next |first |reasonable |possible |better |safer |usual )?"
    r"(?:option|choice|step|possibility|alternative|pick|preference|fallback|answer|(?:i|we)(?:'d| would))\b"
    r"|(?:\b(?:we|you) would|\b(?:we|you)'d)(?: then| also| probably)? (?:apply|add|start|use|give|get|switch|move|try"
    r"|reach|go|take|prescribe|choose|pick|prefer|be given)\b(?! (?:care|it easy|that|this))"
    r"|\b(?:doctor|physician|specialist|surgeon|prescriber|team|[a-z]+ist) (?:may|might|could|will|would)(?: then| well"
    r"| also)? (?:suggest|offer|propose|add|start|prescribe|consider|recommend|want|choose|raise|switch|discuss|use"
    r"|give)"
    r"|\bis something (?:i|we) (?:could|would|might|can)\b"
    r"|(?:추가|처방|시작|고려|증량|변경)(?:할|될|해 볼|해볼) 수도? 있"
    r"|(?:길|방법|방안)[이도] 있"
    r"|(?:드리|쓰|넣|더하|추가하|처방하|시작하|바꾸|올리|늘리)려고? 합"
    r"|(?:드리겠|쓰겠|써 보겠|넣겠)습니다|(?:드릴|쓸|써 볼)게요"
    r"|(?:추가|처방|시작|고려|증량|감량|변경|조정|시행|시도|검토|논의|의논|상의|올리|늘리|줄이|바꾸"
    r"|더하)[가-힣]{0,3}(?: [가-힣]{1,4}){0,3} ?"
    r"(?:수도? 있|하?겠습니다|보겠습니다|게 될|것입니다|것 같)"
)
"""What would be done for the patient in a case: "if it is confirmed, you would be started on …"."""
_WOULD_END: Final = re.compile(
    r"(?:\bwould|'d)(?: probably| then)? (?:(?:have|need) to )?(?:be )?(?:stop|paus|halv|reduc|cut|lower|held|withheld"
    r"|discontinu|withdraw)\w*"
)
"""What would be given up in a case: "if your eGFR fell below 30, metformin would have to be stopped"."""
_MAYBE_PROPOSED: Final = (
    "would ",
    " something ",
    "'ll ",
    " can ",
    " may ",
    " might ",
    " could ",
    " will ",
    "'d ",
    " we ",
    " need",
    " be ",
    " 수 있",
    " 수도 있",
    "겠습니다",
    " 될",
    "것입니다",
    "것 같",
    "길이 있",
    "길도 있",
    "방법",
    "방안",
    "려고 합",
    "려 합",
    "게요",
)
_GRAVE: Final = re.compile(
    "(?:지 않|부족하|모자라|없|심해지|악화되|나빠지|재발하|낮아지|높아지|오르|양성이|확진되|의심되"
    "|발견되)(?:으)?(?:시)?면"
    "|(?:정상이|음성이|넘|나오|지속되|계속되|이어지)으?시?면|(?:안|못) [가-힣]{1,4}면|그래도|[었았였]다면|가슴이|쌕쌕"
)
"""What makes a condition one that something worse follows, or that is only thought of."""
_ABLE: Final = re.compile("수(?:도| 도)? 있")
_MAYBE_UNREAL: Final = ("had ", "were you", "다면", "라면")
_HAD_YOU: Final = re.compile(
    r"(?:\A|[,;:.–—]) ?\W*(?:and |but |so )?(?:had|were) you (?=[^?]*\b(?:would|could|might|i'd|we'd|it'd)\b)"
)
"""An inverted condition: "Had you taken the clopidogrel, this might have been avoided"."""
_HAD_OTHERS: Final = re.compile(r"(?:\A|[,;:.–—]) ?\W*(?:had|were) (?:i|we|it|they|your \w+) ")
_HAD_BEEN: Final = re.compile(
    r"\bif (?:only )?[^.?]{1,40}?(?:\bhad |'d (?:had|been|taken) )|[었았였했셨썼렸졌]?(?:다|더라)면"
)
_WOULD_HAVE: Final = re.compile(
    r"\b(?:would|could|might)(?:n't| not)? (?:probably |never |also |then )*have (?:\w+ )?\w+(?:ed|en|wn|ut|ne|ld|pt"
    r"|de)\b"
    r"|\b(?:i|we|you|it)'d (?:not |never )?have \w+(?:ed|en|wn|ut|ne)\b"
    r"|[었았였했셨썼렸졌랐났왔갔봤뒀]을 (?:것|겁|거|텐데|수도|터)"
)
_MAYBE_DOING: Final = ("when", "while", "때")
_DOING: Final = re.compile(
    r"\W*(?:when|while|whenever) (?:you(?:'re)? )?(?:are )?(?:take|taking|use|using|inject|injecting)\b"
    r"|.*(?:드실|쓰실|복용하실|사용하실|맞으실|바르실|드시는|쓰시는|복용하시는) ?때(?:는|엔|에는|마다)?,? *$"
)
"""A clause that takes it for granted that something is taken, where the next tells how."""
_HABIT: Final = re.compile(
    r"\b(?:when|whenever|once|as soon as) you(?:'re| are)? (?:\w+ )?(?:brush|get up|wake|go to (?:bed|sleep)"
    r"|have (?:your )?(?:breakfast|lunch|dinner|supper|coffee)|sit down (?:to|for)|get dressed|come home|get home|go"
    r" home"
    r"|turn in|step on|leave the house)\b"
    r"|\b(?:burning|burns|pain|stinging|stings|aches?|aching|dizz[a-z]+|cough\w*|leak\w*|itch\w*|breathless\w*"
    r"|tightness"
    r"|discomfort|lightheaded\w*|hurts?|out of breath|short of breath) when(?:ever)? you (?!take|feel|have|get)\w+"
)
"""A time of every day or part of a symptom, and no condition: "when you brush your teeth", "burning when you pee"."""
_MAYBE_HABIT: Final = ("when you", "whenever you", "once you", "as soon as you")
_HOW: Final = re.compile(
    r"\W*(?:please |always )?(?:do|take|use|keep|have|give|swallow|apply|inject) (?:it|them|this)\b"
    r"|[^.]*(?:세요|십시오|시기 바랍니다|셔야 [합해됩돼]|는 [것게]이? 좋|시면 (?:됩|돼|되|좋))"
)
_TAKING: Final = re.compile(r"(?:드시|쓰시|맞으시|바르시|복용하시|사용하시|챙기시)면,? *$")
_GAINED: Final = re.compile(
    r"(?![^.]*(?:위험|저혈당|악화|부작용|출혈|효과가|흡수(?!(?:가|도|율이) (?:더 |훨씬 )?(?:잘|좋|높))|약효"
    r"|손상|중독))[^.]*(?:흡수(?:가|도|율이) (?:더 |훨씬 )?(?:잘 ?[되돼됩된]|좋|높)|줄어[듭들요]"
    r"|기대할 수|좋아[집지져질진]|나아[집지져질진]|편해|가라앉|완화|도움|예방|회복)"
)
"""What one who takes something gains by it: "아침에 드시면 밤에 화장실 가는 횟수가 줄어듭니다" advises it."""


def depend(text: str, clauses: list[Clause]) -> None:
    """What a condition reaches: what would then be done. "When you take it, take it with food" advises to take it."""
    if any_in(_MAYBE_PROPOSED, text):
        ends = [*[clause.start for clause in clauses[1:]], len(text)]
        before = -2
        for number, (clause, end) in enumerate(zip(clauses, ends, strict=True)):
            goes_on = before == number - 1 and text.endswith((" or ", " and "), 0, clause.start)
            if _PROPOSED.search(text, clause.start, end) or goes_on:
                before = number
                clause.acts.append((CONDITION, AFTER, 0, clause.start - 1, clause.start - 1))
            elif _WOULD_END.search(text, clause.start, end):
                clause.acts = [act for act in clause.acts if act[0] != AGAINST]
                clause.acts.append((CONDITION, AFTER, 0, clause.start - 1, clause.start - 1))
    if "면" in text:
        _escalate(text, clauses)
    doing, taking = any_in(_MAYBE_DOING, text), "시면" in text
    if not doing and not taking:
        return
    if doing and any_in(_MAYBE_HABIT, text):
        for clause in clauses:
            habit = _HABIT.search(text, clause.start)
            if habit:
                clause.acts = [
                    act for act in clause.acts if act[0] != CONDITION or not habit.start() <= act[3] < habit.end()
                ]
    for clause, after in itertools.pairwise(clauses):
        told = doing and _DOING.match(text, clause.start, after.start) and _HOW.match(text, after.start)
        if told or (taking and _TAKING.search(text, clause.start, after.start) and _GAINED.match(text, after.start)):
            clause.acts = [(RECOMMEND if act[0] == CONDITION else act[0], *act[1:]) for act in clause.acts]


def _escalate(text: str, clauses: list[Clause]) -> None:
    """What would be given if things go wrong: "효과가 부족하면 …을 더합니다", "아프면 …을 쓸 수 있으니"."""
    supposed = grave = False
    for clause, after in itertools.pairwise([*clauses, Clause(len(text))]):
        roles = {act[0] for act in clause.acts}
        if CONDITION in roles:
            supposed = True
            grave |= _GRAVE.search(text, clause.start, after.start) is not None
        elif RECOMMEND in roles and (grave or (supposed and _ABLE.search(text, clause.start, after.start))):
            clause.acts.append((CONDITION, AFTER, 0, clause.start - 1, clause.start - 1))


def mark_unreal(text: str, clauses: list[Clause]) -> None:
    """What would have been, and was not: "Had you taken it, …", "있으셨다면 … 썼을 것입니다"."""
    if not any_in(_MAYBE_UNREAL, text):
        return
    inverted = _HAD_YOU.search(text)
    if inverted is None and not (_HAD_BEEN.search(text) or _HAD_OTHERS.search(text)):
        return
    ends = [*[clause.start for clause in clauses[1:]], len(text)]
    for clause, end in zip(clauses, ends, strict=True):
        if inverted and clause.start <= inverted.end() <= end:
            clause.acts.append((CONDITION, AFTER, 0, clause.start - 1, clause.start - 1))
        if _WOULD_HAVE.search(text, clause.start, end):
            clause.acts = [act for act in clause.acts if not act[0] & (RECOMMEND | AGAINST | AFFIRM | STRONG)]
            clause.acts.append((CONDITION, AFTER, 0, clause.start - 1, clause.start - 1))
