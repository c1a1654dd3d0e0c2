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
from typing import Final

from jatdae.terms.choices import join_choice
from jatdae.terms.lexicon import Lexicon
from jatdae.terms.model import Atom, Draft, Unread
from jatdae.terms.places import bind_back, free_headed
from jatdae.terms.regions import reading_in, region_after
from jatdae.terms.vocabulary import Token

LONGEST_DEGREE: Final = 32
"""Characters after which degree words add nothing."""

_LETTERS: Final = re.compile(r"[^\W_]+")


class Reader:
    """The state of one reading, and what each kind of word does to it."""

    def __init__(self, text: str, tokens: Sequence[Token], lexicon: Lexicon) -> None:
        self.text, self.tokens, self.lexicon = text, tokens, lexicon
        self.drafts: list[Draft] = []
        self.unread: list[Unread] = []
        self.understood = self.number = self.choices = 0
        self.region = lexicon.start
        self.outside = self.joined = False
        self.led = False
        """A head stands before this place in the clause."""
        self.head_at = -1
        """How many drafts there were at the last head of the clause."""
        self.clause = self.clause_start = 0
        self.places: tuple[str, ...] = ()
        self.bound = False
        """The places have bound something."""
        self.degree = ""
        self.negation: Token | None = None
        self.negated = False
        """The negation has negated something."""
        self.list_start = 0
        """The first draft of the list that is being read."""
        self.choice = -1
        """Where the alternative after 或 begins."""
        self.adding = False
        """或有: what follows is added, not put in the place of something."""

    def read(self) -> None:
        """Take one word after the other."""
        at = understood = 0
        for number, token in enumerate(self.tokens):
            word, start, end = token
            if start > at:
                self._skip(at, start)
            at, self.number = end, number
            if self.outside and (word.inner or not word.head):
                continue
            understood += word.letters
            _STEPS[word.role](self, token)
        self.understood += understood
        if at < len(self.text):
            self._skip(at, len(self.text))
        self.end_clause()

    def open(self, token: Token) -> None:
        """A head: its region begins. A place that has a head in it (舌尖) ends nothing."""
        word, start, _ = token
        self.region, self.led = word.head, True
        self.outside = word.head in self.lexicon.outside
        if "" in word.readings:
            return
        if self.degree:
            self._settle_degree()
        if 0 <= self.choice < len(self.drafts):
            self._end_choice()
        if self.bound:
            free_headed(self.drafts, self.places, self.clause, word.head, start)
            self.places, self.bound = (), False
        if self.negated:
            self.negation = None
        self.head_at = len(self.drafts)

    def open_and_state(self, token: Token) -> None:
        """A surface that has a head in it: 少苔."""
        self.open(token)
        if not self.outside:
            self.state(token)

    def state(self, token: Token) -> None:
        """An atom, or what is one in some regions."""
        word, start, end = token
        if not (atoms := word.only):
            region = self.region if self.led else region_after(self.tokens, self.number) or self.region
            atoms = reading_in(region, word, self.lexicon.opened)
        if not atoms:
            self.understood -= word.letters
            self.unread.append(Unread(self.text[start:end], start, end))
        for atom in atoms:
            self._add(atom, start, end, word.mention)

    def state_all(self, token: Token) -> None:
        """A pattern: several atoms; a change of region between them is what a head is elsewhere."""
        word, start, end = token
        home = ""
        for atom in word.only:
            if not atom.place:
                if home and atom.region != home and self.bound:
                    self.places, self.bound = (), False
                home = atom.region
            self._add(atom, start, end)
        if word.head:
            self.region, self.led = word.head, True

    def join(self, _token: Token) -> None:
        """、 及 和: a list goes on."""
        self.joined = True

    def break_(self, _token: Token) -> None:
        """有: what follows is there."""
        self.negation = None
        self.adding = self.adding or self.choice == len(self.drafts)

    def soften(self, token: Token) -> None:
        """A degree word; a few of them are one degree (略微偏)."""
        if len(self.degree) < LONGEST_DEGREE:
            self.degree += token[0].text

    def emphasise(self, token: Token) -> None:
        """为著: a degree with nothing after it."""
        self.soften(token)
        self._settle_degree()

    def negate(self, token: Token) -> None:
        """无, 不: what follows is not there."""
        self.negation, self.negated = token, False

    def negate_back(self, token: Token) -> None:
        """없음: what stands before is not there."""
        if self.head_at == len(self.drafts) and self._absent(token):
            return
        for draft in self.drafts[max(self.list_start, self.clause_start) :]:
            draft.negated = not draft.atom.place
        self.list_start = len(self.drafts)

    def offer(self, _token: Token) -> None:
        """或: an alternative follows; after a negation it is neither one nor the other."""
        if self.negation and self.negated:
            self.joined = True
            return
        self._end_choice()
        self.choice, self.adding = len(self.drafts), False

    def pass_by(self, _token: Token) -> None:
        """Glue."""

    def _add(self, atom: Atom, start: int, end: int, mention: bool = False) -> None:
        if not self.joined:
            self.list_start = len(self.drafts)
        draft = Draft(atom, self.text[start:end], start, end, self.clause)
        self.drafts.append(draft)
        if atom.place:  # it joins the places before it (边尖红), unless they have bound something (尖红边暗)
            if self.bound or atom.name not in self.places:
                self.places = (atom.name,) if self.bound else (*self.places, atom.name)
            self.bound = False
            return
        if self.places:
            draft.places, self.bound = self.places, True
        if self.degree:
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
        if degree and self.places and not self.bound:
            bind_back(self.drafts, self.places)
            self.bound = True
        elif degree and self.drafts and self.drafts[-1].clause == self.clause:
            self.drafts[-1].degree = self.drafts[-1].degree or degree

    def _absent(self, token: Token) -> bool:
        """A head and a bare negation: 苔：无, 설태 없음."""
        atom = self.lexicon.absent.get(self.region)
        if atom is None:
            return False
        self.negation = None
        self._add(atom, token[1], token[2])
        return True

    def _end_choice(self) -> None:
        if 0 <= self.choice < len(self.drafts):
            self.choices = join_choice(self.drafts, self.choice, self.choices, adding=self.adding)
        self.choice = -1

    def end_clause(self, _token: Token | None = None) -> None:
        """A comma, or the end of the text."""
        if self.negation and not self.negated and self.head_at == len(self.drafts):
            self._absent(self.negation)
        self._settle_degree()
        self._end_choice()
        self.clause += 1
        self.clause_start = self.list_start = len(self.drafts)
        self.places, self.bound = (), False
        self.negation, self.negated = None, False
        self.joined = self.led = False
        self.head_at = -1

    def _skip(self, start: int, end: int) -> None:
        """Text that no word of the lexicon covers."""
        if not self.outside:
            self.unread += [Unread(found[0], *found.span()) for found in _LETTERS.finditer(self.text, start, end)]


_STEPS: Final[Mapping[str, Callable[[Reader, Token], None]]] = {
    "head": Reader.open,
    "headed": Reader.open_and_state,
    "atom": Reader.state,
    "pattern": Reader.state_all,
    "stop": Reader.end_clause,
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
