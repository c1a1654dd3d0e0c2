"""What an answer has made clear to be the patient's stays so when it is named again, and under headings of a record.

A clause alone does not tell that "the lisinopril" is the patient's. The answer as a whole does: it was "your
lisinopril" before, it stands under "Your medicines", or it is spoken of as given ("the lisinopril", "with COPD") to
somebody whose record the answer has at hand. The first two are as good as said; the last is only suggested, and marked
as not sure.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

from jatdae.dialogue.reading.context import Context
from jatdae.dialogue.reading.english_verbs import load_english_words
from jatdae.dialogue.reading.headings import find_record_blocks
from jatdae.dialogue.reading.korean_discourse import (
    is_denied_as_cause,
    is_loosely_kept,
    is_of_level,
    is_presupposed,
    is_said_taken,
    is_spoken_of,
    is_timed,
    is_treated,
    worsens,
)
from jatdae.dialogue.reading.mention import Mention
from jatdae.dialogue.reading.patterns import Span
from jatdae.dialogue.reading.stated import with_stated_tests
from jatdae.dialogue.reading.statuses import AVOID, CONDITIONAL, FACT, HEDGED, NOT_PATIENT, RECOMMENDED, UNSAID

_CARRIED: Final = frozenset(("drug", "drug_class", "condition", "procedure"))
_HERE: Final = frozenset((FACT, NOT_PATIENT))
_TAKEN: Final = frozenset(("drug", "drug_class"))
_LOOSE: Final = frozenset((HEDGED, RECOMMENDED, AVOID))
"""How a drug may be meant that is spoken of as taken all the same: "log your puffs of albuterol"."""
_TAKING: Final = re.compile(
    r"\b(?:while (?:you're |you are )?(?:on|taking|using)|puffs of|doses of"
    r"|(?:after|with|despite|from|your|those|these|many|long|the|first|last|past) (?:\w+ )?"
    r"(?:years?|months?|weeks?) of) "
    r"(?:the |your )?$"
)
"""What tells that something is taken, whatever is advised or supposed."""
_BLAMED: Final = re.compile(
    r" (?:is|are|was|were)(?:n't| not)? (?:behind|to blame|causing|responsible|the (?:culprit|cause|reason))\b"
)
_CAUSING: Final = re.compile(
    r"[이가은는] [^.!?\n]{0,20}?(?:했을|시켰을|일으켰을|때문일|원인일|영향일|탓일)"
    r"|(?:[이가은는]|으?로) [^.!?\n]{0,28}?[했됐갔졌켰렸났]을 가능성"
    "|[은는도] (?:[가-힣]+ )?걱정(?:하지|할|하실|은)"
)
"""What a Korean drug that is taken may have done: "에소메프라졸이 간을 상하게 했을 가능성은"."""
_EXPLAINED: Final = re.compile(
    r"\b(?:behind|causing|explain(?:s|ing)?|driving|worsening|contributing to"
    r"|the (?:cause|reason) (?:of|for)) "
    r"(?:the|your) $"
)
"""What is explained, by whatever: "heavy periods may be behind the anemia"."""
_OF_OTHERS: Final = re.compile(
    r"\b(?:someone|people|patients|guidelines?|stud(?:y|ies)|trials?|program(?:me)?|americans?|adults|women|men|doctors"
    r"|approved|classified|developed)\b"
)
"""What makes a sentence speak of people at large."""
_DEFINED: Final = re.compile(
    r"(?: and [a-z]+)? (?:is|are) (?:(?:an?|one of|among|another|the most|used)\b|the ones? (?!you|we|i))"
)
_HEADED: Final = re.compile(
    r" (?:nurse|clinic|team|range|risk|drugs?|medicines?|program(?:me)?|society|association|guidelines?|diet|community"
    r"|group|attacks?|tests?|study|trial|rate|specialist|vaccine|screening|diagnosis)\b"
)
"""What a condition before it only describes: "the heart failure nurse"."""
_OF_VALUE: Final = re.compile(
    r"\d(?: ?(?:%|percent|[munp]?g/d?l|mmol/l))?(?:,| [–—]| \() ?(?:which is |which means |meaning |that's |that is )?"
    r"an? (?:very |rather |only |quite )?(?:mild|slight|modest|minor|borderline) $"
)
"""What makes a condition the degree of a value, which no record lists: "hemoglobin is 12.2, a mild anemia"."""
_BY_VALUE: Final = re.compile(
    r"\b(?:this|that|it|which)(?: is|'s)(?: (?:called|what we call|known as))? (?:an? |the |still |already )?(?:mild "
    r"|slight |early )?$"
    r"|\d[\d.]*(?: ?%)? (?:is|means) (?:an? )?(?:mild |slight )?$"
)
"""What names a condition by a value, which no record lists: "104, a touch above normal; this is prediabetes"."""
_BEFORE_DEGREE: Final = ("mild ", "slight ", "modest ", "minor ", "borderline ")
_BEFORE_NAMED: Final = (
    "is ", "'s ", "means ", "called ", "call ", "as ", "a ", "an ", "the ", "still ", "already ", "mild ", "slight ",
    "early ",
)  # fmt: skip
"""How these two end: asked first, because that is much faster."""
_JOINT: Final = re.compile(r"s?(?:,|,? and|,? or) ")
_ONE_OF: Final = re.compile(
    r"\b(?:or|whereas|unlike|versus|vs\.?|(?:the )?(?:other|alternative|second) (?:is|one is|would be)) "
    r"(?:with |the |an? )?(?:[a-z-]+ )?$|\b(?:an?|another|some|any) (?:[a-z-]+ )?$"
)
_OR: Final = re.compile(
    r"(?: \d[\w.]* ?(?:mg|mcg|g|units)?| [a-z]{4,9})?,? or (?!less|more|so\b|two|not\b|later|earlier)"
)
"""What makes a drug one of several that there are, and none that is taken: "insulin or semaglutide", "an evening …"."""
_SAME: Final = re.compile(
    r"\bsame (?:is true|goes|applies|holds|is so)(?: \w+)? (?:for|to|of|with) (?:the )?$"
    r"|\b(?:so|neither|nor) (?:is|are|does|do|can|should|will|would|has|may) (?:the |your )?$"
)
"""What before a thing says of it what was said of the one before: "The same goes for tadalafil"."""
_BEFORE_SAME: Final = (
    "for ", "to ", "of ", "with ", "is ", "are ", "does ", "do ", "can ", "should ", "will ", "would ", "has ", "may ",
    "the ", "your ",
)  # fmt: skip
"""How it ends: asked first, because that is much faster."""
_NOT_KEPT: Final = frozenset((
    "class:antibiotic", "class:supplement", "class:antihistamine", "class:decongestant", "class:antifungal",
    "class:cough_medicine", "class:antiviral", "class:antidiarrhoeal",
))  # fmt: skip
"""Classes of what is bought or taken for a few days: that the patient takes it is never taken for granted."""
_PASSING: Final = _NOT_KEPT | {"class:analgesic", "class:laxative", "class:antacid"}
_HELPING: Final = re.compile(
    r" (?:and [a-z]+ (?:are|is) (?:enough|plenty|fine|all you need)|takes? care of|will do|does the trick|is enough|is"
    r" plenty|usually helps|helps? with|helps? against|eases?"
    r"|handles?"
    r"|belongs? in your|works? (?:well )?(?:for|against)|is all (?:right|you need))\b"
)
_ITEM: Final = re.compile(r"\s*(?:[-*•–]|\d{1,2}[.)])\s+[*_]*")
_DOSED: Final = re.compile(
    r"[^:.\n]{0,24}(?::|–|—)[*_]* [^.\n]{0,40}\b(?:daily|a day|once|twice|every|puffs?|sprays?|as needed|at bedtime"
    r"|at night|drops|mg|tablets?)\b"
)
_AS_NEEDED: Final = re.compile(
    r",? (?:[\w.-]+ ){0,5}?(?:up to|as needed|if needed|when needed|no more than|at most)\b[^.;:\n]{0,40}\b(?:a day"
    r"|daily|per"
    r" day|in 24|times|hours|pain|fever)\b"
)
_TOO: Final = re.compile(
    r"[*_]*,? (?:(?:is|are|can|may|should|does|do|will|has)(?:n't| not)? )?(?:[a-z]+ ){0,4}?(?:too|as well|either"
    r"|likewise)\b"
)
"""What behind a drug says of it what was said of the one before: "Ramipril is fine too"."""
_LIKEWISE: Final = re.compile(
    "(?:[도은는]|(?:도|이|가)? ?역시) (?:[가-힣]{2,6} )?(?:마찬가지|똑같|동일하|같은 (?:이유|까닭|원칙)|같습니다)"
)
"""The same in Korean: "발사르탄도 마찬가지고요"."""
_MANY: Final = 3
"""How many unknown drugs in a row are a list of what there is, and not of what is taken."""
_HANGUL: Final = re.compile("[가-힣]")
_AS_SUCH: Final = ("에는 ", "란 ", "이란 ", "에 속")
"""Particles after a Korean class that is spoken of as such."""
_LONG: Final = 300
_DEFINITE: Final = re.compile(
    r"\bthe (?:(?:occasional|daily|nightly|weekly|morning|evening|bedtime|current|usual|regular|baby|low-dose"
    r"|long-acting|prescribed|existing|underlying|known|chronic|inhaled) )?$"
)
"""What makes a drug or condition one that both sides know of: "the metformin"."""
_GIVEN: Final = re.compile(r"\b(?:with|from|for|despite|after|alongside|beside|besides|given) (?:the )?$")
"""What may stand before a condition that is taken as given: "walking with COPD"."""
_INDEFINITE: Final = re.compile(r"\ban? $")
"""What makes a condition one that anybody may have: "an underactive thyroid can cause …"."""
_MAY: Final = re.compile(r" (?:can|could|may|might|often|sometimes)\b")
_FOLLOWED: Final = re.compile(r"s?(?:[^\w\s-]|\s*\Z|\s+[^\sa-z]|\s+([a-z']+))")
_LEADING: Final = frozenset((
    "in", "on", "at", "with", "for", "from", "to", "by", "into", "as", "before", "after", "than", "itself",
    "dose", "every", "each", "daily", "twice", "once", "tonight", "tomorrow", "this", "these", "alone", "too",
    "spray", "inhaler", "tablet", "tablets", "patch", "until", "over",
))  # fmt: skip
_OTHERS: Final = re.compile(
    r"s? (?:that |which )?(?:your|my|his|her|their|he|she|they|i|people"
    r"|you (?!take|use|are|have))"
)
"""A relative clause about somebody else, or about something that is not taken: "the aspirin you mentioned"."""
_TOLD: Final = re.compile(r"\b(?:is|are|was|were|can|may|might|should|will|would|you|your|it|they|keeps?|helps?)\b")
_NEAR: Final = 24
_PERSON: Final = 64
_IN_SOMEBODY: Final = re.compile(
    r"(?<!choice )(?<!option )\b(?:in|for|of|at) (?:someone|somebody|an? (?:[\w-]+ ){0,2}(?:man|woman|person|patient"
    r"|lady|gentleman)) (?:of \d+ )?(?:with|who has|who had|living with) (?:[^.,;:\n]{2,32}(?:, | and ))*"
    r"(?:an? |known |the |your |chronic )*$"
)
"""One person as whom the patient is spoken of: "a night cough in a person with …"."""


def carry_on(text: str, mentions: list[Mention], context: Context) -> list[Mention]:
    """The mentions of a folded answer, in order, with those read as the patient's that the whole answer makes so."""
    mentions = with_stated_tests(text, _as_before(text, mentions))
    mentions = [
        each._replace(sure=False) if each.status == FACT and _is_loose(text, each, context) else each
        for each in mentions
    ]
    whys = {at: _why(each, context) for at, each in enumerate(mentions) if _is_open(each)}
    unsaid = [at for at, why in whys.items() if why == UNSAID]
    if not whys:
        return mentions
    read = list(mentions)
    elsewhere = _ids([each for each in mentions if each.status not in _HERE or each.polarity == "negated"])
    blocks = find_record_blocks(text) if unsaid else []
    for at in unsaid:
        each = read[at]
        listed = _is_listed(text, each, blocks)
        if not listed and _is_offered(text, each):
            read[at] = each._replace(status=RECOMMENDED, subject="patient", advice="for")
        elif listed or (each.concept.id not in elsewhere and _is_definite(text, each)):
            read[at] = each._replace(status=FACT, subject="patient", sure=listed or each.category == "drug")
    for at in whys:
        if is_said_taken(text, read[at]):
            read[at] = read[at]._replace(status=FACT, subject="patient", advice="")
    own = _ids(
        [each for each in read if each.status == FACT and each.polarity == "affirmed" and each.category in _CARRIED]
    )
    if not any(each.status == FACT for each in read):
        return read
    valued = frozenset(text.rfind("\n", 0, each.start) + 1 for each in read if each.status == FACT and each.value)
    listed_ones = _enumerated(text, read, whys, own)
    for at, why in whys.items():
        if at in listed_ones:
            continue
        each = read[at]
        if (
            each.status != FACT
            and not _is_plural(text, each)
            and _is_suggested(text, each, why, own, elsewhere, context, valued)
        ):
            read[at] = each._replace(status=FACT, subject="patient", advice="", sure=False)
    return read


def _is_loose(text: str, mention: Mention, context: Context) -> bool:
    """Whether a fact is not told of the patient's record: the level of a value, no cause, or a drug that may be new."""
    if is_of_level(text, mention) or is_denied_as_cause(text, mention):
        return True
    if mention.category == "condition" and _is_degree(text, mention.start):
        return True
    return is_loosely_kept(text, mention, context.sentence_at(mention.start))


def _is_degree(text: str, start: int) -> bool:
    """Whether a condition that begins here is named by a value."""
    if text.endswith(_BEFORE_NAMED, 0, start) and _BY_VALUE.search(text, max(0, start - _NEAR), start):
        return True
    if not text.endswith(_BEFORE_DEGREE, 0, start):
        return False
    return _OF_VALUE.search(text, max(0, start - _PERSON), start) is not None


def _as_before(text: str, mentions: list[Mention]) -> list[Mention]:
    """The mentions with those of which the answer says the same as of the one before."""
    read = list(mentions)
    taken: list[Mention] = []
    for at, each in enumerate(mentions):
        if each.category not in _TAKEN:
            continue
        if _is_said_as_before(text, each):
            before = next((other for other in reversed(taken) if other.advice), None)
            if before is not None:
                read[at] = each._replace(status=before.status, advice=before.advice, subject="patient")
        elif taken and each.status != FACT and _TOO.match(text, each.end):
            before = taken[-1]
            if before.status == FACT and each.start - before.end < _LONG:
                read[at] = before._replace(
                    concept=each.concept, start=each.start, end=each.end, text=each.text, value=each.value, sure=False
                )
        taken.append(read[at])
    return read


def _is_said_as_before(text: str, mention: Mention) -> bool:
    """Whether the words around a mention say of it what was advised of the one before: "The same goes for …"."""
    if _LIKEWISE.match(text, mention.end):
        return True
    start = mention.start
    return text.endswith(_BEFORE_SAME, 0, start) and _SAME.search(text, max(0, start - 2 * _NEAR), start) is not None


def _ids(mentions: list[Mention]) -> frozenset[str]:
    """The ids of what is mentioned and of all that is broader."""
    return frozenset([above for each in mentions for above in each.concept.above])


def _is_open(mention: Mention) -> bool:
    """Whether the rest of the answer may make a mention the patient's."""
    if mention.category not in _CARRIED or mention.polarity == "negated":
        return False
    return (
        mention.status == NOT_PATIENT
        or (mention.category == "condition" and mention.status in (HEDGED, CONDITIONAL))
        or (mention.category in _TAKEN and mention.status in _LOOSE)
    )


def _enumerated(text: str, mentions: list[Mention], whys: dict[int, str], own: frozenset[str]) -> frozenset[int]:
    """Mentions in a list of several of which none is known to be the patient's: "metronidazole, amiodarone, …"."""
    rows: list[list[int]] = []
    for at in whys:
        last = mentions[rows[-1][-1]] if rows else None
        start = mentions[at].start
        if last and (last.start == start or (last.end <= start and _JOINT.fullmatch(text, last.end, start))):
            rows[-1].append(at)
        else:
            rows.append([at])
    found: set[int] = set()
    for row in rows:
        known = [at for at in row if mentions[at].concept.id in own]
        if not known and len({mentions[at].start for at in row}) >= _MANY:
            found.update(row)
    return frozenset(found)


def _why(mention: Mention, context: Context) -> str:
    """Why a mention is read as it is."""
    return context.explain(mention.start, mention.end, mention.category)[0].why


def _is_suggested(
    text: str,
    mention: Mention,
    why: str,
    own: frozenset[str],
    elsewhere: frozenset[str],
    context: Context,
    valued: frozenset[int],
) -> bool:
    """Whether the answer takes it for granted that a mention is the patient's."""
    if mention.status != NOT_PATIENT:
        return _is_suggested_still(text, mention, context)
    before = max(0, mention.start - _NEAR)
    in_one = mention.category in ("condition", "procedure")
    if in_one and _IN_SOMEBODY.search(text, max(0, mention.start - _PERSON), mention.start):
        return True
    if why != UNSAID:
        if why == NOT_PATIENT and is_presupposed(text, mention, context.sentence_at(mention.start), valued):
            return True
        return _is_definite(text, mention)
    if _MAY.match(text, mention.end) and _INDEFINITE.search(text, before, mention.start):
        return False
    if _HANGUL.search(text, mention.start, mention.end + 2):
        if text.startswith(_AS_SUCH, mention.end):
            return is_treated(text, mention, context.sentence_at(mention.start))
        sentence = context.sentence_at(mention.start)
        if mention.concept.id in own or is_presupposed(text, mention, sentence, valued):
            return True
        return mention.concept.id not in elsewhere and is_spoken_of(text, mention, sentence)
    if mention.concept.id in own:
        return True
    first, last = context.sentence_at(mention.start)
    if mention.concept.id in elsewhere or _OF_OTHERS.search(text, first, min(last, first + _LONG)):
        return False
    return _is_given(text, mention)


def _is_suggested_still(text: str, mention: Mention, context: Context) -> bool:
    """The same for what is advised, supposed or uncertain."""
    before = max(0, mention.start - _NEAR)
    if mention.category == "condition" and worsens(text, mention.end):
        return True
    if mention.status == CONDITIONAL:
        return False
    if mention.category == "condition":
        return _EXPLAINED.search(text, before, mention.start) is not None
    if _TAKING.search(text, before, mention.start):
        return True
    if mention.status == RECOMMENDED and _PASSING.isdisjoint(mention.concept.above):
        return is_timed(text, mention, context.sentence_at(mention.start))
    return mention.status == HEDGED and (
        _is_definite(text, mention)
        or _BLAMED.match(text, mention.end) is not None
        or _CAUSING.match(text, mention.end) is not None
    )


def _is_listed(text: str, mention: Mention, blocks: list[Span]) -> bool:
    """Whether a mention is an item of a record: what stands before it in its line states nothing."""
    number = bisect_right(blocks, (mention.start, len(text))) - 1
    if number < 0 or mention.end > blocks[number][1]:
        return False
    line = max(text.rfind("\n", 0, mention.start) + 1, blocks[number][0])
    return _TOLD.search(text, line, mention.start) is None


def _is_offered(text: str, mention: Mention) -> bool:
    """Whether a medicine for a few days heads an item of a list that tells its dose: "- Loratadine: one a day"."""
    if _PASSING.isdisjoint(mention.concept.above):
        return False
    if _HELPING.match(text, mention.end):
        return True
    if _AS_NEEDED.match(text, mention.end):
        return True
    if not _DOSED.match(text, mention.end):
        return False
    return _ITEM.fullmatch(text, text.rfind("\n", 0, mention.start) + 1, mention.start) is not None


def _is_definite(text: str, mention: Mention) -> bool:
    """Whether "the" makes a mention one that both sides know of, and no other noun follows: "the asthma attack"."""
    start, end = mention.start, mention.end
    if (
        _is_plural(text, mention)
        or not _DEFINITE.search(text, max(0, start - _NEAR), start)
        or _OTHERS.match(text, end)
    ):
        return False
    if mention.category == "condition":
        return _HEADED.match(text, end) is None
    after = _FOLLOWED.match(text, end)
    if after is None:
        return False
    return after[1] is None or after[1] in _LEADING or after[1] in load_english_words()


def _is_plural(text: str, mention: Mention) -> bool:
    """Whether a class is spoken of as such: "statins lower cholesterol"."""
    return mention.category == "drug_class" and (mention.text.endswith("s") or text.startswith("s", mention.end))


def _is_given(text: str, mention: Mention) -> bool:
    """Whether a mention is spoken of as given, in an answer to a patient."""
    start, end = mention.start, mention.end
    before = max(0, start - _NEAR)
    if mention.category == "drug":
        return not (
            not _NOT_KEPT.isdisjoint(mention.concept.above)
            or ("class:nsaid" in mention.concept.above and "class:antiplatelet" not in mention.concept.above)
            or text.endswith("leave ", before, start)
            or _DEFINED.match(text, end)
            or _ONE_OF.search(text, before, start)
            or _OR.match(text, end)
        )
    if mention.category == "drug_class":
        return _DEFINITE.search(text, before, start) is not None
    return mention.category == "condition" and _GIVEN.search(text, before, start) is not None
