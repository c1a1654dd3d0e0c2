"""Words of a clinical description that deny, and what they reach: before them, after them, a compound, a list."""

from __future__ import annotations

from typing import Final

from jatdae.terms.korean import SUBJECT_PARTICLES, VERB_NEGATIONS
from jatdae.terms.lookahead import HEAD_REACH
from jatdae.terms.scanner import Token, is_hangul
from jatdae.terms.unstated import UNSEEN, Unstated

COMPOUND_HEADS: Final = ("苔", "태")
"""Heads that end a surface of an atom: 腻苔, 니태."""
INSTEAD: Final = ("rather than", "instead of")
"""Denials that contrast what they begin a sentence with."""


class Denials(Unstated):
    """What these words do to the clause they stand in."""

    def negate(self, token: Token) -> None:
        """无, 不: what follows is absent. At the start of a sentence "rather than" contrasts."""
        if token[0].text in INSTEAD and self._begins_sentence():
            self.suppose(token)
            return
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
        if token[0].text in UNSEEN and self._names_alone():
            self.doubt(token)
            return
        first = self._compound_start()
        if self.head_at == len(self.drafts) and first == len(self.drafts) and self._absent(token):
            return
        if self.joined and self.backed:  # thick at the root and absent at the tip
            self.list_start = len(self.drafts)
        else:
            self.list_start = min(self.list_start, first)
        first = max(self.list_start, self.clause_start)
        contrasted = first < self.contrasted or self._begins_clause()
        if token[0].latin and contrasted and self.contrasted == len(self.drafts) and self._absent(token):
            return  # yellow at the root but absent at the sides; thick at the root, absent at the tip
        for draft in self.drafts[first:]:
            draft.negated = not draft.atom.place
        self.drafts[first:] = [draft for draft in self.drafts[first:] if draft.atom not in self.lexicon.named]
        if self.places and not self.bound and not self._leads_unknown(self.tokens[self.number - 1]):
            self._drop_places()
            self.places = ()
        self.list_start = len(self.drafts)

    def _names_alone(self) -> bool:
        """Whether nothing but heads and locations stands before this word in its part of the clause: 舌苔不可见."""
        named = self.drafts[max(self.clause_start, self.head_at, self.contrasted, self.phrase) :]
        return all(draft.atom.place or draft.atom in self.lexicon.named for draft in named)

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
        if word.text.startswith(VERB_NEGATIONS) and self.tokens[self.number - 1][0].role != "glue":  # 잘 보이지 않음
            return bool(unknown) and " " not in self.text[unknown[-1].end : start].strip()
        return any(gap.text.endswith(SUBJECT_PARTICLES) and not self._is_joined(gap.start) for gap in unknown)

    def _is_joined(self, start: int) -> bool:
        """Whether unknown text is listed with the term before it: 궤양이나 출혈이 없음."""
        before = [word for word, _, end in self.tokens[max(0, self.number - HEAD_REACH) : self.number] if end <= start]
        return bool(before) and before[-1].role in ("either", "join", "or")

    def _is_spent(self, negation: Token, start: int, end: int) -> bool:
        """Whether a negation denies unknown text right after it: 不规则的裂纹, no abnormality of the coating."""
        word, _, after = negation
        text = self.text[start:end].strip()
        if after != start or not text.isalnum():
            return False
        if word.latin:
            return word.text == "no" and self.tokens[self.number + 1][0].role in ("glue", "at")
        return word.role == "not_next" and len(word.text) == 1
