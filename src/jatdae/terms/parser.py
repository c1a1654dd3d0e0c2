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
    doubt       无法评估, 是否: nothing is stated in this part of the clause, before or after it; 但 ends it too
    change      由白转黄: until the clause ends, 转 removes what 由 marks

Items, answers and headings of forms are found beforehand (`forms.py`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from jatdae.terms.attachment import EMPHASIS_REACH, free_headed, last_of_region
from jatdae.terms.denials import Denials
from jatdae.terms.forms import NO_FORM, read_form
from jatdae.terms.korean import ADNOMINAL_ENDINGS, VERB_ALTERNATIVES, is_adnominal
from jatdae.terms.layout import unfold
from jatdae.terms.lexicon import Lexicon
from jatdae.terms.lookahead import (
    COMMAS,
    CONTRASTS,
    HEAD_REACH,
    is_blended,
    is_denied,
    is_denied_list,
    is_former_list,
    is_gloss,
    is_joined_list,
    names_head,
    names_next,
    region_after,
    region_described,
    shares_axis,
)
from jatdae.terms.scanner import LexiconWord, Token, is_hangul
from jatdae.terms.term import Atom, Draft, Parsed, Unread
from jatdae.terms.unstated import is_past_contrast

LONGEST_DEGREE: Final = 32
"""Characters of degree words that are kept; more add nothing."""

MANNER_REACH: Final = 3
"""How many terms before a word of manner it can describe."""
COMPARED: Final = "较"
"""A degree that compares if a location follows it."""
AFFIRMED: Final = ("(+)", "(±)", "阳性", "positive")
"""Answers after which a list does not go on."""
BLENDED: Final = "中"
"""A location that joins two colours if a degree follows it."""
PICTURES: Final = ("图", "圖", "照", "像", "片", "影", "象")
"""Last characters of words for a picture, in which 中 is no location: 这张舌照中."""
SITES: Final = ("部位", "位置", "부위", "위치", "location", "site")
"""Items of a form that ask where the item before them is."""
TO_ENDINGS: Final = ("으로", "로")
"""Korean particles of what something changes to."""
ADDITIONS: Final = ("并", "并有", "并见", "并且")
"""Words at the start of a clause that goes on with the location of the clause before it."""
WITH: Final = ("with", "w/")
"""Words that add what is at the location before them."""
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


class Reader(Denials):
    """Reads one description: what each kind of word does to the clause."""

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
            if filled and number in form.entries and not self.bygone:
                self.end_clause()
                self._enter_cell(number)
            if self.aside and self._goes_on(word):
                if word.head and not word.inner and word.head not in self.lexicon.outside:
                    self.region = word.head  # if the coating turns black …; now it is thin
                continue
            if self.outside and (word.inner or not word.head):
                if not self._comes_back(token):
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

    def _comes_back(self, token: Token) -> bool:
        """Whether a word after another subject is of the tongue again; one may tell that nothing is stated."""
        word = token[0]
        if word.role == "stop":
            self.aside = self.supposed = False
        elif word.role == "unknown":  # 唇红，无法评估络脉
            self.aside = self.supposed = self.doubted = True
        elif word.role == "earlier":  # 脉数，治疗前舌红
            self.look_back(token)
        return self._returns(word)

    def _enter_cell(self, number: int) -> None:
        """A value in a table is of the region that its column names."""
        region = self.form.regions.get(number, "")
        if region:
            self.region, self.led, self.outside = region, True, region in self.lexicon.outside

    def open(self, token: Token) -> None:
        """A head: switch to its region. A place that contains a head (舌尖) ends nothing."""
        word, start, _ = token
        if self.compared >= 0 and self.places:  # 舌尖比舌体其他部位红
            return
        if word.outside and not self.led:
            self._drop_modifiers(start)
        self.region, self.led = word.head, True
        self.outside = word.head in self.lexicon.outside
        if self.aside:
            self._keep_negation(start)
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
        if self.bound and not self.entry:  # 舌中：裂纹、苔少
            free_headed(self.drafts, self.places, self.clause, word.head, start)
            self.places, self.bound = (), False
        if self.negated and not (self.joined and self._is_listed(word)) and not self._is_quoted(start):
            self.negation = None
        self.head_at, self.head_start = len(self.drafts), start

    def _keep_negation(self, start: int) -> None:
        """A negation right before the head that ends an aside denies what follows: 患者并无舌体歪斜."""
        before = self.tokens[self.number - 1]
        if before[2] == start and before[0].role == "not_list":
            self.negate(before)

    def _is_listed(self, word: LexiconWord) -> bool:
        """Whether a head goes on with a denied list: of one region (未见黄苔或黑苔), or after 或 (无舌红或苔黄)."""
        if self.tokens[self.number - 1][0].role == "or":
            return True
        return bool(self.drafts) and bool(word.readings) and self.drafts[-1].atom.region == word.head

    def _drop_modifiers(self, start: int) -> None:
        """Remove the adjectives right before the head of another subject: 白色墙面, 흰 벽."""
        while len(self.drafts) > self.clause_start:
            last = self.drafts[-1]
            gap = self.text[last.end : start]
            modifies = "的" in gap or (last.text + gap).rstrip("的")[-1] == "色" or is_adnominal(last.text)
            if not modifies or gap.strip(" 的色"):
                return
            start = last.start
            self.drafts.pop()

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
        if word.text == BLENDED and (self.text[start - 1 : start] in PICTURES or is_blended(self.tokens, self.number)):
            return
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
            if atom.name in word.denied and self.drafts:
                self.drafts[-1].negated = True
            self.joined = not atom.place  # so that an answer applies to all of them: 瘀点瘀斑：无
        self.joined = False
        if word.head:
            self.region, self.led = word.head, True

    def join(self, token: Token) -> None:
        """、 及 和: the list continues, unless its item was answered: 迂曲(+)、怒张(-).

        A slash between spaces ends the places: 根厚 / 齿痕.
        """
        self.joined = not self.number or self.tokens[self.number - 1][0].text not in AFFIRMED
        if self.bound and token[0].text == "/" and self.text[token[1] - 1] == " ":
            self.places, self.bound = (), False

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
        """有: what follows is present, so a negation ends, unless it denies just this: 看不出存在, rule out a crack."""
        before = self.tokens[self.number - 1]
        if self.negation is None or before[1] != self.negation[1] or token[0].text in CONTRASTS:
            self.negation = None
        self.phrase, self.backed = len(self.drafts), ()
        self.adding = self.adding or self.choice == len(self.drafts)
        if token[0].text in CONTRASTS:
            self.contrasted = len(self.drafts)
        if self.places and not self.bound and is_hangul(token[0].text[0]):
            self._stand_there(token)
        if token[0].latin:  # a noun phrase of its own: red with a thin, white coat
            self.led = False
            if token[0].text in WITH:
                self._keep_place()

    def _stand_there(self, token: Token) -> None:
        """있다: a location that stands between a term and this verb applies to the term: 치흔은 양측에서 보이지만."""
        after = self.tokens[self.number + 1] if self.number + 1 < len(self.tokens) else None
        if after and after[1] == token[2] and after[0].text in ADNOMINAL_ENDINGS:  # 양측에 있는 어반
            return
        before = [draft for draft in self.drafts[self.clause_start :] if not draft.atom.place]
        if before and not before[-1].places:
            before[-1].places, self.places = self.places, ()

    def _keep_place(self) -> None:
        """with: what follows a location is there too, unless it has a head of its own: a redder tip with prickles."""
        before = self.drafts[-1] if len(self.drafts) > self.clause_start else None
        if before is None or not before.atom.place or self.places or "" not in self.tokens[self.number - 1][0].readings:
            return
        if not names_head(self.tokens, self.number) and not names_next(self.tokens, self.number, place=True):
            self.places, self.bound = (before.atom.name,), True

    def soften(self, token: Token) -> None:
        """A degree word; several in a row are one degree (略微偏). 较 before a location compares: 较舌边红."""
        if token[0].text == COMPARED and self._leads_place(token):
            self.compare(token)
            return
        if len(self.degree) < LONGEST_DEGREE:
            self.degree += token[0].text

    def _leads_place(self, token: Token) -> bool:
        """Whether a location with its head, or "the rest", follows without a gap."""
        after = self.tokens[self.number + 1] if self.number + 1 < len(self.tokens) else None
        if after is None or after[1] != token[2]:
            return False
        return after[0].role == "rest" or (after[0].role == "headed" and "" in after[0].readings)

    def emphasise(self, token: Token) -> None:
        """为著: a degree that belongs to what stands before it."""
        self.soften(token)
        self._settle_degree()

    def offer(self, _token: Token) -> None:
        """或: an alternative follows. After a negation (无 A 或 B) both are negated instead."""
        if self.negation and self.negated:
            self.joined = True
            return
        self._end_choice()
        self.choice, self.adding = len(self.drafts), False

    def pass_by(self, _token: Token) -> None:
        """Glue: nothing to do."""

    def name_aspect(self, _token: Token) -> None:
        """색은: a change after it does not concern what stands before it: 얇아졌고 색은 황색에서 백색으로 변함."""
        self.aspect_at = len(self.drafts)

    def inflect(self, token: Token) -> None:
        """A Korean ending: nothing to do for most.

        -나 and -지만 end the places: 설변에 치흔이 뚜렷하나 열문은 없다. After 에서, 으로 tells of a change, whatever
        the verb: 홍에서 담홍으로 호전.
        """
        if token[0].text in TO_ENDINGS and self._is_later():
            self.former = self.former or self.past
            self.turn(token)
        if is_past_contrast(self.text, token):
            self.past = slice(max(self.clause_start, self.aspect_at), len(self.drafts))
        if self.bound and token[0].text in CONTRASTS:
            self.places, self.bound = (), False

    def _is_later(self) -> bool:
        """Whether the last term is of the region of one that was so before: 후니에서 백조로.

        A location tells of no change: 열문이 중앙에서 설근으로. After the past tense the axis must be the same:
        황태였으나 백태로.
        """
        former = self.former or self.past
        if former is None or former.stop is None or former.stop >= len(self.drafts):
            return False
        last, before = self.drafts[-1].atom, self.drafts[former]
        if not before or before[-1].atom.place:
            return False
        if self.former is None:
            return last.prefix in [draft.atom.prefix for draft in before]
        return last.region in [draft.atom.region for draft in before]

    def divide(self, _token: Token) -> None:
        """A colon: a location alone after it applies to the item before it; 不是 does not reach across it."""
        if self.negation and (self.negation[0].role == "not_next" or self._leads_unknown(self.negation)):
            self.negation = None
        self.joined = False
        self.entry = self.places if not self.bound else ()
        asked = self.number > 0 and self.tokens[self.number - 1][0].text in SITES  # 瘀点：有  部位：舌边
        first = 0 if asked else self.clause_start
        item = last_of_region(self.drafts[max(first, len(self.drafts) - EMPHASIS_REACH) :])[:1]
        self.item = () if asked and item and item[0].negated else item

    def leave_place(self, _token: Token) -> None:
        """其余: what follows is not at the location before it; after 比 it is only compared with."""
        if self.compared < 0:
            self.places, self.bound = (), False

    def pause(self, token: Token) -> None:
        """A stop ends the clause, except in a list in Latin letters: no cracks, spots or ulcers; thick, white coat.

        The brackets of a gloss end nothing: ecchymoses (瘀斑) on the sides, 치흔(齒痕)이 없음.
        """
        if token[0].text == "(" and is_gloss(self.tokens, self.number):
            self.glossing = self.joined = True
            return
        if token[0].text == ")" and self.glossing:
            self.glossing = self.joined = False
            return
        if token[0].text in COMMAS and is_former_list(self.tokens, self.number, self.former is not None):
            return
        if token[0].text == "," and self._lists_on():
            self.joined = True
            return
        if token[0].text != "(":
            entry, topic, conditional = self.entry, self._topic(token), self.supposed and not self.doubted
            item, also = self._item_described(token), self.places if self.bound and self._adds_next(token) else ()
            self.end_clause()
            self.conditional, self.item = conditional, item
            self.paused = token[0].text == ","
            if entry and token[0].text in COMMAS:
                self.places = self.entry = entry
                self.carried = True
            elif topic:
                self.places = topic
            elif also:
                self.places, self.carried = also, True
            return
        item = last_of_region(self.drafts[max(self.clause_start, len(self.drafts) - EMPHASIS_REACH) :])[
            :1
        ]  # 齿痕(双侧)
        entry = self.entry
        self.end_clause()
        self.item = item
        if entry:  # 舌尖：1分(红)
            self.places, self.carried = entry, True

    def _adds_next(self, stop: Token) -> bool:
        """Whether 并 adds what follows a comma to the location of this clause: 舌尖红，并有芒刺."""
        ahead = self.tokens[self.number + 1 : self.number + 2]
        return bool(ahead) and ahead[0][1] == stop[2] and ahead[0][0].text in ADDITIONS

    def _item_described(self, stop: Token) -> Sequence[Draft]:
        """The item of a form that a comma goes on to describe: cracks: multiple, central."""
        item = self.item if stop[0].text in COMMAS else ()
        return item if len(item) == 1 and self.drafts and item[0] is self.drafts[-1] and not item[0].negated else ()

    def _topic(self, stop: Token) -> tuple[str, ...]:
        """The locations that a clause names as the topic of the next one, and nothing else."""
        named = self.topical and stop[0].text in COMMAS and self.places and not self.bound and not self.negation
        return self.places if named and all(draft.atom.place for draft in self.drafts[self.clause_start :]) else ()

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
        if self.bound and not self.negation and is_joined_list(self.tokens, self.number):
            return True
        reach = HEAD_REACH if self.negation and self.negated else 0
        for word, _, _ in self.tokens[self.number + 1 : self.number + 1 + reach]:
            if word.role == "or":
                return True
            if word.role not in ("atom", "pattern", "degree") and word.text != ",":
                return False
        return False

    def _fill_in(self, token: Token, mark: str) -> None:
        """A part of a form: an item that is denied, a heading, or an answer; an option without a tick says nothing."""
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

    def _drop_names(self) -> None:
        """Remove an atom that only names its region if anything else is said of it: 舌下络脉迂曲 is 迂曲."""
        named = self.lexicon.named
        if not named.isdisjoint([draft.atom for draft in self.drafts]):
            described = {draft.atom.region for draft in self.drafts if draft.atom not in named}
            self.drafts = [
                draft for draft in self.drafts if draft.atom not in named or draft.atom.region not in described
            ]

    def _skip(self, start: int, end: int) -> None:
        """Record text that no word of the lexicon covers."""
        if self.negation and not self.negated and end < len(self.text) and self._is_spent(self.negation, start, end):
            self.negation = None
            self._drop_name()
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
    "then": Reader.conclude,
    "once": Reader.recall,
    "earlier": Reader.look_back,
    "unknown": Reader.doubt,
    "whether": Reader.ask,
    "now": Reader.resume,
    "rest": Reader.leave_place,
    "general": Reader.generalise,
    "either": Reader.join_alike,
    "from": Reader.leave,
    "to": Reader.turn,
    "than": Reader.compare,
    "against": Reader.contrast,
    "differs": Reader.differ,
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
    "aspect": Reader.name_aspect,
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
