"""What a reader keeps while it reads a clause of a clinical description, and what is settled when the clause ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jatdae.terms.alternatives import join_choice
from jatdae.terms.attachment import EMPHASIS_REACH, bind_back, last_of_region
from jatdae.terms.forms import NO_FORM, Form
from jatdae.terms.lexicon import Lexicon
from jatdae.terms.lookahead import SENTENCE_ENDS
from jatdae.terms.scanner import Token, is_hangul
from jatdae.terms.term import Atom, Draft, Unread

STANDARD_REACH: Final = 2
"""How many words stand between 比 and an atom it compares with, at most: than the usual pale red."""
COLOUR_REACH: Final = 4
"""How many words before the end of a clause a word for colour is looked for."""
COLOURS: Final = ("颜色", "色", "色泽")
EXCEEDING: Final = "于"
"""A preposition that compares after what is at a location."""
POSITIONS: Final = ("midline", "central", "centrally")
"""Locations that, with nothing to be there, say where the tongue is: tongue midline, moves freely."""
NORMAL_REACH: Final = 6
"""How many words before the end of a clause one that says "normal" is looked for."""
NORMALS: Final = (
    *("正常", "基本正常", "无异常", "未见异常", "无明显异常", "未见明显异常", "无殊", "无特殊", "未见特殊", "如常"),
    *("정상", "normal", "unremarkable", "within normal limits"),
)


class Clause:
    """State of reading one description: the terms stated so far, and what applies to those to come."""

    understood: int = 0
    number: int = 0
    choices: int = 0
    clause: int = 0
    clause_start: int = 0
    outside: bool = False
    joined: bool = False
    aside: bool = False
    supposed: bool = False
    doubted: bool = False
    """What is read is not known: a contrast ends this."""
    led: bool = False
    """A head stands before this place in the clause."""
    head_at = -1
    """How many drafts there were at the last head of the clause."""
    head_start = 0
    """Where that head begins."""
    places: tuple[str, ...] = ()
    bound = False
    """The places have applied to a term."""
    entry: tuple[str, ...] = ()
    """Places that head an entry of a form: 舌尖：红，有点刺；"""
    carried = False
    """The places are those of the entry, from before a comma."""
    degree = ""
    negation: Token | None = None
    negated = False
    """The negation has negated a term."""
    list_start = 0
    """Index of the first draft of the current list."""
    choice = -1
    """Index of the first draft after 或; -1 outside a choice."""
    adding = False
    """或有: what follows is added; it replaces nothing."""
    phrase = 0
    """Index of the first draft that a location after a preposition can apply to."""
    glossing = False
    """Inside a bracket that says in another script what stands before it."""
    item: Sequence[Draft] = ()
    """What a location applies to if nothing follows it in the clause: 裂纹：舌中."""
    paused = False
    """A comma stands before this clause."""
    at = False
    """A preposition stands before this place."""
    former: slice | None = None
    """The drafts that state what was so before a change: 由白转黄."""
    past: slice | None = None
    """The drafts that a Korean clause states in the past tense before a contrast: 황태였으나 백태로 바뀜."""
    compared = -1
    """Number of the word 比, until the end of what it compares with: redder than the sides; -1 elsewhere."""
    aspect_at = 0
    """How many drafts there were at the last name of an aspect."""
    contrasted = 0
    """Index of the first draft after the last contrast of the clause."""
    bracket = -1
    """Number of the word that closes a bracket in which nothing is stated; -1 outside such a one."""
    conditional = False
    """The clause before this one is a condition."""
    topical = False
    """A preposition begins this sentence."""
    maxim = False
    """This sentence says what is so in general."""
    bygone = ""
    """What is read was so earlier, until a word for "now" (`now`), or the end of the sentence too (`sentence`)."""
    backed: Sequence[Draft] = ()
    """What the last location applied to, if it stands after it: red at the tip and sides."""

    def __init__(self, text: str, tokens: Sequence[Token], lexicon: Lexicon, form: Form = NO_FORM) -> None:
        self.text, self.tokens, self.lexicon, self.form = text, tokens, lexicon, form
        self.drafts: list[Draft] = []
        self.unread: list[Unread] = []
        self.region = lexicon.start

    def locate(self, token: Token) -> None:
        """A preposition: the location after it applies to what stands before, if there is anything.

        In Latin letters, in the same phrase; else, and after a comma, also in the clause before, unless something
        follows the location: 有裂纹，尤其是在舌中部; red, especially at the tip. At the start of a sentence it names
        what the next clause is about: 在舌根处，苔较厚.
        """
        if token[0].text == EXCEEDING and self._exceeds(token):
            self.compared = self.number
            return
        self.topical = not self.number or self.tokens[self.number - 1][0].text in SENTENCE_ENDS
        if token[0].latin and self.phrase < len(self.drafts):
            self.at = any(
                not draft.atom.place for draft in self.drafts[max(self.phrase, len(self.drafts) - EMPHASIS_REACH) :]
            )
        elif not self.topical and (not token[0].latin or self.paused):
            self.item = last_of_region(self.drafts[-EMPHASIS_REACH:])

    def _exceeds(self, token: Token) -> bool:
        """Whether 于 compares, since the atom right before it has its location: 舌尖红于舌边."""
        last = self.drafts[-1] if self.drafts else None
        return last is not None and last.end == token[1] and bool(last.places)

    def end_clause(self, _token: Token | None = None) -> None:
        """A comma, or the end of the text: settle what is open and forget it."""
        if self.negation and not self.negated and len(self.drafts) in (self.head_at, self.choice):  # 苔无, 苔少或无
            self._deny_head(self.negation)
        if self.degree:
            self._settle_degree()
        if self.places and not self.bound:
            if self.negation is None and not self._is_normal():
                self._settle_place()
            elif self.negation is None or not self._leads_unknown(self.negation):
                self._drop_places()
        elif self.negation and not self.negated:
            self._drop_name()
        if self.choice >= 0:
            self._end_choice()
        self.clause += 1
        self.clause_start = self.list_start = self.phrase = len(self.drafts)
        self.places, self.bound = self.entry, self.carried = (), False
        self.negation, self.negated = None, False
        self.joined = self.led = self.at = self.topical = False
        self.aside = self.supposed = self.doubted = False
        self.contrasted = len(self.drafts)
        self.compared = -1
        self.item, self.former, self.past = (), None, None
        self.backed = ()
        self.head_at = -1

    def _add(self, atom: Atom, start: int, end: int, mention: bool = False) -> None:
        if self.compared >= 0 and self._is_compared(atom):
            return
        if mention and self.negation and not self.negated:  # 未见舌下络脉: not seen, so nothing is said of it
            return
        draft = Draft(atom, self.text[start:end], start, end, self.clause)
        self.drafts.append(draft)
        if atom.place and self.tokens[self.number][0].latin and self._apply_back(atom.name):
            self.joined = False
            return
        if not self.joined:
            self.list_start = len(self.drafts) - 1
        if atom.place:
            self._locate_what_follows(atom.name)
            return
        self.at, self.backed = False, ()
        if self.places:
            draft.places, self.bound = self.places, True
        if self.degree:
            draft.degree, self.degree = self.degree, ""
        if self.negation and not mention:
            if self._is_past(self.negation, start):
                self.negation = None
            else:
                draft.negated = self.negated = True
        self.joined = False

    def _is_compared(self, atom: Atom) -> bool:
        """Whether 比 compares with this atom: locations after it (比舌边红 states 红), or the word it stands before."""
        if atom.place:
            return True
        words = [word.role for word, _, _ in self.tokens[self.compared + 1 : self.number]]
        near = len(words) <= STANDARD_REACH and all(role in ("glue", "degree", "usually", "to") for role in words)
        self.compared = -1
        return near

    def _is_past(self, negation: Token, start: int) -> bool:
        """Whether a negation of one atom has found it, and this one is not of its compound, list or quotation."""
        spent = self.negated and not self.joined and negation[0].role != "not_list"
        if not spent or self._is_quoted(start):
            return False
        before = self.drafts[-2] if len(self.drafts) > 1 else None
        return before is None or before.end != start or before.start + 2 != self.drafts[-1].end  # 不厚腻

    def _is_quoted(self, start: int) -> bool:
        """Whether a quotation that begins after the negation is still open: 不是“舌红少苔”."""
        if self.negation is None:
            return False
        opened = self.text.rfind("“", self.negation[2], start)
        return opened >= 0 and self.text.find("”", opened, start) < 0

    def _locate_what_follows(self, place: str) -> None:
        """A location joins those before it (边尖红), unless they have applied to a term (尖红边暗)."""
        if self.carried:
            self.places, self.entry, self.carried = (), (), False
        if self.bound or place not in self.places:
            self.places = (place,) if self.bound else (*self.places, place)
        elif not self.joined and self.places[-1] != place:  # 看到舌尖和舌中：舌尖红
            self.places = (place,)
        self.bound = False

    def _apply_back(self, place: str) -> bool:
        """Apply a location in Latin letters to what stands before it: cracks in the centre, red tip."""
        if not (self.joined and self.backed):
            if not (self.at or self._is_attributed()):
                return False
            self.backed = last_of_region(self.drafts[self.phrase : -1])
        for draft in self.backed:
            draft.places = tuple(dict.fromkeys((*draft.places, place)))
        self.at, self.phrase = False, len(self.drafts)
        return bool(self.backed)

    def _is_attributed(self) -> bool:
        """Whether an atom stands directly before this location and nothing that it could apply to after it."""
        tokens, number = self.tokens, self.number
        if not number or not tokens[number][0].latin or len(self.drafts) - 1 <= self.phrase:
            return False
        before, after = tokens[number - 1][0], tokens[number + 1][0] if number + 1 < len(tokens) else None
        ends = after is None or after.role in ("stop", "join", "break", "head")
        return ends and before.is_content and not before.head and not self.drafts[-2].atom.place

    def _settle_place(self) -> None:
        """Apply a location that nothing follows to the item before it: 裂纹：舌中, 치흔이 양측에 있음."""
        if not self.drafts:  # the location itself was taken back
            return
        item, last = self.item, self.drafts[-1]
        if not item and is_hangul(last.text[0]) and not (self.unread and self.unread[-1].start > last.start):
            item = last_of_region(self.drafts[max(self.clause_start, len(self.drafts) - EMPHASIS_REACH) :])[:1]
        led = self.paused or (self.led and self.text[self.head_start].isascii())
        alone = led and len(self.drafts) == self.clause_start + 1
        if alone and not item and last.text.lower() in POSITIONS:
            self.drafts.pop()
            return
        for draft in item:
            draft.places = tuple(dict.fromkeys((*draft.places, *self.places)))

    def _settle_degree(self) -> None:
        """Apply a degree that no atom follows: to an open location (舌红，尖甚), else to the atom before it."""
        degree, self.degree = self.degree, ""
        if degree and self.places and not self.bound:
            if not self._tells_colour():
                bind_back(self.drafts, self.places)
            self.bound = True
        elif degree and self.drafts and self.drafts[-1].clause == self.clause:
            self.drafts[-1].degree = self.drafts[-1].degree or degree

    def _tells_colour(self) -> bool:
        """Whether a degree is that of a colour that is not named: 苔白，舌尖颜色稍深."""
        said = self.tokens[max(0, self.number - COLOUR_REACH) : self.number]
        return any(word.text in COLOURS and start >= self.drafts[-1].end for word, start, _ in said)

    def _deny_head(self, negation: Token) -> None:
        """Add what a head with a bare negation states, unless the negation denies unknown text before the head."""
        if negation[1] > self.head_start or not self._leads_unknown(negation):
            self._absent(negation)

    def _absent(self, token: Token) -> bool:
        """Add the atom for a head with a bare negation (苔：无, 설태 없음); False if the region has none."""
        atom = self.lexicon.absent.get(self.region)
        if atom is None:
            return False
        self.negation = None
        self._add(atom, token[1], token[2])
        return True

    def _leads_unknown(self, token: Token) -> bool:
        """Whether unknown text follows a word: 没有发现特别的异常：舌淡红; before a negation, 설근부 이상 없음."""
        return bool(self.unread) and self.unread[-1].start >= token[2]

    def _drop_places(self) -> None:
        """Remove the locations of a clause that denies without naming what: 右侧有瘀斑，左侧未见."""
        while len(self.drafts) > self.clause_start and self.drafts[-1].atom.place:
            self.drafts.pop()

    def _is_normal(self) -> bool:
        """Whether all that is said of a location is that it is normal: sides normal, 舌边正常."""
        last = self.drafts[-1] if self.drafts else None
        if self.item or last is None or not last.atom.place:
            return False
        said = self.tokens[max(0, self.number + 1 - NORMAL_REACH) : self.number + 1]
        return any(word.text in NORMALS and start >= last.end for word, start, _ in said)

    def _drop_name(self) -> None:
        """Remove the name of a region if all that is said of it is a negation: 舌下络脉未曝露."""
        if len(self.drafts) > self.clause_start and self.drafts[-1].atom in self.lexicon.named:
            self.drafts.pop()

    def _end_choice(self) -> None:
        if 0 <= self.choice < len(self.drafts):
            self.choices = join_choice(self.drafts, self.choice, self.choices, adding=self.adding)
        self.choice = -1

    def _forget(self, first: int) -> None:
        """Remove what was stated since a place in this clause, and what would apply to what follows."""
        del self.drafts[first:]
        self.clause_start, self.contrasted = min(self.clause_start, first), min(self.contrasted, first)
        self.head_at, self.aspect_at = min(self.head_at, first), min(self.aspect_at, first)
        self.list_start = min(self.list_start, first)
        self.phrase = min(self.phrase, first)
        self.places, self.bound = (), False
        self.negation, self.degree = None, ""
        self.choice = min(self.choice, first)
