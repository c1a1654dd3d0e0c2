"""Spells out what an answer refers to without naming it: "drop it altogether" of the drug named last.

The drug is the one thing that the sentence before names, or, where the answer has named nothing yet, the one drug that
the question names. A sentence that names a thing of its own refers to nothing.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from jatdae.dialogue.reading.mentions import Mention, Passage
from jatdae.dialogue.reading.patterns import PatternSet, Span
from jatdae.dialogue.rules.advice import AdviceReader
from jatdae.dialogue.rules.frames import THINGS, FrameReader, is_korean
from jatdae.dialogue.rules.korean_reference import find_left_out

_DRUGS: Final = ("drug", "drug_class")
_DONE: Final = (
    r"tak(?:e|ing)|stop(?:ping)?|quit(?:ting)?|skip(?:ping)?|drop(?:ping)?|discontinu(?:e|ing)|refill(?:ing)?|"
    r"(?:re)?start(?:ing)?|begin(?:ning)?|paus(?:e|ing)|continu(?:e|ing)|stay(?:ing)? on|halv(?:e|ing)|doubl(?:e|ing)"
    r"|swallow(?:ing)?|"
    r"(?:com|wean)(?:e|ing)? (?:yourself )?off|without|carry on with|keep (?:taking|on with)|let(?:ting)? go of"
)
"""What is done with a thing that a pronoun stands for: "drop it"."""
_MEASURED: Final = (
    r"take|stay on|continue(?: on| with| taking)?|keep (?:to|taking)|stick (?:to|with)|have|start (?:with|on)|"
    r"begin with|(?:cut back|cut down|go down|drop|reduce) to|go up to|recommend|suggest|go (?:for|with)|"
    r"(?:carry|go) on with|continue with|remain on|try|use|begin on|aim for|put on|apply|wear|inject|swallow|"
    r"(?:give|offer|get|hand|start) (?:her|him|them|yourself|the (?:child|patient)|your [a-z]+|m[ou]m|dad)(?: on)?|"
    r"(?:typical|usual|common|standard|normal|starting|good|sensible|right|recommended) (?:[a-z]+ )?"
    r"(?:amount|dose|dosage|strength|regimen|schedule|start|plan) (?:is|would be)"
)
"""What is done with a thing that a mere quantity stands for: "stay on your 10 mg"."""
_NOUNS: Final = (
    "capsule|tablet|pill|caplet|gelcap|antibiotic|antihistamine|medicine|painkiller|supplement|herb|syrup|cream"
)
"""What a drug is called that has been named before: "those capsules"."""
_OWN: Final = r"(?:(?:your|the|an?|just|only|usual|same|current) )*"
_REFERS: Final = re.compile(
    rf"\b(?:{_DONE}) (?P<it>it|them)\b(?! (?:easy|slow|slowly|seriously|personally|from|up|out|back|further|to|in turn|"
    r"as a|with you|day by day|one|step|all in|for granted|off|on)\b)"
    r"|\bleav(?:e|ing) (?P<left>it|them)"
    r"(?= (?:out|off|aside|in (?:the|your) (?:box|drawer|cupboard|cabinet|bottle)|on the shelf)\b)"
    r"|(?P<noun>\b(?:those|these|that|the(?= (?:leftover|remaining|same|single|one))) "
    r"(?:(?:leftover|remaining|same|single|one|old|spare|little|white) )*"
    rf"(?:{_NOUNS})s?\b)(?! (?:of|for|that|which|with|in (?:the|your) (?:leaflet|label)))"
    r"|\A\W*(?:(?:then|yes|sure|okay|by all means|go ahead|and|do|please|you can|you could|you may|so|well)\b\W*)*"
    r"(?:use|try|have|start|add|apply|give) (?P<first>it|them|one|that)\b(?! (?:easy|is|was))"
    r"|\b(?:your|the) (?:very )?last (?P<last>(?:tablet|pill|dose|capsule|one)(?! (?:you|of|time|was|for|in)\b))\b"
    rf"|(?:(?<=[:;] )|\b(?:{_MEASURED}) ){_OWN}(?P<some>)"
    r"(?=(?:\d[\d.,]* ?(?:mg|mcg|units?)|(?:one|two|three|half an?|\d) (?:[\d.]+ ?mg )?(?:tablets?|pills?|"
    r"capsules?|patch(?:es)?|caplets?|puffs?))\b)"
)
_LIKELY: Final = PatternSet(
    [
        ("it", rf"\b(?:{_DONE}|leav(?:e|ing)) (?:it|them)\b"),
        ("first", r"\A.{0,40}(?:use|try|have|start|add|apply|give) (?:it|them|one|that)\b"),
        ("noun", rf"\b(?:those|these|that|leftover|remaining|same|single|one) (?:[a-z]+ )?(?:{_NOUNS})"),
        ("last", r"\b(?:your|the) (?:very )?last (?:tablet|pill|dose|capsule|one)\b"),
        ("some", rf"(?:[:;]|\b(?:{_MEASURED})) {_OWN}(?:\d|one|two|three|half)"),
    ]
)
"""What such places look like, searched first because that is faster."""
_ACTED_ON: Final = re.compile(
    r"\b(?:blocks?|blocking|lowers|raises|boosts|releases?|(?:rush|surge|burst|shot) of|your body's|your own|extra)"
    r" (?:the |all the |your )?$"
)
"""Before a name of what a drug acts on: "it blocks the adrenaline"."""
_NEAR: Final = 24
_REACH: Final = 2
"""How many sentences further on a drug may still be meant."""


class SpelledOut(NamedTuple):
    """A text with names in the place of what refers to them, and where each stands."""

    text: str
    changes: tuple[tuple[int, int, int], ...]
    """Where a name begins in this text, its length, and the length of what it stands for."""

    def origin(self, span: Span) -> Span:
        """A span of this text as one of the text that it was made of."""
        return self._origin(span[0]), self._origin(span[1])

    def _origin(self, place: int) -> int:
        moved = 0
        for start, length, before in self.changes:
            if place < start + length:
                return min(place, start + before) - moved if place >= start else place - moved
            moved += length - before
        return place - moved


def spell_out(answer: Passage, question: Passage | None) -> SpelledOut | None:
    """The answer with a drug's name wherever it only refers to the drug; None if it does so nowhere."""
    asked = _asked_drug(question)
    if is_korean(answer.folded):
        return _spell_out_korean(answer, asked)
    if not _LIKELY.likely(answer.encoded):
        return None
    named = [
        mention
        for mention in answer.mentions
        if mention.concept.category in THINGS
        and not _ACTED_ON.search(answer.folded, max(0, mention.start - _NEAR), mention.start)
    ]
    drugs = [mention for mention in named if mention.concept.category in _DRUGS]
    if asked is None and not drugs:
        return None
    reader = FrameReader(answer)
    parts: list[str] = []
    changes: list[tuple[int, int, int]] = []
    done = length = 0
    for found in _REFERS.finditer(answer.folded):
        group = next(name for name in ("it", "left", "noun", "first", "last", "some") if found[name] is not None)
        start, end = found.span(group)
        things = drugs if group == "noun" else named
        drug = _meant(reader, answer, things, start, asked, group == "some")
        if not drug:
            continue
        name = f"{drug} " if group == "some" else drug
        parts += [answer.text[done:start], name]
        length += start - done
        changes.append((length, len(name), end - start))
        length += len(name)
        done = end
    return SpelledOut("".join([*parts, answer.text[done:]]), tuple(changes)) if parts else None


def _spell_out_korean(answer: Passage, asked: str | None) -> SpelledOut | None:
    """A Korean answer with the name of the drug wherever it is left out."""
    parts: list[str] = []
    changes: list[tuple[int, int, int]] = []
    done = length = 0
    for place, drug in find_left_out(AdviceReader(answer), answer, asked):
        parts += [answer.text[done:place], f"{drug} "]
        length += place - done
        changes.append((length, len(drug) + 1, 0))
        length += len(drug) + 1
        done = place
    return SpelledOut("".join([*parts, answer.text[done:]]), tuple(changes)) if parts else None


def _asked_drug(question: Passage | None) -> str | None:
    """The one drug that a question names, or asks about, as it is written there."""
    if question is None:
        return None
    drugs = [mention for mention in question.mentions if mention.concept.category in _DRUGS]
    if len({mention.concept.id for mention in drugs}) > 1:
        reader = FrameReader(question)
        drugs = [drug for drug in drugs if question.folded[: reader.sentence(drug.start)[1]].rstrip().endswith("?")]
    return drugs[0].text if len({mention.concept.id for mention in drugs}) == 1 else None


_BESIDE_IT: Final = re.compile(
    r"[^.;:,]*?\b(?:with|alongside|before|after|on top of|next to|together with|besides?|in addition to|while|,)"
)
"""What stands between a quantity and another drug than the one it is of: "50 mg alongside your Zoloft"."""


def _meant(
    reader: FrameReader, answer: Passage, named: list[Mention], place: int, asked: str | None, amount: bool
) -> str | None:
    """The drug that is meant at a place where none is named; `amount` if only a quantity of it stands there."""
    first, last = reader.sentence(place)
    if reader.names(first, place if amount and _BESIDE_IT.match(answer.folded, place, last) else last):
        return None
    before = [mention for mention in named if mention.start < first]
    if not before:
        return asked
    while len(before) > 1 and before[-1].concept.id in before[-2].concept.above:
        before.pop()  # "Emsam is an antidepressant"
    drug = before[-1]
    if len({mention.concept.id for mention in before}) == 1 and asked and drug.concept.category == "drug_class":
        return asked  # "beta blockers …", of the one that was asked about
    if amount and drug.concept.category == "drug" and len({mention.concept.id for mention in before}) == 1:
        return drug.text  # nothing else has been spoken of
    start, end = reader.sentence(drug.start)
    others = [mention for mention in before if mention.start >= start and mention.concept.id != drug.concept.id]
    if drug.concept.category not in _DRUGS or others or "\n" in answer.folded[end - 1 : first]:
        return None
    if reader.reach(drug.start, drug.end) >= last or reader.sentences_between(end, first, _REACH) >= _REACH:
        return None
    return drug.text
