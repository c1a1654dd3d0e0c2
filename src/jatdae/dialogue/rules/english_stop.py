"""Whether an English sentence tells the patient in so many words to stop its X, or to leave it off for a while.

`english_advice` reads what a sentence says; here a second look asks for the words of an order or a permission. What is
hedged, told of others or done by the clinic ("we may drop X", "X is usually stopped") tells the patient nothing. Nor is
a drug stopped that is kept until an expert has been asked ("don't stop it on your own").
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_NEAR: Final = r"(?:[^.,;:]{1,30} )?"
_VERB: Final = (
    r"(?:stop|quit|skip|drop|discontinue|halve|pause|cut|ditch|bin|toss|chuck|scrap|shelve|park|retire|abandon|suspend"
    r"|omit|cease|interrupt|postpone|delay|defer|cancel|withhold|forget|forgo|forego|miss|swap|trade|replace|exchange"
    r"|remove|avoid|reduce|d/c|hold(?! (?:on|onto|to)\b)"
    rf"|leave {_NEAR}(?:out|off|alone|behind|in|on the|aside|for|at|until|till)|finish (?:with|{_NEAR}and|your|this"
    rf"|the)"
    rf"|put {_NEAR}(?:away|off|aside|back|in|behind|on hold|on ice)|throw {_NEAR}(?:out|away)"
    rf"|give {_NEAR}(?:up|a rest|a miss|a break|back)|take {_NEAR}(?:break|holiday|off|rest|pause|last|only|half)"
    r"|(?:come|go|get|stay|wean|taper|ease|keep|do)(?: \w+){0,2}? (?:off|without)|lose the|stay clear"
    rf"|let {_NEAR}(?:go|run out|lapse)|set {_NEAR}aside|call it (?:a day|quits)|(?:say|wave|bid) (?:goodbye|farewell"
    rf"|adieu|so long|no)"
    rf"|live without|do away"
    r"|be (?:done|free|rid)|get rid|walk away|step away|phase|wind|part with|hand|lay off|see the back|retire|pass on"
    rf"|swallow {_NEAR}last|switch|use {_NEAR}only|hang up|turn down|save)"
)
"""What is done with a thing that one no longer takes."""
_LEAD: Final = (
    r"(?:^\W*|[.;:,!?)–—-] ?(?:\d\.? )?|\b(?:and|so|then|but|or|just|simply|please|also|now|safely|probably|first"
    r"|instead"
    r"|tonight|today|tomorrow|either|better|as well|definitely|certainly|always|easily|gladly|happily|actually"
    r"|you|hun|if|when|maybe|perhaps|(?<!we )(?<!they )(?<!\bhe )can|(?<!we )(?<!they )could|(?<!we )may|(?<!we )might"
    r"|(?<!we )should|must|i'd|i would|i'll|we'd|you'd|you'll|let's|let us|to|ahead|why not|well|even|go|permission"
    r"|rather|might as well|plan|day|go and|try and) )"
)
"""What stands before the verb of an order or a permission; not a negation, nor "we may"."""
_ING: Final = (
    r"(?:stopp|quitt|skipp|dropp|discontinu|halv|paus|cutt|ditch|leav|com|go|gett|miss|tak|omitt|hold|giv|withhold"
    r"|suspend|wean|putt|finish|delay|avoid|lett|throw)ing\b"
)
_SAID: Final = re.compile(
    rf"{_LEAD}{_VERB}\b"
    rf"|\b(?:try|suggest|recommend|advise|consider|propose|favou?r|harm in|wrong with|problem with|in favou?r of|okay"
    rf" with"
    rf"|fine with|risk in|issue with|think about|start by|begin by|by|risk) (?:\w+ ){{0,2}}{_ING}"
    rf"|\b{_ING}[^.;]{{0,60}}\b(?:fine|okay|ok|safe|no big deal|nothing to|no problem|won't|isn't|makes sense"
    rf"|reasonable"
    r"|best|easiest|helps?|does no|worth|a good|harmless|will|should|gives?|lets?|is all|is what)\b"
    r"|\b(?:can|could|should|may|might|must|will|to|it)(?: \w+){0,2} be (?:\w+ )?(?:stopped|dropped|paused|skipped|left"
    r"|discontinued|halved|cut|omitted|held|put|withheld|given up|let go|retired|binned|thrown|parked|suspended|swapped"
    r"|replaced|switched|without|missed|reduced|avoided|shelved|phased)\b"
    r"|\b(?:no longer|don't|do not|won't|needn't|not|never|no|hardly|barely|without|isn't|aren't|neither)\b[^.;:]{0,40}"
    r"\b(?:need(?:ed|s)?|required|necessary|have to|any ?more|any longer|point|use|reason to|take|pick up|refill|renew"
    r"|buy|touch|worth|serve|want|bother|essential)\b"
    r"|(?:^\W*|[.;:,!–—] ?|\b(?:so|then|means|just|simply|is|of|need|have|take) )no (?:more |longer )?(?:of )?(?:the "
    r"|your )?X\b"
    r"|\b(?:without|off) (?:the |your |any )?X\b"
    r"|\b(?:last|final) (?:\w+ ){0,2}(?:dose|tablet|pill|day|one|week|capsule|pack|X)\b|\bday (?:one|1) \b"
    r"|\b(?:break|rest|holiday|time off|pause|breather|graduated|outgrown|surplus|enough of|over and done|farewell) ?"
    r"|\b(?:has|have)(?: \w+){0,2} (?:done|served|had) (?:its|their)\b"
    r"|\b(?:optional|history|finished with|done with|through with|better off|out the window|had its day|unnecessary"
    r"|superfluous|redundant|surplus)\b"
    r"|\b(?:X|it|they|that|one|this)(?: \w+){0,2} (?:can|may|could|should|has to|have to|must|needs to)"
    r"(?: \w+){0,2}? (?:wait|go|stop|come off|rest|end)\b"
    r"|\b(?:only|just) (?:on|when|if|once|for)\b|\bevery (?:other|second|third)\b|\bon (?:alternate|odd|even) days\b"
    r"|\bafter (?:tonight|today|this|that)\b|\bwithout it\b"
    r"|\b(?:is|are|was|were) (?:plenty|enough|over|behind you|all you need)\b"
)
"""The words of an order or a permission to stop."""


_OPEN: Final = re.compile(
    r"\b(?:we|they|he|she|that|your (?:\w+ )?(?:doctor|team|clinic|surgeon|dentist|prescriber|specialist|\w+ologist))"
    r" (?:may|might|could|can|will|would|usually|often|sometimes|normally|sometimes)\b[^.;:]*"
    r"|\b(?:X|it|they|dose) (?:may|might|could|will|would|usually|often|sometimes)(?: \w+)? (?:have|need|has|needs)"
    r" to be [^.;:]*"
    r"|\b(?:we|they|he|she)'ll (?:only |then )?[^.;:]*\b(?:only if|if|once|when)\b[^.;:]*"
    r"|(?:^\W*|[.;:,–—] )with (?:the |your |an? )?X (?:in the (?:mix|picture)|on (?:board|your list)|around"
    r"|already)[^.;,]*,"
    r" [^.;:]*\b(?:them|those|these)\b[^.;:]*"
    r"|\b[XY] (?:can|may|might|could|will|would)(?: (?:also|often|slowly|sometimes|itself|still|even|gradually))*"
    r" (?!(?:\w+ ){0,2}(?:be|wait|go|stop|come|rest|end|have|take|safely)\b)[^.;:]*"
    r"|\b(?:pancreas|body|cells|liver|glands?)\b[^.;]{0,30}\b(?:releas|mak|produc|secret)\w*\b[^.;]{0,20}\bX\b.*"
    r"|\bX(?: dose)? (?:does|do)(?:n't| not) (?:need|require)\b|\byou (?:don't|do not|aren't|never) (?:take|use|have(?!"
    r" to))\b"
    r"|\bwho (?:aren't|are not|isn't|don't|do not) [^.,;:]*"
    r"|\bcut (?:that|the|each|a|this) meal's\b"
    r"|\bY\b[^.;:]*\b(?:on top of|together with|alongside|next to|besides?) (?:an? |the |your )?X,? (?:so|and)"
    r" (?:please )?"
    r"(?:skip|drop|avoid|leave|stop) (?:it|them|that)\b"
)
"""What is left open, told of others or of what is so: "we may drop X", "X may have to be cut", "who aren't on X"."""
_MISSED: Final = re.compile(
    r"\b(?:almost|nearly|close to|near) (?:the )?time for|\btime for (?:the|your) next\b|\bthe next (?:one|dose) is"
    r" (?:due|near)"
    r"|\bnext dose is\b|\bhours? (?:late|before (?:the|your) next)\b"
)
"""What is told of a dose that was missed, which is rightly left out."""


_NOT_ALONE: Final = re.compile(
    r"\b(?:don't|do not|never|not|mustn't|shouldn't|can't|cannot|rather than|instead of)\b[^.;!?\n]{0,40}?"
    r"\b(?:stop|drop|quit|skip|come off|com(?:e|ing) off|discontinu|paus|leav|halv)\w*\b(?:"
    r"[^.;!?\n]{0,60}?\b(?:on your own|yourself|suddenly|abruptly|cold turkey|overnight|without|at once|all at once"
    r"|straight away|before|until|till|from one day)\b"
    r"|[^.;!?\n]{0,60}[.;!?,:–—-]+ (?:(?:and|but|so|please|instead|just) )*"
    r"(?:call|ring|phone|contact|message|see|talk to|speak to|speak with|talk with|get in touch|ask)\b)"
    r"|\b(?:please|but|so|do|first|just|still|and) (?:call|ring|phone|ask|check with|contact|message)\b[^.;!?\n]{0,40}"
    r"\b(?:doctor|prescriber|prescribed|practice|surgeon|clinic|team|office|dentist|pharmacist|nurse|gp|\w+ologist)\b"
    r"|\b(?:don't|do not|never) (?:just|simply) (?:stop|drop|quit|skip|throw|leave|come off)\b"
)
"""What keeps a drug only until an expert has been asked: "don't stop it on your own"."""


def keeps_for_now(sentences: str) -> bool:
    """Whether a drug is kept only until an expert has been asked."""
    return _NOT_ALONE.search(sentences) is not None


_USUAL: Final = re.compile(
    r"\b(?:usual|normal|standard|common|typical|general|customary) (?:instruction|advice|approach|practice|plan|routine"
    r"|recommendation|rule|way|procedure|step)s?\b"
    r"|\b(?:usually|normally|generally|typically|commonly|often) (?:stopped|held|paused|left|tapered|halved|reduced"
    r"|skipped)"
)
"""What is told as what is usually done."""


def is_usual(frame: str) -> bool:
    """Whether a sentence tells what is usually done: "the usual instruction is to hold X"."""
    return _USUAL.search(frame) is not None


@lru_cache(maxsize=4096)
def tells_to_stop(frame: str) -> bool:
    """Whether a sentence orders or allows in so many words to stop its X."""
    return not _MISSED.search(frame) and _SAID.search(_OPEN.sub("", frame)) is not None
