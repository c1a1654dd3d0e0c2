"""What makes an English sentence say plainly that something is, or is not, the patient's: "you take …", "your …"."""

from __future__ import annotations

import re
from typing import Final

_WORDS: Final = r"(?:[\w%'./()-]+ ){0,4}"
"""A few words between a verb and what it governs: "take a low dose of …"."""
_HOLD: Final = (
    r"(?:have|had|has|having|take|took|taken|takes|taking|use|used|using|on|off|with|inject(?:ing|ed)?"
    r"|receiv(?:e|ed|ing)|get(?:ting)?|got|wear(?:ing)?|carry|carrying|diagnosed|(?:treated|managed|monitored|followed"
    r"|seen) for|prescribed|given|start(?:ed|ing)|stopped|put on|down for|swallow|inhal(?:e|ing)|apply(?:ing)?"
    r"|suffer(?:ed|ing)?(?: from)?|dealing with|manag(?:e|ing)|underg(?:one|went)|(?:gone|been) through"
    r"|finish(?:ed|ing)|complet(?:ed|ing)|survived|fought|develop(?:ed)?|need(?:ed)?|battl(?:e|ing)|keep(?:ing)?"
    r"|continu(?:e|ing)|add(?:ed)?|combin(?:e|ing))"
)
"""Verbs and prepositions of having, taking and having gone through."""
_YOU_HOLD: Final = re.compile(
    rf"(?:you(?<!\wyou)(?:|'re|'ve|'d)|i(?<!\wi) see|we(?<!\wwe) see)\b([^.;:!?\n]{{0,70}}?)\b{_HOLD} {_WORDS}$"
)
"""The patterns begin with a letter because that is fastest."""
_SUPPOSED: Final = re.compile(
    r"\b(?:should|could|might|may|would|can|if|unless|try|want|ask|avoid|consider|whether|will|someone|somebody"
    r"|people|patients|anyone|those|they|she|he|going to|about to|risk|chance|without|prevent|rather|i'd|we'd)\b|'d\b"
    r"|'ll\b"
)
"""What between "you" and the verb makes it no statement of what is."""
_THEY_HOLD: Final = re.compile(
    rf"\b(?:she|he|pt|patient|(?:wo)?man|lady|gentleman)\b[^.;:!?\n]{{0,40}}?\b{_HOLD} {_WORDS}$"
)
"""The same in a note, or of somebody for whom another one asks."""
_YOUR: Final = re.compile(r"\byour ((?:[\w'-]+ ){0,3})$")
_OF_ANOTHER: Final = re.compile(
    r"\b(?:of|for|from|to|about|doctor|risk|chance|and|or|but|is|are|that|with|in|on|at|by)\b"
)
"""What between "your" and a name makes something else yours: "your risk of …"."""
_AS_SOMEBODY: Final = re.compile(
    r"(?:\bas an? |\bas (?:someone|somebody) |\bat (?:age )?\d\d|\d[- ]years?[- ]old|\byou(?:'re| are) )"
    rf"([^.;:!?\n]{{0,60}}?)\b(?:with|who has|who had|who takes|living with|(?:and|,) on) {_WORDS}$|()\bat \d[\d/.]+%?"
    rf" on {_WORDS}$"
)
_IF: Final = re.compile(r"\b(?:if|unless|whether|in case|when)\b(?:[^.,;:!?\n]*|[^.;:!?\n]*,? (?:or|and) )$")
"""What before "you" makes all of the clause a condition: "if it goes on, or you snore, have …"."""
_YOU_ARE: Final = re.compile(
    r"\byou(?:'re| are|'ve been|'ve| have| were)(?: (?:also|already|still|now|an?|\w+ly))* $"
    r"|(?:^|[.,;:(–—] ?)as an? (?:[\w-]+ )?$"
    r"|\b(?:controlled|treated|managed|kept|anticoagulated|thinned|covered|in hand|in check|under control)"
    r" (?:on|with|by) (?:[\w-]+ ){0,2}$",
    re.M,
)
_ON_RECORD: Final = re.compile(
    r"\b(?:history of|hx of|known|established|documented|prior|previous|existing|pre-existing|underlying"
    r"|diagnos(?:is|ed)(?: of| with| as)?) (?:[\w'-]+ ){0,2}$"
    r"|\b(?:records?|chart|file|list|notes|labs|results|profile|medications|meds|medicines|tablets)\b[^.!?:;\n]{0,24}"
    r"\b(?:shows?|lists?|includes?|mentions?|says|contains?)\b[^.!?;\n]{0,60}$"
    r"|\b(?:list|medications|meds|medicines|tablets|conditions|problems) (?:\w+ ){0,2}(?:has|have|is"
    r"|are)\b[^.!?;\n]{0,60}$"
    r"|(?:^|[.;•*-] ?)(?:(?:current |home |active )?(?:on|taking|takes|s/p|status post|pmh:?|hx:?|rx:?|meds:?)"
    r"|[\w ]{0,12}(?:note|recap|summary):) (?:[\w'-]+ ){0,2}$"
    r"|\byour (?:\w+ ){0,2}(?:tablets|medicines|medications|meds|pills|drugs|conditions)\b[^.!?\n]{0,40}$"
    r"|\b(?:current|present|ongoing|so far)\b[^:.\n]{0,20}: [^.\n]{0,60}$"
    r"|\byour\b[^.;:!?\n]{0,40}\b(?:shows?|confirms?|confirmed|reveals?|showed) (?:an? )?(?:\w+ )?$",
    re.M,
)
_KEPT: Final = re.compile(
    r"\b(?:continu(?:e|ing)|keep(?:ing)?|stay(?:ing)? on|carry on with|stick with)(?: (?:taking|using|on|with))?"
    rf" {_WORDS}$"
)
_CHANGED: Final = re.compile(
    r"\byou(?:'ve| have)?(?: \w+){0,3} (?:switched|changed|moved)(?: over)? (?:from|to) [^.;:!?\n]{0,40}$"
)
_BEFORE: Final = (_YOU_ARE, _ON_RECORD, _KEPT, _THEY_HOLD, _CHANGED)
_BEHIND: Final = re.compile(
    r" of yours\b|"
    r"(?:s|es)?(?:\W{0,3}\([^)\n]*\))?\W{0,4}(?:(?:\d\S* ?\w{0,5}|that|which|daily|nightly|tablets?|injections?"
    r"|inhaler) )"
    r"{0,5}(?:you(?:'re| are|'ve| have)?\b(?: \w+){0,2} (?:take|taking|have|use|using|on|had|been|inject|injecting|wear"
    r"|get|got|started|live|living)\b"
    r"|(?:is|are|was|were)(?: \w+){0,3} (?:on|in) (?:your|the) (?:\w+ )?(?:list|chart|records?|file|notes)"
    r"|(?:on|in) (?:your|the) (?:\w+ )?(?:list|chart|records?|file|notes)\b|is your\b|on (?:record|file)\b)"
    r"|s? do \(you (?:take|have)|, since (?:childhood|\d{4}|age)\b"
    r"|[^.;:!?\n]{0,30},? (?:since|as|because) you (?:take|have|use|are on) (?:it|both|them|these|all)\b"
)
_NOT_BEFORE: Final = re.compile(
    r"(?:\b(?:don't|do not|doesn't) (?:have|take|use) (?:\w+ ){0,3}"
    r"|\bwhat you (?:don't|do not) (?:have|take): "
    r"|\b(?:you|you're|you've|you'd|i|we|there)\b[^.;:!?\n]{0,30}?(?:n't|\bnot|\bnever|\bno longer|\bno)\b"
    r"(?! (?:convinced|sure|mean|certain|think|believe|because|why|only|just|stop|skip|worry|let))"
    rf"[^.;:!?\n]{{0,30}}? {_WORDS}"
    r"|\b(?:no|neither) (?:[\w'-]+ ){0,3}|\b(?:free of|absence of|negative for|without) (?:[\w'-]+ ){0,2}"
    r"|\byou(?:'ve| have)?(?: \w+)? (?:stopped|quit|gave up|given up|came off|discontinued) (?:the |your )?"
    r"|\bnever (?:had|taken|been on|been diagnosed with|used|developed|experienced) (?:[\w'-]+ ){0,2})$"
)
_NOT_BEHIND: Final = re.compile(
    r"s?\W{0,4}(?:none|no|negative|absent|never|not|(?:which |that )?(?:is|was|are) not|(?:which |that )?(?:is|was"
    r"|are)n't)\b"
    r"|[^.;:!?\n]{0,24}[ (](?:that |which )?you (?:(?:do|have|are|did)(?:n't| not)|never)\b"
)


_ASIDE: Final = re.compile(
    r"\b(?:(?:warnings?|risks?|chances?|signs?|symptoms?|cases?|causes?|fear|because|instead) of|about|against"
    r"|(?:tests?|tested|check(?:ed|ing)?|screen(?:ed|ing)?|watch|look|ready) for|such as|called|rules? out|prevents?"
    r"|means?|causes|known as|(?:combination|combined|interacts?|interaction|mix(?:ing|es|ed)?|clash(?:es)?|compared)"
    r" with)"
    r" (?:an? |the )?$"
)
"""What before a name makes it something that is only spoken of, whatever else the sentence says."""
_BEFORE_ASIDE: Final = (
    "of ", "about ", "against ", "for ", "as ", "called ", "out ", "prevent ", "prevents ", "mean ", "means ",
    "causes ", "with ", "a ", "an ", "the ",
)  # fmt: skip
"""How it ends: asked first, because that is much faster."""
_OF_PLACE: Final = re.compile(
    r"(?:'s)? (?:unit|clinic|nurse|team|ward|department|specialist|doctor|office|suite|centre|center|appointment"
    r"|instructions|sheet|booklet|leaflet)\b"
)
"""What makes a name part of another one: "your endoscopy unit"."""


def is_aside(text: str, start: int, end: int, first: int, last: int) -> bool:
    """Whether what start:end names is only spoken of: "a warning about …", "your endoscopy unit"."""
    if text.endswith(_BEFORE_ASIDE, 0, start) and _ASIDE.search(text, first, start):
        return True
    return _OF_PLACE.match(text, end, last) is not None


def says(text: str, start: int, end: int, first: int, last: int) -> bool:
    """Whether the sentence at first:last of a folded text says plainly that the patient has what start:end names."""
    held = _YOU_HOLD.search(text, first, start)
    if held and not _SUPPOSED.search(held[1]) and not _IF.search(text, first, held.start()):
        return True
    known = _AS_SOMEBODY.search(text, first, start)
    if known and not _SUPPOSED.search(known[1] or ""):
        return True
    if (owned := _YOUR.search(text, first, start)) and not _OF_ANOTHER.search(owned[1]):
        return True
    return any(each.search(text, first, start) for each in _BEFORE) or _BEHIND.match(text, end, last) is not None


def denies(text: str, start: int, end: int, first: int, last: int) -> bool:
    """Whether the sentence at first:last says plainly that the patient does not have what start:end names."""
    return bool(_NOT_BEFORE.search(text, first, start) or _NOT_BEHIND.match(text, end, last))
