"""One pass over the words of a description.

What is kept while reading, and what ends it:

    region      the thing spoken of (body, coat, …): until the next head, across clauses
    places      locations that bind what follows: until the clause ends, a new location follows what was bound, or a
                head follows what was bound (舌尖红苔黄腻: 尖 binds 红 alone; 舌根苔黄腻: 根 binds 黄 and 腻)
    negation    until the clause ends, 有, or a head after something was negated; `next` words reach one atom and what
                is joined to it, `list` words what is adjacent too
    degree      until the next atom; where none follows in the clause, it belongs to what stands before
    choice      或: until the clause ends or a head follows the alternative
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import count, islice
from typing import Final

from jatdae.terms.choices import join_choice
from jatdae.terms.draft import Draft
from jatdae.terms.lexicon import Lexicon
from jatdae.terms.model import Unread
from jatdae.terms.places import Places
from jatdae.terms.vocabulary import Token, Word

AHEAD: Final = 12
"""How many words are looked at for a head that follows."""

_LETTERS: Final = re.compile(r"[^\W_]+")


class Reader:
    """The state of one reading, and what each kind of word does to it."""

    def __init__(self, text: str, tokens: Sequence[Token], lexicon: Lexicon) -> None:
        self.text, self.tokens, self.lexicon = text, tokens, lexicon
        self.drafts: list[Draft] = []
        self.unread: list[Unread] = []
        self.understood = 0
        self.number = 0
        self.region = lexicon.start
        self.outside = False
        self.led = False
        """A head stands before this place in the clause."""
        self.head_at = -1
        """How many drafts there were at the last head of the clause."""
        self.clause = 0
        self.clause_start = 0
        self.places = Places()
        self.degree = ""
        self.negation: Token | None = None
        self.negated = False
        """The negation has negated something."""
        self.joined = False
        self.list_start = 0
        """The first draft of the list that is being read."""
        self.choice = -1
        """Where the alternative after 或 begins."""
        self.choices = count(1)
        self.adding = False
        """或有: what follows is added, not put in the place of something."""

    def read(self) -> None:
        """Take one word after the other."""
        at = 0
        for number, token in enumerate(self.tokens):
            word, start, end = token
            if start > at:
                self._skip(at, start)
            at, self.number = end, number
            if self.outside and (word.inner or not word.head):
                continue
            self.understood += word.letters
            _STEPS[word.role](self, token)
        self._skip(at, len(self.text))
        self._end_clause()

    def state(self, token: Token) -> None:
        """A head, an atom, or both."""
        word, start, end = token
        if word.head:
            self._open(word, start)
            if self.outside or not word.readings:
                return
        atoms = word.only or self._reading(word)
        if not atoms:
            self.understood -= word.letters
            self.unread.append(Unread(self.text[start:end], start, end))
        for atom in atoms:
            self._add(atom, start, end, mention=word.mention)

    def pattern(self, token: Token) -> None:
        """Several atoms; a change of region between them is what a head is elsewhere."""
        word, start, end = token
        home = ""
        for atom in word.only:
            axis = self.lexicon.axes[self.lexicon.prefixes[atom]]
            if not axis.place:
                if home and axis.region != home and self.places.bound:
                    self.places.end()
                home = axis.region
            self._add(atom, start, end)
        if word.head:
            self.region, self.led = word.head, True

    def stop(self, _token: Token) -> None:
        """The end of a clause."""
        self._end_clause()

    def join(self, _token: Token) -> None:
        """、 及 和: a list goes on."""
        self.joined = True

    def break_(self, _token: Token) -> None:
        """有: what follows is there."""
        self.negation = None
        self.adding = self.adding or self.choice == len(self.drafts)

    def soften(self, token: Token) -> None:
        """A degree word."""
        self.degree += token[0].text

    def emphasise(self, token: Token) -> None:
        """为著: a degree with nothing after it."""
        self.degree += token[0].text
        self._settle_degree()

    def negate(self, token: Token) -> None:
        """无, 不: what follows is not there."""
        self.negation, self.negated = token, False

    def negate_back(self, token: Token) -> None:
        """없음: what stands before is not there."""
        if self.head_at == len(self.drafts) and self._absent(token):
            return
        for draft in self.drafts[max(self.list_start, self.clause_start) :]:
            draft.negated = not draft.place

    def offer(self, _token: Token) -> None:
        """或: an alternative follows; after a negation it is neither one nor the other."""
        if self.negation and self.negated:
            self.joined = True
            return
        self._end_choice()
        self.choice, self.adding = len(self.drafts), False

    def pass_by(self, _token: Token) -> None:
        """Glue."""

    def _open(self, word: Word, start: int) -> None:
        """A head: its region begins. A place that has a head in it (舌尖) ends nothing."""
        self.region, self.led = word.head, True
        self.outside = word.head in self.lexicon.outside
        if "" in word.readings:
            return
        self._settle_degree()
        if 0 <= self.choice < len(self.drafts):
            self._end_choice()
        if self.places.bound:
            self.places.unbind_headed(self.drafts, self.clause, word.head, start)
            self.places.end()
        if self.negated:
            self.negation = None
        self.head_at = len(self.drafts)

    def _reading(self, word: Word) -> tuple[str, ...]:
        """What a word says here: in this region, else in the one open region that knows it, else anywhere."""
        region = self.region if self.led else self._region_after() or self.region
        if atoms := word.readings.get(region):
            return atoms
        if word.bound:
            return ()
        opened = [word.readings[name] for name in self.lexicon.opened if name in word.readings]
        choices = opened or list(word.readings.values())
        return choices[0] if len(choices) == 1 else ()

    def _region_after(self) -> str:
        """The region of a head that closes this run of words (紫暗的舌下络脉), not of one that leads the next."""
        ahead = islice(self.tokens, self.number + 1, self.number + 1 + AHEAD)
        for at, (word, _, _) in enumerate(ahead, self.number + 1):
            if word.role == "stop":
                break
            if word.head and "" not in word.readings:
                closes = at + 1 == len(self.tokens) or self.tokens[at + 1][0].role == "stop"
                return word.head if closes else ""
        return ""

    def _add(self, atom: str, start: int, end: int, *, mention: bool = False) -> None:
        axis = self.lexicon.axes[self.lexicon.prefixes[atom]]
        if not self.joined:
            self.list_start = len(self.drafts)
        draft = Draft(atom, start, end, self.clause, axis.region)
        self.drafts.append(draft)
        if axis.place:
            draft.place = True
            self.places.name(atom)
            return
        draft.places = self.places.bind()
        draft.degree, self.degree = self.degree, ""
        if self.negation and not mention:
            if self.negated and not self.joined and self.negation[0].role == "not_next":
                self.negation = None
            else:
                draft.negated = self.negated = True
        self.joined = False

    def _settle_degree(self) -> None:
        """A degree without an atom after it: of a location still open (舌红，尖甚), else of the atom before it."""
        degree, self.degree = self.degree, ""
        if degree and self.places.names and not self.places.bound:
            self.places.bind_back(self.drafts)
        elif degree and self.drafts and self.drafts[-1].clause == self.clause:
            self.drafts[-1].degree = self.drafts[-1].degree or degree

    def _absent(self, token: Token) -> bool:
        """A head and a bare negation: 苔：无, 설태 없음."""
        atom = self.lexicon.absent.get(self.region, "")
        if atom:
            self.negation = None
            self._add(atom, token[1], token[2])
        return bool(atom)

    def _end_choice(self) -> None:
        if 0 <= self.choice < len(self.drafts):
            join_choice(self.drafts, self.choice, self.lexicon, self.choices, adding=self.adding)
        self.choice = -1

    def _end_clause(self) -> None:
        if self.negation and not self.negated and self.head_at == len(self.drafts):
            self._absent(self.negation)
        self._settle_degree()
        self._end_choice()
        self.clause += 1
        self.clause_start = self.list_start = len(self.drafts)
        self.places.end()
        self.negation, self.negated = None, False
        self.joined = self.led = False
        self.head_at = -1

    def _skip(self, start: int, end: int) -> None:
        """Text that no word of the lexicon covers."""
        if not self.outside:
            for found in _LETTERS.finditer(self.text, start, end):
                self.unread.append(Unread(found[0], found.start(), found.end()))


_STEPS: Final[Mapping[str, Callable[[Reader, Token], None]]] = {
    "state": Reader.state,
    "pattern": Reader.pattern,
    "stop": Reader.stop,
    "join": Reader.join,
    "or": Reader.offer,
    "break": Reader.break_,
    "degree": Reader.soften,
    "emphasis": Reader.emphasise,
    "not_list": Reader.negate,
    "not_next": Reader.negate,
    "not_back": Reader.negate_back,
    "glue": Reader.pass_by,
    "endings": Reader.pass_by,
}
