"""Finds the predicates of an English sentence, word by word, and what they say about the mentions around them.

"I would not recommend stopping X": a verb that takes another (recommend, try to, need to) passes its force on to it.
Negations and verbs of avoiding reverse the direction. The result applies to what follows the last verb or, in the
passive and with adjectives ("should be avoided", "is fine"), to what precedes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from jatdae.dialogue.reading import english_verbs as en
from jatdae.dialogue.reading.cues import (
    AFFIRM,
    AFTER,
    AGAINST,
    ALLOW,
    BEFORE,
    CONDITION,
    GENERAL,
    HEDGE,
    KEEP,
    NEGATE,
    PATIENT,
    PERSONAL,
    RECOMMEND,
    Act,
    Cue,
    Found,
)
from jatdae.dialogue.reading.english_verbs import (
    AIM,
    CAN,
    ING,
    ORDER,
    PAST,
    STATED,
    SUBORDINATE,
    WILL,
    Chain,
    EnglishWord,
    Verb,
    chained,
)

_SWAPPED: Final[Mapping[str, tuple[str, ...]]] = {"swap": ("with", "for", "by", "to"), "choose": ("over",), "": ()}
"""Words after which the other thing is named: replace A with B, choose A over B."""
_SOMETHING: Final = {form: Verb((), ("other",), form) for form in (en.BASE, en.THIRD, en.PAST, en.ING)}
"""A word that is a verb only by its place, by form."""
_CAUSES: Final = (("because", "of"), ("due", "to"), ("owing", "to"))
_TURNING: Final = frozenset(("avoid", "stop", "miss"))
_BREAKING: Final = frozenset(("but", "so", "yet", "then", "plus"))
EFFECT: Final = 40
"""How far a possible effect reaches, in characters."""
_BEING: Final = 24
"""How far after "you are" something may stand that the patient is, in characters."""
SWAP: Final = 16
"""How far after the verb the replaced thing may stand, in characters."""
DOING: Final = frozenset(
    ("take", "choose", "other", "avoid", "stop", "miss", "keep", "measure", "urge", "advise", "plan")
)
"""Kinds of verbs for what a patient can be told to do."""
_TOLD_TO: Final = frozenset(("take", "choose", "avoid", "stop", "miss"))
_HAVING: Final = frozenset(("take", "choose", "other", "have", "tend", "miss", "keep", "find", "measure"))
"""Kinds of verbs that state what a person has or takes."""
_FILLING: Final = frozenset(("take", "other", "have"))


def find_predicates(text: str, mentions: dict[int, int]) -> list[Found]:
    """Find the predicates of an English sentence of an answer as cues, in order; words of a mention are nouns."""
    return _EnglishReader(text, mentions).read()


class _ClauseState:
    """The words of a sentence, and what is known of the current clause."""

    def __init__(self, text: str) -> None:
        self.text = text
        words: list[str] = []
        known: list[EnglishWord] = []
        starts: list[int] = []
        place = 0
        raws = text.split(" ")
        for raw, tokens in zip(raws, map(en.look_up, raws), strict=True):
            for word, can_be, at in tokens:
                words.append(word)
                known.append(can_be)
                starts.append(place + at)
            place += len(raw) + 1
        self.words, self.known, self.starts = words, known, starts
        self.found: list[Found] = []
        self.chain = chained()
        self.opened = ""
        """The conjunction read last."""
        self.within = False
        """Whether the clause is subordinate: a comma ends it."""
        self.begin()

    def begin(self) -> None:
        """Begin a clause."""
        self.who = ""
        self.fresh = True
        """Whether only light words came so far: a bare verb is then a command."""
        self.open = False
        """Whether the last verb may take another."""
        self.acts = False
        """Whether the subject has just come: a verb follows."""
        self.finite = False
        """Whether the clause has its verb."""
        self.fronted = False
        """Whether it began with a time or purpose, behind which a command may come: "For headaches use …"."""
        self.told = False
        """Whether that verb states something about the patient."""
        self.to = self.be = self.past = self.does = False
        self.modal = self.turns = 0

    def noun(self) -> None:
        """Read a noun: before the verb it is the subject."""
        self.open = self.fresh = self.acts = False
        if not (self.who or self.finite):
            self.who = "thing"

    def pause(self) -> None:
        """Read a comma or similar; the subject stays: "you take A, use B"."""
        kept = self.who if self.told and not self.within else ""
        self.begin()
        self.who, self.told, self.within = kept, bool(kept), False

    def join(self, text: str, flags: int) -> None:
        """Read a conjunction: "and" keeps subject and modal, "but" and "because" begin a new clause."""
        self.opened = text
        if flags & SUBORDINATE:
            self.begin()
            self.fresh, self.within = False, True
        elif text in _BREAKING:
            self.begin()
        else:
            self.fresh, self.to, self.be = True, False, False
            held = self.chain.force in (ORDER, CAN) or (self.chain.force == WILL and self.who == "speaker")
            if self.who and held:  # "you should stop A and start B"
                self.modal = self.chain.force
                self.turns = self.chain.turns % 2 if self.open and text in ("or", "nor") else 0
            elif not self.told:
                self.turns = 0

    def somebody(self, who: str) -> None:
        """Read a pronoun or another word for a person or thing."""
        if who == "thing" and self.open:
            return
        # "I recommend you avoid …", but not "that is fine and you take …"
        goes_on = self.open and not self.fresh and who == "patient"
        if (not goes_on or self.chain.force == STATED) and not (who == "thing" and self.who):
            self.begin()
        self.open = goes_on and self.chain.force != STATED
        self.who, self.acts, self.fresh = who, True, False

    def verb(self, to: bool) -> None:
        """Note that a verb was read; `to` tells whether it ends in a "to" that leads to another."""
        self.open, self.fresh, self.finite = True, False, True
        self.be = self.past = False
        self.to = to
        self.modal = self.turns = 0

    def other(self, text: str, word: EnglishWord, number: int) -> None:
        """Read a word that is not a verb."""
        flags = word.flags
        if text == "to":
            after = self.starts[number] + len("to ")
            self.to = not self.text[after : after + 1].isdigit()  # "fell from 9.1 to 5.4 after … was started"
            return
        if word.who:
            like_you = word.who == "generic" and number and self.words[number - 1] == "as"  # "As someone with …, you"
            self.somebody("patient" if like_you else word.who)
            self.fresh = text == "let's"
            if flags & en.PERSONS and not like_you:
                self.emit(cue(GENERAL, AFTER, EFFECT), number, number)
        if flags & en.NOT:
            self.turns += 1
        self.does |= bool(flags & en.DO) or text == "never"
        if flags & en.MODAL:
            self.modal = ORDER if flags & en.MUST else CAN if flags & en.MAY else WILL
        if flags & en.BE:
            self._being(text, flags, number)
        elif flags & en.HAVE:
            self.past = True
        elif flags & (en.GOOD | en.BAD) and (self.be or text == "worth"):
            self._judge(bool(flags & en.BAD), number)
        elif not (flags & (en.LIGHT | en.NOT | en.DO | en.MODAL) or word.who):
            self.noun()

    def _being(self, text: str, flags: int, number: int) -> None:
        self.be, self.fresh, self.open = True, self.fresh and text == "be", False
        self.past |= bool(flags & en.WAS)
        if self.modal == CAN and not en.judged(self.known, number):
            self.emit(cue(GENERAL, AFTER, EFFECT), number, number)
        elif self.who == "patient" and not self.modal and not en.judged(self.known, number):
            self.emit(_personal(AFFIRM, AFTER, _BEING), number, number)  # "You are (not) diabetic"
        elif self.modal == ORDER and self.who == "thing" and not en.judged(self.known, number):
            self.emit(cue(AGAINST if self.turns % 2 else RECOMMEND, BEFORE, 0), number, number)

    def _judge(self, bad: bool, number: int) -> None:
        """ "walking is fine", "it is best to avoid": of the subject, and of what is done."""
        turns = self.turns + bad
        if self.who not in ("patient", "generic") and not (self.opened == "which" and self.words[number] in en.WELCOME):
            self.emit(cue(RECOMMEND if not turns else AGAINST if turns % 2 else ALLOW, BEFORE, 0), number, number)
        self.chain = chained(ORDER, turns % 2)
        self.open, self.turns = True, 0

    def emit(self, told: Cue, first: int, last: int) -> None:
        """Add a cue for the words from `first` to `last`."""
        self.found.append((told, self.starts[first], self.starts[last] + len(self.words[last])))


class _EnglishReader(_ClauseState):
    """Reads a sentence word by word."""

    def __init__(self, text: str, mentions: dict[int, int]) -> None:
        super().__init__(text)
        self.mentions = mentions
        self.swaps, self.swapped, self.swap = "", RECOMMEND, 0

    def read(self) -> list[Found]:
        words, mentions = self.words, self.mentions
        inside = -1  # where the mention ends that a word is part of
        done = 0
        rests = False  # whether another noun would change nothing
        for number, (at, word) in enumerate(zip(self.starts, self.known, strict=True)):
            if number < done:  # of a verb of several words
                continue
            begins = at in mentions
            if begins:
                inside = max(inside, mentions[at])
            if at < inside or word is en.PLAIN:
                if rests:
                    continue
                waits = bool(self.modal or self.turns or self.to or self.swaps)
                if at < inside:
                    verb = begins and self._expects() and en.verb_at(word, words, number) is not None
                else:
                    verb = waits or self.acts
                if not verb:
                    self.fronted |= self.fresh and not self.who and self.words[number] in en.FRONTING
                    self.noun()
                    rests = not waits
                    continue
            elif word.idle and not self.swaps:
                continue
            done = number + self._word(number)
            rests = False
        return self.found

    def _expects(self) -> bool:
        """Whether a mention here may be the verb itself: "Walk …", "do not smoke"."""
        return (self.fresh and not self.who) or bool(self.modal or self.turns)

    def _word(self, number: int) -> int:
        """Read one word, or a verb of several; return how many."""
        word = self.known[number]
        if word is en.MARK:
            self.pause()
            return 1
        text = self.words[number]
        if self.swaps and text in _SWAPPED[self.swaps]:
            self._other_thing(number)
        if text == "that" and self.open:
            pass
        elif number == 0 and text in ("should", "without"):  # "Should you notice …", "Without asthma, …"
            self.emit(cue(CONDITION, AFTER, 0), number, number)
            self.within = True
        elif word.flags & (en.LINK | en.SUBORDINATE):
            if (self.finite or self.be) and (text, self._ahead(number)) in _CAUSES:
                self.emit(cue(PATIENT, AFTER, EFFECT), number, number)
            self.join(text, word.flags)
        else:
            verb = en.verb_at(word, self.words, number) if word.forms else self._unknown(text, word)
            if verb is not None and verb.forms == ING and number and self.words[number - 1] in en.BEFORE_NOUN:
                verb = None  # "your most recent reading was …"
            if verb is not None and not self._helps(verb, number, word.flags):
                if word.who and not self.open:  # "since you're on …": subject and verb in one word
                    self.somebody(word.who)
                self._verb(verb, number)
                return 1 + len(verb.rest)
            self.other(text, word, number)
        return 1

    def _ahead(self, number: int) -> str:
        return self.words[number + 1] if number + 1 < len(self.words) else ""

    def _unknown(self, text: str, word: EnglishWord) -> Verb | None:
        """An unknown word that must be a verb: after a modal, "do not", "to" or the subject."""
        if (word is not en.PLAIN and word is not en.NOTHING) or len(text) < 3:
            return None
        form = 0
        if self.modal or (self.to and self.open) or (self.turns and self.fresh and self.does):
            form = en.BASE
        elif self.who == "patient" and self.acts and not self.finite:
            form = en.PAST if text.endswith("ed") else en.ING if text.endswith("ing") else en.THIRD
            if self.be and form == en.THIRD:
                form = 0
        return _SOMETHING[form] if form else None

    def _helps(self, verb: Verb, number: int, flags: int) -> bool:
        """Whether have, do or be only helps the verb after it."""
        if verb.rest or not flags & (en.HAVE | en.DO | en.BE):
            return False
        wanted = en.BASE if flags & en.DO else en.PAST
        for step in range(number + 1, min(number + en.LOOK, len(self.words))):
            ahead = self.known[step]
            if ahead.flags & en.BE or (flags & en.DO and ahead.flags & en.HAVE):
                return True
            if self.starts[step] in self.mentions:
                break
            if not ahead.flags & en.LIGHT and ahead.forms & wanted:
                return True
            if not (ahead.flags & (en.LIGHT | en.NOT) or ahead.who in ("patient", "generic", "speaker")):
                break
        return bool(flags & en.BE)

    def _verb(self, verb: Verb, number: int) -> None:
        """Read a verb: what leads it, of which kind it is here, what the chain of verbs now says, and whom it tells."""
        last = number + len(verb.rest)
        if verb.forms & en.THIRD and self.fresh and not self.who and "find" not in verb.sorts:
            self.who = "patient"  # as notes have it: "Reports …", "Takes …", but not "Falls in old age …"
        led = self._led_by(verb, number, last)
        if led is None:
            self.noun()
            return
        passive = self.be and bool(verb.forms & en.PAST) and not self.to
        sort = self._sort_of(verb, led, passive)
        self.chain = chained(
            ORDER if self._advises(verb, sort, led) else led.force,
            led.turns + self.turns + (sort in _TURNING),
            led.stops or sort in ("stop", "miss"),
            led.keeps or sort == "keep",
        )
        if self.words[number - 1] == "to" and self.words[max(0, number - 2)] == "whether":
            self.emit(cue(CONDITION, AFTER, 0), number, last)  # "ask us whether to hold …"
        elif not (sort == "urge" and self._ahead(last) == "for"):
            self._tell(sort, verb.forms, passive, number, last)
        self.verb(verb.rest[-1:] == ("to",))

    def _led_by(self, verb: Verb, number: int, last: int) -> Chain | None:
        """The chain that a verb continues or begins; None if it is no predicate here."""
        forms = verb.forms
        commanded = bool(forms & en.BASE) and ((self.fresh and not self.who) or self._told_to(verb, last))
        if self.open and (self.to or forms & en.ING or (forms & en.BASE and self.who == "patient")):
            return self.chain
        if not (self.modal or commanded or self.to) and self._describes(verb, number, last):
            return None
        return chained(self.modal or (ORDER if commanded else AIM if self.to else STATED))

    def _told_to(self, verb: Verb, last: int) -> bool:
        """Whether a verb is a command behind a time or purpose: "At night take …", not "In heart failure use of …"."""
        return (
            self.fronted
            and self.who == "thing"
            and not (self.finite or self.be)
            and verb.sorts[0] in _TOLD_TO
            and self._ahead(last) not in en.NO_OBJECT
        )

    def _sort_of(self, verb: Verb, led: Chain, passive: bool) -> str:
        """The kind of a verb that may be of several: the one that suits its subject."""
        if len(verb.sorts) > 1 and (not passive or self.who == "patient") and led.force not in (ORDER, AIM):
            wanted = en.PREFERRED.get(self.who, ())
            return next((name for name in wanted if name in verb.sorts), verb.sorts[0])
        if led.force == ORDER and verb.sorts[0] == "find":
            return next((name for name in verb.sorts if name in DOING), "find")  # "Measure …" tells to do it
        return verb.sorts[0]

    def _advises(self, verb: Verb, sort: str, led: Chain) -> bool:
        """Whether what follows is advice, whatever the force before: "I recommend", "you (will) need to"."""
        return sort == "advise" or verb.rest == ("against",) or (sort == "urge" and led.force in (STATED, WILL))

    def _describes(self, verb: Verb, number: int, last: int) -> bool:
        """Whether a verb form is not a predicate: "Eating nuts …", "have it checked", "before taking"."""
        if verb.forms == en.PAST:
            return self.finite and not (self.be or self.past)
        before = self.words[number - 1] == "before"
        if not verb.forms & en.ING or self.be or not (self.fresh or before):
            return False
        if before and self.chain.force == ORDER:  # "Ask us before taking …"
            self.emit(cue(CONDITION, AFTER, EFFECT), number, last)
        elif verb.sorts[0] == "avoid":  # "Limiting salt …"
            self.emit(cue(AGAINST, AFTER, EFFECT), number, last)
        return True

    def _tell(self, sort: str, forms: int, passive: bool, number: int, last: int) -> None:
        ahead = self.words[last + 1 : last + 4]
        bare = not ahead or ahead[0] == "," or bool(self.known[last + 1].flags & en.BARE)
        others = ahead[:1] == ["for"] and any(word.who == "generic" for word in self.known[last + 1 : last + 4])
        told, of_somebody = meaning(sort, forms, self.chain, self.who, self.modal, passive, self.past, bare, others)
        if sort in ("swap", "choose"):
            self.swaps, self.swap = sort, len(self.found)
            self.swapped = AGAINST if sort == "choose" else AFFIRM if self.chain.force == STATED else RECOMMEND
        elif of_somebody and self.chain.force in (STATED, WILL):
            self.told = self.who == "patient"
        for each in told:
            self.emit(each, number, last)

    def _other_thing(self, number: int) -> None:
        """ "replace A with B": what is said of A ends here, and of B begins."""
        for at in range(self.swap, min(self.swap + 2, len(self.found))):
            found, start, end = self.found[at]
            act = found.acts[0]
            if act.near == SWAP:
                made = _personal if len(found.acts) > 1 else cue
                self.found[at] = made(act.role, act.scope, max(1, self.starts[number] - end)), start, end
        told = _personal if self.who in ("patient", "speaker") else cue
        self.emit(told(self.swapped, AFTER, SWAP), number, number)
        self.swaps = ""


class Said(NamedTuple):
    """An English predicate with all that its meaning depends on."""

    sort: str
    forms: int
    chain: Chain
    who: str
    modal: int
    """The force of the modal before it."""
    passive: bool
    past: bool
    bare: bool
    """Whether it has no object of its own: "so avoid it"."""
    others: bool
    """Whether it is about other people: "recommended for people over 70"."""


@lru_cache(maxsize=4096)
def meaning(
    sort: str, forms: int, chain: Chain, who: str, modal: int, passive: bool, past: bool, bare: bool, others: bool
) -> tuple[tuple[Cue, ...], bool]:
    """Cues that an English predicate in an answer stands for, and whether it is about a person."""
    said = Said(sort, forms, chain, who, modal, passive, past, bare, others)
    return tuple(_personal(*act) if _tells_of_patient(said, act) else cue(*act) for act in _acts(said)), _speaks(said)


def _tells_of_patient(said: Said, act: Act) -> bool:
    """Whether an effect is a statement about the patient, or a finding: "tests showed …", "clopidogrel was stopped"."""
    found = _happened(said) and said.who != "generic" and said.sort in ("find", "stop", "swap")
    return act.role in (AFFIRM, NEGATE) and (said.who == "patient" or found)


@lru_cache(maxsize=64)
def _personal(role: int, scope: int, near: int) -> Cue:
    """A cue of a statement about the patient."""
    return Cue((Act(role, scope, near), Act(PERSONAL, scope, near)), "", False, False, False, "")


def _acts(said: Said) -> list[Act]:
    """The effects of a predicate: of its subject, and of the first row of the table that fits."""
    told: list[Act] = []
    if said.who == "generic" or (said.who == "adviser" and said.modal in (CAN, WILL)):
        told.append(Act(GENERAL, AFTER, 0))
    row = next((row for row in _TELLINGS if row.fits(said)), None)
    for role in row.roles if row else ():
        meant = direction(said.chain) if role == _DIRECTION else role
        told.append(Act(meant, row.scope or _scope_of(said), row.near) if row else Act(meant, 0, 0))
    return told


def _scope_of(said: Said) -> int:
    """Where the object of a predicate stands: behind it, or before it in the passive and where it has none behind."""
    # "You take A, and your warfarin was stopped": not the patient is
    scope = BEFORE if said.passive and (said.who != "patient" or said.sort == "stop") else AFTER
    if said.bare and not (said.sort == "other" and said.chain.force == CAN):  # "A tablet if you can't sleep"
        scope |= BEFORE
    if said.who == "thing" and not said.passive and said.chain.force == ORDER and said.sort in _FILLING:
        scope |= BEFORE  # "vegetables should fill half of the plate"
    return scope


class Telling(NamedTuple):
    """A row of the table of what English predicates say: where it fits, and the roles it gives. None fits all."""

    roles: tuple[int, ...]
    scope: int = 0
    """0: where the object stands."""
    near: int = 0
    sorts: frozenset[str] | None = None
    forces: frozenset[int] | None = None
    whos: frozenset[str] | None = None
    passive: bool | None = None
    happened: bool | None = None
    """Whether it tells of the past."""
    states: bool | None = None
    """Whether it is a statement: of the present or past, or of what will be of the patient."""
    speaks: bool | None = None
    """Whether it is about a person, or about the past."""
    others: bool | None = None
    ing: bool | None = None
    twice: bool | None = None
    """Whether it is turned round twice."""

    def fits(self, said: Said) -> bool:
        """Whether the row is about such a predicate."""
        return (
            (self.sorts is None or said.sort in self.sorts)
            and (self.forces is None or said.chain.force in self.forces)
            and (self.whos is None or said.who in self.whos)
            and self.passive in (None, said.passive)
            and self.happened in (None, _happened(said))
            and self.states in (None, _states(said))
            and self.speaks in (None, _speaks(said))
            and self.others in (None, said.others)
            and self.ing in (None, bool(said.forms & ING))
            and self.twice in (None, said.chain.turns == 2)
        )


def _some(*names: str) -> frozenset[str]:
    return frozenset(names)


_DIRECTION: Final = -1
"""In place of a role: the direction of advice of the chain of verbs."""
_PATIENTS: Final = frozenset(("patient",))
_EFFECTS: Final = frozenset(("prevent", "cause"))
_TELLINGS: Final = (
    # "recommended for people over 70"
    Telling((GENERAL,), BEFORE, sorts=_some("advise"), passive=True, others=True),
    Telling((RECOMMEND,), BEFORE, sorts=_some("help"), forces=frozenset((CAN, WILL))),
    Telling((NEGATE,), near=SWAP, sorts=_some("swap"), forces=frozenset((STATED,)), whos=_PATIENTS),
    Telling((NEGATE,), sorts=_some("swap"), forces=frozenset((STATED,)), passive=True),
    Telling((NEGATE,), near=SWAP, sorts=_some("swap"), forces=frozenset((STATED,))),
    Telling((AGAINST,), sorts=_some("swap"), passive=True),
    Telling((AGAINST,), near=SWAP, sorts=_some("swap")),
    # statements about a person: "You stopped …", "You take …"; "I am prescribing …" proposes
    Telling((RECOMMEND,), sorts=_some("plan"), states=True),
    Telling((NEGATE,), sorts=_some("stop"), states=True, speaks=True, happened=True),
    Telling((NEGATE,), sorts=_some("stop"), states=True, speaks=True, whos=_PATIENTS),
    Telling((RECOMMEND,), sorts=_some("take", "choose"), states=True, happened=False, whos=_some("speaker", "adviser")),
    # "You would be started on …": proposed
    Telling((RECOMMEND,), sorts=_some("take", "have"), forces=frozenset((WILL,)), whos=_PATIENTS, states=True),
    # "You haven't missed a dose of …": turned twice, and so taken
    Telling((AFFIRM, NEGATE), sorts=_some("miss"), states=True, speaks=True, twice=True),
    Telling(
        (AFFIRM,), sorts=_HAVING, states=True, speaks=True, whos=_some("", "patient", "speaker", "adviser", "thing")
    ),
    Telling((GENERAL,), AFTER, EFFECT, sorts=_EFFECTS, states=True, speaks=True, happened=False),
    Telling((), states=True, speaks=True),
    # statements about things: "grapefruit raises …", "… is to be avoided"
    Telling((GENERAL,), AFTER, EFFECT, sorts=_EFFECTS | {"happen"}, states=True, passive=False, ing=False),
    Telling((_DIRECTION,), sorts=_some("advise"), states=True),
    Telling((_DIRECTION,), sorts=_some("avoid", "stop"), states=True, passive=True),
    Telling((AFFIRM,), AFTER, sorts=_some("take", "have"), states=True, ing=True),
    Telling((), states=True),
    # what is possible, told or advised
    Telling(
        (GENERAL,), AFTER, EFFECT, sorts=_some("other"), forces=frozenset((CAN,)), whos=_some("thing"), passive=False
    ),
    Telling((), sorts=_some("avoid", "stop"), forces=frozenset((CAN,)), passive=True),
    Telling((_DIRECTION,), sorts=DOING),
    Telling((_DIRECTION,), sorts=_some("have"), forces=frozenset((ORDER,))),
    Telling((_DIRECTION, HEDGE), sorts=_some("have"), forces=frozenset((CAN,)), whos=_PATIENTS),
    Telling((), sorts=_some("tell"), forces=frozenset((CAN,))),
    Telling((GENERAL,), BEFORE, EFFECT, sorts=_some("happen"), forces=frozenset((CAN,))),
    Telling((GENERAL,), AFTER, EFFECT, forces=frozenset((CAN,))),
    Telling((GENERAL,), AFTER, EFFECT, sorts=_EFFECTS),
)
"""The first row that fits tells what a predicate says."""


def _states(said: Said) -> bool:
    force = said.chain.force
    return force == STATED or (force == WILL and said.who in ("patient", "generic", "thing"))


def direction(chain: Chain) -> int:
    """Direction of advice of a verb chain, an English predicate in an answer: "do not stop" means keep."""
    if chain.turns % 2:
        return AGAINST
    if chain.keeps or (chain.turns and chain.stops):
        return KEEP
    return ALLOW if chain.turns else RECOMMEND


def _speaks(said: Said) -> bool:
    """Whether a statement is about a person, or about the past."""
    return said.who in ("patient", "speaker", "adviser") or _happened(said)


@lru_cache(maxsize=64)
def cue(role: int, scope: int, near: int) -> Cue:
    """Make a cue with one effect for an English predicate in an answer."""
    return Cue((Act(role, scope, near),), "", False, False, False, "")


def _happened(said: Said) -> bool:
    return said.past or bool(said.forms & PAST and not said.passive)
