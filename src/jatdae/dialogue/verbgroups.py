"""The predicates of an English sentence, read word by word.

"I would not recommend stopping X": a verb that takes another (recommend, try to, need to) hands its force on; negations
and verbs of avoiding turn the direction round. What the chain comes to is said of what follows its last verb, or,
in the passive and with adjectives ("should be avoided", "is fine"), of what precedes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jatdae.dialogue import english as en
from jatdae.dialogue.cues import AFFIRM, AFTER, AGAINST, CONDITION, PATIENT, RECOMMEND
from jatdae.dialogue.english import AIM, ORDER, STATED, WILL, Verb, Word
from jatdae.dialogue.standing import Found, Standing
from jatdae.dialogue.wording import EFFECT, SWAP, chained, cue, meaning

_PREFERRED: Final[Mapping[str, tuple[str, ...]]] = {
    "thing": ("find", "help", "cause", "happen", "prevent"),
    "patient": ("have", "take", "avoid", "stop", "keep"),
    "speaker": ("advise", "take", "avoid", "stop", "keep", "find"),
}
"""Of a verb of several kinds, which it is with whom; else the first that is listed."""
_SWAPPED: Final[Mapping[str, tuple[str, ...]]] = {"swap": ("with", "for", "by", "to"), "choose": ("over",), "": ()}
"""Behind which the other thing is named: replace A with B, choose A over B."""
_SOMETHING: Final = {form: Verb((), ("other",), form) for form in (en.BASE, en.THIRD, en.PAST, en.ING)}
"""A verb that is known by its place alone."""
_CAUSES: Final = (("because", "of"), ("due", "to"), ("owing", "to"))
_TURNING: Final = frozenset(("avoid", "stop", "miss"))


def find_predicates(text: str, mentions: Mapping[int, int]) -> list[Found]:
    """The predicates of a sentence as cues, in order; words of a mention are nouns."""
    return _Reader(text, mentions).read()


class _Reader(Standing):
    """One pass over the words of a sentence."""

    def __init__(self, text: str, mentions: Mapping[int, int]) -> None:
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
                    self.noun()
                    rests = not waits
                    continue
            elif word.idle and not self.swaps:
                continue
            done = number + self._word(number)
            rests = False
        return self.found

    def _expects(self) -> bool:
        """Whether a verb may stand here that is itself what is spoken of: "Walk …", "do not smoke"."""
        return (self.fresh and not self.who) or bool(self.modal or self.turns)

    def _word(self, number: int) -> int:
        """Take in one word, or a verb of several; how many there were."""
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
            if verb is not None and not self._helps(verb, number, word.flags):
                self._verb(verb, number)
                return 1 + len(verb.rest)
            self.other(text, word, number)
        return 1

    def _ahead(self, number: int) -> str:
        return self.words[number + 1] if number + 1 < len(self.words) else ""

    def _unknown(self, text: str, word: Word) -> Verb | None:
        """A word that can only be a verb where it stands: behind a modal, "do not", "to" or who does it."""
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
        """Whether have, do or be only helps the verb behind it."""
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
        forms, last = verb.forms, number + len(verb.rest)
        commanded = bool(forms & en.BASE) and self.fresh and not self.who
        if forms & en.THIRD and self.fresh and not self.who:
            self.who = "patient"  # as notes have it: "Reports …", "Takes …"
        if self.open and (self.to or forms & en.ING or (forms & en.BASE and self.who == "patient")):
            led = self.chain
        elif not (self.modal or commanded or self.to) and self._describes(verb, number, last):
            self.noun()
            return
        else:
            led = chained(self.modal or (ORDER if commanded else AIM if self.to else STATED))
        passive = self.be and bool(forms & en.PAST) and not self.to
        sort = verb.sorts[0]
        if len(verb.sorts) > 1 and not passive and led.force not in (ORDER, AIM):
            sort = next((name for name in _PREFERRED.get(self.who, ()) if name in verb.sorts), sort)
        told = sort == "advise" or verb.rest == ("against",) or (sort == "urge" and led.force == STATED)
        self.chain = chained(
            ORDER if told else led.force,
            led.turns + self.turns + (sort in _TURNING),
            led.stops or sort in ("stop", "miss"),
            led.keeps or sort == "keep",
        )
        if not (sort == "urge" and self._ahead(last) == "for"):
            self._tell(sort, forms, passive, number, last)
        self.verb(verb.rest[-1:] == ("to",))

    def _describes(self, verb: Verb, number: int, last: int) -> bool:
        """Whether a form is no predicate: "Eating nuts …", "have it checked", "before taking"."""
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
                self.found[at] = cue(act.role, act.scope, max(1, self.starts[number] - end)), start, end
        self.emit(cue(self.swapped, AFTER, SWAP), number, number)
        self.swaps = ""
