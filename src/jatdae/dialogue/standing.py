"""Where a word stands in an English clause: who has been named, which modal and negation wait for their verb."""

from __future__ import annotations

from typing import Final

from jatdae.dialogue import english as en
from jatdae.dialogue.cues import AFTER, AGAINST, ALLOW, BEFORE, GENERAL, RECOMMEND, Cue
from jatdae.dialogue.english import CAN, ORDER, STATED, SUBORDINATE, WILL, Word
from jatdae.dialogue.wording import EFFECT, chained, cue

Found = tuple[Cue, int, int]
_BREAKING: Final = frozenset(("but", "so", "yet", "then", "plus"))


class Standing:
    """The words of a sentence, and the state between two of them."""

    def __init__(self, text: str) -> None:
        words: list[str] = []
        known: list[Word] = []
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
        self.within = False
        """Whether the clause hangs on another: its comma ends it."""
        self.begin()

    def begin(self) -> None:
        """A clause begins."""
        self.who = ""
        self.fresh = True
        """Whether nothing but light words have come: a bare verb would be a command."""
        self.open = False
        """Whether a verb has just come that may take another."""
        self.acts = False
        """Whether who does it has just come: what follows is a verb."""
        self.finite = False
        """Whether the clause has its verb."""
        self.told = False
        """Whether that verb told something of the patient."""
        self.to = self.be = self.past = self.does = False
        self.modal = self.turns = 0

    def noun(self) -> None:
        """A word that does nothing: before the verb it is what the clause is about."""
        self.open = self.fresh = self.acts = False
        if not (self.who or self.finite):
            self.who = "thing"

    def pause(self) -> None:
        """A comma or the like; who has been spoken of goes on: "you take A, use B"."""
        kept = self.who if self.told and not self.within else ""
        self.begin()
        self.who, self.told, self.within = kept, bool(kept), False

    def join(self, text: str, flags: int) -> None:
        """A conjunction: "and" goes on with who and how, "but" and "because" begin anew."""
        if flags & SUBORDINATE:
            self.begin()
            self.fresh, self.within = False, True
        elif text in _BREAKING:
            self.begin()
        else:
            self.fresh, self.to, self.be = True, False, False
            if self.who and self.chain.force in (ORDER, CAN):  # "you should stop A and start B"
                self.modal = self.chain.force
                self.turns = self.chain.turns % 2 if self.open and text in ("or", "nor") else 0
            elif not self.told:
                self.turns = 0

    def somebody(self, who: str) -> None:
        """Somebody or something is named by a pronoun or the like."""
        if who == "thing" and self.open:
            return
        goes_on = self.open and who == "patient"  # "I recommend you avoid …"
        if not goes_on and not (who == "thing" and self.who):
            self.begin()
        self.open = goes_on and self.chain.force != STATED
        self.who, self.acts, self.fresh = who, True, False

    def verb(self, to: bool) -> None:
        """A verb has been read; `to` where its last word leads to another."""
        self.open, self.fresh, self.finite = True, False, True
        self.be = self.past = False
        self.to = to
        self.modal = self.turns = 0

    def other(self, text: str, word: Word, number: int) -> None:
        """A word that is no verb."""
        flags = word.flags
        if text == "to":
            self.to = True
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
        elif self.modal == ORDER and self.who == "thing" and not en.judged(self.known, number):
            self.emit(cue(AGAINST if self.turns % 2 else RECOMMEND, BEFORE, 0), number, number)

    def _judge(self, bad: bool, number: int) -> None:
        """ "walking is fine", "it is best to avoid": of the subject, and of what is done."""
        turns = self.turns + bad
        if self.who not in ("patient", "generic"):
            self.emit(cue(RECOMMEND if not turns else AGAINST if turns % 2 else ALLOW, BEFORE, 0), number, number)
        self.chain = chained(ORDER, turns % 2)
        self.open, self.turns = True, 0

    def emit(self, told: Cue, first: int, last: int) -> None:
        """What the words from `first` to `last` say."""
        self.found.append((told, self.starts[first], self.starts[last] + len(self.words[last])))
