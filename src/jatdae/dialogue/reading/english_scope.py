"""What only seems to reach a mention in an English sentence, and what its place alone makes of it.

A negation before "your asthma" denies something else, and "after a stent" is a time that nothing denies. "No
ibuprofen, please" has no verb and forbids all the same.
"""

from __future__ import annotations

import re
from typing import Final

from jatdae.dialogue.reading.clause import Placed, Sentence
from jatdae.dialogue.reading.cues import (
    AFFIRM,
    AFTER,
    AGAINST,
    ALLOW,
    BEFORE,
    CONDITION,
    EFFECT,
    FAMILY,
    GENERAL,
    HEDGE,
    KEEP,
    NEGATE,
    PATIENT,
    PERSONAL,
    RECOMMEND,
    STRONG,
)
from jatdae.dialogue.reading.english_remarks import on_treatment
from jatdae.dialogue.reading.english_signs import is_since, is_told_to_others, on_condition
from jatdae.dialogue.reading.statuses import ADVISABLE, KINDS

_NOT_THEN: Final = re.compile(
    r"\b(?:after|before|during|until|since|following|because of) (?:an? |the |your |his |her |that )?$"
)
"""What makes a mention a time or reason, which is not denied itself: "not after a stent", "no pain since the stent"."""
_UNTOUCHED: Final = re.compile(
    r"(?:\b(?:not|neither|none|nothing|never)|n't)(?: \w+){0,3} (?:interacts?|interferes?|clash(?:es)?|conflicts?) "
    r"[^,.;:!?]*$|(?:\b(?:not|never)|n't) [^,.;:!?]{1,40}\b(?:with|for|about) your $"
)
"""What denies an effect on a mention and not the mention: "it does not interact with your metformin"."""
_NOT_THOUGHT: Final = re.compile(
    r"(?:\b(?:not|never)|n't|\bnor would i|\bnor do i) (?:\w+ )?(?:think|believe|blame|suspect|feel|expect|see|say"
    r"|find) (?:that )?(?:your|the) $"
    r"|\bbut not (?:with|for|about|because of|due to|by) (?:the |your )?$"
)
"""What denies a thought about something and not the thing: "I don't think your hip replacement …", "not with X"."""
_NEITHER: Final = re.compile(
    r"(?:\A\W*|[,;:.–—(] ?|\b(?:so|and|but|because|that) )neither "
    r"(?:(?:the |your )?[\w' -]{2,60} nor )?(?P<the>the |your )?$"
)
"""What denies of two subjects what is said of them, and not them: "neither the X nor the Y gets in its way"."""
_NOT_FROM: Final = re.compile(
    r"(?:\b(?:not|never|nothing)|n't) (?:\w+ ){0,3}(?:from|due to|because of|related to|caused by|the fault of) "
    r"(?:[\w ]{2,24} (?:or|and) )?(?:your |the )?$"
    r"|(?:\bnot|n't) (?:just|only|merely|simply) (?:an? |the |your )?$"
)
"""What denies a cause and not the thing: "not from your inhaler or cetirizine"; or that it is all: "not just X"."""
_COULD_BE_ADDED: Final = re.compile(
    r"\b(?:could|can|might|may|would) (?:still |also |then )*be (?:added|tried|considered|used|given|started|offered"
    r"|discussed)\b[^.;:]{0,24} (?:is|are) (?:an? )?$"
)
"""What before a drug proposes it: "What could still be added in your case is an SGLT2 inhibitor"."""
_NOT_THERE: Final = re.compile(
    r" (?:is|was|has|have)(?:n't| not) (?:been )?(?:here|available|done|in|on|measured|recorded|known)\b"
)
"""What behind a test tells that there is none: "your spirometry isn't here"."""
_RATHER: Final = re.compile(r"[\s,–—(]*(?:and |but )?not (?:an? |the |another |more )?")
"""What puts something after what was advised before it: "walking is my next step, not a sleeping pill"."""
_LONE: Final = re.compile(r"[\W\d]*(?:[a-z][\w ]{1,24}: )?(?:an? |the |plain |simple )?")
"""What may stand before a name that is all that a clause says: "Acetaminophen, not Motrin."."""
_PREFERRED: Final = re.compile(r"s?[*_]*,? (?:and |but )?not ")
_ALONGSIDE: Final = re.compile(r"\b(?:with|alongside|on top of|in addition to|while on) your $")
"""What names a drug as taken beside what is advised: "never take sildenafil with your nitroglycerin"."""
_YOURS: Final = re.compile(r"\byour (?:\w+ ){0,2}$")
"""What takes for granted that a condition is there, whatever is denied of it: "that doesn't mean your asthma …"."""
_ONSET: Final = re.compile(r" (?:begins?|starts?|is (?:diagnosed|defined|said to))\b")
"""What behind a condition tells where it begins, for anybody: "the border where prediabetes begins"."""
_IN_DISEASE: Final = re.compile(r"(?:\A|[^\w'])in (?:(?:severe|early|advanced|chronic|most|typical|true) )?$")
"""What makes a condition one as such: "in HELLP syndrome they drop"."""
_YOU: Final = re.compile(r"\byou(?:'ve| have)? (?:once |already |also )?$")
_AS_VERB: Final = ("broken ", "broke ", "had ")
"""How a name of a condition begins that tells what happened: "you've broken a hip"."""
_WHICH_IS_NOT: Final = re.compile(
    r",? (?:which|that) (?:(?:is|was)(?:n't| not| never)|has(?:n't| not| never) been"
    r"|you (?:don't|do not|haven't|never|didn't|did not)) (?:actually |ever )?"
    r"(?:had\b|have\b(?! under)|there\b|found\b|seen\b|present\b|shown\b|confirmed\b|yours\b)"
)
"""What behind a condition denies it: "because of liver cancer, which isn't there now"."""
_NOT_YOURS: Final = re.compile(
    r"s?,? (?:is|was|are|were)(?:n't| not) (?:actually |really )?"
    r"(?:something|anything|an? (?:thing|condition|disease|problem|illness|drug|medicine|medication|tablet|procedure)"
    r"|one (?:of the (?:\w+ ){1,2})?)(?: that| which)? ?you(?:'ve| have)? (?:ever )?(?:have|had|take|took|taken|use"
    r"|been on|are on)\b"
    r"(?! to\b)"
)
"""What behind a name denies that it is the patient's: "diabetes is not something you have"."""
_NOT_FOR_YOU: Final = re.compile(
    r"s? (?:is|are)(?:n't| not) (?:really |actually )?(?:something|an? (?:\w+ )?\w+|one|drugs|medicines)(?: that|"
    r" which)? you "
    r"(?:should|can|could|may|ought to|want to)(?: safely| ever)? (?:take|use|have|be taking|be using|eat|drink|try)\b"
)
"""What behind a drug advises against it: "ibuprofen isn't something you should take"."""
_AFTER_TAKING: Final = re.compile(
    r"\b(?:(before|after)|while|when|since) (?:you(?:'ve| have)? )?(?:tak(?:e|ing|en)|took|using|used?|having|a dose"
    r" of) "
    r"(?:the |your |an? |any )?$"
)
"""What before a drug makes it a time at which something else is advised: "avoid driving after taking lorazepam"."""
_WHICH_NOT: Final = re.compile(
    r"s?,? (?:which|that|who) (?:(?:\w+ )?(?:(?:is|was|are|were|has|have|had|does|do|did|can|could|will|would|ca|wo)"
    r"(?:n't| not| never| no longer)|never|no longer|cannot)\b|(?:\w+ )?(?:isn|wasn|hasn|doesn|didn|won|can)'t)"
    r"[^,.;:!?–—()]*"
)
"""A relative clause that denies its own verb and not what it describes: "hypothyroidism that isn't fully replaced"."""
_GIVEN_UP: Final = re.compile(
    r"(?:h[eo]ld|stop|discontinu|quit|paus|ceas|halt|withh|withdr|suspend|interrupt|wean)"
    r"(?!\w* (?:having|getting|feeling|suffering|seeing))"
)
"""A verb that ends the taking of something, and denies no condition: "you're holding fluid, and with heart failure"."""
_NOT_WHEN: Final = re.compile(
    r"not (?:(?:at|in|on|until|till|by|within|over|after|before|for) )?(?:(?:an?|the|your|this|few|couple of|\d+) )*"
    r"(?:next|tomorrow|later|overnight|days?|weeks?|months?|years?|hours?|minutes?|weekend|monday|morning|evening)\b"
)
"""A denial of a time: "today, not at your next visit: …"."""
_NOT_TAKEN: Final = re.compile(
    r"[^.;:()]{0,48}(?:\([^.;:()]{0,24}?|[,–—] | )\b(?:(?<=\()|(?<=– )|(?<=— )"
    r"|(?:but|and|though|although|since|as|because) )you"
    r"(?: (?:don't|do not|have never|never|didn't|did not|aren't|are not|haven't)|'(?:re|ve) (?:not|never)) "
    r"(?:\w+ )?(?:take|taking|taken|took|tried|use|using|used|on|had|been on|been given|started) "
    r"(?:one|any|either|them|it|these|those|that)\b(?= ?[),.;:!?–—]| ?\Z| (?:though|however|so|but|and|yet|now)\b)"
)
"""What behind a drug denies that it is taken: "water pills (you don't take one)"."""
_NOT_TAKEN_SO: Final = re.compile(
    r"s?[*_]*,? (?:which|that|neither of which|none of which) you(?: (?:don't|do not|have never|never|didn't|aren't"
    r"|are not|haven't)|'(?:re|ve) (?:not|never)) (?:\w+ )?(?:take|taking|taken|took|tried|use|using|used|on|had)\b"
    r"(?! (?:with|for|before|after|at|in|every|regularly|correctly|right|properly|often))"
)
"""The same in a relative clause: "losartan, which you don't take"."""
_WITH: Final = re.compile(
    r" (?:plus|with|and an?|combined|instead|rather|than) |, (?!(?:and|or|but|though|although|since|because|as) )"
)
"""What between a drug and the comment may name another, of which the comment is."""
_IF_GIVEN: Final = re.compile(
    r"[^.;!?\n]{0,64}?\b(?:if|in case|should) you(?:'ve| have| were|'re| are)?"
    r" (?:already |been )*(?:given|prescribed|have|got|carry|take|use|using|taking|on|own)"
    r" (?:it|one|them|any|some)\b(?! (?:with|for|before|after|at|in|every|too|once|twice|daily))"
)
"""What behind a drug leaves it open whether it is taken: "keep it with you if you've been given it"."""
_LAST_ONE: Final = re.compile(r"\byour (?:last|latest|previous|recent|most recent|earlier|first|prior) $")
_FOUND: Final = re.compile(
    r" (?:(?:in|from|of) [\w ]{3,14} )?(?:showed|found|revealed|turned up|was|came back|looked)\b"
)
"""Around a test: that it was done, "your last colonoscopy showed polyps"."""
_IN_HAND: Final = re.compile(
    r"\b(?:yours|your [\w ]{2,32}?)(?: is|'s| are| has been)(?: \w+){0,3} "
    r"(?:in hand|under control|controlled|managed|treated|stable|kept|held) "
    r"(?:[\w ]{2,16} )?(?:with|on|by|under|thanks to) (?:the |your )?(?:[\w-]+(?: [\d.]+ ?mg)?(?: and| plus|,) )*$"
)
"""What before a drug tells that it is at work: "yours is in hand with losartan and metoprolol"."""
_OFFERED: Final = re.compile(r"\b(?:can|could|may|might|would|should|will|best|often|usually|typically|if|not)\b|n't")
_AT_LARGE: Final = re.compile(
    r"s?[*_]*(?: of the \w+)? (?:(?:is|are)(?: \w+){0,3} (?:seen|found|common|reported|observed|frequent|rare|likely"
    r"|diagnosed|described|prevalent|unusual)|(?:also )?(?:occurs?|happens?|appears?|shows? up|turns? up|develops?"
    r"|strikes?))(?: \w+){0,3} (?:in|among|at) (?!you\b|your\b|this\b|the morning)"
)
"""What behind a condition tells of people at large: "is also seen more often in undertreated women"."""
_FORBIDS: Final = re.compile(r"(?:\A\W*|[,;:–—] |please |so |and |but )(?:don't|do not|never) (?!have\b)[a-z]+ ")
"""What forbids something, and denies nothing: "please don't start one for a cold"."""
_NO: Final = re.compile(
    r"(?:\A|[.:;,(–—-])[\s*_>#•·❌✗✖-]*(?:(?:please|so|and|also|then|but),? )*no "
    r"(?:(?:more|extra|additional|other|over-the-counter|otc|regular|oral|plain) )*"
    r"(?:[\w' -]{2,30}(?:,? or|,) (?:other )?)*$"
)
_NO_MORE: Final = re.compile(
    r"s?[*_]*(?:\s*(?:[.!;)\n]|\Z)|,? (?:please|or|and no|until|while|during|unless|at all|either|today|tonight|again"
    r"|for (?:now|you|the time|at least|a few|\d)|from now|on top|within|before|after|alongside"
    r"|next to|together with|along with|beside|with"
    r"|for (?:him|her|them|this))\b|,)"
)
"""What stands around a drug that is forbidden without a verb: "No ibuprofen or naproxen, please."."""
_RECORDED: Final = re.compile(
    r"\b(?:meds?|medicines|medications|history|hx|record|chart|file|list|allerg\w+|takes?|on)\b"
)
_WOULD_BE: Final = re.compile(r"s? would (?:probably |also |then )?be (?!fine|safe|okay|ok|good)")
"""What makes a drug one that is only thought of: "tamoxifen would be the fallback"."""
_OUT: Final = re.compile(
    r"[a-z]{0,2}\)?[*_]* (?:is|are) (?:out|taboo|off the (?:table|menu)|not for you)(?=[.,;:!)–—]| –| —|\Z)"
)
"""What rules a drug out: "so Bactrim is out"."""
_AT_AGE: Final = re.compile(r"(?:\A|\W)at $")
_FEW: Final = 24
"""How far before a mention the words may stand that belong to it, in characters."""
_FAR: Final = 64
"""How far before a mention a list may begin that it ends, in characters."""
_SAID: Final = PERSONAL | PATIENT | STRONG
_TO_HAVE: Final = re.compile(r"\b(?:have|get|having|getting) (?:your |the )?$")
"""What before an operation supposes it where a condition is told: "if you have your uterus removed"."""
_CLAIMED: Final = NEGATE | PERSONAL | PATIENT | AFFIRM
_DRUGS: Final = ("drug", "drug_class")
_FELT: Final = ("condition", "symptom")
_HAD: Final = ("condition", "symptom", "procedure")
_ADVISED: Final = RECOMMEND | AGAINST | KEEP | ALLOW
_TOLD: Final = _ADVISED | GENERAL | AFFIRM


def reaching(said: Sentence, number: int, place: int, end: int, category: str) -> list[Placed]:
    """The acts of a clause without those that deny something else than a condition at place:end."""
    acts = said.clauses[number].acts
    if category in KINDS or not any(act[0] == NEGATE for act in acts):
        return acts
    text = said.text
    beside = None if _WHICH_IS_NOT.match(text, end) else _WHICH_NOT.match(text, end)
    until = beside.end() if beside else end
    return [
        act for act in acts if not ((act[0] & _CLAIMED and end <= act[3] < until) or _is_of_another(text, act, place))
    ]


def _is_of_another(text: str, act: Placed, place: int) -> bool:
    """Whether an act before a condition denies something else: what is held or stopped, a time, a relative clause."""
    if act[0] != NEGATE or act[4] >= place:
        return False
    start = max(0, act[3])
    if _GIVEN_UP.match(text, start):
        return not text[act[4] : place].isspace()  # but "you stopped wheezing"
    if text.find(":", start, place) < 0:
        return False
    return bool(_NOT_WHEN.match(text, start) or _WHICH_NOT.match(text, max(0, text.rfind(" ", 0, start - 1))))


def in_english(
    said: Sentence, number: int, place: int, end: int, category: str, given: tuple[int, int]
) -> tuple[int, int]:
    """The roles and negations of a mention at place:end of a sentence, by what an English reader takes from it."""
    text = said.text
    roles, negations = given
    kind = KINDS.get(category)
    before = max(0, place - _FEW)
    if negations:
        roles, negations = _denied(said, number, place, end, category, given)
    if category == "condition" and _YOU.search(text, before, place) and text.startswith(_AS_VERB, place):
        roles |= AFFIRM | PERSONAL
    if category == "condition" and not negations and _WHICH_IS_NOT.match(text, end):
        roles, negations = roles | NEGATE | PERSONAL, 1
    if not negations and text.find("you", end) >= 0 and _NOT_YOURS.match(text, end):
        roles, negations = roles & FAMILY | NEGATE | PERSONAL, 1
    if category == "condition" and not roles & STRONG:
        as_such = not roles & PERSONAL and _IN_DISEASE.search(text, before, place)
        if as_such or _ONSET.match(text, end) or (not roles & PERSONAL and _AT_LARGE.match(text, end)):
            roles |= GENERAL
    if category == "procedure" and not negations:
        roles, negations = _of_procedure(text, place, end, roles)
    if category in _DRUGS and not negations and text.find("you", end, end + 2 * _FAR) >= 0:
        roles, negations = _as_commented(said, number, place, end, roles)
    if kind == "taken":
        roles = _of_drug(said, number, place, end, roles)
    elif kind == "measured" and roles & GENERAL and not roles & CONDITION and text.endswith("(", 0, place):
        roles &= ~(GENERAL | EFFECT)  # "the thyroid is not to blame (TSH 3.0)"
    elif kind == "told" and roles & FAMILY and _AT_AGE.search(text, before, place):
        named = any(act[0] == FAMILY and act[1] != AFTER for act in said.clauses[number].acts)
        roles = roles if named else roles & ~FAMILY  # "… your mother's emphysema, but at 29 that would be unusual"
    return _remarked(text, place, end, category, (roles, negations))


def _remarked(text: str, place: int, end: int, category: str, given: tuple[int, int]) -> tuple[int, int]:
    """The roles and negations of a mention with what is remarked on it right before or behind."""
    kind = KINDS.get(category, "other")
    roles, negations = given
    if roles & CONDITION and kind in ("taken", "other") and is_told_to_others(text, place):
        return roles & ~CONDITION | STRONG, negations
    if kind == "taken":
        roles, negations = on_treatment(text, place, end, category, given)
    elif category in _FELT:
        roles, negations = on_condition(text, place, end, given)
    if category in _HAD and not roles & (_TOLD | NEGATE | CONDITION | FAMILY | STRONG) and is_since(text, place):
        roles |= STRONG
    return roles, negations


def _of_procedure(text: str, place: int, end: int, roles: int) -> tuple[int, int]:
    """The roles and negations of an operation or test: not done, done before, or only supposed."""
    before = max(0, place - _FEW)
    if _NOT_THERE.match(text, end):
        return roles | NEGATE, 1
    if roles & CONDITION:
        return (roles & ~STRONG if _TO_HAVE.search(text, before, place) else roles), 0
    if not roles & (STRONG | _TOLD) and _LAST_ONE.search(text, before, place) and _FOUND.match(text, end):
        return roles | STRONG, 0
    return roles, 0


def _as_commented(said: Sentence, number: int, place: int, end: int, roles: int) -> tuple[int, int]:
    """The roles and negations of a drug with what a comment behind it tells of its being taken."""
    if _NOT_TAKEN_SO.match(said.text, end):
        return roles & FAMILY | NEGATE | PERSONAL, 1
    if any(act[0] & (AFFIRM | STRONG) and act[3] < place for act in said.clauses[number].acts):
        return roles, 0  # "you take warfarin, so skip ibuprofen if you have any"
    comment = _NOT_TAKEN.match(said.text, end)
    if comment:
        if _WITH.search(said.text, end, comment.end()):  # "amlodipine plus a statin (you don't take one)"
            return roles & ~(AFFIRM | PERSONAL), 0
        return roles & FAMILY | NEGATE | PERSONAL, 1
    if _IF_GIVEN.match(said.text, end):
        return roles & ~KEEP | CONDITION, 0
    return roles, 0


def _of_drug(said: Sentence, number: int, place: int, end: int, roles: int) -> int:
    """The roles of a drug with what its place says of it: proposed, preferred, ruled out, only thought of."""
    text = said.text
    if roles & (AGAINST | RECOMMEND | ALLOW):
        time = _AFTER_TAKING.search(text, max(0, place - _FEW), place)
        if time and (time[1] or not roles & (RECOMMEND | ALLOW)):
            roles = roles & ~_ADVISED | CONDITION
    if text.find("you", end) >= 0 and _NOT_FOR_YOU.match(text, end):
        roles = roles & ~(RECOMMEND | ALLOW | NEGATE) | AGAINST
    if _COULD_BE_ADDED.search(text, max(0, place - _FAR), place):
        roles = roles & ~(STRONG | PERSONAL | PATIENT) | RECOMMEND
    if not roles & (_ADVISED | GENERAL | STRONG | NEGATE | CONDITION | FAMILY):
        found = _IN_HAND.search(text, max(0, place - 2 * _FAR), place)
        if found and not _OFFERED.search(text, found.start(), place):
            roles |= STRONG
    if roles & AGAINST and _ALONGSIDE.search(text, max(0, place - _FEW), place):
        roles = roles & ~AGAINST | STRONG
    if not roles & _ADVISED and _OUT.match(text, end):
        roles |= AGAINST
    if not roles & (_TOLD | _SAID | NEGATE):
        if _PREFERRED.match(text, end) and _LONE.fullmatch(text, said.clauses[number].start, place):
            roles |= RECOMMEND
        elif _WOULD_BE.match(text, end):
            roles |= HEDGE
    return roles


def _denied(
    said: Sentence, number: int, place: int, end: int, category: str, given: tuple[int, int]
) -> tuple[int, int]:
    """The roles and negations of a mention without a denial of something else; what is forbidden is not denied."""
    text = said.text
    roles, negations = given
    start = said.clauses[number].start
    if _NOT_THEN.search(text, max(0, place - _FEW), place):
        return roles & ~NEGATE, 0  # "good for most people but not after a stent"
    if negations == 1 and _NOT_FROM.search(text, start, place):
        return roles & ~NEGATE, 0
    if negations == 1 and category in _DRUGS and (found := _NEITHER.search(text, max(0, start - 2), place)):
        if roles & RECOMMEND:
            return roles & ~(NEGATE | RECOMMEND) | AGAINST, 0
        return roles & ~NEGATE | (STRONG if found["the"] else 0), 0
    if category in ("condition", "procedure") and _is_own_already(said, number, place):
        return roles & ~NEGATE, 0
    if category == "condition" and roles & AGAINST and _FORBIDS.search(text, 0, place):
        return roles & ~NEGATE, 0  # "don't start one for a cold": not the cold is denied
    if negations != 1:
        return roles, negations
    if _UNTOUCHED.search(text, start, place) or _NOT_THOUGHT.search(text, start, place):
        return roles & ~NEGATE, 0
    if KINDS.get(category) == "taken" and number and _RATHER.fullmatch(text, start, place):
        first = said.clauses[number - 1]
        advised = any(act[0] == RECOMMEND for act in first.acts)
        if advised or (first.named and not first.acts):
            return roles & ~NEGATE | AGAINST, 0
    if KINDS.get(category) in ADVISABLE and not roles & (_SAID | _TOLD) and _is_banned(text, place, end):
        return roles & ~NEGATE | AGAINST, 0
    return roles, negations


def _is_own_already(said: Sentence, number: int, place: int) -> bool:
    """Whether a condition is called the patient's, so that what is denied before it is something else."""
    if not _YOURS.search(said.text, max(0, place - _FEW), place):
        return False
    return not any(
        role == NEGATE and scope & BEFORE and at >= place for role, scope, _, at, _ in said.clauses[number].acts
    )


def _is_banned(text: str, place: int, end: int) -> bool:
    """Whether "no" before a drug or food forbids it: "No ibuprofen or naproxen, please."."""
    found = _NO.search(text, max(0, place - _FAR), place)
    if found is None or not _NO_MORE.match(text, end):
        return False
    return _RECORDED.search(text, max(0, found.start() - _FAR), found.start() + 1) is None
