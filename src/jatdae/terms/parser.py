"""Parses a clinical description: one pass over the words that the scanner found, from left to right.

What the reader keeps while it reads, and what ends it:

    region      the thing described (body, coat, …): until the next head, across clauses
    places      locations that apply to what follows: until the clause ends, or until a new location or a head follows
                a term they applied to (舌尖红苔黄腻: 尖 applies to 红 alone; 舌根苔黄腻: 根 applies to 黄 and 腻)
    negation    until the clause ends, 有, or a head after a negated term; `next` words negate one atom and what is
                joined to it, `list` words adjacent atoms too
    degree      until the next atom; if none follows in the clause, it belongs to the atom before
    choice      或: until the clause ends or a head follows the alternative
    aside       提示, 建议: until the clause ends or a head follows, nothing is stated
    suppose     若, 既往: until the clause or 现 ends it, nothing is stated
    change      由白转黄: until the clause ends, 转 removes what 由 marks

Items, answers and headings of forms are found beforehand (`forms.py`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from jatdae.terms.alternatives import join_choice
from jatdae.terms.attachment import EMPHASIS_REACH, bind_back, free_headed, last_of_region
from jatdae.terms.forms import NO_FORM, Form, read_form
from jatdae.terms.korean import SUBJECT_PARTICLES, VERB_ALTERNATIVES, VERB_NEGATIONS
from jatdae.terms.layout import unfold
from jatdae.terms.lexicon import Lexicon
from jatdae.terms.lookahead import (
    COMMAS,
    HEAD_REACH,
    describes_other,
    is_denied,
    is_denied_list,
    is_former_list,
    is_maxim,
    names_next,
    region_after,
    region_described,
    shares_axis,
)
from jatdae.terms.scanner import LexiconWord, Token, is_hangul
from jatdae.terms.term import Atom, Draft, Parsed, Unread

LONGEST_DEGREE: Final = 32
"""Characters of degree words that are kept; more add nothing."""

MANNER_REACH: Final = 3
"""How many terms before a word of manner it can describe."""
STANDARD_REACH: Final = 2
"""How many words stand between 比 and an atom it compares with, at most: than the usual pale red."""
COMPOUND_HEADS: Final = ("苔", "태")
"""Heads that end a surface of an atom: 腻苔, 니태."""
CONTRASTS: Final = ("而", "但", "but", "while", "지만", "이지만", "하지만", "하나", "으나", "이나", "나")
"""Words after which a general statement gives way to what is so here."""
SENTENCE_ENDS: Final = (".", "。", "!", "！", "?", "？", ";", "；", "\n")

_PUNCTUATION: Final = re.compile(r"[^\w+±＋－-]|_")
"""All but letters, digits, and the signs that carry meaning: 齿痕(-)."""
_LETTERS: Final = re.compile(r"[^\W_]+")


def parse_text(text: str, lexicon: Lexicon) -> Parsed:
    """Parse a clinical description into terms and the parts that the lexicon does not know."""
    if not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
    text = text.encode("utf-8", "replace").decode("utf-8")
    vocabulary = lexicon.vocabulary
    laid_out = unfold(text)
    spelt = vocabulary.spell(laid_out)
    tokens = vocabulary.scan(spelt)
    reader = Reader(laid_out, tokens, lexicon, read_form(spelt, tokens))
    reader.read()
    letters = reader.understood
    for gap in reader.unread:
        letters += len(gap.text)
    bare = text if text.isalnum() else _PUNCTUATION.sub("", text)
    return Parsed(text, reader.drafts, reader.unread, reader.understood, letters, bare)


class Reader:
    """State of parsing one description, and what each kind of word does to it."""

    understood = number = choices = clause = clause_start = 0
    outside = joined = aside = supposed = False
    led = False
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
    item: Sequence[Draft] = ()
    """What a location applies to if nothing follows it in the clause: 裂纹：舌中."""
    paused = False
    """A comma stands before this clause."""
    at = False
    """A preposition stands before this place."""
    former: slice | None = None
    """The drafts that state what was so before a change: 由白转黄."""
    compared = -1
    """Number of the word 比, until the end of what it compares with: redder than the sides; -1 elsewhere."""
    maxim = False
    """This sentence says what is so in general."""
    backed: Sequence[Draft] = ()
    """What the last location applied to, if it stands after it: red at the tip and sides."""

    def __init__(self, text: str, tokens: Sequence[Token], lexicon: Lexicon, form: Form = NO_FORM) -> None:
        self.text, self.tokens, self.lexicon, self.form = text, tokens, lexicon, form
        self.drafts: list[Draft] = []
        self.unread: list[Unread] = []
        self.region = lexicon.start

    def read(self) -> None:
        """Read all words, in order."""
        at = understood = 0
        form = self.form
        filled = form is not NO_FORM
        for number, token in enumerate(self.tokens):
            word, start, end = token
            if start > at:
                self._skip(at, start)
            at, self.number = end, number
            if filled and number in form.entries:
                self.end_clause()
            if self.aside and self._goes_on(word):
                if word.head and not word.inner and word.head not in self.lexicon.outside:
                    self.region = word.head  # if the coating turns black …; now it is thin
                continue
            if self.outside and (word.inner or not word.head):
                if word.role == "stop":
                    self.aside = self.supposed = False
                if not self._returns(word):
                    continue
                self.outside = False
            understood += word.letters
            if filled and number in form.marks:
                self._fill_in(token, form.marks[number])
            else:
                _STEPS[word.role](self, token)
        self.understood += understood
        if at < len(self.text):
            self._skip(at, len(self.text))
        self.end_clause()
        self._drop_names()

    def open(self, token: Token) -> None:
        """A head: switch to its region. A place that contains a head (舌尖) ends nothing."""
        word, start, _ = token
        self.region, self.led = word.head, True
        self.outside = word.head in self.lexicon.outside
        self.aside = False
        if "" in word.readings:
            return
        if self.outside and self.at:  # pale in the face
            del self.drafts[self.phrase :]
        if self.carried:
            self.places, self.carried = (), False
        if self.degree and not word.readings:
            self._settle_degree()
        if 0 <= self.choice < len(self.drafts):
            self._end_choice()
        if self.bound:
            free_headed(self.drafts, self.places, self.clause, word.head, start)
            self.places, self.bound = (), False
        if self.negated:
            self.negation = None
        self.head_at, self.head_start = len(self.drafts), start

    def open_and_state(self, token: Token) -> None:
        """A surface that contains a head: 少苔. It keeps the location of terms that share its head: 舌根黄腻苔."""
        word, places = token[0], self.places
        shared = self.bound and "" not in word.readings
        if shared:
            there = [each for each in self.drafts[self.clause_start :] if each.places == places]
            shared = all(each.atom.region == word.head for each in there)
        self.open(token)
        if shared:
            self.places, self.bound = places, True
        if not self.outside:
            self.state(token)

    def state(self, token: Token) -> None:
        """An atom, or a word that is an atom in some regions only."""
        word, start, end = token
        region = region_described(self.tokens, self.number, self.led) if word.latin else ""
        if region in self.lexicon.outside:  # dry mouth
            return
        if not (atoms := word.only):
            region = region or (self.region if self.led else region_after(self.tokens, self.number) or self.region)
            atoms = _reading_in(region, word, self.lexicon.opened)
        if not atoms:
            self.understood -= word.letters
            self.unread.append(Unread(self.text[start:end], start, end))
        for atom in atoms:
            if not (word.manner and self._restates(atom)):
                self._add(atom, start, end, word.mention)

    def _restates(self, atom: Atom) -> bool:
        """Whether one of the last terms is a similar one: 剥落，呈地图状."""
        similar = self.lexicon.synonyms
        return any((draft.atom.name, atom.name) in similar for draft in self.drafts[-MANNER_REACH:])

    def state_all(self, token: Token) -> None:
        """A pattern: several atoms. A change of region between them ends the places, as a head does."""
        word, start, end = token
        if word.head and self.bound:  # a pattern with a head (苔黄腻) ends them too
            self.places, self.bound = (), False
        home = ""
        for atom in word.only:
            if not atom.place:
                if home and atom.region != home and self.bound:
                    self.places, self.bound = (), False
                home = atom.region
            self._add(atom, start, end)
            self.drafts[-1].negated = self.drafts[-1].negated or atom.name in word.denied
            self.joined = not atom.place  # so that an answer applies to all of them: 瘀点瘀斑：无
        self.joined = False
        if word.head:
            self.region, self.led = word.head, True

    def _goes_on(self, word: LexiconWord) -> bool:
        """Whether an interpretation, advice or condition goes on with this word."""
        if self.maxim:
            self.maxim = word.text not in SENTENCE_ENDS and word.text not in CONTRASTS
            if not self.maxim:
                self.aside = self.supposed = False
            return self.maxim
        if word.text == "," and not self.supposed:
            return describes_other(self.text, self.tokens, self.number)
        if word.role in ("stop", "suppose", "now"):
            return False
        return self.supposed or word.inner or not word.head

    def join(self, _token: Token) -> None:
        """、 及 和: the list continues."""
        self.joined = True

    def join_alike(self, token: Token) -> None:
        """이나, 거나: after an atom the list continues if the next one is of its axis; else it means "but".

        거나 joins verbs that are denied together, of any axis: 두껍거나 누렇지 않다.
        """
        if not self.number or not self.drafts:
            return
        before = self.tokens[self.number - 1][0]
        if before.is_content and shares_axis(self.tokens, self.number, self.drafts[-1].atom.prefix):
            self.joined = True
        elif token[0].text in VERB_ALTERNATIVES and (before.is_content or before.role == "break"):
            self.joined = is_denied(self.tokens, self.number)
        else:
            self.inflect(token)

    def break_(self, token: Token) -> None:
        """有: what follows is present, so a negation ends."""
        self.negation = None
        self.phrase, self.backed = len(self.drafts), ()
        self.adding = self.adding or self.choice == len(self.drafts)
        if token[0].latin:  # a noun phrase of its own: red with a thin, white coat
            self.led = False

    def leave(self, token: Token) -> None:
        """由: what follows was so before, up to 转. In Korean what stands before it in the clause: 백색에서."""
        if token[0].latin:  # a fissure from the centre to the root
            self.locate(token)
        before = is_hangul(token[0].text[0])
        self.former = slice(self.clause_start, len(self.drafts)) if before else slice(len(self.drafts), None)

    def turn(self, token: Token) -> None:
        """转为: what was so before is not stated. Without 由 that is what stands right before it: 苔白转黄."""
        if self.former is None and self._follows_atom(token):
            last = last_of_region(self.drafts[self.clause_start :])
            self.former = slice(len(self.drafts) - len(last), None)
        if self.former is not None:
            self.joined = bool(self.backed)
            self.drafts[self.former] = [draft for draft in self.drafts[self.former] if draft.atom.place]
            self.list_start = self.phrase = len(self.drafts)
            self.choice, self.former, self.degree = -1, None, ""

    def _follows_atom(self, token: Token) -> bool:
        """Whether an atom that is no location ends where this word begins; not in Latin letters or Hangul."""
        word, start, _ = token
        before = self.tokens[self.number - 1] if self.number else None
        if word.latin or is_hangul(word.text[0]) or before is None or self.text[before[2] : start].strip():
            return False
        return before[0].role in ("atom", "pattern") and "" not in before[0].readings

    def compare(self, token: Token) -> None:
        """比: nothing is stated of the location or atom after it; in Korean, of the one before it."""
        if not is_hangul(token[0].text[0]):
            self.compared = self.number
        elif self.drafts and self.drafts[-1].end == token[1]:
            name = self.drafts.pop().atom.name
            self.places = tuple(place for place in self.places if place != name)
            self.list_start = min(self.list_start, len(self.drafts))

    def contrast(self, token: Token) -> None:
        """相较于: what follows was so before, up to the end of the clause; a location is only compared with."""
        if names_next(self.tokens, self.number, place=True):
            self.compare(token)
        else:
            self.suppose(token)

    def _is_compared(self, atom: Atom) -> bool:
        """Whether 比 compares with this atom: locations after it (比舌边红 states 红), or the word it stands before."""
        if atom.place:
            return True
        words = [word.role for word, _, _ in self.tokens[self.compared + 1 : self.number]]
        near = len(words) <= STANDARD_REACH and all(role in ("glue", "degree", "usually") for role in words)
        self.compared = -1
        return near

    def soften(self, token: Token) -> None:
        """A degree word; several in a row are one degree (略微偏)."""
        if len(self.degree) < LONGEST_DEGREE:
            self.degree += token[0].text

    def emphasise(self, token: Token) -> None:
        """为著: a degree that belongs to what stands before it."""
        self.soften(token)
        self._settle_degree()

    def negate(self, token: Token) -> None:
        """无, 不: what follows is absent."""
        self.negation, self.negated = token, False

    def negate_compound(self, token: Token) -> None:
        """무: in one written word with an atom it denies that (무치흔); elsewhere it is read as part of a form."""
        ahead = self.tokens[self.number + 1 : self.number + 2]
        if ahead and ahead[0][1] == token[2] and is_hangul(token[0].text[0]):
            self.negate(token)

    def negate_back(self, token: Token) -> None:
        """없음: what stands before is absent."""
        if is_hangul(token[0].text[0]) and self._denies_other(token):
            return
        if self._leads_atom(token):
            self.negate(token)
            return
        first = self._compound_start()
        if self.head_at == len(self.drafts) and first == len(self.drafts) and self._absent(token):
            return
        if self.joined and self.backed:  # thick at the root and absent at the tip
            self.list_start = len(self.drafts)
        else:
            self.list_start = min(self.list_start, first)
        for draft in self.drafts[max(self.list_start, self.clause_start) :]:
            draft.negated = not draft.atom.place
        self.list_start = len(self.drafts)

    def _leads_atom(self, token: Token) -> bool:
        """Whether a Chinese negation stands right before an atom, and nothing it could deny before it: 未出现裂纹."""
        after = self.tokens[self.number + 1] if self.number + 1 < len(self.tokens) else None
        if token[0].latin or is_hangul(token[0].text[0]) or after is None or after[1] != token[2]:
            return False
        denied = any(not draft.atom.place for draft in self.drafts[self.clause_start :])
        return not denied and after[0].role in ("atom", "pattern") and "" not in after[0].readings

    def _compound_start(self) -> int:
        """Index of the first atom of a compound that its head ends: the greasy coating has cleared; 황니태는 소실."""
        if self.head_at == len(self.drafts):
            end = self.head_start
        elif self.drafts and self.drafts[-1].text[-1:] in COMPOUND_HEADS:
            end = self.drafts[-1].end
        else:
            return len(self.drafts)
        first, latin = len(self.drafts), self.tokens[self.number][0].latin
        for draft in reversed(self.drafts[self.clause_start :]):
            gap = self.text[draft.end : end]
            if draft.atom.place or draft.atom.region != self.region or (gap.strip() if latin else gap):
                break
            first, end = first - 1, draft.start
        return first

    def _denies_other(self, token: Token) -> bool:
        """Whether a Korean negation denies something that the lexicon does not know.

        For 않다 that is the verb right before it (통증은 호소하지 않음), else an unknown noun with a particle of the
        subject (통증은 없음).
        """
        word, start, _ = token
        known = self.drafts[-1].end if self.drafts else 0
        unknown = [gap for gap in self.unread[-HEAD_REACH:] if gap.start >= known]
        if word.text.startswith(VERB_NEGATIONS):
            return bool(unknown) and " " not in self.text[unknown[-1].end : start].strip()
        return any(gap.text.endswith(SUBJECT_PARTICLES) for gap in unknown)

    def offer(self, _token: Token) -> None:
        """或: an alternative follows. After a negation (无 A 或 B) both are negated instead."""
        if self.negation and self.negated:
            self.joined = True
            return
        self._end_choice()
        self.choice, self.adding = len(self.drafts), False

    def pass_by(self, _token: Token) -> None:
        """Glue: nothing to do."""

    def inflect(self, token: Token) -> None:
        """A Korean ending: nothing to do, but -나 and -지만 end the places: 설변에 치흔이 뚜렷하나 열문은 없다."""
        if self.bound and token[0].text in CONTRASTS:
            self.places, self.bound = (), False

    def divide(self, _token: Token) -> None:
        """A colon: a location alone after it applies to the item before it; 不是 does not reach across it."""
        if self.negation and self.negation[0].role == "not_next":
            self.negation = None
        self.joined = False
        self.entry = self.places if not self.bound else ()
        self.item = last_of_region(self.drafts[max(self.clause_start, len(self.drafts) - EMPHASIS_REACH) :])[:1]

    def locate(self, token: Token) -> None:
        """A preposition: the location after it applies to what stands before, if there is anything.

        In Latin letters, in the same phrase; else, and after a comma, also in the clause before, unless something
        follows the location: 有裂纹，尤其是在舌中部; red, especially at the tip.
        """
        if token[0].latin and self.phrase < len(self.drafts):
            self.at = any(
                not draft.atom.place for draft in self.drafts[max(self.phrase, len(self.drafts) - EMPHASIS_REACH) :]
            )
        elif not token[0].latin or self.paused:
            self.item = last_of_region(self.drafts[-EMPHASIS_REACH:])

    def digress(self, token: Token) -> None:
        """提示: what follows interprets. Before a location 多见于 is a preposition: 瘀斑多见于两侧."""
        ahead = self.tokens[self.number + 1 : self.number + 2]
        if ahead and "" in ahead[0][0].readings and ahead[0][1] == token[2]:
            self.locate(token)
        else:
            self.aside = True

    def suppose(self, _token: Token) -> None:
        """若: what follows is a condition."""
        self.aside = self.supposed = True

    def resume(self, _token: Token) -> None:
        """现: a condition, or what was so before, ends."""
        self.aside = self.supposed = False

    def leave_place(self, _token: Token) -> None:
        """其余: what follows is not at the location before it."""
        self.places, self.bound = (), False

    def hedge(self, token: Token) -> None:
        """可能是: before what it states of a head (the body may be dusky) nothing to do; else it interprets."""
        if not (self.led and names_next(self.tokens, self.number, place=False)):
            self.digress(token)

    def open_maxim(self, _token: Token) -> None:
        """一般来说: at the start of a sentence that interprets, the sentence says what is so in general."""
        begins = not self.number or self.tokens[self.number - 1][0].text in SENTENCE_ENDS
        if begins and is_maxim(self.tokens, self.number):
            self.aside = self.supposed = self.maxim = True

    def name_norm(self, _token: Token) -> None:
        """健康人: at its start the sentence says what a normal tongue is like, up to a contrast."""
        if self.number and self.tokens[self.number - 1][0].role not in ("stop", "usually"):
            return
        self.aside = self.supposed = self.maxim = True

    def generalise(self, token: Token) -> None:
        """者多为: the clause says what is so in general, not of this tongue; 主热 after a head: 黄苔主热."""
        before = self.tokens[self.number - 1] if self.number else None
        if token[0].text[0] != "者" and not (before and before[0].head and before[2] == token[1]):
            self.digress(token)
            return
        del self.drafts[self.clause_start :]
        self.end_clause()
        self.aside = self.supposed = True

    def pause(self, token: Token) -> None:
        """A stop ends the clause, except in a list in Latin letters: no cracks, spots or ulcers; thick, white coat."""
        if token[0].text in COMMAS and is_former_list(self.tokens, self.number, self.former is not None):
            return
        if token[0].text == "," and self._lists_on():
            self.joined = True
            return
        if token[0].text != "(":
            entry = self.entry
            self.end_clause()
            self.paused = token[0].text == ","
            if entry and token[0].text in COMMAS:
                self.places = self.entry = entry
                self.carried = True
            return
        item = last_of_region(self.drafts[max(self.clause_start, len(self.drafts) - EMPHASIS_REACH) :])[
            :1
        ]  # 齿痕(双侧)
        self.end_clause()
        self.item = item

    def end_clause(self, _token: Token | None = None) -> None:
        """A comma, or the end of the text: settle what is open and forget it."""
        if self.negation and not self.negated and len(self.drafts) in (self.head_at, self.choice):  # 苔无, 苔少或无
            self._absent(self.negation)
        if self.degree:
            self._settle_degree()
        if self.places and not self.bound:
            self._settle_place()
        if self.choice >= 0:
            self._end_choice()
        self.clause += 1
        self.clause_start = self.list_start = self.phrase = len(self.drafts)
        self.places, self.bound = self.entry, self.carried = (), False
        self.negation, self.negated = None, False
        self.joined = self.led = self.at = False
        self.aside = self.supposed = False
        self.compared = -1
        self.item, self.former = (), None
        self.backed = ()
        self.head_at = -1

    def _add(self, atom: Atom, start: int, end: int, mention: bool = False) -> None:
        if self.compared >= 0 and self._is_compared(atom):
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
            if self.negated and not self.joined and self.negation[0].role != "not_list":
                self.negation = None
            else:
                draft.negated = self.negated = True
        self.joined = False

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

    def _returns(self, word: LexiconWord) -> bool:
        """Whether an atom describes the subject again, before its head: dry mouth, red tongue; 누런 가래, 누런 설태.

        In Chinese a head stands before what is said of it.
        """
        if word.role != "atom" or not (word.latin or is_hangul(word.text[0])):
            return False
        region = region_described(self.tokens, self.number)
        return bool(region) and region not in self.lexicon.outside

    def _lists_on(self) -> bool:
        """Whether only atoms stand between this comma and an "or" after a negation, or the head they describe."""
        before = self.tokens[self.number - 1][0] if self.number else None
        if before is None or before.role not in ("atom", "pattern"):
            return False
        if not before.latin:
            return is_denied_list(self.tokens, self.number)
        if not self.led and not self.places and region_described(self.tokens, self.number):
            return True
        reach = HEAD_REACH if self.negation and self.negated else 0
        for word, _, _ in self.tokens[self.number + 1 : self.number + 1 + reach]:
            if word.role == "or":
                return True
            if word.role not in ("atom", "pattern", "degree") and word.text != ",":
                return False
        return False

    def _settle_place(self) -> None:
        """Apply a location that nothing follows to the item before it: 裂纹：舌中, 치흔이 양측에 있음."""
        item, last = self.item, self.drafts[-1]
        if not item and is_hangul(last.text[0]) and not (self.unread and self.unread[-1].start > last.start):
            item = last_of_region(self.drafts[max(self.clause_start, len(self.drafts) - EMPHASIS_REACH) :])[:1]
        for draft in item:
            draft.places = tuple(dict.fromkeys((*draft.places, *self.places)))

    def _fill_in(self, token: Token, mark: str) -> None:
        """A part of a form: an item that is denied, a heading, or an answer."""
        count = len(self.drafts)
        if mark == "denied":
            _STEPS[token[0].role](self, token)
            for draft in self.drafts[count:]:
                draft.negated = not draft.atom.place
            self.negation = None
        elif mark == "heading" and token[0].head:
            self.open(token)
        elif mark == "absent":
            self._absent(token)

    def _settle_degree(self) -> None:
        """Apply a degree that no atom follows: to an open location (舌红，尖甚), else to the atom before it."""
        degree, self.degree = self.degree, ""
        if degree and self.places and not self.bound:
            bind_back(self.drafts, self.places)
            self.bound = True
        elif degree and self.drafts and self.drafts[-1].clause == self.clause:
            self.drafts[-1].degree = self.drafts[-1].degree or degree

    def _absent(self, token: Token) -> bool:
        """Add the atom for a head with a bare negation (苔：无, 설태 없음); False if the region has none."""
        atom = self.lexicon.absent.get(self.region)
        if atom is None:
            return False
        self.negation = None
        self._add(atom, token[1], token[2])
        return True

    def _drop_names(self) -> None:
        """Remove an atom that only names its region if anything else is said of it: 舌下络脉迂曲 is 迂曲."""
        named = self.lexicon.named
        if not named.isdisjoint([draft.atom for draft in self.drafts]):
            described = {draft.atom.region for draft in self.drafts if draft.atom not in named}
            self.drafts = [
                draft for draft in self.drafts if draft.atom not in named or draft.atom.region not in described
            ]

    def _end_choice(self) -> None:
        if 0 <= self.choice < len(self.drafts):
            self.choices = join_choice(self.drafts, self.choice, self.choices, adding=self.adding)
        self.choice = -1

    def _is_spent(self, negation: Token, start: int, end: int) -> bool:
        """Whether a negation denies unknown text right after it: 不规则的裂纹, no abnormality of the coating."""
        word, _, after = negation
        text = self.text[start:end].strip()
        if after != start or not text.isalnum():
            return False
        if word.latin:
            return word.text == "no" and self.tokens[self.number + 1][0].role == "glue"
        return word.role == "not_next" and len(word.text) == 1

    def _skip(self, start: int, end: int) -> None:
        """Record text that no word of the lexicon covers."""
        if self.negation and not self.negated and end < len(self.text) and self._is_spent(self.negation, start, end):
            self.negation = None
        if not self.outside and not self.aside:
            self.unread += [Unread(found[0], *found.span()) for found in _LETTERS.finditer(self.text, start, end)]


_STEPS: Final[Mapping[str, Callable[[Reader, Token], None]]] = {
    "head": Reader.open,
    "headed": Reader.open_and_state,
    "atom": Reader.state,
    "pattern": Reader.state_all,
    "stop": Reader.pause,
    "colon": Reader.divide,
    "at": Reader.locate,
    "aside": Reader.digress,
    "suppose": Reader.suppose,
    "now": Reader.resume,
    "rest": Reader.leave_place,
    "general": Reader.generalise,
    "either": Reader.join_alike,
    "from": Reader.leave,
    "to": Reader.turn,
    "than": Reader.compare,
    "against": Reader.contrast,
    "perhaps": Reader.hedge,
    "usually": Reader.open_maxim,
    "norm": Reader.name_norm,
    "answer": Reader.negate_compound,
    "join": Reader.join,
    "or": Reader.offer,
    "break": Reader.break_,
    "degree": Reader.soften,
    "emphasis": Reader.emphasise,
    "not_list": Reader.negate,
    "not_next": Reader.negate,
    "not_back": Reader.negate_back,
    "glue": Reader.pass_by,
    "endings": Reader.inflect,
}


def _reading_in(region: str, word: LexiconWord, opened: Sequence[str]) -> tuple[Atom, ...]:
    """Atoms that a word of a description stands for in a region.

    Without a reading in this region: in the only open region that has it, else its only reading.
    """
    if atoms := word.readings.get(region):
        return atoms
    if word.bound:
        return ()
    known = [word.readings[name] for name in opened if name in word.readings]
    choices = known or list(word.readings.values())
    return choices[0] if len(choices) == 1 else ()
