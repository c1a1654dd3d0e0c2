"""Splits a text into sentences, list items and clauses, each clause with the cues that act in it.

A sentence ends at its mark or its line; a clause at a connective ending (-지만, -므로, -고), at a conjunction, and
at a comma or an "and" after which something new begins. A comma between the items of a list cuts nothing.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left, bisect_right
from operator import itemgetter
from typing import Final, NamedTuple

from jatdae.dialogue.reading import english_predicates, korean_predicates
from jatdae.dialogue.reading.cues import (
    AFFIRM,
    AFTER,
    AGAINST,
    BEFORE,
    CONDITION,
    EXAMPLE,
    FAMILY,
    HEDGE,
    KEEP,
    NEGATE,
    PATIENT,
    PERSONAL,
    RECOMMEND,
    STRONG,
    TITLE,
    load_cues,
)
from jatdae.dialogue.reading.patterns import Span
from jatdae.dialogue.reading.words import SENTENCES, BoundedCache, any_in

_MARKS: Final = (";", "\n", "。", "…", "!", "?", ".")
_FULL_STOP: Final = re.compile(r"""\.(?:\Z|(?=[\s"')*])(?<!e\.g\.|i\.e\.)(?<! dr\.| vs\.| mr\.)(?<!\bst\.))""")
"""A period that ends a sentence: it must stand before a space or closing mark, and not after an abbreviation."""
_ITEM: Final = re.compile(r"\s*(?:[-–—*•·▪◦‣□▢◻▷➤☐☑✓✔✅✖✗❌○→]|\[[ x]?\]|\d{1,2}[.)]|[a-h]\)|[①-⑩])\s+")
_FOLLOWS: Final = re.compile(
    r"(?:다음|아래)[^.]{0,36}\.$|\bfollowing[^.]{0,20}\.$|\bhere(?:'s| is| are)\b[^.]{0,40}\.$"
    r"|(?:목록|리스트|내역|결과|소견|수치|현황|요약)(?:입니다|이에요|예요)[.!]?$"
    r"|가능성[^.]{0,24}\.$|갈래[^.]{0,12}\.$|종류[^.]{0,12}\.$|원인[은이][^.]{0,24}\.$"
)
"""A sentence that announces a list: 다음과 같이 해 보세요."""
_TOLD_FULLY: Final = re.compile(r"[가-힣][다요죠][.!]?[^가-힣a-z0-9]*$")
"""How a Korean line ends that is a sentence of its own, and no heading, although it is in bold."""
_BARE: Final = 40
"""Longest line without a period that can be a heading over a list."""
_MOST_ACTS: Final = 200
"""A clause with more cues than real texts have is cut, so that the work stays linear."""
_MAIN: Final = 4
"""Length from which the text before a condition is a main clause: "Stop if …"."""
_VERB: Final = re.compile(
    r"[^,;:.]{2,40}?\s(?:(?:is|are|was|were|can|may|might|should|will|would|could|does|do|must)(?:n't)?|seems?"
    r"|sounds|looks"
    r"|makes)\s"
)
"""A main clause that begins with a noun: "Since you are pregnant, acetaminophen is …"."""
_ARTICLE: Final = re.compile(r"\s*(?:(?:and|or|but)\s+)?(?:(?:a|an|the|your|both)\s+)?")
HAS_VERB: Final = re.compile(
    r"\s+(?:(?:rarely|seldom|never|hardly|often|usually|sometimes|still|also|itself|alone|already|currently"
    r"|simply|only)\s)*"
    r"(?:is|are|was|were|has|had|can|may|might|should|will|would|could|must|does|did|do|don't|doesn't|seems?"
    r"|sounds|looks"
    r"|needs?|works?|helps?|tends?|causes?|keeps?|makes?|changes|affects?|explains?|raises?|lowers?|increases|fits?)\b"
    r"|s?\s+(?:belongs?|comes?|goes|stays?|remains?|leads|adds|points|depends|interacts|interferes|counts"
    r"|looks|sits|works|builds|rises|drops|climbs|takes|protects|blocks|slows|acts)\s"
    r"|s?\s+(?!(?:for|in|on|with|to|at|from|by|of|and|or|plus|as|than|before|after|during|into|over|under|per"
    r"|without|via|when"
    r"|while|if|because|since|though|but|that|which|all|too|once|twice|times|daily|weekly|every"
    r"|half)\b)[a-z]{3,}\s(?:the|a|an|your|their|its|this|it|you|them)\b"
)
_DASHES: Final = frozenset((" – ", " — ", " - "))
_SHARED: Final = frozenset((" and ", " or ", ":"))
"""Marks across which a condition reaches."""
_ANEW: Final = re.compile(
    r"\s*(?:(?:with|since|because|as|for|although|though|even|given|after|despite|without|when|once|unless|the|my)\s"
    r"|(?:[\w'/-]+\s){1,6}?(?:is|are|was|were|has|had|can|may|might|should|will|would|could|must|does|did|doesn't|isn't"
    r"|aren't|won't|can't|seems?|needs?|works?|helps?|tends?|causes?|keeps?|makes?|changes|affects?|explains?|raises?"
    r"|lowers?|increases|fits?)\b"
    r"|(?:[\w'/-]+\s){1,4}?(?!is\b|as\b|this\b|plus\b)[a-z]{3,}s\s(?:the|a|an|your|you|it|up|down|out|on|with|in|to"
    r"|uric|more|less)\b)"
)
"""What begins a sentence of its own behind a dash: "– they can …", "— with gout …", "— aspirin nudges it up"."""
_TOLD: Final = AFFIRM | NEGATE | RECOMMEND | AGAINST | KEEP
_TOPIC: Final = re.compile(r"[가-힣][은는]\s")
_SECOND: Final = re.compile(r"\s*[가-힣]{1,10}[은는]\s")
_HANGUL: Final = re.compile("[가-힣]+")
_ENGLISH: Final = re.compile(
    r"\b(?:you|you're|you've|your|is|are|was|were|be|the|an?|take|taking|avoid|stop|start|keep|continue|use|have|has|to"
    r"|for|with|not|do|does|don't|should|can|no|on)\b"
)
_JOINT: Final = re.compile(
    r"s?(?:[와과랑]|이나|나|하고|,|·|/| 및|,? and|,? or|,? plus| \+|(?= ))\s?(?:그리고 |your |a |an |the |and )?"
)
"""What stands between the items of a list."""
_LISTING: Final = STRONG | EXAMPLE | AFFIRM | PATIENT | HEDGE | TITLE
"""Roles that hold for all items of a list."""
_OF_PATIENT: Final = PERSONAL | STRONG | PATIENT
_FOLLOWED: Final = FAMILY | HEDGE
"""Roles that a clause hands on to the next."""
_DEPENDING: Final = re.compile(r"\W*(?:due to|owing to|because of|which|or |and |as a result of)")
_DESCRIBING: Final = re.compile("[신은는던] ?$")
"""The end of a clause that describes the noun behind it."""
_CAUSED: Final = re.compile("로 인(?:한|해|하여) *$")
"""불안장애나 빈혈로 인한 두근거림일 가능성: what is the cause is as uncertain as what it causes."""
_ASKING: Final = re.compile(
    r"\W*(?:and |but |so |or |then |also |if so,? )*(?:what|why|how|when|where|which|who|whose|is|are|am|do|does|did|"
    r"don't|can|could|"
    r"should|would|will|may|might|was|were|any|shall|isn't|aren't|can't|shouldn't|has|have you)\b"
)
"""How a clause that asks begins."""
_NOTED: Final = re.compile(
    r"(?:[^a-z가-힣]|(?:on|and|with|for|since|s|mm|hg|mg|mcg|bid|tid|qd|prn|daily|once|twice|weekly|chronic|acute|mild"
    r"|moderate|severe|stable|no|controlled|uncontrolled|well|poorly|type|stage|m|f|yo|y|o|male|female|both"
    r"|left|right)\b)*+"
)
"""What stands between the names in a note."""
_RELATIVE: Final = re.compile(
    r"which (?:you|she|he)(?:'re|'ve)?(?! (?:tried|took|used|had|were|was|stopped|once|previously|formerly)\b)\b"
)
_TAKEN_TOO: Final = re.compile(
    r"(?:since|because|as|given that) you(?:'re| are)? (?:already |still |currently )?(?:take|taking|use|using|on|have)"
    r" (?:both|them|it|these|those|this|all)\b"
)
"""What tells of the things named before it that the patient has them: "pack enough A and B, since you take both"."""
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
_SOURCE: Final = re.compile(
    r"\W*(?:(?:so|and|well|yes|ok|okay)\W+)?"
    r"(?:looking (?:at|through)|going through|according to|based on|from|per|in|on) "
    r"(?:your|the) (?:file|chart|records?|notes|medical history|medication list|latest results|results)\W*\Z"
)
"""A clause that names the record: what comes next is read from it."""
_LOOSE: Final = NEGATE | CONDITION | HEDGE | RECOMMEND | AGAINST
"""Roles with which a relative clause states nothing."""
_CLOSE: Final = 3
_REASON: Final = re.compile(r"\W*(?:since|because|as|given|now that|you|your|although|though)\b")
_GIVER: Final = re.compile(
    "분?(?:들)?(?:이|가|께서|의|도)? ?(?:(?:마음|정성|성의|걱정|권유|조언|선물|배려|뜻)[은이도을]"
    "|(?:(?:[가-힣]+ )?(?:사다?|보내|챙겨|구해|건네|나눠)? ?(?:주신|주셨|준 |줬)|권하신|권하셨|권한 |권했|추천하신"
    "|추천하셨|추천한"
    "|보내신|사 오신|사오신))"
)
"""What behind somebody makes it one who gave what is spoken of, or means well."""
_PATIENT_NAMED: Final = re.compile(
    r"환자분|본인|당신|귀하|고객님|회원님|[가-힣]님(?:은|의|께|도)|저는|제가|저도|\b(?:someone|anyone|people"
    r"|patients)\b|\byou(?:r|'re|'ve"
    r"|rself)?\b|\bi\b|\bmy\b"
)
"""Words that bring a sentence back from somebody else to the patient."""
_place: Final = itemgetter(1)
_LINKS: Final = frozenset(("and", "or", "a", "an", "the", "also"))

THEME: Final = re.compile(
    r"(?:(?: ?(?:흡입기|흡입제|주사제?|약물?|정제|캡슐|연고|패치|제제|복합제|서방정|시럽|크림|스프레이|치료제?"
    r"|복용|용량))?"
    r"|[가-힣]{0,4})[은는]\s"
)
"""The particle that marks the topic of a sentence."""
_THEMED: Final = 24
"""How far behind a name that particle is looked for, in characters."""
_AT_ONE: Final = 8
"""How many concepts one name may stand for."""
_LISTED: Final = 40
"""How many items of a list a role reaches, so that the work stays linear."""
_CLOSING: Final = "\"')* "
_TAGS: Final = ("지요?", "죠?", "잖아요?", "군요?", "네요?")
"""How a Korean sentence ends that only seems to ask: "드시고 계시지요?"."""
_CHECKS: Final = (
    "맞으시죠?",
    "맞으시지요?",
    "맞죠?",
    "맞지요?",
    "아니죠?",
    "아니지요?",
    "아니시죠?",
    "겠죠?",
    "겠지요?",
)
_LONG: Final = 400
"""Longest sentence that is cached: answers share many short ones, long ones would fill the cache."""

Line = tuple[int, int]
"""Where a line begins and ends."""
Placed = tuple[int, int, int, int, int]
"""An act in a text: role, scope, near, start, end."""


def find_sentences(text: str) -> list[int]:
    """Positions where the sentences of an answer begin, to be cut into clauses; 6.2 and e.g. end none."""
    starts = [0]
    for mark in _MARKS:  # to find one mark after the other is faster than a pattern that begins with any
        place = text.find(mark)
        while place >= 0:
            if mark != "." or _FULL_STOP.match(text, place):
                starts.append(place + 1)
            place = text.find(mark, place + 1)
    starts.sort()
    return starts


def find_list_lines(text: str) -> list[tuple[int, Line | None]]:
    """Position of each line of an answer, to be cut into clauses; for a list item, also the line above the list."""
    found: list[tuple[int, Line | None]] = []
    lead: Line | None = None
    place = 0
    lines = text.split("\n")
    for number, line in enumerate(lines):
        bare = line.strip().rstrip("*_ ")
        item = _ITEM.match(line) and not (bare.endswith(":") and not line.startswith((" ", "\t")))
        if item and _TICKED.match(line) and _DASHED.match("\n".join(lines[number + 1 : number + 3])):
            item = False
        if bare and not item:
            lead = None
            if _is_heading(line, bare):
                begin = place + max(line.rfind(mark, 0, -1) + 1 for mark in (". ", "! ", "? ", ".** ", "!** ", "?** "))
                lead = begin, place + len(line)
        found.append((place, lead if item else None))
        place += len(line) + 1
    return found


_TICKED: Final = re.compile(r"[✅✓✔✖✗❌]️?\s")
_DASHED: Final = re.compile(r"\s*[-*•·]\s")
"""A line with a tick or a cross over items with a dash is a heading: "❌ **Not for you**"."""
_ANSWERED: Final = re.compile(r"\*\*[^*\n]{1,40}:\*\* [^*\n]{24,}[.!]\s*\Z", re.ASCII)
"""A label with a whole sentence behind it, which heads no list: "**Short answer:** your kidneys are fine."."""


def _is_heading(line: str, bare: str) -> bool:
    """Whether a line may introduce a list, as "피해야 할 음식:" or a heading does."""
    if bare.endswith(":") or _FOLLOWS.search(bare):
        return True
    if line.startswith(("#", "**")):
        return not (_TOLD_FULLY.search(bare) or _ANSWERED.match(line))
    return len(bare) <= _BARE and not bare.endswith((".", "!", "?", "다", "요"))


class Clause:
    """A clause of a sentence with its cues; positions count from the beginning of the sentence."""

    __slots__ = ("acts", "joined", "named", "placed", "start", "tells", "themed")

    def __init__(self, start: int) -> None:
        self.start = start
        self.acts: list[Placed] = []
        self.joined = False
        """Whether it continues in the next clause, as with -고."""
        self.placed = True
        """Whether all that is named in it only tells when or against what: 생리통에도."""
        self.named = False
        """Whether a concept is named in it."""
        self.themed = False
        """Whether one of them is the topic of the rest of the sentence: 바나나는."""
        self.tells = False
        """Whether it states something although the sentence asks: "I have asthma, can I run?"."""


class Sentence(NamedTuple):
    """A sentence with its clauses; cached, and never changed."""

    text: str
    clauses: tuple[Clause, ...]
    starts: list[int]
    asks: bool
    personal: bool
    """Whether a predicate in it is about the patient."""
    noted: bool
    """Whether it has no predicate, as in the style of notes: "Hypertension, on lisinopril."."""
    hangul: bool
    """Whether it is Korean."""


def read_sentence(text: str, mentions: tuple[Span, ...], told: tuple[int, ...] = ()) -> Sentence:
    """Split a sentence of an answer into clauses with their cues.

    `mentions` are the spans of concepts in it, `told` the places where the stems of phrases end (발목이 부으면).
    """
    given = text, mentions, told
    return _cached[given] if len(text) <= _LONG else _parsed(given)


def _reach(text: str, mentions: tuple[Span, ...], clause: Clause) -> int:
    """The roles of the cues of a clause, each of which now reaches the names that it is meant for."""
    roles = 0
    for number, act in enumerate(clause.acts):
        if act[0] == NEGATE and _is_within(mentions, act):  # "can't pass urine": what is named is that
            clause.acts[number] = (0, *act[1:])
            continue
        roles |= act[0]
        if act[2] and act[0] == NEGATE and act[1] == BEFORE:
            act = _nearest(mentions, act)  # noqa: PLW2901
        if act[2] and act[0] & (_LISTING | NEGATE):
            clause.acts[number] = _reaching_on(text, mentions, clause.start, act)
    return roles


def _parsed(given: tuple[str, tuple[Span, ...], tuple[int, ...]]) -> Sentence:
    text, mentions, told = given
    hangul = is_korean(text, mentions)
    clauses = _split(text, dict(mentions), hangul, told)
    starts = [clause.start for clause in clauses]
    for start, end in mentions:
        clause = clauses[bisect_right(starts, start) - 1]
        clause.named = True
        clause.placed &= text.startswith(("에는", "에도", "에 "), end)
        clause.themed |= is_theme(text, end)
    asks = _asks(text.rstrip(_CLOSING))
    if asks:
        _mark_telling(text, clauses, hangul)
    elif text.endswith("?"):
        clauses[-1].acts = [act for act in clauses[-1].acts if act[0] != HEDGE or text[act[3]] != "?"]
    roles = 0
    for clause in clauses:
        roles |= _reach(text, mentions, clause)
    if roles & _FOLLOWED:
        _follow_subject(text, clauses)
    if roles & PERSONAL and len(clauses) > 1:
        _look_back(text, clauses)
    if roles & PATIENT and len(clauses) > 1 and _SOURCE.match(text[: clauses[1].start]):
        for clause in clauses[1:]:  # "Looking at your file, I can see …"
            clause.acts.append((PATIENT, AFTER, 0, clause.start - 1, clause.start - 1))
    if roles & CONDITION and len(clauses) > 1:
        _depend(text, clauses)
    if any_in(_MAYBE_UNREAL, text):
        _unreal(text, clauses)
    personal = bool(roles & _OF_PATIENT)
    return Sentence(text, tuple(clauses), starts, asks, personal, _is_noted(text, mentions), hangul)


def _asks(text: str) -> bool:
    """Whether a sentence asks, and does not only look for assent: "드시고 계시지요?"."""
    return text.endswith("?") and (text.endswith(_CHECKS) or not text.endswith(_TAGS))


def is_theme(text: str, end: int) -> bool:
    """Whether a name that ends here is the topic of its sentence."""
    behind = text[end : end + _THEMED]
    return ("은" in behind or "는" in behind) and THEME.match(text, end) is not None


def _is_noted(text: str, mentions: tuple[Span, ...]) -> bool:
    """Whether a sentence says nothing but what it names, as notes do: "Hypertension, on lisinopril."."""
    place = 0
    for start, end in mentions:
        if start >= place and not _NOTED.fullmatch(text, place, start):
            return False
        place = max(place, end)
    return _NOTED.fullmatch(text, place) is not None


_cached: Final = BoundedCache(_parsed, SENTENCES)


def is_korean(text: str, mentions: tuple[Span, ...]) -> bool:
    """Whether a sentence is Korean. With Hangul in nothing but its names it is not: "You take 와파린 daily"."""
    if text.isascii():
        return False
    hangul = False
    for found in _HANGUL.finditer(text):
        start, end = found.span()
        at = bisect_right(mentions, (start, len(text))) - 1
        if at < 0 or mentions[at][1] < end:
            return True
        hangul = True
    return hangul and _ENGLISH.search(text) is None


def _split(text: str, mentions: dict[int, int], hangul: bool, told: tuple[int, ...]) -> list[Clause]:
    cues = load_cues()
    clause = Clause(0)
    clauses = [clause]
    subordinate = trailing = False
    last = len(text) - 1
    marks = cues.find(text)
    marks += (
        korean_predicates.find_predicates(text, mentions, told)
        if hangul
        else english_predicates.find_predicates(text, mentions)
    )
    marks.sort(key=_place)
    for (acts, cut, _, _, hangs, mark), start, stop in marks:
        if cut == "maybe":
            clause.joined = hangul and mark == "," and _has_new_topic(text, clause.start, start, stop)
            goes_on = not clause.joined and _is_continued(text, stop, mark, subordinate, cues.starters, mentions)
            if goes_on and any(act[0] & _TOLD for act in clause.acts):
                goes_on = not _has_new_subject(text, stop, mentions)
            if trailing and not clause.joined:
                goes_on = mark not in _DASHES
            if goes_on:
                continue
            shared = [act for act in clause.acts if act[0] == CONDITION and act[1] & AFTER] if mark in _SHARED else []
            clause = Clause(stop)
            clause.acts += shared  # "if the pain spreads or you break into a sweat, …": one condition
            clauses.append(clause)
            if not shared:
                subordinate = trailing = False
            continue
        if cut == "before" and start > clause.start:
            clause = Clause(start)
            clauses.append(clause)
        if hangs:
            subordinate = True
            # "Stop if you feel dizzy, have chest pain, or …": behind its main clause a condition runs to the end
            trailing = start - clause.start > _MAIN and any(role == CONDITION for role, *_ in acts)
        relative = mark.startswith("that ") and start - 1 in mentions.values()  # "asthma that isn't controlled"
        for role, scope, near in acts:
            if not (relative and role == PERSONAL):
                clause.acts.append((role, scope, near, start, stop))
        if len(clause.acts) > _MOST_ACTS:
            clause = Clause(stop)
            clauses.append(clause)
        if cut in ("after", "joining") and stop < last:  # after the last clause there is only the mark
            clause.joined = cut == "joining"
            clause = Clause(stop)
            clauses.append(clause)
            subordinate = trailing = False
    return clauses


def _reaching_on(text: str, mentions: tuple[Span, ...], start: int, act: Placed) -> Placed:
    """What is said of the first item of a list holds for all: "지금 드시는 A와 B", "your A and B"."""
    role, scope, near, at, to = act
    if not near:
        return act
    if scope == BEFORE:
        reached = at - near
        behind = bisect_right(mentions, (at, at))
        for number in range(behind - 1, max(-1, behind - _LISTED), -1):
            first, last = mentions[number]
            if first < start or last < reached:
                break
            if last <= at:
                earlier = reversed(mentions[max(0, number - _AT_ONE) : number])
                before = next((end for _, end in earlier if end < first), -1)
                joint = _JOINT.match(text, before) if before >= 0 else None
                reached = min(reached, before if joint and joint.end() >= first else last)
        return role, scope, at - reached, at, to
    reached = to + near
    ahead = bisect_left(mentions, (max(to, start), 0))
    for first, last in mentions[ahead : ahead + _LISTED]:
        if first > reached:
            break
        joint = _JOINT.match(text, last)
        reached = max(reached, joint.end() + 1 if joint else first)
    return role, scope, reached - to, at, to


def _is_within(mentions: tuple[Span, ...], act: Placed) -> bool:
    return any(start <= act[3] and act[4] <= end for start, end in mentions)


def _nearest(mentions: tuple[Span, ...], act: Placed) -> Placed:
    """A denial of what stands right before it: "불편감은 협심증이 아니라 …" does not deny the first."""
    role, scope, near, at, to = act
    behind = bisect_right(mentions, (at, at))
    gaps = [at - end for _, end in mentions[max(0, behind - _AT_ONE) : behind] if 0 <= at - end <= near]
    return role, scope, max(1, min(gaps)) if gaps else near, at, to


def _mark_telling(text: str, clauses: list[Clause], hangul: bool) -> None:
    """Mark the clauses of a question that do not ask: "당뇨가 있는데 먹어도 되나요?", "I have asthma, can I run?"."""
    if hangul:
        for clause in clauses[:-1]:
            clause.tells = True
        return
    asking = False
    for clause in clauses:
        asking = bool(_ASKING.match(text, clause.start)) or (asking and not _REASON.match(text, clause.start))
        clause.tells = not asking


def _leave_givers(text: str, clauses: list[Clause]) -> None:
    """Who only gives or means something is not who has it: "친구분이 주신 수면유도제", "따님 마음은 고맙지만"."""
    for clause in clauses:
        clause.acts = [act for act in clause.acts if act[0] != FAMILY or not _GIVER.match(text, act[4])]


def _follow_subject(text: str, clauses: list[Clause]) -> None:
    """Who a clause is about holds on until somebody else is named: "어머님이 드시는 도네페질은 …"."""
    _leave_givers(text, clauses)
    of_family = hedged = False
    for number, clause in enumerate(clauses):
        roles = {act[0] for act in clause.acts}
        if FAMILY in roles:
            of_family = not all(text.startswith("가족력", act[3]) for act in clause.acts if act[0] == FAMILY)
            if number and _DESCRIBING.search(text, clauses[number - 1].start, clause.start):
                first = min(act[3] for act in clause.acts if act[0] == FAMILY)
                if first <= clause.start + 1:  # "암을 앓으신 어머님이 …"
                    clauses[number - 1].acts.append((FAMILY, BEFORE, 0, clause.start, clause.start))
        elif of_family:
            end = clauses[number + 1].start if number + 1 < len(clauses) else len(text)
            of_family = _PATIENT_NAMED.search(text, clause.start, end) is None
            if of_family:
                clause.acts.append((FAMILY, AFTER, 0, clause.start - 1, clause.start - 1))
        if hedged and _DEPENDING.match(text, clause.start):  # "could be retinopathy due to high blood pressure"
            clause.acts.append((HEDGE, AFTER, 0, clause.start - 1, clause.start - 1))
            roles.add(HEDGE)
        hedged = HEDGE in roles
        if hedged and number and _CAUSED.search(text, clauses[number - 1].start, clause.start):
            clauses[number - 1].acts.append((HEDGE, BEFORE, 0, clause.start, clause.start))


def _look_back(text: str, clauses: list[Clause]) -> None:
    """ "Allopurinol, which you take for gout, …": what a relative clause states holds for what stands before it."""
    before = clauses[0]
    for clause, after in itertools.pairwise([*clauses[1:], Clause(len(text))]):
        roles = 0
        comma = text.find(",", clause.start, after.start)
        for act in clause.acts:
            roles |= act[0] if comma < 0 or act[3] < comma else 0  # "which you take, would not be enough"
        if roles & AFFIRM and not roles & _LOOSE and _RELATIVE.match(text, clause.start):
            before.acts.append((STRONG, BEFORE, _CLOSE, clause.start, clause.start + len("which")))
        if _TAKEN_TOO.match(text, clause.start) and before.named:
            before.acts.append((STRONG, BEFORE, 0, clause.start, clause.start + 1))
        if not text[clause.start : after.start].isspace():
            before = clause


def _depend(text: str, clauses: list[Clause]) -> None:
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


def _unreal(text: str, clauses: list[Clause]) -> None:
    """What would have been, and was not: "Had you taken it, …", "있으셨다면 … 썼을 것입니다"."""
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


def _has_new_topic(text: str, start: int, comma: int, end: int) -> bool:
    """ "음주는 주 1회, 흡연은 하지 않음": a second topic behind the comma has a predicate of its own."""
    return bool(_SECOND.match(text, end) and _TOPIC.search(text, start, comma))


def _has_new_subject(text: str, end: int, mentions: dict[int, int]) -> bool:
    """ "You never had a stroke, and epilepsy was ruled out": what comes next has a verb of its own."""
    lead = _ARTICLE.match(text, end)
    until = mentions.get(lead.end()) if lead else None
    for _ in range(_LISTED):
        if until is None:
            break
        if HAS_VERB.match(text, until):
            return True
        joint = _JOINT.match(text, until)  # "and both carvedilol and furosemide lower it"
        until = mentions.get(joint.end()) if joint else None
    return False


def _is_continued(
    text: str, end: int, mark: str, subordinate: bool, starters: frozenset[str], mentions: dict[int, int]
) -> bool:
    """Whether the text after a comma or an "and" belongs to the same clause, as the items of a list do."""
    if mark == ":":
        return True
    if mark in _DASHES and _ANEW.match(text, end):
        return False
    window = text[end : end + 24]
    rest = window.lstrip()
    at = end + len(window) - len(rest)
    word = rest.partition(" ")[0].rstrip(",.;:")
    while word in _LINKS:
        rest = rest[len(word) :].lstrip(" ,")
        at = end + text[end : end + 40].find(rest) if rest else at
        word = rest.partition(" ")[0].rstrip(",.;:")
    if word in starters:
        return rest.startswith(("for example", "for instance"))
    return not (mark == "," and subordinate and (at not in mentions or _VERB.match(text, at)))
