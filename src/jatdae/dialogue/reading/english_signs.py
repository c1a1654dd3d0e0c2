"""What stands right around the name of a condition or symptom in an English sentence and tells how it is meant.

"Black stools need a call", "call us for a fever", "that can be gout", "the name for this is gout": signs to act on,
what is suspected, and what is named as the patient's.
"""

from __future__ import annotations

import re
from typing import Final

from jatdae.dialogue.reading.cues import (
    AFFIRM,
    AGAINST,
    ALLOW,
    CONDITION,
    CONSULT,
    EFFECT,
    FAMILY,
    GENERAL,
    HEDGE,
    KEEP,
    NEGATE,
    NOT_TO,
    PATIENT,
    PERSONAL,
    RECOMMEND,
    STRONG,
)
from jatdae.dialogue.reading.words import any_in

_ADVICE: Final = RECOMMEND | AGAINST | KEEP | ALLOW | CONSULT
_DENIAL: Final = NEGATE | NOT_TO
_AT_LARGE: Final = GENERAL | EFFECT
_BEFORE: Final = 72
"""How far before a name a remark to it may begin, in characters."""
_CARE: Final = (
    r"(?:call|ring|phone|go\b|come (?:in|straight)|stop|see\b|seek|get (?:help|seen|medical)|er\b|ambulance|emergency"
    r"|911|999|112|urgent|straight|same[- ]day|the same day|hospital|be seen|a visit|medical|attention|checked|tell|let"
    r"|an exam|doctor|looked at|immediate|right away|today|tonight|message|write|no waiting|time to|reach)"
)
_URGENT: Final = (
    r"(?:emergency|at once|right away|straight away|immediately|(?:the )?same[- ]day|without delay|urgent(?:ly)?"
    r"|ambulance"
    r"|911|999|112|can't wait|cannot wait|don't wait|let (?:me|us) know|call (?:me|us)|tell (?:me|us)|hear about|be"
    r" seen|get(?: it| that)? looked at|the"
    r" er"
    r"|hospital)"
)
_ALARM: Final = re.compile(
    r"s?[^.;!?\n:]{0,60}?(?: (?:would (?:all )?be|are all|is|should be) (?:an? |your |the )?(?:reasons?|signs?"
    rf"|signals?|cues?|grounds) (?:to|for|that) [^.;\n]{{0,24}}?\b{_CARE}"
    r"| (?:would )?(?:needs?|deserves?|warrants?|calls? for|means?|belongs? in|requires?|should (?:bring|send|prompt"
    rf"|make|get|have)|must (?:bring|send)) [^.;\n]{{0,24}}?\b{_CARE}"
    r"| (?:is|are|would be|means?|makes? it|would change|turns? (?:this|it|that)|would make (?:me|us)|should be|has to"
    r" be|have to be|must be|needs? to be)\b"
    rf"[^.;!?\n]{{0,60}}?\b{_URGENT}"
    rf"|: (?:please |then )?{_CARE}"
    r"|: (?:those|these|that|all of (?:them|these|that)|any of (?:these|those)) (?:need|call|mean|is an|are|should"
    r"|belong"
    r"|deserve|warrant))"
)
"""What behind a symptom tells what to do once it is there: "black stools need a call", "fainting: call 911"."""
_AT_SIGN: Final = re.compile(
    r"\b(?:first|early|earliest|slightest|any) (?:signs?|hint|symptoms?|trace) of (?:an? )?(?:[\w-]+,? or )?$"
)
_THAT_YOU: Final = re.compile(
    r"\b(?:tell|remind|mention|inform|say|let|make|note|know|aware)\b(?:(?!\bif\b|\bwhe)[^.;,\n]){0,40} (?:that"
    r" )?you(?:'re| are|'ve| have| take| use"
    r"| carry)(?: allergic to| on| taking| using)? (?:an? |the )?(?:[\w-]+ )?$"
)
_CALL_FOR: Final = re.compile(
    r"\b(?:call|ring|phone|contact|message|return|come (?:in|back)|see (?:me|us|someone|a doctor)|go to (?:the )?\w+"
    r"|seek \w+"
    r"|get help)\b[^.;:!?\n]{0,32}? (?:for|with|about|in case of|on) [^.;:!?\n]{0,90}$"
    r"|\b(?:hear|know|tell (?:me|us)) (?:about|of) any [^.;:!?\n]{0,60}$"
)
"""What before a symptom tells what to do once it is there: "call the ward for a fever, shortness of breath or …"."""
_IDENTIFIED: Final = re.compile(
    r"(?:\b(?:name|term|word)s? for (?:this|it|that|these) (?:is|are)|\b(?:this|that|it)(?:'s| is) (?:called|known as"
    r"|what (?:we|doctors) call)|\b\d[\d.]*(?: ?%| g/dl)? (?:is|means)|\b(?:we|doctors) call (?:this|it|that)|\bwhich"
    r" (?:we|doctors) call"
    r"|(?:\A\W*|, (?:and|so|which means) )(?:that|this) is|\bso you have) (?:an? |the |mild |early |just )*$"
)
"""What names what the patient has: "the name for this is chronic kidney disease"."""
_SUPPOSING: Final = re.compile(r"\W*(?:when|if|once|whenever|unless)\b")
_WOULD_BE: Final = re.compile(
    r"\b(?:that|this|it|these|those) (?:can|could|may|might|would|will) (?:\w+ )?be (?:an? |the )?$"
)
_BE: Final = ("be ", "be a ", "be an ", "be the ")
_IN_CASE: Final = re.compile(r"\b(?:if|should you|whenever|unless|call 911|emergency)\b")
"""What before "that may be" makes it what would then be so: "if you tremble, that may be lithium toxicity"."""
_SINCE: Final = re.compile(
    r"(?:\A|[\n:*])\W*(?:(?:just|only|about|nearly|almost|roughly|[\w-]+) ){1,3}(?:weeks?|months?|years?|days?) "
    r"(?:after|since|out from|past|on from) (?:an? |the |your )?(?:[\w-]+ )?$"
)
"""At the beginning of a sentence, a time since something that the patient had: "Ten weeks after a hernia repair"."""
_LASTING: Final = re.compile(
    r"s?(?: (?!that\b|which\b|is\b|are\b|was\b|last|if\b|can\b)[\w-]+){0,3}? (?:since (?:yesterday|last|this|monday"
    r"|tuesday|wednesday|thursday|friday|saturday|sunday)|at \d\d"
    r"|for (?:about |almost |nearly )?(?:an?|two|three|four|five|six|several|a few|\d+) (?:days?|weeks?|months?"
    r"|nights?)(?! (?:is|are|should|needs?|means?|warrants?|in|that|or)\b)"
    r"|lately|last night|this morning|these days)\b"
    r"|[^.;:!?\n]{0,40}, i know\b"
)
_AT_FIRST: Final = re.compile(
    r"\A\W*(?:(?!an?\b|any\b|every\b|if\b|when\b|no\b)[a-z]+ )?$"
    r"|\A\W*(?:(?:about|just|only|nearly|almost) )?(?:an?|one|two|three|four|five|six|several|some|\d+) "
    r"(?:days?|weeks?|months?|nights?|hours?) of (?:[a-z]+ )?$"
)
"""At the beginning of a sentence, how long something has been there: "Two days of dry cough", "Itch since May"."""
_SUMMED: Final = re.compile(
    r"\A(?P<told>[^:;.!?\n]{3,140}?)(?::| –| —) (?:put together|taken together|together\b|no wonder|i (?:think|suspect"
    r"|understand|believe)|sounds? like"
    r"|(?:(?:all )?(?:that|this|it|these|those))(?:'s| (?:(?:most|all|really|does|do) )?(?:isn't|is|are|aren't|sounds?"
    r"|fits?|points?"
    r"|suggests?|looks?|makes?|adds?|speaks?)\b))"
)
"""What the patient has told, in a few words, and what is made of it: "Tired, heavy periods: put together, …"."""
_NO_REPORT: Final = re.compile(
    r"\b(?:is|are|was|were|can|may|might|could|should|would|if|when|or|call|any|how|what|why|which|needs?|means?|signs?"
    r"|watch|symptoms?|reasons?|flags?|about|side|effects?|causes?|risks?|stop|look|people|for example)\b"
)
_FOR_THE: Final = re.compile(
    r"(?:\A|\n)\W*(?:and |now )?for (?:the|that|this|your) "
    r"(?:(?!next|common|average|typical|usual|rare|odd|occasional|ordinary|simple)[a-z]+ )?$"
)
_COMMA: Final = re.compile(r"s?(?: itself| at night| alone)?,")
"""Around what is treated next: "For the poor sleep, no coffee after noon"."""
_QUIET: Final = re.compile(r" (?:is|stays|seems|lies|has gone) (?:silent|quiet|calm|asleep|dormant)\b")
_IS_NOT_IT: Final = re.compile(
    r"\b(?:(?:this|that|it)(?:'s| is| was)? ?|(?P<felt>your|the [\w ]{3,24} (?:that|you)) [^,;:.!?\n]{2,60} is )"
    r"(?:n't|not|isn't|wasn't)(?: (?:really|actually|clearly))? (?:an? )?$"
)
"""What denies an illness of what is felt: "that isn't pneumonia", "your burning … is not angina"."""
_EXPLAINS: Final = re.compile(
    r"s? (?:can|could|may|might|would)(?: (?:also|well|easily|just as well|of course))? (?:do the same|look (?:the same"
    r"|like (?:this|that))"
    r"|explain|account for|be (?:behind|part of (?:it|this|the)|at play|involved|why|the (?:reason|cause|culprit"
    r"|source))"
    r"|play a (?:part|role)|lie behind|feel (?:the same|like this))\b"
)
"""What behind an illness makes it one possible cause: "An underactive thyroid could do the same"."""
_WONDERED: Final = re.compile(
    r"\b(?:i|we)(?:'m| am| are|'re)?(?: (?:do|also|still|rather|just))? (?:wonder(?:ing)?|thinking|think|suspicious)"
    r" (?:about|of) "
    r"(?:an? |early |the )?$"
)
_HAD: Final = re.compile(
    r"s? (?:that |which )?you(?:'ve| have|'re| are)? (?:had|describe|described|told (?:me|us) about|been (?:having"
    r"|feeling"
    r"|getting|noticing)|having|feeling|get|feel|notice|noticed|report|reported|felt)\b(?! (?:if|when|whether))"
)
_EVIDENCE: Final = re.compile(r"s?[^.;!?\n]{0,60}?(?<!would) makes? (?:me|us) (?:think|wonder|suspect|consider)\b")
_WITHOUT: Final = re.compile(r"\A\W*without (?:an? |any |the )?(?:[\w-]+ )?$")
_IN_HAND: Final = re.compile(
    r"\b(?:there's|there is) no\b|\b(?:in|on|for|of) (?:you|your)\b|\byour (?:symptoms|cough|pain)\b"
)
"""What behind "Without X, …" makes it one that the patient does not have."""
_FLARE: Final = re.compile(r"\b(?:flare(?:-up)?s?|relapse|recurrence|exacerbation|worsening) of (?:the |your )?$")
"""What takes for granted that the patient has something, whatever is doubted: "may well be a flare of eczema"."""
_OF: Final = ("of ", "of the ", "of your ")
_WITH: Final = re.compile(r"\W*(?:with|having(?: had)?) (?:an? |the )?")
_WOULD: Final = re.compile(r"\bwould\b|'d\b|\b(?:often|usually|typically|commonly)\b")
_THEN_ACT: Final = re.compile(rf"[^,;:.!?\n]{{0,40}}, (?:please |always |then )?{_CARE}")
_CHANCE: Final = re.compile(r"\b(?:there's|there is|i see) an? (?:[a-z]+ )?(?:chance|possibility) of (?:an? )?$")
_TO_YOU: Final = re.compile(r"you(?<!\wyou)(?:r|'re|'ve|rs)?\b")
_NOT_WORSE: Final = re.compile(
    r"(?:n't|\bnot|\bnever|\bneither|\bnor|\bnone of (?:it|them|these)|\bnothing \w+)(?: \w+){0,3}? (?:worsens?|upsets?"
    r"|affects?"
    r"|aggravates?|bothers?|harms?|provokes?|interferes? with|conflicts? with|clash(?:es)? with) (?:the )?$"
)
"""What denies a harm to a condition, which is there: "it doesn't worsen COPD"."""
_HARMS: Final = ("worsen", "upset", "affect", "aggravat", "bother", "harm", "provok", "interfer", "conflict", "clash")
_CALLS: Final = (
    "call ",
    "ring ",
    "phone ",
    "contact ",
    "message ",
    "return ",
    "come ",
    "see ",
    "go to ",
    "seek ",
    "help ",
    " any ",
)
_NAMES: Final = ("called", "known as", "call ", " is ", "'s ", "means ", "have ")
_TESTED: Final = re.compile(
    r"\b(?:be|get) (?:checked|evaluated|examined) for (?:an? )?$|\b(?:we|i|i'd|we'd|should|let's|like to|want"
    r" to)\b[^.;\n]{0,24}\b(?:look(?:ing)?|test(?:ing)?|check(?:ing)?"
    r"|screen(?:ing)?) (?:you )?for (?:an? )?$"
)
_QUESTIONED: Final = re.compile(
    rf"[^.;:!?\n]{{0,60}}\?[*_]* (?:then|that|please|it's|this|{_CARE}|don't|do not|those)\b"
)
_ASKS: Final = re.compile(
    r"\b(?:you|your|i|we|is|are|was|do|does|did|have|has|can|could|would|should|will|what|why|how|when|which|who|or"
    r" is)\b"
)


def asks(text: str, first: int, start: int) -> bool:
    """Whether the words from `first` on are a question of their own, and no bare name: "Do you take …"."""
    return _ASKS.search(text, first, start) is not None


def on_condition(text: str, start: int, end: int, given: tuple[int, int]) -> tuple[int, int]:
    """The roles and negations of a condition or symptom at start:end with what is remarked on it."""
    roles, negations = given
    if roles & CONDITION and _WITHOUT.search(text, 0, start) and _IN_HAND.search(text, end):
        return roles & ~CONDITION | NEGATE | PERSONAL, 1
    if any_in(_HARMS, text) and _NOT_WORSE.search(text, max(0, start - _BEFORE), start):
        return roles & ~(_AT_LARGE | HEDGE | _DENIAL | _ADVICE) | STRONG, 0
    if roles & CONDITION and _QUIET.match(text, end) and text.endswith(("the ", "your "), 0, start):
        return roles & ~CONDITION | STRONG, negations
    if roles & (CONDITION | FAMILY):
        return roles, negations
    if not roles & HEDGE and (denied := _ruled_out(text, start)):
        return (roles & ~_AT_LARGE if denied["felt"] else roles) | NEGATE | PERSONAL, 1
    flare = text.endswith(_OF, 0, start) and _FLARE.search(text, max(0, start - len("a recurrence of your ")), start)
    if flare or _HAD.match(text, end):
        return roles & ~(_AT_LARGE | HEDGE) | STRONG, negations
    if not negations and not roles & GENERAL and _WITH.fullmatch(text, 0, start) and not _WOULD.search(text, end):
        if _THEN_ACT.match(text, end):
            return roles | CONDITION, negations
        return roles | AFFIRM | PATIENT, negations
    if not (roles & (STRONG | NEGATE) or _TO_YOU.search(text, 0, start)) and _ALARM.match(text, end):
        return roles & ~(AFFIRM | PERSONAL) | CONDITION, negations
    if roles & (PERSONAL | STRONG | PATIENT):
        return roles, negations
    if _is_reported(text, start, end, roles):
        return (roles | PERSONAL, 1) if negations % 2 else (roles & ~_AT_LARGE | STRONG, 0)
    if " make" in text and _EVIDENCE.match(text, end):
        return roles & ~(_AT_LARGE | HEDGE) | STRONG, negations
    return (roles if negations else _supposed(text, start, end, roles)), negations


def _ruled_out(text: str, start: int) -> re.Match[str] | None:
    """What before a condition says that what is felt is not that."""
    return _IS_NOT_IT.search(text, max(0, start - _BEFORE), start) if "n't" in text or " not " in text else None


def _is_reported(text: str, start: int, end: int, roles: int) -> bool:
    """Whether the beginning of a sentence takes up what the patient has told: "Two days of dry cough, no fever: …"."""
    if roles & GENERAL or _ALARM.match(text, end):
        return False
    if start < len("for the very troublesome ") and _FOR_THE.search(text, 0, start) and _COMMA.match(text, end):
        return True
    if start < _BEFORE // 2 and (lead := _AT_FIRST.search(text, 0, start)):
        return " of " in lead[0] or _LASTING.match(text, end) is not None or _summed(text, end)
    return _summed(text, end)


def _summed(text: str, end: int) -> bool:
    found = _SUMMED.match(text) if (":" in text or " – " in text or " — " in text) else None
    return found is not None and end <= found.end("told") and _NO_REPORT.search(text, 0, found.end("told")) is None


def _supposed(text: str, start: int, end: int, roles: int) -> int:
    """The roles of a condition of which nobody is said: named as the patient's, suspected, or a sign to act on."""
    before = max(0, start - _BEFORE)
    said = text[before:start]
    if (
        not roles & HEDGE
        and any_in(_NAMES, said)
        and _IDENTIFIED.search(text, before, start)
        and not _SUPPOSING.match(text)
    ):
        return roles & ~_AT_LARGE | STRONG
    if _EXPLAINS.match(text, end) or (" wonder" in said and _WONDERED.search(text, before, start)):
        return roles & ~_AT_LARGE | HEDGE
    if "there" in said and _CHANCE.search(text, before, start):
        return roles & ~_AT_LARGE | HEDGE
    if said.endswith(_BE) and _WOULD_BE.search(text, max(0, start - len("actually would actually be the ")), start):
        return roles & ~_AT_LARGE | (CONDITION if _IN_CASE.search(text, 0, start) else HEDGE)
    if (
        _ALARM.match(text, end)
        or (" of " in said and _AT_SIGN.search(text, before, start))
        or (any_in(_CALLS, text) and _CALL_FOR.search(text, max(0, start - 2 * _BEFORE), start))
    ):
        return roles | CONDITION
    return (
        roles & ~_AT_LARGE | HEDGE
        if said.endswith(("for ", "for a ", "for an ")) and _TESTED.search(text, before, start)
        else roles
    )


def is_told_to_others(text: str, start: int) -> bool:
    """Whether others are to be told of what stands at a place: "remind the prescriber that you're allergic to …"."""
    return _THAT_YOU.search(text, max(0, start - _BEFORE), start) is not None


def is_since(text: str, start: int) -> bool:
    """Whether a sentence begins with the time since what is named at a place: "Ten weeks after a hernia repair"."""
    return start < _BEFORE and _SINCE.search(text, 0, start) is not None


def is_alarm(text: str, first: int, start: int, end: int) -> bool:
    """Whether a question without a verb, which begins at `first`, is a sign to act on: "Chest pain? Then call 911"."""
    return _QUESTIONED.match(text, end) is not None and not asks(text, first, start)
