"""How a mention is meant: its polarity, status and advice, decided by the cues that reach it in its clause.

Cues act as in ConText: Harkema, Dowling, Thornblade, Chapman: ConText: an algorithm for determining negation,
experiencer, and temporal status from clinical reports. J Biomed Inform 42 (2009). The grammar of both languages and
the statuses are ours.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from jatdae.dialogue.reading.ahead import Ahead
from jatdae.dialogue.reading.clause import Placed, Sentence
from jatdae.dialogue.reading.clauses import HAS_VERB, is_theme
from jatdae.dialogue.reading.cues import (
    ABOUT,
    AFFIRM,
    AFTER,
    AGAINST,
    ALLOW,
    BEFORE,
    CONDITION,
    CONSULT,
    EFFECT,
    EXAMPLE,
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
    TARGET,
)
from jatdae.dialogue.reading.english_remarks import answered
from jatdae.dialogue.reading.english_scope import in_english, reaching
from jatdae.dialogue.reading.english_signs import is_alarm
from jatdae.dialogue.reading.items import TAKEN_SO, WHETHER, describes
from jatdae.dialogue.reading.korean_asides import (
    BESIDE,
    PART_OF,
    REPLACED,
    as_advised,
)
from jatdae.dialogue.reading.korean_conditions import OWN, SUPPOSED, as_supposed, leads_to_condition
from jatdae.dialogue.reading.lists import Lists
from jatdae.dialogue.reading.neighbours import (
    ADVICE,
    BLOCKED,
    carried_on,
    inherited,
    is_doubted,
    pointed_at,
    stated_next,
)
from jatdae.dialogue.reading.patterns import Span
from jatdae.dialogue.reading.persons import is_addressed
from jatdae.dialogue.reading.sentences import Sentences
from jatdae.dialogue.reading.statuses import ADVISABLE, KINDS, Assertion, Row, decide
from jatdae.dialogue.reading.wards import find_ward

_LABELLED: Final = re.compile(r"[*_)]*\s?(?:\([^()\n]{1,24}\))?[*_]*\s?(?::[*_]*|[–—])\s")
"""What behind a mention makes it the label of its line: "- 갑상선기능항진증: …"."""
_COMMENT: Final = re.compile(r"[:(–—]")
_SUBJECT: Final = re.compile("[이가] ")
_NOT_IT: Final = re.compile(r"\w{0,2}(?:이|가|은|는|도)? ?(?:아니|아닌|아닙)")
_IS_NOT: Final = re.compile(r"(?:\bnot|n't|\bno longer|\bnever)(?: \w+){0,2} $")
_FINE: Final = re.compile(
    r"\d[^.;\n]{0,16} (?:is|are|was|were) (?:\w+ )?"
    r"(?:fine|good|great|excellent|okay|ideal|perfect)\b"
)
"""A value that is judged: "**Losartan:** potassium 3.9 is fine" recommends nothing."""
_UNDER: Final = re.compile(r"\b(?:on|with) (?:an? |the )?$")
_WITH: Final = re.compile("(?:[와과랑]|이랑|하고|이나|나|,) ")
_TAG: Final = re.compile(r", (?:is that right|am i right|correct|right)\?\W*\Z")
"""What makes a question of a statement, which stays one: "You take no aspirin, correct?"."""
_PERSON: Final = 96
"""How far before a mention somebody may be named of whom its clause speaks, in characters."""
_ASKED_LATER: Final = re.compile(
    r"[^?]*?(?::|;|–|—|, but|, so|, and|\band) (?:(?:could|can|is|are|do|does|did|have|has|would|will|should|might|may)"
    r" "
    r"(?:that|this|it|you|we|i|there|they|your|the)|what|how|when|which|why|who|where)\b[^?]*\?\W*\Z"
)
_ASKING: Final = re.compile(
    r"(?:\A\W*|[:;–—,] )(?:and |but |so |or )?(?:is|are|do|does|did|have|has|can|could|would|will|should|was|were|what"
    r"|how|when|which|why|who|where)\b"
)
"""A statement before a question: "You don't have depression on file, but worry …: could that be part of it?"."""
_FEW: Final = 24
"""How far before a mention its own negation may stand, in characters."""
_AT_VALUE: Final = re.compile(r" (?:at|with) an? (?:[a-z0-9]+ ){1,2}of \d")
"""What behind a condition is the patient's, where it is not: "knee pain at a BMI of 33"."""
_AS_REASON: Final = ("니", "니까", "므로")
_VALUED_AT: Final = re.compile(r"[은는이가도] \d[\d./]*(?:%|[a-z/]+)?(?:으?로|이?라|이?고|이?니|입니|이에|예요|이며)")
"""A value right behind what names a measurement only loosely."""
_CELL: Final = re.compile(r"(?: ?[a-z가-힣%/]{1,12}[*_]*)?[*_)]*(?: ?\||\s(?:[—–-]|→)(?=\s))")
"""The end of a value and its unit, and what parts it from its comment."""
_DONE: Final = re.compile(r"s? (?:has|had|have|was|were|is|are)\b")
_RELATIVE: Final = re.compile(
    r"your (?<!\wyour )(?:wife|husband|mother|mom|mum|father|dad|sister|brother|daughter|son|partner|girlfriend"
    r"|boyfriend|friend|aunt|uncle|cousin|neighbou?r|roommate|colleague|coworker|grandmother|grandfather)\b"
)
_THEY: Final = re.compile(r"\b(?:she|he|her|his|she's|he's)\b(?![^,;]{0,96}\byou\b)")
"""Somebody of whom a clause speaks, and not to: "if she has asthma"."""
_BEHIND: Final = {NEGATE: NOT_TO, GENERAL: EFFECT}
_SETTLED: Final = HEDGE | BLOCKED | AFFIRM | FAMILY | EXAMPLE | CONDITION | CONSULT | STRONG | EFFECT
"""Roles after which the next clause adds nothing to a mention."""
_WHOLE: Final = -1
"""In place of the number of a clause: the whole sentence."""
_FAR: Final = 1 << 60
_CHAINED: Final = 3
"""Within this distance, an assertion and a negation are one predicate: 복용하고 있지 않으십니다."""
_NOTES: Final = 3
"""How many sentences away another one of a note may stand."""
_TOLD_TO: Final = AGAINST | RECOMMEND
"""Advice of which the last before a mention holds."""
_COMMENTED: Final = 48
"""How far behind a drug the comment to it may begin, in characters."""


class ReadCue(NamedTuple):
    """A cue as it stands in a text, with what it does to the mentions around it."""

    text: str
    start: int
    end: int
    role: int
    scope: int


class ReadClause(NamedTuple):
    """A clause of a text with its cues."""

    text: str
    start: int
    end: int
    cues: tuple[ReadCue, ...]


class Context:
    """Sentences of a text, which tell how each mention in it is meant; each is parsed when first needed."""

    def __init__(self, text: str, mentions: Iterable[Span], own: bool = False, told: tuple[int, ...] = ()) -> None:
        """`mentions` are the spans of the concepts in the text, `told` the places where the stems of phrases end;
        `own`: patients speak, of themselves."""
        self.text = text
        self._own = own
        self._mentions = sorted(mentions)
        self._sentences = Sentences(text, self._mentions, told)
        self.starts = self._sentences.starts
        """Where its sentences begin."""
        self._places = self._sentences.places
        self._lists = Lists(self._sentences)
        self._evident: set[tuple[int, int]] = set()
        self._topics: dict[int, bool] = {}
        self._subjects: list[int] | None = None
        self._ahead = Ahead(text)
        self._of_relatives = not own and "your " in text and _RELATIVE.search(text) is not None
        self._of_relatives = self._of_relatives and find_ward(text) is None

    def mark_evident(self, place: int) -> None:
        """Note that the clause at a place is about the patient: it has an age or a value, and so all it names is."""
        sentence = self._sentences.number_at(place)
        self._evident.add((sentence, self._sentences.clause_at(sentence, place)))
        self._evident.add((sentence, _WHOLE))

    def read(self, start: int, end: int, category: str, valued: bool = False, until: int = _FAR) -> Assertion:
        """How the text at start:end is meant. A target after `until`, where its value ends, is of another number."""
        return self.explain(start, end, category, valued, until)[0].then

    def explain(
        self, start: int, end: int, category: str, valued: bool = False, until: int = _FAR
    ) -> tuple[Row, int, int]:
        """The same with its reason: the row of the table that fits, and the roles and negations that reach it."""
        sentence = self._sentences.number_at(start)
        said = self._sentences.read(sentence)
        place = start - self.starts[sentence]
        number = bisect_right(said.starts, place) - 1
        length = end - start
        acts = said.clauses[number].acts if said.hangul else reaching(said, number, place, place + length, category)
        if valued and until < _FAR and (bar := self._end_of_cell(until)):
            acts = [act for act in acts if act[3] < bar - self.starts[sentence]]
        roles, negations = _roles(acts, place, place + length, until - self.starts[sentence])
        if KINDS.get(category) == "told" and is_addressed(self.text, start, end):
            roles |= PERSONAL
        roles, negations = self._reached(said, number, place, (start, end), category, (roles, negations))
        outdone = self._is_outdone(end, said, number)
        if outdone and not negations:
            roles &= ~(AFFIRM | PERSONAL)
        if _LABELLED.match(self.text, end):
            roles = self._with_comment(said, number, end, roles, KINDS.get(category, "other"))
            if KINDS.get(category, "other") in ("other", "taken") and self._is_described(start, end):
                roles, negations = roles & ~(AFFIRM | PERSONAL | NEGATE), 0
        own = roles
        roles = self._with_neighbours(said, number, roles, category, end)
        negations += bool(roles & ~own & NEGATE)
        roles = as_advised(self.text, end, category, roles)
        if category in SUPPOSED:
            roles = as_supposed(said, number, end - self.starts[sentence], category, roles)
        elif category == "symptom" and said.hangul and roles & AFFIRM and leads_to_condition(said, number):
            roles = roles & ~(AFFIRM | PERSONAL) | CONDITION  # "설사가 심해서 물도 못 드실 정도면"
        if self._lists.lines:
            roles, negations = self._lists.with_heading(start, category, roles, negations, valued)
        roles = self._about(said, sentence, number, (start, end), category, roles, outdone)
        if self._of_relatives and self._is_of_relative(sentence, said, number, place):
            roles = roles & ~OWN | FAMILY
        if roles & CONDITION and not said.hangul and KINDS.get(category) not in ADVISABLE:
            negations = 0  # "as long as you have no nausea"
        tells = said.clauses[number].tells and (self._own or (said.hangul and self._is_told_first(said, number, roles)))
        asked = said.asks and not tells and not _TAG.search(said.text)
        if asked and not said.hangul and _ASKED_LATER.match(said.text, place + length):
            asked = _ASKING.search(said.text, 0, place) is not None
        if asked and not said.hangul:
            roles |= self._answered(self.starts[sentence], start, end, category)
        return decide(roles, negations, category, valued, asked), roles, negations

    def _is_told_first(self, said: Sentence, number: int, roles: int) -> bool:
        """Whether a clause states what a Korean question is asked for: "열도 없다고 하셨으니 … 상담해 볼까요?"."""
        if not roles & PERSONAL or roles & (HEDGE | CONDITION) or number + 1 >= len(said.starts):
            return False
        return said.text.endswith(_AS_REASON, 0, said.starts[number + 1])

    def _end_of_cell(self, until: int) -> int:
        """Where a bar or dash stands right behind a value, after which it is only commented; 0 if there is none."""
        found = _CELL.match(self.text, until)
        return found.end() if found else 0

    def _answered(self, first: int, start: int, end: int, category: str) -> int:
        """The role of what a question of a few words names, by what comes next: "Chest pain? Call 911"."""
        if category in ("condition", "symptom"):
            return CONDITION if is_alarm(self.text, first, start, end) else 0
        return answered(self.text, first, start, end) if KINDS.get(category) in ADVISABLE else 0

    def _reached(
        self, said: Sentence, number: int, place: int, span: Span, category: str, given: tuple[int, int]
    ) -> tuple[int, int]:
        """The roles and negations of a mention without those that only seem to reach it."""
        (start, end), (roles, negations) = span, given
        if self.text.startswith("에서 ", end) and REPLACED.match(self.text, end):
            roles, negations = _replaced(roles), 1 if roles & AFFIRM else negations
        elif negations:
            roles, negations = self._denied(said, number, end, category, (roles, negations))
        if not said.hangul:
            roles, negations = in_english(said, number, place, place + end - start, category, (roles, negations))
        if roles & RECOMMEND and KINDS.get(category) == "taken" and self._is_by_value(said, number, place, end):
            roles &= ~RECOMMEND
        if negations and KINDS.get(category) == "told" and not self._is_denied_itself(start, end):
            roles, negations = roles & ~NEGATE, 0  # "33세 여성이신 환자분은 당뇨가 없으십니다"
        if roles & FAMILY and KINDS.get(category) == "told" and self.text.startswith(",", end):
            before = any(act[0] == FAMILY and act[3] < place for act in said.clauses[number].acts)
            roles = roles if before else roles & ~FAMILY  # "At 55, with a father who …"
        return roles, negations

    def _is_by_value(self, said: Sentence, number: int, place: int, end: int) -> bool:
        """Whether what seems to recommend a drug judges a value in the comment to it."""
        behind = all(act[3] > place for act in said.clauses[number].acts if act[0] == RECOMMEND)
        colon = self.text.find(":", end, end + _COMMENTED) if behind else -1
        return colon >= 0 and _FINE.search(self.text, colon, self._lists.line_end(end)) is not None

    def _denied(self, said: Sentence, number: int, end: int, category: str, given: tuple[int, int]) -> tuple[int, int]:
        """The roles and negations of a mention without a denial of what only belongs to it."""
        roles, negations = given
        if self._is_of_comment(said, number, end) or (category == "condition" and PART_OF.match(self.text, end)):
            return roles & ~NEGATE, 0  # "- 고혈압: 현재 어지럼 없음", "당뇨 합병증은 없으십니다"
        if category == "drug_class" and _NOT_IT.match(self.text, end):
            return roles & ~(NEGATE | PERSONAL), 0  # "페북소스타트는 진통제가 아니라 …": what it is
        if BESIDE.match(self.text, end):  # "심전도에서 이상은 없었습니다": found nothing, but was done
            return roles & ~NEGATE | AFFIRM | PERSONAL, 0
        return roles, negations

    def _about(
        self, said: Sentence, sentence: int, number: int, span: Span, category: str, roles: int, outdone: bool
    ) -> int:
        """The roles of a mention with those of a clause or sentence that is about the patient."""
        start, end = span
        evident = (sentence, number) in self._evident and not outdone
        if evident and KINDS.get(category, "other") in ("taken", "other") and _LABELLED.match(self.text, end):
            evident = False  # "- 스타틴: LDL이 112이므로 …": the value is the patient's, the drug may be none
        if evident and category == "condition" and _AT_VALUE.match(self.text, end) and not roles & (PERSONAL | STRONG):
            evident = False
        if evident and roles & RECOMMEND and _UNDER.search(self.text, max(0, start - _FEW), start):
            roles &= ~RECOMMEND  # "LDL of 61 on a rosuvastatin tablet is excellent": the value is
        if evident and not said.hangul and KINDS.get(category) == "taken" and self._is_told_of(end, roles):
            roles, evident = roles & ~AFFIRM, False
        if evident or (said.noted and self._is_note(sentence)):
            roles |= PATIENT
        elif said.personal or (sentence, _WHOLE) in self._evident:
            roles |= ABOUT
        if category == "hint" and _VALUED_AT.match(self.text, end):
            roles |= PATIENT  # "갑상선 수치는 2.2로 정상이라"
        if self._own:
            roles |= PERSONAL
        return roles

    def _is_told_of(self, end: int, roles: int) -> bool:
        """Whether a clause with a value tells how a drug is, and not who takes it: "with an eGFR of 44 digoxin …"."""
        if roles & (PERSONAL | STRONG):
            return False
        return bool(roles & EXAMPLE or (HAS_VERB.match(self.text, end) and not _DONE.match(self.text, end)))

    def _is_of_relative(self, sentence: int, said: Sentence, number: int, place: int) -> bool:
        """Whether "she" in a clause is a relative whom the sentence before names: "Your wife …; if she has asthma"."""
        clause = said.clauses[number]
        if not sentence or not _THEY.search(said.text, max(clause.start, place - _PERSON), place):
            return False
        before = self._sentences.read(sentence - 1)
        return any(act[0] == FAMILY for each in before.clauses for act in each.acts)

    def _is_of_comment(self, said: Sentence, number: int, end: int) -> bool:
        """Whether the denial behind a mention is of what a comment to it names: "로수바스타틴(근육통 없음)"."""
        begin = self.starts[self._sentences.number_at(end)]
        denied = next(
            (at for role, scope, _, at, _ in said.clauses[number].acts if role == NEGATE and begin + at >= end), -1
        )
        mark = self._ahead.first(_COMMENT, end, begin + denied) if denied >= 0 else begin
        if denied < 0 or mark == begin + denied:
            return False
        next_one = bisect_left(self._places, mark)
        return next_one < len(self._places) and self._places[next_one] < begin + denied

    def _with_comment(self, said: Sentence, number: int, end: int, roles: int, kind: str) -> int:
        """The roles of the label of a line: what its comment supposes is not the label, what it doubts is."""
        if kind == "taken" and self._ahead.has(TAKEN_SO, end, self._lists.line_end(end)):
            return roles | STRONG
        if kind == "taken" and not roles & ADVICE and self._ahead.has(WHETHER, end, self._lists.line_end(end)):
            return roles | HEDGE
        doubted = kind == "other" and not roles & (PERSONAL | ADVICE) and is_doubted(said.clauses, number)
        return roles & ~CONDITION | HEDGE if doubted else roles

    def _is_described(self, start: int, end: int) -> bool:
        """Whether the comment to the label of a line tells by what it is known, and nothing of the patient."""
        told = self._lists.above(start)[0] & PATIENT
        return not told and describes(self._ahead, end, self._lists.line_end(end))

    def _is_outdone(self, end: int, said: Sentence, number: int) -> bool:
        """Whether the predicate of a topic has another subject: "저혈당은 혈당이 96이었던 점에 비추어 …"."""
        if not is_theme(self.text, end):
            return False
        sentence = self._sentences.number_at(end)
        last = self.starts[sentence] + (said.starts[number + 1] if number + 1 < len(said.starts) else len(said.text))
        if self._subjects is None:
            self._subjects = [start for start, stop in self._mentions if _SUBJECT.match(self.text, stop)]
        at = bisect_left(self._subjects, end)
        return at < len(self._subjects) and self._subjects[at] < last

    def is_noted(self, place: int) -> bool:
        """Whether the sentence at a place is one of a note on the patient, without a verb."""
        sentence = self._sentences.number_at(place)
        return self._sentences.read(sentence).noted and self._is_note(sentence)

    def is_korean(self, place: int) -> bool:
        """Whether the sentence at a place is Korean, whatever the language of the names in it."""
        return self._sentences.read(self._sentences.number_at(place)).hangul

    def _is_note(self, sentence: int) -> bool:
        """Whether a sentence without a verb stands in a note on the patient: "84M. Hypertension, on lisinopril."."""
        if self._lists.line_above(self.starts[sentence]):
            return False  # an item of a list is as its heading says
        return any(
            (near, _WHOLE) in self._evident and self._sentences.read(near).noted
            for near in range(max(0, sentence - _NOTES), sentence + _NOTES + 1)
        )

    def _is_denied_itself(self, start: int, end: int) -> bool:
        """Whether a negation stands right at a mention: "65세가 아니라", "not 65"."""
        return bool(_NOT_IT.match(self.text, end) or _IS_NOT.search(self.text, max(0, start - _FEW), start))

    def _with_neighbours(self, said: Sentence, number: int, roles: int, category: str, end: int) -> int:
        """The roles of a mention with those that later clauses add to it."""
        if said.clauses[number].joined:
            return roles | inherited(said.text, said.clauses, number, roles)
        kind = KINDS.get(category)
        if kind not in ADVISABLE:
            return roles
        if said.hangul and (advised := pointed_at(self.text, end, said.clauses, number)):
            return roles & ~(GENERAL | AFFIRM | PERSONAL) | advised
        theme = self._is_topic(end)
        loose = (0 if kind == "taken" and not (theme and not roles & PERSONAL) else AFFIRM) | (
            EFFECT | CONDITION if theme else 0
        )
        carried = 0 if roles & _SETTLED & ~loose else carried_on(said.text, said.clauses, number, theme)
        if theme and kind == "taken" and not carried and not roles & _SETTLED:
            stated = stated_next(said.clauses, number)
            return roles & ~GENERAL | stated if stated & AFFIRM else roles | stated
        praised = theme and kind == "taken" and roles & (ALLOW | RECOMMEND)
        if praised and not roles & (AGAINST | NEGATE | CONDITION | HEDGE):  # "해롭지 않으니 지금처럼 드세요"
            kept = carried_on(said.text, said.clauses, number, theme) & KEEP
            return roles & ~(ALLOW | RECOMMEND | GENERAL) | KEEP if kept else roles
        if (
            carried and theme
        ):  # "니트로글리세린은 가슴이 답답할 때 한 알 드세요", but not "데노수맙은 끊으면 … 이어가야 합니다"
            return roles & ~(GENERAL if carried & KEEP else GENERAL | CONDITION) | carried
        return roles | carried

    def _is_topic(self, end: int) -> bool:
        """Whether the name that ends here is the topic, alone or in a list: "아스피린과 플라빅스는 …"."""
        listed = []
        while (known := self._topics.get(end)) is None:
            listed.append(end)
            known = is_theme(self.text, end)
            joint = None if known else _WITH.match(self.text, end)
            at = bisect_left(self._places, joint.end()) if joint else len(self._places)
            if joint is None or at == len(self._places) or self._places[at] != joint.end():
                break
            end = self._mentions[at][1]
        self._topics.update(dict.fromkeys(listed, known))
        return known

    def sentence_at(self, place: int) -> tuple[int, int]:
        """Where the sentence at a place begins and ends."""
        return self._sentences.span_at(place)

    def heading_of(self, place: int) -> str:
        """What stands above the list or table in which a place is; empty if it is in none."""
        return self._lists.heading_of(place)

    def clauses(self) -> Iterator[ReadClause]:
        """All clauses of the text with their cues, in order."""
        for number, begin in enumerate(self.starts):
            said = self._sentences.read(number)
            for at, clause in enumerate(said.clauses):
                end = said.starts[at + 1] if at + 1 < len(said.starts) else len(said.text)
                text = said.text[clause.start : end]
                if text.strip():
                    cues = [
                        ReadCue(said.text[max(0, s) : max(0, e)], begin + s, begin + e, r, w)
                        for r, w, _, s, e in clause.acts
                    ]
                    yield ReadClause(text, begin + clause.start, begin + end, tuple(cues))

    def negations(self, start: int) -> int:
        """How many negations reach a mention that begins at `start`, or stand in it."""
        sentence = self._sentences.number_at(start)
        place = start - self.starts[sentence]
        clause = self._sentences.read(sentence).clauses[self._sentences.clause_at(sentence, start)]
        return sum(
            role == NEGATE and (at >= place if scope & BEFORE else at < place) for role, scope, _, at, _ in clause.acts
        )


def _replaced(roles: int) -> int:
    """The roles of what another thing replaces: what is advised or stated of the two holds for the other one."""
    if roles & RECOMMEND:
        return roles & ~RECOMMEND | AGAINST
    return roles & ~AFFIRM | NEGATE | PERSONAL if roles & AFFIRM else roles


def _roles(acts: list[Placed], start: int, end: int, until: int) -> tuple[int, int]:
    """The roles that reach a mention, and how many negations reach it."""
    roles = negations = advised = 0
    asserted = -1  # where the first assertion behind the mention ends
    for role, scope, near, at, to in acts:
        if at >= start and to > end:
            if role == AFFIRM and asserted < 0:
                asserted = to
            if not scope & BEFORE or (near and at - end > near) or (role == TARGET and at >= until):
                continue
            if role & BLOCKED and 0 <= asserted < at - _CHAINED:
                continue
        elif at < start:
            if not scope & AFTER or (near and start - to > near):
                continue
        elif role not in (FAMILY, GENERAL) and not (role & BLOCKED and at == start):
            continue
        if role & _TOLD_TO and scope == AFTER and at < start:  # "skip ibuprofen and reach for acetaminophen"
            roles &= ~(advised & ~role)
            advised = role
        roles |= role
        if scope == AFTER:
            roles |= _BEHIND.get(role, 0)
        negations += role == NEGATE
    return roles, negations
