"""What a question is about, and what a reply that does not name the thing says of it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from jatdae.dialogue.rules.english_advice import read_english
from jatdae.dialogue.rules.english_verdict import assents
from jatdae.dialogue.rules.korean_advice import is_of_another, permits, read_korean
from jatdae.dialogue.rules.stances import AGAINST, KEEP, MORE, NONE, STOP, TAKE, UNFIT

_HANGUL: Final = re.compile("[가-힣]")
OPENING: Final = 3
"""Most sentences in which an answer may agree."""
YES: Final = re.compile(
    r"\W*(?:(?:yes|yep|yeah|sure|of course|absolutely|certainly|definitely|okay|ok)\b"
    r"(?P<may>,? you (?:can|may|could|should)(?=[.!]))?|(?:네|예|그럼요|물론이죠|물론입니다|물론|응)\b)\W*"
)
_NO: Final = re.compile(
    r"\W*(?:no|not|never|nope|nah)\b(?! (?:problem|worries|harm|need|reason|issue))[ ,.!]*|"
    r"\W*(?:아니요|아니에요|아니오|아뇨|아닙니다|아니)[ ,.!]*"
)
_MEANT: Final = {
    "english": re.compile(
        r"\b(?:that's|it's|they're|(?:that|those|these|this|it|them|they|both)(?: two| one| drug| pill)?|one(?! of))\b"
    ),
    "korean": re.compile(r"(?:[이그저] ?(?:약|것|거|건|음식|운동|정도)[은는도을를이가만]{0,2} ?|[이그저]건 ?)"),
}
"""What stands for the thing that was asked about."""
_OFFERED: Final = re.compile(
    r"[가-힣](?<!오늘)(?<!내일)(?<!지금)(?<!이제)부터 |"
    r"[가-힣](?<!이내)(?<!이하)(?<!정도)(?<!소량)(?<!저녁)(?<!아침)(?<!간격)"
    r"(?<!임의)(?<!스스)(?<!함부)(?<!마음대)(?:으로|로) "
)
_OF_OTHER: Final = re.compile(
    r"\W*(?:the|your) (?!(?:drugs?|pills?|tablets?|medicines?|medications?|doses?|same|two|combination|answer|short)\b)"
    r"[a-z]+ (?:can|could|may|should|must|will|is|are)\b"
)
_THE_ACT: Final = re.compile(r"\W*that(?:'s| is| would be| will be| should be| sounds)\b")
"""How a reply begins that is about what was asked to do, and not about the thing: "That would be fine."."""
_NEEDING: Final = re.compile(
    r"\b(?:do|must|should|will) i (?:\w+ )?(?:need|have to|continue|keep)\b|"
    r"\bis (?:\w+ ){1,3}(?:still )?(?:needed|necessary)\b|"
    r"(?:계속|꼭|평생|아직) [^?]{0,20}야 (?:하나|하는|할까|되나|돼|하죠)|필요(?:한가|할까|해요\?|하나)"
)
_STOPPING: Final = re.compile(
    r"\b(?:stop|quit|skip|come off|(?:com|get|wean|taper)(?:t?ing)? (?:myself )?off|"
    r"drop|discontinue|without|pause|give up|cut out|leave (?:off|out))\b|끊|중단|그만|"
    r"안 (?:먹|드|맞)|쉬어|걸러|거르"
)
NEED: Final = "need"
"""What a question may be about: whether a thing is still needed."""


def asked_of(sentence: str) -> str:
    """What a question is about: stopping something or leaving it out, whether it is needed, or taking it."""
    if _STOPPING.search(sentence):
        return STOP
    return NEED if _NEEDING.search(sentence) else TAKE


@lru_cache(maxsize=4096)
def read_reply(reply: str, asked: str) -> str:
    """What a reply says of the thing that was asked about, which it does not name; empty if nothing.

    Where it was asked whether to stop it, a mere consent stops it; where it was asked whether it is needed, a mere no.
    """
    yes, no = YES.match(reply), _NO.match(reply)
    if not (yes or no) and _SEEKS.search(reply):
        return ""
    opening = yes or no
    rest = reply[opening.end() :] if opening else reply
    said = said_of_it(rest) if rest.strip(" .!,^~") else ""
    if asked == NEED:
        return STOP if said == STOP or (no and not said) else KEEP if yes else said
    if no and said not in (STOP, TAKE):
        return KEEP if asked == STOP else AGAINST
    if yes and said in ("", NONE) and (yes["may"] or not rest.strip(" .!,^~")):
        said = TAKE
    elif said in (TAKE, KEEP, MORE) and not allows(rest, yes is not None):
        said = ""  # 발작이 없으셨다니 다행입니다: pleased, and nothing is allowed
    of_act = yes or _THE_ACT.match(rest) or not _MEANT["english"].search(rest)
    consents = asked == STOP and said == TAKE and of_act
    return STOP if consents else said


_SEEKS: Final = re.compile(
    r"^\W*(?:(?:i'm|i am|so|oh),? )*sorry\b|^\W*i (?:understand|hear|see|get|know)\b|"
    r"\blet's (?:find|look|see|figure|sort|talk|work|walk|think|go (?:through|over|step)|"
    r"take (?:a look|stock|this|it step)|start (?:with|by)|begin (?:with|by)|get you|break)\b"
)
"""How a reply begins that has yet to say what, or only feels with the patient: "let's find something that fits"."""


def is_declined(reply: str) -> bool:
    """Whether an English reply declines what was asked for: "I'm afraid not.", "It isn't the right one for you."."""
    if _HANGUL.search(reply) or YES.match(reply) or _ALLAYS.search(reply):
        return False
    if _DECLINES.search(reply):
        return True
    return _MEANT["english"].search(reply) is not None and read_reply(reply, TAKE) in (AGAINST, STOP, UNFIT)


_ALLAYS: Final = re.compile(
    r"\b(?:no|without|any) (?:problem|worries|harm|need|reason|issue)|"
    r"\b(?:don't|not|needn't) (?:to )?(?:worry|alone|bad)|\b(?:sorry|fine|okay|common|understand|normal)\b"
)
"""What a reply says that is no refusal, though it begins with a no."""
_DECLINES: Final = re.compile(
    r"^\W*(?:short answer:? |(?:i'd|i would) say |unfortunately,? |sadly,? |honestly,? |sorry,? )?"
    r"(?:no[,.:;!–—]|please (?:don't|do not|no)|don't\b|better not|rather not|never\b|"
    r"not (?:with|for|while|at|in|on|until|if|really|now|right now|this time|a good|the best|without|before|so fast|"
    r"yet)\b|only (?:as|for|to|if|when|in|with)\b)|"
    r"\b(?:i'd|i would|we'd) (?:hold off|skip|pass|leave|avoid|steer|stay away|rather you didn't|say no|"
    r"advise against|wait|not)\b|"
    r"\bi wouldn't(?! (?:deny|worry|mind|object|refuse|hesitate|stop|say no|be (?:too |very )?(?:worried|concerned)|"
    r"wait|lose|rule|call))|\b(?:i'm afraid not|i am afraid not|wish i could say yes|but no\b|"
    r"(?:hold|steer|stay|keep) (?:off|clear|away)|(?:give|giving) (?:it|that|this|them) a miss|"
    r"(?:keep|save|reserve) (?:it|them|that|this) for)"
)
"""How a reply declines what was asked for without naming it."""


def said_of_it(rest: str) -> str:
    """What the rest of a reply says of the thing that was asked about."""
    if _HANGUL.search(rest):
        return read_korean("X은 " + _MEANT["korean"].sub("", rest, count=1), False) if _is_of_it(rest) else ""
    back = _MEANT["english"].search(rest)
    if back is None and _OF_OTHER.match(rest):
        return ""  # "The spray can be stopped": one of the things that were asked about
    return read_english(f"{rest[: back.start()]}X{rest[back.end() :]}" if back else f"X: {rest}", False, True)


def allows(rest: str, yes: bool) -> bool:
    """Whether a reply allows or orders something, and does not only speak well of how things are.

    A "yes" before it is enough in English; 네 is said out of politeness as well.
    """
    return permits(rest) if _HANGUL.search(rest) else yes or assents(rest)


def _is_of_it(reply: str) -> bool:
    """Whether a Korean reply is about what was asked, and offers nothing else: not 찜질을 하세요, 걷기부터 하세요."""
    return not is_of_another(reply) and not _OFFERED.search(reply)
