"""Words of a clinical description after or before which nothing is stated: advice, conditions, doubts, comparisons."""

from __future__ import annotations

from typing import Final

from jatdae.terms.attachment import last_of_region
from jatdae.terms.clause import Clause
from jatdae.terms.korean import is_past
from jatdae.terms.lookahead import (
    COMMAS,
    CONTRASTS,
    LABEL_REACH,
    SENTENCE_ENDS,
    closing_bracket,
    comparison_start,
    describes_other,
    describes_subject,
    gives_way,
    is_asked_in_form,
    is_gone,
    is_label,
    is_maxim,
    names_next,
    names_now,
    states_next,
    tells_now,
)
from jatdae.terms.scanner import LexiconWord, Token, has_letters, is_hangul, lists_adjectives
from jatdae.terms.term import Draft

UNSEEN: Final = ("不可见", "not visible")
"""Denials after which a part of the tongue is not absent but out of sight."""


NOW_REACH: Final = 3
"""How many words before a change a word for "now" is looked for."""
SENTENCE_REACH: Final = 48
"""How many words back the start of a sentence is looked for."""
FIRST_TIMES: Final = (
    *(
        "初诊",
        "首诊",
        "一诊",
        "首次就诊",
        "首次",
        "初次就诊",
        "第一次就诊",
        "入院时",
        "入院",
        "入院当时",
        "术前",
        "手术前",
    ),
    *("초진", "수술 전", "시술 전", "입원 시", "입원 당시", "입원시", "입원 때"),
    *("first visit", "the first visit", "at the first visit", "initial visit", "before surgery", "prior to surgery"),
    *("on admission", "at admission", "upon admission", "at presentation", "at baseline", "baseline:"),
)
"""Times that are earlier ones only if a later one follows."""
GONE: Final = ("소실", "소퇴", "사라", "없어")
"""What is gone in the past tense is not there now either: 소실되었고 지금은."""
ATTRIBUTIVES: Final = ("的", "之")
OBJECTS: Final = ("을", "를")
INTERPRETATIONS: Final = ("시사", "의미", "뜻")
"""Korean words that say what something means, after its name: 어혈을 시사."""
OFTEN: Final = ("多", "常", "往往")
"""Words that make an interpretation after them a general one, if a contrast with this case follows."""
DEFINITE: Final = ("the", "is", "are", "was", "were", "appears", "looks", "which")
"""English words of a clause that speaks of this tongue."""
CASES: Final = ("患者", "patient", "환자", "case")
"""What words for "now" contain that speak of this case, where they begin a clause."""
_STANDARDS: Final = ("than", "against", "from", "to", "at")
"""Roles of words before a time that something is compared with."""


def is_past_contrast(text: str, token: Token) -> bool:
    """Whether a Korean ending tells of the past and a contrast with it: 황태였으나, 있었지만, 붉었는데."""
    word, start, end = token
    if not start or not word.text.endswith(("나", "지만", "데", "고")) or not is_hangul(word.text[0]):
        return False
    return any(is_past(syllable) for syllable in text[start - 1 : end])


class Unstated(Clause):
    """What these words do to the clause they stand in."""

    def digress(self, token: Token) -> None:
        """提示: what follows interprets. Before a location 多见于 is a preposition: 瘀斑多见于两侧."""
        ahead = self.tokens[self.number + 1 : self.number + 2]
        if ahead and "" in ahead[0][0].readings and ahead[0][1] == token[2]:
            self.locate(token)
        elif self.number and self._is_often() and self._give_way(token):
            return
        elif not (token[0].latin and describes_subject(self.text, self.tokens, self.number, self.lexicon.outside)):
            here = self.drafts[self.clause_start :]
            if here and all(draft.atom.place for draft in here):  # 舌尖反映心肺
                self._forget(self.clause_start)
            elif here and token[0].text.startswith(INTERPRETATIONS):
                self._take_back(token)
            self.aside = True

    def _is_often(self) -> bool:
        """Whether a word for "often" stands before this one: 多提示, usually suggests."""
        before = self.tokens[self.number - 1][0]
        return before.role == "usually" or before.text in OFTEN

    def _give_way(self, token: Token) -> bool:
        """Forget what this clause says in general, if a contrast with this case follows: 黄苔通常提示热，但本例苔白."""
        if self.clause_start == len(self.drafts) or not gives_way(self.tokens, self.number):
            return False
        at = self.number - 1
        while token[0].latin and at >= 0 and self.tokens[at][0].role != "stop":
            if self.tokens[at][0].text in DEFINITE:
                return False
            at -= 1
        self._forget(self.clause_start)
        self.aside = self.supposed = self.maxim = True
        return True

    def _take_back(self, token: Token) -> None:
        """Remove what a Korean word interprets something as, if that stands right before it: 어혈을 시사."""
        last = self.drafts[-1]
        if self.text[last.end : token[1]].strip() in OBJECTS and not last.atom.place:
            self._forget(len(self.drafts) - 1)

    def suppose(self, token: Token) -> None:
        """若, 上周: what follows is a condition, or was so before, unless it is compared with: 지난주보다, 과 달리."""
        if token[0].text in OFTEN and self._give_way(token):
            return
        after = self.tokens[self.number + 1] if self.number + 1 < len(self.tokens) else None
        if after is None or after[0].role not in ("than", "against") or after[1] != token[2]:
            self.aside = self.supposed = True

    def look_back(self, token: Token) -> None:
        """治疗前: what follows was so at an earlier time, up to the end of the clause.

        A time that a state of the tongue follows goes on to the word for "now" in this sentence or the next, and a
        label to the one that ends it: 治疗前：…。治疗后：…. In Latin letters so was what stands before it. What is gone
        since is denied: 前诊之瘀斑已消失.
        """
        if self.number and self.tokens[self.number - 1][0].role in _STANDARDS:
            return
        if self._is_of_then(token) and is_gone(self.tokens, self.number):
            return
        label = is_label(self.tokens, self.number)
        over = names_now(self.tokens, self.number, LABEL_REACH) if label else self._is_over()
        if token[0].text in FIRST_TIMES and not (over and (label or not is_gone(self.tokens, self.number))):
            return
        if token[0].latin and not self._recall_back(token, over=over and not label):
            return
        self.suppose(token)
        if self.supposed and (label or over):
            self.bygone = "now" if label and over else "sentence"

    def _is_of_then(self, token: Token) -> bool:
        """Whether 的 joins a time to what was so then."""
        ahead = self.tokens[self.number + 1 : self.number + 2]
        return bool(ahead) and ahead[0][1] == token[2] and ahead[0][0].text in ATTRIBUTIVES

    def _is_over(self) -> bool:
        """Whether this clause says how the tongue was, and a word for "now" follows it."""
        return states_next(self.tokens, self.number) and names_now(self.tokens, self.number)

    def _recall_back(self, token: Token, *, over: bool) -> bool:
        """Forget what stands before a time in Latin letters; False if that is compared with the time or far from it."""
        if self.clause_start == len(self.drafts):
            return True
        word, _, end = self.tokens[self.number - 1]
        if word.role in _STANDARDS or has_letters(self.text[end : token[1]]):
            return False
        self._forget(self._sentence_start() if over else self.clause_start)
        return True

    def resume(self, _token: Token) -> None:
        """现: a condition, or what was so before, ends. In Korean the past tense says that it was: 있었으나 지금은."""
        self.aside = self.supposed = self.doubted = False
        before, clause = self.number - 1, self.clause
        if before > 0 and self.tokens[before][0].text in COMMAS:  # 두꺼웠으나, 지금은
            before, clause = before - 1, clause - 1
        if before < 0 or not is_past_contrast(self.text, self.tokens[before]):
            return
        if before and self.tokens[before - 1][0].text.startswith(GONE):
            return
        first = self.clause_start
        while first and self.drafts[first - 1].clause == clause:
            first -= 1
        self._forget(first)

    def conclude(self, _token: Token) -> None:
        """则: at the start of a clause after a condition, what follows depends on it."""
        if self.conditional and self.tokens[self.number - 1][0].text in COMMAS:
            self.aside = self.supposed = True

    def recall(self, token: Token) -> None:
        """原本: what follows was so before, up to the end of the clause, unless that says it is gone.

        In Latin letters so was what stands before it: dry last week; but in "thicker than last week" it is no time.
        If a word for "now" follows, the whole sentence was so: last week red, thick and dry; today pale. After a word
        for "from" it says nothing more: 由原来的白腻转为黄燥.
        """
        if is_gone(self.tokens, self.number) or (self.number and self.tokens[self.number - 1][0].role in _STANDARDS):
            return
        over = token[0].latin and names_now(self.tokens, self.number)
        if token[0].latin and not self._recall_back(token, over=over):
            return
        self.suppose(token)
        self.maxim = over

    def _sentence_start(self) -> int:
        """Index of the first draft of this sentence."""
        at = self.number - 1
        while at > max(0, self.number - SENTENCE_REACH) and self.tokens[at][0].text not in SENTENCE_ENDS:
            at -= 1
        return self._first_from(self.tokens[at][1])

    def _begins_sentence(self) -> bool:
        """Whether this word begins a sentence."""
        return not self.number or self.tokens[self.number - 1][0].text in SENTENCE_ENDS

    def _begins_clause(self) -> bool:
        """Whether this word follows a comma."""
        return self.number > 0 and self.tokens[self.number - 1][0].text in COMMAS

    def _first_from(self, position: int) -> int:
        """Index of the first draft that starts at a position of the text or after it."""
        first = len(self.drafts)
        while first and self.drafts[first - 1].start >= position:
            first -= 1
        return first

    def doubt(self, token: Token) -> None:
        """无法评估: this part of the clause states nothing, neither before it nor after it."""
        if token[0].latin:
            self._forget(max(self.clause_start, self.phrase, self.head_at if token[0].text in UNSEEN else 0))
        else:
            first = min(max(self.clause_start, self.head_at, self.contrasted), len(self.drafts))
            while first > self.clause_start and self.drafts[first - 1].atom.place:  # 根部苔质不详
                first -= 1
            self._forget(first)
        self.aside = self.supposed = self.doubted = True

    def ask(self, token: Token) -> None:
        """是否: an open question, unless it is one of a form: 有无裂纹：无."""
        if not is_asked_in_form(self.tokens, self.number):
            self.doubt(token)

    def hedge(self, token: Token) -> None:
        """可能是: before what it states of a head (the body may be dusky) nothing to do; else it interprets."""
        if not (self.led and names_next(self.tokens, self.number, place=False)):
            self.digress(token)

    def open_maxim(self, token: Token) -> None:
        """一般来说: at the start of a sentence that interprets, the sentence says what is so in general.

        Elsewhere its clause does, if a contrast with this case follows.
        """
        if not is_maxim(self.tokens, self.number):
            return
        if self._begins_sentence():
            self.aside = self.supposed = self.maxim = True
        else:
            self._give_way(token)

    def name_norm(self, token: Token) -> None:
        """健康人: at its start the sentence says what a normal tongue is like, up to a contrast.

        A label does so if this case follows: Normal tongue: pink. This patient: red.
        """
        if self.number and self.tokens[self.number - 1][0].role not in ("stop", "usually"):
            return
        if token[0].text[-1] == ":" and not names_now(self.tokens, self.number):
            return
        self.aside = self.supposed = self.maxim = True

    def generalise(self, token: Token) -> None:
        """者多为: the clause says what is so in general, not of this tongue; 主热 after a head: 黄苔主热."""
        before = self.tokens[self.number - 1] if self.number else None
        if token[0].text[0] != "者" and not (before and before[0].head and before[2] == token[1]):
            self.digress(token)
            return
        self._forget(self._sentence_start() if "，" in token[0].text else self.clause_start)
        self.end_clause()
        self.aside = self.supposed = True

    def leave(self, token: Token) -> None:
        """由: what follows was so before, up to 转. In Korean what stands before it in the clause: 백색에서."""
        if token[0].latin:  # a fissure from the centre to the root
            self.locate(token)
        before = is_hangul(token[0].text[0])
        first = max(self.clause_start, self.aspect_at)
        self.former = slice(first, len(self.drafts)) if before else slice(len(self.drafts), None)

    def turn(self, token: Token) -> None:
        """转为: what was so before is not stated. Without 由 that is what stands right before it: 苔白转黄.

        After a word for "now" it is what the clause before says of this region: 苔厚腻，现在转薄白.
        """
        if self.former is None and self._follows_atom(token):
            last = last_of_region(self.drafts[self.clause_start :])
            self.former = slice(len(self.drafts) - len(last), None)
        elif self.former is None and self._turns_later(token):
            first = self.clause_start
            while first and self._is_of_last_clause(self.drafts[first - 1]):
                first -= 1
            self._forget(first)
        if self.former is not None:
            self.joined = bool(self.backed)
            self.drafts[self.former] = [draft for draft in self.drafts[self.former] if draft.atom.place]
            self.list_start = self.phrase = len(self.drafts)
            self.choice, self.former, self.degree = -1, None, ""

    def _turns_later(self, token: Token) -> bool:
        """Whether this word or one for "now" begins its clause, neither head nor term between: 渐化，现在转薄白."""
        if token[0].latin or is_hangul(token[0].text[0]) or self.led or self.clause_start < len(self.drafts):
            return False
        if self._begins_clause() and self.tokens[self.number - 1][2] == token[1]:
            return True
        return any(word.role == "now" for word, _, _ in self.tokens[max(0, self.number - NOW_REACH) : self.number])

    def _is_of_last_clause(self, draft: Draft) -> bool:
        """Whether a term is of the clause before this one, and of this region or a location."""
        return draft.clause == self.clause - 1 and (draft.atom.place or draft.atom.region == self.region)

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
        """相较于, 不同于: what follows is not so, up to the end of the clause; a location is only compared with.

        In Korean it is what stands before it: 습열설(설홍 태황니)과 달리.
        """
        here = self.drafts[self.clause_start :]
        if is_hangul(token[0].text[0]):
            self._forget(self._contrasted_start())
        elif names_next(self.tokens, self.number, place=True):
            self.compare(token)
        elif here and all(draft.atom.place for draft in here):  # 与舌边相比
            self._forget(self.clause_start)
        else:
            self.suppose(token)

    def _contrasted_start(self) -> int:
        """Index of the first draft of this clause, or of the bracket that ends right before this word."""
        at, first = self.number - 1, self.clause_start
        if at < 0 or self.tokens[at][0].text != ")":
            return first
        while at and self.tokens[at][0].text != "(":
            at -= 1
        return min(first, self._first_from(self.tokens[at][1]))

    def differ(self, _token: Token) -> None:
        """不同: nothing is stated of what stands after 与, in brackets too; without 与 it is an ordinary word."""
        begin = comparison_start(self.tokens, self.number)
        if begin >= 0:
            self._forget(self._first_from(begin))

    def _ends_past(self) -> bool:
        """Whether this ending ends what was so before: 초진 시 황태였으나 백태로 바뀜."""
        return is_past_contrast(self.text, self.tokens[self.number])

    def _goes_on(self, word: LexiconWord) -> bool:
        """Whether an interpretation, advice or condition goes on with this word."""
        if self.bygone:
            return self._stays_bygone(word)
        if self.maxim:
            self.maxim = word.text not in SENTENCE_ENDS and word.text not in CONTRASTS and word.role != "now"
            if not self.maxim:
                self.aside = self.supposed = False
            return self.maxim
        if self.number <= self.bracket:
            return True
        if word.text == "(" and self.supposed and not self.doubted:  # 不同于湿热舌(舌红，苔黄腻)
            self.bracket = closing_bracket(self.tokens, self.number)
            return self.bracket >= 0
        if self.doubted and word.text in CONTRASTS:
            self.aside = self.supposed = self.doubted = False
            return False
        if self.supposed and not self.doubted and word.role == "endings" and self._ends_past():
            self.aside = self.supposed = False
            return False
        if word.text == ",":
            if self.supposed:
                return self.tokens[self.number - 1][0].latin and lists_adjectives(self.tokens, self.number)
            return describes_other(self.text, self.tokens, self.number)
        if word.role == "now":
            return not self._ends_aside(word)
        if word.role in ("stop", "suppose", "earlier"):
            return False
        return self.supposed or word.inner or not word.head

    def _ends_aside(self, word: LexiconWord) -> bool:
        """Whether a word for "now" ends an aside: not in 若服药后, nor "suggests heat in this patient"."""
        before = self.tokens[self.number - 1][0]
        if before.role == "suppose":
            return False
        return before.role == "stop" or before.text in CONTRASTS or not any(each in word.text for each in CASES)

    def _stays_bygone(self, word: LexiconWord) -> bool:
        """Whether what was so at an earlier time goes on with this word."""
        ended = tells_now(self.tokens, self.number)
        if self.bygone == "sentence" and word.text in SENTENCE_ENDS and word.text != ";":
            ended = True
        if ended:
            self.bygone = ""
            self.end_clause()
        return not ended
